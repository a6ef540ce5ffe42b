//! `obverse bench`: the benchmark positions, their totals and the node signature.

use super::console::Console;
use super::error::{CliError, Status};
use super::options::EngineArgs;
use crate::board::{GameSpec, Setup};
use crate::notation::{self, Entry, Format, InputError};
use crate::report::Answer;
use crate::report::json::{self, BenchRecord};
use crate::report::style::Tone;
use crate::report::table::Table;
use crate::search::{Cancel, Solver, Task};
use std::io::{self, Write};
use std::time::Duration;

/// The files that hold the positions, with their known scores.
const FILES: [(&str, &str); 2] = [
    ("ffo-1-19.obf", include_str!("../../data/positions/ffo-1-19.obf")),
    ("ffo-20-39.obf", include_str!("../../data/positions/ffo-20-39.obf")),
];

/// Positions with more empties are left out, so that a run takes seconds.
const MAX_EMPTIES: u32 = 21;

const EXAMPLES: &str = "\
Examples:
  obverse bench
  obverse bench --kernel portable --json
  obverse bench --threads 2

With one thread, the default here, the sum of nodes is the signature of a version of the search: it
is the same on every machine and kernel level, for the same --hash.";

/// Solve the built-in benchmark positions with one thread and print the node signature
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    engine: EngineArgs,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

/// Solves the positions.
///
/// # Errors
/// When the solver cannot be built, or the output cannot be written.
pub fn run(args: &Args, console: &Console) -> Result<Status, CliError> {
    let game = GameSpec::standard();
    let mut options = args.engine.solver_options()?;
    options.threads = args.engine.threads.unwrap_or(1);
    let mut solver = Solver::new(&game, &options)?;
    let entries = positions(&game)?;
    let width = entries.iter().map(|entry| entry.location.to_string().len()).max();
    let mut table = Table::new(&game, console.out, width.unwrap_or(0));
    let mut out = io::stdout().lock();
    if !args.json {
        table.head(&mut out, &options)?;
    }
    let (mut wrong, mut nodes, mut elapsed) = (0, 0, Duration::ZERO);
    for entry in &entries {
        let task = Task {
            position: entry.position,
            window: None,
            all_moves: false,
            time_limit: None,
            node_limit: None,
        };
        let solution = solver.solve(&task, &Cancel::default(), &());
        let answer = Answer {
            game: &game,
            entry,
            task: &task,
            options: &options,
            solution: &solution,
            wld: false,
            table: None,
        };
        wrong += u64::from(answer.agrees() != Some(true));
        nodes += solution.nodes;
        elapsed += solution.elapsed;
        if !args.json {
            table.row(&mut out, &answer)?;
            out.flush()?;
        }
    }
    if args.json {
        let record = BenchRecord {
            schema: json::SCHEMA,
            positions: entries.len(),
            wrong,
            nodes,
            signature: options.threads == 1,
            seconds: elapsed.as_secs_f64(),
            threads: options.threads,
            hash_bytes: options.hash_bytes,
            kernel: options.kernel.to_string(),
            version: json::VERSION,
        };
        json::write_line(&mut out, &record)?;
    } else {
        table.foot(&mut out)?;
        let line = match options.threads {
            1 => format!("node signature {nodes}"),
            _ => format!("{nodes} nodes; only one thread gives a signature"),
        };
        writeln!(out, "{}", console.out.paint(Tone::Strong, &line))?;
    }
    out.flush()?;
    Ok(if wrong == 0 { Status::Done } else { Status::Differs })
}

/// The benchmark positions in their order.
fn positions(game: &GameSpec) -> Result<Vec<Entry>, InputError> {
    let start = Setup::start(game);
    let entries = FILES.into_iter().flat_map(|(name, text)| {
        notation::read(text.as_bytes(), name, game, &start, Format::Lines)
    });
    let small = |entry: &Entry| entry.position.empties(game).len() <= MAX_EMPTIES;
    entries.filter(|entry| entry.as_ref().map_or(true, small)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_there_with_their_scores() {
        let positions = positions(&GameSpec::standard()).unwrap();
        assert_eq!(positions.len(), 36);
        assert!(positions.iter().all(|entry| !entry.move_scores.is_empty()));
    }
}
