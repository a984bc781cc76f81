//! The same scene, larger or with another crowd.

use super::value::plain;
use super::{Scene, Target};
use crate::geometry::Shape;
use glam::Vec2;

/// Why a scene cannot be scaled.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct ScaleError(String);

impl Scene {
    /// A world of `factor` times the area with `factor` times the agents; bodies, cells and speeds stay. Images
    /// are stretched, each pixel as a block.
    ///
    /// # Errors
    /// If the result would be too small or too large.
    pub fn scale(&mut self, factor: f64) -> Result<(), ScaleError> {
        if factor.is_nan() || factor <= 0.0 {
            return Err(ScaleError(format!("{} is not above 0", plain(factor))));
        }
        let old = self.grid;
        let side = factor.sqrt();
        let cells = |n: usize| (n as f64 * side).round();
        let (w, h) = (cells(old.width), cells(old.height));
        let agents = self.agent_count() as f64 * factor;
        if w < 1.0
            || h < 1.0
            || w * h > (1u64 << 28) as f64
            || agents > (1u64 << 27) as f64
            || w.max(h) * f64::from(old.cell) > 1e5
            || w * h * self.goals.len() as f64 > (1u64 << 30) as f64
        {
            return Err(ScaleError(format!(
                "scale {} would make {} × {} cells and {} agents: at least 1 × 1, at most 268435456 cells (goals times cells 1073741824), 100 km and 134217728 agents",
                plain(factor),
                plain(w),
                plain(h),
                plain(agents.round())
            )));
        }
        let memory = self.take_to_scale((w * h) as u64, factor).map_err(|short| {
            ScaleError(format!(
                "scale {} would make {} × {} cells: it {}",
                plain(factor),
                plain(w),
                plain(h),
                short.words("")
            ))
        })?;
        self.memory.hold(memory);
        self.grid.width = w as usize;
        self.grid.height = h as usize;
        // Lengths follow the cells, so that what filled the world before fills it still.
        let stretch = Vec2::new(w as f32 / old.width as f32, h as f32 / old.height as f32);
        let new = self.grid;
        let source_cell = |i: usize| {
            let (x, y) = (i % new.width, i / new.width);
            (y * old.height / new.height) * old.width + x * old.width / new.width
        };
        let map = &mut self.map;
        if !map.painted.is_empty() {
            map.painted = (0..new.len()).map(|i| map.painted[source_cell(i)]).collect();
            map.ground = (0..new.len()).map(|i| map.ground[source_cell(i)]).collect();
        }
        for goal in &mut self.goals {
            if !goal.cells.is_empty() {
                let mut marked = vec![false; old.len()];
                for &c in &goal.cells {
                    marked[c as usize] = true;
                }
                goal.cells = (0..new.len()).filter(|&i| marked[source_cell(i)]).map(|i| i as u32).collect();
            }
            grow(&mut goal.shapes, stretch);
            let larger =
                |n: &mut u32| *n = (f64::from(*n) * factor).round().clamp(1.0, super::MOST_AGENTS as f64) as u32;
            goal.capacities.iter_mut().chain([&mut goal.capacity]).flatten().for_each(larger);
        }
        for wall in &mut map.walls {
            wall.shape = wall.shape.scaled(stretch);
        }
        for (shape, _) in &mut map.discomfort {
            *shape = shape.scaled(stretch);
        }
        self.scale_land(stretch, (0..new.len()).map(source_cell));
        for zone in &mut self.zones {
            zone.shape = zone.shape.scaled(stretch);
        }
        for measure in &mut self.measures {
            measure.shape = measure.shape.scaled(stretch);
        }
        for rect in self.portals.iter_mut().flat_map(|p| &mut p.between) {
            (rect.min, rect.max) = (rect.min * stretch, rect.max * stretch);
        }
        for point in self.doors.iter_mut().flat_map(|d| &mut d.line) {
            *point *= stretch;
        }
        for group in &mut self.groups {
            group.count = (f64::from(group.count) * factor).round() as u32;
            group.density = None;
            group.rate = group.rate.map(|r| r * factor as f32);
            grow(&mut group.start, stretch);
            grow(&mut group.entry, stretch);
            for leg in &mut group.journey {
                match &mut leg.to {
                    Target::Goal(_) | Target::Opposite | Target::Here => {}
                    Target::Random(area) => grow(area, stretch),
                    Target::Points(list) => list.iter_mut().for_each(|p| *p = new.nearest_inside(*p * stretch)),
                }
            }
        }
        Ok(())
    }

    /// Terrain, hazards and weights; `sources` are the old cells of the new ones, in order.
    fn scale_land(&mut self, stretch: Vec2, sources: impl Iterator<Item = usize>) {
        if let Some(heights) = &mut self.terrain.heights {
            heights.cells = sources.map(|cell| heights.cells[cell]).collect();
        }
        self.terrain.hills.iter_mut().for_each(|hill| hill.at *= stretch);
        self.local_weights.iter_mut().for_each(|w| w.shape = w.shape.scaled(stretch));
        self.hazards.iter_mut().flat_map(|h| &mut h.path).for_each(|point| *point *= stretch);
    }

    /// Another number of agents in all, shared among the groups as before.
    ///
    /// # Errors
    /// If the scene has no groups to share them among, or they are more than any scene may have.
    pub fn set_agents(&mut self, total: u32) -> Result<(), ScaleError> {
        let before = self.agent_count();
        if u64::from(total) > super::MOST_AGENTS {
            return Err(ScaleError(format!("{total} agents are too many: at most {}", super::MOST_AGENTS)));
        }
        if self.groups.is_empty() {
            return Err(ScaleError("this scene has no [[agents]] to share them among".into()));
        }
        let (mut given, mut weight) = (0u64, 0u64);
        let n = self.groups.len() as u64;
        for group in &mut self.groups {
            // Shares by running totals: they always add up.
            weight += if before == 0 { 1 } else { u64::from(group.count) };
            let until = u64::from(total) * weight / if before == 0 { n } else { before };
            group.count = (until - given) as u32;
            group.density = None;
            given = until;
        }
        Ok(())
    }
}

fn grow(shapes: &mut [Shape], stretch: Vec2) {
    for shape in shapes {
        *shape = shape.scaled(stretch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::scene::{Files, built_in};

    /// The files of a built-in scene, and so many bytes.
    struct Small(crate::scene::BuiltIn, Budget);

    impl Files for Small {
        fn read(&self, name: &str) -> Result<Vec<u8>, String> {
            self.0.read(name)
        }

        fn budget(&self) -> Budget {
            self.1.clone()
        }
    }

    #[test]
    fn a_world_too_large_for_memory_is_refused_before_it_is_made() {
        let hills = built_in("hills").expect("it is built in");
        let budget = Budget::new(400 << 20);
        let mut scene = Scene::parse("hills.toml", hills.text, &Small(hills, budget.clone())).expect("it fits");
        let (before, left) = (scene.grid, budget.left());
        let largest = f64::from(1 << 28) / before.len() as f64;
        let error = scene.scale(0.99 * largest).expect_err("heights of so many cells do not fit").to_string();
        assert!(error.contains("cells: it needs about") && error.contains("of memory"), "{error}");
        assert_eq!((scene.grid, budget.left()), (before, left), "nothing has changed");
        scene.scale(4.0).expect("that fits");
        assert!(budget.left() < left, "what is made is held");
        drop(scene);
        assert_eq!(budget.left(), Some(400 << 20));
    }
}
