//! What all protocols think with: the exact solver within its range, the advisor beyond it.

use super::Settings;
use super::advisor::{Advisor, Limits, Ranking};
use crate::board::{GameSpec, Move, Position};
use crate::search::{Bounds, Cancel, MoveScore, Solution, Solver, SolverError, Task};
use std::time::{Duration, Instant};

/// Share of the time for the guesses that come before a solve.
const PRELUDE: f64 = 0.15;

/// Plies of that prelude.
const PRELUDE_DEPTH: u32 = 8;

/// Empties on 8x8 that are usually solved in a second.
const EMPTIES_IN_A_SECOND: f64 = 20.0;

/// Growth of the time with each empty square.
const GROWTH: f64 = 3.0;

/// How much a worth can be trusted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Worth {
    /// Proved.
    Exact(i32),
    /// A guess in discs.
    Guess(f64),
}

impl Worth {
    /// As a number of discs.
    pub fn discs(self) -> f64 {
        match self {
            Self::Exact(score) => f64::from(score),
            Self::Guess(eval) => eval,
        }
    }

    /// Whether it is proved.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Exact(_))
    }
}

/// A move with what follows it.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The move and the expected ones after it.
    pub pv: Vec<Move>,
    /// Its worth, the mover's view.
    pub worth: Worth,
}

/// What thinking came to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Thought {
    /// The best moves, the best first; none when the game is over.
    pub lines: Vec<Line>,
    /// Plies of the guesses.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
}

impl Thought {
    /// The best move.
    pub fn best(&self) -> Option<Move> {
        self.lines.first().and_then(|line| line.pv.first()).copied()
    }
}

/// How long and how deep to think.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// Time; without it the settings decide.
    pub time: Option<Duration>,
    /// Plies of the guesses.
    pub depth: Option<u32>,
}

/// An engine for one game at a time.
pub struct Engine {
    settings: Settings,
    solver: Solver,
    advisor: Advisor,
}

impl Engine {
    /// An engine for this game.
    ///
    /// # Errors
    /// When the solver cannot be built.
    pub fn new(game: &GameSpec, settings: Settings) -> Result<Self, SolverError> {
        let solver = Solver::new(game, &settings.options)?;
        let advisor = Advisor::new(game, settings.options.kernel);
        Ok(Self { settings, solver, advisor })
    }

    /// The game it thinks about.
    pub fn game(&self) -> GameSpec {
        *self.solver.game()
    }

    /// Turns to another game.
    ///
    /// # Errors
    /// When the solver for it cannot be built; the old game stays.
    pub fn set_game(&mut self, game: &GameSpec) -> Result<(), SolverError> {
        if *game != self.game() {
            *self = Self::new(game, self.settings)?;
        }
        Ok(())
    }

    /// How the solver is asked.
    pub fn solve(&mut self, task: &Task, cancel: &Cancel) -> Solution {
        self.solver.solve(task, cancel, &())
    }

    /// The best `width` moves. `report` hears of guesses on the way.
    pub fn think(
        &mut self,
        position: &Position,
        width: usize,
        budget: Budget,
        cancel: &Cancel,
        report: &mut dyn FnMut(&Thought),
    ) -> Thought {
        let started = Instant::now();
        let game = self.game();
        let moves = position.moves(&game);
        if moves.is_empty() {
            return Thought::default();
        }
        let time = budget.time.unwrap_or(self.settings.move_time);
        let empties = position.empties(&game).len();
        let solvable = empties <= self.solvable(time) || self.is_owed(empties, budget);
        // One move needs no thought, only a worth.
        let forced = moves.len() == 1;
        let depth = budget.depth.unwrap_or(u32::MAX);
        let (depth, share) = match (solvable, forced) {
            (true, _) => (depth.min(PRELUDE_DEPTH), PRELUDE),
            (false, true) => (depth.min(PRELUDE_DEPTH), PRELUDE),
            (false, false) => (depth, 1.0),
        };
        let deadline = started.checked_add(time.mul_f64(share));
        let limits = Limits { depth, deadline, cancel };
        let ranking = self.advisor.rank(position, width, &limits, &mut |ranking| {
            report(&guessed(&game, ranking, started.elapsed()));
        });
        let guess = guessed(&game, &ranking, started.elapsed());
        if !solvable || cancel.is_cancelled() {
            return guess;
        }
        // Without a clock the small ones are solved to the end.
        let time_limit = match self.is_owed(empties, budget) {
            true => None,
            false => Some(time.saturating_sub(started.elapsed()).max(Duration::from_millis(1))),
        };
        let task = Task {
            position: *position,
            window: None,
            all_moves: width > 1,
            time_limit,
            node_limit: None,
        };
        let solution = self.solver.solve(&task, cancel, &());
        let mut thought = settled(guess, &solution, width);
        thought.nodes = ranking.nodes + solution.nodes;
        thought.elapsed = started.elapsed();
        thought
    }

