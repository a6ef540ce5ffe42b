//! Strong solutions: their counts, their scores, their files, and the program around them.

use assert_cmd::Command;
use obverse::board::count;
use obverse::board::{Extra, GameSpec, Move, Position};
use obverse::kernel::Level;
use obverse::search::{Cancel, Solver, SolverOptions, Task};
use obverse::table::{BuildOptions, Observer, Progress, Table, TableError, build, verify};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

const OPTIONS: BuildOptions = BuildOptions { memory: 1 << 30, threads: 2, kernel: Level::Portable };

fn game(name: &str) -> GameSpec {
    name.parse().unwrap()
}

fn bytes_of(name: &str) -> Vec<u8> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("table");
    build(&game(name), &path, &OPTIONS, &()).unwrap();
    fs::read(path).unwrap()
}

fn table_of(name: &str) -> Table<Vec<u8>> {
    Table::new(bytes_of(name)).unwrap()
}

/// Scores by plain minimax over the slow, obvious moves; the positions met are what is reachable.
fn minimax(game: &GameSpec, position: &Position, known: &mut HashMap<Position, i32>) -> i32 {
    if let Some(&score) = known.get(position) {
        return score;
    }
    let children = position.moves(game).into_iter().map(|mv| position.play(game, mv).unwrap());
    let best = children.map(|child| -minimax(game, &child, known)).max();
    let score = best.unwrap_or_else(|| position.final_score(game));
    known.insert(*position, score);
    score
}

/// Builds and verifies a table and compares its counts with the census.
fn build_and_count(name: &str) -> Table<Vec<u8>> {
    let table = table_of(name);
    let verification = verify(&table, None, &OPTIONS, &()).unwrap();
    assert_eq!(verification.positions, table.positions(), "{name}");
    assert_eq!(verification.recomputed, table.positions(), "{name}");
    let sampled = verify(&table, Some(2000), &OPTIONS, &()).unwrap();
    assert_eq!(sampled.recomputed, 2000);
    let census = count::count(&game(name), None, &mut |_| {});
    assert_eq!(table.layers().len(), census.layers.len(), "{name}");
    for (layer, counted) in table.layers().iter().zip(&census.layers) {
        let mut counts = counted.counts;
        counts.games = Default::default();
        assert_eq!((layer.discs, layer.counts), (counted.discs, counts), "{name}");
    }
    table
}

#[test]
fn every_score_of_the_smallest_games_is_that_of_plain_minimax() {
    let mut names: Vec<String> =
        ["4x4+hole=b1", "4x4+hole=a1+hole=d4+anti", "4x3+stuck-ends"].map(String::from).into();
    for board in ["3x3", "3x4", "5x3", "3x6", "4x4"] {
        for rules in ["", "+anti", "+discs", "+anti+discs", "+stuck-ends", "+ties-second"] {
            names.push(format!("{board}{rules}"));
        }
        for start in
            ["cross-mirrored", "parallel", "parallel-left", "parallel-bottom", "parallel-right"]
        {
            names.push(format!("{board}+{start}"));
        }
    }
    for name in names {
        let table = build_and_count(&name);
        let spec = game(&name);
        let mut known = HashMap::new();
        let start = Position::start(&spec);
        minimax(&spec, &start, &mut known);
        for (position, &score) in &known {
            assert_eq!(table.score(position).unwrap(), Some(score), "{name} {position:?}");
            let moves = table.moves(position).unwrap();
            let best = moves.iter().map(|&(_, score)| score).max();
            assert_eq!(best.unwrap_or(score), score);
        }
        // The line is legal and leads to the score.
        let mut position = start;
        let mut sign = 1;
        for mv in table.line(&start).unwrap() {
            position = position.play(&spec, mv).unwrap();
            sign = -sign;
        }
        assert!(position.is_over(&spec));
        assert_eq!(sign * position.final_score(&spec), known[&start]);
    }
}

