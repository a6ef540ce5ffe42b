//! Numbered lists of moves as PlayOK and others write them, and PGN-like files of Othello games.
//!
//! ```text
//! [Black "somebody"]            tags, optional; [FEN "..."] sets the position
//! 1. F5 f4 2. F3 g4             moves with their numbers, over any number of lines
//! 3. H3 f6 34-30                a result may end the game: 34-30, 1-0, 0-1, 1/2-1/2, *
//! ```
//! Numbers must follow each other, so that a list with a gap is not taken for a game. Passes need
//! not be written. In a result Black stands first.

use super::board;
use super::game::{Ending, GameRecord, GameResult};
use super::replay::Replay;
use super::scan::Scanner;
use super::span::{Problem, quoted};
use super::transcript;
use super::{InputError, Location};
use crate::board::{Bitboard, Color, GameSpec, Move, Setup, Square};
use std::fmt::Write;

/// Moves on a line that is written.
const PER_LINE: usize = 10;

/// The games of a text.
pub(super) struct Games<'a> {
    scanner: Scanner<'a>,
    source: &'a str,
    game: GameSpec,
    count: usize,
}

/// `[Name "value"]`.
struct Tag<'a> {
    name: &'a str,
    value: &'a str,
    line: usize,
    column: usize,
}

/// A word between blanks.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    line: usize,
    column: usize,
}

impl Word<'_> {
    fn bad(&self, kind: &'static str, message: String) -> Problem {
        Problem::at(self.column, kind, message).on_line(self.line)
    }
}

impl<'a> Games<'a> {
    pub(super) fn new(text: &'a str, source: &'a str, base: &GameSpec) -> Self {
        Self { scanner: Scanner::new(text), source, game: *base, count: 0 }
    }

    /// The tags at the front.
    fn tags(&mut self) -> Result<Vec<Tag<'a>>, Problem> {
        let mut tags = Vec::new();
        loop {
            self.scanner.skip_blanks();
            if !self.scanner.eat("[") {
                return Ok(tags);
            }
            let name = self.scanner.take_while(|c| c.is_ascii_alphanumeric());
            self.scanner.take_while(|c| c == ' ');
            let (line, column) = (self.scanner.line(), self.scanner.column() + 1);
            let open = self.scanner.eat("\"");
            let value = self.scanner.take_while(|c| c != '"' && c != '\n');
            if name.is_empty() || !open || !self.scanner.eat("\"]") {
                let message = "a tag is [Name \"value\"]".to_owned();
                let problem = self.scanner.problem("bad-game", message);
                // What follows is a game of its own only where the next tags begin.
                self.scanner.skip_to("\n[");
                return Err(problem);
            }
            tags.push(Tag { name, value, line, column });
        }
    }

    /// The words up to the next tag, a number that begins again, or a result.
    fn words(&mut self) -> Vec<Word<'a>> {
        let mut words: Vec<Word> = Vec::new();
        loop {
            self.scanner.skip_blanks();
            let (line, column) = (self.scanner.line(), self.scanner.column());
            let next = self.scanner.rest();
            let restarts = next.starts_with("1.") && !words.is_empty();
            if next.is_empty() || next.starts_with('[') || restarts {
                return words;
            }
            let text = self.scanner.take_while(|c| !c.is_ascii_whitespace());
            words.push(Word { text, line, column });
            if read_result(text).is_some() {
                return words;
            }
        }
    }

    fn read(&mut self) -> Result<GameRecord, Problem> {
        let tags = self.tags()?;
        let words = self.words();
        let source = format!("{}#{}", self.source, self.count);
        let start = start_of(&self.game, &tags)?;
        let mut record = GameRecord::new(Location { source, line: None }, self.game, start);
        let position = board::to_position(&self.game, &start)?;
        let mut replay = Replay::new(&self.game, start.side, position);
        let mut number = 0;
        for word in words {
            match read_result(word.text) {
                Some(result) => record.details.result = result,
                None => play_word(&self.game, &mut replay, &mut number, word)?,
            }
        }
        record.plies = replay.into_plies();
        for tag in tags {
            describe(&mut record, &tag);
        }
        record.check_result();
        Ok(record)
    }
}

