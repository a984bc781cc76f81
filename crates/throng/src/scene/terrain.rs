//! `[terrain]`: how high the floor is, and what slopes do to those who walk; and `[[weights]]`: how much the parts of a
//! cost count in places. What follows for cells is in `world/terrain.rs`.

use super::parameters::choices;
use crate::geometry::Shape;
use glam::Vec2;

/// Hills that a scene may have.
pub(crate) const MOST_HILLS: usize = 4096;

/// The steepest slope that is a way, where the scene does not say.
pub const STEEPEST: f32 = 1.0;

choices! {
    /// How a slope changes the speed of those who walk.
    pub enum SlopeLaw {
        /// Tobler's hiking function, 1 on the flat: exp(−3.5·|s + 0.05|) / exp(−3.5·0.05) for the slope s along the way.
        Tobler = "tobler",
        /// It does not.
        Nothing = "none",
    }
}

/// Tobler's two numbers: how sharply speed falls, and the slope down that is fastest.
const SHARPNESS: f32 = 3.5;
const FASTEST: f32 = 0.05;

impl SlopeLaw {
    /// Factor on the speed of somebody who walks up a slope (down below 0), in metres up for a metre on.
    #[must_use]
    #[inline]
    pub fn factor(self, slope: f32) -> f32 {
        match self {
            Self::Tobler => (SHARPNESS * (FASTEST - (slope + FASTEST).abs())).exp(),
            Self::Nothing => 1.0,
        }
    }

    /// The greatest factor of any slope.
    #[must_use]
    pub fn most(self) -> f32 {
        self.factor(-FASTEST)
    }
}

/// A smooth bump: `height·(1 − (d / radius)²)²` at a distance d from its middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hill {
    /// Its middle, m.
    pub at: Vec2,
    /// Where it ends, m.
    pub radius: f32,
    /// How high it is in the middle, m; below 0 it is a hollow.
    pub height: f32,
}

impl Hill {
    /// How high it is somewhere, m.
    #[must_use]
    pub fn height_at(&self, p: Vec2) -> f32 {
        let rest = (1.0 - p.distance_squared(self.at) / (self.radius * self.radius)).max(0.0);
        self.height * rest * rest
    }
}

/// Heights from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightMap {
    /// Name of the file.
    pub name: String,
    /// Of an image, what black and white are, m; an array has metres itself.
    pub range: Option<[f32; 2]>,
    /// Height of the middle of each cell, m, south row first.
    pub cells: Vec<f32>,
}

/// How high the floor is.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    /// From a file.
    pub heights: Option<HeightMap>,
    /// Added to it.
    pub hills: Vec<Hill>,
    /// What slopes do.
    pub law: SlopeLaw,
    /// Steeper than this is no way, in metres up for a metre on.
    pub steepest: f32,
}

impl Default for Terrain {
    fn default() -> Self {
        Self { heights: None, hills: Vec::new(), law: SlopeLaw::default(), steepest: STEEPEST }
    }
}

impl Terrain {
    /// Whether all of it is level.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        self.heights.is_none() && self.hills.is_empty()
    }

    /// The greatest factor that a slope puts on anybody's speed.
    pub(crate) fn top_factor(&self) -> f32 {
        if self.is_flat() { 1.0 } else { self.law.most() }
    }
}

/// A place where the parts of the cost of `plan = "froblins"` count more or less than elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalWeights {
    /// Where.
    pub shape: Shape,
    /// Factors on the weights of terrain, density and hazards; where places overlap they multiply.
    pub factors: [f32; 3],
}
