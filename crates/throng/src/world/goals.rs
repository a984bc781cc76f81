//! Goals as they are now: where each is, whether it is open, which of its shapes are full, who is in it, and from where plans
//! for it begin.
//!
//! Where some goal holds only so many, everybody carries where it is counted in a column of its own ([`COLUMN`]): the goal and the
//! shape that it waits in, or has left the floor in for good. All counts follow from that column.

use super::agents::{Agents, ColumnInfo, ModelColumn, OwnColumn};
use super::covered::first_in;
use super::grid::Grid;
use super::portals::Portals;
use super::walls::{LINK, Walls};
use crate::geometry::Shape;
use crate::scene::Goal;
use glam::Vec2;

/// The column of goals that people are counted in, where any holds only so many.
pub const COLUMN: ModelColumn = ModelColumn {
    info: ColumnInfo {
        name: "room",
        unit: "",
        meaning: "The goal that it is counted in, from 1, and the shape of it, from 0; 0: none.",
    },
    width: 2,
    start: 0.0,
};

/// Where somebody is counted: a goal, and which of its shapes, both by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// The goal.
    pub goal: usize,
    /// The shape. Where shapes overlap the first counts.
    pub shape: usize,
}

impl Room {
    /// As the column has it.
    #[must_use]
    pub fn of_column(value: Vec2) -> Option<Self> {
        (value.x > 0.0).then(|| Self { goal: value.x as usize - 1, shape: value.y as usize })
    }

    fn to_column(self) -> Vec2 {
        Vec2::new((self.goal + 1) as f32, self.shape as f32)
    }
}

/// The column of rooms among the models' own, if there is one.
#[must_use]
pub fn rooms_among(own: &[OwnColumn]) -> Option<&[Vec2]> {
    own.iter().find(|o| o.column.info == COLUMN.info).map(|o| bytemuck::cast_slice(&o.values))
}

impl Agents {
    /// Where somebody is counted, by its place in the columns.
    #[must_use]
    pub fn room(&self, index: usize) -> Option<Room> {
        Room::of_column(rooms_among(&self.own)?[index])
    }

    /// Counts somebody in a goal, or in none.
    pub(crate) fn set_room(&mut self, index: usize, room: Option<Room>) {
        if let Some(own) = self.own.iter_mut().find(|o| o.column.info == COLUMN.info) {
            let value = room.map_or(Vec2::ZERO, Room::to_column);
            own.values[2 * index..2 * index + 2].copy_from_slice(&value.to_array());
        }
    }
}

/// A goal in a world.
#[derive(Clone, Debug)]
pub struct GoalPlace {
    /// All its cells, under walls too, as plain indices in order.
    cells: Vec<u32>,
    /// The shape of each, where shapes have capacities of their own; else empty.
    shapes: Vec<u32>,
    /// Whether people can arrive there.
    pub open: bool,
    /// How many it holds: all of it, then each shape as far as any has a capacity.
    limits: Vec<Option<u32>>,
    /// Which of these were reached when it was last looked at.
    full: Vec<bool>,
    /// Where its counts are among those of all goals.
    first: usize,
}

/// All goals of a scene, in the world of this raster.
pub(super) fn places(grid: &Grid, goals: &[Goal]) -> Vec<GoalPlace> {
    let mut first = 0;
    let place = |goal: &Goal| {
        let limited = goal.capacity.is_some() || goal.capacities.iter().any(Option::is_some);
        let limits: Vec<Option<u32>> = if limited {
            [goal.capacity].into_iter().chain(goal.capacities.iter().copied()).collect()
        } else {
            Vec::new()
        };
        let mut place = GoalPlace {
            cells: Vec::new(),
            shapes: Vec::new(),
            open: goal.open,
            full: vec![false; limits.len()],
            first,
            limits,
        };
        first += place.limits.len();
        place.put(grid, &goal.cells, &goal.shapes);
        place
    };
    goals.iter().map(place).collect()
}

/// How many cells a goal has at most.
pub(crate) fn cells(grid: &Grid, goal: &Goal) -> u64 {
    let inside = goal.shapes.iter().map(|shape| {
        let (columns, rows) = grid.cells_in(shape.bounds());
        (columns.len() * rows.len()) as u64
    });
    (goal.cells.len() as u64 + inside.sum::<u64>()).min(grid.len() as u64)
}

