//! The game named in a certificate, its positions, and how both are written.
//!
//! Squares are numbered row by row on the board's own width: a1 is 0, b1 is 1, and on a board of
//! six columns a2 is 6. A set of squares is a `u64`.

/// What happens when a side does not place a disc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassRule {
    /// A side that cannot place passes; when neither can, the game is over.
    Forced,
    /// The game is over when the side to move cannot place.
    StuckEnds,
    /// A side may pass although it can place; two passes in a row end the game.
    Optional,
}

/// A board and its rules.
#[derive(Clone, Debug)]
pub struct Game {
    /// The name, in the one form in which it is accepted.
    pub name: String,
    /// Columns, 3 to 8.
    pub width: u32,
    /// Rows, 3 to 8.
    pub height: u32,
    /// Playable squares: all but the holes.
    pub squares: u64,
    /// The four centre squares; on odd sides the block is shifted right and down.
    pub centre: u64,
    /// The first four discs are placed in the centre and turn nothing.
    pub free: bool,
    /// Fewest discs wins.
    pub anti: bool,
    /// The score is the plain difference; otherwise the empty squares go to the winner.
    pub discs: bool,
    /// What happens when a side does not place.
    pub pass_rule: PassRule,
    /// Discs each side has in all.
    pub supply: Option<u8>,
}

/// A position, seen from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// Discs of the side to move.
    pub own: u64,
    /// Discs of the other side.
    pub other: u64,
    /// Discs in hand of the side to move and of the other side; zeros without a supply.
    pub hands: [u8; 2],
    /// Passes in a row just made; always 0 unless passing is optional.
    pub passes: u8,
}

impl Game {
    /// Reads a name such as `6x6+parallel-top+anti+hole=c3`. Only the canonical form is accepted:
    /// defaults left out, modifiers in the order start, objective, holes (by square), pass rule,
    /// supply, score, ties, none of them twice.
    pub fn parse(name: &str) -> Option<Self> {
        let mut parts = name.split('+');
        let &[width @ b'3'..=b'8', b'x', height @ b'3'..=b'8'] = parts.next()?.as_bytes() else {
            return None;
        };
        let (width, height) = (u32::from(width - b'0'), u32::from(height - b'0'));
        let corner = (height - 1) / 2 * width + (width - 1) / 2;
        let mut game = Self {
            name: name.to_owned(),
            width,
            height,
            squares: u64::MAX >> (64 - width * height),
            centre: (0b11 | 0b11 << width) << corner,
            free: false,
            anti: false,
            discs: false,
            pass_rule: PassRule::Forced,
            supply: None,
        };
        let mut last = (0, 0);
        for part in parts {
            let place = game.add(part)?;
            if place <= last {
                return None;
            }
            last = place;
        }
        Some(game)
    }

    /// Applies one modifier; returns its place in the order of modifiers.
    fn add(&mut self, part: &str) -> Option<(u32, u32)> {
        match part {
            // The position stands in the certificate, so these starts change no rule.
            "cross-mirrored" | "parallel-top" | "parallel-left" | "parallel-bottom"
            | "parallel-right" => return Some((1, 0)),
            "free" => {
                self.free = true;
                return Some((1, 0));
            }
            "anti" => {
                self.anti = true;
                return Some((2, 0));
            }
            "stuck-ends" => {
                self.pass_rule = PassRule::StuckEnds;
                return Some((4, 0));
            }
            "optional-pass" => {
                self.pass_rule = PassRule::Optional;
                return Some((4, 0));
            }
            "discs" => {
                self.discs = true;
                return Some((6, 0));
            }
            // Says who wins at equal scores; the score itself stays.
            "ties-second" => return Some((7, 0)),
            _ => {}
        }
        if let Some(square) = part.strip_prefix("hole=") {
            let &[column, row] = square.as_bytes() else { return None };
            let x = u32::from(column.checked_sub(b'a')?);
            let y = u32::from(row.checked_sub(b'1')?);
            if x >= self.width || y >= self.height {
                return None;
            }
            let index = y * self.width + x;
            self.squares &= !(1_u64 << index);
            return (self.centre & 1_u64 << index == 0).then_some((3, index + 1));
        }
        let number: u8 = part.strip_prefix("supply=")?.parse().ok()?;
        let canonical = part == format!("supply={number}") && (2..=64).contains(&number);
        self.supply = Some(number);
        canonical.then_some((5, 0))
    }

    /// The name of the way to count.
    pub fn score_rule(&self) -> &'static str {
        if self.discs { "discs" } else { "winner-takes-empties" }
    }

    /// Reads a position as it is printed: the squares row by row (`X`, `O`, `-`, `#` for holes),
    /// the side to move, and with a supply ` supply=B/W`, the discs in hand of Black and White.
    pub fn parse_position(&self, text: &str) -> Option<Position> {
        let mut fields = text.split(' ');
        let board = fields.next()?.as_bytes();
        let black_moves = match fields.next()? {
            "X" => true,
            "O" => false,
            _ => return None,
        };
        let (mut black, mut white) = (0_u64, 0_u64);
        if board.len() != (self.width * self.height) as usize {
            return None;
        }
        for (index, letter) in board.iter().enumerate() {
            let playable = self.squares >> index & 1 == 1;
            match letter {
                b'X' if playable => black |= 1 << index,
                b'O' if playable => white |= 1 << index,
                b'-' if playable => {}
                b'#' if !playable => {}
                _ => return None,
            }
        }
        let mut hands = [0, 0];
        if let Some(supply) = self.supply {
            let (b, w) = fields.next()?.strip_prefix("supply=")?.split_once('/')?;
            hands = [b.parse().ok()?, w.parse().ok()?];
            let discs = (black | white).count_ones() + u32::from(hands[0]) + u32::from(hands[1]);
            if hands.iter().any(|&hand| hand > supply) || discs > 2 * u32::from(supply) {
                return None;
            }
        }
        let (mut own, mut other) = (black, white);
        if !black_moves {
            (own, other, hands) = (white, black, [hands[1], hands[0]]);
        }
        let position = Position { own, other, hands, passes: 0 };
        if self.is_free_phase(&position) {
            // Placed alternately, Black first, nowhere but in the centre.
            let lead = black.count_ones() as i32 - white.count_ones() as i32;
            if (own | other) & !self.centre != 0 || lead != i32::from(!black_moves) {
                return None;
            }
        }
        // Printing it again proves that there was nothing else in the text.
        (self.text(&position, black_moves) == text).then_some(position)
    }

    /// The printed form of a position.
    pub fn text(&self, position: &Position, black_moves: bool) -> String {
        let (own, other, side) = if black_moves { ('X', 'O', 'X') } else { ('O', 'X', 'O') };
        let letter = |index| match 1_u64 << index {
            bit if self.squares & bit == 0 => '#',
            bit if position.own & bit != 0 => own,
            bit if position.other & bit != 0 => other,
            _ => '-',
        };
        let mut text: String = (0..self.width * self.height).map(letter).collect();
        text.extend([' ', side]);
        if self.supply.is_some() {
            let [own, other] = position.hands;
            let (black, white) = if black_moves { (own, other) } else { (other, own) };
            text += &format!(" supply={black}/{white}");
        }
        text
    }
}
