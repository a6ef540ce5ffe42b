//! Who says which bounds hold while a proof is collected. Nothing an oracle says ends up in the
//! certificate unchecked: a wrong answer makes a file that the checker rejects.

use super::ProofError;
use super::claim::{Claim, Relation};
use super::journal::Journal;
use crate::board::{Game, Move, Position};
use crate::search::{Bounds, Cancel, Observer, Solution, Solver, StopReason, Task};
use std::io;

/// Nodes that may go into moves that would make the proof smaller: one for this many of the
/// nodes that the proof itself needed, and these in any case.
const THRIFT_SHARE: u64 = 2;
const THRIFT_START: u64 = 1 << 20;

/// One question may use this part of what is left of them, and is not asked with less than that.
const THRIFT_PART: u64 = 1024;
const THRIFT_LEAST: u64 = 1 << 10;

/// The oracle was stopped before it knew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped(pub StopReason);

/// Knows bounds of scores, all from the mover's view.
pub trait ProofOracle {
    /// A move with which the mover of `position` gets at least `value`, given that there is one.
    ///
    /// # Errors
    /// When it is stopped before it knows.
    fn witness(&mut self, position: &Position, value: i32) -> Result<Option<Move>, Stopped>;

    /// Whether the score of `position` is at least `value`; `None` when the answer would cost
    /// more than it can save.
    ///
    /// # Errors
    /// When it is stopped before it knows.
    fn try_at_least(&mut self, position: &Position, value: i32) -> Result<Option<bool>, Stopped>;

    /// An answer of an earlier run.
    fn recall(&self, position: &Position, value: i32) -> Option<bool>;

    /// Keeps an answer for a later run.
    fn record(&mut self, position: &Position, value: i32, answer: bool);
}

/// The solver as an oracle; its table stays warm from question to question.
pub struct SolverOracle<'a> {
    solver: &'a mut Solver,
    cancel: &'a Cancel,
    observer: &'a dyn Observer,
    journal: Option<Journal>,
    failure: Option<io::Error>,
    /// Questions asked of the solver so far.
    pub questions: u64,
    /// Nodes of all of them.
    pub nodes: u64,
    /// Those of them that the proof did not need.
    thrift_nodes: u64,
}

impl<'a> SolverOracle<'a> {
    /// An oracle that keeps what the solver and the journal know.
    pub fn new(
        solver: &'a mut Solver,
        cancel: &'a Cancel,
        observer: &'a dyn Observer,
        journal: Option<Journal>,
    ) -> Self {
        Self {
            solver,
            cancel,
            observer,
            journal,
            failure: None,
            questions: 0,
            nodes: 0,
            thrift_nodes: 0,
        }
    }

    /// Makes sure that the claim holds; without one, finds the exact score.
    ///
    /// # Errors
    /// When the claim is false, with bounds that say so, or when the work is stopped.
    pub fn settle(&mut self, root: &Position, claim: Option<Claim>) -> Result<Claim, ProofError> {
        let (max, step) = (self.solver.game().max_score(), Game::step(*self.solver.game()));
        let Some(claim) = claim else { return self.exact(root) };
        for part in claim.parts() {
            // The least score that settles this part one way or the other.
            let value = if part.mover_proves { claim.value } else { claim.value + 1 };
            let reached = self.at_least(root, value).map_err(|Stopped(reason)| {
                ProofError::Stopped(reason, Bounds { lower: -max, upper: max })
            })?;
            if reached != part.mover_proves {
                // Scores are `max` minus a multiple of the step.
                let up = (max - value).div_euclid(step) * step;
                let lower = max - up;
                return Err(ProofError::Refuted(match reached {
                    true => Bounds { lower, upper: max },
                    false => Bounds { lower: -max, upper: lower - step },
                }));
            }
        }
        Ok(claim)
    }

