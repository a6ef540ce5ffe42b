//! `obverse count`: reachable positions and complete games.

use super::console::Console;
use super::error::{CliError, Status};
use super::options::GameArgs;
use crate::board::count::{self, Counts};
use crate::report::json::{self, CountRecord};
use crate::report::style::Tone;
use crate::report::units;
use std::io::{self, Write};
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  obverse count --game 4x4
  obverse count --game 4x4 --json
  obverse count --max-discs 12

A position is counted after a placement, the start and final ones included, the pass not yet taken.
Boards beyond 20 squares do not finish in reasonable time and memory: use --max-discs.";

/// Count the positions and games that can be reached from the start
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Stop at this number of discs on the board
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=64))]
    max_discs: Option<u32>,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

/// Counts.
///
/// # Errors
/// When the output cannot be written.
pub fn run(args: &Args, console: &Console) -> Result<Status, CliError> {
    let game = args.game.game;
    let mut out = io::stdout().lock();
    if !args.json {
        let head = format!(
            "{:>5} {:>20} {:>20} {:>26}",
            "discs", "positions", "up to symmetry", "games that end here"
        );
        writeln!(out, "{}", console.out.paint(Tone::Strong, &head))?;
    }
    // A layer can take minutes: each is written when it is known.
    let mut written = Ok(());
    let start = Instant::now();
    let census = count::count(&game, args.max_discs, &mut |layer| {
        if !args.json && written.is_ok() {
            written = writeln!(out, "{}", row(&layer.discs.to_string(), &layer.counts))
                .and_then(|()| out.flush());
        }
    });
    written?;
    let elapsed = start.elapsed();
    if args.json {
        json::write_line(&mut out, &CountRecord::new(&game, &census, elapsed))?;
    } else {
        let total = census.total();
        writeln!(out, "{}", console.out.paint(Tone::Strong, &row("total", &total)))?;
        let games = total.games;
        writeln!(
            out,
            "{game}: Black wins {}, draws {}, White wins {}; {}, {}",
            units::count(games.black),
            units::count(games.draws),
            units::count(games.white),
            if census.complete { "complete" } else { "not complete: games go on" },
            units::duration(elapsed)
        )?;
    }
    out.flush()?;
    Ok(Status::Done)
}

fn row(label: &str, counts: &Counts) -> String {
    format!(
        "{label:>5} {:>20} {:>20} {:>26}",
        units::count(u128::from(counts.placed.colored)),
        units::count(u128::from(counts.placed.canonical)),
        units::count(counts.games.total())
    )
}
