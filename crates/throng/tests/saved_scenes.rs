//! Scenes as files: what was edited, painted and dropped while a run went on reads back as the same floor and crowd.

use std::collections::BTreeMap;
use std::sync::Arc;
use throng::engine::CrowdChange;
use throng::geometry::{Rect, Shape};
use throng::scene::{
    Arrive, BUILT_IN, CharacterFile, Distribution, Files, Group, Leg, Model, NoFiles, Picture, Sprite, Wait,
};
use throng::world::World;
use throng::{Scene, Simulation, Vec2};

/// Files in memory.
struct Folder(BTreeMap<String, Vec<u8>>);

impl Files for Folder {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        self.0.get(name).cloned().ok_or_else(|| "there is no such file".into())
    }
}

/// A scene written and read again, held to be the same in everything that a run depends on.
fn again(scene: &Scene) -> Scene {
    let files = scene.to_files("kept");
    let (name, text) = files[0].clone();
    assert_eq!(name, "kept.toml");
    let text = String::from_utf8(text).unwrap();
    let named = files.len() - 1;
    let folder = Folder(files.into_iter().skip(1).collect());
    let read = Scene::parse(&name, &text, &folder).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!((&read.name, read.grid, read.dt, read.seed), (&scene.name, scene.grid, scene.dt, scene.seed));
    assert_eq!((&read.zones, &read.events, read.model), (&scene.zones, &scene.events, scene.model));
    assert_eq!(read.doors, scene.doors);
    assert_eq!(read.groups.len(), scene.groups.len());
    for (a, b) in read.groups.iter().zip(&scene.groups) {
        assert_eq!((&a.name, a.count, a.density, &a.start), (&b.name, b.count, b.density, &b.start));
        assert_eq!((a.place, a.radius, a.speed, a.turn, a.delay), (b.place, b.radius, b.speed, b.turn, b.delay));
        assert_eq!((&a.journey, a.arrive, &a.entry, a.rate), (&b.journey, b.arrive, &b.entry, b.rate));
        assert_eq!(a.knows, b.knows);
        match (&a.sprite, &b.sprite) {
            (Sprite::Picture(a), Sprite::Picture(b)) => assert!(same_picture(a, b)),
            (a, b) => assert_eq!(a, b),
        }
        let bytes = |group: &Group| group.character.as_ref().map(|file| file.bytes.clone());
        assert_eq!(bytes(a), bytes(b));
    }
    let goals = |s: &Scene| s.goals.iter().map(|g| g.name.clone()).collect::<Vec<_>>();
    assert_eq!(goals(&read), goals(scene));
    let (a, b) = (World::new(&read), World::new(scene));
    match (a, b) {
        (Ok(a), Ok(b)) => assert_same_floor(&a, &b),
        (a, b) => assert_eq!(a.is_ok(), b.is_ok(), "one is a world and the other is not"),
    }
    assert_eq!(read.to_files("kept").len() - 1, named);
    assert_eq!(String::from_utf8(read.to_files("kept")[0].1.clone()).unwrap(), text, "written twice it is the same");
    read
}

fn same_picture(a: &Picture, b: &Picture) -> bool {
    (a.width, a.height, &a.pixels) == (b.width, b.height, &b.pixels)
}

fn assert_same_floor(a: &World, b: &World) {
    assert_eq!(a.walls.flags(), b.walls.flags());
    assert_eq!(a.walls.shapes(), b.walls.shapes());
    let painted =
        |w: &World| w.walls.painted().iter().enumerate().filter(|(_, p)| **p).map(|(c, _)| c).collect::<Vec<_>>();
    assert_eq!(painted(a), painted(b));
    assert_eq!(a.ground, b.ground);
    assert_eq!(a.discomfort, b.discomfort);
    assert_eq!(a.goals, b.goals);
    assert_eq!(a.zone, b.zone);
    assert_eq!((a.widest, a.stride), (b.widest, b.stride));
}

