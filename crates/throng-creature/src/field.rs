//! Shapes as distances: rounded cones and ellipsoids that melt into each other.

use glam::{DQuat, DVec3};

/// What a blob looks like.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// From a ball at one end to a ball at the other.
    Cone { from: DVec3, to: DVec3, radii: [f64; 2] },
    /// An ellipsoid.
    Egg { centre: DVec3, radii: DVec3, turn: DQuat },
    /// A cone that is thinner by a factor along a direction.
    Leaf { from: DVec3, to: DVec3, radii: [f64; 2], thin: DVec3, factor: f64 },
    /// A box with round edges.
    Slab { centre: DVec3, half: DVec3, round: f64, turn: DQuat },
}

impl Shape {
    /// How far outside the shape a point is; about right, and exact in its sign.
    pub(crate) fn distance(&self, p: DVec3) -> f64 {
        match *self {
            Shape::Cone { from, to, radii } => cone(p, from, to, radii),
            Shape::Egg { centre, radii, turn } => {
                let local = turn.inverse() * (p - centre);
                // Quílez's bound: exact on the surface, and with the right slope there.
                let (outer, inner) = ((local / radii).length(), (local / (radii * radii)).length());
                if inner < 1e-9 { -radii.min_element() } else { outer * (outer - 1.0) / inner }
            }
            Shape::Leaf { from, to, radii, thin, factor } => {
                let stretched = p + thin * ((p - from).dot(thin) * (factor - 1.0));
                cone(stretched, from, to, radii) / factor
            }
            Shape::Slab { centre, half, round, turn } => {
                let q = (turn.inverse() * (p - centre)).abs() - (half - round);
                q.max(DVec3::ZERO).length() + q.max_element().min(0.0) - round
            }
        }
    }

    /// A box that holds it.
    pub(crate) fn bounds(&self) -> (DVec3, DVec3) {
        match *self {
            Shape::Cone { from, to, radii } | Shape::Leaf { from, to, radii, .. } => {
                ((from - radii[0]).min(to - radii[1]), (from + radii[0]).max(to + radii[1]))
            }
            Shape::Egg { centre, radii, .. } => (centre - radii.max_element(), centre + radii.max_element()),
            Shape::Slab { centre, half, .. } => (centre - half.length(), centre + half.length()),
        }
    }

    /// Mirrored in the plane y = 0.
    pub(crate) fn mirrored(self) -> Self {
        let over = |p: DVec3| DVec3::new(p.x, -p.y, p.z);
        let back = |q: DQuat| DQuat::from_xyzw(-q.x, q.y, -q.z, q.w);
        match self {
            Shape::Cone { from, to, radii } => Shape::Cone { from: over(from), to: over(to), radii },
            Shape::Egg { centre, radii, turn } => Shape::Egg { centre: over(centre), radii, turn: back(turn) },
            Shape::Leaf { from, to, radii, thin, factor } => {
                Shape::Leaf { from: over(from), to: over(to), radii, thin: over(thin), factor }
            }
            Shape::Slab { centre, half, round, turn } => {
                Shape::Slab { centre: over(centre), half, round, turn: back(turn) }
            }
        }
    }
}

/// A rounded cone (Quílez, "Distance functions").
fn cone(p: DVec3, from: DVec3, to: DVec3, [r1, r2]: [f64; 2]) -> f64 {
    let axis = to - from;
    let (l2, rr) = (axis.length_squared(), r1 - r2);
    let a2 = l2 - rr * rr;
    let il2 = 1.0 / l2;
    let pa = p - from;
    let y = pa.dot(axis);
    let z = y - l2;
    let x2 = (pa * l2 - axis * y).length_squared();
    let (y2, z2) = (y * y * l2, z * z * l2);
    let k = rr.signum() * rr * rr * x2;
    if z.signum() * a2 * z2 > k {
        (x2 + z2).sqrt() * il2 - r2
    } else if y.signum() * a2 * y2 < k {
        (x2 + y2).sqrt() * il2 - r1
    } else {
        ((x2 * a2 * il2).sqrt() + y * rr) * il2 - r1
    }
}

/// A shape that belongs to a bone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blob {
    pub(crate) shape: Shape,
    /// The bone that moves what is nearest to the shape.
    pub(crate) bone: usize,
    /// How far it melts into what is there already, in metres.
    pub(crate) melt: f64,
    /// It is taken away instead of added.
    pub(crate) carved: bool,
}

/// Blobs that are added to, or taken away from, each other in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Field {
    pub(crate) blobs: Vec<Blob>,
    /// Below it there is nothing.
    pub(crate) floor: Option<f64>,
}

impl Field {
    /// The blobs that matter within a distance of a point, in their order.
    pub(crate) fn near(&self, centre: DVec3, reach: f64) -> Vec<u16> {
        // Ellipsoids tell too small or too large a distance where they are far from round: twice the reach is enough for ours.
        let matters = |blob: &Blob| blob.shape.distance(centre) < 2.0 * reach + blob.melt;
        (0..self.blobs.len()).filter(|&index| matters(&self.blobs[index])).map(|index| index as u16).collect()
    }

    /// The distance to the surface, by the blobs that matter.
    pub(crate) fn distance(&self, near: &[u16], p: DVec3) -> f64 {
        let mut sum = 1.0_f64;
        for &index in near {
            let blob = &self.blobs[usize::from(index)];
            let d = blob.shape.distance(p);
            sum = if blob.carved { -melted(-sum, d, blob.melt) } else { melted(sum, d, blob.melt) };
        }
        match self.floor {
            Some(floor) => -melted(-sum, p.z - floor, 0.012),
            None => sum,
        }
    }

    /// The bone of the shape that is nearest.
    pub(crate) fn bone(&self, near: &[u16], p: DVec3) -> usize {
        let mut nearest = (f64::INFINITY, 0);
        for &index in near {
            let blob = &self.blobs[usize::from(index)];
            let d = blob.shape.distance(p);
            if !blob.carved && d < nearest.0 {
                nearest = (d, blob.bone);
            }
        }
        nearest.1
    }

    /// The slope of the distance.
    pub(crate) fn gradient(&self, near: &[u16], p: DVec3) -> DVec3 {
        const STEP: f64 = 1e-4;
        let along = |axis: DVec3| self.distance(near, p + axis * STEP) - self.distance(near, p - axis * STEP);
        DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z)) / (2.0 * STEP)
    }

    /// A box that holds all of it.
    pub(crate) fn bounds(&self) -> (DVec3, DVec3) {
        let mut whole = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for blob in self.blobs.iter().filter(|blob| !blob.carved) {
            let (low, high) = blob.shape.bounds();
            whole = (whole.0.min(low), whole.1.max(high));
        }
        whole
    }
}

/// The union of two distances, round where they are within `melt` of each other (the polynomial smooth minimum).
fn melted(a: f64, b: f64, melt: f64) -> f64 {
    if melt <= 0.0 {
        return a.min(b);
    }
    let share = (melt - (a - b).abs()).max(0.0) / melt;
    a.min(b) - share * share * melt * 0.25
}
