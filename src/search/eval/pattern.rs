//! Board patterns: small sets of squares whose content, read as a base-3 number (0 empty, 1 own
//! disc, 2 opponent's disc), picks a weight (the idea of M. Buro's Logistello, 1997).
//!
//! A class is one shape; its features are the images of the shape under the symmetries of the
//! square board, and all of them share the class's weights. A class that a symmetry maps onto
//! itself reads the same content in two ways; both count as one (the smaller number), so mirrored
//! positions get equal sums.
//!
//! The numbers of all features are computed together: each placed disc adds its row of powers of
//! three, so a move costs one vector addition for every disc it changes. Plain integer arithmetic:
//! every instruction-set level gets the same numbers.

/// Weights one block of classes has room for: every 16-bit number is a place in it.
pub const BLOCK: usize = 1 << 16;

/// Blocks of weights for each stage.
pub const BLOCKS: usize = 3;

/// Where the features of each block begin, and their number in all, unused ones included.
const FIRST_LANES: [usize; BLOCKS + 1] = [0, 16, 28, LANES];

/// Three 256-bit vectors.
const LANES: usize = 48;

/// The place of unused features: no class reaches it.
const NOWHERE: u16 = u16::MAX;

/// One shape on a board of a given side, in the a1 corner's orientation.
struct Shape {
    name: &'static str,
    /// Columns and rows, counted from 0.
    squares: &'static [(u8, u8)],
    block: u8,
}

/// A shape with its place among the weights.
#[derive(Clone, Debug)]
pub struct Class {
    /// What the shape is called in documents.
    pub name: &'static str,
    /// Squares of the shape.
    pub size: u32,
    /// Number of features.
    pub features: usize,
    block: usize,
    offset: usize,
    /// For each content the equivalent content that holds the weight.
    canonical: Vec<u16>,
}

impl Class {
    /// Contents that hold a weight of their own, in rising order.
    pub fn distinct(&self) -> impl Iterator<Item = u16> + '_ {
        (0..self.canonical.len() as u16).filter(|&i| self.canonical[usize::from(i)] == i)
    }

    /// Every content with its place in a stage and the place of its equivalent.
    pub fn places(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let first = self.block * BLOCK + self.offset;
        self.canonical.iter().enumerate().map(move |(i, &c)| (first + i, first + usize::from(c)))
    }

    /// The place of a content in a stage.
    pub fn place(&self, content: u16) -> usize {
        self.block * BLOCK + self.offset + usize::from(content)
    }
}

/// One number for each feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Lanes([u16; LANES]);

impl Lanes {
    const ZERO: Self = Self([0; LANES]);

    #[inline(always)]
    fn add(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a = a.wrapping_add(*b);
        }
    }

    #[inline(always)]
    fn subtract(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a = a.wrapping_sub(*b);
        }
    }

    /// The features of one block.
    #[inline(always)]
    pub fn of_block(&self, block: usize) -> &[u16] {
        &self.0[FIRST_LANES[block]..FIRST_LANES[block + 1]]
    }

    /// The places in a stage, unused ones included.
    pub fn all(&self) -> impl Iterator<Item = usize> + '_ {
        (0..BLOCKS).flat_map(|block| {
            self.of_block(block).iter().map(move |&place| block * BLOCK + usize::from(place))
        })
    }
}

/// The discs of both sides as they add to the features' numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traces {
    player: Lanes,
    opponent: Lanes,
}

/// The patterns of a square board.
#[derive(Clone, Debug)]
pub struct Patterns {
    side: u32,
    classes: Vec<Class>,
    /// Number of features in use.
    features: usize,
    /// Where each feature's class begins in its block.
    origin: Lanes,
    /// What a disc on each square adds.
    powers: Box<[Lanes; 64]>,
}

impl Patterns {
    /// The patterns of the board with this side, if it has any.
    pub fn of_side(side: u32) -> Option<Self> {
        let shapes = match side {
            8 => SHAPES_8,
            6 => SHAPES_6,
            _ => return None,
        };
        let mut patterns = Self {
            side,
            classes: Vec::new(),
            features: 0,
            origin: Lanes([NOWHERE; LANES]),
            powers: Box::new([Lanes::ZERO; 64]),
        };
        let mut used = [(0, 0); BLOCKS];
        for shape in shapes {
            let (offset, lane) = &mut used[usize::from(shape.block)];
            let class = patterns.add_class(shape, *offset, *lane);
            *offset += class.canonical.len();
            *lane += class.features;
            let block = usize::from(shape.block);
            let room = FIRST_LANES[block + 1] - FIRST_LANES[block];
            assert!(*offset < usize::from(NOWHERE) && *lane <= room, "{} fits", shape.name);
            patterns.features += class.features;
            patterns.classes.push(class);
        }
        Some(patterns)
    }

