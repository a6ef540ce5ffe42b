//! Perft and the census of positions and games: against published numbers in `data/`, and against
//! walks through the reference that merge nothing.

use obverse::board::count::{Census, Counts, Games, Layer, count};
use obverse::board::perft::{Convention, Finished, Passes, divide, perft};
use obverse::board::reference::Game;
use obverse::board::registry::REGISTERED;
use obverse::board::{Color, GameSpec, Move, PassRule, Position, Symmetries};
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

/// Rows with larger counts are for the command line, not for a quick test.
const PERFT_LIMIT: u128 = 300_000_000;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}

fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let is_data = |line: &&str| !line.is_empty() && !line.starts_with('#');
    text.lines().filter(is_data).map(str::to_owned).collect()
}

fn game(name: &str) -> GameSpec {
    name.parse().unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn perft_has_the_published_counts() {
    let mut files = 0;
    for entry in std::fs::read_dir(data("perft")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "perft") {
            continue;
        }
        files += 1;
        let rows = lines(&path);
        let spec = game(rows[0].strip_prefix("game ").expect("the game comes first"));
        let start = Position::start(&spec);
        for row in &rows[1..] {
            let fields: Vec<&str> = row.split(' ').collect();
            assert_eq!(fields.len(), 5, "{}: {row}", path.display());
            let depth = fields[0].parse().unwrap();
            for (convention, text) in Convention::ALL.into_iter().zip(&fields[1..]) {
                let Ok(expected) = text.parse::<u128>() else {
                    assert_eq!(*text, "-", "{}: {row}", path.display());
                    continue;
                };
                if expected <= PERFT_LIMIT {
                    let found = perft(&spec, &start, depth, convention);
                    assert_eq!(found, expected, "{spec} depth {depth} {convention:?}");
                }
            }
        }
    }
    assert_eq!(files, 4);
}

/// Perft in the reference, as the definition says it.
fn plain_perft(game: &Game, depth: u32, convention: Convention) -> u128 {
    if depth == 0 {
        return 1;
    }
    let legal = game.legal();
    if legal.is_empty() {
        return u128::from(convention.finished == Finished::Kept);
    }
    let is_free = legal == [Move::Pass] && convention.passes == Passes::Free;
    let sequences = legal.into_iter().map(|mv| {
        let mut child = game.clone();
        child.play(mv).unwrap();
        plain_perft(&child, if is_free { depth } else { depth - 1 }, convention)
    });
    sequences.sum()
}

#[test]
fn perft_is_the_plain_recursion_and_the_sum_of_its_parts() {
    for name in REGISTERED {
        let spec = game(name);
        let start = Position::start(&spec);
        // Deep enough for the merged layers, and on the smallest boards for the ends of games.
        let deepest = if spec.squares().len() <= 9 { 9 } else { 5 };
        for depth in 0..=deepest {
            for convention in Convention::ALL {
                let expected = plain_perft(&Game::new(&spec), depth, convention);
                let found = perft(&spec, &start, depth, convention);
                assert_eq!(found, expected, "{name} depth {depth} {convention:?}");
                let parts = divide(&spec, &start, depth, convention);
                let moves: Vec<Move> = parts.iter().map(|&(mv, _)| mv).collect();
                if depth > 0 {
                    assert_eq!(moves, start.moves(&spec), "{name}");
                    assert_eq!(parts.iter().map(|p| p.1).sum::<u128>(), expected, "{name}");
                } else {
                    assert!(moves.is_empty(), "{name}");
                }
            }
        }
    }
}

