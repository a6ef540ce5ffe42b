//! The table of `solve` for people: one row an answer, written as soon as it is known.

use super::style::{Style, Tone};
use super::{Answer, units};
use crate::board::{GameSpec, Move};
use crate::search::{Bounds, SolverOptions};
use std::io::{self, Write};
use std::time::Duration;

/// Widths of the columns after the source, in characters.
const EMPTIES: usize = 7;
const SCORE: usize = 9;
const INPUT: usize = 7;
const BEST: usize = 4;
const NODES: usize = 15;
const TIME: usize = 8;
const RATE: usize = 8;

/// A table that is written row by row, with running totals.
pub struct Table {
    style: Style,
    game: GameSpec,
    source_width: usize,
    totals: Totals,
}

#[derive(Default)]
struct Totals {
    positions: u64,
    compared: u64,
    agreeing: u64,
    differing: u64,
    nodes: u128,
    elapsed: Duration,
}

impl Table {
    /// A table whose source column is at least `source_width` characters wide.
    pub fn new(game: &GameSpec, style: Style, source_width: usize) -> Self {
        Self {
            style,
            game: *game,
            source_width: source_width.max("source".len()),
            totals: Totals::default(),
        }
    }

    /// Writes what holds for every row, and the heads of the columns.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn head(&self, out: &mut dyn Write, options: &SolverOptions) -> io::Result<()> {
        let threads = match options.threads {
            1 => "1 thread".to_owned(),
            n => format!("{n} threads"),
        };
        writeln!(
            out,
            "{}, score in discs for the side to move, {}; {threads}, hash {}, kernel {}",
            self.game,
            self.game.score_rule(),
            units::bytes(options.hash_bytes),
            options.kernel,
        )?;
        let width = self.source_width;
        let head = format!(
            "{:<width$} {:>EMPTIES$} {:>SCORE$} {:>INPUT$} {:<BEST$} {:>NODES$} {:>TIME$} \
             {:>RATE$}  {}",
            "source", "empties", "score", "input", "best", "nodes", "time", "nodes/s", "line"
        );
        writeln!(out, "{}", self.style.paint(Tone::Strong, &head))
    }

    /// Writes the row of an answer, and one for each of its moves when they were asked for.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn row(&mut self, out: &mut dyn Write, answer: &Answer) -> io::Result<()> {
        let solution = answer.solution;
        let expected = answer.expected();
        let agrees = expected.and_then(|_| answer.agrees());
        self.totals.add(answer, expected.is_some(), agrees);
        let width = self.source_width;
        let score = score_cell(answer);
        let tone = match (agrees, solution.stopped) {
            (Some(false), _) => Some(Tone::Bad),
            (_, Some(_)) => Some(Tone::Warning),
            (Some(true), None) => Some(Tone::Good),
            (None, None) => None,
        };
        let mark = if agrees == Some(false) { " !" } else { "" };
        let mut input = format!("{:>INPUT$}", input_cell(expected, agrees));
        let mut score = format!("{:>SCORE$}", format!("{score}{mark}"));
        if let Some(tone) = tone {
            score = self.style.paint(tone, &score);
            input = self.style.paint(tone, &input);
        }
        let best = solution.best.map_or("-".to_owned(), |mv| mv.to_string());
        writeln!(
            out,
            "{:<width$} {:>EMPTIES$} {score} {input} {best:<BEST$} {:>NODES$} {:>TIME$} \
             {:>RATE$}  {}",
            answer.entry.location.to_string(),
            answer.entry.position.empties(answer.game).len(),
            units::count(u128::from(solution.nodes)),
            units::duration(solution.elapsed),
            units::rate(solution.nodes, solution.elapsed),
            line(&solution.pv, answer),
        )?;
        self.moves(out, answer)
    }

    fn moves(&self, out: &mut dyn Write, answer: &Answer) -> io::Result<()> {
        let width = self.source_width + 1 + EMPTIES;
        for scored in &answer.solution.moves {
            let expected = answer.expected_of(scored.mv);
            let agrees = expected.and_then(|e| super::agreement(scored.bounds, e));
            let mark = if agrees == Some(false) { " !" } else { "" };
            let max = answer.game.max_score();
            let row = format!(
                "{:width$} {:>SCORE$} {:>INPUT$} {:<BEST$}",
                "",
                format!("{}{mark}", bounds_cell(scored.bounds, max)),
                input_cell(expected, agrees),
                scored.mv.to_string()
            );
            let row = row.trim_end();
            if agrees == Some(false) {
                writeln!(out, "{}", self.style.paint(Tone::Bad, row))?;
            } else {
                writeln!(out, "{row}")?;
            }
        }
        Ok(())
    }

    /// Writes the totals.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn foot(&self, out: &mut dyn Write) -> io::Result<()> {
        let Totals { positions, compared, agreeing, differing, nodes, elapsed } = self.totals;
        let width = self.source_width + 1 + EMPTIES + 1 + SCORE + 1 + INPUT + 1 + BEST;
        let mut total = format!("total {positions} position{}", plural(positions));
        if compared > 0 {
            total += &format!(", {agreeing} of {compared} agree with the input");
            let open = compared - agreeing - differing;
            if open > 0 {
                total += &format!(" ({open} open)");
            }
        }
        let nodes_64 = u64::try_from(nodes).unwrap_or(u64::MAX);
        let row = format!(
            "{total:<width$} {:>NODES$} {:>TIME$} {:>RATE$}",
            units::count(nodes),
            units::duration(elapsed),
            units::rate(nodes_64, elapsed)
        );
        writeln!(out, "{}", self.style.paint(Tone::Strong, &row))
    }
}

