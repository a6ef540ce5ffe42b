//! Recorded games: every public collection is read and replayed, every format gives back what was
//! written in it, malformed files get the answer written down, and no reader falls over.

use obverse::board::{Color, GameSpec, Move, Position, Setup};
use obverse::notation::game::{Details, GameRecord};
use obverse::notation::wthor::{self, Names};
use obverse::notation::{
    self, Format, GameFormat, InputError, base81, ggf, json_game, playok, sgf, transcript,
};
use proptest::prelude::*;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

const YEARS: std::ops::RangeInclusive<u32> = 1977..=1983;

/// One game of two moves: header, record.
const WTB: &str = "0000000001000000 0000bd0708001800 000001000200 1e20 3840";

fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(path)
}

fn bytes_of(path: &str) -> Vec<u8> {
    fs::read(data(path)).unwrap()
}

fn text_of(path: &str) -> String {
    fs::read_to_string(data(path)).unwrap()
}

fn read(bytes: &[u8], format: GameFormat) -> Vec<Result<GameRecord, InputError>> {
    notation::read_games(bytes, "file", &GameSpec::standard(), format, &Names::default())
}

fn games(bytes: &[u8], format: GameFormat) -> Vec<GameRecord> {
    read(bytes, format).into_iter().map(|game| game.unwrap_or_else(|e| panic!("{e}"))).collect()
}

/// The games of a text in lines.
fn line_games(text: &str, game: &GameSpec) -> Vec<GameRecord> {
    notation::read(text.as_bytes(), "file", game, &Setup::start(game), Format::Lines)
        .map(|entry| entry.unwrap_or_else(|e| panic!("{e}")).record(game))
        .collect()
}

fn transcript_of(record: &GameRecord) -> String {
    transcript::write(&record.moves())
}

fn archive() -> Vec<GameRecord> {
    YEARS
        .flat_map(|year| {
            games(&bytes_of(&format!("games/wthor/WTH_{year}.wtb")), GameFormat::Wthor)
        })
        .collect()
}

#[test]
fn every_game_of_the_wthor_years_is_replayed_and_its_score_agrees() {
    let mut total = 0;
    for year in YEARS {
        let bytes = bytes_of(&format!("games/wthor/WTH_{year}.wtb"));
        let games = games(&bytes, GameFormat::Wthor);
        assert_eq!(games.len(), (bytes.len() - 16) / 68, "{year}");
        for game in &games {
            assert_eq!(game.warnings, Vec::<String>::new(), "{}", game.location);
            let stored = game.details.result.unwrap().black.unwrap();
            if let Some(score) = game.black_score() {
                assert_eq!(f64::from(score), stored, "{}", game.location);
            }
            assert_eq!(game.details.date.as_deref(), Some(year.to_string().as_str()));
            assert_eq!(game.details.theoretical.unwrap().empties, 24);
        }
        total += games.len();
    }
    assert_eq!(total, 653);
}

#[test]
fn a_theoretical_score_comes_with_its_position_from_the_movers_view() {
    for game in archive() {
        let Some(moment) = game.at_empties(24) else { continue };
        let black = game.details.theoretical.unwrap().black;
        let expected = if moment.setup.side == Color::Black { black } else { -black };
        let entry = game.entry(&moment);
        assert_eq!(entry.score, Some(expected));
        assert_eq!(entry.position.empties(&game.game).len(), 24);
        assert_eq!(game.entry(&game.last()).score, None);
    }
}

#[test]
fn games_that_end_early_are_told_from_unfinished_ones() {
    let mut kinds = [0; 2];
    for line in text_of("games/notable.tsv").lines().skip(2) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [_, _, kind, black, white, empties, stored, moves] = fields[..] else {
            panic!("{line}")
        };
        let game = line_games(moves, &GameSpec::standard()).remove(0);
        let last = game.last();
        assert_eq!(last.setup.black.len().to_string(), black, "{line}");
        assert_eq!(last.setup.white.len().to_string(), white, "{line}");
        assert_eq!(last.position.empties(&game.game).len().to_string(), empties, "{line}");
        assert_eq!(game.is_finished(), kind != "unfinished", "{line}");
        if let Some(score) = game.black_score() {
            let stored: i32 = stored.parse().unwrap();
            assert_eq!(score, 2 * stored - 64, "{line}");
        }
        kinds[usize::from(kind == "unfinished")] += 1;
    }
    assert_eq!(kinds, [54, 5]);
}

