//! The order in which a node's moves are searched.

use super::context::Context;
use super::entry::Entry;
use super::eval::{self, DISC, Evaluation, Judge, Track, With, Without};
use super::node::{self, Child, PASS};
use crate::board::Game;

/// Brings the table's moves to the front, searches them, then ranks and searches the rest.
#[inline(always)]
pub fn search_in_order<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    discs: (u64, u64),
    list: &mut [Child<G::Extra>],
    hints: [u8; 2],
    empties: u32,
    alpha: i32,
) -> (i32, u8) {
    sort(context, discs, list, hints, empties);
    node::search_list(context, list, empties, alpha)
}

/// Sorts a list of moves, the most promising first.
#[inline(always)]
pub fn sort<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    discs: (u64, u64),
    list: &mut [Child<G::Extra>],
    hints: [u8; 2],
    empties: u32,
) {
    rank(context, discs, list, hints, empties);
    list.sort_by_key(|child| std::cmp::Reverse(child.rank));
}

/// Plies of the look-ahead behind each guess.
fn depth(empties: u32) -> u32 {
    match empties {
        0..=12 => 0,
        13..=15 => 1,
        16..=18 => 2,
        19..=22 => 3,
        _ => 4,
    }
}

/// A look-ahead need not tell apart moves that are worse than the best by more than this.
const MARGIN: i32 = 6 * DISC;

/// Ranks every move: the table's moves first, then by guess, with what the move leaves the other
/// side to do.
#[inline(always)]
fn rank<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    (player, opponent): (u64, u64),
    list: &mut [Child<G::Extra>],
    hints: [u8; 2],
    empties: u32,
) {
    let judge = eval::judge(context);
    match judge.evaluation {
        Evaluation::Trained(weights) => {
            rank_with(judge, &With::new(weights, player, opponent), opponent, list, hints, empties);
        }
        _ => rank_with(judge, &Without, opponent, list, hints, empties),
    }
}

/// [`rank`] with what the look-ahead carries along.
#[inline(always)]
fn rank_with<G: Game, K: Entry, T: Track>(
    judge: Judge<'_, G, K>,
    parent: &T,
    opponent: u64,
    list: &mut [Child<G::Extra>],
    hints: [u8; 2],
    empties: u32,
) {
    let depth = depth(empties);
    let bound = 100 * DISC;
    let mut best = -bound;
    for child in list.iter_mut() {
        if let Some(place) = hints.iter().position(|&hint| hint == child.square) {
            child.rank = i32::MAX - place as i32;
            continue;
        }
        let track = if child.square == PASS {
            parent.after_pass()
        } else {
            parent.after_move(u32::from(child.square), opponent & !child.player)
        };
        let free = judge.game.squares() & !(child.player | child.opponent);
        let replies = judge.kernel.moves(child.player, child.opponent) & free;
        let corners = replies & judge.layout.corners;
        let mobility = (replies.count_ones() + corners.count_ones()) as i32;
        let guess = if depth == 0 {
            track.guess(judge, child.player, child.opponent)
        } else {
            let window = (-bound, MARGIN - best);
            K::scout(judge, &track, (child.player, child.opponent), depth, window)
        };
        best = best.max(-guess);
        child.rank = -guess - 2 * mobility * DISC;
    }
}
