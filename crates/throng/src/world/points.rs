//! Points: who heads for a point of its own instead of a goal, and for which. The way there is straight, or round walls (detours.rs).
//!
//! Such an agent's goal is [`POINT`], and the point itself is in a column that a crowd has only if anybody may need it
//! ([`COLUMN`]). A point is chosen when its leg begins, from the agent's place and id and from the number of the step:
//! nothing else has to be remembered. The shaders' side is points.wgsl.

use super::agents::{Agents, ColumnInfo, ModelColumn, NOWHERE, OwnColumn, State};
use super::goals;
use super::grid::Grid;
use super::walls::Walls;
use crate::engine::layout::rounded_direction;
use crate::geometry::Shape;
use crate::random::{Purpose, draw, unit};
use crate::scene::{Group, Leg, Model, Scene, Target};
use crate::stages::live::cpu::by_area;
use crate::stages::live::states;
use crate::stages::steer::doors::HELD;
use glam::Vec2;

/// Stands for the number of a goal where somebody heads for a point.
pub const POINT: u16 = u16::MAX;

/// Draws that somebody has to find a random point on free floor. After them the nearest free place has to do.
const TRIES: u32 = 32;

/// The column of points. Who has none is at [`NOWHERE`] in it.
pub const COLUMN: ModelColumn = ModelColumn {
    info: ColumnInfo { name: "point", unit: "m", meaning: "The point that it heads for, or headed for last." },
    width: 2,
    start: NOWHERE.x,
};

/// The column of points among the models' own, if there is one.
#[must_use]
pub fn among(own: &[OwnColumn]) -> Option<&[Vec2]> {
    own.iter().find(|o| o.column.info == COLUMN.info).map(|o| bytemuck::cast_slice(&o.values))
}

/// Where somebody faces that is at `from` and heads for a point: straight there, or east if it is there already.
#[must_use]
pub(crate) fn heading(from: Vec2, point: Vec2) -> Vec2 {
    rounded_direction((point - from).try_normalize().unwrap_or(Vec2::X))
}

impl Scene {
    /// The columns of its crowd besides those that every crowd has: the models', then that of points, that of rooms, and what doors and states need.
    #[must_use]
    pub(crate) fn columns(&self, model: &Model, points: bool) -> Vec<&'static ModelColumn> {
        let mut columns = model.columns();
        columns.extend(points.then_some(&COLUMN));
        columns.extend(self.has_capacities().then_some(&goals::COLUMN));
        columns.extend(self.has_doors().then_some(&HELD));
        columns.extend(self.has_states().then_some(&states::COLUMN));
        columns
    }

    /// Whether any leg of any journey leads to a point.
    #[must_use]
    pub fn uses_points(&self) -> bool {
        self.groups.iter().any(Group::uses_points)
    }

    /// Whether its crowd has points: some leg leads to one, or ends with a wait at a place of one's own, or somebody lives by states.
    #[must_use]
    pub fn needs_points(&self) -> bool {
        self.has_states() || self.uses_points() || self.groups.iter().flat_map(|g| &g.journey).any(Leg::stays)
    }
}

impl Agents {
    /// Whether there is a column of points.
    #[must_use]
    pub fn have_points(&self) -> bool {
        among(&self.own).is_some()
    }

    /// The point that somebody heads for, by its place in the columns; `None` if it heads for a goal.
    #[must_use]
    pub fn point(&self, index: usize) -> Option<Vec2> {
        among(&self.own).filter(|_| self.goal[index] == POINT).map(|points| points[index])
    }

    /// Whether anybody walks to a point, however it came by it, who does not live by states.
    #[must_use]
    pub(crate) fn head_for_points(&self, scene: &Scene) -> bool {
        let mut people = self.goal.iter().zip(&self.group).zip(&self.state);
        people.any(|((&goal, &group), &state)| {
            goal == POINT && state != State::Staying && !scene.groups[usize::from(group)].lives()
        })
    }

    /// Writes somebody's point, where there is a column for it.
    pub(crate) fn set_point(&mut self, index: usize, point: Vec2) {
        if let Some(own) = self.own.iter_mut().find(|o| o.column.info == COLUMN.info) {
            own.values[2 * index..2 * index + 2].copy_from_slice(&point.to_array());
        }
    }

    /// The least id of each of so many groups: ids of a group follow each other from there. Only for scenes that use
    /// points: nobody else asks, and a large crowd takes a while to look through.
    #[must_use]
    pub(crate) fn first_ids(&self, scene: &Scene) -> Vec<u32> {
        let mut first = vec![u32::MAX; scene.groups.len()];
        if scene.uses_points() {
            for (&id, &group) in self.id.iter().zip(&self.group) {
                first[usize::from(group)] = first[usize::from(group)].min(id);
            }
        }
        first
    }
}

/// What the choice of a point depends on.
#[derive(Clone, Copy, Debug)]
pub struct Chooser<'a> {
    /// The raster.
    pub grid: &'a Grid,
    /// Walls.
    pub walls: &'a Walls,
    /// Groups.
    pub groups: &'a [Group],
    /// The least id of each group.
    pub first_ids: &'a [u32],
    /// Seed.
    pub seed: u32,
    /// The number of steps done when the leg begins.
    pub step: u32,
}

impl Chooser<'_> {
    /// Where somebody goes that begins the leg with this number at `from`: its point, or [`NOWHERE`] if the leg leads to
    /// a goal.
    #[must_use]
    pub fn choose(&self, group: u16, leg: usize, id: u32, radius: f32, from: Vec2) -> Vec2 {
        let g = usize::from(group);
        let wish = match &self.groups[g].journey[leg].to {
            Target::Goal(_) | Target::Here => return NOWHERE,
            Target::Points(list) => return list[id.wrapping_sub(self.first_ids[g]) as usize % list.len()],
            Target::Opposite => self.grid.nearest_inside(2.0 * self.groups[g].middle(self.grid) - from),
            Target::Random(area) => self.draw(area, id, radius),
        };
        self.walls.free_place(wish, radius, |_| true).unwrap_or(wish)
    }

    /// A place of an area, a free one if a few draws find any.
    fn draw(&self, area: &[Shape], id: u32, radius: f32) -> Vec2 {
        let mut p = Vec2::ZERO;
        for attempt in 0..TRIES {
            let words = draw(self.seed, id, Purpose::Point, self.step.wrapping_mul(TRIES).wrapping_add(attempt));
            let (shape, b) = by_area(area, self.grid, unit(words[2]));
            p = b.min + (b.max - b.min) * Vec2::new(unit(words[0]), unit(words[1]));
            if shape.contains(p) && !self.walls.contains(p) && self.walls.depth(p, radius) <= 0.0 {
                break;
            }
        }
        p
    }

    /// Lets somebody of a crowd, by its place in the columns, begin the leg that it is at: its goal, and its point. What
    /// it headed for until now is where an opposite is reckoned from.
    pub(crate) fn begin_leg(&self, agents: &mut Agents, i: usize) {
        let (group, leg) = (agents.group[i], usize::from(agents.leg[i]));
        let from = agents.point(i).unwrap_or(agents.position[i]);
        agents.goal[i] = self.groups[usize::from(group)].journey[leg].goal();
        if agents.goal[i] == POINT {
            let point = self.choose(group, leg, agents.id[i], agents.radius[i], from);
            agents.set_point(i, point);
        }
    }
}
