//! A small board in dense form: one bit a playable square, its symmetries, and canonical positions.
//!
//! Squares are numbered row by row from a1, holes left out, so that every set of squares of a
//! board of up to [`MAX_SQUARES`] squares is a `u32`. The *colouring* of a position is the set of
//! the mover's discs compressed to the occupied squares: bit j is the j-th occupied square.

use crate::board::{Bitboard, GameSpec, Position, Square, Symmetries};
use std::ops::{BitOr, BitOrAssign};

/// Most playable squares of a board with a table.
pub const MAX_SQUARES: u32 = 32;

/// Moves the bits of a 32-bit set to other places, a byte at a time.
#[derive(Clone)]
pub struct Spread<T>([[T; 256]; 4]);

impl<T: Copy + Default + BitOr<Output = T> + BitOrAssign> Spread<T> {
    /// Bit i goes to `images[i]`; bits without an image vanish.
    pub fn new(images: &[T]) -> Self {
        let mut spread = Self([[T::default(); 256]; 4]);
        spread.set(images);
        spread
    }

    /// Gives the bits other places.
    pub fn set(&mut self, images: &[T]) {
        for (byte, table) in self.0.iter_mut().enumerate() {
            for bit in 0..8 {
                let image = images.get(8 * byte + bit).copied().unwrap_or_default();
                let (done, rest) = table.split_at_mut(1 << bit);
                for (to, from) in rest.iter_mut().zip(done.iter()) {
                    *to = *from | image;
                }
            }
        }
    }

    /// The image of a set.
    #[inline(always)]
    pub fn apply(&self, set: u32) -> T {
        let [a, b, c, d] = set.to_le_bytes();
        let tables = &self.0;
        (tables[0][a as usize] | tables[1][b as usize])
            | (tables[2][c as usize] | tables[3][d as usize])
    }
}

/// A symmetry of the board.
struct Map {
    /// Where each square goes.
    squares: Vec<u8>,
    /// The same for sets.
    sets: Spread<u32>,
}

/// A board in dense form.
pub struct Grid {
    squares: Vec<Square>,
    board: Spread<u64>,
    dense: [Spread<u32>; 2],
    maps: Vec<Map>,
    /// `product[a][b]` is the map that does b, then a.
    product: Vec<Vec<u8>>,
    inverse: Vec<u8>,
    /// The squares outwards from each square in the eight directions.
    lines: Vec<[Vec<u8>; 8]>,
    centre: u32,
    /// Lowest bits of the two rows of the centre.
    centre_rows: [u32; 2],
}

impl Grid {
    /// The board of a game, or `None` when it has more than [`MAX_SQUARES`] squares.
    pub fn new(game: &GameSpec) -> Option<Self> {
        let squares: Vec<Square> = game.squares().into_iter().collect();
        if squares.len() > MAX_SQUARES as usize {
            return None;
        }
        let mut number = [None; 64];
        for (i, square) in (0_u8..).zip(&squares) {
            number[square.index() as usize] = Some(i);
        }
        let bit_of = |index: usize| number[index].map_or(0, |i| 1_u32 << i);
        let half =
            |from: usize| Spread::new(&std::array::from_fn::<_, 32, _>(|i| bit_of(from + i)));
        let boards: Vec<u64> = squares.iter().map(|square| square.bit()).collect();
        let symmetries = Symmetries::of(game);
        let maps: Vec<Map> = symmetries
            .maps()
            .iter()
            .map(|&map| {
                let image = |square: &Square| symmetries.apply_square(map, *square);
                let squares: Vec<u8> = squares
                    .iter()
                    .filter_map(|square| number[image(square).index() as usize])
                    .collect();
                let bits: Vec<u32> = squares.iter().map(|&to| 1 << to).collect();
                Map { squares, sets: Spread::new(&bits) }
            })
            .collect();
        let (product, inverse) = group(&maps);
        let centre = game.centre().map(|square| bit_of(square.index() as usize));
        Some(Self {
            board: Spread::new(&boards),
            dense: [half(0), half(32)],
            lines: squares.iter().map(|square| lines(*square, &number)).collect(),
            squares,
            maps,
            product,
            inverse,
            centre: centre.iter().fold(0, |set, bit| set | bit),
            centre_rows: [centre[0].trailing_zeros(), centre[2].trailing_zeros()],
        })
    }

