//! Exact values by forward search. Depends on `board` and `kernel`.

pub mod bounds;
mod context;
mod driver;
mod endgame;
pub(crate) mod entry;
pub mod eval;
pub mod layout;
mod local;
mod middle;
mod node;
mod order;
mod parallel;
mod tt;

use crate::board::{GameSpec, Move, Position, Shape, Standard};
use crate::kernel::Level;
use crate::with_kernel;
use context::{Shared, Terms};
use eval::Evaluation;
use layout::Layout;
use local::LocalTable;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What is proved of a score: `lower <= score <= upper`, in discs, from the mover's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
}

impl Bounds {
    /// Whether the score is known.
    pub const fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// The same knowledge from the other side's view.
    pub const fn negated(self) -> Self {
        Self { lower: -self.upper, upper: -self.lower }
    }
}

/// How a solver is built.
#[derive(Clone, Copy, Debug)]
pub struct SolverOptions {
    /// Search threads, at least 1. One thread is deterministic to the node.
    pub threads: usize,
    /// Size of the transposition table in bytes.
    pub hash_bytes: u64,
    /// Instruction-set level, available on this machine.
    pub kernel: Level,
}

/// One question.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The position to solve.
    pub position: Position,
    /// Scores strictly between `alpha` and `beta` are wanted exactly; `None` means all.
    pub window: Option<(i32, i32)>,
    /// Whether every legal move is to be scored.
    pub all_moves: bool,
    /// Stop after this time.
    pub time_limit: Option<Duration>,
    /// Stop after this many nodes.
    pub node_limit: Option<u64>,
}

/// Why a search ended before its answer was complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The time limit.
    Time,
    /// The node limit.
    Nodes,
    /// The caller's [`Cancel`].
    Signal,
}

/// A legal move with what is proved of its score, from the view of the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveScore {
    /// The move.
    pub mv: Move,
    /// Its score.
    pub bounds: Bounds,
}

/// The answer to a [`Task`].
#[derive(Clone, Debug)]
pub struct Solution {
    /// What is proved of the score. With a window the bounds are clipped to it.
    pub bounds: Bounds,
    /// A move that attains `bounds.lower`; `None` while nothing is proved, or when the game is over.
    pub best: Option<Move>,
    /// The principal variation to the end of the game when the score is exact; it may be shorter
    /// otherwise. Replayed, it gives exactly the score.
    pub pv: Vec<Move>,
    /// With `all_moves`, every legal move, best first.
    pub moves: Vec<MoveScore>,
    /// Positions entered.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// Why the search stopped early, if it did.
    pub stopped: Option<StopReason>,
}

/// A switch that ends a running search from outside.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Ends the search as soon as it looks.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked for the end.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A switch that is turned elsewhere, such as by a signal handler.
impl From<Arc<AtomicBool>> for Cancel {
    fn from(flag: Arc<AtomicBool>) -> Self {
        Self(flag)
    }
}

/// What a running search knows so far.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Bounds proved so far.
    pub bounds: Bounds,
    /// The move that attains `bounds.lower`, if any is proved.
    pub best: Option<Move>,
    /// Positions entered so far.
    pub nodes: u64,
    /// Time so far.
    pub elapsed: Duration,
}

/// Hears from a running search: called from the searching thread, a few times a second at most.
pub trait Observer: Sync {
    /// Something new is known, or some time has passed.
    fn progress(&self, progress: &Progress);
}

/// An observer that does not listen.
impl Observer for () {
    fn progress(&self, _progress: &Progress) {}
}

/// Why a solver cannot be built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolverError {
    /// The transposition table does not fit the memory.
    Memory {
        /// Bytes asked for.
        bytes: u64,
    },
    /// The machine lacks the instruction-set level.
    Kernel(Level),
    /// The threads could not be started.
    Threads(String),
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory { bytes } => {
                write!(f, "a table of {bytes} bytes cannot be had; give a smaller --hash")
            }
            Self::Kernel(level) => {
                write!(f, "this machine lacks the kernel level {level}; leave --kernel out")
            }
            Self::Threads(reason) => write!(f, "cannot start the search threads: {reason}"),
        }
    }
}

impl std::error::Error for SolverError {}

