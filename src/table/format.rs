//! The layout of a table file, version 1; `docs/tables.md` is its description byte for byte.
//!
//! ```text
//! header      HEADER bytes, with a checksum
//! chunks      one a set of occupied squares, layers from the most discs down, sets rising:
//!             a directory (first key, offset, checksum of each block), then the blocks
//! layers      for each layer: counts, scores, code lengths; one checksum for all
//! lines       which sets exist, 448 to a line of 64 bytes with rank and checksum
//! records     for each set, in the order of the lines: where its chunk is, with a checksum
//! ```
//! All numbers are little endian. Version history: 1, the first.

use super::code::ABSENT;
use super::error::TableError;
use crate::board::count::{Counts, Positions};
use crate::board::{Game, GameSpec, Shape};
use std::fmt;

/// The first bytes of every table. The bytes around the letters show damage by text transfers.
pub const MAGIC: [u8; 8] = *b"\x89OBVTAB\n";
/// The version that this program writes and reads.
pub const VERSION: u32 = 1;
/// Bytes of the header.
pub const HEADER: usize = 1024;
/// Longest name of a game, in bytes.
pub const MAX_NAME: usize = 900;
/// Sets in a line.
pub const LINE_SETS: u32 = 448;
/// Bytes of a line.
pub const LINE: usize = 64;
/// Bytes of a record.
pub const RECORD: usize = 20;
/// Keys in a block.
pub const BLOCK: usize = 128;
/// Bytes of a block in the directory of its chunk.
pub const ENTRY: usize = 12;

/// Little-endian numbers in bytes; 0 behind the end.
pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let field = at.checked_add(4).and_then(|end| bytes.get(at..end));
    field.and_then(|field| field.try_into().ok()).map_or(0, u32::from_le_bytes)
}

/// See [`u32_at`].
pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let field = at.checked_add(8).and_then(|end| bytes.get(at..end));
    field.and_then(|field| field.try_into().ok()).map_or(0, u64::from_le_bytes)
}

/// Where everything is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Full name of the game.
    pub game: String,
    /// Length of the file in bytes.
    pub length: u64,
    /// Where the layers begin; they end where the lines begin.
    pub layers: u64,
    /// Checksum of the layers.
    pub layers_sum: u32,
    /// Number of layers.
    pub layer_count: u32,
    /// Where the lines begin; they end where the records begin.
    pub lines: u64,
    /// Where the records begin.
    pub records: u64,
    /// Number of sets of occupied squares.
    pub sets: u64,
    /// Number of positions stored.
    pub positions: u64,
}

impl Header {
    /// The header as bytes. The name must fit.
    pub fn to_bytes(&self) -> [u8; HEADER] {
        let mut bytes = Vec::with_capacity(HEADER);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((HEADER as u32).to_le_bytes());
        for number in
            [self.length, self.layers, self.lines, self.records, self.sets, self.positions]
        {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.layers_sum.to_le_bytes());
        bytes.extend(self.layer_count.to_le_bytes());
        bytes.extend((self.game.len() as u32).to_le_bytes());
        bytes.extend(self.game.as_bytes());
        bytes.resize(HEADER - 4, 0);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes.try_into().unwrap_or([0; HEADER])
    }

