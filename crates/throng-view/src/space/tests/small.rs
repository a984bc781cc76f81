//! Those who are small on the screen: pictures from an atlas and sums per pixel against the meshes that come before them.

use super::*;
use crate::space::atlas::{DIRECTIONS, PHASES, SLOPES, TILE};
use crate::space::figure::creature;
use crate::space::levels::{CLOSE, FAR, FULL, IMPOSTOR};
use throng_creature::Role;

/// The last of the meshes.
const COARSEST: usize = IMPOSTOR - 1;

/// So many people who start there.
fn square(people: u32, start: [f32; 4]) -> String {
    format!(
        r#"
name = "square"
cell = 0.5
size = [40, 40]
goal = [{{ name = "gate", rect = [39, 0, 40, 40] }}]
agents = [{{ name = "crowd", count = {people}, start = {{ rect = {start:?} }}, journey = ["gate"] }}]
"#
    )
}

/// People everywhere, after so many steps.
fn crowd(steps: u64) -> Set {
    Set::new(&square(600, [1.0, 1.0, 38.0, 39.0]), steps)
}

/// A few close together, so that all of them are about as far from who looks at them from near by.
fn few() -> Set {
    Set::new(&square(5, [19.0, 19.5, 21.0, 20.5]), 4)
}

/// A layer of a texture's copy.
fn texels(set: &Set, texture: &wgpu::Texture, copy: u32, layer: u32) -> (Vec<[u8; 4]>, usize) {
    let [w, h] = [texture.width() >> copy, texture.height() >> copy];
    let row = (4 * w).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let to = set.gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(row * h),
        usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = set.gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
    let from = wgpu::TexelCopyTextureInfo {
        mip_level: copy,
        origin: wgpu::Origin3d { x: 0, y: 0, z: layer },
        ..texture.as_image_copy()
    };
    let size = wgpu::Extent3d { width: w, height: h, depth_or_array_layers: 1 };
    encoder.copy_texture_to_buffer(from, wgpu::TexelCopyBufferInfo { buffer: &to, layout }, size);
    set.gpu.queue().submit([encoder.finish()]);
    let words = set.mapped(&to);
    let rows = words.chunks_exact(row as usize / 4).flat_map(|r| &r[..w as usize]);
    (rows.map(|w| w.to_le_bytes()).collect(), w as usize)
}

/// What is covered in a tile, texel by texel.
fn covered((all, wide): &(Vec<[u8; 4]>, usize), direction: u32, slope: u32, phase: u32) -> Vec<i32> {
    let (x, y) = ((direction * TILE) as usize, ((slope * PHASES + phase) * TILE) as usize);
    let rows = (0..TILE as usize).flat_map(|row| &all[(y + row) * wide + x..][..TILE as usize]);
    rows.map(|texel| i32::from(texel[3])).collect()
}

/// How many texels' worth of coverage differ.
fn differ(a: &[i32], b: &[i32]) -> i32 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<i32>() / 255
}

#[test]
fn tiles_show_the_pose_and_which_way_somebody_faces() {
    let mut set = crowd(1);
    set.shoot(Settings::default());
    let atlas = &set.space().crowd.actors[0].figure.atlas;
    let walk = creature().clips_for(Role::Walk).next().expect("it walks");
    let layer = atlas.layer_of(walk).expect("walking is pictured");
    let shares = texels(&set, &atlas.textures[0], 0, layer);
    for slope in 0..SLOPES {
        for direction in 0..DIRECTIONS {
            let tile = |phase| covered(&shares, direction, slope, phase);
            let full: i32 = tile(0).iter().sum::<i32>() / 255;
            // A body fills a good part of its tile, and nothing of it is beyond.
            assert!((150..850).contains(&full), "{full} of 1024 texels at slope {slope}");
            for phase in 0..PHASES {
                let (next, later) = (tile((phase + 1) % PHASES), tile((phase + 3) % PHASES));
                let (little, much) = (differ(&tile(phase), &next), differ(&tile(phase), &later));
                assert!(little > 4 && much > 12, "{little} and {much} texels from phase {phase} on");
                // Also from the last to the first: it is a loop.
                assert!(little < full / 2, "{little} of {full} from phase {phase} to the next");
            }
        }
        // From the side it is not what it is from the front, and who walks leans: nor what it is from the other side.
        let front = covered(&shares, 0, slope, 0);
        for direction in [2, 6] {
            assert!(differ(&front, &covered(&shares, direction, slope, 0)) > 40, "direction {direction}");
        }
    }
    // The smallest copy of a tile is the mean of it.
    let mean = texels(&set, &atlas.textures[0], TILE.trailing_zeros(), layer);
    let tile = covered(&shares, 3, 1, 2);
    let (sum, one) = (
        tile.iter().sum::<i32>() / (TILE * TILE) as i32,
        i32::from(mean.0[((PHASES + 2) * DIRECTIONS + 3) as usize][3]),
    );
    assert!((sum - one).abs() <= 3, "{sum} and {one}");
}

