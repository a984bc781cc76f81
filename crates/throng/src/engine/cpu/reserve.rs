//! Those of large sources who have yet to come: until they may be let in they are numbers, not people.
//!
//! Everything about somebody who has never entered follows from the scene and its id, so it makes no difference to a run when it is created,
//! as long as that is before anybody asks whether it may enter, and as long as it stands in the columns where it would have stood: those who
//! have never entered come last of those outside, in the order of their ids. A whole state (`RunState`) has everybody, so
//! snapshots and other engines know nothing of it.

use super::CpuEngine;
use crate::budget::Grant;
use crate::engine::EngineError;
use crate::scene::{Group, Scene};
use crate::stages::live::cpu::GIVE_UP;
use crate::world::World;
use crate::world::agents::{Agents, State};
use crate::world::place::newcomers;
use crate::world::sources::due;
use std::ops::Range;

/// So many of a source are there from the beginning, and so many come at a time at least.
pub(crate) const AT_ONCE: u32 = 1 << 16;

/// How many of a group are people from the beginning, if so many of a source are.
pub(crate) fn at_first(group: &Group, at_once: u32) -> u32 {
    if group.rate.is_some() { group.count.min(at_once) } else { group.count }
}

/// Ids of those who are not people yet, for each group that the scene began with.
#[derive(Debug, Default)]
pub(super) struct Reserve {
    ids: Vec<Range<u32>>,
    /// So many of a source come at a time at least.
    at_once: u32,
    /// What those have taken of the scene's budget who became people later.
    taken: Vec<Grant>,
}

impl Reserve {
    /// Everybody of a scene that begins but those that [`at_first`] counts.
    pub(super) fn new(scene: &Scene, at_once: u32) -> Self {
        let mut first = 0;
        let rest = |group: &Group| {
            let ids = first + at_first(group, at_once)..first + group.count;
            first = ids.end;
            ids
        };
        Self { ids: scene.groups.iter().map(rest).collect(), at_once, taken: Vec::new() }
    }

    /// How many they are.
    pub(super) fn len(&self) -> u64 {
        self.ids.iter().map(|ids| ids.len() as u64).sum()
    }
}

/// Whether somebody has never entered.
fn has_yet_to_come(scene: &Scene, agents: &Agents, i: usize) -> bool {
    agents.state[i] == State::Outside
        && agents.wake[i] == u32::MAX
        && scene.groups[usize::from(agents.group[i])].rate.is_some()
}

/// Adds people who have yet to come where they would have stood from the beginning.
fn add(scene: &Scene, agents: &mut Agents, new: &Agents) {
    agents.append(new);
    let (mut later, mut order): (Vec<u32>, Vec<u32>) =
        (0..agents.len() as u32).partition(|&i| has_yet_to_come(scene, agents, i as usize));
    later.sort_unstable_by_key(|&i| agents.id[i as usize]);
    order.append(&mut later);
    let mut sorted = Agents::default();
    agents.permute_into(&order, &mut sorted);
    *agents = sorted;
}

/// The most of a group that find a place in one step: bodies that enter do not overlap, so the densest packing of discs is a bound.
fn most_in_a_step(group: &Group, world: &World) -> f64 {
    let (radius, whole) = (f64::from(group.radius.min()).max(1e-3), world.grid.bounds());
    let room =
        |low: f32, high: f32, least: f32, most: f32| f64::from(high.min(most) - low.max(least)).max(0.0) + 2.0 * radius;
    let area = |b: crate::geometry::Rect| {
        room(b.min.x, b.max.x, whole.min.x, whole.max.x) * room(b.min.y, b.max.y, whole.min.y, whole.max.y)
    };
    let area: f64 =
        if group.start.is_empty() { area(whole) } else { group.start.iter().map(|s| area(s.bounds())).sum() };
    1.0 + area / (12f64.sqrt() * radius * radius)
}

impl CpuEngine {
    /// How many of a group that have never entered may be asked for in the step to come: each who enters may come after as many who
    /// find no place as a group has patience for, and so may the last.
    fn wanted_of(&self, g: usize) -> u64 {
        let group = &self.scene.groups[g];
        let Some(rate) = group.rate else { return 0 };
        let due = due(rate, self.scene.dt, self.step.saturating_add(1)) - f64::from(self.life.let_in[g]);
        let enter = due.min(most_in_a_step(group, &self.world)).max(0.0);
        (f64::from(GIVE_UP) * (enter.floor() + 1.0)) as u64
    }

