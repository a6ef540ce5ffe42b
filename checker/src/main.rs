//! obverse-check.

fn main() {}
