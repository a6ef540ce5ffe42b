//! SGF for Othello (`GM[2]`): `FF[4]`, and the older forms with lower-case letters in the names of
//! properties.
//!
//! The main line of every game of a collection is read: the first branch at each fork. Setup
//! (`AB AW AE PL`) is read before the first move. A square is `f5` or, as in Go, two letters
//! (`fe`); a pass is `[]`, `[pa]`, `[pass]`, `[tt]` or another spelling of transcripts. `RU` is
//! read as a game name (`8x8+anti`) where it is one. The result is Black's score minus White's.
//! Source: red-bean.com/sgf.

use super::board;
use super::game::{Ending, GameRecord, GameResult};
use super::replay::Replay;
use super::scan::Scanner;
use super::span::{Problem, quoted};
use super::transcript;
use super::{InputError, Location};
use crate::board::{Bitboard, Color, GameSpec, Move, Setup, Square};
use std::fmt::Write;

/// The number of Othello in `GM`.
const OTHELLO: &str = "2";

/// The properties of setup.
const SETUP: [&str; 4] = ["AB", "AW", "AE", "PL"];

/// One value of a property, unescaped, and where it stands.
struct Value {
    text: String,
    line: usize,
    column: usize,
}

impl Value {
    fn bad(&self, message: String) -> Problem {
        Problem::at(self.column, "bad-game", message).on_line(self.line)
    }
}

/// A property: its name in capitals, and its values.
struct Property {
    name: String,
    values: Vec<Value>,
}

type Node = Vec<Property>;

/// The games of an SGF collection.
pub(super) struct Games<'a> {
    scanner: Scanner<'a>,
    source: &'a str,
    base: GameSpec,
    count: usize,
}

impl<'a> Games<'a> {
    pub(super) fn new(text: &'a str, source: &'a str, base: &GameSpec) -> Self {
        Self { scanner: Scanner::new(text), source, base: *base, count: 0 }
    }

    fn unreadable(&mut self, message: String) -> Problem {
        let problem = self.scanner.problem("bad-game", message);
        self.scanner.skip_to("\n(");
        problem
    }

    /// The nodes of the main line of the next game.
    fn main_line(&mut self) -> Result<Vec<Node>, Problem> {
        let mut nodes: Vec<Node> = Vec::new();
        // Open branches, and whether each lies on the main line.
        let mut open = vec![true];
        // Whether a branch has ended at this depth: the next one there is no main line.
        let mut ended = vec![false];
        while let Some(&main) = open.last() {
            self.scanner.skip_blanks();
            match self.scanner.peek() {
                Some('(') => {
                    self.scanner.skip_char();
                    let first = !ended.last().copied().unwrap_or(true);
                    open.push(main && first);
                    ended.push(false);
                }
                Some(')') => {
                    self.scanner.skip_char();
                    open.pop();
                    ended.pop();
                    if let Some(ended) = ended.last_mut() {
                        *ended = true;
                    }
                }
                Some(';') => {
                    self.scanner.skip_char();
                    let node = self.node()?;
                    if main {
                        nodes.push(node);
                    }
                }
                Some(_) => {
                    let found = quoted(self.scanner.rest());
                    return Err(
                        self.unreadable(format!("expected ';', '(' or ')', here is {found}"))
                    );
                }
                None => return Err(self.unreadable("the game has no closing ')'".into())),
            }
        }
        Ok(nodes)
    }

    fn node(&mut self) -> Result<Node, Problem> {
        let mut node = Node::new();
        loop {
            self.scanner.skip_blanks();
            let name = self.scanner.take_while(|c| c.is_ascii_alphabetic());
            if name.is_empty() {
                return Ok(node);
            }
            let name: String = name.chars().filter(char::is_ascii_uppercase).collect();
            let mut values = Vec::new();
            loop {
                self.scanner.skip_blanks();
                if !self.scanner.eat("[") {
                    break;
                }
                values.push(self.value()?);
            }
            if values.is_empty() {
                let message = format!("{} has no value in brackets", quoted(&name));
                return Err(self.unreadable(message));
            }
            node.push(Property { name, values });
        }
    }

