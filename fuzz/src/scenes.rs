//! Scenes as text.

use crate::files::Beside;
use throng::engine::Counters;
use throng::scene::{SceneError, is_printable, with_value};
use throng::stages::potential::SolveReport;
use throng::{Scene, Simulation};

/// Bytes of memory that there are for a scene, as the program would find them free.
pub(crate) const BUDGET: u64 = 64 << 20;

/// What is set up, and what is run: a fuzzer lives by the number of inputs that it tries.
const CELLS_SET_UP: u64 = 100_000;
const CELLS_RUN: usize = 4_000;
const PEOPLE_RUN: u64 = 500;

/// A scene's text: the whole way from `check` to a run that is saved and resumed.
pub fn scene(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some(scene) = read(text) else { return };
    let written = survives(&scene);
    let needs = scene.memory_needs();
    if needs.total() > BUDGET || scene.grid.len() as u64 * (needs.routes + 1) > CELLS_SET_UP {
        return;
    }
    let mut run = match Simulation::with_threads(&scene, 1) {
        Ok(run) => run,
        Err(error) => return shows(&error),
    };
    if scene.grid.len() <= CELLS_RUN && scene.agent_count() <= PEOPLE_RUN {
        goes_on(&scene, &mut run, &written);
    }
}

/// `KEY=VALUE` in the first line, as after `--set`, and a scene's text.
pub fn set(bytes: &[u8]) {
    let Ok(input) = std::str::from_utf8(bytes) else { return };
    let Some((set, text)) = input.split_once('\n') else { return };
    let Some((key, value)) = set.split_once('=') else { return };
    if let Ok(changed) = with_value(text, key.trim(), value.trim()) {
        assert!(changed.parse::<toml_edit::DocumentMut>().is_ok(), "what was TOML is none any more:\n{changed}");
        if let Some(scene) = read(&changed) {
            survives(&scene);
        }
    }
}

/// The line between two texts.
pub(crate) const BETWEEN: &str = "\n#----\n";

/// Two texts: the second scene in the words of the first.
pub fn merge(bytes: &[u8]) {
    let Ok(input) = std::str::from_utf8(bytes) else { return };
    let Some((old, new)) = input.split_once(BETWEEN) else { return };
    let (Some(old), Some(new)) = (read(old), read(new)) else { return };
    if let Some(files) = new.to_files_like(&old, "changed", &Beside) {
        let text = std::str::from_utf8(&files[0].1).expect("a scene is text");
        let again = Scene::parse("changed.toml", text, &files_first(&files)).expect("what was saved can be read");
        assert!(again.to_files("changed") == new.to_files("changed"), "another scene was saved:\n{text}");
    }
    // As it was, it is saved as it was.
    let files = old.to_files_like(&old, "fuzz", &Beside).expect("nothing has changed");
    assert_eq!(std::str::from_utf8(&files[0].1), Ok(input.split_once(BETWEEN).expect("it has one").0));
}

/// Files that were just written, and those beside the scene.
fn files_first(files: &[(String, Vec<u8>)]) -> impl throng::scene::Files + '_ {
    struct First<'a>(&'a [(String, Vec<u8>)]);
    impl throng::scene::Files for First<'_> {
        fn read(&self, name: &str) -> Result<Vec<u8>, String> {
            self.0.iter().find(|(n, _)| n == name).map_or_else(|| Beside.read(name), |(_, bytes)| Ok(bytes.clone()))
        }
    }
    First(files)
}

/// The scene of a text; where it is none, that can be said.
fn read(text: &str) -> Option<Scene> {
    Scene::parse("fuzz.toml", text, &Beside).map_err(|error| shows(&error)).ok()
}

/// An error has words for a terminal, and no orders for it.
pub(crate) fn shows(error: &SceneError) {
    let handler = miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::unicode_nocolor()).with_width(100);
    for error in std::iter::once(error).chain(error.others()) {
        let mut text = String::new();
        handler.render_report(&mut text, error).expect("memory takes everything");
        let fine = text.chars().all(|c| c == '\n' || is_printable(c));
        assert!(fine && text.len() < 20_000, "an error of {} bytes:\n{text:?}", text.len());
    }
}

/// Written and read again a scene is the same, and so are its words; the scene that was read again.
fn survives(scene: &Scene) -> Scene {
    let text = scene.to_toml();
    let again = match Scene::parse("again.toml", &text, &Beside) {
        Ok(again) => again,
        Err(e) => panic!("{e}\n{text}"),
    };
    assert_eq!(text, again.to_toml());
    // Goals, groups and states know where they stand in the text, and are compared by how the scene runs.
    assert_eq!((&scene.grid, &scene.map), (&again.grid, &again.map), "{text}");
    assert_eq!((&scene.terrain, &scene.local_weights), (&again.terrain, &again.local_weights), "{text}");
    assert_eq!((&scene.hazards, &scene.events), (&again.hazards, &again.events), "{text}");
    assert_eq!(scene.model, again.model, "{text}");
    again
}

/// Nobody is lost or in a wall; what is saved goes on with the same bits, and so does the scene as it was written.
fn goes_on(scene: &Scene, run: &mut Simulation, written: &Scene) {
    for _ in 0..3 {
        run.step().expect("the CPU does not fail");
        let c = run.counters();
        assert_eq!(c.active + c.outside + c.between + c.parked, scene.agent_count(), "somebody was lost");
        assert_eq!((c.in_wall, c.not_finite), (0, 0), "in walls, not finite");
    }
    let saved = run.save().expect("the CPU does not fail");
    let mut rest = Simulation::with_threads(scene, 1).expect("it was sound before");
    rest.resume(&saved).expect("it is of the same scene");
    let mut twin = Simulation::with_threads(written, 1).expect("it was sound before it was written");
    twin.steps_by(3).expect("the CPU does not fail");
    assert_eq!(run.state_hash(), twin.state_hash(), "another run when written and read again");
    run.steps_by(2).expect("the CPU does not fail");
    rest.steps_by(2).expect("the CPU does not fail");
    assert_eq!(run.state_hash(), rest.state_hash(), "another run after a resume");
    // What the last plan took is told of plans that the run itself has made.
    let counters = |run: &Simulation| Counters { solver: SolveReport::default(), ..run.counters() };
    assert_eq!(counters(run), counters(&rest));
}
