//! Why a table cannot be built, opened or trusted.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What went wrong, and what to do where something can be done.
#[derive(Debug)]
pub enum TableError {
    /// The game has no tables.
    Game(String),
    /// A file or folder cannot be read or written.
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// More memory is needed than was allowed.
    Memory {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// The working folder holds something else.
    Work {
        /// The folder.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// The build was stopped from outside; what is complete is kept.
    Interrupted,
    /// The threads could not be started.
    Threads(String),
    /// The bytes are no table, or not one of this version or game.
    Foreign {
        /// What was looked at.
        what: &'static str,
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// The bytes were a table once, but they changed.
    Corrupt {
        /// What is wrong.
        what: String,
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
}

impl TableError {
    /// An error of the file system.
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |error| Self::Io { path, error }
    }

    /// Something that does not fit.
    pub(super) fn corrupt(
        what: impl Into<String>,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) -> Self {
        let (expected, found) = (expected.to_string(), found.to_string());
        Self::Corrupt { what: what.into(), expected, found }
    }

    /// Whether the bytes of a table were refused, rather than a request.
    pub fn is_rejection(&self) -> bool {
        matches!(self, Self::Foreign { .. } | Self::Corrupt { .. })
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Game(message) => f.write_str(message),
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Memory { needed, allowed } => write!(
                f,
                "about {} MiB of memory are needed and {} MiB allowed; give a larger --memory or \
                 fewer --threads (what is complete is kept)",
                needed.div_ceil(1 << 20),
                allowed >> 20
            ),
            Self::Work { path, message } => write!(f, "{}: {message}", path.display()),
            Self::Interrupted => {
                f.write_str("stopped; the same command continues after the last complete layer")
            }
            Self::Threads(reason) => write!(f, "cannot start the threads: {reason}"),
            Self::Foreign { what, expected, found } => {
                write!(f, "{what}: expected {expected}, found {found}")
            }
            Self::Corrupt { what, expected, found } => write!(
                f,
                "damaged table: {what}: expected {expected}, found {found}; build it again or \
                 copy it again"
            ),
        }
    }
}

impl std::error::Error for TableError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}
