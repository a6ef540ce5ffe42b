//! `obverse bench`: the benchmark positions, their totals and the node signature.

use super::console::Console;
use super::error::{CliError, Status};
use super::options::EngineArgs;
use crate::board::{GameSpec, Setup};
use crate::notation::{self, Format};
use crate::report::json::{self, BenchRecord};
use crate::report::style::Tone;
use crate::report::table::Table;
use crate::report::{Answer, units};
use crate::search::{Cancel, Solver, Task};
use std::io::{self, Write};
use std::time::Duration;

/// The positions, 14 to 21 empties, with their known scores.
const POSITIONS: &str = include_str!("../../data/bench.obf");

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
    let mut table = Table::new(&game, console.out, "bench.obf:37".len());
    let mut out = io::stdout().lock();
    if !args.json {
        table.head(&mut out, &options)?;
    }
    let (mut positions, mut wrong, mut nodes) = (0, 0, 0);
    let mut elapsed = Duration::ZERO;
    let start = Setup::start(&game);
    let entries = notation::read(POSITIONS.as_bytes(), "bench.obf", &game, &start, Format::Lines);
    for entry in entries {
        let entry = entry.map_err(|error| CliError::usage(error.to_string()))?;
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
            entry: &entry,
            task: &task,
            options: &options,
            solution: &solution,
            wld: false,
        };
        positions += 1;
        wrong += u64::from(answer.agrees() != Some(true));
        nodes += solution.nodes;
        elapsed += solution.elapsed;
        if !args.json {
            table.row(&mut out, &answer)?;
            out.flush()?;
        }
    }
    let signature = options.threads == 1;
    if args.json {
        let record = BenchRecord {
            schema: json::SCHEMA,
            positions,
            wrong,
            nodes,
            signature,
            seconds: elapsed.as_secs_f64(),
            threads: options.threads,
            hash_bytes: options.hash_bytes,
            kernel: options.kernel.to_string(),
            version: json::VERSION,
        };
        json::write_line(&mut out, &record)?;
    } else {
        table.foot(&mut out)?;
        if signature {
            let line = format!("node signature {nodes}");
            writeln!(out, "{}", console.out.paint(Tone::Strong, &line))?;
        } else {
            let count = units::count(u128::from(nodes));
            writeln!(out, "{count} nodes; only one thread gives a signature")?;
        }
    }
    out.flush()?;
    Ok(if wrong == 0 { Status::Done } else { Status::Differs })
}