#[test]
fn perft_late_in_the_game_knows_passes_and_ends() {
    let mut passes_seen = 0;
    for name in REGISTERED {
        let spec = game(name);
        // The first legal move (a placement if there is one) leads to lopsided positions.
        let mut late = Game::new(&spec);
        while late.to_position().empties(&spec).len() > 7 && !late.is_over() {
            late.play(late.legal()[0]).unwrap();
        }
        let root = late.to_position();
        for depth in 1..=9 {
            for convention in Convention::ALL {
                let expected = plain_perft(&late, depth, convention);
                assert_eq!(perft(&spec, &root, depth, convention), expected, "{name} {depth}");
                let parts = divide(&spec, &root, depth, convention);
                if late.is_over() {
                    assert!(parts.is_empty());
                } else {
                    assert_eq!(parts.iter().map(|p| p.1).sum::<u128>(), expected, "{name}");
                }
            }
        }
        let [ply, free] = [1, 2].map(|i| perft(&spec, &root, 9, Convention::ALL[i]));
        passes_seen += u32::from(ply != free);
    }
    assert!(passes_seen > 0, "some game must have shown the cost of a pass");
}

#[test]
fn a_forced_pass_at_the_root_is_one_part() {
    let spec = game("4x4");
    let rows = "XO--------------";
    let discs = |letter| {
        let squares = rows.char_indices().filter(|&(_, l)| l == letter);
        squares.map(|(i, _)| obverse::board::Square::at(i as u32 % 4, i as u32 / 4)).collect()
    };
    let root = Position { player: discs('O'), opponent: discs('X'), extra: Default::default() };
    let [ply, free] = [Passes::Ply, Passes::Free]
        .map(|passes| divide(&spec, &root, 1, Convention { passes, finished: Finished::Dropped }));
    assert_eq!(ply, [(Move::Pass, 1)]);
    // The only placement that follows ends the game, but not before the depth is reached.
    assert_eq!(free, [(Move::Pass, 1)]);
}

/// The census of a small game by walking the reference: every path for the games, sets of whole
/// positions for the rest.
#[derive(Default)]
struct Walk {
    layers: BTreeMap<u32, Sets>,
    /// Ends of games below a position (Black wins, draws, White wins), by discs on the board.
    known: std::collections::HashMap<Game, BTreeMap<u32, Games>>,
}

/// Positions of a layer with the side to move; in how far they count.
#[derive(Default)]
struct Sets {
    placed: HashSet<(Position, Color)>,
    all: HashSet<(Position, Color)>,
    resolved: HashSet<(Position, Color)>,
}

fn discs(game: &Game) -> u32 {
    let position = game.to_position();
    (position.player | position.opponent).len()
}

impl Walk {
    fn visit(&mut self, game: &Game, after_pass: bool) -> BTreeMap<u32, Games> {
        let key = (game.to_position(), game.turn());
        let legal = game.legal();
        let sets = self.layers.entry(discs(game)).or_default();
        sets.all.insert(key);
        if !after_pass {
            sets.placed.insert(key);
        }
        if legal != [Move::Pass] {
            sets.resolved.insert(key);
        }
        if let Some(games) = self.known.get(game) {
            return games.clone();
        }
        let mut ends: BTreeMap<u32, Games> = BTreeMap::new();
        for &mv in &legal {
            let mut child = game.clone();
            child.play(mv).unwrap();
            for (discs, games) in self.visit(&child, mv == Move::Pass) {
                *ends.entry(discs).or_default() += games;
            }
        }
        if legal.is_empty() {
            let end = ends.entry(discs(game)).or_default();
            match game.winner() {
                Some(Color::Black) => end.black += 1,
                None => end.draws += 1,
                Some(Color::White) => end.white += 1,
            }
        }
        self.known.insert(game.clone(), ends.clone());
        ends
    }
}

