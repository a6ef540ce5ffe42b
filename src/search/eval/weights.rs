//! Trained weights of the patterns of one board, by stage of the game; how they stand in a file.
//!
//! Layout (all numbers little-endian; `docs/evaluation.md` says more):
//!
//! | bytes | content |
//! |---|---|
//! | 8 | magic `OBVEVAL` and a zero byte |
//! | 2 | version, 1 |
//! | 1 | side of the board |
//! | 1 | stages, n |
//! | 4 | digest of the patterns |
//! | n | for each stage the most empties it serves, rising |
//! | 2 (side² + 1) | constant for each number of empties |
//! | ... | for each stage and class the weights of its distinct contents, coded |
//! | 4 | CRC-32 of all before |
//!
//! Coded: a byte other than 0 and 0x80 is a weight of -127 to 127; 0 and a byte n are n + 1
//! weights of 0; 0x80 and two bytes are any other weight. The unit is 1/16 disc.

use super::pattern::{BLOCK, BLOCKS, Patterns, Traces};
use std::fmt;

const MAGIC: [u8; 8] = *b"OBVEVAL\0";
const VERSION: u16 = 1;
const RUN: u8 = 0;
const WIDE: u8 = 0x80;

/// Places in one stage.
pub const STAGE_PLACES: usize = BLOCKS * BLOCK;

/// Weights by stage, in units of 1/16 disc.
pub struct Weights {
    patterns: Patterns,
    /// For each stage the most empties it serves.
    limits: Vec<u8>,
    /// For each number of empties its stage.
    stage_of: [u8; 65],
    constants: [i16; 65],
    /// Stage by stage, block by block.
    values: Vec<i16>,
}

impl Weights {
    /// Weights of zero. `limits` are the most empties of each stage, rising; more empties belong
    /// to the last stage.
    ///
    /// # Errors
    /// When the board has no patterns, or the stages do not rise.
    pub fn new(side: u32, limits: &[u8]) -> Result<Self, WeightsError> {
        let patterns = Patterns::of_side(side).ok_or(WeightsError::Board(side))?;
        if limits.is_empty() || !limits.is_sorted_by(|a, b| a < b) {
            return Err(WeightsError::Corrupt);
        }
        let stage = |empties| limits.iter().position(|&most| empties <= most);
        let stage_of =
            std::array::from_fn(|empties| stage(empties as u8).unwrap_or(limits.len() - 1) as u8);
        Ok(Self {
            patterns,
            limits: limits.to_vec(),
            stage_of,
            constants: [0; 65],
            values: vec![0; limits.len() * STAGE_PLACES],
        })
    }

    /// The patterns.
    #[inline(always)]
    pub fn patterns(&self) -> &Patterns {
        &self.patterns
    }

    /// The most empties of each stage.
    pub fn limits(&self) -> &[u8] {
        &self.limits
    }

    /// The constants by number of empties.
    pub fn constants_mut(&mut self) -> &mut [i16; 65] {
        &mut self.constants
    }

    /// The weights of a stage by place; equivalent places must hold equal weights.
    pub fn stage_mut(&mut self, stage: usize) -> &mut [i16] {
        &mut self.values[stage * STAGE_PLACES..][..STAGE_PLACES]
    }

    /// The guess for a position with these traces.
    #[inline(always)]
    pub fn guess(&self, traces: &Traces, empties: u32) -> i32 {
        let empties = (empties as usize).min(64);
        let stage = usize::from(self.stage_of[empties]);
        let mut sum = i32::from(self.constants[empties]);
        let (blocks, _) = self.values[stage * STAGE_PLACES..].as_chunks::<BLOCK>();
        let places = self.patterns.places(traces);
        for (i, block) in blocks.iter().take(BLOCKS).enumerate() {
            for &place in places.of_block(i) {
                sum += i32::from(block[usize::from(place)]);
            }
        }
        sum
    }

