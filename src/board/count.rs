//! Reachable positions and complete games of a board, layer by layer of discs.
//!
//! What counts as a position differs between sources, so every count has its own name: three sets
//! ([`Counts::placed`], [`Counts::all`], [`Counts::resolved`]), each under three identities
//! ([`Positions`]). State beyond the discs is part of every identity.

use super::game::{Game, Shape, State};
use super::position::Position;
use super::spec::GameSpec;
use super::square::Color;
use super::symmetry::{Symmetries, Symmetry};
use super::walk::{self, Node, indices};
use std::ops::AddAssign;

/// One set of positions, counted under three identities.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Positions {
    /// Black's discs, White's discs and the side to move.
    pub colored: u64,
    /// Discs of the mover and of the other side.
    pub mover: u64,
    /// As `mover`, up to the symmetries of the board.
    pub canonical: u64,
}

/// Complete games by their winner.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Games {
    /// Games that Black wins.
    pub black: u128,
    /// Games that nobody wins.
    pub draws: u128,
    /// Games that White wins.
    pub white: u128,
}

impl Games {
    /// All games.
    pub const fn total(&self) -> u128 {
        self.black + self.draws + self.white
    }
}

/// What is reachable with a given number of discs on the board, or a sum of such counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Games that end here.
    pub games: Games,
    /// Positions just after a placement, the start and final ones included, a pass not yet
    /// taken: the convention of the published tables.
    pub placed: Positions,
    /// `placed` and the positions reached only by a pass.
    pub all: Positions,
    /// `all` without the positions whose mover must pass: in their place stand those after it.
    pub resolved: Positions,
}

/// One layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layer {
    /// Discs on the board.
    pub discs: u32,
    /// What is reachable with so many discs.
    pub counts: Counts,
}

/// The layers of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Census {
    /// From the start on, without gaps.
    pub layers: Vec<Layer>,
    /// Whether the layers reach the end of every game.
    pub complete: bool,
}

impl Census {
    /// The sums over all layers.
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        for layer in &self.layers {
            total += layer.counts;
        }
        total
    }
}

/// Counts what is reachable from the start of a game, up to `max_discs` discs on the board.
///
/// `observer` hears of every layer as soon as it is counted. Memory: two layers of positions up to
/// the symmetries of the start, 32 bytes a position in most games and 48 in those with state
/// beyond the discs, and as much again for merging them.
pub fn count(game: &GameSpec, max_discs: Option<u32>, observer: &mut dyn FnMut(&Layer)) -> Census {
    let start = Position::start(game);
    let (player, opponent) = (start.player.bits(), start.opponent.bits());
    let max_discs = max_discs.unwrap_or(u32::MAX);
    match Shape::new(game) {
        Some(shape) => {
            let root = Node { player, opponent, extra: () };
            Walk::new(game, shape, root).census(root, max_discs, observer)
        }
        None => {
            let root = Node { player, opponent, extra: start.extra };
            Walk::new(game, *game, root).census(root, max_discs, observer)
        }
    }
}

/// Positions with the number of ways to reach them, by the side to move: Black's, White's.
///
/// Only one of each set of images under the symmetries of the start is kept, with the paths to
/// all of them.
type Sides<E> = [Vec<(Node<E>, u128)>; 2];

struct Walk<'a, G> {
    spec: &'a GameSpec,
    game: G,
    symmetries: Symmetries,
    /// The symmetries that leave the start as it is: what is reachable has them too.
    kept: Vec<Symmetry>,
}

impl<'a, G: Game> Walk<'a, G> {
    fn new(spec: &'a GameSpec, game: G, root: Node<G::Extra>) -> Self {
        let symmetries = Symmetries::of(spec);
        let keeps = |map: &Symmetry| root.image(&symmetries, *map) == root;
        let kept = symmetries.maps().iter().copied().filter(keeps).collect();
        Self { spec, game, symmetries, kept }
    }

    fn census(
        &self,
        root: Node<G::Extra>,
        max_discs: u32,
        observer: &mut dyn FnMut(&Layer),
    ) -> Census {
        let mut discs = (root.player | root.opponent).count_ones();
        let mut placed = [vec![(root, 1)], Vec::new()];
        let mut layers = Vec::new();
        while discs <= max_discs && placed.iter().any(|side| !side.is_empty()) {
            let passed = self.passed(&placed);
            let counts = self.counts(&placed, &passed);
            let layer = Layer { discs, counts };
            observer(&layer);
            layers.push(layer);
            discs += 1;
            placed = if discs <= max_discs {
                self.children(&placed, &passed)
            } else {
                // Not expanded: a placement anywhere shows that the layers end too early.
                let mut nodes = placed.iter().chain(&passed).flatten();
                let complete = nodes.all(|(node, _)| node.options(self.game).places == 0);
                return Census { layers, complete };
            };
        }
        Census { complete: !layers.is_empty(), layers }
    }