    /// Number of playable squares.
    pub fn len(&self) -> u32 {
        self.squares.len() as u32
    }

    /// All squares.
    pub fn all(&self) -> u32 {
        ones(self.len())
    }

    /// The centre block, where the discs of the start lie.
    pub fn centre(&self) -> u32 {
        self.centre
    }

    /// Number of symmetries; number 0 is the identity.
    pub fn symmetries(&self) -> usize {
        self.maps.len()
    }

    /// The number of the map that does b, then a.
    pub fn product(&self, a: usize, b: usize) -> usize {
        usize::from(self.product[a][b])
    }

    /// The number of the map that undoes a.
    pub fn inverse(&self, a: usize) -> usize {
        usize::from(self.inverse[a])
    }

    /// The image of a set of squares.
    #[inline(always)]
    pub fn image(&self, map: usize, set: u32) -> u32 {
        self.maps[map].sets.apply(set)
    }

    /// The image of a square.
    pub fn square_image(&self, map: usize, square: u32) -> u32 {
        u32::from(self.maps[map].squares[square as usize])
    }

    /// The squares outwards from a square in the eight directions, four of them with rising
    /// numbers first.
    pub fn lines(&self, square: u32) -> &[Vec<u8>; 8] {
        &self.lines[square as usize]
    }

    /// A dense set on the embedding.
    #[inline(always)]
    pub fn to_board(&self, set: u32) -> u64 {
        self.board.apply(set)
    }

    /// A set of playable squares in dense form.
    pub fn to_dense(&self, set: Bitboard) -> u32 {
        let bits = set.bits();
        self.dense[0].apply(bits as u32) | self.dense[1].apply((bits >> 32) as u32)
    }

    /// The image that stands for a set of occupied squares: the least that holds the centre;
    /// `None` when no image does.
    pub fn canonical_set(&self, occupied: u32) -> Option<u32> {
        (0..self.maps.len())
            .map(|map| self.image(map, occupied))
            .filter(|image| image & self.centre == self.centre)
            .min()
    }

    /// The maps that leave a set as it is, the identity first.
    pub fn stabilizer(&self, set: u32) -> impl Iterator<Item = usize> + '_ {
        (0..self.maps.len()).filter(move |&map| self.image(map, set) == set)
    }

    /// The canonical occupied set and the least colouring of it among the images of a position;
    /// `None` when no image has discs on the whole centre.
    pub fn canonical(&self, player: u32, opponent: u32) -> Option<(u32, u32)> {
        let occupied = player | opponent;
        let set = self.canonical_set(occupied)?;
        (0..self.maps.len())
            .filter(|&map| self.image(map, occupied) == set)
            .map(|map| (set, extract(self.image(map, player), set)))
            .min()
    }

    /// Player and opponent in dense form.
    pub fn dense_position(&self, position: &Position) -> (u32, u32) {
        (self.to_dense(position.player), self.to_dense(position.opponent))
    }

    /// The number of a set that holds the centre among all such sets, in rising order.
    pub fn set_number(&self, set: u32) -> u32 {
        // Four bits drop out: two pairs of neighbours.
        let [first, second] = self.centre_rows;
        let (low, high) = (ones(first), u64::from(ones(second)));
        let above = (u64::from(set) >> 2) & (high >> 2);
        let top = (u64::from(set) >> 4) & !(high >> 2);
        (set & low) | (above as u32 & !low) | top as u32
    }

    /// How many sets hold the centre.
    pub fn set_numbers(&self) -> u64 {
        1 << (self.len() - 4)
    }

    /// The set with this number.
    pub fn numbered_set(&self, number: u32) -> u32 {
        let [first, second] = self.centre_rows;
        let (low, middle) = (ones(first), ones(second - 2));
        let moved = u64::from(number & !middle) << 4;
        (number & low) | ((number & middle & !low) << 2) | moved as u32 | self.centre
    }
}

/// The lowest `count` bits, at most 32.
pub const fn ones(count: u32) -> u32 {
    if count == 0 { 0 } else { u32::MAX >> (32 - count) }
}

