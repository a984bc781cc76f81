//! Whichever way separation finds the bodies near each, the run is the same to the bit.

use miette::Diagnostic;
use throng::scene::{NoFiles, with_value};
use throng::stages::potential::Solver;
use throng::stages::separate::Search;
use throng::{Scene, Simulation};

/// The hash of the state after 40 steps, and how many neighbours were left out.
fn after_40_steps(scene: &Scene, search: Search) -> (u64, u64) {
    let mut scene = scene.clone();
    scene.model.neighbours = search;
    let mut run = Simulation::with_threads(&scene, 2).unwrap_or_else(|e| panic!("{e}"));
    run.steps_by(40).expect("the CPU does not fail");
    (run.state_hash().unwrap(), run.counters().neighbours_left_out)
}

/// Runs a scene with each search; returns how many neighbours each left out.
fn same_with_every_search(scene: &Scene) -> u64 {
    let bins = after_40_steps(scene, Search::Bins);
    assert_eq!(bins, after_40_steps(scene, Search::Sweep), "{} with a sweep", scene.name);
    assert_eq!(bins, after_40_steps(scene, Search::AllPairs), "{} with all pairs", scene.name);
    bins.1
}

fn heap(count: u32, model: &str) -> Scene {
    let text = format!(
        "size = [16, 12]
[map]
walls = [{{ rect = [9, 0, 9.1, 5] }}, {{ circle = [6, 8, 0.7] }}]
[[goal]]
rect = [15, 0, 16, 12]
[[agents]]
count = {count}
place = \"random\"
radius = {{ uniform = [0.1, 0.45] }}
start = {{ rect = [5, 2, 9, 7] }}
journey = [\"goal 0\"]
[model]
{model}
"
    );
    Scene::parse("heap.toml", &text, &NoFiles).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn an_office_is_the_same_with_every_search() {
    let mut scene = Scene::built_in("office").expect("a built-in scene");
    scene.scale(0.2).expect("a fifth is not too small");
    same_with_every_search(&scene);
}

#[test]
fn a_heap_of_mixed_bodies_is_the_same_with_every_search() {
    assert_eq!(same_with_every_search(&heap(150, "")), 0);
}

#[test]
fn a_heap_too_dense_for_the_lists_is_the_same_with_every_search() {
    assert!(same_with_every_search(&heap(2500, "")) > 0, "this heap was to overflow the lists");
}

#[test]
fn searches_and_solvers_are_read_and_shown() {
    let read = |model: &str| heap(5, model).model;
    assert_eq!((read("").neighbours, read("").solver), (Search::Bins, Solver::Buckets));
    for (word, search) in [("bins", Search::Bins), ("sweep", Search::Sweep), ("all-pairs", Search::AllPairs)] {
        let line = format!("neighbours = \"{word}\"");
        assert_eq!(read(&line).neighbours, search);
        assert!(heap(5, &line).to_toml().contains(&line), "{line} is not shown");
        assert!(with_value("", "model.neighbours", word).expect("it can be set").contains(&line));
    }
    for (word, solver) in [("buckets", Solver::Buckets), ("selective", Solver::Selective), ("all", Solver::All)] {
        let line = format!("solver = \"{word}\"");
        assert_eq!(read(&line).solver, solver);
        assert!(heap(5, &line).to_toml().contains(&line), "{line} is not shown");
    }
}

#[test]
fn a_search_that_does_not_exist_is_refused() {
    let told = |model: &str| {
        let text = format!("size = [10, 5]\n[[goal]]\nrect = [9, 0, 10, 5]\n[model]\n{model}\n");
        let error = Scene::parse("rooms.toml", &text, &NoFiles).expect_err("there is no such word");
        (error.to_string(), Diagnostic::help(&error).expect("it says what is right").to_string())
    };
    let (message, help) = told("neighbours = \"bin\"");
    assert!(message.contains("`neighbours` cannot be \"bin\""), "{message}");
    assert_eq!(help, "did you mean \"bins\"? neighbours is one of \"bins\", \"sweep\", \"all-pairs\"");
    let (message, help) = told("solver = \"fastest\"");
    assert!(message.contains("`solver` cannot be \"fastest\""), "{message}");
    assert!(help.contains("solver is one of \"buckets\", \"selective\", \"all\""), "{help}");
}
