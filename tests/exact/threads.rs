//! Several threads, more than the machine has too: the same scores as one.

use crate::goldens::file;
use crate::support::{Random, check_variation, exactly, game, levels, played, run, solver, task};
use obverse::board::{GameSpec, Position};
use obverse::kernel::Level;
use obverse::search::Task;

/// Threads, and bytes of the table: in a tiny one the threads overwrite each other's entries all
/// the time.
const CREWS: [(usize, u64); 3] = [(2, 16 << 20), (4, 256), (8, 1 << 20)];

fn agree(game: &GameSpec, positions: &[Position], all_moves: bool) {
    let tasks = positions.iter().map(|&position| Task { all_moves, ..task(position) });
    let tasks: Vec<_> = tasks.collect();
    let mut alone = solver(game, Level::detect(), 1, 16 << 20);
    let expected: Vec<_> = tasks.iter().map(|task| run(&mut alone, task)).collect();
    for (threads, bytes) in CREWS {
        let mut together = solver(game, Level::detect(), threads, bytes);
        for (task, expected) in tasks.iter().zip(&expected) {
            let found = run(&mut together, task);
            let context = format!("{game} {threads} threads {:?}", task.position);
            assert_eq!(found.bounds, expected.bounds, "{context}");
            for m in &expected.moves {
                let score = found.moves.iter().find(|other| other.mv == m.mv).map(|m| m.bounds);
                assert_eq!(score, Some(m.bounds), "{} {context}", m.mv);
            }
            check_variation(game, &task.position, &found);
        }
    }
}

#[test]
fn published_positions() {
    let game = game("8x8");
    let entries = file(&game, "random/e18.txt");
    let positions: Vec<_> = entries.iter().take(5).map(|entry| entry.position).collect();
    agree(&game, &positions, false);
    let entries = file(&game, "random/e17.txt");
    let positions: Vec<_> = entries.iter().take(2).map(|entry| entry.position).collect();
    agree(&game, &positions, true);
}

#[test]
fn other_games() {
    let mut random = Random::seeded(41);
    for name in
        ["6x6", "8x8+anti", "8x8+discs", "8x8+stuck-ends", "8x8+hole=c3+hole=f3+hole=b6", "7x7"]
    {
        let game = game(name);
        agree(&game, &[played(&game, &mut random, 17)], false);
    }
    // State beyond the discs: searched with the shared table alone.
    for name in ["5x4+free+anti", "4x5+anti+supply=9", "5x4+optional-pass+discs"] {
        let game = game(name);
        agree(&game, &[Position::start(&game)], false);
    }
}

#[test]
fn whole_boards_on_every_level() {
    for (name, value) in [("4x6", 16), ("5x5", 13), ("4x6+parallel-top+discs", 18)] {
        let game = game(name);
        for level in levels() {
            for (threads, bytes) in CREWS {
                let found =
                    run(&mut solver(&game, level, threads, bytes), &task(Position::start(&game)));
                assert_eq!(found.bounds, exactly(value), "{name} {level} {threads}");
            }
        }
    }
}
