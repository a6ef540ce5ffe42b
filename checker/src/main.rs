//! `obverse-check FILE`: prints `VERIFIED` and the claim, or says why not.

use obverse_check::{Limits, Reason, Work, check, header};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const HELP: &str = "\
Usage: obverse-check [OPTIONS] FILE

Checks a certificate of the value of an Othello position. Prints
`VERIFIED <game> <position> <relation> <value> <score rule>` when the claim is
proved; the value is in discs, from the view of the side to move.

Options:
  --info        show what the file claims, unchecked, and stop
  --memory MIB  memory for the positions already proved [default: 1024]
  --nodes N     most positions to search before giving up [default: 2^40]
  --quiet       no progress, no statistics
  --help, --version

Exit codes: 0 verified, 2 usage, unreadable file or a limit reached, 3 rejected.";

/// What was asked for.
#[derive(Default)]
struct Arguments {
    file: Option<String>,
    info: bool,
    quiet: bool,
    limits: Limits,
}

fn main() -> ExitCode {
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if words.iter().any(|word| word == "--help" || word == "-h") {
        return say(HELP);
    }
    if words.iter().any(|word| word == "--version") {
        return say(concat!("obverse-check ", env!("CARGO_PKG_VERSION")));
    }
    let arguments = match parse(&words) {
        Ok(arguments) => arguments,
        Err(message) => return fail(2, &format!("{message}; see obverse-check --help")),
    };
    let Some(name) = &arguments.file else {
        return fail(2, "give a certificate to check; see obverse-check --help");
    };
    let bytes = match std::fs::read(name) {
        Ok(bytes) => bytes,
        Err(error) => return fail(2, &format!("cannot read {name}: {error}")),
    };
    match run(&bytes, &arguments) {
        Ok(line) => say(&line),
        Err(reason) if reason.is_limit() => fail(2, &format!("NOT VERIFIED {name}: {reason}")),
        Err(reason) => fail(3, &format!("REJECTED {name}: {reason}")),
    }
}

fn parse(words: &[String]) -> Result<Arguments, String> {
    let mut arguments = Arguments::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut number = || {
            let value = words.next().and_then(|value| value.parse::<u64>().ok());
            value.ok_or(format!("{word} needs a number"))
        };
        match word.as_str() {
            "--info" => arguments.info = true,
            "--quiet" => arguments.quiet = true,
            "--memory" => arguments.limits.memory = number()?.saturating_mul(1 << 20),
            "--nodes" => arguments.limits.nodes = number()?,
            option if option.starts_with('-') => return Err(format!("unknown option {option}")),
            file if arguments.file.is_none() => arguments.file = Some(file.to_owned()),
            _ => return Err("give one file at a time".to_owned()),
        }
    }
    Ok(arguments)
}

/// The line for the standard output.
fn run(bytes: &[u8], arguments: &Arguments) -> Result<String, Reason> {
    let (header, _) = header::read(bytes)?;
    if arguments.info {
        let (k, payload) = (header.leaf_empties, header.payload);
        let claim = header.claim();
        return Ok(format!("claims {claim}\nleaf-empties {k}\npayload {payload} bytes"));
    }
    let start = Instant::now();
    let show = !arguments.quiet && std::io::stderr().is_terminal();
    let mut shown = start;
    let (header, work) = check(bytes, &arguments.limits, &mut |work: &Work| {
        if show && shown.elapsed() > Duration::from_millis(200) {
            shown = Instant::now();
            let percent = work.bytes as f64 * 100.0 / header.payload.max(1) as f64;
            eprint!("\r{percent:5.1} % of the moves, {}\x1b[K", summary(work));
        }
    })?;
    if show {
        eprint!("\r\x1b[K");
    }
    if !arguments.quiet {
        eprintln!("{} in {:.1} s", summary(&work), start.elapsed().as_secs_f64());
    }
    Ok(format!("VERIFIED {}", header.claim()))
}

fn summary(work: &Work) -> String {
    let Work { positions, leaves, nodes, .. } = work;
    format!("{positions} positions, {leaves} of them searched with {nodes} nodes")
}

/// Prints to the standard output; a line that cannot be written is no success.
fn say(line: &str) -> ExitCode {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(2, &format!("cannot write to the standard output: {error}")),
    }
}

fn fail(code: u8, message: &str) -> ExitCode {
    eprintln!("obverse-check: {message}");
    ExitCode::from(code)
}
