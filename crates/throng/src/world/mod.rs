//! What a world is made of: the raster, walls, ground, zones, goals, and the crowd as columns.

pub mod agents;
pub mod beliefs;
pub mod cells;
pub(crate) mod covered;
pub mod crowding;
pub mod detours;
pub mod goals;
pub mod grid;
pub mod hazards;
pub mod machine;
pub mod narrow;
pub mod nearest;
pub mod obstacle;
pub mod place;
pub mod points;
pub mod portals;
pub mod routes;
pub mod sources;
pub mod stays;
pub mod terrain;
pub mod walls;

use crate::geometry::Shape;
use crate::scene::{Change, Group, Model, Scene, SceneError, Signals, Zone};
use beliefs::{Beliefs, wide_links};
use covered::{change_values_in, cost_factors};
use crowding::Crowding;
use detours::Detours;
use goals::GoalPlace;
use grid::Grid;
use hazards::Hazards;
use machine::Machine;
use nearest::Nearest;
use obstacle::Obstacle;
use portals::Portals;
use rayon::prelude::*;
use routes::Routes;
use sources::SourceNow;
use stays::Stays;
use terrain::Terrain;
use walls::{LINK, Wall, Walls};

/// Values that one thread handles at least: fewer are done sooner than shared.
const CHUNK: usize = 16_384;

/// Everything about a world that does not walk.
#[derive(Clone, Debug)]
pub struct World {
    /// The raster.
    pub grid: Grid,
    /// Walls.
    pub walls: Walls,
    /// Discomfort of the ground per cell, without that of near walls.
    pub ground: Vec<f32>,
    /// Discomfort per cell, as the planner sees it.
    pub discomfort: Vec<f32>,
    /// Speed factor per cell.
    pub zone: Vec<f32>,
    /// How high the floor is, and what follows from it.
    pub terrain: Terrain,
    /// Factors per cell on the weights of terrain, density and hazards of `plan = "froblins"`; empty if there are none.
    pub cost_factors: Vec<[f32; 3]>,
    /// Zones as the scene draws them, with their speeds now.
    pub zones: Vec<Zone>,
    /// Links that are too narrow, for each class of bodies ([`Routes::radii`]).
    pub narrow: Vec<Vec<narrow::Closed>>,
    /// Links that nothing but gates closes now, for each class of bodies: walls with a name, or added by a call, which may go. Plans
    /// lead through them where there is no other way, so that people wait where the way will be.
    pub gated: Vec<Vec<narrow::Closed>>,
    /// What people believe about gates who do not know how they are.
    pub beliefs: Beliefs,
    /// Which walls are gates, by number.
    gates: Vec<bool>,
    /// Links between cells that are not neighbours.
    pub portals: Portals,
    /// The greatest speed factor of each zone that the scene foresees; at least 1.
    pub zone_limits: Vec<f32>,
    /// How much faster than they walk people may flee, as far as the scene foresees it; at least 1.
    pub flee_limit: f32,
    /// What people flee from.
    pub hazards: Hazards,
    /// The soft obstacle that somebody moves about.
    pub obstacle: Option<Obstacle>,
    /// Cells that plans for each goal begin from, as plain indices in order: its free cells, or those before it.
    pub goals: Vec<Vec<u32>>,
    /// Where people stand who wait at goals.
    pub stays: Stays,
    /// The states that some live by.
    pub machine: Machine,
    /// How far goals are that states ask about.
    pub nearest: Nearest,
    /// The floor around goals that may be crowded.
    pub crowding: Crowding,
    /// Ways round walls for those who head for points of their own.
    pub detours: Detours,
    /// Of each goal whether people wait in those cells: it is closed, or full.
    pub held: Vec<bool>,
    /// Goals as the scene draws them, and how they are now.
    pub places: Vec<GoalPlace>,
    /// The source of each group.
    pub sources: Vec<SourceNow>,
    /// When events of each name happen.
    pub signals: Signals,
    /// What is planned: which groups go to which goals, with which weights.
    pub routes: Routes,
    /// The largest radius of anybody, m.
    pub widest: f32,
    /// The farthest that anybody is carried at a time, m.
    pub stride: f32,
    clearance: f32,
    clearance_discomfort: f32,
}

