//! GGF, the generic game format: `(;GM[Othello]PB[..]PW[..]TY[8]BO[8 ... *]B[d3//0.01]W[c5];)`.
//!
//! A count may stand before the games of a match: `2 (;...;)(;...;)`. Moves are
//! `square/evaluation/seconds`; a pass is `PA`. Boards of 4x4, 6x6 and 8x8, any start position,
//! `a` (anti) and the komi are read; the result is Black's score minus White's.
//! Source: skatgame.net/mburo/ggsa/ggf.

use super::board;
use super::game::{Ending, GameRecord, GameResult, Ply};
use super::replay::Replay;
use super::scan::Scanner;
use super::span::{Problem, Span, is_blank, quoted};
use super::transcript;
use super::{InputError, Location};
use crate::board::{Bitboard, Color, GameSpec, Move, Objective, PassRule, Setup, Square};
use std::fmt::Write;

/// Tags that are kept as they are and written back.
const KEPT: [&str; 6] = ["TY", "TI", "TB", "TW", "KB", "KW"];

/// The games of a GGF text.
pub(super) struct Games<'a> {
    scanner: Scanner<'a>,
    source: &'a str,
    /// The game in force, used where the file has the same board and objective.
    base: GameSpec,
    /// Games read so far, good or bad.
    count: usize,
    /// Games still to come of a match, and its size.
    due: Option<(u64, u64)>,
}

impl<'a> Games<'a> {
    pub(super) fn new(text: &'a str, source: &'a str, base: &GameSpec) -> Self {
        Self { scanner: Scanner::new(text), source, base: *base, count: 0, due: None }
    }

    /// What is wrong here; reading goes on with what looks like the next game.
    fn unreadable(&mut self, message: String) -> Problem {
        let problem = self.scanner.problem("bad-game", message);
        self.scanner.skip_to("(;");
        problem
    }

    /// The complaint about a match that is cut short, if there is one.
    fn cut_short(&mut self) -> Option<Problem> {
        let (left, size) = self.due.take()?;
        let message = format!("a match of {size} games ends after {}", size - left);
        Some(self.scanner.problem("bad-game", message))
    }

    /// Reads up to the next game and the game itself.
    fn game(&mut self) -> Option<Result<GameRecord, Problem>> {
        self.scanner.skip_blanks();
        if self.scanner.is_at_end() {
            return self.cut_short().map(Err);
        }
        let digits = self.scanner.take_while(|c| c.is_ascii_digit());
        if !digits.is_empty() {
            let cut_short = self.cut_short();
            match digits.parse::<u64>() {
                Ok(size @ 1..) => self.due = Some((size, size)),
                _ => {
                    let message = format!("{} is no number of games", quoted(digits));
                    return Some(Err(self.unreadable(message)));
                }
            }
            if let Some(problem) = cut_short {
                return Some(Err(problem));
            }
            self.scanner.skip_blanks();
        }
        if !self.scanner.eat("(;") {
            let found = quoted(self.scanner.rest());
            return Some(Err(self.unreadable(format!("a game begins with '(;', here is {found}"))));
        }
        self.count += 1;
        self.due = self.due.and_then(|(left, size)| (left > 1).then_some((left - 1, size)));
        let tags = self.tags();
        Some(tags.and_then(|tags| {
            let source = format!("{}#{}", self.source, self.count);
            record(Location { source, line: None }, &self.base, tags)
        }))
    }

    /// The tags of a game up to its `;)`.
    fn tags(&mut self) -> Result<Vec<Tag<'a>>, Problem> {
        let mut tags = Vec::new();
        loop {
            self.scanner.skip_blanks();
            if self.scanner.eat(";)") {
                return Ok(tags);
            }
            let name = self.scanner.take_while(|c| c.is_ascii_uppercase());
            if name.is_empty() || !self.scanner.eat("[") {
                let found = quoted(self.scanner.rest());
                let message = format!("expected TAG[value] or ';)', here is {found}");
                return Err(self.unreadable(message));
            }
            let (line, column) = (self.scanner.line(), self.scanner.column());
            // No value holds the end of a game: the bracket of such a one is missing.
            let value = self.scanner.take_until(']', ";)");
            if !self.scanner.eat("]") {
                let problem = self.unreadable(format!("{name} has no closing bracket"));
                return Err(Problem { column: Some(column), ..problem }.on_line(line));
            }
            tags.push(Tag { name, value, line, column });
        }
    }
}

impl Iterator for Games<'_> {
    type Item = Result<GameRecord, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.scanner.line();
        let game = self.game()?;
        Some(game.map_err(|problem| {
            let location = Location { source: self.source.to_owned(), line: Some(line) };
            InputError::new(location, problem)
        }))
    }
}

/// `NAME[value]`, and where the value begins.
struct Tag<'a> {
    name: &'a str,
    value: &'a str,
    line: usize,
    column: usize,
}

impl Tag<'_> {
    fn bad(&self, message: String) -> Problem {
        self.place("bad-game", message)
    }

    fn place(&self, kind: &'static str, message: String) -> Problem {
        Problem::at(self.column, kind, message).on_line(self.line)
    }
}

