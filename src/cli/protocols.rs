//! What `nboard`, `gtp` and `cassio` share on the command line.

use super::error::{CliError, Status};
use super::options::{EngineArgs, GameArgs};
use super::signals::Signals;
use super::stdin::Stdin;
use super::values;
use crate::board::GameSpec;
use crate::protocol::{Settings, Wire};
use crate::search::SolverError;
use std::io::{self, BufReader};
use std::time::Duration;

/// Options of every protocol.
#[derive(clap::Args)]
pub struct ProtocolArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    engine: EngineArgs,
    /// Time for a move where the client gives none
    #[arg(long, value_name = "TIME", default_value = "5", value_parser = values::duration)]
    move_time: Duration,
    /// Without a clock, solve positions with so few empties however long it takes
    #[arg(long, value_name = "N", default_value_t = 20,
        value_parser = clap::value_parser!(u32).range(0..=64))]
    exact_empties: u32,
}

/// A protocol's main loop.
type Serve = fn(&GameSpec, Settings, Wire) -> Result<io::Result<()>, SolverError>;

/// Serves a client on the standard input and output.
///
/// # Errors
/// When the engine cannot be built or the output cannot be written.
pub fn serve(args: &ProtocolArgs, serve: Serve) -> Result<Status, CliError> {
    let settings = Settings {
        options: args.engine.solver_options()?,
        move_time: args.move_time,
        exact_empties: args.exact_empties,
    };
    let signals = Signals::install()
        .map_err(|error| CliError::usage(format!("cannot listen for signals: {error}")))?;
    let wire = Wire {
        input: Box::new(BufReader::new(Stdin::new(&signals))),
        output: Box::new(io::stdout()),
        end: signals.cancel(),
    };
    serve(&args.game.game, settings, wire)??;
    Ok(signals.received().map_or(Status::Done, Status::Signal))
}