impl World {
    /// Builds the world of a scene.
    ///
    /// # Errors
    /// If a goal lies inside walls.
    pub fn new(scene: &Scene) -> Result<Self, SceneError> {
        let (world, grid) = (Self::of(scene, scene.zone_limits(), scene.flee_limit()), scene.grid);
        // A goal behind a gate has no free cell until an event opens it.
        let gates = scene.events.iter().flat_map(|e| &e.changes).any(|c| matches!(c, Change::Open(_)));
        if let Some(i) = world.places.iter().position(|place| place.free_cells(&world.walls).is_empty())
            && !gates
        {
            let (goal, e) = (&scene.goals[i], grid.extent());
            return Err(scene
                .error(
                    goal.mark.clone(),
                    format!("the goal \"{}\" lies inside walls or outside of the world", goal.name),
                )
                .help(format!(
                    "put it on free floor of the world, [0, 0] to [{}, {}] m{}",
                    e.x,
                    e.y,
                    scene.mostly_wall()
                )));
        }
        Ok(world)
    }

    /// The world of a scene that a run may have come to: goals can lie anywhere, and zones have had these factors at most,
    /// fleeing this one.
    pub(crate) fn of(scene: &Scene, zone_limits: Vec<f32>, flee_limit: f32) -> Self {
        let grid = scene.grid;
        let (widest, stride, far) = reaches(scene, &zone_limits, flee_limit);
        let list =
            scene.map.walls.iter().map(|w| Wall { name: w.name.clone(), shape: w.shape.clone(), standing: !w.open });
        let Model { clearance, clearance_discomfort, .. } = scene.model;
        let walls = Walls::new(grid, list.collect(), scene.map.painted.clone(), widest, stride, clearance.max(far));
        let mut world = Self {
            grid,
            walls,
            ground: ground_of(scene),
            discomfort: vec![0.0; grid.len()],
            zone: vec![0.0; grid.len()],
            terrain: Terrain::new(scene),
            cost_factors: cost_factors(scene),
            zones: scene.zones.clone(),
            narrow: Vec::new(),
            gated: Vec::new(),
            beliefs: Beliefs::default(),
            gates: scene.map.walls.iter().map(|w| w.name.is_some() || w.added).collect(),
            portals: Portals::new(&grid, &scene.portals),
            zone_limits,
            flee_limit,
            hazards: Hazards::default(),
            obstacle: None,
            goals: Vec::new(),
            stays: Stays::default(),
            machine: Machine::default(),
            nearest: Nearest::default(),
            crowding: Crowding::default(),
            detours: Detours::default(),
            held: Vec::new(),
            places: goals::places(&grid, &scene.goals),
            sources: scene.groups.iter().map(|g| SourceNow::new(g, 0)).collect(),
            signals: Signals::of(scene),
            routes: Routes::new(&scene.groups, scene.goals.len(), &scene.model),
            widest,
            stride,
            clearance,
            clearance_discomfort,
        };
        world.machine = Machine::new(scene, &world.signals);
        let living = scene.groups.iter().filter(|g| g.lives());
        let usual = living.map(|g| g.goal_distance.max()).fold(0.0, f32::max);
        world.nearest.want(world.machine.goals(), scene.goals.len(), usual);
        world.hazards = Hazards::new(&scene.hazards, &world.signals, scene.dt);
        world.crowding.want(scene.model.goal_crowding > 0.0);
        world.stays.want(&scene.groups, scene.goals.len());
        world.detours.want_for(&scene.groups);
        world.beliefs.fit(world.routes.views(), &world.walls);
        world.refresh();
        world
    }

    /// The same world for another crowd, whose widest and fastest may differ: walls, ground, goals and zones as they
    /// are now. Only who walks may differ in `scene`; new groups come before the step of this number.
    #[must_use]
    pub(crate) fn of_crowd(&self, scene: &Scene, step: u32) -> Self {
        let (widest, stride, far) = reaches(scene, &self.zone_limits, self.flee_limit);
        let mut world = self.clone();
        world.sources.truncate(scene.groups.len());
        let new = scene.groups[world.sources.len()..].iter().map(|g| SourceNow::new(g, step));
        world.sources.extend(new);
        world.set_routes(&scene.groups, &scene.model);
        if (widest.to_bits(), stride.to_bits()) != (self.widest.to_bits(), self.stride.to_bits()) {
            let walls = self.walls.shapes().to_vec();
            let painted = self.walls.painted().to_vec();
            world.walls = Walls::new(self.grid, walls, painted, widest, stride, self.clearance.max(far));
            (world.widest, world.stride) = (widest, stride);
            world.refresh();
        }
        world
    }

