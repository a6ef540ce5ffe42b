//! Positions as a proof sees them: up to symmetry, with their children in the order that the
//! ranks of a certificate refer to.

use crate::board::{GameSpec, Move, Position, Symmetries};

/// The rules of one game with its symmetries.
pub struct Tree {
    game: GameSpec,
    symmetries: Symmetries,
}

/// What a proof has to do with a position.
pub enum Node {
    /// The game is over with this score of the side to move.
    Over(i32),
    /// So few empties that the checker searches.
    Leaf,
    /// The canonical positions after the legal moves, in rank order.
    Inner(Vec<Position>),
}

impl Tree {
    /// The tree of a game.
    pub fn new(game: &GameSpec) -> Self {
        Self { game: *game, symmetries: Symmetries::of(game) }
    }

    /// The game.
    pub fn game(&self) -> &GameSpec {
        &self.game
    }

    /// The least image of a position.
    pub fn canonical(&self, position: &Position) -> Position {
        self.symmetries.canonical(position)
    }

    /// What a position asks for when the checker searches from `leaf_empties` empties on.
    pub fn node(&self, position: &Position, leaf_empties: u32) -> Node {
        if position.is_over(&self.game) {
            Node::Over(position.final_score(&self.game))
        } else if position.empties(&self.game).len() <= leaf_empties {
            Node::Leaf
        } else {
            Node::Inner(self.children(position))
        }
    }

    /// The canonical positions after the legal moves: the fewer places the next side has, the
    /// earlier; then by square, a pass last.
    pub fn children(&self, position: &Position) -> Vec<Position> {
        let mut children: Vec<_> = self.successors(position).map(|(_, child)| child).collect();
        // The sort is stable, and `moves` lists placements by square and a pass last.
        children.sort_by_key(|child| child.options(&self.game).places.count_ones());
        children.iter().map(|child| self.canonical(child)).collect()
    }

    /// The legal moves and the positions after them, as they lie on the board.
    pub fn successors(&self, position: &Position) -> impl Iterator<Item = (Move, Position)> {
        let moves = position.moves(&self.game).into_iter();
        moves.filter_map(|mv| Some((mv, position.play(&self.game, mv)?)))
    }
}
