//! The general node: any game, any number of empties, null window.
//!
//! Contract (fail-soft, as in Pascal Pons' connect4): for the true score `v` and the result `r`,
//! `r > alpha` means `v >= r`, and `r <= alpha` means `v <= r`. The result means nothing once
//! `context.aborted` is set.
//!
//! Trust: a bound comes only from (1) the final score, (2) children, (3) a table entry whose whole
//! position matches, (4) [`bounds`](super::bounds). Guesses of [`eval`](super::eval) only order.

use super::bounds;
use super::context::Context;
use super::endgame::{self, NOTHING, SHALLOW};
use super::entry::Entry;
use super::middle::{self, MIDDLE};
use super::order;
use super::parallel;
use super::tt::{Fact, Key, NO_MOVE};
use crate::board::Game;
use crate::board::game::State;

/// A move with the position after it.
#[derive(Clone, Copy, Debug)]
pub struct Child<E> {
    pub player: u64,
    pub opponent: u64,
    pub extra: E,
    /// Square index, or [`PASS`] for a voluntary pass.
    pub square: u8,
    /// Order of search, larger first.
    pub rank: i32,
}

/// Stands for a pass in [`Child::square`].
pub const PASS: u8 = 65;

/// Fewest empties of a node that looks its children up before it searches any.
const ETC_EMPTIES: u32 = MIDDLE + 2;

/// Moves searched before the rest are shared among threads. Splitting after the first costs 20 %
/// more nodes with two threads, after the third 11 %, and keeps both threads as busy.
const ELDERS: usize = 3;

/// Searches the position after a move with the function for its number of empties.
#[inline(always)]
pub fn descend<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    child: &Child<G::Extra>,
    alpha: i32,
) -> i32 {
    let (player, opponent) = (child.player, child.opponent);
    if !G::PLAIN {
        return K::node(context, player, opponent, child.extra, alpha);
    }
    let empties = context.game.squares() & !(player | opponent);
    let count = empties.count_ones();
    if count > MIDDLE {
        return K::node(context, player, opponent, child.extra, alpha);
    }
    let parity = context.shared.layout.parity(empties);
    if count > SHALLOW {
        K::middle(context, player, opponent, alpha, parity)
    } else if count > 4 {
        K::shallow(context, player, opponent, alpha, parity)
    } else {
        endgame::last(context, player, opponent, alpha, parity)
    }
}

/// The legal moves of a node with the positions after them, unsorted.
#[inline(always)]
pub fn children<G: Game, K: Entry>(
    context: &Context<'_, G, K>,
    player: u64,
    opponent: u64,
    extra: G::Extra,
    places: u64,
    pass: bool,
) -> Vec<Child<G::Extra>> {
    let game = context.game;
    let free = game.is_free_phase(player, opponent);
    let mut list = Vec::with_capacity(places.count_ones() as usize + usize::from(pass));
    let mut set = places;
    while set != 0 {
        let square = set.trailing_zeros();
        set &= set - 1;
        let flipped = if free { 0 } else { context.kernel.flip(square, player, opponent) };
        list.push(Child {
            player: opponent ^ flipped,
            opponent: player | flipped | 1 << square,
            extra: game.after_place(extra),
            square: square as u8,
            rank: 0,
        });
    }
    if pass {
        let extra = game.after_pass(extra);
        list.push(Child { player: opponent, opponent: player, extra, square: PASS, rank: 0 });
    }
    list
}

/// One node.
#[inline(always)]
pub fn body<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    player: u64,
    opponent: u64,
    extra: G::Extra,
    alpha: i32,
) -> i32 {
    // 1. Limits.
    context.nodes += 1;
    if context.must_stop() {
        return 0;
    }
    // 2. Known bounds.
    let game = context.game;
    let max = game.max_score();
    let key = Key { player, opponent, state: extra.pack() };
    let hash = key.hash();
    let known = context.shared.table.probe(key, hash);
    let unknown = Fact { lower: -max as i8, upper: max as i8, moves: [NO_MOVE; 2] };
    let fact = known.unwrap_or(unknown);
    if i32::from(fact.lower) > alpha {
        return i32::from(fact.lower);
    }
    if i32::from(fact.upper) <= alpha {
        return i32::from(fact.upper);
    }
    // 3. Stable discs.
    let empties = (game.squares() & !(player | opponent)).count_ones();
    if alpha >= middle::stability_threshold(max, empties) {
        let bound = bounds::upper_bound(game, player, opponent);
        if bound <= alpha {
            return bound;
        }
    }
    // 4. Moves, or a forced pass, or the end.
    let kernel = context.kernel;
    let options = game.options(player, opponent, extra, |p, o| kernel.moves(p, o));
    if options.places == 0 {
        return if options.pass {
            -K::node(context, opponent, player, game.after_pass(extra), -alpha - 1)
        } else {
            game.final_score(player, opponent)
        };
    }
    // 5. The positions after each move. A wipe-out or a known refutation ends the node at once.
    let before = context.total_nodes();
    let mut list = children(context, player, opponent, extra, options.places, options.pass);
    if G::CLASSIC && list.iter().any(|child| child.player == 0) {
        return max;
    }
    if empties >= ETC_EMPTIES || !G::PLAIN {
        for child in &list {
            let key =
                Key { player: child.player, opponent: child.opponent, state: child.extra.pack() };
            if let Some(fact) = context.shared.table.probe(key, key.hash())
                && -i32::from(fact.upper) > alpha
            {
                return -i32::from(fact.upper);
            }
        }
    }
    // 6. Search, best guess first.
    let (best, best_square) =
        order::search_in_order(context, (player, opponent), &mut list, fact.moves, empties, alpha);
    if context.aborted {
        return 0;
    }
    // 7. Remember.
    let (lower, upper) = if best > alpha {
        (best.max(fact.lower.into()), fact.upper.into())
    } else {
        (fact.lower.into(), best.min(fact.upper.into()))
    };
    let effort = (context.total_nodes() - before).max(1).ilog2() as u8;
    let moves = [best_square, NO_MOVE];
    let fact = Fact { lower: lower as i8, upper: upper as i8, moves };
    context.shared.table.store(key, hash, fact, effort);
    best
}

/// Searches `list` from `from` on until a move beats `alpha`: alone, or with other threads.
/// Returns the best score and its square.
#[inline(always)]
pub fn search_list<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    list: &[Child<G::Extra>],
    empties: u32,
    alpha: i32,
) -> (i32, u8) {
    let mut best = (NOTHING, NO_MOVE);
    for (i, child) in list.iter().enumerate() {
        // Young brothers wait: the rest are shared out once the eldest have failed to refute.
        if i >= ELDERS
            && list.len() - i > 1
            && context.shared.split_at.is_some_and(|least| empties >= least)
        {
            let rest = parallel::search_rest(context, &list[i..], alpha);
            return if rest.0 > best.0 { rest } else { best };
        }
        let score = -descend(context, child, -alpha - 1);
        if context.aborted {
            return best;
        }
        if score > best.0 {
            best = (score, child.square);
            if score > alpha {
                break;
            }
        }
    }
    best
}
