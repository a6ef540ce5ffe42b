//! The `obverse` program.

fn main() {}