/// What agents change of a picture: the mean of each colour's change, and of its size.
fn change(with: &RgbaImage, without: &RgbaImage) -> ([f64; 3], f64) {
    let n = with.pixels().len() as f64;
    let (mut by, mut size) = ([0.0; 3], 0.0);
    for (a, b) in with.pixels().zip(without.pixels()) {
        let d: [f64; 3] = std::array::from_fn(|k| f64::from(a.0[k]) - f64::from(b.0[k]));
        for k in 0..3 {
            by[k] += d[k] / n;
        }
        size += d.iter().map(|d| d.abs()).sum::<f64>() / (3.0 * n);
    }
    (by, size)
}

/// From level, from above, straight down; so far away that everybody is about so many pixels tall.
fn views(pixels: f32) -> Vec<Settings> {
    let tall = 1.5;
    let away = tall * SIZE[1] as f32 / (2.0 * (0.5 * crate::space::viewpoint::FIELD_OF_VIEW).tan() * pixels);
    [0.12f32, 0.5, 0.9, 1.5]
        .map(|tilt| {
            let from = Vec3::new(20.0, 20.0 - away * tilt.cos(), 0.5 + away * tilt.sin());
            from_to(from.to_array(), [20.0, 20.0, 0.5])
        })
        .to_vec()
}

/// A crowd with everybody at a level, and the same picture without anybody's body: shadows are those of meshes in all of them.
fn pinned(set: &mut Set, view: &Settings, level: usize) -> RgbaImage {
    set.shoot(Settings { pinned: Some(level as u32), ..*view })
}

/// With nobody in it but their shadows.
fn empty(set: &mut Set, view: &Settings) -> RgbaImage {
    let look = Look { space: Some(*view), agents: 0.0, ..Look::default() };
    let shooting = Shooting { size: SIZE, look, aim: Aim::Fit, caption: false, chosen: None, text: 1.0, back: 0.0 };
    set.studio.picture(&mut set.sim, &shooting).expect("the device draws")
}

/// Where one level ends and the next begins, a crowd has the same colours and covers as much. In parts of what it changes.
fn agree(mut set: Set, pixels: f32, levels: [usize; 2], views_: std::ops::Range<usize>, most: f64) {
    let all = views(pixels);
    for k in views_ {
        let view = all[k];
        let without = empty(&mut set, &view);
        let [a, b] = levels.map(|level| change(&pinned(&mut set, &view, level), &without));
        let off = (0..3).map(|k| (a.0[k] - b.0[k]).abs()).fold(0.0, f64::max);
        let (by, of) = (off / a.1, b.1 / a.1 - 1.0);
        assert!(a.1 > 0.3, "a crowd that changes {a:?} is hardly there");
        assert!(by < most, "view {k}: {a:?} becomes {b:?}");
        assert!(of.abs() < most, "view {k}: {a:?} becomes {b:?}");
    }
}

/// Whether pictures are mixtures of the nearest tiles, as on hardware, or one of them, as on software.
fn mix_tiles(set: &mut Set, mixed: u32) {
    let view = views(10.0)[1];
    empty(set, &view);
    let rows = &set.space().crowd.actors[0].figure.atlas.rows;
    set.gpu.queue().write_buffer(rows, 12, bytemuck::bytes_of(&mixed));
}

