//! Walls as solids: outlines drawn up from the ground, with a lid.

use super::blocks::Blocks;
use crate::colour;
use crate::draw::Ground;
use crate::draw::ground::{Drawn, WALLS, outline};
use glam::{Vec2, Vec3};
use lyon_tessellation::FillTessellator;
use throng::geometry::{Rect, Segment, Shape};

/// How far walls reach into the ground, m: on a slope no gap opens below them.
const ROOT: f32 = 1.0;
/// How much lighter lids are.
const LID: f32 = 1.12;
/// Bytes of all corners, and of all indices, at most: half of what WebGPU lets a buffer have by default.
pub(crate) const MOST_BYTES: u64 = 128 << 20;

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
    /// What of them is not drawn as it is, in a sentence.
    pub(crate) note: Option<String>,
    /// Corners that there may be. (Indices are three for each at most.)
    most: usize,
}

impl Props {
    /// Walls of a floor, so high; `pieces` is how long a piece may be, so that walls follow the ground. No list is larger than so many bytes.
    pub(crate) fn new(ground: &Ground, width: usize, cell: f32, height: f32, pieces: f32, most_bytes: u64) -> Self {
        let most = (most_bytes / size_of::<Corner>() as u64) as usize;
        let mut props = Self { most, ..Self::default() };
        props.shapes(ground.walls.iter().map(|(_, shape)| shape), height, pieces);
        props.cells(&ground.painted, width, cell, height, pieces);
        props
    }

    /// Walls with a shape. They have half of the room: pieces are longer if they would not fit.
    fn shapes<'a>(&mut self, shapes: impl Iterator<Item = &'a Shape> + Clone, height: f32, pieces: f32) {
        let sides = || shapes.clone().flat_map(outline);
        let fits = |pieces: f32| sides().map(|side| corners_of(&side, pieces)).sum::<usize>() <= self.most / 2;
        let longer = std::iter::successors(Some(pieces), |&p| (p < 1e6).then_some(2.0 * p));
        let pieces = longer.into_iter().find(|&p| fits(p)).unwrap_or(f32::INFINITY);
        let mut lids = Drawn::default();
        let mut filler = FillTessellator::new();
        for shape in shapes {
            let (vertices, indices) = (lids.corners.vertices.len(), lids.corners.indices.len());
            lids.fill(&mut filler, shape, [0; 4], WALLS);
            let outline = outline(shape);
            let sides: usize = outline.iter().map(|side| corners_of(side, pieces)).sum();
            if self.corners.len() + sides + lids.corners.vertices.len() > self.most {
                lids.corners.vertices.truncate(vertices);
                lids.corners.indices.truncate(indices);
                self.note = Some("there are too many walls to draw all of them in three dimensions".to_owned());
                break;
            }
            outline.iter().for_each(|side| self.side(side, height, pieces));
        }
        let first = self.corners.len() as u32;
        let lid = |point: [f32; 2]| corner(Vec2::from(point).extend(height), Vec3::Z, LID);
        self.corners.extend(lids.corners.vertices.iter().map(|c| lid(c.point)));
        self.indices.extend(lids.corners.indices.iter().map(|i| first + i));
    }

    /// Walls of cells, coarser if they would not fit.
    fn cells(&mut self, painted: &[bool], width: usize, cell: f32, height: f32, pieces: f32) {
        if !painted.contains(&true) {
            return;
        }
        let room = self.most - self.corners.len();
        let coarsest = width.max(painted.len() / width.max(1)).next_power_of_two();
        let mut factor = 1;
        while factor <= coarsest {
            let blocks = Blocks::new(painted, width, cell, factor);
            let mut count = 0;
            blocks.sides(|side| count += corners_of(&side, pieces));
            // There are no more lids than sides, so these are looked for only if they are few enough.
            let lids = if count <= room { blocks.lids() } else { Vec::new() };
            count += 4 * lids.len();
            if count <= room {
                blocks.sides(|side| self.side(&side, height, pieces));
                lids.iter().for_each(|lid| self.lid(lid, height));
                if factor > 1 {
                    self.note = Some(format!(
                        "walls of the image are too fine to be drawn in three dimensions: squares of {factor} × {factor} cells are shown, which are wall where half of them is"
                    ));
                }
                return;
            }
            factor *= 2;
        }
    }

    /// A face from below the ground up.
    fn side(&mut self, side: &Segment, height: f32, pieces: f32) {
        let way = side.b - side.a;
        let normal = Vec2::new(way.y, -way.x).normalize_or(Vec2::X).extend(0.0);
        let count = pieces_of(side, pieces);
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

    fn lid(&mut self, lid: &Rect, height: f32) {
        let (a, c) = (lid.min, lid.max);
        let first = self.corners.len() as u32;
        let corners = [a, Vec2::new(c.x, a.y), c, Vec2::new(a.x, c.y)];
        self.corners.extend(corners.map(|p| corner(p.extend(height), Vec3::Z, LID)));
        self.indices.extend([0, 1, 2, 0, 2, 3].map(|k| first + k));
    }
}

/// How many pieces a side has, and how many corners these.
fn pieces_of(side: &Segment, pieces: f32) -> u32 {
    ((side.b - side.a).length() / pieces).ceil().clamp(1.0, 4096.0) as u32
}

