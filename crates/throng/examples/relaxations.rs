//! The relaxations of `steer = "bvp"` side by side: sweeps and time until the direction in the middle of a map is right to half a degree and the value there to a
//! hundredth. As CSV on standard output.
//!
//! `cargo run --release -p throng --example relaxations > relaxations.csv`

use std::io::Write;
use std::time::Instant;
use throng::Vec2;
use throng::stages::steer::bvp::relax::{
    Grid, STRIDE, alternating, best_factor, gauss_seidel, mixed, red_black, weights,
};

type Relax = fn(&mut Grid, [f32; 4], u32);

const WAYS: [(&str, Relax); 4] = [
    ("gauss-seidel", |grid, w, sweeps| gauss_seidel(grid, w, sweeps)),
    ("mixed", |grid, w, sweeps| mixed(grid, w, sweeps)),
    ("red-black", |grid, w, sweeps| red_black(grid, w, best_factor(grid.side - 2 * grid.border, w), sweeps)),
    ("alternating", |grid, w, sweeps| alternating(grid, w, sweeps)),
];

/// Somebody's map: the goal in the north, and people in the way.
fn map(side: usize, people: usize) -> Grid {
    let mut grid = Grid::new(side, 1);
    (side / 2 - 1..=side / 2 + 1).for_each(|x| grid.give(x, side - 1, 1.0));
    for k in 0..people {
        let (cx, cy) = (3 + (5 * k + 1) % (side - 6), side / 2 + 2 + (3 * k) % (side / 2 - 4));
        (cy - 1..=cy + 1).for_each(|y| (cx - 1..=cx + 1).for_each(|x| grid.give(x, y, 0.0)));
    }
    grid
}

/// The value in the middle, and the direction there.
fn middle(grid: &Grid) -> (f32, Vec2) {
    let m = grid.side.div_ceil(2) - 1;
    let (at, u) = (m * STRIDE + m, &grid.u);
    let way = Vec2::new(u[at + 1] - u[at - 1], u[at + STRIDE] - u[at - STRIDE]);
    (u[at], way / way.abs().max_element().max(f32::MIN_POSITIVE))
}

/// Sweeps until it is right, if it ever is.
fn sweeps(relax: Relax, map: &Grid, w: [f32; 4], (value, way): (f32, Vec2)) -> Option<u32> {
    (1..2000).find(|&sweeps| {
        let mut grid = map.clone();
        relax(&mut grid, w, sweeps);
        let (ours, descent) = middle(&grid);
        descent.angle_to(way).abs() < 0.5f32.to_radians() && (ours / value - 1.0).abs() < 0.01
    })
}

/// Microseconds that a map takes: the least of many trials, since other work on the machine only ever adds to them.
fn time(relax: Relax, map: &Grid, w: [f32; 4], sweeps: u32) -> f64 {
    let trial = |_| {
        let start = Instant::now();
        for _ in 0..10 {
            let mut grid = map.clone();
            relax(&mut grid, w, sweeps);
            std::hint::black_box(&grid);
        }
        start.elapsed().as_secs_f64() * 1e5
    };
    (0..100).map(trial).fold(f64::MAX, f64::min)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout();
    writeln!(out, "side,people,epsilon,relaxation,sweeps,microseconds")?;
    for side in [11, 16, 21] {
        for (people, epsilon) in [(0, 0.0), (0, -1.0), (0, -1.9), (2, 0.0), (2, -1.0)] {
            let (map, w) = (map(side, people), weights(epsilon, Vec2::X));
            let mut exact = map.clone();
            gauss_seidel(&mut exact, w, 20_000);
            let right = middle(&exact);
            for (name, relax) in WAYS {
                let Some(sweeps) = sweeps(relax, &map, w, right) else {
                    writeln!(out, "{side},{people},{epsilon},{name},,")?;
                    continue;
                };
                let micros = time(relax, &map, w, sweeps);
                writeln!(out, "{side},{people},{epsilon},{name},{sweeps},{micros:.2}")?;
            }
        }
    }
    Ok(())
}
