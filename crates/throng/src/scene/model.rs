//! `[model]`: how the crowd is modelled. The table of its numbers and choices is below; a steering or planning model's own
//! are in its own folder, and a line in `parts` makes them a sub-table.

use super::parameters::{Contradiction, Parameters, choices, parameters};
use crate::stages::cost::froblins::{Froblins, GradientBy};
use crate::stages::potential::{Scheme, Solver};
use crate::stages::separate::Search;
use crate::stages::speed::SpeedLaw;
use crate::stages::steer::{Steer, SteeringParameters};
use crate::world::agents::ModelColumn;

choices! {
    /// How the crowd plans.
    pub enum Plan {
        /// Costs follow the crowd; potentials are solved in every step.
        Continuum = "continuum",
        /// Costs without direction, of terrain, crowd and hazards; solved in every step.
        Froblins = "froblins",
        /// Costs of the empty floor; solved once, and again when walls, zones, goals or the model change.
        Static = "static",
        /// Ways that keep away from walls: the descent of a harmonic function. Solved once, as static plans are.
        Harmonic = "harmonic",
    }
}

parameters! {
    /// How the crowd is modelled.
    pub struct Model {
        /// How ways are planned.
        plan: Plan;
        /// In how many steps a plan that follows the crowd is made anew. Its solve is spread over them. Static plans follow nobody.
        plan_every: u32 = 1, "steps", 1..=1000, slider 1..=25;
        /// How agents steer.
        steer: Steer;
        /// How the potential of a cell follows from its neighbours'.
        scheme: Scheme;
        /// How the GPU engine orders the tiles that it solves. The CPU engine always marches in order.
        solver: Solver;
        /// How the speed that the planner expects depends on the crowd.
        speed_law: SpeedLaw;
        /// Cost of every metre. Large: people take short ways and wait in queues.
        length_weight: f32 = 1.0, "per m", 0.0..=1e4, slider 0.0..=10.0;
        /// Cost of every second. Large: people walk round congestion.
        time_weight: f32 = 1.0, "per s", 0.0..=1e4, slider 0.0..=10.0;
        /// Cost of every second in discomfort 1. Large: people avoid uncomfortable ground and walls.
        discomfort_weight: f32 = 1.0, "per s", 0.0..=1e4, slider 0.0..=20.0;
        /// Walls nearer than this are uncomfortable.
        clearance: f32 = 0.5, "m", 0.0..=100.0, slider 0.0..=5.0;
        /// Discomfort right at a wall; it falls to none within the clearance.
        clearance_discomfort: f32 = 0.5, "", 0.0..=100.0, slider 0.0..=5.0;
        /// Discomfort in the middle of a hazard of strength 1; it falls to none where nobody flees any more.
        hazard_discomfort: f32 = 20.0, "", 0.0..=1e4, slider 0.0..=50.0, only with plan = "continuum";
        /// How much faster people flee from a hazard than they walk.
        flee_speed: f32 = 1.5, "", 0.1..=5.0, slider 0.5..=3.0;
        /// How much more a metre costs around a goal for every person/m² in it. Above 0: people spread over several goals.
        goal_crowding: f32 = 0.0, "per m", 0.0..=1e4, slider 0.0..=20.0;
        /// Body that counts as one person in the speed law.
        person_radius: f32 = 0.2, "m", 0.01..=100.0, slider 0.05..=1.0, only with speed_law = "weidmann";
        /// Where walking speed falls to none.
        jam_density: f32 = 5.4, "persons/m²", 0.1..=100.0, slider 0.5..=12.0, only with speed_law = "weidmann";
        /// How much slower people expect to be against a dense stream than with it. 0: no lanes form.
        flow_weight: f32 = 0.8, "", 0.0..=1.0, slider 0.0..=1.0, only with speed_law = "weidmann";
        /// The planner never expects less, however dense it is.
        min_speed: f32 = 0.05, "m/s", 0.001..=10.0, slider 0.001..=0.5;
        /// Below this density everybody walks freely. It is the planner's: 4/3 of the share of floor that bodies cover.
        density_min: f32 = 0.5, "", 0.0..=10.0, slider 0.0..=2.0, only with speed_law = "thesis";
        /// Above this density everybody goes with the stream. It is the planner's too.
        density_max: f32 = 0.8, "", 0.0..=10.0, slider 0.01..=4.0, only with speed_law = "thesis";
        /// How separation finds the bodies near each, always with the same result.
        neighbours: Search;
        /// Rounds in every step that push overlapping bodies apart. 0: bodies may pass through each other.
        separation_rounds: u32 = 3, "", 0..=100, slider 0..=10;
    }
    parts {
        froblins: Froblins as "froblins";
    }
    flattens {
        steering: SteeringParameters;
    }
    refuses contradiction;
}