    /// The value up to its `]`; a backslash takes the character after it as it is.
    fn value(&mut self) -> Result<Value, Problem> {
        let (line, column) = (self.scanner.line(), self.scanner.column());
        let mut text = String::new();
        loop {
            let Some(c) = self.scanner.peek() else {
                let problem = Problem::at(column, "bad-game", "a value has no closing ']'".into());
                return Err(problem.on_line(line));
            };
            self.scanner.skip_char();
            match c {
                ']' => return Ok(Value { text, line, column }),
                '\\' => {
                    let escaped = self.scanner.peek();
                    self.scanner.skip_char();
                    // An escaped line break joins two lines.
                    text.extend(escaped.filter(|&c| c != '\n'));
                }
                c => text.push(c),
            }
        }
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
        let game = if self.scanner.eat("(") {
            self.count += 1;
            let source = format!("{}#{}", self.source, self.count);
            self.main_line()
                .and_then(|nodes| record(Location { source, line: None }, &self.base, &nodes))
        } else {
            let found = quoted(self.scanner.rest());
            let message = format!("a game begins with '(', here is {found}");
            let problem = self.scanner.problem("bad-game", message);
            self.scanner.skip_to("(");
            Err(problem)
        };
        Some(game.map_err(|problem| {
            let location = Location { source: self.source.to_owned(), line: Some(line) };
            InputError::new(location, problem)
        }))
    }
}

/// Makes the record of a game from its main line.
fn record(location: Location, base: &GameSpec, nodes: &[Node]) -> Result<GameRecord, Problem> {
    let missing = |message: &str| Problem::new("bad-game", message.to_owned());
    let root = nodes.first().ok_or_else(|| missing("the game has no node"))?;
    let find = |name: &str| root.iter().find(|property| property.name == name);
    match find("GM").map(|property| &property.values[0]) {
        Some(value) if value.text.trim() == OTHELLO => {}
        Some(value) => {
            let message = format!("GM is {}, not 2 (Othello)", quoted(&value.text));
            return Err(value.bad(message));
        }
        None => return Err(missing("GM[2] (Othello) is missing")),
    }
    let game = game_of(base, find("SZ"), find("RU"))?;
    let is_move = |property: &Property| matches!(property.name.as_str(), "B" | "W");
    let first = nodes.iter().position(|node| node.iter().any(is_move)).unwrap_or(nodes.len());
    // Setup may stand beside the first move, in its node.
    let (before, after) = nodes.split_at((first + 1).min(nodes.len()));
    let start = start_of(&game, before.iter().flatten())?;
    let is_setup = |property: &&Property| SETUP.contains(&property.name.as_str());
    if let Some(late) = after.iter().flatten().find(is_setup) {
        let message = format!("{} after the first move: not one game any more", late.name);
        return Err(late.values[0].bad(message));
    }
    let position = board::to_position(&game, &start)?;
    let mut record = GameRecord::new(location, game, start);
    let mut replay = Replay::new(&game, start.side, position);
    for property in nodes.iter().flatten() {
        let side = match property.name.as_str() {
            "B" => Color::Black,
            "W" => Color::White,
            _ => continue,
        };
        for value in &property.values {
            let mv = read_move(&game, value)?;
            replay.play_as(side, mv).map_err(|message| {
                Problem::at(value.column, "illegal-move", message).on_line(value.line)
            })?;
        }
    }
    record.plies = replay.into_plies();
    for property in root {
        describe(&mut record, property)?;
    }
    record.check_result();
    Ok(record)
}

/// The game: `RU` where it names one, else the game in force where it has the size, else the usual
/// game of the size.
fn game_of(
    base: &GameSpec,
    size: Option<&Property>,
    rules: Option<&Property>,
) -> Result<GameSpec, Problem> {
    let (width, height) = match size.map(|property| &property.values[0]) {
        None => (8, 8),
        Some(value) => {
            let text = value.text.trim();
            let (width, height) = text.split_once(':').unwrap_or((text, text));
            let number = |text: &str| text.trim().parse::<u32>().ok();
            let bad = || value.bad(format!("{} is no size such as 8 or 6:8", quoted(text)));
            number(width).zip(number(height)).ok_or_else(bad)?
        }
    };
    let usual = GameSpec::new(width, height).map_err(|_| {
        let message = format!("board size {width}x{height} is not supported (3 to 8 are)");
        size.map_or(Problem::new("bad-game", String::new()), |size| size.values[0].bad(message))
    })?;
    let named = rules.and_then(|rules| rules.values[0].text.trim().parse::<GameSpec>().ok());
    let has_size = |game: &GameSpec| game.width() == width && game.height() == height;
    Ok(named.filter(has_size).or(Some(*base).filter(has_size)).unwrap_or(usual))
}

