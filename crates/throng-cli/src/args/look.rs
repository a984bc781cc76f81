//! What a picture or a window shows, and where it looks.

use super::{DirectionName, OverlayName, SpaceArgs};
use crate::look;
use clap::{Args, ValueEnum};
use throng::Vec2;
use throng::geometry::Rect;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColourName {
    /// The goal that they walk to.
    Goal,
    /// Their group.
    Group,
    /// How fast they walk, m/s.
    Speed,
    /// Persons per square metre around them.
    Density,
    /// How long they have been standing, s.
    Waiting,
    /// Walking, or waiting because the scene says so.
    State,
}

/// A part of the picture that can be made fainter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayerName {
    Background,
    Field,
    Agents,
    Walls,
    Goals,
    Splats,
    Ribbons,
    LocalMap,
    Tiles,
}

/// What is drawn, and in which colours: for pictures, films and the window.
#[derive(Debug, Args, Clone)]
pub(crate) struct LookArgs {
    /// What the colours of people mean.
    #[arg(long, alias = "color", value_enum, value_name = "BY", default_value = "goal", help_heading = "Look")]
    pub(crate) colour: ColourName,
    /// Ends of the scale of --colour speed (m/s), density (persons/m²) or waiting (s); by default what suits the
    /// scene.
    #[arg(
        long,
        alias = "color-limits",
        value_names = ["LOW", "HIGH"],
        num_args = 2,
        allow_negative_numbers = true,
        help_heading = "Look"
    )]
    pub(crate) colour_limits: Option<Vec<f32>>,
    /// Lay a field over the floor: that of the last step done, and so after one step at least.
    #[arg(long, value_enum, value_name = "FIELD", help_heading = "Look")]
    pub(crate) field: Option<OverlayName>,
    /// The direction, for --field speed and cost; east if not given.
    #[arg(long, value_enum, help_heading = "Look")]
    pub(crate) direction: Option<DirectionName>,
    /// The goal, by name or number, for --field potential and gradient and for the solver's tiles; the first if not
    /// given.
    #[arg(long, value_name = "NAME|NUMBER", help_heading = "Look")]
    pub(crate) goal: Option<String>,
    /// Ends of the field's scale, in its unit. By default they suit its values at each moment: give them to compare
    /// moments.
    #[arg(long, value_names = ["LOW", "HIGH"], num_args = 2, allow_negative_numbers = true, help_heading = "Look")]
    pub(crate) limits: Option<Vec<f32>>,
    /// Blend the field between the middles of cells, instead of one colour a cell.
    #[arg(long, help_heading = "Look")]
    pub(crate) smooth: bool,
    /// No arrows over --field velocity and gradient.
    #[arg(long, help_heading = "Look")]
    pub(crate) no_arrows: bool,
    /// How much of a layer covers what is below, 0 (left out) to 1; can be repeated. Layers: background, field, agents,
    /// walls, goals, splats (the cells that each person counts in), ribbons (the ways that all have come), local-map (of
    /// who is followed or chosen, with steer = "bvp"), tiles (of the GPU's solver). By default splats, ribbons and tiles are 0, and
    /// agents over a --field are faint.
    #[arg(long, value_name = "LAYER=0..1", value_parser = look::layer_opacity, help_heading = "Look")]
    pub(crate) opacity: Vec<(LayerName, f32)>,
    /// Draw bodies K times as wide as they are.
    #[arg(
        long,
        value_name = "K",
        default_value_t = 1.0,
        value_parser = look::body_factor,
        allow_negative_numbers = true,
        help_heading = "Look"
    )]
    pub(crate) body: f32,
    #[command(flatten)]
    pub(crate) space: SpaceArgs,
}

/// Where a picture looks: for pictures, films and the window.
#[derive(Debug, Args, Clone)]
pub(crate) struct CameraArgs {
    /// Look at this place, metres from the south-west corner; by default at the middle of the world.
    #[arg(
        long,
        alias = "center",
        value_name = "X,Y",
        allow_hyphen_values = true,
        value_parser = look::place,
        help_heading = "Camera"
    )]
    pub(crate) centre: Option<Vec2>,
    /// So many pixels for a metre; by default the whole world fits, and with --follow 40.
    #[arg(
        long,
        value_name = "PX_PER_M",
        value_parser = look::zoom,
        allow_negative_numbers = true,
        help_heading = "Camera"
    )]
    pub(crate) zoom: Option<f32>,
    /// Fit this rectangle of the world into the picture, m.
    #[arg(
        long,
        value_name = "X0,Y0,X1,Y1",
        allow_hyphen_values = true,
        value_parser = look::rectangle,
        conflicts_with_all = ["centre", "zoom", "follow"],
        help_heading = "Camera"
    )]
    pub(crate) view: Option<Rect>,
    /// Keep the person with this number in the middle, with a ring and the way they have come. People are numbered
    /// from 0, group by group.
    #[arg(long, value_name = "ID", conflicts_with = "centre", help_heading = "Camera")]
    pub(crate) follow: Option<u32>,
    /// Draw the way that the person with this number has come, and a ring around them.
    #[arg(long, value_name = "ID", conflicts_with = "follow", help_heading = "Camera")]
    pub(crate) path: Option<u32>,
}
