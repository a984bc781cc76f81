//! `throng devices`

use crate::Failure;
use crate::args::DevicesArgs;
use crate::out::say;
use serde_json::json;
use std::process::ExitCode;

pub(crate) fn devices(args: &DevicesArgs) -> Result<ExitCode, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let name = processor();
    let why = "this version has no GPU engine yet";
    if args.json {
        let cpu = json!({ "engine": "cpu", "name": name, "threads": cores });
        say(&format!("{}\n", json!({ "devices": [cpu], "auto": "cpu", "why": why })))?;
    } else {
        say(&format!("cpu   {name}, {cores} threads\n\n--engine auto chooses cpu: {why}.\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The processor's name where the system tells it.
pub(crate) fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|l| l.strip_prefix("model name").and_then(|l| l.split_once(':')));
    model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}
