//! scratch
use throng::stages::potential::{Padded, Scheme, UNREACHED, cpu::March};
use throng::random::{draw, unit, Purpose};
fn main() {
    for (name, kind) in [("graded", 0), ("rough", 1)] {
    for side in [256usize, 1024] {
        let layout = Padded { width: side, height: side };
        let mut cost = vec![[UNREACHED; 4]; layout.size()];
        for y in 0..side { for x in 0..side {
            let c = layout.at(x, y);
            for d in 0..4 {
                let v = if kind == 1 { 1.0 + 4.0 * unit(draw(1, c as u32, Purpose::Speed, d)[0]) } else {
                    let g = ((x as f32)*0.02).sin()*((y as f32)*0.03).cos(); 1.5 + g };
                cost[c][d as usize] = v;
            }
            if x == 0 { cost[c][3] = UNREACHED } if x == side-1 { cost[c][1] = UNREACHED }
            if y == 0 { cost[c][2] = UNREACHED } if y == side-1 { cost[c][0] = UNREACHED }
        }}
        let goal: Vec<u32> = (0..side).map(|x| layout.at(x, 0) as u32).collect();
        let mut p = vec![0.0; layout.size()];
        let mut m = March::default();
        let mean = if kind == 1 { 3.0 } else { 1.5 };
        for f in [0.25f32] {
            let mut best = f64::MAX; let mut r = Default::default();
            for _ in 0..15 { let t = std::time::Instant::now(); r = m.solve(layout, &cost, &goal, mean*f, Scheme::Upwind, &mut p); best = best.min(t.elapsed().as_secs_f64()); }
            println!("{name} {side} unit x{f}: {:.1} ns/cell {:?} visits/cell {:.2}", best*1e9/(side*side) as f64, r, r.visits as f64/(side*side) as f64);
        }
    }}
}
