//! The hand-made guess, for games and boards without trained weights: mobility, potential
//! mobility, corners and the squares beside empty ones.

use crate::board::Game;
use crate::board::flip::neighbourhood;
use crate::kernel::Kernel;
use crate::search::layout::Layout;

/// A guess for the side to move, in units of 1/16 disc.
#[inline(always)]
pub fn guess<G: Game, K: Kernel>(
    game: G,
    kernel: K,
    layout: &Layout,
    player: u64,
    opponent: u64,
) -> i32 {
    let empties = game.squares() & !(player | opponent);
    let own = kernel.moves(player, opponent) & empties;
    let other = kernel.moves(opponent, player) & empties;
    let count = |set: u64| set.count_ones() as i32;
    let mobility = count(own) - count(other);
    let corner_moves = count(own & layout.corners) - count(other & layout.corners);
    let potential =
        count(neighbourhood(opponent) & empties) - count(neighbourhood(player) & empties);
    let corners = count(player & layout.corners) - count(opponent & layout.corners);
    let near = |corner_free: u64| {
        let ring = neighbourhood(corner_free) & layout.x_squares;
        count(opponent & ring) - count(player & ring)
    };
    let danger = near(layout.corners & empties);
    let guess =
        20 * mobility + 40 * corner_moves + 8 * potential + 110 * corners + 45 * danger + 10;
    if game.most_wins() { guess } else { -guess }
}
