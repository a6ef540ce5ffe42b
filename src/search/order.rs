//! The order in which a node's moves are searched.

use super::context::Context;
use super::entry::Entry;
use super::eval::{self, DISC};
use super::node::{self, Child};
use crate::board::Game;

/// Brings the table's moves to the front, searches them, then ranks and searches the rest.
#[inline(always)]
pub fn search_in_order<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    list: &mut [Child<G::Extra>],
    hints: [u8; 2],
    empties: u32,
    alpha: i32,
) -> (i32, u8) {
    sort(context, list, hints, empties);
    node::search_list(context, list, empties, alpha)
}

/// Sorts a list of moves, the most promising first.
pub fn sort<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    list: &mut [Child<G::Extra>],
    hints: [u8; 2],
    empties: u32,
) {
    rank(context, list, hints, empties);
    list.sort_by_key(|child| std::cmp::Reverse(child.rank));
}

/// Plies of the look-ahead behind each guess.
fn depth(empties: u32) -> u32 {
    match empties {
        0..=14 => 0,
        15..=16 => 1,
        17..=19 => 2,
        20..=23 => 3,
        _ => 4,
    }
}

/// Ranks every move: the table's moves first, then by guess, with what the move leaves the other
/// side to do.
fn rank<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    list: &mut [Child<G::Extra>],
    hints: [u8; 2],
    empties: u32,
) {
    let layout = context.shared.layout;
    for child in list.iter_mut() {
        if let Some(place) = hints.iter().position(|&hint| hint == child.square) {
            child.rank = i32::MAX - place as i32;
            continue;
        }
        let free = context.game.squares() & !(child.player | child.opponent);
        let replies = context.kernel.moves(child.player, child.opponent) & free;
        let mobility = (replies.count_ones() + (replies & layout.corners).count_ones()) as i32;
        let bound = 100 * DISC;
        let guess =
            eval::look_ahead(context, child.player, child.opponent, depth(empties), -bound, bound);
        child.rank = -guess - 2 * mobility * DISC;
    }
}
