//! The rules behind one trait, so that one search serves every game.
//!
//! [`Standard`] has no size at run time: its masks and scores fold into constants, so the usual
//! 8x8 game pays nothing for the others. [`Shape`] reads its mask and its rules at run time.
//! [`GameSpec`] itself is the game with every rule, state beyond the discs included; the edges of
//! the program (text, counting, proofs) use it, and so does the search for games that have such
//! state.

use super::bitboard::Bitboard;
use super::flip;
use super::spec::{GameSpec, Objective, PassRule, ScoreRule, Start};
use std::fmt;
use std::hash::Hash;

/// What decides a position besides the discs.
pub trait State: Copy + Eq + Ord + Hash + Default + fmt::Debug + Send + Sync + 'static {
    /// A number that is equal exactly for equal states.
    fn pack(self) -> u16;

    /// The state in this form; games without one drop it.
    fn from_extra(extra: Extra) -> Self;
}

impl State for () {
    fn pack(self) -> u16 {
        0
    }

    fn from_extra(_extra: Extra) -> Self {}
}

/// Discs in hand and passes just made, for the games that have them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Extra {
    /// Discs in hand of the mover and of the other side; zeros in games without a supply.
    pub in_hand: [u8; 2],
    /// Passes in a row just before this turn under `optional-pass`, 2 when they ended the game;
    /// always 0 under the other pass rules.
    pub passes: u8,
}

impl State for Extra {
    fn pack(self) -> u16 {
        u16::from(self.in_hand[0]) | u16::from(self.in_hand[1]) << 7 | u16::from(self.passes) << 14
    }

    fn from_extra(extra: Extra) -> Self {
        extra
    }
}

/// What the side to move may do. The game is over when it may do nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Squares where it may place a disc.
    pub places: u64,
    /// Whether it may (or must) pass.
    pub pass: bool,
}

impl Options {
    /// Whether the game is over.
    pub const fn is_over(self) -> bool {
        self.places == 0 && !self.pass
    }
}

/// A game's rules. All sets are bits of the embedding, all scores discs from the mover's view.
pub trait Game: Copy + fmt::Debug + Send + Sync + 'static {
    /// State beyond the discs; `()` in most games.
    type Extra: State;

    /// No state beyond the discs and no free phase: placements are the flipping moves, and a
    /// side without one passes or (see [`Game::stuck_ends`]) ends the game. The search's fast
    /// endgame serves these games only.
    const PLAIN: bool;

    /// A plain game on a rectangle without holes, won by most discs, empties to the winner.
    const CLASSIC: bool;

    /// The playable squares.
    fn squares(self) -> u64;

    /// The score of a finished game from the two disc counts.
    fn score(self, player: u32, opponent: u32) -> i32;

    /// All final scores are multiples of this: null windows may step by it.
    fn step(self) -> i32;

    /// Whether more discs win.
    fn most_wins(self) -> bool;

    /// Whether the game is over when the side to move cannot place.
    fn stuck_ends(self) -> bool;

    /// What the mover may do. `moves` is the set of flipping moves on the embedding of a side,
    /// computed by the caller's kernel.
    #[inline(always)]
    fn options(
        self,
        player: u64,
        opponent: u64,
        _extra: Self::Extra,
        moves: impl Fn(u64, u64) -> u64,
    ) -> Options {
        let places = moves(player, opponent) & self.squares();
        let pass =
            places == 0 && !self.stuck_ends() && moves(opponent, player) & self.squares() != 0;
        Options { places, pass }
    }

    /// Whether placements turn no disc here: the opening phase of `free`.
    #[inline(always)]
    fn is_free_phase(self, _player: u64, _opponent: u64) -> bool {
        false
    }

    /// The state after a placement, from the next mover's view.
    fn after_place(self, extra: Self::Extra) -> Self::Extra;

    /// The state after a pass, from the next mover's view.
    fn after_pass(self, extra: Self::Extra) -> Self::Extra;

    /// The largest score: the number of playable squares.
    #[inline(always)]
    fn max_score(self) -> i32 {
        self.squares().count_ones() as i32
    }

    /// The score of a finished position.
    #[inline(always)]
    fn final_score(self, player: u64, opponent: u64) -> i32 {
        self.score(player.count_ones(), opponent.count_ones())
    }
}

/// The usual score: disc difference, the empties given to the winner.
#[inline(always)]
fn winner_takes_empties(squares: u32, player: u32, opponent: u32) -> i32 {
    let difference = player as i32 - opponent as i32;
    let empties = squares as i32 - (player + opponent) as i32;
    difference + empties * difference.signum()
}

/// Standard Othello on `W` columns and `H` rows, known at compile time.
#[derive(Clone, Copy, Debug)]
pub struct Standard<const W: u32, const H: u32>;

impl<const W: u32, const H: u32> Game for Standard<W, H> {
    type Extra = ();
    const PLAIN: bool = true;
    const CLASSIC: bool = true;

    #[inline(always)]
    fn squares(self) -> u64 {
        const { Bitboard::rectangle(W, H).bits() }
    }

    #[inline(always)]
    fn score(self, player: u32, opponent: u32) -> i32 {
        winner_takes_empties(W * H, player, opponent)
    }

    #[inline(always)]
    fn step(self) -> i32 {
        // With all squares counted, winner minus loser is W * H minus twice the loser.
        if (W * H).is_multiple_of(2) { 2 } else { 1 }
    }

    #[inline(always)]
    fn most_wins(self) -> bool {
        true
    }

    #[inline(always)]
    fn stuck_ends(self) -> bool {
        false
    }