#[test]
fn larger_tables_agree_with_the_search() {
    for name in ["3x7", "8x3+parallel-left", "3x8+anti", "4x5", "5x4+discs", "4x5+parallel+hole=a1"]
    {
        let table = build_and_count(name);
        let spec = game(name);
        let options = SolverOptions { threads: 1, hash_bytes: 1 << 22, kernel: Level::detect() };
        let mut solver = Solver::new(&spec, &options).unwrap();
        let mut random = 1_u64;
        for _ in 0..30 {
            let mut position = Position::start(&spec);
            loop {
                let task = Task {
                    position,
                    window: None,
                    all_moves: false,
                    time_limit: None,
                    node_limit: None,
                };
                if position.empties(&spec).len() <= 14 {
                    let bounds = solver.solve_warm(&task, &Cancel::default(), &()).bounds;
                    assert!(bounds.is_exact());
                    assert_eq!(table.score(&position).unwrap(), Some(bounds.lower), "{name}");
                }
                let moves = position.moves(&spec);
                if moves.is_empty() {
                    break;
                }
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
                let mv = moves[(random >> 33) as usize % moves.len()];
                position = position.play(&spec, mv).unwrap();
            }
        }
    }
}

#[test]
fn published_counts_and_scores() {
    // Positions by Black, White and side; by mover and opponent up to symmetry; score. Sources:
    // GeneralReversi (Iwasaki 2015) for the scores of 3x3 and 4x4; the counts of 4x4 and 4x5 were
    // found by independent programs.
    for (name, colored, canonical, score) in [
        ("4x4", Some(55_093), 11_108, -10),
        ("4x4+parallel", Some(56_445), 17_997, -4),
        ("4x5", Some(4_646_078), 2_328_344, 16),
        ("3x3", None, 15, -9),
    ] {
        let table = table_of(name);
        let counts = table.layers().iter().map(|layer| layer.counts.placed);
        let sums =
            counts.fold((0, 0), |sum, placed| (sum.0 + placed.colored, sum.1 + placed.canonical));
        assert_eq!(colored.unwrap_or(sums.0), sums.0, "{name}");
        assert_eq!(sums.1, canonical, "{name}");
        assert_eq!(table.positions(), canonical, "{name}");
        assert_eq!(table.score(&Position::start(&game(name))).unwrap(), Some(score), "{name}");
    }
}

#[test]
fn what_is_not_reachable_has_no_score() {
    let table = table_of("4x4");
    let spec = game("4x4");
    let start = Position::start(&spec);
    let dense = |text: &str| {
        let location = obverse::notation::Location { source: "test".into(), line: None };
        let base = obverse::board::Setup::start(&spec);
        obverse::notation::parse_entry(text, location, &spec, &base).unwrap().position
    };
    // No disc in the centre; discs that do not touch; the start of the other game.
    for text in ["---------------- X", "X----OX--XO----- X", "-----XX--OO----- X"] {
        assert_eq!(table.score(&dense(text)).unwrap(), None, "{text}");
    }
    // A pass that nobody may make.
    let passed =
        Position { player: start.opponent, opponent: start.player, extra: Extra::default() };
    let turned = table.score(&passed).unwrap();
    // The start with the colours exchanged is the start turned by a quarter.
    assert_eq!(turned, table.score(&start).unwrap());
    // A board of another game.
    let large = Position::start(&game("8x8"));
    assert_eq!(table.score(&large).unwrap(), None);
}

#[test]
fn a_file_does_not_depend_on_threads_and_kernels() {
    let folder = TempDir::new().unwrap();
    let spec = game("4x4+parallel");
    let mut files = Vec::new();
    for kernel in Level::available() {
        for threads in [1, 3] {
            let path = folder.path().join(format!("{kernel}-{threads}"));
            build(&spec, &path, &BuildOptions { threads, kernel, ..OPTIONS }, &()).unwrap();
            files.push(fs::read(path).unwrap());
        }
    }
    assert!(files.windows(2).all(|pair| pair[0] == pair[1]));
}

