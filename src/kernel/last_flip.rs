//! Discs turned by the last move of a game, counted from the mover's discs alone.
//!
//! With one empty square left every other square is the mover's or the opponent's, so eight bits
//! of each line through the square decide. On a rectangle inside the embedding the squares off the
//! board may stand for opponent's discs: a ray that leaves the board never meets a disc again.
//! With holes that is false (a ray would cross the hole), so such games do not use this.
//! The tables follow the idea of Edax's and Zebra's last-move counters, made anew.

/// Per square: the masks of its file, diagonal and antidiagonal.
static LINES: [[u64; 3]; 64] = lines();

/// `COUNTS[i][line]`: discs turned by a placement at place `i` of a line of eight whose other
/// squares are the mover's where `line` has a bit and the opponent's elsewhere.
static COUNTS: [[u8; 256]; 8] = counts();

const fn lines() -> [[u64; 3]; 64] {
    let mut table = [[0; 3]; 64];
    let mut square = 0;
    while square < 64 {
        let (x, y) = (square % 8, square / 8);
        let mut other = 0;
        while other < 64 {
            let (u, v) = (other % 8, other / 8);
            let bit = 1 << other;
            if u == x {
                table[square][0] |= bit;
            }
            if u + y == v + x {
                table[square][1] |= bit;
            }
            if u + v == x + y {
                table[square][2] |= bit;
            }
            other += 1;
        }
        square += 1;
    }
    table
}

const fn counts() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut line = 0;
        while line < 256 {
            let mut total = 0;
            let mut i = place as i32 + 1;
            while i < 8 {
                if line >> i & 1 != 0 {
                    total += i - place as i32 - 1;
                    break;
                }
                i += 1;
            }
            let mut i = place as i32 - 1;
            while i >= 0 {
                if line >> i & 1 != 0 {
                    total += place as i32 - 1 - i;
                    break;
                }
                i -= 1;
            }
            table[place][line] = total as u8;
            line += 1;
        }
        place += 1;
    }
    table
}

/// Discs turned by the mover's placement on `square`; `gather` packs the bits under a mask into
/// one byte, by column for diagonals and by row for files.
///
/// A diagonal shorter than eight squares is gathered by column, its bits at the places of their
/// columns; the places off the diagonal read as the opponent's and turn nothing.
#[inline(always)]
pub fn count(square: u32, player: u64, gather: impl Fn(u64, u64, Line) -> u8) -> u32 {
    let (x, y) = (square as usize & 7, square as usize >> 3 & 7);
    let masks = &LINES[square as usize & 63];
    let row = (player >> (8 * y)) as u8;
    let file = gather(player, masks[0], Line::File(x as u32));
    let diagonal = gather(player, masks[1], Line::Diagonal);
    let antidiagonal = gather(player, masks[2], Line::Diagonal);
    u32::from(COUNTS[x][row as usize])
        + u32::from(COUNTS[y][file as usize])
        + u32::from(COUNTS[x][diagonal as usize])
        + u32::from(COUNTS[x][antidiagonal as usize])
}

/// The kind of a line, for gathering its bits.
#[derive(Clone, Copy)]
pub enum Line {
    /// A file, by its column.
    File(u32),
    /// A diagonal of either direction: no two squares share a column.
    Diagonal,
}

/// Gathers by a multiplication that moves each bit to its place in the top byte.
#[inline(always)]
pub fn gather_by_multiplication(discs: u64, mask: u64, line: Line) -> u8 {
    let product = match line {
        // Bit 8 * row, moved to place row: the anti-diagonal of ones.
        Line::File(x) => ((discs >> x) & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080),
        // One bit a column: adding the rows up gathers them.
        Line::Diagonal => (discs & mask).wrapping_mul(0x0101_0101_0101_0101),
    };
    (product >> 56) as u8
}
