//! JSON lines for machines. The fields and their meaning are in `docs/formats.md`.

use super::Answer;
use crate::board::GameSpec;
use crate::board::count::{Census, Counts, Layer};
use crate::notation::{InputError, Location};
use crate::search::MoveScore;
use serde::Serialize;
use std::io::{self, Write};
use std::time::Duration;

/// Version of the JSON objects; grows when a field changes its meaning.
pub const SCHEMA: u32 = 1;

/// Version of the program, as in every record.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Writes one object as a line.
///
/// # Errors
/// When the writer fails.
pub fn write_line(out: &mut dyn Write, record: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, record)?;
    out.write_all(b"\n")
}

/// The answer to one position of `solve`.
#[derive(Serialize)]
pub struct SolveRecord<'a> {
    schema: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a serde_json::Value>,
    source: String,
    game: String,
    score_rule: String,
    position: String,
    empties: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i32>,
    lower: i32,
    upper: i32,
    exact: bool,
    /// With `--wld`; null while it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    wld: Option<Option<&'static str>>,
    best: Option<String>,
    pv: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveRecord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<i32>,
    /// Present with `expected`; null while the bounds leave it open.
    #[serde(skip_serializing_if = "Option::is_none")]
    agrees: Option<Option<bool>>,
    /// The table that the answer was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'static str>,
    nodes: u64,
    seconds: f64,
    threads: usize,
    hash_bytes: u64,
    kernel: String,
    version: &'static str,
}

#[derive(Serialize)]
struct MoveRecord {
    r#move: String,
    lower: i32,
    upper: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<i32>,
}

impl<'a> SolveRecord<'a> {
    /// The record of an answer.
    pub fn new(answer: &Answer<'a>) -> Self {
        let Answer { game, entry, task, options, solution, wld, table } = *answer;
        let expected = answer.expected();
        let move_record = |scored: &MoveScore| MoveRecord {
            r#move: scored.mv.to_string(),
            lower: scored.bounds.lower,
            upper: scored.bounds.upper,
            expected: answer.expected_of(scored.mv),
        };
        Self {
            schema: SCHEMA,
            id: entry.id.as_ref(),
            source: entry.location.to_string(),
            game: game.to_string(),
            score_rule: game.score_rule().to_string(),
            position: entry.setup.text(game).to_string(),
            empties: entry.position.empties(game).len(),
            alpha: task.window.map(|(alpha, _)| alpha),
            beta: task.window.map(|(_, beta)| beta),
            lower: solution.bounds.lower,
            upper: solution.bounds.upper,
            exact: solution.bounds.is_exact(),
            wld: wld.then(|| answer.outcome()),
            best: solution.best.map(|mv| mv.to_string()),
            pv: solution.pv.iter().map(ToString::to_string).collect(),
            moves: task.all_moves.then(|| solution.moves.iter().map(move_record).collect()),
            expected,
            agrees: expected.map(|_| answer.agrees()),
            table,
            stopped: answer.stopped(),
            nodes: solution.nodes,
            seconds: solution.elapsed.as_secs_f64(),
            threads: options.threads,
            hash_bytes: options.hash_bytes,
            kernel: options.kernel.to_string(),
            version: VERSION,
        }
    }
}

/// A line that could not be read.
#[derive(Serialize)]
pub struct ErrorRecord<'a> {
    schema: u32,
    source: String,
    error: ErrorBody<'a>,
}

#[derive(Serialize)]
struct ErrorBody<'a> {
    kind: &'a str,
    message: &'a str,
}

impl<'a> ErrorRecord<'a> {
    /// The record of an input error.
    pub fn new(error: &'a InputError) -> Self {
        let InputError { location, column, kind, message } = error;
        Self {
            schema: SCHEMA,
            source: place(location, *column),
            error: ErrorBody { kind, message },
        }
    }
}

fn place(location: &Location, column: Option<usize>) -> String {
    match column {
        Some(column) => format!("{location}:{column}"),
        None => location.to_string(),
    }
}

/// The path counts of `perft`.
#[derive(Serialize)]
pub struct PerftRecord {
    /// Version of the object.
    pub schema: u32,
    /// The game.
    pub game: String,
    /// Where the count starts.
    pub position: String,
    /// Plies.
    pub depth: u32,
    /// `ply` or `free`.
    pub passes: &'static str,
    /// `kept` or `dropped`.
    pub finished: &'static str,
    /// Paths.
    pub nodes: u128,
    /// Paths by first move, with `--divide`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub divide: Option<Vec<DivideRecord>>,
    /// Time taken.
    pub seconds: f64,
    /// Version of the program.
    pub version: &'static str,
}

/// The share of one first move in a perft.
#[derive(Serialize)]
pub struct DivideRecord {
    /// The move.
    pub r#move: String,
    /// Paths that begin with it.
    pub nodes: u128,
}

/// Reachable positions and complete games of `count`.
#[derive(Serialize)]
pub struct CountRecord {
    schema: u32,
    game: String,
    /// Whether the count goes to the end of every game.
    complete: bool,
    games: GamesRecord,
    positions: PositionsRecord,
    positions_canonical: PositionsRecord,
    seconds: f64,
    version: &'static str,
}

#[derive(Serialize)]
struct GamesRecord {
    count: u128,
    black: u128,
    draws: u128,
    white: u128,
    per_layer: Vec<LayerRecord>,
}

#[derive(Serialize)]
struct PositionsRecord {
    count: u128,
    per_layer: Vec<LayerRecord>,
}

#[derive(Serialize)]
struct LayerRecord {
    discs: u32,
    count: u128,
}

impl CountRecord {
    /// The record of a count.
    pub fn new(game: &GameSpec, census: &Census, elapsed: Duration) -> Self {
        let Counts { games, placed, .. } = census.total();
        let per_layer = |count: fn(&Counts) -> u128| {
            let record =
                |layer: &Layer| LayerRecord { discs: layer.discs, count: count(&layer.counts) };
            census.layers.iter().map(record).collect()
        };
        Self {
            schema: SCHEMA,
            game: game.to_string(),
            complete: census.complete,
            games: GamesRecord {
                count: games.total(),
                black: games.black,
                draws: games.draws,
                white: games.white,
                per_layer: per_layer(|counts| counts.games.total()),
            },
            positions: PositionsRecord {
                count: placed.colored.into(),
                per_layer: per_layer(|counts| counts.placed.colored.into()),
            },
            positions_canonical: PositionsRecord {
                count: placed.canonical.into(),
                per_layer: per_layer(|counts| counts.placed.canonical.into()),
            },
            seconds: elapsed.as_secs_f64(),
            version: VERSION,
        }
    }
}

/// The totals of `bench`.
#[derive(Serialize)]
pub struct BenchRecord {
    /// Version of the object.
    pub schema: u32,
    /// Positions solved.
    pub positions: usize,
    /// Positions whose score differs from the known one.
    pub wrong: u64,
    /// Nodes in all: with one thread the signature of this version of the search.
    pub nodes: u64,
    /// Whether `nodes` is reproducible.
    pub signature: bool,
    /// Time taken.
    pub seconds: f64,
    /// Threads.
    pub threads: usize,
    /// Size of the table.
    pub hash_bytes: u64,
    /// Instruction-set level.
    pub kernel: String,
    /// Version of the program.
    pub version: &'static str,
}
