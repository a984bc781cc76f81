//! The tests, a file for each kind of scene.

pub(crate) mod alone;
pub(crate) mod bodies;
pub(crate) mod density;
pub(crate) mod necks;
pub(crate) mod openings;
pub(crate) mod raster;
pub(crate) mod rooms;
pub(crate) mod thesis;
pub(crate) mod two_ways;
pub(crate) mod ways;
