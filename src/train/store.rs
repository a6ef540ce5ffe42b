//! The file of training games: written block by block, so that a killed run goes on where it was.
//!
//! Layout (little-endian): magic `OBVGAMES`, version (2 bytes), length of a text (2 bytes), the
//! text, which names the game and all settings; then blocks: number (4), length (4), payload,
//! CRC-32 of number, length and payload (4). A payload is a row of lines: both sets of discs
//! (8 + 8), score (1), number of moves (1), the moves.

use super::play::Line;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const MAGIC: [u8; 8] = *b"OBVGAMES";
const VERSION: u16 = 1;

/// Why a file of games cannot be used.
#[derive(Debug)]
pub enum StoreError {
    /// The file cannot be read or written.
    Io(PathBuf, io::Error),
    /// It is no file of games, or of another version.
    Foreign(PathBuf),
    /// It was made with other settings: what it says, and what was asked for.
    Settings(PathBuf, String, String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Foreign(path) => write!(f, "{}: not a file of training games", path.display()),
            Self::Settings(path, found, wanted) => write!(
                f,
                "{}: made with other settings ('{found}', not '{wanted}'); name another file",
                path.display()
            ),
        }
    }
}

impl std::error::Error for StoreError {}

/// A file of games, open at its end.
pub struct Store {
    path: PathBuf,
    file: File,
    blocks: u32,
}

impl Store {
    /// Makes a file, in place of whatever was there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path, settings: &str) -> Result<Self, StoreError> {
        let fail = |error| StoreError::Io(path.to_owned(), error);
        let mut head = MAGIC.to_vec();
        head.extend(VERSION.to_le_bytes());
        head.extend((settings.len() as u16).to_le_bytes());
        head.extend(settings.as_bytes());
        let mut file = File::create(path).map_err(fail)?;
        file.write_all(&head).map_err(fail)?;
        Ok(Self { path: path.to_owned(), file, blocks: 0 })
    }

    /// Opens a file to go on with it; a block that was cut short is dropped.
    ///
    /// # Errors
    /// When it cannot be read, or was made with other settings.
    pub fn resume(path: &Path, settings: &str) -> Result<Self, StoreError> {
        let mut reader = Reader::open(path)?;
        if reader.settings != settings {
            let found = reader.settings;
            return Err(StoreError::Settings(path.to_owned(), found, settings.to_owned()));
        }
        let mut end = reader.position;
        let mut blocks = 0;
        while let Some((number, _)) = reader.next_block()? {
            if number != blocks {
                break;
            }
            blocks += 1;
            end = reader.position;
        }
        let fail = |error| StoreError::Io(path.to_owned(), error);
        let mut file = OpenOptions::new().write(true).open(path).map_err(fail)?;
        file.set_len(end).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        Ok(Self { path: path.to_owned(), file, blocks })
    }

    /// Number of blocks so far.
    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    /// Adds a block.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&mut self, lines: &[Line]) -> Result<(), StoreError> {
        let mut payload = Vec::new();
        for line in lines {
            payload.extend(line.player.to_le_bytes());
            payload.extend(line.opponent.to_le_bytes());
            payload.extend([line.score as u8, line.moves.len() as u8]);
            payload.extend(&line.moves);
        }
        let mut block = self.blocks.to_le_bytes().to_vec();
        block.extend((payload.len() as u32).to_le_bytes());
        block.extend(payload);
        block.extend(crc32fast::hash(&block).to_le_bytes());
        self.file.write_all(&block).map_err(|error| StoreError::Io(self.path.clone(), error))?;
        self.blocks += 1;
        Ok(())
    }
}

/// Reads a file of games from its beginning.
pub struct Reader {
    path: PathBuf,
    input: BufReader<File>,
    /// Bytes read so far that are whole and right.
    position: u64,
    settings: String,
}

impl Reader {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read or is no file of games.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let fail = |error| StoreError::Io(path.to_owned(), error);
        let foreign = |_| StoreError::Foreign(path.to_owned());
        let mut input = BufReader::new(File::open(path).map_err(fail)?);
        let mut head = [0; 12];
        input.read_exact(&mut head).map_err(foreign)?;
        let right = head[..8] == MAGIC && head[8..10] == VERSION.to_le_bytes();
        if !right {
            return Err(StoreError::Foreign(path.to_owned()));
        }
        let mut text = vec![0; usize::from(u16::from_le_bytes([head[10], head[11]]))];
        input.read_exact(&mut text).map_err(foreign)?;
        let position = (head.len() + text.len()) as u64;
        let settings = String::from_utf8(text).map_err(|_| StoreError::Foreign(path.to_owned()))?;
        Ok(Self { path: path.to_owned(), input, position, settings })
    }

    /// The next block with its number; `None` at the end, or where the file is damaged.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn next_block(&mut self) -> Result<Option<(u32, Vec<Line>)>, StoreError> {
        let mut block = vec![0; 8];
        if !self.read(&mut block)? {
            return Ok(None);
        }
        let number = u32::from_le_bytes([block[0], block[1], block[2], block[3]]);
        let length = u32::from_le_bytes([block[4], block[5], block[6], block[7]]) as usize;
        // A damaged length must not ask for all the memory there is.
        const LONGEST: usize = 1 << 28;
        if length > LONGEST {
            return Ok(None);
        }
        block.resize(8 + length, 0);
        let mut sum = [0; 4];
        if !(self.read(&mut block[8..])? && self.read(&mut sum)?)
            || crc32fast::hash(&block) != u32::from_le_bytes(sum)
        {
            return Ok(None);
        }
        self.position += block.len() as u64 + 4;
        Ok(parse(&block[8..]).map(|lines| (number, lines)))
    }

    /// Fills a buffer; false at the end of the file.
    fn read(&mut self, buffer: &mut [u8]) -> Result<bool, StoreError> {
        match self.input.read_exact(buffer) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(StoreError::Io(self.path.clone(), error)),
        }
    }
}

/// The lines of a payload.
fn parse(mut payload: &[u8]) -> Option<Vec<Line>> {
    let mut lines = Vec::new();
    while !payload.is_empty() {
        let (head, rest) = payload.split_first_chunk::<18>()?;
        let (moves, rest) = rest.split_at_checked(usize::from(head[17]))?;
        let discs = |from: usize| head[from..from + 8].try_into().map(u64::from_le_bytes).ok();
        lines.push(Line {
            player: discs(0)?,
            opponent: discs(8)?,
            score: head[16] as i8,
            moves: moves.to_vec(),
        });
        payload = rest;
    }
    Some(lines)
}
