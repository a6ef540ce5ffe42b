//! `obverse perft`: the number of move sequences of a given length.

use super::console::Console;
use super::error::{CliError, Status};
use super::input;
use super::options::GameArgs;
use crate::board::perft::{Convention, Finished, Passes, divide, perft};
use crate::report::json::{self, DivideRecord, PerftRecord};
use crate::report::units;
use clap::ValueEnum;
use std::io::{self, Write};
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  obverse perft --depth 9
  obverse perft --game 6x6 --depth 5 --json
  obverse perft --depth 3 --divide --moves f5d6
  obverse perft --game 4x4 --depth 12 --passes free --finished dropped

Published tables differ in what a pass costs and in what becomes of games that end earlier; OEIS
A124004 is --passes ply --finished dropped.";

/// What a forced pass costs.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum PassesArg {
    /// A ply, like any other turn
    Ply,
    /// Nothing: the depth counts placements (a voluntary pass is still a ply)
    Free,
}

/// What becomes of a game that ended before the full depth.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum FinishedArg {
    /// It counts as one sequence at every larger depth
    Kept,
    /// It does not count
    Dropped,
}

/// Count the move sequences of a given length
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Length of the sequences in plies
    #[arg(long, value_name = "N")]
    depth: u32,
    /// Where to start instead of the start of the game
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    /// Moves to play first
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// What a forced pass costs
    #[arg(long, value_enum, value_name = "COST", default_value = "ply")]
    passes: PassesArg,
    /// What becomes of games that end earlier
    #[arg(long, value_enum, value_name = "FATE", default_value = "kept")]
    finished: FinishedArg,
    /// Count each first move by itself, too
    #[arg(long)]
    divide: bool,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

/// Counts.
///
/// # Errors
/// When the position is none, or the output cannot be written.
pub fn run(args: &Args, _console: &Console) -> Result<Status, CliError> {
    let game = args.game.game;
    let entry = input::entry(&game, args.position.as_deref(), args.moves.as_deref())?;
    let (passes, passes_name) = match args.passes {
        PassesArg::Ply => (Passes::Ply, "ply"),
        PassesArg::Free => (Passes::Free, "free"),
    };
    let (finished, finished_name) = match args.finished {
        FinishedArg::Kept => (Finished::Kept, "kept"),
        FinishedArg::Dropped => (Finished::Dropped, "dropped"),
    };
    let convention = Convention { passes, finished };
    let start = Instant::now();
    let parts = args.divide.then(|| divide(&game, &entry.position, args.depth, convention));
    let nodes = match parts.as_deref() {
        // The parts of a game that goes on add up to the whole.
        Some(parts @ [_, ..]) => parts.iter().map(|(_, nodes)| nodes).sum(),
        _ => perft(&game, &entry.position, args.depth, convention),
    };
    let elapsed = start.elapsed();
    let mut out = io::stdout().lock();
    if args.json {
        let record = |(mv, nodes): (_, u128)| DivideRecord { r#move: format!("{mv}"), nodes };
        let record = PerftRecord {
            schema: json::SCHEMA,
            game: game.to_string(),
            position: entry.setup.text(&game).to_string(),
            depth: args.depth,
            passes: passes_name,
            finished: finished_name,
            nodes,
            divide: parts.map(|parts| parts.into_iter().map(record).collect()),
            seconds: elapsed.as_secs_f64(),
            version: json::VERSION,
        };
        json::write_line(&mut out, &record)?;
    } else {
        for (mv, nodes) in parts.unwrap_or_default() {
            writeln!(out, "{mv:<5} {:>26}", units::count(nodes))?;
        }
        writeln!(
            out,
            "{game} perft {}: {} sequences (a pass is {}, finished games {finished_name}), {}",
            args.depth,
            units::count(nodes),
            if matches!(passes, Passes::Ply) { "a ply" } else { "free" },
            units::duration(elapsed)
        )?;
    }
    out.flush()?;
    Ok(Status::Done)
}
