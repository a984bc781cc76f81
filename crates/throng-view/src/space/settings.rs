//! What can be chosen about a picture in three dimensions.

use super::viewpoint::{TOWARDS, Viewpoint};

/// What agents and ground are coloured by, instead of what they mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tint {
    /// As they are.
    #[default]
    None,
    /// Agents by level of detail.
    Detail,
    /// Everything by the shadow map that it looks into.
    Cascade,
}

impl Tint {
    /// All of them, in the order of the panel.
    pub const ALL: [Self; 3] = [Self::None, Self::Detail, Self::Cascade];

    /// As it is called in the panel and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Detail => "detail",
            Self::Cascade => "cascade",
        }
    }
}

/// When the full meshes of those who are near are skinned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Skinning {
    /// Once a frame; the picture and all shadow maps share it.
    #[default]
    Shared,
    /// Each time that one is drawn.
    Each,
}

/// How skinned vertices are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Vertices {
    /// In 16 bytes.
    #[default]
    Packed,
    /// In 16 bytes, as the paper has it.
    Paper,
    /// As floats, in 48 bytes.
    Plain,
}

impl Vertices {
    /// Bytes of one.
    pub(crate) fn bytes(self) -> u64 {
        match self {
            Self::Packed | Self::Paper => 16,
            Self::Plain => 48,
        }
    }
}

/// How a picture in three dimensions is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Where one looks from; `None` for what shows the scene well.
    pub viewpoint: Option<Viewpoint>,
    /// Which way one looks at what the picture is aimed at, from north to the east, and how far down, radians.
    pub towards: (f32, f32),
    /// Leave out who is beside the picture.
    pub frustum: bool,
    /// Leave out who is behind ground or buildings.
    pub occlusion: bool,
    /// Whether agents and walls cast shadows.
    pub shadows: bool,
    /// Everybody in one level of detail, whatever the budget: 0 close-ups, 1 full meshes, … 6 the farthest.
    pub pinned: Option<u32>,
    /// Edges of close-ups are cut into so many pieces at most: 1, 2, 4, 8 or 16.
    pub finest: u32,
    /// When those who are near are skinned.
    pub skinning: Skinning,
    /// How skinned vertices are kept.
    pub vertices: Vertices,
    /// Triangles of agents a frame at most, those in shadow maps counted in.
    pub budget: u32,
    /// What colours mean instead.
    pub tint: Tint,
    /// Edges of agents' triangles instead of their faces.
    pub wireframe: bool,
    /// How high walls are, m.
    pub walls: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            viewpoint: None,
            towards: TOWARDS,
            frustum: true,
            occlusion: true,
            shadows: true,
            pinned: None,
            finest: 16,
            skinning: Skinning::default(),
            vertices: Vertices::default(),
            budget: 8_000_000,
            tint: Tint::None,
            wireframe: false,
            walls: 2.5,
        }
    }
}