    /// Which groups go where with which weights.
    pub fn set_routes(&mut self, groups: &[Group], model: &Model) {
        let old = std::mem::replace(&mut self.routes, Routes::new(groups, self.places.len(), model));
        if old.radii() != self.routes.radii() || old.views() != self.routes.views() {
            self.beliefs.fit(self.routes.views(), &self.walls);
            self.find_narrow_links();
            self.detours.forget();
        }
        self.detours.want_for(groups);
        self.find_detours();
        self.crowding.want(model.goal_crowding > 0.0);
        if self.stays.want(groups, self.places.len()) {
            self.find_stays();
        }
    }

    fn find_stays(&mut self) {
        if self.stays.are_known() {
            return;
        }
        let cells = |goal: usize| self.places[goal].free_cells(&self.walls);
        self.stays.find(&self.grid, &self.walls, cells, self.widest);
    }

    /// How far anybody may be, after walking, from the cell that it was sorted into when the step began, m: a stride, and a
    /// little for rounding.
    #[must_use]
    pub fn walked(&self) -> f32 {
        1.01 * self.stride
    }

    /// The same after walking and being pushed, each by a stride at most.
    #[must_use]
    pub fn moved(&self) -> f32 {
        2.01 * self.stride
    }

    /// Puts a goal somewhere else, from the next [`World::refresh`] on.
    pub fn move_goal(&mut self, goal: usize, shapes: &[Shape]) {
        self.places[goal].put(&self.grid, &[], shapes);
        self.stays.forget();
    }

    /// The free cells of a goal, open or not, as plain indices in order.
    #[must_use]
    pub fn free_cells(&self, goal: usize) -> Vec<u32> {
        self.places[goal].free_cells(&self.walls)
    }

    /// Discomfort of the ground in some cells, by plain index, from the next [`World::refresh`] on.
    pub fn paint_ground(&mut self, cells: &[(u32, f32)]) {
        for &(cell, value) in cells {
            self.ground[cell as usize] = value;
        }
    }

    /// The cells from which a goal can be reached over links that are open for a class of bodies.
    #[must_use]
    pub fn reaches(&self, goal: usize, class: usize) -> Vec<bool> {
        let grid = self.grid;
        let flags = self.ways_for(class);
        let steps = [grid.width as isize, 1, -(grid.width as isize), -1];
        let mut reached = vec![false; grid.len()];
        let mut front: Vec<usize> = self.free_cells(goal).into_iter().map(|cell| cell as usize).collect();
        for &cell in &front {
            reached[cell] = true;
        }
        while let Some(cell) = self.next_of(&mut front, &mut reached) {
            for d in 0..4 {
                if flags[cell] & LINK[d] != 0 {
                    let next = cell.wrapping_add_signed(steps[d]);
                    if !std::mem::replace(&mut reached[next], true) {
                        front.push(next);
                    }
                }
            }
        }
        reached
    }

    /// The walls' flags of each cell, without the links that are too narrow for a class of bodies now.
    #[must_use]
    pub fn links_for(&self, class: usize) -> Vec<u8> {
        let mut flags = self.walls.flags().to_vec();
        for list in [&self.narrow, &self.gated] {
            for &(cell, bits) in list.get(class).into_iter().flatten() {
                flags[cell as usize] &= !bits;
            }
        }
        flags
    }

    /// The same without the links that are too steep.
    #[must_use]
    pub fn ways_for(&self, class: usize) -> Vec<u8> {
        let mut flags = self.links_for(class);
        if !self.terrain.is_flat() {
            flags.iter_mut().enumerate().for_each(|(cell, bits)| *bits &= !self.terrain.steep_links(cell, LINK));
        }
        flags
    }

