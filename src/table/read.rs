//! Reads a table: opening, probes, lines of best play.
//!
//! A probe touches, beyond the index, the directory of one chunk and one block of it. The index
//! (lines and records, about a hundredth of the file) says by a count of bits where the record of
//! a set is; the record says where its chunk is; the directory, a few hundred bytes, which block.
//! Everything that a probe reads carries a checksum that it compares, so a damaged byte gives an
//! error and never another score.

use super::code::{BitReader, Decoder};
use super::error::TableError;
use super::format::{
    BLOCK, ENTRY, Header, LINE, LINE_SETS, LayerInfo, Limits, RECORD, Record, Symbols, check_sum,
    line_sum, table_shape, u32_at,
};
use super::grid::{Grid, MAX_SQUARES};
use crate::board::{GameSpec, Move, Position};

/// The table of a game, in any bytes: a memory map, a vector, a static.
///
/// A position is looked up by mover and opponent up to the symmetries of the board; a position
/// after a forced pass by the one before it.
pub struct Table<D> {
    data: D,
    game: GameSpec,
    grid: Grid,
    symbols: Symbols,
    header: Header,
    layers: Vec<LayerInfo>,
    /// For each number of discs, a decoder for each symbol before and one for the first.
    decoders: Vec<Vec<Decoder>>,
}

impl<D: AsRef<[u8]>> Table<D> {
    /// Opens a table, in a time that does not depend on its size: the header and what is known of
    /// the layers are read and checked.
    ///
    /// # Errors
    /// When the bytes are no table, not one of this version, cut short, or damaged in these parts.
    pub fn new(data: D) -> Result<Self, TableError> {
        let bytes = data.as_ref();
        let header = Header::read(bytes)?;
        let game: GameSpec = header.game.parse().map_err(|error| TableError::Foreign {
            what: "a table of an unknown game",
            expected: "the name of a game".into(),
            found: format!("'{}' ({error})", header.game),
        })?;
        let symbols = Symbols::new(table_shape(&game)?);
        let grid = Grid::new(&game).ok_or_else(|| {
            TableError::Game(format!("{game}: tables hold boards of up to {MAX_SQUARES} squares"))
        })?;
        let section = &bytes[header.layers as usize..header.lines as usize];
        let size = LayerInfo::bytes(symbols.len());
        let found = section.len();
        if u64::from(header.layer_count).checked_mul(size as u64) != Some(found as u64) {
            let expected = format!("{} layers of {size} bytes", header.layer_count);
            return Err(TableError::corrupt("layers", expected, format!("{found} bytes")));
        }
        let lines = grid.set_numbers().div_ceil(LINE_SETS.into()) * LINE as u64;
        if header.lines + lines != header.records {
            let found = format!("{} bytes", header.records - header.lines);
            return Err(TableError::corrupt("lines", format!("{lines} bytes"), found));
        }
        check_sum("layers", header.layers_sum, crc32fast::hash(section))?;
        let layers: Vec<_> =
            section.chunks(size).map(|bytes| LayerInfo::read(bytes, symbols.len())).collect();
        let mut decoders: Vec<Vec<Decoder>> = Vec::new();
        decoders.resize_with(grid.len() as usize + 1, Vec::new);
        for layer in &layers {
            let bad = || TableError::corrupt("layers", "codes of scores", "something else");
            let rows = layer.lengths.chunks(symbols.len()).map(Decoder::new);
            let slot = decoders.get_mut(layer.discs as usize).ok_or_else(bad)?;
            *slot = rows.collect::<Option<_>>().ok_or_else(bad)?;
        }
        Ok(Self { data, game, grid, symbols, header, layers, decoders })
    }

    /// The game.
    pub fn game(&self) -> &GameSpec {
        &self.game
    }

    /// Positions stored.
    pub fn positions(&self) -> u64 {
        self.header.positions
    }

    /// Bytes of the file.
    pub fn bytes(&self) -> u64 {
        self.header.length
    }

    /// What is known of each layer, rising.
    pub fn layers(&self) -> &[LayerInfo] {
        &self.layers
    }

