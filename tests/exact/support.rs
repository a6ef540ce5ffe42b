//! What the tests of the solver share: seeded chance, positions of every kind, plain minimax, and
//! the check of a whole answer.

use obverse::board::registry::REGISTERED;
use obverse::board::{
    Bitboard, Extra, GameSpec, Move, PassRule, Position, ScoreRule, Square, Start,
};
use obverse::kernel::Level;
use obverse::search::{Bounds, Cancel, Solution, Solver, SolverOptions, Task};
use std::collections::HashMap;

/// A small deterministic generator (Steele, Lea and Flood's SplitMix64).
pub struct Random(u64);

impl Random {
    /// The sequence of one test, another one for each `OBVERSE_SEED`.
    pub fn seeded(test: u64) -> Self {
        Self(test << 32 | setting("OBVERSE_SEED").unwrap_or(0))
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// A random square of a set that is not empty.
    pub fn square(&mut self, set: Bitboard) -> Square {
        set.into_iter().nth(self.below(set.len() as usize)).expect("the set has a square")
    }
}

/// A number from the environment; see docs/verification.md.
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// A number of trials, multiplied by `OBVERSE_EFFORT` for a search that takes longer.
pub fn trials(count: u32) -> u32 {
    count * setting("OBVERSE_EFFORT").unwrap_or(1) as u32
}

pub fn game(name: &str) -> GameSpec {
    name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub fn registered() -> impl Iterator<Item = GameSpec> {
    REGISTERED.iter().map(|name| game(name))
}

/// The levels of this machine; one that it lacks is named aloud.
pub fn levels() -> Vec<Level> {
    for level in Level::ALL.into_iter().filter(|level| !level.is_available()) {
        eprintln!("SKIPPED {level}: this machine lacks its instructions");
    }
    Level::available()
}

pub fn solver(game: &GameSpec, kernel: Level, threads: usize, hash_bytes: u64) -> Solver {
    Solver::new(game, &SolverOptions { threads, hash_bytes, kernel }).expect("a small solver")
}

/// Bytes of the table where its size is not the point.
pub const HASH: u64 = 1 << 20;

/// A solver on the fastest level, one thread, a small table.
pub fn plain_solver(game: &GameSpec) -> Solver {
    solver(game, Level::detect(), 1, HASH)
}

pub fn task(position: Position) -> Task {
    Task { position, window: None, all_moves: false, time_limit: None, node_limit: None }
}

pub fn run(solver: &mut Solver, task: &Task) -> Solution {
    solver.solve(task, &Cancel::default(), &())
}

/// A position of a random game with at most this many empties, or the end of that game.
pub fn played(game: &GameSpec, random: &mut Random, empties: u32) -> Position {
    let mut position = Position::start(game);
    while position.empties(game).len() > empties {
        let moves = position.moves(game);
        if moves.is_empty() {
            break;
        }
        position = position.play(game, random.pick(&moves)).expect("a legal move");
    }
    position
}

/// Random discs on all but `empties` squares, of any proportion of colours, with random state
/// beyond them; nothing is said about how it was reached.
pub fn scattered(game: &GameSpec, random: &mut Random, empties: u32) -> Position {
    let squares = game.squares();
    let mut free = Bitboard::EMPTY;
    // The free opening is over as soon as the centre is full; no scattered position comes before.
    let mut may_be_free = squares;
    if game.start() == Start::Free {
        may_be_free = may_be_free - game.centre().into_iter().collect();
    }
    while free.len() < empties.min(may_be_free.len()) {
        free = free | random.square(may_be_free - free).into();
    }
    let share = random.below(17);
    let mine = |_: &Square| random.below(16) < share;
    let player: Bitboard = (squares - free).into_iter().filter(mine).collect();
    let opponent = squares - free - player;
    let mut hand = || game.supply().map_or(0, |n| random.below(usize::from(n) + 1) as u8);
    let in_hand = [hand(), hand()];
    let optional = game.pass_rule() == PassRule::Optional;
    let passes = if optional { random.below(3) as u8 } else { 0 };
    Position { player, opponent, extra: Extra { in_hand, passes } }
}

/// Plain minimax with every position remembered, within a budget of positions.
pub struct Minimax<'a> {
    game: &'a GameSpec,
    known: HashMap<Position, i32>,
    budget: usize,
}

impl<'a> Minimax<'a> {
    pub fn new(game: &'a GameSpec, budget: usize) -> Self {
        Self { game, known: HashMap::new(), budget }
    }

