//! The game: boards, rules, positions. Depends on nothing but the standard library.

pub mod bitboard;
pub mod count;
pub mod flip;
pub mod game;
pub mod perft;
pub mod position;
pub mod reference;
pub mod registry;
pub mod setup;
pub mod spec;
pub mod square;
pub mod symmetry;
mod walk;

pub use bitboard::Bitboard;
pub use game::{Extra, Game, Options, Shape, Standard};
pub use position::Position;
pub use setup::{Setup, SetupError};
pub use spec::{GameSpec, GameSpecError, Objective, PassRule, ScoreRule, Start};
pub use square::{Color, Move, Square};
pub use symmetry::{Symmetries, Symmetry};
