//! Position text: the squares row by row, the side to move, and what may follow.
//!
//! Black `X B *`, White `O W 0`, empty `- .`, hole `#` (or empty), letters in either case, blanks
//! anywhere between squares. Everything else is an error: no character is skipped, because every
//! square after it would move.

use super::line::Content;
use super::obf;
use super::span::{Problem, Span, is_blank, quoted};
use crate::board::{Bitboard, Color, GameSpec, Position, Setup, Square};

/// What one character says of a square.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Letter {
    Disc(Color),
    Empty,
    Hole,
}

fn letter(c: char) -> Option<Letter> {
    match c {
        '-' | '.' => Some(Letter::Empty),
        '#' => Some(Letter::Hole),
        _ => color(c).map(Letter::Disc),
    }
}

/// The side that a letter stands for.
pub(super) fn color(c: char) -> Option<Color> {
    match c.to_ascii_uppercase() {
        'X' | 'B' | '*' => Some(Color::Black),
        'O' | 'W' | '0' => Some(Color::White),
        _ => None,
    }
}

/// Whether a character may be a square.
pub(super) fn is_square_letter(c: char) -> bool {
    letter(c).is_some()
}

/// The side in a word of one letter.
fn side_letter(word: Span) -> Option<Color> {
    let mut chars = word.text.chars();
    let side = chars.next().and_then(color)?;
    chars.next().is_none().then_some(side)
}

/// The discs of both sides.
#[derive(Clone, Copy, Default)]
pub(super) struct Discs {
    black: Bitboard,
    white: Bitboard,
}

impl Discs {
    /// Puts on a square what the character says.
    pub(super) fn put(
        &mut self,
        game: &GameSpec,
        square: Square,
        c: char,
        column: usize,
    ) -> Result<(), Problem> {
        let bad = |message| Err(Problem::at(column, "bad-square", message));
        let hole = game.holes().contains(square);
        match letter(c) {
            Some(Letter::Disc(_)) if hole => bad(format!("a disc on {square}, which is a hole")),
            Some(Letter::Disc(Color::Black)) => {
                self.black = self.black | square.into();
                Ok(())
            }
            Some(Letter::Disc(Color::White)) => {
                self.white = self.white | square.into();
                Ok(())
            }
            Some(Letter::Hole) if !hole => bad(format!("'#' at {square}, which is no hole")),
            Some(Letter::Hole | Letter::Empty) => Ok(()),
            None => bad(format!(
                "{} at square {square}: expected X B * for Black, O W 0 for White, - . for empty",
                quoted(&c.to_string())
            )),
        }
    }

    /// The setup with the side and what follows it.
    pub(super) fn setup(self, side: Color, supply: Option<[u8; 2]>) -> Setup {
        Setup { black: self.black, white: self.white, side, supply }
    }
}

/// The legal position of a setup.
pub(super) fn to_position(game: &GameSpec, setup: &Setup) -> Result<Position, Problem> {
    setup.position(game).map_err(|error| Problem::new("setup", error.to_string()))
}

/// Reads a position and what follows it. The text is trimmed, without a comment, of ASCII.
pub(super) fn read(game: &GameSpec, text: Span) -> Result<Content, Problem> {
    let (discs, rest) = read_squares(game, text)?;
    let (side, rest) = read_side(game, rest)?;
    read_tail(game, discs, side, rest)
}

/// Reads the supply, the score and the fields after the side.
pub(super) fn read_tail(
    game: &GameSpec,
    discs: Discs,
    side: Color,
    rest: Span,
) -> Result<Content, Problem> {
    let (supply, rest) = read_supply(rest)?;
    let setup = discs.setup(side, supply);
    let position = to_position(game, &setup)?;
    let (word, after) = rest.word();
    if word.is_empty() {
        return obf::read_fields(game, setup, position, None, after);
    }
    let score = obf::read_score(word.text).ok_or_else(|| {
        let message = format!(
            "{} after the side: expected a score such as +12, fields after a ';' or nothing",
            quoted(word.text)
        );
        Problem::at(word.column, "bad-field", message)
    })?;
    let (next, fields) = after.word();
    if !next.is_empty() {
        let message = format!("{} after the score: a ';' is missing", quoted(next.text));
        return Err(Problem::at(next.column, "bad-field", message));
    }
    obf::read_fields(game, setup, position, Some(score), fields)
}

