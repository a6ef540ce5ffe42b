//! Bits and prefix codes: how keys and scores are packed into blocks.
//!
//! Bits fill bytes from the lowest up. A gap between keys is a Rice code: its quotient by 2^k in
//! unary (ones, then a zero), its k low bits; a quotient of [`ESCAPE`] or more is that many ones
//! and the gap in 32 bits. Scores have length-limited prefix codes (Larmore and Hirschberg's
//! package-merge), one for each score that can stand before them, in canonical order, first bit
//! first.

/// Longest code of a score, in bits.
pub const MAX_LENGTH: u32 = 10;

/// The unary part of a gap that is written in full.
const ESCAPE: u32 = 24;

/// In a table of lengths: a symbol without a code. One that is alone has the length 0.
pub const ABSENT: u8 = u8::MAX;

/// Writes bits.
#[derive(Default)]
pub struct BitWriter {
    /// The whole bytes so far.
    pub bytes: Vec<u8>,
    pending: u64,
    count: u32,
}

impl BitWriter {
    /// Writes behind some bytes.
    pub fn after(bytes: Vec<u8>) -> Self {
        Self { bytes, ..Self::default() }
    }

    /// Appends the lowest `count` bits, at most 32; the others must be 0.
    pub fn put(&mut self, bits: u32, count: u32) {
        self.pending |= u64::from(bits) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// Fills up the last byte with zeros.
    pub fn align(&mut self) {
        if self.count > 0 {
            self.bytes.push(self.pending as u8);
            (self.pending, self.count) = (0, 0);
        }
    }

    /// Appends a gap with parameter k.
    pub fn put_gap(&mut self, gap: u32, k: u32) {
        let quotient = gap >> k;
        if quotient >= ESCAPE {
            self.put((1 << ESCAPE) - 1, ESCAPE);
            self.put(gap, 32);
        } else {
            self.put((1 << quotient) - 1, quotient + 1);
            self.put(gap & ((1 << k) - 1), k);
        }
    }
}

/// Bits that [`BitWriter::put_gap`] needs.
fn gap_bits(gap: u32, k: u32) -> u64 {
    let quotient = gap >> k;
    if quotient >= ESCAPE { u64::from(ESCAPE) + 32 } else { u64::from(quotient + 1 + k) }
}

/// The best parameter for the gaps between rising keys.
pub fn best_parameter(keys: &[u32]) -> u32 {
    let cost =
        |k: u32| -> u64 { keys.windows(2).map(|pair| gap_bits(pair[1] - pair[0] - 1, k)).sum() };
    let Some((&last, &first)) = keys.last().zip(keys.first()) else { return 0 };
    // The best one is near the logarithm of the mean.
    let mean = u64::from(last - first) / keys.len() as u64;
    let guess = mean.checked_ilog2().unwrap_or(0);
    (guess.saturating_sub(3)..=guess + 1).min_by_key(|&k| cost(k)).unwrap_or(0)
}

/// Reads bits from a slice; behind its end there are zeros.
pub struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> BitReader<'a> {
    /// Begins at a byte.
    pub fn new(bytes: &'a [u8], byte: usize) -> Self {
        Self { bytes, at: 8 * byte }
    }

    /// The next bits, at least 57 of them right.
    #[inline(always)]
    fn window(&self) -> u64 {
        let byte = self.at / 8;
        let word = match self.bytes.get(byte..byte + 8) {
            Some(bytes) => u64::from_le_bytes(bytes.try_into().unwrap_or_default()),
            None => self.last_bytes(byte),
        };
        word >> (self.at % 8)
    }

    #[cold]
    fn last_bytes(&self, byte: usize) -> u64 {
        let rest = self.bytes.get(byte..).unwrap_or_default();
        rest.iter().take(8).rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
    }

    /// Reads a gap with parameter k, below 32.
    #[inline(always)]
    pub fn gap(&mut self, k: u32) -> u32 {
        let window = self.window();
        let quotient = window.trailing_ones();
        if quotient >= ESCAPE {
            self.at += ESCAPE as usize + 32;
            return (window >> ESCAPE) as u32;
        }
        self.at += (quotient + 1 + k) as usize;
        (quotient << k) | ((window >> (quotient + 1)) as u32 & ((1 << k) - 1))
    }

    /// Reads a symbol.
    #[inline(always)]
    pub fn symbol(&mut self, decoder: &Decoder) -> u8 {
        let entry = decoder.0[self.window() as usize % (1 << MAX_LENGTH)];
        self.at += usize::from(entry >> 8);
        entry as u8
    }
}

/// Code lengths that make the text with these frequencies shortest, none above [`MAX_LENGTH`].
/// At most 2^[`MAX_LENGTH`] symbols.
pub fn code_lengths(frequencies: &[u64]) -> Vec<u8> {
    let mut lengths = vec![ABSENT; frequencies.len()];
    let mut items: Vec<(u64, Vec<usize>)> = (0..frequencies.len())
        .filter(|&symbol| frequencies[symbol] > 0)
        .map(|symbol| (frequencies[symbol], vec![symbol]))
        .collect();
    items.sort();
    for (_, symbols) in &items {
        lengths[symbols[0]] = 0;
    }
    if items.len() < 2 {
        return lengths;
    }
    let mut packages = items.clone();
    for _ in 1..MAX_LENGTH {
        let pairs = packages
            .chunks_exact(2)
            .map(|pair| (pair[0].0 + pair[1].0, [&pair[0].1[..], &pair[1].1[..]].concat()));
        let mut next: Vec<_> = items.iter().cloned().chain(pairs).collect();
        next.sort_by_key(|&(weight, _)| weight);
        packages = next;
    }
    for (_, symbols) in &packages[..2 * (items.len() - 1)] {
        for &symbol in symbols {
            lengths[symbol] += 1;
        }
    }
    lengths
}

