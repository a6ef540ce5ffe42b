//! The frame of a certificate: header lines, payload, checksum.

use crate::Reason;
use crate::game::{Game, Position};

/// First line of every certificate of this version.
const MAGIC: &str = "obverse-certificate 1";

/// Longest header accepted, in bytes; a real one is a few hundred.
const MAX_HEADER: usize = 4096;

/// What the score of the position is compared by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// The score is at least the value.
    AtLeast,
    /// The score is at most the value.
    AtMost,
    /// The score is the value.
    Equal,
}

/// What a certificate claims.
#[derive(Clone, Debug)]
pub struct Header {
    /// The game.
    pub game: Game,
    /// The position.
    pub position: Position,
    /// The position as text.
    pub position_text: String,
    /// How its score compares to the value.
    pub relation: Relation,
    /// The value, in discs, from the view of the side to move.
    pub value: i32,
    /// Positions with at most this many empty squares are searched.
    pub leaf_empties: u32,
    /// Bytes of the payload.
    pub payload: u64,
}

impl Header {
    /// The claim in one line: game, position, relation, value, score rule.
    pub fn claim(&self) -> String {
        let relation = match self.relation {
            Relation::AtLeast => ">=",
            Relation::AtMost => "<=",
            Relation::Equal => "=",
        };
        let Self { game, position_text, value, .. } = self;
        format!("{} {position_text} {relation} {value} {}", game.name, game.score_rule())
    }
}

/// Takes a file apart: the header and the payload.
///
/// # Errors
/// When a line is not as expected, or the length or the checksum is wrong.
pub fn read(file: &[u8]) -> Result<(Header, &[u8]), Reason> {
    let mut lines = Lines { file, at: 0, line: 0 };
    let line = lines.next("the line 'obverse-certificate 1'")?;
    lines.require(line == MAGIC, "the line 'obverse-certificate 1'")?;
    let text = lines.field("game ", "'game NAME'")?;
    let game = lines.some(Game::parse(text), "a game in its canonical form")?;
    let position_text = lines.field("position ", "'position SQUARES SIDE'")?;
    let position = game.parse_position(position_text);
    let position = lines.some(position, "a position of the game in its printed form")?;
    let rule = lines.field("score ", "'score RULE'")?;
    lines.require(rule == game.score_rule(), "the score rule of the game")?;
    let claim = lines.field("claim ", "'claim RELATION VALUE'")?;
    let (relation, value) = lines.some(claim.split_once(' '), "'claim RELATION VALUE'")?;
    let relation = match relation {
        ">=" => Some(Relation::AtLeast),
        "<=" => Some(Relation::AtMost),
        "=" => Some(Relation::Equal),
        _ => None,
    };
    let relation = lines.some(relation, "one of the relations >=, <=, =")?;
    let value = lines.number(value, -64, 64, "a value from -64 to 64")?;
    let text = lines.field("leaf-empties ", "'leaf-empties K'")?;
    let leaf_empties = lines.number(text, 0, 64, "a number from 0 to 64")?;
    let text = lines.field("payload ", "'payload BYTES'")?;
    let payload = lines.number(text, 0, i64::MAX, "a number of bytes")?;
    let blank = lines.next("an empty line")?;
    lines.require(blank.is_empty(), "an empty line")?;

    let (start, found) = (lines.at as u64, file.len() as u64);
    let expected = start.saturating_add(payload as u64).saturating_add(4);
    if found != expected {
        return Err(Reason::Length { expected, found });
    }
    let (body, checksum) = file.split_at(file.len() - 4);
    if crc32(body).to_be_bytes() != checksum {
        return Err(Reason::Checksum);
    }
    let header = Header {
        position_text: position_text.to_owned(),
        game,
        position,
        relation,
        value: value as i32,
        leaf_empties: leaf_empties as u32,
        payload: payload as u64,
    };
    Ok((header, &body[lines.at..]))
}

/// The lines of the header, each ended by a line feed.
struct Lines<'a> {
    file: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> Lines<'a> {
    fn some<T>(&self, value: Option<T>, expected: &'static str) -> Result<T, Reason> {
        value.ok_or(Reason::Header { line: self.line, expected })
    }

    fn require(&self, holds: bool, expected: &'static str) -> Result<(), Reason> {
        self.some(holds.then_some(()), expected)
    }

    fn next(&mut self, expected: &'static str) -> Result<&'a str, Reason> {
        self.line += 1;
        let rest = &self.file[self.at..self.file.len().min(MAX_HEADER).max(self.at)];
        let end = self.some(rest.iter().position(|&byte| byte == b'\n'), expected)?;
        self.at += end + 1;
        self.some(std::str::from_utf8(&rest[..end]).ok(), expected)
    }

    fn field(&mut self, name: &str, expected: &'static str) -> Result<&'a str, Reason> {
        let line = self.next(expected)?;
        self.some(line.strip_prefix(name), expected)
    }

    /// A decimal number in the one form in which it is printed.
    fn number(&self, text: &str, low: i64, high: i64, what: &'static str) -> Result<i64, Reason> {
        let number = text.parse::<i64>().ok().filter(|number| number.to_string() == text);
        self.some(number.filter(|number| (low..=high).contains(number)), what)
    }
}

/// CRC-32 as in zip and PNG. It finds accidents; the proof does not rest on it.
pub fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}
