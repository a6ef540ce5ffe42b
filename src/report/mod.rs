//! Answers in print: one file a form. Depends on `search` and `notation`.

pub mod diagram;
pub mod json;
pub mod prove;
pub mod style;
pub mod table;
pub mod units;

use crate::board::{Color, GameSpec, Move};
use crate::notation::Entry;
use crate::search::{Bounds, Solution, SolverOptions, StopReason, Task};

/// A solved input with everything its report names.
#[derive(Clone, Copy)]
pub struct Answer<'a> {
    /// The game.
    pub game: &'a GameSpec,
    /// What was asked, as read.
    pub entry: &'a Entry,
    /// What was asked of the solver.
    pub task: &'a Task,
    /// How the solver was built.
    pub options: &'a SolverOptions,
    /// Its answer.
    pub solution: &'a Solution,
    /// Whether win, draw or loss was the question.
    pub wld: bool,
    /// The table that the answer was read from, if it was.
    pub table: Option<&'a str>,
}

impl Answer<'_> {
    /// The score that the input gives to the position: the largest over its scored moves, else
    /// the position's own.
    pub fn expected(&self) -> Option<i32> {
        let best = self.entry.move_scores.iter().map(|&(_, score)| score).max();
        best.or(self.entry.score)
    }

    /// The score that the input gives to a move.
    pub fn expected_of(&self, mv: Move) -> Option<i32> {
        self.entry.move_scores.iter().find(|(scored, _)| *scored == mv).map(|&(_, score)| score)
    }

    /// Whether the answer agrees with every score of the input that can be compared with it:
    /// `None` while the bounds leave it open. Meaningless without [`Answer::expected`].
    pub fn agrees(&self) -> Option<bool> {
        let best = self.entry.move_scores.iter().map(|&(_, score)| score).max();
        let root = [self.entry.score, best].into_iter().flatten();
        let root = root.map(|expected| agreement(self.solution.bounds, expected));
        let moves = self.solution.moves.iter().filter_map(|scored| {
            self.expected_of(scored.mv).map(|expected| agreement(scored.bounds, expected))
        });
        let all: Vec<_> = root.chain(moves).collect();
        if all.contains(&Some(false)) {
            return Some(false);
        }
        (!all.contains(&None)).then_some(true)
    }

    /// `win`, `draw` or `loss` for the side to move; `None` while the bounds leave it open.
    pub fn outcome(&self) -> Option<&'static str> {
        let word = |score: i32| {
            let side = self.entry.setup.side;
            let blacks = if side == Color::Black { score } else { -score };
            match self.game.winner(blacks) {
                Some(winner) if winner == side => "win",
                Some(_) => "loss",
                None => "draw",
            }
        };
        // A higher score is never a worse outcome, so equal ends mean one outcome between them.
        let Bounds { lower, upper } = self.solution.bounds;
        (word(lower) == word(upper)).then(|| word(lower))
    }

    /// The limit that stopped the search, as machines read it.
    pub fn stopped(&self) -> Option<&'static str> {
        self.solution.stopped.map(|reason| match reason {
            StopReason::Time => "time",
            StopReason::Nodes => "nodes",
            StopReason::Signal => "signal",
        })
    }
}

/// Whether proved bounds agree with a score; `None` while they leave it open.
pub fn agreement(bounds: Bounds, expected: i32) -> Option<bool> {
    if expected < bounds.lower || expected > bounds.upper {
        Some(false)
    } else {
        bounds.is_exact().then_some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_agree_only_when_they_leave_nothing_open() {
        let bounds = |lower, upper| Bounds { lower, upper };
        assert_eq!(agreement(bounds(4, 4), 4), Some(true));
        assert_eq!(agreement(bounds(4, 4), 6), Some(false));
        assert_eq!(agreement(bounds(2, 64), 4), None);
        assert_eq!(agreement(bounds(2, 64), 0), Some(false));
    }
}
