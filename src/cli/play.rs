//! `obverse play`: plays the proving side of a certificate, from the certificate alone.

use super::console::Console;
use super::error::{CliError, Status};
use super::options::EngineArgs;
use super::signals::Signals;
use super::stdin::Stdin;
use crate::board::{Color, Move, Position};
use crate::proof::{Advice, Certificate, Strategy};
use crate::search::{Solver, Task};
use clap::ValueEnum;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;

const HELP: &str = "\
One line a turn, `f5` or `pass`, in both directions: this program writes its moves to the standard
output and reads the other side's from the standard input. At the end of the game it writes
`score N`, the score in discs of the side to move at the root of the certificate. A move that is
not legal is answered with `illegal ...`, and another one is read.

The certificate is not checked here; obverse-check does that.";

/// Play the proving side of a certificate against moves from the standard input
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// The certificate
    #[arg(long, value_name = "FILE")]
    proof: PathBuf,
    /// The side to play, where the certificate proves something for both [default: X]
    #[arg(long, value_enum, value_name = "SIDE")]
    side: Option<Side>,
    #[command(flatten)]
    engine: EngineArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    /// Black
    #[value(name = "X", alias = "x", alias = "black")]
    Black,
    /// White
    #[value(name = "O", alias = "o", alias = "white")]
    White,
}

/// Plays one game.
///
/// # Errors
/// When the certificate cannot be read, has nothing for the side, or the output is gone.
pub fn run(args: &Args, console: &Console) -> Result<Status, CliError> {
    let name = args.proof.display();
    let usage = |error: &dyn std::fmt::Display| CliError::usage(format!("{name}: {error}"));
    let bytes = std::fs::read(&args.proof).map_err(|error| usage(&error))?;
    let certificate = Certificate::from_bytes(&bytes).map_err(|error| usage(&error))?;
    let subject = certificate.subject;
    let proves = |strategy: &Strategy| match strategy.part.mover_proves {
        true => subject.setup.side,
        false => !subject.setup.side,
    };
    let side = args.side.map(|side| match side {
        Side::Black => Color::Black,
        Side::White => Color::White,
    });
    let strategies = Strategy::read(&certificate);
    let strategy = match side {
        None => strategies.into_iter().min_by_key(|strategy| proves(strategy) != Color::Black),
        Some(side) => strategies.into_iter().find(|strategy| proves(strategy) == side),
    };
    let strategy = strategy.ok_or_else(|| usage(&"nothing is proved for that side"))?;
    let solver = Solver::new(&subject.game, &args.engine.solver_options()?)?;
    let signals = Signals::install()
        .map_err(|error| CliError::usage(format!("cannot listen for signals: {error}")))?;
    let (us, target) = (proves(&strategy), strategy.part.target);
    console.notice(&format!("playing {us}, who gets at least {target:+}"));
    let mut game = Game { strategy, solver, signals, position: subject.position };
    game.play(subject.setup.side == us)
}

struct Game {
    strategy: Strategy,
    solver: Solver,
    signals: Signals,
    position: Position,
}

impl Game {
    /// Plays to the end, or until the input ends.
    fn play(&mut self, mut our_turn: bool) -> Result<Status, CliError> {
        let rules = *self.solver.game();
        let mut input = BufReader::new(Stdin::new(&self.signals)).lines();
        let mut root_to_move = true;
        while !self.position.is_over(&rules) {
            let mv = if our_turn {
                let mv = self.our_move();
                if let Some(number) = self.signals.received() {
                    return Ok(Status::Signal(number));
                }
                let mv =
                    mv.ok_or_else(|| CliError::usage("the certificate does not cover this"))?;
                say(&mv.to_string())?;
                mv
            } else {
                match input.next().transpose().map_err(|e| CliError::usage(e.to_string()))? {
                    None => {
                        return Ok(self.signals.received().map_or(Status::Done, Status::Signal));
                    }
                    Some(line) => match turn(line.trim()) {
                        Some(mv) if self.position.play(&rules, mv).is_some() => mv,
                        _ => {
                            let moves = self.position.moves(&rules);
                            let moves: Vec<_> = moves.iter().map(Move::to_string).collect();
                            say(&format!("illegal; legal are {}", moves.join(" ")))?;
                            continue;
                        }
                    },
                }
            };
            if let Some(next) = self.position.play(&rules, mv) {
                self.position = next;
                our_turn = !our_turn;
                root_to_move = !root_to_move;
            }
        }
        let score = self.position.final_score(&rules);
        say(&format!("score {}", if root_to_move { score } else { -score }))?;
        Ok(Status::Done)
    }

    /// The move of the certificate, or below its last positions the best one.
    fn our_move(&mut self) -> Option<Move> {
        match self.strategy.advice(&self.position) {
            Advice::Play(mv) => Some(mv),
            Advice::Unknown => None,
            Advice::Search => {
                let task = Task {
                    position: self.position,
                    window: None,
                    all_moves: false,
                    time_limit: None,
                    node_limit: None,
                };
                self.solver.solve(&task, &self.signals.cancel(), &()).best
            }
        }
    }
}

/// Reads a turn as it is printed.
fn turn(text: &str) -> Option<Move> {
    if text.eq_ignore_ascii_case("pass") {
        return Some(Move::Pass);
    }
    text.parse().ok().map(Move::Place)
}

fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
