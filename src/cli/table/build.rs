//! `obverse table build`: solves a small game strongly.

use super::{Watch, WorkArgs, failed};
use crate::board::GameSpec;
use crate::cli::console::Console;
use crate::cli::error::{CliError, Status};
use crate::report::json::{self, SCHEMA, VERSION};
use crate::report::units;
use crate::table;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

const HELP: &str = "\
The work is kept in a folder beside FILE, with the ending .build. When the command is stopped, by a
signal or by a power cut, the same command goes on after the last complete layer of discs.";

/// Solve every position that can be reached from the start
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// The game: columns x rows, then rules joined with +, such as 4x5+parallel+anti
    #[arg(long, value_name = "SPEC")]
    game: GameSpec,
    /// The file to write; it must not exist
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    work: WorkArgs,
}

/// What was built.
#[derive(Serialize)]
struct BuildRecord {
    schema: u32,
    game: String,
    table: String,
    /// Positions stored.
    stored: u64,
    bytes: u64,
    seconds: f64,
    threads: usize,
    version: &'static str,
}

/// Builds a table.
///
/// # Errors
/// When the signals cannot be listened for or the output cannot be written.
pub fn run(args: &Args, console: &Console) -> Result<Status, CliError> {
    let options = args.work.options();
    let label = args.game.to_string();
    let watch = Watch::new(args.work.progress, &label, args.game.squares().len())?;
    let name = args.output.display().to_string();
    let built = table::build(&args.game, &args.output, &options, &watch);
    let table = match built.and_then(|()| super::solved::open(&args.output)) {
        Ok(table) => table,
        Err(error) => return Ok(failed(&error, &label, console, Some(&watch))),
    };
    let elapsed = watch.start.elapsed();
    drop(watch);
    let mut out = io::stdout().lock();
    if args.json {
        let record = BuildRecord {
            schema: SCHEMA,
            game: label,
            table: name,
            stored: table.positions(),
            bytes: table.bytes(),
            seconds: elapsed.as_secs_f64(),
            threads: options.threads,
            version: VERSION,
        };
        json::write_line(&mut out, &record)?;
    } else {
        writeln!(
            out,
            "{label}: {} positions up to symmetry in {}, {:.2} bytes each; {}; {name}",
            units::count(table.positions().into()),
            units::bytes(table.bytes()),
            table.bytes() as f64 / table.positions().max(1) as f64,
            units::duration(elapsed),
        )?;
    }
    out.flush()?;
    Ok(Status::Done)
}