#[test]
fn meshes_become_pictures_of_the_same_colour_and_size() {
    // What is mixed of several tiles has soft outlines, and of soft ones that are behind each other less is seen: from the side 15 % less of one
    // colour.
    for (mixed, most) in [(0, 0.1), (1, 0.2)] {
        let mut set = crowd(30);
        mix_tiles(&mut set, mixed);
        agree(set, 10.0, [COARSEST, IMPOSTOR], 0..3, most);
        // From straight above the coarsest mesh, which has no ears, is the smaller one.
        let mut set = crowd(30);
        mix_tiles(&mut set, mixed);
        agree(set, 14.0, [COARSEST - 1, IMPOSTOR], 0..4, most);
    }
}

#[test]
fn finer_meshes_become_coarser_ones_of_the_same_colour_and_size() {
    // Few are drawn as large as that, and only here is all of a body seen. The last mesh has no eyes, belt or belly of another colour.
    for (pixels, finer, coarser, most) in
        [(100.0, CLOSE, FULL, 0.03), (60.0, FULL, FULL + 1, 0.06), (28.0, FULL + 1, FULL + 2, 0.18)]
    {
        agree(few(), pixels, [finer, coarser], 1..4, most);
    }
}

#[test]
fn pictures_become_sums_of_the_same_colour_and_size() {
    // Bodies alone: who is three pixels tall casts no shadow, which would be the same in both. What differs most is the blue, by a seventh.
    agree(crowd(30), 3.0, [IMPOSTOR, FAR], 0..4, 0.22);
}

#[test]
fn small_ones_are_the_same_in_every_run() {
    let pictures = || {
        let mut set = Set::new(VALLEY, 5);
        [(8.0, IMPOSTOR), (2.0, FAR)].map(|(pixels, level)| pinned(&mut set, &views(pixels)[1], level).into_raw())
    };
    assert!(pictures() == pictures());
}

#[test]
fn sums_do_not_depend_on_the_order() {
    let mut set = crowd(5);
    let view = views(2.0)[1];
    pinned(&mut set, &view, FAR);
    let sums = |set: &Set| set.space().sums.sums.each_ref().map(|b| set.read(b));
    let before = sums(&set);
    assert!(before[0].iter().any(|&w| w > 0));
    // The list the other way round.
    let space = set.space();
    let actors = &space.crowd.actors[0];
    let starts = set.read(&actors.starts);
    let (first, count) = (starts[FAR] as usize, starts[LISTS + FAR] as usize);
    assert!(count > 300, "{count}");
    let mut members = set.read(&actors.members);
    members[first..first + count].reverse();
    set.gpu.queue().write_buffer(&actors.members, 0, bytemuck::cast_slice(&members));
    let targets = space.targets.as_ref().expect("something was drawn");
    let mut encoder = set.gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    // Depths are by now those of the whole picture, with everybody's sums: once more those of the ground.
    space.draw_depth(&mut encoder, &Look::default());
    for buffer in &space.sums.sums {
        encoder.clear_buffer(buffer, 0, None);
    }
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    space.add_far(&mut pass, targets, set.sim.counters().active as u32);
    drop(pass);
    set.gpu.queue().submit([encoder.finish()]);
    assert!(sums(&set) == before);
}

/// A wall between the eye and a crowd.
const BEHIND: &str = r#"
name = "behind"
cell = 0.5
size = [60, 60]
map = { walls = [{ rect = [0, 20, 60, 22] }] }
goal = [{ name = "gate", rect = [0, 58, 60, 60] }]
agents = [{ name = "crowd", count = 300, start = { rect = [2, 23, 58, 27] }, journey = ["gate"] }]
"#;

#[test]
fn who_is_behind_a_wall_is_in_no_sum() {
    let mut set = Set::new(BEHIND, 0);
    let low = from_to([30.0, -160.0, 1.0], [30.0, 20.0, 1.0]);
    // Nobody is left out before: the sums themselves look whether something is nearer.
    let low = Settings { shadows: false, occlusion: false, frustum: false, walls: 3.0, ..low };
    let without = empty(&mut set, &low);
    let with = pinned(&mut set, &low, FAR);
    let report = set.studio.report().expect("the device tells");
    assert_eq!(report.levels[FAR], 300);
    assert!(with.as_raw() == without.as_raw(), "somebody is seen through a wall");
    // Over it they are seen.
    let high = Settings { shadows: false, ..from_to([30.0, -30.0, 40.0], [30.0, 24.0, 1.0]) };
    let (with, without) = (pinned(&mut set, &high, FAR), empty(&mut set, &high));
    assert!(change(&with, &without).1 > 0.2, "{:?}", change(&with, &without));
}

