//! What somebody typed ([`Setup`]) becomes a legal [`Position`] once, at the edge.

use super::bitboard::Bitboard;
use super::game::Extra;
use super::position::Position;
use super::spec::{GameSpec, Start};
use super::square::{Color, Square};
use std::fmt;

/// A board, the side to move and, in games with a supply, the discs in hand. It may be illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Black's discs.
    pub black: Bitboard,
    /// White's discs.
    pub white: Bitboard,
    /// The side to move.
    pub side: Color,
    /// Discs in hand of Black and of White, where the game has a supply.
    pub supply: Option<[u8; 2]>,
}

/// Why a setup is no position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// A disc on a hole or off the board.
    OffBoard(Square),
    /// A square with a disc of each colour.
    Both(Square),
    /// A game with a supply needs the discs in hand (` supply=B/W`).
    SupplyMissing,
    /// The game has no supply.
    SupplyUnknown,
    /// More discs on the board and in hand than the two supplies together hold.
    SupplyTooLarge,
    /// Under `free` a centre square is empty although another square is not, or the discs in the
    /// centre do not fit the side to move or the supplies.
    FreePhase,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OffBoard(square) => write!(f, "a disc on {square}, which is no playable square"),
            Self::Both(square) => write!(f, "two discs on {square}"),
            Self::SupplyMissing => {
                f.write_str("this game needs the discs in hand after the side: supply=BLACK/WHITE")
            }
            Self::SupplyUnknown => f.write_str("this game has no supply of discs"),
            Self::SupplyTooLarge => f.write_str("more discs than the two supplies hold"),
            Self::FreePhase => f.write_str(
                "in the free opening the first four discs are placed alternately in the centre, \
                 Black first, each from its player's supply",
            ),
        }
    }
}

impl std::error::Error for SetupError {}

impl Setup {
    /// The start of a game.
    pub fn start(game: &GameSpec) -> Self {
        Self::from_position(game, &Position::start(game), Color::Black)
    }

    /// The position as a setup, `side` to move.
    pub fn from_position(game: &GameSpec, position: &Position, side: Color) -> Self {
        let (own, other) = (position.player, position.opponent);
        let [own_hand, other_hand] = position.extra.in_hand;
        let (black, white, hands) = match side {
            Color::Black => (own, other, [own_hand, other_hand]),
            Color::White => (other, own, [other_hand, own_hand]),
        };
        Self { black, white, side, supply: game.supply().map(|_| hands) }
    }

    /// The legal position of a game, no voluntary pass just made.
    ///
    /// # Errors
    /// When the discs or the supplies do not fit the game.
    pub fn position(&self, game: &GameSpec) -> Result<Position, SetupError> {
        if let Some(square) = (self.black & self.white).into_iter().next() {
            return Err(SetupError::Both(square));
        }
        let discs = self.black | self.white;
        if let Some(square) = (discs - game.squares()).into_iter().next() {
            return Err(SetupError::OffBoard(square));
        }
        let hands = match (game.supply(), self.supply) {
            (None, None) => [0, 0],
            (None, Some(_)) => return Err(SetupError::SupplyUnknown),
            (Some(_), None) => return Err(SetupError::SupplyMissing),
            (Some(n), Some(hands)) => {
                // Discs change colour but not hands, so only the total is known.
                let in_hand = u32::from(hands[0]) + u32::from(hands[1]);
                if hands.iter().any(|&hand| hand > n) || discs.len() + in_hand > 2 * u32::from(n) {
                    return Err(SetupError::SupplyTooLarge);
                }
                hands
            }
        };
        if game.start() == Start::Free && !self.fits_free_phase(game, hands) {
            return Err(SetupError::FreePhase);
        }
        Ok(match self.side {
            Color::Black => Position {
                player: self.black,
                opponent: self.white,
                extra: Extra { in_hand: hands, passes: 0 },
            },
            Color::White => Position {
                player: self.white,
                opponent: self.black,
                extra: Extra { in_hand: [hands[1], hands[0]], passes: 0 },
            },
        })
    }

    /// Whether the centre is full, or the discs are some that the free opening can have placed.
    fn fits_free_phase(&self, game: &GameSpec, hands: [u8; 2]) -> bool {
        let centre: Bitboard = game.centre().into_iter().collect();
        let discs = self.black | self.white;
        if (centre - discs).is_empty() {
            return true;
        }
        let [black, white] = [self.black.len(), self.white.len()];
        let alternate = match self.side {
            Color::Black => black == white,
            Color::White => black == white + 1,
        };
        // No disc has changed colour yet, so each side's hand is known.
        let supplied = game.supply().is_none_or(|n| {
            [black + u32::from(hands[0]), white + u32::from(hands[1])] == [u32::from(n); 2]
        });
        (discs - centre).is_empty() && alternate && supplied
    }

    /// The printed form: `X O -` (holes `#`) row by row, a blank, the side, and the supply.
    pub fn text<'a>(&'a self, game: &'a GameSpec) -> impl fmt::Display + 'a {
        Text { setup: self, game }
    }

    /// The character of one square, as printed.
    pub fn letter(&self, game: &GameSpec, square: Square) -> char {
        if self.black.contains(square) {
            'X'
        } else if self.white.contains(square) {
            'O'
        } else if game.holes().contains(square) {
            '#'
        } else {
            '-'
        }
    }
}

struct Text<'a> {
    setup: &'a Setup,
    game: &'a GameSpec,
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in Bitboard::rectangle(self.game.width(), self.game.height()) {
            write!(f, "{}", self.setup.letter(self.game, square))?;
        }
        write!(f, " {}", self.setup.side.letter())?;
        match self.setup.supply {
            Some([black, white]) => write!(f, " supply={black}/{white}"),
            None => Ok(()),
        }
    }
}
