//! Proofs: certificates of the value of a position, for the independent checker in `checker/`.
//!
//! [`certify`] makes one, [`Strategy`] plays from one. The format is described in
//! `docs/certificates.md`; the checker is the only judge of it and shares no code with this.

pub mod claim;
mod coder;
mod format;
mod journal;
mod oracle;
mod strategy;
mod tree;
mod write;

pub use claim::{Claim, Part, Relation, Subject};
pub use format::{Certificate, FormatError};
pub use journal::Journal;
pub use oracle::{ProofOracle, SolverOracle, Stopped};
pub use strategy::{Advice, Strategy};
pub use tree::{Node, Tree};
pub use write::{Size, WriteError, Writer};

use crate::search::{Bounds, Cancel, Observer, Solver, StopReason};
use std::fmt;
use std::io;

/// How a certificate is made.
#[derive(Default)]
pub struct CertifyOptions {
    /// Positions with at most this many empties are left to the checker's search. More makes the
    /// file smaller and the check longer.
    pub leaf_empties: u32,
    /// Where answers are kept for the next run, and read from.
    pub journal: Option<Journal>,
}

/// A certificate with what it took.
#[derive(Clone, Debug)]
pub struct Certified {
    /// The certificate.
    pub certificate: Certificate,
    /// What it consists of.
    pub size: Size,
    /// Questions to the solver.
    pub questions: u64,
    /// Nodes of all of them.
    pub nodes: u64,
}

/// Why there is no certificate.
#[derive(Debug)]
pub enum ProofError {
    /// The claim is false: the score lies within these bounds.
    Refuted(Bounds),
    /// The work was stopped; what is proved of the score so far.
    Stopped(StopReason, Bounds),
    /// The journal cannot be written.
    Journal(io::Error),
    /// The solver contradicted itself at this position, the side to move as X.
    Contradiction(String),
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refuted(bounds) if bounds.is_exact() => {
                write!(f, "the claim is false: the score is {}", bounds.lower)
            }
            Self::Refuted(Bounds { lower, upper }) => {
                write!(f, "the claim is false: the score is from {lower} to {upper}")
            }
            Self::Stopped(_, Bounds { lower, upper }) => {
                write!(f, "stopped; proved so far: the score is from {lower} to {upper}")
            }
            Self::Journal(error) => write!(f, "cannot write the journal: {error}"),
            Self::Contradiction(position) => {
                write!(f, "the solver contradicted itself at {position}; please report this")
            }
        }
    }
}

impl std::error::Error for ProofError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Journal(error) => Some(error),
            _ => None,
        }
    }
}

/// Proves a claim, or without one the exact score, and writes the proof down.
///
/// The solver's table is used as it is: what it proved before (the same position just solved)
/// helps. `progress` hears of every position of the proof.
///
/// # Errors
/// When the claim is false, or the work is stopped.
pub fn certify(
    subject: &Subject,
    claim: Option<Claim>,
    options: CertifyOptions,
    solver: &mut Solver,
    cancel: &Cancel,
    observer: &dyn Observer,
    progress: &mut dyn FnMut(&Size),
) -> Result<Certified, ProofError> {
    let CertifyOptions { leaf_empties, journal } = options;
    let tree = Tree::new(&subject.game);
    let root = tree.canonical(&subject.position);
    let mut oracle = SolverOracle::new(solver, cancel, observer, journal);
    let claim = oracle.settle(&root, claim)?;
    let mut writer = Writer::new(&tree, leaf_empties, &mut oracle, progress);
    let written = claim.parts().into_iter().try_for_each(|part| writer.add(&root, part));
    let (payload, size) = writer.finish();
    let (questions, nodes) = (oracle.questions, oracle.nodes);
    oracle.close()?;
    written.map_err(|error| match error {
        WriteError::Stopped(Stopped(reason)) => {
            ProofError::Stopped(reason, claim.bounds(subject.game.max_score()))
        }
        WriteError::Unproved(position) => {
            let color = crate::board::Color::Black;
            let setup = crate::board::Setup::from_position(&subject.game, &position, color);
            ProofError::Contradiction(setup.text(&subject.game).to_string())
        }
    })?;
    let certificate = Certificate { subject: *subject, claim, leaf_empties, payload };
    Ok(Certified { certificate, size, questions, nodes })
}
