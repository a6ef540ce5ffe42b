//! The bitboard rules against the reference, on every registered game and on random ones.

use obverse::board::flip;
use obverse::board::reference::{Cell, Game};
use obverse::board::registry::REGISTERED;
use obverse::board::{
    Bitboard, Color, Extra, GameSpec, Move, PassRule, Position, Setup, Shape, Square, Standard,
    Start, Symmetries,
};
use std::collections::HashMap;

/// A small deterministic generator (Steele, Lea and Flood's SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

fn registered() -> impl Iterator<Item = GameSpec> {
    REGISTERED.iter().map(|name| name.parse().expect("registered names are right"))
}

/// A random game: any size, start and rules, up to six holes.
fn random_game(random: &mut Random) -> GameSpec {
    let mut name = format!("{}x{}", 3 + random.below(6), 3 + random.below(6));
    let bare: GameSpec = name.parse().unwrap();
    let starts = [
        "",
        "+cross-mirrored",
        "+parallel-top",
        "+parallel-left",
        "+parallel-bottom",
        "+parallel-right",
        "+free",
    ];
    name += random.pick(&starts);
    name += random.pick(&["", "+anti"]);
    name += random.pick(&["", "+stuck-ends", "+optional-pass"]);
    name += random.pick(&["", "+discs"]);
    name += random.pick(&["", "+ties-second"]);
    if random.below(3) == 0 {
        name += &format!("+supply={}", 2 + random.below(33));
    }
    let mut outer: Vec<Square> =
        (bare.squares() - Bitboard::from_iter(bare.centre())).into_iter().collect();
    for _ in 0..random.below(7).min(outer.len()) {
        let hole = outer.swap_remove(random.below(outer.len()));
        name += &format!("+hole={hole}");
    }
    name.parse().unwrap()
}

/// A position with random discs, which need not be reachable, and random state.
fn random_position(game: &GameSpec, random: &mut Random) -> Position {
    let density = 1 + random.below(10);
    let centre: Bitboard = game.centre().into_iter().collect();
    let mut sides = [Bitboard::EMPTY; 2];
    for square in game.squares() {
        // The free opening is over as soon as the centre is full, and no position comes before.
        let is_filled = game.start() == Start::Free && centre.contains(square);
        if is_filled || random.below(10) < density {
            let side = random.below(2);
            sides[side] = sides[side] | square.into();
        }
    }
    let hand = |random: &mut Random| {
        game.supply().map_or(0, |n| [0, 1, random.below(usize::from(n) + 1) as u8][random.below(3)])
    };
    let in_hand = [hand(random), hand(random)];
    let passes = if game.pass_rule() == PassRule::Optional { random.below(3) as u8 } else { 0 };
    Position { player: sides[0], opponent: sides[1], extra: Extra { in_hand, passes } }
}

/// Everything that the two implementations say of one position must agree.
fn agree(spec: &GameSpec, reference: &Game, position: &Position) {
    let context = || format!("{spec}: {:?} {reference:?}", position);
    assert_eq!(reference.to_position(), *position, "{}", context());
    let legal = reference.legal();
    assert_eq!(position.moves(spec), legal, "{}", context());
    assert_eq!(position.is_over(spec), reference.is_over(), "{}", context());
    assert_eq!(position.final_score(spec), reference.score_for(reference.turn()), "{}", context());
    let black = reference.score_for(Color::Black);
    assert_eq!(black, -reference.score_for(Color::White), "{}", context());
    assert_eq!(spec.winner(black), reference.winner(), "{}", context());
    assert!(black.abs() <= spec.max_score(), "{}", context());
    let empties = position.empties(spec);
    for square in spec.squares() {
        assert_eq!(empties.contains(square), reference.cell(square) == Cell::Empty);
    }
    for square in empties {
        let turned: Bitboard = reference.flips(square).into_iter().collect();
        assert_eq!(position.flips(spec, square), turned, "{square} {}", context());
    }
    for mv in Bitboard::new(u64::MAX).into_iter().map(Move::Place).chain([Move::Pass]) {
        let mut after = reference.clone();
        let child = legal.contains(&mv).then(|| after.play(mv).map(|()| after.to_position()));
        assert_eq!(position.play(spec, mv).map(Ok), child, "{mv} {}", context());
    }
    agree_without_state(spec, reference, position);
}