/// About how many bytes the cells of goals take: listed as they are, as those that are free, and while they are gathered.
pub(crate) fn memory(grid: &Grid, goals: &[Goal]) -> u64 {
    // Only one at a time is gathered, and that is much less than fields take.
    goals.iter().map(|goal| 12 * cells(grid, goal)).sum()
}

impl GoalPlace {
    /// Puts it somewhere else: some cells, by plain index, and some shapes.
    pub(super) fn put(&mut self, grid: &Grid, cells: &[u32], shapes: &[Shape]) {
        let mut all: Vec<(u32, u32)> = cells.iter().map(|&c| (c, 0)).collect();
        // A cell belongs to the first shape that has it.
        let (covered, none) = first_in(grid, shapes);
        all.extend(covered);
        // A shape between the middles of cells still is a goal: the cell under its middle.
        let under = none.into_iter().map(|number| (shapes[number].middle(), number as u32));
        all.extend(under.filter(|(p, _)| grid.inside(*p)).map(|(p, number)| (grid.index_at(p) as u32, number)));
        all.sort_unstable();
        all.dedup_by_key(|(cell, _)| *cell);
        let by_shape = self.limits.len() > 1;
        self.shapes = if by_shape { all.iter().map(|(_, shape)| *shape).collect() } else { Vec::new() };
        self.cells = all.into_iter().map(|(cell, _)| cell).collect();
    }

    /// Whether it holds only so many.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        !self.limits.is_empty()
    }

    /// How many it holds: all of it, then each of its shapes; empty if there is no limit at all.
    #[must_use]
    pub fn limits(&self) -> &[Option<u32>] {
        &self.limits
    }

    /// All its cells, under walls too, as plain indices in order, with the number of the shape of each.
    pub fn cells(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.cells.iter().enumerate().map(|(k, &cell)| (cell, self.shapes.get(k).copied().unwrap_or(0)))
    }

    /// The shape that a cell belongs to, if it is one of the goal's.
    #[must_use]
    pub fn shape_at(&self, cell: usize) -> Option<usize> {
        let k = self.cells.binary_search(&(cell as u32)).ok()?;
        Some(self.shapes.get(k).map_or(0, |&shape| shape as usize))
    }

    /// Where its counts are among those of all goals.
    #[must_use]
    pub fn counts_at(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.limits.len()
    }

    /// Whether a shape has room for one more, by the counts of all goals.
    #[must_use]
    pub fn has_room(&self, shape: usize, counts: &[u32]) -> bool {
        let below = |k: usize| self.limits.get(k).copied().flatten().is_none_or(|most| counts[self.first + k] < most);
        below(0) && below(1 + shape)
    }

    /// Counts one more in a shape, or one less.
    pub(crate) fn count(&self, shape: usize, counts: &mut [u32], more: bool) {
        for k in [0, 1 + shape].into_iter().filter(|&k| k < self.limits.len()) {
            let n = &mut counts[self.first + k];
            *n = if more { n.saturating_add(1) } else { n.saturating_sub(1) };
        }
    }

    /// Which of its limits are reached by the counts of all goals.
    #[must_use]
    pub fn full_by(&self, counts: &[u32]) -> Vec<bool> {
        let reached = |(limit, n): (&Option<u32>, &u32)| limit.is_some_and(|most| *n >= most);
        self.limits.iter().zip(&counts[self.counts_at()]).map(reached).collect()
    }

    /// Which of its limits were reached when it was last looked at.
    #[must_use]
    pub fn full(&self) -> &[bool] {
        &self.full
    }

    /// What was seen at another look. Returns whether anything has changed.
    pub(crate) fn set_full(&mut self, full: Vec<bool>) -> bool {
        let changed = full.len() == self.full.len() && full != self.full;
        if changed {
            self.full = full;
        }
        changed
    }

    /// Its free cells, as plain indices in order.
    #[must_use]
    pub fn free_cells(&self, walls: &Walls) -> Vec<u32> {
        self.cells.iter().copied().filter(|&c| !walls.is_solid(c as usize)).collect()
    }

    /// The cells that plans for it begin from, and whether people wait there: the free cells of its shapes with room, or if there are
    /// none, because it is closed or full, the cells before it.
    pub(super) fn seeds(&self, grid: &Grid, walls: &Walls, portals: &Portals) -> (Vec<u32>, bool) {
        let free = self.free_cells(walls);
        if self.open && !self.full.contains(&true) {
            return (free, false);
        }
        let whole = self.full.first().copied().unwrap_or(false);
        let takes = |&cell: &u32| {
            let shape = self.shape_at(cell as usize).unwrap_or(0);
            self.open && !whole && !self.full.get(1 + shape).copied().unwrap_or(false)
        };
        let with_room: Vec<u32> = free.iter().copied().filter(takes).collect();
        if with_room.is_empty() { (self.before(grid, walls, portals, &free), true) } else { (with_room, false) }
    }

    /// The free cells around the goal: those from which a link leads into it, and at its corners.
    fn before(&self, grid: &Grid, walls: &Walls, portals: &Portals, free: &[u32]) -> Vec<u32> {
        let steps = [grid.width as isize, 1, -(grid.width as isize), -1];
        let beside =
            |cell: usize, d: usize| (walls.flags()[cell] & LINK[d] != 0).then(|| cell.wrapping_add_signed(steps[d]));
        let around = free.iter().flat_map(|&cell| {
            (0..4).filter_map(move |d| beside(cell as usize, d).map(|next| (next, beside(next, (d + 1) % 4))))
        });
        let around = around.flat_map(|(next, corner)| [Some(next), corner]).flatten().map(|cell| cell as u32);
        let inside = |cell: u32| self.cells.binary_search(&cell).is_ok();
        let through = portals.links().iter().filter(|l| inside(l.to)).map(|l| l.from);
        let mut before: Vec<u32> = around.chain(through).filter(|&cell| !inside(cell)).collect();
        before.sort_unstable();
        before.dedup();
        before
    }
}

