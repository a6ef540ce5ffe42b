//! The command line: one file a subcommand, each with its `Args` and `run`. Nothing imports this.
//!
//! To add a subcommand: write its file, name it in the `mod` list and in `commands!` below.

mod bench;
mod cassio;
mod console;
mod convert;
mod count;
mod error;
mod gtp;
mod input;
mod memory;
mod nboard;
mod options;
mod perft;
mod play;
mod progress;
mod protocols;
mod prove;
mod signals;
mod solve;
mod stdin;
mod table;
mod train;
mod values;

use crate::kernel::Level;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use console::{ColorMode, Console};
use error::{CliError, Status};
use std::ffi::OsString;
use std::process::ExitCode;

/// Makes the subcommands from `Name(module)`: the module holds `Args`, whose doc comment is the
/// help, and `run`.
macro_rules! commands {
    ($($name:ident($module:ident)),+ $(,)?) => {
        #[derive(Subcommand)]
        enum Command {
            $($name($module::Args),)+
        }

        impl Command {
            fn run(&self, console: &Console) -> Result<Status, CliError> {
                match self {
                    $(Self::$name(args) => $module::run(args, console),)+
                }
            }
        }
    };
}

commands! {
    Solve(solve),
    Prove(prove),
    Play(play),
    Table(table),
    Perft(perft),
    Count(count),
    Convert(convert),
    Nboard(nboard),
    Gtp(gtp),
    Cassio(cassio),
    Bench(bench),
    Train(train),
}

const EXAMPLES: &str = "\
Examples:
  obverse solve data/positions/ffo-40-44.obf        solve every position of a file
  obverse solve --game 4x4 start                    solve a whole small game
  obverse solve --moves f5d6c3d3c4 --time-limit 60  bounds after a minute
  obverse solve - --json < positions.txt            answer line by line, for programs
  obverse prove --game 4x4 -o 4x4.cert              write a proof for obverse-check
  obverse perft --depth 9                           count the move paths of 9 plies

Exit codes:
  0  done, and everything that could be compared agreed
  1  done, but a result differs from the score in the input
  2  usage or input error, or a resource that cannot be had
  3  a claim is refuted, or a certificate or table rejected
  4  stopped at a limit; the bounds proved so far were given
  130, 143  stopped by Ctrl-C or a termination signal, likewise";

/// Exact answers to Othello/Reversi positions that anyone can check.
#[derive(Parser)]
#[command(name = "obverse", after_help = EXAMPLES, arg_required_else_help = true)]
struct Cli {
    /// When to use colour; NO_COLOR is obeyed under auto
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        display_order = 1000
    )]
    color: ColorMode,
    #[command(subcommand)]
    command: Command,
}

/// What `--version` prints: version, commit and the kernel levels of this machine.
fn version() -> String {
    let commit = option_env!("OBVERSE_COMMIT");
    let commit = commit.map_or(String::new(), |commit| format!(" (commit {commit})"));
    let levels: Vec<_> = Level::available().iter().map(Level::to_string).collect();
    let levels = levels.join(", ");
    format!("{}{commit}\nkernel levels of this machine: {levels}", env!("CARGO_PKG_VERSION"))
}

/// Runs the program with its command line, the name of the program first.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let command = Cli::command().version(version());
    let parsed = command
        .try_get_matches_from(arguments.into_iter().map(input::shield_board))
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            // Nobody is left to tell when this fails too.
            let _ = error.print();
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    let console = Console::new(cli.color);
    match cli.command.run(&console) {
        Ok(status) => status.into(),
        Err(error) if error.is_broken_pipe() => Status::Done.into(),
        Err(error) => {
            console.error(&error.to_string());
            Status::Input.into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