    /// Before a step: creates those who may be asked for in it, and as many again as there were, so that it is seldom done.
    pub(super) fn let_come(&mut self) -> Result<(), EngineError> {
        // Which, and how many of them are needed at least.
        let mut coming: Vec<(usize, Range<u32>)> = Vec::new();
        let mut least: Vec<u32> = Vec::new();
        let mut first = 0;
        for g in 0..self.reserve.ids.len() {
            let (ids, count) = (self.reserve.ids[g].clone(), self.scene.groups[g].count);
            let created = ids.start.saturating_sub(first);
            let waiting = u64::from(created.saturating_sub(self.life.let_in[g]));
            first += count;
            if !ids.is_empty() && waiting < self.wanted_of(g) {
                let wanted = self.wanted_of(g) - waiting;
                let more = wanted.max(u64::from(created.max(self.reserve.at_once))).min(ids.len() as u64) as u32;
                coming.push((g, ids.start..ids.start + more));
                least.push(wanted.min(u64::from(more)) as u32);
            }
        }
        if coming.is_empty() {
            return Ok(());
        }
        let all = |coming: &[(usize, Range<u32>)]| coming.iter().map(|(_, ids)| ids.len() as u64).sum::<u64>();
        let grant = match self.scene.take_for_people(all(&coming)) {
            Ok(grant) => grant,
            Err(_) => {
                for ((_, ids), least) in coming.iter_mut().zip(least) {
                    ids.end = ids.start + least;
                }
                let people = all(&coming);
                let word = if people == 1 { "person" } else { "people" };
                self.scene.take_for_people(people).map_err(|short| {
                    EngineError(format!("for {people} more {word} of a source the run {}", short.words("")))
                })?
            }
        };
        add(&self.scene, &mut self.agents, &newcomers(&self.scene, &self.world, &coming));
        for (g, ids) in coming {
            self.reserve.ids[g].start = ids.end;
        }
        self.reserve.taken.push(grant);
        Ok(())
    }

    /// Everybody, those who are not people yet too.
    pub(super) fn everybody(&self) -> Agents {
        let mut agents = self.agents.clone();
        if self.reserve.len() > 0 {
            let rest: Vec<_> = self.reserve.ids.iter().cloned().enumerate().collect();
            add(&self.scene, &mut agents, &newcomers(&self.scene, &self.world, &rest));
        }
        agents
    }

    /// The part of a state's hash that is of those who are not people yet.
    pub(super) fn hash_of_reserve(&self) -> u64 {
        let columns: Vec<_> = self.agents.own.iter().map(|own| own.column).collect();
        let mut hash = 0u64;
        for (g, ids) in self.reserve.ids.iter().enumerate() {
            for start in ids.clone().step_by(AT_ONCE as usize) {
                let some = start..ids.end.min(start.saturating_add(AT_ONCE));
                let mut people = newcomers(&self.scene, &self.world, &[(g, some)]);
                people.use_columns(&columns);
                hash = hash.wrapping_add(people.state_hash());
            }
        }
        hash
    }

    /// Takes what those need who are not people yet, so that they can be.
    ///
    /// # Errors
    /// If that is not left.
    pub(super) fn room_for_everybody(&self) -> Result<Grant, EngineError> {
        let people = self.reserve.len();
        self.scene.take_for_people(people).map_err(|short| {
            EngineError(format!(
                "for {people} {} of sources, who have not entered yet, the run {}",
                if people == 1 { "person" } else { "people" },
                short.words("")
            ))
        })
    }

