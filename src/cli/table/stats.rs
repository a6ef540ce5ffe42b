//! `obverse table stats`: what a table holds.

use super::solved::SolvedTable;
use crate::board::Position;
use crate::board::count::{Counts, Positions};
use crate::cli::console::Console;
use crate::cli::error::{CliError, Status};
use crate::report::json::{self, SCHEMA, VERSION};
use crate::report::style::Tone;
use crate::report::units;
use crate::table::{LayerInfo, Table};
use memmap2::Mmap;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

const HELP: &str = "\
positions: after a placement, the start and final ones included, the pass not yet taken, told apart
by Black, White and the side to move. up to symmetry: the same told apart by mover and opponent up
to the symmetries of the board; these are stored, and win, draw and loss (for the mover) count
them. --json has three sets (placed; all: with those reached only by a pass; resolved: passes
taken) by three identities (colored: Black, White, side; mover: mover, opponent; canonical).";

/// Describe a table: positions by discs, scores
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// The table
    #[arg(value_name = "FILE")]
    table: PathBuf,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct StatsRecord {
    schema: u32,
    game: String,
    score_rule: String,
    table: String,
    bytes: u64,
    /// Score of the start.
    score: i32,
    positions: CountRecord,
    positions_canonical: CountRecord,
    /// Every set by every identity.
    conventions: Conventions,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Stored positions by score, the mover's view.
    values: Vec<ValueRecord>,
    layers: Vec<LayerRecord>,
    version: &'static str,
}

#[derive(Serialize)]
struct CountRecord {
    count: u64,
    per_layer: Vec<LayerCount>,
}

#[derive(Serialize)]
struct LayerCount {
    discs: u32,
    count: u64,
}

#[derive(Serialize)]
struct Conventions {
    placed: Identities,
    all: Identities,
    resolved: Identities,
}

#[derive(Serialize)]
struct Identities {
    colored: u64,
    mover: u64,
    canonical: u64,
}

#[derive(Serialize)]
struct ValueRecord {
    score: i32,
    count: u64,
}

#[derive(Serialize)]
struct LayerRecord {
    discs: u32,
    sets: u64,
    bytes: u64,
    conventions: Conventions,
    values: Vec<ValueRecord>,
}

impl From<Positions> for Identities {
    fn from(Positions { colored, mover, canonical }: Positions) -> Self {
        Self { colored, mover, canonical }
    }
}

impl From<Counts> for Conventions {
    fn from(Counts { placed, all, resolved, .. }: Counts) -> Self {
        Self { placed: placed.into(), all: all.into(), resolved: resolved.into() }
    }
}

/// Scores that occur, with their numbers.
fn values(scores: impl Iterator<Item = (i32, u64)>) -> Vec<ValueRecord> {
    let occurs = scores.filter(|&(_, count)| count > 0);
    occurs.map(|(score, count)| ValueRecord { score, count }).collect()
}

/// Stored positions with a score of this sign.
fn with_sign(values: &[ValueRecord], sign: i32) -> u64 {
    values.iter().filter(|value| value.score.signum() == sign).map(|value| value.count).sum()
}

impl StatsRecord {
    fn new(table: &Table<Mmap>, name: &str, score: i32) -> Self {
        let game = table.game();
        let layers = table.layers();
        let count = |number: fn(&Counts) -> u64| CountRecord {
            count: layers.iter().map(|layer| number(&layer.counts)).sum(),
            per_layer: layers
                .iter()
                .map(|layer| LayerCount { discs: layer.discs, count: number(&layer.counts) })
                .collect(),
        };
        let mut total = Counts::default();
        let mut scores: BTreeMap<i32, u64> = BTreeMap::new();
        for layer in layers {
            total += layer.counts;
            for (score, count) in table.scores(layer) {
                *scores.entry(score).or_default() += count;
            }
        }
        let all = values(scores.into_iter());
        let layer_record = |layer: &LayerInfo| LayerRecord {
            discs: layer.discs,
            sets: layer.sets,
            bytes: layer.end - layer.start,
            conventions: layer.counts.into(),
            values: values(table.scores(layer)),
        };
        Self {
            schema: SCHEMA,
            game: game.to_string(),
            score_rule: game.score_rule().to_string(),
            table: name.to_owned(),
            bytes: table.bytes(),
            score,
            positions: count(|counts| counts.placed.colored),
            positions_canonical: count(|counts| counts.placed.canonical),
            conventions: total.into(),
            wins: with_sign(&all, 1),
            draws: with_sign(&all, 0),
            losses: with_sign(&all, -1),
            values: all,
            layers: layers.iter().map(layer_record).collect(),
            version: VERSION,
        }
    }

    fn write(&self, out: &mut dyn Write, console: &Console) -> io::Result<()> {
        let strong = |text: &str| console.out.paint(Tone::Strong, text);
        writeln!(
            out,
            "{}, {}: the start is worth {} to the first player; {}, {:.2} bytes a position",
            self.game,
            self.score_rule,
            units::score(self.score),
            units::bytes(self.bytes),
            self.bytes as f64 / self.positions_canonical.count.max(1) as f64
        )?;
        let head = ["discs", "positions", "up to symmetry", "win", "draw", "loss"];
        writeln!(out, "{}", strong(&row(&head.map(str::to_owned))))?;
        for layer in &self.layers {
            let signs = [1, 0, -1].map(|sign| with_sign(&layer.values, sign));
            let placed = &layer.conventions.placed;
            writeln!(out, "{}", counts_row(&layer.discs.to_string(), placed, signs))?;
        }
        let signs = [self.wins, self.draws, self.losses];
        writeln!(out, "{}", strong(&counts_row("total", &self.conventions.placed, signs)))?;
        let most = self.values.iter().map(|value| value.count).max().unwrap_or(1);
        writeln!(out, "{}", strong("score of stored positions, the mover's view"))?;
        for value in &self.values {
            // As long as a line leaves room for.
            let bar = "#".repeat((40 * u128::from(value.count) / u128::from(most)) as usize);
            let (score, count) = (units::score(value.score), units::count(value.count.into()));
            writeln!(out, "{}", format!("{score:>5} {count:>16}  {bar}").trim_end())?;
        }
        Ok(())
    }
}

fn row(cells: &[String; 6]) -> String {
    let [discs, positions, canonical, win, draw, loss] = cells;
    format!("{discs:>5} {positions:>16} {canonical:>16} {win:>14} {draw:>14} {loss:>14}")
}

fn counts_row(label: &str, placed: &Identities, signs: [u64; 3]) -> String {
    let count = |n: u64| units::count(n.into());
    let [win, draw, loss] = signs.map(count);
    row(&[label.to_owned(), count(placed.colored), count(placed.canonical), win, draw, loss])
}

/// Describes a table.
///
/// # Errors
/// When the table is damaged or the output cannot be written.
pub fn run(args: &Args, console: &Console) -> Result<Status, CliError> {
    let table = match SolvedTable::open(&args.table, console) {
        Ok(table) => table,
        Err(status) => return Ok(status),
    };
    let start = Position::start(table.table().game());
    let missing = || CliError::usage(format!("{}: the start is missing", table.name()));
    let score = table.table().score(&start);
    let score = score.map_err(|error| CliError::usage(format!("{}: {error}", table.name())))?;
    let record = StatsRecord::new(table.table(), table.name(), score.ok_or_else(missing)?);
    let mut out = io::stdout().lock();
    if args.json {
        json::write_line(&mut out, &record)?;
    } else {
        record.write(&mut out, console)?;
    }
    out.flush()?;
    Ok(Status::Done)
}