impl Iterator for Games<'_> {
    type Item = Result<GameRecord, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.scanner.skip_blanks();
        if self.scanner.is_at_end() {
            return None;
        }
        let line = self.scanner.line();
        self.count += 1;
        Some(self.read().map_err(|problem| {
            let location = Location { source: self.source.to_owned(), line: Some(line) };
            InputError::new(location, problem)
        }))
    }
}

/// Plays `12.`, `F5`, `12.F5` or `12...F5`.
fn play_word(
    game: &GameSpec,
    replay: &mut Replay,
    number: &mut u32,
    word: Word,
) -> Result<(), Problem> {
    let digits = word.text.bytes().take_while(u8::is_ascii_digit).count();
    let dots = word.text[digits..].bytes().take_while(|&b| b == b'.').count();
    let mut text = word.text;
    if digits > 0 && dots > 0 {
        let found = word.text[..digits].parse::<u32>().ok();
        let continued = dots > 1 && found == Some(*number);
        if !continued && found != number.checked_add(1) {
            let message = format!("{}: move {} is expected here", quoted(text), *number + 1);
            return Err(word.bad("bad-game", message));
        }
        *number = found.unwrap_or(*number);
        text = &word.text[digits + dots..];
        if text.is_empty() {
            return Ok(());
        }
    }
    let on_board = |square: &Square| square.column() < game.width() && square.row() < game.height();
    let mv = match text.parse::<Square>().ok().filter(on_board) {
        Some(square) => Move::Place(square),
        None if transcript::is_pass(text) => Move::Pass,
        None => {
            let message = format!("{} is no move, number or result", quoted(text));
            return Err(word.bad("bad-game", message));
        }
    };
    replay.play(mv).map_err(|message| word.bad("illegal-move", message))
}

/// A result at the end of the moves; `Some(None)` for one that says nothing.
fn read_result(text: &str) -> Option<Option<GameResult>> {
    let played = |black, winner| Some(Some(GameResult { black, winner, ending: Ending::Played }));
    match text {
        "*" => return Some(None),
        "1-0" => return played(None, Some(Color::Black)),
        "0-1" => return played(None, Some(Color::White)),
        "1/2-1/2" => return played(Some(0.0), None),
        _ => {}
    }
    let (black, white) = text.split_once('-')?;
    let discs = |text: &str| text.parse::<u8>().ok().filter(|&discs| discs <= 64);
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let (black, white) =
        (digits(black) && digits(white)).then_some(discs(black).zip(discs(white)))??;
    played(Some(f64::from(black) - f64::from(white)), None)
}

fn describe(record: &mut GameRecord, tag: &Tag) {
    let known = !matches!(tag.value.trim(), "" | "?" | "-" | "????.??.??");
    let text = || known.then(|| tag.value.trim().to_owned());
    match tag.name {
        "Black" => record.details.players[0] = text(),
        "White" => record.details.players[1] = text(),
        "BlackElo" => record.details.ratings[0] = text(),
        "WhiteElo" => record.details.ratings[1] = text(),
        "Event" => record.details.event = text(),
        "Site" => record.details.place = text(),
        "Date" => record.details.date = text(),
        "Result" if record.details.result.is_none() => {
            record.details.result = read_result(tag.value.trim()).flatten();
        }
        _ => {}
    }
}

/// The position of `[FEN "..."]`, else the start.
fn start_of(game: &GameSpec, tags: &[Tag]) -> Result<Setup, Problem> {
    match tags.iter().find(|tag| tag.name == "FEN") {
        Some(tag) => read_fen(game, tag.value)
            .map_err(|message| Problem::at(tag.column, "bad-game", message).on_line(tag.line)),
        None => Ok(Setup::start(game)),
    }
}

