//! What a card can draw: vertices, triangles, pixels and lookups a second, each as plain as it can be. Budgets follow from it.
//!
//! `cargo run --release -p throng-view --example card -- [NAME] [--csv FILE]`

mod card;
mod resources;
mod rows;

use card::Card;
use std::fmt::Write;
use throng::engine::gpu::devices;

#[expect(clippy::print_stdout, reason = "it is what the program is for")]
fn main() -> anyhow::Result<()> {
    let mut words = std::env::args().skip(1);
    let (mut name, mut file) = (None, None);
    while let Some(word) = words.next() {
        if word == "--csv" {
            file = Some(words.next().ok_or_else(|| anyhow::anyhow!("--csv needs the name of a file"))?);
        } else if word.starts_with('-') {
            anyhow::bail!("there is no option {word}: [NAME] [--csv FILE]");
        } else {
            name = Some(word);
        }
    }
    let name = match name {
        Some(name) => name,
        None => devices().into_iter().next().ok_or_else(|| anyhow::anyhow!("there is nothing to draw with"))?.name,
    };
    let card = Card::open(&name)?;
    let (device, told_by, side) = (card.gpu.info().name.clone(), card.told_by(), card.side);
    println!("{device}, into {side} × {side} pixels of Rgba16Float, by {told_by}; millions a second:");
    let mut csv = "device,told_by,side,what,unit,per_second,pieces,ms\n".to_owned();
    let mut before = String::new();
    rows::measure(&card, |rate| {
        let what = if rate.what == before { "" } else { &rate.what };
        println!("  {what:<58} {:>12.3} {}", rate.per_second * 1e-6, rate.unit);
        before.clone_from(&rate.what);
        let (pieces, ms) = (rate.took.pieces, rate.took.seconds * 1e3);
        let rows::Rate { what, unit, per_second, .. } = rate;
        writeln!(csv, "\"{device}\",{told_by},{side},\"{what}\",\"{unit}\",{per_second:.0},{pieces},{ms:.4}")?;
        // After every row, so that it can be cut short.
        if let Some(file) = &file {
            std::fs::write(file, &csv)?;
        }
        Ok(())
    })
}