fn plain_census(spec: &GameSpec) -> Vec<Layer> {
    let mut walk = Walk::default();
    let ends = walk.visit(&Game::new(spec), false);
    let symmetries = Symmetries::of(spec);
    let sizes = |set: &HashSet<(Position, Color)>| {
        let mover: HashSet<Position> = set.iter().map(|&(position, _)| position).collect();
        let canonical: HashSet<Position> = mover.iter().map(|p| symmetries.canonical(p)).collect();
        obverse::board::count::Positions {
            colored: set.len() as u64,
            mover: mover.len() as u64,
            canonical: canonical.len() as u64,
        }
    };
    let layer = |(&discs, sets): (&u32, &Sets)| Layer {
        discs,
        counts: Counts {
            games: ends.get(&discs).copied().unwrap_or_default(),
            placed: sizes(&sets.placed),
            all: sizes(&sets.all),
            resolved: sizes(&sets.resolved),
        },
    };
    walk.layers.iter().map(layer).collect()
}

#[test]
fn the_census_is_that_of_a_plain_walk() {
    let more = ["3x3+optional-pass", "3x4+supply=5", "4x3+stuck-ends+ties-second", "3x4+free"];
    let small = REGISTERED.iter().filter(|name| {
        let spec = game(name);
        // Voluntary passes make many more positions than the plain walk can hold.
        spec.squares().len() <= 16 && spec.pass_rule() != PassRule::Optional
    });
    for name in small.chain(&more) {
        let spec = game(name);
        let census = count(&spec, None, &mut |_| {});
        assert_eq!(census.layers, plain_census(&spec), "{name}");
        assert!(census.complete, "{name}");
    }
}

#[test]
fn a_limit_cuts_the_census_short() {
    for name in ["4x4", "4x4+optional-pass", "4x4+free"] {
        let spec = game(name);
        let whole = count(&spec, None, &mut |_| {});
        for limit in 0..=17 {
            let mut heard = Vec::new();
            let cut = count(&spec, Some(limit), &mut |layer| heard.push(*layer));
            let layers: Vec<Layer> =
                whole.layers.iter().copied().filter(|layer| layer.discs <= limit).collect();
            assert_eq!(heard, layers, "{name} to {limit}");
            assert_eq!(cut, Census { complete: layers.len() == whole.layers.len(), layers });
        }
    }
}

/// The column of a census that a line of `counts.txt` names.
fn column(counts: &Counts, what: &str) -> u128 {
    match what {
        "games" => counts.games.total(),
        "games-black" => counts.games.black,
        "games-draws" => counts.games.draws,
        "games-white" => counts.games.white,
        "placed-colored" => counts.placed.colored.into(),
        "placed-canonical" => counts.placed.canonical.into(),
        _ => panic!("no column {what}"),
    }
}

#[test]
fn the_census_has_the_published_counts() {
    let mut known: BTreeMap<String, Vec<(String, bool, Vec<u128>)>> = BTreeMap::new();
    for line in lines(&data("known/counts.txt")) {
        let fields: Vec<&str> = line.split(' ').collect();
        let numbers = fields[3..].iter().map(|text| text.parse().unwrap()).collect();
        let is_total = fields[2] == "total";
        assert!(is_total || fields[2] == "layers", "{line}");
        known.entry(fields[0].to_owned()).or_default().push((
            fields[1].to_owned(),
            is_total,
            numbers,
        ));
    }
    for (name, facts) in known {
        let spec = game(&name);
        let layers = facts.iter().map(|(_, _, numbers)| numbers.len()).max().unwrap_or(0);
        let first = Position::start(&spec).player.len() + Position::start(&spec).opponent.len();
        let is_whole = facts.iter().any(|&(_, is_total, _)| is_total);
        let limit = (!is_whole).then_some(first + layers as u32 - 1);
        let census = count(&spec, limit, &mut |_| {});
        assert_eq!(census.complete, is_whole, "{name}");
        for (what, is_total, numbers) in facts {
            if is_total {
                assert_eq!([column(&census.total(), &what)], *numbers, "{name} {what}");
            } else {
                let found = census.layers.iter().map(|layer| column(&layer.counts, &what));
                let found: Vec<u128> = found.take(numbers.len()).collect();
                assert_eq!(found, numbers, "{name} {what}");
            }
        }
    }
}
