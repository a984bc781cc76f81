//! Pictures in three dimensions.

use crate::look;
use clap::{Args, ValueEnum};
use throng_view::space::{Settings, Skinning, Tint, Vertices};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TintName {
    /// People by their level of detail, from red (finest) to blue.
    Detail,
    /// Everything by the shadow map that it looks into.
    Cascade,
}

/// What may be left out, to see what it is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Without {
    /// Draw people beside the picture and behind things, too.
    Culling,
    /// Nobody casts a shadow.
    Shadows,
    /// Cut nobody into finer triangles.
    CloseUps,
    /// Skin those who are near wherever they are drawn, not once a frame.
    SharedSkinning,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum VerticesName {
    /// In 16 bytes.
    Packed,
    /// In 16 bytes, as "March of the Froblins" packs them.
    Paper,
    /// As floats, in 48 bytes.
    Plain,
}

/// Levels of detail, by what is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LevelName {
    /// The full mesh, cut and displaced.
    CloseUp,
    /// The full mesh, 6,514 triangles.
    Full,
    /// 934 triangles.
    #[value(name = "934")]
    Reduced1,
    /// 152 triangles.
    #[value(name = "152")]
    Reduced2,
    /// 52 triangles.
    #[value(name = "52")]
    Reduced3,
    /// Pictures of people.
    Impostor,
    /// Sums per pixel.
    Far,
}

/// What is drawn in three dimensions, and from where: for pictures, films and the window.
#[derive(Debug, Args, Clone)]
pub(crate) struct SpaceArgs {
    /// Draw the world in three dimensions: ground, walls and people in sunlight. --centre, --zoom, --view and --follow
    /// choose what is in the middle and how near it is; fields and goals lie on the ground.
    #[arg(long = "3d", help_heading = "Three dimensions")]
    pub(crate) deep: bool,
    /// Look this way, degrees from north to the east; 7 if not given.
    #[arg(
        long,
        value_name = "DEGREES",
        requires = "deep",
        value_parser = look::turn,
        allow_negative_numbers = true,
        help_heading = "Three dimensions"
    )]
    pub(crate) turn: Option<f32>,
    /// Look down by so many degrees, 2 to 88; 30 if not given.
    #[arg(
        long,
        value_name = "DEGREES",
        requires = "deep",
        value_parser = look::tilt,
        allow_negative_numbers = true,
        help_heading = "Three dimensions"
    )]
    pub(crate) tilt: Option<f32>,
    /// Colour people by level of detail, or everything by shadow map.
    #[arg(long, value_enum, value_name = "BY", requires = "deep", help_heading = "Three dimensions")]
    pub(crate) tint: Option<TintName>,
    /// Draw people with this many triangles at most, shadows counted in; 8000000 if not given.
    #[arg(
        long,
        value_name = "N",
        requires = "deep",
        value_parser = clap::value_parser!(u32).range(1000..=1_000_000_000),
        help_heading = "Three dimensions"
    )]
    pub(crate) triangles: Option<u32>,
    /// Draw everybody at one level of detail, whatever it costs.
    #[arg(long, value_enum, value_name = "LEVEL", requires = "deep", help_heading = "Three dimensions")]
    pub(crate) detail: Option<LevelName>,
    /// Draw edges of people's triangles instead of their faces.
    #[arg(long, requires = "deep", help_heading = "Three dimensions")]
    pub(crate) edges: bool,
    /// Leave something out, to see what it is worth.
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        value_delimiter = ',',
        requires = "deep",
        help_heading = "Three dimensions"
    )]
    pub(crate) without: Vec<Without>,
    /// How skinned vertices are kept, to compare.
    #[arg(long, value_enum, value_name = "LAYOUT", requires = "deep", help_heading = "Three dimensions")]
    pub(crate) vertices: Option<VerticesName>,
}

impl SpaceArgs {
    /// What the options say, if they ask for three dimensions.
    pub(crate) fn settings(&self) -> Option<Settings> {
        let plain = Settings::default();
        let (turn, tilt) = plain.towards;
        let with = |what: Without| !self.without.contains(&what);
        let radians = |degrees: Option<f32>, or: f32| degrees.map_or(or, f32::to_radians);
        self.deep.then(|| Settings {
            towards: (radians(self.turn, turn), radians(self.tilt, tilt)),
            tint: match self.tint {
                None => Tint::None,
                Some(TintName::Detail) => Tint::Detail,
                Some(TintName::Cascade) => Tint::Cascade,
            },
            budget: self.triangles.unwrap_or(plain.budget),
            pinned: self.detail.map(|level| level as u32),
            wireframe: self.edges,
            frustum: with(Without::Culling),
            occlusion: with(Without::Culling),
            shadows: with(Without::Shadows),
            finest: if with(Without::CloseUps) { plain.finest } else { 1 },
            skinning: if with(Without::SharedSkinning) { Skinning::Shared } else { Skinning::Each },
            vertices: match self.vertices {
                None | Some(VerticesName::Packed) => Vertices::Packed,
                Some(VerticesName::Paper) => Vertices::Paper,
                Some(VerticesName::Plain) => Vertices::Plain,
            },
            ..plain
        })
    }
}
