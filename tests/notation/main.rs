//! Text in and out: the public corpora, the malformed inputs that break other programs, every
//! dialect; `properties` holds what is true of every reader and every text.

mod properties;

use obverse::board::{Color, GameSpec, Move, Position, Setup};
use obverse::notation::{self, Entry, Format, InputError, Location, transcript};
use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

const NEARLY_FULL: &str = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO-";

fn game(name: &str) -> GameSpec {
    name.parse().unwrap()
}

fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(path)
}

fn text_of(path: &str) -> String {
    std::fs::read_to_string(data(path)).unwrap()
}

/// Reads a text as a file in lines.
fn read(game: &GameSpec, text: impl AsRef<[u8]>) -> Vec<Result<Entry, InputError>> {
    notation::read(text.as_ref(), "file", game, &Setup::start(game), Format::Lines).collect()
}

fn diagrams(game: &GameSpec, text: &str) -> Vec<Result<Entry, InputError>> {
    let start = Setup::start(game);
    notation::read(text.as_bytes(), "file", game, &start, Format::Diagram).collect()
}

/// Reads a text as an argument.
fn argument(game: &GameSpec, text: &str) -> Result<Entry, InputError> {
    let location = Location { source: "arg1".to_owned(), line: None };
    notation::parse_entry(text, location, game, &Setup::start(game))
}

fn moves(game: &GameSpec, text: &str) -> Result<(Setup, Position, Vec<Move>), InputError> {
    notation::play_moves(game, &Setup::start(game), text)
}

/// The value by minimax, for the few positions here that have one or two empties.
fn value(game: &GameSpec, position: &Position) -> i32 {
    let children = position.moves(game).into_iter().filter_map(|mv| position.play(game, mv));
    let best = children.map(|child| -value(game, &child)).max();
    best.unwrap_or_else(|| position.final_score(game))
}

#[test]
fn malformed_inputs_get_the_answer_written_down() {
    let game = GameSpec::standard();
    let text = text_of("edge/inputs.jsonl");
    let mut cases = 0;
    for line in text.lines().skip(1) {
        let case: Value = serde_json::from_str(line).unwrap();
        let (id, check) = (case["id"].as_str().unwrap(), &case["check"]);
        let mut input = case["input"].as_str().unwrap().to_owned();
        if let Some(append) = case.get("append") {
            let times = append["times"].as_u64().unwrap() as usize;
            input += &append["text"].as_str().unwrap().repeat(times);
        }
        let results = if input.trim().contains('\n') {
            vec![argument(&game, &input)]
        } else {
            read(&game, &input)
        };
        check_case(&game, id, check, &input, &results);
        cases += 1;
    }
    assert_eq!(cases, 31);
}

fn check_case(
    game: &GameSpec,
    id: &str,
    check: &Value,
    input: &str,
    results: &[Result<Entry, InputError>],
) {
    let fields = check.as_object().unwrap();
    assert!(!fields.is_empty(), "{id}");
    let expected_entries = check["entries"].as_u64().unwrap_or(1) as usize;
    assert_eq!(results.len(), expected_entries, "{id}");
    let Some(result) = results.first() else { return };
    for (name, wanted) in fields {
        let number = wanted.as_i64().map(|n| n as i32);
        let entry = || result.as_ref().unwrap_or_else(|error| panic!("{id}: {error}"));
        match name.as_str() {
            "entries" => {}
            "error" | "says" | "column" => {
                let error = result.as_ref().expect_err(id);
                let rest = error.message.replace(error.kind, "");
                assert!(rest.len() < 300, "{id}: {error}");
                match name.as_str() {
                    "error" => assert_eq!(error.kind, wanted.as_str().unwrap(), "{id}"),
                    "says" => {
                        assert!(error.message.contains(wanted.as_str().unwrap()), "{id}: {error}");
                    }
                    _ => assert_eq!(error.column, wanted.as_u64().map(|n| n as usize), "{id}"),
                }
            }
            "score" => assert_eq!(Some(value(game, &entry().position)), number, "{id}"),
            "score_as_diagram" => {
                let drawn = diagrams(game, input).remove(0).unwrap();
                assert_eq!(Some(value(game, &drawn.position)), number, "{id}");
            }
            "annotations" => assert_eq!(Some(entry().move_scores.len() as i32), number, "{id}"),
            "best" => {
                let best = entry().move_scores.iter().map(|&(_, score)| score).max();
                assert_eq!(best, number, "{id}");
            }
            "warning" => {
                let [warning] = &entry().warnings[..] else { panic!("{id}: one warning") };
                assert!(warning.contains(wanted.as_str().unwrap()), "{id}: {warning}");
            }
            "moves" => assert_eq!(Some(moves(game, input).unwrap().2.len() as i32), number, "{id}"),
            "same_as" => {
                let other = argument(game, wanted.as_str().unwrap()).unwrap();
                assert_eq!(entry().position, other.position, "{id}");
            }
            other => panic!("{id}: unknown check {other}"),
        }
        if !fields.contains_key("warning") && result.is_ok() {
            assert!(entry().warnings.is_empty(), "{id}: {:?}", entry().warnings);
        }
    }
}

