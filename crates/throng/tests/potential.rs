//! x
mod reference;
use reference::*;
use throng::stages::potential::cpu::March;
use throng::stages::potential::{Padded, Scheme, UNREACHED};

fn sweeps(ground: &Ground, rule: impl Fn(&Ground, &[f64], usize) -> f64) -> Vec<f64> {
    let mut values = start(ground);
    let (w, h) = (ground.width, ground.height);
    loop {
        let mut changed = false;
        for corner in 0..4 {
            for j in 0..h {
                for i in 0..w {
                    let x = if corner & 1 == 0 { i } else { w - 1 - i };
                    let y = if corner & 2 == 0 { j } else { h - 1 - j };
                    let new = rule(ground, &values, y * w + x);
                    if new < values[y * w + x] {
                        values[y * w + x] = new;
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            return values;
        }
    }
}

fn one_per_axis(ground: &Ground, values: &[f64], cell: usize) -> f64 {
    let way = |d| ground.way(values, cell, d);
    let pick = |a: (f64, f64), b: (f64, f64)| if a.0 + a.1 <= b.0 + b.1 { a } else { b };
    quadrant(pick(way(1), way(3)), pick(way(0), way(2)))
}

#[test]
fn experiments() {
    for n in [512usize, 1024] {
        for (name, sx, sy) in [("corner", 0, 0), ("centre", n / 2, n / 2), ("third", n/3, n/4)] {
            let g = Ground::new((n, n), vec![sy * n + sx], |_, _, _| 1.0);
            let t = std::time::Instant::now();
            let (p, r) = g.solve(&mut March::default(), 0.25, Scheme::Upwind);
            let dt = t.elapsed();
            let layout = Padded { width: n, height: n };
            let (mut max, mut sum) = (0f64, 0f64);
            for y in 0..n { for x in 0..n {
                let e = (x as f64 - sx as f64).hypot(y as f64 - sy as f64);
                let v = f64::from(p[layout.at(x, y)]);
                max = max.max((v - e).abs()); sum += (v - e).abs();
            }}
            eprintln!("{n} {name} max {max:.4} mean {:.4} {r:?} {dt:?}", sum / (n * n) as f64);
        }
    }
    // wall
    for n in [128usize, 256, 512] {
        for (name, sx, sy, wx, wy) in [("a", n/4, n/2, n/2, n/2), ("b", n/4, n/4, n/2, n/2), ("c", 0, 0, n/2, n/2), ("d", n/4,n/4,n/2,3*n/4), ("e", n/2-1, 0, n/2, n/2), ("f", 0, 0, n/2, n-1)] {
            let mut g = Ground::new((n, n), vec![sy * n + sx], |_, _, _| 1.0);
            for y in 0..wy { g.close(y * n + wx - 1, 1); }
            let (p, _) = g.solve(&mut March::default(), 0.25, Scheme::Upwind);
            let layout = Padded { width: n, height: n };
            let (mut max, mut sum) = (0f64, 0f64);
            let tip = (wx as f64 - 0.5, wy as f64 - 0.5);
            let s = (sx as f64, sy as f64);
            for y in 0..n { for x in 0..n {
                let q = (x as f64, y as f64);
                let direct = (q.0 - s.0).hypot(q.1 - s.1);
                let e = if x < wx { direct } else {
                    let at = s.1 + (q.1 - s.1) * (tip.0 - s.0) / (q.0 - s.0);
                    if at >= tip.1 { direct } else { (tip.0 - s.0).hypot(tip.1 - s.1) + (q.0 - tip.0).hypot(q.1 - tip.1) }
                };
                let v = f64::from(p[layout.at(x, y)]);
                max = max.max((v - e).abs()); sum += (v - e).abs();
            }}
            eprintln!("wall {n} {name} max {max:.4} mean {:.4}", sum / (n * n) as f64);
        }
    }
    // order
    for seed in 0..4 {
        let mut r = Random::new(seed);
        let dims = (40, 33);
        let goal = vec![r.below(40 * 33)];
        let g = if seed < 2 { Ground::new(dims, goal, |_, _, _| r.between(1.0, 5.0)) } else { Ground::maze(&mut r, dims, goal) };
        let diff = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| if a == b { 0.0 } else { (a - b).abs() }).fold(0.0, f64::max);
        let (a, b) = (ordered(&g, four_quadrants), sweeps(&g, four_quadrants));
        let (c, d) = (ordered(&g, one_per_axis), sweeps(&g, one_per_axis));
        let reached = a.iter().filter(|v| v.is_finite()).count();
        eprintln!("seed {seed} four {:.3e} one {:.3e} reached {reached} max {}", diff(&a, &b), diff(&c, &d), a.iter().filter(|v| v.is_finite()).fold(0.0, |a: f64, b| a.max(*b)));
        let mut first: Vec<f32> = vec![];
        for k in [1e-3, 1e-2, 0.25, 1.0, 10.0, 1e3] {
            let (p, rep) = g.solve(&mut March::default(), (k * g.mean_cost()) as f32, Scheme::Upwind);
            let (layout, _, _) = g.padded();
            let err = a.iter().enumerate().map(|(i, &v)| { let l = f64::from(p[layout.of_index(i)]); if v.is_infinite() { if l == f64::from(UNREACHED) {0.0} else {9e9} } else { (l - v).abs() / v.max(1.0) } }).fold(0.0, f64::max);
            if first.is_empty() { first = p.clone(); }
            let rel = p.iter().zip(&first).map(|(a, b)| ((a - b) / a.max(1.0)).abs()).fold(0.0, f32::max);
            eprintln!("   unit {k}: err {err:.3e} vs first {rel:.3e} visits/cell {:.2} {}", rep.visits as f64 / reached as f64, rep.converged);
        }
    }
    // wide costs
    for (lo, hi) in [(-3.0f32, 3.0f32), (-6.0, 12.0)] { for seed in 0..3 { for n in [30usize, 200] {
        let mut r = Random::new(seed);
        let g = Ground::new((n, n), vec![r.below(n * n)], |_, _, _| 10f32.powf(r.between(lo, hi)));
        let a = ordered(&g, four_quadrants);
        for k in [1e-6, 1e-3, 0.25, 1e3] {
            let (p, rep) = g.solve(&mut March::default(), (k * g.mean_cost()) as f32, Scheme::Upwind);
            let (layout, _, _) = g.padded();
            let mut stuck = 0;
            let err = a.iter().enumerate().map(|(i, &v)| { let l = f64::from(p[layout.of_index(i)]);
               if v > 0.0 && !(0..4).any(|d| g.neighbour(i, d).is_some_and(|m| p[layout.of_index(m)] < p[layout.of_index(i)])) { stuck += 1; }
               if v == 0.0 {0.0} else {(l - v).abs() / v} }).fold(0.0, f64::max);
            eprintln!("wide {lo}..{hi} n {n} unit {k}: err {err:.3e} visits/cell {:.2} {} stuck {stuck}", rep.visits as f64 / a.len() as f64, rep.converged);
        }
    }}}
}
