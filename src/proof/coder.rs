//! The adaptive range coder for the ranks of moves: the binary arithmetic coder of LZMA (Igor
//! Pavlov), with counts instead of shifted probabilities because the sequences are short.
//!
//! `docs/certificates.md` describes it step by step. The checker has its own decoder on purpose.

/// Weight of one answer, and the total at which old answers are halved.
const WEIGHT: u32 = 32;
const TOTAL: u32 = 1 << 13;

/// Groups of move counts, and ranks with a context of their own.
const GROUPS: usize = 8;
const RANKS: usize = 8;

/// The range is kept at least this large.
const BOTTOM: u32 = 1 << 24;

/// How often "yes" and "no" were coded in one context, with a head start of one each.
#[derive(Clone, Copy)]
struct Chance {
    yes: u32,
    no: u32,
}

impl Chance {
    /// The part of the range that stands for "yes"; never empty, never the whole.
    fn bound(self, range: u32) -> u32 {
        range / (self.yes + self.no) * self.yes
    }

    fn learn(&mut self, yes: bool) {
        if yes {
            self.yes += WEIGHT;
        } else {
            self.no += WEIGHT;
        }
        if self.yes + self.no > TOTAL {
            self.yes = self.yes.div_ceil(2);
            self.no = self.no.div_ceil(2);
        }
    }
}

/// What both directions know of the sequence so far.
struct Model {
    chances: [[Chance; RANKS]; GROUPS],
}

impl Model {
    const fn new() -> Self {
        Self { chances: [[Chance { yes: WEIGHT, no: WEIGHT }; RANKS]; GROUPS] }
    }

    /// The context of the question whether the rank among `count` moves is `rank`.
    fn chance(&mut self, count: usize, rank: usize) -> &mut Chance {
        &mut self.chances[(count - 2).min(GROUPS - 1)][rank.min(RANKS - 1)]
    }
}

/// Turns ranks into bytes.
pub struct Encoder {
    model: Model,
    low: u64,
    range: u32,
    /// The last byte that a carry may still change, and how many 0xff bytes follow it.
    held: u8,
    pending: usize,
    bytes: Vec<u8>,
}

impl Encoder {
    /// An encoder of nothing yet.
    pub fn new() -> Self {
        Self {
            model: Model::new(),
            low: 0,
            range: u32::MAX,
            held: 0,
            pending: 0,
            bytes: Vec::new(),
        }
    }

    /// Adds the rank of a move among `count` moves, `rank < count`, `count >= 2`.
    pub fn rank(&mut self, rank: usize, count: usize) {
        for question in 0..count - 1 {
            self.bit(question == rank, count, question);
            if question == rank {
                break;
            }
        }
    }

    fn bit(&mut self, yes: bool, count: usize, question: usize) {
        let chance = self.model.chance(count, question);
        let bound = chance.bound(self.range);
        chance.learn(yes);
        if yes {
            self.range = bound;
        } else {
            self.low += u64::from(bound);
            self.range -= bound;
        }
        while self.range < BOTTOM {
            self.range <<= 8;
            self.shift();
        }
    }

    /// Moves the top byte of `low` out; a carry runs through the bytes that wait for one.
    fn shift(&mut self) {
        let carry = (self.low >> 32) as u8;
        let top = (self.low >> 24) as u8;
        if top == 0xff && carry == 0 {
            self.pending += 1;
        } else {
            self.bytes.push(self.held.wrapping_add(carry));
            for _ in 0..self.pending {
                self.bytes.push(0xff_u8.wrapping_add(carry));
            }
            self.pending = 0;
            self.held = top;
        }
        self.low = (self.low << 8) & 0xffff_ffff;
    }

    /// The payload: as few bytes as decode to the ranks, for zeros are read past its end.
    pub fn finish(mut self) -> Vec<u8> {
        let end = self.low + u64::from(self.range);
        let roundest = (0..=32).rev().map(|bits| ((self.low + (1 << bits) - 1) >> bits) << bits);
        self.low = roundest.into_iter().find(|&value| value < end).unwrap_or(self.low);
        for _ in 0..5 {
            self.shift();
        }
        // The first byte is the one held at the start: always 0, never read.
        let mut bytes = self.bytes.split_off(1);
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
        bytes
    }
}

/// Turns bytes into ranks. Any bytes decode to some ranks.
pub struct Decoder<'a> {
    model: Model,
    payload: std::slice::Iter<'a, u8>,
    range: u32,
    code: u32,
}

impl<'a> Decoder<'a> {
    /// Starts at the first byte.
    pub fn new(payload: &'a [u8]) -> Self {
        let mut decoder =
            Self { model: Model::new(), payload: payload.iter(), range: u32::MAX, code: 0 };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    fn shift(&mut self) {
        self.code = self.code << 8 | u32::from(self.payload.next().copied().unwrap_or(0));
    }

    /// The next rank, of a move among `count` moves, `count >= 2`.
    pub fn rank(&mut self, count: usize) -> usize {
        (0..count - 1).find(|&question| self.bit(count, question)).unwrap_or(count - 1)
    }

    fn bit(&mut self, count: usize, question: usize) -> bool {
        let chance = self.model.chance(count, question);
        let bound = chance.bound(self.range);
        let yes = self.code < bound;
        chance.learn(yes);
        if yes {
            self.range = bound;
        } else {
            self.code -= bound;
            self.range -= bound;
        }
        while self.range < BOTTOM {
            self.range <<= 8;
            self.shift();
        }
        yes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round_trip(symbols: &[(usize, usize)]) -> usize {
        let mut encoder = Encoder::new();
        for &(rank, count) in symbols {
            encoder.rank(rank, count);
        }
        let payload = encoder.finish();
        let mut decoder = Decoder::new(&payload);
        for &(rank, count) in symbols {
            assert_eq!(decoder.rank(count), rank);
        }
        assert_eq!(decoder.payload.len(), 0, "bytes that the decoder never reads");
        payload.len()
    }

    proptest! {
        #[test]
        fn what_is_coded_is_decoded(
            symbols in prop::collection::vec((2_usize..34).prop_flat_map(|n| (0..n, Just(n))), 0..999)
        ) {
            round_trip(&symbols);
        }
    }

    #[test]
    fn likely_ranks_are_short() {
        assert_eq!(round_trip(&[]), 0);
        assert!(round_trip(&[(0, 8); 10_000]) < 60);
        assert!(round_trip(&[(33, 34); 1000]) < 300);
    }
}
