//! A board drawn in text, with coordinates and the legal moves.

use crate::board::{Bitboard, GameSpec, Move, Setup, Square};
use std::fmt::Write;

/// The board in rows: `X` Black, `O` White, `#` a hole, `.` a legal move, `-` another empty square.
///
/// A setup that is no position of the game is drawn without moves.
pub fn draw(game: &GameSpec, setup: &Setup) -> String {
    let position = setup.position(game).ok();
    let moves = position.map(|position| position.moves(game)).unwrap_or_default();
    let places: Bitboard = moves
        .iter()
        .filter_map(|mv| match mv {
            Move::Place(square) => Some(*square),
            Move::Pass => None,
        })
        .collect();
    let mut text = String::from(" ");
    for column in 0..game.width() {
        let _ = write!(text, " {}", char::from(b'a' + column as u8));
    }
    for row in 0..game.height() {
        let _ = write!(text, "\n{}", row + 1);
        for column in 0..game.width() {
            let square = Square::at(column, row);
            let letter = if places.contains(square) { '.' } else { setup.letter(game, square) };
            let _ = write!(text, " {letter}");
        }
    }
    let turn = match moves.as_slice() {
        [] => "to move; the game is over",
        [Move::Pass] => "must pass",
        _ => "to move",
    };
    let (black, white, side) = (setup.black.len(), setup.white.len(), setup.side);
    let _ = write!(text, "\nX {black}, O {white}; {side} ({}) {turn}", side.letter());
    if let Some([black, white]) = setup.supply {
        let _ = write!(text, ", discs in hand {black}/{white}");
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_drawn_with_its_moves() {
        let game = "4x4".parse().unwrap();
        let drawn = draw(&game, &Setup::start(&game));
        let expected = "  a b c d\n1 - . - -\n2 . O X -\n3 - X O .\n4 - - . -\n\
                        X 2, O 2; Black (X) to move\n";
        assert_eq!(drawn, expected);
    }
}
