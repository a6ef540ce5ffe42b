//! The positions to solve: what each argument is, and the entries behind it.

use super::error::CliError;
use super::signals::Signals;
use super::stdin::Stdin;
use crate::board::{GameSpec, Setup};
use crate::notation::{self, Entry, Format, InputError, Location};
use clap::ValueEnum;
use std::ffi::OsString;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Room in the table for `:` and the number of a line.
const LINE_WIDTH: usize = 4;

/// Longest part of an argument that a message repeats, in characters.
const MAX_ECHO: usize = 40;

/// Positions on the command line.
#[derive(clap::Args)]
pub struct InputArgs {
    /// What to solve: - (standard input), start, a file, a position or a transcript
    ///
    /// An argument is the first of these that it can be. A position is written square by square, a1
    /// to h1 first (X Black, O White, - empty), then the side to move; it needs quotes. A
    /// transcript is a game's moves, such as f5d6c3.
    #[arg(value_name = "POSITION|FILE|-")]
    inputs: Vec<OsString>,
    /// Moves to play first, from the start or from the position given
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// How files and the standard input are laid out
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "lines")]
    format: FormatArg,
}

/// How an input is laid out.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatArg {
    /// A position or a transcript a line
    Lines,
    /// Boards drawn row by row, the side to move in the line after
    Diagram,
}

impl From<FormatArg> for Format {
    fn from(format: FormatArg) -> Self {
        match format {
            FormatArg::Lines => Self::Lines,
            FormatArg::Diagram => Self::Diagram,
        }
    }
}

/// Puts a blank before a board whose first square is empty (`-`), so that it is not taken for an
/// option; [`recognise`] takes the blank away again. Other arguments stay as they are.
pub fn shield_board(argument: OsString) -> OsString {
    // The smallest board has 9 squares; no option begins with 9 of these letters.
    const SQUARES: &[u8] = b"-.XxBb*OoWw0#";
    let bytes = argument.as_encoded_bytes();
    let squares = bytes.iter().filter(|byte| !byte.is_ascii_whitespace()).take(9);
    let board = squares.clone().count() == 9 && squares.clone().all(|byte| SQUARES.contains(byte));
    if !(board && bytes.starts_with(b"-")) {
        return argument;
    }
    let mut shielded = OsString::from(" ");
    shielded.push(argument);
    shielded
}

/// What an argument turned out to be.
pub enum Source {
    /// The standard input.
    Stdin,
    /// A file that exists.
    File {
        /// Where.
        path: PathBuf,
        /// Its name in reports.
        name: String,
    },
    /// A position or a transcript, read; or why it is neither.
    Argument(Box<Result<Entry, InputError>>),
}

impl InputArgs {
    /// What the arguments are, in their order.
    ///
    /// # Errors
    /// When there is nothing to solve, or `--moves` has no single position to start from.
    pub fn sources(&self, game: &GameSpec) -> Result<Vec<Source>, CliError> {
        if let Some(moves) = &self.moves {
            return Ok(vec![self.after_moves(game, moves)?]);
        }
        if self.inputs.is_empty() {
            return Err(CliError::usage(
                "nothing to solve: give a file, a position, - for the standard input, or start; \
                 'obverse solve --help' has examples",
            ));
        }
        let base = Setup::start(game);
        let source = |(i, argument)| recognise(game, &base, argument, i + 1);
        Ok(self.inputs.iter().enumerate().map(source).collect())
    }

    /// The single position that `--moves` leads to.
    fn after_moves(&self, game: &GameSpec, moves: &str) -> Result<Source, CliError> {
        let one = || CliError::usage("--moves goes with one position or start, not with files");
        let base = Setup::start(game);
        let entry = match self.inputs.as_slice() {
            [] => entry(game, None, Some(moves))?,
            [argument] => match recognise(game, &base, argument, 1) {
                Source::Argument(parsed) => play(game, (*parsed)?, moves)?,
                Source::Stdin | Source::File { .. } => return Err(one()),
            },
            _ => return Err(one()),
        };
        Ok(Source::Argument(Box::new(Ok(entry))))
    }

    /// How files and the standard input are laid out.
    pub fn format(&self) -> Format {
        self.format.into()
    }
}

