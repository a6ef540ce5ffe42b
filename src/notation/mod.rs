//! Text in and out: positions, annotated positions, transcripts. One file a format.
//! Depends on `board`.
//!
//! [`read`] streams the entries of a file, [`parse_entry`] reads one from an argument and
//! [`play_moves`] plays a transcript. What is accepted, and how it is told apart:
//!
//! | line | read by |
//! |---|---|
//! | `<squares> <side>`, then nothing, a score, or OBF fields (endgame scripts are such lines) | `board`, [`obf`] |
//! | `<squares> <side>;<moves>` | `board`, [`transcript`] |
//! | `f5d6...`, `1. F5 d6 2. ...` | [`transcript`] |
//! | `start`, `start;<moves>` | `line` |
//! | `{"id":...,"position":...}` | `object` |
//! | several lines a board, only on request | `diagram` |
//! | base-81, only on request | [`base81`] |
//!
//! Recorded games are read by [`read_games`] into [`GameRecord`]s: [`ggf`], [`wthor`], [`sgf`],
//! [`playok`]; `json_game` writes them as JSON lines, which `line` reads.
//!
//! To add a format of positions: one file here that turns its text into [`Entry`]s, one variant of
//! [`Format`] or one branch in `line` where a line of it can be recognised without a guess, one
//! table of cases in `tests/notation`. A format of games: one file with a reader into
//! [`GameRecord`]s and a `write`, one variant of [`GameFormat`], cases in `tests/formats`.

pub mod base81;
pub mod game;
pub mod ggf;
pub mod json_game;
pub mod obf;
pub mod playok;
pub mod sgf;
pub mod transcript;
pub mod wthor;

mod board;
mod diagram;
mod line;
mod lines;
mod object;
mod replay;
mod scan;
mod span;

use crate::board::{GameSpec, Move, Position, Setup};
use diagram::Diagrams;
use game::{Details, GameRecord, Ply};
use line::Content;
use lines::Lines;
use span::Problem;
use std::borrow::Cow;
use std::fmt;
use std::io::BufRead;

/// Where an input stands: a file, an argument or the standard input, and the line in it.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Location {
    /// File name as given, `-` for the standard input, or `arg1`, `arg2`, ... for an argument.
    pub source: String,
    /// Line, counted from 1; `None` for an argument.
    pub line: Option<usize>,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.source),
            None => f.write_str(&self.source),
        }
    }
}

/// One position to solve, with what the input says of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Where it stands.
    pub location: Location,
    /// The `id` of a JSON input object, given back in the answer.
    pub id: Option<serde_json::Value>,
    /// What was written (after the moves of a transcript, if there are any).
    pub setup: Setup,
    /// The same as a legal position. It alone knows of a voluntary pass that ends a transcript.
    pub position: Position,
    /// A score of the position itself, as written, the mover's view.
    pub score: Option<i32>,
    /// Scores of moves, as written; only legal moves.
    pub move_scores: Vec<(Move, i32)>,
    /// Where its moves begin, if it is a game; else the setup itself.
    pub from: Setup,
    /// The moves from there to the setup, the implied passes among them.
    pub plies: Vec<Ply>,
    /// What an object says of the game.
    pub details: Details,
    /// What is odd about the line but does not keep it from being solved.
    pub warnings: Vec<String>,
}

impl Entry {
    fn new(location: Location, id: Option<serde_json::Value>, content: Content) -> Self {
        let Content { from, plies, details, setup, position, score, move_scores, warnings } =
            content;
        Self { location, id, setup, position, score, move_scores, from, plies, details, warnings }
    }

    /// The game that ends with this position; one without moves if its line is a position.
    pub fn record(&self, game: &GameSpec) -> GameRecord {
        GameRecord {
            location: self.location.clone(),
            game: *game,
            start: self.from,
            plies: self.plies.clone(),
            details: self.details.clone(),
            warnings: self.warnings.clone(),
        }
    }
}

/// A line that is no position.
///
/// The kinds:
///
/// | kind | what is wrong |
/// |---|---|
/// | `io` | the input cannot be read any further |
/// | `too-long` | a line above the limit of 64 KiB |
/// | `not-utf8` | bytes that are no UTF-8 outside a comment |
/// | `non-ascii` | a character outside ASCII in a position or a transcript |
/// | `empty` | an argument without a position |
/// | `unrecognised` | neither a position, nor a transcript, nor an object |
/// | `several-lines` | an argument of several lines |
/// | `bad-square` | a character that is no square, or a disc on a hole |
/// | `bad-length` | too few or too many squares |
/// | `side-missing`, `bad-side` | no side to move, or something else in its place |
/// | `bad-supply` | `supply=` without two numbers |
/// | `bad-field` | something after the side that is no score, no annotation and no transcript |
/// | `bad-transcript` | text in a transcript that is no move |
/// | `illegal-move` | a move of a transcript that the rules do not allow |
/// | `bad-json` | an object that cannot be read or has no `position` |
/// | `other-game` | an object that names another game |
/// | `setup` | discs or supplies that do not fit the game |
/// | `bad-file` | a WTHOR file whose header and length do not fit |
/// | `bad-game` | a recorded game that cannot be read |
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputError {
    /// Where it stands.
    pub location: Location,
    /// Column, counted from 1 in characters, where one can be named.
    pub column: Option<usize>,
    /// A short stable name such as `bad-square`, for machines.
    pub kind: &'static str,
    /// What is wrong and what was expected.
    pub message: String,
}

