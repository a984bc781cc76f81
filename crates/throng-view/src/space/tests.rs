//! What is drawn in three dimensions. On software Vulkan, or on the device whose name contains `THRONG_TEST_DEVICE`.

mod close;
mod creatures;
mod figures;
mod follow;
mod limits;
mod raster;
mod small;
mod transitions;

use super::budget::BINS;
use super::levels::{CASTERS, CLOSE, FULL, LEVELS, SKINNED_CASTERS};
use super::light::{Baker, SUN, sun};
use super::viewpoint::{Eye, Fly, Orbit, Viewpoint};
use super::*;
use crate::studio::{Aim, Shooting, Studio};
use glam::{Vec2, Vec3};
use image::RgbaImage;
use throng::Simulation;
use throng::engine::CrowdChange;
use throng::scene::NoFiles;

/// Hills, walls to hide behind, and people all over.
const VALLEY: &str = r#"
name = "valley"
cell = 0.5
size = [40, 30]
map = { walls = [{ rect = [18, 8, 19, 22] }, { circle = [30, 12, 2] }, { rect = [5, 24, 12, 25] }, { line = [[24, 2], [28, 6]] }] }
terrain = { hills = [{ at = [10, 10], radius = 8, height = 2.5 }, { at = [32, 22], radius = 6, height = 1.8 }] }
goal = [{ name = "gate", rect = [39, 14, 40, 17] }]
agents = [{ name = "crowd", count = 260, start = { rect = [1, 1, 38, 29] }, journey = ["gate"] }]
"#;

/// A steep mountain and nobody.
const MOUNTAIN: &str = r#"
name = "mountain"
cell = 0.5
size = [60, 60]
terrain = { hills = [{ at = [30, 30], radius = 12, height = 24 }] }
"#;

const SIZE: [u32; 2] = [256, 144];
/// No multiple of the squares that shaders take a picture apart into.
const ODD: [u32; 2] = [161, 91];