#[test]
fn the_public_collections_are_read_without_a_complaint() {
    let mut files = vec![
        ("ffo-1-19.obf".to_owned(), 19, true),
        ("ffo-20-39.obf".to_owned(), 20, true),
        ("ffo-40-44.obf".to_owned(), 5, true),
        ("ffo-40-59.obf".to_owned(), 20, true),
        ("ffo-60-79.obf".to_owned(), 20, true),
        ("hard-20-first150.obf".to_owned(), 150, true),
        ("hard-25-first150.obf".to_owned(), 150, true),
        ("hard-30-first100.obf".to_owned(), 100, true),
        ("stress-10.txt".to_owned(), 500, false),
        ("units.txt".to_owned(), 17, false),
        ("plain-6.txt".to_owned(), 137, false),
        ("plain-12.txt".to_owned(), 112, false),
    ];
    files.extend((0..=24).map(|empties| {
        (format!("random/e{empties:02}.txt"), if empties <= 20 { 1000 } else { 200 }, false)
    }));
    for (file, count, all_moves) in files {
        let game = game(if file.starts_with("plain") { "8x8+discs" } else { "8x8" });
        let entries = read(&game, text_of(&format!("positions/{file}")));
        assert_eq!(entries.len(), count, "{file}");
        for entry in entries {
            let entry = entry.unwrap();
            let at = &entry.location;
            assert!(entry.warnings.is_empty(), "{file} {at}: {:?}", entry.warnings);
            assert_eq!(entry.score.is_some(), !all_moves, "{file} {at}");
            if all_moves {
                let mut annotated: Vec<Move> = entry.move_scores.iter().map(|s| s.0).collect();
                annotated.sort();
                assert_eq!(annotated, entry.position.moves(&game), "{file} {at}");
            }
            if let Some(empties) = file.strip_prefix("random/e").and_then(|s| s.get(..2)) {
                assert_eq!(
                    entry.position.empties(&game).len(),
                    empties.parse::<u32>().unwrap(),
                    "{at}"
                );
            }
        }
    }
}

#[test]
fn the_endgame_script_holds_the_same_positions_as_the_board_file() {
    let game = GameSpec::standard();
    let setups = |file: &str| -> Vec<Setup> {
        read(&game, text_of(file)).into_iter().map(|entry| entry.unwrap().setup).collect()
    };
    let script = setups("positions/ffotest.scr");
    let board_file = setups("positions/ffo-40-59.obf");
    assert_eq!(script.len(), 21);
    assert_eq!(script[0], board_file[7]);
    assert_eq!(script[1..], board_file);
}

#[test]
fn odd_positions_are_read_and_finished_ones_score_as_written() {
    let rows = text_of("positions/edge.tsv");
    let rows: Vec<&str> = rows.lines().filter(|line| !line.starts_with('%')).skip(1).collect();
    assert_eq!(rows.len(), 15);
    for row in rows {
        let columns: Vec<&str> = row.split('\t').collect();
        for (name, column) in [("8x8", 2), ("8x8+discs", 3)] {
            let game = game(name);
            let position = argument(&game, columns[1]).unwrap().position;
            if let (Ok(score), true) = (columns[column].parse::<i32>(), position.is_over(&game)) {
                assert_eq!(position.final_score(&game), score, "{row}");
            }
        }
    }
}

