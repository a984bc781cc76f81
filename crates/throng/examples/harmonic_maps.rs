//! How long does a harmonic map take? Open floor and mazes with corridors of several widths, on one core. As CSV on standard output.
//!
//! `cargo run --release -p throng --example harmonic_maps -- [SIDE]`
//!
//! SIDE is in cells (default 1024). The goal is one cell.

use std::io::Write;
use std::time::Instant;
use throng::random::pcg4d;
use throng::stages::potential::harmonic::{Floor, solve};

#[path = "../src/stages/potential/harmonic/tests/maze.rs"]
mod maze;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let side: usize = std::env::args().nth(1).map_or(Ok(1024), |side| side.parse())?;
    let mut out = std::io::stdout();
    writeln!(out, "floor,corridor_cells,missing_walls_per_mille,cells,cycles,log_u_down_to,seconds")?;
    for (name, wide, loops) in
        [("open", 0, 0), ("maze", 1, 0), ("maze", 1, 50), ("maze", 2, 0), ("maze", 5, 30), ("maze", 9, 30)]
    {
        let mut draws = 0;
        let draw = |below: usize| {
            draws += 1;
            pcg4d([1, draws, 0, 77])[0] as usize % below
        };
        let free = if wide == 0 { vec![true; side * side] } else { maze::free_cells(side, wide, loops, draw) };
        let floor = Floor::of_cells(side, side, |x, y| free[y * side + x]);
        let goal = free.iter().position(|f| *f).ok_or("nothing is free")?;
        let start = Instant::now();
        let map = solve(&floor, &[floor.layout.cell(goal)]);
        let seconds = start.elapsed().as_secs_f64();
        let reached = || map.log.iter().copied().filter(|l| *l > f64::NEG_INFINITY);
        let lowest = reached().fold(0.0, f64::min);
        writeln!(out, "{name},{wide},{loops},{},{},{lowest:.0},{seconds:.2}", reached().count(), map.cycles)?;
    }
    Ok(())
}
