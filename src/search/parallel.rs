//! Sharing the younger brothers of a node among threads.

use super::context::{Context, Split};
use super::endgame::NOTHING;
use super::entry::Entry;
use super::node::{self, Child};
use super::tt::NO_MOVE;
use crate::board::Game;
use std::sync::Mutex;

/// Searches all moves of `list`, each as a job of rayon's pool, until one beats `alpha`.
///
/// Jobs start in the order of the list. The first that beats `alpha` ends the others, which then
/// leave no trace: an aborted search stores nothing.
pub fn search_rest<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    list: &[Child<G::Extra>],
    alpha: i32,
) -> (i32, u8) {
    let split = Split::new(context.split);
    let best = Mutex::new((NOTHING, NO_MOVE));
    let (game, kernel, shared) = (context.game, context.kernel, context.shared);
    rayon::scope_fifo(|scope| {
        for child in list {
            let (split, best) = (&split, &best);
            scope.spawn_fifo(move |_| {
                if split.is_done() || shared.stopped().is_some() {
                    return;
                }
                let mut helper = Context::new(game, kernel, shared, Some(split));
                let score = -node::descend(&mut helper, child, -alpha - 1);
                if !helper.aborted {
                    let mut best = best.lock().unwrap_or_else(|p| p.into_inner());
                    if score > best.0 {
                        *best = (score, child.square);
                    }
                    if score > alpha {
                        split.finish();
                    }
                }
                helper.finish();
            });
        }
    });
    let best = best.into_inner().unwrap_or_else(|p| p.into_inner());
    // Without a refutation the result counts only if every job ran to its end.
    context.aborted |= best.0 <= alpha
        && (shared.stopped().is_some() || context.split.is_some_and(Split::is_done));
    best
}
