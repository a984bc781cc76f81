//! Snapshots that were cut, damaged or made up.

use super::*;
use throng::world::obstacle::Obstacle;

/// FNV-1a; the header of a snapshot has that of the body and of how many events have happened.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01B3))
}

const HEADER: usize = 32;
/// Where the engine's own state begins: behind the hashes of two floors and two models.
const STATE: usize = HEADER + 32;

/// The bytes with the checksum that they should have, so that what is inside is looked at.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() >= HEADER {
        // How many events have happened, and the engine's state.
        let sum = hash(&bytes[12..16]) ^ hash(&bytes[HEADER..]);
        bytes[24..32].copy_from_slice(&sum.to_le_bytes());
    }
    bytes
}

/// The rich scene under way, with walls that were added and cells that were painted.
fn under_way() -> Simulation {
    let scene = Scene::parse("rich.toml", RICH, &FOLDER).expect("it is sound");
    let mut run = Simulation::with_threads(&scene, 1).expect("it is sound");
    run.steps_by(11).expect("the CPU does not fail");
    run.add_wall(Shape::Rect(Rect::new(Vec2::new(16.5, 1.0), Vec2::new(17.0, 2.0)))).expect("a sound shape");
    run.add_wall(Shape::Line(vec![Vec2::new(13.0, 9.0), Vec2::new(14.0, 9.5)])).expect("a sound shape");
    assert!(run.paint_wall(Vec2::new(17.2, 8.2), true));
    assert!(run.paint_ground(&[(40, 0.3), (41, 0.98), (799, 0.0)]));
    assert!(run.name_wall(run.scene().map.walls.len() - 1, Some("door")));
    assert!(run.set_obstacle(Some(Obstacle { centre: Vec2::new(5.0, 5.0), radius: 2.0, intensity: 3.0 })));
    run.steps_by(4).expect("the CPU does not fail");
    run
}

/// Whether a snapshot was taken, or refused for what it says: neither for its header nor for its checksum.
fn was_read(error: &Option<ResumeError>) -> bool {
    matches!(error, None | Some(ResumeError::Engine(_)))
}

