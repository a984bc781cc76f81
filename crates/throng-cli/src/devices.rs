//! `throng devices`

use crate::Failure;
use crate::args::DevicesArgs;
use crate::out::{bytes, say};
use serde_json::{Value, json};
use std::process::ExitCode;
use throng::engine::gpu::{Description, Kind};

pub(crate) fn devices(args: &DevicesArgs) -> Result<ExitCode, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let name = processor();
    let gpus = throng::engine::gpu::devices();
    let real = gpus.iter().find(|d| d.kind != Kind::Software);
    let (auto, why) = match real {
        Some(d) if d.lacks.is_none() => ("gpu", format!("{} is there", d.name)),
        Some(d) => ("cpu", format!("{} lacks what Throng needs: {}", d.name, d.lacks.as_deref().unwrap_or_default())),
        None => match gpus.first().map(|d| d.name.split_whitespace().next().unwrap_or_default()) {
            None => ("cpu", "there is no GPU, or no driver for it: none for Vulkan, Metal or DX12 answers".to_owned()),
            Some(word) => (
                "cpu",
                format!(
                    "there is no GPU, only software Vulkan, which is slower than the CPU; --device {word} runs on it all \
                     the same"
                ),
            ),
        },
    };
    if args.json {
        let mut list = vec![json!({ "engine": "cpu", "name": name, "threads": cores })];
        list.extend(gpus.iter().map(to_json));
        say(&format!("{}\n", json!({ "devices": list, "auto": auto, "why": why })))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut o = format!("cpu   {name}, {cores} threads\n");
    for d in &gpus {
        o += &format!("gpu   {} ({}, {})\n", d.name, d.kind.word(), d.backend);
        o += &format!("        driver {}\n", d.driver);
        let memory = d.memory.map_or_else(|| "memory not told".to_owned(), |m| format!("{} of memory", bytes(m)));
        o += &format!(
            "        {memory}; buffers up to {}, bindings up to {}; {}\n",
            bytes(d.largest_buffer),
            bytes(d.largest_binding),
            if d.timestamps { "stages are timed" } else { "stages cannot be timed" }
        );
        if let Some(lacks) = &d.lacks {
            o += &format!("        cannot run Throng: {lacks}\n");
        }
    }
    say(&format!("{o}\n--engine auto takes the {}: {why}.\n", auto.to_uppercase()))?;
    Ok(ExitCode::SUCCESS)
}

fn to_json(d: &Description) -> Value {
    json!({
        "engine": "gpu", "name": d.name, "kind": d.kind.word(), "backend": d.backend, "driver": d.driver,
        "memory_bytes": d.memory, "largest_buffer_bytes": d.largest_buffer,
        "largest_binding_bytes": d.largest_binding, "timestamps": d.timestamps, "lacks": d.lacks,
    })
}

/// The processor's name where the system tells it.
pub(crate) fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|l| l.strip_prefix("model name").and_then(|l| l.split_once(':')));
    model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}