/// The rules without state beyond the discs say the same as [`GameSpec`].
fn agree_without_state(spec: &GameSpec, reference: &Game, position: &Position) {
    // Imported here only: elsewhere its methods would hide those of `GameSpec` itself.
    use obverse::board::game::{Game as _, plain_moves};

    let (player, opponent) = (position.player.bits(), position.opponent.bits());
    let options = position.options(spec);
    let score = reference.score_for(reference.turn());
    let step = spec.step();
    assert!(
        !reference.is_over() || score % step == 0 || step == 2 && spec.squares().len() % 2 == 1
    );
    if let Some(shape) = Shape::new(spec) {
        assert_eq!(shape.options(player, opponent, (), plain_moves), options, "{spec}");
        assert_eq!(shape.final_score(player, opponent), score, "{spec}");
        assert_eq!((shape.step(), shape.max_score()), (spec.step(), spec.max_score()));
        assert_eq!(shape.most_wins(), spec.most_wins());
    }
    let classic = |options_of: obverse::board::Options, score_of: i32, step_of: i32| {
        assert_eq!((options_of, score_of, step_of), (options, score, spec.step()), "{spec}");
    };
    macro_rules! standard {
        ($($w:literal x $h:literal),*) => {
            match spec.to_string().as_str() {
                $(concat!($w, "x", $h) => {
                    let game = Standard::<$w, $h>;
                    classic(
                        game.options(player, opponent, (), plain_moves),
                        game.final_score(player, opponent),
                        game.step(),
                    );
                })*
                _ => {}
            }
        };
    }
    standard!(8 x 8, 6 x 6, 4 x 4, 3 x 3, 3 x 8, 8 x 3, 5 x 5, 4 x 6, 7 x 7, 6 x 7);
}

/// Plays one random game and compares at every turn.
fn playout(spec: &GameSpec, random: &mut Random) {
    let mut reference = Game::new(spec);
    assert_eq!(Game::from_setup(spec, &Setup::start(spec)), reference, "{spec}");
    let mut position = Position::start(spec);
    loop {
        agree(spec, &reference, &position);
        assert_eq!(Game::from_position(spec, &position, reference.turn()), reference);
        if position.extra.passes == 0 {
            let setup = Setup::from_position(spec, &position, reference.turn());
            assert_eq!(setup.position(spec), Ok(position), "{spec}");
        }
        let legal = reference.legal();
        if legal.is_empty() {
            break;
        }
        let square = Square::new(random.below(64) as u32).unwrap();
        let tried = reference.clone().play(Move::Place(square));
        assert_eq!(tried.is_ok(), legal.contains(&Move::Place(square)), "{spec}");
        let mv = random.pick(&legal);
        reference.play(mv).unwrap();
        position = position.play(spec, mv).unwrap();
    }
}

fn compare(spec: &GameSpec, random: &mut Random, playouts: usize, positions: usize) {
    for _ in 0..playouts {
        playout(spec, random);
    }
    for _ in 0..positions {
        let position = random_position(spec, random);
        let turn = random.pick(&[Color::Black, Color::White]);
        agree(spec, &Game::from_position(spec, &position, turn), &position);
    }
}

#[test]
fn registered_games_follow_the_reference() {
    let mut random = Random(1);
    for spec in registered() {
        compare(&spec, &mut random, 20, 1000);
    }
}

