//! A run as somebody sees it who looks at the crowd again and again: who arrived where, how far everybody walked and how long they
//! stood, and what happens at the places that the scene names. It asks nothing of an engine but the crowd's columns.

use super::places::{Area, Crossing, Line, Sample};
use crate::geometry::{Segment, Shape};
use crate::scene::{Arrive, Goal, Scene, Target};
use crate::world::agents::{Agents, State};
use glam::Vec2;

/// Who covers less than this between two looks is standing, m/s.
pub const STANDING: f32 = 0.1;

/// People on a page of what is known of them.
const PAGE: usize = 4096;

/// Seconds from look to look where no line asks for every step.
const INTERVAL: f32 = 0.2;

/// Where somebody left: a goal, and which of its shapes, both by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Exit {
    /// The goal.
    pub goal: u16,
    /// The shape that was nearest at the last look; 0 where there is only one, or a picture.
    pub shape: u16,
}

/// One person's way from coming onto the floor to arriving. Who enters again has another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Journey {
    /// Whose.
    pub id: u32,
    /// Its group.
    pub group: u16,
    /// When it came onto the floor, or the first look, s.
    pub start: f64,
    /// When it arrived, s.
    pub arrival: Option<f64>,
    /// How far it walked, m: the sum of straight ways from look to look, without those through portals.
    pub distance: f32,
    /// How long it was slower than [`STANDING`], s.
    pub standing: f32,
    /// Where it left; none for points of its own.
    pub exit: Option<Exit>,
}

/// What is known of an agent from the last look.
#[derive(Clone, Copy, Debug)]
struct Seen {
    state: State,
    position: Vec2,
    leg: u16,
    journey: Journey,
}

impl Seen {
    fn under_way(&self) -> bool {
        self.state.on_floor() || self.state == State::Between
    }
}

/// The book of a run.
#[derive(Clone, Debug)]
pub struct Watch {
    dt: f64,
    /// Steps from sample to sample of the areas.
    sample_every: u64,
    goals: Vec<Goal>,
    /// Per group: the goal at the end of its journey, if it is one; and what happens then.
    ends: Vec<(Option<u16>, Arrive)>,
    /// Nobody is carried farther in a step, m.
    stride: f32,
    last_step: u64,
    /// By id, in pages: one on which nobody has been under way yet is empty, since of a large source most have yet to come.
    seen: Vec<Vec<Option<Seen>>>,
    /// Journeys that have ended, in order of arrival.
    pub arrived: Vec<Journey>,
    /// Lines of the scene.
    pub lines: Vec<Line>,
    /// Areas of the scene.
    pub areas: Vec<Area>,
}

impl Watch {
    /// Watches a run of a scene from a step on.
    #[must_use]
    pub fn new(scene: &Scene, agents: &Agents, step: u64) -> Self {
        let (mut lines, mut areas) = (Vec::new(), Vec::new());
        for measure in &scene.measures {
            match &measure.shape {
                Shape::Line(p) => lines.push(Line::new(&measure.name, Segment::new(p[0], p[p.len() - 1]))),
                shape => areas.push(Area::new(&measure.name, shape)),
            }
        }
        let end = |g: &crate::scene::Group| match g.journey.last().map(|leg| &leg.to) {
            Some(Target::Goal(goal)) => Some(*goal),
            _ => None,
        };
        let mut watch = Self {
            dt: f64::from(scene.dt),
            sample_every: ((INTERVAL / scene.dt).round() as u64).max(1),
            goals: scene.goals.clone(),
            // Who lives by states comes to no end.
            ends: scene
                .groups
                .iter()
                .map(|g| if g.lives() { (None, Arrive::Park) } else { (end(g), g.arrive) })
                .collect(),
            stride: 2.01 * (scene.top_speed() * scene.dt).max(0.25 * scene.widest_radius()),
            last_step: step,
            seen: Vec::new(),
            arrived: Vec::new(),
            lines,
            areas,
        };
        watch.look(agents, step);
        watch
    }

    /// Whether a look is due after a step: after every one if a line is to be watched, else five times a second.
    #[must_use]
    pub fn is_due(&self, step: u64) -> bool {
        !self.lines.is_empty() || step.is_multiple_of(self.sample_every)
    }

    /// Looks at everybody after a step.
    pub fn look(&mut self, agents: &Agents, step: u64) {
        let passed = step - self.last_step;
        let now = step as f64 * self.dt;
        for i in 0..agents.len() {
            self.see(agents, i, now, passed);
        }
        if step.is_multiple_of(self.sample_every) {
            self.sample(agents, now);
        }
        self.last_step = step;
    }

