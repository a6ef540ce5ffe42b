//! Numbers as people read them.

use std::time::Duration;

/// A count with its digits in groups: `24,123,456`.
pub fn count(n: u128) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A rate or a size of which three digits matter: `845`, `26.1M`.
pub fn short(value: f64) -> String {
    const SUFFIXES: [&str; 5] = ["", "k", "M", "G", "T"];
    let mut scaled = value;
    let mut suffix = 0;
    // 999.5 would print as 1000.
    while scaled >= 999.5 && suffix + 1 < SUFFIXES.len() {
        scaled /= 1000.0;
        suffix += 1;
    }
    let decimals = match scaled {
        _ if suffix == 0 => 0,
        s if s < 9.995 => 2,
        s if s < 99.95 => 1,
        _ => 0,
    };
    format!("{scaled:.decimals$}{}", SUFFIXES[suffix])
}

/// A duration: `0.003s`, `12.4s`, `3m 07s`, `2h 05m`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 9.9995 {
        format!("{seconds:.3}s")
    } else if seconds < 59.95 {
        format!("{seconds:.1}s")
    } else {
        let whole = seconds.round() as u64;
        match whole {
            ..3600 => format!("{}m {:02}s", whole / 60, whole % 60),
            _ => format!("{}h {:02}m", whole / 3600, whole % 3600 / 60),
        }
    }
}

/// Nodes in a second; `-` when the time is too short to say.
pub fn rate(nodes: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1e-4 { "-".to_owned() } else { short(nodes as f64 / seconds) }
}

/// A size in binary units: `256 MiB`, `1.5 GiB`.
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut scaled = n as f64;
    let mut unit = 0;
    while scaled >= 1024.0 && unit + 1 < UNITS.len() {
        scaled /= 1024.0;
        unit += 1;
    }
    let decimals = usize::from(scaled.fract() >= 0.05);
    format!("{scaled:.decimals$} {}", UNITS[unit])
}

/// A score with its sign; a draw is `0`.
pub fn score(score: i32) -> String {
    if score == 0 { "0".to_owned() } else { format!("{score:+}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1000), "1,000");
        assert_eq!(count(24_123_456), "24,123,456");
        assert_eq!(short(845.0), "845");
        assert_eq!(short(999.9), "1.00k");
        assert_eq!(short(26_100_000.0), "26.1M");
        assert_eq!(short(0.0), "0");
        assert_eq!(bytes(256 << 20), "256 MiB");
        assert_eq!(bytes(3 << 29), "1.5 GiB");
        assert_eq!(bytes(100), "100 bytes");
        assert_eq!(score(4), "+4");
        assert_eq!(score(0), "0");
    }

    #[test]
    fn durations_read_well() {
        for (milliseconds, text) in [
            (3, "0.003s"),
            (12_400, "12.4s"),
            (59_990, "1m 00s"),
            (187_000, "3m 07s"),
            (7_500_000, "2h 05m"),
        ] {
            assert_eq!(duration(Duration::from_millis(milliseconds)), text);
        }
    }
}