/// The codes of symbols with these lengths, their first bit lowest; `None` when no prefix code
/// has the lengths.
pub fn codes(lengths: &[u8]) -> Option<Vec<u32>> {
    let mut codes = vec![0; lengths.len()];
    let mut order: Vec<usize> = (0..lengths.len()).filter(|&s| lengths[s] != ABSENT).collect();
    order.sort_by_key(|&symbol| (lengths[symbol], symbol));
    if let [_] = order[..] {
        return (lengths[order[0]] == 0).then_some(codes);
    }
    // The code as a fraction of 2^MAX_LENGTH.
    let mut next = 0_u32;
    for &symbol in &order {
        let length = u32::from(lengths[symbol]);
        if length == 0 || length > MAX_LENGTH || next >= 1 << MAX_LENGTH {
            return None;
        }
        codes[symbol] = next.reverse_bits() >> (32 - MAX_LENGTH);
        next += 1 << (MAX_LENGTH - length);
    }
    (order.is_empty() || next == 1 << MAX_LENGTH).then_some(codes)
}

/// Finds the symbol at the front of a text: by its next [`MAX_LENGTH`] bits.
pub struct Decoder(Box<[u16; 1 << MAX_LENGTH]>);

impl Decoder {
    /// The decoder for codes of these lengths; `None` when there is no such code, or more than
    /// 256 symbols.
    pub fn new(lengths: &[u8]) -> Option<Self> {
        let codes = codes(lengths).filter(|codes| codes.len() <= 256)?;
        let mut table = Box::new([0_u16; 1 << MAX_LENGTH]);
        for (symbol, (&code, &length)) in codes.iter().zip(lengths).enumerate() {
            if length == ABSENT {
                continue;
            }
            for entry in table[code as usize..].iter_mut().step_by(1 << length) {
                *entry = symbol as u16 | u16::from(length) << 8;
            }
        }
        Some(Self(table))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_and_symbols_come_back() {
        let frequencies = [1_000_000, 0, 3, 700_000, 1, 1, 2, 90_000, 5, 400];
        let lengths = code_lengths(&frequencies);
        let codes = codes(&lengths).unwrap();
        let decoder = Decoder::new(&lengths).unwrap();
        assert!(lengths.iter().all(|&length| length == ABSENT || length <= MAX_LENGTH as u8));
        for k in [0, 1, 5, 20, 31] {
            let mut writer = BitWriter::default();
            let gaps = [0, 1, 2, 77, 1 << 20, u32::MAX, 0, 23, 24, 25 << 5, (24 << 5) - 1];
            let symbols = [0, 3, 7, 0, 2, 4, 5, 6, 8, 9, 0];
            for (gap, symbol) in gaps.into_iter().zip(symbols) {
                writer.put_gap(gap, k);
                writer.put(codes[symbol], lengths[symbol].into());
            }
            writer.align();
            let mut reader = BitReader::new(&writer.bytes, 0);
            for (gap, symbol) in gaps.into_iter().zip(symbols) {
                assert_eq!(reader.gap(k), gap, "k = {k}");
                assert_eq!(usize::from(reader.symbol(&decoder)), symbol);
            }
        }
    }

    #[test]
    fn codes_are_as_short_as_possible() {
        // Without the limit Huffman's lengths: 1, 2, 3, 3.
        assert_eq!(code_lengths(&[50, 25, 13, 12]), [1, 2, 3, 3]);
        assert_eq!(code_lengths(&[0, 9, 0]), [ABSENT, 0, ABSENT]);
        assert_eq!(code_lengths(&[0, 0]), [ABSENT, ABSENT]);
        let powers: Vec<u64> = (0..40).map(|i| 1 << i).collect();
        let lengths = code_lengths(&powers);
        assert!(codes(&lengths).is_some());
        assert_eq!(lengths[39], 1);
        assert!(lengths.iter().all(|&length| u32::from(length) <= MAX_LENGTH));
    }

    #[test]
    fn lengths_that_are_no_code_are_refused() {
        for lengths in [&[1, 1, 1][..], &[1, 2], &[0, 0], &[1], &[11, 11], &[0, 1]] {
            assert!(codes(lengths).is_none(), "{lengths:?}");
        }
        assert!(codes(&[ABSENT]).is_some() && codes(&[1, 1]).is_some() && codes(&[0]).is_some());
    }

    #[test]
    fn the_parameter_is_the_best_one() {
        let mut random = 9_u32;
        for spread in [1, 3, 40, 1000, 100_000] {
            let mut keys = vec![0_u32];
            for _ in 0..127 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                keys.push(keys[keys.len() - 1] + 1 + (random >> 8) % spread);
            }
            let cost =
                |k| keys.windows(2).map(|pair| gap_bits(pair[1] - pair[0] - 1, k)).sum::<u64>();
            assert_eq!(cost(best_parameter(&keys)), (0..32).map(cost).min().unwrap(), "{spread}");
        }
    }
}
