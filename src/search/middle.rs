//! Positions with few empties but more than [`SHALLOW`](super::endgame::SHALLOW): the thread's own
//! table, proved bounds, and moves sorted by what they leave the other side.

use super::bounds;
use super::context::Context;
use super::endgame::{self, NOTHING};
use super::entry::Entry;
use super::local::LocalTable;
use super::tt::NO_MOVE;
use crate::board::Game;

/// Most empties searched here; above, the shared table and dearer ordering pay.
pub const MIDDLE: u32 = 12;

/// Room for every move: there are never more moves than empties.
const CAPACITY: usize = 16;
const _: () = assert!(MIDDLE as usize <= CAPACITY);

/// A move with the position after it, mover's view turned.
#[derive(Clone, Copy)]
struct Child {
    player: u64,
    opponent: u64,
    square: u8,
    parity: u8,
    rank: i32,
}

/// Null-window search of a plain game, fail-soft (see [`endgame`]).
#[inline(always)]
pub fn body<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    alpha: i32,
    parity: u8,
) -> i32 {
    // 1. Known bounds.
    context.nodes += 1;
    let max = context.game.max_score();
    let slot = LocalTable::slot(player, opponent);
    let known = context.local.probe(slot, player, opponent);
    let (mut lower, mut upper, hint) = known.unwrap_or((-max, max, NO_MOVE));
    if lower > alpha {
        return lower;
    }
    if upper <= alpha {
        return upper;
    }
    // 2. Stable discs.
    if alpha >= stability_threshold(max, 10) {
        let bound = bounds::upper_bound(context.game, player, opponent);
        if bound <= alpha {
            return bound;
        }
    }
    // 3. Moves, or a pass, or the end.
    let empties = context.game.squares() & !(player | opponent);
    let moves = context.kernel.moves(player, opponent) & empties;
    if moves == 0 {
        return if endgame::is_over(context, player, opponent) {
            context.game.final_score(player, opponent)
        } else {
            -K::middle(context, opponent, player, -alpha - 1, parity)
        };
    }
    // 4. The positions after each move; a known refutation ends the node at once.
    let count = empties.count_ones();
    let to_shallow = count - 1 <= endgame::SHALLOW;
    let layout = context.shared.layout;
    let odd = layout.quadrants[usize::from(parity & 15)];
    let mut children = [Child { player: 0, opponent: 0, square: 0, parity: 0, rank: 0 }; CAPACITY];
    let mut n = 0;
    let mut set = moves;
    while set != 0 {
        let square = set.trailing_zeros();
        set &= set - 1;
        let flipped = context.kernel.flip(square, player, opponent);
        let (next, other) = (opponent ^ flipped, player | flipped | 1 << square);
        if G::CLASSIC && next == 0 {
            return max;
        }
        let slot = LocalTable::slot(next, other);
        if !to_shallow
            && let Some((_, known, _)) = context.local.probe(slot, next, other)
            && -known > alpha
        {
            context.local.store(
                LocalTable::slot(player, opponent),
                (player, opponent),
                (-known, upper),
                square as u8,
            );
            return -known;
        }
        let replies = context.kernel.moves(next, other) & empties;
        let mobility = (replies.count_ones() + (replies & layout.corners).count_ones()) as i32;
        let bit = 1_u64 << square;
        let mut rank = -(mobility << 8) + i32::from(layout.worth[square as usize & 63]);
        rank += i32::from(odd & bit != 0) << 6;
        // Discs joined to an own corner along the border stay; two steps tell most of it.
        let mut safe = other & layout.corners;
        for _ in 0..2 {
            safe |= (safe << 1 | safe >> 1 | safe << 8 | safe >> 8) & other & layout.border;
        }
        rank += 20 * safe.count_ones() as i32;
        rank += i32::from(square as u8 == hint) << 20;
        let parity = parity ^ layout.quadrant[square as usize & 63];
        children[n & (CAPACITY - 1)] =
            Child { player: next, opponent: other, square: square as u8, parity, rank };
        n += 1;
    }
    // 5. Search, best rank first.
    let mut best = NOTHING;
    let mut best_square = NO_MOVE;
    let children = &mut children[..n & (CAPACITY - 1)];
    let n = children.len();
    for i in 0..n {
        let mut pick = i;
        for j in i + 1..n {
            if children[j].rank > children[pick].rank {
                pick = j;
            }
        }
        children.swap(i, pick);
        let child = children[i];
        let score = if to_shallow {
            -K::shallow(context, child.player, child.opponent, -alpha - 1, child.parity)
        } else {
            -K::middle(context, child.player, child.opponent, -alpha - 1, child.parity)
        };
        if score > best {
            best = score;
            best_square = child.square;
            if best > alpha {
                break;
            }
        }
    }
    // 6. Remember.
    if best > alpha {
        lower = lower.max(best);
    } else {
        upper = upper.min(best);
    }
    context.local.store(slot, (player, opponent), (lower, upper), best_square);
    best
}

/// Below this alpha stable discs hardly ever decide; a matter of speed only.
#[inline(always)]
pub fn stability_threshold(max: i32, empties: u32) -> i32 {
    let _ = empties;
    -max / 4
}
