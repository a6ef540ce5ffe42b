//! Colour on a terminal, by the few meanings the reports need.

/// What a piece of text means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// A heading or a total.
    Strong,
    /// Something to look at: an error, a difference.
    Bad,
    /// Something that may matter: a warning, an unfinished answer.
    Warning,
    /// An agreement.
    Good,
}

/// Paints text, or leaves it alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Whether escape sequences are written.
    pub color: bool,
}

impl Style {
    /// The text in the colour of its meaning.
    pub fn paint(self, tone: Tone, text: &str) -> String {
        if !self.color {
            return text.to_owned();
        }
        let code = match tone {
            Tone::Strong => "1",
            Tone::Bad => "1;31",
            Tone::Warning => "33",
            Tone::Good => "32",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}