/// The bits of `bits` at the squares of `mask`, moved together.
pub fn extract(bits: u32, mask: u32) -> u32 {
    let (mut result, mut rest, mut bit) = (0, mask, 1_u32);
    while rest != 0 {
        if bits & rest & rest.wrapping_neg() != 0 {
            result |= bit;
        }
        bit = bit.wrapping_shl(1);
        rest &= rest - 1;
    }
    result
}

/// The bits of `bits` spread to the squares of `mask`: undoes [`extract`].
pub fn deposit(bits: u32, mask: u32) -> u32 {
    let (mut result, mut rest, mut left) = (0, mask, bits);
    while rest != 0 {
        if left & 1 != 0 {
            result |= rest & rest.wrapping_neg();
        }
        left >>= 1;
        rest &= rest - 1;
    }
    result
}

/// The set bits of a set, by number.
pub fn bits(set: u32) -> impl Iterator<Item = u32> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let bit = (rest != 0).then(|| rest.trailing_zeros());
        rest &= rest.wrapping_sub(1);
        bit
    })
}

/// Products and inverses of maps.
fn group(maps: &[Map]) -> (Vec<Vec<u8>>, Vec<u8>) {
    let find = |squares: &[u8]| {
        let at = maps.iter().position(|map| map.squares == squares);
        at.expect("the symmetries of a board are a group") as u8
    };
    let times = |a: &Map, b: &Map| {
        find(&b.squares.iter().map(|&to| a.squares[usize::from(to)]).collect::<Vec<_>>())
    };
    let product: Vec<Vec<u8>> =
        maps.iter().map(|a| maps.iter().map(|b| times(a, b)).collect()).collect();
    let undo = |row: &Vec<u8>| {
        let at = row.iter().position(|&map| map == 0);
        at.expect("every map has an inverse") as u8
    };
    let inverse = product.iter().map(undo).collect();
    (product, inverse)
}

/// The squares outwards from one square, directions with rising numbers first.
fn lines(square: Square, number: &[Option<u8>; 64]) -> [Vec<u8>; 8] {
    const STEPS: [(i32, i32); 8] =
        [(1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1)];
    STEPS.map(|(dx, dy)| {
        let (mut x, mut y) = (square.column() as i32, square.row() as i32);
        let mut line = Vec::new();
        loop {
            (x, y) = (x + dx, y + dy);
            if !(0..8).contains(&x) || !(0..8).contains(&y) {
                return line;
            }
            match number[(8 * y + x) as usize] {
                Some(next) => line.push(next),
                None => return line,
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: [&str; 6] = ["3x3", "4x4", "4x5", "5x5", "4x7", "5x5+hole=a1+hole=e3"];

    fn grids() -> impl Iterator<Item = Grid> {
        GAMES.iter().map(|name| Grid::new(&name.parse().unwrap()).unwrap())
    }

    #[test]
    fn sets_that_hold_the_centre_are_numbered_in_order() {
        for grid in grids() {
            let mut last = None;
            let count = grid.set_numbers().min(1 << 17) as u32;
            for number in 0..count {
                let set = grid.numbered_set(number);
                assert_eq!(set & grid.centre(), grid.centre());
                assert_eq!(set & !grid.all(), 0);
                assert_eq!(grid.set_number(set), number);
                assert!(last < Some(set));
                last = Some(set);
            }
            assert_eq!(grid.set_number(grid.all()), (grid.set_numbers() - 1) as u32);
        }
    }

    #[test]
    fn images_of_a_position_have_one_canonical_form() {
        for grid in grids() {
            let mut random = 1_u32;
            for _ in 0..1000 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let occupied = (random & grid.all()) | grid.centre();
                let player = occupied & (random >> 7 | random << 9);
                let canonical = grid.canonical(player, occupied & !player);
                assert!(canonical.is_some());
                for map in 0..grid.symmetries() {
                    let (own, all) = (grid.image(map, player), grid.image(map, occupied));
                    assert_eq!(grid.canonical(own, all & !own), canonical);
                    let back = grid.image(grid.inverse(map), own);
                    assert_eq!(back, player);
                }
                let (set, colouring) = canonical.unwrap();
                assert_eq!(extract(deposit(colouring, set), set), colouring);
                assert_eq!(grid.to_dense(Bitboard::new(grid.to_board(player))), player);
            }
        }
    }
}
