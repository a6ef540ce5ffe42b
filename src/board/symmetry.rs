//! The symmetries of a board (8 of a square, 4 of a rectangle, fewer with holes) and the
//! canonical form of a position: the least of its images.

use super::bitboard::Bitboard;
use super::position::Position;
use super::spec::{GameSpec, Start};
use super::square::Square;

/// One of the eight maps of the square: an optional transposition, then mirrors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry {
    transpose: bool,
    mirror_columns: bool,
    mirror_rows: bool,
}

impl Symmetry {
    /// The map that changes nothing.
    pub const IDENTITY: Self = Self { transpose: false, mirror_columns: false, mirror_rows: false };

    const ALL: [Self; 8] = {
        let mut all = [Self::IDENTITY; 8];
        let mut i = 0;
        while i < 8 {
            all[i] =
                Self { transpose: i & 4 != 0, mirror_columns: i & 1 != 0, mirror_rows: i & 2 != 0 };
            i += 1;
        }
        all
    };
}

/// The symmetries of one board that map its playable squares (and under `free` the centre block)
/// onto themselves: the maps that change no value.
#[derive(Clone, Debug)]
pub struct Symmetries {
    width: u32,
    height: u32,
    maps: Vec<Symmetry>,
}

impl Symmetries {
    /// The symmetries of a game's board.
    pub fn of(game: &GameSpec) -> Self {
        let (width, height) = (game.width(), game.height());
        let mut group = Self { width, height, maps: Vec::new() };
        let centre: Bitboard = game.centre().into_iter().collect();
        group.maps = Symmetry::ALL
            .into_iter()
            .filter(|map| {
                (!map.transpose || width == height)
                    && group.apply(*map, game.squares()) == game.squares()
                    && (game.start() != Start::Free || group.apply(*map, centre) == centre)
            })
            .collect();
        group
    }

    /// The maps, the identity first.
    pub fn maps(&self) -> &[Symmetry] {
        &self.maps
    }

    /// The image of a set of squares of the board.
    pub fn apply(&self, map: Symmetry, set: Bitboard) -> Bitboard {
        let mut bits = set.bits();
        if map.transpose {
            bits = transpose(bits);
        }
        if map.mirror_columns {
            bits = mirror_columns(bits) >> (8 - self.width);
        }
        if map.mirror_rows {
            bits = bits.swap_bytes() >> (8 * (8 - self.height));
        }
        Bitboard::new(bits)
    }

    /// The image of one square of the board.
    pub fn apply_square(&self, map: Symmetry, square: Square) -> Square {
        let (mut x, mut y) = (square.column(), square.row());
        if map.transpose {
            (x, y) = (y, x);
        }
        if map.mirror_columns {
            x = self.width - 1 - x;
        }
        if map.mirror_rows {
            y = self.height - 1 - y;
        }
        Square::at(x, y)
    }

    /// The image of a position.
    pub fn apply_position(&self, map: Symmetry, position: &Position) -> Position {
        Position {
            player: self.apply(map, position.player),
            opponent: self.apply(map, position.opponent),
            extra: position.extra,
        }
    }

    /// The least image, and a map that leads to it.
    pub fn canonical_with_map(&self, position: &Position) -> (Position, Symmetry) {
        self.maps
            .iter()
            .map(|&map| (self.apply_position(map, position), map))
            .min_by_key(|&(image, _)| image)
            .unwrap_or((*position, Symmetry::IDENTITY))
    }

    /// The least image.
    pub fn canonical(&self, position: &Position) -> Position {
        self.canonical_with_map(position).0
    }
}

/// Reflects along the a1-h8 diagonal (the delta swaps of Knuth, TAOCP 7.1.3).
const fn transpose(mut x: u64) -> u64 {
    let t = (x ^ (x >> 7)) & 0x00aa_00aa_00aa_00aa;
    x ^= t ^ (t << 7);
    let t = (x ^ (x >> 14)) & 0x0000_cccc_0000_cccc;
    x ^= t ^ (t << 14);
    let t = (x ^ (x >> 28)) & 0x0000_0000_f0f0_f0f0;
    x ^ t ^ (t << 28)
}

/// Reverses each row of eight.
const fn mirror_columns(x: u64) -> u64 {
    x.reverse_bits().swap_bytes()
}
