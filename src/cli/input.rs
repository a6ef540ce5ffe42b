//! The positions to solve: what each argument is, and the entries behind it.

use super::error::CliError;
use super::signals::Signals;
use super::stdin::Stdin;
use crate::board::{GameSpec, Setup};
use crate::notation::game::{GameRecord, Moment, Ply};
use crate::notation::wthor::Names;
use crate::notation::{self, Entry, Format, GameFormat, InputError, Location};
use clap::ValueEnum;
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Room in the table for `:` and the number of a line.
const LINE_WIDTH: usize = 4;

/// Longest part of an argument that a message repeats, in characters.
const MAX_ECHO: usize = 40;

/// The longest file of games that is read, in bytes: all WTHOR years together take 10 million.
const MAX_FILE: u64 = 1 << 30;

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
    /// How files and the standard input are laid out [default: by the file's ending, else lines]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<FormatArg>,
    /// Of each game, take the position with this many empties instead of the last one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=64))]
    at_empties: Option<u32>,
    /// Of each game, take every position (from --at-empties on, if it is given)
    #[arg(long)]
    every: bool,
}

/// How an input is laid out.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum FormatArg {
    /// A position, a transcript or a JSON object a line (.obf, .scr, .txt, .jsonl and others)
    Lines,
    /// Boards drawn row by row, the side to move in the line after
    Diagram,
    /// Base-81 positions, one a line (.b81)
    Base81,
    /// GGF games (.ggf)
    Ggf,
    /// A WTHOR archive of games (.wtb)
    Wthor,
    /// SGF games (.sgf)
    Sgf,
    /// Numbered lists of moves, PGN-like files (.pgn)
    Playok,
}

/// What a format holds.
enum Layout {
    Positions(Format),
    Games(GameFormat),
}

impl FormatArg {
    fn layout(self) -> Layout {
        match self {
            Self::Lines => Layout::Positions(Format::Lines),
            Self::Diagram => Layout::Positions(Format::Diagram),
            Self::Base81 => Layout::Positions(Format::Base81),
            Self::Ggf => Layout::Games(GameFormat::Ggf),
            Self::Wthor => Layout::Games(GameFormat::Wthor),
            Self::Sgf => Layout::Games(GameFormat::Sgf),
            Self::Playok => Layout::Games(GameFormat::Playok),
        }
    }

    /// The format that the ending of a file name stands for.
    fn of_path(path: &Path) -> Self {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        match ending.as_str() {
            "ggf" => Self::Ggf,
            "wtb" => Self::Wthor,
            "sgf" => Self::Sgf,
            "pgn" => Self::Playok,
            "b81" => Self::Base81,
            _ => Self::Lines,
        }
    }
}

/// One thing read: a game, or a position, which is a game without moves.
pub struct Item {
    /// The game with what the file says of it.
    pub record: GameRecord,
    /// Its last position, with the scores of the input.
    pub entry: Entry,
}

type Items = Box<dyn Iterator<Item = Result<Item, InputError>>>;

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

    /// The games and positions of a source, each as soon as it can be read.
    pub fn items(
        &self,
        source: Source,
        game: &GameSpec,
        names: &Names,
        signals: &Signals,
    ) -> Items {
        match source {
            Source::Stdin => {
                let reader = BufReader::new(Stdin::new(signals));
                let format = self.format.unwrap_or(FormatArg::Lines);
                read(reader, "-", format.layout(), game, names)
            }
            Source::File { path, name } => {
                let format = self.format.unwrap_or_else(|| FormatArg::of_path(&path));
                match open(&path) {
                    Ok(file) => read(BufReader::new(file), &name, format.layout(), game, names),
                    Err(reason) => unreadable(&name, reason),
                }
            }
            Source::Argument(parsed) => {
                let game = *game;
                Box::new(std::iter::once(parsed.map(|entry| item(&game, entry))))
            }
        }
    }

    /// The positions of a source that the options pick, each as soon as it can be read.
    pub fn entries(&self, source: Source, game: &GameSpec, signals: &Signals) -> Entries {
        let names = Names::default();
        let items = self.items(source, game, &names, signals);
        let (pick, game) = (self.pick(), *game);
        Entries { items, game, pick, waiting: Vec::new().into_iter(), without: 0 }
    }

    /// Which positions of a game are wanted.
    pub fn pick(&self) -> Pick {
        match (self.at_empties, self.every) {
            (None, false) => Pick::Last,
            (Some(empties), false) => Pick::At(empties),
            (empties, true) => Pick::From(empties.unwrap_or(u32::MAX)),
        }
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
    let (setup, position, played) = notation::play_moves(game, &entry.setup, moves)?;
    let mut plies = entry.plies;
    plies.extend(played.into_iter().map(Ply::from));
    Ok(Entry { setup, position, score: None, move_scores: Vec::new(), plies, ..entry })
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
}

