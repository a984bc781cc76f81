//! Live: who has arrived, who waits, who enters and who leaves (thesis 6.1).
//!
//! An agent has arrived when its centre is on a cell of its goal, or within its group's goal distance of its own point. Then it waits there, goes on to the next goal of its
//! journey, and after the last one parks, begins again, or enters anew. Those who enter (from a source, or again)
//! take a random free place of their entry area; while there is none they wait outside. Whoever stands where the plan
//! leads through a portal goes in, and comes out at the other end when it has walked that far and there is room. Who waits at a goal
//! has a place of its own in its area (`waiting`); who sees that walls have changed knows it (`knowing`). Some live by states instead of a journey (`states`).

pub mod cpu;
mod knowing;
mod room;
pub mod states;
pub(crate) mod waiting;

/// What happened in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Changes {
    /// Goals reached.
    pub goals_reached: u64,
    /// Journeys completed.
    pub arrived: u64,
    /// Entered the floor.
    pub entered: u64,
    /// Left for good.
    pub parked: u64,
    /// Left the floor, for good or to enter again.
    pub left: u64,
    /// Went into a portal.
    pub went_in: u64,
    /// Came out of one.
    pub came_out: u64,
}