    /// The positions after one or more passes in a layer.
    fn passed(&self, placed: &Sides<G::Extra>) -> Sides<G::Extra> {
        let mut passed: Sides<G::Extra> = Default::default();
        let mut fresh = placed.clone();
        while fresh.iter().any(|side| !side.is_empty()) {
            let mut next: Sides<G::Extra> = Default::default();
            for (side, nodes) in fresh.iter().enumerate() {
                for &(node, paths) in nodes {
                    if node.options(self.game).pass {
                        next[1 - side].push((self.kept_image(node.pass(self.game)), paths));
                    }
                }
            }
            for side in 0..2 {
                passed[side].extend_from_slice(&next[side]);
            }
            fresh = next;
        }
        passed
    }

    /// The next layer, just after its placements.
    fn children(&self, placed: &Sides<G::Extra>, passed: &Sides<G::Extra>) -> Sides<G::Extra> {
        let expand = |side: usize| {
            let mut layer = walk::Layer::new();
            for &(node, paths) in placed[side].iter().chain(&passed[side]) {
                for square in indices(node.options(self.game).places) {
                    layer.add(self.kept_image(node.place(self.game, square)), paths);
                }
            }
            layer.finish()
        };
        // A placement by White leaves Black to move.
        [expand(1), expand(0)]
    }

    fn kept_image(&self, node: Node<G::Extra>) -> Node<G::Extra> {
        node.least_image(&self.symmetries, &self.kept)
    }

    fn counts(&self, placed: &Sides<G::Extra>, passed: &Sides<G::Extra>) -> Counts {
        let mut counts = Counts::default();
        let mut both = Vec::new();
        for (side, color) in [Color::Black, Color::White].into_iter().enumerate() {
            let mut entries = Vec::with_capacity(placed[side].len() + passed[side].len());
            for (nodes, is_placed) in [(&placed[side], true), (&passed[side], false)] {
                for &(node, paths) in nodes {
                    let options = node.options(self.game);
                    if options.is_over() {
                        self.add_games(&mut counts.games, node, color, paths);
                    }
                    let must_pass = options.pass && options.places == 0;
                    let images = self.images(node);
                    entries.push(Entry { node, images, is_placed, must_pass });
                }
            }
            merge(&mut entries);
            counts.tally(&entries, |positions| &mut positions.colored);
            both.append(&mut entries);
        }
        merge(&mut both);
        counts.tally(&both, |positions| &mut positions.mover);
        for entry in &mut both {
            entry.node = entry.node.least_image(&self.symmetries, self.symmetries.maps());
            entry.images = 1;
        }
        merge(&mut both);
        counts.tally(&both, |positions| &mut positions.canonical);
        counts
    }

    /// How many positions one kept image stands for.
    fn images(&self, node: Node<G::Extra>) -> u8 {
        let fixed = |map: &&Symmetry| node.image(&self.symmetries, **map) == node;
        // At most eight maps, so no loss.
        (self.kept.len() / self.kept.iter().filter(fixed).count()) as u8
    }

    fn add_games(&self, games: &mut Games, node: Node<G::Extra>, mover: Color, paths: u128) {
        let score = self.game.final_score(node.player, node.opponent);
        let black_score = if mover == Color::Black { score } else { -score };
        match self.spec.winner(black_score) {
            Some(Color::Black) => games.black += paths,
            None => games.draws += paths,
            Some(Color::White) => games.white += paths,
        }
    }
}

/// A position of a layer while it is being counted.
struct Entry<E> {
    node: Node<E>,
    images: u8,
    is_placed: bool,
    must_pass: bool,
}

/// Makes equal positions one.
fn merge<E: State>(entries: &mut Vec<Entry<E>>) {
    entries.sort_unstable_by_key(|entry| entry.node);
    entries.dedup_by(|later, first| {
        let equal = later.node == first.node;
        first.is_placed |= equal && later.is_placed;
        equal
    });
}

impl Counts {
    /// Adds merged entries to one identity of the three sets.
    fn tally<E>(&mut self, entries: &[Entry<E>], identity: impl Fn(&mut Positions) -> &mut u64) {
        for entry in entries {
            let images = u64::from(entry.images);
            *identity(&mut self.all) += images;
            if entry.is_placed {
                *identity(&mut self.placed) += images;
            }
            if !entry.must_pass {
                *identity(&mut self.resolved) += images;
            }
        }
    }
}

impl AddAssign for Positions {
    fn add_assign(&mut self, other: Self) {
        self.colored += other.colored;
        self.mover += other.mover;
        self.canonical += other.canonical;
    }
}

impl AddAssign for Games {
    fn add_assign(&mut self, other: Self) {
        self.black += other.black;
        self.draws += other.draws;
        self.white += other.white;
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.placed += other.placed;
        self.all += other.all;
        self.resolved += other.resolved;
    }
}
