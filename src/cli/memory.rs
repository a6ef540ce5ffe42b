//! How much memory this process may use at most, as far as the system says.

use std::fs;
use std::path::Path;

/// The smaller of the machine's memory and the limits of the control groups around this process,
/// in bytes; `None` where the system does not say.
pub fn limit() -> Option<u64> {
    machine().into_iter().chain(control_groups()).min()
}

fn machine() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// Limits of the group and of all groups above it, in both versions of the interface.
fn control_groups() -> Vec<u64> {
    let mut limits = Vec::new();
    for line in fs::read_to_string("/proc/self/cgroup").unwrap_or_default().lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(group)) = (fields.next(), fields.next()) else { continue };
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => continue,
        };
        let group = Path::new(root).join(group.trim_start_matches('/'));
        // Inside a container the name may lead outside what is mounted; the root is then ours.
        for ancestor in group.ancestors().take_while(|path| path.starts_with(root)) {
            let text = fs::read_to_string(ancestor.join(file)).unwrap_or_default();
            // `max`, and absurdly large numbers in the first version, mean no limit.
            limits.extend(text.trim().parse::<u64>().ok());
        }
    }
    limits
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #[test]
    fn the_machine_has_some_memory_but_not_a_terabyte_of_terabytes() {
        let limit = super::limit().unwrap();
        assert!((1 << 24..1 << 60).contains(&limit), "{limit}");
    }
}
