//! The range decoder that turns the payload into ranks of moves.
//!
//! The binary arithmetic decoder of LZMA, with counts instead of shifted probabilities. Any bytes
//! decode to some ranks; past the end of the payload, zeros are read.

/// Chance of "yes" in one context: how often each answer was seen, with a head start.
#[derive(Clone, Copy)]
struct Chance {
    yes: u32,
    no: u32,
}

/// Weight of one answer, and the total at which old answers are halved.
const WEIGHT: u32 = 32;
const TOTAL: u32 = 1 << 13;

/// Groups of move counts, and ranks with a context of their own.
const GROUPS: usize = 8;
const RANKS: usize = 8;

/// Reads ranks from a payload.
pub struct Decoder<'a> {
    payload: &'a [u8],
    read: usize,
    range: u32,
    code: u32,
    chances: [[Chance; RANKS]; GROUPS],
}

impl<'a> Decoder<'a> {
    /// Starts at the first byte.
    pub fn new(payload: &'a [u8]) -> Self {
        let chances = [[Chance { yes: WEIGHT, no: WEIGHT }; RANKS]; GROUPS];
        let mut decoder = Self { payload, read: 0, range: u32::MAX, code: 0, chances };
        for _ in 0..4 {
            decoder.code = decoder.code << 8 | decoder.byte();
        }
        decoder
    }

    fn byte(&mut self) -> u32 {
        let byte = self.payload.get(self.read).copied().unwrap_or(0);
        self.read = self.read.saturating_add(1);
        u32::from(byte)
    }

    /// Whether the payload goes on after everything that was needed.
    pub fn has_unused_bytes(&self) -> bool {
        self.read < self.payload.len()
    }

    /// Bytes of the payload read so far.
    pub fn bytes_read(&self) -> u64 {
        self.read.min(self.payload.len()) as u64
    }

    /// Reads the rank of a move among `count` moves, below `count`: is it the first? if not, the
    /// second? and so on; the last one is not asked for.
    pub fn rank(&mut self, count: usize) -> usize {
        let group = (count - 2).min(GROUPS - 1);
        (0..count - 1).find(|&rank| self.bit(group, rank.min(RANKS - 1))).unwrap_or(count - 1)
    }

    fn bit(&mut self, group: usize, rank: usize) -> bool {
        let chance = &mut self.chances[group][rank];
        let bound = self.range / (chance.yes + chance.no) * chance.yes;
        let yes = self.code < bound;
        if yes {
            self.range = bound;
            chance.yes += WEIGHT;
        } else {
            self.code -= bound;
            self.range -= bound;
            chance.no += WEIGHT;
        }
        if chance.yes + chance.no > TOTAL {
            chance.yes = chance.yes.div_ceil(2);
            chance.no = chance.no.div_ceil(2);
        }
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.code = self.code << 8 | self.byte();
        }
        yes
    }
}
