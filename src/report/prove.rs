//! The JSON object of `prove`. The fields and their meaning are in `docs/formats.md`.

use super::json::{SCHEMA, VERSION};
use crate::proof::{Certified, ProofError, Subject};
use crate::search::{Bounds, SolverOptions, StopReason};
use serde::Serialize;
use std::time::Duration;

/// What `prove` came to: a certificate, or the reason why there is none.
#[derive(Serialize)]
pub struct ProveRecord {
    schema: u32,
    game: String,
    score_rule: String,
    position: String,
    proved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<CertificateRecord>,
    /// What is known of the score when the claim is refuted or the work stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorRecord>,
    seconds: f64,
    threads: usize,
    hash_bytes: u64,
    kernel: String,
    version: &'static str,
}

#[derive(Serialize)]
struct CertificateRecord {
    relation: String,
    value: i32,
    leaf_empties: u32,
    bytes: usize,
    positions: u64,
    leaves: u64,
    ranks: u64,
    questions: u64,
    nodes: u64,
}

#[derive(Serialize)]
struct ErrorRecord {
    kind: &'static str,
    message: String,
}

impl ProveRecord {
    /// A record without its outcome.
    pub fn new(subject: &Subject, options: &SolverOptions, elapsed: Duration) -> Self {
        Self {
            schema: SCHEMA,
            game: subject.game.to_string(),
            score_rule: subject.game.score_rule().to_string(),
            position: subject.setup.text(&subject.game).to_string(),
            proved: false,
            certificate: None,
            lower: None,
            upper: None,
            stopped: None,
            error: None,
            seconds: elapsed.as_secs_f64(),
            threads: options.threads,
            hash_bytes: options.hash_bytes,
            kernel: options.kernel.to_string(),
            version: VERSION,
        }
    }

    /// The claim is proved by a certificate of so many bytes.
    pub fn proved(self, certified: &Certified, bytes: usize) -> Self {
        let Certified { certificate, size, questions, nodes } = certified;
        let record = CertificateRecord {
            relation: certificate.claim.relation.to_string(),
            value: certificate.claim.value,
            leaf_empties: certificate.leaf_empties,
            bytes,
            positions: size.positions,
            leaves: size.leaves,
            ranks: size.ranks,
            questions: *questions,
            nodes: *nodes,
        };
        Self { proved: true, certificate: Some(record), ..self }
    }

    /// There is no certificate.
    pub fn failed(self, error: &ProofError) -> Self {
        let (kind, bounds, stopped) = match error {
            ProofError::Refuted(bounds) => ("refuted", Some(*bounds), None),
            ProofError::Stopped(reason, bounds) => ("stopped", Some(*bounds), Some(*reason)),
            ProofError::Journal(_) => ("journal", None, None),
            ProofError::Contradiction(_) => ("contradiction", None, None),
        };
        let stopped = stopped.map(|reason| match reason {
            StopReason::Time => "time",
            StopReason::Nodes => "nodes",
            StopReason::Signal => "signal",
        });
        let (lower, upper) = bounds.map(|Bounds { lower, upper }| (lower, upper)).unzip();
        let error = Some(ErrorRecord { kind, message: error.to_string() });
        Self { lower, upper, stopped, error, ..self }
    }
}
