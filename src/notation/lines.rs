//! Lines of an input with a bound on their length: the memory used never depends on the input.

use super::span::{Problem, Span};
use std::io::{BufRead, ErrorKind};

/// The longest line that is read, in bytes. Ten times the longest annotated position is far less.
pub(super) const MAX_LINE: usize = 1 << 16;

/// The longest piece of the input that a message repeats, in characters.
pub(super) const MAX_ECHO: usize = 40;

/// The message of a `too-long` error.
pub(super) fn too_long_message() -> String {
    format!("longer than {MAX_LINE} bytes, which no position is")
}

/// The lines of a reader, each with its number.
#[derive(Debug)]
pub(super) struct Lines<R> {
    reader: R,
    number: usize,
    broken: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, number: 0, broken: false }
    }

    /// Reads up to and without the next newline. `None` at the end of the input, `Some(None)` for
    /// a line above the limit, of which only the limit is kept in memory.
    fn bytes(&mut self) -> std::io::Result<Option<Option<Vec<u8>>>> {
        let (mut line, mut any, mut too_long) = (Vec::new(), false, false);
        loop {
            let chunk = match self.reader.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let newline = chunk.iter().position(|&byte| byte == b'\n');
            let piece = &chunk[..newline.unwrap_or(chunk.len())];
            any |= !chunk.is_empty();
            too_long |= line.len() + piece.len() > MAX_LINE;
            if too_long {
                line.clear();
            } else {
                line.extend_from_slice(piece);
            }
            let (ended, used) = (chunk.is_empty() || newline.is_some(), piece.len());
            self.reader.consume(used + usize::from(newline.is_some()));
            if ended {
                return Ok(any.then_some((!too_long).then_some(line)));
            }
        }
    }

    /// The bytes of a line as text. What is no UTF-8 is tolerated in a comment only.
    fn decode(&self, mut line: Vec<u8>) -> Result<String, Problem> {
        const BOM: &[u8] = "\u{feff}".as_bytes();
        if self.number == 1 && line.starts_with(BOM) {
            line.drain(..BOM.len());
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        String::from_utf8(line).or_else(|error| {
            let valid = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            let before = String::from_utf8_lossy(&bytes[..valid]);
            if before.contains('%') && !before.trim_start().starts_with('{') {
                return Ok(Span::new(&before).without_comment().text.to_owned());
            }
            let message = "the bytes from here on are no UTF-8".to_owned();
            Err(Problem::at(before.chars().count() + 1, "not-utf8", message))
        })
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = (usize, Result<String, Problem>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.broken {
            return None;
        }
        let line = self.bytes();
        self.number += 1;
        let text = match line {
            Ok(Some(Some(line))) => self.decode(line),
            Ok(Some(None)) => Err(Problem::new("too-long", too_long_message())),
            Ok(None) => return None,
            Err(error) => {
                self.broken = true;
                Err(Problem::new("io", format!("cannot read on: {error}")))
            }
        };
        Some((self.number, text))
    }
}
