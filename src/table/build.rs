//! Builds a table: forward through the layers, backward through them, then the index.

use super::backward::{self, Backward, Mismatch, Scores};
use super::error::TableError;
use super::format::{
    HEADER, Header, LINE, LINE_SETS, LayerInfo, MAX_NAME, Record, Symbols, line_sum, table_shape,
};
use super::forward::{self, Forward, Reached};
use super::grid::{Grid, MAX_SQUARES};
use super::layer::{Layer, LayerWriter};
use super::observer::{Observer, Phase, Progress};
use super::pack::{self, PackedLayer, ScoreCodes};
use super::sets::{SetIndex, successors};
use super::work::Work;
use crate::board::count::Counts;
use crate::board::{GameSpec, Position, Shape};
use crate::kernel::{Kernel, Level};
use crate::with_kernel;
use rayon::prelude::*;
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Sets that are worked on before their results are written in order.
const BATCH: usize = 64;

/// How a table is built.
#[derive(Clone, Copy, Debug)]
pub struct BuildOptions {
    /// Bytes of memory that may be used.
    pub memory: u64,
    /// Threads, at least 1.
    pub threads: usize,
    /// Instruction-set level, available on this machine.
    pub kernel: Level,
}

/// Builds the table of a game into a new file. A folder beside it, named as the file with
/// `.build`, holds the work; when the build is stopped at any moment, the same call continues it.
///
/// # Errors
/// When the game has no tables, memory or disk do not suffice, or the observer stops it.
pub fn build(
    game: &GameSpec,
    output: &Path,
    options: &BuildOptions,
    observer: &dyn Observer,
) -> Result<(), TableError> {
    let shape = table_shape(game)?;
    let too_large =
        || TableError::Game(format!("{game}: tables hold boards of up to {MAX_SQUARES} squares"));
    let grid = Grid::new(game).ok_or_else(too_large)?;
    if game.to_string().len() > MAX_NAME {
        return Err(TableError::Game(format!("{game}: the name is longer than {MAX_NAME} bytes")));
    }
    if output.exists() {
        let message = "exists already; remove it or give another name".to_owned();
        return Err(TableError::Work { path: output.to_owned(), message });
    }
    let forward = Forward::new(&grid, shape, &Position::start(game));
    // The last layers need the most working memory: better said now than in an hour.
    let most = forward.scratch_bytes(grid.len()).max(1 << grid.len());
    if most > options.memory {
        return Err(TableError::Memory { needed: most, allowed: options.memory });
    }
    let work = Work::open(output, game)?;
    let build = Build { game, grid: &grid, shape, work, options, observer };
    if build.work.layers("done").is_empty() {
        with_kernel!(options.kernel, |kernel| build.forward(kernel, &forward))?;
    }
    build.backward()?;
    build.finish(output)
}

struct Build<'a> {
    game: &'a GameSpec,
    grid: &'a Grid,
    shape: Shape,
    work: Work,
    options: &'a BuildOptions,
    observer: &'a dyn Observer,
}

/// Working memories that threads take and give back.
pub struct Pool<T>(Mutex<Vec<T>>);

impl<T> Pool<T> {
    /// None yet.
    pub fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Lends one, made when there is none.
    pub fn lend<R>(&self, make: impl FnOnce() -> T, work: impl FnOnce(&mut T) -> R) -> R {
        let list = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = list().pop();
        let mut scratch = taken.unwrap_or_else(make);
        let result = work(&mut scratch);
        list().push(scratch);
        result
    }
}

/// Runs work on as many threads as are allowed and as memory allows.
///
/// # Errors
/// When not even one thread has the memory, or the threads cannot be started.
pub fn on_threads<R: Send>(
    options: &BuildOptions,
    held: u64,
    each: u64,
    work: impl FnOnce() -> R + Send,
) -> Result<R, TableError> {
    let (needed, allowed) = (held + each, options.memory);
    if needed > allowed {
        return Err(TableError::Memory { needed, allowed });
    }
    let fit = ((allowed - held) / each.max(1)).max(1);
    let threads = options.threads.min(usize::try_from(fit).unwrap_or(usize::MAX));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    Ok(pool.map_err(|error| TableError::Threads(error.to_string()))?.install(work))
}

