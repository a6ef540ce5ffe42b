//! The last squares of plain games: four, three, two, one, and up to [`SHALLOW`] without a table.
//!
//! All functions here are null-window searches and fail-soft. For the true score `v` and the
//! result `r`: `r > alpha` means `v >= r`, `r <= alpha` means `v <= r`.

use super::context::Context;
use super::entry::Entry;
use crate::board::Game;
use crate::board::flip::neighbourhood;

/// Most empties searched without a table and without sorting.
pub const SHALLOW: u32 = 6;

/// Below every score.
pub const NOTHING: i32 = -128;

/// The squares beside each square, in all eight directions.
static NEIGHBOURS: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = neighbourhood(1 << square) & !(1 << square);
        square += 1;
    }
    table
};

/// Whether a placement may turn anything at all.
#[inline(always)]
fn touches(square: u32, discs: u64) -> bool {
    NEIGHBOURS[square as usize & 63] & discs != 0
}

#[inline(always)]
fn flips<G: Game, K: Entry>(context: &Context<'_, G, K>, square: u32, p: u64, o: u64) -> u64 {
    if touches(square, o) { context.kernel.flip(square, p, o) } else { 0 }
}

/// Whether the game is over for a mover who cannot place.
#[inline(always)]
pub fn is_over<G: Game, K: Entry>(context: &Context<'_, G, K>, player: u64, opponent: u64) -> bool {
    context.game.stuck_ends()
        || context.kernel.moves(opponent, player) & context.game.squares() == 0
}

/// Up to [`SHALLOW`] empties, five at least: squares of odd regions first, corners first in both
/// classes; no table, no sorting.
#[inline(always)]
pub fn shallow<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    alpha: i32,
    parity: u8,
) -> i32 {
    context.nodes += 1;
    let empties = context.game.squares() & !(player | opponent);
    let moves = context.kernel.moves(player, opponent) & empties;
    if moves == 0 {
        return if is_over(context, player, opponent) {
            context.game.final_score(player, opponent)
        } else {
            -K::shallow(context, opponent, player, -alpha - 1, parity)
        };
    }
    let layout = context.shared.layout;
    let odd = layout.quadrants[usize::from(parity & 15)];
    let corners = layout.corners;
    let last = empties.count_ones() == 5;
    let mut best = NOTHING;
    for class in [odd & corners, odd & !corners, !odd & corners, !odd & !corners] {
        let mut set = moves & class;
        while set != 0 {
            let square = set.trailing_zeros();
            set &= set - 1;
            let flipped = context.kernel.flip(square, player, opponent);
            let next = player | flipped | 1 << square;
            let parity = parity ^ layout.quadrant[square as usize & 63];
            let score = if last {
                -K::four(context, opponent ^ flipped, next, -alpha - 1, parity)
            } else {
                -K::shallow(context, opponent ^ flipped, next, -alpha - 1, parity)
            };
            if score > best {
                best = score;
                if best > alpha {
                    return best;
                }
            }
        }
    }
    best
}

/// Exactly four empties: squares alone in their region first.
#[inline(always)]
pub fn four<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    alpha: i32,
    parity: u8,
) -> i32 {
    let empties = context.game.squares() & !(player | opponent);
    let odd = empties & context.shared.layout.quadrants[usize::from(parity & 15)];
    let mut squares = 0;
    let mut place = 0;
    for mut set in [odd, empties & !odd] {
        while set != 0 {
            squares |= set.trailing_zeros() << place;
            place += 8;
            set &= set - 1;
        }
    }
    context.nodes += 1;
    let best = four_places(context, player, opponent, alpha, squares);
    if best != NOTHING {
        best
    } else if is_over(context, player, opponent) {
        context.game.final_score(player, opponent)
    } else {
        -K::four(context, opponent, player, -alpha - 1, parity)
    }
}

/// Up to four squares, one a byte, the first to be tried in the lowest.
///
/// Packed, because an array would live in memory and be shuffled there at every node.
type Squares = u32;

/// Square `i` of a packed list, and the list without it.
#[inline(always)]
fn take(squares: Squares, i: u32) -> (u32, Squares) {
    let before = (1 << (8 * i)) - 1;
    (squares >> (8 * i) & 63, (squares & before) | (squares >> 8 & !before))
}

