//! Independent checker of obverse certificates: is the claim of the file proved by the rules?
//!
//! It shares no code with the solver and depends on nothing but the standard library. To believe
//! a claim, read these files: [`game`] and [`rules`] (what the game is), [`walk`] (what a proof
//! is), [`search`] (the positions that the file leaves to us) and [`header`] (what is claimed).
//! The format is described byte for byte in `docs/certificates.md`.
//!
//! Nothing in a certificate is trusted: it can only choose moves, and a wrong choice leads to a
//! finished game or a searched position with too low a score, which rejects the file.

pub mod decode;
pub mod game;
pub mod header;
pub mod rules;
pub mod search;
pub mod walk;

use header::{Header, Relation};
use std::fmt;

/// What the check may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes for the set of positions already proved.
    pub memory: u64,
    /// Positions entered by the search, all left positions together.
    pub nodes: u64,
}

impl Default for Limits {
    /// 1 GiB and 2^40 nodes (about two days).
    fn default() -> Self {
        Self { memory: 1 << 30, nodes: 1 << 40 }
    }
}

/// What the check has done so far.
#[derive(Clone, Copy, Default, Debug)]
pub struct Work {
    /// Positions walked, each once: searched and finished ones included.
    pub positions: u64,
    /// Positions searched.
    pub leaves: u64,
    /// Positions entered by those searches.
    pub nodes: u64,
    /// Bytes of the payload read.
    pub bytes: u64,
}

/// Why a file is not a valid certificate, or cannot be checked within the limits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The header is not of the form that this version knows.
    Header {
        /// Line of the file, from 1.
        line: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// More or fewer bytes than the header announces.
    Length {
        /// Bytes of the whole file by the header.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// The checksum does not fit the bytes.
    Checksum,
    /// Bytes of the payload are left over after the last move.
    Unused,
    /// The moves of the file lead to a finished game, or to a searched position, where the
    /// proving side does not get the claimed score.
    Unproved {
        /// That position, the side to move as X.
        position: String,
        /// Whether it was searched (or finished).
        searched: bool,
    },
    /// More positions than the memory limit allows.
    Memory,
    /// More searched positions than the node limit allows.
    Nodes,
}

impl Reason {
    /// Whether the file is fine as far as it was checked, and a larger limit may verify it.
    pub fn is_limit(&self) -> bool {
        matches!(self, Self::Memory | Self::Nodes)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header { line, expected } => write!(f, "line {line}: expected {expected}"),
            Self::Length { expected, found } => {
                write!(f, "the header announces {expected} bytes in all, but there are {found}")
            }
            Self::Checksum => f.write_str("the checksum is wrong: the file is damaged"),
            Self::Unused => f.write_str("bytes are left over after the last move"),
            Self::Unproved { position, searched } => {
                let how = if *searched { "by search" } else { "a finished game" };
                write!(f, "not proved: the score is too low in {position} ({how})")
            }
            Self::Memory => f.write_str("out of memory; give more with --memory"),
            Self::Nodes => f.write_str("more search than allowed; give more with --nodes"),
        }
    }
}

/// Checks a whole file. `progress` is called now and then.
///
/// # Errors
/// Whenever the claim is not proved by the file, for whatever reason.
pub fn check(
    file: &[u8],
    limits: &Limits,
    progress: &mut dyn FnMut(&Work),
) -> Result<(Header, Work), Reason> {
    let (header, payload) = header::read(file)?;
    let mut decoder = decode::Decoder::new(payload);
    let mut work = Work::default();
    for at_least in [true, false] {
        // `>=` is proved by the side to move, `<=` by the other side: it gets at least -value.
        let (wanted, target) = match at_least {
            true => (header.relation != Relation::AtMost, header.value),
            false => (header.relation != Relation::AtLeast, -header.value),
        };
        if wanted {
            let mut walk = walk::Walk::new(&header, target, limits, &mut decoder, &mut work);
            walk.run(at_least, progress)?;
        }
    }
    if decoder.has_unused_bytes() { Err(Reason::Unused) } else { Ok((header, work)) }
}