/// Stops after a number of looks.
struct Fuse(AtomicU64);

impl Observer for Fuse {
    fn progress(&self, _progress: &Progress) {}

    fn is_cancelled(&self) -> bool {
        self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_err()
    }
}

#[test]
fn a_build_that_is_stopped_anywhere_goes_on() {
    let expected = bytes_of("4x4");
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("table");
    let work = folder.path().join("table.build");
    let mut stops = 0;
    // Ever later, so that every layer is a place to stop at.
    for looks in 0.. {
        match build(
            &game("4x4"),
            &path,
            &BuildOptions { threads: 1, ..OPTIONS },
            &Fuse(looks.into()),
        ) {
            Ok(()) => break,
            Err(error) => assert!(matches!(error, TableError::Interrupted), "{error}"),
        }
        stops += 1;
        assert!(!path.exists());
        // What a killed process can leave behind: a part of a chunk, a part of a file.
        if let Ok(mut bytes) = fs::read(work.join("table")) {
            bytes.extend(b"half a chunk");
            fs::write(work.join("table"), bytes).unwrap();
        }
        fs::write(work.join("keys-09.tmp"), b"half a layer").unwrap();
    }
    assert!(stops > 10, "{stops}");
    assert_eq!(fs::read(&path).unwrap(), expected);
    assert!(!work.exists());
}

#[test]
fn a_working_folder_serves_one_game() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("table");
    let stopped = build(&game("4x4"), &path, &OPTIONS, &Fuse(3.into()));
    assert!(matches!(stopped, Err(TableError::Interrupted)));
    let other = build(&game("4x4+anti"), &path, &OPTIONS, &()).unwrap_err();
    assert!(other.to_string().contains("4x4, not of 4x4+anti"), "{other}");
    build(&game("4x4"), &path, &OPTIONS, &()).unwrap();
    let again = build(&game("4x4"), &path, &OPTIONS, &()).unwrap_err();
    assert!(again.to_string().contains("exists already"), "{again}");
}

#[test]
fn games_and_memory_that_do_not_do_are_refused_before_any_work() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("table");
    for name in ["4x4+free", "4x4+optional-pass", "4x4+supply=8", "8x8", "5x7"] {
        let error = build(&game(name), &path, &OPTIONS, &()).unwrap_err();
        assert!(matches!(error, TableError::Game(_)), "{name}: {error}");
        assert!(error.to_string().starts_with(name), "{error}");
    }
    let small = BuildOptions { memory: 1 << 20, ..OPTIONS };
    let error = build(&game("5x6"), &path, &small, &()).unwrap_err();
    assert!(matches!(error, TableError::Memory { .. }), "{error}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

/// All that a table says of some positions, or that it refuses.
fn answers(bytes: &[u8], positions: &[Position]) -> Vec<Option<Option<i32>>> {
    match Table::new(bytes) {
        Ok(table) => positions.iter().map(|position| table.score(position).ok()).collect(),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            vec![None; positions.len()]
        }
    }
}

#[test]
fn a_changed_byte_gives_an_error_or_the_same_answer() {
    let bytes = bytes_of("3x4");
    let spec = game("3x4");
    let mut known = HashMap::new();
    minimax(&spec, &Position::start(&spec), &mut known);
    let mut positions: Vec<_> = known.into_keys().collect();
    positions.sort();
    // And some that are not there.
    for position in positions.clone().iter().step_by(7) {
        positions.push(Position {
            player: position.opponent,
            opponent: position.player,
            ..*position
        });
    }
    let right = answers(&bytes, &positions);
    let mut refused = 0;
    for at in 0..bytes.len() {
        for change in [0x01, 0x10, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= change;
            for (answer, right) in answers(&damaged, &positions).iter().zip(&right) {
                assert!(answer.is_none() || answer == right, "byte {at} ^ {change:#x}");
                refused += u64::from(answer.is_none());
            }
            if let Ok(table) = Table::new(&damaged[..]) {
                assert!(verify(&table, None, &OPTIONS, &()).is_err(), "byte {at} ^ {change:#x}");
            }
        }
    }
    assert!(refused > 100_000, "{refused}");
    for length in 0..bytes.len() {
        let error = Table::new(&bytes[..length]).err().expect("cut short");
        assert!(error.is_rejection());
    }
    let mut longer = bytes;
    longer.push(0);
    assert!(Table::new(longer).is_err());
}

