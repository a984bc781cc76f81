//! Draws a character so that it can be looked at: `contact_sheet OUT.png [WHAT] [FILE.glb]`, where WHAT is `lods` (levels of detail from
//! all sides), `clips` (every clip in six phases), `crowd` (individuals), `close` (a large one), `relief` (tessellated) or the name of a clip.

#![expect(clippy::print_stderr, reason = "an example says what it has done")]

use glam::Vec3;
use image::{Rgb, RgbImage};
use throng_creature::{Character, GltfOptions, Mesh, Palette, Patch, Rows, Variation};

/// A picture with depths, drawn twice as large as it is saved.
struct Canvas {
    width: usize,
    height: usize,
    colours: Vec<Vec3>,
    depths: Vec<f32>,
}

/// A rectangle of the canvas, and how the world is seen in it.
struct View {
    left: usize,
    top: usize,
    size: usize,
    at: Vec3,
    /// To the right, up, and towards the eye.
    axes: [Vec3; 3],
    /// Metres from its bottom to its top.
    span: f32,
}

impl View {
    /// From a direction (degrees about z from the front, degrees up), at a point.
    fn new(left: usize, top: usize, size: usize, (around, up): (f32, f32), at: Vec3, span: f32) -> Self {
        let (around, up) = (around.to_radians(), up.to_radians());
        let towards = Vec3::new(around.cos() * up.cos(), around.sin() * up.cos(), up.sin());
        let right = Vec3::Z.cross(towards).normalize();
        Self { left, top, size, at, axes: [right, towards.cross(right), towards], span }
    }

    fn place(&self, p: Vec3) -> Vec3 {
        let q = Vec3::from(self.axes.map(|axis| axis.dot(p - self.at))) / self.span;
        let size = self.size as f32;
        Vec3::new(self.left as f32 + size * (0.5 + q.x), self.top as f32 + size * (0.5 - q.y), -q.z)
    }
}

impl Canvas {
    fn new(width: usize, height: usize) -> Self {
        let sky = |y: usize| Vec3::new(0.55, 0.62, 0.70).lerp(Vec3::new(0.80, 0.82, 0.82), y as f32 / height as f32);
        let colours = (0..height).flat_map(|y| std::iter::repeat_n(sky(y), width)).collect();
        Self { width, height, colours, depths: vec![f32::MAX; width * height] }
    }

    fn triangle(&mut self, view: &View, corners: [(Vec3, Vec3); 3]) {
        let p = corners.map(|corner| view.place(corner.0));
        let area = (p[1] - p[0]).truncate().perp_dot((p[2] - p[0]).truncate());
        // Seen from behind (rows grow downwards), or a line.
        if area >= -1e-6 {
            return;
        }
        let low = p[0].min(p[1]).min(p[2]);
        let high = p[0].max(p[1]).max(p[2]);
        let (right, bottom) = (view.left + view.size, view.top + view.size);
        for y in (low.y.max(view.top as f32) as usize)..=(high.y.max(0.0) as usize).min(bottom - 1) {
            for x in (low.x.max(view.left as f32) as usize)..=(high.x.max(0.0) as usize).min(right - 1) {
                let at = Vec3::new(x as f32 + 0.5, y as f32 + 0.5, 0.0);
                let side = |a: Vec3, b: Vec3| (b - a).truncate().perp_dot((at - a).truncate()) / area;
                let share = [side(p[1], p[2]), side(p[2], p[0]), side(p[0], p[1])];
                if share.iter().any(|share| *share < 0.0) {
                    continue;
                }
                let depth = share[0] * p[0].z + share[1] * p[1].z + share[2] * p[2].z;
                let index = y * self.width + x;
                if depth < self.depths[index] {
                    self.depths[index] = depth;
                    self.colours[index] = corners[0].1 * share[0] + corners[1].1 * share[1] + corners[2].1 * share[2];
                }
            }
        }
    }

    fn ground(&mut self, view: &View, moved: f32) {
        for step in -8..8 {
            let [x, far] = [step as f32 * 0.25 - moved.rem_euclid(0.5), 0.9];
            let colour = if step % 2 == 0 { Vec3::new(0.42, 0.43, 0.36) } else { Vec3::new(0.36, 0.38, 0.32) };
            let [a, b, c, d] = [(x, -far), (x + 0.25, -far), (x + 0.25, far), (x, far)]
                .map(|(x, y)| (Vec3::new(x, y, -0.001), colour));
            self.triangle(view, [a, b, c]);
            self.triangle(view, [a, c, d]);
        }
    }

