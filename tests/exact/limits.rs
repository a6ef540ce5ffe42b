//! Limits and interruptions: what is reported then is proved, and never more than that.

use crate::goldens::file;
use crate::support::{
    HASH, Random, game, plain_solver, played, registered, run, solver, task, trials,
};
use obverse::board::{GameSpec, Position};
use obverse::kernel::Level;
use obverse::search::{Bounds, Cancel, Observer, Progress, Solution, StopReason, Task};
use std::sync::Mutex;
use std::time::Duration;

fn contains(bounds: Bounds, score: i32) -> bool {
    bounds.lower <= score && score <= bounds.upper
}

/// An answer that may be incomplete, against the full one.
fn check_partial(game: &GameSpec, task: &Task, partial: &Solution, full: &Solution) {
    let context = || format!("{game} {task:?}\n{partial:?}\n{full:?}");
    let score = full.bounds.lower;
    assert!(contains(partial.bounds, score), "{}", context());
    let find = |mv| full.moves.iter().find(|m| m.mv == mv).map(|m| m.bounds.lower);
    for found in &partial.moves {
        assert!(find(found.mv).is_some_and(|score| contains(found.bounds, score)), "{}", context());
    }
    if let Some(best) = partial.best {
        assert!(find(best).is_some_and(|score| score >= partial.bounds.lower), "{}", context());
    }
    let max = game.max_score();
    assert!(partial.best.is_some() || partial.bounds.lower == -max, "{}", context());
    let exact = partial.bounds.is_exact() && partial.moves.iter().all(|m| m.bounds.is_exact());
    assert_eq!(partial.stopped.is_none(), exact, "{}", context());
    let mut line = task.position;
    for &mv in &partial.pv {
        line = line.play(game, mv).unwrap_or_else(|| panic!("{mv} {}", context()));
    }
    assert_eq!(partial.best, partial.pv.first().copied(), "{}", context());
}

fn node_limits(game: &GameSpec, position: Position, threads: usize) {
    let everything = Task { all_moves: true, ..task(position) };
    let full = run(&mut solver(game, Level::detect(), threads, HASH), &everything);
    let mut limited = solver(game, Level::detect(), threads, HASH);
    let mut node_limit = 1;
    while node_limit < full.nodes {
        for all_moves in [false, true] {
            let task = Task { all_moves, node_limit: Some(node_limit), ..task(position) };
            check_partial(game, &task, &run(&mut limited, &task), &full);
        }
        node_limit = 2 * node_limit + 1;
    }
}

#[test]
fn any_number_of_nodes_leaves_proved_bounds() {
    let mut random = Random::seeded(61);
    for game in registered() {
        let empties = if game.has_extra_state() { 7 } else { 13 };
        for _ in 0..trials(2) {
            let position = played(&game, &mut random, empties);
            if !position.is_over(&game) {
                node_limits(&game, position, 1);
            }
        }
    }
    let standard = game("8x8");
    let position = file(&standard, "random/e17.txt")[0].position;
    node_limits(&standard, position, 1);
    node_limits(&standard, position, 4);
}

#[test]
fn the_clock_ends_a_search() {
    let game = game("8x8");
    for entry in file(&game, "hard-30-first100.obf").iter().take(3) {
        for threads in [1, 3] {
            let time_limit = Some(Duration::from_millis(60));
            let task = Task { time_limit, ..task(entry.position) };
            let solution = run(&mut solver(&game, Level::detect(), threads, HASH), &task);
            let best = entry.move_scores.iter().map(|(_, score)| *score).max().unwrap();
            assert!(contains(solution.bounds, best), "{solution:?}");
            assert_eq!(solution.stopped, Some(StopReason::Time), "{solution:?}");
        }
    }
}

/// Cancels after a few reports, and keeps what it heard.
struct Interrupter {
    cancel: Cancel,
    after: usize,
    heard: Mutex<Vec<Progress>>,
}

impl Observer for Interrupter {
    fn progress(&self, progress: &Progress) {
        let mut heard = self.heard.lock().unwrap();
        heard.push(*progress);
        if heard.len() >= self.after {
            self.cancel.cancel();
        }
    }
}

#[test]
fn an_observer_is_told_and_may_cancel() {
    let game = game("8x8");
    let entry = &file(&game, "hard-30-first100.obf")[0];
    let best = entry.move_scores.iter().map(|(_, score)| *score).max().unwrap();
    for (threads, all_moves) in [(1, false), (1, true), (3, false)] {
        let cancel = Cancel::default();
        let observer =
            Interrupter { cancel: cancel.clone(), after: 2, heard: Mutex::new(Vec::new()) };
        let mut solver = solver(&game, Level::detect(), threads, HASH);
        let task = Task { all_moves, ..task(entry.position) };
        let solution = solver.solve(&task, &cancel, &observer);
        assert_eq!(solution.stopped, Some(StopReason::Signal));
        assert!(contains(solution.bounds, best), "{solution:?}");
        let heard = observer.heard.into_inner().unwrap();
        assert!(heard.len() >= 2);
        assert!(heard.iter().all(|progress| contains(progress.bounds, best)), "{heard:?}");
        assert!(heard.is_sorted_by_key(|progress| progress.nodes) || threads > 1);
        // The solver is as good as new afterwards.
        let easy = &file(&game, "random/e10.txt")[0];
        let after = run(&mut solver, &self::task(easy.position));
        assert_eq!(Some(after.bounds.lower), easy.score);
    }
}

#[test]
fn a_search_cancelled_before_it_begins_still_ends() {
    let game = game("8x8");
    let cancel = Cancel::default();
    cancel.cancel();
    let solution = plain_solver(&game).solve(&task(Position::start(&game)), &cancel, &());
    assert_eq!(solution.stopped, Some(StopReason::Signal));
    assert!(contains(solution.bounds, 0));
    // What is over needs no search.
    let over = &file(&game, "random/e00.txt")[0];
    let solution = plain_solver(&game).solve(&task(over.position), &cancel, &());
    assert_eq!(Some(solution.bounds.lower), over.score);
}

/// The depth of the recursion is that of the game; its frames must stay small.
#[test]
fn a_deep_search_fits_a_small_stack() {
    let deep = |game: GameSpec| {
        let task = Task { node_limit: Some(200_000), ..task(Position::start(&game)) };
        run(&mut plain_solver(&game), &task).stopped
    };
    for name in ["8x8", "8x8+anti", "8x8+free+optional-pass+supply=32"] {
        let game = game(name);
        let thread = std::thread::Builder::new().stack_size(256 << 10);
        let stopped = thread.spawn(move || deep(game)).unwrap().join().unwrap();
        assert_eq!(stopped, Some(StopReason::Nodes), "{name}");
    }
}
