//! Perft: the number of move sequences of a given length.
//!
//! Sources disagree on two points, so both are parameters: whether a forced pass costs a ply, and
//! whether a game that ended earlier counts at every larger depth. Positions are merged layer by
//! layer up to symmetry, each with the number of paths that lead to it, which makes depth 12 on
//! 8x8 a matter of seconds.

use super::game::{Game, Options, Shape};
use super::position::Position;
use super::spec::GameSpec;
use super::square::Move;
use super::symmetry::Symmetries;
use super::walk::{Layer, Node, indices};

/// What a forced pass costs. A voluntary pass always costs a ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passes {
    /// A ply, like any other turn.
    Ply,
    /// Nothing: the depth counts placements and voluntary passes.
    Free,
}

/// What becomes of a game that ended before the full depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finished {
    /// It counts as one sequence at every larger depth.
    Kept,
    /// It does not count.
    Dropped,
}

/// How sequences are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Convention {
    /// What a forced pass costs.
    pub passes: Passes,
    /// What becomes of games that ended earlier.
    pub finished: Finished,
}

impl Convention {
    /// All four conventions.
    pub const ALL: [Self; 4] = [
        Self { passes: Passes::Ply, finished: Finished::Dropped },
        Self { passes: Passes::Ply, finished: Finished::Kept },
        Self { passes: Passes::Free, finished: Finished::Kept },
        Self { passes: Passes::Free, finished: Finished::Dropped },
    ];
}

/// The number of move sequences of `depth` plies from `position`, 1 at depth 0.
///
/// The count outgrows 64 bits at depth 22 of the usual game and so is given in 128. Memory is
/// bounded whatever the depth; time is not.
pub fn perft(game: &GameSpec, position: &Position, depth: u32, convention: Convention) -> u128 {
    let symmetries = Symmetries::of(game);
    let (player, opponent) = (position.player.bits(), position.opponent.bits());
    match Shape::new(game) {
        Some(game) => {
            let root = Node { player, opponent, extra: () };
            Walk { game, symmetries, convention }.sequences(&[(root, 1)], depth)
        }
        None => {
            let root = Node { player, opponent, extra: position.extra };
            Walk { game: *game, symmetries, convention }.sequences(&[(root, 1)], depth)
        }
    }
}

/// The part of each legal move in [`perft`], in the order of [`Position::moves`]. Empty at depth
/// 0 and when the game is over; otherwise the parts add up to the whole.
pub fn divide(
    game: &GameSpec,
    position: &Position,
    depth: u32,
    convention: Convention,
) -> Vec<(Move, u128)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = position.moves(game);
    let forced_pass = moves == [Move::Pass];
    let free = forced_pass && convention.passes == Passes::Free;
    let left = if free { depth } else { depth - 1 };
    let symmetries = Symmetries::of(game);
    // Moves that a symmetry maps onto each other have the same count.
    let mut known: Vec<(Position, u128)> = Vec::new();
    let mut parts = Vec::with_capacity(moves.len());
    for mv in moves {
        let Some(child) = position.play(game, mv) else { continue };
        let child = symmetries.canonical(&child);
        let count = match known.iter().find(|(seen, _)| *seen == child) {
            Some(&(_, count)) => count,
            None => {
                let count = perft(game, &child, left, convention);
                known.push((child, count));
                count
            }
        };
        parts.push((mv, count));
    }
    parts
}

/// How many positions are expanded into one merged layer: a compromise between memory (a few
/// hundred megabytes in all at great depth) and merging across blocks.
const BLOCK: usize = 1 << 19;

/// The last plies are played out one by one: there, sorting costs more than it saves.
const DIRECT: u32 = 2;

struct Walk<G> {
    game: G,
    symmetries: Symmetries,
    convention: Convention,
}

impl<G: Game> Walk<G> {
    /// The sequences of `depth` plies from all positions of a layer together.
    fn sequences(&self, layer: &[(Node<G::Extra>, u128)], depth: u32) -> u128 {
        if depth <= DIRECT {
            let count = |&(node, paths)| paths * u128::from(self.played_out(node, depth));
            return layer.iter().map(count).sum();
        }
        let mut total = 0;
        for block in layer.chunks(BLOCK) {
            let mut next = Layer::new();
            for &(node, paths) in block {
                let (node, options) = self.settle(node);
                if options.is_over() {
                    total += paths * u128::from(self.finished());
                }
                self.each_child(node, options, |child| {
                    next.add(child.least_image(&self.symmetries, self.symmetries.maps()), paths);
                });
            }
            total += self.sequences(&next.finish(), depth - 1);
        }
        total
    }

    /// The sequences from one position, without merging. Fits 64 bits for the few plies of
    /// [`DIRECT`].
    fn played_out(&self, node: Node<G::Extra>, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let (node, options) = self.settle(node);
        if options.is_over() {
            return self.finished();
        }
        if depth == 1 {
            return u64::from(options.places.count_ones()) + u64::from(options.pass);
        }
        let mut total = 0;
        self.each_child(node, options, |child| total += self.played_out(child, depth - 1));
        total
    }

    /// The position in which the next ply is played, after a forced pass that costs nothing.
    fn settle(&self, node: Node<G::Extra>) -> (Node<G::Extra>, Options) {
        let options = node.options(self.game);
        if options.pass && options.places == 0 && self.convention.passes == Passes::Free {
            // After a forced pass the other side can place: two passes in a row are never forced.
            let node = node.pass(self.game);
            return (node, node.options(self.game));
        }
        (node, options)
    }

    /// What a game counts that ended before the full depth.
    fn finished(&self) -> u64 {
        u64::from(self.convention.finished == Finished::Kept)
    }

    fn each_child(
        &self,
        node: Node<G::Extra>,
        options: Options,
        mut visit: impl FnMut(Node<G::Extra>),
    ) {
        for square in indices(options.places) {
            visit(node.place(self.game, square));
        }
        if options.pass {
            visit(node.pass(self.game));
        }
    }
}
