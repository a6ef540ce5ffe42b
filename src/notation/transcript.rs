//! Transcripts: `f5d6c3...` in either case, with every spelling of a pass, or none.
//!
//! Accepted besides two characters a move: blanks, move numbers (`1. F5 d6 2. ...`), `P@f5` and
//! `@f5`, and for a pass `pa ps pass -- xx @@@@`. A forced pass need not be written; a voluntary
//! one (`optional-pass`) must be. Written form: lower case, a pass is `pa`.

use super::board::{is_square_letter, to_position};
use super::game::Ply;
use super::line::Content;
use super::replay::Replay;
use super::span::{Problem, Span, is_blank, quoted};
use crate::board::{Color, GameSpec, Move, Position, Setup, Square, Start};

/// The spellings of a pass, each before its own beginnings.
const PASSES: [&str; 6] = ["pass", "pa", "ps", "--", "xx", "@@@@"];

/// The moves as one word: squares in lower case, a pass as `pa`.
pub fn write(moves: &[Move]) -> String {
    let mut text = String::with_capacity(2 * moves.len());
    for mv in moves {
        match mv {
            Move::Place(square) => text.push_str(&square.to_string()),
            Move::Pass => text.push_str("pa"),
        }
    }
    text
}

/// Whether a word is a pass.
pub(super) fn is_pass(word: &str) -> bool {
    PASSES.iter().any(|pass| word.eq_ignore_ascii_case(pass))
}

/// Where a transcript led.
#[derive(Clone, Debug)]
pub(super) struct Played {
    /// Where it began.
    pub(super) from: Setup,
    pub(super) setup: Setup,
    pub(super) position: Position,
    /// The moves with the implied passes.
    pub(super) plies: Vec<Ply>,
}

impl Played {
    pub(super) fn into_content(self) -> Content {
        let Self { from, setup, position, plies } = self;
        Content { from, plies, ..Content::bare(setup, position) }
    }
}

/// A move as written.
#[derive(Clone, Copy, Debug)]
struct Written {
    mv: Move,
    column: usize,
}

/// Reads the moves of a text one by one.
struct Moves<'a> {
    game: &'a GameSpec,
    rest: Span<'a>,
}

impl Moves<'_> {
    /// Skips blanks and move numbers (digits and dots).
    fn skip_numbers(&mut self) {
        loop {
            self.rest = self.rest.trim();
            // Not "0." and the like, which begins a board.
            let is_number = self.rest.text.starts_with(|c: char| ('1'..='9').contains(&c));
            let digits = self.rest.text.bytes().take_while(u8::is_ascii_digit).count();
            let dots = self.rest.text[digits..].bytes().take_while(|&b| b == b'.').count();
            if !is_number || dots == 0 {
                return;
            }
            self.rest = self.rest.from(digits + dots);
        }
    }

    /// The move at the front with its length in bytes.
    fn read(&self) -> Result<(Move, usize), Problem> {
        let text = self.rest.text;
        let starts = |with: &str| {
            text.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with))
        };
        if let Some(pass) = PASSES.iter().find(|pass| starts(pass)) {
            return Ok((Move::Pass, pass.len()));
        }
        let mark = ["p@", "@"].iter().find(|mark| starts(mark)).map_or(0, |mark| mark.len());
        let bad = |message| Err(Problem::at(self.rest.column, "bad-transcript", message));
        let name = &text[mark..text.len().min(mark + 2)];
        let Ok(square) = name.parse::<Square>() else {
            let end = text.find(is_blank).unwrap_or(text.len());
            let is_half = name.len() == 1 && name.starts_with(|c: char| c.is_ascii_alphabetic());
            return bad(if is_half {
                format!("half a move at the end: {}", quoted(name))
            } else {
                format!(
                    "{} is no move: expected a square such as f5 or a pass",
                    quoted(&text[..end])
                )
            });
        };
        let (width, height) = (self.game.width(), self.game.height());
        if square.column() >= width || square.row() >= height {
            return bad(format!("{square} is not on the {width}x{height} board"));
        }
        Ok((Move::Place(square), mark + 2))
    }
}

impl Iterator for Moves<'_> {
    type Item = Result<Written, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_numbers();
        if self.rest.is_empty() {
            return None;
        }
        let column = self.rest.column;
        let read = self.read();
        // Nothing can be said of the text behind an error.
        let length = read.as_ref().map_or(self.rest.text.len(), |&(_, length)| length);
        self.rest = self.rest.from(length);
        Some(read.map(|(mv, _)| Written { mv, column }))
    }
}

/// Whether a text is meant as a transcript: it begins with a square or a move number, or all of it
/// reads as moves. `xx` and `--` could also be squares: passes of nothing else are a transcript
/// only when they are shorter than a row.
pub(super) fn is_transcript(game: &GameSpec, text: Span) -> bool {
    let mut moves = Moves { game, rest: text };
    moves.skip_numbers();
    if moves.rest.column != text.trim().column {
        return true;
    }
    let start = moves.rest.text.get(..2).unwrap_or_default();
    if start.parse::<Square>().is_ok() {
        return true;
    }
    let (mut any, mut squares) = (false, false);
    for written in moves {
        let Ok(written) = written else { return false };
        any = true;
        squares |= written.mv != Move::Pass;
    }
    let letters: Vec<char> = text.text.chars().filter(|&c| !is_blank(c)).collect();
    let is_no_row = letters.len() < game.width() as usize;
    squares || (any && (is_no_row || !letters.into_iter().all(is_square_letter)))
}

/// Plays the text of `--moves`.
pub(super) fn play_text(game: &GameSpec, setup: &Setup, text: &str) -> Result<Played, Problem> {
    let position = to_position(game, setup)?;
    play(game, setup, position, Span::new(text).without_comment().ascii()?)
}

/// Plays a transcript from a position. When it is not legal but would be from the mirrored start,
/// the message says so.
pub(super) fn play(
    game: &GameSpec,
    setup: &Setup,
    position: Position,
    text: Span,
) -> Result<Played, Problem> {
    play_from(game, setup.side, position, text).map_err(|mut problem| {
        let mirrored = match game.start() {
            Start::Cross => Start::CrossMirrored,
            Start::CrossMirrored => Start::Cross,
            _ => return problem,
        };
        let other = game.with_start(mirrored);
        let is_legal = || play_from(&other, Color::Black, Position::start(&other), text).is_ok();
        if *setup == Setup::start(game) && problem.kind == "illegal-move" && is_legal() {
            problem.message += &format!("; it is legal from the start of --game {other}");
        }
        problem
    })
}

fn play_from(
    game: &GameSpec,
    side: Color,
    position: Position,
    text: Span,
) -> Result<Played, Problem> {
    let mut replay = Replay::new(game, side, position);
    let from = replay.setup();
    for written in (Moves { game, rest: text }) {
        let Written { mv, column } = written?;
        replay.play(mv).map_err(|message| Problem::at(column, "illegal-move", message))?;
    }
    let (setup, position) = (replay.setup(), replay.position());
    Ok(Played { from, setup, position, plies: replay.into_plies() })
}
