//! Every kernel level against the mailbox rules: the same suite for each, over all games.

use crate::support::{Random, game, levels, played, registered, scattered, trials};
use obverse::board::reference::Game;
use obverse::board::{Bitboard, Color, GameSpec, Position, Square, Start};
use obverse::kernel::{Kernel, Level};
use obverse::with_kernel;

/// What the mailbox rules say of a position, the free opening and supplies left aside: kernels
/// know of neither.
struct Expected {
    /// Discs turned on each empty square.
    flips: Vec<(Square, u64)>,
    /// Empty squares where something is turned.
    moves: u64,
}

fn expected(game: &GameSpec, position: &Position) -> Expected {
    // Only the board matters here, and a start with discs has no free phase.
    let board = game.with_start(Start::Cross);
    let reference = Game::from_position(&board, position, Color::Black);
    let turned = |square| reference.flips(square).into_iter().collect::<Bitboard>().bits();
    let empties = position.empties(game).into_iter();
    let flips: Vec<_> = empties.map(|square| (square, turned(square))).collect();
    let places = flips.iter().filter(|(_, turned)| *turned != 0);
    Expected { moves: places.map(|(square, _)| square.bit()).sum(), flips }
}

fn agree(level: Level, game: &GameSpec, position: &Position, expected: &Expected) {
    let (player, opponent) = (position.player.bits(), position.opponent.bits());
    let squares = game.squares().bits();
    with_kernel!(level, |kernel| {
        for &(square, turned) in &expected.flips {
            let found = kernel.flip(square.index(), player, opponent);
            assert_eq!(found, turned, "{level} {game} {square} {position:?}");
        }
        let found = kernel.moves(player, opponent);
        assert_eq!(found & squares, expected.moves, "{level} {game} {position:?}");
        assert_eq!(found & (player | opponent), 0, "{level} {game} {position:?}");
        if let [(square, turned)] = expected.flips[..]
            && game.holes().is_empty()
        {
            let found = kernel.last_flip(square.index(), player);
            assert_eq!(found, turned.count_ones(), "{level} {game} {square} {position:?}");
        }
    });
}

/// One position, on all levels, from both sides.
fn compare(levels: &[Level], game: &GameSpec, position: &Position) {
    let turned = Position { player: position.opponent, opponent: position.player, ..*position };
    for position in [position, &turned] {
        let expected = expected(game, position);
        levels.iter().for_each(|&level| agree(level, game, position, &expected));
    }
}

#[test]
fn random_discs_of_every_game() {
    let (levels, mut random) = (levels(), Random::seeded(1));
    for game in registered() {
        let squares = game.max_score() as usize;
        for _ in 0..trials(1500) {
            let empties = random.below(squares + 1) as u32;
            compare(&levels, &game, &scattered(&game, &mut random, empties));
        }
    }
}

#[test]
fn positions_of_random_games() {
    let (levels, mut random) = (levels(), Random::seeded(2));
    for game in registered() {
        let squares = game.max_score() as usize;
        for _ in 0..trials(600) {
            let empties = random.below(squares + 1) as u32;
            compare(&levels, &game, &played(&game, &mut random, empties));
        }
    }
}

/// The squares of a board on the four lines through a square, that one left out.
fn lines(game: &GameSpec, square: Square) -> [Vec<Square>; 4] {
    [(1, 0), (0, 1), (1, 1), (1, -1)].map(|(dx, dy)| {
        let (x, y) = (square.column() as i32, square.row() as i32);
        let steps = (-7..8).filter(|&step| step != 0);
        let places = steps.map(|step| (x + step * dx, y + step * dy));
        let inside = places.filter(|&(x, y)| (0..8).contains(&x) && (0..8).contains(&y));
        let squares = inside.map(|(x, y)| Square::at(x as u32, y as u32));
        squares.filter(|&square| game.squares().contains(square)).collect()
    })
}

#[test]
fn every_filling_of_every_line() {
    let (levels, mut random) = (levels(), Random::seeded(3));
    for name in ["8x8", "6x6", "5x7", "7x3", "8x8+hole=c3+hole=f3+hole=b6"] {
        let game = game(name);
        for square in game.squares() {
            for line in lines(&game, square) {
                for filling in 0..1_u32 << line.len() {
                    let own = |i: usize| filling >> i & 1 != 0;
                    let on_line = (0..line.len()).filter(|&i| own(i)).map(|i| line[i]);
                    let line_set: Bitboard = line.iter().copied().collect();
                    let rest = game.squares() - line_set - square.into();
                    let player = on_line.collect::<Bitboard>() | rest & random_set(&mut random);
                    let opponent = game.squares() - player - square.into();
                    let position = Position { player, opponent, extra: Default::default() };
                    compare(&levels, &game, &position);
                }
            }
        }
    }
}

fn random_set(random: &mut Random) -> Bitboard {
    Bitboard::new(random.next())
}

#[test]
fn the_last_square_of_every_rectangle() {
    let (levels, mut random) = (levels(), Random::seeded(4));
    for (width, height) in (3..=8).flat_map(|width| (3..=8).map(move |height| (width, height))) {
        let game = GameSpec::new(width, height).unwrap();
        for _ in 0..trials(1000) {
            compare(&levels, &game, &scattered(&game, &mut random, 1));
        }
    }
}

#[test]
fn one_level_at_least_is_never_skipped() {
    assert!(levels().contains(&Level::Portable));
    assert!(levels().contains(&Level::detect()));
}
