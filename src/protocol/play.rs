//! The game on the board of a protocol: moves by either side, implied passes, undo.

use crate::board::{Color, GameSpec, Move, Position, Setup};
use crate::notation::game::GameRecord;

/// A position with its side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    /// The side to move.
    pub side: Color,
    /// The position.
    pub position: Position,
}

/// A game being played.
#[derive(Clone, Debug)]
pub struct Play {
    game: GameSpec,
    /// The positions so far, the last one first to go.
    past: Vec<(Place, u32)>,
    now: Place,
    plies: u32,
}

/// Why a move is not made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The game is over.
    Over,
    /// It is the other side's turn.
    Turn,
    /// The rules forbid it.
    Illegal,
}

impl Play {
    /// The start of a game.
    pub fn new(game: &GameSpec) -> Self {
        let position = Position::start(game);
        Self::from_place(game, Place { side: Color::Black, position })
    }

    /// A game from a position.
    pub fn from_place(game: &GameSpec, now: Place) -> Self {
        Self { game: *game, past: Vec::new(), now, plies: 0 }
    }

    /// A recorded game, at its end.
    pub fn from_record(record: &GameRecord) -> Self {
        let moments = record.moments();
        let place = |i: usize| {
            let moment = &moments[i];
            Place { side: moment.setup.side, position: moment.position }
        };
        let last = moments.len() - 1;
        let past = (0..last).map(|i| (place(i), i as u32)).collect();
        Self { game: record.game, past, now: place(last), plies: last as u32 }
    }

    /// The game's rules.
    pub fn game(&self) -> &GameSpec {
        &self.game
    }

    /// Where it stands.
    pub fn now(&self) -> Place {
        self.now
    }

    /// The same as a setup.
    pub fn setup(&self) -> Setup {
        Setup::from_position(&self.game, &self.now.position, self.now.side)
    }

    /// Moves so far, passes included.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// The positions before each move with the moves made before them, and the present one.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = (Place, u32)> + '_ {
        self.past.iter().copied().chain([(self.now, self.plies)])
    }

    /// Whether nobody can move.
    pub fn is_over(&self) -> bool {
        self.now.position.is_over(&self.game)
    }

    /// Black's score when the game is over.
    pub fn black_score(&self) -> Option<i32> {
        let Place { side, position } = self.now;
        let score = self.is_over().then(|| position.final_score(&self.game))?;
        Some(if side == Color::Black { score } else { -score })
    }

    /// Whether `side` may make a move now: it is its turn, or the other side must pass.
    ///
    /// # Errors
    /// The reason why not.
    pub fn turn_of(&self, side: Color) -> Result<Place, Refusal> {
        if self.is_over() {
            return Err(Refusal::Over);
        }
        if side == self.now.side {
            return Ok(self.now);
        }
        let options = self.now.position.options(&self.game);
        let passed = (options.places == 0).then(|| self.now.position.play(&self.game, Move::Pass));
        match passed.flatten() {
            Some(position) => Ok(Place { side, position }),
            None => Err(Refusal::Turn),
        }
    }

    /// Makes a move of the side to move; a forced pass before a placement need not be made.
    ///
    /// # Errors
    /// The reason why not.
    pub fn make(&mut self, mv: Move) -> Result<(), Refusal> {
        let side = self.now.side;
        let must_pass = self.now.position.options(&self.game).places == 0;
        let side = if must_pass && mv != Move::Pass { !side } else { side };
        self.make_as(side, mv)
    }

    /// Makes a move of `side`. Undoing it undoes an implied pass too.
    ///
    /// # Errors
    /// The reason why not.
    pub fn make_as(&mut self, side: Color, mv: Move) -> Result<(), Refusal> {
        let place = self.turn_of(side)?;
        let position = place.position.play(&self.game, mv).ok_or(Refusal::Illegal)?;
        let implied = u32::from(side != self.now.side);
        self.past.push((self.now, self.plies));
        self.plies += 1 + implied;
        self.now = Place { side: !side, position };
        Ok(())
    }

    /// Takes the last move back; `false` when there is none.
    pub fn undo(&mut self) -> bool {
        let Some((place, plies)) = self.past.pop() else { return false };
        (self.now, self.plies) = (place, plies);
        true
    }
}
