//! x86-64-v3: AVX2, BMI1/2, LZCNT, POPCNT. Four directions in one 256-bit vector.
#![allow(unsafe_code)] // Calls of functions whose instruction set the token vouches for.

use super::{Kernel, Level, last_flip};
use crate::board::flip::rays;
use std::arch::x86_64::*;

/// A token that exists only on machines that have the level.
#[derive(Clone, Copy, Debug)]
pub struct X86V3(());

#[repr(align(32))]
struct Rays([[u64; 4]; 64]);

static UP: Rays = Rays(rays(true));
static DOWN: Rays = Rays(rays(false));

impl Kernel for X86V3 {
    const LEVEL: Level = Level::X86V3;

    fn detect() -> Option<Self> {
        Self::LEVEL.is_available().then_some(Self(()))
    }

    #[inline(always)]
    fn flip(self, square: u32, player: u64, opponent: u64) -> u64 {
        // SAFETY: the token exists only if detection succeeded.
        unsafe { flip_avx2(square, player, opponent) }
    }

    #[inline(always)]
    fn moves(self, player: u64, opponent: u64) -> u64 {
        // SAFETY: the token exists only if detection succeeded.
        unsafe { moves_avx2(player, opponent) }
    }

    #[inline(always)]
    fn last_flip(self, square: u32, player: u64) -> u32 {
        last_flip::count(square, player, last_flip::gather_by_multiplication)
    }
}

/// The four lanes of `table` for one square.
#[inline]
#[target_feature(enable = "avx2")]
fn lanes(table: &'static Rays, square: u32) -> __m256i {
    let row = &table.0[square as usize & 63];
    // SAFETY: `row` is 32 bytes long; the load needs no alignment.
    unsafe { _mm256_loadu_si256(row.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn or_lanes(v: __m256i) -> u64 {
    let half = _mm_or_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
}

/// Towards higher indices the carry of an addition finds the end of the opponent's run; towards
/// lower indices the blockers are smeared along their own ray by three shifts (the "parallel
/// prefix" idea of T. Okuhara's AVX flips).
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn flip_avx2(square: u32, player: u64, opponent: u64) -> u64 {
    let p = _mm256_set1_epi64x(player as i64);
    let o = _mm256_set1_epi64x(opponent as i64);
    let zero = _mm256_setzero_si256();
    let ones = _mm256_cmpeq_epi64(zero, zero);

    // (o | !mask) + 1, written as a subtraction of all ones.
    let mask = lanes(&UP, square);
    let run = _mm256_or_si256(o, _mm256_xor_si256(mask, ones));
    let outflank = _mm256_and_si256(_mm256_and_si256(_mm256_sub_epi64(run, ones), p), mask);
    // outflank - 1 where there is one, 0 - 0 elsewhere.
    let none = _mm256_cmpeq_epi64(outflank, zero);
    let below = _mm256_sub_epi64(_mm256_add_epi64(outflank, ones), none);
    let up = _mm256_and_si256(below, mask);

    let step = _mm256_setr_epi64x(1, 7, 8, 9);
    let mask = lanes(&DOWN, square);
    let blockers = _mm256_andnot_si256(o, mask);
    let mut reach = _mm256_or_si256(blockers, _mm256_srlv_epi64(blockers, step));
    reach = _mm256_or_si256(reach, _mm256_srlv_epi64(reach, _mm256_add_epi64(step, step)));
    reach = _mm256_or_si256(reach, _mm256_srlv_epi64(reach, _mm256_slli_epi64::<2>(step)));
    // The run is what no blocker reaches; the outflanking disc is the first blocker.
    let run = _mm256_andnot_si256(reach, mask);
    let first = _mm256_andnot_si256(_mm256_srlv_epi64(reach, step), blockers);
    let none = _mm256_cmpeq_epi64(_mm256_and_si256(first, p), zero);
    let down = _mm256_andnot_si256(none, run);

    or_lanes(_mm256_or_si256(up, down))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn moves_avx2(player: u64, opponent: u64) -> u64 {
    let p = _mm256_set1_epi64x(player as i64);
    let step = _mm256_setr_epi64x(1, 7, 8, 9);
    let double = _mm256_add_epi64(step, step);
    let inner = 0x7e7e_7e7e_7e7e_7e7e_i64;
    let crossable = _mm256_and_si256(
        _mm256_set1_epi64x(opponent as i64),
        _mm256_setr_epi64x(inner, inner, -1, inner),
    );
    let and = |a, b| _mm256_and_si256(a, b);
    let or = |a, b| _mm256_or_si256(a, b);
    let mut up = and(crossable, _mm256_sllv_epi64(p, step));
    let mut down = and(crossable, _mm256_srlv_epi64(p, step));
    up = or(up, and(crossable, _mm256_sllv_epi64(up, step)));
    down = or(down, and(crossable, _mm256_srlv_epi64(down, step)));
    let pair_up = and(crossable, _mm256_sllv_epi64(crossable, step));
    let pair_down = _mm256_srlv_epi64(pair_up, step);
    up = or(up, and(pair_up, _mm256_sllv_epi64(up, double)));
    down = or(down, and(pair_down, _mm256_srlv_epi64(down, double)));
    up = or(up, and(pair_up, _mm256_sllv_epi64(up, double)));
    down = or(down, and(pair_down, _mm256_srlv_epi64(down, double)));
    let moves = or(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    or_lanes(moves) & !(player | opponent)
}