/// The start of the game, or the position that the setup properties give.
fn start_of<'a>(
    game: &GameSpec,
    properties: impl Iterator<Item = &'a Property>,
) -> Result<Setup, Problem> {
    let start = Setup::start(game);
    let (mut black, mut white, mut side) = (Bitboard::EMPTY, Bitboard::EMPTY, None);
    let mut placed = false;
    for property in properties {
        if property.name == "PL" {
            side = Some(read_side(&property.values[0])?);
        }
        if !matches!(property.name.as_str(), "AB" | "AW" | "AE") {
            continue;
        }
        placed = true;
        for value in &property.values {
            let squares = read_squares(game, value)?;
            (black, white) = (black - squares, white - squares);
            match property.name.as_str() {
                "AB" => black = black | squares,
                "AW" => white = white | squares,
                _ => {}
            }
        }
    }
    let side = side.unwrap_or(start.side);
    Ok(if placed { Setup { black, white, side, ..start } } else { Setup { side, ..start } })
}

fn read_side(value: &Value) -> Result<Color, Problem> {
    match value.text.trim().to_ascii_lowercase().as_str() {
        "b" | "black" | "1" => Ok(Color::Black),
        "w" | "white" | "2" => Ok(Color::White),
        other => Err(value.bad(format!("{} is no side to move: expected B or W", quoted(other)))),
    }
}

/// `f5`, or two letters as in Go.
fn read_square(game: &GameSpec, text: &str) -> Option<Square> {
    let text = text.trim();
    let square = match text.parse::<Square>() {
        Ok(square) => square,
        Err(_) => {
            let [column, row] = text.to_ascii_lowercase().as_bytes().try_into().ok()?;
            let number = |letter: u8| letter.checked_sub(b'a').filter(|&n| n < 8).map(u32::from);
            Square::at(number(column)?, number(row)?)
        }
    };
    (square.column() < game.width() && square.row() < game.height()).then_some(square)
}

/// A square, or a rectangle `c3:d4`.
fn read_squares(game: &GameSpec, value: &Value) -> Result<Bitboard, Problem> {
    let (from, to) = value.text.split_once(':').unwrap_or((&value.text, &value.text));
    let Some((from, to)) = read_square(game, from).zip(read_square(game, to)) else {
        let what = quoted(&value.text);
        return Err(value.bad(format!("{what} is no square such as f5 and no rectangle c3:d4")));
    };
    let columns = from.column().min(to.column())..=from.column().max(to.column());
    let rows = from.row().min(to.row())..=from.row().max(to.row());
    Ok(rows.flat_map(|row| columns.clone().map(move |column| Square::at(column, row))).collect())
}

fn read_move(game: &GameSpec, value: &Value) -> Result<Move, Problem> {
    let text = value.text.trim();
    if text.is_empty() || text.eq_ignore_ascii_case("tt") || transcript::is_pass(text) {
        return Ok(Move::Pass);
    }
    let (width, height) = (game.width(), game.height());
    let bad = || value.bad(format!("{} is no move on the {width}x{height} board", quoted(text)));
    read_square(game, text).map(Move::Place).ok_or_else(bad)
}

/// Puts one property of the root in its place.
fn describe(record: &mut GameRecord, property: &Property) -> Result<(), Problem> {
    let value = &property.values[0];
    let text = || Some(value.text.trim().to_owned()).filter(|text| !text.is_empty());
    match property.name.as_str() {
        "PB" => record.details.players[0] = text(),
        "PW" => record.details.players[1] = text(),
        "BR" => record.details.ratings[0] = text(),
        "WR" => record.details.ratings[1] = text(),
        "EV" => record.details.event = text(),
        "PC" => record.details.place = text(),
        "DT" => record.details.date = text(),
        "GC" => record.details.comment = text(),
        "KM" => {
            let komi = value.text.trim().parse().ok().filter(|komi: &f64| komi.is_finite());
            let bad = || value.bad(format!("{} is no komi", quoted(&value.text)));
            record.details.komi = Some(komi.ok_or_else(bad)?);
        }
        "RE" => record.details.result = read_result(value)?,
        _ => {}
    }
    Ok(())
}

