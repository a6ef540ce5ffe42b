//! Bare positions for exhaustive walks, and layers of them in which equal positions are merged.

use super::bitboard::Bitboard;
use super::flip;
use super::game::{Game, Options, State, plain_moves};
use super::symmetry::{Symmetries, Symmetry};

/// A position without the overhead of the state that its game does not have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Node<E> {
    /// Discs of the side to move.
    pub player: u64,
    /// Discs of the other side.
    pub opponent: u64,
    /// State beyond the discs.
    pub extra: E,
}

impl<E: State> Node<E> {
    /// What the side to move may do.
    pub fn options<G: Game<Extra = E>>(self, game: G) -> Options {
        game.options(self.player, self.opponent, self.extra, plain_moves)
    }

    /// The position after a legal placement on the square with this index.
    pub fn place<G: Game<Extra = E>>(self, game: G, square: u32) -> Self {
        let flips = if game.is_free_phase(self.player, self.opponent) {
            0
        } else {
            flip::flip(square, self.player, self.opponent)
        };
        Self {
            player: self.opponent ^ flips,
            opponent: self.player | flips | (1 << square),
            extra: game.after_place(self.extra),
        }
    }

    /// The position after a legal pass.
    pub fn pass<G: Game<Extra = E>>(self, game: G) -> Self {
        Self { player: self.opponent, opponent: self.player, extra: game.after_pass(self.extra) }
    }

    /// The image under a map of the board.
    pub fn image(self, symmetries: &Symmetries, map: Symmetry) -> Self {
        let apply = |bits| symmetries.apply(map, Bitboard::new(bits)).bits();
        Self { player: apply(self.player), opponent: apply(self.opponent), extra: self.extra }
    }

    /// The least image under some maps of the board.
    pub fn least_image(self, symmetries: &Symmetries, maps: &[Symmetry]) -> Self {
        maps.iter().map(|&map| self.image(symmetries, map)).min().unwrap_or(self)
    }
}

/// The squares of a set by index.
pub(super) fn indices(set: u64) -> impl Iterator<Item = u32> {
    Bitboard::new(set).into_iter().map(|square| square.index())
}

/// Positions with the number of paths that lead to each, collected in any order.
///
/// Equal positions are merged whenever the buffer has doubled, so that it never takes much more
/// than twice the memory of the merged layer.
pub(super) struct Layer<E> {
    nodes: Vec<(Node<E>, u128)>,
    limit: usize,
}

impl<E: State> Layer<E> {
    /// Below this size merging early saves nothing worth having.
    const SMALL: usize = 1 << 16;

    /// An empty layer.
    pub fn new() -> Self {
        Self { nodes: Vec::new(), limit: Self::SMALL }
    }

    /// Adds paths to a position.
    pub fn add(&mut self, node: Node<E>, paths: u128) {
        if self.nodes.len() == self.limit {
            self.merge();
            self.limit = Self::SMALL.max(2 * self.nodes.len());
        }
        self.nodes.push((node, paths));
    }

    /// The positions in rising order, each once.
    pub fn finish(mut self) -> Vec<(Node<E>, u128)> {
        self.merge();
        self.nodes
    }

    fn merge(&mut self) {
        self.nodes.sort_unstable_by_key(|&(node, _)| node);
        self.nodes.dedup_by(|later, first| {
            let equal = later.0 == first.0;
            if equal {
                first.1 += later.1;
            }
            equal
        });
    }
}
