//! obverse: a perfect-play solver and research toolkit for Othello/Reversi.
//!
//! Layers, each using only those to its right:
//! `cli -> protocol -> report -> job -> {proof, table, search, notation} -> kernel -> board`.

pub mod board;
pub mod cli;
pub mod durable;
pub mod kernel;
pub mod notation;
pub mod proof;
pub mod protocol;
pub mod report;
pub mod search;
pub mod table;
pub mod train;
