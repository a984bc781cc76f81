//! Walls as solids: outlines drawn up from the ground, with a lid.

use crate::colour;
use crate::draw::Ground;
use crate::draw::ground::{Drawn, WALLS, outline, runs};
use glam::{Vec2, Vec3};
use lyon_tessellation::FillTessellator;
use throng::geometry::{Segment, Shape};

/// How far walls reach into the ground, m: on a slope no gap opens below them.
const ROOT: f32 = 1.0;

/// A corner of 20 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Corner {
    /// East, north, and above the ground there, m.
    place: [f32; 3],
    normal: [i8; 4],
    colour: [u8; 4],
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Props {
    pub(crate) corners: Vec<Corner>,
    pub(crate) indices: Vec<u32>,
}

impl Props {
    /// Walls of a floor, so high; `pieces` is how long a piece may be, so that walls follow the ground.
    pub(crate) fn new(ground: &Ground, width: usize, cell: f32, height: f32, pieces: f32) -> Self {
        let cells: Vec<u32> = (0..).zip(&ground.painted).filter(|(_, wall)| **wall).map(|(c, _)| c).collect();
        let painted = runs(&cells, width, cell);
        let shapes: Vec<&Shape> = ground.walls.iter().map(|(_, shape)| shape).chain(&painted).collect();
        let mut props = Self::default();
        let mut lids = Drawn::default();
        let mut filler = FillTessellator::new();
        for shape in shapes {
            for side in outline(shape) {
                props.side(&side, height, pieces);
            }
            lids.fill(&mut filler, shape, [0; 4], WALLS);
        }
        let first = props.corners.len() as u32;
        let lid = |point: [f32; 2]| corner(Vec2::from(point).extend(height), Vec3::Z, 1.12);
        props.corners.extend(lids.corners.vertices.iter().map(|c| lid(c.point)));
        props.indices.extend(lids.corners.indices.iter().map(|i| first + i));
        props
    }

    fn side(&mut self, side: &Segment, height: f32, pieces: f32) {
        let way = side.b - side.a;
        let normal = Vec2::new(way.y, -way.x).normalize_or(Vec2::X).extend(0.0);
        let count = (way.length() / pieces).ceil().clamp(1.0, 4096.0) as u32;
        let first = self.corners.len() as u32;
        for k in 0..=count {
            let p = side.a + way * (k as f32 / count as f32);
            self.corners.push(corner(p.extend(-ROOT), normal, 1.0));
            self.corners.push(corner(p.extend(height), normal, 1.0));
        }
        for k in 0..count {
            let a = first + 2 * k;
            self.indices.extend([a, a + 2, a + 1, a + 1, a + 2, a + 3]);
        }
    }
}

fn corner(place: Vec3, normal: Vec3, light: f32) -> Corner {
    let n = normal.to_array().map(|v| (v * 127.0).round() as i8);
    let [r, g, b] = colour::WALL.map(|c| (c * 1.25 * light * 255.0).round().min(255.0) as u8);
    Corner { place: place.to_array(), normal: [n[0], n[1], n[2], 0], colour: [r, g, b, 255] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::Scene;
    use throng::Simulation;

    fn props(scene: &str) -> (Props, Scene) {
        let scene = Scene::built_in(scene).expect("a built-in scene");
        let sim = Simulation::with_threads(&scene, 1).expect("it runs");
        let ground = Ground::of(sim.scene(), sim.world());
        (Props::new(&ground, scene.grid.width, scene.grid.cell, 2.5, 1.0), scene)
    }

    #[test]
    fn lids_cover_the_walls_and_sides_stand_on_the_ground() {
        let (props, scene) = props("froblins");
        let point = |i: u32| Vec3::from(props.corners[i as usize].place);
        let mut area = 0.0;
        for t in props.indices.chunks_exact(3) {
            let [a, b, c] = [point(t[0]), point(t[1]), point(t[2])];
            if a.z == 2.5 && b.z == 2.5 && c.z == 2.5 && props.corners[t[0] as usize].normal[2] == 127 {
                area += 0.5 * (b - a).cross(c - a).length();
            }
        }
        // Six discs; polygons around and inside of them differ by less than a per cent or two.
        let discs: f32 = [2.4f32, 2.4, 2.1, 2.4, 2.1, 1.95].iter().map(|r| std::f32::consts::PI * r * r).sum();
        assert!((area / discs - 1.0).abs() < 0.02, "{area} for {discs}");
        assert!(props.corners.iter().any(|c| c.place[2] < 0.0));
        assert!(props.corners.iter().all(|c| c.place[0] <= scene.grid.extent().x));
    }

    #[test]
    fn walls_of_an_image_are_solids_too() {
        let (props, _) = props("hills");
        assert!(!props.indices.is_empty());
    }
}
