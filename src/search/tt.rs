//! The transposition table: proved bounds of whole positions, shared by all threads without locks.
//!
//! Each entry holds both bitboards and the state beyond them, so that a bound is only ever used for
//! the very position it was proved for. A torn read cannot look like another position: every entry
//! stands under a sequence number that is odd while it is written and changes with each write
//! (a sequence lock; Lameter 2005, Boehm 2012 for its form with atomics).

use std::sync::atomic::{AtomicU64, Ordering, fence};

/// What is proved of a position, and the moves worth trying first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The score is at least this.
    pub lower: i8,
    /// The score is at most this.
    pub upper: i8,
    /// The best moves so far as square indices, [`NO_MOVE`] where there is none.
    pub moves: [u8; 2],
}

/// Stands for "no move" in [`Fact::moves`].
pub const NO_MOVE: u8 = 64;

/// The whole identity of a position: discs and state beyond them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    pub player: u64,
    pub opponent: u64,
    pub state: u16,
}

impl Key {
    /// A well-mixed number (two odd multipliers and a fold).
    #[inline(always)]
    pub fn hash(self) -> u64 {
        let a = (self.player ^ u64::from(self.state)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let b = self.opponent.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        let mixed = a ^ b.rotate_left(29);
        (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
    }
}

/// Data word: lower, upper, two moves, log of the work, generation, state.
#[derive(Clone, Copy)]
struct Data {
    fact: Fact,
    effort: u8,
    generation: u8,
    state: u16,
}

impl Data {
    fn pack(self) -> u64 {
        let [a, b] = self.fact.moves;
        let [s, t] = self.state.to_le_bytes();
        let Fact { lower, upper, .. } = self.fact;
        u64::from_le_bytes([lower as u8, upper as u8, a, b, self.effort, self.generation, s, t])
    }

    fn unpack(word: u64) -> Self {
        let [lower, upper, a, b, effort, generation, s, t] = word.to_le_bytes();
        Self {
            fact: Fact { lower: lower as i8, upper: upper as i8, moves: [a, b] },
            effort,
            generation,
            state: u16::from_le_bytes([s, t]),
        }
    }
}

/// A question with n empties uses at most 2^(n - this) clusters: its nodes above the middle game
/// never fill more, and pages that are not touched cost nothing.
const SPARE_EMPTIES: u32 = 3;

/// Words of an entry: sequence number, player, opponent, data.
const ENTRY_WORDS: usize = 4;

/// Words of a cluster of two entries: one cache line.
const CLUSTER_WORDS: usize = 2 * ENTRY_WORDS;

/// One entry of the table.
#[derive(Clone, Copy)]
struct Entry<'a>(&'a [AtomicU64; ENTRY_WORDS]);

impl Entry<'_> {
    /// The entry's content, or `None` while somebody writes it.
    #[inline(always)]
    fn read(self) -> Option<(u64, u64, Data)> {
        let [sequence, player, opponent, data] = self.0;
        let before = sequence.load(Ordering::Acquire);
        let content = (
            player.load(Ordering::Relaxed),
            opponent.load(Ordering::Relaxed),
            Data::unpack(data.load(Ordering::Relaxed)),
        );
        fence(Ordering::Acquire);
        (before & 1 == 0 && sequence.load(Ordering::Relaxed) == before).then_some(content)
    }

    /// Writes the entry, unless another thread is doing so.
    #[inline(always)]
    fn write(self, key: Key, new: Data) {
        let [sequence, player, opponent, data] = self.0;
        let before = sequence.load(Ordering::Relaxed);
        let locked = before & 1 == 0
            && sequence
                .compare_exchange(before, before + 1, Ordering::Acquire, Ordering::Relaxed)
                .is_ok();
        if locked {
            fence(Ordering::Release);
            player.store(key.player, Ordering::Relaxed);
            opponent.store(key.opponent, Ordering::Relaxed);
            data.store(new.pack(), Ordering::Relaxed);
            sequence.store(before + 2, Ordering::Release);
        }
    }
}

/// The table.
pub struct Table {
    words: Box<[AtomicU64]>,
    /// Words before the first whole cache line.
    offset: usize,
    clusters: u64,
    /// The clusters in use: a small question stays in a small, cached part of the table.
    active: u64,
    /// Entries of other generations count as absent; 0 marks memory never written.
    generation: u8,
}

impl Table {
    /// A table of `bytes` bytes, rounded down to whole cache lines, one at least; `None` when the
    /// memory cannot be had.
    pub fn new(bytes: u64) -> Option<Self> {
        let line = (CLUSTER_WORDS * size_of::<AtomicU64>()) as u64;
        let clusters = (bytes / line).max(1);
        let words = usize::try_from(clusters).ok()?.checked_add(1)?.checked_mul(CLUSTER_WORDS)?;
        // Zeroed by the operating system page by page as it is used. Asking the allocator for the
        // alignment would make it clear all pages at once; a spare line and an offset do not.
        let words: Box<[AtomicU64]> = bytemuck::allocation::try_zeroed_slice_box(words).ok()?;
        let offset = words.as_ptr().align_offset(line as usize).min(CLUSTER_WORDS);
        Some(Self { words, offset, clusters, active: clusters, generation: 1 })
    }

