//! The fields of a run as people see them: one table for the window, for pictures, for maps and for the command line.

use throng::engine::{Direction, Field, Values};
use throng::scene::Scene;
use throng::stages::potential::UNREACHED;

macro_rules! overlays {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $unit:literal, $meaning:literal;)*) => {
        /// The fields that can be laid over the floor. The first nine have the keys 1 to 9.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Overlay {
            $($(#[$doc])* $variant,)*
        }

        impl Overlay {
            /// All of them, in the order of their keys.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// As it is called on the command line and in the panel.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What its numbers are measured in.
            #[must_use]
            pub fn unit(self) -> &'static str {
                match self { $(Self::$variant => $unit,)* }
            }

            /// What it shows, in a sentence.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }
        }
    };
}

overlays! {
    /// Discomfort of the ground and of near walls.
    Discomfort = "discomfort", "discomfort",
        "Discomfort of the ground and of near walls; it adds to the cost of every second there.";
    /// Persons per square metre, counted over a metre.
    Density = "density", "persons/m²",
        "Persons per square metre over a metre: whole persons in the square of at least 1 m² around each cell.";
    /// Average velocity of the crowd.
    Velocity = "velocity", "m/s",
        "Average velocity of the crowd, in m/s.";
    /// Speed that can be reached in a direction.
    Speed = "speed", "m/s",
        "Speed that can be reached in a direction, in m/s.";
    /// Cost of a metre in a direction.
    Cost = "cost", "cost per m",
        "Cost of walking a metre in a direction.";
    /// Cost of the cheapest way to a goal.
    Potential = "potential", "cost",
        "Cost of the cheapest way from here to a goal.";
    /// Direction of the cheapest way to a goal.
    Gradient = "gradient", "direction",
        "Direction of the cheapest way to a goal.";
    /// How bad hazards are.
    Hazard = "hazard", "hazard",
        "How bad hazards are: 1 in the middle of one of strength 1.";
    /// How high the floor is.
    Height = "height", "m",
        "How high the floor is, in m.";
    /// People in the bounded cell there.
    Occupancy = "occupancy", "people",
        "People in the cell there, with a steering whose cells hold only so many.";
    /// How many that cell had no place for in the last step.
    Refusals = "refusals", "refusals",
        "How many that cell had no place for in the last step.";
    /// The greatest density so far.
    PeakDensity = "peak-density", "persons/m²",
        "The most persons per square metre over a metre so far; in the window since it was first shown.";
    /// Person-seconds per square metre so far.
    Use = "use", "person·s/m²",
        "Seconds that people spent there, per square metre; in the window since it was first shown.";
    /// How steep the floor is.
    Slope = "slope", "m/m",
        "How steep the floor is, in metres up for a metre on.";
    /// The planner's density.
    PlannerDensity = "planner-density", "share of floor × 4/3",
        "The planner's density: 4/3 of the share of floor that bodies cover.";
    /// Persons as the planner's cells have them.
    Persons = "persons", "persons/m²",
        "Persons per square metre as the planner's cells have them: each is spread over the cells that its body touches.";
}

/// How the values of a field become colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shade {
    /// A number by a scale.
    Amount,
    /// The length of a vector by a scale.
    Length,
    /// The direction of a vector by a wheel.
    Wheel,
}

impl Overlay {
    /// How its values become colours.
    #[must_use]
    pub fn shade(self) -> Shade {
        match self {
            Self::Velocity => Shade::Length,
            Self::Gradient => Shade::Wheel,
            _ => Shade::Amount,
        }
    }

    /// Whether it has a value per direction.
    #[must_use]
    pub fn has_direction(self) -> bool {
        matches!(self, Self::Speed | Self::Cost)
    }

    /// Whether it has a value per goal.
    #[must_use]
    pub fn has_goal(self) -> bool {
        matches!(self, Self::Potential | Self::Gradient)
    }

    /// Whether it is about all of the run so far, and is there only where the engine keeps maps.
    #[must_use]
    pub fn is_kept(self) -> bool {
        matches!(self, Self::PeakDensity | Self::Use)
    }