impl Totals {
    fn add(&mut self, answer: &Answer, compared: bool, agrees: Option<bool>) {
        self.positions += 1;
        self.compared += u64::from(compared);
        self.agreeing += u64::from(compared && agrees == Some(true));
        self.differing += u64::from(compared && agrees == Some(false));
        self.nodes += u128::from(answer.solution.nodes);
        self.elapsed += answer.solution.elapsed;
    }
}

fn plural(n: u64) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// The score as far as it is known, or the outcome when that was the question.
fn score_cell(answer: &Answer) -> String {
    if let Some(word) = answer.outcome().filter(|_| answer.wld) {
        return word.to_owned();
    }
    bounds_cell(answer.solution.bounds, answer.game.max_score())
}

/// `+4`, `>=+4`, `<=+4`, `-2..+4`, or `?` when nothing is known.
pub fn bounds_cell(bounds: Bounds, max: i32) -> String {
    let Bounds { lower, upper } = bounds;
    if bounds.is_exact() {
        return units::score(lower);
    }
    match (lower > -max, upper < max) {
        (false, false) => "?".to_owned(),
        (true, false) => format!(">={}", units::score(lower)),
        (false, true) => format!("<={}", units::score(upper)),
        (true, true) => format!("{}..{}", units::score(lower), units::score(upper)),
    }
}

/// The input's own score; `?` behind it while the bounds leave the comparison open.
fn input_cell(expected: Option<i32>, agrees: Option<bool>) -> String {
    match (expected, agrees) {
        (None, _) => String::new(),
        (Some(score), Some(_)) => units::score(score),
        (Some(score), None) => format!("{} ?", units::score(score)),
    }
}

fn line(pv: &[Move], answer: &Answer) -> String {
    let moves: Vec<_> = pv.iter().map(Move::to_string).collect();
    let mut line = moves.join(" ");
    if let Some(limit) = answer.stopped() {
        let reason = match limit {
            "signal" => "interrupted",
            "time" => "time limit",
            _ => "node limit",
        };
        if !line.is_empty() {
            line.push(' ');
        }
        line += &format!("({reason})");
    } else if answer.entry.position.is_over(answer.game) {
        line += "(the game is over)";
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_print_what_is_known() {
        let cell = |lower, upper| bounds_cell(Bounds { lower, upper }, 64);
        assert_eq!(cell(4, 4), "+4");
        assert_eq!(cell(0, 0), "0");
        assert_eq!(cell(-64, -64), "-64");
        assert_eq!(cell(2, 64), ">=+2");
        assert_eq!(cell(-64, 0), "<=0");
        assert_eq!(cell(-2, 4), "-2..+4");
        assert_eq!(cell(-64, 64), "?");
    }
}
