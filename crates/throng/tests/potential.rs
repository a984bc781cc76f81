//! x
mod reference;
use reference::*;
use throng::stages::potential::cpu::March;
use throng::stages::potential::{Padded, Scheme};

#[test]
fn experiments() {
    let n = 512usize;
    let mut march = March::default();
    for thick in [0usize, 1] { for m in [8usize] { for sx in 0..=4 { for sy in 0..=4 { for wx in [4usize, 6] { for wy in [2usize,4,6] {
        let (sx, sy, wx, wy) = (sx * n / m, sy * n / m, wx * n / m, wy * n / m);
        if sx >= wx - 1 { continue; }
        let mut g = Ground::new((n, n), vec![sy * n + sx], |_, _, _| 1.0);
        for y in 0..wy { for d in 0..4 { if thick == 1 || d == 1 { g.close(y * n + wx - 1 + thick, d); } } }
        let (p, _) = g.solve(&mut march, 0.25, Scheme::Upwind);
        let layout = Padded { width: n, height: n };
        let tips: Vec<(f64, f64)> = if thick == 0 { vec![(wx as f64 - 0.5, wy as f64 - 0.5)] } else { vec![(wx as f64, wy as f64 - 1.0), (wx as f64, wy as f64 - 0.5), (wx as f64, wy as f64)] };
        for tip in tips {
            let mut max = 0f64;
            let s = (sx as f64, sy as f64);
            for y in 0..n { for x in 0..n {
                let q = (x as f64, y as f64);
                if thick == 1 && x == wx && y < wy { continue; }
                let direct = (q.0 - s.0).hypot(q.1 - s.1);
                let e = if q.0 <= tip.0 { direct } else {
                    let at = s.1 + (q.1 - s.1) * (tip.0 - s.0) / (q.0 - s.0);
                    if at >= tip.1 { direct } else { (tip.0 - s.0).hypot(tip.1 - s.1) + (q.0 - tip.0).hypot(q.1 - tip.1) }
                };
                max = max.max((f64::from(p[layout.at(x, y)]) - e).abs());
            }}
            if (max - 3.92).abs() < 0.012 { eprintln!("thick {thick} s {sx},{sy} wall {wx},{wy} tip {tip:?} max {max:.4}"); }
        }
    }}}}}}
}

#[test]
fn visits() {
    for (name, kind) in [("six orders", 0), ("1..5 with 1% at 1e6", 1), ("1 with 1% at 1e6", 2)] {
        for n in [250usize, 500, 1000] {
            for k in [1e-3, 0.25, 1e3] {
                let mut r = Random::new(3);
                let g = Ground::new((n, n), vec![n / 2], |_, _, _| {
                    match kind { 0 => 10f32.powf(r.between(-3.0, 3.0)), _ => if r.between(0.0, 1.0) < 0.01 { 1e6 } else if kind == 1 { r.between(1.0, 5.0) } else { 1.0 } }
                });
                let t = std::time::Instant::now();
                let (_, rep) = g.solve(&mut March::default(), (k * g.mean_cost()) as f32, Scheme::Upwind);
                eprintln!("{name} {n} unit {k} visits/cell {:.1} {} {:?}", rep.visits as f64 / (n * n) as f64, rep.converged, t.elapsed());
            }
        }
    }
}
