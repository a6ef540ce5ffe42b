//! Proved bounds that need no search. Each has its argument in words and is checked against true
//! values of random positions of every registered game (`tests/bounds.rs`).

use crate::board::Game;

/// Squares of the embedding whose row, column or diagonals have no empty square left, one set for
/// each direction: east, south, south-east, south-west.
///
/// `filled` has a bit for every square that will never be placed on again: discs, holes, and the
/// squares off the board.
#[inline(always)]
fn full_lines(filled: u64) -> [u64; 4] {
    // Rows: and all eight bits of each byte together.
    let mut row = filled & (filled >> 4) & 0x0f0f_0f0f_0f0f_0f0f;
    row &= row >> 2;
    row &= row >> 1;
    row = (row & 0x0101_0101_0101_0101) * 0xff;
    let mut column = filled & filled.rotate_right(8);
    column &= column.rotate_right(16);
    column &= column.rotate_right(32);
    // Diagonals by doubling; what is shifted in from beyond the edge counts as filled.
    let diagonal =
        |step: u32, low1: u64, high1: u64, low2: u64, high2: u64, low4: u64, high4: u64| {
            let mut lower = filled & (low1 | (filled >> step));
            let mut upper = filled & (high1 | (filled << step));
            lower &= low2 | (lower >> (2 * step));
            upper &= high2 | (upper << (2 * step));
            lower &= low4 | (lower >> (4 * step));
            upper &= high4 | (upper << (4 * step));
            lower & upper
        };
    [
        row,
        column,
        diagonal(
            9,
            0xff80_8080_8080_8080,
            0x0101_0101_0101_01ff,
            0xffff_c0c0_c0c0_c0c0,
            0x0303_0303_0303_ffff,
            0xffff_ffff_f0f0_f0f0,
            0x0f0f_0f0f_ffff_ffff,
        ),
        diagonal(
            7,
            0xff01_0101_0101_0101,
            0x8080_8080_8080_80ff,
            0xffff_0303_0303_0303,
            0xc0c0_c0c0_c0c0_ffff,
            0xffff_ffff_0f0f_0f0f,
            0xf0f0_f0f0_ffff_ffff,
        ),
    ]
}

/// Discs of `player` that can never be turned again (not always all of them).
///
/// A disc is turned along a line only when a square on each side of it along that line is held or
/// gained by the other side. So it is safe along a line when the line has no empty square left,
/// when the next square on one side is off the board or a hole, or when that next square is
/// a disc of the same side which itself can never be turned. Safe in all four directions means
/// stable; the set is grown from nothing, so it rests on no assumption.
#[inline(always)]
pub fn stable(player: u64, opponent: u64, squares: u64) -> u64 {
    let off = !squares;
    let full = full_lines(player | opponent | off);
    let mut stable = player & full[0] & full[1] & full[2] & full[3];
    // Next squares that are off the board: the border of the embedding, and `off` shifted.
    let (west, east) = (0x0101_0101_0101_0101_u64, 0x8080_8080_8080_8080_u64);
    let (north, south) = (0xff_u64, 0xff00_0000_0000_0000_u64);
    loop {
        let held = stable | off;
        let e = |x: u64| (x & !east) << 1;
        let w = |x: u64| (x & !west) >> 1;
        let row = full[0] | e(held) | w(held) | west | east;
        let column = full[1] | held << 8 | held >> 8 | north | south;
        let diagonal = full[2] | e(held) << 8 | w(held) >> 8 | west | east | north | south;
        let antidiagonal = full[3] | w(held) << 8 | e(held) >> 8 | west | east | north | south;
        let grown = stable | (player & row & column & diagonal & antidiagonal);
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

/// An upper bound of the mover's score from discs that can never be turned.
///
/// Say `s` discs of the side that wants them (the opponent where most discs win, the mover itself
/// in `anti`) are stable, of `n` squares. At the end that side has at least `s`, the other at most
/// `n - s`. Plain difference: at most `n - 2s` for the mover. With empties to the winner: a winning
/// mover scores `n` minus twice the loser's discs, at most `n - 2s`; a losing mover scores twice
/// its own discs minus `n`, at most `2 (n - s) - n`; a draw is 0, and then `2s <= n`. In `anti` own
/// and other discs change places in the score, so the same holds with the mover's stable discs.
#[inline(always)]
pub fn upper_bound<G: Game>(game: G, player: u64, opponent: u64) -> i32 {
    let stable = if game.most_wins() {
        stable(opponent, player, game.squares())
    } else {
        stable(player, opponent, game.squares())
    };
    game.max_score() - 2 * stable.count_ones() as i32
}
