//! `obverse table probe`: the scores of positions, read from a table.

use super::solved::SolvedTable;
use crate::board::GameSpec;
use crate::cli::console::Console;
use crate::cli::error::{CliError, Status};
use crate::cli::input::InputArgs;
use crate::cli::signals::Signals;
use crate::kernel::Level;
use crate::notation::{Entry, InputError};
use crate::report::json::{self, ErrorRecord, SolveRecord};
use crate::report::style::Tone;
use crate::report::{Answer, units};
use crate::search::{Solution, SolverOptions, Task};
use std::io::{self, Write};
use std::path::PathBuf;

/// Look up positions: score, the score of every move, best line
#[derive(clap::Args)]
pub struct Args {
    /// The table
    #[arg(value_name = "FILE")]
    table: PathBuf,
    #[command(flatten)]
    input: InputArgs,
    /// Write one JSON object a line, with the fields of solve
    #[arg(long)]
    json: bool,
}

/// Looks up every input in order.
///
/// # Errors
/// When the options are wrong, the table is damaged, or the output cannot be written.
pub fn run(args: &Args, console: &Console) -> Result<Status, CliError> {
    let table = match SolvedTable::open(&args.table, console) {
        Ok(table) => table,
        Err(status) => return Ok(status),
    };
    let game = *table.table().game();
    let sources = args.input.sources(&game)?;
    let signals = Signals::install()
        .map_err(|error| CliError::usage(format!("cannot listen for signals: {error}")))?;
    let mut session = Session { args, console, game, table, answered: 0, status: Status::Done };
    for source in sources {
        let label = source.label();
        let mut anything = false;
        for item in args.input.entries(source, &game, &signals) {
            if let Some(number) = signals.received() {
                return Ok(Status::Signal(number));
            }
            anything = true;
            match item {
                Ok(entry) => session.look_up(&entry)?,
                Err(error) => session.reject(&error)?,
            }
        }
        if let Some(number) = signals.received() {
            return Ok(Status::Signal(number));
        }
        if !anything {
            console.notice(&format!("no position in {label}"));
        }
    }
    Ok(session.status)
}

struct Session<'a> {
    args: &'a Args,
    console: &'a Console,
    game: GameSpec,
    table: SolvedTable,
    answered: u64,
    status: Status,
}

impl Session<'_> {
    fn look_up(&mut self, entry: &Entry) -> Result<(), CliError> {
        for warning in &entry.warnings {
            self.console.warning(&format!("{}: {warning}", entry.location));
        }
        let task = Task {
            position: entry.position,
            window: None,
            all_moves: true,
            time_limit: None,
            node_limit: None,
        };
        let Some(solution) = self.table.answer(&task)? else {
            let message = format!(
                "not reachable from this start ({}, up to symmetry and exchange of the colours)",
                self.game
            );
            let location = entry.location.clone();
            let kind = "unreachable";
            return self.reject(&InputError { location, column: None, kind, message });
        };
        // Nothing is searched; the record says so.
        let options = SolverOptions { threads: 1, hash_bytes: 0, kernel: Level::detect() };
        let answer = Answer {
            game: &self.game,
            entry,
            task: &task,
            options: &options,
            solution: &solution,
            wld: false,
            table: Some(self.table.name()),
        };
        if answer.expected().is_some() && answer.agrees() == Some(false) {
            self.status = self.status.max(Status::Differs);
        }
        self.answered += 1;
        let mut out = io::stdout().lock();
        if self.args.json {
            json::write_line(&mut out, &SolveRecord::new(&answer))?;
        } else {
            self.write(&mut out, &answer, &solution)?;
        }
        Ok(out.flush()?)
    }

    fn write(
        &self,
        out: &mut dyn Write,
        answer: &Answer<'_>,
        solution: &Solution,
    ) -> io::Result<()> {
        if self.answered == 1 {
            let head = format!(
                "{}, score in discs for the side to move, {}; from {}",
                self.game,
                self.game.score_rule(),
                self.table.name()
            );
            writeln!(out, "{}", self.console.out.paint(Tone::Strong, &head))?;
        }
        let line: Vec<_> = solution.pv.iter().map(ToString::to_string).collect();
        let line = if line.is_empty() { "(the game is over)".to_owned() } else { line.join(" ") };
        write!(out, "{}  {}", answer.entry.location, units::score(solution.bounds.lower))?;
        if let Some(expected) = answer.expected() {
            write!(out, "  input {}", units::score(expected))?;
            if answer.agrees() == Some(false) {
                write!(out, " {}", self.console.out.paint(Tone::Bad, "differs"))?;
            }
        }
        writeln!(out, "  {line}")?;
        for scored in &solution.moves {
            writeln!(out, "{:>8}  {}", units::score(scored.bounds.lower), scored.mv)?;
        }
        Ok(())
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
}