    fn save(&self, path: &str) {
        let picture = RgbImage::from_fn(self.width as u32 / 2, self.height as u32 / 2, |x, y| {
            let at = |dx: usize, dy: usize| self.colours[(2 * y as usize + dy) * self.width + 2 * x as usize + dx];
            let mean = (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) * 0.25;
            Rgb(mean.to_array().map(|c| (c.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0) as u8))
        });
        picture.save(path).expect("the picture can be written");
    }
}

/// A mesh in a pose, lit from the left and above.
fn draw(canvas: &mut Canvas, view: &View, character: &Character, mesh: &Mesh, pose: &[Rows], who: &Variation) {
    let growth = character.growth(&who.channels);
    let grown: Vec<Rows> = pose.iter().zip(&growth).map(|(rows, growth)| grow(rows, growth)).collect();
    let palette = &character.palettes[who.palette as usize % character.palettes.len()];
    let skinned: Vec<(Vec3, Vec3)> = (0..mesh.positions.len())
        .map(|vertex| {
            let (position, normal) = mesh.skinned(vertex, &grown);
            (position * Vec3::from(who.scale()), lit(colour(mesh, palette, vertex), normal) * who.shade)
        })
        .collect();
    for face in mesh.indices.chunks_exact(3) {
        let part = mesh.parts[face[0] as usize];
        debug_assert!(face.iter().all(|&vertex| mesh.parts[vertex as usize] == part), "one part a triangle");
        canvas.triangle(view, [0, 1, 2].map(|corner| skinned[face[corner] as usize]));
    }
}

fn grow(rows: &Rows, &[x, y, z, s]: &[f32; 4]) -> Rows {
    rows.map(|[a, b, c, d]| [a * s, b * s, c * s, a * x + b * y + c * z + d])
}

fn colour(mesh: &Mesh, palette: &Palette, vertex: usize) -> Vec3 {
    let paint = palette.paints[usize::from(mesh.parts[vertex]).min(palette.paints.len() - 1)];
    Vec3::from(paint.colour).lerp(paint.tinted.into(), f32::from(mesh.tints[vertex]) / 255.0)
}

fn lit(colour: Vec3, normal: Vec3) -> Vec3 {
    let sun = normal.dot(Vec3::new(0.55, 0.45, 0.70)).max(0.0);
    let sky = 0.5 + 0.5 * normal.z;
    colour * (Vec3::new(1.0, 0.95, 0.85) * sun * 0.85 + Vec3::new(0.32, 0.36, 0.42) * sky + 0.06)
}