fn rect(x0: f32, y0: f32, x1: f32, y1: f32) -> Shape {
    Shape::Rect(Rect::new(Vec2::new(x0, y0), Vec2::new(x1, y1)))
}

const SCENE: &str = r#"
name = "the \"hall\""
size = [24, 12]
cell = 0.5
[map]
walls = [
  { rect = [12, 0, 12.5, 5] },
  { rect = [12, 7, 12.5, 12] },
  { rect = [12, 5, 12.5, 7], name = "gate", open = true },
  { circle = [18, 6, 0.7], name = "pillar" },
]
discomfort = [
  { rect = [2, 2, 5, 5], value = 0.7 },
  { circle = [4, 4, 2], value = 0.9 },
  { rect = [3, 3, 4, 4], value = 0.98 },
]
[[goal]]
name = "door"
rect = [23, 5, 24, 7]
[[goal]]
name = "west"
rect = [0, 5, 1, 7]
[[agents]]
name = "guests"
count = 30
start = { rect = [4, 2, 9, 10] }
journey = ["door"]
[[agents]]
count = 10
start = { rect = [15, 2, 20, 10] }
journey = ["west", { to = { random = { circle = [12, 6, 3] } } }, "door"]
arrive = "respawn"
knows = { after = 0.5 }
entry = { rect = [1, 8, 4, 11] }
[[door]]
line = [[12.2, 5], [12.2, 7]]
first = "backward"
[[zone]]
name = "mud"
rect = [14, 0, 16, 12]
speed = 0.8
[[event]]
at = 0.2
close = "gate"
[[event]]
at = 0.2
zone = "mud"
speed = 0.5
"#;

fn hall() -> Simulation {
    Simulation::new(&Scene::parse("hall.toml", SCENE, &NoFiles).unwrap_or_else(|e| panic!("{e:?}"))).unwrap()
}

/// What has become of a scene after some steps.
fn soon(scene: &Scene) -> u64 {
    let mut sim = Simulation::new(scene).unwrap();
    sim.steps_by(5).unwrap();
    sim.state_hash().unwrap()
}

#[test]
fn every_built_in_scene_reads_back_from_its_files() {
    for b in BUILT_IN {
        let scene = Scene::built_in(b.name).unwrap();
        let read = again(&scene);
        assert_eq!(read.agent_count(), scene.agent_count(), "{}", b.name);
    }
}

#[test]
fn without_edits_the_edited_scene_is_the_scene() {
    let mut sim = hall();
    sim.steps_by(20).unwrap();
    assert_eq!(&sim.edited_scene(), sim.scene(), "events do not count");
    for name in ["hills", "circle"] {
        let mut scene = Scene::built_in(name).unwrap();
        scene.set_agents(100).unwrap();
        let sim = Simulation::new(&scene).unwrap();
        assert_eq!(sim.edited_scene(), scene);
    }
}