/// Rows from the last to the first, `p` Black, `P` White, digits for empties; then `b` or `w`.
fn read_fen(game: &GameSpec, text: &str) -> Result<Setup, String> {
    let mut words = text.split_ascii_whitespace();
    let rows: Vec<&str> = words.next().unwrap_or_default().split('/').collect();
    if rows.len() != game.height() as usize {
        return Err(format!("{} rows where {} are expected", rows.len(), game.height()));
    }
    let (mut black, mut white) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for (row, text) in (0..game.height()).rev().zip(rows) {
        let mut column = 0;
        for c in text.chars() {
            let width = match c {
                'p' | 'P' => 1,
                _ => c.to_digit(10).filter(|&n| n > 0).ok_or_else(|| {
                    format!("{} in a FEN: expected p, P or a digit", quoted(&c.to_string()))
                })?,
            };
            if column + width > game.width() {
                return Err(format!("more than {} squares in row {}", game.width(), row + 1));
            }
            match c {
                'p' => black = black | Square::at(column, row).into(),
                'P' => white = white | Square::at(column, row).into(),
                _ => {}
            }
            column += width;
        }
        if column != game.width() {
            return Err(format!("{column} squares in row {}, not {}", row + 1, game.width()));
        }
    }
    let side = match words.next() {
        Some("b") => Color::Black,
        Some("w") => Color::White,
        _ => return Err("the side to move (b or w) is missing in the FEN".to_owned()),
    };
    Ok(Setup { black, white, side, supply: Setup::start(game).supply })
}

fn write_fen(game: &GameSpec, setup: &Setup) -> String {
    let mut rows = Vec::new();
    for row in (0..game.height()).rev() {
        let (mut text, mut empty) = (String::new(), 0_u32);
        for column in 0..game.width() {
            let letter = match setup.letter(game, Square::at(column, row)) {
                'X' => 'p',
                'O' => 'P',
                _ => {
                    empty += 1;
                    continue;
                }
            };
            if empty > 0 {
                text.push_str(&std::mem::take(&mut empty).to_string());
            }
            text.push(letter);
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        rows.push(text);
    }
    let side = if setup.side == Color::Black { 'b' } else { 'w' };
    format!("{} {side} - - 0 1", rows.join("/"))
}

/// A game with its tags, the last line without its newline.
///
/// # Errors
/// When the game began from a set position with discs in hand.
pub fn write(record: &GameRecord) -> Result<String, String> {
    let usual_start = record.start == Setup::start(&record.game);
    if !usual_start && record.start.supply.is_some() {
        return Err("this format has no way to write discs in hand".to_owned());
    }
    let mut out = String::new();
    let infallible = "writing to a string does not fail";
    let mut tag = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            let value = value.replace('"', "'").replace(['\n', '\r'], " ");
            writeln!(out, "[{name} \"{value}\"]").expect(infallible);
        }
    };
    tag("Event", record.details.event.as_deref());
    tag("Site", record.details.place.as_deref());
    tag("Date", record.details.date.as_deref());
    tag("Black", record.details.players[0].as_deref());
    tag("White", record.details.players[1].as_deref());
    tag("BlackElo", record.details.ratings[0].as_deref());
    tag("WhiteElo", record.details.ratings[1].as_deref());
    let result = result_text(record);
    tag("Result", Some(&result));
    if !usual_start {
        tag("FEN", Some(&write_fen(&record.game, &record.start)));
    }
    out.push('\n');
    for (i, ply) in record.plies.iter().enumerate() {
        if i % 2 == 0 {
            let gap = if i == 0 {
                ""
            } else if i % (2 * PER_LINE) == 0 {
                "\n"
            } else {
                " "
            };
            write!(out, "{gap}{}.", i / 2 + 1).expect(infallible);
        }
        match ply.mv {
            Move::Place(square) => write!(out, " {square}").expect(infallible),
            Move::Pass => out.push_str(" pass"),
        }
    }
    if !record.plies.is_empty() {
        out.push(' ');
    }
    out.push_str(&result);
    Ok(out)
}

/// The result in discs when the game is over, else what the record says.
fn result_text(record: &GameRecord) -> String {
    let squares = record.game.max_score();
    match record.details.result {
        None => "*".to_owned(),
        Some(GameResult { black: Some(score), .. }) => {
            // Both discs from their difference, as if the board were full.
            let black = (f64::from(squares) + score) / 2.0;
            let white = f64::from(squares) - black;
            let whole = black.fract() == 0.0 && black >= 0.0 && white >= 0.0;
            if whole { format!("{black}-{white}") } else { "*".to_owned() }
        }
        Some(GameResult { winner: Some(Color::Black), .. }) => "1-0".to_owned(),
        Some(GameResult { winner: Some(Color::White), .. }) => "0-1".to_owned(),
        Some(_) => "*".to_owned(),
    }
}
