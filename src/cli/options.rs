//! Options that several subcommands share.

use super::error::CliError;
use super::{memory, values};
use crate::board::GameSpec;
use crate::kernel::Level;
use crate::report::units;
use crate::search::SolverOptions;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::time::Duration;

/// The game.
#[derive(Args)]
pub struct GameArgs {
    /// The game: columns x rows, then rules joined with +, such as 6x6+parallel+anti
    #[arg(long, value_name = "SPEC", default_value = "8x8")]
    pub game: GameSpec,
}

/// How the solver is built.
#[derive(Args)]
pub struct EngineArgs {
    /// Search threads [default: all of the machine]; one thread counts the same nodes every time
    #[arg(long, value_name = "N", value_parser = values::threads)]
    pub threads: Option<usize>,
    /// Size of the transposition table: bytes, or with K, M, G
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = values::size)]
    pub hash: u64,
    /// Instruction-set level [default: the fastest of the machine]
    #[arg(long, value_name = "LEVEL", value_parser = levels())]
    pub kernel: Option<Level>,
}

impl EngineArgs {
    /// The options for the solver, checked against this machine before any work.
    ///
    /// # Errors
    /// When the table cannot fit the memory.
    pub fn solver_options(&self) -> Result<SolverOptions, CliError> {
        let threads = self.threads.unwrap_or_else(all_threads);
        if let Some(limit) = memory::limit().filter(|&limit| self.hash > limit) {
            return Err(CliError::usage(format!(
                "--hash {} is more memory than there is ({}); give a smaller size",
                units::bytes(self.hash),
                units::bytes(limit)
            )));
        }
        let kernel = self.kernel.unwrap_or_else(Level::detect);
        Ok(SolverOptions { threads, hash_bytes: self.hash, kernel })
    }
}

/// The levels by their names, so that the help lists them.
fn levels() -> impl TypedValueParser<Value = Level> {
    let names = Level::ALL.map(|level| level.to_string());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Level>())
}

/// The threads that the machine runs at once.
fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// When to stop; for each position anew.
#[derive(Args)]
pub struct LimitArgs {
    /// Stop each position after this time: seconds, or 500ms, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub time_limit: Option<Duration>,
    /// Stop each position after this many nodes
    #[arg(long, value_name = "N", value_parser = values::positive)]
    pub node_limit: Option<u64>,
}
