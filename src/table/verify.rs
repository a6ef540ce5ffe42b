//! Verifies a table: its bytes, its counts, and its scores against each other and the rules.

use super::backward::{Backward, Mismatch, Scores};
use super::build::{BuildOptions, Pool, on_threads};
use super::error::TableError;
use super::format::{HEADER, LINE_SETS, LayerInfo, Record, check_sum, u32_at};
use super::grid::{deposit, ones};
use super::layer::Layer;
use super::lists::push_list;
use super::observer::{Observer, Phase, Progress};
use super::read::Table;
use super::sets::SetIndex;
use super::step::Target;
use crate::board::{Bitboard, Game, Position, Shape};
use crate::kernel::Kernel;
use crate::with_kernel;
use rayon::prelude::*;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

/// Entries of a sample that are drawn together.
const DRAWS: u64 = 4096;

/// What was verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verification {
    /// Positions whose checksums, order and counts are right: all of them.
    pub positions: u64,
    /// Positions whose score was computed again.
    pub recomputed: u64,
}

/// Verifies a table: all checksums and counts; then, without `sample`, that the positions are
/// exactly the reachable ones and every score is the one that follows from the scores after it;
/// with it, that so many positions drawn at random have the score that follows.
///
/// # Errors
/// With the first thing that is wrong.
pub fn verify<D: AsRef<[u8]> + Sync>(
    table: &Table<D>,
    sample: Option<u64>,
    options: &BuildOptions,
    observer: &dyn Observer,
) -> Result<Verification, TableError> {
    let shape = super::format::table_shape(table.game())?;
    let records = records(table)?;
    let verifier = Verifier { table, shape, options, observer };
    let recomputed = match sample {
        Some(count) => {
            verifier.bytes(&records)?;
            verifier.sample(&records, count)?
        }
        None => with_kernel!(options.kernel, |kernel| verifier.recompute(kernel, &records))?,
    };
    Ok(Verification { positions: table.positions(), recomputed })
}

/// All records, by layer, sets rising; the index is checked.
fn records<D: AsRef<[u8]>>(table: &Table<D>) -> Result<Vec<Vec<Record>>, TableError> {
    let grid = table.grid();
    let mut layers = vec![Vec::new(); grid.len() as usize + 1];
    let mut rank = 0;
    let lines = grid.set_numbers().div_ceil(LINE_SETS.into()) as u32;
    for number in 0..lines {
        let line = table.line_of(number)?;
        if u32_at(line, 0) != rank {
            return Err(TableError::corrupt("rank of a line", rank, u32_at(line, 0)));
        }
        for bit in 0..LINE_SETS {
            if line[8 + bit as usize / 8] >> (bit % 8) & 1 == 0 {
                continue;
            }
            let set_number = u64::from(number) * u64::from(LINE_SETS) + u64::from(bit);
            let set =
                (set_number < grid.set_numbers()).then(|| grid.numbered_set(set_number as u32));
            let set = set.filter(|&set| grid.canonical_set(set) == Some(set));
            let bad = || TableError::corrupt("index", "canonical sets", set_number);
            let set = set.ok_or_else(bad)?;
            layers[set.count_ones() as usize].push(table.numbered_record(rank, set)?);
            rank += 1;
        }
    }
    if u64::from(rank) != table.header().sets {
        return Err(TableError::corrupt("sets in the index", table.header().sets, rank));
    }
    check_layers(table, &layers)?;
    Ok(layers)
}