impl InputError {
    fn new(location: Location, problem: Problem) -> Self {
        let Problem { line, column, kind, message } = problem;
        let location = Location { line: line.or(location.line), ..location };
        Self { location, column, kind, message }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.location)?;
        if let Some(column) = self.column {
            write!(f, ":{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for InputError {}

/// How an input is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// One entry a line; what it is, is recognised line by line.
    #[default]
    Lines,
    /// Boards drawn row by row, the side to move in the line after; never recognised unasked,
    /// because a row is also the start of a board that was cut short.
    Diagram,
    /// A base-81 position a line; never recognised unasked, because its characters are any.
    Base81,
}

/// A format of recorded games, read from the bytes of a whole file by [`read_games`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameFormat {
    /// GGF, the generic game format.
    Ggf,
    /// WTHOR `.wtb`.
    Wthor,
    /// SGF.
    Sgf,
    /// Numbered lists of moves and PGN-like files.
    Playok,
}

/// Reads the games of a file one by one. A bad game is an error in its place and the games after
/// it are still read.
///
/// `base` is the game in force: a file of another board or objective gives records of that game.
/// Text is UTF-8, or else Latin-1. `names` are those of a WTHOR file.
pub fn read_games(
    bytes: &[u8],
    source: &str,
    base: &GameSpec,
    format: GameFormat,
    names: &wthor::Names,
) -> Vec<Result<GameRecord, InputError>> {
    let text = || match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    };
    match format {
        GameFormat::Ggf => ggf::Games::new(&text(), source, base).collect(),
        GameFormat::Wthor => wthor::read(bytes, source, base, names).collect(),
        GameFormat::Sgf => sgf::Games::new(&text(), source, base).collect(),
        GameFormat::Playok => playok::Games::new(&text(), source, base).collect(),
    }
}

/// Streams the entries of an input, in order, each as soon as its line is there.
///
/// Transcripts play from `base`: the start, or what the user gave. Blank lines and comments are
/// skipped; a bad line is an error in its place and the lines after it are still read. The memory
/// used does not depend on the input.
pub fn read<R: BufRead>(
    reader: R,
    source: &str,
    game: &GameSpec,
    base: &Setup,
    format: Format,
) -> Entries<R> {
    Entries {
        lines: Lines::new(reader),
        source: source.to_owned(),
        game: *game,
        base: *base,
        format,
        diagrams: Diagrams::default(),
    }
}

/// The entries of an input; see [`read`].
#[derive(Debug)]
pub struct Entries<R> {
    lines: Lines<R>,
    source: String,
    game: GameSpec,
    base: Setup,
    format: Format,
    diagrams: Diagrams,
}

impl<R: BufRead> Iterator for Entries<R> {
    type Item = Result<Entry, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        let location = |line| Location { source: self.source.clone(), line: Some(line) };
        match self.format {
            Format::Lines | Format::Base81 => loop {
                let (number, text) = self.lines.next()?;
                let content = text.and_then(|text| match self.format {
                    Format::Base81 => Ok(base81::parse(&text, &self.game)?.map(|c| (None, c))),
                    _ => line::parse(&text, &self.game, &self.base),
                });
                match content {
                    Ok(None) => {}
                    Ok(Some((id, content))) => {
                        return Some(Ok(Entry::new(location(number), id, content)));
                    }
                    Err(problem) => return Some(Err(InputError::new(location(number), problem))),
                }
            },
            Format::Diagram => Some(match self.diagrams.next(&mut self.lines, &self.game)? {
                (number, Ok(content)) => Ok(Entry::new(location(number), None, content)),
                (number, Err(problem)) => Err(InputError::new(location(number), problem)),
            }),
        }
    }
}

/// Reads one entry from an argument: whatever could stand in a line of a file.
///
/// # Errors
/// When it is no entry, `empty` when there is nothing but blanks and comments.
pub fn parse_entry(
    text: &str,
    location: Location,
    game: &GameSpec,
    base: &Setup,
) -> Result<Entry, InputError> {
    let too_long = || Problem::new("too-long", lines::too_long_message());
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = if text.len() > lines::MAX_LINE { Err(too_long()) } else { Ok(text) };
    match text.and_then(|text| line::parse(text, game, base)) {
        Ok(Some((id, content))) => Ok(Entry::new(location, id, content)),
        Ok(None) => {
            let message = "a position, a transcript or an object is expected here".to_owned();
            Err(InputError::new(location, Problem::new("empty", message)))
        }
        Err(problem) => Err(InputError::new(location, problem)),
    }
}

/// Plays a transcript (the text of `--moves`) from a setup: the setup and the position after the
/// last move, and the moves played, the implied passes among them. No text plays no move.
///
/// # Errors
/// When the setup is no position of the game, the text no transcript, or a move not legal; the
/// location is `--moves`.
pub fn play_moves(
    game: &GameSpec,
    setup: &Setup,
    text: &str,
) -> Result<(Setup, Position, Vec<Move>), InputError> {
    transcript::play_text(game, setup, text)
        .map(|played| {
            let moves = played.plies.iter().map(|ply| ply.mv).collect();
            (played.setup, played.position, moves)
        })
        .map_err(|problem| {
            InputError::new(Location { source: "--moves".to_owned(), line: None }, problem)
        })
}
