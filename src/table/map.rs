//! Opens a table as a memory map. The only place of the tables with `unsafe` in it.
#![allow(unsafe_code)] // A map is as safe as the promise of its caller.

use super::error::TableError;
use super::read::Table;
use memmap2::Mmap;
use std::fs::File;
use std::path::Path;

/// Opens a table without reading it; the parts that are asked for are read as they are needed.
///
/// # Safety
/// While the table is in use nobody may change the file or cut it short: what Rust takes for
/// unchanging bytes would change, and reading behind the end of a file kills the process.
///
/// # Errors
/// When the file cannot be mapped, or [`Table::new`] refuses it.
pub unsafe fn open_mapped(path: &Path) -> Result<Table<Mmap>, TableError> {
    let file = File::open(path).map_err(TableError::io(path))?;
    // SAFETY: the caller promises that the file stays as it is.
    let map = unsafe { Mmap::map(&file) }.map_err(TableError::io(path))?;
    Table::new(map)
}
