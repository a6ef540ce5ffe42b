//! Each proved bound against the truth: stable discs stay, and no score lies above a bound.

use crate::support::{Minimax, Random, game, played, registered, scattered, trials};
use obverse::board::flip::{flip, moves};
use obverse::board::{Bitboard, GameSpec, Position};
use obverse::search::bounds::{stable, upper_bound};

/// Positions of every kind, from nearly empty boards to full ones.
fn samples(game: &GameSpec, random: &mut Random, count: u32) -> Vec<Position> {
    let squares = game.max_score() as usize;
    let one = |i: u32| {
        let empties = random.below(squares.min(24) + 1) as u32;
        if i.is_multiple_of(2) {
            scattered(game, random, empties)
        } else {
            played(game, random, empties)
        }
    };
    (0..count).map(one).collect()
}

/// Both sides place discs wherever they turn something, in any order: more than any pass rule,
/// supply or opening allows. No disc that was called stable may be turned.
fn play_on(game: &GameSpec, random: &mut Random, position: &Position, safe: [u64; 2]) {
    let squares = game.squares().bits();
    let mut sides = [position.player.bits(), position.opponent.bits()];
    loop {
        let first = random.below(2);
        let placing = [first, 1 - first].into_iter().find_map(|mover| {
            let (own, other) = (sides[mover], sides[1 - mover]);
            let set = Bitboard::new(moves(own, other) & squares);
            (!set.is_empty()).then_some((mover, set))
        });
        let Some((mover, set)) = placing else { return };
        let square = random.square(set);
        let turned = flip(square.index(), sides[mover], sides[1 - mover]);
        let lost = turned & (safe[0] | safe[1]);
        assert_eq!(lost, 0, "{game} {square} turns stable discs after {position:?}");
        sides[mover] |= turned | square.bit();
        sides[1 - mover] &= !turned;
    }
}

#[test]
fn stable_discs_are_never_turned() {
    let mut random = Random::seeded(51);
    for game in registered() {
        let squares = game.squares().bits();
        let mut found = 0;
        for position in samples(&game, &mut random, trials(3000)) {
            let (player, opponent) = (position.player.bits(), position.opponent.bits());
            let safe = [stable(player, opponent, squares), stable(opponent, player, squares)];
            assert_eq!((safe[0] & !player, safe[1] & !opponent), (0, 0), "{game}");
            found += (safe[0] | safe[1]).count_ones();
            for _ in 0..6 {
                play_on(&game, &mut random, &position, safe);
            }
        }
        assert!(found > 1000, "{game}: only {found} stable discs, nothing was tested");
    }
}

/// Large boards have more ways to be wrong: corners, walls of full lines, holes.
#[test]
fn stable_discs_of_random_boards_with_holes() {
    let mut random = Random::seeded(52);
    for _ in 0..trials(4000) {
        let mut name = format!("{}x{}", 3 + random.below(6), 3 + random.below(6));
        let board = game(&name);
        let outer = board.squares() - board.centre().into_iter().collect();
        let holes: Bitboard = (0..random.below(7)).map(|_| random.square(outer)).collect();
        holes.into_iter().for_each(|hole| name += &format!("+hole={hole}"));
        let game = game(&name);
        for position in samples(&game, &mut random, 6) {
            let (player, opponent) = (position.player.bits(), position.opponent.bits());
            let squares = game.squares().bits();
            let safe = [stable(player, opponent, squares), stable(opponent, player, squares)];
            for _ in 0..6 {
                play_on(&game, &mut random, &position, safe);
            }
        }
    }
}

/// What anybody can see to be stable is found: corners, full boards, a filled edge.
#[test]
fn evident_stable_discs_are_found() {
    let squares = game("8x8").squares().bits();
    assert_eq!(stable(u64::MAX, 0, squares), u64::MAX);
    assert_eq!(stable(0x0f, 0xf0, squares), 0x0f, "a full edge");
    let corners = 0x8100_0000_0000_0081;
    assert_eq!(stable(corners, 0, squares), corners);
    assert_eq!(stable(0x7, 0, squares), 0x7, "joined to a corner");
    assert_eq!(stable(0x6, 0, squares), 0, "an edge without its corner");
    // Beside a hole the edge begins anew: c1 is as safe as a corner.
    let holed = game("8x8+hole=b1").squares().bits();
    assert_eq!(stable(0b1101, 0, holed), 0b1101);
    assert_eq!(stable(0b1000, 0, holed), 0);
}

fn below_bound(game: &GameSpec, position: &Position, budget: usize) -> bool {
    let Some(value) = Minimax::new(game, budget).value(position) else { return false };
    let (player, opponent) = (position.player.bits(), position.opponent.bits());
    let bound = upper_bound(*game, player, opponent);
    assert!(value <= bound, "{game} {position:?}: {value} above {bound}");
    bound < game.max_score()
}

#[test]
fn no_score_lies_above_the_stability_bound() {
    let mut random = Random::seeded(53);
    for game in registered() {
        let mut telling = 0;
        for i in 0..trials(3000) {
            let position = if i % 2 == 0 {
                scattered(&game, &mut random, i % 7)
            } else {
                played(&game, &mut random, i % 7)
            };
            telling += u32::from(below_bound(&game, &position, usize::MAX));
        }
        assert!(telling > 200, "{game}: only {telling} bounds said anything");
    }
}

#[test]
fn nor_on_boards_with_many_empties() {
    let mut random = Random::seeded(54);
    for game in registered() {
        for _ in 0..trials(100) {
            let empties = random.below(game.max_score() as usize) as u32;
            below_bound(&game, &scattered(&game, &mut random, empties), 3000);
        }
    }
}
