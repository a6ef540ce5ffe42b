//! The file: header lines, payload, checksum. `docs/certificates.md` describes every byte.

use super::claim::{Claim, Subject};
use crate::board::{Bitboard, Color, GameSpec, Setup, Square};
use std::fmt;

/// First line of every certificate of this version.
const MAGIC: &str = "obverse-certificate 1";

/// Longest header accepted, in bytes.
const MAX_HEADER: usize = 4096;

/// A proof of a claim, as it is written to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// What the claim is about.
    pub subject: Subject,
    /// The claim.
    pub claim: Claim,
    /// Positions with at most this many empties are left to the checker's search.
    pub leaf_empties: u32,
    /// The coded ranks of the moves that the proving side makes.
    pub payload: Vec<u8>,
}

impl Certificate {
    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { subject, claim, leaf_empties, payload } = self;
        let header = format!(
            "{MAGIC}\ngame {}\nposition {}\nscore {}\nclaim {claim}\nleaf-empties {leaf_empties}\n\
             payload {}\n\n",
            subject.game,
            subject.setup.text(&subject.game),
            subject.game.score_rule(),
            payload.len()
        );
        let mut bytes = header.into_bytes();
        bytes.extend(payload);
        let checksum = crc32(&bytes);
        bytes.extend(checksum.to_be_bytes());
        bytes
    }

    /// Reads a file. Its frame is checked, its proof is not.
    ///
    /// # Errors
    /// When the bytes are no certificate of this version, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        let end = bytes[..bytes.len().min(MAX_HEADER)]
            .windows(2)
            .position(|pair| pair == b"\n\n")
            .ok_or(FormatError::NoHeader)?;
        let text = std::str::from_utf8(&bytes[..end]).map_err(|_| FormatError::NoHeader)?;
        let mut lines = text.split('\n').enumerate();
        let mut field = |name: &'static str| {
            let (number, line) = lines.next().ok_or(FormatError::Line { line: 0, name })?;
            let bad = FormatError::Line { line: number + 1, name };
            let rest = line.strip_prefix(name).ok_or_else(|| bad.clone())?;
            Ok::<_, FormatError>((rest.strip_prefix(' ').unwrap_or(rest), bad))
        };
        let (rest, bad) = field(MAGIC)?;
        if !rest.is_empty() {
            return Err(bad);
        }
        let (text, bad) = field("game")?;
        let game: GameSpec = text.parse().map_err(|_| bad)?;
        let (text, bad) = field("position")?;
        let setup = parse_setup(text, &game).ok_or_else(|| bad.clone())?;
        let subject = Subject::new(&game, &setup).map_err(|_| bad)?;
        let (text, bad) = field("score")?;
        if text != game.score_rule().to_string() {
            return Err(bad);
        }
        let (text, bad) = field("claim")?;
        let claim: Claim = text.parse().map_err(|_| bad)?;
        let (text, bad) = field("leaf-empties")?;
        let leaf_empties = text.parse().ok().filter(|k| *k <= 64).ok_or(bad)?;
        let (text, bad) = field("payload")?;
        let length: usize = text.parse().map_err(|_| bad)?;
        let start = end + 2;
        if bytes.len().checked_sub(start + 4) != Some(length) {
            return Err(FormatError::Length { expected: length });
        }
        let (body, checksum) = bytes.split_at(bytes.len() - 4);
        if crc32(body).to_be_bytes() != checksum {
            return Err(FormatError::Checksum);
        }
        let certificate = Self { subject, claim, leaf_empties, payload: body[start..].to_vec() };
        // One form only: whatever was read leniently above would be printed differently.
        if certificate.to_bytes() == bytes { Ok(certificate) } else { Err(FormatError::NoHeader) }
    }
}

/// Reads a position in its printed form.
fn parse_setup(text: &str, game: &GameSpec) -> Option<Setup> {
    let (board, rest) = text.split_once(' ')?;
    let (side, supply) = match rest.split_once(" supply=") {
        Some((side, supply)) => {
            let (black, white) = supply.split_once('/')?;
            (side, Some([black.parse().ok()?, white.parse().ok()?]))
        }
        None => (rest, None),
    };
    let side = match side {
        "X" => Color::Black,
        "O" => Color::White,
        _ => return None,
    };
    let squares = Bitboard::rectangle(game.width(), game.height());
    let of = |letter: u8| -> Bitboard {
        let marked = squares.into_iter().zip(board.bytes()).filter(|&(_, byte)| byte == letter);
        marked.map(|(square, _): (Square, _)| square).collect()
    };
    Some(Setup { black: of(b'X'), white: of(b'O'), side, supply })
}

/// Why bytes are no certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatError {
    /// No header of this version at the start.
    NoHeader,
    /// A line of the header is not as expected.
    Line {
        /// The line, from 1; 0 when it is missing.
        line: usize,
        /// The name with which it begins.
        name: &'static str,
    },
    /// The file is too short or too long.
    Length {
        /// Bytes of payload that the header announces.
        expected: usize,
    },
    /// The checksum does not fit.
    Checksum,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHeader => {
                write!(f, "no certificate: it does not begin with a '{MAGIC}' header")
            }
            Self::Line { line: 0, name } => write!(f, "the header has no line '{name} ...'"),
            Self::Line { line, name } => {
                write!(f, "line {line} of the header should be a valid '{name} ...'")
            }
            Self::Length { expected } => {
                write!(f, "truncated or lengthened: the header announces {expected} payload bytes")
            }
            Self::Checksum => f.write_str("damaged: the checksum does not fit"),
        }
    }
}

impl std::error::Error for FormatError {}

/// CRC-32 as in zip and PNG: finds accidents, proves nothing.
pub fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}
