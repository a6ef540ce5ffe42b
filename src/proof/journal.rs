//! Answers of the oracle on disk, so that a killed `prove` continues where it was.
//!
//! A text line `obverse-proof-journal 1 <game>`, then records of 32 bytes, little endian: player
//! (8 bytes), opponent (8), state beyond the discs (2), value (1, signed), whether the score is
//! at least that (1), zeros (8), CRC-32 of the 28 bytes before (4). Records are only appended;
//! reading stops at the first damaged one, and the file is cut there.
//!
//! The answers are not trusted more than the oracle's: the checker decides.

use super::format::crc32;
use crate::board::game::State;
use crate::board::{GameSpec, Position};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Bytes of a record.
const RECORD: usize = 32;

/// Answers are on disk after this time at the latest.
const FLUSH_EVERY: Duration = Duration::from_secs(2);

/// What identifies an answer: player, opponent, state, value.
type Key = (u64, u64, u16, i8);

fn key(position: &Position, value: i32) -> Key {
    let (player, opponent) = (position.player.bits(), position.opponent.bits());
    (player, opponent, position.extra.pack(), value as i8)
}

/// Known answers, and the file to which new ones are appended.
pub struct Journal {
    known: HashMap<Key, bool>,
    file: BufWriter<File>,
    flushed: Instant,
}

impl Journal {
    /// Opens a journal, or begins one.
    ///
    /// # Errors
    /// When the file cannot be read or written, or is no journal of this game.
    pub fn open(path: &Path, game: &GameSpec) -> io::Result<Self> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let head = format!("obverse-proof-journal 1 {game}\n").into_bytes();
        let mut known = HashMap::new();
        let mut end = head.len();
        if bytes.len() < head.len() && head.starts_with(&bytes) {
            // New, or killed while the first line was written.
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&head)?;
        } else if !bytes.starts_with(&head) {
            let message = format!("no journal of {game} proofs; name another file");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        } else {
            for record in bytes[head.len()..].chunks_exact(RECORD) {
                let Some((key, answer)) = parse(record) else { break };
                known.insert(key, answer);
                end += RECORD;
            }
        }
        file.set_len(end as u64)?;
        file.seek(SeekFrom::Start(end as u64))?;
        Ok(Self { known, file: BufWriter::new(file), flushed: Instant::now() })
    }

    /// Number of answers known.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether no answer is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The answer to a question, if it was asked before.
    pub fn answer(&self, position: &Position, value: i32) -> Option<bool> {
        self.known.get(&key(position, value)).copied()
    }

    /// Adds an answer.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, position: &Position, value: i32, answer: bool) -> io::Result<()> {
        let key = key(position, value);
        if self.known.insert(key, answer).is_none() {
            self.file.write_all(&record(key, answer))?;
            if self.flushed.elapsed() > FLUSH_EVERY {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Puts all answers on disk.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_data()?;
        self.flushed = Instant::now();
        Ok(())
    }
}

fn record((player, opponent, state, value): Key, answer: bool) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    record[..8].copy_from_slice(&player.to_le_bytes());
    record[8..16].copy_from_slice(&opponent.to_le_bytes());
    record[16..18].copy_from_slice(&state.to_le_bytes());
    record[18] = value as u8;
    record[19] = u8::from(answer);
    let checksum = crc32(&record[..28]);
    record[28..].copy_from_slice(&checksum.to_le_bytes());
    record
}

fn parse(bytes: &[u8]) -> Option<(Key, bool)> {
    let number = |from| Some(u64::from_le_bytes(bytes.get(from..from + 8)?.try_into().ok()?));
    let state = u16::from_le_bytes(bytes.get(16..18)?.try_into().ok()?);
    let answer = bytes[19] == 1;
    let key = (number(0)?, number(8)?, state, bytes[18] as i8);
    // The checksum stands in the record, so a record that is written the same is undamaged.
    (record(key, answer) == *bytes).then_some((key, answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_survives_a_kill_at_any_byte() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let game: GameSpec = "4x4".parse().unwrap();
        let start = Position::start(&game);
        let mut journal = Journal::open(&path, &game).unwrap();
        for value in -5..5 {
            journal.add(&start, value, value < -2).unwrap();
        }
        journal.flush().unwrap();
        let whole = std::fs::read(&path).unwrap();
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let journal = Journal::open(&path, &game).unwrap();
            let head = whole.len() - 10 * RECORD;
            assert_eq!(journal.len(), length.saturating_sub(head) / RECORD);
            if !journal.is_empty() {
                assert_eq!(journal.answer(&start, -5), Some(true));
            }
            drop(journal);
            let left = std::fs::metadata(&path).unwrap().len() as usize;
            assert_eq!(left, head + length.saturating_sub(head) / RECORD * RECORD);
        }
        let other: GameSpec = "4x4+anti".parse().unwrap();
        assert!(Journal::open(&path, &other).is_err());
    }
}
