//! `obverse table`: strong solutions of small games.

mod build;
mod probe;
mod solved;
mod stats;
mod verify;

pub use solved::SolvedTable;

use super::console::Console;
use super::error::{CliError, Status};
use super::progress::{Display, ProgressMode};
use super::signals::Signals;
use super::{memory, values};
use crate::kernel::Level;
use crate::report::units;
use crate::table::{BuildOptions, Observer, Phase, Progress, TableError};
use clap::Subcommand;
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  obverse table build --game 4x5 -o 4x5.table
  obverse table probe 4x5.table start
  obverse table probe 4x5.table b2 --json
  obverse table verify 4x5.table
  obverse table stats 4x5.table

A table holds every position that can be reached from the start, just after a placement, told apart
by mover and opponent up to the symmetries of the board. The file is described in docs/tables.md.";

/// Build, probe, verify and describe strong solutions of small games
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(build::Args),
    Probe(probe::Args),
    Verify(verify::Args),
    Stats(stats::Args),
}

/// Runs the subcommand.
///
/// # Errors
/// When something typed is wrong or cannot be had, or the output cannot be written.
pub fn run(args: &Args, console: &Console) -> Result<Status, CliError> {
    match &args.command {
        Command::Build(args) => build::run(args, console),
        Command::Probe(args) => probe::run(args, console),
        Command::Verify(args) => verify::run(args, console),
        Command::Stats(args) => stats::run(args, console),
    }
}

/// What long work may use.
#[derive(clap::Args)]
struct WorkArgs {
    /// Memory that may be used: bytes, or with K, M, G
    #[arg(long, value_name = "SIZE", default_value = "8G", value_parser = values::size)]
    memory: u64,
    /// Threads [default: all of the machine]
    #[arg(long, value_name = "N", value_parser = values::threads)]
    threads: Option<usize>,
    /// When to show progress on standard error
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    progress: ProgressMode,
}

impl WorkArgs {
    /// The options; never more memory than there is.
    fn options(&self) -> BuildOptions {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        BuildOptions {
            memory: memory::limit().map_or(self.memory, |limit| limit.min(self.memory)),
            threads: self.threads.unwrap_or(threads),
            kernel: Level::detect(),
        }
    }
}

/// Shows how far long work is, and stops it at a signal.
struct Watch {
    display: Display,
    signals: Signals,
    start: Instant,
    squares: u32,
}

impl Watch {
    fn new(mode: ProgressMode, label: &str, squares: u32) -> Result<Self, CliError> {
        let signals = Signals::install()
            .map_err(|error| CliError::usage(format!("cannot listen for signals: {error}")))?;
        let display = Display::new(mode, label.to_owned(), squares as i32);
        Ok(Self { display, signals, start: Instant::now(), squares })
    }

    fn text(&self, progress: &Progress) -> String {
        let Progress { phase, discs, done, sets, positions, all } = *progress;
        let name = match phase {
            Phase::Forward => "finding positions",
            Phase::Backward => "scoring",
            Phase::Read => "reading",
            Phase::Verify => "scoring again",
        };
        let layer = match discs {
            0 => String::new(),
            _ => format!(" with {discs} of {} discs", self.squares),
        };
        let share = 100 * done / sets.max(1);
        let left = all.map_or(String::new(), |all| {
            format!(", {} % of all", 100 * u128::from(positions) / u128::from(all.max(1)))
        });
        format!(
            "{}  {name}{layer}: {share} %{left}  {} positions",
            units::duration(self.start.elapsed()),
            units::count(positions.into())
        )
    }
}

impl Observer for Watch {
    fn progress(&self, progress: &Progress) {
        self.display.show(self.start.elapsed(), || self.text(progress));
    }

    fn is_cancelled(&self) -> bool {
        self.signals.received().is_some()
    }
}

/// How a command ends that work on a table failed.
fn failed(error: &TableError, name: &str, console: &Console, watch: Option<&Watch>) -> Status {
    let signal = watch.and_then(|watch| watch.signals.received());
    match (error, signal) {
        (TableError::Interrupted, Some(number)) => {
            console.notice(&error.to_string());
            Status::Signal(number)
        }
        (TableError::Io { .. } | TableError::Work { .. }, _) => {
            console.error(&error.to_string());
            Status::Input
        }
        _ => {
            console.error(&format!("{name}: {error}"));
            if error.is_rejection() { Status::Refuted } else { Status::Input }
        }
    }
}
