//! What move ordering knows of a board: corners, the squares beside them, parity regions.
//!
//! Heuristics only: a mistake here costs time, never truth.

use crate::board::{Bitboard, GameSpec, Square};

/// Squares of a board by their worth for ordering.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Squares with a blocked neighbour in each of the four line directions: never turned again.
    pub corners: u64,
    /// Squares diagonally next to a corner.
    pub x_squares: u64,
    /// Squares on the border of the board.
    pub border: u64,
    /// For each square the bit (of four) of its quadrant.
    pub quadrant: [u8; 64],
    /// For each set of quadrants their squares.
    pub quadrants: [u64; 16],
    /// Static worth of a placement, 0 to 18.
    pub worth: [u8; 64],
}

impl Layout {
    /// The layout of a game's board.
    pub fn new(game: &GameSpec) -> Self {
        let squares = game.squares();
        let (width, height) = (game.width(), game.height());
        let blocked = |square: Square, dx: i32, dy: i32| {
            let (x, y) = (square.column() as i32 + dx, square.row() as i32 + dy);
            let inside = (0..width as i32).contains(&x) && (0..height as i32).contains(&y);
            !(inside && squares.contains(Square::at(x as u32, y as u32)))
        };
        let axes = [(1, 0), (0, 1), (1, 1), (1, -1)];
        let safe = |square: Square, (dx, dy)| blocked(square, dx, dy) || blocked(square, -dx, -dy);
        let set = |test: &dyn Fn(Square) -> bool| -> Bitboard {
            squares.into_iter().filter(|&square| test(square)).collect()
        };
        let corners = set(&|square| axes.iter().all(|&axis| safe(square, axis)));
        let border = set(&|square| axes[..2].iter().any(|&axis| safe(square, axis)));
        let touches = |square: Square, diagonal: bool| {
            corners.into_iter().any(|corner| {
                let dx = corner.column().abs_diff(square.column());
                let dy = corner.row().abs_diff(square.row());
                if diagonal { (dx, dy) == (1, 1) } else { dx + dy == 1 }
            })
        };
        let x_squares = set(&|s| !corners.contains(s) && touches(s, true));
        let c_squares =
            set(&|s| !corners.contains(s) && !x_squares.contains(s) && touches(s, false));

        let mut layout = Self {
            corners: corners.bits(),
            x_squares: x_squares.bits(),
            border: border.bits(),
            quadrant: [0; 64],
            quadrants: [0; 16],
            worth: [0; 64],
        };
        for square in squares {
            let right = u32::from(square.column() >= width.div_ceil(2));
            let lower = u32::from(square.row() >= height.div_ceil(2));
            let bit = 1 << (2 * lower + right);
            layout.quadrant[square.index() as usize] = bit;
            for set in (0..16).filter(|set| set & usize::from(bit) != 0) {
                layout.quadrants[set] |= square.bit();
            }
            layout.worth[square.index() as usize] = if corners.contains(square) {
                18
            } else if x_squares.contains(square) {
                1
            } else if c_squares.contains(square) {
                4
            } else if border.contains(square) {
                12
            } else {
                10
            };
        }
        layout
    }

    /// The set of quadrants with an odd number of squares of `empties`.
    pub fn parity(&self, empties: u64) -> u8 {
        (0..4)
            .map(|q| 1 << q)
            .filter(|&bit| (empties & self.quadrants[usize::from(bit)]).count_ones() % 2 == 1)
            .sum()
    }
}