impl Build<'_> {
    /// Finds what is reachable, from the last complete layer on.
    fn forward<K: Kernel>(&self, kernel: K, forward: &Forward<'_>) -> Result<(), TableError> {
        let complete = self.work.layers("counts");
        let mut positions = 0;
        for &discs in &complete {
            positions += self.work.load_counts(discs)?.placed.canonical;
        }
        let mut discs = match complete.last() {
            Some(&discs) => discs,
            None => {
                let mut scratch = forward.scratch(4);
                let root = forward.root(kernel, &mut scratch);
                let mut writer = self.reached_writer(4)?;
                writer.push(root)?;
                positions += writer.finish()?;
                4
            }
        };
        loop {
            let before = self.work.load("sources", discs)?;
            if before.sets.is_empty() {
                return Ok(());
            }
            discs += 1;
            positions += self.forward_layer(kernel, forward, before, positions)?;
            self.work.drop_files(&["sources"], discs - 1);
        }
    }

    /// Finds one layer from the one before; its number of positions.
    fn forward_layer<K: Kernel>(
        &self,
        kernel: K,
        forward: &Forward<'_>,
        before: Layer,
        positions: u64,
    ) -> Result<u64, TableError> {
        let discs = before.discs + 1;
        let sets = successors(self.grid, &before.sets);
        let index = SetIndex::new(self.grid, &before.sets);
        let held = before.bytes() + self.grid.set_numbers() / 4 + 4 * sets.len() as u64;
        let pool = Pool::new();
        let mut writer = self.reached_writer(discs)?;
        let pull = |&set: &u32| {
            let pull = |scratch: &mut forward::Scratch| {
                forward.pull(kernel, &before, &index, set, scratch)
            };
            pool.lend(|| forward.scratch(discs), pull)
        };
        on_threads(self.options, held, forward.scratch_bytes(discs), || {
            for (batch, list) in sets.chunks(BATCH).enumerate() {
                if self.observer.is_cancelled() {
                    return Err(TableError::Interrupted);
                }
                let reached: Vec<Option<Reached>> =
                    list.par_iter().with_max_len(1).map(pull).collect();
                for reached in reached.into_iter().flatten() {
                    writer.push(reached)?;
                }
                self.observer.progress(&Progress {
                    phase: Phase::Forward,
                    discs,
                    done: (batch * BATCH + list.len()) as u64,
                    sets: sets.len() as u64,
                    positions: positions + writer.counts.placed.canonical,
                    all: None,
                });
            }
            writer.finish()
        })?
    }

    fn reached_writer(&self, discs: u32) -> Result<ReachedWriter<'_>, TableError> {
        Ok(ReachedWriter {
            work: &self.work,
            discs,
            keys: LayerWriter::new(&self.work.path("keys", discs))?,
            sources: LayerWriter::new(&self.work.path("sources", discs))?,
            counts: Counts::default(),
        })
    }

    /// Scores all layers, from the last complete one on.
    fn backward(&self) -> Result<(), TableError> {
        let layers = self.work.layers("counts");
        let mut all = 0;
        for &discs in &layers {
            all += self.work.load_counts(discs)?.placed.canonical;
        }
        let symbols = Symbols::new(self.shape);
        let done = self.work.layers("done");
        let last = match done.first() {
            Some(&discs) => Some(self.work.load_done(discs, symbols.len())?),
            None => None,
        };
        let end = last.as_ref().map(|layer| layer.info.end);
        let mut file = self.work.open_table(end)?;
        let mut after = match &last {
            Some(layer) if layer.info.discs > 4 => {
                let layer = self.work.load("keys", layer.info.discs)?;
                let scores = Scores::new(&layer, self.work.load_scores(layer.discs)?);
                Some((layer, scores.ok_or_else(|| self.lost("scores"))?))
            }
            _ => None,
        };
        let first = done.first().copied().unwrap_or(u32::MAX);
        let mut positions = 0;
        for &discs in layers.iter().rev() {
            let count = self.work.load_counts(discs)?.placed.canonical;
            if discs < first {
                let at = Progress {
                    phase: Phase::Backward,
                    discs,
                    done: 0,
                    sets: 0,
                    positions,
                    all: Some(all),
                };
                after = Some(self.backward_layer(at, count, after, &mut file)?);
            }
            positions += count;
        }
        Ok(())
    }

    /// Scores one layer from the one after and appends it to the table.
    fn backward_layer(
        &self,
        at: Progress,
        count: u64,
        after: Option<(Layer, Scores)>,
        file: &mut File,
    ) -> Result<(Layer, Scores), TableError> {
        let discs = at.discs;
        let layer = self.work.load("keys", discs)?;
        let mut scores = Scores::unknown(&layer);
        self.score(at, count, &layer, after.as_ref(), &mut scores)?;
        drop(after);
        let path = self.work.table();
        let start = file.stream_position().map_err(TableError::io(&path))?;
        let packed = self.pack(&layer, &scores, start, file)?;
        file.sync_data().map_err(TableError::io(&path))?;
        self.work.save_scores(discs, &scores.scores)?;
        self.work.save_done(&packed)?;
        self.work.drop_files(&["keys", "scores"], discs + 1);
        Ok((layer, scores))
    }

    fn score(
        &self,
        at: Progress,
        count: u64,
        layer: &Layer,
        after: Option<&(Layer, Scores)>,
        scores: &mut Scores,
    ) -> Result<(), TableError> {
        let backward = Backward::new(self.grid, self.shape, false);
        let index = SetIndex::new(self.grid, &layer.sets);
        let mut held = layer.bytes() + layer.positions() + self.grid.set_numbers() / 4;
        let sets = after.map_or(0, |(after, _)| after.sets.len());
        if let Some((after, _)) = after {
            held += after.bytes() + after.positions();
        }
        let parts = scores.split();
        let pool = Pool::new();
        let done = AtomicU64::new(0);
        let push = |place: usize| {
            let Some((after, known)) = after else { return Ok(()) };
            if self.observer.is_cancelled() {
                return Err(TableError::Interrupted);
            }
            let push = |scratch: &mut backward::Scratch| {
                backward.push((after, known, place), (layer, &index, &parts), scratch)
            };
            let result: Result<(), Mismatch> = pool.lend(|| backward.scratch(after.discs), push);
            let done = 1 + done.fetch_add(1, Ordering::Relaxed);
            if done.is_multiple_of(BATCH as u64) {
                let sets = sets as u64;
                let positions = at.positions
                    + u64::try_from(u128::from(count) * u128::from(done) / u128::from(sets))
                        .unwrap_or(count);
                self.observer.progress(&Progress { done, sets, positions, ..at });
            }
            result.map_err(|_| self.lost("positions"))
        };
        on_threads(self.options, held, backward.scratch_bytes(at.discs + 1), || {
            (0..sets).into_par_iter().with_max_len(1).try_for_each(push)?;
            parts.par_iter().enumerate().for_each(|(place, part)| {
                let mut best = part.lock().unwrap_or_else(PoisonError::into_inner);
                backward.settle(layer, place, &mut best);
            });
            Ok(())
        })?
    }

    /// Appends the chunks of a layer.
    fn pack(
        &self,
        layer: &Layer,
        scores: &Scores,
        start: u64,
        file: &mut File,
    ) -> Result<PackedLayer, TableError> {
        let path = self.work.table();
        let held = layer.bytes() + layer.positions();
        on_threads(self.options, held, 1 << 20, || {
            let codes = ScoreCodes::new(Symbols::new(self.shape), layer, scores);
            let mut hasher = crc32fast::Hasher::new();
            let mut records = Vec::with_capacity(layer.sets.len());
            let mut offset = start;
            let places: Vec<usize> = (0..layer.sets.len()).collect();
            let mut file = BufWriter::with_capacity(1 << 20, file);
            for places in places.chunks(16 * BATCH) {
                if self.observer.is_cancelled() {
                    return Err(TableError::Interrupted);
                }
                let chunk = |&place: &usize| pack::chunk(self.grid, &codes, layer, scores, place);
                let chunks: Vec<Vec<u8>> = places.par_iter().map(chunk).collect();
                for (&place, bytes) in places.iter().zip(&chunks) {
                    hasher.update(bytes);
                    file.write_all(bytes).map_err(TableError::io(&path))?;
                    let (set, count) = (layer.sets[place], layer.counts[place]);
                    records.push(Record { set, offset, length: bytes.len() as u32, count });
                    offset += bytes.len() as u64;
                }
            }
            file.flush().map_err(TableError::io(&path))?;
            let info = LayerInfo {
                discs: layer.discs,
                sets: records.len() as u64,
                start,
                end: offset,
                sum: hasher.finalize(),
                counts: self.work.load_counts(layer.discs)?,
                scores: codes.scores,
                lengths: codes.lengths,
            };
            Ok(PackedLayer { info, records })
        })?
    }

    /// Writes the index and the header and gives the file its name.
    fn finish(self, output: &Path) -> Result<(), TableError> {
        let symbols = Symbols::new(self.shape).len();
        let (mut layers, mut records) = (Vec::new(), Vec::new());
        let (mut layer_count, mut positions, mut end) = (0, 0, HEADER as u64);
        for discs in self.work.layers("done") {
            let PackedLayer { info, records: mut list } = self.work.load_done(discs, symbols)?;
            info.write(&mut layers);
            records.append(&mut list);
            layer_count += 1;
            positions += info.counts.placed.canonical;
            end = end.max(info.end);
        }
        records.sort_unstable_by_key(|record| record.set);
        let lines = lines(self.grid, &records);
        let header = Header {
            game: self.game.to_string(),
            layers: end,
            layers_sum: crc32fast::hash(&layers),
            layer_count,
            lines: end + layers.len() as u64,
            records: end + (layers.len() + lines.len()) as u64,
            sets: records.len() as u64,
            positions,
            length: end
                + (layers.len() + lines.len()) as u64
                + (records.len() * super::format::RECORD) as u64,
        };
        let path = self.work.table();
        let io = || TableError::io(&path);
        let mut file = BufWriter::with_capacity(1 << 20, self.work.open_table(Some(end))?);
        file.write_all(&layers).map_err(io())?;
        file.write_all(&lines).map_err(io())?;
        for (number, record) in (0_u32..).zip(&records) {
            file.write_all(&record.to_bytes(number)).map_err(io())?;
        }
        file.seek(SeekFrom::Start(0)).map_err(io())?;
        file.write_all(&header.to_bytes()).map_err(io())?;
        let file = file.into_inner().map_err(|error| io()(error.into_error()))?;
        file.sync_all().map_err(io())?;
        self.work.finish(output)
    }

    /// The working folder is not what it was.
    fn lost(&self, what: &str) -> TableError {
        let message = format!(
            "the {what} of the unfinished build do not fit each other; remove the folder and \
             start again"
        );
        let path = self.work.table().with_file_name("");
        TableError::Work { path, message }
    }
}

