//! How a crowd is drawn: everything that the window's panels and `throng render`'s options can choose.

use throng::engine::{Direction, Field};
use throng::scene::Scene;

/// What the colours of agents mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colouring {
    /// The goal it heads for.
    #[default]
    Goal,
    /// Its group.
    Group,
    /// How fast it moves, m/s.
    Speed,
    /// Persons per square metre around it.
    Density,
    /// How long it has been slower than [`SLOW`], s.
    Waiting,
    /// The state that it lives by; of those who live by none: walking, or waiting at a goal or to set out.
    State,
}

/// Slower than this is standing, m/s.
pub const SLOW: f32 = 0.1;

impl Colouring {
    /// All of them, in the order of the panel.
    pub const ALL: [Self; 6] = [Self::Goal, Self::Group, Self::Speed, Self::Density, Self::Waiting, Self::State];

    /// As it is called on the command line and in the panel.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Goal => "goal",
            Self::Group => "group",
            Self::Speed => "speed",
            Self::Density => "density",
            Self::Waiting => "waiting",
            Self::State => "state",
        }
    }

    /// What it is measured in; `None` for kinds.
    #[must_use]
    pub fn unit(self) -> Option<&'static str> {
        match self {
            Self::Speed => Some("m/s"),
            Self::Density => Some("persons/m²"),
            Self::Waiting => Some("s"),
            _ => None,
        }
    }

    /// Ends of the colour scale that suit a scene.
    #[must_use]
    pub fn limits(self, scene: &Scene) -> (f32, f32) {
        match self {
            Self::Speed => (0.0, nice(scene.reference_speed() * 1.2)),
            Self::Density => (0.0, nice(scene.model.jam_density)),
            Self::Waiting => (0.0, 30.0),
            _ => (0.0, 1.0),
        }
    }
}

/// The fields that can be laid over the floor. The first nine have the keys 1 to 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// Discomfort of the ground and of near walls.
    Discomfort,
    /// Persons per square metre.
    Density,
    /// Average velocity of the crowd.
    Velocity,
    /// Speed that can be reached in a direction.
    Speed,
    /// Cost of a metre in a direction.
    Cost,
    /// Cost of the cheapest way to a goal.
    Potential,
    /// Direction of the cheapest way to a goal.
    Gradient,
    /// How bad hazards are.
    Hazard,
    /// How high the floor is.
    Height,
    /// People in the bounded cell there.
    Occupancy,
    /// How many that cell had no place for in the last step.
    Refusals,
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
    /// All of them, in the order of their keys.
    pub const ALL: [Self; 11] = [
        Self::Discomfort,
        Self::Density,
        Self::Velocity,
        Self::Speed,
        Self::Cost,
        Self::Potential,
        Self::Gradient,
        Self::Hazard,
        Self::Height,
        Self::Occupancy,
        Self::Refusals,
    ];

    /// As it is called on the command line and in the panel.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Discomfort => "discomfort",
            Self::Density => "density",
            Self::Velocity => "velocity",
            Self::Speed => "speed",
            Self::Cost => "cost",
            Self::Potential => "potential",
            Self::Gradient => "gradient",
            Self::Hazard => "hazard",
            Self::Height => "height",
            Self::Occupancy => "occupancy",
            Self::Refusals => "refusals",
        }
    }

    /// What it shows, in a sentence.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Discomfort => {
                "Discomfort of the ground and of near walls; it adds to the cost of every second there."
            }
            Self::Density => "Persons per square metre.",
            Self::Velocity => "Average velocity of the crowd, in m/s.",
            Self::Speed => "Speed that can be reached in a direction, in m/s.",
            Self::Cost => "Cost of walking a metre in a direction.",
            Self::Potential => "Cost of the cheapest way from here to a goal.",
            Self::Gradient => "Direction of the cheapest way to a goal.",
            Self::Hazard => "How bad hazards are: 1 in the middle of one of strength 1.",
            Self::Height => "How high the floor is, in m.",
            Self::Occupancy => "People in the cell there, with a steering whose cells hold only so many.",
            Self::Refusals => "How many that cell had no place for in the last step.",
        }
    }

    /// What its numbers are measured in.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            Self::Discomfort => "discomfort",
            Self::Density => "persons/m²",
            Self::Velocity | Self::Speed => "m/s",
            Self::Cost => "cost per m",
            Self::Potential => "cost",
            Self::Gradient => "direction",
            Self::Hazard => "hazard",
            Self::Height => "m",
            Self::Occupancy => "people",
            Self::Refusals => "refusals",
        }
    }

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

    /// The engine's field.
    #[must_use]
    pub fn field(self, direction: Direction, goal: usize) -> Field {
        match self {
            Self::Discomfort => Field::Discomfort,
            Self::Density => Field::Persons,
            Self::Velocity => Field::Velocity,
            Self::Speed => Field::Speed(direction),
            Self::Cost => Field::Cost(direction),
            Self::Potential => Field::Potential(goal),
            Self::Gradient => Field::Gradient(goal),
            Self::Hazard => Field::Hazard,
            Self::Height => Field::Height,
            Self::Occupancy => Field::Occupancy,
            Self::Refusals => Field::Refusals,
        }
    }

    /// Ends of the colour scale, from the least and the greatest value that there is. They are round, so that they do not
    /// change with every step.
    #[must_use]
    pub fn limits(self, least: f32, greatest: f32) -> (f32, f32) {
        let high = nice(greatest.max(1e-3));
        let low = if self == Self::Cost { -nice(-least.min(high)) } else { 0.0 };
        (if low < high { low } else { 0.0 }, high)
    }
}