#[test]
fn foreign_and_newer_files_are_refused_with_what_was_found() {
    let message = |bytes: &[u8]| match Table::new(bytes) {
        Ok(_) => panic!("opened"),
        Err(error) => error.to_string(),
    };
    assert!(message(b"").contains("found nothing"));
    assert!(message(b"GIF89a and so on").contains("found GIF89a"));
    let mut newer = bytes_of("3x3");
    newer[8] = 2;
    assert_eq!(
        message(&newer),
        "a table of another version: expected version 1, found version 2; a newer program may read it"
    );
    let cut = bytes_of("3x3");
    let text = message(&cut[..cut.len() - 1]);
    assert!(text.contains("cut short") && text.contains(&cut.len().to_string()), "{text}");
}

#[test]
fn wrong_scores_do_not_pass_verification() {
    // A table of another game under this name: every checksum is right, the scores are not.
    let anti = bytes_of("4x4+anti");
    let mut forged = anti.clone();
    let name = 76..76 + "4x4+anti".len();
    forged[name].copy_from_slice(b"4x4\0\0\0\0\0");
    forged[72..76].copy_from_slice(&3_u32.to_le_bytes());
    let sum = crc32fast::hash(&forged[..1020]);
    forged[1020..1024].copy_from_slice(&sum.to_le_bytes());
    let table = Table::new(forged).unwrap();
    for sample in [None, Some(5000)] {
        let error = verify(&table, sample, &OPTIONS, &()).unwrap_err();
        assert!(error.is_rejection() && error.to_string().contains("score"), "{error}");
    }
}

// The program.

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obverse"));
    command.env_remove("NO_COLOR").current_dir(folder).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn object(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)))
}

