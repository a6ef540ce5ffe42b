//! A cursor over a text of several lines that knows its line and column.

use super::span::Problem;

/// Where reading stands in a text.
#[derive(Clone, Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    offset: usize,
    line: usize,
    column: usize,
}

impl<'a> Scanner<'a> {
    /// At the start of a text, a byte order mark left out.
    pub(super) fn new(text: &'a str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self { text, offset: 0, line: 1, column: 1 }
    }

    /// What is left.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.offset == self.text.len()
    }

    /// The line, counted from 1.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// The column, counted from 1 in characters.
    pub(super) fn column(&self) -> usize {
        self.column
    }

    /// A problem at this place.
    pub(super) fn problem(&self, kind: &'static str, message: String) -> Problem {
        Problem::at(self.column, kind, message).on_line(self.line)
    }

    /// The next character.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Goes over one character.
    pub(super) fn skip_char(&mut self) {
        if let Some(c) = self.peek() {
            self.offset += c.len_utf8();
            if c == '\n' {
                (self.line, self.column) = (self.line + 1, 1);
            } else {
                self.column += 1;
            }
        }
    }

    pub(super) fn skip_blanks(&mut self) {
        self.take_while(|c| c.is_ascii_whitespace());
    }

    /// Goes over `token` if it is next.
    pub(super) fn eat(&mut self, token: &str) -> bool {
        let is_next = self.rest().starts_with(token);
        if is_next {
            for _ in token.chars() {
                self.skip_char();
            }
        }
        is_next
    }

    /// The characters up to the first one that does not fit.
    pub(super) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let start = self.offset;
        while self.peek().is_some_and(&fits) {
            self.skip_char();
        }
        &self.text[start..self.offset]
    }

    /// The characters up to `end` or the first `stop`.
    pub(super) fn take_until(&mut self, end: char, stop: &str) -> &'a str {
        let start = self.offset;
        while self.peek().is_some_and(|c| c != end) && !self.rest().starts_with(stop) {
            self.skip_char();
        }
        &self.text[start..self.offset]
    }

    /// Goes to the next `token`, or to the end.
    pub(super) fn skip_to(&mut self, token: &str) {
        while !self.is_at_end() && !self.rest().starts_with(token) {
            self.skip_char();
        }
    }
}