    fn find_narrow_links(&mut self) {
        let radii = self.routes.radii().iter();
        self.narrow = radii.map(|r| narrow::closed_links(&self.walls, &self.grid, *r)).collect();
        self.gated.clear();
        self.find_gated_links();
    }

    /// When a step begins: whether anybody comes to believe something else about gates. What follows for links is renewed then.
    pub(crate) fn learn(&mut self, step: u32, dt: f32) -> bool {
        let learnt = self.beliefs.learn(&self.walls, step, dt);
        if learnt {
            self.find_narrow_links();
        }
        learnt
    }

    /// Height of each cell, m.
    #[must_use]
    pub fn heights(&self) -> Vec<f32> {
        if self.terrain.is_flat() { vec![0.0; self.grid.len()] } else { self.terrain.heights.clone() }
    }

    /// How steep each cell is, in metres up for a metre on.
    #[must_use]
    pub fn steepness(&self) -> Vec<f32> {
        if self.terrain.is_flat() { vec![0.0; self.grid.len()] } else { self.terrain.steepness() }
    }

    /// The speed from each cell in a direction, given that on the level; none where it is too steep.
    pub(crate) fn on_slopes(&self, level: &[[f32; 4]], d: usize) -> Vec<f32> {
        let factor = |cell: usize| self.terrain.factors.get(cell).map_or(1.0, |f| f[d].max(0.0));
        level.iter().take(self.grid.len()).enumerate().map(|(cell, speed)| speed[d] * factor(cell)).collect()
    }

    /// Adds a wall that may go again.
    pub(crate) fn add_wall(&mut self, shape: Shape) {
        self.walls.add(Wall { name: None, shape, standing: true });
        self.gates.push(true);
    }

    /// What a way through a closed gate costs where a metre costs so much: more than any detour that is worth its way.
    #[must_use]
    pub fn gate_cost(&self, metre: f32) -> f32 {
        let extent = self.grid.extent();
        4.0 * (extent.x + extent.y) * metre
    }

    /// For a field of costs: the links that those whom it is for believe to be closed by nothing but gates, and those that they believe to be
    /// open though they are not.
    #[must_use]
    pub fn believed_links(&self, field: usize) -> (&[narrow::Closed], &[narrow::Closed]) {
        let class = self.routes.bodies()[field];
        let (gated, imagined) = match self.routes.view_of()[field].and_then(|view| self.beliefs.list.get(view)) {
            None => (self.gated.get(class), None),
            Some(belief) => (belief.gated.get(class), belief.imagined.get(class)),
        };
        (gated.map_or(&[], Vec::as_slice), imagined.map_or(&[], Vec::as_slice))
    }

    /// Of the links that are closed now, those that would be open, and wide enough for a class, without the gates.
    fn find_gated_links(&mut self) {
        self.gated = vec![Vec::new(); self.narrow.len()];
        let now: Vec<Vec<u8>> = if self.beliefs.list.is_empty() {
            Vec::new()
        } else {
            (0..self.narrow.len()).map(|class| self.links_for(class)).collect()
        };
        let open = self.open_gates();
        let Self { grid, walls, gates, routes, beliefs, .. } = self;
        beliefs.find(grid, walls, gates, routes.radii(), open.as_ref().unwrap_or(&now), &now);
    }

    /// Finds what is closed by gates alone. Returns the links of each class as if they were open; `None` if all of them are.
    fn open_gates(&mut self) -> Option<Vec<Vec<u8>>> {
        let shapes = self.walls.shapes().iter().zip(&self.gates).enumerate();
        let closed: Vec<usize> = shapes.filter(|(_, (wall, gate))| **gate && wall.standing).map(|(i, _)| i).collect();
        if closed.is_empty() {
            return None;
        }
        let mut open = self.walls.clone();
        open.set_all_standing(closed.into_iter().map(|i| (i, false)));
        let links = LINK.iter().sum::<u8>();
        let then: Vec<Vec<u8>> = self.routes.radii().iter().map(|r| wide_links(&open, &self.grid, *r)).collect();
        for (class, then) in then.iter().enumerate() {
            let now = self.links_for(class);
            let gated = now.par_iter().zip(then).enumerate().with_min_len(CHUNK);
            let gated = gated.map(|(cell, (now, then))| (cell as u32, then & !now & links));
            self.gated[class] = gated.filter(|(_, bits)| *bits != 0).collect();
            // What gates alone make too narrow is not narrow for good.
            let list = &self.gated[class];
            for (cell, bits) in &mut self.narrow[class] {
                if let Ok(k) = list.binary_search_by_key(cell, |l| l.0) {
                    *bits &= !list[k].1;
                }
            }
            self.narrow[class].retain(|l| l.1 != 0);
        }
        Some(then)
    }

