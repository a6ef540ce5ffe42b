//! The name of a game: board, start and rules, as `6x6+parallel-top+anti+hole=c3`.
//!
//! [`GameSpec`] is the identity under which every table, certificate and record is filed:
//! nothing computed for one name is ever used for another.

use super::bitboard::Bitboard;
use super::square::{Color, Square};
use std::fmt;
use std::str::FromStr;

/// How the first discs lie, named from Black's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Start {
    /// White on the north-west/south-east diagonal of the centre block.
    Cross,
    /// Black on the north-west/south-east diagonal of the centre block.
    CrossMirrored,
    /// Black's pair in the upper row.
    ParallelTop,
    /// Black's pair in the left column.
    ParallelLeft,
    /// Black's pair in the lower row.
    ParallelBottom,
    /// Black's pair in the right column.
    ParallelRight,
    /// The empty board: the first four discs are placed alternately in the centre block.
    Free,
}

/// What the players play for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Objective {
    /// Most discs wins.
    Most,
    /// Fewest discs wins (`anti`).
    Fewest,
}

/// What happens when a side does not place a disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PassRule {
    /// A side without a legal placement passes; when neither side has one the game is over.
    Forced,
    /// The game is over when the side to move cannot place.
    StuckEnds,
    /// A side may pass although able to place; two passes in a row end the game.
    Optional,
}

/// How a finished game is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScoreRule {
    /// The empty squares go to the winner.
    WinnerTakesEmpties,
    /// Plain disc difference.
    Discs,
}

impl fmt::Display for ScoreRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WinnerTakesEmpties => "winner-takes-empties",
            Self::Discs => "discs",
        })
    }
}

/// A game: a board of 3x3 to 8x8 squares with holes, a start, and rules.
///
/// Built by [`GameSpec::new`] or parsed; always consistent.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameSpec {
    width: u8,
    height: u8,
    holes: Bitboard,
    start: Start,
    objective: Objective,
    pass_rule: PassRule,
    supply: Option<u8>,
    score_rule: ScoreRule,
    ties_second: bool,
}

impl GameSpec {
    /// Standard Othello on `width` columns and `height` rows, each 3 to 8.
    ///
    /// # Errors
    /// When a side is out of range.
    pub fn new(width: u32, height: u32) -> Result<Self, GameSpecError> {
        if !(3..=8).contains(&width) || !(3..=8).contains(&height) {
            return Err(GameSpecError::Size);
        }
        Ok(Self {
            width: width as u8,
            height: height as u8,
            holes: Bitboard::EMPTY,
            start: Start::Cross,
            objective: Objective::Most,
            pass_rule: PassRule::Forced,
            supply: None,
            score_rule: ScoreRule::WinnerTakesEmpties,
            ties_second: false,
        })
    }

    /// The usual game on 8x8.
    pub fn standard() -> Self {
        Self::new(8, 8).expect("8x8 is in range")
    }

    /// Columns, 3 to 8.
    pub const fn width(&self) -> u32 {
        self.width as u32
    }

    /// Rows, 3 to 8.
    pub const fn height(&self) -> u32 {
        self.height as u32
    }

    /// Blocked squares: never occupied, they break lines.
    pub const fn holes(&self) -> Bitboard {
        self.holes
    }

    /// How the first discs lie.
    pub const fn start(&self) -> Start {
        self.start
    }

    /// What the players play for.
    pub const fn objective(&self) -> Objective {
        self.objective
    }

    /// What happens when a side does not place a disc.
    pub const fn pass_rule(&self) -> PassRule {
        self.pass_rule
    }

    /// Discs each player has in all, those on the board at the start included.
    pub const fn supply(&self) -> Option<u8> {
        self.supply
    }

    /// How a finished game is counted.
    pub const fn score_rule(&self) -> ScoreRule {
        self.score_rule
    }

    /// Whether equal scores count as a win for the player who moved second.
    pub const fn ties_second(&self) -> bool {
        self.ties_second
    }

    /// The playable squares.
    pub fn squares(&self) -> Bitboard {
        Bitboard::rectangle(self.width(), self.height()) - self.holes
    }

    /// The largest score: the number of playable squares.
    pub fn max_score(&self) -> i32 {
        self.squares().len() as i32
    }

