//! The recursive entry points of the search, stamped once for each instruction-set level.
//!
//! The bodies are ordinary generic functions that are always inlined here, so each level compiles
//! them with its own instructions and the recursion calls itself directly. Small helpers of the
//! search must be `#[inline(always)]`: what stays out of line is compiled for the baseline.
#![allow(unsafe_code)] // Only the calls of the stamped functions below.

use super::context::Context;
use super::eval::{self, Judge, Track};
use super::{endgame, middle, node};
use crate::board::Game;
use crate::kernel::{Kernel, Portable};

/// A kernel with its own copies of the recursive functions.
pub trait Entry: Kernel {
    /// See [`node::body`].
    fn node<G: Game>(
        context: &mut Context<'_, G, Self>,
        player: u64,
        opponent: u64,
        extra: G::Extra,
        alpha: i32,
    ) -> i32;

    /// See [`middle::body`].
    fn middle<G: Game>(
        context: &mut Context<'_, G, Self>,
        player: u64,
        opponent: u64,
        alpha: i32,
        parity: u8,
    ) -> i32;

    /// See [`endgame::shallow`].
    fn shallow<G: Game>(
        context: &mut Context<'_, G, Self>,
        player: u64,
        opponent: u64,
        alpha: i32,
        parity: u8,
    ) -> i32;

    /// See [`eval::scout`].
    fn scout<G: Game, T: Track>(
        judge: Judge<'_, G, Self>,
        track: &T,
        discs: (u64, u64),
        depth: u32,
        window: (i32, i32),
    ) -> i32;

    /// See [`endgame::four`].
    fn four<G: Game>(
        context: &mut Context<'_, G, Self>,
        player: u64,
        opponent: u64,
        alpha: i32,
        parity: u8,
    ) -> i32;

    /// See [`endgame::three`].
    fn three<G: Game>(
        context: &mut Context<'_, G, Self>,
        player: u64,
        opponent: u64,
        alpha: i32,
        squares: u32,
    ) -> i32;

    /// See [`endgame::two`].
    fn two<G: Game>(
        context: &mut Context<'_, G, Self>,
        player: u64,
        opponent: u64,
        alpha: i32,
        squares: u32,
    ) -> i32;
}

macro_rules! stamp {
    ($kernel:ty, $(#[$feature:meta])?) => {
        impl Entry for $kernel {
            fn node<G: Game>(
                context: &mut Context<'_, G, Self>,
                player: u64,
                opponent: u64,
                extra: G::Extra,
                alpha: i32,
            ) -> i32 {
                $(#[$feature])?
                fn go<G: Game>(
                    context: &mut Context<'_, G, $kernel>,
                    player: u64,
                    opponent: u64,
                    extra: G::Extra,
                    alpha: i32,
                ) -> i32 {
                    node::body(context, player, opponent, extra, alpha)
                }
                #[allow(unused_unsafe)] // The portable level needs none.
                // SAFETY: the context holds a token of the level, which exists only if
                // detection succeeded.
                unsafe { go(context, player, opponent, extra, alpha) }
            }
            fn scout<G: Game, T: Track>(
                judge: Judge<'_, G, Self>,
                track: &T,
                discs: (u64, u64),
                depth: u32,
                window: (i32, i32),
            ) -> i32 {
                $(#[$feature])?
                fn go<G: Game, T: Track>(
                    judge: Judge<'_, G, $kernel>,
                    track: &T,
                    discs: (u64, u64),
                    depth: u32,
                    window: (i32, i32),
                ) -> i32 {
                    eval::scout(judge, track, discs, depth, window)
                }
                #[allow(unused_unsafe)] // The portable level needs none.
                // SAFETY: the judge holds a token of the level, which exists only if detection
                // succeeded.
                unsafe { go(judge, track, discs, depth, window) }
            }
            stamp!(@small $kernel, middle, middle::body, u8, $(#[$feature])?);
            stamp!(@small $kernel, shallow, endgame::shallow, u8, $(#[$feature])?);
            stamp!(@small $kernel, four, endgame::four, u8, $(#[$feature])?);
            stamp!(@small $kernel, three, endgame::three, u32, $(#[$feature])?);
            stamp!(@small $kernel, two, endgame::two, u32, $(#[$feature])?);
        }
    };
    (@small $kernel:ty, $name:ident, $body:path, $last:ty, $(#[$feature:meta])?) => {
        fn $name<G: Game>(
            context: &mut Context<'_, G, Self>,
            player: u64,
            opponent: u64,
            alpha: i32,
            last: $last,
        ) -> i32 {
            $(#[$feature])?
            fn go<G: Game>(
                context: &mut Context<'_, G, $kernel>,
                player: u64,
                opponent: u64,
                alpha: i32,
                last: $last,
            ) -> i32 {
                $body(context, player, opponent, alpha, last)
            }
            #[allow(unused_unsafe)] // The portable level needs none.
            // SAFETY: the context holds a token of the level, which exists only if detection
            // succeeded.
            unsafe { go(context, player, opponent, alpha, last) }
        }
    };
}

stamp!(Portable,);
#[cfg(target_arch = "x86_64")]
stamp!(crate::kernel::X86V3, #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]);
