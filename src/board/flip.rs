//! The plain 64-bit flip and mobility: right on every board that the embedding holds.
//!
//! A square off the board or a hole is an empty square that nobody may use, so a ray stops there
//! and the 8x8 code is right for every smaller shape. The portable kernel is this same code.

/// The four line directions as index steps: east, south-west, south, south-east.
const STEPS: [u32; 4] = [1, 7, 8, 9];

/// Squares from which a disc of the other side may be crossed without leaving a row's side:
/// all columns for the vertical direction, columns b to g for the others.
const CROSSABLE: [u64; 4] =
    [0x7e7e_7e7e_7e7e_7e7e, 0x7e7e_7e7e_7e7e_7e7e, u64::MAX, 0x7e7e_7e7e_7e7e_7e7e];

/// The rays of every square: `[square][direction]`, towards higher indices.
static RAYS_UP: [[u64; 4]; 64] = rays(true);
/// The rays of every square: `[square][direction]`, towards lower indices.
static RAYS_DOWN: [[u64; 4]; 64] = rays(false);

/// Builds one half of the eight rays of each square, the square itself left out.
pub const fn rays(up: bool) -> [[u64; 4]; 64] {
    // East, south-west, south, south-east; their opposites towards lower indices.
    let deltas: [(i32, i32); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];
    let sign = if up { 1 } else { -1 };
    let mut table = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut d = 0;
        while d < 4 {
            let (mut x, mut y) = (square as i32 % 8, square as i32 / 8);
            loop {
                x += sign * deltas[d].0;
                y += sign * deltas[d].1;
                if x < 0 || x > 7 || y < 0 || y > 7 {
                    break;
                }
                table[square][d] |= 1 << (y * 8 + x);
            }
            d += 1;
        }
        square += 1;
    }
    table
}

/// The discs turned when the player places on the empty square `square` (below 64).
///
/// Towards higher indices a carry runs through the opponent's discs and stops at the first
/// other square; towards lower indices that square is the highest one of the ray that is not the
/// opponent's. Both are the classic outflank idea (Gerd Isenberg, o^(o-2r) and its kin).
#[inline(always)]
pub fn flip(square: u32, player: u64, opponent: u64) -> u64 {
    let (up, down) = (&RAYS_UP[square as usize & 63], &RAYS_DOWN[square as usize & 63]);
    let mut flipped = 0;
    for d in 0..4 {
        let outflank = (opponent | !up[d]).wrapping_add(1) & player & up[d];
        flipped |= outflank.wrapping_sub(u64::from(outflank != 0)) & up[d];
        // `| 1` keeps the count below 64; bit 0 can only be the end of a ray, and then the
        // test with `player` decides, as it does for every other square.
        let stop = (1 << 63) >> ((down[d] & !opponent) | 1).leading_zeros();
        let outflank = stop & player & down[d];
        flipped |= (outflank.wrapping_neg() << 1) & down[d];
    }
    flipped
}

/// The squares of the embedding that are not occupied and where the player would turn a disc.
/// The caller intersects them with the playable squares.
#[inline(always)]
pub fn moves(player: u64, opponent: u64) -> u64 {
    let mut moves = 0;
    for d in 0..4 {
        let crossable = opponent & CROSSABLE[d];
        let s = STEPS[d];
        let mut up = crossable & (player << s);
        let mut down = crossable & (player >> s);
        up |= crossable & (up << s);
        down |= crossable & (down >> s);
        let (pair_up, pair_down) = (crossable & (crossable << s), crossable & (crossable >> s));
        up |= pair_up & (up << (2 * s));
        down |= pair_down & (down >> (2 * s));
        up |= pair_up & (up << (2 * s));
        down |= pair_down & (down >> (2 * s));
        moves |= (up << s) | (down >> s);
    }
    moves & !(player | opponent)
}

/// The squares next to a disc of `discs`, in all eight directions, `discs` included.
#[inline(always)]
pub const fn neighbourhood(discs: u64) -> u64 {
    let (not_a, not_h) = (0xfefe_fefe_fefe_fefe, 0x7f7f_7f7f_7f7f_7f7f);
    let row = discs | ((discs & not_h) << 1) | ((discs & not_a) >> 1);
    row | (row << 8) | (row >> 8)
}
