//! Triangles by compute shaders, against a plain reference: which samples they cover, and how deep they are there.

use super::*;
use crate::draw::layout::{Slot, bind_buffers, group_layout, kernel, module};
use crate::draw::memory::filled;
use crate::space::crowd::FIGURE_WGSL;
use throng_creature::VARIATION_WGSL;

/// A corner on the screen: x, y and depth.
type Point = [f32; 3];

/// Triangles of a workgroup: points have a byte each.
const EACH: usize = 85;

/// The depths of all samples after these triangles were drawn over nothing, with room for large ones on the list or without.
fn drawn(set: &mut Set, triangles: &[[Point; 3]], room: bool) -> Vec<f32> {
    let view = from_to([14.0, 2.0, 1.4], [20.0, 18.0, 0.6]);
    set.shoot(view);
    let (space, device) = (set.space(), set.gpu.device());
    let probe = "
        @group(0) @binding(0) var<storage, read> characters: array<Character>;
        @group(0) @binding(1) var<storage, read> table: array<vec4<u32>>;
        @group(0) @binding(2) var<uniform> shape: Shape;
        @group(0) @binding(3) var<storage, read> strewn: array<vec4<u32>>;
        fn corners_of(t: u32) -> u32 { return (3u * t) | ((3u * t + 1u) << 8u) | ((3u * t + 2u) << 16u); }
        fn looks_of(t: u32) -> u32 { return 0u; }
        @compute @workgroup_size(64)
        fn probe(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
            let first = group.x * 85u;
            let many = min(arrayLength(&strewn) / 3u - first, 85u);
            for (var k = lane; k < 3u * many; k += WIDE) { points[k] = strewn[3u * first + k]; }
            workgroupBarrier();
            rasterise(lane, many);
        }";
    let parts = [
        include_str!("../space.wgsl"),
        include_str!("../light.wgsl"),
        VARIATION_WGSL,
        FIGURE_WGSL,
        include_str!("../skin.wgsl"),
        include_str!("../samples.wgsl"),
        include_str!("../raster.wgsl"),
        include_str!("../workgroup.wgsl"),
        probe,
    ];
    let shader = module(device, "probe", &parts);
    let compute = wgpu::ShaderStages::COMPUTE;
    let ours = group_layout(device, "probe", compute, &[Slot::Read, Slot::Read, Slot::Uniform, Slot::Read]);
    let l = &space.layouts;
    let probe = kernel(device, &shader, "probe", &[&ours, &l.light, &l.aim, &l.samples]);
    let words: Vec<[u32; 4]> =
        triangles.iter().flatten().map(|p| [p[0].to_bits(), p[1].to_bits(), p[2].to_bits(), 0]).collect();
    let strewn = filled(&set.gpu, "strewn", &words, BufferUsages::STORAGE);
    let figure = &space.crowd.actors[0].figure;
    let group = bind_buffers(device, &ours, &[&space.crowd.characters, &figure.table, &figure.shape, &strewn]);
    let large = space.crowd.bound_large(&space.crowd.actors[0], &l.large);
    let targets = space.targets.as_ref().expect("something was drawn");
    let [depths, colours] = &targets.samples;
    let samples = bind_buffers(device, &l.samples, &[depths, colours, &targets.large, &targets.pyramid_levels]);
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    // Nothing is there, no triangle is on the list, and the pyramid is as far as can be.
    encoder.clear_buffer(depths, 0, None);
    encoder.clear_buffer(&targets.large, 0, None);
    if !room {
        let full = filled(&set.gpu, "full", &[1u32 << 20, 0], BufferUsages::COPY_SRC);
        encoder.copy_buffer_to_buffer(&full, 0, &targets.large, 0, 8);
    }
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_bind_group(1, &space.lights[Baker::last()], &[]);
        pass.set_bind_group(2, &space.aims[0][CLOSE], &[]);
        pass.set_bind_group(3, &samples, &[]);
        pass.set_pipeline(&probe);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(triangles.len().div_ceil(EACH) as u32, 1, 1);
        pass.set_pipeline(&space.pipelines.large[1]);
        pass.set_bind_group(0, &large, &[]);
        pass.dispatch_workgroups(16, 1, 1);
    }
    set.gpu.queue().submit([encoder.finish()]);
    let all = set.read(depths);
    all.into_iter().take((4 * SIZE[0] * SIZE[1]) as usize).map(f32::from_bits).collect()
}

/// Where the samples of a pixel are.
const SAMPLES: [[f64; 2]; 4] = [[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]];

/// Where a sample is, by its number in the buffer.
fn place(k: usize) -> [f64; 2] {
    let (pixel, [x, y]) = (k / 4, SAMPLES[k % 4]);
    [(pixel % SIZE[0] as usize) as f64 + x, (pixel / SIZE[0] as usize) as f64 + y]
}

