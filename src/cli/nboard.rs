//! `obverse nboard`: Answer the NBoard protocol on the standard input and output.

use super::console::Console;
use super::error::{CliError, Status};
use super::protocols::{self, ProtocolArgs};
use crate::protocol::nboard;

const EXAMPLES: &str = "\
Examples:
  obverse nboard
  obverse nboard --threads 4 --move-time 10

Versions 1 and 2. The depth 100% marks a proved score; a number is the depth of a guess.";

/// Answer the NBoard protocol on the standard input and output
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
    protocols::serve(&args.common, nboard::run)
}