#[test]
fn known_games_are_replayed() {
    let game = GameSpec::standard();
    let rows = text_of("positions/transcripts/known-games.tsv");
    let known = |id: &str| {
        let row = rows.lines().find(|row| row.starts_with(&format!("{id}\t"))).unwrap();
        moves(&game, row.split('\t').nth(2).unwrap()).unwrap_or_else(|e| panic!("{id}: {e}"))
    };
    let passes = |played: &[Move]| played.iter().filter(|&&mv| mv == Move::Pass).count();

    for (id, forced_passes) in [("optimal-8x8", 0), ("reversatile-22", 1)] {
        let (_, position, played) = known(id);
        assert!(position.is_over(&game) && position.final_score(&game) == 0, "{id}");
        assert_eq!((position.empties(&game).len(), passes(&played)), (0, forced_passes), "{id}");
    }
    let (setup, position, _) = known("max-mobility-33");
    assert_eq!((position.moves(&game).len(), setup.side), (33, Color::White));
    let (setup, position, _) = known("fastest-wipeout-9");
    assert!(position.is_over(&game));
    assert_eq!((setup.black.len(), setup.white.len()), (13, 0));
    // The written closing pass counts, a forced pass at the end is not played by itself.
    let (setup, position, played) = known("nboard-pass");
    assert_eq!((setup.side, position.moves(&game).len()), (Color::White, 13));
    assert_eq!(played.last(), Some(&Move::Pass));
    let (setup, position, _) = known("zolomon-6");
    assert_eq!((setup.side, position.moves(&game)), (Color::Black, vec![Move::Pass]));
    let (setup, _, _) = known("zolomon-5");
    let board = "------O---OXXOO----XOO---XXXOX--XXXOX----X--OX--------X--------X X";
    assert_eq!(setup.text(&game).to_string(), board);
    let (_, with_pass, _) = known("issen-explicit-pass");
    assert_eq!(with_pass, moves(&game, "f5f6d3g5h5h4f7h6c5").unwrap().1);
    known("egaroucid-276a");
    known("egaroucid-276b");

    let draws = read(&game, text_of("positions/transcripts/shortest-draws-20.txt"));
    assert_eq!(draws.len(), 60);
    for entry in draws {
        let position = entry.unwrap().position;
        assert!(position.is_over(&game) && position.final_score(&game) == 0);
    }
}

#[test]
fn a_bad_line_is_an_error_in_its_place_and_nothing_else() {
    let game = GameSpec::standard();
    let good = format!("{NEARLY_FULL} X");
    let short = "-".repeat(63) + " X";
    let results = read(&game, format!("{good}\n{short}\n\n% note\n{good}\n{good}; junk\n{good}"));
    let lines: Vec<_> = results
        .iter()
        .map(|result| match result {
            Ok(entry) => (entry.location.line, None),
            Err(error) => (error.location.line, Some(error.kind)),
        })
        .collect();
    let expected = [
        (Some(1), None),
        (Some(2), Some("bad-length")),
        (Some(5), None),
        (Some(6), Some("bad-field")),
        (Some(7), None),
    ];
    assert_eq!(lines, expected);
    let error = results[3].as_ref().unwrap_err();
    assert!(error.to_string().starts_with("file:6:69: field 2"), "{error}");
}

