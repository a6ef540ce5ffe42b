//! Plain minimax, replaced by the real search while the edges are being built.

use super::{Bounds, MoveScore, Solution, Task};
use crate::board::{GameSpec, Move, Position};
use std::time::Instant;

fn value(game: &GameSpec, position: &Position, nodes: &mut u64) -> (i32, Vec<Move>) {
    *nodes += 1;
    let mut best: Option<(i32, Vec<Move>)> = None;
    for mv in position.moves(game) {
        let child = position.play(game, mv).expect("listed moves are legal");
        let (score, mut line) = value(game, &child, nodes);
        if best.as_ref().is_none_or(|(b, _)| -score > *b) {
            line.insert(0, mv);
            best = Some((-score, line));
        }
    }
    best.unwrap_or_else(|| (position.final_score(game), Vec::new()))
}

pub(super) fn solve(game: &GameSpec, task: &Task) -> Solution {
    let start = Instant::now();
    let mut nodes = 0;
    let (score, pv) = value(game, &task.position, &mut nodes);
    let (lower, upper) = task.window.map_or((score, score), |(alpha, beta)| {
        let max = game.max_score();
        if score <= alpha {
            (-max, alpha)
        } else if score >= beta {
            (beta, max)
        } else {
            (score, score)
        }
    });
    let mut moves = Vec::new();
    if task.all_moves {
        for mv in task.position.moves(game) {
            let child = task.position.play(game, mv).expect("listed moves are legal");
            let score = -value(game, &child, &mut nodes).0;
            moves.push(MoveScore { mv, bounds: Bounds { lower: score, upper: score } });
        }
        moves.sort_by_key(|m| -m.bounds.lower);
    }
    Solution {
        bounds: Bounds { lower, upper },
        best: pv.first().copied(),
        pv,
        moves,
        nodes,
        elapsed: start.elapsed(),
        stopped: None,
    }
}
