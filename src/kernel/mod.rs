//! Bit tricks by instruction-set level. Depends on `board`.

use std::fmt;
use std::str::FromStr;

/// An instruction-set level, chosen once at start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Plain 64-bit arithmetic: any machine.
    Portable,
    /// x86-64-v3: AVX2, BMI1/2, LZCNT, POPCNT.
    X86V3,
}

impl Level {
    /// Every level this program knows, the slowest first.
    pub const ALL: [Self; 2] = [Self::Portable, Self::X86V3];

    /// The levels this machine has, the slowest first.
    pub fn available() -> Vec<Self> {
        Self::ALL.into_iter().filter(|level| level.is_available()).collect()
    }

    /// The fastest level of this machine.
    pub fn detect() -> Self {
        Self::available().into_iter().next_back().unwrap_or(Self::Portable)
    }

    /// Whether this machine has the level.
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::X86V3 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::X86V3 => false,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Portable => "portable",
            Self::X86V3 => "x86-v3",
        })
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|level| level.to_string() == text).ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(Level::to_string).collect();
            format!("unknown kernel '{text}'; known are {}", known.join(", "))
        })
    }
}
