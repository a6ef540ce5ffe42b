//! The `obverse` program: everything happens in [`obverse::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    obverse::cli::main(std::env::args_os())
}
