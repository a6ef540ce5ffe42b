//! `obverse prove`: a certificate of the value of a position, for `obverse-check`.

use super::console::Console;
use super::error::{CliError, Status};
use super::input;
use super::options::{EngineArgs, GameArgs};
use super::progress::{Display, ProgressMode};
use super::signals::Signals;
use crate::durable;
use crate::proof::{Certified, CertifyOptions, Claim, Journal, ProofError, Size, Subject, certify};
use crate::report::prove::ProveRecord;
use crate::report::{json, units};
use crate::search::{Solver, StopReason};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  obverse prove --game 4x4 -o 4x4.cert
  obverse prove --game 6x6 --claim '=-4' --leaf-empties 16 --resume 6x6.journal -o 6x6.cert
  obverse-check 4x4.cert

The claim is about the score of the side to move. Without --claim the position is solved and its
exact score is claimed. A false claim ends with exit code 3 and the bound that refutes it.";

/// Prove the value of a position, in a file that obverse-check verifies
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The position [default: the start of the game]
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// Moves to play first
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// What to prove of the score of the side to move: '>=V', '<=V' or '=V'
    #[arg(long, value_name = "CLAIM", allow_hyphen_values = true)]
    claim: Option<Claim>,
    /// Leave positions with at most K empties to the checker: a smaller file, a longer check
    #[arg(long, value_name = "K", default_value = "10", value_parser = clap::value_parser!(u32).range(0..=64))]
    leaf_empties: u32,
    /// Keep answers in FILE, and go on from those that are there
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// The certificate to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: EngineArgs,
    /// When to show progress on standard error
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    progress: ProgressMode,
}

/// Proves a claim and writes the certificate.
///
/// # Errors
/// When the input is wrong or a file cannot be read or written.
pub fn run(args: &Args, console: &Console) -> Result<Status, CliError> {
    let start = Instant::now();
    let game = args.game.game;
    let entry = input::entry(&game, args.position.as_deref(), args.moves.as_deref())?;
    let subject = Subject::new(&game, &entry.setup)
        .map_err(|error| CliError::usage(format!("{}: {error}", entry.location)))?;
    if subject.position != entry.position {
        let message = "a voluntary pass just made cannot be written down; prove the position \
                       before the pass or after the next move";
        return Err(CliError::usage(message));
    }
    check_folder(&args.output)?;
    let options = args.engine.solver_options()?;
    let mut solver = Solver::new(&game, &options)?;
    let journal = args.resume.as_deref().map(|path| {
        Journal::open(path, &game).map_err(|e| CliError::usage(format!("{}: {e}", path.display())))
    });
    let journal = journal.transpose()?;
    if let (Some(journal), Some(path)) = (&journal, &args.resume) {
        let (count, path) = (units::count(journal.len() as u128), path.display());
        console.notice(&format!("{count} answers known from {path}"));
    }
    let signals = Signals::install()
        .map_err(|error| CliError::usage(format!("cannot listen for signals: {error}")))?;
    let display = Display::new(args.progress, game.to_string(), game.max_score());
    let proved = certify(
        &subject,
        args.claim,
        CertifyOptions { leaf_empties: args.leaf_empties, journal },
        &mut solver,
        &signals.cancel(),
        &display,
        &mut |size| display.show(start.elapsed(), || walk_text(size)),
    );
    drop(display);
    let record = ProveRecord::new(&subject, &options, start.elapsed());
    match proved {
        Ok(certified) => {
            let bytes = certified.certificate.to_bytes();
            durable::write_whole(&args.output, &bytes)
                .map_err(|error| CliError::usage(format!("{}: {error}", args.output.display())))?;
            report(args, &certified, record.proved(&certified, bytes.len()), start)?;
            Ok(Status::Done)
        }
        Err(error) => {
            if args.json {
                let mut out = io::stdout().lock();
                json::write_line(&mut out, &record.failed(&error))?;
                out.flush()?;
            }
            if let ProofError::Contradiction(_) | ProofError::Journal(_) = error {
                return Err(CliError::usage(error.to_string()));
            }
            console.error(&error.to_string());
            Ok(match error {
                ProofError::Stopped(StopReason::Signal, _) => {
                    signals.received().map_or(Status::Limit, Status::Signal)
                }
                ProofError::Stopped(..) => Status::Limit,
                _ => Status::Refuted,
            })
        }
    }
}

/// Hours of work should not end at a folder that is not there.
fn check_folder(path: &Path) -> Result<(), CliError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if path.is_dir() || folder.is_some_and(|folder| !folder.is_dir()) {
        let path = path.display();
        return Err(CliError::usage(format!("{path}: name a file in a folder that exists")));
    }
    Ok(())
}

fn walk_text(size: &Size) -> String {
    let [positions, leaves] = [size.positions, size.leaves].map(|n| units::count(u128::from(n)));
    format!("writing the proof: {positions} positions, {leaves} left to the checker")
}

fn report(
    args: &Args,
    certified: &Certified,
    record: impl serde::Serialize,
    start: Instant,
) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    if args.json {
        json::write_line(&mut out, &record)?;
        return Ok(out.flush()?);
    }
    let Certified { certificate, size, nodes, .. } = certified;
    let bytes = units::count(certificate.to_bytes().len() as u128);
    let [positions, leaves, nodes] =
        [size.positions, size.leaves, *nodes].map(|n| units::count(u128::from(n)));
    writeln!(out, "{}", certificate.subject.text(certificate.claim))?;
    writeln!(out, "proved in {} with {nodes} nodes", units::duration(start.elapsed()))?;
    writeln!(
        out,
        "{}: {bytes} bytes, {positions} positions, {leaves} of them with at most {} empties left \
         to the checker",
        args.output.display(),
        args.leaf_empties,
    )?;
    Ok(out.flush()?)
}