/// A crowd, and gas far behind it.
const BEFORE_GAS: &str = r#"
name = "before gas"
cell = 0.5
size = [60, 120]
goal = [{ name = "gate", rect = [0, 0, 60, 1] }]
hazard = [{ name = "gas", kind = "gas", at = [30, 80], radius = 28, fear = 1 }]
agents = [{ name = "crowd", count = 700, start = { rect = [2, 4, 58, 16] }, journey = ["gate"] }]
"#;

#[test]
fn mist_is_not_drawn_over_who_is_before_it() {
    let without_gas = BEFORE_GAS.lines().filter(|line| !line.starts_with("hazard")).collect::<Vec<_>>().join("\n");
    let view = Settings { shadows: false, ..from_to([30.0, -150.0, 1.2], [30.0, 40.0, 2.0]) };
    let [(with, mist), (clear, none)] = [BEFORE_GAS, &without_gas].map(|text| {
        let mut set = Set::new(text, 0);
        let picture = pinned(&mut set, &view, FAR);
        (picture, empty(&mut set, &view))
    });
    let differs = |a: &image::Rgba<u8>, b: &image::Rgba<u8>, by: u8| (0..3).any(|k| a.0[k].abs_diff(b.0[k]) > by);
    let (mut mists, mut before) = (0, 0);
    for ((w, m), (c, n)) in with.pixels().zip(mist.pixels()).zip(clear.pixels().zip(none.pixels())) {
        mists += u32::from(differs(m, n, 8));
        // Where a crowd stands before mist: all that is seen of the mist is what the crowd leaves open.
        if differs(m, n, 8) && differs(c, n, 30) {
            before += 1;
            let off = |k: usize| f32::from(w.0[k]) - f32::from(c.0[k]);
            let all = |k: usize| f32::from(m.0[k]) - f32::from(n.0[k]);
            let share = (0..3).map(|k| off(k).abs()).sum::<f32>() / (0..3).map(|k| all(k).abs()).sum::<f32>();
            assert!(share < 0.8, "{share} of the mist is seen through a crowd: {w:?} was {c:?}");
        }
    }
    assert!(mists > 400 && before > 20, "{mists} pixels of mist, {before} with a crowd before it");
}

#[test]
fn who_covers_little_of_a_pixel_cuts_no_hole_into_the_mist_behind() {
    let scattered = BEFORE_GAS.replace("count = 700", "count = 24");
    let without_gas = scattered.lines().filter(|line| !line.starts_with("hazard")).collect::<Vec<_>>().join("\n");
    let view = Settings { shadows: false, ..from_to([30.0, -300.0, 1.2], [30.0, 40.0, 2.0]) };
    let mut areas = Vec::new();
    let [(with, mist), (clear, none)] = [&scattered, &without_gas].map(|text| {
        let mut set = Set::new(text, 0);
        let picture = pinned(&mut set, &view, FAR);
        areas = set.read(&set.space().sums.sums[0]).chunks_exact(4).map(|sum| sum[3]).collect();
        (picture, empty(&mut set, &view))
    });
    let pixels = with.pixels().zip(mist.pixels()).zip(clear.pixels().zip(none.pixels()));
    let (mut seen, mut all) = (0.0, 0.0);
    let mut looked = 0;
    // Somebody is there, and covers less than a tenth.
    for (((w, m), (c, n)), _) in pixels.zip(areas).filter(|(_, area)| (1..410).contains(area)) {
        let between =
            |a: &image::Rgba<u8>, b: &image::Rgba<u8>| (0..3).map(|k| f64::from(a.0[k].abs_diff(b.0[k]))).sum::<f64>();
        if between(m, n) > 12.0 {
            looked += 1;
            seen += between(w, c);
            all += between(m, n);
        }
    }
    assert!(looked > 8, "{looked} pixels of mist with somebody before it");
    // A sample of four without it would leave three quarters.
    assert!(seen > 0.88 * all, "{} of the mist is seen", seen / all);
}

