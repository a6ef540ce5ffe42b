//! A legal position from the mover's view, with the rules of any game at hand.
//!
//! This is the form in which positions travel between the modules. The search has its own, bare
//! one; the colour of the mover only matters in text (see [`Setup`](super::setup::Setup)).

use super::bitboard::Bitboard;
use super::flip;
use super::game::{Extra, Game, Options, plain_moves};
use super::spec::GameSpec;
use super::square::{Move, Square};

/// Discs of the side to move and of the other side, and the state beyond them.
///
/// Invariant: the two sets are disjoint and inside the squares of the game it is used with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// Discs of the side to move.
    pub player: Bitboard,
    /// Discs of the other side.
    pub opponent: Bitboard,
    /// Discs in hand and passes just made, in the games that have them.
    pub extra: Extra,
}

impl Position {
    /// The start of a game, Black to move.
    pub fn start(game: &GameSpec) -> Self {
        let (player, opponent) = game.start_discs();
        // Both sides have two discs on the board (or none, under `free`).
        let hand = game.supply().map_or(0, |n| n - player.len() as u8);
        Self { player, opponent, extra: Extra { in_hand: [hand; 2], passes: 0 } }
    }

    /// What the side to move may do.
    pub fn options(&self, game: &GameSpec) -> Options {
        let (player, opponent) = (self.player.bits(), self.opponent.bits());
        Game::options(*game, player, opponent, self.extra, plain_moves)
    }

    /// The legal moves, placements in rising order of their square, a pass last.
    pub fn moves(&self, game: &GameSpec) -> Vec<Move> {
        let options = self.options(game);
        let places = Bitboard::new(options.places).into_iter().map(Move::Place);
        places.chain(options.pass.then_some(Move::Pass)).collect()
    }

    /// Whether nobody may do anything any more.
    pub fn is_over(&self, game: &GameSpec) -> bool {
        self.options(game).is_over()
    }

    /// The score of a finished game from the mover's view.
    pub fn final_score(&self, game: &GameSpec) -> i32 {
        game.final_score(self.player.bits(), self.opponent.bits())
    }

    /// The discs turned by a placement; none in the free phase.
    pub fn flips(&self, game: &GameSpec, square: Square) -> Bitboard {
        let (player, opponent) = (self.player.bits(), self.opponent.bits());
        if game.is_free_phase(player, opponent) {
            return Bitboard::EMPTY;
        }
        Bitboard::new(flip::flip(square.index(), player, opponent))
    }

    /// The position after a legal move; `None` when the move is not legal.
    pub fn play(&self, game: &GameSpec, mv: Move) -> Option<Self> {
        let options = self.options(game);
        match mv {
            Move::Place(square) => Bitboard::new(options.places).contains(square).then(|| {
                let flips = self.flips(game, square);
                Self {
                    player: self.opponent - flips,
                    opponent: self.player | flips | square.into(),
                    extra: game.after_place(self.extra),
                }
            }),
            Move::Pass => options.pass.then(|| Self {
                player: self.opponent,
                opponent: self.player,
                extra: game.after_pass(self.extra),
            }),
        }
    }

    /// The playable squares without a disc.
    pub fn empties(&self, game: &GameSpec) -> Bitboard {
        game.squares() - self.player - self.opponent
    }
}
