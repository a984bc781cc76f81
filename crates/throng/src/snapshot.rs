//! A run's whole state as bytes: little-endian, length-prefixed, checked on the way in.
//!
//! Every list says its length, and a length is believed only if the scene allows it and the bytes are there: a
//! broken or hostile file costs no more memory than it has bytes.

use crate::geometry::{Rect, Shape};
use crate::scene::{Group, Knows, Model, Scene};
use crate::stages::live::states;
use crate::world::agents::{Agents, NOWHERE, State};
use crate::world::goals::rooms_among;
use crate::world::grid::Grid;
use crate::world::points::{self, POINT};
use crate::world::portals::Portals;
use bytemuck::Pod;
use glam::Vec2;

/// Walls that can be added during a run.
pub(crate) const MOST_WALLS: usize = 1 << 20;

/// No step of any scene carries anybody faster, m/s: a cell of 100 m, and a push, in a ten-thousandth of a second.
pub(crate) const FASTEST: f32 = 1e7;

/// Writes a snapshot.
#[derive(Debug, Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn u32(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn pod<T: Pod>(&mut self, values: &[T]) {
        self.u32(values.len() as u32);
        // All targets of Throng are little-endian; bytes go out as they are.
        self.0.extend_from_slice(bytemuck::cast_slice(values));
    }

    pub(crate) fn u32s(&mut self, values: &[u32]) {
        self.pod(values);
    }

    pub(crate) fn f32s(&mut self, values: &[f32]) {
        self.pod(values);
    }

    pub(crate) fn bools(&mut self, values: &[bool]) {
        self.pod(&values.iter().map(|&b| u8::from(b)).collect::<Vec<_>>());
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.pod(text.as_bytes());
    }

    pub(crate) fn shapes<'a>(&mut self, shapes: impl Iterator<Item = &'a Shape>) {
        for shape in shapes {
            let (kind, points): (u32, Vec<Vec2>) = match shape {
                Shape::Rect(r) => (0, vec![r.min, r.max]),
                Shape::Circle(c, radius) => (1, vec![*c, Vec2::new(*radius, 0.0)]),
                Shape::Polygon(p) => (2, p.clone()),
                Shape::Line(p) => (3, p.clone()),
            };
            self.u32(kind);
            self.pod(&points);
        }
    }

    /// The crowd; first whether it has points.
    pub(crate) fn agents(&mut self, agents: &Agents) {
        self.u32(agents.have_points().into());
        agents.write(self);
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// Reads a snapshot.
#[derive(Debug)]
pub(crate) struct Reader<'a>(&'a [u8]);

