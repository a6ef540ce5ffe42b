//! From a question to its answer: null-window passes over the root until the bounds meet, the
//! score of every move when asked, and the principal variation.

use super::context::{Context, Shared};
use super::endgame::NOTHING;
use super::entry::Entry;
use super::eval::{self, DISC};
use super::node::{self, Child, PASS};
use super::order;
use super::tt::{Key, NO_MOVE};
use super::{Bounds, MoveScore, Solution, Task};
use crate::board::game::State;
use crate::board::{Game, Move, Position, Square};

/// A position in the search's own form.
#[derive(Clone, Copy)]
struct Spot<E> {
    player: u64,
    opponent: u64,
    extra: E,
}

impl<E> From<Child<E>> for Spot<E> {
    fn from(child: Child<E>) -> Self {
        Self { player: child.player, opponent: child.opponent, extra: child.extra }
    }
}

/// What is proved of a position and the move that attains the lower bound.
#[derive(Clone, Copy)]
struct Proof {
    bounds: Bounds,
    best: u8,
}

/// Answers `task` on one game and one kernel level.
pub fn solve<G: Game, K: Entry>(game: G, kernel: K, shared: &Shared<'_>, task: &Task) -> Solution {
    let mut context = Context::new(game, kernel, shared, None);
    let Position { player, opponent, extra } = task.position;
    let (player, opponent) = (player.bits(), opponent.bits());
    let root = Spot { player, opponent, extra: G::Extra::from_extra(extra) };
    let max = game.max_score();
    let (alpha, beta) = task.window.unwrap_or((-max - 1, max + 1));

    let mut moves = Vec::new();
    let proof = if task.all_moves {
        settle_every_move(&mut context, root, (alpha, beta), &mut moves)
    } else {
        settle(&mut context, root, (alpha, beta), true)
    };
    let bounds = proof.bounds;
    let answers = |b: Bounds| b.is_exact() || b.lower >= beta || b.upper <= alpha;
    let complete = answers(bounds) && moves.iter().all(|m| answers(m.bounds));
    context.poll();
    let stopped = if complete { None } else { shared.stopped() };
    let mut pv = Vec::new();
    if bounds.is_exact() {
        if complete {
            context.lift_limits();
        }
        principal_variation(&mut context, root, proof, &mut pv);
    } else if proof.best != NO_MOVE {
        pv.push(to_move(proof.best));
    }
    let nodes = {
        context.finish();
        shared.nodes()
    };
    for score in &mut moves {
        score.bounds = clip(score.bounds, (alpha, beta), max);
    }
    Solution {
        bounds: clip(bounds, (alpha, beta), max),
        best: (proof.best != NO_MOVE).then(|| to_move(proof.best)),
        pv,
        moves,
        nodes,
        elapsed: shared.started.elapsed(),
        stopped,
    }
}

fn to_move(square: u8) -> Move {
    Square::new(u32::from(square)).map_or(Move::Pass, Move::Place)
}

/// Bounds outside a window say no more than that the score is outside; a window may itself reach
/// beyond the scores there are.
fn clip(bounds: Bounds, (alpha, beta): (i32, i32), max: i32) -> Bounds {
    if bounds.upper <= alpha {
        Bounds { lower: -max, upper: alpha.min(max) }
    } else if bounds.lower >= beta {
        Bounds { lower: beta.max(-max), upper: max }
    } else {
        bounds
    }
}

/// The legal moves of a position, best guess first; empty when the game is over.
fn ordered_moves<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    spot: Spot<G::Extra>,
) -> Vec<Child<G::Extra>> {
    let kernel = context.kernel;
    let Spot { player, opponent, extra } = spot;
    let options = context.game.options(player, opponent, extra, |p, o| kernel.moves(p, o));
    let mut list = node::children(context, player, opponent, extra, options.places, options.pass);
    let empties = (context.game.squares() & !(player | opponent)).count_ones();
    let key = Key { player, opponent, state: extra.pack() };
    let hints = context.shared.table.probe(key, key.hash()).map_or([NO_MOVE; 2], |f| f.moves);
    order::sort(context, (player, opponent), &mut list, hints, empties);
    list
}

