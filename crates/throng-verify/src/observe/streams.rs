//! Two streams in a corridor: lanes, and how fast they are where it is how dense.

use super::{Observer, Seen, on_floor};
use throng::Vec2;
use throng::measure::band_index;
use throng::world::agents::Agents;

/// Looks at a corridor of 40 × 4 m every 4 s from 60 s on. Group 0 walks east, the others west.
#[derive(Default)]
pub(crate) struct Lanes {
    bands: Vec<f64>,
    people: f64,
    speeds: f64,
    /// Density and speed in squares of 4 × 4 m: people enter where others leave, so that it is denser at the ends.
    local: [Vec<f64>; 2],
}

/// The middle of the corridor, m, from where on nobody enters or leaves.
const MIDDLE: std::ops::Range<f32> = 5.0..35.0;

impl Observer for Lanes {
    fn every(&self) -> f64 {
        4.0
    }

    fn look(&mut self, agents: &Agents, time: f64) {
        if time < 62.0 {
            return;
        }
        let along = |i: usize| f64::from(agents.velocity[i].x) * if agents.group[i] == 0 { 1.0 } else { -1.0 };
        let middle = on_floor(agents).filter(|&i| MIDDLE.contains(&agents.position[i].x));
        let walkers: Vec<(Vec2, bool)> = middle.clone().map(|i| (agents.position[i], agents.group[i] == 0)).collect();
        self.bands.push(band_index(&walkers, 4.0, 0.4).into());
        self.people += walkers.len() as f64;
        self.speeds += middle.clone().map(along).sum::<f64>();
        for from in [8.0, 12.0, 16.0, 20.0, 24.0, 28.0] {
            let here = middle.clone().filter(|&i| (from..from + 4.0).contains(&agents.position[i].x));
            let (n, sum) = here.map(along).fold((0.0, 0.0), |(n, sum), v| (n + 1.0, sum + v));
            if n > 0.0 {
                self.local[0].push(n / 16.0);
                self.local[1].push(sum / n);
            }
        }
    }

    fn seen(self: Box<Self>) -> Seen {
        let looks = self.bands.len() as f64;
        let bands = self.bands.iter().sum::<f64>() / looks;
        let [local_density, local_speed] = self.local;
        vec![
            ("bands", vec![bands]),
            ("speed", vec![self.speeds / self.people]),
            ("density", vec![self.people / looks / 120.0]),
            ("local density", local_density),
            ("local speed", local_speed),
        ]
    }
}
