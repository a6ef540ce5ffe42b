//! Sorted lists of colourings as 16-bit words: the form in which layers are held and kept while a
//! table is built. Two bytes a colouring, read at the speed of memory.
//!
//! A list is the number of its buckets minus 1, then its buckets: the upper half of the
//! colourings, their number minus 1, and their lower halves in rising order.

use super::step::CHUNK;

/// Appends a list, which must not be empty.
pub fn push_list(words: &mut Vec<u16>, colourings: &[u32]) {
    let head = words.len();
    words.push(0);
    let mut buckets = 0_u32;
    for bucket in colourings.chunk_by(|a, b| a >> 16 == b >> 16) {
        // The halves and counts of a 32-bit set fit 16 bits.
        words.push((bucket[0] >> 16) as u16);
        words.push((bucket.len() - 1) as u16);
        words.extend(bucket.iter().map(|&colouring| colouring as u16));
        buckets += 1;
    }
    words[head] = (buckets - 1) as u16;
}

/// Reads a list; afterwards it stands behind it.
pub struct ListReader<'a> {
    rest: &'a [u16],
    buckets: u32,
    high: u32,
    left: usize,
}

impl<'a> ListReader<'a> {
    /// The list at the beginning of `words`.
    pub fn new(words: &'a [u16]) -> Self {
        match words.split_first() {
            Some((&buckets, rest)) => {
                Self { rest, buckets: u32::from(buckets) + 1, high: 0, left: 0 }
            }
            None => Self { rest: words, buckets: 0, high: 0, left: 0 },
        }
    }

    /// The next colourings, at most [`CHUNK`]; 0 at the end.
    pub fn fill(&mut self, chunk: &mut [u32; CHUNK]) -> usize {
        let mut filled = 0;
        while filled < CHUNK {
            if self.left == 0 {
                if self.buckets == 0 {
                    break;
                }
                let [high, count, rest @ ..] = self.rest else { break };
                self.buckets -= 1;
                self.high = u32::from(*high) << 16;
                self.left = usize::from(*count) + 1;
                self.rest = rest;
            }
            let take = self.left.min(CHUNK - filled).min(self.rest.len());
            if take == 0 {
                break;
            }
            let (low, rest) = self.rest.split_at(take);
            for (to, &from) in chunk[filled..].iter_mut().zip(low) {
                *to = self.high | u32::from(from);
            }
            self.rest = rest;
            self.left -= take;
            filled += take;
        }
        filled
    }

    /// What stands behind the list, once it is read to its end.
    pub fn rest(&self) -> &'a [u16] {
        self.rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back() {
        let lists: [Vec<u32>; 4] = [
            vec![0],
            (0..700).map(|i| i * 3).collect(),
            (0..=0x1_0000).collect(),
            vec![5, 0xffff, 0x1_0000, 0x7fff_ffff, 0xffff_0000, 0xffff_ffff],
        ];
        let mut words = Vec::new();
        for list in &lists {
            push_list(&mut words, list);
        }
        let mut rest = &words[..];
        for list in &lists {
            let mut reader = ListReader::new(rest);
            let mut read = Vec::new();
            let mut chunk = [0; CHUNK];
            loop {
                let count = reader.fill(&mut chunk);
                if count == 0 {
                    break;
                }
                read.extend_from_slice(&chunk[..count]);
            }
            assert_eq!(&read, list);
            rest = reader.rest();
        }
        assert!(rest.is_empty());
    }
}
