//! Guesses of a position's worth. They choose what is searched first and nothing else: no value
//! of this module ever becomes a bound.

use super::context::Context;
use super::entry::Entry;
use crate::board::Game;
use crate::board::flip::neighbourhood;

/// Units of a guess in one disc.
pub const DISC: i32 = 16;

/// A quick guess for the side to move, in units of 1/[`DISC`] disc: mobility, potential mobility,
/// corners and the squares beside empty ones.
#[inline(always)]
pub fn guess<G: Game, K: Entry>(context: &Context<'_, G, K>, player: u64, opponent: u64) -> i32 {
    let layout = context.shared.layout;
    let empties = context.game.squares() & !(player | opponent);
    let own = context.kernel.moves(player, opponent) & empties;
    let other = context.kernel.moves(opponent, player) & empties;
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
    if context.game.most_wins() { guess } else { -guess }
}

/// A guess by full-width search of a few plies, in units of 1/[`DISC`] disc, fail-soft.
pub fn look_ahead<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> i32 {
    if depth == 0 {
        return guess(context, player, opponent);
    }
    let empties = context.game.squares() & !(player | opponent);
    let mut set = context.kernel.moves(player, opponent) & empties;
    if set == 0 {
        return if context.game.stuck_ends() || context.kernel.moves(opponent, player) & empties == 0
        {
            context.game.final_score(player, opponent) * DISC
        } else {
            -look_ahead(context, opponent, player, depth, -beta, -alpha)
        };
    }
    let corners = set & context.shared.layout.corners;
    let mut best = i32::MIN + 1;
    for class in [corners, !corners] {
        let mut moves = set & class;
        set &= !class;
        while moves != 0 {
            let square = moves.trailing_zeros();
            moves &= moves - 1;
            let flipped = context.kernel.flip(square, player, opponent);
            let (next, other) = (opponent ^ flipped, player | flipped | 1 << square);
            let score = -look_ahead(context, next, other, depth - 1, -beta, -alpha.max(best));
            if score > best {
                best = score;
                if best >= beta {
                    return best;
                }
            }
        }
    }
    best
}
