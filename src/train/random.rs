//! Seeded random numbers (SplitMix64 by S. Vigna): the same seed, the same games.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream number `stream` of a seed.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self(seed);
        random.0 = random.bits() ^ stream.wrapping_mul(0xd6e8_feb8_6659_fd93);
        random.bits();
        random
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which must not be 0; the bias is below 2^-32 for small ends.
    pub fn below(&mut self, end: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(end)) >> 32) as u32
    }

    /// A random one of the squares of a set, which must not be empty.
    pub fn square_of(&mut self, set: u64) -> u32 {
        let mut rest = set;
        for _ in 0..self.below(set.count_ones()) {
            rest &= rest - 1;
        }
        rest.trailing_zeros()
    }

    /// A bell-shaped number with mean 0 and the given standard deviation.
    pub fn bell(&mut self, deviation: i32) -> i32 {
        // The sum of four numbers uniform on 0..=1 has deviation sqrt(4/12).
        let bits = self.bits();
        let sum: u64 = (0..4).map(|i| bits >> (16 * i) & 0xffff).sum();
        let centred = sum as i64 - 2 * 0xffff;
        (centred * i64::from(deviation) * 1000 / (577 * 0xffff)) as i32
    }

    /// Brings a slice into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}