/// How far within a triangle that faces the eye a sample is, px (below 0 outside), and how deep the triangle is there.
fn within(triangle: &[Point; 3], p: [f64; 2]) -> (f64, f64) {
    // On the screen y goes down: the other way round.
    let [a, c, b] = triangle.map(|p| p.map(f64::from));
    let twice = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let flat = |p: [f64; 3]| [p[0], p[1]];
    let all = twice(flat(a), flat(b), flat(c));
    if all <= 0.0 {
        return (f64::NEG_INFINITY, 0.0);
    }
    let parts = [twice(p, flat(b), flat(c)), twice(flat(a), p, flat(c)), twice(flat(a), flat(b), p)];
    let sides = [(b, c), (c, a), (a, b)].map(|(p, q)| (q[0] - p[0]).hypot(q[1] - p[1]));
    let inside = (0..3).map(|k| parts[k] / sides[k]).fold(f64::INFINITY, f64::min);
    let deep = (0..3).map(|k| parts[k] / all * [a, b, c][k][2]).sum();
    (inside, deep)
}

/// Numbers from 0 to 1, always the same.
fn chances(seed: u32) -> impl FnMut() -> f32 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    }
}

#[test]
fn triangles_cover_the_samples_within_them_and_are_as_deep_as_a_plane_there() {
    let mut set = Set::new(VALLEY, 1);
    let mut chance = chances(7);
    // From less than a pixel to more than the screen, some of them turned away, beside it, or before the near plane.
    let mut triangles: Vec<[Point; 3]> = Vec::new();
    for k in 0..600 {
        let size = [0.7, 3.0, 12.0, 60.0, 500.0][k % 5];
        let at = [chance() * 300.0 - 20.0, chance() * 180.0 - 20.0];
        let deep = 0.1 + 0.8 * chance();
        let mut corner = || [at[0] + size * (chance() - 0.5), at[1] + size * (chance() - 0.5), deep + 0.05 * chance()];
        let mut triangle = [corner(), corner(), corner()];
        if chance() < 0.02 {
            triangle[1][2] = -1.0;
        }
        triangles.push(triangle);
    }
    let got = drawn(&mut set, &triangles, true);
    // Whoever draws large ones, depths have the same bits: there may be room in one phase and none in the other.
    assert!(drawn(&mut set, &triangles, false) == got);
    let seen: Vec<&[Point; 3]> = triangles.iter().filter(|t| t.iter().all(|p| p[2] > 0.0)).collect();
    let mut covered = 0;
    for (k, got) in got.into_iter().enumerate() {
        let p = place(k);
        let all: Vec<(f64, f64)> = seen.iter().map(|t| within(t, p)).collect();
        // Whatever is nearer than this to an edge may be rounded to either side.
        let deepest = |least: f64| all.iter().filter(|a| a.0 > least).map(|a| a.1).fold(0.0, f64::max);
        let (surely, maybe) = (deepest(1e-3), deepest(-1e-3));
        let got = f64::from(got);
        // Depths of slivers are steep: a hundred-thousandth of what they span.
        assert!(got >= surely - 2e-5 && got <= maybe + 2e-5, "sample {k} at {p:?}: {got}, {surely} to {maybe}");
        covered += u32::from(got > 0.0);
    }
    assert!(covered > 4 * SIZE[0] * SIZE[1] / 2, "{covered} samples are covered");
}

#[test]
fn nothing_opens_between_triangles_that_share_edges() {
    let mut set = Set::new(VALLEY, 1);
    for (seed, side) in [(1, 2.3f32), (2, 9.0), (3, 40.0)] {
        // A sheet of crooked quads over all of the screen, each in two triangles, whichever way it is cut.
        let mut chance = chances(seed);
        let [w, h] = [SIZE[0], SIZE[1]].map(|n| (n as f32 / side) as usize + 4);
        let corners: Vec<Point> = (0..w * h)
            .map(|k| {
                let at = |n: usize, off: f32| (n as f32 - 1.5 + 0.8 * (off - 0.5)) * side;
                [at(k % w, chance()), at(k / w, chance()), 0.5]
            })
            .collect();
        let mut triangles = Vec::new();
        for y in 0..h - 1 {
            for x in 0..w - 1 {
                let [a, b, c, d] = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)].map(|(x, y)| corners[y * w + x]);
                if chance() < 0.5 {
                    triangles.extend([[a, c, b], [b, c, d]]);
                } else {
                    triangles.extend([[a, c, d], [a, d, b]]);
                }
            }
        }
        let open = drawn(&mut set, &triangles, true).iter().filter(|d| **d == 0.0).count();
        assert_eq!(open, 0, "samples between triangles of {side} px");
    }
}