    /// The score of a position; `None` when the budget does not reach.
    pub fn value(&mut self, position: &Position) -> Option<i32> {
        if let Some(&value) = self.known.get(position) {
            return Some(value);
        }
        if self.known.len() >= self.budget {
            return None;
        }
        let mut best = None;
        for mv in position.moves(self.game) {
            let child = position.play(self.game, mv).expect("a legal move");
            best = best.max(Some(-self.value(&child)?));
        }
        let value = best.unwrap_or_else(|| position.final_score(self.game));
        self.known.insert(*position, value);
        Some(value)
    }

    /// The score of a position and of each of its moves.
    pub fn truth(&mut self, position: &Position) -> Option<Truth> {
        let value = self.value(position)?;
        let mut moves = Vec::new();
        for mv in position.moves(self.game) {
            let child = position.play(self.game, mv).expect("a legal move");
            moves.push((mv, -self.value(&child)?));
        }
        Some(Truth { value, moves })
    }
}

/// The score of a position and of each of its moves.
#[derive(Clone, Debug)]
pub struct Truth {
    pub value: i32,
    pub moves: Vec<(Move, i32)>,
}

pub const fn exactly(score: i32) -> Bounds {
    Bounds { lower: score, upper: score }
}

/// A complete answer: the score, a best move that attains it, and a variation that ends the game
/// with it; with `all_moves` every move's score, best first.
pub fn check(game: &GameSpec, task: &Task, solution: &Solution, truth: &Truth) {
    let context = || format!("{game} {:?}\n{solution:?}\n{truth:?}", task.position);
    assert_eq!(solution.bounds, exactly(truth.value), "{}", context());
    assert_eq!(solution.stopped, None, "{}", context());
    check_variation(game, &task.position, solution);
    let attains = |mv| truth.moves.contains(&(mv, truth.value));
    assert_eq!(solution.best.is_some(), !truth.moves.is_empty(), "{}", context());
    assert!(solution.best.is_none_or(attains), "{}", context());
    if task.all_moves {
        assert_eq!(solution.moves.len(), truth.moves.len(), "{}", context());
        for found in &solution.moves {
            let expected = truth.moves.iter().find(|(mv, _)| *mv == found.mv).map(|(_, s)| *s);
            assert_eq!(Some(found.bounds.lower), expected, "{} {}", found.mv, context());
            assert!(found.bounds.is_exact(), "{} {}", found.mv, context());
        }
        assert!(solution.moves.is_sorted_by_key(|m| -m.bounds.lower), "{}", context());
    } else {
        assert!(solution.moves.is_empty(), "{}", context());
    }
}

/// The principal variation of an exact answer: legal, passes included, to the end of the game,
/// with exactly the announced score there.
pub fn check_variation(game: &GameSpec, position: &Position, solution: &Solution) {
    let context = || format!("{game} {position:?}\n{solution:?}");
    assert!(solution.bounds.is_exact(), "{}", context());
    let mut end = *position;
    for &mv in &solution.pv {
        end = end.play(game, mv).unwrap_or_else(|| panic!("{mv} is not legal: {}", context()));
    }
    assert!(end.is_over(game), "{}", context());
    let sign = if solution.pv.len().is_multiple_of(2) { 1 } else { -1 };
    assert_eq!(sign * end.final_score(game), solution.bounds.lower, "{}", context());
    assert_eq!(solution.best, solution.pv.first().copied(), "{}", context());
}

/// The same game with its rules but state beyond the discs that never matters: every search of it
/// goes the general way, without the shortcuts of plain games.
pub fn with_idle_supply(game: &GameSpec) -> GameSpec {
    let name = game.to_string();
    let discs = game.score_rule() == ScoreRule::Discs;
    let bare = name.strip_suffix("+discs").unwrap_or(&name);
    self::game(&format!("{bare}+supply=64{}", if discs { "+discs" } else { "" }))
}

/// A position in the game of [`with_idle_supply`].
pub fn with_full_hands(position: &Position) -> Position {
    Position { extra: Extra { in_hand: [64, 64], passes: 0 }, ..*position }
}