/// The layers say what the records say, and their chunks fill the file.
fn check_layers<D: AsRef<[u8]>>(
    table: &Table<D>,
    records: &[Vec<Record>],
) -> Result<(), TableError> {
    let (mut positions, mut end) = (0, table.header().layers);
    let mut known = vec![false; records.len()];
    for layer in table.layers() {
        let what = |what: &str| format!("{what} with {} discs", layer.discs);
        let list = &records[layer.discs as usize];
        known[layer.discs as usize] = true;
        if layer.sets != list.len() as u64 {
            return Err(TableError::corrupt(what("sets"), layer.sets, list.len()));
        }
        if layer.end != end {
            return Err(TableError::corrupt(what("end of the chunks"), end, layer.end));
        }
        let mut next = layer.start;
        for record in list {
            if record.offset != next {
                return Err(TableError::corrupt(what("chunk"), next, record.offset));
            }
            next += u64::from(record.length);
        }
        if next != layer.end || layer.start < HEADER as u64 {
            return Err(TableError::corrupt(what("end of the chunks"), layer.end, next));
        }
        let count: u64 = list.iter().map(|record| u64::from(record.count)).sum();
        let scores: u64 = layer.scores.iter().sum();
        for found in [count, scores] {
            let expected = layer.counts.placed.canonical;
            if found != expected {
                return Err(TableError::corrupt(what("positions"), expected, found));
            }
        }
        positions += count;
        end = layer.start;
    }
    if end != HEADER as u64 || positions != table.positions() {
        return Err(TableError::corrupt("positions", table.positions(), positions));
    }
    match records.iter().zip(known).position(|(list, known)| !known && !list.is_empty()) {
        Some(discs) => Err(TableError::corrupt(format!("sets with {discs} discs"), "none", "some")),
        None => Ok(()),
    }
}

struct Verifier<'a, D> {
    table: &'a Table<D>,
    shape: Shape,
    options: &'a BuildOptions,
    observer: &'a dyn Observer,
}