    /// Forgets everything, at the cost of a counter (and of a sweep every 255 times), and gets
    /// ready for questions with so many empties.
    pub fn clear(&mut self, empties: u32) {
        self.active = self.clusters.min(1 << empties.saturating_sub(SPARE_EMPTIES));
        if self.generation < u8::MAX {
            self.generation += 1;
        } else {
            self.words.iter_mut().for_each(|word| *word.get_mut() = 0);
            self.generation = 1;
        }
    }

    #[inline(always)]
    fn entries(&self, hash: u64) -> [Entry<'_>; 2] {
        let cluster = (u128::from(hash) * u128::from(self.active)) >> 64;
        let first = self.offset + cluster as usize * CLUSTER_WORDS;
        let (entries, _) = self.words[first..first + CLUSTER_WORDS].as_chunks();
        [Entry(&entries[0]), Entry(&entries[1])]
    }

    /// What is known of the position.
    #[inline(always)]
    pub fn probe(&self, key: Key, hash: u64) -> Option<Fact> {
        self.entries(hash).into_iter().find_map(|entry| {
            let (player, opponent, data) = entry.read()?;
            let hit = player == key.player
                && opponent == key.opponent
                && data.state == key.state
                && data.generation == self.generation;
            hit.then_some(data.fact)
        })
    }

    /// Adds a proved fact; `effort` (the logarithm of the nodes it cost) decides what it replaces.
    ///
    /// Bounds of an entry for the same position are kept and tightened.
    pub fn store(&self, key: Key, hash: u64, fact: Fact, effort: u8) {
        let generation = self.generation;
        let new = Data { fact, effort, generation, state: key.state };
        let mut victim: Option<(Entry<'_>, u8)> = None;
        for entry in self.entries(hash) {
            let Some((player, opponent, old)) = entry.read() else { continue };
            let live = old.generation == generation;
            if live && player == key.player && opponent == key.opponent && old.state == key.state {
                let mut merged = new;
                merged.fact.lower = fact.lower.max(old.fact.lower);
                merged.fact.upper = fact.upper.min(old.fact.upper);
                debug_assert!(merged.fact.lower <= merged.fact.upper, "contradicting bounds");
                if fact.moves[0] == NO_MOVE {
                    merged.fact.moves = old.fact.moves;
                } else if old.fact.moves[0] != fact.moves[0] {
                    merged.fact.moves[1] = old.fact.moves[0];
                } else {
                    merged.fact.moves[1] = old.fact.moves[1];
                }
                merged.effort = effort.max(old.effort);
                return entry.write(key, merged);
            }
            let worth = if live { old.effort + 1 } else { 0 };
            if victim.is_none_or(|(_, least)| worth < least) {
                victim = Some((entry, worth));
            }
        }
        // The cheaper entry goes, however cheap the new one is: what was proved last is what the
        // search asks for next, and the other half of the line keeps what was dear.
        if let Some((entry, _)) = victim {
            entry.write(key, new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: u64) -> Key {
        Key { player: n, opponent: !n, state: 0 }
    }

    #[test]
    fn the_smallest_table_never_mixes_positions() {
        let table = Table::new(1).unwrap();
        for n in 0..200 {
            let fact = Fact { lower: (n % 60) as i8, upper: 64, moves: [5, NO_MOVE] };
            table.store(key(n), key(n).hash(), fact, 3);
            assert_eq!(table.probe(key(n), key(n).hash()), Some(fact));
            for older in 0..n {
                // Whatever is left of another position is that position's own fact.
                let found = table.probe(key(older), key(older).hash());
                assert!(found.is_none_or(|fact| i64::from(fact.lower) == older as i64 % 60));
            }
        }
    }

    #[test]
    fn state_is_part_of_the_identity() {
        let table = Table::new(1 << 16).unwrap();
        let (a, b) = (key(7), Key { state: 9, ..key(7) });
        let fact = Fact { lower: 1, upper: 2, moves: [NO_MOVE; 2] };
        table.store(a, a.hash(), fact, 0);
        assert_eq!(table.probe(b, a.hash()), None);
    }

    #[test]
    fn clearing_forgets_everything_even_when_generations_wrap() {
        let mut table = Table::new(1 << 12).unwrap();
        let fact = Fact { lower: -4, upper: 4, moves: [NO_MOVE; 2] };
        for round in 0..600 {
            assert_eq!(table.probe(key(1), key(1).hash()), None, "round {round}");
            table.store(key(1), key(1).hash(), fact, 0);
            assert_eq!(table.probe(key(1), key(1).hash()), Some(fact));
            table.clear(64);
        }
    }

    #[test]
    fn bounds_of_one_position_tighten() {
        let table = Table::new(1 << 12).unwrap();
        let k = key(3);
        table.store(k, k.hash(), Fact { lower: -64, upper: 10, moves: [1, NO_MOVE] }, 0);
        table.store(k, k.hash(), Fact { lower: 4, upper: 64, moves: [2, NO_MOVE] }, 0);
        let merged = Fact { lower: 4, upper: 10, moves: [2, 1] };
        assert_eq!(table.probe(k, k.hash()), Some(merged));
    }
}
