//! Placements from all positions with one set of occupied squares to those with one square more.
//!
//! With the occupied squares fixed, the squares outwards from the new disc up to the first empty
//! one are fixed too, and each of them that is not the mover's is the opponent's. So the discs
//! turned in one direction are those before the mover's nearest disc: a few operations on the
//! colouring, the same for every position, which the compiler makes vector code of.

use super::grid::{Grid, Spread, bits, ones};

/// Colourings that are worked on at a time.
pub const CHUNK: usize = 256;

/// A square outwards from which discs can be turned, in one direction.
#[derive(Clone, Copy)]
struct Ray {
    /// The occupied squares of the direction up to the first empty one, in the colouring.
    squares: u32,
    /// Whether the nearest of them is the lowest bit.
    rising: bool,
}

/// A canonical set of occupied squares with what maps its colourings onto each other.
pub struct Target {
    /// The squares.
    pub set: u32,
    /// The maps that leave the set as it is, the identity left out, on colourings.
    symmetries: Vec<(usize, Spread<u32>)>,
}

impl Target {
    /// The set, which must be canonical.
    pub fn new(grid: &Grid, set: u32) -> Self {
        let symmetry = |map| (map, between(grid, set, map, set));
        Self { set, symmetries: grid.stabilizer(set).skip(1).map(symmetry).collect() }
    }

    /// Whether every colouring is canonical.
    #[inline(always)]
    pub fn is_trivial(&self) -> bool {
        self.symmetries.is_empty()
    }

    /// The images of a colouring under the maps that leave the set as it is, the identity first.
    pub fn images(&self, colouring: u32) -> impl Iterator<Item = (usize, u32)> + '_ {
        let others = self.symmetries.iter().map(move |(map, on)| (*map, on.apply(colouring)));
        std::iter::once((0, colouring)).chain(others)
    }

    /// The least image of a colouring.
    #[inline(always)]
    pub fn canonical(&self, colouring: u32) -> u32 {
        if self.is_trivial() {
            return colouring;
        }
        self.images(colouring).map(|(_, image)| image).min().unwrap_or(colouring)
    }
}

/// How colourings of `from` become colourings of its image `to` under a map.
fn between(grid: &Grid, from: u32, map: usize, to: u32) -> Spread<u32> {
    let mut images = [0; 32];
    let count = images_between(grid, from, map, to, &mut images);
    Spread::new(&images[..count])
}

fn images_between(grid: &Grid, from: u32, map: usize, to: u32, images: &mut [u32; 32]) -> usize {
    let mut count = 0;
    for square in bits(from) {
        let image = grid.square_image(map, square);
        images[count] = 1 << (to & ones(image)).count_ones();
        count += 1;
    }
    count
}

/// A placement on one square, from one canonical set to another.
pub struct Step {
    rays: [Ray; 8],
    directions: usize,
    /// All bits of a colouring before the placement.
    full: u32,
    /// Those below the new disc.
    low: u32,
    /// From the colourings of the set with the new disc to those of its canonical image.
    turn: Option<Box<Spread<u32>>>,
    turned: bool,
}

impl Step {
    /// A step to be [set](Self::set) before use.
    pub fn new() -> Self {
        let ray = Ray { squares: 0, rising: false };
        Self { rays: [ray; 8], directions: 0, full: 0, low: 0, turn: None, turned: false }
    }

    /// Makes this the placement on `square` from the set `from`; `map` takes the canonical set
    /// `to` to the set that arises.
    pub fn set(&mut self, grid: &Grid, from: u32, square: u32, to: u32, map: usize) {
        let rank = |square: u32| (from & ones(square)).count_ones();
        self.full = ones(from.count_ones());
        self.low = ones(rank(square));
        self.directions = 0;
        for (direction, line) in grid.lines(square).iter().enumerate() {
            let run =
                line.iter().map(|&next| u32::from(next)).take_while(|next| from >> next & 1 != 0);
            let squares = run.fold(0_u32, |set, next| set | 1 << rank(next));
            // Turning needs a disc of each side.
            if squares.count_ones() >= 2 {
                self.rays[self.directions] = Ray { squares, rising: direction < 4 };
                self.directions += 1;
            }
        }
        self.turned = map != 0;
        if self.turned {
            let mut images = [0; 32];
            let arisen = from | 1 << square;
            let count = images_between(grid, arisen, grid.inverse(map), to, &mut images);
            match &mut self.turn {
                Some(turn) => turn.set(&images[..count]),
                None => self.turn = Some(Box::new(Spread::new(&images[..count]))),
            }
        }
    }