/// The best of the mover's placements on four squares, [`NOTHING`] when there is none.
#[inline(always)]
fn four_places<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    alpha: i32,
    squares: Squares,
) -> i32 {
    let mut best = NOTHING;
    for i in 0..4 {
        let (square, rest) = take(squares, i);
        let flipped = flips(context, square, player, opponent);
        if flipped != 0 {
            let (next, other) = (opponent ^ flipped, player | flipped | 1 << square);
            best = best.max(-K::three(context, next, other, -alpha - 1, rest));
            if best > alpha {
                break;
            }
        }
    }
    best
}

/// Exactly three empties.
#[inline(always)]
pub fn three<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    alpha: i32,
    squares: Squares,
) -> i32 {
    context.nodes += 1;
    let best = three_places(context, player, opponent, alpha, squares);
    if best != NOTHING {
        best
    } else if is_over(context, player, opponent) {
        context.game.final_score(player, opponent)
    } else {
        -K::three(context, opponent, player, -alpha - 1, squares)
    }
}

#[inline(always)]
fn three_places<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    alpha: i32,
    squares: Squares,
) -> i32 {
    let mut best = NOTHING;
    for i in 0..3 {
        let (square, rest) = take(squares, i);
        let flipped = flips(context, square, player, opponent);
        if flipped != 0 {
            let (next, other) = (opponent ^ flipped, player | flipped | 1 << square);
            best = best.max(-two(context, next, other, -alpha - 1, rest));
            if best > alpha {
                break;
            }
        }
    }
    best
}

/// Exactly two empties.
#[inline(always)]
pub fn two<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    alpha: i32,
    squares: Squares,
) -> i32 {
    context.nodes += 1;
    let best = two_places(context, player, opponent, alpha, squares);
    if best != NOTHING {
        best
    } else if is_over(context, player, opponent) {
        context.game.final_score(player, opponent)
    } else {
        -K::two(context, opponent, player, -alpha - 1, squares)
    }
}

#[inline(always)]
fn two_places<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    alpha: i32,
    squares: Squares,
) -> i32 {
    let (a, b) = (squares & 63, squares >> 8 & 63);
    let mut best = NOTHING;
    let flipped = flips(context, a, player, opponent);
    if flipped != 0 {
        best = -one(context, opponent ^ flipped, player | flipped | 1 << a, b);
        if best > alpha {
            return best;
        }
    }
    let flipped = flips(context, b, player, opponent);
    if flipped != 0 {
        best = best.max(-one(context, opponent ^ flipped, player | flipped | 1 << b, a));
    }
    best
}

/// The number of discs that a placement on the last empty square turns.
#[inline(always)]
fn last_flip<G: Game, K: Entry>(context: &Context<'_, G, K>, square: u32, p: u64, o: u64) -> u32 {
    if G::CLASSIC {
        context.kernel.last_flip(square, p)
    } else {
        context.kernel.flip(square, p, o).count_ones()
    }
}

/// The last empty square.
#[inline(always)]
fn one<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    square: u32,
) -> i32 {
    context.nodes += 1;
    let game = context.game;
    let (own, other) = (player.count_ones(), game.max_score() as u32 - 1 - player.count_ones());
    let turned = last_flip(context, square, player, opponent);
    if turned != 0 {
        return game.score(own + 1 + turned, other - turned);
    }
    if game.stuck_ends() {
        return game.score(own, other);
    }
    let turned = last_flip(context, square, opponent, player);
    if turned != 0 {
        context.nodes += 1;
        return game.score(own - turned, other + 1 + turned);
    }
    game.score(own, other)
}

/// Up to four empties from any caller, and positions with none.
#[inline(always)]
pub fn last<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    alpha: i32,
    parity: u8,
) -> i32 {
    let empties = context.game.squares() & !(player | opponent);
    let square = |set: u64| set.trailing_zeros() & 63;
    let (a, rest) = (square(empties), empties & empties.wrapping_sub(1));
    let (b, rest) = (square(rest), rest & rest.wrapping_sub(1));
    match empties.count_ones() {
        0 => {
            context.nodes += 1;
            context.game.final_score(player, opponent)
        }
        1 => one(context, player, opponent, a),
        2 => K::two(context, player, opponent, alpha, a | b << 8),
        3 => K::three(context, player, opponent, alpha, a | b << 8 | square(rest) << 16),
        _ => K::four(context, player, opponent, alpha, parity),
    }
}