    /// The best move by guesses alone, to the depth of the budget.
    pub fn guess(&mut self, position: &Position, budget: Budget, cancel: &Cancel) -> Thought {
        let started = Instant::now();
        let depth = budget.depth.unwrap_or(u32::MAX);
        let deadline = budget.time.and_then(|time| started.checked_add(time));
        let limits = Limits { depth, deadline, cancel };
        let ranking = self.advisor.rank(position, 1, &limits, &mut |_| {});
        guessed(&self.game(), &ranking, started.elapsed())
    }

    /// Whether a position is to be solved however long it takes.
    fn is_owed(&self, empties: u32, budget: Budget) -> bool {
        budget.time.is_none() && empties <= self.settings.exact_empties
    }

    /// Empties that are worth an attempt in this time.
    fn solvable(&self, time: Duration) -> u32 {
        let more = time.as_secs_f64().max(1e-3).ln() / GROWTH.ln();
        // A failed attempt costs time only; every second one too large succeeds.
        (EMPTIES_IN_A_SECOND + more).round() as u32 + 1
    }
}

/// Guesses within the scores that a game can have.
fn guessed(game: &GameSpec, ranking: &Ranking, elapsed: Duration) -> Thought {
    let max = f64::from(game.max_score());
    let lines = ranking
        .moves
        .iter()
        .map(|guess| Line {
            pv: guess.pv.clone(),
            worth: Worth::Guess(guess.eval.clamp(-max, max)),
        })
        .collect();
    Thought { lines, depth: ranking.depth, nodes: ranking.nodes, elapsed }
}

/// Puts what is proved in the place of guesses.
fn settled(guess: Thought, solution: &Solution, width: usize) -> Thought {
    let exact = |bounds: Bounds| bounds.is_exact().then_some(Worth::Exact(bounds.lower));
    if width > 1 {
        let all = solution.moves.iter().map(|MoveScore { mv, bounds }| {
            let pv = match solution.best {
                Some(best) if best == *mv => solution.pv.clone(),
                _ => vec![*mv],
            };
            exact(*bounds).map(|worth| Line { pv, worth })
        });
        return match all.collect::<Option<Vec<_>>>() {
            Some(mut lines) if solution.stopped.is_none() => {
                lines.truncate(width);
                Thought { lines, ..guess }
            }
            _ => guess,
        };
    }
    match (exact(solution.bounds), solution.best) {
        (Some(worth), Some(_)) => {
            Thought { lines: vec![Line { pv: solution.pv.clone(), worth }], ..guess }
        }
        // A proved lower bound above the guess is the better reason for a move.
        (None, Some(best))
            if guess
                .lines
                .first()
                .is_some_and(|line| f64::from(solution.bounds.lower) > line.worth.discs()) =>
        {
            let worth = Worth::Guess(f64::from(solution.bounds.lower));
            Thought { lines: vec![Line { pv: vec![best], worth }], ..guess }
        }
        _ => guess,
    }
}