/// Tries bytes as a snapshot. If they are refused, everything is as it was.
fn offer(run: &mut Simulation, bytes: &[u8]) -> Result<Option<ResumeError>, TestCaseError> {
    let before = (run.state_hash().unwrap(), run.counters(), run.save().unwrap());
    match run.resume(bytes) {
        Ok(()) => Ok(None),
        Err(error) => {
            prop_assert_eq!(run.state_hash().unwrap(), before.0);
            prop_assert_eq!(run.counters(), before.1);
            prop_assert!(run.save().unwrap() == before.2, "a refused snapshot changed the run");
            Ok(Some(error))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_snapshot_cut_short_is_refused(cut in any::<prop::sample::Index>(), seal in any::<bool>()) {
        let mut run = under_way();
        let whole = run.save().unwrap();
        run.steps_by(3).expect("the CPU does not fail");
        let bytes = whole[..cut.index(whole.len())].to_vec();
        let bytes = if seal { sealed(bytes) } else { bytes };
        let error = offer(&mut run, &bytes)?;
        prop_assert!(error.is_some(), "{} of {} bytes were taken for a snapshot", bytes.len(), whole.len());
        prop_assert_eq!(was_read(&error), seal && bytes.len() >= STATE, "{:?}", error);
    }

    #[test]
    fn a_single_flipped_bit_of_the_body_is_noticed(at in any::<prop::sample::Index>(), bit in 0u8..8) {
        let mut run = under_way();
        let mut bytes = run.save().unwrap();
        run.steps_by(3).expect("the CPU does not fail");
        let at = 16 + at.index(bytes.len() - 16);
        bytes[at] ^= 1 << bit;
        let error = offer(&mut run, &bytes)?;
        prop_assert!(matches!(error, Some(ResumeError::Damaged | ResumeError::OtherScene)), "byte {at} bit {bit}: {error:?}");
    }

    #[test]
    fn damage_under_a_good_checksum_never_brings_the_reader_down(
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        words in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(vec![0u32, 1, 7, 255, 65_536, 0x7FC0_0000, 0x7F80_0000, u32::MAX, 0xFF7F_FFFF])), 0..3),
        extra in prop::collection::vec(any::<u8>(), 0..9),
    ) {
        let mut run = under_way();
        let mut bytes = run.save().unwrap();
        let n = bytes.len() - HEADER;
        for (at, by) in &flips {
            bytes[HEADER + at.index(n)] ^= by;
        }
        for (at, word) in &words {
            let at = HEADER + at.index(n / 4) * 4;
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        bytes.extend(&extra);
        let error = offer(&mut run, &sealed(bytes))?;
        prop_assert!(extra.is_empty() || error.is_some(), "bytes after the end were taken");
        prop_assert!(was_read(&error), "the seal of this test does not hold: {:?}", error);
        if error.is_none() {
            // Whatever was taken for a state can go on from there; counts of the past may be anything.
            let before = run.counters();
            run.steps_by(3).expect("the CPU does not fail");
            let after = run.counters();
            prop_assert_eq!(after.not_finite, before.not_finite);
            prop_assert_eq!(after.active + after.outside + after.parked, run.scene().agent_count());
        }
    }

    #[test]
    fn random_bytes_are_no_snapshot(body in prop::collection::vec(any::<u8>(), 0..400), whole in any::<bool>()) {
        let mut run = under_way();
        let head = run.save().unwrap()[..STATE].to_vec();
        let bytes = if whole { body } else { sealed([head, body].concat()) };
        let error = offer(&mut run, &bytes)?;
        prop_assert!(error.is_some());
        prop_assert_eq!(was_read(&error), !whole, "{:?}", error);
    }
}

#[test]
fn the_seal_of_these_tests_is_that_of_a_snapshot() {
    let own = under_way().save().unwrap();
    assert!(
        sealed(own.clone()) == own,
        "the header has changed: sealed() must follow, or nothing here reaches the reader"
    );
    // A change that any run could have made is taken under the seal, and only there.
    let mut run = under_way();
    let mut other = own;
    // The number of the next id comes after the model's parameters and how many they are: ids may be left out.
    let parameters = u32::from_le_bytes(other[STATE..STATE + 4].try_into().unwrap()) as usize;
    other[STATE + 4 + 4 * parameters] += 1;
    assert_eq!(run.resume(&other), Err(ResumeError::Damaged));
    assert_eq!(run.resume(&sealed(other)), Ok(()));
}

#[test]
fn no_place_of_a_snapshot_is_believed_whatever_it_says() {
    // Nothing, one, not a number, infinities, the largest and the least, far away, and lengths beyond all bytes.
    const WORDS: [u32; 11] = [
        0,
        1,
        0x7FC0_0000,
        0xFF80_0000,
        0x7F80_0000,
        0x7F7F_FFFF,
        0x0000_0002,
        0x4B18_9680,
        0x8000_0000,
        0x3F80_0000,
        u32::MAX,
    ];
    let mut run = under_way();
    let own = run.save().unwrap();
    // A word for each place: which of them, follows from the seed.
    let first = (seed::seed() % WORDS.len() as u64) as usize;
    let (mut taken, mut refused) = (0, 0);
    for at in STATE..own.len() - 3 {
        let mut bytes = own.clone();
        let word = WORDS[(at + first) % WORDS.len()];
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        match run.resume(&sealed(bytes)) {
            Err(ResumeError::Engine(_)) => refused += 1,
            Err(other) => panic!("the reader was not reached: {other}"),
            Ok(()) => {
                taken += 1;
                let before = run.counters().not_finite;
                run.step().expect("the CPU does not fail");
                assert_eq!(run.counters().not_finite, before, "{word:#X} at byte {at}");
            }
        }
    }
    // Most of this snapshot is ground and painted cells, where many words are fine; columns of agents are guarded.
    assert!(taken > 100 && refused > 100, "{taken} taken, {refused} refused");
}

#[test]
fn a_snapshot_of_another_scene_or_format_is_refused_by_name() {
    let mut run = under_way();
    let own = run.save().unwrap();
    assert!(sealed(own.clone()) == own, "a seal is what a snapshot has");
    assert_eq!(run.resume(b"THRONG\r\n"), Err(ResumeError::NotASnapshot));
    assert_eq!(run.resume(b"not a snapshot at all, but long enough to be one"), Err(ResumeError::NotASnapshot));
    let mut later = own.clone();
    later[8] = 99;
    assert_eq!(run.resume(&later), Err(ResumeError::Format(99)));
    let other = Scene::parse("rich.toml", &RICH.replace("seed = 3", "seed = 4"), &FOLDER).expect("it is sound");
    let mut other = Simulation::new(&other).expect("it is sound");
    assert_eq!(run.resume(&other.save().unwrap()), Err(ResumeError::OtherScene));
    let mut events = own.clone();
    events[12] = 77;
    assert_eq!(run.resume(&events), Err(ResumeError::Damaged));
    assert_eq!(run.resume(&own), Ok(()));
}

#[test]
fn after_a_refused_snapshot_the_run_goes_on_as_if_nothing_had_been() {
    let (mut run, mut twin) = (under_way(), under_way());
    let mut bytes = run.save().unwrap();
    let last = bytes.len() - 1;
    bytes[last] = 1;
    bytes.truncate(last);
    for bad in [sealed(bytes.clone()), bytes, Vec::new()] {
        assert!(run.resume(&bad).is_err());
        run.steps_by(5).expect("the CPU does not fail");
        twin.steps_by(5).expect("the CPU does not fail");
        assert_eq!(run.state_hash().unwrap(), twin.state_hash().unwrap());
        assert_eq!(run.counters(), twin.counters());
    }
}

/// No files, and so many bytes.
struct Small(throng::budget::Budget);

impl Files for Small {
    fn read(&self, _: &str) -> Result<Vec<u8>, String> {
        Err("there are none".into())
    }

    fn budget(&self) -> throng::budget::Budget {
        self.0.clone()
    }
}

#[test]
fn a_run_becomes_another_one_only_where_there_is_memory_for_both() {
    let text = "name = \"hall\"\ncell = 0.5\nsize = [600, 600]\n[[goal]]\nrect = [590, 0, 600, 600]\n\
                [[agents]]\ncount = 20000\nstart = { rect = [1, 1, 500, 599] }\n";
    let plain = Scene::parse("hall.toml", text, &NoFiles).expect("it is sound");
    let bytes = Simulation::with_threads(&plain, 1).expect("it is sound").save().expect("the CPU does not fail");
    let needs = plain.memory_needs().total();
    let with = |most: u64| {
        let budget = throng::budget::Budget::new(most);
        let scene = Scene::parse("hall.toml", text, &Small(budget.clone())).expect("reading it takes little");
        let mut sim = Simulation::with_threads(&scene, 1).expect("the run itself fits");
        let left = budget.left();
        let (resumed, after) = (sim.resume(&bytes), budget.left());
        assert_eq!(left, after, "what is not needed any more is given back");
        let before = sim.state_hash();
        (resumed, before)
    };
    let (refused, _) = with(needs + (2 << 20));
    let refused = refused.expect_err("two do not fit").to_string();
    assert!(refused.contains("beside the run as it is") && refused.contains("of memory"), "{refused}");
    let (resumed, _) = with(3 * needs);
    resumed.expect("with more memory they do");
}

#[test]
fn walls_of_a_snapshot_draw_from_the_budget_before_they_are_built() {
    let text = "name = \"lane\"\ncell = 0.5\nsize = [10000, 12]\n";
    let scene = Scene::parse("lane.toml", text, &NoFiles).expect("it is sound");
    let mut long = Simulation::with_threads(&scene, 1).expect("it is sound");
    // A few bytes each, and listed in twenty thousand cells and more.
    for k in 0..40 {
        let y = 1.0 + 0.2 * k as f32;
        let line = Shape::Line(vec![Vec2::new(1.0, y), Vec2::new(9999.0, y)]);
        long.add_wall(line).expect("a sound shape");
    }
    let bytes = long.save().expect("the CPU does not fail");
    let needs = scene.memory_needs().total();
    let with = |budget: u64| {
        let budget = throng::budget::Budget::new(budget);
        let scene = Scene::parse("lane.toml", text, &Small(budget)).expect("reading it takes little");
        Simulation::with_threads(&scene, 1).expect("the run itself fits").resume(&bytes)
    };
    // A second world fits.
    let refused = with(needs + (28 << 20)).expect_err("the walls do not fit").to_string();
    assert!(refused.contains("walls") && refused.contains("of memory"), "{refused}");
    with(4 * needs + (1 << 30)).expect("with more memory they do");
}