#[test]
fn what_calls_have_changed_is_in_the_edited_scene_and_reads_back() {
    let mut sim = hall();
    sim.steps_by(3).unwrap();
    let kept = sim.add_wall(rect(6.0, 0.0, 6.2, 1.5)).unwrap();
    let gone = sim.add_wall(rect(7.0, 0.0, 7.2, 1.5)).unwrap();
    assert!(sim.stand_wall(gone, false) && sim.stand_wall(0, false) && sim.set_wall("pillar", false));
    sim.add_wall(Shape::Polygon(vec![Vec2::new(9.0, 1.0), Vec2::new(10.0, 1.0), Vec2::new(11.0, 1.0)])).unwrap();
    sim.add_wall(rect(50.0, 50.0, 60.0, 60.0)).unwrap();
    assert!(sim.paint_walls(&(0..6).map(|k| (48 * (10 + k) + 20, true)).collect::<Vec<_>>()));
    let ground: Vec<(u32, f32)> =
        (0..40).map(|k| (48 * 20 + k, [0.1, 0.3, 0.98, 1.0 / 3.0, 0.4][k as usize / 8])).collect();
    // Under a painted cell too.
    assert!(sim.paint_ground(&ground) && sim.paint_ground(&[(48 * 10 + 20, 0.25)]));
    sim.move_goal("west", vec![rect(0.0, 0.0, 1.0, 2.0), Shape::Line(vec![Vec2::new(1.0, 3.0), Vec2::new(1.4, 3.2)])])
        .unwrap();
    assert!(sim.set_model(&Model { time_weight: 2.5, separation_rounds: 4, ..sim.scene().model }));
    let group =
        Group::new("late", 8, vec![rect(1.0, 8.0, 6.0, 11.0)], vec![Leg { wait: Wait::For(1.5), ..Leg::to_goal(0) }]);
    sim.change_crowd(&CrowdChange::Drop(Box::new(group))).unwrap();
    sim.change_crowd(&CrowdChange::Speed(0, Distribution::Constant(1.1))).unwrap();
    sim.change_crowd(&CrowdChange::Arrive(1, Arrive::Park)).unwrap();
    sim.steps_by(12).unwrap();
    assert!(sim.set_zone("mud", 0.7));
    let edited = sim.edited_scene();
    assert_eq!(kept, 4);
    assert_eq!(edited.map.walls.len(), 4 + 2, "the wall taken away and the one far out are left out");
    assert_eq!(edited.map.walls.iter().map(|w| w.open).collect::<Vec<_>>(), [true, false, true, true, false, false]);
    assert_eq!((edited.zones[0].speed, edited.model.time_weight, edited.model.separation_rounds), (0.7, 2.5, 4));
    assert_eq!((edited.groups.len(), edited.groups[1].arrive, edited.groups[1].entry.len()), (3, Arrive::Park, 0));
    let read = again(&edited);
    let fresh = World::new(&read).unwrap();
    assert_eq!(fresh.ground, sim.world().ground);
    assert_eq!(fresh.goals[1], sim.world().goals[1]);
    let mut run = Simulation::new(&read).unwrap();
    run.steps_by(10).unwrap();
    assert_eq!((run.counters().active, run.counters().in_wall), (48, 0));
    // A second look at the same run, and at one that was resumed.
    let mut rest = Simulation::new(sim.scene()).unwrap();
    rest.resume(&sim.save().unwrap()).unwrap();
    let resumed = rest.edited_scene();
    assert_eq!(resumed.model, edited.model);
    assert_eq!((&resumed.goals, &resumed.groups, &resumed.zones), (&edited.goals, &edited.groups, &edited.zones));
    assert_eq!((&resumed.map.painted, &resumed.map.ground), (&edited.map.painted, &edited.map.ground));
    // The gate was closed by the event, and nobody opened it again.
    assert_eq!(resumed.map.walls, edited.map.walls);
}

#[test]
fn an_image_and_its_exits_are_kept_when_they_are_painted_over() {
    for name in ["hills", "circle"] {
        let mut scene = Scene::built_in(name).unwrap();
        scene.set_agents(50).unwrap();
        let mut sim = Simulation::new(&scene).unwrap();
        let cells: Vec<u32> = (0..40).map(|k| k * 331 + 5000).collect();
        assert!(sim.paint_ground(&cells.iter().map(|&c| (c, 0.123)).collect::<Vec<_>>()));
        assert!(sim.paint_walls(&cells.iter().map(|&c| (c + 7, c % 3 != 0)).collect::<Vec<_>>()));
        sim.settle();
        let read = again(&sim.edited_scene());
        let fresh = World::new(&read).unwrap();
        assert_eq!(fresh.ground, sim.world().ground, "{name}");
        assert_eq!(fresh.walls.flags(), sim.world().walls.flags(), "{name}");
        assert_eq!(fresh.goals, sim.world().goals, "{name}");
    }
}

