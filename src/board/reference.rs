//! The rules once more, slow and obvious: the yardstick for every fast path, never its tool.
//!
//! A board of rows and columns, eight direction steps and loops, written from the text of the
//! rules. It shares no rule code with the bitboards: from [`GameSpec`] it takes what the name says
//! (size, holes, start, rules) and works out everything else itself. Tests compare it with
//! [`Position`] and with every kernel on every registered game.

use super::bitboard::Bitboard;
use super::game::Extra;
use super::position::Position;
use super::setup::Setup;
use super::spec::{GameSpec, Objective, PassRule, ScoreRule, Start};
use super::square::{Color, Move, Square};
use std::fmt;

/// What a square of the board holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cell {
    /// Nothing; a disc may come here.
    Empty,
    /// A blocked square: never occupied, it breaks lines.
    Hole,
    /// A disc of this colour.
    Disc(Color),
}

/// The move is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove(pub Move);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not legal here", self.0)
    }
}

impl std::error::Error for IllegalMove {}

/// The steps (columns, rows) to the eight neighbours of a square.
const DIRECTIONS: [(i32, i32); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// A game in progress.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Game {
    spec: GameSpec,
    /// `cells[row][column]`, both from 0.
    cells: Vec<Vec<Cell>>,
    turn: Color,
    /// Discs in hand of Black and of White, in games with a supply.
    in_hand: Option<[u32; 2]>,
    /// Passes in a row just before this turn, in games where one may pass at will.
    passes: u32,
}

impl Game {
    /// The start of a game, Black to move.
    pub fn new(spec: &GameSpec) -> Self {
        let mut game = Self::empty(spec);
        if spec.start() == Start::Free {
            return game;
        }
        let (left, top) = game.centre_corner();
        for (column, row) in game.centre() {
            let (is_left, is_top) = (column == left, row == top);
            let is_black = match spec.start() {
                // White on the diagonal from the north-west, so Black off it.
                Start::Cross => is_left != is_top,
                Start::CrossMirrored => is_left == is_top,
                Start::ParallelTop => is_top,
                Start::ParallelBottom => !is_top,
                Start::ParallelLeft => is_left,
                Start::ParallelRight => !is_left,
                Start::Free => unreachable!("the free start has no discs"),
            };
            let color = if is_black { Color::Black } else { Color::White };
            game.set(column, row, Cell::Disc(color));
            // The first discs come out of the supplies too.
            game.take_from_hand(color);
        }
        game
    }

    /// The position that somebody typed: no voluntary pass was just made.
    /// [`Setup::position`] tells whether a setup is a legal position; it must be one.
    pub fn from_setup(spec: &GameSpec, setup: &Setup) -> Self {
        let mut game = Self::empty(spec);
        for (discs, color) in [(setup.black, Color::Black), (setup.white, Color::White)] {
            for square in discs {
                game.set(square.column() as usize, square.row() as usize, Cell::Disc(color));
            }
        }
        game.turn = setup.side;
        game.in_hand = setup.supply.map(|hands| hands.map(u32::from));
        game
    }

    /// The same position as `position` with this side to move.
    pub fn from_position(spec: &GameSpec, position: &Position, turn: Color) -> Self {
        let mut game = Self::from_setup(spec, &Setup::from_position(spec, position, turn));
        game.passes = u32::from(position.extra.passes);
        game
    }

