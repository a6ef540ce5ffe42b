//! A certificate as a strategy: which move the prover makes in a position.

use super::claim::Part;
use super::coder::Decoder;
use super::format::Certificate;
use super::tree::{Node, Tree};
use crate::board::{Move, Position};
use std::collections::HashMap;

/// The prover's moves for one part of a claim.
pub struct Strategy {
    /// What the strategy attains.
    pub part: Part,
    tree: Tree,
    leaf_empties: u32,
    /// The position that follows each position where the prover is to move; and which positions
    /// of the other side are covered.
    replies: HashMap<Position, Position>,
}

/// What a strategy says of a position where the prover is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Advice {
    /// This move keeps the target.
    Play(Move),
    /// The certificate leaves the position to a search.
    Search,
    /// The position does not occur when the strategy is followed, or the game is over.
    Unknown,
}

impl Strategy {
    /// Decodes the strategies of a certificate, one for each part of its claim.
    ///
    /// The certificate is not checked: play from a verified one.
    pub fn read(certificate: &Certificate) -> Vec<Self> {
        let mut decoder = Decoder::new(&certificate.payload);
        let subject = &certificate.subject;
        let strategies = certificate.claim.parts().into_iter().map(|part| {
            let tree = Tree::new(&subject.game);
            let root = tree.canonical(&subject.position);
            let mut walk = Walk {
                tree: &tree,
                leaf_empties: certificate.leaf_empties,
                decoder: &mut decoder,
                walked: HashMap::new(),
            };
            walk.visit(&root, part.mover_proves);
            let replies = walk.walked.into_iter().filter_map(|((at, _), to)| Some((at, to?)));
            let replies = replies.collect();
            Self { part, tree, leaf_empties: certificate.leaf_empties, replies }
        });
        strategies.collect()
    }

    /// The prover's move.
    pub fn advice(&self, position: &Position) -> Advice {
        match self.tree.node(position, self.leaf_empties) {
            Node::Over(_) => Advice::Unknown,
            Node::Leaf => Advice::Search,
            Node::Inner(_) => {
                let next = self.replies.get(&self.tree.canonical(position));
                let mut successors = self.tree.successors(position);
                next.and_then(|next| successors.find(|(_, to)| self.tree.canonical(to) == *next))
                    .map_or(Advice::Unknown, |(mv, _)| Advice::Play(mv))
            }
        }
    }
}

/// The checker's walk, without its searches.
struct Walk<'w, 'p> {
    tree: &'w Tree,
    leaf_empties: u32,
    decoder: &'w mut Decoder<'p>,
    /// Every position walked, with the prover's choice where it has one.
    walked: HashMap<(Position, bool), Option<Position>>,
}

impl Walk<'_, '_> {
    fn visit(&mut self, position: &Position, prover_moves: bool) {
        if self.walked.contains_key(&(*position, prover_moves)) {
            return;
        }
        self.walked.insert((*position, prover_moves), None);
        let Node::Inner(children) = self.tree.node(position, self.leaf_empties) else { return };
        if !prover_moves {
            children.iter().for_each(|child| self.visit(child, true));
            return;
        }
        let known = children.iter().find(|child| self.walked.contains_key(&(**child, false)));
        let next = known.copied().unwrap_or_else(|| {
            let count = children.len();
            children[if count > 1 { self.decoder.rank(count) } else { 0 }]
        });
        self.walked.insert((*position, true), Some(next));
        self.visit(&next, false);
    }
}