/// A folder with `4x4.table` in it, built by the program.
fn built() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let output =
        run(folder.path(), &["table", "build", "--game", "4x4", "-o", "4x4.table", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let record = object(&output);
    assert_eq!((&record["game"], &record["stored"]), (&"4x4".into(), &11_108.into()));
    let path = folder.path().join("4x4.table");
    assert_eq!(record["bytes"], fs::metadata(&path).unwrap().len());
    (folder, path)
}

#[test]
fn the_program_builds_probes_verifies_and_describes() {
    let (folder, _) = built();
    let run = |arguments: &[&str]| run(folder.path(), arguments);

    let output = run(&["table", "probe", "4x4.table", "start", "b1", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let lines: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["lower"], &lines[0]["upper"]), (&(-10).into(), &(-10).into()));
    assert_eq!(lines[0]["score_rule"], "winner-takes-empties");
    assert_eq!(lines[0]["moves"].as_array().unwrap().len(), 4);
    assert_eq!(lines[0]["table"], "4x4.table");
    assert_eq!(lines[1]["lower"], 10);
    let output = run(&["table", "probe", "4x4.table", "start"]);
    let shown = text(&output.stdout);
    assert!(shown.starts_with("4x4, score in discs for the side to move, winner-takes-empties"));
    assert!(shown.contains("\narg1  -10  b1 "), "{shown}");

    let output = run(&["table", "probe", "4x4.table", "-----XX--OO----- X"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("not reachable from this start"));

    let output = run(&["table", "verify", "4x4.table", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(object(&output)["recomputed"], 11_108);
    let output = run(&["table", "verify", "4x4.table", "--sample", "50"]);
    assert!(text(&output.stdout).contains("50 scores computed again"));

    let output = run(&["table", "stats", "4x4.table", "--json"]);
    let stats = object(&output);
    assert_eq!(stats["positions"]["count"], 55_093);
    assert_eq!(stats["positions_canonical"]["count"], 11_108);
    assert_eq!(stats["positions"]["per_layer"][1]["count"], 4);
    assert_eq!(stats["score"], -10);
    let sum = |list: &Value| -> u64 {
        list.as_array().unwrap().iter().map(|value| value["count"].as_u64().unwrap()).sum()
    };
    assert_eq!(sum(&stats["values"]), 11_108);
    let output = run(&["table", "stats", "4x4.table"]);
    assert!(text(&output.stdout).contains("55,093"), "{}", text(&output.stdout));
}

#[test]
fn the_program_rejects_damaged_tables() {
    let (folder, path) = built();
    let run = |arguments: &[&str]| run(folder.path(), arguments);
    let bytes = fs::read(&path).unwrap();
    let damaged = folder.path().join("damaged.table");
    let mut changed = bytes.clone();
    changed[2000] ^= 4;
    fs::write(&damaged, changed).unwrap();
    let output = run(&["table", "verify", "damaged.table"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("expected checksum"), "{}", text(&output.stderr));
    fs::write(&damaged, &bytes[..bytes.len() / 2]).unwrap();
    for command in
        [&["table", "stats", "damaged.table"][..], &["table", "probe", "damaged.table", "start"]]
    {
        let output = run(command);
        assert_eq!(output.status.code(), Some(3));
        assert!(text(&output.stderr).contains("cut short"), "{}", text(&output.stderr));
    }
    let output = run(&["table", "verify", "no.table"]);
    assert_eq!(output.status.code(), Some(2));
    let output = run(&["table", "build", "--game", "4x4+free", "-o", "free.table"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn solve_reads_from_a_table_and_says_so() {
    let (folder, _) = built();
    let run = |arguments: &[&str]| run(folder.path(), arguments);
    let arguments = ["solve", "--game", "4x4", "start", "--all-moves", "--json"];
    let searched = object(&run(&arguments));
    let output = run(&[&arguments[..], &["--table", "4x4.table"]].concat());
    let read = object(&output);
    assert_eq!(read["table"], "4x4.table");
    assert!(searched.get("table").is_none());
    assert_eq!(read["nodes"], 0);
    for field in ["lower", "upper", "exact"] {
        assert_eq!(read[field], searched[field]);
    }
    // What the table does not have is searched.
    let output =
        run(&["solve", "--game", "4x4", "-----XX--OO----- X", "--json", "--table", "4x4.table"]);
    let other = object(&output);
    assert!(other.get("table").is_none() && other["exact"] == true);
    // The same bounds through a window.
    for window in ["-20:-12", "-20:-10", "-12:-8", "-10:4", "2:4"] {
        let arguments = ["solve", "--game", "4x4", "start", "--json", "--window", window];
        let searched = object(&run(&arguments));
        let read = object(&run(&[&arguments[..], &["--table", "4x4.table"]].concat()));
        assert_eq!((&read["lower"], &read["upper"]), (&searched["lower"], &searched["upper"]));
    }
    let output = run(&["solve", "start", "--table", "4x4.table"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("the table of 4x4, not of 8x8"));
}

#[test]
fn a_line_of_best_play_is_one_of_equal_scores() {
    let table = table_of("4x4");
    let spec = game("4x4");
    let mut position = Position::start(&spec);
    let mut score = table.score(&position).unwrap().unwrap();
    for mv in table.line(&position).unwrap() {
        let moves = table.moves(&position).unwrap();
        assert!(moves.contains(&(mv, score)), "{mv}");
        assert_eq!(moves.iter().any(|&(mv, _)| mv == Move::Pass), mv == Move::Pass);
        position = position.play(&spec, mv).unwrap();
        score = -score;
    }
}