fn corners_of(side: &Segment, pieces: f32) -> usize {
    2 * (pieces_of(side, pieces) as usize + 1)
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
        (Props::new(&ground, scene.grid.width, scene.grid.cell, 2.5, 1.0, MOST_BYTES), scene)
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

    /// A floor of nothing but cells.
    fn floor(painted: Vec<bool>) -> Ground {
        let nothing = Scene::parse("nothing.toml", "size = [2, 2]", &throng::scene::NoFiles).expect("a scene");
        let sim = Simulation::with_threads(&nothing, 1).expect("it runs");
        Ground { painted, ..Ground::of(sim.scene(), sim.world()) }
    }

    /// Triangles of lids.
    fn lids(props: &Props) -> Vec<[Vec2; 3]> {
        let flat = |i: &[u32]| props.corners[i[0] as usize].normal[2] == 127;
        let corner = |i: u32| Vec3::from(props.corners[i as usize].place).truncate();
        props.indices.chunks_exact(3).filter(|t| flat(t)).map(|t| [t[0], t[1], t[2]].map(corner)).collect()
    }

    #[test]
    fn the_same_cells_are_wall_as_in_the_picture_from_above() {
        for name in ["hills", "office"] {
            let (props, scene) = props(name);
            let sim = Simulation::with_threads(&scene, 1).expect("it runs");
            let ground = Ground::of(sim.scene(), sim.world());
            let (width, cell) = (scene.grid.width, scene.grid.cell);
            assert_eq!((props.note.as_deref(), ground.painted.contains(&true)), (None, name == "hills"));
            let mut covered = vec![0; ground.painted.len()];
            for [a, b, c] in lids(&props) {
                let (low, high) = (a.min(b).min(c) / cell, a.max(b).max(c) / cell);
                for (x, y) in (low.y as usize..=high.y as usize)
                    .flat_map(|y| (low.x as usize..=high.x as usize).map(move |x| (x, y)))
                {
                    // Not quite the middle, which is on diagonals.
                    let p = (Vec2::new(x as f32, y as f32) + Vec2::new(0.501, 0.502)) * cell;
                    let sign = |u: Vec2, v: Vec2| (v - u).perp_dot(p - u) > 0.0;
                    let [u, v, w] = [sign(a, b), sign(b, c), sign(c, a)];
                    if x < width && u == v && v == w {
                        covered[y * width + x] += 1;
                    }
                }
            }
            for (c, &covered) in covered.iter().enumerate() {
                let p = (Vec2::new((c % width) as f32, (c / width) as f32) + Vec2::new(0.501, 0.502)) * cell;
                let shapes = ground.walls.iter().filter(|(_, shape)| shape.contains(p)).count();
                assert_eq!(covered, shapes + usize::from(ground.painted[c]), "{name}, at {p}");
            }
        }
    }

    #[test]
    fn there_are_no_faces_between_cells_of_wall() {
        // One block of 8 × 8 cells that takes several rectangles: a notch in it.
        let painted: Vec<bool> = (0..64).map(|c| c != 63).collect();
        let props = Props::new(&floor(painted), 8, 0.5, 2.5, f32::INFINITY, MOST_BYTES);
        let faces = props.corners.iter().filter(|c| c.normal[2] == 0).count() / 4;
        assert_eq!(faces, 6);
        assert_eq!(props.corners.len(), 4 * 6 + 4 * 2);
    }

    #[test]
    fn walls_that_are_too_fine_are_drawn_coarser_within_the_limit() {
        let begin = std::time::Instant::now();
        let limit = MOST_BYTES as usize;
        for side in [1024_usize, 4096] {
            let painted = (0..side * side).map(|c| (c / side + c % side) % 2 == 0).collect();
            let props = Props::new(&floor(painted), side, 0.5, 2.5, 1.0, MOST_BYTES);
            assert!(size_of_val(&props.corners[..]) <= limit && size_of_val(&props.indices[..]) <= limit);
            assert!(
                props.note.as_ref().is_some_and(|note| note.contains("squares of 2 × 2 cells")),
                "{:?}",
                props.note
            );
            let area: f32 = lids(&props).iter().map(|[a, b, c]| 0.5 * (*b - *a).perp_dot(*c - *a)).sum();
            assert_eq!(area, 0.25 * (side * side) as f32);
        }
        // A second or so on an idle machine.
        assert!(begin.elapsed().as_secs() < 20, "{:?}", begin.elapsed());
    }

    #[test]
    fn of_too_many_shapes_as_many_are_drawn_as_there_is_room_for() {
        let wall = |k: u16| Shape::Rect(Rect::new(Vec2::splat(k.into()), Vec2::splat(f32::from(k) + 0.5)));
        let ground = Ground { walls: (0..100).map(|k| (usize::from(k), wall(k))).collect(), ..floor(Vec::new()) };
        let with = |corners: u64| Props::new(&ground, 1, 0.5, 2.5, 0.1, 20 * corners);
        let full = with(100_000);
        assert_eq!((full.corners.len(), full.note), (100 * (4 * 12 + 4), None));
        // Longer pieces first, then fewer walls.
        let longer = with(4_000);
        assert_eq!((longer.corners.len(), longer.note), (100 * (16 + 4), None));
        let few = with(200);
        assert_eq!(few.corners.len(), 10 * (16 + 4));
        assert!(few.note.is_some_and(|note| note.contains("too many walls")));
    }
}
