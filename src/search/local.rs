//! A thread's own small table for positions with few empties: it stays in the second-level cache,
//! where the shared table would cost a trip to memory each time.

/// Entries; a power of two, about 400 KiB in all.
const ENTRIES: usize = 1 << 14;

#[derive(Clone, Copy)]
struct Entry {
    player: u64,
    opponent: u64,
    question: u32,
    lower: i8,
    upper: i8,
    best: u8,
}

/// Direct-mapped, always replacing; entries of earlier questions count as absent.
pub struct LocalTable {
    entries: Box<[Entry; ENTRIES]>,
    question: u32,
}

impl LocalTable {
    /// An empty table.
    pub fn new() -> Self {
        let nothing = Entry {
            player: 0,
            opponent: 0,
            question: 0,
            lower: 0,
            upper: 0,
            best: super::tt::NO_MOVE,
        };
        let entries: Box<[Entry]> = vec![nothing; ENTRIES].into();
        let entries = entries.try_into().unwrap_or_else(|_| unreachable!("made with this length"));
        Self { entries, question: 0 }
    }

    /// Forgets everything that was stored under another question (a number from 1 on).
    pub fn begin(&mut self, question: u32) {
        self.question = question;
    }

    /// Where a position belongs.
    #[inline(always)]
    pub fn slot(player: u64, opponent: u64) -> usize {
        let mixed = player.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ opponent.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
        (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> (64 - ENTRIES.trailing_zeros())) as usize
    }

    /// Lower bound, upper bound and best move so far.
    #[inline(always)]
    pub fn probe(&self, slot: usize, player: u64, opponent: u64) -> Option<(i32, i32, u8)> {
        let entry = &self.entries[slot & (ENTRIES - 1)];
        let hit =
            entry.player == player && entry.opponent == opponent && entry.question == self.question;
        hit.then_some((i32::from(entry.lower), i32::from(entry.upper), entry.best))
    }

    /// Adds a proved fact, in place of whatever was there.
    #[inline(always)]
    pub fn store(
        &mut self,
        slot: usize,
        (player, opponent): (u64, u64),
        (lower, upper): (i32, i32),
        best: u8,
    ) {
        let entry = &mut self.entries[slot & (ENTRIES - 1)];
        let question = self.question;
        *entry = Entry { player, opponent, question, lower: lower as i8, upper: upper as i8, best };
    }
}
