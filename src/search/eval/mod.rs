//! Guesses of a position's worth. They choose what is searched first and nothing else: no value
//! of this module ever becomes a bound.

mod generic;
mod pattern;
mod weights;

pub use pattern::{Patterns, Traces};
pub use weights::{STAGE_PLACES, Weights, WeightsError};

use super::context::Context;
use super::entry::Entry;
use super::layout::Layout;
use crate::board::{Game, GameSpec, Shape};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Units of a guess in one disc.
pub const DISC: i32 = 16;

/// A way to guess.
#[derive(Clone)]
pub enum Evaluation {
    /// By hand-made rules that hold for every board.
    Generic,
    /// By trained weights of patterns.
    Trained(Arc<Weights>),
    /// By numbers that have nothing to do with the position: for the test that guesses decide
    /// nothing but the order.
    Random(u64),
}

impl fmt::Debug for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Generic => "Generic",
            Self::Trained(_) => "Trained",
            Self::Random(_) => "Random",
        })
    }
}

/// The weights this program carries.
const CARRIED: [(u32, &[u8]); 2] = [
    (6, include_bytes!("../../../data/weights/6x6.bin")),
    (8, include_bytes!("../../../data/weights/8x8.bin")),
];

impl Evaluation {
    /// The best evaluation there is for a game: trained weights for the usual rules on boards
    /// that have them, else generic.
    pub fn of(game: &GameSpec) -> Self {
        static LOADED: [OnceLock<Option<Arc<Weights>>>; CARRIED.len()] =
            [const { OnceLock::new() }; CARRIED.len()];
        let place =
            CARRIED.iter().position(|&(side, _)| Self::is_trainable(game) && side == game.width());
        let load = |place: usize| {
            // Damaged weights would cost time, not truth; the tests load them all.
            LOADED[place].get_or_init(|| Weights::from_bytes(CARRIED[place].1).ok().map(Arc::new))
        };
        place.and_then(|place| load(place).clone()).map_or(Self::Generic, Self::Trained)
    }

    /// Whether a game has the usual rules and a board with patterns.
    pub fn is_trainable(game: &GameSpec) -> bool {
        let classic = Shape::new(game).is_some_and(|shape| shape.is_classic());
        classic && game.width() == game.height() && Patterns::of_side(game.width()).is_some()
    }

    /// A name that tells different evaluations apart.
    pub fn name(&self) -> String {
        match self {
            Self::Generic => "generic".to_owned(),
            Self::Trained(weights) => format!("{:08x}", crc32fast::hash(&weights.to_bytes())),
            Self::Random(seed) => format!("random-{seed}"),
        }
    }
}

/// Guesses on one board: what an [`Evaluation`] needs besides the position.
#[derive(Clone, Copy)]
pub struct Judge<'a, G, K> {
    /// The game.
    pub game: G,
    /// The bit routines.
    pub kernel: K,
    /// What is known of the board.
    pub layout: &'a Layout,
    /// How to guess.
    pub evaluation: &'a Evaluation,
}

impl<'a, G: Game, K: Entry> Judge<'a, G, K> {
    /// A quick guess for the side to move, in units of 1/[`DISC`] disc.
    #[inline(always)]
    pub fn guess(self, player: u64, opponent: u64) -> i32 {
        match self.evaluation {
            Evaluation::Trained(weights) => {
                With::new(weights, player, opponent).guess(self, player, opponent)
            }
            _ => self.guess_otherwise(player, opponent),
        }
    }

    #[inline(always)]
    fn empties(self, player: u64, opponent: u64) -> u32 {
        (self.game.squares() & !(player | opponent)).count_ones()
    }

