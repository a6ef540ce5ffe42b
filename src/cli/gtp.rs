//! `obverse gtp`: Answer the Go Text Protocol (GTP 2) for Othello.

use super::console::Console;
use super::error::{CliError, Status};
use super::protocols::{self, ProtocolArgs};
use crate::protocol::gtp;

const EXAMPLES: &str = "\
Examples:
  obverse gtp
  obverse gtp --game 6x6+anti
  gogui -program \"obverse gtp\"

Extensions: boardsize W H, set_game Othello, obverse-game SPEC, obverse-position BOARD SIDE, and
obverse-think, which says whether its answer is exact.";

/// Answer the Go Text Protocol (GTP 2) for Othello
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
    protocols::serve(&args.common, gtp::run)
}
