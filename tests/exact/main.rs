//! The exact solver and its kernels against slow truth: values, moves, variations, bounds, limits.

mod bounds;
mod goldens;
mod invariance;
mod kernels;
mod known;
mod limits;
mod support;
mod threads;
mod values;
mod windows;
