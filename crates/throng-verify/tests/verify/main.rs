//! The tests of crowds, tested: they pass where they should, a wrong model fails them, and what they write is what they ran.

mod scenes;

use serde_json::Value;
use std::sync::atomic::AtomicBool;
use throng_verify::{Findings, Schedule, Settings, Status, Unwatched, chosen, report};

/// What tests find in their quick form, with a steering.
fn find(tests: &[&str], steer: &str, threads: usize) -> (Settings, Findings) {
    let words: Vec<String> = tests.iter().map(|t| (*t).to_owned()).collect();
    let settings = Settings { steer: Some(steer.into()), ..Settings::quick() };
    let schedule = Schedule::new(&settings, &chosen(&words).expect("they are tests"));
    let findings = schedule.execute(&settings, threads, &AtomicBool::new(false), &Unwatched);
    (settings, findings)
}

#[test]
fn cheap_tests_pass() {
    let (settings, findings) = find(&["rimea-1", "rimea-6", "nist-2.3", "juelich-1", "pair"], "walk", 2);
    for finding in &findings.tests {
        assert_eq!(finding.status, Status::Pass, "{}", report::text(&settings, &findings));
    }
    assert_eq!(findings.tests.len(), 5);
    assert!(findings.is_fine());
    // Each run counts once: with all of them, those of the tests add up to those of the runs.
    let of_tests: f64 = findings.tests.iter().map(|f| f.seconds).sum();
    let of_runs: f64 = findings.outcomes.iter().map(|o| o.seconds).sum();
    assert!((of_tests - of_runs).abs() < 1e-9, "{of_tests} and {of_runs}");
}

#[test]
fn a_model_without_avoidance_fails() {
    // People who avoid nobody stop nose to nose, and never clear a corridor against a crowd.
    let (settings, findings) = find(&["pair", "nist-2.8"], "follow", 2);
    for finding in &findings.tests {
        assert_eq!(finding.status, Status::Fail, "{}", report::text(&settings, &findings));
    }
    assert!(!findings.is_fine());
}

#[test]
fn json_has_the_keys_of_the_contract() {
    let (settings, findings) = find(&["rimea-1", "rimea-6"], "walk", 1);
    let v = report::json(&settings, &findings);
    let tests = v["tests"].as_array().expect("a list");
    assert_eq!(tests.len(), 2);
    for test in tests {
        for key in ["id", "title", "status", "note", "source", "criterion", "family"] {
            assert!(test[key].is_string(), "{key}: {test}");
        }
        assert!(["pass", "fail", "documented", "expected-fail"].contains(&test["status"].as_str().expect("a word")));
        let measured = test["measured"].as_object().expect("figures by name");
        assert!(!measured.is_empty() && measured.values().all(Value::is_number), "{test}");
        for (name, bound) in test["bound"].as_object().expect("bounds by name") {
            assert!(measured.contains_key(name), "{name}");
            assert!(bound["least"].is_number() || bound["most"].is_number(), "{bound}");
        }
    }
    assert_eq!(tests[0]["bound"]["least time"]["most"], 34.0);
    let time = tests[0]["measured"]["least time"].as_f64().expect("a number");
    assert!((29.0..31.0).contains(&time), "{time}");
}

#[test]
fn results_do_not_depend_on_threads_and_tests_share_runs() {
    let without_times = |threads| {
        let (settings, findings) = find(&["pair", "rimea-5", "rimea-6", "nist-2.3"], "walk", threads);
        let mut v = report::json(&settings, &findings);
        for test in v["tests"].as_array_mut().expect("a list") {
            test.as_object_mut().expect("an object").remove("seconds");
        }
        let hashes: Vec<(String, u64)> = findings.outcomes.iter().map(|o| (o.name.clone(), o.hash)).collect();
        (v, hashes)
    };
    let alone = without_times(1);
    assert_eq!(alone, without_times(3));
    let names: Vec<&str> = alone.1.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["rimea-5", "rimea-6", "pair"], "the corner is run once for both of its tests");
}

#[test]
fn what_is_stopped_is_reported_as_far_as_it_is_done() {
    let settings = Settings::quick();
    let tests = chosen(&["rimea".to_owned()]).expect("tests");
    let findings = Schedule::new(&settings, &tests).execute(&settings, 2, &AtomicBool::new(true), &Unwatched);
    assert!(findings.tests.is_empty() && findings.outcomes.is_empty());
    assert_eq!(findings.unfinished.len(), tests.len());
    assert!(!findings.is_fine());
    assert!(report::text(&settings, &findings).contains("not finished: rimea-1, "));
}

#[test]
fn tables_have_a_row_for_everything_and_a_page_says_what_is_out_of_bounds() {
    let (settings, findings) = find(&["pair", "rimea-1"], "follow", 2);
    let figures: usize = findings.tests.iter().map(|f| f.verdict.figures.len()).sum();
    assert_eq!(report::figures_csv(&findings).lines().count(), figures + 1);
    assert_eq!(report::runs_csv(&findings).lines().count(), 3);
    assert_eq!(report::points_csv(&findings).lines().count(), 1);
    let page = report::page(&settings, &findings, &report::plots(&findings), "images");
    assert!(
        page.contains("| `rimea-1` |") && page.contains("### Out of bounds\n\n- `pair` (fail): least speed"),
        "{page}"
    );
    let columns = |line: &str| line.matches('|').count();
    let rows: Vec<usize> = page.lines().filter(|l| l.starts_with('|')).map(columns).collect();
    assert!(rows.iter().all(|&n| n == 6), "{page}");
}