    /// The same position in bitboards.
    pub fn to_position(&self) -> Position {
        let mut sides = [Bitboard::EMPTY; 2];
        for square in self.squares() {
            if let Cell::Disc(color) = self.cell(square) {
                let side = usize::from(color != self.turn);
                sides[side] = sides[side] | square.into();
            }
        }
        let [black, white] = self.in_hand.unwrap_or([0, 0]).map(|hand| hand as u8);
        let in_hand = if self.turn == Color::Black { [black, white] } else { [white, black] };
        let [player, opponent] = sides;
        Position { player, opponent, extra: Extra { in_hand, passes: self.passes as u8 } }
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// What lies on a square; off the board is like a hole.
    pub fn cell(&self, square: Square) -> Cell {
        self.cell_at(square.column() as i32, square.row() as i32)
    }

    /// The legal moves: placements row by row from the top left, a pass last; none when the game
    /// is over.
    pub fn legal(&self) -> Vec<Move> {
        let is_optional = self.spec.pass_rule() == PassRule::Optional;
        if is_optional && self.passes >= 2 {
            return Vec::new();
        }
        let places = self.placements(self.turn);
        let can_place = !places.is_empty();
        let other_can_place = !self.placements(!self.turn).is_empty();
        let mut legal: Vec<Move> = places.into_iter().map(Move::Place).collect();
        let can_pass = match self.spec.pass_rule() {
            _ if self.is_free_phase() => false,
            PassRule::StuckEnds => false,
            PassRule::Forced => !can_place && other_can_place,
            PassRule::Optional if can_place => true,
            // A forced pass would be the second in a row when one was just made, or when the
            // other side is stuck as well: then the game is over already.
            PassRule::Optional => self.passes == 0 && other_can_place,
        };
        if can_pass {
            legal.push(Move::Pass);
        }
        legal
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.legal().is_empty()
    }

    /// The discs that a placement by the side to move turns; none in the free phase.
    pub fn flips(&self, square: Square) -> Vec<Square> {
        if self.is_free_phase() { Vec::new() } else { self.outflanked(self.turn, square) }
    }

    /// Makes a move.
    ///
    /// # Errors
    /// When it is not legal; the game is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.legal().contains(&mv) {
            return Err(IllegalMove(mv));
        }
        match mv {
            Move::Place(square) => {
                for turned in self.flips(square).into_iter().chain([square]) {
                    let disc = Cell::Disc(self.turn);
                    self.set(turned.column() as usize, turned.row() as usize, disc);
                }
                self.take_from_hand(self.turn);
                self.passes = 0;
            }
            Move::Pass if self.spec.pass_rule() == PassRule::Optional => self.passes += 1,
            Move::Pass => {}
        }
        self.turn = !self.turn;
        Ok(())
    }

    /// The score of a finished game from one side's view.
    pub fn score_for(&self, color: Color) -> i32 {
        let count = |wanted| self.squares().filter(|&s| self.cell(s) == wanted).count() as i32;
        let own = count(Cell::Disc(color));
        let other = count(Cell::Disc(!color));
        // How far this side is ahead in what the game is played for.
        let ahead = match self.spec.objective() {
            Objective::Most => own - other,
            Objective::Fewest => other - own,
        };
        match self.spec.score_rule() {
            ScoreRule::Discs => ahead,
            ScoreRule::WinnerTakesEmpties if ahead > 0 => ahead + count(Cell::Empty),
            ScoreRule::WinnerTakesEmpties if ahead < 0 => ahead - count(Cell::Empty),
            ScoreRule::WinnerTakesEmpties => 0,
        }
    }

    /// The winner of a finished game, or `None` for a draw.
    pub fn winner(&self) -> Option<Color> {
        let black = self.score_for(Color::Black);
        if black > 0 {
            Some(Color::Black)
        } else if black < 0 || self.spec.ties_second() {
            Some(Color::White)
        } else {
            None
        }
    }

    /// The value of the position for the side to move, by playing out every game.
    pub fn minimax(&self) -> i32 {
        let values = self.legal().into_iter().filter_map(|mv| {
            let mut child = self.clone();
            child.play(mv).ok()?;
            Some(-child.minimax())
        });
        values.max().unwrap_or_else(|| self.score_for(self.turn))
    }

    /// The board with its holes and no disc.
    fn empty(spec: &GameSpec) -> Self {
        let mut cells = vec![vec![Cell::Empty; spec.width() as usize]; spec.height() as usize];
        for hole in spec.holes() {
            cells[hole.row() as usize][hole.column() as usize] = Cell::Hole;
        }
        let in_hand = spec.supply().map(|n| [u32::from(n); 2]);
        Self { spec: *spec, cells, turn: Color::Black, in_hand, passes: 0 }
    }

    fn set(&mut self, column: usize, row: usize, cell: Cell) {
        self.cells[row][column] = cell;
    }

    fn cell_at(&self, column: i32, row: i32) -> Cell {
        let row = usize::try_from(row).ok().and_then(|row| self.cells.get(row));
        let cell = row.and_then(|row| row.get(usize::try_from(column).ok()?));
        cell.copied().unwrap_or(Cell::Hole)
    }

    /// All squares of the rectangle, row by row.
    fn squares(&self) -> impl Iterator<Item = Square> {
        let (width, height) = (self.spec.width(), self.spec.height());
        (0..height).flat_map(move |row| (0..width).map(move |column| Square::at(column, row)))
    }

    /// Column and row of the north-west square of the centre block, to the right of and below
    /// the middle on odd sides.
    fn centre_corner(&self) -> (usize, usize) {
        ((self.cells[0].len() - 1) / 2, (self.cells.len() - 1) / 2)
    }

    fn centre(&self) -> [(usize, usize); 4] {
        let (left, top) = self.centre_corner();
        [(left, top), (left + 1, top), (left, top + 1), (left + 1, top + 1)]
    }

    /// Whether the first four discs are still being placed by the players.
    fn is_free_phase(&self) -> bool {
        self.spec.start() == Start::Free
            && self.centre().iter().any(|&(column, row)| self.cells[row][column] == Cell::Empty)
    }

    fn take_from_hand(&mut self, color: Color) {
        if let Some(hands) = &mut self.in_hand {
            hands[color as usize] -= 1;
        }
    }

    /// Where a side could place a disc if it were to move.
    fn placements(&self, color: Color) -> Vec<Square> {
        if self.in_hand.is_some_and(|hands| hands[color as usize] == 0) {
            return Vec::new();
        }
        let is_empty = |&square: &Square| self.cell(square) == Cell::Empty;
        if self.is_free_phase() {
            let centre = self.centre();
            let is_centre = |&s: &Square| centre.contains(&(s.column() as usize, s.row() as usize));
            return self.squares().filter(is_empty).filter(is_centre).collect();
        }
        let turns_some = |&square: &Square| !self.outflanked(color, square).is_empty();
        self.squares().filter(is_empty).filter(turns_some).collect()
    }

    /// The discs between a new disc of `color` on `square` and the next of its own colour, in
    /// each direction in which nothing but the other side's discs lies between.
    fn outflanked(&self, color: Color, square: Square) -> Vec<Square> {
        let mut turned = Vec::new();
        for (step_x, step_y) in DIRECTIONS {
            let mut between = Vec::new();
            let (mut x, mut y) = (square.column() as i32 + step_x, square.row() as i32 + step_y);
            while self.cell_at(x, y) == Cell::Disc(!color) {
                between.push(Square::at(x as u32, y as u32));
                (x, y) = (x + step_x, y + step_y);
            }
            if self.cell_at(x, y) == Cell::Disc(color) {
                turned.append(&mut between);
            }
        }
        turned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The position of a printed board, empties `-` and holes as the game has them.
    fn game(name: &str, rows: &[&str], turn: Color) -> Game {
        let mut game = Game::empty(&name.parse().unwrap());
        for (y, row) in rows.iter().enumerate() {
            for (x, letter) in row.chars().enumerate() {
                match letter {
                    'X' => game.set(x, y, Cell::Disc(Color::Black)),
                    'O' => game.set(x, y, Cell::Disc(Color::White)),
                    _ => {}
                }
            }
        }
        game.turn = turn;
        game
    }

    fn moves(text: &str) -> Vec<Move> {
        let one = |word: &str| word.parse().map_or(Move::Pass, Move::Place);
        text.split_whitespace().map(one).collect()
    }

    #[test]
    fn starts_are_as_drawn() {
        for (name, drawn) in [
            ("4x4", ["----", "-OX-", "-XO-", "----"]),
            ("4x4+cross-mirrored", ["----", "-XO-", "-OX-", "----"]),
            ("4x4+parallel-top", ["----", "-XX-", "-OO-", "----"]),
            ("4x4+parallel-left", ["----", "-XO-", "-XO-", "----"]),
            ("4x4+parallel-bottom", ["----", "-OO-", "-XX-", "----"]),
            ("4x4+parallel-right", ["----", "-OX-", "-OX-", "----"]),
            ("4x4+free", ["----", "----", "----", "----"]),
            // On odd sides the block lies right and down.
            ("5x4", ["-----", "--OX-", "--XO-", "-----"]),
        ] {
            assert_eq!(Game::new(&name.parse().unwrap()), game(name, &drawn, Color::Black));
        }
    }

    #[test]
    fn discs_turn_in_all_eight_directions() {
        let star = [
            "X--X--X-", "-O-O-O--", "--OOO---", "XOO-OOOX", "--OOO---", "-O-O-O--", "X--O--O-",
            "---X---X",
        ];
        let mut star = game("8x8", &star, Color::Black);
        assert_eq!(star.flips("d4".parse().unwrap()).len(), 19);
        star.play(moves("d4")[0]).unwrap();
        assert_eq!(star.score_for(Color::Black), 64);
    }

    #[test]
    fn holes_break_lines() {
        let mut open = game("5x5", &["-----", "-----", "XOOO-", "-----", "-----"], Color::Black);
        assert_eq!(open.legal(), moves("e3"));
        open.play(moves("e3")[0]).unwrap();
        assert_eq!(open.score_for(Color::Black), 25);
        let blocked = ["-----", "-----", "XO-O-", "-----", "-----"];
        assert_eq!(game("5x5+hole=a1", &blocked, Color::Black).legal(), moves("c3"));
    }

    #[test]
    fn the_free_opening_fills_the_centre() {
        let mut game = Game::new(&"4x4+free".parse().unwrap());
        assert_eq!(game.legal(), moves("b2 c2 b3 c3"));
        for text in ["b2", "c3", "b3", "c2"] {
            game.play(moves(text)[0]).unwrap();
        }
        assert_eq!(game, Game::new(&"4x4+parallel-left".parse().unwrap()).named("4x4+free"));
    }

    #[test]
    fn passes_follow_the_rule_of_the_game() {
        // White to move is stuck, Black is not.
        let rows = ["XO--", "----", "----", "----"];
        assert_eq!(game("4x4", &rows, Color::White).legal(), moves("pass"));
        assert_eq!(game("4x4+stuck-ends", &rows, Color::White).legal(), moves(""));
        let mut optional = game("4x4+optional-pass", &rows, Color::White);
        assert_eq!(optional.legal(), moves("pass"));
        optional.play(Move::Pass).unwrap();
        assert_eq!(optional.legal(), moves("c1 pass"));
        // The forced pass and this one are two in a row.
        optional.play(Move::Pass).unwrap();
        assert!(optional.is_over());
        // A stuck side after a pass finds the game over.
        let mut optional = game("4x4+optional-pass", &rows, Color::Black);
        optional.play(Move::Pass).unwrap();
        assert!(optional.is_over());
    }

    #[test]
    fn a_side_without_discs_in_hand_must_pass() {
        let rows = ["XO--", "----", "OX--", "----"];
        let mut supply = game("4x4+supply=8", &rows, Color::Black);
        supply.in_hand = Some([0, 1]);
        assert_eq!(supply.legal(), moves("pass"));
        supply.play(Move::Pass).unwrap();
        assert_eq!(supply.legal(), moves("c3"));
        supply.play(moves("c3")[0]).unwrap();
        assert!(supply.is_over());
    }

    #[test]
    fn scores_follow_the_rules_of_the_game() {
        let rows = ["XX--", "XOO-", "----", "----"];
        for (name, score) in [
            ("4x4", 12),
            ("4x4+discs", 1),
            ("4x4+anti", -12),
            ("4x4+anti+discs", -1),
            ("4x4+hole=d4", 11),
        ] {
            let game = game(name, &rows, Color::Black);
            assert_eq!([Color::Black, Color::White].map(|c| game.score_for(c)), [score, -score]);
        }
    }

    impl Game {
        fn named(mut self, name: &str) -> Self {
            self.spec = name.parse().unwrap();
            self
        }
    }
}