#[test]
fn the_other_collections_are_read() {
    let ggf = games(&bytes_of("games/program-games.ggf"), GameFormat::Ggf);
    assert_eq!(ggf.len(), 12);
    for game in &ggf {
        assert_eq!(game.warnings, Vec::<String>::new());
        assert_eq!(
            f64::from(game.black_score().unwrap()),
            game.details.result.unwrap().black.unwrap()
        );
        assert!(game.plies.iter().all(|ply| ply.seconds.is_some() || ply.mv == Move::Pass));
    }
    assert!(ggf.iter().flat_map(|game| &game.plies).any(|ply| ply.eval.is_some()));
    let standard = GameSpec::standard();
    let xot = line_games(&text_of("games/xot-small.txt"), &standard);
    assert_eq!(xot.len(), 3623);
    assert!(xot.iter().all(|game| game.plies.len() == 8 && !game.is_finished()));
    let draws = line_games(&text_of("positions/transcripts/shortest-draws-20.txt"), &standard);
    assert!(draws.len() > 50);
    assert!(draws.iter().all(|game| game.black_score() == Some(0) && game.plies.len() == 20));
}

/// What every format must keep.
fn essence(game: &GameRecord) -> (GameSpec, Setup, String, [Option<String>; 2]) {
    (game.game, game.start, transcript_of(game), game.details.players.clone())
}

/// Games of every kind: the collections, set positions, passes, other boards.
fn samples() -> Vec<GameRecord> {
    let mut all = games(&bytes_of("games/program-games.ggf"), GameFormat::Ggf);
    all.extend(archive().into_iter().step_by(9));
    let text = text_of("positions/transcripts/known-games.tsv");
    for line in text.lines().filter(|line| line.contains("\t8x8\t")) {
        let moves = line.split('\t').nth(2).unwrap();
        all.extend(line_games(moves, &GameSpec::standard()));
    }
    for (game, line) in [
        ("8x8", "start"),
        ("8x8", "---------------------------OO------XX--------------------------- O;d6c5"),
        ("6x6", "start"),
    ] {
        all.extend(line_games(line, &game.parse().unwrap()));
    }
    for (i, game) in
        ["8x8", "6x6", "6x6+anti", "4x4", "8x8+parallel", "6x6+discs"].iter().enumerate()
    {
        for plies in [5, 100] {
            all.push(playout(&game.parse().unwrap(), 10 * i + plies, plies));
        }
    }
    all[0].details.players = [Some("A \"x\" ]\\[ ö".to_owned()), Some("- %".to_owned())];
    all
}

/// A game of moves picked by a small generator, up to a number of plies.
fn playout(game: &GameSpec, seed: usize, plies: usize) -> GameRecord {
    let mut record = line_games("start", game).remove(0);
    let mut state = seed as u64;
    while record.plies.len() < plies {
        let moves = record.last().position.moves(game);
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let Some(mv) = moves.get((state >> 33) as usize % moves.len().max(1)) else { break };
        record.plies.push((*mv).into());
    }
    record
}

#[test]
fn what_is_written_is_read_back() {
    let samples = samples();
    for game in &samples {
        let base = &game.game;
        let read = |text: &str, format| {
            let mut all =
                notation::read_games(text.as_bytes(), "file", base, format, &Names::default());
            assert_eq!(all.len(), 1, "{text}");
            all.remove(0).unwrap_or_else(|e| panic!("{e}: {text}"))
        };
        let text = json_game::write(game);
        let back = line_games(&text, base).remove(0);
        assert_eq!((back.plies, back.details, back.start), {
            let game = game.clone();
            (game.plies, game.details, game.start)
        });
        let text = sgf::write(game).unwrap();
        let back = read(&text, GameFormat::Sgf);
        assert_eq!(essence(&back), essence(game), "{text}");
        let mut plain = game.clone();
        plain.details.players = plain.details.players.map(|_| None);
        for (text, format) in [
            (ggf::write(&plain).unwrap(), GameFormat::Ggf),
            (playok::write(&plain).unwrap(), GameFormat::Playok),
        ] {
            let back = read(&text, format);
            assert_eq!(essence(&back), essence(&plain), "{text}");
            if format == GameFormat::Ggf {
                assert_eq!(back.plies, plain.plies, "{text}");
                assert_eq!(back.details.result, plain.details.result, "{text}");
            }
        }
    }
}

