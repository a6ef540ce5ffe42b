//! The real program in a scratch folder: what it writes where, and its exit codes.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Output, Stdio};
use tempfile::TempDir;

/// Six empties and several moves; the score is -14. From PanicSheep/ProjectBrutus.
const SIX: &str = "-OX--XXXXXXX-OOOX-XXXOOOXXXXXXOOXXOXOOXOXOOOOXOXXOXXXOOXOXXX-OXX X";

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obverse"));
    // Small and quiet, whatever the machine's environment says.
    command.env_remove("NO_COLOR").env("TERM", "xterm");
    command
}

/// Runs `obverse` with these arguments in this folder.
fn run_in(folder: &TempDir, arguments: &[&str]) -> Output {
    program().current_dir(folder.path()).args(arguments).output().unwrap()
}

fn run(arguments: &[&str]) -> Output {
    run_in(&TempDir::new().unwrap(), arguments)
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("ended by itself")
}

/// The JSON objects on standard output.
fn objects(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The only JSON object on standard output.
fn object(output: &Output) -> Value {
    let mut all = objects(output);
    assert_eq!(all.len(), 1, "{}{}", stdout(output), stderr(output));
    all.remove(0)
}

/// One empty square: 62 black discs, a white one, and h8.
fn one_empty() -> String {
    format!("{}O- X", "X".repeat(62))
}

/// Black must pass, then White takes h8: +58 for Black.
fn forced_pass() -> String {
    format!("{}OX- X", "X".repeat(61))
}

/// Nobody can move: +64 for Black.
fn finished() -> String {
    format!("{} X", "X".repeat(64))
}

#[test]
fn a_file_is_solved_in_order_with_its_annotations_compared() {
    let folder = TempDir::new().unwrap();
    let text = format!("{}; H8:+64;\n\n% a comment\n{SIX} -14\n", one_empty());
    fs::write(folder.path().join("good.obf"), text).unwrap();
    let output = run_in(&folder, &["solve", "good.obf", "--json", "--threads", "1"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    let answers = objects(&output);
    assert_eq!(answers.len(), 2);
    let first = &answers[0];
    assert_eq!(first["schema"], 1);
    assert_eq!(first["source"], "good.obf:1");
    assert_eq!(first["game"], "8x8");
    assert_eq!(first["score_rule"], "winner-takes-empties");
    assert_eq!(first["position"], one_empty());
    assert_eq!(first["empties"], 1);
    assert_eq!((&first["lower"], &first["upper"]), (&64.into(), &64.into()));
    assert_eq!(first["exact"], true);
    assert_eq!(first["best"], "h8");
    assert_eq!(first["pv"], serde_json::json!(["h8"]));
    assert_eq!(first["expected"], 64);
    assert_eq!(first["agrees"], true);
    assert_eq!(first["threads"], 1);
    assert_eq!(first["hash_bytes"], 256 << 20);
    assert_eq!(first["version"], env!("CARGO_PKG_VERSION"));
    assert!(first["nodes"].is_u64() && first["seconds"].is_f64() && first["kernel"].is_string());
    for absent in ["id", "moves", "alpha", "beta", "stopped", "wld"] {
        assert!(first.get(absent).is_none(), "{absent}");
    }
    assert_eq!(answers[1]["source"], "good.obf:4");
    assert_eq!(answers[1]["lower"], -14);
    assert_eq!(answers[1]["agrees"], true);
}

#[test]
fn the_table_names_its_convention_and_adds_up() {
    let folder = TempDir::new().unwrap();
    let text = format!("{}; H8:+64;\n{SIX}\n", one_empty());
    fs::write(folder.path().join("good.obf"), text).unwrap();
    let output = run_in(&folder, &["solve", "good.obf"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 5, "{text}");
    assert!(lines[0].starts_with("8x8, score in discs for the side to move, winner-takes-empties"));
    let words = |line: &str| -> Vec<String> { line.split_whitespace().map(Into::into).collect() };
    assert_eq!(words(lines[2])[..5], ["good.obf:1", "1", "+64", "+64", "h8"]);
    assert_eq!(words(lines[3])[..3], ["good.obf:2", "6", "-14"]);
    assert!(lines[4].starts_with("total 2 positions, 1 of 1 agree with the input"), "{text}");
    assert!(!text.contains('\x1b'), "colour in a pipe");
    // The columns stand below their heads.
    let column = lines[1].find("best").unwrap();
    assert_eq!(&lines[2][column..column + 2], "h8");
}

#[test]
fn a_bad_line_is_reported_and_the_others_solved() {
    let folder = TempDir::new().unwrap();
    let bad = one_empty().replacen("XXXXX", "XX?XX", 1);
    fs::write(folder.path().join("mixed.obf"), format!("{0}\n{bad}\n{SIX}\n", one_empty()))
        .unwrap();
    let output = run_in(&folder, &["solve", "mixed.obf"]);
    assert_eq!(code(&output), 2);
    assert_eq!(stdout(&output).lines().filter(|line| line.starts_with("mixed.obf:")).count(), 2);
    let errors = stderr(&output);
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(errors.starts_with("error: mixed.obf:2:3: "), "{errors}");

    let output = run_in(&folder, &["solve", "mixed.obf", "--json"]);
    assert_eq!(code(&output), 2);
    let all = objects(&output);
    assert_eq!(all.len(), 3);
    assert_eq!(all[0]["lower"], 64);
    assert_eq!(all[1]["schema"], 1);
    assert_eq!(all[1]["source"], "mixed.obf:2:3");
    assert!(all[1]["error"]["kind"].is_string() && all[1]["error"]["message"].is_string());
    assert_eq!(all[2]["lower"], -14);
}

#[test]
fn a_difference_from_the_annotation_is_exit_code_1() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("wrong.obf"), format!("{}; H8:+62;\n", one_empty())).unwrap();
    let output = run_in(&folder, &["solve", "wrong.obf"]);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("+64 !"), "{}", stdout(&output));
    assert!(stdout(&output).contains("0 of 1 agree"));
    let answer = object(&run_in(&folder, &["solve", "wrong.obf", "--json"]));
    assert_eq!((&answer["expected"], &answer["agrees"]), (&62.into(), &false.into()));
    // An input error outranks a difference.
    fs::write(folder.path().join("bad.obf"), "nonsense\n").unwrap();
    assert_eq!(code(&run_in(&folder, &["solve", "wrong.obf", "bad.obf"])), 2);
}

#[test]
fn every_move_is_compared_with_its_own_annotation() {
    let answer = object(&run(&["solve", SIX, "--all-moves", "--json"]));
    let moves = answer["moves"].as_array().unwrap();
    assert!(moves.len() > 1);
    assert_eq!(moves[0]["lower"], -14);
    assert!(moves.iter().all(|scored| scored["lower"] == scored["upper"]));
    let scores: Vec<_> = moves.iter().map(|scored| scored["lower"].as_i64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "best first: {scores:?}");
    assert!(answer.get("expected").is_none() && moves[0].get("expected").is_none());

    // Right in the best move, wrong in the last: seen only when every move is asked for.
    let (best, last) = (&moves[0], &moves[moves.len() - 1]);
    let annotated = format!(
        "{SIX}; {}:-14; {}:{};",
        best["move"].as_str().unwrap(),
        last["move"].as_str().unwrap(),
        last["lower"].as_i64().unwrap() - 2
    );
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("moves.obf"), annotated).unwrap();
    let output = run_in(&folder, &["solve", "moves.obf", "--json"]);
    assert_eq!((code(&output), &object(&output)["agrees"]), (0, &true.into()));
    let output = run_in(&folder, &["solve", "moves.obf", "--json", "--all-moves"]);
    assert_eq!((code(&output), &object(&output)["agrees"]), (1, &false.into()));
    let answer = object(&output);
    let wrong =
        answer["moves"].as_array().unwrap().iter().find(|scored| scored["move"] == last["move"]);
    assert_eq!(wrong.unwrap()["expected"], last["lower"].as_i64().unwrap() - 2);
}

