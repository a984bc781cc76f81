//! The files that Throng leaves behind for people and for their tools.
//!
//! * [`FieldPicture`] draws a field over a grid as a picture with a colour
//!   bar, a scale and a key; [`LineChart`] draws curves over time;
//!   [`StateDiagram`] draws states and the ways between them; [`CrowdPanels`]
//!   draws crowds side by side;
//!   [`write_png`] stores any of them.
//! * [`write_npy_scalar`] and [`write_npy_vector`] store the same fields as
//!   NumPy arrays, for whoever wants the numbers.
//! * [`Recording`] stores trajectories frame by frame, for JuPedSim, PedPy,
//!   pandas and tables; [`walkable_wkt`] is the floor that goes with them.
//! * [`write_atomically`] is how all others reach the disk: a reader finds
//!   the old file or the new one, never half of one; [`check_writable`] says
//!   before the work whether that will go well.
//!
//! Every grid is row-major and its **row 0 is the south row**, in memory as
//! in the arrays; only the pictures turn it over, because on a map north is
//! up.

mod atomic;
mod canvas;
mod chart;
mod diagram;
mod flow;
mod npy;
mod panels;
mod picture;
mod scratch;
mod stream;
mod target;
mod text;
mod ticks;
mod trajectory;

pub use atomic::{WriteError, write_atomically};
pub use chart::{Band, LineChart, Points, Scale, Series};
pub use diagram::{StateBox, StateDiagram, StateWay};
pub use image::RgbImage;
pub use npy::{NpyError, write_npy_scalar, write_npy_vector};
pub use panels::{CrowdPanel, CrowdPanels, Person2d};
pub use picture::{Around, FieldPicture, Heading, KeyEntry, PictureError, Values, direction_colour, write_png};
pub use scratch::Scratch;
pub use stream::is_standard_output;
pub use target::{check_writable, plain_file, write_place};
pub use trajectory::{
    Frame, LINE_WIDTH, Outline, Person, RECORDING_ENDINGS, Recording, RecordingInfo, csv_cell, recording_ending,
    walkable_wkt,
};
