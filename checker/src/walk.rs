//! The walk over a strategy: what has to be shown for a claim to be proved.
//!
//! One side, the prover, is shown to get at least `target`, whatever the other side does:
//!
//! 1. a finished game must have that score;
//! 2. a position with at most K empties is searched;
//! 3. where the prover is to move, ONE move is followed, the one the certificate names;
//! 4. where the other side is to move, EVERY legal move is followed.
//!
//! Positions are taken up to the symmetries of the board, and each is walked once for each role
//! of the side to move. A position met again needs no second walk: every placement adds a disc and
//! every pass leads to a placement or to the end, so no position depends on itself, and the claim
//! stands only if the walk over all of them comes to its end without a failure.

use crate::decode::Decoder;
use crate::game::Position;
use crate::header::Header;
use crate::rules::Rules;
use crate::search::Search;
use crate::{Limits, Reason, Work};
use std::collections::HashSet;

/// Positions between two reports of progress.
const REPORT: u64 = 1 << 10;

/// One walk: the proof that one side gets at least `target`.
pub struct Walk<'a, 'p> {
    header: &'a Header,
    rules: Rules,
    target: i32,
    decoder: &'a mut Decoder<'p>,
    proved: Proved,
    search: Search,
    work: &'a mut Work,
}

impl<'a, 'p> Walk<'a, 'p> {
    /// A walk that has not begun.
    pub fn new(
        header: &'a Header,
        target: i32,
        limits: &Limits,
        decoder: &'a mut Decoder<'p>,
        work: &'a mut Work,
    ) -> Self {
        let rules = Rules::new(header.game.clone());
        let search = Search::new(rules.clone(), limits.nodes.saturating_sub(work.nodes));
        let proved = Proved { set: HashSet::new(), memory: limits.memory };
        Self { header, rules, target, decoder, proved, search, work }
    }

    /// Walks from the position of the header; `prover_moves` says whose side is to be proved.
    ///
    /// # Errors
    /// When the proof fails anywhere or a limit is reached.
    pub fn run(
        &mut self,
        prover_moves: bool,
        progress: &mut dyn FnMut(&Work),
    ) -> Result<(), Reason> {
        let before = self.work.nodes;
        let root = self.rules.canonical(&self.header.position);
        self.visit(&root, prover_moves, before, progress)
    }

    /// Shows that the prover gets the target from a canonical position.
    fn visit(
        &mut self,
        position: &Position,
        prover_moves: bool,
        nodes_before: u64,
        progress: &mut dyn FnMut(&Work),
    ) -> Result<(), Reason> {
        if !self.proved.insert(position, prover_moves)? {
            return Ok(());
        }
        self.work.positions += 1;
        self.work.nodes = nodes_before + self.search.nodes;
        self.work.bytes = self.decoder.bytes_read();
        if self.work.positions.is_multiple_of(REPORT) {
            progress(self.work);
        }
        let options = self.rules.options(position);
        if options.places == 0 && !options.pass {
            let score = self.rules.score(position);
            let score = if prover_moves { score } else { -score };
            return self.require(score >= self.target, position, false);
        }
        if self.rules.empties(position) <= self.header.leaf_empties {
            self.work.leaves += 1;
            // The other side's score is minus the prover's.
            let holds = match prover_moves {
                true => self.search.at_least(position, self.target)?,
                false => !self.search.at_least(position, 1 - self.target)?,
            };
            self.work.nodes = nodes_before + self.search.nodes;
            return self.require(holds, position, true);
        }
        let children = self.children(position);
        if !prover_moves {
            for child in &children {
                self.visit(child, true, nodes_before, progress)?;
            }
            return Ok(());
        }
        if children.iter().any(|child| self.proved.contains(child, false)) {
            return Ok(());
        }
        let rank = if children.len() > 1 { self.decoder.rank(children.len()) } else { 0 };
        self.visit(&children[rank], false, nodes_before, progress)
    }

    /// The canonical positions after every legal move, in the order that the ranks refer to: the
    /// fewer places the next side has, the earlier; then by square, a pass last.
    fn children(&self, position: &Position) -> Vec<Position> {
        let options = self.rules.options(position);
        let mut children = Vec::with_capacity(options.places.count_ones() as usize + 1);
        let mut places = options.places;
        while places != 0 {
            let bit = places & places.wrapping_neg();
            children.push(self.rules.place(position, bit));
            places ^= bit;
        }
        if options.pass {
            children.push(self.rules.pass(position));
        }
        // The sort is stable: equal keys stay in the order of their squares.
        children.sort_by_key(|child| self.rules.options(child).places.count_ones());
        children.iter().map(|child| self.rules.canonical(child)).collect()
    }

    fn require(&self, holds: bool, position: &Position, searched: bool) -> Result<(), Reason> {
        let position = || self.rules.game.text(position, true);
        if holds { Ok(()) } else { Err(Reason::Unproved { position: position(), searched }) }
    }
}

/// The positions already walked, each with the role of the side to move.
struct Proved {
    set: HashSet<(Position, bool)>,
    memory: u64,
}

impl Proved {
    fn contains(&self, position: &Position, prover_moves: bool) -> bool {
        self.set.contains(&(*position, prover_moves))
    }

    /// Adds a position; `false` when it is there already.
    fn insert(&mut self, position: &Position, prover_moves: bool) -> Result<bool, Reason> {
        let capacity = self.set.capacity();
        if self.set.len() == capacity {
            // The set is about to double; while it does, the old one and the new one exist.
            let next = (capacity * 2).max(1 << 10);
            let slot = size_of::<(Position, bool)>() as u64 + 1;
            if (capacity + next) as u64 * slot * 8 / 7 > self.memory {
                return Err(Reason::Memory);
            }
            self.set.try_reserve(next - capacity).map_err(|_| Reason::Memory)?;
        }
        Ok(self.set.insert((*position, prover_moves)))
    }
}