/// `B+10`, `W+R`, `0`, `Draw`, `?`, `Void`; in old files Black's score alone.
fn read_result(value: &Value) -> Result<Option<GameResult>, Problem> {
    let text = value.text.trim().to_ascii_lowercase();
    let bad = || value.bad(format!("{} is no result such as B+10", quoted(&value.text)));
    let number = |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite());
    let played =
        |black: f64| GameResult { black: Some(black), winner: None, ending: Ending::Played };
    let (winner, rest) = match text.as_str() {
        "" | "void" => return Ok(None),
        "?" => return Ok(Some(GameResult { black: None, winner: None, ending: Ending::Played })),
        "draw" => return Ok(Some(played(0.0))),
        _ => match (text.strip_prefix("b+"), text.strip_prefix("w+")) {
            (Some(rest), _) => (Color::Black, rest),
            (_, Some(rest)) => (Color::White, rest),
            _ => return number(&text).map(|black| Some(played(black))).ok_or_else(bad),
        },
    };
    let won = |ending| Ok(Some(GameResult { black: None, winner: Some(winner), ending }));
    match rest {
        "" => won(Ending::Played),
        "r" | "resign" => won(Ending::Resigned),
        "t" | "time" => won(Ending::Timeout),
        "f" | "forfeit" => won(Ending::Left),
        _ => {
            let margin = number(rest).filter(|&margin| margin >= 0.0).ok_or_else(bad)?;
            Ok(Some(played(if winner == Color::Black { margin } else { -margin })))
        }
    }
}

/// A game as one line without its newline.
///
/// # Errors
/// When the game began from a set position with discs in hand, which SGF cannot express.
pub fn write(record: &GameRecord) -> Result<String, String> {
    let (game, start) = (&record.game, &record.start);
    let usual_start = *start == Setup::start(game);
    if !usual_start && start.supply.is_some() {
        return Err("SGF has no way to write discs in hand".to_owned());
    }
    let mut out = String::from("(;FF[4]CA[UTF-8]GM[2]");
    let infallible = "writing to a string does not fail";
    let mut put = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let value = value.replace('\\', "\\\\").replace(']', "\\]");
            write!(out, "{name}[{value}]").expect(infallible);
        }
    };
    let size = match (game.width(), game.height()) {
        (width, height) if width == height => width.to_string(),
        (width, height) => format!("{width}:{height}"),
    };
    put("SZ", Some(size));
    let is_plain = GameSpec::new(game.width(), game.height()).as_ref() == Ok(game);
    put("RU", (!is_plain).then(|| game.to_string()));
    put("PB", record.details.players[0].clone());
    put("PW", record.details.players[1].clone());
    put("BR", record.details.ratings[0].clone());
    put("WR", record.details.ratings[1].clone());
    put("EV", record.details.event.clone());
    put("PC", record.details.place.clone());
    put("DT", record.details.date.clone());
    put("KM", record.details.komi.map(|komi| komi.to_string()));
    put("RE", record.details.result.map(|result| write_result(&result)));
    put("GC", record.details.comment.clone());
    if !usual_start {
        write_start(&mut out, start).expect(infallible);
    }
    let mut side = start.side;
    for ply in &record.plies {
        let letter = if side == Color::Black { 'B' } else { 'W' };
        match ply.mv {
            Move::Place(square) => write!(out, ";{letter}[{square}]"),
            Move::Pass => write!(out, ";{letter}[]"),
        }
        .expect(infallible);
        side = !side;
    }
    out.push(')');
    Ok(out)
}

fn write_start(out: &mut String, start: &Setup) -> std::fmt::Result {
    for (name, discs) in [("AB", start.black), ("AW", start.white)] {
        if !discs.is_empty() {
            out.push_str(name);
        }
        for square in discs {
            write!(out, "[{square}]")?;
        }
    }
    if (start.black | start.white).is_empty() {
        // Otherwise the usual start would be meant.
        out.push_str("AE[a1]");
    }
    write!(out, "PL[{}]", if start.side == Color::Black { 'B' } else { 'W' })
}

fn write_result(result: &GameResult) -> String {
    let how = match result.ending {
        Ending::Played | Ending::Agreed => "",
        Ending::Resigned => "R",
        Ending::Timeout => "T",
        Ending::Left => "F",
    };
    let letter = |black: bool| if black { 'B' } else { 'W' };
    match (result.black, result.winner) {
        (Some(0.0), _) => "0".to_owned(),
        (Some(score), _) if how.is_empty() => format!("{}+{}", letter(score > 0.0), score.abs()),
        (Some(score), _) => format!("{}+{how}", letter(score > 0.0)),
        (None, Some(winner)) => format!("{}+{how}", letter(winner == Color::Black)),
        (None, None) => "?".to_owned(),
    }
}
