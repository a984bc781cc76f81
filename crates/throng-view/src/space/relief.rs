//! The ground's mesh: heights at its corners, chunks of it that are in view, and how high it is anywhere.

use glam::{Mat4, Vec2, Vec3, Vec4};
use throng::Scene;
use throng::world::terrain::Terrain;

/// Quads of the mesh along a side, at most: a larger world has larger quads.
const MOST_QUADS: usize = 1024;
/// Quads of a chunk along a side: SIDE of terrain.wgsl.
pub(crate) const CHUNK: usize = 64;
/// How far around the world the ground comes down to its mean height, in half worlds: FALL of space.wgsl.
const FALL: f32 = 0.3;

/// The ground as it is drawn.
#[derive(Clone, Debug)]
pub struct Relief {
    /// Corners of the mesh, across and along.
    pub(crate) corners: [usize; 2],
    /// Height of each corner, row by row from the south, m.
    pub(crate) heights: Vec<f32>,
    /// Of the world, m.
    pub(crate) extent: Vec2,
    /// Least and greatest height of each chunk, row by row, m.
    chunks: Vec<(f32, f32)>,
    /// Least and greatest height, m.
    pub(crate) range: (f32, f32),
    /// Mean height of its rim, m.
    pub(crate) base: f32,
}

impl Relief {
    /// Of a scene; level where it has no terrain.
    #[must_use]
    pub fn new(scene: &Scene) -> Self {
        let grid = scene.grid;
        let cells = Terrain::new(scene).heights;
        let quads = if cells.is_empty() { [1, 1] } else { [grid.width.min(MOST_QUADS), grid.height.min(MOST_QUADS)] };
        let corners = quads.map(|n| n + 1);
        // Heights are those of the middles of cells: a corner is between four of them.
        let at = |p: Vec2| {
            let last = Vec2::new((grid.width - 1) as f32, (grid.height - 1) as f32);
            let q = (p / grid.cell - 0.5).clamp(Vec2::ZERO, last);
            let (x, y) = (q.x as usize, q.y as usize);
            let (right, above) = ((x + 1).min(grid.width - 1), (y + 1).min(grid.height - 1));
            let f = q - q.floor();
            let row = |y: usize| cells[y * grid.width + x] * (1.0 - f.x) + cells[y * grid.width + right] * f.x;
            row(y) * (1.0 - f.y) + row(above) * f.y
        };
        let extent = grid.extent();
        let quad = extent / Vec2::new(quads[0] as f32, quads[1] as f32);
        let place = |k: usize| Vec2::new((k % corners[0]) as f32, (k / corners[0]) as f32) * quad;
        let heights: Vec<f32> =
            (0..corners[0] * corners[1]).map(|k| if cells.is_empty() { 0.0 } else { at(place(k)) }).collect();
        Self::of(corners, heights, extent)
    }

