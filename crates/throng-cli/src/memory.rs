//! How much memory there is for a scene, and what to say when that is not enough.

use crate::Failure;
use crate::out::{bytes, grouped};
use throng::Scene;

/// Memory that can be had without pushing others out and within what this process is allowed, where the system tells: the least of
/// what is free on the machine, in the control groups that it belongs to, and of the limits of the shell (`ulimit -v`). Linux tells all of
/// it; elsewhere nothing is known.
pub(crate) fn free() -> Option<u64> {
    [available(), in_control_groups(), below_limit()].into_iter().flatten().min()
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

/// What the limit of the address space leaves.
fn below_limit() -> Option<u64> {
    let limits = read("/proc/self/limits")?;
    let line = limits.lines().find_map(|l| l.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(kilobytes(&read("/proc/self/status")?, "VmSize:")?))
}

/// That a run of a scene fits into the memory that is free.
pub(crate) fn check(scene: &Scene, free: Option<u64>) -> Result<(), Failure> {
    let needs = scene.memory_needs();
    let (need, Some(free)) = (needs.total(), free) else { return Ok(()) };
    if need <= free {
        return Ok(());
    }
    let (what, advice) = if needs.people >= needs.cells.max(needs.plans) {
        let fit = free.saturating_sub(need - needs.people) as f64 / needs.people as f64;
        let fit = (0.9 * fit * scene.agent_count() as f64) as u64;
        let advice = if fit > 0 { format!("--agents {fit} would fit") } else { "use fewer people".into() };
        (format!("{} people", grouped(scene.agent_count())), advice)
    } else if needs.plans > needs.cells {
        let plans = grouped(needs.routes);
        let advice = "use larger cells, or fewer goals and fewer kinds of groups that head for them";
        (format!("{plans} plans of {} cells", grouped(scene.grid.len() as u64)), advice.into())
    } else {
        let advice = format!("use larger cells, or --scale {:.2}", 0.9 * free as f64 / need as f64);
        (format!("{} cells", grouped(scene.grid.len() as u64)), advice)
    };
    let (need, free) = (bytes(need), bytes(free));
    Err(anyhow::anyhow!(
        "{} needs about {need} of memory, most of it for {what}, and {free} are free: {advice}",
        scene.name
    )
    .into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::scene::NoFiles;

    fn said(text: &str, free: u64) -> String {
        let scene = Scene::parse("s.toml", text, &NoFiles).expect("it is sound");
        check(&scene, Some(free)).map_or_else(|failure| failure.words(), |()| String::new())
    }

    #[test]
    fn the_advice_is_about_what_takes_most() {
        let room = "[[goal]]\nrect = [0, 0, 1, 1]\n[[agents]]\n";
        let crowd = said(&format!("size = [20, 20]\n{room}source = {{ rate = 1, total = 10000000 }}\n"), 1 << 30);
        assert!(crowd.contains("10,000,000 people") && crowd.contains("--agents 4"), "{crowd}");
        let large = said(&format!("size = [8000, 8000]\ncell = 1\n{room}count = 5\n"), 1 << 30);
        assert!(large.contains("64,000,000 cells") && large.contains("larger cells"), "{large}");
        let goals: String =
            (0..100).map(|i| format!("[[goal]]\nname = \"{i}\"\nrect = [{i}, 0, {i}.5, 1]\n")).collect();
        let names: Vec<String> = (0..100).map(|i| format!("\"{i}\"")).collect();
        let far = format!("size = [1000, 1000]\ncell = 1\n{goals}[[agents]]\ncount = 5\n");
        let planned = said(&format!("{far}journey = [{}]\n", names.join(", ")), 1 << 30);
        assert!(planned.contains("100 plans"), "{planned}");
        assert_eq!(said(&format!("{far}journey = [\"7\"]\n"), 1 << 30), "", "goals that nobody heads for cost nothing");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_tells_how_much_there_is() {
        assert!(free().is_some_and(|bytes| bytes > 1 << 20));
        assert_eq!(file_pages("anon 5\ninactive_file 30\nactive_file 12\n"), 42);
        assert_eq!(kilobytes("MemFree: 1 kB\nMemAvailable:   12 kB\n", "MemAvailable:"), Some(12 * 1024));
    }
}
