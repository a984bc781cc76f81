//! Close-ups, and meshes that are skinned once a frame: against the creature's own twins on the CPU.

#[path = "../../../../throng-creature/tests/drum/mod.rs"]
mod drum;

use super::creatures::dolls;
use super::*;
use crate::draw::layout::{Slot, bind_buffers, group_layout, kernel, module};
use crate::draw::memory::{buffer, filled};
use crate::space::crowd::FIGURE_WGSL;
use crate::space::figure::creature;
use std::collections::HashMap;
use throng::scene::Files;
use throng_creature::{LEVELS as CUTS, Mesh, PackedClips, Patch, RELIEF_WGSL, VARIATION_WGSL, VERTEX_WGSL};

/// Somebody who cheers, and nobody else.
const CHEERS: &str = r#"
name = "post"
cell = 0.5
size = [20, 20]
state = [{ name = "at it", clip = "cheer", seconds = 1000, then = [{ to = "at it" }] }]
agents = [{ name = "one", count = 1, start = { rect = [9.8, 9.8, 10.2, 10.2] }, state = "at it" }]
"#;

fn near() -> Settings {
    Settings { budget: 40_000_000, ..from_to([10.0, 8.6, 0.8], [10.0, 10.0, 0.55]) }
}

/// Where the device puts the points of all patches of somebody who is this figure, in its own space.
fn points(set: &Set, figure: usize, cut: u32) -> Vec<Vec3> {
    let device = set.gpu.device();
    let probe = "
        @group(1) @binding(0) var<storage, read_write> probed: array<vec4<f32>>;
        @group(1) @binding(1) var<uniform> cut_into: vec4<u32>;
        @compute @workgroup_size(64) fn probe(@builtin(global_invocation_id) at: vec3<u32>) {
            let points = (cut_into.x + 1u) * (cut_into.x + 2u) / 2u;
            if (at.x >= points * shape.faces) { return; }
            let it = Close(0u, at.x / points, weights_of(at.x % points, cut_into.x));
            probed[at.x] = vec4<f32>(displaced(it).position, 0.0);
        }";
    let kept = include_str!("../vertex_packed.wgsl");
    let parts = [
        include_str!("../space.wgsl"),
        VARIATION_WGSL,
        VERTEX_WGSL,
        FIGURE_WGSL,
        kept,
        include_str!("../placed.wgsl"),
        include_str!("../skinned.wgsl"),
        RELIEF_WGSL,
        include_str!("../close.wgsl"),
        probe,
    ];
    let shader = module(device, "probe", &parts);
    let compute = wgpu::ShaderStages::COMPUTE;
    use Slot::{Read, Uniform, Write};
    let of_skinned = group_layout(device, "skinned", compute, &[Read, Read, Read, Read, Read, Uniform]);
    let of_probe = group_layout(device, "probe", compute, &[Write, Uniform]);
    let kernel = kernel(device, &shader, "probe", &[&of_skinned, &of_probe]);
    let actors = &set.space().crowd.actors[figure];
    let figure = &actors.figure;
    let many = u64::from(figure.cage_size[1] * (cut + 1) * (cut + 2) / 2);
    let probed = buffer(&set.gpu, "probed", 16 * many, BufferUsages::STORAGE);
    let told = filled(&set.gpu, "cut", &[cut, 0, 0, 0], BufferUsages::UNIFORM);
    let characters = &set.space().crowd.characters;
    let (members, starts, skinned) = (&actors.members, &actors.starts, &actors.skinned);
    let all = [characters, members, starts, &figure.table, skinned, &figure.shape];
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&kernel);
        pass.set_bind_group(0, &bind_buffers(device, &of_skinned, &all), &[]);
        pass.set_bind_group(1, &bind_buffers(device, &of_probe, &[&probed, &told]), &[]);
        pass.dispatch_workgroups(many.div_ceil(64) as u32, 1, 1);
    }
    set.gpu.queue().submit([encoder.finish()]);
    let words = set.read(&probed);
    words.chunks_exact(4).take(many as usize).map(|w| Vec3::from([0, 1, 2].map(|k| f32::from_bits(w[k])))).collect()
}

/// That faces on both sides of every edge put its points at the same place.
fn nothing_opens(set: &Set, figure: usize, mesh: &Mesh) {
    let places = mesh.places();
    for cut in [2, 8] {
        let all = points(set, figure, cut);
        let patch = Patch::new(cut);
        let mut on_edges: HashMap<[(u32, u16); 2], [u32; 3]> = HashMap::new();
        let mut shared = 0;
        for (face, points) in mesh.indices.chunks_exact(3).zip(all.chunks_exact(patch.points.len())) {
            for (weights, point) in patch.points.iter().zip(points) {
                // On an edge, corners count by their places and weights; the third has none.
                let place = |k: usize| (places[face[k] as usize].number, weights[k]);
                let mut corners: Vec<(u32, u16)> = (0..3).map(place).filter(|c| c.1 > 0).collect();
                if corners.len() != 2 {
                    continue;
                }
                corners.sort_unstable();
                let bits = point.to_array().map(f32::to_bits);
                let before = *on_edges.entry([corners[0], corners[1]]).or_insert(bits);
                assert_eq!(before, bits, "an edge between {corners:?} opens at a cut of {cut}");
                shared += 1;
            }
        }
        // Every edge has two faces.
        assert_eq!(shared, 2 * on_edges.len());
    }
}

#[test]
fn nothing_opens_between_the_patches_of_a_close_up() {
    let mut set = Set::new(CHEERS, 3);
    set.shoot(near());
    nothing_opens(&set, 0, &creature().lods[0]);
}

