//! Collects a strategy for the prover by asking an oracle, and codes it.
//!
//! The walk is the checker's walk (`docs/certificates.md`): where the checker reads a rank, this
//! one asks for a move that holds and writes its rank. Among the moves that hold it takes the one
//! after which the other side has the fewest replies that are not walked already, because every
//! reply walked costs ranks of its own.

use super::claim::Part;
use super::coder::Encoder;
use super::oracle::{ProofOracle, Stopped};
use super::tree::{Node, Tree};
use crate::board::Position;
use std::collections::HashSet;

/// What a proof consists of.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Size {
    /// Positions walked, each once for each role.
    pub positions: u64,
    /// Those left to the checker's search.
    pub leaves: u64,
    /// Ranks written.
    pub ranks: u64,
}

/// Why a strategy cannot be collected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WriteError {
    /// The oracle was stopped.
    Stopped(Stopped),
    /// The prover does not get the target here: the claim was false, or the oracle errs.
    Unproved(Position),
}

impl From<Stopped> for WriteError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

/// Collects the strategies of one certificate.
pub struct Writer<'a> {
    tree: &'a Tree,
    leaf_empties: u32,
    oracle: &'a mut dyn ProofOracle,
    progress: &'a mut dyn FnMut(&Size),
    ranks: Vec<(u8, u8)>,
    size: Size,
}

impl<'a> Writer<'a> {
    /// A writer of an empty certificate. `progress` hears of every position walked.
    pub fn new(
        tree: &'a Tree,
        leaf_empties: u32,
        oracle: &'a mut dyn ProofOracle,
        progress: &'a mut dyn FnMut(&Size),
    ) -> Self {
        Self { tree, leaf_empties, oracle, progress, ranks: Vec::new(), size: Size::default() }
    }

    /// Adds the strategy of one part, which is known to be true.
    ///
    /// # Errors
    /// When the oracle is stopped or contradicts itself.
    pub fn add(&mut self, root: &Position, part: Part) -> Result<(), WriteError> {
        let root = self.tree.canonical(root);
        let mut walk = Walk { writer: self, target: part.target, walked: HashSet::new() };
        walk.visit(&root, part.mover_proves)
    }

    /// The coded ranks, and what they stand for.
    pub fn finish(self) -> (Vec<u8>, Size) {
        let mut encoder = Encoder::new();
        for (rank, count) in &self.ranks {
            encoder.rank(usize::from(*rank), usize::from(*count));
        }
        (encoder.finish(), self.size)
    }
}

/// The walk for one part.
struct Walk<'w, 'a> {
    writer: &'w mut Writer<'a>,
    target: i32,
    walked: HashSet<(Position, bool)>,
}

impl Walk<'_, '_> {
    fn visit(&mut self, position: &Position, prover_moves: bool) -> Result<(), WriteError> {
        if !self.walked.insert((*position, prover_moves)) {
            return Ok(());
        }
        self.writer.size.positions += 1;
        (self.writer.progress)(&self.writer.size);
        let children = match self.writer.tree.node(position, self.writer.leaf_empties) {
            Node::Over(score) => {
                let score = if prover_moves { score } else { -score };
                let holds = score >= self.target;
                return if holds { Ok(()) } else { Err(WriteError::Unproved(*position)) };
            }
            Node::Leaf => {
                self.writer.size.leaves += 1;
                return Ok(());
            }
            Node::Inner(children) => children,
        };
        if !prover_moves {
            return children.iter().try_for_each(|child| self.visit(child, true));
        }
        if children.iter().any(|child| self.walked.contains(&(*child, false))) {
            return Ok(());
        }
        let rank = self.choose(position, &children)?;
        if children.len() > 1 {
            self.writer.size.ranks += 1;
            self.writer.ranks.push((rank as u8, children.len() as u8));
        }
        self.visit(&children[rank], false)
    }

    /// The rank of the move to follow: one that holds, with few new replies and of low rank.
    fn choose(&mut self, position: &Position, children: &[Position]) -> Result<usize, WriteError> {
        if children.len() == 1 {
            return Ok(0);
        }
        let mut candidates: Vec<_> = children
            .iter()
            .enumerate()
            .map(|(rank, child)| (self.new_replies(child), rank))
            .collect();
        candidates.sort_unstable();
        // The other side must not get more than minus the target.
        let value = 1 - self.target;
        let oracle = &mut self.writer.oracle;
        let known = |&&(_, rank): &&(usize, usize)| oracle.recall(&children[rank], value);
        if let Some(&(_, rank)) = candidates.iter().find(|c| known(c) == Some(false)) {
            return Ok(rank);
        }
        let witness = oracle.witness(position, self.target)?;
        let next = witness.and_then(|mv| position.play(self.writer.tree.game(), mv));
        let next = next.map(|next| self.writer.tree.canonical(&next));
        let place = candidates
            .iter()
            .position(|&(_, rank)| Some(children[rank]) == next)
            .ok_or(WriteError::Unproved(*position))?;
        let mut rank = candidates[place].1;
        for &(_, other) in &candidates[..place] {
            if self.holds(&children[other])? {
                rank = other;
                break;
            }
        }
        self.writer.oracle.record(&children[rank], value, false);
        Ok(rank)
    }

    /// Whether the prover is known to get the target after a move of its own to `child`.
    fn holds(&mut self, child: &Position) -> Result<bool, WriteError> {
        let game = self.writer.tree.game();
        if child.is_over(game) {
            return Ok(-child.final_score(game) >= self.target);
        }
        Ok(self.writer.oracle.try_at_least(child, 1 - self.target)? == Some(false))
    }

    /// How many positions the other side can reach from here that are not walked yet.
    fn new_replies(&self, child: &Position) -> usize {
        match self.writer.tree.node(child, self.writer.leaf_empties) {
            Node::Over(_) | Node::Leaf => 0,
            Node::Inner(replies) => {
                replies.iter().filter(|&reply| !self.walked.contains(&(*reply, true))).count()
            }
        }
    }
}