    fn of(corners: [usize; 2], heights: Vec<f32>, extent: Vec2) -> Self {
        let ends = |list: &mut dyn Iterator<Item = f32>| {
            list.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), h| (a.min(h), b.max(h)))
        };
        let range = ends(&mut heights.iter().copied());
        let rim: Vec<f32> = (0..heights.len())
            .filter(|k| {
                let (x, y) = (k % corners[0], k / corners[0]);
                x == 0 || y == 0 || x + 1 == corners[0] || y + 1 == corners[1]
            })
            .map(|k| heights[k])
            .collect();
        let base = rim.iter().sum::<f32>() / rim.len().max(1) as f32;
        let mut relief = Self { corners, heights, extent, chunks: Vec::new(), range, base };
        let [wide, high] = relief.chunk_counts();
        relief.chunks = (0..wide * high)
            .map(|k| {
                let (x, y) = (k % wide * CHUNK, k / wide * CHUNK);
                let rows = y..=(y + CHUNK).min(corners[1] - 1);
                let across = x..=(x + CHUNK).min(corners[0] - 1);
                ends(
                    &mut rows
                        .flat_map(|y| across.clone().map(move |x| (x, y)))
                        .map(|(x, y)| relief.heights[y * corners[0] + x]),
                )
            })
            .collect();
        relief
    }

    /// Least and greatest height, m.
    #[must_use]
    pub fn heights_range(&self) -> (f32, f32) {
        self.range
    }

    /// Whether all of it is level.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        self.corners == [2, 2]
    }

    /// Sides of a quad, m.
    #[must_use]
    pub fn quad(&self) -> Vec2 {
        self.extent / Vec2::new((self.corners[0] - 1) as f32, (self.corners[1] - 1) as f32)
    }

    fn chunk_counts(&self) -> [usize; 2] {
        self.corners.map(|n| (n - 1).div_ceil(CHUNK))
    }

    /// Height of the drawn ground, m: that of its triangles, as space.wgsl has it.
    #[must_use]
    pub fn height_at(&self, p: Vec2) -> f32 {
        let out = ((p / self.extent - 0.5).abs() * 2.0).max_element();
        let share = ((out - 1.0) / FALL).clamp(0.0, 1.0);
        let beyond = share * share * (3.0 - 2.0 * share);
        let within = self.mesh_height(p);
        within + (self.base - within) * beyond
    }

    fn mesh_height(&self, p: Vec2) -> f32 {
        let last = Vec2::new((self.corners[0] - 1) as f32, (self.corners[1] - 1) as f32) - 1e-3;
        let q = (p / self.quad()).clamp(Vec2::ZERO, last);
        let (x, y) = (q.x as usize, q.y as usize);
        let f = q - q.floor();
        let h = |dx: usize, dy: usize| self.heights[(y + dy) * self.corners[0] + x + dx];
        let (h00, h11) = (h(0, 0), h(1, 1));
        if f.x >= f.y {
            h00 + (h(1, 0) - h00) * f.x + (h11 - h(1, 0)) * f.y
        } else {
            h00 + (h11 - h(0, 1)) * f.x + (h(0, 1) - h00) * f.y
        }
    }

    /// Where a ray from an eye meets the ground, if it does within the world.
    #[must_use]
    pub fn meets(&self, from: Vec3, way: Vec3) -> Option<Vec2> {
        let quad = self.quad().min_element().min(1.0);
        let below = |t: f32| {
            let p = from + way * t;
            p.z < self.height_at(p.truncate())
        };
        // To the height above which there is nothing, then in steps that grow with the distance.
        let mut t = if from.z > self.range.1 { ((self.range.1 - from.z) / way.z.min(-1e-6)).max(0.0) } else { 0.0 };
        let farthest = 4.0 * self.extent.max_element() + from.length();
        while t < farthest {
            let step = (0.5 * quad).max(0.004 * t);
            if below(t + step) {
                let (mut a, mut b) = (t, t + step);
                for _ in 0..24 {
                    let middle = 0.5 * (a + b);
                    if below(middle) { b = middle } else { a = middle }
                }
                let p = (from + way * b).truncate();
                return (p.cmpge(Vec2::ZERO).all() && p.cmple(self.extent).all()).then_some(p);
            }
            t += step;
        }
        None
    }

    /// Chunks that a picture may show: column and row.
    #[must_use]
    pub fn in_view(&self, clip: &Mat4) -> Vec<[u32; 2]> {
        let [wide, _] = self.chunk_counts();
        let side = self.quad() * CHUNK as f32;
        let rows = clip.transpose();
        // A point is in view if each of these is not negative of it; far away is no end.
        let planes: [Vec4; 4] = [
            rows.w_axis + rows.x_axis,
            rows.w_axis - rows.x_axis,
            rows.w_axis + rows.y_axis,
            rows.w_axis - rows.y_axis,
        ];
        let shown = |k: usize| {
            let low = (Vec2::new((k % wide) as f32, (k / wide) as f32) * side).extend(self.chunks[k].0);
            let high = (low.truncate() + side).min(self.extent).extend(self.chunks[k].1);
            planes.iter().all(|plane| {
                let far = Vec3::select(plane.truncate().cmpge(Vec3::ZERO), high, low);
                // Rounding of products of metres and of clip space.
                plane.dot(far.extend(1.0)) >= -1e-3 * (1.0 + far.length())
            })
        };
        (0..self.chunks.len()).filter(|&k| shown(k)).map(|k| [(k % wide) as u32, (k / wide) as u32]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::viewpoint::{Eye, Orbit};
    use throng::geometry::Rect;

    fn froblins() -> Relief {
        Relief::new(&Scene::built_in("froblins").expect("a built-in scene"))
    }

    #[test]
    fn corners_are_as_high_as_the_mesh_there() {
        let relief = froblins();
        let quad = relief.quad();
        for k in (0..relief.heights.len()).step_by(7) {
            let p = Vec2::new((k % relief.corners[0]) as f32, (k / relief.corners[0]) as f32) * quad;
            assert!((relief.height_at(p) - relief.heights[k]).abs() < 0.01, "{p}");
        }
        assert!(relief.range.1 > 3.0 && !relief.is_flat());
    }

    #[test]
    fn around_the_world_the_ground_comes_down_to_the_mean_of_its_rim() {
        let relief = froblins();
        let rim = relief.extent * Vec2::new(0.5, 0.0);
        assert!((relief.height_at(rim) - relief.base).abs() > 0.05, "a rim that is level tells nothing");
        assert_eq!(relief.height_at(rim), relief.mesh_height(rim));
        // Half way down after half of the way.
        let half = relief.height_at(relief.extent * Vec2::new(0.5, -0.25 * FALL));
        assert!((half - 0.5 * (relief.height_at(rim) + relief.base)).abs() < 1e-3, "{half}");
        for far in [Vec2::new(0.5, -0.5 * FALL), Vec2::new(9.0, 0.5), Vec2::new(-3.0, -4.0)] {
            assert_eq!(relief.height_at(relief.extent * far), relief.base);
        }
    }

    #[test]
    fn a_ray_meets_the_ground_where_it_is_seen() {
        let relief = froblins();
        let eye = Orbit::fit(Rect::new(Vec2::ZERO, relief.extent), relief.range, 1.6).eye();
        let size = Vec2::new(640.0, 400.0);
        let mut met = 0;
        for pixel in (0..40).map(|k| Vec2::new(16.0 * k as f32 + 3.0, 397.0 - 9.0 * k as f32)) {
            let Some(p) = relief.meets(eye.position, eye.ray(pixel, size)) else { continue };
            let back = eye.pixel(p.extend(relief.height_at(p)), size).expect("before the eye");
            assert!(back.distance(pixel) < 1.0, "{pixel} became {back}");
            met += 1;
        }
        assert!(met > 20, "{met}");
        assert_eq!(relief.meets(eye.position, Vec3::Z), None);
    }

    #[test]
    fn chunks_with_a_corner_in_view_are_drawn_and_those_behind_are_not() {
        let relief = froblins();
        let size = Vec2::new(640.0, 400.0);
        for (from, to) in [
            ([70.0, 10.0, 8.0], [70.0, 60.0, 0.0]),
            ([3.0, 3.0, 2.0], [10.0, 4.0, 1.0]),
            ([140.0, 70.0, 30.0], [90.0, 70.0, 0.0]),
        ] {
            let eye = Eye { position: from.into(), target: to.into() };
            let shown = relief.in_view(&(Eye::projection(1.6) * eye.view()));
            for k in 0..relief.heights.len() {
                let (x, y) = (k % relief.corners[0], k / relief.corners[0]);
                let p = (Vec2::new(x as f32, y as f32) * relief.quad()).extend(relief.heights[k]);
                let in_picture = eye.pixel(p, size).is_some_and(|q| q.cmpge(Vec2::ZERO).all() && q.cmple(size).all());
                let chunk = [(x / CHUNK).min(1) as u32, (y / CHUNK).min(1) as u32];
                assert!(!in_picture || shown.contains(&chunk), "{p} is in view, {chunk:?} not in {shown:?}");
            }
        }
        let away = Eye { position: Vec3::new(70.0, -50.0, 5.0), target: Vec3::new(70.0, -100.0, 5.0) };
        assert!(relief.in_view(&(Eye::projection(1.6) * away.view())).is_empty());
    }
}
