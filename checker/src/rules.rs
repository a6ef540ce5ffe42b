//! The rules: what a side may do, what a move does, and the score of a finished game.

use crate::game::{Game, PassRule, Position};

/// What the side to move may do; the game is over when it may do nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Squares where it may place a disc.
    pub places: u64,
    /// Whether it may (or must) pass.
    pub pass: bool,
}

/// A step to the neighbour in one of the eight directions.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// Squares that have such a neighbour on the board.
    from: u64,
    /// How far the index moves.
    left: u32,
    right: u32,
}

impl Step {
    /// The neighbours of a set of squares.
    #[inline(always)]
    fn of(self, set: u64) -> u64 {
        (set & self.from) << self.left >> self.right
    }
}

/// The eight directions and the symmetries of one board, worked out once.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The game.
    pub game: Game,
    steps: [Step; 8],
    /// Most discs that a move can turn on one line.
    longest: u32,
    symmetries: Vec<Map>,
}

/// A map of the board: the image of every set of eight squares in a row of indices.
type Map = Box<[[u64; 256]; 8]>;

impl Rules {
    /// Works out the tables of a game.
    pub fn new(game: Game) -> Self {
        let (width, height) = (game.width as i32, game.height as i32);
        let directions = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
        let steps = directions.map(|(dx, dy)| {
            let mut from = 0;
            for y in 0..height {
                for x in 0..width {
                    if (0..width).contains(&(x + dx)) && (0..height).contains(&(y + dy)) {
                        from |= 1 << (y * width + x);
                    }
                }
            }
            let distance = dy * width + dx;
            Step { from, left: distance.max(0) as u32, right: (-distance).max(0) as u32 }
        });
        let longest = game.width.max(game.height) - 2;
        let symmetries = symmetries(&game);
        Self { game, steps, longest, symmetries }
    }

    /// The empty squares where a disc of `own` would outflank discs of `other`.
    #[inline(always)]
    pub fn outflanking(&self, own: u64, other: u64) -> u64 {
        let mut found = 0;
        for step in self.steps {
            let mut line = step.of(own) & other;
            for _ in 1..self.longest {
                line |= step.of(line) & other;
            }
            found |= step.of(line);
        }
        found & self.game.squares & !(own | other)
    }

    /// The discs of `other` that a disc of `own` on the square `bit` turns.
    #[inline(always)]
    fn turned(&self, own: u64, other: u64, bit: u64) -> u64 {
        let mut turned = 0;
        for step in self.steps {
            let mut line = 0;
            let mut next = step.of(bit);
            while next & other != 0 {
                line |= next;
                next = step.of(next);
            }
            if next & own != 0 {
                turned |= line;
            }
        }
        turned
    }

    /// What the side to move may do.
    #[inline(always)]
    pub fn options(&self, position: &Position) -> Options {
        let game = &self.game;
        if position.passes == 2 {
            return Options { places: 0, pass: false };
        }
        if game.is_free_phase(position) {
            let places = game.centre & !(position.own | position.other);
            return Options { places, pass: false };
        }
        let places = self.places(position.own, position.other, position.hands[0]);
        let other_can = || self.places(position.other, position.own, position.hands[1]) != 0;
        let pass = match game.pass_rule {
            PassRule::StuckEnds => false,
            PassRule::Forced => places == 0 && other_can(),
            // A side that cannot place passes too, and so does the other side after it if it
            // cannot place either: that ends the game at once, with the same score.
            PassRule::Optional => places != 0 || (position.passes == 0 && other_can()),
        };
        Options { places, pass }
    }

    /// The squares where a side may place, if it has a disc left to place.
    #[inline(always)]
    fn places(&self, own: u64, other: u64, hand: u8) -> u64 {
        if self.game.supply.is_some() && hand == 0 { 0 } else { self.outflanking(own, other) }
    }

    /// The position after a disc is placed on the square `bit`, where that is legal.
    #[inline(always)]
    pub fn place(&self, position: &Position, bit: u64) -> Position {
        let Position { own, other, hands, .. } = *position;
        let free = self.game.is_free_phase(position);
        let turned = if free { 0 } else { self.turned(own, other, bit) };
        let hands = [hands[1], hands[0].saturating_sub(1)];
        Position { own: other & !turned, other: own | turned | bit, hands, passes: 0 }
    }

    /// The position after a pass, where that is legal.
    #[inline(always)]
    pub fn pass(&self, position: &Position) -> Position {
        let Position { own, other, hands, passes } = *position;
        let passes = if self.game.pass_rule == PassRule::Optional { passes + 1 } else { 0 };
        Position { own: other, other: own, hands: [hands[1], hands[0]], passes }
    }

    /// The score of a finished game for the side to move.
    #[inline(always)]
    pub fn score(&self, position: &Position) -> i32 {
        let count = |set: u64| set.count_ones() as i32;
        let mut difference = count(position.own) - count(position.other);
        if self.game.anti {
            difference = -difference;
        }
        let empties = if self.game.discs { 0 } else { self.empties(position) as i32 };
        difference + empties * difference.signum()
    }

    /// Number of playable squares without a disc.
    #[inline(always)]
    pub fn empties(&self, position: &Position) -> u32 {
        (self.game.squares & !(position.own | position.other)).count_ones()
    }

    /// The least image under the symmetries of the board, compared by own discs, then others.
    pub fn canonical(&self, position: &Position) -> Position {
        let image = |map| Position {
            own: apply(map, position.own),
            other: apply(map, position.other),
            ..*position
        };
        self.symmetries.iter().map(image).min().unwrap_or(*position)
    }
}

impl Game {
    /// Whether the next disc is placed in the centre without turning any.
    #[inline(always)]
    pub fn is_free_phase(&self, position: &Position) -> bool {
        self.free && self.centre & !(position.own | position.other) != 0
    }
}

/// The maps of the board onto itself that change no rule: rotations and mirrors that keep the
/// holes where they are, and the centre too while discs are placed in it freely.
fn symmetries(game: &Game) -> Vec<Map> {
    let (width, height) = (game.width, game.height);
    let mut maps = Vec::new();
    for kind in 0..8 {
        if kind & 4 != 0 && width != height {
            continue;
        }
        let target = |square: u32| {
            let (mut x, mut y) = (square % width, square / width);
            if kind & 4 != 0 {
                (x, y) = (y, x);
            }
            if kind & 1 != 0 {
                x = width - 1 - x;
            }
            if kind & 2 != 0 {
                y = height - 1 - y;
            }
            y * width + x
        };
        let mut map: Map = Box::new([[0; 256]; 8]);
        for square in 0..width * height {
            let (group, bit) = (square as usize / 8, square % 8);
            for (index, image) in map[group].iter_mut().enumerate() {
                *image |= ((index as u64 >> bit) & 1) << target(square);
            }
        }
        let keeps = |set| apply(&map, set) == set;
        if keeps(game.squares) && (!game.free || keeps(game.centre)) {
            maps.push(map);
        }
    }
    maps
}

/// The image of a set of squares.
fn apply(map: &Map, set: u64) -> u64 {
    let groups = map.iter().zip(set.to_le_bytes());
    groups.fold(0, |image, (table, byte)| image | table[byte as usize])
}