    /// Adds the features of one shape.
    fn add_class(&mut self, shape: &Shape, offset: usize, first_lane: usize) -> Class {
        let images: Vec<Vec<u32>> =
            (0..8).map(|map| shape.squares.iter().map(|&s| self.image(map, s)).collect()).collect();
        let set = |image: &[u32]| image.iter().fold(0_u64, |set, square| set | 1 << square);
        let mut instances: Vec<&Vec<u32>> = Vec::new();
        for image in &images {
            if instances.iter().all(|other| set(other) != set(image)) {
                instances.push(image);
            }
        }
        for (i, instance) in instances.iter().enumerate() {
            let lane = FIRST_LANES[usize::from(shape.block)] + first_lane + i;
            self.origin.0[lane] = offset as u16;
            for (place, &square) in instance.iter().enumerate() {
                self.powers[square as usize].0[lane] = 3_u16.pow(place as u32);
            }
        }
        // Where each symmetry that keeps the shape sends the squares of the first image.
        let kept = images.iter().filter(|image| set(image) == set(&images[0]));
        let orders: Vec<Vec<usize>> = kept
            .map(|image| {
                let place = |square| images[0].iter().position(|s| s == square).unwrap_or(0);
                image.iter().map(place).collect()
            })
            .collect();
        let size = shape.squares.len() as u32;
        let canonical = (0..3_u32.pow(size))
            .map(|content| orders.iter().map(|order| reorder(content, order)).min().unwrap_or(0))
            .collect();
        Class {
            name: shape.name,
            size,
            features: instances.len(),
            block: usize::from(shape.block),
            offset,
            canonical,
        }
    }

    /// The image of a square under one of the eight symmetries of the board.
    fn image(&self, map: u32, (x, y): (u8, u8)) -> u32 {
        let (mut x, mut y) = (u32::from(x), u32::from(y));
        if map & 4 != 0 {
            (x, y) = (y, x);
        }
        if map & 1 != 0 {
            x = self.side - 1 - x;
        }
        if map & 2 != 0 {
            y = self.side - 1 - y;
        }
        y * 8 + x
    }

    /// Side of the board.
    pub fn side(&self) -> u32 {
        self.side
    }

    /// The classes.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// Number of features.
    pub fn features(&self) -> usize {
        self.features
    }

    /// A number that differs for different patterns, for files of weights.
    pub fn digest(&self) -> u32 {
        let mut digest = crc32fast::Hasher::new();
        for lanes in self.powers.iter().chain([&self.origin]) {
            for number in lanes.0 {
                digest.update(&number.to_le_bytes());
            }
        }
        digest.finalize()
    }

    /// The traces of a position, from nothing.
    #[inline(always)]
    pub fn traces(&self, player: u64, opponent: u64) -> Traces {
        Traces { player: self.sum(player), opponent: self.sum(opponent) }
    }

    /// What a set of discs adds.
    #[inline(always)]
    fn sum(&self, mut discs: u64) -> Lanes {
        let mut sum = Lanes::ZERO;
        while discs != 0 {
            sum.add(&self.powers[discs.trailing_zeros() as usize]);
            discs &= discs - 1;
        }
        sum
    }

    /// The traces after a move, from the next mover's view.
    #[inline(always)]
    pub fn after_move(&self, traces: &Traces, square: u32, flipped: u64) -> Traces {
        let flips = self.sum(flipped);
        let mut next = Traces { player: traces.opponent, opponent: traces.player };
        next.player.subtract(&flips);
        next.opponent.add(&flips);
        next.opponent.add(&self.powers[square as usize & 63]);
        next
    }

    /// The place in its block of each feature's content.
    #[inline(always)]
    pub fn places(&self, traces: &Traces) -> Lanes {
        let mut places = self.origin;
        places.add(&traces.player);
        places.add(&traces.opponent);
        places.add(&traces.opponent);
        places
    }
}