/// Fewest empties at which a node is worth sharing among threads.
const SPLIT_EMPTIES: u32 = 16;

/// Stack of a search thread: jobs of other nodes run on top of a waiting one.
const STACK_BYTES: usize = 16 << 20;

/// An exact solver for one game. It keeps its table between questions, logically cleared.
pub struct Solver {
    game: GameSpec,
    options: SolverOptions,
    layout: Layout,
    evaluation: Evaluation,
    table: tt::Table,
    locals: Mutex<Vec<LocalTable>>,
    pool: Option<rayon::ThreadPool>,
    question: u32,
}

impl Solver {
    /// A solver with its table and threads.
    ///
    /// # Errors
    /// When the table or the threads cannot be had, or the machine lacks the kernel level.
    pub fn new(game: &GameSpec, options: &SolverOptions) -> Result<Self, SolverError> {
        Self::with_evaluation(game, options, Evaluation::of(game))
    }

    /// A solver that orders its moves by another evaluation: for training, and for the test that
    /// no guess changes a value.
    #[doc(hidden)]
    pub fn with_evaluation(
        game: &GameSpec,
        options: &SolverOptions,
        evaluation: Evaluation,
    ) -> Result<Self, SolverError> {
        if !options.kernel.is_available() {
            return Err(SolverError::Kernel(options.kernel));
        }
        let table = tt::Table::new(options.hash_bytes)
            .ok_or(SolverError::Memory { bytes: options.hash_bytes })?;
        let pool = (options.threads > 1)
            .then(|| {
                rayon::ThreadPoolBuilder::new()
                    .num_threads(options.threads)
                    .stack_size(STACK_BYTES)
                    .thread_name(|i| format!("search-{i}"))
                    .build()
            })
            .transpose()
            .map_err(|error| SolverError::Threads(error.to_string()))?;
        Ok(Self {
            game: *game,
            options: *options,
            layout: Layout::new(game),
            evaluation,
            table,
            locals: Mutex::new(Vec::new()),
            pool,
            question: 0,
        })
    }

    /// The game.
    pub fn game(&self) -> &GameSpec {
        &self.game
    }

    /// The options in force.
    pub fn options(&self) -> &SolverOptions {
        &self.options
    }

    /// Answers one question, whatever was asked before: the table is cleared first.
    pub fn solve(&mut self, task: &Task, cancel: &Cancel, observer: &dyn Observer) -> Solution {
        let Position { player, opponent, .. } = task.position;
        self.table.clear((self.game.squares() - player - opponent).len());
        self.question += 1;
        self.solve_warm(task, cancel, observer)
    }

    /// Answers one question with the help of all that was proved since the last [`Solver::solve`].
    /// The values are the same; the nodes depend on what was asked before.
    pub fn solve_warm(
        &mut self,
        task: &Task,
        cancel: &Cancel,
        observer: &dyn Observer,
    ) -> Solution {
        let max = self.game.max_score();
        let terms = Terms {
            question: self.question,
            split_at: self.pool.is_some().then_some(SPLIT_EMPTIES),
            time_limit: task.time_limit,
            node_limit: task.node_limit,
            cancel,
            observer,
        };
        let bounds = Bounds { lower: -max, upper: max };
        let shared =
            Shared::new(&self.table, &self.layout, &self.evaluation, &self.locals, bounds, terms);
        let run = || self.dispatch(&shared, task);
        match &self.pool {
            Some(pool) => pool.install(run),
            None => run(),
        }
    }

    /// Picks the code for the game and the level: the one run-time choice of a search.
    fn dispatch(&self, shared: &Shared<'_>, task: &Task) -> Solution {
        let spec = &self.game;
        with_kernel!(self.options.kernel, |kernel| {
            match Shape::new(spec) {
                None => driver::solve(*spec, kernel, shared, task),
                Some(shape) if !shape.is_classic() => driver::solve(shape, kernel, shared, task),
                Some(shape) => match (spec.width(), spec.height()) {
                    (8, 8) => driver::solve(Standard::<8, 8>, kernel, shared, task),
                    (6, 6) => driver::solve(Standard::<6, 6>, kernel, shared, task),
                    _ => driver::solve(shape, kernel, shared, task),
                },
            }
        })
    }
}