#[test]
fn a_file_of_many_games_is_written_and_read_back() {
    let games = samples();
    let games: Vec<_> = games.into_iter().filter(|g| g.game == GameSpec::standard()).collect();
    let join = |write: fn(&GameRecord) -> Result<String, String>| {
        games.iter().map(|game| write(game).unwrap() + "\n").collect::<String>()
    };
    for (text, format) in [
        (join(ggf::write), GameFormat::Ggf),
        (join(sgf::write), GameFormat::Sgf),
        (join(playok::write), GameFormat::Playok),
    ] {
        let back: Vec<_> = read(text.as_bytes(), format).into_iter().map(Result::unwrap).collect();
        let moves = |games: &[GameRecord]| games.iter().map(transcript_of).collect::<Vec<_>>();
        assert_eq!(moves(&back), moves(&games), "{format:?}");
    }
}

#[test]
fn a_wthor_archive_is_written_and_read_back_to_the_byte() {
    let bytes = bytes_of("games/wthor/WTH_1981.wtb");
    let mut names = Names::default();
    // Invented names for the numbers, beyond ASCII and of the greatest length.
    for i in 0..5000 {
        names.players.push(format!("J\u{f6}rg \u{e9}{i:011}"));
        names.tournaments.push(format!("Cr\u{e9}cy {i}"));
    }
    let game = GameSpec::standard();
    let first: Vec<_> = notation::read_games(&bytes, "a", &game, GameFormat::Wthor, &names)
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let archive = wthor::write(&first).unwrap();
    assert_eq!(archive.warnings, Vec::<String>::new());
    let names = Names {
        players: wthor::read_players(&archive.jou, "a.jou").unwrap(),
        tournaments: wthor::read_tournaments(&archive.trn, "a.trn").unwrap(),
    };
    let second: Vec<_> = notation::read_games(&archive.wtb, "a", &game, GameFormat::Wthor, &names)
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!(first, second);
    assert_eq!(wthor::write(&second).unwrap(), archive);
    // The archive's own bytes but for the date of creation and the numbers.
    for (ours, theirs) in archive.wtb[16..].chunks(68).zip(bytes[16..].chunks(68)) {
        assert_eq!(ours[6..], theirs[6..]);
    }
    assert_eq!(archive.wtb[4..8], bytes[4..8]);
}

#[test]
fn names_that_do_not_fit_a_wthor_file_are_reported() {
    let mut record = archive().remove(0);
    let long = "a name that is too long for it";
    record.details.players = [Some(long.to_owned()), Some("\u{65e5}".to_owned())];
    let archive = wthor::write(&[record]).unwrap();
    assert_eq!(archive.warnings.len(), 2, "{:?}", archive.warnings);
    let names = wthor::read_players(&archive.jou, "jou").unwrap();
    assert_eq!(names, ["?", long[..19].trim_end()]);
}

#[test]
fn formats_refuse_what_they_cannot_express() {
    let record = |game: &str| line_games("start", &game.parse().unwrap()).remove(0);
    for game in ["5x6", "8x8+hole=a1", "6x6+optional-pass", "8x8+stuck-ends"] {
        assert!(ggf::write(&record(game)).is_err(), "{game}");
        assert!(sgf::write(&record(game)).is_ok(), "{game}");
    }
    assert!(wthor::write(&[record("6x6")]).is_err());
    let mut unscored = record("8x8");
    unscored.details = Details::default();
    assert!(wthor::write(&[unscored]).is_err());
    let game = GameSpec::new(6, 6).unwrap();
    assert!(base81::write(&game, &Position::start(&game)).is_err());
}

#[test]
fn base_81_is_read_and_written() {
    let game = GameSpec::standard();
    let text = text_of("positions/random/e09.txt");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('%')).collect();
    let mut coded = String::new();
    let start = Setup::start(&game);
    let mut plain = Vec::new();
    for entry in notation::read(text.as_bytes(), "file", &game, &start, Format::Lines) {
        let entry = entry.unwrap();
        let code = base81::write(&game, &entry.position).unwrap();
        coded += &format!("{code} {:+}\n", entry.score.unwrap());
        plain.push((entry.position, entry.score));
    }
    let back: Vec<_> = notation::read(coded.as_bytes(), "file", &game, &start, Format::Base81)
        .map(|entry| entry.map(|entry| (entry.position, entry.score)).unwrap())
        .collect();
    assert_eq!(back, plain);
    assert_eq!(plain.len(), lines.len());
    for (line, kind) in [
        ("short", "bad-length"),
        ("!!!!!!!!!!!!!!!!!", "bad-length"),
        ("!!!!!!!!!!!!!!!<", "bad-square"),
        ("!!!!!!!!!!!!!!!! +x", "bad-field"),
        ("\u{3042}!!!!!!!!!!!!!!!", "non-ascii"),
    ] {
        let mut all = notation::read(line.as_bytes(), "file", &game, &start, Format::Base81);
        assert_eq!(all.next().unwrap().unwrap_err().kind, kind, "{line}");
    }
}

