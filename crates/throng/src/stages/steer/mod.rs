//! Steer, in two parts. [`guide`]: what the plan tells each agent, direction, speed and turn, and at [`doors`] something else. *Avoid*: what velocity it wants,
//! given that and whoever and whatever is around; each steering does this in its own way, and is a folder here and a line in
//! the table below.
//!
//! In both parts nobody's input is overwritten while others read it: `guide` and `avoid` read the columns as the step found
//! them and write columns of their own ([`Guidance`], [`Wanted`]); `move` then takes [`Wanted`] over. Everybody on the floor
//! is in the bins, exactly where it stands.

pub mod bvp;
pub mod doors;
pub mod flee;
pub mod follow;
pub mod guide;
pub mod keep_distance;
pub mod orca;
pub mod patience;
pub mod social_force;
pub mod turn;
pub mod velocity_obstacle;
pub mod walk;

use crate::scene::parameters::{choices, parameters};
use crate::scene::{Group, Model};
use crate::stages::bin::Bins;
use crate::stages::gradient::Directions;
use crate::world::agents::{Agents, ModelColumn, OwnColumn};
use crate::world::grid::Grid;
use crate::world::routes::Routes;
use crate::world::walls::Walls;
use bytemuck::{Pod, Zeroable};
use glam::Vec2;
use social_force::cells::{Bound, Cells};

/// What the plan tells an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Guidance {
    /// Which way, at length 1; zero for those who stand or have nowhere to go.
    pub direction: Vec2,
    /// How fast, m/s.
    pub speed: f32,
    /// How fast to turn, rad/s.
    pub turn: f32,
}

/// What an agent wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Wanted {
    /// Velocity, m/s.
    pub velocity: Vec2,
    /// Where to face from now on; of length 1.
    pub heading: Vec2,
}

/// What a steering may look at: the crowd and the world as the step found them.
#[derive(Clone, Copy, Debug)]
pub struct Crowd<'a> {
    /// The raster.
    pub grid: &'a Grid,
    /// Walls.
    pub walls: &'a Walls,
    /// Everybody's columns, but for the models' own.
    pub agents: &'a Agents,
    /// Where each cell's agents are.
    pub bins: &'a Bins,
    /// What the plan tells each.
    pub guide: &'a [Guidance],
    /// Who is in which cell, for a steering whose cells hold only so many.
    pub cells: Option<&'a Cells>,
    /// Which way every route leads from every cell, and which of them somebody takes.
    pub ways: (&'a Directions, &'a Routes),
    /// Who walks.
    pub groups: &'a [Group],
    /// The model's parameters.
    pub model: &'a Model,
    /// The largest radius, m.
    pub widest: f32,
    /// Time step, s.
    pub dt: f32,
    /// Seed.
    pub seed: u32,
    /// The number of this step.
    pub step: u32,
}

impl Crowd<'_> {
    /// Calls `f` with the place in the columns of everybody on the floor whose cell is within `reach` metres of a point,
    /// in an order that depends on nothing but the crowd.
    pub fn for_near(&self, p: Vec2, reach: f32, mut f: impl FnMut(usize)) {
        let (x0, y0) = self.grid.coords(p - reach);
        let (x1, y1) = self.grid.coords(p + reach);
        for y in y0..=y1 {
            self.bins.run(self.grid, y, x0, x1).for_each(&mut f);
        }
    }
}

/// Writes what everybody on the floor wants. A model's own columns are there to be read and written, each agent its own.
pub type Avoid = fn(Crowd<'_>, &mut [OwnColumn], &mut [Wanted]);

/// Which speed `guide` tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// What the fields of density and flow allow there: the plan's own view of the crowd.
    Field,
    /// The agent's preferred speed in that zone: the steering looks at the crowd itself.
    Free,
}

/// A steering: what its folder tells the engines.
#[derive(Clone, Copy, Debug)]
pub struct Steering {
    /// Columns that only it needs.
    pub columns: &'static [ModelColumn],
    /// Which speed the plan tells.
    pub pace: Pace,
    /// Whether of two who touch the one behind gives way more than the one ahead.
    pub yields: bool,
    /// People get through a jam at this speed, m/s: the planner expects no less of them.
    pub least_speed: f32,
    /// Its cells, if they hold only so many: who is in which is found out before its second part, and who has to stay out after everybody has moved.
    pub bounded: Option<fn(&Model) -> Bound>,
    /// Its second part on the CPU.
    pub avoid: Avoid,
    /// The shader of its second part.
    pub shader: &'static str,
    /// The name of the shader's kernel.
    pub kernel: &'static str,
    /// Threads of a workgroup.
    pub threads: u32,
    /// Agents that a workgroup takes care of.
    pub agents_a_group: u32,
}

macro_rules! steerings {
    ($($(#[doc = $doc:literal])+ $id:ident = $name:literal in $folder:ident $(with $parameters:ident)?,)*) => {
        $($(use $folder::$parameters;)?)*

        choices! {
            /// How agents steer.
            pub enum Steer { $($(#[doc = $doc])+ $id = $name,)* }
        }

        parameters! {
            /// The parameters of all steerings.
            pub struct SteeringParameters {}
            parts { $($($folder: $parameters as $name;)?)* }
        }

        impl Steer {
            /// What its folder says.
            #[must_use]
            pub const fn steering(self) -> &'static Steering {
                match self { $(Self::$id => &$folder::STEERING,)* }
            }
        }
    };
}

// The table of steerings: one line each.
steerings! {
    /// See others and walls: keep a distance, pass on one side, give way.
    Walk = "walk" in walk with Walk,
    /// Do what the plan tells, and avoid nobody (thesis 6.2).
    Follow = "follow" in follow,
    /// Keep a distance to whoever is ahead.
    KeepDistance = "keep-distance" in keep_distance with KeepDistance,
    /// Of a few directions, take the one in which nothing is hit for longest (Froblins 3.2.2).
    VelocityObstacle = "velocity-obstacle" in velocity_obstacle with VelocityObstacle,
    /// Share the work of avoiding each other (optimal reciprocal collision avoidance).
    Orca = "orca" in orca with Orca,
    /// Let people, walls and crowded cells push, in cells that hold only so many (Wockenfuss and Lürig).
    SocialForce = "social-force" in social_force with SocialForce,
    /// Each walks its own way: a map around everybody, relaxed anew in every step (boundary-value planner).
    Bvp = "bvp" in bvp with Bvp,
}
