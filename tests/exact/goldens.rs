//! Published positions with their scores: the quick part of `docs/verification.md`.

use crate::support::{check_variation, exactly, game, levels, run, solver, task};
use obverse::board::{Color, GameSpec, Setup};
use obverse::notation::{self, Entry, Format, Location};
use obverse::search::Task;
use std::fs;
use std::path::PathBuf;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/positions").join(name)
}

/// The entries of a file under `data/positions`.
pub fn file(game: &GameSpec, name: &str) -> Vec<Entry> {
    let text = fs::read(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let entries = notation::read(&text[..], name, game, &Setup::start(game), Format::Lines);
    let entries: Result<Vec<_>, _> = entries.collect();
    let entries = entries.unwrap_or_else(|error| panic!("{error}"));
    assert!(!entries.is_empty(), "{name} has no position");
    entries
}

/// The score of the position that an entry states.
fn stated(entry: &Entry) -> i32 {
    let best = entry.move_scores.iter().map(|(_, score)| *score).max();
    entry.score.or(best).unwrap_or_else(|| panic!("{}: no score", entry.location))
}

/// The first `count` positions of a file, on every level: score and variation.
fn scores(game: &GameSpec, entries: &[Entry], count: usize) {
    for level in levels() {
        let mut solver = solver(game, level, 1, 16 << 20);
        for entry in entries.iter().take(count) {
            let solution = run(&mut solver, &task(entry.position));
            let place = &entry.location;
            assert_eq!(solution.bounds, exactly(stated(entry)), "{place} {level} {solution:?}");
            check_variation(game, &entry.position, &solution);
        }
    }
}

/// Every move of the first `count` positions of a file.
fn all_moves(game: &GameSpec, name: &str, count: usize) {
    let mut solver = solver(game, obverse::kernel::Level::detect(), 1, 64 << 20);
    for entry in file(game, name).iter().take(count) {
        let solution = run(&mut solver, &Task { all_moves: true, ..task(entry.position) });
        let place = &entry.location;
        assert_eq!(solution.bounds, exactly(stated(entry)), "{place}");
        assert_eq!(solution.moves.len(), entry.move_scores.len(), "{place}: all moves are scored");
        for (mv, score) in &entry.move_scores {
            let found = solution.moves.iter().find(|m| m.mv == *mv).map(|m| m.bounds);
            assert_eq!(found, Some(exactly(*score)), "{place} {mv}");
        }
        check_variation(game, &entry.position, &solution);
    }
}

#[test]
fn random_game_positions() {
    let game = game("8x8");
    for empties in 0..=14 {
        let count = [200, 100, 40, 25][(empties / 4) as usize];
        let name = format!("random/e{empties:02}.txt");
        scores(&game, &file(&game, &name), count);
    }
}

#[test]
fn unit_and_stress_positions() {
    let game = game("8x8");
    scores(&game, &file(&game, "units.txt"), usize::MAX);
    scores(&game, &file(&game, "stress-10.txt"), 150);
}

#[test]
fn plain_disc_difference() {
    let game = game("8x8+discs");
    scores(&game, &file(&game, "plain-6.txt"), usize::MAX);
    scores(&game, &file(&game, "plain-12.txt"), usize::MAX);
}

#[test]
fn odd_positions_by_both_score_rules() {
    let text = fs::read_to_string(path("edge.tsv")).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('%')).skip(1);
    let mut compared = 0;
    for row in rows {
        let fields: Vec<&str> = row.split('\t').collect();
        for (name, score) in [("8x8", fields[2]), ("8x8+discs", fields[3])] {
            if score == "?" {
                continue;
            }
            let game = game(name);
            let location = Location { source: fields[0].to_owned(), line: None };
            let base = Setup::start(&game);
            let mut entry = notation::parse_entry(fields[1], location, &game, &base).unwrap();
            assert_eq!(entry.score, None);
            entry.score = Some(score.parse().unwrap());
            scores(&game, &[entry], 1);
            compared += 1;
        }
    }
    assert!(compared == 28, "{compared} scores compared");
}

#[test]
fn ffo_every_move() {
    let game = game("8x8");
    all_moves(&game, "ffo-1-19.obf", usize::MAX);
    all_moves(&game, "ffo-20-39.obf", 6);
}

#[test]
fn ffo_40_to_44() {
    let game = game("8x8");
    let mut solver = solver(&game, obverse::kernel::Level::detect(), 1, 64 << 20);
    for entry in file(&game, "ffo-40-44.obf").iter().take(3) {
        let solution = run(&mut solver, &task(entry.position));
        assert_eq!(solution.bounds, exactly(stated(entry)), "{}", entry.location);
        check_variation(&game, &entry.position, &solution);
    }
}

/// The score is the mover's, whoever that is: the same discs with the colours exchanged.
#[test]
fn colours_do_not_matter() {
    let game = game("8x8");
    for entry in file(&game, "random/e08.txt").iter().take(20) {
        let Setup { black, white, side, supply } = entry.setup;
        assert_eq!(side, Color::Black);
        let exchanged = Setup { black: white, white: black, side: Color::White, supply };
        assert_eq!(exchanged.position(&game), Ok(entry.position));
    }
}
