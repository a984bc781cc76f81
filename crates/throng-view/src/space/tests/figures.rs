//! Several figures in one scene: they share a budget, and who changes its group changes its figure.

#[path = "../../../../throng-creature/tests/block/mod.rs"]
mod block;

use super::*;
use crate::space::levels::IMPOSTOR;
use block::{PLAIN, glb};
use throng::scene::Files;
use throng_creature::{Character, GltfOptions};

/// Every file is the block.
struct Blocks;

impl Files for Blocks {
    fn read(&self, _: &str) -> Result<Vec<u8>, String> {
        Ok(glb(&PLAIN))
    }
}

impl Set {
    fn with_blocks(text: &str) -> Self {
        let scene = Scene::parse("test.toml", text, &Blocks).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let gpu = open_gpu();
        let sim = Simulation::with_threads(&scene, 1).unwrap_or_else(|e| panic!("{e}"));
        Self { sim, studio: Studio::new(&gpu, &scene), gpu }
    }
}

#[test]
fn figures_together_stay_within_the_budget() {
    let mut set = Set::with_blocks(
        r#"
name = "both"
cell = 0.5
size = [40, 30]
goal = [{ rect = [39, 14, 40, 17] }]
agents = [
  { name = "creatures", count = 150, start = { rect = [1, 1, 38, 29] } },
  { name = "blocks", count = 150, start = { rect = [1, 1, 38, 29] }, character = "block.glb" },
]
"#,
    );
    let near = from_to([14.0, 2.0, 1.4], [20.0, 18.0, 0.6]);
    let (mut pictures, mut cut_off) = (0, 0);
    for (k, budget) in (0..).zip([1_000_000, 100_000, 30_000, 6000, 600, 200, 150, 100, 60, 44, 20, 8, 4]) {
        // Others are drawn in part from frame to frame, so that shares of ids meet all kinds of ids.
        set.sim.steps_by(7).expect("the engine works");
        let far = from_to([20.0, -60.0 - 5.0 * k as f32, 12.0], [20.0, 15.0, 0.0]);
        for view in [near, far] {
            set.shoot(Settings { budget, ..view });
            let report = set.studio.report().expect("the device tells");
            assert!(report.triangles <= u64::from(budget), "{} of {budget}: {report:?}", report.triangles);
            pictures += report.levels[IMPOSTOR];
            let words = set.read(&set.space().crowd.plan);
            // No picture is left for whoever comes after, and there were limits.
            cut_off += u32::from(words[3] != u32::MAX && words[8] == 0);
        }
    }
    assert!(pictures > 100 && cut_off > 0, "{pictures} pictures, and the limit was met {cut_off} times");
}

#[test]
fn who_joins_a_group_with_another_character_begins_with_a_clip_of_that() {
    let mut set = Set::with_blocks(
        r#"
name = "turncoats"
cell = 0.5
size = [20, 20]
agents = [
  { name = "creatures", count = 40, start = { rect = [2, 2, 18, 18] }, state = "swing pick" },
  { name = "blocks", count = 1, start = { rect = [1, 1, 2, 2] }, character = "block.glb", state = "stand" },
]
[[state]]
name = "swing pick"
seconds = 1
then = [{ to = "stand", group = "blocks" }]
[[state]]
name = "stand"
seconds = 1000
then = [{ to = "stand" }]
"#,
    );
    let clips = |set: &Set| -> Vec<(u32, u32)> {
        let living = set.read(&set.space().crowd.living);
        let clips = (1..40).map(|id| (living[8 * id + 1] & 0xfff, (living[8 * id + 1] >> 12) & 0xfff));
        clips.collect()
    };
    let most = {
        let character =
            Character::from_gltf_bytes(&glb(&PLAIN), None, "block", &GltfOptions::default()).expect("it is read");
        character.character.clips.len() as u32
    };
    let mut changed = false;
    for _ in 0..40 {
        set.sim.steps_by(1).expect("the engine works");
        set.shoot(Settings::default());
        let figures: Vec<u32> =
            set.read(&set.space().crowd.characters).chunks_exact(16).map(|who| who[6] >> 24).collect();
        if figures.iter().all(|&f| f == 1) {
            changed = true;
            // Numbers of the creature's clips would be read beyond the block's.
            assert!(clips(&set).iter().all(|&(now, before)| now < most && before < most), "{:?}", clips(&set));
        }
    }
    assert!(changed, "they become blocks");
}
