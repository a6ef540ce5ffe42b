//! What a running search knows, on standard error.

use crate::report::{table, units};
use crate::search::{Observer, Progress};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Shorter searches show nothing: their answer is there before it could be read.
const QUIET: Duration = Duration::from_millis(500);

/// When to show progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ProgressMode {
    /// On a terminal
    Auto,
    /// Also in files and pipes, as a line a second
    Always,
    /// Nowhere
    Never,
}

/// Shows the progress of one search; the line on the terminal goes when this is dropped.
pub struct Display {
    label: String,
    max_score: i32,
    form: Form,
}

enum Form {
    Off,
    Bar(ProgressBar),
    /// The last second that was written.
    Lines(AtomicU64),
}

impl Display {
    /// A display for the search that `label` names; scores lie within `max_score`.
    pub fn new(mode: ProgressMode, label: String, max_score: i32) -> Self {
        let form = match (mode, io::stderr().is_terminal()) {
            (ProgressMode::Never, _) | (ProgressMode::Auto, false) => Form::Off,
            (_, true) => {
                let bar = ProgressBar::new_spinner();
                // `wide_msg` is cut to the width of the terminal.
                if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
                    bar.set_style(style);
                }
                Form::Bar(bar)
            }
            (ProgressMode::Always, false) => Form::Lines(AtomicU64::new(0)),
        };
        Self { label, max_score, form }
    }

    fn text(&self, progress: &Progress) -> String {
        let best = progress.best.map_or(String::new(), |mv| format!("  best {mv}"));
        format!(
            "{}  {}  {} nodes  {}/s  score {}{best}",
            self.label,
            units::duration(progress.elapsed),
            units::count(u128::from(progress.nodes)),
            units::rate(progress.nodes, progress.elapsed),
            table::bounds_cell(progress.bounds, self.max_score),
        )
    }
}

impl Display {
    /// Shows a text, `elapsed` after the start of the work.
    pub fn show(&self, elapsed: Duration, text: impl FnOnce() -> String) {
        if elapsed < QUIET {
            return;
        }
        match &self.form {
            Form::Off => {}
            Form::Bar(bar) => {
                bar.set_message(text());
                bar.tick();
            }
            Form::Lines(last) => {
                let second = elapsed.as_secs();
                if last.fetch_max(second, Ordering::Relaxed) < second {
                    let _ = writeln!(io::stderr(), "progress: {}", text());
                }
            }
        }
    }
}

impl Observer for Display {
    fn progress(&self, progress: &Progress) {
        self.show(progress.elapsed, || self.text(progress));
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        if let Form::Bar(bar) = &self.form {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Bounds;

    #[test]
    fn a_line_names_what_is_known() {
        let display = Display::new(ProgressMode::Never, "a.obf:3".to_owned(), 64);
        let progress = Progress {
            bounds: Bounds { lower: 2, upper: 64 },
            best: "g2".parse().ok().map(crate::board::Move::Place),
            nodes: 1_234_567,
            elapsed: Duration::from_secs(2),
        };
        assert_eq!(
            display.text(&progress),
            "a.obf:3  2.000s  1,234,567 nodes  617k/s  score >=+2  best g2"
        );
    }
}
