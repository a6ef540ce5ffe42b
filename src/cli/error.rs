//! How a command ends: exit codes and the errors that stop it.

use crate::notation::InputError;
use crate::search::SolverError;
use std::fmt;
use std::io;
use std::process::ExitCode;

/// How a command that ran to its end ended. The order is the precedence when several apply:
/// the greatest one wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// Done, and everything that could be compared agreed.
    Done,
    /// A limit stopped the work; bounds were given.
    Limit,
    /// A result differs from the annotation in the input.
    Differs,
    /// A claim is refuted, or a certificate or table rejected.
    Refuted,
    /// A usage or input error, or a resource that cannot be had.
    Input,
    /// A signal with this number ended the work.
    Signal(u8),
}

impl Status {
    /// The exit code.
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Differs => 1,
            Self::Input => 2,
            Self::Refuted => 3,
            Self::Limit => 4,
            Self::Signal(number) => 128 + number,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status.code())
    }
}

/// What stops a command.
#[derive(Debug)]
pub enum CliError {
    /// Something typed is wrong, or cannot be had: what, where, and what to do.
    Usage(String),
    /// Standard output cannot be written.
    Output(io::Error),
}

impl CliError {
    /// A usage error.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    /// Whether the reader of standard output went away, which ends a command quietly.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) => f.write_str(message),
            Self::Output(error) => write!(f, "cannot write to the standard output: {error}"),
        }
    }
}

impl std::error::Error for CliError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Usage(_) => None,
            Self::Output(error) => Some(error),
        }
    }
}

/// Files a command reads report their errors with their names; what is left is the output.
impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<InputError> for CliError {
    fn from(error: InputError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<SolverError> for CliError {
    fn from(error: SolverError) -> Self {
        Self::Usage(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gravest_status_wins() {
        let order = [
            Status::Done,
            Status::Limit,
            Status::Differs,
            Status::Refuted,
            Status::Input,
            Status::Signal(15),
        ];
        assert!(order.is_sorted());
        assert_eq!(order.map(Status::code), [0, 4, 1, 3, 2, 143]);
    }
}
