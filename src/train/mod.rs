//! Training of the evaluation that orders moves: games of our own play with exactly solved ends,
//! and a least-squares fit of the pattern weights. Depends on `search`, `kernel` and `board`.
//!
//! Everything follows from the seed, the settings and the version of the program: the same
//! command gives the same file.

pub mod fit;
pub mod play;
pub mod random;
pub mod store;

use crate::board::GameSpec;
use crate::search::eval::{Evaluation, Weights, WeightsError};
use crate::search::{Cancel, SolverError};
use fit::ByEmpties;
use play::{PlaySettings, Table};
use std::fmt;
use std::path::{Path, PathBuf};
use store::{Reader, Store, StoreError};

/// Games in one block of a file.
pub const BLOCK_GAMES: u32 = 1000;

/// Of so many blocks, the last is held out of the fit to measure the error.
const HELD_OUT: u32 = 16;

/// Positions with fewer empties are left out: nothing asks for a guess there.
const FEWEST_EMPTIES: u32 = 6;

/// The most empties of each stage on 8x8.
const STAGES_8: &[u8] = &[11, 14, 17, 20, 23, 26, 29, 32, 35, 38, 41, 44, 48, 52, 60];

/// The most empties of each stage on 6x6.
const STAGES_6: &[u8] = &[9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 32];

/// Why training stops.
#[derive(Debug)]
pub enum TrainError {
    /// The game has no patterns to train.
    Game(GameSpec),
    /// A file of games cannot be used.
    Store(StoreError),
    /// The solver cannot be had.
    Solver(SolverError),
    /// The weights cannot be made.
    Weights(WeightsError),
    /// A file of games is damaged, or of another game.
    Games(PathBuf),
    /// There is nothing to fit, or nothing to measure the error with.
    TooFew,
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Game(game) => {
                write!(f, "{game} has no patterns to train; 8x8 and 6x6 in their usual rules have")
            }
            Self::Store(error) => error.fmt(f),
            Self::Solver(error) => error.fmt(f),
            Self::Weights(error) => error.fmt(f),
            Self::Games(path) => {
                write!(f, "{}: a line is no play of this game; make the file anew", path.display())
            }
            Self::TooFew => write!(
                f,
                "too few games: one block of {HELD_OUT} is held out; play at least {} games",
                HELD_OUT * BLOCK_GAMES
            ),
        }
    }
}

impl std::error::Error for TrainError {}

impl From<StoreError> for TrainError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Weights of zero with the usual stages for a game.
///
/// # Errors
/// When the game has no patterns.
pub fn blank(game: &GameSpec) -> Result<Weights, TrainError> {
    let stages = match (Evaluation::is_trainable(game), game.width()) {
        (true, 8) => STAGES_8,
        (true, 6) => STAGES_6,
        _ => return Err(TrainError::Game(*game)),
    };
    Weights::new(game.width(), stages).map_err(TrainError::Weights)
}

/// Plays games into a file until it holds `games` of them (rounded up to whole blocks), or until
/// cancelled; `done` hears of each block. Returns the number of games there.
///
/// # Errors
/// When the file cannot be written, or was made with other settings.
pub fn generate(
    game: &GameSpec,
    settings: PlaySettings,
    evaluation: Evaluation,
    (path, resume): (&Path, bool),
    games: u64,
    cancel: &Cancel,
    mut done: impl FnMut(u64),
) -> Result<u64, TrainError> {
    let text = format!("{game} {settings} evaluation={}", evaluation.name());
    let mut store = if resume && path.exists() {
        Store::resume(path, &text)?
    } else {
        Store::create(path, &text)?
    };
    let mut table = Table::new(game, settings, evaluation).map_err(TrainError::Solver)?;
    let size = u64::from(BLOCK_GAMES);
    let blocks = games.div_ceil(size);
    while u64::from(store.blocks()) < blocks {
        let first = u64::from(store.blocks()) * size;
        let mut lines = Vec::new();
        for number in first..first + size {
            if cancel.is_cancelled() {
                return Ok(first);
            }
            lines.extend(table.play(number));
        }
        store.append(&lines)?;
        done(first + size);
    }
    Ok(u64::from(store.blocks()) * size)
}

/// Positions to fit, and others to measure the error with.
pub struct Data {
    /// To fit.
    pub fitted: ByEmpties,
    /// Of other games, never fitted.
    pub held_out: ByEmpties,
}

/// Reads the positions of all files.
///
/// # Errors
/// When a file cannot be read or is of another game, or the files hold too little.
pub fn load(game: &GameSpec, files: &[PathBuf]) -> Result<Data, TrainError> {
    let squares = game.squares().bits();
    let groups = game.squares().len() as usize + 1;
    let mut data = Data { fitted: vec![Vec::new(); groups], held_out: vec![Vec::new(); groups] };
    for path in files {
        let mut reader = Reader::open(path)?;
        while let Some((number, lines)) = reader.next_block()? {
            let held = number % HELD_OUT == HELD_OUT - 1;
            let groups = if held { &mut data.held_out } else { &mut data.fitted };
            for line in lines {
                let samples = line.samples(squares);
                for sample in samples.ok_or_else(|| TrainError::Games(path.clone()))? {
                    let empties = (squares & !(sample.player | sample.opponent)).count_ones();
                    if empties >= FEWEST_EMPTIES {
                        groups[empties as usize].push(sample);
                    }
                }
            }
        }
    }
    let count = |groups: &ByEmpties| groups.iter().map(Vec::len).sum::<usize>();
    if count(&data.fitted) == 0 || count(&data.held_out) == 0 {
        return Err(TrainError::TooFew);
    }
    Ok(data)
}
