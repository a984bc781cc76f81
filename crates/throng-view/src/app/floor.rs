//! Parts of the floor that are changed together, so that they can be taken back and made again together; and who is shut in by it.

use super::App;
use crate::host::{Done, Happened};
use glam::Vec2;
use std::collections::BTreeMap;
use throng::Simulation;
use throng::geometry::Shape;
use throng::scene::Change;
use throng::world::narrow::class_of;
use throng::world::points::POINT;

/// How a wall stands. What an event of the scene has done is not what the scene begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stands {
    /// Whether the scene begins with it.
    pub at_first: bool,
    /// Whether it is there now.
    pub now: bool,
}

impl Stands {
    /// At first and now.
    #[must_use]
    pub fn always(standing: bool) -> Self {
        Self { at_first: standing, now: standing }
    }

    /// As a run has it, by number; what there is not does not stand.
    pub(super) fn of(sim: &Simulation, wall: usize) -> Self {
        let at_first = sim.scene().map.walls.get(wall).is_some_and(|w| !w.open);
        let now = sim.world().walls.shapes().get(wall).is_some_and(|w| w.standing);
        Self { at_first, now }
    }

    /// Makes a wall stand so. Returns whether there is one of that number.
    fn put(self, sim: &mut Simulation, wall: usize) -> bool {
        let is_there = sim.stand_wall(wall, self.at_first);
        if is_there && self.now != self.at_first {
            sim.engine_mut().event(if self.now { Change::Close(wall) } else { Change::Open(wall) });
        }
        is_there
    }
}

/// What parts of the floor are to be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FloorState {
    /// Walls by cell.
    pub walls: Vec<(u32, bool)>,
    /// Discomfort by cell.
    pub ground: Vec<(u32, f32)>,
    /// How walls stand, by number.
    pub standing: Vec<(usize, Stands)>,
    /// Walls that were added, and as which numbers: a run that has gone back to before that has them no more.
    pub shapes: Vec<(usize, Shape)>,
    /// Names of walls that were added.
    pub names: Vec<(usize, Option<String>)>,
}

impl FloorState {
    /// Makes the floor so. Returns whether all of it could be.
    pub(super) fn put(&self, sim: &mut Simulation) -> bool {
        let mut whole = sim.paint_walls(&self.walls) && sim.paint_ground(&self.ground);
        for (number, shape) in &self.shapes {
            // Numbers of walls that were drawn and taken back before this one was: nothing stands there.
            while sim.scene().map.walls.len() < *number {
                let Ok(gap) = sim.add_wall(shape.clone()) else { return false };
                sim.stand_wall(gap, false);
            }
            let is_there = *number < sim.scene().map.walls.len();
            whole &= is_there || sim.add_wall(shape.clone()).is_ok_and(|added| added == *number);
        }
        for (wall, name) in &self.names {
            whole &= sim.name_wall(*wall, name.as_deref());
        }
        for &(wall, stands) in &self.standing {
            whole &= stands.put(sim, wall);
        }
        whole
    }

    fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// About how many bytes it takes.
    fn bytes(&self) -> usize {
        let shapes: usize = self.shapes.iter().map(|(_, shape)| 64 + shape.outline().len() * size_of::<Vec2>()).sum();
        let lists = [
            size_of_val(self.walls.as_slice()),
            size_of_val(self.ground.as_slice()),
            size_of_val(self.standing.as_slice()),
            size_of_val(self.names.as_slice()),
        ];
        shapes + lists.iter().sum::<usize>()
    }

    fn has_walls(&self) -> bool {
        !self.walls.is_empty() || !self.standing.is_empty()
    }
}

/// A change of the floor: what it was, and what it is after it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FloorChange {
    /// What it was.
    pub before: FloorState,
    /// What it is after it.
    pub after: FloorState,
}

impl FloorChange {
    pub(super) fn is_nothing(&self) -> bool {
        self.after.is_nothing()
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        self.before.bytes() + self.after.bytes()
    }

    /// The change that takes this one back.
    pub(super) fn inverse(&self) -> Self {
        Self { before: self.after.clone(), after: self.before.clone() }
    }
}

/// How many on the floor have no way to their goal, closed doors or not.
fn shut_in(sim: &mut Simulation) -> Result<u64, String> {
    sim.settle();
    let agents = sim.agents().map_err(|e| e.to_string())?;
    let world = sim.world();
    let mut reaches: BTreeMap<(u16, usize), Vec<bool>> = BTreeMap::new();
    let mut count = 0;
    for i in (0..agents.len()).filter(|&i| agents.state[i].on_floor() && agents.goal[i] != POINT) {
        let class = class_of(world.routes.radii(), agents.radius[i]);
        let goal = agents.goal[i];
        let reached = reaches.entry((goal, class)).or_insert_with(|| world.reaches(usize::from(goal), class));
        count += u64::from(!reached[world.grid.index_at(agents.position[i])]);
    }
    Ok(count)
}

impl App {
    /// Makes parts of the floor so, and says it. Returns the task that does.
    pub(super) fn make_floor(&mut self, state: FloorState, said: String) -> u64 {
        let walls = state.has_walls();
        if walls {
            self.count_shut_in(false);
        }
        let task = self.host.tell(Box::new(move |sim| {
            if state.put(sim) { Ok(Done::saying(said)) } else { Err("not all of the floor could be changed so".into()) }
        }));
        if walls {
            self.count_shut_in(true);
        }
        task
    }

    /// Counts who has no way to its goal; after a change (`compare`) it is said if they are more than before it.
    pub(super) fn count_shut_in(&mut self, compare: bool) {
        self.host.tell(Box::new(move |sim| {
            let count = shut_in(sim)?;
            Ok(Done { happened: Some(Happened::ShutIn { count, compare }), ..Done::quietly() })
        }));
    }

    /// Takes note of who has no way to its goal.
    pub(super) fn have_shut_in(&mut self, count: u64, compare: bool) {
        let before = std::mem::replace(&mut self.shut_in, count);
        match (compare, count.saturating_sub(before)) {
            (false, _) | (true, 0) => {}
            (true, 1) => self.complain("1 person has no way to its goal any more"),
            (true, n) => {
                self.complain(format!("{} people have no way to their goals any more", crate::overlay::grouped(n)));
            }
        }
    }
}