/// The lines of the index: which sets exist.
fn lines(grid: &Grid, records: &[Record]) -> Vec<u8> {
    let count = grid.set_numbers().div_ceil(LINE_SETS.into()) as usize;
    let mut lines = vec![0; LINE * count];
    for record in records {
        let number = grid.set_number(record.set);
        let bit = number % LINE_SETS;
        let line = LINE * (number / LINE_SETS) as usize;
        lines[line + 8 + bit as usize / 8] |= 1 << (bit % 8);
    }
    let mut rank = 0_u32;
    for (number, line) in (0_u32..).zip(lines.chunks_mut(LINE)) {
        line[..4].copy_from_slice(&rank.to_le_bytes());
        rank += line[8..].iter().map(|byte| byte.count_ones()).sum::<u32>();
        let sum = line_sum(line, number);
        line[4..8].copy_from_slice(&sum.to_le_bytes());
    }
    lines
}

/// Writes what is reachable with a number of discs.
struct ReachedWriter<'a> {
    work: &'a Work,
    discs: u32,
    keys: LayerWriter,
    sources: LayerWriter,
    counts: Counts,
}

impl ReachedWriter<'_> {
    fn push(&mut self, reached: Reached) -> Result<(), TableError> {
        self.keys.push(reached.set, reached.count, &reached.keys)?;
        if reached.source_count > 0 {
            self.sources.push(reached.set, reached.source_count, &reached.sources)?;
        }
        self.counts += reached.counts;
        Ok(())
    }

    /// Completes the layer; its number of positions.
    fn finish(self) -> Result<u64, TableError> {
        self.keys.finish(self.discs)?;
        self.sources.finish(self.discs)?;
        self.work.save_counts(self.discs, &self.counts)?;
        Ok(self.counts.placed.canonical)
    }
}
