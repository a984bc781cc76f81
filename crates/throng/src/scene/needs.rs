//! How much memory a run of a scene needs, and what for.

use super::{Plan, Scene, SceneError, Signals};
use crate::budget::{Budget, Grant, Shortage};
use crate::engine::cpu::reserve::{AT_ONCE, at_first};
use crate::world::machine::Machine;
use crate::world::place::populate_some;
use crate::world::routes::Routes;
use crate::world::stays::Stays;
use crate::world::walls::memory_of_walls;
use crate::world::{World, goals};
use std::sync::Arc;

/// Bytes of somebody in a run on the CPU: columns twice, bodies, lists.
const MEMORY_PER_PERSON: u64 = 240;
/// Bytes of the equations of a harmonic plan for each cell: those of the floor, and a third more for the coarser ones.
const HARMONIC: u64 = 230;
/// Bytes of the world for each cell, without the fields of a run.
const WORLD: u64 = 40;
/// Bytes of a cell of a goal that people wait at.
const WAITS: u64 = 12;

/// About how many bytes a run on the CPU needs, and what for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryNeeds {
    /// What has a value per cell.
    pub cells: u64,
    /// What has a value per cell and plan: how far it is, and which way.
    pub plans: u64,
    /// How many plans these are.
    pub routes: u64,
    /// Walls, with the lists of those that are near each cell.
    pub walls: u64,
    /// The cells of goals.
    pub goals: u64,
    /// Everybody who is there from the beginning; of a source those who come first.
    pub people: u64,
}

impl MemoryNeeds {
    /// All of it.
    #[must_use]
    pub fn total(&self) -> u64 {
        let parts = [self.cells, self.plans, self.walls, self.goals, self.people];
        parts.into_iter().fold(0, u64::saturating_add)
    }
}

/// The budget that a scene was read with, and what it holds of it for as long as it, or a copy of it, is there. It is no part of
/// what a scene says, so scenes that differ in nothing else are equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub(super) budget: Budget,
    /// Held, and given back with the last copy.
    pub(super) held: Vec<Arc<Vec<Grant>>>,
}

impl Memory {
    /// Holds more.
    pub(super) fn hold(&mut self, grant: Grant) {
        self.held.push(Arc::new(vec![grant]));
    }
}

impl PartialEq for Memory {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Scene {
    /// About how many bytes a run of the scene on the CPU needs.
    #[must_use]
    pub fn memory_estimate(&self) -> u64 {
        self.memory_needs().total()
    }

    /// The same by what it is for.
    #[must_use]
    pub fn memory_needs(&self) -> MemoryNeeds {
        // Per cell: quanta twice (bands), density, velocity, speed and its working memory, cost, ground, bins; and a cost for every
        // other kind of weights, bodies and knowledge. Per route and cell: potential, direction, queue. While people are placed there are the regions of a few radii instead of fields, which take less.
        let cells = self.grid.len() as u64;
        let routes = Routes::new(&self.groups, self.goals.len(), &self.model);
        let (kinds, routes) = (routes.weights().len() as u64, routes.len() as u64);
        // The equations of the plans that are solved at a time.
        let solving = match self.model.plan {
            Plan::Harmonic => HARMONIC * routes.min(rayon::current_num_threads() as u64),
            _ => 0,
        };
        // The crowds that the plan in force and the one under way are made for.
        let frozen = if self.model.plan_every > 1 { 24 } else { 0 };
        MemoryNeeds {
            cells: cells * (104 + 16 * kinds + self.ground_per_cell()) + 1_000_000,
            plans: cells * (14 * routes + solving + frozen),
            routes,
            walls: memory_of_walls(self),
            goals: self.memory_of_goals(),
            people: self.groups.iter().map(|g| u64::from(at_first(g, AT_ONCE))).sum::<u64>() * MEMORY_PER_PERSON,
        }
    }

    /// Bytes for each cell of heights, slopes and what they do to speeds, and of factors of weights.
    fn ground_per_cell(&self) -> u64 {
        let slopes = if self.terrain.is_flat() { 0 } else { 32 };
        let factors = if self.local_weights.is_empty() { 0 } else { 12 };
        slopes + factors
    }

    /// That a run of the scene can begin: that it fits into memory, that everybody has a place to start and can reach its goals. As
    /// [`crate::Simulation::new`] finds it out, without the fields of a run.
    ///
    /// # Errors
    /// What is in the way.
    pub fn check(&self) -> Result<(), SceneError> {
        let _memory = self.take_memory()?;
        populate_some(self, &World::new(self)?, |group| at_first(group, AT_ONCE)).map(drop)
    }

    /// Whether there is memory for a run of it now, beside all that the budget has given already.
    #[must_use]
    pub fn has_memory(&self) -> bool {
        self.take_memory().is_ok()
    }

    /// Bytes that walls and the cells of goals take.
    pub(crate) fn memory_of_floor(&self) -> u64 {
        memory_of_walls(self).saturating_add(self.memory_of_goals())
    }

