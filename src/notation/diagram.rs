//! Diagrams: a board drawn row by row, then the side to move.
//!
//! ```text
//!   a b c d        the letters of the columns may stand above and below
//! 1 - - - -        the numbers of the rows may stand left and right
//! 2 - O X -
//! 3 - X O -
//! 4 - - - -
//! X                or `side=X`, `Black to move`; then whatever may follow a side
//! ```
//! All squares may also stand in one line. Blank lines separate boards, comments may stand
//! anywhere; after an error the reading goes on behind the next blank line.

use super::board::{Discs, color, read_tail};
use super::line::Content;
use super::lines::Lines;
use super::span::{Problem, Span, is_blank, quoted};
use crate::board::{Bitboard, Color, GameSpec, Square};
use std::io::BufRead;

/// A drawing, and the line where it starts; or what is wrong, and the line of it.
type Found = (usize, Result<Content, Problem>);

/// Reads the drawings of an input one by one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Diagrams {
    /// Whether the rest of a bad drawing is still to be skipped.
    skipping: bool,
}

impl Diagrams {
    /// The next drawing.
    pub(super) fn next<R: BufRead>(
        &mut self,
        lines: &mut Lines<R>,
        game: &GameSpec,
    ) -> Option<Found> {
        let mut drawing = Drawing::default();
        for (number, text) in lines {
            if self.skipping {
                match text {
                    Ok(text) => self.skipping = !text.trim().is_empty(),
                    Err(problem) if problem.kind == "io" => return Some((number, Err(problem))),
                    Err(_) => {}
                }
                continue;
            }
            if text.as_ref().is_ok_and(|text| text.trim().is_empty()) {
                if drawing.first.is_some() {
                    return drawing.cut_short(game);
                }
                continue;
            }
            match text.and_then(|text| drawing.add(game, number, &text)) {
                Ok(None) => {}
                Ok(Some(content)) => return Some((drawing.first.unwrap_or(number), Ok(content))),
                Err(problem) => {
                    self.skipping = problem.kind != "io";
                    return Some((number, Err(problem)));
                }
            }
        }
        drawing.cut_short(game)
    }
}

/// A board being read.
#[derive(Default)]
struct Drawing {
    first: Option<usize>,
    last: usize,
    rows: u32,
    discs: Discs,
}

impl Drawing {
    /// Takes one line; the line of the side completes the drawing.
    fn add(
        &mut self,
        game: &GameSpec,
        number: usize,
        line: &str,
    ) -> Result<Option<Content>, Problem> {
        let text = Span::new(line).without_comment().ascii()?.trim();
        let at_edge = self.rows == 0 || self.rows == game.height();
        if text.is_empty() || (at_edge && is_column_letters(game, text)) {
            return Ok(None);
        }
        self.first.get_or_insert(number);
        self.last = number;
        if self.rows == game.height() {
            let (side, rest) = read_side(text)?;
            return read_tail(game, self.discs, side, rest).map(Some);
        }
        let squares = Bitboard::rectangle(game.width(), game.height());
        if self.rows == 0 && squares_in(text) == squares.len() as usize {
            self.put(game, squares.into_iter(), text)?;
            self.rows = game.height();
        } else {
            self.add_row(game, text)?;
        }
        Ok(None)
    }

    fn add_row(&mut self, game: &GameSpec, text: Span) -> Result<(), Problem> {
        // No square is written with a digit but 0, and no row has the number 0.
        let label = char::from_digit(self.rows + 1, 10).unwrap_or('0');
        let text = if text.text.starts_with(label) { text.from(1).trim() } else { text };
        let text = match text.text.strip_suffix(label) {
            Some(before) => text.to(before.len()).trim(),
            None => text,
        };
        let (found, width) = (squares_in(text), game.width() as usize);
        if found != width {
            let row = self.rows + 1;
            let message = format!("{found} squares in row {row} where {width} are expected");
            return Err(Problem::at(text.column, "bad-length", message));
        }
        let row = self.rows;
        self.put(game, (0..game.width()).map(|column| Square::at(column, row)), text)?;
        self.rows += 1;
        Ok(())
    }

    fn put(
        &mut self,
        game: &GameSpec,
        squares: impl Iterator<Item = Square>,
        text: Span,
    ) -> Result<(), Problem> {
        let letters = text.text.char_indices().filter(|&(_, c)| !is_blank(c));
        for (square, (at, c)) in squares.zip(letters) {
            self.discs.put(game, square, c, text.column + at)?;
        }
        Ok(())
    }

    /// The error of a drawing that ends here; `None` when it has not begun.
    fn cut_short(&self, game: &GameSpec) -> Option<Found> {
        self.first?;
        let (rows, height) = (self.rows, game.height());
        let problem = if rows == height {
            let message = "the side to move is missing: a line with X or O after the rows";
            Problem::new("side-missing", message.to_owned())
        } else {
            let message = format!("the board ends after {rows} of {height} rows");
            Problem::new("bad-length", message)
        };
        Some((self.last, Err(problem)))
    }
}

fn squares_in(text: Span) -> usize {
    text.text.chars().filter(|&c| !is_blank(c)).count()
}

/// Whether a line names the columns, `a b c ...`.
fn is_column_letters(game: &GameSpec, text: Span) -> bool {
    let letters = text.text.chars().filter(|&c| !is_blank(c)).map(|c| c.to_ascii_lowercase());
    letters.eq(('a'..='h').take(game.width() as usize))
}

/// Reads `X`, `side=X` or `Black to move`.
fn read_side(text: Span) -> Result<(Color, Span), Problem> {
    let mut rest = text;
    let named = text.text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("side"));
    if named {
        let value = text.from(4).trim();
        rest = if value.text.starts_with(['=', ':']) { value.from(1) } else { value };
    }
    let (word, mut rest) = rest.word();
    let mut letters = word.text.chars();
    let side = match (letters.next(), letters.next()) {
        (Some(letter), None) => color(letter),
        _ if word.text.eq_ignore_ascii_case("black") => Some(Color::Black),
        _ if word.text.eq_ignore_ascii_case("white") => Some(Color::White),
        _ => None,
    };
    let Some(side) = side else {
        let message = format!("{} is no side to move: expected X or O", quoted(text.text));
        return Err(Problem::at(text.column, "bad-side", message));
    };
    let (to, after) = rest.word();
    let (play, after) = after.word();
    let is_play = ["move", "play"].iter().any(|word| play.text.eq_ignore_ascii_case(word));
    if to.text.eq_ignore_ascii_case("to") && is_play {
        rest = after;
    }
    Ok((side, rest))
}
