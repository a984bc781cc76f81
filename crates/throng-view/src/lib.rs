//! Draws crowds: the interactive window of Throng, and pictures and films without one.
//!
//! [`draw`] is the renderer, [`look`] and [`camera`] say what it shows; [`studio`] makes pictures without a window, and
//! [`window`] is the program with panels around the same picture. [`host`] runs the run, at its [`pace`].

pub mod app;
pub mod camera;
pub mod colour;
pub mod draw;
mod fields;
pub mod host;
mod legend;
mod letters;
pub mod local_map;
pub mod look;
pub mod overlay;
pub mod pace;
pub mod page;
mod past;
pub mod shot;
pub mod space;
pub mod studio;
mod style;
pub mod window;