#[test]
fn random_games_follow_the_reference() {
    let mut random = Random(2);
    for _ in 0..3000 {
        let spec = random_game(&mut random);
        assert_eq!(spec.to_string().parse(), Ok(spec));
        compare(&spec, &mut random, 1, 5);
    }
}

#[test]
fn flips_and_moves_follow_the_reference_on_the_full_board() {
    let spec = GameSpec::standard();
    let mut random = Random(3);
    for _ in 0..30_000 {
        let position = random_position(&spec, &mut random);
        let (player, opponent) = (position.player.bits(), position.opponent.bits());
        let reference = Game::from_position(&spec, &position, Color::White);
        let mut moves = Bitboard::EMPTY;
        for square in position.empties(&spec) {
            let turned: Bitboard = reference.flips(square).into_iter().collect();
            assert_eq!(flip::flip(square.index(), player, opponent), turned.bits());
            if !turned.is_empty() {
                moves = moves | square.into();
            }
        }
        assert_eq!(flip::moves(player, opponent), moves.bits());
    }
}

#[test]
fn a_board_has_its_symmetries() {
    for (name, count) in [
        ("8x8", 8),
        ("5x5", 8),
        ("3x3+anti", 8),
        ("4x6", 4),
        ("3x8", 4),
        ("4x4+hole=b1", 1),
        ("4x4+hole=a1", 2),
        ("8x8+hole=a1+hole=h8", 4),
        ("8x8+hole=a1+hole=h1+hole=a8+hole=h8", 8),
        ("5x7+hole=c1", 2),
        // A free opening keeps the centre block in its place, which is off the middle on odd sides.
        ("4x4+free", 8),
        ("5x5+free", 2),
        ("5x4+free", 2),
        ("4x6+free", 4),
        ("5x7+free", 1),
    ] {
        let symmetries = Symmetries::of(&name.parse().unwrap());
        assert_eq!(symmetries.maps().len(), count, "{name}");
    }
}

#[test]
fn symmetries_form_a_group_and_change_no_move() {
    let mut random = Random(4);
    let games: Vec<GameSpec> = registered()
        .chain((0..200).map(|_| random_game(&mut Random(1000 + random.next()))))
        .collect();
    for spec in games {
        let symmetries = Symmetries::of(&spec);
        let squares: Vec<Square> = spec.squares().into_iter().collect();
        let table = |map| -> Vec<Square> {
            squares.iter().map(|&square| symmetries.apply_square(map, square)).collect()
        };
        let tables: Vec<Vec<Square>> = symmetries.maps().iter().map(|&map| table(map)).collect();
        assert_eq!(tables[0], squares, "the identity comes first");
        for (i, &map) in symmetries.maps().iter().enumerate() {
            assert!(!tables[..i].contains(&tables[i]), "{spec}: the maps differ");
            for &other in symmetries.maps() {
                let both: Vec<Square> =
                    tables[i].iter().map(|&s| symmetries.apply_square(other, s)).collect();
                assert!(tables.contains(&both), "{spec}: {map:?} then {other:?}");
            }
        }
        let start = Position::start(&spec);
        let mut positions: Vec<Position> =
            (0..20).map(|_| random_position(&spec, &mut random)).collect();
        positions.push(start);
        for position in positions {
            commutes(&spec, &symmetries, &position);
        }
    }
}

/// Moves, successors and scores of the images are the images of those of the position.
fn commutes(spec: &GameSpec, symmetries: &Symmetries, position: &Position) {
    let (canonical, map) = symmetries.canonical_with_map(position);
    assert_eq!(symmetries.apply_position(map, position), canonical);
    assert_eq!(symmetries.canonical(position), canonical);
    for &map in symmetries.maps() {
        let image = symmetries.apply_position(map, position);
        let by_square: Bitboard =
            position.player.into_iter().map(|s| symmetries.apply_square(map, s)).collect();
        assert_eq!(image.player, by_square, "{spec} {map:?}");
        assert!(canonical <= image);
        assert_eq!(symmetries.canonical(&image), canonical, "{spec} {map:?}");
        assert_eq!(image.final_score(spec), position.final_score(spec));
        let moves = position.moves(spec);
        assert_eq!(image.moves(spec).len(), moves.len(), "{spec} {map:?}");
        for mv in moves {
            let child = position.play(spec, mv).unwrap();
            let mapped = match mv {
                Move::Place(square) => Move::Place(symmetries.apply_square(map, square)),
                Move::Pass => Move::Pass,
            };
            let expected = symmetries.apply_position(map, &child);
            assert_eq!(image.play(spec, mapped), Some(expected), "{spec} {map:?} {mv}");
        }
    }
}