/// A drum by any name.
struct Drums;

impl Files for Drums {
    fn read(&self, _: &str) -> Result<Vec<u8>, String> {
        Ok(drum::file(drum::drum()))
    }
}

#[test]
fn nothing_opens_at_hard_edges_and_seams_of_somebodys_own_character() {
    let text = CHEERS.replace("count = 1", "count = 1, character = \"drum.glb\"");
    let scene = Scene::parse("test.toml", &text, &Drums).unwrap_or_else(|e| panic!("{e}"));
    let cast = Cast::of(&scene).unwrap_or_else(|e| panic!("{e}"));
    let mut set = Set::of(&scene, 3);
    set.shoot(near());
    nothing_opens(&set, 1, &cast.guests()[0].character.lods[0]);
}

#[test]
fn close_ups_are_the_surface_that_the_creature_has_on_the_cpu() {
    let clips = PackedClips::pack(&creature().clips).expect("they pack");
    let mut set = Set::new(CHEERS, 3);
    set.shoot(near());
    let doll = dolls(&set, &clips).pop().expect("somebody is there");
    let cut = 4;
    let wanted = creature().lods[0].tessellated(&doll.bones, cut);
    let got = points(&set, 0, cut);
    assert_eq!(got.len(), wanted.positions.len());
    let mut away: Vec<f32> = got.iter().zip(&wanted.positions).map(|(p, q)| p.distance(*q)).collect();
    away.sort_by(f32::total_cmp);
    let at = |share: f64| away[((away.len() - 1) as f64 * share) as usize];
    // Vertices are packed twice, at rest and in the pose, and bones once, each to less than a tenth of a millimetre. Where bones meet that
    // grow differently the device blends normals without growth: patches bend otherwise there, by some degrees.
    assert!(at(0.9) < 1e-4 && at(1.0) < 8e-3, "{} m, {} m at most", at(0.9), at(1.0));
}

#[test]
fn one_close_up_has_as_many_triangles_as_the_paper_asks_for() {
    let mut set = Set::new(CHEERS, 3);
    let nearest = Settings { budget: 40_000_000, shadows: false, ..from_to([10.0, 9.45, 0.75], [10.0, 10.0, 0.7]) };
    let look = Look { space: Some(nearest), ..Look::default() };
    // So large that triangles of the finest cut are worth having.
    let shooting =
        Shooting { size: [1600, 900], look, aim: Aim::Fit, caption: false, chosen: None, text: 1.0, back: 0.0 };
    set.studio.picture(&mut set.sim, &shooting).expect("the device draws");
    let report = set.studio.report().expect("the device tells");
    assert_eq!((report.levels[CLOSE], report.cut), (1, *CUTS.last().expect("there are some")), "{report:?}");
    assert!(report.triangles >= 1_600_000, "{}", report.triangles);
}

/// The share of pixels that differ by more than so much, and the mean difference, of 255.
fn difference(a: &RgbaImage, b: &RgbaImage, much: u8) -> (f64, f64) {
    let pairs = a.as_raw().iter().zip(b.as_raw());
    let (mut large, mut sum) = (0u64, 0u64);
    for (x, y) in pairs {
        let d = x.abs_diff(*y);
        large += u64::from(d > much);
        sum += u64::from(d);
    }
    let n = a.as_raw().len() as f64;
    (large as f64 / n, sum as f64 / n)
}

#[test]
fn however_vertices_are_skinned_and_kept_the_picture_is_the_same() {
    let mut set = Set::new(VALLEY, 3);
    let full = Settings { pinned: Some(FULL as u32), ..from_to([14.0, 2.0, 1.4], [20.0, 18.0, 0.6]) };
    let reference = set.shoot(Settings { skinning: Skinning::Each, ..full });
    let mut kept = Vec::new();
    for vertices in [Vertices::Plain, Vertices::Packed, Vertices::Paper] {
        let picture = set.shoot(Settings { vertices, ..full });
        let (large, mean) = difference(&picture, &reference, 24);
        // Edges may fall on the other side of a sample; the paper's normals are a fifteenth of a degree off.
        assert!(large < 0.004 && mean < 0.25, "{vertices:?}: {large} of the pixels, {mean} on average");
        kept.push(set.read(&set.space().crowd.actors[0].starts)[LISTS + FULL]);
    }
    assert!(kept[0] > 20 && kept.iter().all(|n| *n == kept[0]), "{kept:?}");
}

#[test]
fn shadows_of_those_who_are_skinned_once_are_those_of_the_others() {
    let mut set = Set::new(VALLEY, 3);
    let view = from_to([14.0, 2.0, 1.8], [20.0, 18.0, 0.6]);
    let [shared, each] = [Skinning::Shared, Skinning::Each].map(|skinning| {
        let picture = set.shoot(Settings { skinning, finest: 1, ..view });
        let starts = set.read(&set.space().crowd.actors[0].starts);
        (picture, starts[LISTS + SKINNED_CASTERS])
    });
    assert!(shared.1 > 0 && each.1 == 0, "{} and {}", shared.1, each.1);
    let (large, mean) = difference(&shared.0, &each.0, 40);
    // Casters have the reduced mesh either way, on vertices up to 2 cm apart.
    assert!(large < 0.01 && mean < 0.6, "{large} of the pixels, {mean} on average");
    let without = set.shoot(Settings { shadows: false, ..view });
    assert!(difference(&without, &shared.0, 24).0 > 3.0 * large.max(0.002), "there are shadows at all");
}