    /// The claim of the exact score.
    fn exact(&mut self, root: &Position) -> Result<Claim, ProofError> {
        let max = self.solver.game().max_score();
        let claim = |value| Claim { relation: Relation::Equal, value };
        if let Some(journal) = &self.journal {
            let known = |value, answer| journal.answer(root, value) == Some(answer);
            // An exact score leaves both of its bounds in the journal.
            if let Some(value) = (-max..=max).find(|&v| known(v, true) && known(v + 1, false)) {
                return Ok(claim(value));
            }
        }
        let solution = self.solve(root, None, None);
        let bounds = solution.bounds;
        if !bounds.is_exact() {
            let reason = solution.stopped.unwrap_or(StopReason::Signal);
            return Err(ProofError::Stopped(reason, bounds));
        }
        self.record(root, bounds.lower, true);
        self.record(root, bounds.lower + 1, false);
        Ok(claim(bounds.lower))
    }

    /// Whether the score of the root is at least `value`.
    fn at_least(&mut self, root: &Position, value: i32) -> Result<bool, Stopped> {
        if let Some(answer) = self.recall(root, value) {
            return Ok(answer);
        }
        let solution = self.solve(root, Some((value - 1, value)), None);
        let answer = answer(&solution, value).ok_or_else(|| stopped(&solution))?;
        self.record(root, value, answer);
        Ok(answer)
    }

    fn solve(
        &mut self,
        position: &Position,
        window: Option<(i32, i32)>,
        node_limit: Option<u64>,
    ) -> Solution {
        let position = *position;
        let task = Task { position, window, all_moves: false, time_limit: None, node_limit };
        let solution = self.solver.solve_warm(&task, self.cancel, self.observer);
        self.questions += 1;
        self.nodes += solution.nodes;
        solution
    }

    /// Puts the journal on disk.
    ///
    /// # Errors
    /// When it could not be written, now or before.
    pub fn close(self) -> Result<(), ProofError> {
        let Self { journal, failure, .. } = self;
        let flushed = journal.map_or(Ok(()), |mut journal| journal.flush());
        failure.map_or(flushed, Err).map_err(ProofError::Journal)
    }
}

impl ProofOracle for SolverOracle<'_> {
    fn witness(&mut self, position: &Position, value: i32) -> Result<Option<Move>, Stopped> {
        let solution = self.solve(position, Some((value - 1, value)), None);
        match answer(&solution, value) {
            Some(true) => Ok(solution.best),
            Some(false) => Ok(None),
            None => Err(stopped(&solution)),
        }
    }

    fn try_at_least(&mut self, position: &Position, value: i32) -> Result<Option<bool>, Stopped> {
        let needed = self.nodes - self.thrift_nodes;
        let allowed = needed / THRIFT_SHARE + THRIFT_START;
        let limit = allowed.saturating_sub(self.thrift_nodes) / THRIFT_PART;
        if limit < THRIFT_LEAST {
            return Ok(None);
        }
        let solution = self.solve(position, Some((value - 1, value)), Some(limit));
        self.thrift_nodes += solution.nodes;
        match (answer(&solution, value), solution.stopped) {
            (None, Some(StopReason::Nodes)) => Ok(None),
            (None, _) => Err(stopped(&solution)),
            (answer, _) => Ok(answer),
        }
    }

    fn recall(&self, position: &Position, value: i32) -> Option<bool> {
        self.journal.as_ref().and_then(|journal| journal.answer(position, value))
    }

    fn record(&mut self, position: &Position, value: i32, answer: bool) {
        if let Some(journal) = &mut self.journal
            && let Err(error) = journal.add(position, value, answer)
        {
            // The proof goes on; the failure is reported at the end.
            self.failure = Some(error);
            self.journal = None;
        }
    }
}

/// What a solution says of the question whether the score is at least `value`.
fn answer(solution: &Solution, value: i32) -> Option<bool> {
    match solution.bounds {
        Bounds { lower, .. } if lower >= value => Some(true),
        Bounds { upper, .. } if upper < value => Some(false),
        _ => None,
    }
}

fn stopped(solution: &Solution) -> Stopped {
    Stopped(solution.stopped.unwrap_or(StopReason::Signal))
}