    /// The centre block: north-west, north-east, south-west, south-east.
    /// On odd sides it is shifted right and down by half a square.
    pub const fn centre(&self) -> [Square; 4] {
        let (x, y) = ((self.width() - 1) / 2, (self.height() - 1) / 2);
        [Square::at(x, y), Square::at(x + 1, y), Square::at(x, y + 1), Square::at(x + 1, y + 1)]
    }

    /// Whether a position has state beyond its discs (supplies or a pass just made).
    pub fn has_extra_state(&self) -> bool {
        self.supply.is_some() || self.pass_rule == PassRule::Optional
    }

    /// Black's and White's discs at the start; both empty under `free`.
    pub fn start_discs(&self) -> (Bitboard, Bitboard) {
        let [nw, ne, sw, se] = self.centre();
        let black = match self.start {
            Start::Cross => [ne, sw],
            Start::CrossMirrored => [nw, se],
            Start::ParallelTop => [nw, ne],
            Start::ParallelLeft => [nw, sw],
            Start::ParallelBottom => [sw, se],
            Start::ParallelRight => [ne, se],
            Start::Free => return (Bitboard::EMPTY, Bitboard::EMPTY),
        };
        let black: Bitboard = black.into_iter().collect();
        (black, Bitboard::from_iter([nw, ne, sw, se]) - black)
    }

    /// The same game from another start.
    pub fn with_start(mut self, start: Start) -> Self {
        self.start = start;
        self
    }

    /// The same game with another objective.
    pub fn with_objective(mut self, objective: Objective) -> Self {
        self.objective = objective;
        self
    }

    /// The same game with another way to count.
    pub fn with_score_rule(mut self, rule: ScoreRule) -> Self {
        self.score_rule = rule;
        self
    }

    /// The same game with another pass rule.
    pub fn with_pass_rule(mut self, rule: PassRule) -> Self {
        self.pass_rule = rule;
        self
    }

    /// The winner of a game with Black's score `score`, or `None` for a draw.
    pub fn winner(&self, score: i32) -> Option<Color> {
        match score.signum() {
            1 => Some(Color::Black),
            -1 => Some(Color::White),
            _ if self.ties_second => Some(Color::White),
            _ => None,
        }
    }
}

/// Why a text is not the name of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameSpecError {
    /// No `WxH` in front, or a side outside 3..8.
    Size,
    /// An unknown modifier.
    Unknown(String),
    /// The same modifier twice, or two that exclude each other.
    Conflict(String),
    /// A hole off the board or in the centre block.
    Hole(String),
    /// A supply that is no number, or too small for the discs at the start.
    Supply(String),
}

impl fmt::Display for GameSpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size => f.write_str(
                "a game starts with its board, columns x rows, each 3 to 8, such as 8x8 or 4x6",
            ),
            Self::Unknown(text) => write!(
                f,
                "unknown modifier '{text}'; known are cross-mirrored, parallel-top, parallel-left, \
                 parallel-bottom, parallel-right, free, anti, hole=SQUARE, stuck-ends, \
                 optional-pass, supply=N, discs, ties-second"
            ),
            Self::Conflict(text) => write!(f, "modifier '{text}' is repeated or excludes another"),
            Self::Hole(text) => {
                write!(f, "'{text}': a hole is a square of the board outside the centre block")
            }
            Self::Supply(text) => write!(f, "'{text}': a supply is a number from 2 to 64"),
        }
    }
}

impl std::error::Error for GameSpecError {}

impl FromStr for GameSpec {
    type Err = GameSpecError;

