//! The games that every suite runs over. To add one to all suites, add its name here.

/// Names of games that between them use every board kind and every rule.
pub const REGISTERED: &[&str] = &[
    // The boards with code of their own, then every other kind of rectangle.
    "8x8",
    "6x6",
    "4x4",
    "3x3",
    "3x8",
    "8x3",
    "5x5",
    "4x6",
    "7x7",
    "6x7",
    // Starts.
    "8x8+cross-mirrored",
    "5x5+parallel-top",
    "5x6+parallel-left",
    "7x5+parallel-bottom",
    "6x6+parallel-right",
    "4x4+free",
    "5x4+free+anti",
    // Objectives and counting.
    "8x8+anti",
    "6x6+anti+discs",
    "8x8+discs",
    "5x5+discs",
    // Holes.
    "4x4+hole=b1",
    "8x8+hole=a1+hole=h8",
    "8x8+hole=c3+hole=f3+hole=b6",
    "6x6+anti+hole=b2+hole=e1",
    // Pass rules and supplies.
    "4x4+stuck-ends",
    "8x8+stuck-ends",
    "5x5+anti+stuck-ends+discs",
    "4x4+optional-pass",
    "5x4+optional-pass+discs",
    "4x4+supply=8",
    "6x6+supply=16+discs",
    "4x4+free+supply=6+ties-second",
    "4x5+anti+optional-pass+supply=9",
];
