//! The JSON input object: `{"id":...,"position":...}`, one a line.
//!
//! `position` is any text that could stand in a line by itself, `moves` (a transcript, or a list
//! of moves) is played from it, and `game`, if there, must be the game in force. Other names are
//! ignored, so that the program's own results can be fed back to it.

use super::line::{Content, parse_text};
use super::span::{Problem, Span, quoted, shortened};
use super::{json_game, transcript};
use crate::board::{GameSpec, Setup};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

#[derive(Deserialize)]
struct Object {
    // An id of `null` comes back too.
    #[serde(default, deserialize_with = "given")]
    id: Option<Value>,
    position: String,
    game: Option<String>,
    moves: Option<Value>,
}

fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Reads an object.
pub(super) fn parse(
    line: &str,
    game: &GameSpec,
    base: &Setup,
) -> Result<(Option<Value>, Content), Problem> {
    let object: Object = serde_json::from_str(line).map_err(|error| bad_json(line, &error))?;
    if let Some(name) = &object.game
        && name.parse::<GameSpec>().ok() != Some(*game)
    {
        let message = format!("the object is of the game {}, not {game}", quoted(name));
        return Err(Problem::new("other-game", message));
    }
    // The column within the line, as long as nothing is escaped before it.
    let text = object.position.as_str();
    let literal = serde_json::to_string(text).ok().filter(|s| s.len() == text.len() + 2);
    let before = literal.and_then(|literal| line.find(&literal)).map(|at| &line[..=at]);
    let mut content = parse_text(Span::new(text), game, base)
        .and_then(|content| {
            let message = "the position is empty".to_owned();
            content.ok_or_else(|| Problem::new("empty", message))
        })
        .map_err(|mut problem| {
            let within = problem.column.take();
            problem.column = within.zip(before).map(|(c, before)| before.chars().count() + c);
            problem
        })?;
    if let Some(moves) = object.moves.as_ref().map(moves_text).transpose()?.flatten() {
        if content.score.is_some() || !content.move_scores.is_empty() {
            let message = "a position with scores and with moves: whose scores are they?";
            return Err(Problem::new("bad-json", message.to_owned()));
        }
        let text = Span::new(&moves).ascii();
        let played = text
            .and_then(|text| transcript::play(game, &content.setup, content.position, text))
            .map_err(|problem| Problem { column: None, ..problem })?;
        content = content.followed_by(played);
    }
    json_game::describe(line, &mut content);
    Ok((object.id, content))
}

/// The transcript in `moves`; `None` for the scored moves of one of our own results.
fn moves_text(moves: &Value) -> Result<Option<String>, Problem> {
    let bad = || {
        let message = "\"moves\" is a transcript or a list of moves".to_owned();
        Problem::new("bad-json", message)
    };
    match moves {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone())),
        Value::Array(list) if list.iter().all(Value::is_object) => Ok(None),
        Value::Array(list) => {
            let words: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            Ok(Some(words.ok_or_else(bad)?.join(" ")))
        }
        _ => Err(bad()),
    }
}

fn bad_json(line: &str, error: &serde_json::Error) -> Problem {
    let mut text = error.to_string();
    if let Some(at) = text.rfind(" at line ") {
        text.truncate(at);
    }
    // Its column counts bytes.
    let bytes = error.column().saturating_sub(1);
    let column = line.char_indices().take_while(|&(at, _)| at < bytes).count() + 1;
    let message =
        format!("no object such as {{\"id\":1,\"position\":\"... X\"}}: {}", shortened(&text, 80));
    Problem::at(column, "bad-json", message)
}
