//! What a certificate claims, and what one side must show for it.

use crate::board::{GameSpec, Position, Setup};
use crate::search::Bounds;
use std::fmt;
use std::str::FromStr;

/// How the score compares to the value of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// The score is at least the value.
    AtLeast,
    /// The score is at most the value.
    AtMost,
    /// The score is the value.
    Equal,
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AtLeast => ">=",
            Self::AtMost => "<=",
            Self::Equal => "=",
        })
    }
}

/// A relation with its value, in discs from the view of the side to move: `>=2`, `<=-4`, `=0`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// How the score compares.
    pub relation: Relation,
    /// To what; -64 to 64.
    pub value: i32,
}

impl Claim {
    /// What has to be shown: one part, or for `=` two.
    pub fn parts(self) -> Vec<Part> {
        let lower = Part { mover_proves: true, target: self.value };
        let upper = Part { mover_proves: false, target: -self.value };
        match self.relation {
            Relation::AtLeast => vec![lower],
            Relation::AtMost => vec![upper],
            Relation::Equal => vec![lower, upper],
        }
    }

    /// What the claim says of a score that lies within plus and minus `max`.
    pub fn bounds(self, max: i32) -> Bounds {
        let Self { relation, value } = self;
        Bounds {
            lower: if relation == Relation::AtMost { -max } else { value },
            upper: if relation == Relation::AtLeast { max } else { value },
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.relation, self.value)
    }
}

impl FromStr for Claim {
    type Err = String;

    /// Reads a claim, with or without a blank before the value.
    fn from_str(text: &str) -> Result<Self, String> {
        let split = [(">=", Relation::AtLeast), ("<=", Relation::AtMost), ("=", Relation::Equal)]
            .into_iter()
            .find_map(|(sign, relation)| Some((relation, text.strip_prefix(sign)?)));
        let claim = split.and_then(|(relation, number)| {
            let value: i32 = number.trim_start().parse().ok()?;
            (-64..=64).contains(&value).then_some(Self { relation, value })
        });
        claim.ok_or_else(|| {
            format!("'{text}' is no claim; write '>=V', '<=V' or '=V' with V from -64 to 64")
        })
    }
}

/// One side's obligation: from the root, it gets at least `target`, whatever the other side does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Whether the side to move at the root is the prover.
    pub mover_proves: bool,
    /// The prover's score, at least.
    pub target: i32,
}

/// The game and the position that a claim is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Subject {
    /// The game.
    pub game: GameSpec,
    /// The position as written.
    pub setup: Setup,
    /// The same as a legal position.
    pub position: Position,
}

impl Subject {
    /// The position of a setup in a game.
    ///
    /// # Errors
    /// When the setup is no position of the game.
    pub fn new(game: &GameSpec, setup: &Setup) -> Result<Self, crate::board::SetupError> {
        Ok(Self { game: *game, setup: *setup, position: setup.position(game)? })
    }

    /// The claim as the checker prints it: game, position, claim, score rule.
    pub fn text(&self, claim: Claim) -> String {
        let Self { game, setup, .. } = self;
        format!("{game} {} {claim} {}", setup.text(game), game.score_rule())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_read_and_printed() {
        for (text, printed) in [
            (">=2", ">= 2"),
            ("<=-4", "<= -4"),
            ("= 0", "= 0"),
            ("=+3", "= 3"),
            (">= -64", ">= -64"),
        ] {
            assert_eq!(text.parse::<Claim>().unwrap().to_string(), printed);
        }
        for text in ["", "2", "==2", ">2", ">=", ">=x", "<=65", "=1.5", "=> 2"] {
            assert!(text.parse::<Claim>().is_err(), "{text}");
        }
    }
}