/// Narrows the bounds of a position until they meet or leave the window: repeated null-window
/// searches from a guess on (the MTD(f) scheme of Plaat and others, 1996).
fn settle<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    spot: Spot<G::Extra>,
    (alpha, beta): (i32, i32),
    announce: bool,
) -> Proof {
    let (game, max) = (context.game, context.game.max_score());
    let mut list = ordered_moves(context, spot);
    if list.is_empty() {
        let score = game.final_score(spot.player, spot.opponent);
        return Proof { bounds: Bounds { lower: score, upper: score }, best: NO_MOVE };
    }
    let empties = (game.squares() & !(spot.player | spot.opponent)).count_ones();
    let mut bounds = Bounds { lower: -max, upper: max };
    let mut best = NO_MOVE;
    let mut test = first_test(context, spot, empties);
    while !bounds.is_exact() && bounds.lower < beta && bounds.upper > alpha && !context.aborted {
        // Ask whether the score is at least `test`.
        let lowest = (bounds.lower + 1).max(alpha + 1);
        test = test.min(bounds.upper).min(beta).max(lowest);
        context.nodes += 1;
        let (score, square) = node::search_list(context, &list, empties, test - 1);
        if score >= test && score != NOTHING {
            bounds.lower = score;
            best = square;
            test = score + game.step();
            let place = list.iter().position(|child| child.square == square).unwrap_or(0);
            list[..=place].rotate_right(1);
        } else if !context.aborted {
            bounds.upper = score;
            test = score;
        }
        if announce {
            let best = (best != NO_MOVE).then(|| to_move(best));
            context.shared.announce(bounds, best);
        }
    }
    if best == NO_MOVE && bounds.is_exact() {
        best = list[0].square; // The worst score there is: every move attains it.
    }
    Proof { bounds, best }
}

/// The score to test first, from a look ahead, rounded to a score that occurs.
fn first_test<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    spot: Spot<G::Extra>,
    empties: u32,
) -> i32 {
    let (max, step) = (context.game.max_score(), context.game.step());
    let bound = 2 * max * DISC;
    let depth = (empties / 4).clamp(1, 5);
    let guess = eval::look_ahead(context, spot.player, spot.opponent, depth, -bound, bound) / DISC;
    let guess = guess.clamp(-max + step, max);
    guess - (guess + max).rem_euclid(step)
}

/// Settles every legal move by itself.
fn settle_every_move<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    root: Spot<G::Extra>,
    (alpha, beta): (i32, i32),
    moves: &mut Vec<MoveScore>,
) -> Proof {
    let max = context.game.max_score();
    let list = ordered_moves(context, root);
    if list.is_empty() {
        return settle(context, root, (alpha, beta), true);
    }
    let mut total = Proof { bounds: Bounds { lower: -max, upper: -max }, best: NO_MOVE };
    for child in list {
        let bounds = settle(context, child.into(), (-beta, -alpha), false).bounds.negated();
        moves.push(MoveScore { mv: to_move(child.square), bounds });
        let proved = bounds.lower > -max || bounds.is_exact();
        if proved && (total.best == NO_MOVE || bounds.lower > total.bounds.lower) {
            total.best = child.square;
            total.bounds.lower = bounds.lower;
        }
        total.bounds.upper = total.bounds.upper.max(bounds.upper);
        let best = (total.best != NO_MOVE).then(|| to_move(total.best));
        context.shared.announce(Bounds { lower: total.bounds.lower, upper: max }, best);
    }
    moves.sort_by_key(|m| (-m.bounds.lower, -m.bounds.upper));
    total
}

/// Follows moves that keep the score to the end of the game: from each position the first move,
/// in order, of which a null-window search proves it.
fn principal_variation<G: Game, K: Entry>(
    context: &mut Context<'_, G, K>,
    root: Spot<G::Extra>,
    proof: Proof,
    pv: &mut Vec<Move>,
) {
    let mut spot = root;
    let mut score = proof.bounds.lower;
    let mut known = Some(proof.best);
    loop {
        let list = ordered_moves(context, spot);
        let chosen = list.iter().find(|child| match known {
            Some(square) => child.square == square,
            None => list.len() == 1 || node::descend(context, child, -score) <= -score,
        });
        // The first move is proved already; a limit may end the search for the others.
        let Some(&child) = chosen.filter(|_| known.is_some() || !context.aborted) else { return };
        pv.push(to_move(child.square));
        spot = child.into();
        score = -score;
        known = None;
    }
}

const _: () = assert!(PASS >= 64, "a pass is no square");
