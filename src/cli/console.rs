//! Messages on standard error, and where colour is used.

use crate::report::style::{Style, Tone};
use clap::ValueEnum;
use std::io::{self, IsTerminal, Write};

/// When to use colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ColorMode {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Also in files and pipes
    Always,
    /// Nowhere
    Never,
}

/// How text goes to the two outputs.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// Style of the standard output.
    pub out: Style,
    /// Style of the standard error.
    pub err: Style,
}

impl Console {
    /// Looks at the terminal and the environment once.
    pub fn new(mode: ColorMode) -> Self {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        let style = |terminal: bool| Style {
            color: match mode {
                ColorMode::Auto => terminal && !plain,
                ColorMode::Always => true,
                ColorMode::Never => false,
            },
        };
        Self { out: style(io::stdout().is_terminal()), err: style(io::stderr().is_terminal()) }
    }

    /// Says what stopped a piece of work.
    pub fn error(&self, message: &str) {
        self.say(Tone::Bad, "error", message);
    }

    /// Says what is odd.
    pub fn warning(&self, message: &str) {
        self.say(Tone::Warning, "warning", message);
    }

    /// Says what a reader may want to know.
    pub fn notice(&self, message: &str) {
        self.say(Tone::Strong, "notice", message);
    }

    fn say(&self, tone: Tone, kind: &str, message: &str) {
        let kind = self.err.paint(tone, kind);
        // A closed standard error must not end the work.
        let _ = writeln!(io::stderr(), "{kind}: {message}");
    }
}