/// The value by plain search of the bitboard rules, each position solved once.
fn value(spec: &GameSpec, position: &Position, known: &mut HashMap<Position, i32>) -> i32 {
    if let Some(&value) = known.get(position) {
        return value;
    }
    let children = position.moves(spec).into_iter();
    let values = children.map(|mv| -value(spec, &position.play(spec, mv).unwrap(), known));
    let best = values.max().unwrap_or_else(|| position.final_score(spec));
    known.insert(*position, best);
    best
}

#[test]
fn values_are_those_of_the_reference_and_of_every_image() {
    let mut random = Random(5);
    for spec in registered() {
        let symmetries = Symmetries::of(&spec);
        for _ in 0..20 {
            // Random discs on all but a few squares.
            let mut position = random_position(&spec, &mut random);
            while position.empties(&spec).len() > 5 {
                let square = random.pick(&position.empties(&spec).into_iter().collect::<Vec<_>>());
                position.opponent = position.opponent | square.into();
            }
            let expected = Game::from_position(&spec, &position, Color::Black).minimax();
            for &map in symmetries.maps() {
                let image = symmetries.apply_position(map, &position);
                assert_eq!(value(&spec, &image, &mut HashMap::new()), expected, "{spec}");
            }
        }
    }
}

/// Values of 4x4 and 3x3 for the first player, found by other programs (exhaustive searches with
/// rules of their own): they pin down the meaning of every rule.
#[test]
fn small_boards_have_their_known_values() {
    for (name, expected) in [
        ("3x3", -9),
        ("3x3+cross-mirrored", 9),
        ("3x3+parallel-top", -9),
        ("3x3+parallel-bottom", 9),
        ("4x4", -10),
        ("4x4+discs", -8),
        ("4x4+parallel", -4),
        ("4x4+parallel-left+discs", -3),
        ("4x4+anti", 4),
        ("4x4+anti+discs", 3),
        ("4x4+parallel+anti", 0),
        ("4x4+parallel+anti+discs", 0),
        ("4x4+stuck-ends", -8),
        ("4x4+stuck-ends+discs", -6),
        ("4x4+parallel+stuck-ends", -4),
        ("4x4+parallel+stuck-ends+discs", -2),
        ("4x4+optional-pass", 0),
        ("4x4+optional-pass+discs", 0),
        ("4x4+supply=8", -10),
        ("4x4+supply=8+discs", -8),
        ("4x4+free+discs", -3),
        ("4x4+hole=a1+discs", 13),
        ("4x4+hole=d4+discs", 13),
        ("4x4+hole=a4+discs", -9),
        ("4x4+hole=d1+discs", -9),
    ] {
        let spec: GameSpec = name.parse().unwrap();
        let found = value(&spec, &Position::start(&spec), &mut HashMap::new());
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn a_typed_free_opening_fits_its_supply() {
    let spec: GameSpec = "4x4+free+supply=6".parse().unwrap();
    let start = Setup::start(&spec);
    assert_eq!(start.position(&spec), Ok(Position::start(&spec)));
    assert!(Setup { supply: Some([5, 6]), ..start }.position(&spec).is_err());
    assert!(Setup { side: Color::White, ..start }.position(&spec).is_err());
}
