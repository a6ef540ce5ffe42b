//! Who says which bounds hold while a proof is collected. Nothing an oracle says ends up in the
//! certificate unchecked: a wrong answer makes a file that the checker rejects.

use super::ProofError;
use super::claim::{Claim, Relation};
use super::journal::Journal;
use crate::board::{Game, Position};
use crate::search::{Bounds, Cancel, Observer, Solution, Solver, StopReason, Task};
use std::io;

/// Fewest nodes of an answer that is worth a record in the journal.
const RECORD_NODES: u64 = 2000;

/// The oracle was stopped before it knew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped(pub StopReason);

/// Knows whether a score is at least a value.
pub trait ProofOracle {
    /// Whether the score of `position` is at least `value`, from the mover's view.
    ///
    /// # Errors
    /// When it is stopped before it knows.
    fn at_least(&mut self, position: &Position, value: i32) -> Result<bool, Stopped>;
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
}

impl<'a> SolverOracle<'a> {
    /// An oracle that keeps what the solver and the journal know.
    pub fn new(
        solver: &'a mut Solver,
        cancel: &'a Cancel,
        observer: &'a dyn Observer,
        journal: Option<Journal>,
    ) -> Self {
        Self { solver, cancel, observer, journal, failure: None, questions: 0, nodes: 0 }
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
        let solution = self.solve(root, None);
        let bounds = solution.bounds;
        if !bounds.is_exact() {
            let reason = solution.stopped.unwrap_or(StopReason::Signal);
            return Err(ProofError::Stopped(reason, bounds));
        }
        self.record(root, bounds.lower, true);
        self.record(root, bounds.lower + 1, false);
        Ok(claim(bounds.lower))
    }

    fn solve(&mut self, position: &Position, window: Option<(i32, i32)>) -> Solution {
        let task = Task {
            position: *position,
            window,
            all_moves: false,
            time_limit: None,
            node_limit: None,
        };
        let solution = self.solver.solve_warm(&task, self.cancel, self.observer);
        self.questions += 1;
        self.nodes += solution.nodes;
        solution
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
    fn at_least(&mut self, position: &Position, value: i32) -> Result<bool, Stopped> {
        if let Some(answer) = self.journal.as_ref().and_then(|j| j.answer(position, value)) {
            return Ok(answer);
        }
        let solution = self.solve(position, Some((value - 1, value)));
        let answer = match solution.bounds {
            Bounds { lower, .. } if lower >= value => true,
            Bounds { upper, .. } if upper < value => false,
            _ => return Err(Stopped(solution.stopped.unwrap_or(StopReason::Signal))),
        };
        if solution.nodes >= RECORD_NODES {
            self.record(position, value, answer);
        }
        Ok(answer)
    }
}