impl<D: AsRef<[u8]> + Sync> Verifier<'_, D> {
    /// Reads a layer: its keys and scores set by set, checked for themselves.
    fn read<R: Send>(
        &self,
        layer: &LayerInfo,
        records: &[Record],
        positions: u64,
        make: impl Fn(&Record, &[u32], &[i8]) -> R + Sync,
    ) -> Result<Vec<R>, TableError> {
        let grid = self.table.grid();
        let data = &self.table.data()[layer.start as usize..layer.end as usize];
        check_sum(format!("chunks with {} discs", layer.discs), layer.sum, crc32fast::hash(data))?;
        let symbols = self.table.symbols();
        let counts: Vec<AtomicU64> = layer.scores.iter().map(|_| AtomicU64::new(0)).collect();
        let done = AtomicU64::new(0);
        let read = |record: &Record| {
            if self.observer.is_cancelled() {
                return Err(TableError::Interrupted);
            }
            let (mut keys, mut scores) = (Vec::new(), Vec::new());
            self.table.read_set(record, &mut keys, &mut scores)?;
            let target = Target::new(grid, record.set);
            let inside = keys.iter().all(|&key| key & !ones(layer.discs) == 0);
            if !inside || !keys.iter().all(|&key| target.canonical(key) == key) {
                return Err(TableError::corrupt("keys of a set", "canonical keys", "others"));
            }
            let mut own = vec![0; layer.scores.len()];
            for &score in &scores {
                own[usize::from(symbols.symbol(score))] += 1;
            }
            for (sum, own) in counts.iter().zip(own) {
                sum.fetch_add(own, Ordering::Relaxed);
            }
            let done = 1 + done.fetch_add(1, Ordering::Relaxed);
            if done.is_multiple_of(256) {
                self.observer.progress(&Progress {
                    phase: Phase::Read,
                    discs: layer.discs,
                    done,
                    sets: records.len() as u64,
                    positions,
                    all: Some(self.table.positions()),
                });
            }
            Ok(make(record, &keys, &scores))
        };
        let list = records.par_iter().map(read).collect::<Result<Vec<R>, _>>()?;
        let counts: Vec<u64> = counts.into_iter().map(AtomicU64::into_inner).collect();
        if counts != layer.scores {
            let what = format!("scores with {} discs", layer.discs);
            return Err(TableError::corrupt(what, "the counts of the layer", "others"));
        }
        Ok(list)
    }

    /// Reads all layers for their checksums and counts alone.
    fn bytes(&self, records: &[Vec<Record>]) -> Result<(), TableError> {
        on_threads(self.options, 0, 1 << 20, || {
            let mut positions = 0;
            for layer in self.table.layers() {
                self.read(layer, &records[layer.discs as usize], positions, |_, _, _| ())?;
                positions += layer.counts.placed.canonical;
            }
            Ok(())
        })?
    }

    /// Computes every score again. The positions are exactly the reachable ones: the start is one
    /// of them, each other has a placement leading to it, and no placement leads elsewhere.
    fn recompute<K: Kernel>(&self, kernel: K, records: &[Vec<Record>]) -> Result<u64, TableError> {
        let grid = self.table.grid();
        let start = Position::start(self.table.game());
        let (player, opponent) = grid.dense_position(&start);
        let backward = Backward::new(grid, self.shape, true);
        let mut after: Option<(Layer, Scores)> = None;
        let mut recomputed = 0;
        for info in self.table.layers().iter().rev() {
            let list = &records[info.discs as usize];
            // Keys and scores as words, twice while they are put together.
            let held = 8 * info.counts.placed.canonical
                + after.as_ref().map_or(0, |(layer, _)| layer.bytes() + layer.positions())
                + grid.set_numbers() / 4;
            let each = backward.scratch_bytes(info.discs + 1);
            let (layer, stored) = on_threads(self.options, held, each, || {
                let make = |record: &Record, keys: &[u32], scores: &[i8]| {
                    (self.words(kernel, record.set, keys), scores.to_vec())
                };
                let read = self.read(info, list, recomputed, make)?;
                let (words, scores): (Vec<_>, Vec<_>) = read.into_iter().unzip();
                let sets = list.iter().map(|record| record.set).collect();
                let counts = list.iter().map(|record| record.count).collect();
                let layer = Layer::new(info.discs, sets, counts, &words);
                let lost = || TableError::corrupt("positions", "as many as scores", "others");
                let stored = Scores::new(&layer, scores.concat()).ok_or_else(lost)?;
                self.compare(&backward, &layer, &stored, after.as_ref(), recomputed)?;
                Ok::<_, TableError>((layer, stored))
            })??;
            recomputed += info.counts.placed.canonical;
            after = Some((layer, stored));
        }
        let root = after.filter(|(layer, _)| layer.positions() == 1 && layer.discs == 4);
        let root = root.map(|(layer, _)| layer.sets[0]);
        if root != grid.canonical(player, opponent).map(|(set, _)| set)
            || self.table.score(&start)?.is_none()
        {
            return Err(TableError::corrupt("first layer", "the start alone", "other positions"));
        }
        Ok(recomputed)
    }

    /// The list of a set and who must pass.
    fn words<K: Kernel>(&self, kernel: K, set: u32, keys: &[u32]) -> Vec<u16> {
        let grid = self.table.grid();
        let squares: Vec<u64> = super::grid::bits(set).map(|s| grid.to_board(1 << s)).collect();
        let board = super::grid::Spread::new(&squares);
        let occupied = grid.to_board(set);
        let mut words = Vec::with_capacity(keys.len() + keys.len() / 16 + 8);
        push_list(&mut words, keys);
        for part in keys.chunks(16) {
            let bit = |(i, &key): (u32, &u32)| {
                let player = board.apply(key);
                let options =
                    self.shape.options(player, occupied ^ player, (), |p, o| kernel.moves(p, o));
                u16::from(options.pass) << i
            };
            words.push((0..).zip(part).map(bit).fold(0, |word, bit| word | bit));
        }
        words
    }

    /// Compares the scores of a layer with those that follow from the layer after.
    fn compare(
        &self,
        backward: &Backward<'_>,
        layer: &Layer,
        stored: &Scores,
        after: Option<&(Layer, Scores)>,
        positions: u64,
    ) -> Result<(), TableError> {
        let mut scores = Scores::unknown(layer);
        let parts = scores.split();
        let index = SetIndex::new(self.table.grid(), &layer.sets);
        let pool = Pool::new();
        if let Some((after, known)) = after {
            let done = AtomicU64::new(0);
            (0..after.sets.len()).into_par_iter().with_max_len(1).try_for_each(|place| {
                if self.observer.is_cancelled() {
                    return Err(TableError::Interrupted);
                }
                let result = pool.lend(
                    || backward.scratch(after.discs),
                    |scratch| {
                        backward.push((after, known, place), (layer, &index, &parts), scratch)
                    },
                );
                let done = 1 + done.fetch_add(1, Ordering::Relaxed);
                if done.is_multiple_of(64) {
                    self.observer.progress(&Progress {
                        phase: Phase::Verify,
                        discs: layer.discs,
                        done,
                        sets: after.sets.len() as u64,
                        positions,
                        all: Some(self.table.positions()),
                    });
                }
                result.map_err(|mismatch| match mismatch {
                    Mismatch::Missing => {
                        let what = format!("positions with {} discs", after.discs);
                        TableError::corrupt(what, "what every placement leads to", "some missing")
                    }
                    Mismatch::Unreachable => {
                        let what = format!("positions with {} discs", after.discs);
                        TableError::corrupt(what, "reachable positions", "an unreachable one")
                    }
                })
            })?;
        }
        parts.par_iter().enumerate().try_for_each(|(place, part)| {
            let mut best = part.lock().unwrap_or_else(PoisonError::into_inner);
            backward.settle(layer, place, &mut best);
            let pairs = best.iter().zip(stored.of(place));
            match pairs.clone().position(|(computed, stored)| computed != stored) {
                Some(at) => {
                    let what = format!("score of a position with {} discs", layer.discs);
                    Err(TableError::corrupt(what, best[at], stored.of(place)[at]))
                }
                None => Ok(()),
            }
        })
    }

    /// Computes the scores of positions drawn at random again, by the plain rules and probes.
    fn sample(&self, records: &[Vec<Record>], count: u64) -> Result<u64, TableError> {
        let all: Vec<&Record> = records.iter().flatten().collect();
        let mut end = 0;
        let ends: Vec<u64> = all
            .iter()
            .map(|record| {
                end += u64::from(record.count);
                end
            })
            .collect();
        let done = AtomicU64::new(0);
        on_threads(self.options, 8 * ends.len() as u64, 1 << 20, || {
            (0..count.div_ceil(DRAWS)).into_par_iter().try_for_each(|part| {
                if self.observer.is_cancelled() {
                    return Err(TableError::Interrupted);
                }
                for draw in part * DRAWS..count.min((part + 1) * DRAWS) {
                    let drawn = random(draw) % end;
                    let at = ends.partition_point(|&end| end <= drawn);
                    let before = if at == 0 { 0 } else { ends[at - 1] };
                    self.check_one(all[at], (drawn - before) as u32)?;
                }
                let drawn = DRAWS + done.fetch_add(DRAWS, Ordering::Relaxed);
                self.observer.progress(&Progress {
                    phase: Phase::Verify,
                    discs: 0,
                    done: drawn.min(count),
                    sets: count,
                    positions: drawn.min(count),
                    all: Some(count),
                });
                Ok(())
            })
        })??;
        Ok(count)
    }

    /// Computes one score again.
    fn check_one(&self, record: &Record, place: u32) -> Result<(), TableError> {
        let (table, game) = (self.table, self.table.game());
        let (key, stored) = table.entry(record, place)?;
        let player = deposit(key, record.set);
        let on_board = |set| Bitboard::new(table.grid().to_board(set));
        let (player, opponent) = (on_board(player), on_board(record.set & !player));
        let position = Position { player, opponent, ..Position::start(game) };
        let probed = table.score(&position)?;
        let best = table.moves(&position)?.into_iter().map(|(_, score)| score).max();
        let computed = best.unwrap_or_else(|| position.final_score(game));
        if probed != Some(stored) || computed != stored {
            let what = format!("score of a position with {} discs", record.set.count_ones());
            return Err(TableError::corrupt(what, computed, stored));
        }
        Ok(())
    }
}

/// The same numbers in every run, each of the 2^64 once (splitmix64, Steele et al. 2014).
fn random(number: u64) -> u64 {
    let mut x = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