    /// One agent: what became of it since the last look.
    fn see(&mut self, agents: &Agents, i: usize, now: f64, steps: u64) {
        let (id, group, state) = (agents.id[i], agents.group[i], agents.state[i]);
        let (position, leg) = (agents.position[i], agents.leg[i]);
        let start = Journey { id, group, start: now, arrival: None, distance: 0.0, standing: 0.0, exit: None };
        let mut seen = Seen { state, position, leg, journey: start };
        let (end, then) = self.ends.get(usize::from(group)).copied().unwrap_or((None, Arrive::Park));
        if let Some(before) = self.last_seen(id).filter(Seen::under_way) {
            seen.journey = before.journey;
            let way = before.position.distance(position);
            let both = before.state.on_floor() && state.on_floor();
            // Who has one leg less has begun again; so has who is where nobody gets to by walking.
            let again = match then {
                Arrive::Park => false,
                Arrive::Next => leg < before.leg,
                Arrive::Respawn => both && way > self.stride * steps as f32,
            };
            let arrived = again || !seen.under_way();
            let passed = (steps as f64 * self.dt) as f32;
            let journey = &mut seen.journey;
            if both && !(again && then == Arrive::Respawn) {
                journey.distance += way;
                journey.standing += if way < STANDING * passed { passed } else { 0.0 };
                for line in &mut self.lines {
                    if let Some(forward) = line.crossed(before.position, position) {
                        line.crossings.push(Crossing { time: now, id, forward });
                    }
                }
            }
            if arrived {
                journey.arrival = Some(now);
                journey.exit = end.map(|goal| Exit { goal, shape: self.nearest_shape(goal, before.position) });
                let done = *journey;
                seen.journey = start;
                self.arrived.push(done);
            }
        }
        self.note(id, seen);
    }

    fn last_seen(&self, id: u32) -> Option<Seen> {
        let page = self.seen.get(id as usize / PAGE)?;
        page.get(id as usize % PAGE).copied().flatten()
    }

    fn note(&mut self, id: u32, seen: Seen) {
        let (page, place) = (id as usize / PAGE, id as usize % PAGE);
        if page >= self.seen.len() {
            self.seen.resize_with(page + 1, Vec::new);
        }
        let page = &mut self.seen[page];
        if page.is_empty() && seen.under_way() {
            page.resize(PAGE, None);
        }
        if let Some(place) = page.get_mut(place) {
            *place = Some(seen);
        }
    }

    fn nearest_shape(&self, goal: u16, p: Vec2) -> u16 {
        let shapes = self.goals.get(usize::from(goal)).map_or(&[][..], |g| &g.shapes);
        if shapes.len() < 2 {
            return 0;
        }
        let distance = |s: &Shape| {
            let sides = s.outline().into_iter().map(|side| side.closest(p).distance(p));
            if s.contains(p) { 0.0 } else { sides.fold(f32::INFINITY, f32::min) }
        };
        let nearest = (0..shapes.len()).min_by(|&a, &b| distance(&shapes[a]).total_cmp(&distance(&shapes[b])));
        nearest.unwrap_or(0) as u16
    }

    fn sample(&mut self, agents: &Agents, time: f64) {
        for area in &mut self.areas {
            let bounds = area.shape.bounds();
            let (mut persons, mut speeds) = (0u32, 0.0f64);
            for i in (0..agents.len()).filter(|&i| agents.state[i].on_floor()) {
                let p = agents.position[i];
                let near = p.cmpge(bounds.min).all() && p.cmple(bounds.max).all();
                if near && area.shape.contains(p) {
                    persons += 1;
                    speeds += f64::from(agents.velocity[i].length());
                }
            }
            let speed = if persons > 0 { (speeds / f64::from(persons)) as f32 } else { 0.0 };
            area.samples.push(Sample { time, persons, speed });
        }
    }

    /// Everybody's journeys: those that have ended, in order of arrival, then those under way, by id.
    pub fn journeys(&self) -> impl Iterator<Item = Journey> + '_ {
        let under_way = self.seen.iter().flatten().flatten().filter(|s| s.under_way()).map(|s| s.journey);
        self.arrived.iter().copied().chain(under_way)
    }

    /// All exits that the scene has, in order, used or not: each shape of each goal that a journey ends at.
    #[must_use]
    pub fn exits(&self) -> Vec<Exit> {
        let shapes = |goal: u16| self.goals.get(usize::from(goal)).map_or(1, |g| g.shapes.len().max(1)) as u16;
        let mut goals: Vec<u16> = self.ends.iter().filter_map(|&(goal, _)| goal).collect();
        goals.sort_unstable();
        goals.dedup();
        goals.into_iter().flat_map(|goal| (0..shapes(goal)).map(move |shape| Exit { goal, shape })).collect()
    }

    /// What people call an exit: its goal, with the shape's number from 1 if there are several.
    #[must_use]
    pub fn exit_name(&self, exit: Exit) -> String {
        let Some(goal) = self.goals.get(usize::from(exit.goal)) else { return String::new() };
        if goal.shapes.len() > 1 { format!("{} {}", goal.name, exit.shape + 1) } else { goal.name.clone() }
    }
}
