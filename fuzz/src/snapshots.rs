//! Snapshots. The header says by a hash which scene a snapshot is of; the same hash tells the fuzzer which run to offer it to.

use crate::files::Beside;
use std::cell::RefCell;
use throng::geometry::{Rect, Shape};
use throng::{ResumeError, Scene, Simulation, Vec2};

/// Bytes before the body; where in them the hash of the crowd and the checksum are.
const HEADER: usize = 32;
const EVENTS: std::ops::Range<usize> = 12..16;
const CROWD: std::ops::Range<usize> = 16..24;
const CHECKSUM: std::ops::Range<usize> = 24..32;
/// Where the engine's own state begins: behind the hashes of two floors and two models.
const STATE: usize = HEADER + 32;

/// Scenes whose snapshots have something of everything in them.
pub(crate) const SCENES: [&str; 4] = [
    include_str!("../scenes/journeys.toml"),
    include_str!("../scenes/states.toml"),
    include_str!("../scenes/beliefs.toml"),
    include_str!("../scenes/social.toml"),
];

/// A run under way, with changes that calls have made.
pub(crate) fn under_way(text: &str) -> Simulation {
    let scene = Scene::parse("fuzz.toml", text, &Beside).unwrap_or_else(|e| panic!("{e}"));
    let mut run = Simulation::with_threads(&scene, 1).unwrap_or_else(|e| panic!("{e}"));
    run.steps_by(11).expect("the CPU does not fail");
    run.add_wall(Shape::Rect(Rect::new(Vec2::new(5.5, 1.0), Vec2::new(5.8, 1.4)))).expect("a sound shape");
    run.add_wall(Shape::Line(vec![Vec2::new(3.0, 3.0), Vec2::new(3.5, 3.5)])).expect("a sound shape");
    run.steps_by(4).expect("the CPU does not fail");
    run
}

struct Run {
    /// Its own snapshot.
    own: Vec<u8>,
    sim: Simulation,
}

thread_local! {
    static RUNS: RefCell<Vec<Run>> = RefCell::new(SCENES.iter().map(|text| {
        let mut sim = under_way(text);
        Run { own: sim.save().expect("the CPU does not fail"), sim }
    }).collect());
}

/// FNV-1a, as in the header of a snapshot.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01B3))
}

/// Bytes as a snapshot: as they are, and with a head that fits.
pub fn snapshot(bytes: &[u8]) {
    RUNS.with_borrow_mut(|runs| {
        let named = runs.iter().position(|r| bytes.get(CROWD) == Some(&r.own[CROWD]));
        let by_number = usize::from(*bytes.first().unwrap_or(&0)) % runs.len();
        let run = &mut runs[named.unwrap_or(by_number)];
        offer(run, bytes);
        if bytes.len() <= STATE {
            return;
        }
        let mut sealed = bytes.to_vec();
        sealed[..STATE].copy_from_slice(&run.own[..STATE]);
        sealed[EVENTS].copy_from_slice(&bytes[EVENTS]);
        let sum = hash(&sealed[EVENTS]) ^ hash(&sealed[HEADER..]);
        sealed[CHECKSUM].copy_from_slice(&sum.to_le_bytes());
        offer(run, &sealed);
    });
}

/// Offers a snapshot. If it is refused everything is as it was; if not, the run can go on from there.
fn offer(run: &mut Run, bytes: &[u8]) {
    match run.sim.resume(bytes) {
        Err(error) => {
            let text = error.to_string();
            assert!(text.len() < 1000 && text.chars().all(throng::scene::is_printable), "{text:?}");
            let now = run.sim.save().expect("the CPU does not fail");
            assert!(now == run.own, "a refused snapshot changed the run: {error}");
        }
        Ok(()) => {
            let again = run.sim.save().expect("the CPU does not fail");
            let (count, before) = (run.sim.scene().agent_count(), run.sim.counters());
            run.sim.steps_by(3).expect("the CPU does not fail");
            let after = run.sim.counters();
            assert_eq!(after.not_finite, before.not_finite, "not finite");
            assert_eq!(after.active + after.outside + after.between + after.parked, count, "somebody was lost");
            // What was taken can be saved, and that is taken too.
            run.sim.resume(&again).expect("it was just saved");
            restore(run);
        }
    }
}

fn restore(run: &mut Run) {
    let result: Result<(), ResumeError> = run.sim.resume(&run.own);
    result.expect("its own snapshot");
    let now = run.sim.save().expect("the CPU does not fail");
    assert!(now == run.own, "its own snapshot gives another state");
}
