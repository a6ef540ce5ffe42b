//! Plays the moves of a record one after the other, under the rules, and says why one is refused.

use super::game::Ply;
use crate::board::{Bitboard, Color, GameSpec, Move, Position, Setup, Square};

/// A game as far as it is played.
#[derive(Clone, Debug)]
pub(super) struct Replay<'a> {
    game: &'a GameSpec,
    side: Color,
    position: Position,
    plies: Vec<Ply>,
    /// Moves written so far, without the implied passes.
    written: usize,
}

impl<'a> Replay<'a> {
    /// A game that begins at this position.
    pub(super) fn new(game: &'a GameSpec, side: Color, position: Position) -> Self {
        Self { game, side, position, plies: Vec::new(), written: 0 }
    }

    /// Where the moves led.
    pub(super) fn position(&self) -> Position {
        self.position
    }

    /// The same as a setup.
    pub(super) fn setup(&self) -> Setup {
        Setup::from_position(self.game, &self.position, self.side)
    }

    /// The moves, the implied passes among them.
    pub(super) fn into_plies(self) -> Vec<Ply> {
        self.plies
    }

    /// Plays a move of a format that does not name the side. A pass that is forced need not be
    /// written: it is put in.
    pub(super) fn play(&mut self, ply: impl Into<Ply>) -> Result<(), String> {
        let ply = ply.into();
        self.written += 1;
        let options = self.position.options(self.game);
        if options.is_over() {
            return Err(self.over_message());
        }
        if ply.mv != Move::Pass && options.places == 0 {
            self.push(Move::Pass.into())?;
        }
        self.push(ply)
    }

    /// Plays a move of a format that names the side.
    pub(super) fn play_as(&mut self, side: Color, ply: impl Into<Ply>) -> Result<(), String> {
        let ply = ply.into();
        let number = self.written + 1;
        let options = self.position.options(self.game);
        let stuck = options.places == 0 && !options.is_over();
        if side == self.side && stuck && ply.mv != Move::Pass {
            return Err(format!("{side} has no legal move at move {number} and must pass"));
        }
        if side != self.side && !(stuck && ply.mv != Move::Pass) && !options.is_over() {
            return Err(format!("a move of {side} at move {number}, where it is {}'s turn", !side));
        }
        self.play(ply)
    }

    fn push(&mut self, ply: Ply) -> Result<(), String> {
        self.position = match (self.position.play(self.game, ply.mv), ply.mv) {
            (Some(next), _) => next,
            (None, Move::Pass) => return Err(self.no_pass()),
            (None, Move::Place(square)) => return Err(self.no_place(square)),
        };
        self.side = !self.side;
        self.plies.push(ply);
        Ok(())
    }

    fn over_message(&self) -> String {
        let Setup { black, white, .. } = self.setup();
        match self.written - 1 {
            0 => format!("the game was over before move 1 ({}-{})", black.len(), white.len()),
            last => format!("the game ended after move {last} ({}-{})", black.len(), white.len()),
        }
    }

    fn no_pass(&self) -> String {
        match self.written {
            1 => format!("a pass at the start (move 1), where {} has to place a disc", self.side),
            number => format!("a pass at move {number}, where {} has to place a disc", self.side),
        }
    }

    fn no_place(&self, square: Square) -> String {
        let Self { game, position, .. } = self;
        let centre: Bitboard = game.centre().into_iter().collect();
        let why = if (position.player | position.opponent).contains(square) {
            "is occupied"
        } else if game.holes().contains(square) {
            "is a hole"
        } else if crate::board::Game::is_free_phase(
            **game,
            position.player.bits(),
            position.opponent.bits(),
        ) && !centre.contains(square)
        {
            "is outside the centre block, where the first four discs go,"
        } else {
            "flips nothing"
        };
        format!("{square} {why} at move {} ({} to move)", self.written, self.side)
    }
}