    /// Reads the header of a file.
    ///
    /// # Errors
    /// When the bytes are no table of this version, or are cut short or damaged.
    pub fn read(data: &[u8]) -> Result<Self, TableError> {
        let foreign = |what, expected: String, found: String| {
            Err(TableError::Foreign { what, expected, found })
        };
        if data.get(..8) != Some(&MAGIC) {
            let found = data.get(..8).unwrap_or(data);
            let found =
                if found.is_empty() { "nothing".into() } else { found.escape_ascii().to_string() };
            return foreign("not an obverse table", MAGIC.escape_ascii().to_string(), found);
        }
        let version = u32_at(data, 8);
        if version != VERSION {
            let found = format!("version {version}; a newer program may read it");
            return foreign("a table of another version", format!("version {VERSION}"), found);
        }
        let Some(bytes) = data.get(..HEADER) else {
            let found = format!("{} bytes", data.len());
            return Err(TableError::corrupt("header cut short", format!("{HEADER} bytes"), found));
        };
        let sum = crc32fast::hash(&bytes[..HEADER - 4]);
        check_sum("header", u32_at(bytes, HEADER - 4), sum)?;
        let [length, layers, lines, records, sets, positions] =
            std::array::from_fn(|i| u64_at(bytes, 16 + 8 * i));
        let name_length = (u32_at(bytes, 72) as usize).min(MAX_NAME);
        let header = Self {
            game: String::from_utf8_lossy(&bytes[76..76 + name_length]).into_owned(),
            length,
            layers,
            layers_sum: u32_at(bytes, 64),
            layer_count: u32_at(bytes, 68),
            lines,
            records,
            sets,
            positions,
        };
        if length != data.len() as u64 {
            let what = if length > data.len() as u64 { "file cut short" } else { "file too long" };
            let (expected, found) = (format!("{length} bytes"), format!("{} bytes", data.len()));
            return Err(TableError::corrupt(what, expected, found));
        }
        let records_end = sets.checked_mul(RECORD as u64).and_then(|n| n.checked_add(records));
        let ordered = [HEADER as u64, layers, lines, records, length].is_sorted();
        if !ordered || records_end != Some(length) || !(lines..=records).contains(&lines) {
            return Err(TableError::corrupt("header", "sections in order", "other offsets"));
        }
        Ok(header)
    }
}

/// Compares a checksum that is stored with the one of the bytes.
///
/// # Errors
/// When they differ.
pub fn check_sum(what: impl fmt::Display, stored: u32, computed: u32) -> Result<(), TableError> {
    if stored == computed {
        return Ok(());
    }
    let (expected, found) = (format!("checksum {stored:08x}"), format!("{computed:08x}"));
    Err(TableError::corrupt(what.to_string(), expected, found))
}

/// The scores that a game can have, as symbols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symbols {
    max: i32,
    step: i32,
}

impl Symbols {
    /// The symbols of a game.
    pub fn new(shape: Shape) -> Self {
        Self { max: shape.max_score(), step: shape.step() }
    }

    /// How many there are, at most 65.
    pub fn len(self) -> usize {
        (2 * self.max / self.step + 1) as usize
    }

    /// The symbol of a score.
    #[inline(always)]
    pub fn symbol(self, score: i8) -> u8 {
        ((i32::from(score) + self.max) / self.step) as u8
    }

    /// The score of a symbol.
    #[inline(always)]
    pub fn score(self, symbol: u8) -> i32 {
        i32::from(symbol) * self.step - self.max
    }
}

/// What is known of a layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerInfo {
    /// Discs on the board.
    pub discs: u32,
    /// Sets of occupied squares.
    pub sets: u64,
    /// Where its chunks begin in the file.
    pub start: u64,
    /// Where they end.
    pub end: u64,
    /// Checksum of its chunks.
    pub sum: u32,
    /// Positions in every convention; without games.
    pub counts: Counts,
    /// How many stored positions have each score, by symbol.
    pub scores: Vec<u64>,
    /// Code lengths of the scores, `scores.len()` for each symbol that can stand before, then
    /// those of the first score of a block.
    pub lengths: Vec<u8>,
}

/// The nine counts of a layer, in the order of the file.
pub fn numbers(counts: &mut Counts) -> [&mut u64; 9] {
    let [a, b, c] = identities(&mut counts.placed);
    let [d, e, f] = identities(&mut counts.all);
    let [g, h, i] = identities(&mut counts.resolved);
    [a, b, c, d, e, f, g, h, i]
}

fn identities(positions: &mut Positions) -> [&mut u64; 3] {
    let Positions { colored, mover, canonical } = positions;
    [colored, mover, canonical]
}

impl LayerInfo {
    /// Bytes of a layer with this number of symbols.
    pub const fn bytes(symbols: usize) -> usize {
        8 + 3 * 8 + 9 * 8 + 8 * symbols + (symbols + 1) * symbols
    }

