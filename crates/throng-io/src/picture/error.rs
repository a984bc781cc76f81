//! What can be wrong with a picture, and the checks that find it.

use super::{FieldPicture, Values};
use crate::atomic::WriteError;

/// A picture could not be drawn or stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// There is nothing to draw.
    #[error("the grid has no cells: it is {width} x {height}")]
    Empty {
        /// Cells from west to east.
        width: usize,
        /// Cells from south to north.
        height: usize,
    },
    /// A slice does not have one item per cell.
    #[error("{what} has {given} cells, but a grid of {width} x {height} was announced")]
    Size {
        /// Which slice it is.
        what: &'static str,
        /// How many items it has.
        given: usize,
        /// Cells from west to east.
        width: usize,
        /// Cells from south to north.
        height: usize,
    },
    /// The side of a cell is not a positive number.
    #[error("the side of a cell must be a positive number of metres, not {0}")]
    CellSize(f32),
    /// The ends of the colour bar are not two numbers in order.
    #[error("the limits of the colours must be finite and in order, not {low} to {high}")]
    Limits {
        /// The lower end.
        low: f32,
        /// The upper end.
        high: f32,
    },
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

pub(super) fn check(picture: &FieldPicture<'_>) -> Result<(), PictureError> {
    let FieldPicture { width, height, .. } = *picture;
    if width == 0 || height == 0 {
        return Err(PictureError::Empty { width, height });
    }
    let values = match picture.values {
        Values::Scalar(values) => values.len(),
        Values::Vector(values) | Values::Direction(values) => values.len(),
    };
    // The masks may be left out, the values not.
    let sizes = [
        ("the field", values, false),
        ("the mask of walls", picture.walls.len(), true),
        ("the mask of unreached cells", picture.unreached.len(), true),
    ];
    for (what, given, may_be_empty) in sizes {
        let left_out = may_be_empty && given == 0;
        if !left_out && width.checked_mul(height) != Some(given) {
            return Err(PictureError::Size { what, given, width, height });
        }
    }
    if !(picture.cell_m.is_finite() && picture.cell_m > 0.0) {
        return Err(PictureError::CellSize(picture.cell_m));
    }
    if let Some((low, high)) = picture.limits
        && !(low.is_finite() && high.is_finite() && low <= high)
    {
        return Err(PictureError::Limits { low, high });
    }
    Ok(())
}
