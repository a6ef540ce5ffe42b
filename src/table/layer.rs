//! A layer of discs while a table is built: for each canonical set of occupied squares the lists
//! of its colourings, in memory and in a working file.
//!
//! A working file belongs to one build on one machine: its numbers are in the machine's byte
//! order. It is written under a temporary name and renamed when it is whole, so whatever carries
//! the right name is complete.

use super::error::TableError;
use crc32fast::Hasher;
use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// "obversel" in the byte order of the machine.
const MAGIC: u64 = u64::from_le_bytes(*b"obversel");

/// Numbers after the arrays: magic, discs, sets, words, checksum.
const TRAILER: usize = 5 * 8;

/// The sets of a layer in rising order with their lists.
pub struct Layer {
    /// Discs on the board.
    pub discs: u32,
    /// The canonical sets of occupied squares.
    pub sets: Vec<u32>,
    /// Positions with each set.
    pub counts: Vec<u32>,
    /// Where the words of each set begin, and the end of the last.
    starts: Vec<u64>,
    words: Vec<u16>,
}

impl Layer {
    /// A layer from the words of its sets.
    pub fn new(discs: u32, sets: Vec<u32>, counts: Vec<u32>, lists: &[Vec<u16>]) -> Self {
        let mut starts = vec![0];
        let mut end = 0;
        for list in lists {
            end += list.len() as u64;
            starts.push(end);
        }
        Self { discs, sets, counts, starts, words: lists.concat() }
    }

    /// The words of the set at this place.
    pub fn words(&self, place: usize) -> &[u16] {
        &self.words[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// Positions in all.
    pub fn positions(&self) -> u64 {
        self.counts.iter().map(|&count| u64::from(count)).sum()
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> u64 {
        (self.words.len() * 2 + self.sets.len() * 16) as u64
    }

    /// Reads a working file.
    ///
    /// # Errors
    /// When it cannot be read or was changed.
    pub fn load(path: &Path) -> Result<Self, TableError> {
        let io = || TableError::io(path);
        let mut file = File::open(path).map_err(io())?;
        let length = file.metadata().map_err(io())?.len();
        let bad =
            || TableError::corrupt(path.display().to_string(), "a whole layer", "something else");
        let read = |file: &mut File, bytes: &mut [u8]| file.read_exact(bytes).map_err(io());
        let mut trailer = [0_u64; TRAILER / 8];
        // The trailer first: it says how long the arrays are.
        std::io::Seek::seek(
            &mut file,
            std::io::SeekFrom::Start(length.saturating_sub(TRAILER as u64)),
        )
        .map_err(io())?;
        read(&mut file, bytemuck::cast_slice_mut(&mut trailer))?;
        let [magic, discs, sets, words, sum] = trailer;
        let expected = words.checked_mul(2).and_then(|bytes| {
            bytes.checked_add(sets.checked_mul(16)?.checked_add(8 + TRAILER as u64)?)
        });
        if magic != MAGIC || expected != Some(length) {
            return Err(bad());
        }
        std::io::Seek::rewind(&mut file).map_err(io())?;
        let mut layer = Self {
            discs: discs as u32,
            sets: vec![0; sets as usize],
            counts: vec![0; sets as usize],
            starts: vec![0; sets as usize + 1],
            words: vec![0; words as usize],
        };
        read(&mut file, bytemuck::cast_slice_mut(&mut layer.words))?;
        read(&mut file, bytemuck::cast_slice_mut(&mut layer.sets))?;
        read(&mut file, bytemuck::cast_slice_mut(&mut layer.counts))?;
        read(&mut file, bytemuck::cast_slice_mut(&mut layer.starts))?;
        let mut hasher = Hasher::new();
        hasher.update(bytemuck::cast_slice(&layer.words));
        hasher.update(bytemuck::cast_slice(&layer.sets));
        hasher.update(bytemuck::cast_slice(&layer.counts));
        hasher.update(bytemuck::cast_slice(&layer.starts));
        let ordered = layer.starts.is_sorted() && layer.starts.last() == Some(&words);
        if u64::from(hasher.finalize()) != sum || !ordered {
            return Err(bad());
        }
        Ok(layer)
    }
}

/// Writes a working file set by set.
pub struct LayerWriter {
    path: PathBuf,
    temporary: PathBuf,
    file: BufWriter<File>,
    hasher: Hasher,
    sets: Vec<u32>,
    counts: Vec<u32>,
    starts: Vec<u64>,
    words: u64,
}

impl LayerWriter {
    /// Begins a file.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn new(path: &Path) -> Result<Self, TableError> {
        let temporary = path.with_extension("tmp");
        let file = File::create(&temporary).map_err(TableError::io(&temporary))?;
        Ok(Self {
            path: path.to_owned(),
            temporary,
            file: BufWriter::with_capacity(1 << 20, file),
            hasher: Hasher::new(),
            sets: Vec::new(),
            counts: Vec::new(),
            starts: vec![0],
            words: 0,
        })
    }

    /// Appends the lists of the next set.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn push(&mut self, set: u32, count: u32, words: &[u16]) -> Result<(), TableError> {
        self.bytes(bytemuck::cast_slice(words))?;
        self.words += words.len() as u64;
        self.sets.push(set);
        self.counts.push(count);
        self.starts.push(self.words);
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        self.hasher.update(bytes);
        self.file.write_all(bytes).map_err(TableError::io(&self.temporary))
    }

    /// Ends the file and gives it its name.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self, discs: u32) -> Result<(), TableError> {
        let (sets, counts, starts) = (
            std::mem::take(&mut self.sets),
            std::mem::take(&mut self.counts),
            std::mem::take(&mut self.starts),
        );
        self.bytes(bytemuck::cast_slice(&sets))?;
        self.bytes(bytemuck::cast_slice(&counts))?;
        self.bytes(bytemuck::cast_slice(&starts))?;
        let sum = self.hasher.clone().finalize();
        let trailer = [MAGIC, u64::from(discs), sets.len() as u64, self.words, u64::from(sum)];
        self.bytes(bytemuck::cast_slice(&trailer))?;
        let io = || TableError::io(&self.temporary);
        let file = self.file.into_inner().map_err(|error| io()(error.into_error()))?;
        file.sync_all().map_err(io())?;
        fs::rename(&self.temporary, &self.path).map_err(io())
    }
}

/// Writes a file whole: under a temporary name, then renamed.
///
/// # Errors
/// When it cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), TableError> {
    let temporary = path.with_extension("tmp");
    let io = || TableError::io(&temporary);
    let mut file = File::create(&temporary).map_err(io())?;
    file.write_all(bytes).map_err(io())?;
    file.sync_all().map_err(io())?;
    fs::rename(&temporary, path).map_err(io())
}