    /// Bytes that goals take: their cells, their waiting places, and where they are near.
    fn memory_of_goals(&self) -> u64 {
        let mut stays = Stays::default();
        stays.want(&self.groups, self.goals.len());
        let waits: u64 = (0..)
            .zip(&self.goals)
            .filter(|(goal, _)| stays.wants(*goal))
            .map(|(_, g)| WAITS * goals::cells(&self.grid, g))
            .sum();
        let mut asked: Vec<u16> = Machine::new(self, &Signals::of(self)).goals().collect();
        asked.sort_unstable();
        asked.dedup();
        goals::memory(&self.grid, &self.goals) + waits + asked.len() as u64 * self.grid.len() as u64
    }

    /// Bytes of a run on the CPU in which all who ever come are people.
    pub(crate) fn memory_with_everybody(&self) -> u64 {
        let needs = self.memory_needs();
        needs.total() - needs.people + self.agent_count() * MEMORY_PER_PERSON
    }

    /// Bytes of a world, without people and fields.
    pub(crate) fn memory_of_world(&self) -> u64 {
        self.grid.len() as u64 * (WORLD + self.ground_per_cell()) + self.memory_of_floor()
    }

    /// Takes what a second world and a second crowd need, while a run becomes another one.
    pub(crate) fn take_to_resume(&self) -> Result<Grant, Shortage> {
        self.take_bytes(self.memory_of_world() + self.agent_count() * MEMORY_PER_PERSON / 2)
    }

    /// Takes what images of so many cells need, once the scene is so many times as large.
    pub(super) fn take_to_scale(&self, cells: u64, factor: f64) -> Result<Grant, Shortage> {
        let painted = if self.map.painted.is_empty() { 0 } else { 5 };
        let heights = if self.terrain.heights.is_some() { 4 } else { 0 };
        let of_goals: usize = self.goals.iter().map(|goal| goal.cells.len()).sum();
        let marks = if of_goals > 0 { self.grid.len() as u64 } else { 0 };
        self.take_bytes(cells * (painted + heights) + (4.0 * of_goals as f64 * factor) as u64 + marks)
    }

    /// Takes so many bytes of the budget that the scene was read with.
    pub(crate) fn take_bytes(&self, bytes: u64) -> Result<Grant, Shortage> {
        self.memory.budget.take(bytes)
    }

    /// Takes what so many more people need.
    pub(crate) fn take_for_people(&self, people: u64) -> Result<Grant, Shortage> {
        self.memory.budget.take(people * MEMORY_PER_PERSON)
    }

    /// Takes what a run on a GPU needs on this side while it is made: walls and goals, a few numbers for each cell, and everybody, those of
    /// sources too.
    ///
    /// # Errors
    /// If that is not left.
    #[cfg(feature = "gpu")]
    pub(crate) fn take_memory_beside_gpu(&self) -> Result<Grant, SceneError> {
        let all = self.memory_needs();
        let people = self.groups.iter().map(|g| u64::from(g.count)).sum::<u64>() * MEMORY_PER_PERSON;
        let cells = self.grid.len() as u64 * (WORLD + self.ground_per_cell()) + 1_000_000;
        let needs = MemoryNeeds { cells, plans: 0, people, ..all };
        self.take(&needs)
    }

    /// Takes what a run on the CPU needs from the budget that the scene was read with.
    ///
    /// # Errors
    /// If that is not left, with what takes most of it and what would fit.
    pub(crate) fn take_memory(&self) -> Result<Grant, SceneError> {
        self.take(&self.memory_needs())
    }