#[test]
fn discomfort_beyond_what_one_shape_may_give_adds_up_exactly() {
    let mut sim = hall();
    // Where all three shapes lie the ground is worse than any brush can make it.
    let most = sim.world().ground.iter().copied().fold(0.0, f32::max);
    assert!(most > 2.5, "{most}");
    assert!(sim.paint_ground(&[(0, 0.017)]));
    again(&sim.edited_scene());
    let mut scene = sim.edited_scene();
    for (c, g) in scene.map.ground.iter_mut().enumerate() {
        *g = (c as f32 * 0.618).fract() * 9.0;
    }
    again(&scene);
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut out = std::io::Cursor::new(Vec::new());
    let image =
        image::RgbaImage::from_fn(width, height, |x, y| image::Rgba([(x * 9) as u8, (y * 7) as u8, 3, (x + y) as u8]));
    image.write_to(&mut out, image::ImageFormat::Png).unwrap();
    out.into_inner()
}

#[test]
fn looks_are_read_and_written_and_change_nothing_else() {
    let files = Folder([("plan.png".into(), png(31, 17)), ("face.png".into(), png(8, 8))].into());
    let text = SCENE.replace("[map]\n", "[map]\nbackground = \"plan.png\"\n");
    let text = text.replace("count = 30\n", "count = 30\nsprite = \"face.png\"\n");
    let text = text.replace("count = 10\n", "count = 10\nsprite = \"arrow\"\n");
    let scene = Scene::parse("hall.toml", &text, &files).unwrap_or_else(|e| panic!("{e:?}"));
    let plan = scene.map.background.clone().unwrap();
    assert_eq!((plan.name.as_str(), plan.width, plan.height, plan.pixels.len()), ("plan.png", 31, 17, 31 * 17 * 4));
    assert_eq!(plan.pixels[4..8], [9, 0, 3, 1], "the north row first");
    assert!(matches!(&scene.groups[0].sprite, Sprite::Picture(p) if p.name == "face.png" && p.width == 8));
    assert_eq!(scene.groups[1].sprite, Sprite::Arrow);
    let read = again(&scene);
    assert!(same_picture(read.map.background.as_ref().unwrap(), &plan));
    let plain = Scene::parse("hall.toml", SCENE, &NoFiles).unwrap();
    assert_eq!(plain.groups[0].sprite, Sprite::Person);
    assert!(!plain.to_toml().contains("sprite") && !plain.to_toml().contains("background"));
    assert_eq!(soon(&scene), soon(&plain), "what people look like changes nothing of what they do");
}

#[test]
fn groups_with_the_same_sprite_share_a_file() {
    let mut scene = Scene::parse("hall.toml", SCENE, &NoFiles).unwrap();
    let face = Picture { name: "f.png".into(), width: 2, height: 2, pixels: Arc::new(vec![7; 16]) };
    for group in &mut scene.groups {
        group.sprite = Sprite::Picture(face.clone());
    }
    assert_eq!(scene.to_files("x").len(), 2);
    again(&scene);
}

/// A scene whose groups have characters, and the files that it names.
fn with_characters() -> (Scene, Folder) {
    let files = [("hero.glb", "hero"), ("twin.GLB", "hero"), ("other.gltf", "other")];
    let files = Folder(files.map(|(name, bytes)| (name.into(), bytes.into())).into());
    let text = SCENE.replace("count = 30\n", "count = 30\ncharacter = \"hero.glb\"  # ours\n");
    let text = text.replace("count = 10\n", "count = 10\ncharacter = \"twin.GLB\"\n");
    let more = "[[agents]]\ncount = 1\nstart = { rect = [1, 1, 3, 3] }\njourney = [\"door\"]\n";
    let text = format!("{text}\n{more}character = \"other.gltf\"\n{more}");
    (Scene::parse("hall.toml", &text, &files).unwrap_or_else(|e| panic!("{e:?}")), files)
}