type Read<T> = Result<T, String>;

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    fn take(&mut self, n: usize) -> Read<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(n).ok_or("it ends too soon")?;
        self.0 = tail;
        Ok(head)
    }

    pub(crate) fn u32(&mut self) -> Read<u32> {
        Ok(u32::from_le_bytes(self.take(4)?.try_into().expect("four bytes")))
    }

    fn list<T: Pod>(&mut self, least: usize, most: usize) -> Read<Vec<T>> {
        let n = self.u32()? as usize;
        if n < least || n > most {
            return Err(format!("a list of {n} where {least} to {most} belong"));
        }
        let bytes = self.take(n * size_of::<T>())?;
        Ok(bytemuck::pod_collect_to_vec(bytes))
    }

    pub(crate) fn pod<T: Pod>(&mut self, n: usize) -> Read<Vec<T>> {
        self.list(n, n)
    }

    /// As many as there are, at most so many.
    pub(crate) fn up_to<T: Pod>(&mut self, most: usize) -> Read<Vec<T>> {
        self.list(0, most)
    }

    pub(crate) fn u32s(&mut self, least: usize, most: usize) -> Read<Vec<u32>> {
        self.list(least, most)
    }

    /// Amounts: none is negative or not finite.
    pub(crate) fn f32s(&mut self, least: usize, most: usize) -> Read<Vec<f32>> {
        let list: Vec<f32> = self.list(least, most)?;
        if list.iter().any(|v| !(v.is_finite() && *v >= 0.0)) {
            return Err("an amount that is negative or not finite".into());
        }
        Ok(list)
    }

    pub(crate) fn bools(&mut self, most: usize) -> Read<Vec<bool>> {
        let list: Vec<u8> = self.list(0, most)?;
        if list.len() != most && !list.is_empty() {
            return Err("a map of another size".into());
        }
        Ok(list.into_iter().map(|b| b != 0).collect())
    }

    /// As many as there are, at most so many.
    pub(crate) fn some_bools(&mut self, most: usize) -> Read<Vec<bool>> {
        Ok(self.list(0, most)?.into_iter().map(|b: u8| b != 0).collect())
    }

    pub(crate) fn text(&mut self, most: usize) -> Read<String> {
        String::from_utf8(self.list(0, most)?).map_err(|_| "a text that is none".into())
    }

    pub(crate) fn shapes(&mut self, n: usize) -> Read<Vec<Shape>> {
        (0..n)
            .map(|_| {
                let kind = self.u32()?;
                let points: Vec<Vec2> = self.list(2, MOST_WALLS)?;
                let shape = match (kind, points.len()) {
                    (0, 2) => Shape::Rect(Rect::new(points[0], points[1])),
                    (1, 2) => Shape::Circle(points[0], points[1].x),
                    (2, _) => Shape::Polygon(points),
                    (3, _) => Shape::Line(points),
                    _ => return Err(format!("a shape of unknown kind {kind}")),
                };
                if shape.is_sound() { Ok(shape) } else { Err("a shape that no call takes".into()) }
            })
            .collect()
    }

    /// The crowd; ids are below `next_id`.
    pub(crate) fn agents(&mut self, scene: &Scene, model: &Model, next_id: u32) -> Read<Agents> {
        let (grid, portals) = (scene.grid, Portals::new(&scene.grid, &scene.portals));
        let n = scene.agent_count() as usize;
        let points = self.u32()?;
        if points > 1 || (points == 0 && scene.needs_points()) {
            return Err("a crowd that has lost its points".into());
        }
        let agents = Agents::read(self, n, &scene.columns(model, points == 1))?;
        if agents.own.iter().flat_map(|o| &o.values).any(|v| !v.is_finite()) {
            return Err("a value that is not finite".into());
        }
        let mut ids = agents.id.clone();
        ids.sort_unstable();
        if ids.windows(2).any(|pair| pair[0] == pair[1]) || ids.last().is_some_and(|&last| last >= next_id) {
            return Err("ids that no run gives".into());
        }
        for i in 0..n {
            let group = scene.groups.get(agents.group[i] as usize).ok_or("an agent of no group")?;
            // One past the last leg: waits there before it leaves.
            let lives = group.lives();
            let waits = agents.leg[i] as usize == group.journey.len() && agents.state[i].waits();
            let leg =
                group.journey.get(agents.leg[i] as usize - usize::from(waits)).ok_or("an agent off its journey")?;
            // A call has given it a point instead.
            let called = agents.goal[i] == POINT && agents.have_points() && agents.state[i].on_floor();
            rooms_of(&agents, i, scene)?;
            // Asked first and of every number: what compares numbers may pass over one that is none.
            let finite = [agents.position[i], agents.heading[i], agents.velocity[i]].iter().all(|v| v.is_finite())
                && [agents.radius[i], agents.preferred[i], agents.turn[i]].iter().all(|v| v.is_finite());
            let fine = finite
                && agents.goal[i] == if called { POINT } else { leg.goal() }
                && (!lives || states::is_sound(&agents, i, scene))
                && points_to(&agents, i, grid)
                && (agents.state[i] != State::Staying
                    || (called && (lives || group.goal_before(agents.leg[i]) != POINT)))
                && agents.velocity[i].abs().max_element() <= FASTEST
                && (agents.heading[i].length() - 1.0).abs() < 1e-3
                && agents.radius[i] >= group.radius.min()
                && agents.radius[i] <= group.radius.max()
                && has_speed_of(scene, group, agents.preferred[i])
                && agents.turn[i] > 0.0
                && agents.informed[i] <= 1
                && (agents.informed[i] == 0 || scene.groups.iter().any(|g| g.knows == Knows::OnSight))
                && match agents.state[i] {
                    State::Walking | State::Waiting | State::Staying => grid.inside(agents.position[i]),
                    State::Between => portals.ending_at(agents.position[i], grid.cell).is_some(),
                    State::Outside | State::Parked => agents.position[i] == NOWHERE,
                };
            if !fine {
                return Err(format!("agent {} has values that no run gives", agents.id[i]));
            }
        }
        Ok(agents)
    }

    pub(crate) fn end(&self) -> Read<()> {
        if self.0.is_empty() { Ok(()) } else { Err(format!("{} bytes too many", self.0.len())) }
    }
}

