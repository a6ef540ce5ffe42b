//! Text in and out: positions, annotated positions, transcripts. One file a format.
//! Depends on `board`.

use crate::board::{Move, Position, Setup};
use std::fmt;

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
    /// The same as a legal position.
    pub position: Position,
    /// A score of the position itself, as written, the mover's view.
    pub score: Option<i32>,
    /// Scores of moves, as written; only legal moves.
    pub move_scores: Vec<(Move, i32)>,
    /// What is odd about the line but does not keep it from being solved.
    pub warnings: Vec<String>,
}

/// A line that is no position.
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