#[test]
fn characters_are_read_and_written_and_change_nothing_else() {
    let (scene, _) = with_characters();
    let file = |k: usize| scene.groups[k].character.clone();
    let of = |name: &str, bytes: &str| Some(CharacterFile { name: name.into(), bytes: Arc::new(bytes.into()) });
    assert_eq!((file(0), file(1)), (of("hero.glb", "hero"), of("twin.GLB", "hero")));
    assert!(scene.groups.iter().any(|group| group.character == of("other.gltf", "other")));
    assert_eq!(scene.groups.last().unwrap().character, None);
    let shared = |k: usize| Arc::as_ptr(&file(k).unwrap().bytes);
    assert_eq!(shared(0), shared(1), "equal files are there once");
    let names: Vec<String> = scene.to_files("kept").into_iter().skip(1).map(|(name, _)| name).collect();
    assert_eq!(names, ["kept-character-0.glb", "kept-character-1.gltf"]);
    again(&scene);
    let mut plain = scene.clone();
    plain.groups.iter_mut().for_each(|group| group.character = None);
    assert!(!plain.to_toml().contains("character"));
    assert_eq!(soon(&scene), soon(&plain), "what people look like changes nothing of what they do");
}

#[test]
fn a_character_keeps_its_name_where_its_file_is_beside_the_scene() {
    let (scene, files) = with_characters();
    let saved = scene.to_files_like(&scene, "hall", &files).expect("it can be said in its author's words");
    assert_eq!(saved.len(), 1, "nothing has to be written again");
    assert!(String::from_utf8(saved[0].1.clone()).unwrap().contains("character = \"hero.glb\"  # ours"));
    assert!(scene.to_files_like(&scene, "hall", &NoFiles).is_none(), "elsewhere the files are written, too");
    let mut changed = scene.clone();
    changed.groups[0].character.as_mut().unwrap().bytes = Arc::new(b"another".to_vec());
    let saved = changed.to_files_like(&scene, "hall", &files).expect("it can be said in its author's words");
    assert_eq!(saved[1], ("hall-character-0.glb".to_owned(), b"another".to_vec()));
}

#[test]
fn a_group_with_a_character_can_be_dropped_into_a_run() {
    let (scene, _) = with_characters();
    let mut sim = Simulation::new(&scene).unwrap();
    let mut group = scene.groups[0].clone();
    group.count = 2;
    sim.change_crowd(&CrowdChange::Drop(Box::new(group))).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(sim.scene().groups.last().unwrap().character, scene.groups[0].character);
    let error = sim.scene().wrong_character(sim.scene().groups.last().unwrap(), "it has no bones");
    assert!(error.to_string().contains("\"hero.glb\" cannot be drawn: it has no bones"), "{error}");
    let error = scene.wrong_character(&scene.groups[0], "it has no bones");
    let line = scene.source().text.lines().position(|line| line.contains("# ours")).unwrap();
    assert_eq!(error.line(), line + 1);
}

#[test]
fn a_scene_without_a_name_keeps_its_comments_under_another_name() {
    let text = "# A hall.\nsize = [9, 5] # metres\n\n[[goal]] # the way out\nrect = [8, 0, 9, 5]\n";
    let scene = Scene::parse("hall.toml", text, &NoFiles).unwrap();
    let saved = |stem: &str| {
        let files = scene.to_files_like(&scene, stem, &NoFiles).expect("it can be said in its author's words");
        String::from_utf8(files[0].1.clone()).unwrap()
    };
    assert_eq!(saved("hall"), text);
    let other = saved("hall-changed");
    assert_eq!(other, text.replace("metres\n", "metres\nname = \"hall\"\n"));
    assert_eq!(Scene::parse("hall-changed.toml", &other, &NoFiles).unwrap().name, "hall");
}