    /// How many stored positions of a layer have each score, the mover's view, lowest first.
    pub fn scores<'a>(
        &self,
        layer: &'a LayerInfo,
    ) -> impl Iterator<Item = (i32, u64)> + use<'a, D> {
        let symbols = self.symbols;
        (0_u8..).zip(&layer.scores).map(move |(symbol, &count)| (symbols.score(symbol), count))
    }

    /// The exact score of a position, the mover's view; `None` when it is not reachable from the
    /// start, up to symmetry and exchange of the colours. Nothing is allocated.
    ///
    /// # Errors
    /// When the table is damaged where this position stands.
    pub fn score(&self, position: &Position) -> Result<Option<i32>, TableError> {
        let stored = self.stored(position)?;
        if stored.is_some() {
            return Ok(stored);
        }
        let before = Position { player: position.opponent, opponent: position.player, ..*position };
        let options = before.options(&self.game);
        if options.places != 0 || !options.pass {
            return Ok(None);
        }
        // A position after a forced pass is stored as the one before it.
        Ok(self.stored(&before)?.map(|score| -score))
    }

    /// The scores of the legal moves of a reachable position, the view of the side that moves,
    /// in the order of [`Position::moves`].
    ///
    /// # Errors
    /// When the table is damaged where a move leads.
    pub fn moves(&self, position: &Position) -> Result<Vec<(Move, i32)>, TableError> {
        let scored = |mv| {
            let child = position.play(&self.game, mv);
            let score = child.map(|child| self.score(&child)).transpose()?.flatten();
            let missing = || TableError::corrupt(format!("position after {mv}"), "a score", "none");
            score.map(|score| (mv, -score)).ok_or_else(missing)
        };
        position.moves(&self.game).into_iter().map(scored).collect()
    }

    /// The moves of best play from a reachable position to the end of the game; of equal moves
    /// the first.
    ///
    /// # Errors
    /// When the table is damaged on the way.
    pub fn line(&self, position: &Position) -> Result<Vec<Move>, TableError> {
        let (mut line, mut position) = (Vec::new(), *position);
        loop {
            let moves = self.moves(&position)?;
            let Some(best) = moves.iter().map(|&(_, score)| score).max() else { return Ok(line) };
            let first = moves.iter().find(|&&(_, score)| score == best);
            let Some(next) = first.and_then(|&(mv, _)| Some((mv, position.play(&self.game, mv)?)))
            else {
                return Ok(line);
            };
            line.push(next.0);
            position = next.1;
        }
    }

    /// The score that is stored for a position.
    fn stored(&self, position: &Position) -> Result<Option<i32>, TableError> {
        let discs = position.player | position.opponent;
        if !(discs - self.game.squares()).is_empty() {
            return Ok(None);
        }
        let (player, opponent) = self.grid.dense_position(position);
        let Some((set, colouring)) = self.grid.canonical(player, opponent) else { return Ok(None) };
        match self.record(set)? {
            Some(record) => self.find(&record, colouring),
            None => Ok(None),
        }
    }

    /// Where the chunk of a canonical set is, if the set occurs.
    fn record(&self, set: u32) -> Result<Option<Record>, TableError> {
        let number = self.grid.set_number(set);
        let line = self.line_of(number / LINE_SETS)?;
        let bit = (number % LINE_SETS) as usize;
        if line[8 + bit / 8] >> (bit % 8) & 1 == 0 {
            return Ok(None);
        }
        let mut rank = u32_at(line, 0);
        for (word, bytes) in line[8..].chunks_exact(8).enumerate() {
            let below = bit.saturating_sub(64 * word).min(64) as u32;
            let mask = if below == 64 { u64::MAX } else { (1 << below) - 1 };
            rank += (super::format::u64_at(bytes, 0) & mask).count_ones();
        }
        self.numbered_record(rank, set).map(Some)
    }

    /// One line of the index, checked.
    pub(super) fn line_of(&self, number: u32) -> Result<&[u8; LINE], TableError> {
        let at = self.header.lines as usize + LINE * number as usize;
        let line = self.data.as_ref()[..self.header.records as usize].get(at..at + LINE);
        let line: Option<&[u8; LINE]> = line.and_then(|line| line.try_into().ok());
        let missing = || TableError::corrupt("line of the index", "64 bytes", "fewer");
        let line = line.ok_or_else(missing)?;
        check_sum("line of the index", u32_at(line, 4), line_sum(line, number))?;
        Ok(line)
    }

    /// The record with this number, which is that of `set`.
    pub(super) fn numbered_record(&self, number: u32, set: u32) -> Result<Record, TableError> {
        let at = self.header.records as usize + RECORD * number as usize;
        let record =
            self.data.as_ref().get(at..at + RECORD).and_then(|bytes| bytes.try_into().ok());
        let missing = || TableError::corrupt("record of a set", "20 bytes", "fewer");
        Record::read(record.ok_or_else(missing)?, number, set)
    }

    /// The chunk of a set.
    fn chunk(&self, record: &Record) -> Result<&[u8], TableError> {
        let data = &self.data.as_ref()[..self.header.layers as usize];
        let start = usize::try_from(record.offset).unwrap_or(usize::MAX);
        let chunk = start.checked_add(record.length as usize).and_then(|end| data.get(start..end));
        let bad = || TableError::corrupt("record of a set", "a chunk in the file", record.offset);
        chunk.filter(|chunk| chunk.len() >= ENTRY * record.blocks()).ok_or_else(bad)
    }

    /// Where a block of a chunk begins and ends, checked together with its bytes.
    fn limits(&self, record: &Record, chunk: &[u8], block: usize) -> Result<Limits, TableError> {
        let last = block + 1 == record.blocks();
        let at = ENTRY * block;
        let limits = Limits {
            set_number: self.grid.set_number(record.set),
            block: block as u32,
            first: u32_at(chunk, at),
            next: if last { 0 } else { u32_at(chunk, at + ENTRY) },
            start: u32_at(chunk, at + 4),
            end: if last { record.length } else { u32_at(chunk, at + ENTRY + 4) },
        };
        let bytes = chunk.get(limits.start as usize..limits.end as usize).unwrap_or_default();
        check_sum("block", u32_at(chunk, at + 8), limits.sum(bytes))?;
        Ok(limits)
    }

    /// Looks for a colouring in a chunk.
    fn find(&self, record: &Record, colouring: u32) -> Result<Option<i32>, TableError> {
        let chunk = self.chunk(record)?;
        let (mut low, mut high) = (0, record.blocks());
        // The last block whose first key is not above the colouring; else the first block.
        while high - low > 1 {
            let middle = low.midpoint(high);
            if u32_at(chunk, ENTRY * middle) <= colouring { low = middle } else { high = middle }
        }
        let limits = self.limits(record, chunk, low)?;
        let after = low + 1 < record.blocks() && limits.next <= colouring;
        if after || (low > 0 && limits.first > colouring) {
            return Err(TableError::corrupt("directory of a set", "rising keys", "others"));
        }
        let mut found = None;
        self.decode(record, chunk, &limits, |key, symbol| {
            if key == colouring {
                found = Some(self.symbols.score(symbol));
            }
            key < colouring
        });
        Ok(found)
    }

    /// Goes through the keys of a block and their symbols until `visit` has enough.
    #[inline(always)]
    fn decode(
        &self,
        record: &Record,
        chunk: &[u8],
        limits: &Limits,
        mut visit: impl FnMut(u32, u8) -> bool,
    ) {
        let decoders = &self.decoders[record.set.count_ones() as usize];
        let Some(mut decoder) = decoders.last() else { return };
        let count = (record.count as usize - BLOCK * limits.block as usize).min(BLOCK);
        let start = limits.start as usize;
        let k = u32::from(chunk.get(start).copied().unwrap_or(0)) % 32;
        let mut reader = BitReader::new(chunk, start + 1);
        let mut key = limits.first;
        for i in 0..count {
            if i > 0 {
                key = key.wrapping_add(reader.gap(k)).wrapping_add(1);
            }
            let symbol = reader.symbol(decoder);
            if !visit(key, symbol) {
                return;
            }
            decoder = &decoders[usize::from(symbol)];
        }
    }

    /// All keys of a set and their scores, every block checked.
    ///
    /// # Errors
    /// When the set is damaged.
    pub(super) fn read_set(
        &self,
        record: &Record,
        keys: &mut Vec<u32>,
        scores: &mut Vec<i8>,
    ) -> Result<(), TableError> {
        keys.clear();
        scores.clear();
        let chunk = self.chunk(record)?;
        for block in 0..record.blocks() {
            let limits = self.limits(record, chunk, block)?;
            self.decode(record, chunk, &limits, |key, symbol| {
                keys.push(key);
                scores.push(self.symbols.score(symbol) as i8);
                true
            });
        }
        if keys.is_empty() || !keys.is_sorted_by(|a, b| a < b) {
            return Err(TableError::corrupt("keys of a set", "rising keys", "others"));
        }
        Ok(())
    }

    /// The key and the score at a place of a set.
    ///
    /// # Errors
    /// When it is damaged.
    pub(super) fn entry(&self, record: &Record, place: u32) -> Result<(u32, i32), TableError> {
        let chunk = self.chunk(record)?;
        let limits = self.limits(record, chunk, place as usize / BLOCK)?;
        let (mut left, mut entry) = (place as usize % BLOCK, (0, 0));
        self.decode(record, chunk, &limits, |key, symbol| {
            entry = (key, self.symbols.score(symbol));
            let more = left > 0;
            left = left.saturating_sub(1);
            more
        });
        Ok(entry)
    }

    /// The board in dense form.
    pub(super) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The symbols of the scores.
    pub(super) fn symbols(&self) -> Symbols {
        self.symbols
    }

    /// The header.
    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    /// The bytes.
    pub(super) fn data(&self) -> &[u8] {
        self.data.as_ref()
    }
}