/// How many are counted in each goal and shape that holds only so many: in the order of [`GoalPlace::counts_at`].
#[must_use]
pub fn counts(places: &[GoalPlace], agents: &Agents) -> Vec<u32> {
    let mut counts = vec![0; places.last().map_or(0, |p| p.counts_at().end)];
    for room in rooms_among(&agents.own).unwrap_or_default().iter().filter_map(|&value| Room::of_column(value)) {
        if let Some(place) = places.get(room.goal) {
            place.count(room.shape, &mut counts, true);
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use crate::scene::{NoFiles, Scene};
    use crate::world::World;

    /// Five by five cells of a metre with a goal in the middle one, and walls.
    fn world(walls: &str, goal: &str) -> World {
        let text = format!("cell = 1\nsize = [5, 5]\n[map]\nwalls = [{walls}]\n[[goal]]\n{goal}\n");
        World::new(&Scene::parse("five.toml", &text, &NoFiles).unwrap_or_else(|e| panic!("{e}")))
            .expect("a sound scene")
    }

    #[test]
    fn plans_for_a_closed_goal_begin_from_the_free_cells_around_it() {
        let goal = "rect = [2, 2, 3, 3]";
        let open = world("", goal);
        assert_eq!((&open.goals[0], open.held[0]), (&vec![12], false));
        let closed = world("", &format!("{goal}\nopen = false"));
        assert_eq!((&closed.goals[0], closed.held[0]), (&vec![6, 7, 8, 11, 13, 16, 17, 18], true));
        // A wall along its western side, one cell longer at both ends.
        let walled = world("{ line = [[2, 1], [2, 4]] }", &format!("{goal}\nopen = false"));
        assert_eq!((&walled.goals[0], walled.held[0]), (&vec![7, 8, 13, 17, 18], true));
    }

    #[test]
    fn plans_begin_from_the_shapes_that_have_room() {
        let goal =
            "capacity = 9\nshapes = [{ rect = [0, 0, 2, 1], capacity = 2 }, { rect = [1, 0, 3, 1], capacity = 3 }]";
        let mut world = world("", goal);
        // The cell that both have belongs to the first.
        assert_eq!(
            (world.places[0].shape_at(1), world.places[0].shape_at(2), world.places[0].shape_at(3)),
            (Some(0), Some(1), None)
        );
        let mut seeds = |counts: [u32; 3]| {
            let full = world.places[0].full_by(&counts);
            world.places[0].set_full(full);
            world.refresh_goals();
            (world.goals[0].clone(), world.held[0])
        };
        assert_eq!(seeds([3, 1, 2]), (vec![0, 1, 2], false));
        assert_eq!(seeds([4, 2, 2]), (vec![2], false));
        assert_eq!(seeds([4, 1, 3]), (vec![0, 1], false));
        assert_eq!(seeds([5, 2, 3]), (vec![3, 5, 6, 7, 8], true));
        assert_eq!(seeds([9, 1, 1]), (vec![3, 5, 6, 7, 8], true));
        assert_eq!(seeds([8, 1, 1]), (vec![0, 1, 2], false));
    }
}
