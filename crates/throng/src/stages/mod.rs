//! The stages of a step, one folder each: what it means (`mod.rs`), its CPU twin (`cpu.rs`) and its shader beside them.
//! Stages know fields and columns, never an engine.

pub mod bin;
pub mod cost;
pub mod flow;
pub mod gradient;
pub mod live;
pub mod motion;
pub mod potential;
pub mod separate;
pub mod speed;
pub mod splat;
pub mod steer;

/// Makes the enum of stages, in the order of a step, with the names that reports use.
macro_rules! stages {
    ($($(#[$doc:meta])* $id:ident $name:literal,)*) => {
        /// A stage of a step. Their order here is the order of a step, on every engine.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Stage { $($(#[$doc])* $id,)* }

        impl Stage {
            /// All stages, in the order of a step.
            pub const ALL: [Self; COUNT] = [$(Self::$id,)*];

            /// What reports, options and files call it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$id => $name,)* }
            }
        }

        /// How many stages a step has.
        pub const COUNT: usize = [$($name,)*].len();

        /// The names of the stages, in the order of a step.
        pub const NAMES: [&str; COUNT] = [$($name,)*];
    };
}

stages! {
    /// Agents are sorted by cell: everything after it finds everybody on the floor in the bins.
    Bin "bin",
    /// Each agent's body and momentum is added to the cells around it.
    Splat "splat",
    /// Density and average velocity of each cell.
    Flow "flow",
    /// How fast one can walk from each cell to its neighbours.
    Speed "speed",
    /// What it costs.
    Cost "cost",
    /// The least cost of the way to each goal.
    Potential "potential",
    /// Which way to walk, for each goal.
    Gradient "gradient",
    /// What the plan tells each agent: direction, speed, turn.
    Guide "guide",
    /// What velocity each agent wants, given its neighbours and walls.
    Avoid "avoid",
    /// Agents go there, and slide along walls.
    Move "move",
    /// Bodies that overlap are pushed apart.
    Separate "separate",
    /// What the step was like.
    Measure "measure",
    /// Arrivals, waits, entries, parking.
    Live "live",
}

impl Stage {
    /// Its place in a step, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The stage that reports call so.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_numbered_in_their_order_and_found_by_name() {
        for (i, stage) in Stage::ALL.into_iter().enumerate() {
            assert_eq!((stage.index(), stage.name(), Stage::named(stage.name())), (i, NAMES[i], Some(stage)));
        }
        assert_eq!(Stage::named("steer"), None);
    }
}
