//! Makes the chunks of a layer: keys and scores, block by block.

use super::backward::{Scores, each};
use super::code::{self, BitWriter};
use super::format::{BLOCK, ENTRY, LayerInfo, Limits, Record, Symbols};
use super::grid::Grid;
use super::layer::Layer;
use rayon::prelude::*;

/// Adds how often each symbol follows each other one, or begins a block.
fn add_frequencies(symbols: Symbols, scores: &[i8], frequencies: &mut [u64]) {
    let count = symbols.len();
    for block in scores.chunks(BLOCK) {
        let mut before = count;
        for &score in block {
            let symbol = usize::from(symbols.symbol(score));
            frequencies[before * count + symbol] += 1;
            before = symbol;
        }
    }
}

/// The codes of the scores of a layer.
pub struct ScoreCodes {
    symbols: Symbols,
    /// How many positions have each score, by symbol.
    pub scores: Vec<u64>,
    /// Code lengths, a row for each symbol before.
    pub lengths: Vec<u8>,
    codes: Vec<u32>,
}

impl ScoreCodes {
    /// The best codes for a layer.
    pub fn new(symbols: Symbols, layer: &Layer, scores: &Scores) -> Self {
        let count = symbols.len();
        let none = || vec![0_u64; (count + 1) * count];
        let frequencies = (0..layer.sets.len())
            .into_par_iter()
            .fold(none, |mut sum, place| {
                add_frequencies(symbols, scores.of(place), &mut sum);
                sum
            })
            .reduce(none, |a, b| a.iter().zip(&b).map(|(a, b)| a + b).collect());
        let lengths: Vec<u8> = frequencies.chunks(count).flat_map(code::code_lengths).collect();
        let row = |row| code::codes(row).expect("best lengths are those of a code");
        let codes = lengths.chunks(count).flat_map(row).collect();
        let column = |symbol| frequencies[symbol..].iter().step_by(count).sum();
        Self { symbols, scores: (0..count).map(column).collect(), lengths, codes }
    }

    fn put(&self, writer: &mut BitWriter, before: usize, symbol: u8) {
        let at = before * self.symbols.len() + usize::from(symbol);
        writer.put(self.codes[at], self.lengths[at].into());
    }
}

/// The chunk of one set.
pub fn chunk(
    grid: &Grid,
    codes: &ScoreCodes,
    layer: &Layer,
    scores: &Scores,
    place: usize,
) -> Vec<u8> {
    let mut keys = Vec::with_capacity(layer.counts[place] as usize);
    each(layer.words(place), |_, colourings| keys.extend_from_slice(colourings));
    let scores = scores.of(place);
    let blocks = keys.len().div_ceil(BLOCK);
    let mut writer = BitWriter::after(vec![0; ENTRY * blocks]);
    let mut starts = Vec::with_capacity(blocks + 1);
    for (keys, scores) in keys.chunks(BLOCK).zip(scores.chunks(BLOCK)) {
        starts.push(writer.bytes.len() as u32);
        let k = code::best_parameter(keys);
        writer.put(k, 8);
        let mut before = (codes.symbols.len(), keys[0]);
        for (i, (&key, &score)) in keys.iter().zip(scores).enumerate() {
            if i > 0 {
                writer.put_gap(key - before.1 - 1, k);
            }
            let symbol = codes.symbols.symbol(score);
            codes.put(&mut writer, before.0, symbol);
            before = (usize::from(symbol), key);
        }
        writer.align();
    }
    let mut bytes = writer.bytes;
    starts.push(bytes.len() as u32);
    let set_number = grid.set_number(layer.sets[place]);
    for block in 0..blocks {
        let limits = Limits {
            set_number,
            block: block as u32,
            first: keys[BLOCK * block],
            next: keys.get(BLOCK * (block + 1)).copied().unwrap_or(0),
            start: starts[block],
            end: starts[block + 1],
        };
        let sum = limits.sum(&bytes[limits.start as usize..limits.end as usize]);
        let entry = &mut bytes[ENTRY * block..ENTRY * (block + 1)];
        entry[..4].copy_from_slice(&limits.first.to_le_bytes());
        entry[4..8].copy_from_slice(&limits.start.to_le_bytes());
        entry[8..].copy_from_slice(&sum.to_le_bytes());
    }
    bytes
}

/// A layer that is in the file, with its records: what a build must know of it to go on.
pub struct PackedLayer {
    /// What the file says of it.
    pub info: LayerInfo,
    /// Its records, sets rising.
    pub records: Vec<Record>,
}

impl PackedLayer {
    /// In bytes, for the working folder.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.info.write(&mut bytes);
        for (number, record) in (0_u32..).zip(&self.records) {
            bytes.extend(record.set.to_le_bytes());
            bytes.extend(record.to_bytes(number));
        }
        bytes
    }

    /// From bytes of the working folder.
    pub fn from_bytes(bytes: &[u8], symbols: usize) -> Option<Self> {
        let (info, rest) = bytes.split_at_checked(LayerInfo::bytes(symbols))?;
        let read = |(number, bytes): (u32, &[u8])| {
            let set = super::format::u32_at(bytes, 0);
            Record::read(bytes.get(4..)?.try_into().ok()?, number, set).ok()
        };
        let size = 4 + super::format::RECORD;
        let records = (0_u32..).zip(rest.chunks(size)).map(read).collect::<Option<Vec<_>>>()?;
        let info = LayerInfo::read(info, symbols);
        (info.sets == records.len() as u64).then_some(Self { info, records })
    }
}
