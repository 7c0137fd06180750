//! `impulse validate`: its table, its JSON, and the page that it writes.

use crate::support::{impulse, repository};
use serde_json::Value;

#[test]
fn json_tells_answer_exact_value_error_and_peer() {
    let run = impulse(&["validate", "--json", "bounce", "slide_to_roll"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    let cases = document["cases"].as_array().unwrap();
    assert_eq!(cases.iter().map(|case| &case["name"]).collect::<Vec<_>>(), ["bounce", "slide_to_roll"]);
    for (case, exact) in cases.iter().zip([0.8_f64.powi(10), 5.0 / 7.0]) {
        let [value, told, error] = ["value", "exact", "error"].map(|field| case[field].as_f64().unwrap());
        assert!((told - exact).abs() < 1e-15, "{case}");
        assert!((error - (value / exact - 1.0).abs()).abs() < 1e-15 && error < 1e-8, "{case}");
        assert_eq!(case["passed"], true);
    }
    assert_eq!(cases[0]["peer"], "rapier3d-f64 0.36.1");
}

#[test]
fn a_scene_stands_for_its_cases() {
    let run = impulse(&["validate", "chain_of_balls"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    let cases: Vec<&str> = run.stdout.lines().skip(1).map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(cases, ["row_of_balls", "row_on_rough_track"]);
    assert!(run.stdout.lines().skip(1).all(|line| line.ends_with("pass")));
}

/// A time is told, not judged; but every dropped box must have come to rest.
#[test]
fn dropped_boxes_come_to_rest() {
    let run = impulse(&["validate", "box_drop"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    assert!(run.stdout.trim_end().ends_with('-'), "{}", run.stdout);
}

#[test]
fn an_unknown_case_is_wrong_usage_and_gets_a_suggestion() {
    let run = impulse(&["validate", "plater"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("similar") && run.stderr.contains("'platter'"), "{}", run.stderr);
}

/// What quick cases give is what the page says, to the digit.
#[test]
fn the_page_is_what_the_command_writes() {
    let page = std::fs::read_to_string(repository().join("docs/accuracy.md")).unwrap();
    let quick = ["ramp_0.9", "bounce", "row_of_balls", "slide_to_roll", "stack", "middle_axis", "bullet_free"];
    let run = impulse(&[&["validate", "--markdown"], quick.as_slice()].concat());
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let lines: Vec<&str> = page.lines().collect();
    for line in run.stdout.lines() {
        assert!(lines.contains(&line), "docs/accuracy.md lacks the line below; write it with --markdown\n{line}");
    }
    assert!(run.stdout.lines().count() > quick.len() + 20, "{}", run.stdout);
}