/// Reads the squares of the whole board.
fn read_squares<'a>(game: &GameSpec, text: Span<'a>) -> Result<(Discs, Span<'a>), Problem> {
    let board = Bitboard::rectangle(game.width(), game.height());
    let mut discs = Discs::default();
    let mut chars = text.text.char_indices().filter(|&(_, c)| !is_blank(c));
    let mut end = 0;
    for (read, square) in board.into_iter().enumerate() {
        let (at, c) = match chars.next() {
            Some((at, c)) if c != ';' => (at, c),
            _ => return Err(too_few(game, text.to(end), read)),
        };
        if !is_square_letter(c) && ends_with_side(text.to(end)) {
            return Err(too_few(game, text.to(end), read));
        }
        if read == 0 && !plausible(game, text) {
            let message = format!(
                "{} is neither a position ({} squares such as X O -, then the side to move) nor a \
                 transcript such as f5d6 nor an object in braces",
                quoted(text.text),
                board.len()
            );
            return Err(Problem::at(text.column, "unrecognised", message));
        }
        discs.put(game, square, c, text.column + at)?;
        end = at + 1;
    }
    // A board that is one short swallows its side: never take what follows (a score of 0, say)
    // for the side.
    if ends_with_side(text.to(end)) {
        return Err(too_few(game, text.to(end), board.len() as usize));
    }
    Ok((discs, text.from(end)))
}

/// Whether a text is meant as a board at all: nothing but squares, or at least half of one.
fn plausible(game: &GameSpec, text: Span) -> bool {
    let head = text.until(';').text;
    let squares = head.chars().filter(|&c| is_square_letter(c)).count();
    squares * 2 >= (game.width() * game.height()) as usize
        || head.chars().all(|c| is_square_letter(c) || is_blank(c))
}

/// Whether the last square stands alone after a longer group: then it is the side to move.
fn ends_with_side(squares: Span) -> bool {
    let mut groups = squares.text.split(is_blank).filter(|group| !group.is_empty()).rev();
    let alone = groups.next().is_some_and(|last| last.len() == 1 && last.starts_with(is_side));
    alone && groups.next().is_some_and(|group| group.len() > 1)
}

fn is_side(c: char) -> bool {
    color(c).is_some()
}

fn too_few(game: &GameSpec, squares: Span, read: usize) -> Problem {
    let side = usize::from(ends_with_side(squares));
    let found = read - side;
    let (width, height) = (game.width() as usize, game.height() as usize);
    let hint = if found == width {
        "; a board drawn row by row is read with --format diagram"
    } else if matches!(found, 9 | 16 | 25 | 36 | 49 | 64) {
        "; another board is named with --game"
    } else {
        ""
    };
    let message = format!("{found} squares where {} are expected{hint}", width * height);
    Problem::at(squares.column + squares.text.len() - side, "bad-length", message)
}

/// Reads the side to move, which may touch the squares.
fn read_side<'a>(game: &GameSpec, rest: Span<'a>) -> Result<(Color, Span<'a>), Problem> {
    let expected = game.width() * game.height();
    let touching = rest.text.chars().next().is_some_and(|c| !is_blank(c));
    let (word, after) = rest.word();
    if word.is_empty() {
        let message = "the side to move is missing: X or O after the squares".to_owned();
        return Err(Problem::at(word.column, "side-missing", message));
    }
    match side_letter(word) {
        // "...-X O" is a board one too long with its side, not a side with something behind it.
        Some(_) if touching && side_letter(after.word().0).is_some() => {
            let message = format!("{} squares where {expected} are expected", expected + 1);
            Err(Problem::at(word.column, "bad-length", message))
        }
        Some(side) => Ok((side, after)),
        None if word.text.chars().all(is_square_letter) => {
            let message = format!("more than the {expected} squares expected");
            Err(Problem::at(word.column, "bad-length", message))
        }
        None => {
            let message = format!("{} is no side to move: expected X or O", quoted(word.text));
            Err(Problem::at(word.column, "bad-side", message))
        }
    }
}

/// Reads ` supply=BLACK/WHITE` if it is there.
fn read_supply(rest: Span) -> Result<(Option<[u8; 2]>, Span), Problem> {
    const NAME: &str = "supply=";
    let (word, after) = rest.word();
    let is_supply = word.text.get(..NAME.len()).is_some_and(|s| s.eq_ignore_ascii_case(NAME));
    if !is_supply {
        return Ok((None, rest));
    }
    let number = |text: &str| {
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        text.parse().ok().filter(|_| digits)
    };
    let hands = word.text[NAME.len()..].split_once('/');
    let hands = hands.and_then(|(black, white)| Some([number(black)?, number(white)?]));
    match hands {
        Some(hands) => Ok((Some(hands), after)),
        None => {
            let message = format!(
                "{}: expected the discs in hand of Black and White, such as supply=3/4",
                quoted(word.text)
            );
            Err(Problem::at(word.column, "bad-supply", message))
        }
    }
}
