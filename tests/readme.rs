//! The README's commands are run, and what it shows is what they print.
//!
//! In a `console` block a line with `$ ` is a command and the lines up to the next one its output.
//! What depends on the machine or the moment (times, node counts, line choices among equal
//! moves, threads, kernel, commit) is not compared.

#![cfg(unix)]

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Commands that build or test, which this test is part of, and that fetch the sources.
const NOT_RUN: [&str; 5] = ["cargo test", "cargo build", "cargo install", "git ", "cd "];

/// JSON fields that are not compared.
const VOLATILE: [&str; 7] =
    ["nodes", "seconds", "threads", "hash_bytes", "kernel", "version", "pv"];

struct Example {
    command: String,
    output: Vec<String>,
}

fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            examples.push(Example { command: command.to_owned(), output: Vec::new() });
        } else if inside {
            let example = examples.last_mut().expect("a block starts with a command");
            example.output.push(line.to_owned());
        }
    }
    examples
}

/// Runs a command of the README from the root of the sources, with the programs of this build.
fn run(command: &str) -> (String, bool) {
    let command = command
        .replace("cargo run --release -- ", "obverse ")
        .replace("cargo run --release --bin obverse-check -- ", "obverse-check ");
    let folder = Path::new(env!("CARGO_BIN_EXE_obverse")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", &command])
        .env("PATH", path)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let messages = String::from_utf8(output.stderr).unwrap();
    (text + &messages, output.status.success())
}

/// What must be equal of a line.
fn stable(line: &str) -> String {
    if line.starts_with('{') {
        let mut object: Value = serde_json::from_str(line).expect("a JSON line of the README");
        for field in VOLATILE {
            // Its presence is compared, its value is not.
            if let Some(value) = object.get_mut(field) {
                *value = Value::Null;
            }
        }
        return object.to_string();
    }
    let words: Vec<_> = line.split_whitespace().collect();
    let row = line.contains(".obf:") || line.starts_with("arg");
    let words = match words.as_slice() {
        // Source, empties, score and the input's score; the rest is measured or chosen.
        words if row && words.len() > 4 => &words[..4],
        ["8x8," | "6x6," | "4x4,", ..] => &words[..10],
        ["total", positions, ..] => return format!("total {positions}"),
        words => words,
    };
    let measured = |word: &&str| {
        let digits = word.starts_with(|c: char| c.is_ascii_digit());
        !(digits && (word.contains('.') || word.ends_with('s')))
    };
    words.iter().copied().filter(measured).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_command_of_the_readme_prints_what_it_shows() {
    let text = include_str!("../README.md");
    let examples = examples(text);
    let mut compared = 0;
    for Example { command, output } in examples {
        if NOT_RUN.iter().any(|prefix| command.starts_with(prefix)) {
            continue;
        }
        let (printed, success) = run(&command);
        // A command that fails shows its exit code, `; echo $?`.
        assert!(success, "{command}\n{printed}");
        let shown: Vec<_> = output.iter().map(|line| stable(line)).collect();
        let printed: Vec<_> = printed.lines().map(stable).collect();
        if !output.is_empty() {
            assert_eq!(shown, printed, "{command}");
            compared += 1;
        }
    }
    assert!(compared >= 3, "the README shows only {compared} outputs");
}