/// Somebody before the eye, and perhaps a crowd far behind.
fn before(crowd: u32) -> String {
    format!(
        r#"
name = "before"
cell = 0.5
size = [60, 300]
goal = [{{ name = "gate", rect = [0, 299, 60, 300] }}]
agents = [
    {{ name = "one", count = 1, start = {{ rect = [29.5, 10, 30.5, 11] }}, journey = ["gate"] }},
    {{ name = "crowd", count = {crowd}, start = {{ rect = [2, 230, 58, 298] }}, journey = ["gate"] }},
]
"#
    )
}

#[test]
fn who_is_near_hides_who_is_far() {
    let view = Settings { shadows: false, ..from_to([30.0, 7.0, 1.1], [30.0, 12.0, 0.8]) };
    let [(alone, empty_), (together, _)] = [0, 2000].map(|crowd| {
        let mut set = Set::new(&before(crowd), 0);
        let picture = set.shoot(view);
        if crowd > 0 {
            let report = set.studio.report().expect("the device tells");
            assert!(report.levels[FAR] > 1000, "{:?}", report.levels);
        }
        (picture, empty(&mut set, &view))
    });
    let (mut body, mut crowd) = (0, 0);
    for ((a, b), e) in alone.pixels().zip(together.pixels()).zip(empty_.pixels()) {
        let differs = |x: &image::Rgba<u8>, y: &image::Rgba<u8>| (0..3).any(|k| x.0[k].abs_diff(y.0[k]) > 12);
        crowd += u32::from(differs(a, b));
        body += u32::from(differs(a, e));
    }
    assert!(body > 1000, "{body} pixels of somebody near");
    assert!(crowd > 50, "{crowd} pixels of a crowd");
    // All around it is somebody, too: edges of a body may show both.
    let inside = |x: u32, y: u32| {
        let near = (x.saturating_sub(1)..=x + 1).flat_map(|x| (y.saturating_sub(1)..=y + 1).map(move |y| (x, y)));
        near.filter(|&(x, y)| x < SIZE[0] && y < SIZE[1]).all(|(x, y)| {
            let (a, e) = (alone.get_pixel(x, y), empty_.get_pixel(x, y));
            (0..3).any(|k| a.0[k].abs_diff(e.0[k]) > 24)
        })
    };
    let mut looked = 0;
    for (x, y, a) in alone.enumerate_pixels().filter(|&(x, y, _)| inside(x, y)) {
        looked += 1;
        assert_eq!(a, together.get_pixel(x, y), "the crowd is seen through somebody at {x}, {y}");
    }
    assert!(looked > 500, "{looked}");
}

#[test]
fn pictures_of_a_crowd_are_not_in_step() {
    let mut set = crowd(60);
    set.shoot(Settings::default());
    let crowd = &set.space().crowd;
    let (poses, living, everybody) = (set.read(&crowd.poses), set.read(&crowd.living), set.read(&crowd.characters));
    let packed = throng_creature::PackedClips::pack(&creature().clips).expect("they pack");
    let bones = creature().bones.len() as u32;
    let mut phases = [0; PHASES as usize];
    for (pose, who) in poses.chunks_exact(4).zip(everybody.chunks_exact(16)).take(600) {
        let index = (living[8 * who[7] as usize + 1] & 0xfff) as usize;
        let clip = &creature().clips[index];
        // As tiles.wgsl finds it.
        let key = (pose[0] - packed.starts[index]) / bones;
        let phase = (key as f32 + f32::from(pose[2] as u16) / 65535.0) / (clip.keys - 1) as f32;
        assert!((0.0..=1.0).contains(&phase), "{phase}");
        phases[(phase * PHASES as f32) as usize % PHASES as usize] += 1;
    }
    assert!(phases.iter().all(|&n| n > 30), "{phases:?}");
}

#[test]
fn mixed_tiles_are_as_large_and_as_bright_as_single_ones() {
    let mut set = crowd(30);
    let view = views(10.0)[1];
    let without = empty(&mut set, &view);
    let [one, mixed] = [0u32, 1].map(|mixed| {
        mix_tiles(&mut set, mixed);
        change(&pinned(&mut set, &view, IMPOSTOR), &without)
    });
    let off = (0..3).map(|k| (one.0[k] - mixed.0[k]).abs()).fold(0.0, f64::max);
    assert!(off < 0.05 * one.1 && (mixed.1 / one.1 - 1.0).abs() < 0.05, "{one:?} becomes {mixed:?}");
}
