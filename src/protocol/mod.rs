//! Protocols that other programs speak with an engine: NBoard, GTP, Cassio. Depends on `search`,
//! `notation` and `report`.
//!
//! Every answer is exact within the range that can be solved in the given time; beyond it it is
//! the best move that a search by guesses finds, and it says so. A protocol reads lines from an
//! [`inbox::Inbox`], which stops a running search as soon as a line asks for it, and thinks with an
//! [`engine::Engine`].

pub mod advisor;
pub mod cassio;
pub mod clock;
pub mod engine;
pub mod gtp;
pub mod inbox;
pub mod nboard;
pub mod play;

use crate::search::{Cancel, SolverOptions};
use std::io::{BufRead, Write};
use std::time::Duration;

/// How a protocol runs.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How solvers are built.
    pub options: SolverOptions,
    /// Time for a move where the protocol gives none.
    pub move_time: Duration,
    /// Positions with so few empties are always solved, however long it takes, unless a clock is
    /// running.
    pub exact_empties: u32,
}

/// Where a protocol reads and writes.
pub struct Wire {
    /// The commands.
    pub input: Box<dyn BufRead + Send>,
    /// The answers.
    pub output: Box<dyn Write + Send>,
    /// Turned when the process is to end.
    pub end: Cancel,
}
