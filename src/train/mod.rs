//! Training of the evaluation that orders moves: games of our own play with exactly solved ends,
//! and a least-squares fit of the pattern weights. Depends on `search`, `kernel` and `board`.
//!
//! Everything follows from the seed and the settings: the same command gives the same file.

pub mod fit;
pub mod play;
pub mod random;
pub mod store;