#[test]
fn records_of_another_program_with_damaged_fields_are_four_errors() {
    // Layout `id;board;side;text;`; the damage of rcrr/reversi's own test data: a wrong letter, a
    // wrong, a missing and a doubled player.
    let game = GameSpec::standard();
    let board = NEARLY_FULL;
    let wrong = board.replacen('X', "v", 1);
    let records = format!(
        "r1;{wrong};b;t;\nr2;{board};n;t;\nr3;{board};;t;\nr4;{board};bb;t;\n{board} X\n\
         {wrong} b\n{board} n\n{board}\n{board} bb\n{board} X"
    );
    let kinds: Vec<_> =
        read(&game, records).into_iter().map(|r| r.map(drop).map_err(|e| e.kind)).collect();
    let unknown = Err("unrecognised");
    let expected = [
        unknown,
        unknown,
        unknown,
        unknown,
        Ok(()),
        Err("bad-square"),
        Err("bad-side"),
        Err("side-missing"),
        Err("bad-length"),
        Ok(()),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn boards_of_every_dialect_are_read() {
    let game = GameSpec::standard();
    let expected = argument(&game, &format!("{NEARLY_FULL} X")).unwrap();
    let spaced: String = NEARLY_FULL.chars().flat_map(|c| [c, ' ']).collect();
    let rows: Vec<&str> = (0..8).map(|row| &NEARLY_FULL[8 * row..8 * row + 8]).collect();
    for text in [
        format!("{NEARLY_FULL}X"),
        format!("  {}\t*  ", NEARLY_FULL.replace('X', "*").replace('O', "0")),
        format!("{} b", NEARLY_FULL.replace('X', "b").replace('O', "w").replace('-', ".")),
        format!("{spaced} X"),
        format!("{} X", rows.join(" ")),
        format!("{NEARLY_FULL} X % comment; H8:+2 \u{3042}"),
        format!("{NEARLY_FULL} X;;"),
        format!("{NEARLY_FULL} X ; ; %"),
    ] {
        let entry = argument(&game, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(entry, expected, "{text}");
    }
    for (text, score) in [("+64", 64), ("64", 64), ("-2", -2), ("+0;", 0), ("; +4;", 4)] {
        let entry = argument(&game, &format!("{NEARLY_FULL} X {text}")).unwrap();
        assert_eq!(entry.score, Some(score), "{text}");
    }
    let start = argument(&game, "start").unwrap();
    assert_eq!(start.setup, Setup::start(&game));
    assert_eq!(argument(&game, "start;f5d6").unwrap(), argument(&game, "f5d6").unwrap());
    let zeros = "0..".repeat(21) + "0 *";
    assert_eq!(argument(&game, &zeros).unwrap().setup.white.len(), 22);
}

#[test]
fn bad_positions_are_named_with_kind_and_column() {
    let b = NEARLY_FULL;
    let short = &NEARLY_FULL[1..];
    let long = format!("-{NEARLY_FULL}");
    for (name, text, kind, column) in [
        ("8x8", format!("{short} X"), "bad-length", Some(65)),
        ("8x8", format!("{short} X 0"), "bad-length", Some(65)),
        ("8x8", format!("{short} X +64"), "bad-length", Some(65)),
        ("8x8", format!("{short} X; H8:+64"), "bad-length", Some(65)),
        ("8x8", format!("{} X; H8:+64", &short[1..]), "bad-length", Some(64)),
        ("8x8", format!("{long} X"), "bad-length", Some(65)),
        ("8x8", format!("{long}X 0"), "bad-length", Some(65)),
        ("8x8", format!("-{long} X"), "bad-length", Some(65)),
        ("8x8", format!("O{}O X", &b[1..]), "bad-length", Some(65)),
        ("8x8", b.to_owned(), "side-missing", Some(65)),
        ("8x8", format!("{b}; H8:+2"), "side-missing", Some(65)),
        ("8x8", format!("{b} -"), "bad-length", Some(66)),
        ("8x8", format!("{b} Y"), "bad-side", Some(66)),
        ("8x8", format!("{b} X12"), "bad-side", Some(66)),
        ("8x8", format!("{b} X twelve"), "bad-field", Some(68)),
        ("8x8", format!("{b} X +12 3"), "bad-field", Some(72)),
        ("8x8", format!("{b} X +12345678901"), "bad-field", Some(68)),
        ("8x8", format!("{b} X; h8 pa"), "illegal-move", Some(72)),
        ("8x8", format!("{b} X; H8:"), "bad-field", Some(69)),
        ("8x8", format!("{b} X; H9:+2"), "bad-field", Some(69)),
        ("8x8", format!("{b} X; H8:+2; H8:+4"), "bad-field", Some(76)),
        ("8x8", format!("{b} X +2; +4"), "bad-field", Some(72)),
        ("8x8", format!("{b} X; H8:+2; f5"), "bad-field", Some(76)),
        ("8x8", format!("#{} X", &b[1..]), "bad-square", Some(1)),
        ("8x8", format!("X\u{a0}{} X", &b[1..]), "non-ascii", Some(2)),
        ("8x8", format!("\u{ff38}{} X", &b[1..]), "non-ascii", Some(1)),
        ("8x8", format!("{b} X supply=3/4"), "setup", None),
        ("8x8+hole=a1", format!("{b} X"), "bad-square", Some(1)),
        ("6x6", format!("{b} X"), "bad-length", Some(37)),
        ("8x8", "-".repeat(36) + " X", "bad-length", Some(38)),
        ("8x8", "nothing.obf".to_owned(), "unrecognised", Some(1)),
        ("8x8", "box.obf".to_owned(), "unrecognised", Some(1)),
        ("4x4+supply=8", "-----OX--XO----- X".to_owned(), "setup", None),
        ("4x4+supply=8", "-----OX--XO----- X supply=7/6".to_owned(), "setup", None),
        ("4x4+supply=8", "-----OX--XO----- X supply=6".to_owned(), "bad-supply", Some(20)),
        ("4x4+supply=8", "-----OX--XO----- X supply=+6/6".to_owned(), "bad-supply", Some(20)),
        ("4x4+free", "X--------------- O".to_owned(), "setup", None),
        ("8x8", String::new(), "empty", None),
        ("8x8", "  % only".to_owned(), "empty", None),
    ] {
        let error = argument(&game(name), &text).expect_err(&text);
        assert_eq!((error.kind, error.column), (kind, column), "{name} {text}: {error}");
    }
}

#[test]
fn holes_and_supplies_are_read() {
    let holes = game("4x4+hole=b1");
    let entry = argument(&holes, "-#---OX--XO----- X").unwrap();
    assert_eq!(entry.setup, Setup::start(&holes));
    assert_eq!(argument(&holes, "-----OX--XO-----x").unwrap(), entry);
    let supplied = game("4x4+supply=8");
    let entry = argument(&supplied, "-----OX--XO-----O SUPPLY=5/6 -2; b1:-2").unwrap();
    assert_eq!(entry.setup.supply, Some([5, 6]));
    assert_eq!(entry.position.extra.in_hand, [6, 5]);
    assert_eq!(entry.score, Some(-2));
}

#[test]
fn annotations_are_read_and_impossible_ones_warned_of() {
    let game = GameSpec::standard();
    let forced = format!("{}OX-", "X".repeat(61));
    for spelling in ["PS", "pa", "--", "Pass", "@@@@"] {
        let entry = argument(&game, &format!("{forced} X; {spelling}:+58; --:-127;")).unwrap();
        assert_eq!(entry.move_scores, [(Move::Pass, 58)], "{spelling}");
        assert!(entry.warnings.is_empty());
    }
    for (fields, scores, warnings) in [
        ("h8 : 64", 1, 0),
        ("H8:+64; H8:+64", 1, 0),
        ("H8:+63", 1, 1),
        ("H8:+66", 1, 1),
        ("PS:+2", 0, 1),
        ("A1:+2; --:-127; --:+2", 0, 2),
        ("+3", 0, 1),
    ] {
        let entry = argument(&game, &format!("{NEARLY_FULL} X; {fields}")).unwrap();
        assert_eq!(
            (entry.move_scores.len(), entry.warnings.len()),
            (scores, warnings),
            "{fields}: {:?}",
            entry.warnings
        );
    }
    let discs = "8x8+discs".parse().unwrap();
    assert!(argument(&discs, &format!("{NEARLY_FULL} X; H8:+63")).unwrap().warnings.is_empty());
}

#[test]
fn transcripts_of_every_dialect_are_played() {
    let game = GameSpec::standard();
    let plain = moves(&game, "f5d6c3d3").unwrap();
    for text in [
        "F5D6C3D3",
        "F5d6C3d3",
        " f5 d6  c3 d3 ",
        "1. F5 d6 2. C3 d3",
        "1.f5d6 2.c3d3",
        "P@f5@d6p@C3@d3",
    ] {
        assert_eq!(moves(&game, text).unwrap(), plain, "{text}");
        assert_eq!(argument(&game, text).unwrap().position, plain.1, "{text}");
    }
    let implied = moves(&game, "f5f6d3g5h5h4f7h6c5").unwrap();
    for pass in ["pa", "PS", "--", "xx", "@@@@", "pass", " Pass "] {
        assert_eq!(moves(&game, &format!("f5f6d3g5h5h4f7h6{pass}c5")).unwrap(), implied, "{pass}");
    }
    assert_eq!(transcript::write(&implied.2), "f5f6d3g5h5h4f7h6pac5");
    assert_eq!(moves(&game, "").unwrap().0, Setup::start(&game));
    // From a board, in one line and from what was given.
    let board = "---------------------------OX------XO--------------------------- X";
    assert_eq!(argument(&game, &format!("{board};f5d6c3d3")).unwrap().position, plain.1);
    let base = moves(&game, "f5d6").unwrap().0;
    let read = notation::read("c3d3\n".as_bytes(), "-", &game, &base, Format::Lines);
    assert_eq!(read.last().unwrap().unwrap().position, plain.1);
}

#[test]
fn illegal_transcripts_say_where_and_why() {
    for (name, text, kind, says) in [
        ("8x8", "f5f5", "illegal-move", "f5 is occupied at move 2"),
        ("8x8", "f5a1", "illegal-move", "a1 flips nothing at move 2 (White to move)"),
        ("8x8", "f5pad6", "illegal-move", "a pass at move 2, where White has to place"),
        ("8x8", "f4", "illegal-move", "legal from the start of --game 8x8+cross-mirrored"),
        ("8x8+cross-mirrored", "f5d6", "illegal-move", "legal from the start of --game 8x8"),
        ("8x8", "e6f4e3f6g5d6e7f5c5pa", "illegal-move", "ended after move 9 (13-0)"),
        ("8x8", "f5d6c", "bad-transcript", "half a move at the end: 'c'"),
        ("8x8", "f5d6cc", "bad-transcript", "'cc' is no move"),
        ("8x8", "f5 d6 ?", "bad-transcript", "'?' is no move"),
        ("6x6", "e4g7", "bad-transcript", "g7 is not on the 6x6 board"),
        ("4x4+hole=b1", "b1", "illegal-move", "b1 is a hole at move 1"),
        ("4x4+free", "b2a1", "illegal-move", "a1 is outside the centre block"),
        ("4x4+stuck-ends", "b1pa", "illegal-move", "a pass at move 2"),
    ] {
        let spec = game(name);
        let error = moves(&spec, text).expect_err(text);
        assert_eq!(error.kind, kind, "{name} {text}: {error}");
        assert!(error.message.contains(says), "{name} {text}: {error}");
        assert_eq!(error.location.to_string(), "--moves");
        assert_eq!(argument(&spec, text).unwrap_err().message, error.message);
    }
    // No hint where the mirrored start would not do either.
    let error = moves(&GameSpec::standard(), "a1").unwrap_err();
    assert!(!error.message.contains("--game"), "{error}");
}

#[test]
fn the_other_games_have_their_own_moves() {
    let free = game("4x4+free");
    let (setup, ..) = moves(&free, "b2c2c3b3").unwrap();
    assert_eq!((setup.black.len(), setup.white.len(), setup.side), (2, 2, Color::Black));
    // A voluntary pass must be written; it is part of the position, not of the text.
    let optional = game("4x4+optional-pass");
    let (setup, position, played) = moves(&optional, "pa").unwrap();
    assert_eq!((setup.side, position.extra.passes, played), (Color::White, 1, vec![Move::Pass]));
    assert_eq!(argument(&optional, "pa").unwrap().position, position);
    assert!(moves(&optional, "papa").unwrap().1.is_over(&optional));
    assert!(moves(&optional, "papapa").unwrap_err().message.contains("ended after move 2"));
}

#[test]
fn objects_are_read() {
    let game = GameSpec::standard();
    let good = |text: &str| argument(&game, text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let entry = good(&format!(r#"{{"id":{{"a":[1]}},"position":"{NEARLY_FULL} X; H8:+64"}}"#));
    assert_eq!(entry.id, Some(serde_json::json!({"a": [1]})));
    assert_eq!(entry.move_scores.len(), 1);
    assert_eq!(good(r#"{"position":"start"}"#).id, None);
    assert_eq!(good(r#"{"id":null,"position":"start"}"#).id, Some(Value::Null));
    let plain = good("f5d6");
    for text in [
        r#"{"position":"f5d6"}"#,
        r#"{"position":"start","moves":"f5d6","game":"8x8","unknown":[1]}"#,
        r#" {"position":"f5","moves":["d6"],"game":"8x8+cross"} "#,
        r#"{"position":"f5d6","moves":[{"move":"c3","lower":0}],"score_rule":"x"}"#,
    ] {
        assert_eq!(good(text).position, plain.position, "{text}");
    }
    let broken = NEARLY_FULL.replacen('X', "?", 1);
    for (text, kind, column) in [
        (r#"{"id":1}"#.to_owned(), "bad-json", Some(8)),
        (r#"{"id":1,"position":7}"#.to_owned(), "bad-json", Some(20)),
        (r#"{"position":"start","position":"f5"}"#.to_owned(), "bad-json", Some(30)),
        (r#"{"position":"start""#.to_owned(), "bad-json", Some(19)),
        (r#"{"position":"start"} x"#.to_owned(), "bad-json", Some(22)),
        (r#"{"position":"start","moves":7}"#.to_owned(), "bad-json", None),
        (r#"{"position":"start;f5","moves":"f5"}"#.to_owned(), "illegal-move", None),
        (format!(r#"{{"position":"{NEARLY_FULL} X +64","moves":"h8"}}"#), "bad-json", None),
        (r#"{"position":"start","game":"6x6"}"#.to_owned(), "other-game", None),
        (r#"{"position":"% nothing"}"#.to_owned(), "empty", None),
        (format!(r#"{{"id":"é","position":"{broken} X"}}"#), "bad-square", Some(23)),
    ] {
        let error = argument(&game, &text).expect_err(&text);
        assert_eq!((error.kind, error.column), (kind, column), "{text}: {error}");
    }
    let long = format!(r#"{{"position":7,"{}":1}}"#, "a".repeat(1000));
    assert!(argument(&game, &long).unwrap_err().message.len() < 200);
}

#[test]
fn diagrams_are_read_on_request() {
    let game = game("4x4");
    let start = Setup::start(&game);
    let plain = "----\n-OX-\n-XO-\n----\nX\n";
    let labelled = "  a b c d\n1 - - - - 1\n2 - O X - 2\n3 - X O - 3\n4 - - - - 4\n  A B C D\n\
                    Black to move\n";
    let text = format!("% two drawings\n\n{plain}{labelled}\r\n-----OX--XO-----\nside=B +4\n");
    let entries = diagrams(&game, &text);
    let lines: Vec<_> = entries.iter().map(|e| e.as_ref().unwrap().location.line).collect();
    assert_eq!(lines, [Some(3), Some(9), Some(16)]);
    assert!(entries.iter().all(|entry| entry.as_ref().unwrap().setup == start));
    assert_eq!(entries[2].as_ref().unwrap().score, Some(4));
    for (text, kind, line) in [
        ("----\n-OX\n-XO-\n----\nX\n", "bad-length", 2),
        ("----\n-OX-\n-X?-\n----\nX\n", "bad-square", 3),
        ("----\n-OX-\n\n-XO-\n----\nX\n", "bad-length", 2),
        ("----\n-OX-\n-XO-\n----", "side-missing", 4),
        ("----\n-OX-\n-XO-\n----\nY\n", "bad-side", 5),
        ("0\n0..............1\n", "bad-length", 1),
    ] {
        let results = diagrams(&game, &format!("{text}\n\n{plain}"));
        let error = results[0].as_ref().expect_err(text);
        assert_eq!((error.kind, error.location.line), (kind, Some(line)), "{text}: {error}");
        // The drawing after the bad one is still read.
        assert_eq!(results.last().unwrap().as_ref().unwrap().setup, start, "{text}");
    }
    let error = read(&GameSpec::standard(), "--------\n").remove(0).unwrap_err();
    assert!(error.message.contains("--format diagram"), "{error}");
}

#[test]
fn files_of_every_make_are_read() {
    let game = GameSpec::standard();
    let line = format!("{NEARLY_FULL} X");
    let count = |text: Vec<u8>| read(&game, text).into_iter().filter(Result::is_ok).count();
    assert_eq!(count(format!("\u{feff}{line}\r\n\r\n% c\r\n{line}").into_bytes()), 2);
    assert_eq!(count(format!("\u{feff}% c\n{line}\n\n").into_bytes()), 1);
    assert_eq!(count(Vec::new()), 0);
    // A mark anywhere else is an error, and so are bytes that are no UTF-8 outside a comment.
    let error = read(&game, format!("{line}\n\u{feff}{line}")).remove(1).unwrap_err();
    assert_eq!((error.kind, error.column), ("non-ascii", Some(1)));
    let mut bytes = format!("{line}\n{line} % caf").into_bytes();
    bytes.extend(b"\xe9\nXX\xff\n");
    let results = read(&game, bytes);
    assert!(results[0].is_ok() && results[1].is_ok());
    let error = results[2].as_ref().unwrap_err();
    assert_eq!(
        (error.kind, error.to_string().as_str()),
        ("not-utf8", "file:3:3: the bytes from here on are no UTF-8")
    );
}

#[test]
fn long_lines_cost_no_memory_and_do_not_hide_the_next() {
    let game = GameSpec::standard();
    let next = format!("\n{NEARLY_FULL} X\n");
    let input = io::repeat(b'A').take(200_000_000).chain(next.as_bytes());
    let start = Setup::start(&game);
    let results: Vec<_> =
        notation::read(BufReader::new(input), "-", &game, &start, Format::Lines).collect();
    assert_eq!(results[0].as_ref().unwrap_err().kind, "too-long");
    assert_eq!(results[1].as_ref().unwrap().location.line, Some(2));
    assert_eq!(argument(&game, &"f5d6".repeat(100_000)).unwrap_err().kind, "too-long");
    // Short enough to be read, still not repeated in the message.
    let error = argument(&game, &"?".repeat(60_000)).unwrap_err();
    assert!(error.message.len() < 300, "{error}");
}

/// Gives its pieces one at a time, then fails.
struct Pieces(Vec<&'static [u8]>);

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut available = self.fill_buf()?;
        let read = available.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Pieces {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.first().copied().ok_or_else(|| io::Error::other("the disk is gone"))
    }

    fn consume(&mut self, amount: usize) {
        let rest = &self.0[0][amount..];
        self.0[0] = rest;
        self.0.retain(|piece| !piece.is_empty());
    }
}

#[test]
fn entries_come_as_soon_as_their_line_and_a_broken_input_is_one_error() {
    let game = GameSpec::standard();
    let diagram = b"---------------------------OX------XO---------------------------\nX\n";
    for (format, pieces) in [
        (Format::Lines, vec![&b"f5"[..], b"d6\n", b"f5\n"]),
        (Format::Diagram, vec![&diagram[..], diagram]),
    ] {
        let start = Setup::start(&game);
        let mut entries = notation::read(Pieces(pieces), "-", &game, &start, format);
        // The reader would fail if it were asked for more than the line needs.
        assert!(entries.next().unwrap().is_ok());
        assert!(entries.next().unwrap().is_ok());
        let error = entries.next().unwrap().unwrap_err();
        assert_eq!(error.kind, "io");
        assert!(error.message.contains("the disk is gone"));
        assert!(entries.next().is_none());
    }
}
