//! What a picture keeps to: budgets, sizes, what every device has; and what is said where that is too little.

use super::*;

#[test]
fn one_character_is_drawn_coarser_than_the_budget_would_be_exceeded() {
    let mut set = Set::new(&VALLEY.replace("count = 260", "count = 1"), 1);
    set.shoot(Settings::default());
    set.studio.report().expect("the device tells");
    let place = set.read(&set.space().crowd.characters);
    let [x, y, z] = [0, 1, 2].map(|k| f32::from_bits(place[k]));
    let near = from_to([x, y - 0.4, z + 0.7], [x, y, z + 0.6]);
    let mut drawn = Vec::new();
    for budget in [8_000_000, 20_000, 8000, 1000, 100, 2] {
        set.shoot(Settings { budget, ..near });
        let report = set.studio.report().expect("the device tells");
        assert!(report.triangles <= u64::from(budget), "{} of {budget}", report.triangles);
        drawn.push(report.triangles);
    }
    assert!(drawn[0] > 6000 && drawn[4] > 0 && drawn.is_sorted_by(|a, b| a >= b), "{drawn:?}");
}

#[test]
fn shadows_are_no_coarser_and_finer_again_where_the_eye_shakes() {
    let mut set = Set::new(VALLEY, 3);
    let [here, there] = [0.0, 0.25].map(|by| from_to([20.0, -8.0 - by, 6.0], [20.0, 15.0, 1.0]));
    let mut sizes = |view: Settings| {
        set.shoot(view);
        set.read(&set.space().crowd.classes).into_iter().take(260).map(|word| word >> 24).collect::<Vec<_>>()
    };
    let first = sizes(here);
    assert!(first.iter().any(|size| size != &first[0]));
    for view in [there, here, there] {
        assert_eq!(sizes(view), first);
    }
    assert_ne!(sizes(from_to([20.0, 5.0, 6.0], [20.0, 15.0, 1.0])), first);
}

#[test]
fn all_of_it_keeps_to_the_limits_that_every_browser_has() {
    let mut set = Set::new(VALLEY, 1);
    for vertices in [Vertices::Packed, Vertices::Paper, Vertices::Plain] {
        set.shoot(Settings { vertices, budget: 60_000, ..Settings::default() });
    }
    // Pipelines and layouts are checked against what was asked of the device: WebGPU's defaults, but for sizes.
    let usual = wgpu::Limits::default();
    let limits = wgpu::Limits {
        max_buffer_size: usual.max_buffer_size,
        max_storage_buffer_binding_size: usual.max_storage_buffer_binding_size,
        ..set.gpu.device().limits()
    };
    assert_eq!(limits, usual);
    assert_eq!(set.gpu.device().features() - wgpu::Features::TIMESTAMP_QUERY, wgpu::Features::empty());
    assert_eq!(set.gpu.trouble(), None);
}

#[test]
fn a_picture_is_as_large_as_shaders_can_sum_up() {
    let gpu = open_gpu();
    let most = u32::try_from(most_pixels(&gpu) / 4096).expect("few rows");
    assert_eq!(check_size(&gpu, [4096, most]), Ok(()));
    let why = check_size(&gpu, [4096, most + 1]).expect_err("too large");
    assert!(why.contains("too large for") && why.contains(&format!("4096 × {}", most + 1)), "{why}");
}

#[test]
fn what_is_left_out_is_said_once_however_many_that_are() {
    let mut set = Set::new(VALLEY, 1);
    set.shoot(Settings { budget: 60_000, ..Settings::default() });
    assert_eq!(set.studio.take_note(), None);
    let space = set.studio.space_mut().expect("something was drawn");
    let mut said = Vec::new();
    for left in 100..200 {
        space.note_once(Kind::Room, format!("{left} more are not shown"));
        said.extend(space.take_note());
    }
    space.note_once(Kind::Pinned, "others".into());
    said.extend(space.take_note());
    assert_eq!(said, ["100 more are not shown", "others"]);
}
