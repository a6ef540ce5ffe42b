//! A recorded game, the common form of every game format: where it began, its moves with the
//! passes, who played, how it ended.
//!
//! A record is always legal: its readers replay every move. Forced passes are always among the
//! moves, whether the format writes them or not; a pass after the last placement is there only
//! when it was written.

use super::{Entry, Location};
use crate::board::{Color, GameSpec, Move, Objective, Position, ScoreRule, Setup};

/// A move of a record with what was noted beside it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The player's evaluation, in discs from the mover's view.
    pub eval: Option<f64>,
    /// Time taken, in seconds.
    pub seconds: Option<f64>,
}

impl From<Move> for Ply {
    fn from(mv: Move) -> Self {
        Self { mv, eval: None, seconds: None }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Played to its end, or nothing else is said.
    Played,
    /// A player resigned.
    Resigned,
    /// A player ran out of time.
    Timeout,
    /// The players agreed on the score.
    Agreed,
    /// A player left.
    Left,
}

/// What a record says of the result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GameResult {
    /// Black's score minus White's, in discs, as written.
    pub black: Option<f64>,
    /// The winner, where the score is not given.
    pub winner: Option<Color>,
    /// How it ended.
    pub ending: Ending,
}

/// The score of a position of the game with perfect play, as an archive gives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theoretical {
    /// Empties of the position.
    pub empties: u32,
    /// Black's score in discs, empties to the winner.
    pub black: i32,
}

/// What is known of a game besides its moves.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Details {
    /// The names of Black and of White.
    pub players: [Option<String>; 2],
    /// Their ratings, as written.
    pub ratings: [Option<String>; 2],
    /// The tournament or event.
    pub event: Option<String>,
    /// The place or server.
    pub place: Option<String>,
    /// The date, as written.
    pub date: Option<String>,
    /// The result, if the record gives one.
    pub result: Option<GameResult>,
    /// Discs that Black must win by, from Black's view, in komi games.
    pub komi: Option<f64>,
    /// A score of one of its positions.
    pub theoretical: Option<Theoretical>,
    /// What the record says in prose.
    pub comment: Option<String>,
    /// Further fields of GGF (clocks, type, komi bids) by their names.
    pub tags: Vec<(String, String)>,
}

/// A recorded game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    /// Where it stands.
    pub location: Location,
    /// Board and rules.
    pub game: GameSpec,
    /// Where it began.
    pub start: Setup,
    /// The moves, forced passes included.
    pub plies: Vec<Ply>,
    /// Who played, when, and how it ended.
    pub details: Details,
    /// What is odd about it.
    pub warnings: Vec<String>,
}

/// One position of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Moment {
    /// Moves made before it, passes included.
    pub ply: usize,
    /// The position with its colours.
    pub setup: Setup,
    /// The same from the mover's view.
    pub position: Position,
    /// The move that was made; `None` after the last one.
    pub played: Option<Ply>,
}

impl GameRecord {
    /// A record without moves, of which nothing more is known.
    pub fn new(location: Location, game: GameSpec, start: Setup) -> Self {
        let (plies, details, warnings) = (Vec::new(), Details::default(), Vec::new());
        Self { location, game, start, plies, details, warnings }
    }

    /// The moves alone.
    pub fn moves(&self) -> Vec<Move> {
        self.plies.iter().map(|ply| ply.mv).collect()
    }

    /// Every position, the start first, the final one last.
    pub fn moments(&self) -> Vec<Moment> {
        let Ok(mut position) = self.start.position(&self.game) else { return Vec::new() };
        let mut side = self.start.side;
        let mut moments = Vec::with_capacity(self.plies.len() + 1);
        for (ply, next) in self.plies.iter().map(Some).chain([None]).enumerate() {
            let setup = Setup::from_position(&self.game, &position, side);
            moments.push(Moment { ply, setup, position, played: next.copied() });
            let after = next.and_then(|next| position.play(&self.game, next.mv));
            let Some(after) = after else { break };
            (position, side) = (after, !side);
        }
        moments
    }

    /// The last position.
    ///
    /// # Panics
    /// When the start is no position of the game, which no reader lets pass.
    pub fn last(&self) -> Moment {
        *self.moments().last().expect("a record begins with a legal position")
    }

    /// The position with this many empties in which a disc was placed next, or where the game
    /// ended; `None` when the game never had so few or so many.
    pub fn at_empties(&self, empties: u32) -> Option<Moment> {
        let mut moments = self.moments();
        moments.retain(|moment| moment.position.empties(&self.game).len() == empties);
        moments.pop()
    }

    /// One of its positions as an entry to solve. It is named after the game and its empties; a
    /// score that the archive gives to it comes along.
    pub fn entry(&self, moment: &Moment) -> Entry {
        let Moment { ply, setup, position, .. } = *moment;
        let empties = position.empties(&self.game).len();
        let theoretical = self.details.theoretical.filter(|known| {
            known.empties == empties && self.game.score_rule() == ScoreRule::WinnerTakesEmpties
        });
        let source = format!("{}@{empties}", self.location);
        Entry {
            location: Location { source, line: None },
            id: None,
            setup,
            position,
            score: theoretical
                .map(|known| if setup.side == Color::Black { known.black } else { -known.black }),
            move_scores: Vec::new(),
            from: self.start,
            plies: self.plies[..ply].to_vec(),
            details: self.details.clone(),
            warnings: Vec::new(),
        }
    }

    /// Whether nobody could move after the last move.
    pub fn is_finished(&self) -> bool {
        self.last().position.is_over(&self.game)
    }

    /// Black's final score by the rules of the game; `None` while the game is not over.
    pub fn black_score(&self) -> Option<i32> {
        let Moment { setup, position, .. } = self.last();
        let score = position.is_over(&self.game).then(|| position.final_score(&self.game))?;
        Some(if setup.side == Color::Black { score } else { -score })
    }

    /// Notes a result that no count of the final discs gives. Both conventions are in use, and
    /// with a komi it may or may not be taken off, so any of them will do.
    pub(super) fn check_result(&mut self) {
        let written = self.details.result.and_then(|result| result.black);
        let (Some(written), Some(score)) = (written, self.black_score()) else { return };
        let Setup { black, white, .. } = self.last().setup;
        let plain = black.len() as i32 - white.len() as i32;
        let mut counts = vec![score, plain];
        if self.game.objective() == Objective::Fewest {
            counts.extend([-score, -plain]);
        }
        let komi = self.details.komi.unwrap_or(0.0);
        let fits = counts
            .into_iter()
            .map(f64::from)
            .any(|count| (count - written).abs() < 0.01 || (count - komi - written).abs() < 0.01);
        let ended_early = self.details.result.is_some_and(|result| result.ending != Ending::Played);
        if !fits && !ended_early {
            self.warnings.push(format!(
                "the result is given as {written:+} for Black, while the moves lead to {score:+}"
            ));
        }
    }
}