#[test]
fn base_81_is_the_published_code() {
    // The start, mover's discs 1, others 2: d4 = 27 is square 3 of character 6.
    let game = GameSpec::standard();
    let code = base81::write(&game, &Position::start(&game)).unwrap();
    let expect = |squares: [u8; 4]| {
        char::from(33 + squares[0] + 3 * squares[1] + 9 * squares[2] + 32 * squares[3])
    };
    let mut expected = ['!'; 16];
    expected[6] = expect([0, 0, 0, 2]);
    expected[7] = expect([1, 0, 0, 0]);
    expected[8] = expect([0, 0, 0, 1]);
    expected[9] = expect([2, 0, 0, 0]);
    assert_eq!(code, expected.iter().collect::<String>());
}

/// Bytes from hexadecimal digits, blanks left out.
fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.chars().filter_map(|c| c.to_digit(16)).map(|d| d as u8).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

/// The file of a case: `hex` or a good one, then its edits.
fn file_of(case: &Value) -> Vec<u8> {
    let mut bytes = match (case["hex"].as_str(), case["kind"].as_str().unwrap()) {
        (Some(hex), _) => unhex(hex),
        (None, "wthor") => {
            let mut bytes = unhex(WTB);
            bytes.resize(16 + 68, 0);
            bytes
        }
        (None, kind) => {
            let length = if kind == "jou" { 20 } else { 26 };
            let mut bytes = unhex("0000000000000000 0200000008000000");
            for name in ["Ana", "Bo"] {
                let end = bytes.len() + length;
                bytes.extend(name.bytes());
                bytes.resize(end, 0);
            }
            bytes
        }
    };
    for edit in case["edit"].as_array().into_iter().flatten() {
        bytes[edit[0].as_u64().unwrap() as usize] = edit[1].as_u64().unwrap() as u8;
    }
    let longer = bytes.len() + case["append"].as_u64().unwrap_or(0) as usize;
    bytes.resize(longer, 0);
    bytes.truncate(longer - case["cut"].as_u64().unwrap_or(0) as usize);
    bytes
}

#[test]
fn unusual_files_get_the_answer_written_down() {
    let text = text_of("edge/games.jsonl");
    let mut cases = 0;
    for line in text.lines().skip(1) {
        let case: Value = serde_json::from_str(line).unwrap();
        let (id, check) = (case["id"].as_str().unwrap(), &case["check"]);
        let input = case["input"].as_str().unwrap_or_default();
        cases += 1;
        let results = match case["kind"].as_str().unwrap() {
            "ggf" => read(input.as_bytes(), GameFormat::Ggf),
            "sgf" => read(input.as_bytes(), GameFormat::Sgf),
            "playok" => read(input.as_bytes(), GameFormat::Playok),
            "wthor" => read(&file_of(&case), GameFormat::Wthor),
            kind => {
                let read =
                    if kind == "jou" { wthor::read_players } else { wthor::read_tournaments };
                match read(&file_of(&case), "file") {
                    Ok(names) => assert_eq!(serde_json::json!(names), check["names"], "{id}"),
                    Err(error) => assert_error(id, check, &error),
                }
                continue;
            }
        };
        let (good, bad): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
        let good: Vec<GameRecord> = good.into_iter().map(Result::unwrap).collect();
        let expected = check["games"].as_u64().unwrap_or(0) as usize;
        assert_eq!(good.len(), expected, "{id}: {bad:?}");
        match (check["error"].is_string(), bad.as_slice()) {
            (true, [Err(error)]) => assert_error(id, check, error),
            (false, []) => {}
            (_, bad) => panic!("{id}: {bad:?}"),
        }
        if let Some(game) = good.first() {
            assert_game(id, check, game);
        }
    }
    assert_eq!(cases, text.lines().count() - 1);
}

fn assert_error(id: &str, check: &Value, error: &InputError) {
    assert_eq!(check["error"], error.kind, "{id}: {error}");
    let says = check["says"].as_str().unwrap();
    assert!(error.to_string().contains(says), "{id}: {error}");
    assert!(error.message.len() < 400, "{id}: a message of {} bytes", error.message.len());
}