fn at_rest(character: &Character) -> Vec<Rows> {
    vec![[[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]; character.bones.len()]
}

fn main() {
    let mut options = std::env::args().skip(1);
    let path = options.next().unwrap_or_else(|| "contact_sheet.png".to_owned());
    let what = options.next().unwrap_or_else(|| "lods".to_owned());
    let start = std::time::Instant::now();
    let character = options.next().map_or_else(Character::creature, |file| from_file(&file));
    let took = start.elapsed();
    let canvas = match what.as_str() {
        "lods" => lods(&character),
        "close" => close(&character, 1),
        "relief" => close(&character, 8),
        "crowd" => crowd(&character),
        "clips" => clips(&character, |_| true, 6, 320),
        name => clips(&character, |clip| clip == name, 6, 640),
    };
    canvas.save(&path);
    let count = |of: fn(&Mesh) -> usize| character.lods.iter().map(of).collect::<Vec<_>>();
    let matrices: usize = character.clips.iter().map(|clip| clip.matrices.len()).sum();
    eprintln!(
        "{}: {:?} triangles, {:?} vertices, {} bones, {} clips with {matrices} matrices, {:.3} m around {:?}; made in {took:.3?}",
        character.name,
        count(Mesh::faces),
        count(|mesh| mesh.positions.len()),
        character.bones.len(),
        character.clips.len(),
        character.bounds.radius,
        character.bounds.centre,
    );
}

fn from_file(file: &str) -> Character {
    let read =
        Character::from_gltf(std::path::Path::new(file), &GltfOptions { height: Some(1.0), ..GltfOptions::default() });
    let read = read.unwrap_or_else(|error| panic!("{error}"));
    read.notes.iter().for_each(|note| eprintln!("{note}"));
    read.character
}

fn lods(character: &Character) -> Canvas {
    const SIZE: usize = 640;
    let mut canvas = Canvas::new(SIZE * 4, SIZE * character.lods.len());
    for (row, mesh) in character.lods.iter().enumerate() {
        for (column, around) in [0.0, 40.0, 90.0, 200.0].into_iter().enumerate() {
            let view = View::new(column * SIZE, row * SIZE, SIZE, (around, 8.0), Vec3::new(0.0, 0.0, 0.5), 1.25);
            canvas.ground(&view, 0.0);
            draw(&mut canvas, &view, character, mesh, &at_rest(character), &Variation::PLAIN);
        }
    }
    canvas
}

/// The first clip's first pose from near, with edges cut into so many pieces.
fn close(character: &Character, level: u32) -> Canvas {
    const SIZE: usize = 1400;
    let mut canvas = Canvas::new(SIZE * 2, SIZE);
    let pose = character.clips.first().map_or_else(|| at_rest(character), |clip| clip.pose(0.0));
    for (column, (around, at, span)) in [(35.0, 0.5, 1.15), (20.0, 0.82, 0.6)].into_iter().enumerate() {
        let view = View::new(column * SIZE, 0, SIZE, (around, 6.0), Vec3::new(0.0, 0.0, at), span);
        canvas.ground(&view, 0.0);
        if level == 1 {
            draw(&mut canvas, &view, character, &character.lods[0], &pose, &Variation::PLAIN);
        } else {
            draw_patches(&mut canvas, &view, character, &pose, level);
        }
    }
    canvas
}

fn draw_patches(canvas: &mut Canvas, view: &View, character: &Character, pose: &[Rows], level: u32) {
    let mesh = &character.lods[0];
    let (patch, whole) = (Patch::new(level), mesh.tessellated(pose, level));
    let colours: Vec<Vec3> =
        (0..mesh.positions.len()).map(|vertex| colour(mesh, &character.palettes[0], vertex)).collect();
    for (face, corners) in mesh.indices.chunks_exact(3).enumerate() {
        let first = face * patch.points.len();
        let point = |index: u16| {
            let parts = patch.points[usize::from(index)];
            let mixed: Vec3 = (0..3).map(|corner| colours[corners[corner] as usize] * f32::from(parts[corner])).sum();
            let at = first + usize::from(index);
            (whole.positions[at], lit(mixed / level as f32, whole.normals[at]))
        };
        for triangle in patch.indices.chunks_exact(3) {
            canvas.triangle(view, [point(triangle[0]), point(triangle[1]), point(triangle[2])]);
        }
    }
}

fn crowd(character: &Character) -> Canvas {
    const SIZE: usize = 400;
    let mut canvas = Canvas::new(SIZE * 6, SIZE * 4);
    for id in 0..24 {
        let who = Variation::of(id);
        let (column, row) = (id as usize % 6, id as usize / 6);
        let view = View::new(column * SIZE, row * SIZE, SIZE, (30.0, 8.0), Vec3::new(0.0, 0.0, 0.5), 1.3);
        canvas.ground(&view, 0.0);
        let clip = &character.clips[who.choice as usize % character.clips.len()];
        draw(&mut canvas, &view, character, &character.lods[0], &clip.pose(who.phase), &who);
    }
    canvas
}

fn clips(character: &Character, wanted: impl Fn(&str) -> bool, phases: usize, size: usize) -> Canvas {
    let chosen: Vec<_> = character.clips.iter().filter(|clip| wanted(&clip.name)).collect();
    let mut canvas = Canvas::new(size * phases, size * chosen.len().max(1));
    for (row, clip) in chosen.into_iter().enumerate() {
        for column in 0..phases {
            let phase = column as f32 / if clip.looped { phases as f32 } else { phases as f32 - 1.0 };
            let view = View::new(column * size, row * size, size, (55.0, 10.0), Vec3::new(0.0, 0.0, 0.45), 1.4);
            canvas.ground(&view, phase * clip.stride);
            draw(&mut canvas, &view, character, &character.lods[0], &clip.pose(phase), &Variation::PLAIN);
        }
    }
    canvas
}
