//! One line: recognises what it is and reads it.

use super::game::{Details, Ply};
use super::span::{Problem, Span, quoted};
use super::{board, obf, object, transcript};
use crate::board::{GameSpec, Move, Position, Setup};
use serde_json::Value;

/// What a line says of a position; see [`Entry`](super::Entry).
#[derive(Clone, Debug)]
pub(super) struct Content {
    /// Where the moves begin; the setup itself when there are none.
    pub(super) from: Setup,
    /// The moves that led to the position, the implied passes among them.
    pub(super) plies: Vec<Ply>,
    /// What an object says of the game.
    pub(super) details: Details,
    pub(super) setup: Setup,
    pub(super) position: Position,
    pub(super) score: Option<i32>,
    pub(super) move_scores: Vec<(Move, i32)>,
    pub(super) warnings: Vec<String>,
}

impl Content {
    /// A position of which nothing more is said.
    pub(super) fn bare(setup: Setup, position: Position) -> Self {
        Self {
            from: setup,
            plies: Vec::new(),
            details: Details::default(),
            setup,
            position,
            score: None,
            move_scores: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The same after more moves, played from its position.
    pub(super) fn followed_by(self, played: transcript::Played) -> Self {
        let mut plies = self.plies;
        plies.extend_from_slice(&played.plies);
        Self { from: self.from, plies, warnings: self.warnings, ..played.into_content() }
    }
}

/// Reads a line of a file or an argument; `None` when it is blank or a comment.
pub(super) fn parse(
    line: &str,
    game: &GameSpec,
    base: &Setup,
) -> Result<Option<(Option<Value>, Content)>, Problem> {
    if line.trim_start().starts_with('{') {
        return object::parse(line, game, base).map(Some);
    }
    Ok(parse_text(Span::new(line), game, base)?.map(|content| (None, content)))
}

/// Reads a position, `start`, or a transcript; `None` when there is nothing but a comment.
pub(super) fn parse_text(
    text: Span,
    game: &GameSpec,
    base: &Setup,
) -> Result<Option<Content>, Problem> {
    let text = text.without_comment().ascii()?.trim();
    if text.is_empty() {
        return Ok(None);
    }
    if text.text.contains('\n') {
        let message = "several lines: give a file, or a board drawn row by row with the diagram \
                       format (--format diagram)";
        return Err(Problem::new("several-lines", message.to_owned()));
    }
    let head = text.until(';');
    let rest = text.from(head.text.len());
    let content = if head.text.trim().eq_ignore_ascii_case("start") {
        let setup = Setup::start(game);
        obf::read_fields(game, setup, board::to_position(game, &setup)?, None, rest)?
    } else if transcript::is_transcript(game, head) {
        let played = transcript::play(game, base, board::to_position(game, base)?, head)?;
        if let Some(at) = rest.text.find(|c: char| c != ';' && !c.is_whitespace()) {
            let message =
                format!("{} after a transcript: nothing may follow it", quoted(&rest.text[at..]));
            return Err(Problem::at(rest.column + at, "bad-field", message));
        }
        played.into_content()
    } else {
        board::read(game, text)?
    };
    Ok(Some(content))
}