fn scene(text: &str) -> Scene {
    Scene::parse("test.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn open_gpu() -> Gpu {
    let name = std::env::var("THRONG_TEST_DEVICE").unwrap_or_else(|_| "llvmpipe".into());
    Gpu::open(Some(&name)).expect("these tests need a Vulkan device; test.sh installs software Vulkan")
}

/// A run, and who draws it.
struct Set {
    gpu: Gpu,
    sim: Simulation,
    studio: Studio,
}

impl Set {
    fn new(text: &str, steps: u64) -> Self {
        Self::of(&scene(text), steps)
    }

    fn of(scene: &Scene, steps: u64) -> Self {
        let gpu = open_gpu();
        let mut sim = Simulation::with_threads(scene, 1).unwrap_or_else(|e| panic!("{e}"));
        sim.steps_by(steps).expect("the engine works");
        Self { sim, studio: Studio::new(&gpu, scene), gpu }
    }

    fn shoot(&mut self, settings: Settings) -> RgbaImage {
        self.shoot_back(settings, 0.0)
    }

    /// So many seconds before the end of the last step.
    fn shoot_back(&mut self, settings: Settings, back: f32) -> RgbaImage {
        self.shoot_sized(settings, SIZE, back)
    }

    fn shoot_sized(&mut self, settings: Settings, size: [u32; 2], back: f32) -> RgbaImage {
        let look = Look { space: Some(settings), ..Look::default() };
        let shooting = Shooting { size, look, aim: Aim::Fit, caption: false, chosen: None, text: 1.0, back };
        self.studio.picture(&mut self.sim, &shooting).expect("the device draws")
    }

    fn space(&self) -> &Space {
        self.studio.space().expect("something was drawn in three dimensions")
    }

    /// What shaders were told.
    fn numbers(&self) -> Numbers {
        bytemuck::pod_read_unaligned(bytemuck::cast_slice(&self.read(&self.space().numbers)))
    }

    /// The words of a buffer.
    fn read(&self, from: &Buffer) -> Vec<u32> {
        let device = self.gpu.device();
        let to = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: from.size(),
            usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(from, 0, &to, 0, from.size());
        self.gpu.queue().submit([encoder.finish()]);
        self.mapped(&to)
    }

    fn mapped(&self, buffer: &Buffer) -> Vec<u32> {
        buffer.slice(..).map_async(wgpu::MapMode::Read, |done| done.expect("it can be read"));
        self.gpu.device().poll(wgpu::PollType::wait_indefinitely()).expect("the device answers");
        let bytes = buffer.slice(..).get_mapped_range().expect("it can be read").to_vec();
        bytemuck::pod_collect_to_vec(&bytes)
    }
}

fn from_to(from: [f32; 3], to: [f32; 3]) -> Settings {
    let eye = Eye { position: from.into(), target: to.into() };
    Settings { viewpoint: Some(Viewpoint::Fly(Fly::from(&eye))), ..Settings::default() }
}

/// From above, from afar, over shoulders, from behind walls and hills, out of the world, straight down.
fn twenty() -> Vec<Settings> {
    let mut list: Vec<Settings> = (0..8)
        .map(|k| {
            let orbit = Orbit {
                centre: Vec3::new(20.0, 15.0, 1.0),
                turn: 0.8 * k as f32,
                tilt: 0.12 + 0.1 * (k % 4) as f32,
                distance: 12.0 + 6.0 * k as f32,
            };
            Settings { viewpoint: Some(Viewpoint::Orbit(orbit)), ..Settings::default() }
        })
        .collect();
    for (from, to) in [
        ([17.0, 15.0, 1.2], [30.0, 15.0, 1.0]),
        ([20.0, 15.0, 1.2], [3.0, 15.0, 1.0]),
        ([3.0, 10.0, 1.0], [20.0, 10.0, 1.0]),
        ([10.0, 2.5, 0.8], [10.0, 20.0, 0.8]),
        ([8.0, 27.0, 1.5], [8.0, 5.0, 1.0]),
        ([36.0, 28.0, 1.0], [28.0, 16.0, 0.5]),
        ([31.5, 9.0, 1.0], [30.0, 16.0, 0.9]),
        ([20.0, 15.0, 30.0], [20.0, 15.1, 0.0]),
        ([-15.0, -10.0, 3.0], [20.0, 15.0, 0.0]),
        ([1.0, 1.0, 0.4], [39.0, 29.0, 0.4]),
        ([20.0, 1.0, 6.0], [20.0, 15.0, 9.0]),
        ([25.0, 20.0, 1.7], [18.5, 15.0, 1.0]),
    ] {
        list.push(from_to(from, to));
    }
    list
}

/// How many pictures of everybody at a level there were, in how many of them somebody was beside it, and in how many hidden: all the same as without
/// culling.
fn culled_as_without(set: &mut Set, level: usize, sizes: [[u32; 2]; 2], cameras: &[(usize, Settings)]) -> [u32; 3] {
    let (mut fewer, mut hidden) = (0, 0);
    for (k, pinned) in cameras {
        let size = sizes[k % 4 / 2];
        let pinned = Settings { pinned: Some(level as u32), ..*pinned };
        let mut drawn = [(true, true), (true, false), (false, false)].map(|(frustum, occlusion)| {
            let picture = set.shoot_sized(Settings { frustum, occlusion, ..pinned }, size, 0.0);
            (picture, set.studio.report().expect("the device tells"))
        });
        let all = drawn[2].1.levels[level];
        assert_eq!(u64::from(all), set.sim.counters().active, "without culling everybody is drawn");
        fewer += u32::from(drawn[1].1.levels[level] < all);
        hidden += u32::from(drawn[0].1.levels[level] < drawn[1].1.levels[level]);
        let reference = std::mem::take(&mut drawn[2].0);
        for (picture, report) in &drawn[..2] {
            assert!(
                picture.as_raw() == reference.as_raw(),
                "camera {k}, level {level}: a picture of {:?} differs",
                report.levels
            );
        }
    }
    [cameras.len() as u32, fewer, hidden]
}

#[test]
fn nothing_that_is_seen_is_ever_left_out() {
    let mut set = Set::new(VALLEY, 3);
    let mut sum = [0; 3];
    for level in 0..LEVELS {
        // Meshes of millions of triangles, which take a second each, from some of the cameras.
        let rarely = |k: usize| (level == CLOSE && k % 4 != 1) || (level == FULL && !k.is_multiple_of(2));
        let cameras = twenty().into_iter().map(|view| Settings { finest: 2, ..view }).enumerate();
        let cameras: Vec<_> = cameras.filter(|(k, _)| !rarely(*k)).collect();
        let found = culled_as_without(&mut set, level, [SIZE, ODD], &cameras);
        sum = std::array::from_fn(|k| sum[k] + found[k]);
    }
    let [pictures, fewer, hidden] = sum;
    assert!(fewer * 10 >= pictures * 7, "somebody was beside only {fewer} of {pictures} pictures");
    assert!(hidden * 10 >= pictures * 3, "somebody was hidden in only {hidden} of {pictures} pictures");
}

#[test]
fn no_full_mesh_that_is_seen_is_ever_left_out() {
    // Few, and small pictures, from the cameras that many are not looked at from.
    let mut set = Set::new(&VALLEY.replace("count = 260", "count = 40"), 3);
    for (level, each) in [(CLOSE, 4), (FULL, 2)] {
        let plain = |view| Settings { finest: 1, shadows: false, ..view };
        let cameras: Vec<_> =
            twenty().into_iter().map(plain).enumerate().filter(|(k, _)| k % each != each / 4).collect();
        let [pictures, fewer, hidden] = culled_as_without(&mut set, level, [ODD; 2], &cameras);
        assert!(fewer > 0 && hidden > 0, "somebody was beside {fewer} and hidden in {hidden} of {pictures} pictures");
    }
}

/// More than can be skinned at once on a device that gives shaders 128 MiB, with vertices of 48 bytes, in a world that is not seen all at once.
const MULTITUDE: &str = r#"
name = "multitude"
cell = 0.5
size = [80, 80]
map = { walls = [{ rect = [20, 30, 60, 31] }] }
goal = [{ name = "gate", rect = [79, 0, 80, 80] }]
agents = [{ name = "crowd", count = 1000, start = { rect = [1, 1, 78, 79] }, journey = ["gate"] }]
"#;

#[test]
fn nobody_is_left_out_where_more_than_can_be_skinned_shall_be() {
    let mut set = Set::new(MULTITUDE, 1);
    let view = Settings {
        shadows: false,
        finest: 1,
        vertices: Vertices::Plain,
        ..from_to([40.0, 2.0, 2.0], [40.0, 40.0, 0.5])
    };
    for level in [CLOSE, FULL] {
        let [(some, few), (all, many)] = [true, false].map(|culls| {
            let settings = Settings { pinned: Some(level as u32), frustum: culls, occlusion: culls, ..view };
            let picture = set.shoot(settings);
            let report = set.studio.report().expect("the device tells");
            (picture, report.levels[CLOSE] + report.levels[FULL])
        });
        let slots = set.space().crowd.actors.iter().map(|a| a.most_slots(&view, 1)).min().expect("somebody");
        // Hardware has room for more; software, on which this is tested always, has not.
        assert!(slots < 1000 || !set.gpu.is_software(), "{slots} fit");
        assert_eq!(many, 1000, "level {level}: without culling everybody is drawn");
        assert!(few < 800, "level {level}: {few} are in view");
        assert!(some.as_raw() == all.as_raw(), "level {level}: somebody is missing");
        let kept = set.space().crowd.actors[0].skinned.size();
        let each = kept / u64::from(slots.min(1000));
        // Full meshes that are skinned wherever they are drawn need none of it.
        assert_eq!(each < 1000, level == FULL && slots < 1000, "level {level}: {kept} bytes for {slots}");
    }
    // Whoever looks at everybody's full mesh no longer does not keep the room for it.
    set.shoot(Settings { pinned: Some(CLOSE as u32), ..view });
    let before = set.space().crowd.actors[0].skinned.size();
    set.shoot(Settings { budget: 1_000_000, ..view });
    let after = set.space().crowd.actors[0].skinned.size();
    assert!(before > 4 * after, "{before} bytes become {after}");
}

#[test]
fn who_comes_later_moves_and_nobody_forgets_what_it_does() {
    let mut set = Set::new(VALLEY, 3);
    let look = || Settings { shadows: false, ..Settings::default() };
    set.shoot(look());
    let phases = |set: &Set| {
        let living = set.read(&set.space().crowd.living);
        living.chunks_exact(8).take(260).map(|me| (me[1], me[0])).collect::<Vec<_>>()
    };
    let before = phases(&set);
    // More ids than there was room for.
    let rest = VALLEY.replace("name = \"crowd\", count = 260", "name = \"late\", count = 1400");
    let rest =
        rest.replace("rect = [1, 1, 38, 29]", "rect = [1, 1, 38.5, 29.5]").replace("journey", "radius = 0.1, journey");
    let group = scene(&rest).groups.remove(0);
    set.sim.change_crowd(&CrowdChange::Drop(Box::new(group))).expect("there is room");
    set.shoot(look());
    assert_eq!(phases(&set), before, "no time has passed");
    set.sim.steps_by(8).expect("the engine works");
    set.shoot(look());
    let crowd = &set.space().crowd;
    let (living, everybody) = (set.read(&crowd.living), set.read(&crowd.characters));
    let mut late = 0;
    for who in everybody.chunks_exact(16).filter(|who| f32::from_bits(who[3]) > 0.0 && who[7] >= 260) {
        late += 1;
        let me = living.get(8 * who[7] as usize..).and_then(|rest| rest.get(..8));
        assert!(me.is_some_and(|me| me[1] >> 31 == 1), "nothing is known of {}", who[7]);
    }
    assert!(late > 1000, "{late}");
}

#[test]
fn lists_are_in_order_and_the_same_in_every_run() {
    let lists = || {
        let mut set = Set::new(VALLEY, 5);
        set.shoot(from_to([14.0, 2.0, 1.4], [20.0, 18.0, 0.6]));
        let actors = &set.space().crowd.actors[0];
        let (members, starts) = (set.read(&actors.members), set.read(&actors.starts));
        (0..LISTS)
            .map(|l| members[starts[l] as usize..(starts[l] + starts[LISTS + l]) as usize].to_vec())
            .collect::<Vec<_>>()
    };
    let first = lists();
    assert_eq!(first, lists());
    assert!(first.iter().all(|list| list.is_sorted_by(|a, b| a < b)), "in the order of the columns");
    let seen: usize = first[..LEVELS].iter().map(Vec::len).sum();
    assert!(seen > 20 && first[..LEVELS].iter().filter(|l| !l.is_empty()).count() >= 2, "{seen} in few levels");
    assert!(first[CASTERS..].iter().any(|l| !l.is_empty()));
    // Who is skinned already is in the first two lists, one after the other.
    let skinned = first[CLOSE].len() + first[FULL].len();
    let casters = first[SKINNED_CASTERS..CASTERS].concat();
    assert!(!casters.is_empty() && casters.iter().all(|&slot| (slot as usize) < skinned), "{casters:?} of {skinned}");
}

#[test]
fn triangles_stay_within_the_budget_and_both_plans_are_the_same() {
    let mut set = Set::new(VALLEY, 3);
    let near = from_to([14.0, 2.0, 1.4], [20.0, 18.0, 0.6]);
    let mut finest = Vec::new();
    for budget in [1_000_000, 60_000, 6000, 1500, 200, 1, 40_000] {
        let [lift, held, casts] =
            if finest.is_empty() { [0; 3] } else { [0, 9, 6].map(|word| set.read(&set.space().crowd.plan)[word]) };
        let settings = Settings { budget, ..near };
        set.shoot(settings);
        let report = set.studio.report().expect("the device tells");
        assert!(report.triangles <= u64::from(budget), "{} of {budget}", report.triangles);
        finest.push(report.levels[CLOSE] + report.levels[FULL]);
        let crowd = &set.space().crowd;
        let all = set.read(&crowd.bins);
        let part = |k: usize| -> [u32; BINS] { all[k * BINS..][..BINS].try_into().expect("as many as there are") };
        let limits = crowd.limits(260, &settings);
        let plan = limits.plan(&part(0), &budget::Plan { lift, held, ..budget::Plan::default() });
        let words = set.read(&crowd.plan);
        let there = [words[0], words[1], words[2], words[3], words[5], words[9]];
        let here = [plan.lift, plan.least, plan.share, plan.most, plan.fineness, plan.held];
        assert_eq!(there, here, "with {budget} triangles");
        assert_eq!(words[6], limits.casts(&[part(1), part(2), part(3)], casts), "with {budget} triangles");
    }
    assert!(finest[0] > 0 && finest[4] == 0, "{finest:?}");
}

#[test]
fn everybody_stands_on_the_ground_that_is_drawn() {
    let mut set = Set::new(VALLEY, 3);
    set.shoot(Settings::default());
    let words = set.read(&set.space().crowd.characters);
    let mut lean = 0;
    for who in words.chunks_exact(16).take(260) {
        let [x, y, z, size] = [0, 1, 2, 3].map(|k| f32::from_bits(who[k]));
        assert!(size > 0.0);
        let ground = set.space().relief().height_at(Vec2::new(x, y));
        // A tenth of a millimetre: products of metres in 32 bits.
        assert!((z - ground).abs() < 1e-4, "{z} over {ground} at {x}, {y}");
        lean += u32::from(who[5] != 0);
    }
    assert!(lean > 20, "only {lean} lean with a slope");
}

/// A 16-bit float.
fn half(bits: u16) -> f32 {
    let (sign, exponent, fraction) = (bits >> 15, i32::from(bits >> 10 & 31), f32::from(bits & 1023) / 1024.0);
    let size = if exponent == 0 { fraction * 2f32.powi(-14) } else { (1.0 + fraction) * 2f32.powi(exponent - 15) };
    if sign == 1 { -size } else { size }
}

/// Nine coefficients of red, green and blue of a texel, and the share of the sun that is seen.
fn texel(layers: &[Vec<f32>], wide: usize, at: [usize; 2]) -> ([Vec3; 9], f32) {
    let get = |layer: usize, k: usize| layers[layer][4 * (at[1] * wide + at[0]) + k];
    let c = std::array::from_fn(|k| match k {
        0..4 => Vec3::new(get(0, k), get(1, k), get(2, k)),
        4..8 => Vec3::new(get(3, k - 4), get(4, k - 4), get(5, k - 4)),
        _ => Vec3::new(get(6, 0), get(6, 1), get(6, 2)),
    });
    (c, get(6, 3))
}

/// Layer by layer what the light map holds.
fn light_map(set: &Set) -> (Vec<Vec<f32>>, usize) {
    let baker = &set.space().baker;
    let (map, wide) = (&baker.maps[Baker::last()], baker.quality.texels);
    let row = (8 * wide).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let to = set.gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(row * wide * 7),
        usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = set.gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: Some(wide) };
    encoder.copy_texture_to_buffer(map.as_image_copy(), wgpu::TexelCopyBufferInfo { buffer: &to, layout }, map.size());
    set.gpu.queue().submit([encoder.finish()]);
    let words = set.mapped(&to);
    let per_row = row as usize / 4;
    let layers = words.chunks_exact(per_row * wide as usize).map(|layer| {
        let rows = layer.chunks_exact(per_row).flat_map(|r| &r[..2 * wide as usize]);
        rows.flat_map(|w| [half(*w as u16), half((w >> 16) as u16)]).collect()
    });
    (layers.collect(), wide as usize)
}