    /// Appends the layer in its form in the file.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.discs.to_le_bytes());
        bytes.extend(self.sum.to_le_bytes());
        for number in [self.sets, self.start, self.end] {
            bytes.extend(number.to_le_bytes());
        }
        let mut counts = self.counts;
        for number in numbers(&mut counts) {
            bytes.extend(number.to_le_bytes());
        }
        for number in &self.scores {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(&self.lengths);
    }

    /// Reads a layer from exactly [`LayerInfo::bytes`] bytes.
    pub fn read(bytes: &[u8], symbols: usize) -> Self {
        let mut counts = Counts::default();
        for (i, number) in numbers(&mut counts).into_iter().enumerate() {
            *number = u64_at(bytes, 32 + 8 * i);
        }
        let scores = 104;
        let lengths = scores + 8 * symbols;
        Self {
            discs: u32_at(bytes, 0),
            sum: u32_at(bytes, 4),
            sets: u64_at(bytes, 8),
            start: u64_at(bytes, 16),
            end: u64_at(bytes, 24),
            counts,
            scores: (0..symbols).map(|i| u64_at(bytes, scores + 8 * i)).collect(),
            lengths: bytes.get(lengths..).map_or(vec![ABSENT; (symbols + 1) * symbols], Into::into),
        }
    }
}

/// Where the chunk of a set is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// The canonical set; the file has it in the lines.
    pub set: u32,
    /// Offset in the file.
    pub offset: u64,
    /// Bytes.
    pub length: u32,
    /// Positions.
    pub count: u32,
}

impl Record {
    /// The record with this number in its form in the file.
    pub fn to_bytes(self, number: u32) -> [u8; RECORD] {
        let mut bytes = [0; RECORD];
        bytes[..8].copy_from_slice(&self.offset.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.length.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.count.to_le_bytes());
        let sum = Self::sum(&bytes, number);
        bytes[16..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads the record with this number, that of `set`.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn read(bytes: &[u8; RECORD], number: u32, set: u32) -> Result<Self, TableError> {
        check_sum("record of a set", u32_at(bytes, 16), Self::sum(bytes, number))?;
        let (length, count) = (u32_at(bytes, 8), u32_at(bytes, 12));
        Ok(Self { set, offset: u64_at(bytes, 0), length, count })
    }

    /// The number is part of the sum, so that a record cannot stand for another.
    fn sum(bytes: &[u8; RECORD], number: u32) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&number.to_le_bytes());
        hasher.update(&bytes[..16]);
        hasher.finalize()
    }

    /// Blocks of its chunk.
    pub fn blocks(self) -> usize {
        (self.count as usize).div_ceil(BLOCK)
    }
}

/// The checksum of a line: of its number, rank and bits.
pub fn line_sum(line: &[u8], number: u32) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&number.to_le_bytes());
    hasher.update(line.get(..4).unwrap_or_default());
    hasher.update(line.get(8..LINE).unwrap_or_default());
    hasher.finalize()
}

/// What delimits a block: part of its checksum, so that a damaged directory cannot make a key
/// look absent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Number of the set (see `Grid::set_number`).
    pub set_number: u32,
    /// Number of the block in its chunk.
    pub block: u32,
    /// Its first key.
    pub first: u32,
    /// The first key of the next block, 0 for the last.
    pub next: u32,
    /// Where it begins in the chunk.
    pub start: u32,
    /// Where it ends in the chunk.
    pub end: u32,
}

impl Limits {
    /// The checksum of a block.
    pub fn sum(self, block: &[u8]) -> u32 {
        let mut limits = [0; 24];
        let numbers = [self.set_number, self.block, self.first, self.next, self.start, self.end];
        for (to, number) in limits.chunks_exact_mut(4).zip(numbers) {
            to.copy_from_slice(&number.to_le_bytes());
        }
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&limits);
        hasher.update(block);
        hasher.finalize()
    }
}

/// The rules of a game that can have a table.
///
/// # Errors
/// When it has state beyond the discs or a free opening.
pub fn table_shape(game: &GameSpec) -> Result<Shape, TableError> {
    Shape::new(game).ok_or_else(|| {
        TableError::Game(format!(
            "{game}: tables hold games whose positions are their discs; leave out free, \
             optional-pass and supply"
        ))
    })
}
