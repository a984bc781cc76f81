//! Memory: what reading a scene may take, asked before each large part is made, since a small file can name a lot of it; and what a run
//! of it needs.

use super::Scene;
use crate::world::routes::Routes;
use std::cell::Cell;

/// How much there is, and how much of it has been given away.
#[derive(Debug, Default)]
pub(super) struct Budget {
    most: Option<u64>,
    given: Cell<u64>,
}

impl Budget {
    /// So many bytes; without a number as many as anybody asks for.
    pub(super) fn new(most: Option<u64>) -> Self {
        Self { most, given: Cell::new(0) }
    }

    /// Gives away so many bytes for good, or says in words that there are not enough.
    pub(super) fn ask(&self, bytes: u64) -> Result<(), String> {
        let left = self.most.map(|most| most.saturating_sub(self.given.get()));
        if let Some(left) = left.filter(|left| *left < bytes) {
            return Err(format!("it needs about {} of memory, and {} are left", amount(bytes), amount(left)));
        }
        self.given.set(self.given.get().saturating_add(bytes));
        Ok(())
    }
}

/// Bytes in words.
fn amount(bytes: u64) -> String {
    if bytes < 10_000_000_000 {
        format!("{} MB", bytes.div_ceil(1_000_000))
    } else {
        format!("{} GB", bytes / 1_000_000_000)
    }
}

/// About how many bytes a run on the CPU needs, and what for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryNeeds {
    /// What has a value per cell.
    pub cells: u64,
    /// What has a value per cell and plan: how far it is, and which way.
    pub plans: u64,
    /// How many plans these are.
    pub routes: u64,
    /// Everybody, also those who have yet to come.
    pub people: u64,
}

impl MemoryNeeds {
    /// All of it.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.cells + self.plans + self.people
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
        // other kind of weights, bodies and knowledge. Per route and cell: potential, direction, queue. Per agent: columns twice,
        // bodies, lists.
        let cells = self.grid.len() as u64;
        let routes = Routes::new(&self.groups, self.goals.len(), &self.model);
        let (kinds, routes) = (routes.weights().len() as u64, routes.len() as u64);
        MemoryNeeds {
            cells: cells * (104 + 16 * kinds) + 1_000_000,
            plans: cells * 14 * routes,
            routes,
            people: self.agent_count() * 240,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_away_is_not_there_any_more() {
        let budget = Budget::new(Some(100_000_000));
        assert_eq!(budget.ask(60_000_000), Ok(()));
        assert_eq!(budget.ask(50_000_000), Err("it needs about 50 MB of memory, and 40 MB are left".into()));
        assert_eq!(budget.ask(40_000_000), Ok(()));
        assert_eq!(Budget::new(None).ask(u64::MAX), Ok(()));
    }
}
