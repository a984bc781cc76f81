//! A drum, made by code: the side is smooth and of two materials, and meets lid and bottom in hard edges. Tests of other crates use it, too.

use throng_creature::{Bone, Character, Growth, Mesh, Paint, Palette, Rows, Sphere};

pub(crate) const REST: Rows = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

/// Corners of a lid.
const SIDES: u32 = 12;

/// A mesh on one bone as a file.
pub(crate) fn file(mesh: Mesh) -> Vec<u8> {
    let paint = Paint { colour: [0.5; 3], tinted: [0.5; 3], roughness: 0.5, metal: 0.0 };
    let character = Character {
        name: "solid".to_owned(),
        height: 1.0,
        bones: vec![Bone { name: "root".to_owned(), parent: None, rest: REST, growth: [Growth::default(); 2] }],
        lods: vec![mesh],
        clips: Vec::new(),
        bounds: Sphere { centre: [0.0; 3], radius: 9.0 },
        palettes: vec![Palette { name: "grey".to_owned(), paints: vec![paint; 2] }],
    };
    character.to_glb(0, |_| true)
}

/// Adds a vertex of a part, and gives its number.
pub(crate) fn vertex(mesh: &mut Mesh, position: [f32; 3], normal: [f32; 3], part: u8) -> u32 {
    mesh.positions.push(position);
    mesh.normals.push(normal);
    mesh.parts.push(part);
    mesh.joints.push([0; 4]);
    mesh.weights.push([255, 0, 0, 0]);
    mesh.positions.len() as u32 - 1
}

/// Each strip of the side has vertices of its own; neighbours number theirs in opposite order.
pub(crate) fn drum() -> Mesh {
    let mut mesh = Mesh::default();
    let way = |k: u32| {
        let angle = std::f32::consts::TAU * (k % SIDES) as f32 / SIDES as f32;
        [angle.cos(), angle.sin()]
    };
    let [middle_below, middle_above] =
        [(0.0, -1.0), (1.0, 1.0)].map(|(z, up)| vertex(&mut mesh, [0.0, 0.0, z], [0.0, 0.0, up], 0));
    for k in 0..SIDES {
        let ends = [way(k), way(k + 1)];
        let mut corner = |end: usize, z: f32| {
            let [x, y] = ends[end];
            // As exporters do: a little off, differently on each side.
            let off = if end == 0 { 0.0 } else { 2e-4 };
            vertex(&mut mesh, [0.3 * x, 0.3 * y, z], [x, y, off], (k % 2) as u8)
        };
        let (a, b, c, d) = if k % 2 == 0 {
            (corner(0, 0.0), corner(1, 0.0), corner(1, 1.0), corner(0, 1.0))
        } else {
            let (c, d) = (corner(1, 1.0), corner(0, 1.0));
            let (b, a) = (corner(1, 0.0), corner(0, 0.0));
            (a, b, c, d)
        };
        mesh.indices.extend([a, b, c, a, c, d]);
        for (z, up, middle) in [(0.0, -1.0, middle_below), (1.0, 1.0, middle_above)] {
            let [a, b] = ends.map(|[x, y]| vertex(&mut mesh, [0.3 * x, 0.3 * y, z], [0.0, 0.0, up], 0));
            mesh.indices.extend(if up > 0.0 { [middle, a, b] } else { [middle, b, a] });
        }
    }
    mesh
}