    #[inline(always)]
    fn after_place(self, (): ()) {}

    #[inline(always)]
    fn after_pass(self, (): ()) {}
}

/// A plain game whose board and rules are known at run time.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    squares: u64,
    objective: Objective,
    score_rule: ScoreRule,
    stuck_ends: bool,
    classic: bool,
}

impl Shape {
    /// The rules of `spec`, or `None` when it has state beyond the discs or a free phase.
    pub fn new(spec: &GameSpec) -> Option<Self> {
        (!spec.has_extra_state() && spec.start() != Start::Free).then(|| Self {
            squares: spec.squares().bits(),
            objective: spec.objective(),
            score_rule: spec.score_rule(),
            stuck_ends: spec.pass_rule() == PassRule::StuckEnds,
            classic: spec.holes().is_empty()
                && spec.objective() == Objective::Most
                && spec.score_rule() == ScoreRule::WinnerTakesEmpties
                && spec.pass_rule() == PassRule::Forced,
        })
    }

    /// Whether [`Standard`] of the same size has these rules.
    pub fn is_classic(&self) -> bool {
        self.classic
    }
}

impl Game for Shape {
    type Extra = ();
    const PLAIN: bool = true;
    const CLASSIC: bool = false;

    #[inline(always)]
    fn squares(self) -> u64 {
        self.squares
    }

    #[inline(always)]
    fn score(self, player: u32, opponent: u32) -> i32 {
        score_by(self.squares.count_ones(), self.objective, self.score_rule, player, opponent)
    }

    #[inline(always)]
    fn step(self) -> i32 {
        step_by(self.squares.count_ones(), self.score_rule)
    }

    #[inline(always)]
    fn most_wins(self) -> bool {
        self.objective == Objective::Most
    }

    #[inline(always)]
    fn stuck_ends(self) -> bool {
        self.stuck_ends
    }

    #[inline(always)]
    fn after_place(self, (): ()) {}

    #[inline(always)]
    fn after_pass(self, (): ()) {}
}

#[inline(always)]
fn score_by(
    squares: u32,
    objective: Objective,
    rule: ScoreRule,
    player: u32,
    opponent: u32,
) -> i32 {
    // In `anti` the winner is the side with fewer discs; its margin grows by the empties.
    let (own, other) = match objective {
        Objective::Most => (player, opponent),
        Objective::Fewest => (opponent, player),
    };
    match rule {
        ScoreRule::WinnerTakesEmpties => winner_takes_empties(squares, own, other),
        ScoreRule::Discs => own as i32 - other as i32,
    }
}

#[inline(always)]
fn step_by(squares: u32, rule: ScoreRule) -> i32 {
    if rule == ScoreRule::WinnerTakesEmpties && squares.is_multiple_of(2) { 2 } else { 1 }
}

impl Game for GameSpec {
    type Extra = Extra;
    const PLAIN: bool = false;
    const CLASSIC: bool = false;

    fn squares(self) -> u64 {
        GameSpec::squares(&self).bits()
    }

    fn score(self, player: u32, opponent: u32) -> i32 {
        let squares = GameSpec::squares(&self).len();
        score_by(squares, self.objective(), self.score_rule(), player, opponent)
    }

    fn step(self) -> i32 {
        step_by(GameSpec::squares(&self).len(), self.score_rule())
    }

    fn most_wins(self) -> bool {
        self.objective() == Objective::Most
    }

    fn stuck_ends(self) -> bool {
        self.pass_rule() == PassRule::StuckEnds
    }

    fn options(
        self,
        player: u64,
        opponent: u64,
        extra: Extra,
        moves: impl Fn(u64, u64) -> u64,
    ) -> Options {
        if extra.passes == 2 {
            return Options { places: 0, pass: false };
        }
        if self.is_free_phase(player, opponent) {
            let centre = Bitboard::from_iter(self.centre()).bits();
            return Options { places: centre & !(player | opponent), pass: false };
        }
        let squares = GameSpec::squares(&self).bits();
        let places_of = |side: usize, own: u64, other: u64| {
            let supplied = self.supply().is_none() || extra.in_hand[side] > 0;
            if supplied { moves(own, other) & squares } else { 0 }
        };
        let places = places_of(0, player, opponent);
        let pass = match self.pass_rule() {
            PassRule::StuckEnds => false,
            PassRule::Forced => places == 0 && places_of(1, opponent, player) != 0,
            // A forced pass counts as one of the two that end the game: a stuck side after a
            // pass finds the game over, and so do two stuck sides.
            PassRule::Optional => {
                places != 0 || (extra.passes == 0 && places_of(1, opponent, player) != 0)
            }
        };
        Options { places, pass }
    }

    fn is_free_phase(self, player: u64, opponent: u64) -> bool {
        self.start() == Start::Free
            && !(Bitboard::from_iter(self.centre()) - Bitboard::new(player | opponent)).is_empty()
    }

    fn after_place(self, extra: Extra) -> Extra {
        let [own, other] = extra.in_hand;
        Extra { in_hand: [other, own.saturating_sub(1)], passes: 0 }
    }

    fn after_pass(self, extra: Extra) -> Extra {
        let [own, other] = extra.in_hand;
        let passes = if self.pass_rule() == PassRule::Optional { extra.passes + 1 } else { 0 };
        Extra { in_hand: [other, own], passes }
    }
}

/// The flipping moves on the embedding, for [`Game::options`] outside the kernels.
pub fn plain_moves(player: u64, opponent: u64) -> u64 {
    flip::moves(player, opponent)
}
