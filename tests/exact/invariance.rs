//! The answer depends on the position alone: not on symmetry, kernel, table size, or history.

use crate::support::{
    HASH, Random, check_variation, game, levels, plain_solver, played, registered, run, scattered,
    solver, task, trials,
};
use obverse::board::{GameSpec, Move, Position, Symmetries};
use obverse::kernel::Level;
use obverse::search::{Bounds, Cancel, Solution, Task};

/// Positions of a game that take some search, but not long.
fn samples(game: &GameSpec, random: &mut Random, count: u32, empties: u32) -> Vec<Position> {
    let one = |i: u32| {
        let empties = empties - i % 4;
        if i % 3 == 2 {
            scattered(game, random, empties - 3)
        } else {
            played(game, random, empties)
        }
    };
    (0..count).map(one).collect()
}

/// The empties that a test of this kind can afford: state beyond the discs costs more.
fn depth(game: &GameSpec) -> u32 {
    if game.has_extra_state() { 8 } else { 11 }
}

/// The scores of an answer's moves, in the order of the moves.
fn scores(solution: &Solution) -> Vec<(Move, Bounds)> {
    let mut scores: Vec<_> = solution.moves.iter().map(|m| (m.mv, m.bounds)).collect();
    scores.sort_by_key(|(mv, _)| *mv);
    scores
}

#[test]
fn all_images_have_one_score() {
    let mut random = Random::seeded(31);
    for game in registered() {
        let symmetries = Symmetries::of(&game);
        let mut solver = plain_solver(&game);
        for position in samples(&game, &mut random, trials(50), depth(&game)) {
            let score = run(&mut solver, &task(position)).bounds;
            for &map in symmetries.maps() {
                let image = symmetries.apply_position(map, &position);
                let solution = run(&mut solver, &task(image));
                assert_eq!(solution.bounds, score, "{game} {position:?} {map:?}");
                check_variation(&game, &image, &solution);
            }
        }
    }
}

#[test]
fn levels_have_equal_scores_and_equal_nodes() {
    let mut random = Random::seeded(32);
    for game in registered() {
        for position in samples(&game, &mut random, trials(50), depth(&game)) {
            let all_moves = random.below(3) == 0;
            let task = Task { all_moves, ..task(position) };
            let answers = levels().into_iter().map(|level| {
                let solution = run(&mut solver(&game, level, 1, HASH), &task);
                (solution.bounds, scores(&solution), solution.pv, solution.nodes)
            });
            let answers: Vec<_> = answers.collect();
            assert!(answers.iter().all(|a| *a == answers[0]), "{game} {position:?} {answers:?}");
        }
    }
}

#[test]
fn tables_of_any_size_have_one_score() {
    let mut random = Random::seeded(33);
    let sizes = [1, 63, 64, 65, 127, 128, 1000, 1 << 10, 12_345, 99_999, 1 << 20, 256 << 20];
    for game in registered() {
        let positions = samples(&game, &mut random, 4, depth(&game) + 2);
        let mut expected = Vec::new();
        for bytes in sizes {
            let mut solver = solver(&game, Level::detect(), 1, bytes);
            let answers: Vec<_> = positions
                .iter()
                .map(|&position| {
                    let solution = run(&mut solver, &Task { all_moves: true, ..task(position) });
                    check_variation(&game, &position, &solution);
                    (solution.bounds, scores(&solution))
                })
                .collect();
            if expected.is_empty() {
                expected = answers;
            } else {
                assert_eq!(answers, expected, "{game} {bytes} bytes");
            }
        }
    }
}

/// One solver asked many questions in changing order and form, with a cold and a warm table, and
/// interrupted in between: the scores stay, and cold single-thread nodes stay too.
#[test]
fn history_changes_nothing() {
    let mut random = Random::seeded(34);
    for game in registered() {
        let positions = samples(&game, &mut random, 8, depth(&game));
        let fresh: Vec<_> = positions
            .iter()
            .map(|&position| {
                let solution = run(&mut plain_solver(&game), &task(position));
                (solution.bounds, solution.nodes)
            })
            .collect();
        let mut solver = plain_solver(&game);
        for _ in 0..trials(200) {
            let i = random.below(positions.len());
            let (position, (score, nodes)) = (positions[i], fresh[i]);
            match random.below(5) {
                0 => {
                    let solution = run(&mut solver, &task(position));
                    assert_eq!((solution.bounds, solution.nodes), (score, nodes), "{game}");
                }
                1 => {
                    let task = Task { all_moves: true, ..task(position) };
                    let solution = solver.solve_warm(&task, &Cancel::default(), &());
                    assert_eq!(solution.bounds, score, "{game} {position:?}");
                    check_variation(&game, &position, &solution);
                }
                2 => {
                    let solution = solver.solve_warm(&task(position), &Cancel::default(), &());
                    assert_eq!(solution.bounds, score, "{game} {position:?}");
                    check_variation(&game, &position, &solution);
                }
                3 => {
                    let alpha = random.below(2 * game.max_score() as usize) as i32;
                    let alpha = alpha - game.max_score();
                    let window = Some((alpha, alpha + 1));
                    let task = Task { window, ..task(position) };
                    let found = solver.solve_warm(&task, &Cancel::default(), &()).bounds;
                    assert!(found.lower <= score.lower && score.upper <= found.upper, "{game}");
                }
                _ => {
                    let node_limit = Some(1 + random.next() % 2000);
                    let task = Task { node_limit, ..task(position) };
                    let found = solver.solve_warm(&task, &Cancel::default(), &()).bounds;
                    assert!(found.lower <= score.lower && score.upper <= found.upper, "{game}");
                }
            }
        }
    }
}

#[test]
fn a_warm_table_spares_nodes() {
    let game = game("8x8");
    let mut random = Random::seeded(35);
    let mut solver = plain_solver(&game);
    let position = played(&game, &mut random, 16);
    let cold = run(&mut solver, &task(position));
    let warm = solver.solve_warm(&task(position), &Cancel::default(), &());
    assert_eq!(warm.bounds, cold.bounds);
    assert!(warm.nodes < cold.nodes, "{} against {}", warm.nodes, cold.nodes);
}
