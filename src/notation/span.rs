//! A stretch of a line that knows its column, and what can be wrong with it.

use super::lines;

/// A stretch of one line and the column, counted from 1, at which it starts.
///
/// The readers cut spans at byte offsets and count columns with them: both are sound because
/// [`Span::ascii`] stands before all of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span<'a> {
    pub(super) text: &'a str,
    pub(super) column: usize,
}

impl<'a> Span<'a> {
    /// A whole line.
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, column: 1 }
    }

    /// The span without a comment: everything before the first `%`.
    pub(super) fn without_comment(self) -> Self {
        self.until('%')
    }

    /// Everything before the first `end`.
    pub(super) fn until(self, end: char) -> Self {
        let text = self.text.split(end).next().unwrap_or_default();
        Self { text, ..self }
    }

    /// The same span, if it is of ASCII alone.
    pub(super) fn ascii(self) -> Result<Self, Problem> {
        let Some((nth, c)) = self.text.chars().enumerate().find(|(_, c)| !c.is_ascii()) else {
            return Ok(self);
        };
        let what = match c {
            '\u{ff01}'..='\u{ff5e}' => "a full-width character; type it in ASCII",
            '\u{feff}' => "a byte order mark inside the text",
            _ => "no ASCII character",
        };
        let message = format!("{} is {what}", quoted(&c.to_string()));
        Err(Problem::at(self.column + nth, "non-ascii", message))
    }

    /// Everything from a byte offset on.
    pub(super) fn from(self, offset: usize) -> Self {
        Self { text: &self.text[offset..], column: self.column + offset }
    }

    /// Everything before a byte offset.
    pub(super) fn to(self, offset: usize) -> Self {
        Self { text: &self.text[..offset], ..self }
    }

    /// Without the blanks at both ends.
    pub(super) fn trim(self) -> Self {
        let start = self.text.trim_start();
        Self { text: start.trim_end(), column: self.column + self.text.len() - start.len() }
    }

    /// The leading word (up to a blank or a `;`), and the rest.
    pub(super) fn word(self) -> (Self, Self) {
        let span = self.trim();
        let end = span.text.find(|c| is_blank(c) || c == ';').unwrap_or(span.text.len());
        (span.to(end), span.from(end))
    }

    pub(super) fn is_empty(self) -> bool {
        self.text.is_empty()
    }
}

/// Whether a character may stand between squares and words.
pub(super) fn is_blank(c: char) -> bool {
    c == ' ' || c == '\t'
}

/// What is wrong with a line; the location is added by whoever knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Problem {
    /// The line, where the reader of a text of several lines knows better than its caller.
    pub(super) line: Option<usize>,
    pub(super) column: Option<usize>,
    pub(super) kind: &'static str,
    pub(super) message: String,
}

impl Problem {
    pub(super) fn new(kind: &'static str, message: String) -> Self {
        Self { line: None, column: None, kind, message }
    }

    pub(super) fn at(column: usize, kind: &'static str, message: String) -> Self {
        Self { line: None, column: Some(column), kind, message }
    }

    /// The same on this line.
    pub(super) fn on_line(self, line: usize) -> Self {
        Self { line: Some(line), ..self }
    }
}

/// A piece of the input for a message: quoted, escaped, and cut when it is long.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", shortened(text, lines::MAX_ECHO))
}

/// The first `limit` characters, escaped, with an ellipsis for the others.
pub(super) fn shortened(text: &str, limit: usize) -> String {
    let mut out: String = text
        .chars()
        .take(limit)
        .flat_map(|c| {
            // Quotes stay as they are; control characters must not reach a terminal.
            let (plain, escaped) = if c == '\'' || c == '"' {
                (Some(c), None)
            } else {
                (None, Some(c.escape_debug()))
            };
            plain.into_iter().chain(escaped.into_iter().flatten())
        })
        .collect();
    if text.chars().nth(limit).is_some() {
        out.push_str("...");
    }
    out
}