/// Which positions of a game are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pick {
    /// The last one.
    Last,
    /// The one with this many empties.
    At(u32),
    /// Every one with at most this many empties.
    From(u32),
}

impl Pick {
    /// The wanted positions of what was read; a position by itself is always wanted.
    pub fn entries(self, item: Item) -> Vec<Entry> {
        let Item { record, entry } = item;
        if self == Self::Last || record.plies.is_empty() {
            return vec![entry];
        }
        let empties = |moment: &Moment| moment.position.empties(&record.game).len();
        let moments: Vec<Moment> = match self {
            Self::Last => Vec::new(),
            Self::At(wanted) => record.at_empties(wanted).into_iter().collect(),
            Self::From(most) => {
                record.moments().into_iter().filter(|moment| empties(moment) <= most).collect()
            }
        };
        let mut entries: Vec<Entry> = moments.iter().map(|moment| record.entry(moment)).collect();
        if let Some(first) = entries.first_mut() {
            first.warnings = record.warnings;
        }
        entries
    }
}

/// The picked positions of a source; see [`InputArgs::entries`].
pub struct Entries {
    items: Items,
    game: GameSpec,
    pick: Pick,
    waiting: std::vec::IntoIter<Entry>,
    without: u64,
}

impl Entries {
    /// Games so far that have no position of the kind that is wanted.
    pub fn without(&self) -> u64 {
        self.without
    }
}

impl Iterator for Entries {
    type Item = Result<Entry, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(entry) = self.waiting.next() {
                return Some(Ok(entry));
            }
            match self.items.next()? {
                Ok(item) if item.record.game != self.game => {
                    return Some(Err(other_game(&item.record, &self.game)));
                }
                Ok(item) => {
                    let entries = self.pick.entries(item);
                    self.without += u64::from(entries.is_empty());
                    self.waiting = entries.into_iter();
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

fn other_game(record: &GameRecord, game: &GameSpec) -> InputError {
    let message = format!("a game of {}, not {game}; name it with --game", record.game);
    InputError { location: record.location.clone(), column: None, kind: "other-game", message }
}

fn item(game: &GameSpec, entry: Entry) -> Item {
    Item { record: entry.record(game), entry }
}

/// Reads an input by its layout. Lines come as they are typed; a file of games is read whole.
fn read(
    mut reader: impl BufRead + 'static,
    name: &str,
    layout: Layout,
    game: &GameSpec,
    names: &Names,
) -> Items {
    let game = *game;
    let format = match layout {
        Layout::Positions(format) => {
            let entries = notation::read(reader, name, &game, &Setup::start(&game), format);
            return Box::new(entries.map(move |entry| entry.map(|entry| item(&game, entry))));
        }
        Layout::Games(format) => format,
    };
    let mut bytes = Vec::new();
    match reader.by_ref().take(MAX_FILE + 1).read_to_end(&mut bytes) {
        Ok(length) if length as u64 > MAX_FILE => {
            unreadable(name, format!("it is longer than {MAX_FILE} bytes; split it"))
        }
        Ok(_) => {
            let games = notation::read_games(&bytes, name, &game, format, names);
            Box::new(games.into_iter().map(|game| {
                game.map(|record| {
                    let mut entry = record.entry(&record.last());
                    entry.location = record.location.clone();
                    entry.warnings.clone_from(&record.warnings);
                    Item { record, entry }
                })
            }))
        }
        Err(error) => unreadable(name, error.to_string()),
    }
}

fn unreadable(name: &str, reason: String) -> Items {
    let location = Location { source: name.to_owned(), line: None };
    let message = format!("cannot be read: {reason}");
    Box::new(std::iter::once(Err(InputError { location, column: None, kind: "io", message })))
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
