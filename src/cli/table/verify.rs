//! `obverse table verify`: whether a table is whole and right.

use super::solved::SolvedTable;
use super::{Watch, WorkArgs, failed};
use crate::cli::console::Console;
use crate::cli::error::{CliError, Status};
use crate::cli::values;
use crate::report::json::{self, SCHEMA, VERSION};
use crate::report::units;
use crate::table;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

const HELP: &str = "\
Without --sample every score is computed again from the scores of the positions after it, and the
positions are shown to be exactly the reachable ones. With it that is done for N positions drawn at
random, always the same, by the plain rules. All checksums and counts are verified in any case.";

/// Verify the bytes, counts and scores of a table
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// The table
    #[arg(value_name = "FILE")]
    table: PathBuf,
    /// Compute only this many scores again
    #[arg(long, value_name = "N", value_parser = values::positive)]
    sample: Option<u64>,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    work: WorkArgs,
}

/// What was verified.
#[derive(Serialize)]
struct VerifyRecord {
    schema: u32,
    game: String,
    table: String,
    verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stored: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recomputed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    seconds: f64,
    version: &'static str,
}

/// Verifies a table.
///
/// # Errors
/// When the signals cannot be listened for or the output cannot be written.
pub fn run(args: &Args, console: &Console) -> Result<Status, CliError> {
    let table = match SolvedTable::open(&args.table, console) {
        Ok(table) => table,
        Err(status) => return Ok(status),
    };
    let (name, table) = (table.name(), table.table());
    let game = table.game().to_string();
    let watch = Watch::new(args.work.progress, &game, table.game().squares().len())?;
    let result = table::verify(table, args.sample, &args.work.options(), &watch);
    let elapsed = watch.start.elapsed();
    let verified = result.as_ref().ok();
    let mut out = io::stdout().lock();
    if args.json {
        let record = VerifyRecord {
            schema: SCHEMA,
            game: game.clone(),
            table: name.to_owned(),
            verified: verified.is_some(),
            stored: verified.map(|verified| verified.positions),
            recomputed: verified.map(|verified| verified.recomputed),
            error: result.as_ref().err().map(ToString::to_string),
            seconds: elapsed.as_secs_f64(),
            version: VERSION,
        };
        json::write_line(&mut out, &record)?;
    } else if let Some(verified) = verified {
        writeln!(
            out,
            "{name}: verified {game}, {} positions, {} scores computed again; {}",
            units::count(verified.positions.into()),
            units::count(verified.recomputed.into()),
            units::duration(elapsed)
        )?;
    }
    out.flush()?;
    match result {
        Ok(_) => Ok(Status::Done),
        Err(error) => Ok(failed(&error, name, console, Some(&watch))),
    }
}
