//! How much memory there is for scenes: found once, as the one budget that everything draws from.

use crate::Failure;
use std::sync::OnceLock;
use throng::budget::Budget;

/// Says how many bytes scenes may take, whatever the system says: a number, or one with K, M, G or T behind it.
const VARIABLE: &str = "THRONG_MEMORY";

/// That the variable is a size, if it is there: who sets a limit wants it kept.
pub(crate) fn check() -> Result<(), Failure> {
    let Some(words) = std::env::var_os(VARIABLE) else { return Ok(()) };
    // What is no text is no size either.
    let words = words.to_string_lossy();
    if words.trim().is_empty() || size(&words).is_some() {
        return Ok(());
    }
    Err(Failure::Usage(format!("{VARIABLE}={words}: write a size such as 500M or 8G, or 8GiB")))
}

/// What scenes may take where neither the system nor the user tells, with a word about it when a scene is refused.
const ASSUMED: u64 = 8_000_000_000;

/// The budget of this process.
pub(crate) fn budget() -> Budget {
    static BUDGET: OnceLock<Budget> = OnceLock::new();
    let find = || {
        let told = std::env::var(VARIABLE).ok();
        let said = told.as_deref().and_then(size);
        let unknown =
            || Budget::assumed(ASSUMED, &format!("how much there is is not known here; {VARIABLE}=16G would say it"));
        said.or_else(free).map_or_else(unknown, Budget::new)
    };
    BUDGET.get_or_init(find).clone()
}

/// A size in words: 500M and 500 MB are half a gigabyte, 8GiB is 8 × 1024³ bytes.
fn size(words: &str) -> Option<u64> {
    let words = words.trim();
    let digits = words.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let (letters, base) = match words[digits.len()..].to_ascii_uppercase() {
        of_two if of_two.len() > 2 && of_two.ends_with("IB") => (of_two[..of_two.len() - 2].to_owned(), 1024u64),
        of_ten => (of_ten.strip_suffix('B').unwrap_or(&of_ten).to_owned(), 1000),
    };
    let power = ["", "K", "M", "G", "T"].iter().position(|unit| *unit == letters)?;
    digits.trim().parse::<u64>().ok()?.checked_mul(base.pow(power as u32))
}

/// Memory that can be had without pushing others out and within what this process is allowed, where the system tells: on Linux the least of
/// what is free on the machine, in the control groups that it belongs to, and of the limits of the shell (`ulimit -v`, `ulimit -d`); on macOS what is
/// free or can be at once.
fn free() -> Option<u64> {
    if cfg!(target_os = "macos") {
        let told = std::process::Command::new("/usr/bin/vm_stat").output().ok()?;
        return free_pages(&String::from_utf8_lossy(&told.stdout));
    }
    let limits =
        [("Max address space", "VmSize:"), ("Max data size", "VmData:")].map(|(limit, used)| below_limit(limit, used));
    [available(), in_control_groups()].into_iter().chain(limits).flatten().min()
}

/// What `vm_stat` says to be free, or to hold what can be read again, in bytes.
fn free_pages(told: &str) -> Option<u64> {
    let page: u64 = told.split_once("page size of ")?.1.split_whitespace().next()?.parse().ok()?;
    let pages = |key: &str| -> Option<u64> {
        told.lines().find_map(|l| l.strip_prefix(key))?.trim().trim_end_matches('.').parse().ok()
    };
    let rest = ["Pages inactive:", "Pages speculative:", "Pages purgeable:"];
    Some(page * (pages("Pages free:")? + rest.into_iter().filter_map(pages).sum::<u64>()))
}

fn read(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

fn available() -> Option<u64> {
    kilobytes(&read("/proc/meminfo")?, "MemAvailable:")
}

/// A line of a table of kilobytes, in bytes.
fn kilobytes(table: &str, key: &str) -> Option<u64> {
    let line = table.lines().find_map(|l| l.strip_prefix(key))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kb| kb * 1024)
}

/// What the process's own control group and those that it is in leave of their limits.
fn in_control_groups() -> Option<u64> {
    let own = read("/proc/self/cgroup")?;
    let groups = own.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        match controllers {
            "" => Some(("/sys/fs/cgroup", path, ["memory.max", "memory.current"])),
            "memory" => Some(("/sys/fs/cgroup/memory", path, ["memory.limit_in_bytes", "memory.usage_in_bytes"])),
            _ => None,
        }
    });
    let left = groups.flat_map(|(root, path, [limit, used])| {
        std::path::Path::new(path).ancestors().filter_map(move |group| {
            let file = |name: &str| read(&format!("{root}{}/{name}", group.display()));
            let number = |name: &str| file(name)?.trim().parse::<u64>().ok();
            // A group without a limit says "max", which is no number.
            let (limit, used) = (number(limit)?, number(used)?);
            let files = file("memory.stat").map_or(0, |table| file_pages(&table));
            Some(limit.saturating_sub(used.saturating_sub(files)))
        })
    });
    left.min()
}

/// Bytes of files that the system keeps in memory for as long as nobody needs it.
fn file_pages(table: &str) -> u64 {
    let value = |key: &str| table.lines().find_map(|l| l.strip_prefix(key)?.trim().parse::<u64>().ok()).unwrap_or(0);
    value("inactive_file ") + value("active_file ")
}

/// What a limit of the shell leaves of what this process may have, by their names and by what it has.
fn below_limit(limit: &str, used: &str) -> Option<u64> {
    let limits = read("/proc/self/limits")?;
    let line = limits.lines().find_map(|l| l.strip_prefix(limit))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(kilobytes(&read("/proc/self/status")?, used)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        assert_eq!(["50MB", "3 kB", "1GiB", "7b"].map(size), [Some(50_000_000), Some(3000), Some(1 << 30), Some(7)]);
        assert_eq!(["5IB", "1e3M", "3X", "2MM"].map(size), [None; 4]);
        let all = ["123", "5k", " 16G ", "2T", "", "G", "-1", "1.5G", "99999999999999T"].map(size);
        assert_eq!(all[..4], [Some(123), Some(5000), Some(16_000_000_000), Some(2_000_000_000_000)]);
        assert_eq!(all[4..], [None; 5]);
    }

    #[test]
    fn macos_tells_in_pages() {
        let told = "Mach Virtual Memory Statistics: (page size of 16384 bytes)\nPages free:             100.\n\
                    Pages active:           7.\nPages inactive:         20.\nPages speculative:      3.\n";
        assert_eq!(free_pages(told), Some(16384 * 123));
        assert_eq!(free_pages("nothing of the kind"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_tells_how_much_there_is() {
        assert!(free().is_some_and(|bytes| bytes > 1 << 20));
        assert_eq!(file_pages("anon 5\ninactive_file 30\nactive_file 12\n"), 42);
        assert_eq!(kilobytes("MemFree: 1 kB\nMemAvailable:   12 kB\n", "MemAvailable:"), Some(12 * 1024));
    }
}
