//! The backward half of a build: the scores of a layer from those of the layer after.
//!
//! For each set of the layer after in turn, its scores are laid out by colouring, and the
//! placements that lead to it are played from all positions of the layer before; each of them
//! keeps the best it has seen. A position that must pass stands for the one after its pass: that
//! one is played, and its score taken with the other sign.

use super::grid::{Grid, ones};
use super::layer::Layer;
use super::lists::ListReader;
use super::sets::{Origin, SetIndex, origins};
use super::step::{CHUNK, Step, Target};
use crate::board::{Game, Shape};
use std::sync::{Mutex, PoisonError};

/// No score seen, and none stored: its negative is itself, the least number there is.
const NONE: i8 = i8::MIN;

/// Scores of a layer, the mover's view, in the order of its lists.
pub struct Scores {
    /// All of them.
    pub scores: Vec<i8>,
    /// Where those of each set begin, and the end of the last.
    firsts: Vec<u64>,
}

impl Scores {
    /// A layer whose scores are not known.
    pub fn unknown(layer: &Layer) -> Self {
        let firsts = firsts(layer);
        Self { scores: vec![NONE; layer.positions() as usize], firsts }
    }

    /// The scores of a layer, if there are as many as it has positions.
    pub fn new(layer: &Layer, scores: Vec<i8>) -> Option<Self> {
        let fits = layer.positions() == scores.len() as u64;
        fits.then(|| Self { scores, firsts: firsts(layer) })
    }

    /// The scores of the set at this place.
    pub fn of(&self, place: usize) -> &[i8] {
        &self.scores[self.firsts[place] as usize..self.firsts[place + 1] as usize]
    }

    /// The scores of each set, to be written from several threads.
    pub fn split(&mut self) -> Vec<Mutex<&mut [i8]>> {
        let mut rest = &mut self.scores[..];
        let mut parts = Vec::with_capacity(self.firsts.len());
        for pair in self.firsts.windows(2) {
            let (part, after) = rest.split_at_mut((pair[1] - pair[0]) as usize);
            parts.push(Mutex::new(part));
            rest = after;
        }
        parts
    }
}

/// Where the positions of each set begin, and the end of the last.
fn firsts(layer: &Layer) -> Vec<u64> {
    let mut firsts = vec![0];
    let mut end = 0;
    for &count in &layer.counts {
        end += u64::from(count);
        firsts.push(end);
    }
    firsts
}

/// Working memory of a thread.
pub struct Scratch {
    /// Scores by colouring; [`NONE`] where nothing is reachable.
    scores: Vec<i8>,
    /// Which colourings something leads to, where that is asked.
    hit: Vec<u64>,
    step: Step,
    origins: Vec<Origin>,
}

/// What does not fit between two layers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// A position that a placement leads to is missing.
    Missing,
    /// No placement leads to a position.
    Unreachable,
}

/// The game, for going backward.
pub struct Backward<'a> {
    grid: &'a Grid,
    shape: Shape,
    /// Whether to look for positions that nothing leads to.
    check: bool,
}

impl<'a> Backward<'a> {
    /// A game. With `check`, [`Backward::push`] also finds what nothing leads to.
    pub fn new(grid: &'a Grid, shape: Shape, check: bool) -> Self {
        Self { grid, shape, check }
    }

    /// Bytes of working memory that a thread needs for going back from a layer.
    pub fn scratch_bytes(&self, discs: u32) -> u64 {
        (1_u64 << discs) + if self.check { (1_u64 << discs).div_ceil(8) } else { 0 }
    }

    /// Working memory for going back from a layer.
    pub fn scratch(&self, discs: u32) -> Scratch {
        let hit = if self.check { (1_usize << discs).div_ceil(64) } else { 0 };
        Scratch {
            scores: vec![NONE; 1 << discs],
            hit: vec![0; hit],
            step: Step::new(),
            origins: Vec::new(),
        }
    }