/// Whether a preferred speed is one that those of a group have. Who lives by states may have come from another group.
fn has_speed_of(scene: &Scene, group: &Group, speed: f32) -> bool {
    let fits = |g: &Group| speed >= g.speed.min() && speed <= g.speed.max();
    fits(group) || (group.lives() && scene.groups.iter().filter(|g| g.lives()).any(fits))
}

/// That somebody is counted in a goal only where a run counts people.
fn rooms_of(agents: &Agents, i: usize, scene: &Scene) -> Read<()> {
    let Some(rooms) = rooms_among(&agents.own) else { return Ok(()) };
    let (goal, shape) = (rooms[i].x, rooms[i].y);
    let whole = |v: f32, most: usize| (0.0..=most as f32).contains(&v) && v.fract() == 0.0;
    // Who has changed its state leaves in the next step.
    let lives = scene.groups[usize::from(agents.group[i])].lives();
    let stays = lives || agents.state[i].waits() || agents.state[i] == State::Parked;
    if whole(goal, scene.goals.len()) && whole(shape, MOST_WALLS) && (goal == 0.0 || stays) {
        return Ok(());
    }
    Err(format!("agent {} is counted in a goal where it cannot be", agents.id[i]))
}

/// Whether the point of somebody is one that a run gives.
fn points_to(agents: &Agents, i: usize, grid: Grid) -> bool {
    let Some(points) = points::among(&agents.own) else { return true };
    let goes_on = agents.state[i].on_floor() || agents.state[i] == State::Between;
    match (goes_on, agents.goal[i]) {
        (true, POINT) => grid.inside(points[i]),
        (true, _) => points[i] == NOWHERE || grid.inside(points[i]),
        (false, _) => points[i] == NOWHERE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::NoFiles;
    use crate::simulation::Simulation;

    const SCENE: &str = "size = [10, 10]\n[[goal]]\nrect = [9, 0, 10, 10]\n[[agents]]\ncount = 3\n\
                         start = { rect = [1, 1, 5, 5] }\nradius = { uniform = [0.2, 0.3] }\nspeed = { uniform = [1, 2] }\n";

    /// The crowd of the scene, spoilt and sent through a snapshot.
    fn through(spoil: impl Fn(&mut Agents)) -> Read<Agents> {
        let scene = Scene::parse("three.toml", SCENE, &NoFiles).expect("it is sound");
        let mut run = Simulation::with_threads(&scene, 1).expect("they fit");
        let mut agents = run.agents().expect("the CPU does not fail");
        spoil(&mut agents);
        let mut writer = Writer::default();
        writer.agents(&agents);
        Reader::new(&writer.finish()).agents(&scene, &scene.model, 3)
    }

    #[test]
    fn a_crowd_with_a_number_that_is_none_is_refused_whichever_it_is() {
        through(|_| ()).expect("as it was placed, it is sound");
        for bad in [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let vectors: [fn(&mut Agents) -> &mut Vec<Vec2>; 3] =
                [|a| &mut a.position, |a| &mut a.heading, |a| &mut a.velocity];
            for (which, column) in vectors.into_iter().enumerate() {
                for both in [Vec2::new(bad, 0.5), Vec2::new(0.5, bad), Vec2::splat(bad)] {
                    assert!(through(|a| column(a)[1] = both).is_err(), "column {which}: {both} was taken");
                }
            }
            let numbers: [fn(&mut Agents) -> &mut Vec<f32>; 3] =
                [|a| &mut a.radius, |a| &mut a.preferred, |a| &mut a.turn];
            for (which, column) in numbers.into_iter().enumerate() {
                assert!(through(|a| column(a)[1] = bad).is_err(), "column {which}: {bad} was taken");
            }
        }
    }
}