    /// A guess without patterns.
    #[inline(always)]
    fn guess_otherwise(self, player: u64, opponent: u64) -> i32 {
        match self.evaluation {
            Evaluation::Random(seed) => {
                let mixed = (player ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    ^ opponent.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
                (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 54) as i32 - 512
            }
            _ => generic::guess(self.game, self.kernel, self.layout, player, opponent),
        }
    }

    /// A guess by full-width search of a few plies, in units of 1/[`DISC`] disc, fail-soft.
    #[inline(always)]
    pub fn look_ahead(self, player: u64, opponent: u64, depth: u32, window: (i32, i32)) -> i32 {
        match self.evaluation {
            Evaluation::Trained(weights) => {
                let track = With::new(weights, player, opponent);
                if depth == 0 {
                    return track.guess(self, player, opponent);
                }
                K::scout(self, &track, (player, opponent), depth, window)
            }
            _ => K::scout(self, &Without, (player, opponent), depth, window),
        }
    }
}

/// The full-width search of [`Judge::look_ahead`].
#[inline(always)]
pub fn scout<G: Game, K: Entry, T: Track>(
    judge: Judge<'_, G, K>,
    track: &T,
    (player, opponent): (u64, u64),
    depth: u32,
    (alpha, beta): (i32, i32),
) -> i32 {
    if depth == 0 {
        return track.guess(judge, player, opponent);
    }
    let free = judge.game.squares() & !(player | opponent);
    let mut set = judge.kernel.moves(player, opponent) & free;
    if set == 0 {
        let over = judge.game.stuck_ends() || judge.kernel.moves(opponent, player) & free == 0;
        return if over {
            judge.game.final_score(player, opponent) * DISC
        } else {
            -K::scout(judge, &track.after_pass(), (opponent, player), depth, (-beta, -alpha))
        };
    }
    let corners = set & judge.layout.corners;
    let mut best = i32::MIN + 1;
    for class in [corners, !corners] {
        let mut moves = set & class;
        set &= !class;
        while moves != 0 {
            let square = moves.trailing_zeros();
            moves &= moves - 1;
            let flipped = judge.kernel.flip(square, player, opponent);
            let (next, other) = (opponent ^ flipped, player | flipped | 1 << square);
            let after = track.after_move(square, flipped);
            let score = if depth == 1 {
                -after.guess(judge, next, other)
            } else {
                let window = (-beta, -alpha.max(best));
                -K::scout(judge, &after, (next, other), depth - 1, window)
            };
            if score > best {
                best = score;
                if best >= beta {
                    return best;
                }
            }
        }
    }
    best
}

/// What a look-ahead carries along with the position.
pub trait Track: Sized {
    /// The same after a placement.
    fn after_move(&self, square: u32, flipped: u64) -> Self;

    /// The same after a pass.
    fn after_pass(&self) -> Self;

    /// The guess for the position it goes with.
    fn guess<G: Game, K: Entry>(&self, judge: Judge<'_, G, K>, player: u64, opponent: u64) -> i32;
}

/// Nothing: the guess reads the position.
pub struct Without;

impl Track for Without {
    #[inline(always)]
    fn after_move(&self, _square: u32, _flipped: u64) -> Self {
        Self
    }

    #[inline(always)]
    fn after_pass(&self) -> Self {
        Self
    }

    #[inline(always)]
    fn guess<G: Game, K: Entry>(&self, judge: Judge<'_, G, K>, player: u64, opponent: u64) -> i32 {
        judge.guess_otherwise(player, opponent)
    }
}

/// The traces of the patterns.
pub struct With<'w> {
    weights: &'w Weights,
    traces: Traces,
}

impl<'w> With<'w> {
    /// The traces of a position.
    #[inline(always)]
    pub fn new(weights: &'w Weights, player: u64, opponent: u64) -> Self {
        Self { weights, traces: weights.patterns().traces(player, opponent) }
    }
}

impl Track for With<'_> {
    #[inline(always)]
    fn after_move(&self, square: u32, flipped: u64) -> Self {
        let traces = self.weights.patterns().after_move(&self.traces, square, flipped);
        Self { weights: self.weights, traces }
    }

    #[inline(always)]
    fn after_pass(&self) -> Self {
        Self { weights: self.weights, traces: self.traces.after_pass() }
    }

    #[inline(always)]
    fn guess<G: Game, K: Entry>(&self, judge: Judge<'_, G, K>, player: u64, opponent: u64) -> i32 {
        self.weights.guess(&self.traces, judge.empties(player, opponent))
    }
}

/// A guess by look-ahead inside a search.
#[inline(always)]
pub fn look_ahead<G: Game, K: Entry>(
    context: &Context<'_, G, K>,
    player: u64,
    opponent: u64,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> i32 {
    judge(context).look_ahead(player, opponent, depth, (alpha, beta))
}

/// What judges the positions of a search.
#[inline(always)]
pub fn judge<'a, G: Game, K: Entry>(context: &Context<'a, G, K>) -> Judge<'a, G, K> {
    let shared = context.shared;
    Judge {
        game: context.game,
        kernel: context.kernel,
        layout: shared.layout,
        evaluation: shared.evaluation,
    }
}
