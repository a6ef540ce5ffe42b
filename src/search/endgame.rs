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
    let mut turn = Turn::new(player, opponent, alpha);
    loop {
        context.nodes += 1;
        let best = four_places(context, turn.own, turn.other, turn.alpha, squares);
        if best != NOTHING {
            return turn.sign * best;
        }
        if !turn.pass(context.game) {
            return context.game.final_score(player, opponent);
        }
    }
}

/// Whose placements are tried: the mover's first, then after a pass the other side's.
struct Turn {
    own: u64,
    other: u64,
    alpha: i32,
    sign: i32,
}

impl Turn {
    #[inline(always)]
    fn new(player: u64, opponent: u64, alpha: i32) -> Self {
        Self { own: player, other: opponent, alpha, sign: 1 }
    }

    /// Hands the turn to the other side; `false` when the game is over instead.
    #[inline(always)]
    fn pass<G: Game>(&mut self, game: G) -> bool {
        let more = self.sign > 0 && !game.stuck_ends();
        *self = Self { own: self.other, other: self.own, alpha: -self.alpha - 1, sign: -1 };
        more
    }
}

/// The best of the mover's placements on four squares, [`NOTHING`] when there is none.
#[inline(always)]
fn four_places<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    alpha: i32,
    [a, b, c, d]: [u32; 4],
) -> i32 {
    let mut best = NOTHING;
    for (square, rest) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
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
}

#[inline(always)]
fn three<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    alpha: i32,
    squares: [u32; 3],
) -> i32 {
    let mut turn = Turn::new(player, opponent, alpha);
    loop {
        context.nodes += 1;
        let best = three_places(context, turn.own, turn.other, turn.alpha, squares);
        if best != NOTHING {
            return turn.sign * best;
        }
        if !turn.pass(context.game) {
            return context.game.final_score(player, opponent);
        }
    }
}

#[inline(always)]
fn three_places<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    alpha: i32,
    [a, b, c]: [u32; 3],
) -> i32 {
    let mut best = NOTHING;
    for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
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

#[inline(always)]
fn two<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    alpha: i32,
    squares: [u32; 2],
) -> i32 {
    let mut turn = Turn::new(player, opponent, alpha);
    loop {
        context.nodes += 1;
        let best = two_places(context, turn.own, turn.other, turn.alpha, squares);
        if best != NOTHING {
            return turn.sign * best;
        }
        if !turn.pass(context.game) {
            return context.game.final_score(player, opponent);
        }
    }
}

#[inline(always)]
fn two_places<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    alpha: i32,
    [a, b]: [u32; 2],
) -> i32 {
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
        2 => two(context, player, opponent, alpha, [a, b]),
        3 => three(context, player, opponent, alpha, [a, b, square(rest)]),
        _ => K::four(context, player, opponent, alpha, parity),
    }
}
