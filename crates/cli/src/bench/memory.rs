//! The most memory that the process held for a while, where the system tells (Linux).

use std::fs;

/// The while since it began.
pub(super) struct Peak(());

impl Peak {
    /// Makes the system forget the peak so far; `None` where it cannot.
    pub(super) fn begin() -> Option<Self> {
        // proc_pid_clear_refs(5): 5 resets the peak resident set size.
        fs::write("/proc/self/clear_refs", "5").ok().map(Self)
    }

    /// Bytes resident at most since the beginning.
    pub(super) fn bytes(&self) -> Option<u64> {
        peak_of(&fs::read_to_string("/proc/self/status").ok()?)
    }
}

/// The peak resident set size in a text as of /proc/self/status.
fn peak_of(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::{Peak, peak_of};

    #[test]
    fn the_peak_is_read_in_bytes() {
        assert_eq!(peak_of("Name:\timpulse\nVmHWM:\t    2168 kB\nVmRSS:\t 1 kB\n"), Some(2168 * 1024));
        assert_eq!(peak_of("Name:\timpulse\n"), None);
    }

    #[test]
    fn memory_that_was_used_raises_the_peak() {
        let Some(peak) = Peak::begin() else { return };
        let before = peak.bytes().expect("a system that forgets its peak also tells it");
        let used = vec![1_u8; 64 << 20];
        assert!(used.iter().step_by(4096).all(|&byte| byte == 1));
        assert!(peak.bytes().is_some_and(|after| after > before + (32 << 20)));
    }
}
