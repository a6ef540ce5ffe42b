//! The search for the positions that a certificate leaves to the checker: does the side to move
//! get at least a given score? Plain recursion over all legal moves, best guess first, with a
//! table of answers that are used only when the whole position and the question are the same.

use crate::Reason;
use crate::game::Position;
use crate::rules::{Options, Rules};

/// Fewest empties at which moves are sorted, and at which answers are kept.
const SORT_EMPTIES: u32 = 6;
const TABLE_EMPTIES: u32 = 7;

/// Entries of the table, a power of two; 32 bytes each.
const ENTRIES: usize = 1 << 20;

/// An answer: this position gets at least this target, or it does not.
#[derive(Clone, Copy)]
struct Answer {
    position: Position,
    target: i8,
    holds: bool,
}

/// A search with its table and its count of positions.
pub struct Search {
    rules: Rules,
    table: Vec<Option<Answer>>,
    /// Positions entered so far.
    pub nodes: u64,
    limit: u64,
}

impl Search {
    /// A search that stops with an error after `limit` positions.
    pub fn new(rules: Rules, limit: u64) -> Self {
        Self { rules, table: Vec::new(), nodes: 0, limit }
    }

    /// Whether the side to move gets at least `target`.
    ///
    /// # Errors
    /// When the limit is reached.
    pub fn at_least(&mut self, position: &Position, target: i32) -> Result<bool, Reason> {
        if self.table.is_empty() {
            self.table = vec![None; ENTRIES];
        }
        let empties = self.rules.empties(position);
        self.node(position, empties, target)
    }

    fn node(&mut self, position: &Position, empties: u32, target: i32) -> Result<bool, Reason> {
        self.nodes += 1;
        if self.nodes > self.limit {
            return Err(Reason::Nodes);
        }
        let options = self.rules.options(position);
        if options.places == 0 {
            if !options.pass {
                return Ok(self.rules.score(position) >= target);
            }
            return Ok(!self.node(&self.rules.pass(position), empties, 1 - target)?);
        }
        if empties < SORT_EMPTIES {
            return self.unsorted(position, options, empties, target);
        }
        let slot = slot(position);
        if empties >= TABLE_EMPTIES
            && let Some(answer) = &self.table[slot]
            && answer.position == *position
            && i32::from(answer.target) == target
        {
            return Ok(answer.holds);
        }
        let holds = self.sorted(position, options, empties, target)?;
        if empties >= TABLE_EMPTIES {
            self.table[slot] = Some(Answer { position: *position, target: target as i8, holds });
        }
        Ok(holds)
    }

    /// Tries the moves in the order of their squares.
    fn unsorted(
        &mut self,
        position: &Position,
        options: Options,
        empties: u32,
        target: i32,
    ) -> Result<bool, Reason> {
        let mut places = options.places;
        while places != 0 {
            let bit = places & places.wrapping_neg();
            places ^= bit;
            let child = self.rules.place(position, bit);
            // It gets at least `target` if the other side does not get more than `-target`.
            if !self.node(&child, empties - 1, 1 - target)? {
                return Ok(true);
            }
        }
        Ok(options.pass && !self.node(&self.rules.pass(position), empties, 1 - target)?)
    }

    /// Tries the moves that leave the other side the fewest places first.
    fn sorted(
        &mut self,
        position: &Position,
        options: Options,
        empties: u32,
        target: i32,
    ) -> Result<bool, Reason> {
        let mut list = [(0, *position); 64];
        let mut count = 0;
        let mut places = options.places;
        while places != 0 {
            let bit = places & places.wrapping_neg();
            places ^= bit;
            let child = self.rules.place(position, bit);
            list[count] = (self.rules.outflanking(child.own, child.other).count_ones(), child);
            count += 1;
        }
        list[..count].sort_unstable_by_key(|entry| entry.0);
        for (_, child) in &list[..count] {
            if !self.node(child, empties - 1, 1 - target)? {
                return Ok(true);
            }
        }
        Ok(options.pass && !self.node(&self.rules.pass(position), empties, 1 - target)?)
    }
}

/// Where a position stands in the table: any function will do, for whole positions are compared.
fn slot(position: &Position) -> usize {
    let extra = u64::from(position.hands[0]) << 16
        | u64::from(position.hands[1]) << 8
        | u64::from(position.passes);
    let mix = (position.own ^ extra).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ position.other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    (mix ^ mix >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) as usize >> 40 & (ENTRIES - 1)
}