/// What a way costs, besides what walls and crowds add to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Of a metre.
    pub length: f32,
    /// Of a second.
    pub time: f32,
    /// Of a second in discomfort 1.
    pub discomfort: f32,
}

/// Weights that a group has of its own; where there are none the model's count.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct OwnWeights {
    /// Of a metre.
    pub length: Option<f32>,
    /// Of a second.
    pub time: Option<f32>,
    /// Of a second in discomfort 1.
    pub discomfort: Option<f32>,
}

impl Weights {
    /// Whether a way costs anything at all: without that every way would cost the same.
    #[must_use]
    pub fn are_something(&self) -> bool {
        self.length + self.time >= 1e-6
    }
}

impl Plan {
    /// Whether it follows what happens on the floor.
    #[must_use]
    pub fn follows_crowd(self) -> bool {
        !matches!(self, Self::Static | Self::Harmonic)
    }
}

impl Model {
    /// What a way costs a group that has some weights of its own.
    #[must_use]
    pub fn weights_with(&self, own: OwnWeights) -> Weights {
        let all = self.weights();
        Weights {
            length: own.length.unwrap_or(all.length),
            time: own.time.unwrap_or(all.time),
            discomfort: own.discomfort.unwrap_or(all.discomfort),
        }
    }

    /// What ways through portals and gates are weighed by: the weights, or for a cost without direction what comes to the same at
    /// a speed of `reference` m/s.
    #[must_use]
    pub fn way_weights(&self, weights: Weights, reference: f32) -> Weights {
        if self.plan == Plan::Froblins {
            let metre = self.froblins.terrain_weight.max(self.froblins.least_cost);
            Weights { length: 0.0, time: metre * reference.max(1e-3), ..weights }
        } else {
            weights
        }
    }

    /// How directions follow from potentials.
    #[must_use]
    pub fn gradient_by(&self) -> GradientBy {
        if self.plan == Plan::Froblins { self.froblins.gradient } else { GradientBy::Upwind }
    }

    /// The parameters of the chosen steering, if it has any.
    #[must_use]
    pub fn steering_part(&self) -> Option<&dyn Parameters> {
        let word = self.chosen("steer")?;
        self.steering.parts().into_iter().find(|(name, _)| *name == word).map(|(_, part)| part)
    }

    /// The columns that the chosen models need of their own.
    #[must_use]
    pub fn columns(&self) -> Vec<&'static ModelColumn> {
        self.steer.steering().columns.iter().collect()
    }

    /// The three weights of a way.
    #[must_use]
    pub fn weights(&self) -> Weights {
        Weights { length: self.length_weight, time: self.time_weight, discomfort: self.discomfort_weight }
    }
}

fn contradiction(model: &Model) -> Option<Contradiction> {
    if !model.weights().are_something() {
        return Some(Contradiction {
            key: "length_weight",
            message: "length_weight and time_weight are next to nothing: every way would cost the same".into(),
            help: "give at least one of them a value of 0.000001 or more".into(),
        });
    }
    (model.density_max <= model.density_min).then(|| Contradiction {
        key: "density_max",
        message: format!("density_max {} is not above density_min {}", model.density_max, model.density_min),
        help: "the thesis takes 0.5 and 0.8".into(),
    })
}