    /// The next cell to spread from; when there is none, whatever portals lead to the cells that were reached.
    fn next_of(&self, front: &mut Vec<usize>, reached: &mut [bool]) -> Option<usize> {
        if front.is_empty() {
            for link in self.portals.links() {
                if reached[link.to as usize] && !std::mem::replace(&mut reached[link.from as usize], true) {
                    front.push(link.from as usize);
                }
            }
        }
        front.pop()
    }

    /// Walls nearer than `clearance` metres are uncomfortable, by `discomfort` at the walls themselves: from the next
    /// [`World::refresh`] on.
    pub fn set_clearance(&mut self, clearance: f32, discomfort: f32) {
        (self.clearance, self.clearance_discomfort) = (clearance, discomfort);
    }

    /// Renews what follows from goals alone.
    pub fn refresh_goals(&mut self) {
        let seeds = self.places.iter().map(|place| place.seeds(&self.grid, &self.walls, &self.portals));
        (self.goals, self.held) = seeds.unzip();
        self.nearest.find(&self.grid, &self.goals, &self.held);
        let open = self.goals.iter().zip(&self.held).filter(|(_, held)| !**held).map(|(cells, _)| cells.as_slice());
        self.crowding.find(&self.grid, open, |cell| self.walls.is_solid(cell));
        self.find_stays();
    }

    /// Renews what follows from walls, clearance, zones and goals.
    pub fn refresh(&mut self) {
        self.walls.set_clearance(self.clearance.max(footprint_reach(self.widest, self.grid.cell)));
        let at_walls = self.discomfort_at_walls();
        let distance = self.walls.distance();
        let values = self.discomfort.par_iter_mut().with_min_len(CHUNK).zip(&self.ground).zip(distance);
        values.for_each(|((out, ground), distance)| *out = ground + at_walls.at(*distance));
        self.add_obstacle();
        self.find_narrow_links();
        self.detours.forget();
        self.find_detours();
        let walls = &self.walls;
        self.portals.refresh(|cell| !walls.is_solid(cell as usize));
        self.stays.forget();
        self.refresh_goals();
        self.zone.par_chunks_mut(CHUNK).for_each(|values| values.fill(1.0));
        let zones = self.zones.iter().map(|zone| (&zone.shape, zone.speed));
        change_values_in(&self.grid, zones, &mut self.zone, |value, speed| *value *= speed);
    }
}

/// What a crowd asks of its world: the largest radius, the farthest that anybody is carried at a time, and as far as
/// anybody's footprint reaches from the middle of its cell; all in m.
pub(crate) fn reaches(scene: &Scene, zone_limits: &[f32], flee_limit: f32) -> (f32, f32, f32) {
    let widest = if scene.groups.is_empty() { 0.2 } else { scene.widest_radius() };
    let stride = (scene.top_speed_within(zone_limits, flee_limit) * scene.dt).max(0.25 * widest);
    (widest, stride, footprint_reach(widest, scene.grid.cell))
}

/// As far as the footprint of a body reaches from the middle of its cell, m.
fn footprint_reach(radius: f32, cell: f32) -> f32 {
    (2.0 * radius).max(cell) + cell
}

/// Discomfort of the ground per cell as a scene has it, without that of near walls.
pub(crate) fn ground_of(scene: &Scene) -> Vec<f32> {
    let grid = scene.grid;
    let mut ground = if scene.map.ground.is_empty() { vec![0.0; grid.len()] } else { scene.map.ground.clone() };
    let shapes = scene.map.discomfort.iter().map(|(shape, value)| (shape, *value));
    change_values_in(&grid, shapes, &mut ground, |sum, value| *sum += value);
    ground
}

/// The greatest discomfort that a single shape or a brush may give: above it a wall is meant.
pub const MOST_DISCOMFORT: f32 = 0.98;