/// The next round number that is not smaller; of a negative number the next that is.
fn nice(value: f32) -> f32 {
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

/// Everything that decides what a picture looks like, besides where one looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// What agents' colours mean.
    pub colouring: Colouring,
    /// Ends of that scale; `None` for what suits the scene.
    pub colouring_limits: Option<(f32, f32)>,
    /// The field over the floor.
    pub overlay: Option<Overlay>,
    /// Of fields with a value per direction.
    pub direction: Direction,
    /// Of fields with a value per goal.
    pub goal: usize,
    /// Ends of the field's scale; `None` for what suits its values.
    pub limits: Option<(f32, f32)>,
    /// Values between the middles of cells, instead of a colour per cell.
    pub smooth: bool,
    /// Arrows over fields of vectors.
    pub arrows: bool,
    /// Opacity of the background image, 0 to 1.
    pub background: f32,
    /// Opacity of the field, 0 to 1.
    pub field: f32,
    /// Opacity of agents, 0 to 1; 0 leaves them out.
    pub agents: f32,
    /// Opacity of walls, 0 to 1.
    pub walls: f32,
    /// Opacity of goals and zones, 0 to 1.
    pub goals: f32,
    /// Opacity of the cells that each agent touches, 0 to 1; 0 leaves them out.
    pub splats: f32,
    /// Opacity of the ways that everybody has come, 0 to 1; 0 leaves them out.
    pub ribbons: f32,
    /// Opacity of the chosen agent's own map, where it steers by one, 0 to 1; 0 leaves it out.
    pub local_map: f32,
    /// Opacity of the solver's tiles, 0 to 1; 0 leaves them out.
    pub tiles: f32,
    /// Drawn size of bodies, times the real one.
    pub body: f32,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            colouring: Colouring::Goal,
            colouring_limits: None,
            overlay: None,
            direction: Direction::East,
            goal: 0,
            limits: None,
            smooth: false,
            arrows: true,
            background: 1.0,
            field: 0.85,
            agents: 1.0,
            walls: 1.0,
            goals: 0.7,
            splats: 0.0,
            ribbons: 0.0,
            local_map: 0.7,
            tiles: 0.0,
            body: 1.0,
        }
    }
}

impl Look {
    /// The engine's field that is shown.
    #[must_use]
    pub fn engine_field(&self) -> Option<Field> {
        self.overlay.map(|o| o.field(self.direction, self.goal))
    }

    /// What the field's legend is headed with.
    #[must_use]
    pub fn field_title(&self, scene: &Scene) -> String {
        let Some(overlay) = self.overlay else { return String::new() };
        if overlay.has_direction() {
            format!("{} to the {}", overlay.name(), direction_name(self.direction))
        } else if overlay.has_goal() {
            let name = scene.goals.get(self.goal).map_or("", |g| &g.name);
            match overlay {
                Overlay::Gradient => format!("way to \"{name}\""),
                _ => format!("potential of \"{name}\""),
            }
        } else {
            overlay.name().to_owned()
        }
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