/// Which way the dominant light of a texel comes from, and how bright it is: as light.wgsl has it.
fn dominant(c: &[Vec3; 9]) -> (Vec3, f32) {
    let bright = |v: Vec3| v.dot(Vec3::new(0.3, 0.59, 0.11));
    let way = Vec3::new(bright(c[3]), bright(c[1]), bright(c[2])).normalize();
    let basis = [
        0.282095,
        0.488603 * way.y,
        0.488603 * way.z,
        0.488603 * way.x,
        1.092548 * way.x * way.y,
        1.092548 * way.y * way.z,
        0.315392 * (3.0 * way.z * way.z - 1.0),
        1.092548 * way.x * way.z,
        0.546274 * (way.x * way.x - way.y * way.y),
    ];
    let unit = basis.map(|b| b * 16.0 * std::f32::consts::PI / 17.0);
    let square: f32 = unit.iter().map(|u| u * u).sum();
    let colour = c.iter().zip(unit).map(|(c, u)| *c * u).sum::<Vec3>() / square;
    (way, bright(colour))
}

#[test]
fn the_light_map_has_sun_before_the_mountain_and_its_shadow_behind() {
    let mut set = Set::new(MOUNTAIN, 0);
    set.shoot(Settings::default());
    let (layers, wide) = light_map(&set);
    let at = |p: Vec2| texel(&layers, wide, ((p / 60.0 + 0.25) / 1.5 * wide as f32).to_array().map(|v| v as usize));
    let away = -sun().truncate().normalize();
    let sunny = at(Vec2::splat(30.0) - 20.0 * away);
    let shady = at(Vec2::splat(30.0) + 13.0 * away);
    assert!(sunny.1 > 0.99 && shady.1 < 0.01, "the sun is seen by {} and {}", sunny.1, shady.1);
    let ((way, strength), (other, weak)) = (dominant(&sunny.0), dominant(&shady.0));
    let full = SUN.dot(Vec3::new(0.3, 0.59, 0.11));
    assert!(way.dot(sun()) > 0.95, "{way}");
    assert!((0.7..1.6).contains(&(strength / full)), "{strength} of {full}");
    // There the shadow maps must not count: the light is weak, or comes from elsewhere.
    assert!(weak < 0.25 * full || other.dot(sun()) < 0.454, "{weak} of {full} from {other}");
    // The sky is there for both, and the ground sends some of it back from below.
    assert!(shady.0[0].min_element() > 0.2, "{:?}", shady.0[0]);
    assert!(sunny.0.iter().chain(&shady.0).all(|c| c.is_finite()));
}

