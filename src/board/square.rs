//! A square of the board and its text form.
//!
//! Every board up to 8x8 is embedded in the same 8-wide 64-bit layout: index = row * 8 + column,
//! `a1` = 0, `b1` = 1, `a2` = 8. A square off a smaller board is simply never occupied.

use std::fmt;
use std::str::FromStr;

/// One of the 64 squares of the embedding; `a1` is 0, `h8` is 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square with this index (`row * 8 + column`), or `None` from 64 on.
    pub const fn new(index: u32) -> Option<Self> {
        if index < 64 { Some(Self(index as u8)) } else { None }
    }

    /// The square at column and row, both counted from 0.
    ///
    /// # Panics
    /// When one of them is 8 or more.
    pub const fn at(column: u32, row: u32) -> Self {
        assert!(column < 8 && row < 8, "a square has a column and a row below 8");
        Self((row * 8 + column) as u8)
    }

    /// `row * 8 + column`, below 64.
    pub const fn index(self) -> u32 {
        self.0 as u32
    }

    /// Column from the left, counted from 0.
    pub const fn column(self) -> u32 {
        self.0 as u32 % 8
    }

    /// Row from the top, counted from 0.
    pub const fn row(self) -> u32 {
        self.0 as u32 / 8
    }

    /// The set of this square alone.
    pub const fn bit(self) -> u64 {
        1 << self.0
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = char::from(b'a' + (self.0 % 8));
        // `pad` so that tables can align moves.
        f.pad(&format!("{letter}{}", self.0 / 8 + 1))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is no square of the 8x8 embedding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a square: a letter a-h and a digit 1-8")
    }
}

impl std::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads `f5` or `F5`.
    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        match text.as_bytes() {
            [letter, digit @ b'1'..=b'8'] => match letter.to_ascii_lowercase() {
                column @ b'a'..=b'h' => Ok(Self((digit - b'1') * 8 + (column - b'a'))),
                _ => Err(ParseSquareError),
            },
            _ => Err(ParseSquareError),
        }
    }
}

/// A turn: a disc placed, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A disc placed on a square.
    Place(Square),
    /// No disc placed: forced when there is no legal placement, voluntary under `optional-pass`.
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(square) => fmt::Display::fmt(square, f),
            Self::Pass => f.pad("pass"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The two sides. Black moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    /// `X`, the first player.
    Black,
    /// `O`, the second player.
    White,
}

impl Color {
    /// The letter of the printed form, `X` or `O`.
    pub const fn letter(self) -> char {
        match self {
            Self::Black => 'X',
            Self::White => 'O',
        }
    }
}

impl std::ops::Not for Color {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "Black",
            Self::White => "White",
        })
    }
}
