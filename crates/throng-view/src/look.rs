//! How a crowd is drawn: everything that the window's panels and `throng render`'s options can choose.

pub use crate::fields::{Overlay, Shade, direction_name};

use crate::fields::nice;
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

/// Opacity of agents over a field, so that it can be read under them.
pub const FADED: f32 = 0.3;
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
    /// In three dimensions, made like this; `None` from above.
    pub space: Option<crate::space::Settings>,
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
            field: 1.0,
            agents: 1.0,
            walls: 1.0,
            goals: 0.7,
            splats: 0.0,
            ribbons: 0.0,
            local_map: 0.7,
            tiles: 0.0,
            body: 1.0,
            space: None,
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
        self.overlay.map_or_else(String::new, |overlay| overlay.title(scene, self.direction, self.goal))
    }
}
