//! The portable level: plain 64-bit arithmetic, the same code that positions use.

use super::{Kernel, Level, last_flip};
use crate::board::flip;

/// Runs everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Kernel for Portable {
    const LEVEL: Level = Level::Portable;

    fn detect() -> Option<Self> {
        Some(Self)
    }

    #[inline(always)]
    fn flip(self, square: u32, player: u64, opponent: u64) -> u64 {
        flip::flip(square, player, opponent)
    }

    #[inline(always)]
    fn moves(self, player: u64, opponent: u64) -> u64 {
        flip::moves(player, opponent)
    }

    #[inline(always)]
    fn last_flip(self, square: u32, player: u64) -> u32 {
        last_flip::count(square, player, last_flip::gather_by_multiplication)
    }
}
