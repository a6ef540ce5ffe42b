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
    let mut squares = [0; 4];
    let mut count = 0;
    for mut set in [odd, empties & !odd] {
        while set != 0 {
            squares[count & 3] = set.trailing_zeros();
            set &= set - 1;
            count += 1;
        }
    }
    let [a, b, c, d] = squares;
    let orders = [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])];
    turns(context, player, opponent, alpha, |context, player, opponent, alpha| {
        let mut best = NOTHING;
        for (square, rest) in orders {
            let flipped = flips(context, square, player, opponent);
            if flipped != 0 {
                let (next, other) = (opponent ^ flipped, player | flipped | 1 << square);
                best = best.max(-three(context, next, other, -alpha - 1, rest));
                if best > alpha {
                    break;
                }
            }
        }
        best
    })
}

/// Tries the mover's placements, then after a pass the other side's; the final score when nobody
/// has one. `places` returns [`NOTHING`] when its side cannot place.
#[inline(always)]
fn turns<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    alpha: i32,
    places: impl Fn(&mut Context<'_, G, K>, u64, u64, i32) -> i32,
) -> i32 {
    let (mut own, mut other, mut alpha, mut sign) = (player, opponent, alpha, 1);
    // A loop, so that the code of `places` stands here once.
    loop {
        context.nodes += 1;
        let best = places(context, own, other, alpha);
        if best != NOTHING {
            return sign * best;
        }
        if sign < 0 || context.game.stuck_ends() {
            return context.game.final_score(player, opponent);
        }
        (own, other, alpha, sign) = (other, own, -alpha - 1, -1);
    }
}

#[inline(always)]
fn three<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    alpha: i32,
    [a, b, c]: [u32; 3],
) -> i32 {
    let orders = [(a, [b, c]), (b, [a, c]), (c, [a, b])];
    turns(context, player, opponent, alpha, |context, player, opponent, alpha| {
        let mut best = NOTHING;
        for (square, rest) in orders {
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
    })
}

#[inline(always)]
fn two<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    alpha: i32,
    [a, b]: [u32; 2],
) -> i32 {
    turns(context, player, opponent, alpha, |context, player, opponent, alpha| {
        let mut best = NOTHING;
        for (square, last) in [(a, b), (b, a)] {
            let flipped = flips(context, square, player, opponent);
            if flipped != 0 {
                let (next, other) = (opponent ^ flipped, player | flipped | 1 << square);
                best = best.max(-one(context, next, other, last));
                if best > alpha {
                    break;
                }
            }
        }
        best
    })
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
    let (game, kernel) = (context.game, context.kernel);
    let count = |own: u64, other: u64| {
        if G::CLASSIC {
            kernel.last_flip(square, own)
        } else {
            kernel.flip(square, own, other).count_ones()
        }
    };
    let (own, other) = (player.count_ones(), game.max_score() as u32 - 1 - player.count_ones());
    let turned = count(player, opponent);
    if turned != 0 {
        return game.score(own + 1 + turned, other - turned);
    }
    if game.stuck_ends() {
        return game.score(own, other);
    }
    let turned = count(opponent, player);
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
        2 => two(context, player, opponent, alpha, [a, b]),
        3 => three(context, player, opponent, alpha, [a, b, square(rest)]),
        _ => K::four(context, player, opponent, alpha, parity),
    }
}
