//! Density and speed in the middle of a corridor, by the classic method and by Voronoi cells.

use super::voronoi::{Walker, method_d};
use super::{Observer, Seen, on_floor, within};
use throng::world::agents::Agents;

/// Looks from one mean to the next.
const LOOKS: u32 = 10;

/// Takes means over 2 s of density and speed along x in an area of a corridor.
pub(crate) struct Corridor {
    /// West, south, east, north.
    floor: [f32; 4],
    area: [f32; 4],
    size: f64,
    looks: u32,
    persons: f64,
    speeds: f64,
    cells: Vec<(f64, f64)>,
    classic: [Vec<f64>; 2],
    voronoi: [Vec<f64>; 2],
}

impl Corridor {
    /// Watches `area` in a corridor whose floor is `floor`.
    pub(crate) fn new(floor: [f32; 4], area: [f32; 4]) -> Self {
        let size = f64::from((area[2] - area[0]) * (area[3] - area[1]));
        let (classic, voronoi) = Default::default();
        Self { floor, area, size, looks: 0, persons: 0.0, speeds: 0.0, cells: Vec::new(), classic, voronoi }
    }

    fn close(&mut self) {
        if self.persons > 0.0 {
            self.classic[0].push(self.persons / f64::from(self.looks) / self.size);
            self.classic[1].push(self.speeds / self.persons);
            let n = self.cells.len() as f64;
            self.voronoi[0].push(self.cells.iter().map(|c| c.0).sum::<f64>() / n);
            self.voronoi[1].push(self.cells.iter().map(|c| c.1).sum::<f64>() / n);
        }
        (self.looks, self.persons, self.speeds) = (0, 0.0, 0.0);
        self.cells.clear();
    }
}

impl Observer for Corridor {
    fn every(&self) -> f64 {
        0.2
    }

    fn look(&mut self, agents: &Agents, _: f64) {
        let here: Vec<Walker> = on_floor(agents)
            .filter(|&i| within(agents.position[i], self.floor))
            .map(|i| (agents.position[i], f64::from(agents.velocity[i].x)))
            .collect();
        for (_, speed) in here.iter().filter(|(at, _)| (self.area[0]..self.area[2]).contains(&at.x)) {
            self.persons += 1.0;
            self.speeds += speed;
        }
        self.cells.extend(method_d(&here, self.floor, self.area));
        self.looks += 1;
        if self.looks == LOOKS {
            self.close();
        }
    }

    fn seen(self: Box<Self>) -> Seen {
        let [density, speed] = self.classic;
        let [cell_density, cell_speed] = self.voronoi;
        vec![
            ("classic density", density),
            ("classic speed", speed),
            ("voronoi density", cell_density),
            ("voronoi speed", cell_speed),
        ]
    }
}