/// Makes the record of a game from its tags.
fn record(location: Location, base: &GameSpec, tags: Vec<Tag>) -> Result<GameRecord, Problem> {
    let find = |name: &str| tags.iter().find(|tag| tag.name == name);
    match find("GM") {
        Some(tag) if tag.value.trim().eq_ignore_ascii_case("othello") => {}
        Some(tag) => return Err(tag.bad(format!("the game is {}, not Othello", quoted(tag.value)))),
        None => return Err(Problem::new("bad-game", "GM[Othello] is missing".to_owned())),
    }
    let board = find("BO").ok_or_else(|| {
        let message = "BO (the board at the start) is missing".to_owned();
        Problem::new("bad-game", message)
    })?;
    let (size, squares) = board_size(board)?;
    let game = game_of(base, size, find("TY").map(|tag| tag.value))?;
    let start = start_of(&game, board, squares)?;
    let position = board::to_position(&game, &start)?;
    let mut record = GameRecord::new(location, game, start);
    let mut replay = Replay::new(&record.game, start.side, position);
    for tag in &tags {
        let side = match tag.name {
            "B" => Color::Black,
            "W" => Color::White,
            _ => continue,
        };
        let ply = ply(&game, tag)?;
        replay.play_as(side, ply).map_err(|message| tag.place("illegal-move", message))?;
    }
    record.plies = replay.into_plies();
    for tag in tags {
        describe(&mut record, &tag)?;
    }
    record.check_result();
    Ok(record)
}

/// The size in front of `BO`, and the squares after it.
fn board_size<'a>(tag: &Tag<'a>) -> Result<(u32, &'a str), Problem> {
    let value = tag.value.trim_start();
    let digits = value.bytes().take_while(u8::is_ascii_digit).count();
    let size = value[..digits].parse::<u32>();
    match size {
        Ok(size @ 3..=8) => Ok((size, &value[digits..])),
        Ok(size) => Err(tag.bad(format!("board size {size} is not supported (3 to 8 are)"))),
        Err(_) => Err(tag.bad("BO begins with the size of the board, such as 8".to_owned())),
    }
}

/// The game of this size and type: the one in force if it is of this kind.
fn game_of(base: &GameSpec, size: u32, kind: Option<&str>) -> Result<GameSpec, Problem> {
    let objective = match kind {
        Some(kind) if kind.contains('a') => Objective::Fewest,
        Some(_) => Objective::Most,
        None => base.objective(),
    };
    if base.width() == size && base.height() == size && base.objective() == objective {
        return Ok(*base);
    }
    let game = GameSpec::new(size, size).map_err(|e| Problem::new("bad-game", e.to_string()))?;
    Ok(game.with_objective(objective))
}

/// The position in `BO`.
fn start_of(game: &GameSpec, tag: &Tag, squares: &str) -> Result<Setup, Problem> {
    // A line break is a blank here.
    let text: String =
        squares.chars().map(|c| if c.is_ascii_whitespace() { ' ' } else { c }).collect();
    let column = tag.column + tag.value.chars().count() - squares.chars().count();
    let on_line = |problem: Problem| problem.on_line(tag.line);
    let span = Span { text: &text, column }.ascii().map_err(on_line)?.trim();
    if let Some(at) = span.text.find(|c: char| !board::is_square_letter(c) && !is_blank(c)) {
        let what = quoted(&span.text[at..=at]);
        let message = format!("{what} in BO: expected * for Black, O for White, - for empty");
        return Err(on_line(Problem::at(span.column + at, "bad-square", message)));
    }
    let content = board::read(game, span).map_err(on_line)?;
    match content.score {
        None => Ok(content.setup),
        Some(_) => Err(tag.bad("a number after the side to move in BO".to_owned())),
    }
}

/// `square/evaluation/seconds`, the last two optional.
fn ply(game: &GameSpec, tag: &Tag) -> Result<Ply, Problem> {
    let mut parts = tag.value.trim().split('/');
    let name = parts.next().unwrap_or_default().trim();
    let on_board = |square: &Square| square.column() < game.width() && square.row() < game.height();
    let mv = match name.parse::<Square>().ok().filter(on_board) {
        Some(square) => Move::Place(square),
        None if transcript::is_pass(name) => Move::Pass,
        None => {
            let (name, width, height) = (quoted(name), game.width(), game.height());
            return Err(tag.bad(format!("{name} is no move on the {width}x{height} board")));
        }
    };
    let mut number = |what: &str, read: fn(&str) -> Option<f64>| match parts.next().map(str::trim) {
        None | Some("") => Ok(None),
        Some(text) => match read(text) {
            Some(value) => Ok(Some(value)),
            None => Err(tag.bad(format!("{} is no {what}", quoted(text)))),
        },
    };
    let eval = number("evaluation", finite)?;
    let seconds = number("time in seconds", seconds)?;
    match parts.next() {
        None => Ok(Ply { mv, eval, seconds }),
        Some(_) => Err(tag.bad("a move is square/evaluation/seconds".to_owned())),
    }
}

fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Seconds, or `minutes:seconds` and `hours:minutes:seconds`.
fn seconds(text: &str) -> Option<f64> {
    let mut total = 0.0;
    for part in text.split(':') {
        total = total * 60.0 + finite(part).filter(|&value| value >= 0.0)?;
    }
    finite(&total.to_string())
}

/// Puts one tag in its place.
fn describe(record: &mut GameRecord, tag: &Tag) -> Result<(), Problem> {
    let text = || Some(tag.value.trim().to_owned()).filter(|text| !text.is_empty());
    match tag.name {
        "PB" => record.details.players[0] = text(),
        "PW" => record.details.players[1] = text(),
        "RB" => record.details.ratings[0] = text(),
        "RW" => record.details.ratings[1] = text(),
        "PC" => record.details.place = text(),
        "DT" => record.details.date = text(),
        "RE" => record.details.result = Some(result(tag)?),
        "KM" => {
            let komi = finite(tag.value.trim());
            let bad = || tag.bad(format!("{} is no komi", quoted(tag.value)));
            record.details.komi = Some(komi.ok_or_else(bad)?);
        }
        name if KEPT.contains(&name) => {
            record.details.tags.push((name.to_owned(), tag.value.trim().to_owned()));
        }
        _ => {}
    }
    Ok(())
}

/// `+12.000`, `-3:r`, `?`.
fn result(tag: &Tag) -> Result<GameResult, Problem> {
    let (score, suffix) = match tag.value.trim().split_once(':') {
        Some((score, suffix)) => (score, suffix),
        None => (tag.value.trim(), ""),
    };
    let bad = || tag.bad(format!("{} is no result such as +12, -4:r or ?", quoted(tag.value)));
    let ending = match suffix {
        "" => Ending::Played,
        "r" => Ending::Resigned,
        "t" => Ending::Timeout,
        "s" => Ending::Agreed,
        "l" => Ending::Left,
        _ => return Err(bad()),
    };
    let black = if score == "?" { None } else { Some(finite(score).ok_or_else(bad)?) };
    Ok(GameResult { black, winner: None, ending })
}

/// A game as one line without its newline.
///
/// # Errors
/// When GGF cannot express the game: a board that is no square, holes, another pass rule, a supply.
pub fn write(record: &GameRecord) -> Result<String, String> {
    let game = &record.game;
    let plain = game.width() == game.height()
        && game.holes().is_empty()
        && game.pass_rule() == PassRule::Forced
        && game.supply().is_none();
    if !plain {
        return Err(format!("GGF has no way to write games of {game}"));
    }
    let mut out = String::from("(;GM[Othello]");
    let infallible = "writing to a string does not fail";
    let mut tag = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            // A bracket would end the value.
            write!(out, "{name}[{}]", value.replace(['[', ']'], "|")).expect(infallible);
        }
    };
    tag("PC", record.details.place.as_deref());
    tag("DT", record.details.date.as_deref());
    tag("PB", record.details.players[0].as_deref());
    tag("PW", record.details.players[1].as_deref());
    tag("RB", record.details.ratings[0].as_deref());
    tag("RW", record.details.ratings[1].as_deref());
    for (name, value) in &record.details.tags {
        tag(name, Some(value));
    }
    if !record.details.tags.iter().any(|(name, _)| name == "TY") {
        let anti = if game.objective() == Objective::Fewest { "a" } else { "" };
        tag("TY", Some(&format!("{}{anti}", game.width())));
    }
    tag("KM", record.details.komi.map(|komi| komi.to_string()).as_deref());
    tag("RE", record.details.result.map(|result| result_text(&result)).as_deref());
    tag("BO", Some(&board_text(game, &record.start)));
    let mut side = record.start.side;
    for ply in &record.plies {
        tag(if side == Color::Black { "B" } else { "W" }, Some(&ply_text(ply)));
        side = !side;
    }
    out.push_str(";)");
    Ok(out)
}

fn result_text(result: &GameResult) -> String {
    let suffix = match result.ending {
        Ending::Played => "",
        Ending::Resigned => ":r",
        Ending::Timeout => ":t",
        Ending::Agreed => ":s",
        Ending::Left => ":l",
    };
    let score = result.black.map_or("?".to_owned(), |score| format!("{score:+}"));
    score + suffix
}

fn board_text(game: &GameSpec, setup: &Setup) -> String {
    let letter = |c: char| if c == 'X' { '*' } else { c };
    let mut text = game.width().to_string();
    for square in Bitboard::rectangle(game.width(), game.height()) {
        if square.column() == 0 {
            text.push(' ');
        }
        text.push(letter(setup.letter(game, square)));
    }
    text.push(' ');
    text.push(letter(setup.side.letter()));
    text
}

fn ply_text(ply: &Ply) -> String {
    let mut text = match ply.mv {
        Move::Place(square) => square.to_string(),
        Move::Pass => "PA".to_owned(),
    };
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    if ply.eval.is_some() || ply.seconds.is_some() {
        text = text + "/" + &number(ply.eval);
    }
    if ply.seconds.is_some() {
        text = text + "/" + &number(ply.seconds);
    }
    text
}
