//! `obverse solve`: exact scores, best moves and principal variations.

use super::console::Console;
use super::error::{CliError, Status};
use super::input::{InputArgs, Source};
use super::options::{EngineArgs, GameArgs, LimitArgs};
use super::progress::{Display, ProgressMode};
use super::signals::Signals;
use super::table::SolvedTable;
use super::values;
use crate::board::GameSpec;
use crate::notation::{Entry, InputError};
use crate::report::json::{self, ErrorRecord, SolveRecord};
use crate::report::table::Table;
use crate::report::{Answer, diagram};
use crate::search::{Cancel, Solver, SolverOptions, StopReason, Task};
use std::io::{self, Write};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  obverse solve data/positions/ffo-40-44.obf
  obverse solve --all-moves --show positions.txt
  obverse solve --game 4x4 start
  obverse solve --game 6x6 --moves d5c5 --time-limit 10m
  obverse solve --wld --threads 1 \"XXXXXXXX...OO- X\"
  tail -f positions.txt | obverse solve - --json

Scores are discs from the view of the side to move. A limit counts for each position anew; what is
proved when it is reached is given as bounds.";

/// Solve positions: exact score, best move, principal variation
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    game: GameArgs,
    /// Give the score of every legal move
    #[arg(long)]
    all_moves: bool,
    /// Ask only for win, draw or loss; the same as --window -1:1
    #[arg(long, conflicts_with = "window")]
    wld: bool,
    /// Give the score exactly if A < score < B, else that it is at most A or at least B
    #[arg(long, value_name = "A:B", value_parser = values::window, allow_hyphen_values = true)]
    window: Option<(i32, i32)>,
    /// Draw each board
    #[arg(long, conflicts_with = "json")]
    show: bool,
    /// Write one JSON object a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: EngineArgs,
    /// Read the answers from the table of a strongly solved game where it has them
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    /// When to show progress on standard error
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    progress: ProgressMode,
}

/// Solves every input in order.
///
/// # Errors
/// When the options are wrong, the solver cannot be built, or the output cannot be written. What
/// is wrong with single inputs is reported on the way.
pub fn run(args: &Args, console: &Console) -> Result<Status, CliError> {
    let game = args.game.game;
    let sources = args.input.sources(&game)?;
    let options = args.engine.solver_options()?;
    let solver = Solver::new(&game, &options)?;
    let solved_table = match &args.table {
        Some(path) => match SolvedTable::open_for(path, &game, console)? {
            Ok(table) => Some(table),
            Err(status) => return Ok(status),
        },
        None => None,
    };
    let signals = Signals::install()
        .map_err(|error| CliError::usage(format!("cannot listen for signals: {error}")))?;
    let width = sources.iter().map(Source::label_width).max().unwrap_or(0);
    let mut session = Session {
        args,
        console,
        game,
        options,
        solver,
        solved_table,
        cancel: signals.cancel(),
        table: Table::new(&game, console.out, width),
        solved: 0,
        status: Status::Done,
    };
    for source in sources {
        let label = source.label();
        let mut anything = false;
        let mut entries = args.input.entries(source, &game, &signals);
        for item in entries.by_ref() {
            if signals.received().is_some() {
                break;
            }
            anything = true;
            match item {
                Ok(entry) => session.solve(&entry)?,
                Err(error) => session.reject(&error)?,
            }
        }
        if let Some(number) = signals.received() {
            session.status = Status::Signal(number);
            break;
        }
        match entries.without() {
            0 if anything => {}
            0 => console.notice(&format!("no position in {label}")),
            1 => console.notice(&format!("1 game of {label} has no position with so few empties")),
            n => console.notice(&format!("{n} games of {label} have none with so few empties")),
        }
    }
    session.finish()
}

/// One run: what stays the same from position to position, and what adds up.
struct Session<'a> {
    args: &'a Args,
    console: &'a Console,
    game: GameSpec,
    options: SolverOptions,
    solver: Solver,
    solved_table: Option<SolvedTable>,
    cancel: Cancel,
    table: Table,
    solved: u64,
    status: Status,
}

impl Session<'_> {
    fn solve(&mut self, entry: &Entry) -> Result<(), CliError> {
        for warning in &entry.warnings {
            self.console.warning(&format!("{}: {warning}", entry.location));
        }
        let task = Task {
            position: entry.position,
            window: if self.args.wld { Some((-1, 1)) } else { self.args.window },
            all_moves: self.args.all_moves,
            time_limit: self.args.limits.time_limit,
            node_limit: self.args.limits.node_limit,
        };
        let from_table = match &self.solved_table {
            Some(table) => table.answer(&task)?,
            None => None,
        };
        let table = self.solved_table.as_ref().filter(|_| from_table.is_some());
        let solution = if let Some(solution) = from_table {
            solution
        } else {
            let label = entry.location.to_string();
            let display = Display::new(self.args.progress, label, self.game.max_score());
            self.solver.solve(&task, &self.cancel, &display)
        };
        let answer = Answer {
            game: &self.game,
            entry,
            task: &task,
            options: &self.options,
            solution: &solution,
            wld: self.args.wld,
            table: table.map(SolvedTable::name),
        };
        let differs = answer.expected().is_some() && answer.agrees() == Some(false);
        if differs {
            self.status = self.status.max(Status::Differs);
        }
        if matches!(solution.stopped, Some(StopReason::Time | StopReason::Nodes)) {
            self.status = self.status.max(Status::Limit);
        }
        self.solved += 1;
        let mut out = io::stdout().lock();
        if self.args.json {
            json::write_line(&mut out, &SolveRecord::new(&answer))?;
        } else {
            if self.solved == 1 {
                self.table.head(&mut out, &self.options)?;
            }
            if self.args.show {
                write!(out, "\n{}", diagram::draw(&self.game, &entry.setup))?;
            }
            self.table.row(&mut out, &answer)?;
        }
        Ok(out.flush()?)
    }

    fn reject(&mut self, error: &InputError) -> Result<(), CliError> {
        self.status = self.status.max(Status::Input);
        self.console.error(&error.to_string());
        if self.args.json {
            let mut out = io::stdout().lock();
            json::write_line(&mut out, &ErrorRecord::new(error))?;
            out.flush()?;
        }
        Ok(())
    }

    fn finish(self) -> Result<Status, CliError> {
        if !self.args.json && self.solved > 0 {
            let mut out = io::stdout().lock();
            self.table.foot(&mut out)?;
            out.flush()?;
        }
        Ok(self.status)
    }
}
