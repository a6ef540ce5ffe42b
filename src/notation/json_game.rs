//! Recorded games as JSON lines: an input object (`position`, `moves`, `game`) with further names.
//!
//! `black white black_rating white_rating event place date komi comment` as in the record;
//! `result` is `{"black":4,"ending":"played"}` or has a `winner`; `evals` and `seconds` have one
//! number or null for each move, `tags` pairs of GGF names and values.

use super::game::{Details, Ending, GameRecord, GameResult, Theoretical};
use super::line::Content;
use super::transcript;
use crate::board::Color;
use serde::{Deserialize, Serialize};

/// Version of the object.
const SCHEMA: u32 = 1;

#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
struct Object {
    schema: u32,
    game: String,
    position: String,
    moves: String,
    /// Whether nobody can move after the last move.
    finished: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    white: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black_rating: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    white_rating: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<ResultObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    komi: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theoretical: Option<TheoreticalObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evals: Vec<Option<f64>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    seconds: Vec<Option<f64>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<(String, String)>,
}

#[derive(Serialize, Deserialize)]
struct ResultObject {
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<Side>,
    ending: EndingName,
}

#[derive(Serialize, Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Side {
    Black,
    White,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum EndingName {
    Played,
    Resigned,
    Timeout,
    Agreed,
    Left,
}

#[derive(Serialize, Deserialize)]
struct TheoreticalObject {
    empties: u32,
    black: i32,
}

/// The two names of each way to end.
const ENDINGS: [(Ending, EndingName); 5] = [
    (Ending::Played, EndingName::Played),
    (Ending::Resigned, EndingName::Resigned),
    (Ending::Timeout, EndingName::Timeout),
    (Ending::Agreed, EndingName::Agreed),
    (Ending::Left, EndingName::Left),
];

impl From<GameResult> for ResultObject {
    fn from(result: GameResult) -> Self {
        let side = |color| if color == Color::Black { Side::Black } else { Side::White };
        let name = ENDINGS.iter().find(|(ending, _)| *ending == result.ending);
        Self {
            black: result.black,
            winner: result.winner.map(side),
            ending: name.map_or(EndingName::Played, |&(_, name)| name),
        }
    }
}

impl From<ResultObject> for GameResult {
    fn from(object: ResultObject) -> Self {
        let color = |side| if matches!(side, Side::Black) { Color::Black } else { Color::White };
        let ending = ENDINGS.iter().find(|(_, name)| *name == object.ending);
        Self {
            black: object.black,
            winner: object.winner.map(color),
            ending: ending.map_or(Ending::Played, |&(ending, _)| ending),
        }
    }
}

/// A game as one line without its newline.
pub fn write(record: &GameRecord) -> String {
    let Details { players, ratings, .. } = record.details.clone();
    let details = &record.details;
    let ([black, white], [black_rating, white_rating]) = (players, ratings);
    let column = |value: fn(&super::game::Ply) -> Option<f64>| {
        let values: Vec<_> = record.plies.iter().map(value).collect();
        if values.iter().all(Option::is_none) { Vec::new() } else { values }
    };
    let object = Object {
        schema: SCHEMA,
        game: record.game.to_string(),
        position: record.start.text(&record.game).to_string(),
        moves: transcript::write(&record.moves()),
        finished: record.is_finished(),
        black,
        white,
        black_rating,
        white_rating,
        event: details.event.clone(),
        place: details.place.clone(),
        date: details.date.clone(),
        result: details.result.map(Into::into),
        komi: details.komi,
        theoretical: details
            .theoretical
            .map(|Theoretical { empties, black }| TheoreticalObject { empties, black }),
        comment: details.comment.clone(),
        evals: column(|ply| ply.eval),
        seconds: column(|ply| ply.seconds),
        tags: details.tags.clone(),
    };
    serde_json::to_string(&object).expect("text and finite numbers can be written")
}

/// Adds what an object says of its game. Objects of other programs may use these names for
/// something else: then nothing is taken.
pub(super) fn describe(line: &str, content: &mut Content) {
    let Ok(object) = serde_json::from_str::<Object>(line) else { return };
    for (ply, eval) in content.plies.iter_mut().zip(&object.evals) {
        ply.eval = *eval;
    }
    for (ply, seconds) in content.plies.iter_mut().zip(&object.seconds) {
        ply.seconds = *seconds;
    }
    content.details = Details {
        players: [object.black, object.white],
        ratings: [object.black_rating, object.white_rating],
        event: object.event,
        place: object.place,
        date: object.date,
        result: object.result.map(Into::into),
        komi: object.komi,
        theoretical: object
            .theoretical
            .map(|TheoreticalObject { empties, black }| Theoretical { empties, black }),
        comment: object.comment,
        tags: object.tags,
    };
}