#[test]
fn a_window_clips_the_bounds() {
    let clipped = |window: &str| {
        let output = run(&["solve", SIX, "--json", "--window", window]);
        assert_eq!(code(&output), 0);
        let answer = object(&output);
        let number = |name: &str| answer[name].as_i64().unwrap();
        (number("alpha"), number("beta"), number("lower"), number("upper"), answer["exact"].clone())
    };
    assert_eq!(clipped("-20:-10"), (-20, -10, -14, -14, true.into()));
    assert_eq!(clipped("-10:4"), (-10, 4, -64, -10, false.into()));
    assert_eq!(clipped("-40:-20"), (-40, -20, -20, 64, false.into()));
    for window in ["5", "4:4", "6:2", "a:b"] {
        assert_eq!(code(&run(&["solve", SIX, "--window", window])), 2, "{window}");
    }
}

#[test]
fn wld_answers_in_words() {
    let word = |game: &str, position: &str| {
        let output = run(&["solve", "--game", game, position, "--json", "--wld"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        object(&output)["wld"].clone()
    };
    assert_eq!(word("8x8", SIX), "loss");
    assert_eq!(word("8x8", &one_empty()), "win");
    let level = format!("{}{} ", "X".repeat(32), "O".repeat(32));
    assert_eq!(word("8x8", &(level.clone() + "X")), "draw");
    // Equal scores count for White, the score stays.
    assert_eq!(word("8x8+ties-second", &(level.clone() + "X")), "loss");
    assert_eq!(word("8x8+ties-second", &(level + "O")), "win");
    let output = run(&["solve", SIX, "--wld"]);
    assert!(stdout(&output).contains(" loss "), "{}", stdout(&output));
    assert_eq!(code(&run(&["solve", SIX, "--wld", "--window", "0:2"])), 2);
}

#[test]
fn a_limit_is_exit_code_4_with_bounds() {
    for limit in [["--node-limit", "2000"], ["--time-limit", "50ms"]] {
        let output = run(&["solve", "start", "--json", limit[0], limit[1]]);
        assert_eq!(code(&output), 4, "{}", stderr(&output));
        let answer = object(&output);
        assert_eq!(answer["exact"], false);
        assert_eq!(answer["stopped"], if limit[0] == "--node-limit" { "nodes" } else { "time" });
        assert!(answer["lower"].as_i64() < answer["upper"].as_i64());
    }
    // A limit that is not reached changes nothing.
    assert_eq!(code(&run(&["solve", SIX, "--time-limit", "1h"])), 0);
    // An input error outranks the limit.
    assert_eq!(code(&run(&["solve", "start", "nonsense", "--node-limit", "2000"])), 2);
}

#[test]
fn a_finished_game_has_its_score_and_no_move() {
    let output = run(&["solve", &finished(), "--json", "--all-moves"]);
    assert_eq!(code(&output), 0);
    let answer = object(&output);
    assert_eq!(answer["lower"], 64);
    assert_eq!(answer["best"], Value::Null);
    assert_eq!(answer["pv"], serde_json::json!([]));
    assert_eq!(answer["moves"], serde_json::json!([]));
    assert_eq!(answer["source"], "arg1");
}

#[test]
fn a_forced_pass_is_a_move() {
    let output = run(&["solve", &forced_pass(), "--json", "--all-moves"]);
    let answer = object(&output);
    assert_eq!(answer["lower"], 58);
    assert_eq!(answer["best"], "pass");
    assert_eq!(answer["pv"], serde_json::json!(["pass", "h8"]));
    let moves = serde_json::json!([{"move": "pass", "lower": 58, "upper": 58}]);
    assert_eq!(answer["moves"], moves);
}

#[test]
fn games_of_any_size_and_rule_are_solved_by_name() {
    let score = |game: &str| {
        let output = run(&["solve", "--game", game, "start", "--json"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let answer = object(&output);
        (answer["lower"].as_i64().unwrap(), answer["score_rule"].as_str().unwrap().to_owned())
    };
    assert_eq!(score("4x4"), (-10, "winner-takes-empties".to_owned()));
    assert_eq!(score("4x4+discs"), (-8, "discs".to_owned()));
    assert_eq!(score("4x4+anti"), (4, "winner-takes-empties".to_owned()));
    let output = run(&["solve", "--game", "9x9", "start"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("3 to 8"), "{}", stderr(&output));
}

#[test]
fn moves_are_played_from_the_start_or_from_a_position() {
    let from_start = object(&run(&["solve", "--game", "4x4", "--moves", "a2a1", "--json"]));
    let explicit = object(&run(&["solve", "--game", "4x4", "start", "--moves", "a2a1", "--json"]));
    let transcript = object(&run(&["solve", "--game", "4x4", "a2a1", "--json"]));
    assert_eq!(from_start["position"], explicit["position"]);
    assert_eq!(from_start["position"], transcript["position"]);
    assert_eq!(from_start["empties"], 10);
    let answer = object(&run(&["solve", &one_empty(), "--moves", "h8", "--json"]));
    assert_eq!((&answer["empties"], &answer["lower"]), (&0.into(), &(-64).into()));
    let output = run(&["solve", "--game", "4x4", "--moves", "a2a2"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("a2"), "{}", stderr(&output));
    // One game's moves make no sense for a file of positions.
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.obf"), one_empty()).unwrap();
    assert_eq!(code(&run_in(&folder, &["solve", "a.obf", "--moves", "h8"])), 2);
}

#[test]
fn an_argument_that_is_nothing_names_what_was_tried() {
    let output = run(&["solve", "no-such-file.obf"]);
    assert_eq!(code(&output), 2);
    let message = stderr(&output);
    for tried in ["no-such-file.obf", "file", "position", "transcript"] {
        assert!(message.contains(tried), "{message}");
    }
    let output = run(&["solve", "nonsense", &one_empty(), "--json"]);
    assert_eq!(code(&output), 2);
    let all = objects(&output);
    assert!(all[0]["source"].as_str().unwrap().starts_with("arg1"));
    assert!(all[0]["error"]["kind"].is_string());
    assert_eq!(all[1]["source"], "arg2");
    assert_eq!(all[1]["lower"], 64);
}

#[test]
fn nothing_to_solve_explains_itself() {
    let output = run(&["solve"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("obverse solve --help"), "{}", stderr(&output));
    let output = run(&[]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("Usage"), "{}", stderr(&output));
}

#[test]
fn empty_input_is_done_with_a_notice() {
    let folder = TempDir::new().unwrap();
    for (name, text) in [("empty.obf", ""), ("comment.obf", "% only a comment\n")] {
        fs::write(folder.path().join(name), text).unwrap();
        let output = run_in(&folder, &["solve", name]);
        assert_eq!(code(&output), 0);
        assert_eq!(stdout(&output), "");
        assert_eq!(stderr(&output), format!("notice: no position in {name}\n"));
    }
    let output = program().args(["solve", "-"]).write_stdin("").output().unwrap();
    assert_eq!(code(&output), 0);
    assert_eq!(stderr(&output), "notice: no position in -\n");
}

#[test]
fn paths_may_hold_any_letters_and_there_may_be_several() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("問題")).unwrap();
    fs::write(folder.path().join("問題/残り1.obf"), one_empty()).unwrap();
    fs::write(folder.path().join("b c.obf"), SIX).unwrap();
    let output = run_in(&folder, &["solve", "問題/残り1.obf", "b c.obf", "--json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let sources: Vec<_> = objects(&output).iter().map(|one| one["source"].clone()).collect();
    assert_eq!(sources, ["問題/残り1.obf:1", "b c.obf:1"]);
    // A folder is no file of positions, and the rest is still solved.
    let output = run_in(&folder, &["solve", "問題", "b c.obf", "--json"]);
    assert_eq!((code(&output), objects(&output).len()), (2, 2));
}

#[test]
fn wrong_options_are_refused_before_any_work() {
    for arguments in [
        &["--threads", "abc"][..],
        &["--threads", "0"],
        &["--hash", "lots"],
        &["--hash", "1000000000000000"],
        &["--hash", "1e15"],
        &["--kernel", "abacus"],
        &["--time-limit", "-1"],
        &["--node-limit", "0"],
        &["--no-such-option"],
    ] {
        let output = program().arg("solve").arg(one_empty()).args(arguments).output().unwrap();
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert_eq!(stdout(&output), "", "{arguments:?}");
        assert!(stderr(&output).contains("error"), "{arguments:?}");
    }
    let output = run(&["solve", &one_empty(), "--hash", "1000000000000000"]);
    assert!(stderr(&output).contains("memory"), "{}", stderr(&output));
}

#[test]
fn every_kernel_of_the_machine_gives_the_same_answer_and_nodes() {
    let levels = obverse::kernel::Level::available();
    let answers: Vec<_> = levels
        .iter()
        .map(|level| {
            let level = level.to_string();
            let answer =
                object(&run(&["solve", SIX, "--json", "--threads", "1", "--kernel", &level]));
            assert_eq!(answer["kernel"], level);
            (answer["lower"].clone(), answer["pv"].clone(), answer["nodes"].clone())
        })
        .collect();
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
}

#[test]
fn objects_are_read_and_their_id_comes_back() {
    let input = format!(
        "{{\"id\": 7, \"position\": \"{}\"}}\n{{\"id\": \"b\", \"position\": \"{SIX}\"}}\n",
        one_empty()
    );
    let output = program().args(["solve", "-", "--json"]).write_stdin(input).output().unwrap();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let answers = objects(&output);
    assert_eq!((&answers[0]["id"], &answers[0]["source"]), (&7.into(), &"-:1".into()));
    assert_eq!((&answers[1]["id"], &answers[1]["lower"]), (&"b".into(), &(-14).into()));
}

#[test]
fn a_board_is_drawn_on_request() {
    let output = run(&["solve", "--game", "4x4", "start", "--show"]);
    let text = stdout(&output);
    assert!(text.contains("  a b c d\n1 - . - -\n2 . O X -\n3 - X O .\n4 - - . -\n"), "{text}");
    assert_eq!(code(&run(&["solve", SIX, "--show", "--json"])), 2);
}

#[test]
fn colour_is_for_terminals_or_on_request() {
    let painted = |arguments: &[&str]| {
        let output = program().args(["solve", SIX]).args(arguments).output().unwrap();
        stdout(&output).contains('\x1b')
    };
    assert!(!painted(&[]));
    assert!(painted(&["--color", "always"]));
    assert!(!painted(&["--color", "never"]));
}

#[test]
fn progress_goes_to_standard_error() {
    let arguments = ["solve", "start", "--time-limit", "2500ms", "--json"];
    let quiet = program().args(arguments).output().unwrap();
    assert_eq!(stderr(&quiet), "", "no progress without a terminal");
    let output = program().args(arguments).args(["--progress", "always"]).output().unwrap();
    assert_eq!(objects(&output).len(), 1);
    assert!(stderr(&output).starts_with("progress: arg1  "), "{}", stderr(&output));
}

#[test]
fn the_version_names_the_kernels_of_the_machine() {
    let output = run(&["--version"]);
    assert_eq!(code(&output), 0);
    let text = stdout(&output);
    assert!(text.starts_with(concat!("obverse ", env!("CARGO_PKG_VERSION"))), "{text}");
    assert!(text.contains("portable"), "{text}");
}

#[test]
fn every_command_has_help_with_examples() {
    for command in ["solve", "perft", "count", "bench"] {
        let output = run(&[command, "--help"]);
        assert_eq!(code(&output), 0);
        assert!(stdout(&output).contains("Examples:"), "{command}");
    }
}

#[test]
fn perft_counts_in_every_convention() {
    let nodes = |arguments: &[&str]| {
        let output = run(&[&["perft", "--json"], arguments].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        object(&output)
    };
    let answer = nodes(&["--game", "6x6", "--depth", "5"]);
    assert_eq!(answer["nodes"], 1364);
    assert_eq!((&answer["game"], &answer["depth"]), (&"6x6".into(), &5.into()));
    assert_eq!((&answer["passes"], &answer["finished"]), (&"ply".into(), &"kept".into()));
    assert!(answer.get("divide").is_none());
    // From theory: the four conventions part at depth 8 of 4x4.
    for (passes, finished, expected) in [
        ("ply", "dropped", 9112),
        ("ply", "kept", 9116),
        ("free", "kept", 9768),
        ("free", "dropped", 9756),
    ] {
        let convention = ["--passes", passes, "--finished", finished];
        let answer = nodes(&[&["--game", "4x4", "--depth", "8"][..], &convention].concat());
        assert_eq!(answer["nodes"], expected, "{passes} {finished}");
    }
    let answer = nodes(&["--depth", "3", "--divide", "--moves", "f5"]);
    let parts = answer["divide"].as_array().unwrap();
    assert_eq!(parts.len(), 3);
    let sum: u64 = parts.iter().map(|part| part["nodes"].as_u64().unwrap()).sum();
    assert_eq!(answer["nodes"], sum);
    assert_eq!(sum, 244 / 4);
    // A position whose first square is empty is no option.
    assert_eq!(nodes(&["--depth", "1", "--position", SIX])["position"], SIX);
    assert_eq!(code(&run(&["perft"])), 2);
    assert_eq!(code(&run(&["perft", "--depth", "-1"])), 2);
    let text = stdout(&run(&["perft", "--depth", "4", "--divide"]));
    assert!(text.contains("d3") && text.contains(" 61\n") && text.contains("244"), "{text}");
}

#[test]
fn count_gives_positions_and_games_by_layer() {
    let output = run(&["count", "--game", "4x4", "--json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let answer = object(&output);
    assert_eq!(answer["complete"], true);
    assert_eq!(answer["games"]["count"], 60060);
    assert_eq!(answer["games"]["black"], 24632);
    assert_eq!(answer["positions"]["count"], 55093);
    assert_eq!(answer["positions_canonical"]["count"], 11108);
    let layers = answer["positions"]["per_layer"].as_array().unwrap();
    assert_eq!(layers.len(), 13);
    assert_eq!(layers[2], serde_json::json!({"discs": 6, "count": 12}));
    let answer = object(&run(&["count", "--max-discs", "8", "--json"]));
    assert_eq!(answer["complete"], false);
    assert_eq!(answer["positions"]["per_layer"].as_array().unwrap().len(), 5);
    assert!(stdout(&run(&["count", "--game", "4x4"])).contains("60,060"));
}

/// A running `obverse` whose input and output are ours.
struct Running {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Running {
    fn start(arguments: &[&str]) -> Self {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_obverse"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output }
    }

    fn ask(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
    }

    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }
}

#[test]
fn a_pipe_is_answered_line_by_line() {
    let mut oracle = Running::start(&["solve", "-", "--json"]);
    for (position, score) in [(one_empty(), 64), (SIX.to_owned(), -14), (forced_pass(), 58)] {
        oracle.ask(&position);
        // The next question is asked only after this answer.
        assert_eq!(oracle.answer()["lower"], score);
    }
    oracle.ask("rubbish");
    assert!(oracle.answer()["error"].is_object());
    drop(oracle.input.take());
    assert_eq!(oracle.child.wait().unwrap().code(), Some(2));
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    let mut oracle = Running::start(&["solve", "-", "--json"]);
    let mut messages = oracle.child.stderr.take().unwrap();
    oracle.ask(&one_empty());
    assert_eq!(oracle.answer()["lower"], 64);
    let Running { mut child, input, output } = oracle;
    drop(output);
    let mut input = input.unwrap();
    // The program may be gone before all of it is written.
    for _ in 0..2 {
        let _ = writeln!(input, "{}", one_empty());
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let mut text = String::new();
    messages.read_to_string(&mut text).unwrap();
    assert_eq!(text, "");
}

#[cfg(unix)]
mod signals {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::time::Duration;

    fn send(child: &Child, signal: &str) {
        let status = std::process::Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status()
            .unwrap();
        assert!(status.success());
    }

    #[test]
    fn a_running_search_ends_with_bounds() {
        for (signal, expected) in [("-INT", 130), ("-TERM", 143)] {
            let mut running = Running::start(&["solve", "-", "--json"]);
            // One answer shows that the handlers are in place.
            running.ask(&one_empty());
            assert_eq!(running.answer()["lower"], 64);
            running.ask(
                &obverse::board::Setup::start(&obverse::board::GameSpec::standard())
                    .text(&obverse::board::GameSpec::standard())
                    .to_string(),
            );
            std::thread::sleep(Duration::from_millis(300));
            send(&running.child, signal);
            let answer = running.answer();
            assert_eq!(answer["stopped"], "signal");
            assert_eq!(answer["exact"], false);
            let status = running.child.wait().unwrap();
            assert_eq!((status.code(), status.signal()), (Some(expected), None));
        }
    }

    #[test]
    fn an_idle_program_ends_too() {
        let mut running = Running::start(&["solve", "-", "--json"]);
        running.ask(&one_empty());
        assert_eq!(running.answer()["lower"], 64);
        send(&running.child, "-TERM");
        assert_eq!(running.child.wait().unwrap().code(), Some(143));
    }
}
