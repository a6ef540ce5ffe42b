//! A table as a source of answers, for `table probe` and for `solve --table`.

use super::failed;
use crate::board::GameSpec;
use crate::cli::console::Console;
use crate::cli::error::{CliError, Status};
use crate::search::{Bounds, MoveScore, Solution, Task};
use crate::table::{self, Table, TableError};
use memmap2::Mmap;
use std::path::Path;
use std::time::Instant;

/// Opens a table that the user named.
///
/// # Errors
/// When it cannot be mapped or is refused.
#[allow(unsafe_code)] // The one place where the promise of the map is made.
pub fn open(path: &Path) -> Result<Table<Mmap>, TableError> {
    // SAFETY: a table is renamed into place when it is whole and never changed afterwards; who
    // changes it while it is read is told in docs/tables.md what happens.
    unsafe { table::open_mapped(path) }
}

/// A table with its name.
pub struct SolvedTable {
    name: String,
    table: Table<Mmap>,
}

impl SolvedTable {
    /// Opens a table, or says how the command ends without it.
    pub fn open(path: &Path, console: &Console) -> Result<Self, Status> {
        let name = path.display().to_string();
        match open(path) {
            Ok(table) => Ok(Self { name, table }),
            Err(error) => Err(failed(&error, &name, console, None)),
        }
    }

    /// Opens the table of a game, or says how the command ends without it.
    ///
    /// # Errors
    /// When it is the table of another game.
    pub fn open_for(
        path: &Path,
        game: &GameSpec,
        console: &Console,
    ) -> Result<Result<Self, Status>, CliError> {
        match Self::open(path, console) {
            Ok(table) if table.table.game() != game => Err(CliError::usage(format!(
                "{} is the table of {}, not of {game}; give --game {0}",
                table.name,
                table.table.game()
            ))),
            opened => Ok(opened),
        }
    }

    /// Its name as given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The table.
    pub fn table(&self) -> &Table<Mmap> {
        &self.table
    }

    /// The answer to a question, as the search would give it; `None` when the position is not in
    /// the table.
    ///
    /// # Errors
    /// When the table is damaged.
    pub fn answer(&self, task: &Task) -> Result<Option<Solution>, CliError> {
        let damaged = |error: TableError| CliError::usage(format!("{}: {error}", self.name));
        let start = Instant::now();
        let Some(score) = self.table.score(&task.position).map_err(damaged)? else {
            return Ok(None);
        };
        let moves = self.table.moves(&task.position).map_err(damaged)?;
        let pv = self.table.line(&task.position).map_err(damaged)?;
        let bounds = |score| self.bounds(score, task.window);
        let mut moves: Vec<MoveScore> =
            moves.into_iter().map(|(mv, score)| MoveScore { mv, bounds: bounds(score) }).collect();
        moves.sort_by_key(|scored| -scored.bounds.lower);
        Ok(Some(Solution {
            bounds: bounds(score),
            best: pv.first().copied(),
            pv,
            moves: if task.all_moves { moves } else { Vec::new() },
            nodes: 0,
            elapsed: start.elapsed(),
            stopped: None,
        }))
    }

    /// What is said of a score through a window.
    fn bounds(&self, score: i32, window: Option<(i32, i32)>) -> Bounds {
        let max = self.table.game().max_score();
        match window {
            Some((alpha, _)) if score <= alpha => Bounds { lower: -max, upper: alpha.min(max) },
            Some((_, beta)) if score >= beta => Bounds { lower: beta.max(-max), upper: max },
            _ => Bounds { lower: score, upper: score },
        }
    }
}
