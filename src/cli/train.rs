//! `obverse train`: fits the evaluation that orders moves, from games of our own play.

use super::console::Console;
use super::error::{CliError, Status};
use super::options::GameArgs;
use super::progress::{Display, ProgressMode};
use super::signals::Signals;
use crate::board::GameSpec;
use crate::durable;
use crate::report::units;
use crate::search::eval::{Evaluation, Weights};
use crate::train::fit::{self, FitSettings};
use crate::train::play::PlaySettings;
use crate::train::{self, TrainError};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  obverse train --games 60000 --seed 1 --evaluation generic --data 1.games --out round1.bin
  obverse train --games 90000 --seed 2 --evaluation round1.bin --data 2.games --out 8x8.bin
  obverse train --game 6x6 --games 60000 --seed 1 --data 6x6.games --resume --out 6x6.bin
  obverse train --games 0 --seed 2 --data 2.games --resume --also 1.games --out both.bin

Games are played in blocks of 1000; a run that was stopped goes on with --resume. Every sixteenth
block is held out of the fit, and the table shows the errors on it, in discs. One thread is used.
The weights only choose what a search looks at first: no exact answer depends on them.";

/// Train the evaluation that orders moves
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Games to play
    #[arg(long, value_name = "N")]
    games: u64,
    /// Seed of all random choices
    #[arg(long, value_name = "S", default_value = "1")]
    seed: u64,
    /// The file of the games
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// Keep the games that FILE holds already, and go on from there
    #[arg(long)]
    resume: bool,
    /// More files of games to fit
    #[arg(long, value_name = "FILE")]
    also: Vec<PathBuf>,
    /// The weights to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// What chooses the moves of the games: carried, generic, or a file of weights
    #[arg(long, value_name = "WHICH", default_value = "carried")]
    evaluation: String,
    /// Plies of the look-ahead that chooses a move
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u32).range(1..=8))]
    depth: u32,
    /// Empties from which on a game is solved
    #[arg(long, value_name = "N", default_value = "12", value_parser = clap::value_parser!(u32).range(6..=20))]
    exact_empties: u32,
    /// Side lines of each game, which begin with random moves
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u32).range(0..=100))]
    branches: u32,
    /// Noise in the choice of moves, in sixteenths of a disc
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(i32).range(0..=1000))]
    noise: i32,
    /// Passes of the fit over the positions
    #[arg(long, value_name = "N", default_value = "12", value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// Share of an error that a step of the fit takes away at first
    #[arg(long, value_name = "R", default_value = "0.3")]
    rate: f32,
    /// Empties above and below a stage whose positions help to fit it
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u32).range(0..=60))]
    reach: u32,
    /// When to show progress on standard error
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    progress: ProgressMode,
}

impl From<TrainError> for CliError {
    fn from(error: TrainError) -> Self {
        Self::usage(error.to_string())
    }
}

/// Plays the games that are missing, fits the weights and writes them.
///
/// # Errors
/// When the game has no patterns, or a file cannot be read or written.
pub fn run(args: &Args, console: &Console) -> Result<Status, CliError> {
    let game = args.game.game;
    let start = Instant::now();
    if !(args.rate > 0.0 && args.rate <= 1.0) {
        return Err(CliError::usage("--rate must be above 0 and at most 1"));
    }
    let mut weights = train::blank(&game)?;
    let evaluation = evaluation(&args.evaluation, &game)?;
    let signals = Signals::install()
        .map_err(|error| CliError::usage(format!("cannot listen for signals: {error}")))?;
    let display = Display::new(args.progress, game.to_string(), game.max_score());
    let settings = PlaySettings {
        seed: args.seed,
        exact_empties: args.exact_empties,
        depth: args.depth,
        branches: args.branches,
        noise: args.noise,
    };
    let file = (args.data.as_path(), args.resume);
    let cancel = signals.cancel();
    let games = train::generate(&game, settings, evaluation, file, args.games, &cancel, |games| {
        display.show(start.elapsed(), || format!("{games} games"));
    })?;
    if let Some(signal) = signals.received() {
        drop(display);
        let path = args.data.display();
        console.notice(&format!("stopped after {games} games; --resume goes on from {path}"));
        return Ok(Status::Signal(signal));
    }
    let played = start.elapsed();
    let files: Vec<_> = [&args.data].into_iter().chain(&args.also).cloned().collect();
    let data = train::load(&game, &files)?;
    let settings =
        FitSettings { epochs: args.epochs, rate: args.rate, reach: args.reach, seed: args.seed };
    let stages = weights.limits().len();
    fit::fit(&mut weights, &data.fitted, settings, |done| {
        display.show(start.elapsed(), || format!("{done} of {stages} stages fitted"));
    });
    drop(display);
    let bytes = weights.to_bytes();
    durable::write_whole(&args.out, &bytes)
        .map_err(|error| CliError::usage(format!("{}: {error}", args.out.display())))?;
    let mut out = io::stdout().lock();
    write_errors(&mut out, &weights, &data)?;
    let fitting = start.elapsed() - played;
    writeln!(
        out,
        "{} bytes in {}; games {}, fit {}",
        units::count(bytes.len() as u128),
        args.out.display(),
        units::duration(played),
        units::duration(fitting)
    )?;
    Ok(Status::Done)
}

/// The evaluation that a name or a file stands for.
fn evaluation(name: &str, game: &GameSpec) -> Result<Evaluation, CliError> {
    match name {
        "carried" => Ok(Evaluation::of(game)),
        "generic" => Ok(Evaluation::Generic),
        file => {
            let fail = |error: &dyn std::fmt::Display| CliError::usage(format!("{file}: {error}"));
            let bytes = std::fs::read(file).map_err(|error| fail(&error))?;
            let weights = Weights::from_bytes(&bytes).map_err(|error| fail(&error))?;
            if weights.patterns().side() != game.width() {
                return Err(fail(&"weights for another board"));
            }
            Ok(Evaluation::Trained(Arc::new(weights)))
        }
    }
}

/// The errors on the positions that were fitted and on those held out, by number of empties.
fn write_errors(
    out: &mut impl Write,
    weights: &Weights,
    data: &train::Data,
) -> Result<(), CliError> {
    writeln!(out, "empties   fitted     rms    held out     rms    mean")?;
    let fitted = fit::errors(weights, &data.fitted);
    let held_out = fit::errors(weights, &data.held_out);
    for (empties, (fitted, held_out)) in fitted.iter().zip(&held_out).enumerate() {
        if held_out.count > 0 {
            writeln!(
                out,
                "{empties:>7} {:>8} {:>7.2}   {:>9} {:>7.2} {:>7.2}",
                fitted.count,
                fitted.rms(),
                held_out.count,
                held_out.rms(),
                held_out.mean()
            )?;
        }
    }
    Ok(())
}