    /// Takes the scores of one set back to all positions that have placements leading to it.
    ///
    /// # Errors
    /// When the layers do not fit each other.
    pub fn push(
        &self,
        after: (&Layer, &Scores, usize),
        before: (&Layer, &SetIndex, &[Mutex<&mut [i8]>]),
        scratch: &mut Scratch,
    ) -> Result<(), Mismatch> {
        let (layer, scores, place) = after;
        let set = layer.sets[place];
        let target = Target::new(self.grid, set);
        let scores = scores.of(place);
        each(layer.words(place), |start, colourings| {
            for (&colouring, &score) in colourings.iter().zip(&scores[start..]) {
                scratch.scores[colouring as usize] = score;
            }
        });
        let mut ways = std::mem::take(&mut scratch.origins);
        origins(self.grid, before.1, set, &mut ways);
        let mut fits = true;
        for origin in &ways {
            let from = before.0.sets[origin.place];
            scratch.step.set(self.grid, from, origin.square, set, origin.map);
            if !scratch.step.is_empty() {
                let best =
                    &mut *before.2[origin.place].lock().unwrap_or_else(PoisonError::into_inner);
                fits &= self.play(before.0, origin.place, &target, best, scratch);
            }
        }
        scratch.origins = ways;
        let mut result = if fits { Ok(()) } else { Err(Mismatch::Missing) };
        each(layer.words(place), |_, colourings| {
            for &colouring in colourings {
                let colouring = colouring as usize;
                scratch.scores[colouring] = NONE;
                if self.check && scratch.hit[colouring / 64] >> (colouring % 64) & 1 == 0 {
                    result = Err(Mismatch::Unreachable);
                }
            }
        });
        if self.check {
            scratch.hit.fill(0);
        }
        result
    }

    /// Plays the step of the scratch from every position of a set; whether all that arises is
    /// there.
    fn play(
        &self,
        before: &Layer,
        place: usize,
        target: &Target,
        best: &mut [i8],
        scratch: &mut Scratch,
    ) -> bool {
        let Scratch { scores, hit, step, .. } = scratch;
        let full = ones(before.discs);
        let words = before.words(place);
        let must_pass = must_pass(words, before.counts[place]);
        let (mut chunk, mut arisen, mut places) = ([0; CHUNK], [0; CHUNK], [0; CHUNK]);
        let mut reader = ListReader::new(words);
        let (mut start, mut fits) = (0, true);
        loop {
            let count = reader.fill(&mut chunk);
            if count == 0 {
                return fits;
            }
            for (part, &word) in chunk.chunks_mut(16).zip(&must_pass[start / 16..]) {
                if word != 0 {
                    for (i, colouring) in part.iter_mut().enumerate() {
                        *colouring ^= if word >> i & 1 != 0 { full } else { 0 };
                    }
                }
            }
            let legal = step.play(&chunk, count, &mut arisen, &mut places);
            let best = &mut best[start..start + count];
            for (&colouring, &place) in arisen[..legal].iter().zip(&places) {
                let colouring = target.canonical(colouring) as usize;
                let score = scores[colouring];
                fits &= score != NONE;
                let kept = &mut best[usize::from(place)];
                *kept = (*kept).max(score.wrapping_neg());
                if self.check {
                    hit[colouring / 64] |= 1 << (colouring % 64);
                }
            }
            start += count;
        }
    }

    /// Makes final scores of the best that the positions of a set have seen.
    pub fn settle(&self, layer: &Layer, place: usize, best: &mut [i8]) {
        let words = layer.words(place);
        let must_pass = must_pass(words, layer.counts[place]);
        each(words, |start, colourings| {
            for (i, &colouring) in colourings.iter().enumerate() {
                let i = start + i;
                let score = &mut best[i];
                if *score == NONE {
                    let own = colouring.count_ones();
                    // At most 32 discs, so the score fits.
                    *score = self.shape.score(own, layer.discs - own) as i8;
                } else if must_pass[i / 16] >> (i % 16) & 1 != 0 {
                    *score = -*score;
                }
            }
        });
    }
}

/// The bits that say who must pass, behind the list of a set.
fn must_pass(words: &[u16], count: u32) -> &[u16] {
    &words[words.len() - (count as usize).div_ceil(16)..]
}

/// Goes through the list at the beginning of `words`, with the place of each piece in it.
pub fn each(words: &[u16], mut visit: impl FnMut(usize, &[u32])) {
    let mut reader = ListReader::new(words);
    let (mut chunk, mut start) = ([0; CHUNK], 0);
    loop {
        let count = reader.fill(&mut chunk);
        if count == 0 {
            return;
        }
        visit(start, &chunk[..count]);
        start += count;
    }
}
