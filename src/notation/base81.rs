//! Base-81 positions: 16 printable characters for the 64 squares of an 8x8 board.
//!
//! A character is 33 + s0 + 3 s1 + 9 s2 + 32 s3 (32, not 27) for four squares in order, a1 first;
//! 0 is empty, 1 a disc of the side to move, 2 one of the other side. The side itself is not
//! written: it is read as Black. A score of the position may follow after a blank. A line may begin
//! with any character, so there are no comments.

use super::line::Content;
use super::obf;
use super::span::{Problem, Span, quoted};
use crate::board::{Bitboard, Color, GameSpec, Position, Setup, Square};

/// Weights of the four squares of a character.
const WEIGHTS: [u8; 4] = [1, 3, 9, 32];

/// The first character.
const ZERO: u8 = 33;

/// Characters of a position.
const LENGTH: usize = 16;

fn is_standard_board(game: &GameSpec) -> bool {
    game.squares().len() == 64 && game.supply().is_none()
}

/// A position as 16 characters.
///
/// # Errors
/// When the board is not 8x8, or the game has discs in hand.
pub fn write(game: &GameSpec, position: &Position) -> Result<String, String> {
    if !is_standard_board(game) {
        return Err(format!("base-81 holds boards of 8x8 without holes, not {game}"));
    }
    let state = |square: Square| {
        u8::from(position.player.contains(square))
            + 2 * u8::from(position.opponent.contains(square))
    };
    let squares: Vec<u8> = Bitboard::rectangle(8, 8).into_iter().map(state).collect();
    let character = |four: &[u8]| {
        let sum: u8 = four.iter().zip(WEIGHTS).map(|(state, weight)| state * weight).sum();
        char::from(ZERO + sum)
    };
    Ok(squares.chunks(WEIGHTS.len()).map(character).collect())
}

/// Reads a line; `None` when it is blank.
pub(super) fn parse(line: &str, game: &GameSpec) -> Result<Option<Content>, Problem> {
    let text = Span::new(line).ascii()?.trim();
    if text.is_empty() {
        return Ok(None);
    }
    if !is_standard_board(game) {
        let message = format!("base-81 holds boards of 8x8 without holes, not {game}");
        return Err(Problem::new("setup", message));
    }
    let end = text.text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.text.len());
    let (code, rest) = (text.to(end), text.from(end).trim());
    if code.text.len() != LENGTH {
        let message = format!("{} characters where {LENGTH} are expected", code.text.len());
        return Err(Problem::at(code.column, "bad-length", message));
    }
    let (mut black, mut white) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for (at, byte) in code.text.bytes().enumerate() {
        let states = states(byte).ok_or_else(|| {
            let what = quoted(&char::from(byte).to_string());
            Problem::at(
                code.column + at,
                "bad-square",
                format!("{what} stands for no four squares"),
            )
        })?;
        for (i, state) in states.into_iter().enumerate() {
            let index = at * WEIGHTS.len() + i;
            let square = Square::at(index as u32 % 8, index as u32 / 8);
            match state {
                1 => black = black | square.into(),
                2 => white = white | square.into(),
                _ => {}
            }
        }
    }
    let setup = Setup { black, white, side: Color::Black, supply: None };
    let content = Content::bare(setup, super::board::to_position(game, &setup)?);
    if rest.is_empty() {
        return Ok(Some(content));
    }
    match obf::read_score(rest.text) {
        Some(score) => Ok(Some(Content { score: Some(score), ..content })),
        None => {
            let message = format!("{} after the position is no score", quoted(rest.text));
            Err(Problem::at(rest.column, "bad-field", message))
        }
    }
}

/// The states of four squares in a character.
fn states(byte: u8) -> Option<[u8; 4]> {
    let code = byte.checked_sub(ZERO)?;
    let (high, low) = (code / WEIGHTS[3], code % WEIGHTS[3]);
    // The three low squares need 27 of 32 codes.
    (high < 3 && low < 27).then_some([low % 3, low / 3 % 3, low / 9, high])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_their_weights() {
        assert_eq!(states(b'!'), Some([0; 4]));
        assert_eq!(states(b'!' + 2 + 6 + 18 + 64), Some([2; 4]));
        assert_eq!(states(b'!' + 27), None);
        assert_eq!(states(b' '), None);
        let written = (0..=255).filter(|&byte| states(byte).is_some()).count();
        assert_eq!(written, 81);
    }
}