    /// Goes on with everybody of a whole state, in what was taken for them and for becoming it. What is not needed for that is given back.
    pub(super) fn have_everybody(&mut self, room: Grant) {
        self.reserve.ids.clear();
        self.memory.join(room);
        self.reserve.taken.drain(..).for_each(|taken| self.memory.join(taken));
        self.memory.keep(self.scene.memory_with_everybody());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::scene::NoFiles;

    /// Two sources that want the same small places, one of which is nearly always full; people who come back; a source for points.
    const SCENE: &str = r#"
        size = [30, 12]
        dt = 0.1
        [[goal]]
        name = "east"
        rect = [28, 0, 30, 12]
        [[agents]]
        name = "fast"
        source = { rate = 30, total = 900 }
        start = { rect = [1, 1, 5, 11] }
        radius = { uniform = [0.15, 0.3] }
        delay = { uniform = [0, 2] }
        arrive = "respawn"
        [[agents]]
        name = "there already"
        count = 20
        start = { rect = [8, 1, 12, 11] }
        arrive = "respawn"
        [[agents]]
        name = "blocked"
        source = { rate = 200, total = 700 }
        start = [{ rect = [1, 1, 2, 2] }, { rect = [3, 5, 4, 7] }]
        [[agents]]
        name = "to points"
        source = { rate = 3, total = 300 }
        start = { rect = [20, 1, 26, 11] }
        journey = [{ to = { random = { rect = [10, 1, 26, 11] } } }, "east"]
    "#;

    fn engine(at_once: u32) -> CpuEngine {
        let scene = Scene::parse("sources.toml", SCENE, &NoFiles).unwrap_or_else(|e| panic!("{e}"));
        CpuEngine::with_reserve(&scene, at_once).unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn it_makes_no_difference_when_people_are_created() {
        let (mut all, mut few) = (engine(u32::MAX), engine(8));
        assert_eq!((all.agents.len(), few.agents.len()), (1920, 44));
        for round in 0..8 {
            for _ in 0..15 {
                all.step().expect("it steps");
                few.step().expect("it steps");
            }
            assert_eq!(all.counters(), few.counters(), "round {round}");
            assert!(round > 1 || few.agents.len() < all.agents.len(), "{} people", few.agents.len());
            let hash = |engine: &CpuEngine| engine.agents.state_hash().wrapping_add(engine.absent_hash());
            assert_eq!(hash(&all), hash(&few), "round {round}");
            // Either goes on from what the other has saved.
            if round % 3 == 1 {
                let (whole, part) = (all.save().expect("a state"), few.save().expect("a state"));
                assert_eq!(whole.len(), part.len(), "everybody is in both");
                (all, few) = (engine(u32::MAX), engine(8));
                all.restore(&part).expect("its own state");
                few.restore(&whole).expect("its own state");
            }
        }
        assert!(few.life.let_in.iter().sum::<u32>() > 150, "{:?}", few.life.let_in);
    }

    #[test]
    fn where_memory_is_short_only_those_are_created_who_are_needed() {
        struct Small(crate::budget::Budget);
        impl crate::scene::Files for Small {
            fn read(&self, _: &str) -> Result<Vec<u8>, String> {
                Err("there are none".into())
            }
            fn budget(&self) -> crate::budget::Budget {
                self.0.clone()
            }
        }
        let text = SCENE.replace("total = 900", "total = 1000000");
        let budget = crate::budget::Budget::new(1 << 30);
        let scene = Scene::parse("sources.toml", &text, &Small(budget.clone())).unwrap_or_else(|e| panic!("{e}"));
        let mut engine = CpuEngine::new(&scene, None).unwrap_or_else(|e| panic!("{e}"));
        // Room for some more, and not for as many again as there are.
        let left = budget.left().expect("it has an end");
        let _others = budget.take(left - 5_000_000).expect("so much is left");
        let first = engine.agents.len();
        engine.life.let_in[0] = AT_ONCE;
        engine.let_come().expect("whoever is needed fits");
        let more = engine.agents.len() - first;
        assert!((1..20_000).contains(&more), "{more}");
        let left = budget.left().expect("it has an end");
        let _last = budget.take(left).expect("so much is left");
        engine.life.let_in[0] = AT_ONCE + more as u32;
        let refused = engine.let_come().expect_err("nobody fits").to_string();
        assert!(refused.contains("more people of a source"), "{refused}");
    }

    #[test]
    fn ten_million_who_have_yet_to_come_cost_next_to_nothing() {
        let text = SCENE.replace("total = 900", "total = 10000000");
        let scene = Scene::parse("sources.toml", &text, &NoFiles).unwrap_or_else(|e| panic!("{e}"));
        let mut engine = CpuEngine::new(&scene, None).unwrap_or_else(|e| panic!("{e}"));
        engine.step().expect("it steps");
        assert_eq!(engine.counters().outside + engine.counters().active, 10_001_020);
        assert_eq!(engine.agents.len() as u32, AT_ONCE + 1020);
        assert!(scene.memory_needs().people < 20_000_000);
    }
}