    fn take(&self, needs: &MemoryNeeds) -> Result<Grant, SceneError> {
        if needs.routes > Routes::MOST as u64 {
            let message = format!("{} plans are too many", needs.routes);
            let help = format!(
                "at most {}: a plan for each goal and each kind of group (weights, body, knowledge) that heads for it. Use fewer of either",
                Routes::MOST
            );
            return Err(SceneError::whole(&self.source, message).help(help));
        }
        self.memory.budget.take(needs.total()).map_err(|short| {
            let (what, advice) = needs.most(self, short.left);
            let message = format!("a run of this {}", short.words(&format!(", most of it for {what}")));
            SceneError::whole(&self.source, message).help(advice)
        })
    }
}

impl MemoryNeeds {
    /// What takes most, and what would make it fit into so many bytes.
    fn most(&self, scene: &Scene, left: u64) -> (String, String) {
        let cells = scene.grid.len();
        let most = [self.people, self.walls, self.goals, self.plans, self.cells].into_iter().max();
        if most == Some(self.people) {
            let rest = self.total() - self.people;
            let fit = left.saturating_sub(rest) as f64 / self.people as f64;
            let fit = (0.9 * fit * (self.people / MEMORY_PER_PERSON) as f64) as u64;
            let advice = if fit > 0 { format!("--agents {fit} would fit") } else { "use fewer people".into() };
            (format!("{} people", scene.agent_count()), advice)
        } else if most == Some(self.walls) {
            let walls = scene.map.walls.len();
            let advice = "use larger cells, or fewer and shorter walls; a map.image holds many for little";
            let what = match walls {
                1 => "the sides of a wall, which are listed in every cell that they are near to".into(),
                _ => format!("{walls} walls, which are listed in every cell that they are near to"),
            };
            (what, advice.into())
        } else if most == Some(self.goals) {
            (format!("the cells of {} goals", scene.goals.len()), "use larger cells, or fewer and smaller goals".into())
        } else if most == Some(self.plans) {
            let advice = "use larger cells, or fewer goals and fewer kinds of groups that head for them";
            (format!("{} plans of {cells} cells", self.routes), advice.into())
        } else {
            let fits = 0.9 * left as f64 / self.total() as f64;
            let advice = format!("use larger cells, or a world a part as large: --scale {fits:.2}");
            (format!("{cells} cells"), advice)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Files;

    /// No files, and so many bytes.
    struct Small(Budget);

    impl Files for Small {
        fn read(&self, _: &str) -> Result<Vec<u8>, String> {
            Err("there are none".into())
        }

        fn budget(&self) -> Budget {
            self.0.clone()
        }
    }

    fn said(text: &str, bytes: u64) -> String {
        let budget = Budget::new(bytes);
        let scene = Scene::parse("s.toml", text, &Small(budget.clone())).expect("reading it takes little");
        let said = scene.take_memory().map_or_else(
            |e| format!("{} {}", e.message(), miette::Diagnostic::help(&e).expect("help")),
            |_| String::new(),
        );
        drop(scene);
        assert_eq!(budget.left(), Some(bytes), "all is given back");
        said
    }

    #[test]
    fn the_advice_is_about_what_takes_most() {
        let room = "[[goal]]\nrect = [0, 0, 1, 1]\n[[agents]]\n";
        let crowd = said(&format!("size = [20, 20]\n{room}count = 10000000\n"), 1 << 30);
        assert!(crowd.contains("10000000 people") && crowd.contains("--agents 4"), "{crowd}");
        let large = said(&format!("size = [8000, 8000]\ncell = 1\n{room}count = 5\n"), 1 << 30);
        assert!(large.contains("64000000 cells") && large.contains("larger cells"), "{large}");
        let goals: String =
            (0..100).map(|i| format!("[[goal]]\nname = \"{i}\"\nrect = [{i}, 0, {i}.5, 1]\n")).collect();
        let names: Vec<String> = (0..100).map(|i| format!("\"{i}\"")).collect();
        let far = format!("size = [1000, 1000]\ncell = 1\n{goals}[[agents]]\ncount = 5\n");
        let planned = said(&format!("{far}journey = [{}]\n", names.join(", ")), 1 << 30);
        assert!(planned.contains("100 plans"), "{planned}");
        assert_eq!(said(&format!("{far}journey = [\"7\"]\n"), 1 << 30), "", "goals that nobody heads for cost nothing");
        let wide: String = (0..200).map(|i| format!("[[goal]]\nname = \"{i}\"\nrect = [0, 0, 1000, 1000]\n")).collect();
        let wide = said(&format!("size = [1000, 1000]\ncell = 1\n{wide}"), 1 << 30);
        assert!(wide.contains("200 goals"), "{wide}");
        // Two kinds of group, and so many goals that there are no numbers for all plans.
        let hundreds: String = (0..4000).map(|i| format!("[[goal]]\nname = \"{i}\"\nrect = [0, 0, 1, 1]\n")).collect();
        let all: Vec<String> = (0..4000).map(|i| format!("\"{i}\"")).collect();
        let kinds: String = (0..17)
            .map(|k| format!("[[agents]]\ncount = 1\ntime_weight = {k}\njourney = [{}]\n", all.join(", ")))
            .collect();
        let numbered = said(&format!("size = [20, 20]\ncell = 1\n{hundreds}{kinds}"), 1 << 34);
        assert!(numbered.contains("68000 plans are too many at most 65535"), "{numbered}");
        let walls: String = (0..3000).map(|i| format!("{{ rect = [5, 5, {}, 1900] }},", 1000 + i % 900)).collect();
        let walls =
            said(&format!("size = [2000, 2000]\ncell = 1\n[map]\nwalls = [{walls}]\n{room}count = 5\n"), 1 << 30);
        assert!(walls.contains("3000 walls"), "{walls}");
    }

    #[test]
    fn reading_and_running_draw_from_one_budget() {
        // Either alone would fit.
        let long = format!("# {}\n", "x".repeat(200_000));
        let text =
            format!("{long}size = [100, 100]\ncell = 0.5\n[[goal]]\nrect = [0, 0, 1, 1]\n[[agents]]\ncount = 5\n");
        let files = Small(Budget::new(36_000_000));
        let scene = Scene::parse("s.toml", &text, &files).expect("the text fits");
        assert!(files.0.left().is_some_and(|left| left < 36_000_000), "what stays of the text is held");
        let run = scene.take_memory().expect("the run fits");
        let error = Scene::parse("s.toml", &text, &files).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(error.contains("are left"), "beside the run the text does not fit: {error}");
        drop((run, scene));
        assert_eq!(files.0.left(), Some(36_000_000));
    }
}