    /// The file that holds these weights.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([self.patterns.side() as u8, self.limits.len() as u8]);
        bytes.extend(self.patterns.digest().to_le_bytes());
        bytes.extend(&self.limits);
        let squares = self.patterns.side().pow(2) as usize;
        bytes.extend(self.constants[..=squares].iter().flat_map(|c| c.to_le_bytes()));
        let mut zeros = 0;
        for stage in self.values.chunks(STAGE_PLACES) {
            for class in self.patterns.classes() {
                for content in class.distinct() {
                    let weight = stage[class.place(content)];
                    if weight == 0 {
                        zeros += 1;
                        continue;
                    }
                    write_zeros(&mut bytes, &mut zeros);
                    if let Ok(narrow @ -127..=127) = i8::try_from(weight) {
                        bytes.push(narrow as u8);
                    } else {
                        bytes.push(WIDE);
                        bytes.extend(weight.to_le_bytes());
                    }
                }
            }
        }
        write_zeros(&mut bytes, &mut zeros);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a file of weights.
    ///
    /// # Errors
    /// When it is none, is of another version or for other patterns, or is damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsError> {
        if bytes.get(..8) != Some(&MAGIC) {
            return Err(WeightsError::Foreign);
        }
        let (body, sum) = bytes.split_last_chunk().ok_or(WeightsError::Corrupt)?;
        let mut input = Input(body.get(8..).ok_or(WeightsError::Corrupt)?);
        let version = u16::from_le_bytes(input.take()?);
        if version != VERSION {
            return Err(WeightsError::Version(version));
        }
        if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
            return Err(WeightsError::Corrupt);
        }
        let [side, stages] = input.take()?;
        let digest = u32::from_le_bytes(input.take()?);
        let limits = input.take_slice(usize::from(stages))?;
        let mut weights = Self::new(u32::from(side), limits)?;
        if weights.patterns.digest() != digest {
            return Err(WeightsError::Patterns);
        }
        for constant in &mut weights.constants[..=usize::from(side).pow(2)] {
            *constant = i16::from_le_bytes(input.take()?);
        }
        let mut zeros = 0;
        for stage in weights.values.chunks_mut(STAGE_PLACES) {
            for class in weights.patterns.classes() {
                for content in class.distinct() {
                    stage[class.place(content)] = input.next_weight(&mut zeros)?;
                }
                for (place, equivalent) in class.places() {
                    stage[place] = stage[equivalent];
                }
            }
        }
        if zeros != 0 || !input.0.is_empty() {
            return Err(WeightsError::Corrupt);
        }
        Ok(weights)
    }
}

fn write_zeros(bytes: &mut Vec<u8>, zeros: &mut usize) {
    while *zeros > 0 {
        let run = (*zeros).min(256);
        bytes.extend([RUN, (run - 1) as u8]);
        *zeros -= run;
    }
}

/// The rest of a file.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], WeightsError> {
        let (head, rest) = self.0.split_first_chunk().ok_or(WeightsError::Corrupt)?;
        self.0 = rest;
        Ok(*head)
    }

    fn take_slice(&mut self, n: usize) -> Result<&'a [u8], WeightsError> {
        let (head, rest) = self.0.split_at_checked(n).ok_or(WeightsError::Corrupt)?;
        self.0 = rest;
        Ok(head)
    }

    /// The next weight; `zeros` are those left of a run.
    #[inline]
    fn next_weight(&mut self, zeros: &mut u32) -> Result<i16, WeightsError> {
        if *zeros > 0 {
            *zeros -= 1;
            return Ok(0);
        }
        match self.take::<1>()? {
            [RUN] => {
                *zeros = u32::from(self.take::<1>()?[0]);
                Ok(0)
            }
            [WIDE] => Ok(i16::from_le_bytes(self.take()?)),
            [narrow] => Ok(i16::from(narrow as i8)),
        }
    }
}

/// Why weights cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightsError {
    /// The file is no file of weights.
    Foreign,
    /// It has another version of the layout.
    Version(u16),
    /// There are no patterns for a board of this side.
    Board(u32),
    /// It was trained for other patterns.
    Patterns,
    /// It is damaged or cut short.
    Corrupt,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => f.write_str("not a file of evaluation weights"),
            Self::Version(version) => {
                write!(f, "weights of layout version {version}; this program reads {VERSION}")
            }
            Self::Board(side) => write!(f, "there are no patterns for a board of side {side}"),
            Self::Patterns => f.write_str("weights for other patterns; train them anew"),
            Self::Corrupt => f.write_str("damaged or cut short; train the weights anew"),
        }
    }
}

impl std::error::Error for WeightsError {}
