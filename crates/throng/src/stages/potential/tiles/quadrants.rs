//! The value of a cell by all four quadrants at once.

use crate::stages::potential::UNREACHED;
use glam::{Vec4, Vec4Swizzles};

/// The value of a cell whose neighbours to the north, east, south and west have the values `near` and whose links to
/// them cost `cost`: the least over the four quadrants. There is not a single branch, since on rough costs nobody can
/// foresee which way it would go, and a wrong guess costs as much as all four roots; a vector has one number for each
/// direction or for each quadrant.
#[inline(always)]
pub(super) fn least(near: [f32; 4], cost: &[f32; 4]) -> f32 {
    let (cost, unreached) = (Vec4::from_slice(cost), Vec4::splat(UNREACHED));
    // Behind a closed link there is nobody.
    let p = Vec4::select(cost.cmplt(unreached), Vec4::from_array(near), unreached);
    // Quadrants: north-east, south-west, south-east, north-west.
    let (px, py) = (p.ywyw(), p.xzzx());
    let (cx, cy) = (cost.ywyw(), cost.xzzx());
    let (sx, sy) = (px + cx, py + cy);
    let (a, b) = (cx * cx, cy * cy);
    let (straight, sum, delta) = (sx.min(sy), a + b, py - px);
    // As `cpu::root` has it, and where that holds: elsewhere it is above the straight way, or no number at all.
    let root = px + (a * delta + cx * cy * (sum - delta * delta).max(Vec4::ZERO).sqrt()) / sum;
    let holds = px.cmplt(sy) & py.cmplt(sx) & root.cmplt(straight);
    Vec4::select(holds, root, straight).min_element()
}
