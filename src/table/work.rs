//! The working folder of a build: what is complete, so that a killed build goes on from there.
//!
//! `game` names the build. Forward, each layer leaves `keys-NN`, `sources-NN` and, last,
//! `counts-NN`; the sources go when the next layer is complete. Backward, the chunks of a layer are
//! appended to `table` and then `scores-NN` and, last, `done-NN` are written; keys and scores of
//! the layer after go then. Every file but `table` is renamed when whole; `table` is cut back to
//! the end that the newest `done-NN` names.

use super::error::TableError;
use super::format::{HEADER, numbers};
use super::layer::{Layer, write_whole};
use super::pack::PackedLayer;
use crate::board::GameSpec;
use crate::board::count::Counts;
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// First line of `game`; grows with the layout of the folder.
const KIND: &str = "obverse table build 1";

/// The folder; locked while this lives.
pub struct Work {
    folder: PathBuf,
    _lock: File,
}

impl Work {
    /// Opens or creates the working folder of an output file.
    ///
    /// # Errors
    /// When it cannot be had or belongs to another game.
    pub fn open(output: &Path, game: &GameSpec) -> Result<Self, TableError> {
        let mut name = output.file_name().unwrap_or_default().to_owned();
        name.push(".build");
        let folder = output.with_file_name(name);
        fs::create_dir_all(&folder).map_err(TableError::io(&folder))?;
        let refuse = |message: String| TableError::Work { path: folder.clone(), message };
        let path = folder.join("lock");
        let lock = File::create(&path).map_err(TableError::io(&path))?;
        if lock.try_lock().is_err() {
            return Err(refuse("another build is at work here".into()));
        }
        let text = format!("{KIND}\n{game}\n");
        let path = folder.join("game");
        match fs::read_to_string(&path) {
            Ok(found) if found == text => {}
            Ok(found) => {
                let what = found.lines().nth(1).unwrap_or("something else");
                return Err(refuse(format!(
                    "holds an unfinished build of {what}, not of {game}; finish it or remove it"
                )));
            }
            Err(_) => write_whole(&path, text.as_bytes())?,
        }
        Ok(Self { folder, _lock: lock })
    }

    /// The file of a layer.
    pub fn path(&self, kind: &str, discs: u32) -> PathBuf {
        self.folder.join(format!("{kind}-{discs:02}"))
    }

    /// The table in the making.
    pub fn table(&self) -> PathBuf {
        self.folder.join("table")
    }

    /// The layers that have a file of this kind, rising.
    pub fn layers(&self, kind: &str) -> Vec<u32> {
        (0..=64).filter(|&discs| self.path(kind, discs).exists()).collect()
    }

    /// Removes files that are not needed any more; it does not matter when they stay.
    pub fn drop_files(&self, kinds: &[&str], discs: u32) {
        for kind in kinds {
            let _ = fs::remove_file(self.path(kind, discs));
        }
    }

    /// A layer's lists.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn load(&self, kind: &str, discs: u32) -> Result<Layer, TableError> {
        Layer::load(&self.path(kind, discs))
    }

    /// Keeps the counts of a layer.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn save_counts(&self, discs: u32, counts: &Counts) -> Result<(), TableError> {
        let mut counts = *counts;
        let numbers = numbers(&mut counts).map(|number| number.to_string());
        write_whole(&self.path("counts", discs), numbers.join(" ").as_bytes())
    }

    /// The counts of a layer.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn load_counts(&self, discs: u32) -> Result<Counts, TableError> {
        let path = self.path("counts", discs);
        let text = fs::read_to_string(&path).map_err(TableError::io(&path))?;
        let mut counts = Counts::default();
        let mut read = text.split(' ').map_while(|number| number.parse().ok());
        for number in numbers(&mut counts) {
            let bad = || TableError::corrupt(path.display().to_string(), "nine numbers", &text);
            *number = read.next().ok_or_else(bad)?;
        }
        Ok(counts)
    }

    /// Keeps the scores of a layer.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn save_scores(&self, discs: u32, scores: &[i8]) -> Result<(), TableError> {
        write_whole(&self.path("scores", discs), bytemuck::cast_slice(scores))
    }

    /// The scores of a layer.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn load_scores(&self, discs: u32) -> Result<Vec<i8>, TableError> {
        let path = self.path("scores", discs);
        let bytes = fs::read(&path).map_err(TableError::io(&path))?;
        Ok(bytemuck::cast_vec(bytes))
    }

    /// Keeps what must be known of a layer that is in the table.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save_done(&self, layer: &PackedLayer) -> Result<(), TableError> {
        write_whole(&self.path("done", layer.info.discs), &layer.to_bytes())
    }

    /// What must be known of a layer that is in the table.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn load_done(&self, discs: u32, symbols: usize) -> Result<PackedLayer, TableError> {
        let path = self.path("done", discs);
        let bytes = fs::read(&path).map_err(TableError::io(&path))?;
        let bad = || TableError::corrupt(path.display().to_string(), "a layer", "something else");
        PackedLayer::from_bytes(&bytes, symbols).ok_or_else(bad)
    }

    /// The table, to be continued at `end`; a new one has room for the header.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open_table(&self, end: Option<u64>) -> Result<File, TableError> {
        let path = self.table();
        let io = || TableError::io(&path);
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(&path).map_err(io())?;
        file.set_len(end.unwrap_or(HEADER as u64)).map_err(io())?;
        file.seek(SeekFrom::End(0)).map_err(io())?;
        Ok(file)
    }

    /// Gives the table its name and removes the folder.
    ///
    /// # Errors
    /// When the table cannot be renamed.
    pub fn finish(self, output: &Path) -> Result<(), TableError> {
        fs::rename(self.table(), output).map_err(TableError::io(output))?;
        // What stays of the folder does no harm.
        let _ = fs::remove_dir_all(&self.folder);
        Ok(())
    }
}