    /// Whether no position can have this placement.
    pub fn is_empty(&self) -> bool {
        self.directions == 0
    }

    /// Plays the step from the first `count` colourings where it is legal: the colourings that
    /// arise, from the next mover's view, and the places of those they come from.
    #[inline]
    pub fn play(
        &self,
        colourings: &[u32; CHUNK],
        count: usize,
        arisen: &mut [u32; CHUNK],
        places: &mut [u16; CHUNK],
    ) -> usize {
        let mut flips = [0_u32; CHUNK];
        for ray in &self.rays[..self.directions] {
            add_flips(*ray, colourings, &mut flips);
        }
        let mut after = [0_u32; CHUNK];
        let (full, low) = (self.full, self.low);
        for i in 0..CHUNK {
            // The next mover owns what was the opponent's and is not turned; the new disc is the
            // other side's, so its bit is 0.
            let own = !(colourings[i] | flips[i]) & full;
            after[i] = (own & low) | ((own & !low) << 1);
        }
        let mut legal = 0;
        for i in 0..count.min(CHUNK) {
            arisen[legal % CHUNK] = after[i];
            places[legal % CHUNK] = i as u16;
            legal += usize::from(flips[i] != 0);
        }
        if let Some(turn) = self.turn.as_ref().filter(|_| self.turned) {
            for colouring in &mut arisen[..legal] {
                *colouring = turn.apply(*colouring);
            }
        }
        legal
    }
}

#[inline(always)]
fn add_flips(ray: Ray, colourings: &[u32; CHUNK], flips: &mut [u32; CHUNK]) {
    let squares = ray.squares;
    if ray.rising {
        for i in 0..CHUNK {
            let own = colourings[i] & squares;
            let nearest = own & own.wrapping_neg();
            let none = u32::from(own == 0).wrapping_neg();
            flips[i] |= nearest.wrapping_sub(1) & squares & !none;
        }
    } else {
        for i in 0..CHUNK {
            let own = colourings[i] & squares;
            let mut below = own | own >> 1;
            below |= below >> 2;
            below |= below >> 4;
            below |= below >> 8;
            below |= below >> 16;
            let none = u32::from(own == 0).wrapping_neg();
            flips[i] |= squares & !below & !none;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::grid::{deposit, extract};
    use super::*;
    use crate::board::flip;

    /// Every placement of every random position agrees with the plain flip.
    #[test]
    fn steps_turn_what_the_rules_turn() {
        let mut random = 7_u64;
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random as u32
        };
        for name in ["3x3", "4x4", "5x5", "4x7", "4x8", "6x5+hole=b2+hole=f5"] {
            let grid = Grid::new(&name.parse().unwrap()).unwrap();
            let mut step = Step::new();
            for _ in 0..200 {
                let from = ((next() | next()) & grid.all()) | grid.centre();
                for square in bits(grid.all() & !from) {
                    let map = next() as usize % grid.symmetries();
                    let arisen_set = from | 1 << square;
                    let to = grid.image(grid.inverse(map), arisen_set);
                    step.set(&grid, from, square, to, map);
                    let colourings = [0; CHUNK].map(|_| next() & ones(from.count_ones()));
                    let (mut arisen, mut places) = ([0; CHUNK], [0; CHUNK]);
                    let legal = step.play(&colourings, CHUNK, &mut arisen, &mut places);
                    let mut expected = Vec::new();
                    for (place, colouring) in (0_u16..).zip(colourings) {
                        let player = deposit(colouring, from);
                        let on_board = |set| grid.to_board(set);
                        let index = on_board(1 << square).trailing_zeros();
                        let (own, other) = (on_board(player), on_board(from & !player));
                        let flips = flip::flip(index, own, other);
                        if flips != 0 {
                            let flips = grid.to_dense(crate::board::Bitboard::new(flips));
                            let mover = from & !player & !flips;
                            let image = grid.image(grid.inverse(map), mover);
                            expected.push((place, extract(image, to)));
                        }
                    }
                    let played: Vec<_> = places[..legal]
                        .iter()
                        .copied()
                        .zip(arisen[..legal].iter().copied())
                        .collect();
                    assert_eq!(played, expected, "{name}");
                }
            }
        }
    }
}
