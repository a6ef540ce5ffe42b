//! Canonical sets of occupied squares by number, and the ways from one to the next.

use super::grid::{Grid, bits};

/// Finds the place of a set among the canonical sets of a layer.
pub struct SetIndex {
    words: Vec<u64>,
    /// Sets before each word.
    ranks: Vec<u32>,
}

impl SetIndex {
    /// The places of sets that hold the centre, in rising order.
    pub fn new(grid: &Grid, sets: &[u32]) -> Self {
        let mut words = vec![0_u64; grid.set_numbers().div_ceil(64) as usize];
        for &set in sets {
            let number = grid.set_number(set);
            words[number as usize / 64] |= 1 << (number % 64);
        }
        let mut before = 0;
        let ranks = words
            .iter()
            .map(|word| {
                let rank = before;
                before += word.count_ones();
                rank
            })
            .collect();
        Self { words, ranks }
    }

    /// The place of a set that holds the centre.
    pub fn place(&self, grid: &Grid, set: u32) -> Option<usize> {
        let number = grid.set_number(set);
        let word = self.words[number as usize / 64];
        let bit = 1_u64 << (number % 64);
        let rank = self.ranks[number as usize / 64] + (word & (bit - 1)).count_ones();
        (word & bit != 0).then_some(rank as usize)
    }
}

/// A way to a set: the place of the set before, the square, and the map that takes the set to
/// the one that arises.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Origin {
    /// Place of the canonical set before the placement.
    pub place: usize,
    /// The new disc, on that set.
    pub square: u32,
    /// Takes the canonical set after to the set that arises.
    pub map: usize,
}

/// All ways to a canonical set from the sets of the layer before: for each of those and each
/// square whose placement leads here, one.
pub fn origins(grid: &Grid, before: &SetIndex, set: u32, origins: &mut Vec<Origin>) {
    origins.clear();
    for square in bits(set) {
        for map in 0..grid.symmetries() {
            let from = grid.image(map, set & !(1 << square));
            if from & grid.centre() == grid.centre()
                && let Some(place) = before.place(grid, from)
            {
                origins.push(Origin { place, square: grid.square_image(map, square), map });
            }
        }
    }
    origins.sort_unstable();
    origins.dedup_by_key(|origin| (origin.place, origin.square));
}

/// The canonical sets that have one disc more than one of `sets`, next to another disc.
pub fn successors(grid: &Grid, sets: &[u32]) -> Vec<u32> {
    let mut seen = vec![0_u64; grid.set_numbers().div_ceil(64) as usize];
    for &set in sets {
        for square in bits(grid.all() & !set) {
            let touches = |line: &Vec<u8>| line.first().is_some_and(|next| set >> next & 1 != 0);
            if !grid.lines(square).iter().any(touches) {
                continue;
            }
            if let Some(canonical) = grid.canonical_set(set | 1 << square) {
                let number = grid.set_number(canonical) as usize;
                seen[number / 64] |= 1 << (number % 64);
            }
        }
    }
    let mut found = Vec::new();
    for (i, &word) in seen.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            found.push(grid.numbered_set(64 * i as u32 + rest.trailing_zeros()));
            rest &= rest - 1;
        }
    }
    found
}
