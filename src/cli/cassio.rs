//! `obverse cassio`: Answer Cassio's Othello Engine Protocol.

use super::console::Console;
use super::error::{CliError, Status};
use super::protocols::{self, ProtocolArgs};
use crate::protocol::cassio;

const EXAMPLES: &str = "\
Examples:
  obverse cassio

The precision 100 marks a proof, 99 a guess.";

/// Answer Cassio's Othello Engine Protocol
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    common: ProtocolArgs,
}

/// Serves one client.
///
/// # Errors
/// When the engine cannot be built or the output cannot be written.
pub fn run(args: &Args, _console: &Console) -> Result<Status, CliError> {
    protocols::serve(&args.common, cassio::run)
}
