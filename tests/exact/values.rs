//! The solver equals plain minimax: scores, every move, best move, principal variation.

use crate::support::{
    Minimax, Random, check, check_variation, exactly, game, levels, played, registered, run,
    scattered, solver, task, trials, with_full_hands, with_idle_supply,
};
use obverse::board::reference::Game;
use obverse::board::{Bitboard, Color, GameSpec, Position};
use obverse::search::{Solver, Task};

/// Solvers of a game on every level, with tables from one line to plenty.
fn solvers(game: &GameSpec) -> Vec<Solver> {
    let sizes = [1, 1 << 16].into_iter();
    sizes
        .flat_map(|bytes| levels().into_iter().map(move |level| (level, bytes)))
        .map(|(level, bytes)| solver(game, level, 1, bytes))
        .collect()
}

/// Asks every solver about a position; `false` when plain minimax does not reach.
fn agree(game: &GameSpec, solvers: &mut [Solver], position: Position, budget: usize) -> bool {
    let Some(truth) = Minimax::new(game, budget).truth(&position) else { return false };
    for solver in solvers {
        for all_moves in [false, true] {
            let task = Task { all_moves, ..task(position) };
            check(game, &task, &run(solver, &task), &truth);
        }
    }
    true
}

#[test]
fn late_positions_of_random_games() {
    let mut random = Random::seeded(11);
    for game in registered() {
        let mut solvers = solvers(&game);
        for i in 0..trials(300) {
            let position = played(&game, &mut random, i % 9);
            assert!(agree(&game, &mut solvers, position, usize::MAX));
        }
    }
}

#[test]
fn random_discs_with_few_empties() {
    let mut random = Random::seeded(12);
    for game in registered() {
        let mut solvers = solvers(&game);
        for i in 0..trials(500) {
            let position = scattered(&game, &mut random, i % 8);
            assert!(agree(&game, &mut solvers, position, usize::MAX));
        }
    }
}

/// Few discs, many empties: kept where the whole tree is small, as on small boards and on large
/// ones where one side has hardly anything.
#[test]
fn lopsided_boards_and_boards_with_few_discs() {
    let mut random = Random::seeded(13);
    let mut reached = 0;
    for game in registered() {
        let mut solvers = solvers(&game);
        for _ in 0..trials(100) {
            let share = 1 + random.below(6);
            let empties = game.max_score() as u32 * share as u32 / 7;
            let mut position = scattered(&game, &mut random, empties);
            // Half of them: all discs but one or two are the opponent's, or the mover's.
            if random.below(2) == 0 {
                let discs = position.player | position.opponent;
                let few: Bitboard =
                    (0..1 + random.below(2)).map(|_| random.square(discs)).collect();
                let (few, many) = (few, discs - few);
                (position.player, position.opponent) =
                    if random.below(2) == 0 { (few, many) } else { (many, few) };
            }
            reached += usize::from(agree(&game, &mut solvers, position, 4000));
        }
    }
    assert!(reached > 1000, "{reached} positions were small enough");
}

#[test]
fn full_boards_and_boards_of_one_colour() {
    let mut random = Random::seeded(14);
    for game in registered() {
        let mut solvers = solvers(&game);
        let mut positions: Vec<Position> =
            (0..10).map(|_| scattered(&game, &mut random, 0)).collect();
        for empties in [0, 1, 2, 3, 4, 5, 7, 9, 13, 20] {
            let mixed = scattered(&game, &mut random, empties);
            let all = mixed.player | mixed.opponent;
            positions.push(Position { player: all, opponent: Bitboard::EMPTY, ..mixed });
            positions.push(Position { player: Bitboard::EMPTY, opponent: all, ..mixed });
        }
        for position in positions {
            assert!(agree(&game, &mut solvers, position, 100_000), "{game}");
        }
    }
}

/// The tests above trust the bitboard rules; these few go by the mailbox alone.
#[test]
fn the_mailbox_says_the_same() {
    let mut random = Random::seeded(15);
    for game in registered() {
        let mut solvers = solvers(&game);
        for i in 0..trials(60) {
            let position = if i % 2 == 0 {
                played(&game, &mut random, 1 + i % 5)
            } else {
                scattered(&game, &mut random, 1 + i % 5)
            };
            let value = Game::from_position(&game, &position, Color::White).minimax();
            for solver in &mut solvers {
                let solution = run(solver, &task(position));
                assert_eq!(solution.bounds, exactly(value), "{game} {position:?}");
            }
        }
    }
}

/// Deeper than minimax reaches: two roads through the search that share no shortcut. A supply
/// that never runs out makes the game one with state beyond the discs, searched by the general
/// node alone, without the special code for the last squares.
#[test]
fn plain_games_and_their_general_form_agree() {
    let mut random = Random::seeded(16);
    for name in [
        "8x8",
        "8x8+discs",
        "8x8+anti",
        "8x8+stuck-ends",
        "8x8+hole=c3+hole=f3+hole=b6",
        "6x6",
        "6x6+anti+discs",
        "7x7",
        "5x5+anti+stuck-ends+discs",
        "6x6+anti+hole=b2+hole=e1",
    ] {
        let game = game(name);
        let general = with_idle_supply(&game);
        for level in levels() {
            let mut fast = solver(&game, level, 1, 1 << 20);
            let mut slow = solver(&general, level, 1, 1 << 22);
            for i in 0..trials(12) {
                let position = if i % 3 == 0 {
                    scattered(&game, &mut random, 8 + i % 6)
                } else {
                    played(&game, &mut random, 8 + i % 7)
                };
                let fast = run(&mut fast, &Task { all_moves: i % 2 == 0, ..task(position) });
                let slow = run(&mut slow, &task(with_full_hands(&position)));
                assert_eq!(fast.bounds, slow.bounds, "{game} {position:?}");
                check_variation(&game, &position, &fast);
            }
        }
    }
}
