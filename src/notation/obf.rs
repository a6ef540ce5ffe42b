//! OBF, the Othello board file: `<position>; <move>:<score>; ...` a line.
//!
//! Dialects accepted: fields in any order; `PS`, `PA`, `--` and the other spellings for a pass; the
//! filler `--:-127`; a score alone, which is the position's; one field of moves to play.

use super::line::Content;
use super::span::{Problem, Span, quoted};
use super::transcript;
use crate::board::{Game, GameSpec, Move, Position, Setup};
use std::fmt::Write;

/// The score of the filler `--:-127`, which is no move.
const FILLER: i32 = -127;

/// An OBF line without its newline: the score of the position if there is one, then each move
/// with its score in the order given. Moves are in upper case, a pass is `PS`.
pub fn write(
    game: &GameSpec,
    setup: &Setup,
    score: Option<i32>,
    move_scores: &[(Move, i32)],
) -> String {
    let mut line = setup.text(game).to_string();
    if score.is_some() || !move_scores.is_empty() {
        line.push(';');
    }
    let infallible = "writing to a string does not fail";
    if let Some(score) = score {
        write!(line, " {score:+};").expect(infallible);
    }
    for (mv, score) in move_scores {
        let mv = match mv {
            Move::Place(square) => square.to_string().to_ascii_uppercase(),
            Move::Pass => "PS".to_owned(),
        };
        write!(line, " {mv}:{score:+};").expect(infallible);
    }
    line
}

/// A whole number with or without a sign.
pub(super) fn read_score(text: &str) -> Option<i32> {
    text.parse().ok()
}

/// Reads the fields after a position: nothing, or `;` and fields.
pub(super) fn read_fields(
    game: &GameSpec,
    setup: Setup,
    position: Position,
    score: Option<i32>,
    rest: Span,
) -> Result<Content, Problem> {
    let mut content = Content { score, ..Content::bare(setup, position) };
    let legal = position.moves(game);
    let mut rest = rest;
    // The position is field 1.
    let mut number = 1;
    while !rest.is_empty() {
        rest = rest.from(1);
        number += 1;
        let field = rest.until(';');
        rest = rest.from(field.text.len());
        let field = field.trim();
        if field.is_empty() {
            continue;
        }
        if field.text.contains(':') {
            read_annotation(&mut content, &legal, field, number)?;
        } else if let Some(score) = read_score(field.text) {
            if content.score.replace(score).is_some_and(|old| old != score) {
                return Err(bad_field(field, number, "is a second score of the position"));
            }
        } else if transcript::is_transcript(game, field) {
            let alone = content.score.is_none() && content.move_scores.is_empty();
            if !alone || !rest.text.chars().all(|c| c == ';' || c.is_whitespace()) {
                return Err(bad_field(field, number, "are moves to play among other fields"));
            }
            return Ok(transcript::play(game, &setup, position, field)?.into_content());
        } else {
            return Err(bad_field(field, number, "is no MOVE:SCORE, no score and no transcript"));
        }
    }
    warn_of_scores(game, &mut content);
    Ok(content)
}

/// Reads `MOVE:SCORE`. Moves that are not legal here are left out with a warning.
fn read_annotation(
    content: &mut Content,
    legal: &[Move],
    field: Span,
    number: usize,
) -> Result<(), Problem> {
    let bad = || bad_field(field, number, "is no MOVE:SCORE such as H4:+2");
    let (name, score) = field.text.split_once(':').ok_or_else(bad)?;
    let name = name.trim_end();
    let score = read_score(score.trim_start()).ok_or_else(bad)?;
    if name == "--" && score == FILLER {
        return Ok(());
    }
    let mv = match name.parse() {
        Ok(square) => Move::Place(square),
        Err(_) if transcript::is_pass(name) => Move::Pass,
        Err(_) => return Err(bad()),
    };
    if !legal.contains(&mv) {
        let warning = format!("{name} is not a legal move here: its score {score:+} is ignored");
        content.warnings.push(warning);
        return Ok(());
    }
    match content.move_scores.iter().find(|(other, _)| *other == mv) {
        Some((_, other)) if *other != score => {
            Err(bad_field(field, number, "gives a move a second score"))
        }
        Some(_) => Ok(()),
        None => {
            content.move_scores.push((mv, score));
            Ok(())
        }
    }
}

fn bad_field(field: Span, number: usize, what: &str) -> Problem {
    Problem::at(field.column, "bad-field", format!("field {number}: {} {what}", quoted(field.text)))
}

/// Warns of scores that no game can end with.
fn warn_of_scores(game: &GameSpec, content: &mut Content) {
    let (max, step) = (game.max_score(), game.step());
    let of_moves = content.move_scores.iter().map(|&(mv, score)| (Some(mv), score));
    let all = content.score.map(|score| (None, score)).into_iter().chain(of_moves);
    let warnings: Vec<String> = all
        .filter_map(|(mv, score)| {
            let why = if score.unsigned_abs() > max.unsigned_abs() {
                format!("{max} is the most on this board")
            } else if score % step != 0 {
                format!("scores of {game} ({}) are even", game.score_rule())
            } else {
                return None;
            };
            let whose = mv.map_or_else(|| "of the position".to_owned(), |mv| format!("of {mv}"));
            Some(format!("the score {score:+} {whose} is impossible: {why}"))
        })
        .collect();
    content.warnings.extend(warnings);
}