    /// Reads a name with its modifiers in any order.
    fn from_str(text: &str) -> Result<Self, GameSpecError> {
        let mut parts = text.split('+');
        let mut spec = match parts.next().unwrap_or_default().as_bytes() {
            [width @ b'0'..=b'9', b'x', height @ b'0'..=b'9'] => {
                Self::new(u32::from(width - b'0'), u32::from(height - b'0'))?
            }
            _ => return Err(GameSpecError::Size),
        };
        let (mut start, mut pass_rule) = (None, None);
        let once = |part: &str, fresh: bool| {
            if fresh { Ok(()) } else { Err(GameSpecError::Conflict(part.to_owned())) }
        };
        let mut cross = |part: &str, value| once(part, start.replace(value).is_none());
        for part in parts {
            match part {
                "cross" => cross(part, Start::Cross)?,
                "cross-mirrored" => cross(part, Start::CrossMirrored)?,
                "parallel" | "parallel-top" => cross(part, Start::ParallelTop)?,
                "parallel-left" => cross(part, Start::ParallelLeft)?,
                "parallel-bottom" => cross(part, Start::ParallelBottom)?,
                "parallel-right" => cross(part, Start::ParallelRight)?,
                "free" => cross(part, Start::Free)?,
                "anti" => {
                    once(part, spec.objective == Objective::Most)?;
                    spec.objective = Objective::Fewest;
                }
                "stuck-ends" => once(part, pass_rule.replace(PassRule::StuckEnds).is_none())?,
                "optional-pass" => once(part, pass_rule.replace(PassRule::Optional).is_none())?,
                "discs" => {
                    once(part, spec.score_rule == ScoreRule::WinnerTakesEmpties)?;
                    spec.score_rule = ScoreRule::Discs;
                }
                "ties-second" => {
                    once(part, !spec.ties_second)?;
                    spec.ties_second = true;
                }
                _ => {
                    if let Some(square) = part.strip_prefix("hole=") {
                        let bad = || GameSpecError::Hole(part.to_owned());
                        let square: Square = square.parse().map_err(|_| bad())?;
                        let board = Bitboard::rectangle(spec.width(), spec.height());
                        if !board.contains(square) || spec.centre().contains(&square) {
                            return Err(bad());
                        }
                        once(part, !spec.holes.contains(square))?;
                        spec.holes = spec.holes | square.into();
                    } else if let Some(number) = part.strip_prefix("supply=") {
                        let digits = number.bytes().all(|b| b.is_ascii_digit());
                        let parsed = number.parse().ok().filter(|n| digits && (2..=64).contains(n));
                        let n = parsed.ok_or_else(|| GameSpecError::Supply(part.to_owned()))?;
                        once(part, spec.supply.replace(n).is_none())?;
                    } else {
                        return Err(GameSpecError::Unknown(part.to_owned()));
                    }
                }
            }
        }
        spec.start = start.unwrap_or(Start::Cross);
        spec.pass_rule = pass_rule.unwrap_or(PassRule::Forced);
        Ok(spec)
    }
}

impl fmt::Display for GameSpec {
    /// The canonical name: defaults omitted, modifiers in the order start, objective, holes,
    /// pass rule, supply, score, ties.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)?;
        f.write_str(match self.start {
            Start::Cross => "",
            Start::CrossMirrored => "+cross-mirrored",
            Start::ParallelTop => "+parallel-top",
            Start::ParallelLeft => "+parallel-left",
            Start::ParallelBottom => "+parallel-bottom",
            Start::ParallelRight => "+parallel-right",
            Start::Free => "+free",
        })?;
        if self.objective == Objective::Fewest {
            f.write_str("+anti")?;
        }
        for hole in self.holes {
            write!(f, "+hole={hole}")?;
        }
        f.write_str(match self.pass_rule {
            PassRule::Forced => "",
            PassRule::StuckEnds => "+stuck-ends",
            PassRule::Optional => "+optional-pass",
        })?;
        if let Some(n) = self.supply {
            write!(f, "+supply={n}")?;
        }
        if self.score_rule == ScoreRule::Discs {
            f.write_str("+discs")?;
        }
        if self.ties_second {
            f.write_str("+ties-second")?;
        }
        Ok(())
    }
}

impl fmt::Debug for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_printed_in_one_form() {
        for (typed, printed) in [
            ("8x8", "8x8"),
            ("8x8+cross", "8x8"),
            ("6x6+discs+anti+parallel", "6x6+parallel-top+anti+discs"),
            ("4x4+hole=b1+hole=a1", "4x4+hole=a1+hole=b1"),
            ("5x8+supply=8+optional-pass", "5x8+optional-pass+supply=8"),
        ] {
            let spec: GameSpec = typed.parse().unwrap();
            assert_eq!(spec.to_string(), printed);
            assert_eq!(printed.parse::<GameSpec>().unwrap(), spec);
        }
    }

    #[test]
    fn bad_names_are_refused() {
        for text in [
            "",
            "8",
            "2x8",
            "9x8",
            "8X8",
            "08x8",
            "8x8+",
            "8x8+foo",
            "8x8+anti+anti",
            "8x8+cross+cross",
            "8x8+parallel+free",
            "8x8+stuck-ends+optional-pass",
            "8x8+hole=d4",
            "6x6+hole=g1",
            "8x8+hole=a1+hole=a1",
            "8x8+supply=+5",
            "8x8+supply=65",
        ] {
            assert!(text.parse::<GameSpec>().is_err(), "{text}");
        }
    }
}
