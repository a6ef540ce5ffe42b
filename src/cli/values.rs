//! Values of options: sizes, durations, windows, thread counts.
//!
//! Each parser refuses what it does not understand; no value silently becomes a default.

use std::time::Duration;

/// Most search threads; far more than any machine profits from.
const MAX_THREADS: usize = 1024;

/// Reads a size: plain bytes, or a number with `K`, `M`, `G` or `T` (powers of 1024).
///
/// # Errors
/// When the text is no size or exceeds 64 bits.
pub fn size(text: &str) -> Result<u64, String> {
    let bad = || format!("'{text}' is no size; write bytes or 512M, 1.5G");
    let lower = text.to_ascii_lowercase();
    let lower = lower.strip_suffix("ib").or(lower.strip_suffix('b')).unwrap_or(&lower);
    let (number, shift) = match lower.char_indices().next_back() {
        Some((at, 'k')) => (&lower[..at], 10),
        Some((at, 'm')) => (&lower[..at], 20),
        Some((at, 'g')) => (&lower[..at], 30),
        Some((at, 't')) => (&lower[..at], 40),
        _ => (lower, 0),
    };
    if let Ok(whole) = unsigned(number) {
        return whole.checked_mul(1 << shift).ok_or_else(bad);
    }
    let bytes = decimal(number).ok_or_else(bad)? * (1_u64 << shift) as f64;
    // 2^64 as a float; what is below it converts without saturating.
    if bytes < 18_446_744_073_709_551_616.0 { Ok(bytes as u64) } else { Err(bad()) }
}

/// Reads a duration: seconds, or a number with `ms`, `s`, `m` or `h`.
///
/// # Errors
/// When the text is no duration above zero.
pub fn duration(text: &str) -> Result<Duration, String> {
    let bad = || format!("'{text}' is no time; write seconds or 500ms, 10m, 2h");
    let (number, unit) = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0)]
        .into_iter()
        .find_map(|(suffix, unit)| text.strip_suffix(suffix).map(|number| (number, unit)))
        .unwrap_or((text, 1.0));
    let seconds = decimal(number).ok_or_else(bad)? * unit;
    let duration = Duration::try_from_secs_f64(seconds).map_err(|_| bad())?;
    if duration.is_zero() { Err(bad()) } else { Ok(duration) }
}

/// Reads a window `A:B`, `A < B`, both in discs.
///
/// # Errors
/// When the text is no window.
pub fn window(text: &str) -> Result<(i32, i32), String> {
    let bad = || format!("'{text}' is no window; write A:B, such as -2:2, with -65 <= A < B <= 65");
    let (alpha, beta) = text.split_once(':').ok_or_else(bad)?;
    let parse = |side: &str| side.parse::<i32>().ok().filter(|n| (-65..=65).contains(n));
    match (parse(alpha), parse(beta)) {
        (Some(alpha), Some(beta)) if alpha < beta => Ok((alpha, beta)),
        _ => Err(bad()),
    }
}

/// Reads a number of threads.
///
/// # Errors
/// When the text is no number from 1 to 1024.
pub fn threads(text: &str) -> Result<usize, String> {
    unsigned(text)
        .ok()
        .and_then(|n| usize::try_from(n).ok())
        .filter(|n| (1..=MAX_THREADS).contains(n))
        .ok_or_else(|| format!("'{text}' is no number of threads from 1 to {MAX_THREADS}"))
}

/// Reads a whole number from 1 on.
///
/// # Errors
/// When the text is no such number.
pub fn positive(text: &str) -> Result<u64, String> {
    unsigned(text)
        .ok()
        .filter(|&n| n > 0)
        .ok_or_else(|| format!("'{text}' is no whole number from 1 on"))
}

/// Digits only: Rust's own parser would take a sign.
fn unsigned(text: &str) -> Result<u64, ()> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(());
    }
    text.parse().map_err(|_| ())
}

/// A finite number from 0 on, digits first, so that `inf` and `-1` are refused.
fn decimal(text: &str) -> Option<f64> {
    text.starts_with(|first: char| first.is_ascii_digit())
        .then(|| text.parse::<f64>().ok())
        .flatten()
        .filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in [
            ("0", 0),
            ("4096", 4096),
            ("512M", 512 << 20),
            ("2g", 2 << 30),
            ("1.5GiB", 3 << 29),
            ("64kb", 64 << 10),
            ("1e12", 1_000_000_000_000),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "M", "-1", "+1", "1X", "1 G", "99999999999T", "1e30", "inf", "nan", "é"] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn durations() {
        for (text, milliseconds) in
            [("10", 10_000), ("0.5", 500), ("500ms", 500), ("10m", 600_000), ("2h", 7_200_000)]
        {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "0", "-1", "10d", "s", "1e300", "inf", "1:30"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn windows() {
        assert_eq!(window("-1:1"), Ok((-1, 1)));
        assert_eq!(window("-64:+64"), Ok((-64, 64)));
        for text in ["", ":", "1", "2:2", "3:1", "-66:0", "a:b", "1:2:3", "0:99999999999"] {
            assert!(window(text).is_err(), "{text}");
        }
    }

    #[test]
    fn thread_counts() {
        assert_eq!(threads("8"), Ok(8));
        for text in ["", "0", "abc", "-1", "+2", "1.5", "1025"] {
            assert!(threads(text).is_err(), "{text}");
        }
    }
}