    /// The engine's field.
    #[must_use]
    pub fn field(self, direction: Direction, goal: usize) -> Field {
        match self {
            Self::Discomfort => Field::Discomfort,
            Self::Density => Field::LocalDensity,
            Self::Velocity => Field::Velocity,
            Self::Speed => Field::Speed(direction),
            Self::Cost => Field::Cost(direction),
            Self::Potential => Field::Potential(goal),
            Self::Gradient => Field::Gradient(goal),
            Self::Hazard => Field::Hazard,
            Self::Height => Field::Height,
            Self::Occupancy => Field::Occupancy,
            Self::Refusals => Field::Refusals,
            Self::PeakDensity => Field::PeakDensity,
            Self::Use => Field::Use,
            Self::Slope => Field::Slope,
            Self::PlannerDensity => Field::Density,
            Self::Persons => Field::Persons,
        }
    }

    /// What it is called over a legend.
    #[must_use]
    pub fn title(self, scene: &Scene, direction: Direction, goal: usize) -> String {
        let goal = scene.goals.get(goal).map_or("", |g| &g.name);
        match self {
            Self::Speed | Self::Cost => format!("{} to the {}", self.name(), direction_name(direction)),
            Self::Potential => format!("potential of \"{goal}\""),
            Self::Gradient => format!("way to \"{goal}\""),
            Self::PeakDensity => "peak density".to_owned(),
            Self::PlannerDensity => "planner's density".to_owned(),
            Self::Persons => "persons spread over cells".to_owned(),
            _ => self.name().to_owned(),
        }
    }

    /// Ends of the colour scale, from the least and the greatest value that there is. They are round, so that they do not
    /// change with every step.
    #[must_use]
    pub fn limits(self, least: f32, greatest: f32) -> (f32, f32) {
        let high = nice(greatest.max(1e-3));
        // A scale begins at nothing, unless nothing means nothing: heights are above whatever level, and no metre costs nothing.
        let low = if matches!(self, Self::Cost | Self::Height) { 0.0 - nice(-least.min(high)) } else { 0.0 };
        (if low < high { low } else { 0.0 }, high)
    }

    /// Ends of the colour scale for all values of a field, but for those of cells that are `left_out`.
    #[must_use]
    pub fn limits_of(self, values: &Values, left_out: &[bool]) -> (f32, f32) {
        let amount = |v: &[f32; 2]| v[0].hypot(v[1]);
        let all: Vec<f32> = match values {
            Values::Scalar(list) => list.clone(),
            Values::Vector(list) => list.iter().map(amount).collect(),
        };
        let open = |&(cell, v): &(usize, &f32)| v.is_finite() && *v < UNREACHED && left_out.get(cell) != Some(&true);
        let mut open: Vec<f32> = all.iter().enumerate().filter(open).map(|(_, v)| *v).collect();
        if self == Self::Use {
            // Few cells where somebody waited long would leave all others dark: the scale ends where 99 % of the used cells do.
            open.retain(|v| *v > 0.0);
            open.sort_unstable_by(f32::total_cmp);
            return self.limits(
                0.0,
                if open.len() > 100 { open[open.len() * 99 / 100] } else { open.last().copied().unwrap_or(0.0) },
            );
        }
        let (least, greatest) = open.iter().fold((f32::INFINITY, 0.0f32), |(a, b), v| (a.min(*v), b.max(*v)));
        self.limits(least.min(greatest), greatest)
    }
}

/// The next round number that is not smaller; of a negative number the next that is.
pub(crate) fn nice(value: f32) -> f32 {
    if value.abs() < 1e-20 || !value.is_finite() {
        return 0.0;
    }
    const STEPS: [f32; 9] = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0];
    let size = value.abs();
    let ten = 10f32.powi(size.log10().floor() as i32);
    if value > 0.0 {
        STEPS.iter().map(|s| s * ten).find(|&v| v >= size * 0.999_99).unwrap_or(10.0 * ten)
    } else {
        -STEPS.iter().rev().map(|s| s * ten).find(|&v| v <= size * 1.000_01).unwrap_or(ten)
    }
}

/// A direction in a word.
#[must_use]
pub fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::North => "north",
        Direction::East => "east",
        Direction::South => "south",
        Direction::West => "west",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_round_and_hold_every_value() {
        for (least, greatest) in [(0.0, 1.0), (0.3, 7.3), (2.1, 2.2), (0.0, 1e-9), (1.0, 98765.0)] {
            for overlay in Overlay::ALL {
                let (low, high) = overlay.limits(least, greatest);
                assert!(
                    low <= least && high >= greatest * 0.999 && low < high,
                    "{overlay:?} {least} {greatest}: {low} {high}"
                );
            }
        }
        assert_eq!(nice(5.4), 6.0);
        assert_eq!(nice(-2.1), -2.0);
        assert_eq!(nice(10.0), 10.0);
    }
}