fn assert_game(id: &str, check: &Value, game: &GameRecord) {
    let column = |value: fn(&notation::game::Ply) -> Option<f64>| {
        serde_json::json!(game.plies.iter().map(value).collect::<Vec<_>>())
    };
    for (field, found) in [
        ("moves", serde_json::json!(transcript_of(game))),
        ("finished", serde_json::json!(game.is_finished())),
        ("warnings", serde_json::json!(game.warnings.len())),
        ("game", serde_json::json!(game.game.to_string())),
        ("start", serde_json::json!(game.start.text(&game.game).to_string())),
        ("black", serde_json::json!(game.details.players[0])),
        ("evals", column(|ply| ply.eval)),
        ("seconds", column(|ply| ply.seconds)),
    ] {
        if !check[field].is_null() {
            assert_eq!(check[field], found, "{id}: {field}");
        }
    }
    if let (Some(says), true) = (check["says"].as_str(), check["error"].is_null()) {
        assert!(game.warnings.iter().any(|w| w.contains(says)), "{id}: {:?}", game.warnings);
    }
}

/// A good file of each format, as a seed for mutations.
static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let samples = samples();
    let game = samples.iter().find(|game| transcript_of(game).contains("pa")).unwrap();
    vec![
        format!("2 {0}{0}\n", ggf::write(game).unwrap()).into_bytes(),
        sgf::write(game).unwrap().into_bytes(),
        playok::write(game).unwrap().into_bytes(),
        json_game::write(game).into_bytes(),
        wthor::write(&archive()[..2]).unwrap().wtb,
    ]
});

/// Reads any bytes in every format and holds the readers to what they promise.
fn read_anything(bytes: &[u8]) {
    let game = GameSpec::standard();
    for format in [GameFormat::Ggf, GameFormat::Sgf, GameFormat::Playok, GameFormat::Wthor] {
        let results = read(bytes, format);
        assert!(results.len() <= bytes.len() + 1, "{format:?}");
        for result in results {
            match result {
                Ok(record) => assert_legal(&record),
                Err(error) => assert!(error.to_string().len() < 1000, "{error}"),
            }
        }
    }
    for format in [Format::Lines, Format::Diagram, Format::Base81] {
        let start = Setup::start(&game);
        for entry in notation::read(bytes, "file", &game, &start, format).flatten() {
            let record = entry.record(&game);
            assert_legal(&record);
            assert_eq!(record.last().setup, entry.setup);
        }
    }
    let _ = wthor::read_players(bytes, "file");
    let _ = wthor::read_tournaments(bytes, "file");
}

/// A record replays, and what is written of it is read back.
fn assert_legal(record: &GameRecord) {
    assert_eq!(record.moments().len(), record.plies.len() + 1);
    if let Ok(text) = sgf::write(record) {
        let back = &read(text.as_bytes(), GameFormat::Sgf)[0];
        let back = back.as_ref().unwrap_or_else(|e| panic!("{e}: {text}"));
        assert_eq!(back.moves(), record.moves());
    }
}

/// A change to a file: where, what kind, which byte.
fn mutate(bytes: &mut Vec<u8>, (place, kind, byte): (usize, u8, u8)) {
    if bytes.is_empty() {
        return;
    }
    let at = place % bytes.len();
    match kind {
        0 => bytes[at] = byte,
        1 => bytes.insert(at, byte),
        2 => {
            bytes.remove(at);
        }
        3 => bytes.truncate(at),
        4 => {
            let end = bytes.len().min(at + usize::from(byte));
            let copy = bytes[at..end].to_vec();
            bytes.splice(at..at, copy);
        }
        _ => bytes[at] ^= 1 << (byte % 8),
    }
}

// A long run: PROPTEST_CASES=100000 cargo test --release --test formats fuzz
proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fuzz_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read_anything(&bytes);
    }

    #[test]
    fn fuzz_tokens(text in "([(;)\\[\\]BWPGMZ28 \\n\"/.:1-8a-hA-HXO*-]|GM\\[2\\]|GM\\[Othello\\]|;B\\[f5\\]|1\\. ){0,80}") {
        read_anything(text.as_bytes());
    }

    #[test]
    fn fuzz_changed_files(
        seed in 0_usize..5,
        changes in prop::collection::vec((any::<usize>(), 0_u8..6, any::<u8>()), 1..6),
    ) {
        let mut bytes = SEEDS[seed].clone();
        for change in changes {
            mutate(&mut bytes, change);
        }
        read_anything(&bytes);
    }
}
