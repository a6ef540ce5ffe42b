//! Bit tricks by instruction-set level. Depends on `board`.

mod last_flip;
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86_v3;

pub use portable::Portable;
#[cfg(target_arch = "x86_64")]
pub use x86_v3::X86V3;

use std::fmt;
use std::str::FromStr;

/// The bit routines of one level, all on the 8-wide embedding: right for every board and with
/// holes, [`Kernel::last_flip`] excepted.
///
/// | routine | on an embedded board | why |
/// |---|---|---|
/// | `flip`, `moves` | right for every shape, holes included | nobody stands off the board: rays stop there |
/// | `last_flip` | rectangles only | takes every square not the player's for the opponent's |
///
/// A value of such a type is a token: it exists only on a machine that has the level.
pub trait Kernel: Copy + fmt::Debug + Send + Sync + 'static {
    /// The level.
    const LEVEL: Level;

    /// The token, if this machine has the level.
    fn detect() -> Option<Self>;

    /// The discs turned by the player's placement on the empty square `square`.
    fn flip(self, square: u32, player: u64, opponent: u64) -> u64;

    /// The unoccupied squares of the embedding where the player would turn a disc.
    fn moves(self, player: u64, opponent: u64) -> u64;

    /// The number of discs turned on the last empty square of a rectangle without holes.
    fn last_flip(self, square: u32, player: u64) -> u32;
}

/// Runs `$body` with `$kernel` bound to the token of `$level`.
/// The one list of levels that code is generated for; a new kernel adds a line here.
#[macro_export]
macro_rules! with_kernel {
    ($level:expr, |$kernel:ident| $body:expr) => {
        match $level {
            $crate::kernel::Level::Portable => {
                let $kernel = $crate::kernel::Portable;
                $body
            }
            #[cfg(target_arch = "x86_64")]
            $crate::kernel::Level::X86V3 => {
                use $crate::kernel::Kernel as _;
                let $kernel = $crate::kernel::X86V3::detect().expect("the level was checked");
                $body
            }
            #[cfg(not(target_arch = "x86_64"))]
            level => unreachable!("{level} is never available here"),
        }
    };
}

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
