//! Ctrl-C, and its relatives: SIGTERM, and SIGHUP when a terminal closes.

use crate::out::remark;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Keeps SIGHUP ignored where whoever started the program had it ignored (nohup): [`watch_ctrl_c`] would take it for Ctrl-C. And a
/// file that grows beyond what a limit allows is an error like a full disk, not the end of the program. To be called
/// before there are other threads, since it holds for this one and those that it starts.
pub(crate) fn heed_nohup() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        // A signal that is blocked for good is as good as ignored. If it cannot be, Ctrl-C still works.
        let mut blocked = SigSet::from(Signal::SIGXFSZ);
        if hangups_are_ignored() {
            blocked.add(Signal::SIGHUP);
        }
        let _ = blocked.thread_block();
    }
}

#[cfg(unix)]
fn hangups_are_ignored() -> bool {
    match std::fs::read_to_string("/proc/self/status") {
        Ok(status) => ignores_hangups(&status),
        // Where there is no such file, ask a shell, which inherits what is ignored: does it survive a hangup?
        Err(_) => {
            let mut shell = std::process::Command::new("sh");
            shell.args(["-c", "kill -HUP $$"]).stdin(std::process::Stdio::null());
            shell.status().is_ok_and(|status| status.code() == Some(0))
        }
    }
}

/// What Linux tells of a process: signal n is bit n - 1.
#[cfg(unix)]
fn ignores_hangups(status: &str) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (nix::sys::signal::Signal::SIGHUP as u32 - 1) & 1 == 1)
}

/// A flag that Ctrl-C sets, so that a run ends after the step; a second Ctrl-C ends the program. Where nothing can watch for it, it ends the
/// program at once.
pub(crate) fn watch_ctrl_c() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let watched = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    });
    if let Err(why) = watched {
        remark(&format!("note: Ctrl-C ends this at once, for nothing can watch for it: {why}"));
    }
    stop
}
