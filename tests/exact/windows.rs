//! Windows: exact inside, clipped outside, whatever the window.

use crate::support::{
    Minimax, Random, Truth, plain_solver, played, registered, run, scattered, task, trials,
};
use obverse::board::{GameSpec, Position};
use obverse::search::{Bounds, Solver, Task};

/// What a window leaves of a score.
fn seen_through(score: i32, (alpha, beta): (i32, i32), max: i32) -> Bounds {
    if score <= alpha {
        Bounds { lower: -max, upper: alpha.min(max) }
    } else if score >= beta {
        Bounds { lower: beta.max(-max), upper: max }
    } else {
        Bounds { lower: score, upper: score }
    }
}

fn agree(
    game: &GameSpec,
    solver: &mut Solver,
    position: Position,
    truth: &Truth,
    window: (i32, i32),
) {
    let max = game.max_score();
    for all_moves in [false, true] {
        let task = Task { window: Some(window), all_moves, ..task(position) };
        let solution = run(solver, &task);
        let context = || format!("{game} {position:?} {window:?} {truth:?}\n{solution:?}");
        assert_eq!(solution.bounds, seen_through(truth.value, window, max), "{}", context());
        assert_eq!(solution.stopped, None, "{}", context());
        for found in &solution.moves {
            let score = truth.moves.iter().find(|(mv, _)| *mv == found.mv).unwrap().1;
            assert_eq!(found.bounds, seen_through(score, window, max), "{}", context());
        }
        assert_eq!(solution.moves.len(), if all_moves { truth.moves.len() } else { 0 });
        // The best move attains the lower bound; there is one wherever a lower bound is proved.
        if let Some(best) = solution.best {
            let score = truth.moves.iter().find(|(mv, _)| *mv == best).unwrap().1;
            assert!(score >= solution.bounds.lower, "{}", context());
        }
        let proved = solution.bounds.lower > -max && !truth.moves.is_empty();
        assert!(!proved || solution.best.is_some(), "{}", context());
        // A variation is a line of legal moves from the best one on.
        let mut line = position;
        for &mv in &solution.pv {
            line = line.play(game, mv).unwrap_or_else(|| panic!("{mv} {}", context()));
        }
        assert_eq!(solution.best, solution.pv.first().copied(), "{}", context());
    }
}

#[test]
fn every_window_of_a_few_positions() {
    let mut random = Random::seeded(21);
    for game in registered() {
        let mut solver = plain_solver(&game);
        let max = game.max_score();
        let position = played(&game, &mut random, 4);
        let truth = Minimax::new(&game, usize::MAX).truth(&position).unwrap();
        for alpha in -max - 2..=max + 1 {
            for beta in alpha + 1..=max + 2 {
                agree(&game, &mut solver, position, &truth, (alpha, beta));
            }
        }
    }
}

#[test]
fn windows_around_the_score_of_many_positions() {
    let mut random = Random::seeded(22);
    for game in registered() {
        let mut solver = plain_solver(&game);
        for i in 0..trials(60) {
            let position = if i % 4 == 0 {
                scattered(&game, &mut random, 6)
            } else {
                played(&game, &mut random, 1 + i % 8)
            };
            let truth = Minimax::new(&game, usize::MAX).truth(&position).unwrap();
            for alpha in truth.value - 4..truth.value + 4 {
                for width in [1, 2, 3, 5] {
                    agree(&game, &mut solver, position, &truth, (alpha, alpha + width));
                }
            }
        }
    }
}