impl Traces {
    /// The traces after a pass.
    #[inline(always)]
    pub fn after_pass(&self) -> Self {
        Self { player: self.opponent, opponent: self.player }
    }
}

/// The number of the content whose place `order[i]` holds what place `i` of `content` holds.
fn reorder(mut content: u32, order: &[usize]) -> u16 {
    let mut result = 0;
    for &place in order {
        result += content % 3 * 3_u32.pow(place as u32);
        content /= 3;
    }
    result as u16
}

/// 8x8: the pattern set of Logistello and its followers, 46 features.
#[rustfmt::skip]
const SHAPES_8: &[Shape] = &[
    Shape { name: "corner 2x5", block: 0, squares: &[
        (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (0, 1), (1, 1), (2, 1), (3, 1), (4, 1)] },
    Shape { name: "diagonal 7", block: 0, squares: &[
        (1, 0), (2, 1), (3, 2), (4, 3), (5, 4), (6, 5), (7, 6)] },
    Shape { name: "diagonal 6", block: 0, squares: &[
        (2, 0), (3, 1), (4, 2), (5, 3), (6, 4), (7, 5)] },
    Shape { name: "edge and X squares", block: 1, squares: &[
        (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (1, 1), (6, 1)] },
    Shape { name: "diagonal 5", block: 1, squares: &[(3, 0), (4, 1), (5, 2), (6, 3), (7, 4)] },
    Shape { name: "diagonal 4", block: 1, squares: &[(4, 0), (5, 1), (6, 2), (7, 3)] },
    Shape { name: "diagonal 8", block: 2, squares: &[
        (0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7)] },
    Shape { name: "corner 3x3", block: 2, squares: &[
        (0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2)] },
    Shape { name: "row 2", block: 2, squares: &[
        (0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1)] },
    Shape { name: "row 3", block: 2, squares: &[
        (0, 2), (1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2), (7, 2)] },
    Shape { name: "row 4", block: 2, squares: &[
        (0, 3), (1, 3), (2, 3), (3, 3), (4, 3), (5, 3), (6, 3), (7, 3)] },
];

/// 6x6.
#[rustfmt::skip]
const SHAPES_6: &[Shape] = &[
    Shape { name: "corner 2x5", block: 0, squares: &[
        (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (0, 1), (1, 1), (2, 1), (3, 1), (4, 1)] },
    Shape { name: "row 2", block: 0, squares: &[
        (0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1)] },
    Shape { name: "row 3", block: 0, squares: &[
        (0, 2), (1, 2), (2, 2), (3, 2), (4, 2), (5, 2)] },
    Shape { name: "corner triangle", block: 1, squares: &[
        (0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (0, 3)] },
    Shape { name: "diagonal 6", block: 1, squares: &[
        (0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5)] },
    Shape { name: "diagonal 5", block: 1, squares: &[(1, 0), (2, 1), (3, 2), (4, 3), (5, 4)] },
    Shape { name: "diagonal 4", block: 2, squares: &[(2, 0), (3, 1), (4, 2), (5, 3)] },
    Shape { name: "edge and X squares", block: 2, squares: &[
        (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (1, 1), (4, 1)] },
    Shape { name: "corner 3x3", block: 2, squares: &[
        (0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2)] },
    Shape { name: "middle 3x3", block: 2, squares: &[
        (1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2), (1, 3), (2, 3), (3, 3)] },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lane_has_a_class_that_fits() {
        for (side, features) in [(8, 46), (6, 42)] {
            let patterns = Patterns::of_side(side).unwrap();
            assert_eq!(patterns.features(), features, "side {side}");
            let squares = patterns.classes().iter().map(|c| c.features * c.size as usize);
            let marks = patterns.powers.iter().flat_map(|lanes| lanes.0).filter(|&p| p != 0);
            assert_eq!(squares.sum::<usize>(), marks.count(), "side {side}");
        }
    }

    #[test]
    fn a_move_changes_the_traces_as_the_position_after_it_says() {
        let patterns = Patterns::of_side(8).unwrap();
        let (player, opponent, square, flipped) =
            (0x0000_0008_1000_0000, 0x0000_0010_0800_0000, 19, 1 << 27);
        let before = patterns.traces(player, opponent);
        let after = patterns.after_move(&before, square, flipped);
        assert_eq!(after, patterns.traces(opponent ^ flipped, player | flipped | 1 << square));
    }
}