#[test]
fn shadows_darken_the_ground_in_the_sun_and_not_in_the_mountains_shadow() {
    // A post in the sun, another behind the mountain.
    let away = -sun().truncate().normalize();
    let posts = [Vec2::splat(30.0) - 22.0 * away, Vec2::splat(30.0) + 14.0 * away];
    let walls = posts.map(|p| format!("{{ circle = [{}, {}, 0.6] }}", p.x, p.y)).join(", ");
    let mut set =
        Set::new(&MOUNTAIN.replace("size = [60, 60]", &format!("size = [60, 60]\nmap = {{ walls = [{walls}] }}")), 0);
    let mut darker = posts.map(|post| {
        // From above, a little beside it: the post and its shadow.
        let to = post + 2.0 * away;
        let height = set.studio.space().map_or(0.0, |s| s.relief().height_at(to));
        let view = from_to([to.x, to.y - 0.5, height + 14.0], [to.x, to.y, height]);
        let [with, without] = [true, false].map(|shadows| set.shoot(Settings { shadows, ..view }));
        let pairs = with.pixels().zip(without.pixels());
        pairs.filter(|(a, b)| u32::from(a.0[1]) + 24 < u32::from(b.0[1])).count()
    });
    darker.sort_unstable();
    assert!(darker[1] > 200, "a post in the sun darkens {} pixels", darker[1]);
    assert!(darker[0] * 10 < darker[1], "in the mountain's shadow {} pixels, in the sun {}", darker[0], darker[1]);
}

#[test]
fn walls_are_those_of_the_frame_and_not_of_one_before() {
    let mut set = Set::new(VALLEY, 0);
    let views = [from_to([14.0, 2.0, 6.0], [20.0, 18.0, 0.6]), from_to([34.0, 26.0, 8.0], [18.0, 12.0, 0.6])];
    // Without people, who remember how large they were.
    let shoot = |set: &mut Set, settings: Settings| {
        let look = Look { space: Some(settings), agents: 0.0, ..Look::default() };
        let shooting = Shooting { size: SIZE, look, aim: Aim::Fit, caption: false, chosen: None, text: 1.0, back: 0.0 };
        set.studio.picture(&mut set.sim, &shooting).expect("the device draws")
    };
    let wanted = views.map(|view| shoot(&mut Set::new(VALLEY, 0), view));
    assert!(wanted[0].as_raw() != wanted[1].as_raw());
    // What stood in the first picture is no wall in the second, however often they take turns.
    for k in [0, 1, 0, 1, 1, 0] {
        assert!(
            shoot(&mut set, views[k]).as_raw() == wanted[k].as_raw(),
            "the picture of view {k} has walls of another"
        );
    }
}