/// A position (the start by default) after some moves (none by default).
///
/// # Errors
/// When it is no position, or the moves cannot be played.
pub fn entry(
    game: &GameSpec,
    position: Option<&str>,
    moves: Option<&str>,
) -> Result<Entry, CliError> {
    let base = Setup::start(game);
    let location = Location { source: "arg1".to_owned(), line: None };
    let entry = notation::parse_entry(position.unwrap_or("start"), location, game, &base)?;
    match moves {
        Some(moves) => play(game, entry, moves),
        None => Ok(entry),
    }
}

/// The position after more moves; what the input said of the position before does not hold for it.
fn play(game: &GameSpec, entry: Entry, moves: &str) -> Result<Entry, CliError> {
    let (setup, position, _) = notation::play_moves(game, &entry.setup, moves)?;
    Ok(Entry { setup, position, score: None, move_scores: Vec::new(), ..entry })
}

/// Finds out what an argument is, in the order of the help.
fn recognise(game: &GameSpec, base: &Setup, argument: &OsString, number: usize) -> Source {
    let text = argument.to_string_lossy();
    let text = text.strip_prefix(' ').filter(|text| text.starts_with('-')).unwrap_or(&text);
    let path = Path::new(argument);
    if text == "-" {
        return Source::Stdin;
    }
    if text != "start" && path.exists() {
        return Source::File { path: path.to_owned(), name: text.to_owned() };
    }
    let location = Location { source: format!("arg{number}"), line: None };
    let parsed = notation::parse_entry(text, location, game, base);
    Source::Argument(Box::new(parsed.map_err(|error| explain(error, text))))
}

/// Names what was tried for an argument that is nothing.
fn explain(error: InputError, text: &str) -> InputError {
    // A game with an illegal move was recognised, and so was a board with too many discs.
    if matches!(error.kind, "illegal-move" | "setup") {
        return error;
    }
    let mut echo: String = text.chars().take(MAX_ECHO).collect();
    if echo.len() < text.len() {
        echo += "...";
    }
    let message = format!(
        "'{}' is no existing file, nor a position, nor a transcript: {}",
        echo.escape_debug(),
        error.message
    );
    InputError { message, ..error }
}

impl Source {
    /// Its name in messages.
    pub fn label(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File { name, .. } => name.clone(),
            Self::Argument(parsed) => match parsed.as_ref() {
                Ok(entry) => entry.location.to_string(),
                Err(error) => error.location.to_string(),
            },
        }
    }

    /// The usual width of a location in it, in characters.
    pub fn label_width(&self) -> usize {
        let lines = if matches!(self, Self::Argument(_)) { 0 } else { LINE_WIDTH };
        self.label().chars().count() + lines
    }

    /// Its entries, each as soon as it can be read.
    pub fn entries(
        self,
        game: &GameSpec,
        format: Format,
        signals: &Signals,
    ) -> Box<dyn Iterator<Item = Result<Entry, InputError>>> {
        let base = Setup::start(game);
        match self {
            Self::Stdin => {
                let reader = BufReader::new(Stdin::new(signals));
                Box::new(notation::read(reader, "-", game, &base, format))
            }
            Self::File { path, name } => match open(&path) {
                Ok(file) => {
                    let reader = BufReader::new(file);
                    Box::new(notation::read(reader, &name, game, &base, format))
                }
                Err(reason) => {
                    let location = Location { source: name, line: None };
                    let message = format!("cannot be read: {reason}");
                    let error = InputError { location, column: None, kind: "io", message };
                    Box::new(std::iter::once(Err(error)))
                }
            },
            Self::Argument(parsed) => Box::new(std::iter::once(*parsed)),
        }
    }
}

/// Opens a file; a folder opens too but cannot be read, which is better said at once.
fn open(path: &Path) -> Result<File, String> {
    if path.is_dir() {
        return Err("it is a folder; name the files in it".to_owned());
    }
    File::open(path).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_boards_are_shielded() {
        for (argument, shielded) in [
            ("-OX-X-O-- X", " -OX-X-O-- X"),
            ("---------X", " ---------X"),
            ("-", "-"),
            ("--window", "--window"),
            ("--moves=f5d6c3d3", "--moves=f5d6c3d3"),
            ("XO-XO-XO- X", "XO-XO-XO- X"),
        ] {
            assert_eq!(shield_board(argument.into()), shielded);
        }
    }
}
