//! Properties of every reader on every registered game: no text makes it panic, and what was
//! written is read back.

use super::{argument, diagrams, game, moves};
use obverse::board::registry::REGISTERED;
use obverse::board::{Color, GameSpec, Move, Position, Setup};
use obverse::notation::{self, Format, obf, transcript};
use proptest::prelude::*;

/// A game and some moves of a random playout.
fn playout(name: &str, choices: &[u8]) -> (GameSpec, Vec<Move>, Setup, Position) {
    let game = game(name);
    let (mut position, mut side, mut moves) = (Position::start(&game), Color::Black, Vec::new());
    for &choice in choices {
        let legal = position.moves(&game);
        if legal.is_empty() {
            break;
        }
        let mv = legal[usize::from(choice) % legal.len()];
        position = position.play(&game, mv).unwrap();
        side = !side;
        moves.push(mv);
    }
    (game, moves, Setup::from_position(&game, &position, side), position)
}

fn choices() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 0..80)
}

/// Characters that the readers look at, and some that they do not.
const ALPHABET: &str = "[XOxobwBW*0#.\\-;:% \t\r\n+1-9a-hA-H@pPsS=/{}\"?\u{3042}]{0,90}";

fn try_everything(game: &GameSpec, text: &[u8]) {
    let start = Setup::start(game);
    for format in [Format::Lines, Format::Diagram] {
        for error in notation::read(text, "f", game, &start, format).filter_map(Result::err) {
            assert!(error.to_string().len() < 400, "{error}");
        }
    }
    if let Ok(text) = std::str::from_utf8(text) {
        let _ = argument(game, text);
        let _ = moves(game, text);
        let _ = argument(game, &serde_json::json!({"position": text, "moves": text}).to_string());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics_on_any_bytes(
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
        text in ALPHABET,
        any_text in ".{0,100}",
        which in 0..REGISTERED.len(),
    ) {
        let game = game(REGISTERED[which]);
        for text in [&bytes[..], text.as_bytes(), any_text.as_bytes()] {
            try_everything(&game, text);
        }
    }

    #[test]
    fn nothing_panics_on_damaged_lines(
        choices in choices(),
        which in 0..REGISTERED.len(),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), ".{0,2}"), 1..4),
    ) {
        let (game, moves, setup, position) = playout(REGISTERED[which], &choices);
        let scores: Vec<_> = position.moves(&game).into_iter().map(|mv| (mv, 2)).collect();
        let board = setup.text(&game).to_string();
        for line in [
            obf::write(&game, &setup, None, &scores),
            transcript::write(&moves),
            format!("{};{}", Setup::start(&game).text(&game), transcript::write(&moves)),
            serde_json::json!({"id": 1, "position": board}).to_string(),
            board.chars().map(|c| format!("{c}\n")).collect(),
        ] {
            let mut chars: Vec<char> = line.chars().collect();
            for (at, text) in &damage {
                let at = at.index(chars.len() + 1);
                chars.splice(at..chars.len().min(at + 1), text.chars());
            }
            try_everything(&game, chars.into_iter().collect::<String>().as_bytes());
        }
    }

    #[test]
    fn positions_are_read_as_they_were_written(choices in choices(), lower in any::<bool>()) {
        for name in REGISTERED {
            let (game, _, setup, _) = playout(name, &choices);
            let mut text = setup.text(&game).to_string();
            if lower {
                text.make_ascii_lowercase();
            }
            let entry = argument(&game, &text);
            let entry = entry.map_err(|e| TestCaseError::fail(format!("{name} {text}: {e}")))?;
            prop_assert_eq!(entry.setup, setup);
            prop_assert_eq!(entry.position, setup.position(&game).unwrap());
        }
    }

    // The failure that matters most: one square too few or too many must not shift the rest into
    // another position.
    #[test]
    fn a_board_of_another_length_is_never_a_position(
        choices in choices(),
        at in any::<prop::sample::Index>(),
        extra in "[XO0-]",
    ) {
        for name in REGISTERED {
            let (game, _, setup, _) = playout(name, &choices);
            let text = setup.text(&game).to_string();
            let at = at.index((game.width() * game.height()) as usize);
            let (front, back) = text.split_at(at);
            for damaged in [format!("{front}{}", &back[1..]), format!("{front}{extra}{back}")] {
                for tail in ["", " 0", " +2", ";", "; +0"] {
                    let line = format!("{damaged}{tail}");
                    prop_assert!(argument(&game, &line).is_err(), "{} {}", name, line);
                }
            }
        }
    }

    #[test]
    fn drawings_are_read_as_they_were_drawn(choices in choices()) {
        for name in REGISTERED {
            let (game, _, setup, _) = playout(name, &choices);
            let text = setup.text(&game).to_string();
            let (squares, side) = text.split_once(' ').unwrap();
            let mut drawing = String::new();
            for row in squares.as_bytes().chunks(game.width() as usize) {
                drawing += &format!("{}\n", std::str::from_utf8(row).unwrap());
            }
            let results = diagrams(&game, &format!("{drawing}{side}\n"));
            prop_assert_eq!(results.len(), 1, "{}", name);
            prop_assert_eq!(results[0].as_ref().unwrap().setup, setup);
        }
    }

    #[test]
    fn transcripts_are_read_as_they_were_written(choices in choices(), implied in any::<bool>()) {
        for name in REGISTERED {
            let (game, played, setup, position) = playout(name, &choices);
            let mut text = transcript::write(&played);
            // A forced pass need not be written, except the last one: nothing implies it.
            let closing = played.last() == Some(&Move::Pass);
            if implied && !name.contains("optional-pass") && !closing {
                text = text.replace("pa", "");
            }
            let found = moves(&game, &text);
            let found = found.map_err(|e| TestCaseError::fail(format!("{name} {text}: {e}")))?;
            prop_assert_eq!((found.0, found.1, &found.2), (setup, position, &played));
            if !text.is_empty() {
                prop_assert_eq!(argument(&game, &text).unwrap().position, position);
                let line = format!("{};{text}", Setup::start(&game).text(&game));
                prop_assert_eq!(argument(&game, &line).unwrap().position, position);
            }
        }
    }

    #[test]
    fn board_files_are_read_as_they_were_written(
        choices in choices(),
        score in proptest::option::of(-32..=32),
        scores in proptest::collection::vec(-32..=32, 64),
    ) {
        for name in REGISTERED {
            let (game, _, setup, _) = playout(name, &choices);
            let legal = setup.position(&game).unwrap().moves(&game);
            let scores: Vec<(Move, i32)> =
                legal.into_iter().zip(scores.iter().map(|score| score * 2)).collect();
            let line = obf::write(&game, &setup, score, &scores);
            let entry = argument(&game, &line);
            let entry = entry.map_err(|e| TestCaseError::fail(format!("{name} {line}: {e}")))?;
            prop_assert_eq!(entry.setup, setup);
            prop_assert_eq!(entry.score, score);
            prop_assert_eq!(entry.move_scores, scores);
        }
    }
}
