//! Peak memory of the process over a period, if the system reports it (Linux).

use std::fs;

/// A period over which the peak is measured.
pub(super) struct Peak(());

impl Peak {
    /// Resets the system's peak; `None` if it cannot.
    pub(super) fn begin() -> Option<Self> {
        // proc_pid_clear_refs(5): 5 resets the peak resident set size.
        fs::write("/proc/self/clear_refs", "5").ok().map(Self)
    }

    /// Peak resident memory since the beginning, bytes.
    pub(super) fn bytes(&self) -> Option<u64> {
        peak_of(&fs::read_to_string("/proc/self/status").ok()?)
    }
}

/// The peak resident set size in the text of /proc/self/status, bytes.
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
        let before = peak.bytes().expect("a system that resets its peak also reports it");
        let used = vec![1_u8; 64 << 20];
        assert!(used.iter().step_by(4096).all(|&byte| byte == 1));
        assert!(peak.bytes().is_some_and(|after| after > before + (32 << 20)));
    }
}
