//! `impulse run --save-state` and `--from`: a run that is put aside comes out as one that was not.

use crate::support::{folder, impulse};
use std::fs;

fn hash(text: &str) -> &str {
    text.split("trace hash ").nth(1).unwrap_or_else(|| panic!("{text}")).split_whitespace().next().unwrap()
}

const SCENE: &str = "
    duration(2);
    let height = param(\"height\", 1.0);
    include(\"floor.rhai\");
    body(\"ball\", sphere(0.1), #{ at: [0, 0, height], mass: 1 });
    report(\"count\");
    behaviour(\"jump\", 10, |me| {
        me.memory.count += 1;
        me.report(\"count\", me.memory.count);
        if rand() < 0.3 { me.body(\"ball\").push(me.body(\"ball\").at, [0, 0, rand(0, 1)]); }
    }, #{ memory: #{ count: 0 } });
";

#[test]
fn a_run_that_is_put_aside_ends_as_one_that_was_not() {
    let folder = folder("run_state");
    fs::write(folder.join("scene.rhai"), SCENE).unwrap();
    fs::write(folder.join("floor.rhai"), "body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true });\n").unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let paths = ["scene.rhai", "state.json", "impacts.csv"].map(path);
    let [scene, state, table] = [0, 1, 2].map(|i| paths[i].as_str());
    let straight = impulse(&["run", scene, "--set", "height=1.5", "--seed", "4"]);
    assert_eq!(straight.status, 0, "{}", straight.stderr);
    let saved =
        impulse(&["run", scene, "--set", "height=1.5", "--seed", "4", "--until", "0.73", "--save-state", state]);
    assert!(saved.stdout.contains("state.json"), "{}{}", saved.stdout, saved.stderr);
    // The scene's files are in the state.
    fs::remove_file(folder.join("scene.rhai")).unwrap();
    fs::remove_file(folder.join("floor.rhai")).unwrap();
    let done = impulse(&["run", "--from", state, "--impacts", table]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert_eq!(hash(&done.stdout), hash(&straight.stdout));
    assert!(straight.stdout.contains("report count: 21") && done.stdout.contains("report count: 21"));
    let impacts = fs::read_to_string(table).unwrap();
    assert!(impacts.lines().count() > 1, "{impacts}");
}

#[test]
fn what_cannot_be_gone_on_with_is_told() {
    let folder = folder("run_no_state");
    let state = folder.join("state.json");
    let state = state.to_str().unwrap();
    let saved = impulse(&["run", "bounce", "--until", "1", "--save-state", state, "-q"]);
    assert_eq!((saved.status, saved.stdout.as_str()), (0, ""));
    let early = impulse(&["run", "--from", state, "--until", "0.5"]);
    assert_eq!(early.status, 1);
    assert!(early.stderr.contains("is at 1 s already; give a later end"), "{}", early.stderr);
    for given in [&["--seed", "1"][..], &["--set", "height=2"], &["--gravity", "0,0,-1"], &["bounce"]] {
        assert_eq!(impulse(&[&["run", "--from", state][..], given].concat()).status, 2, "{given:?}");
    }
    let text = fs::read_to_string(state).unwrap();
    fs::write(state, text.replacen("\"height\"", "\"hight\"", 1)).unwrap();
    let other = impulse(&["run", "--from", state]);
    assert!(other.status == 1 && other.stderr.contains("the parameters differ"), "{}", other.stderr);
    fs::write(state, "{}").unwrap();
    let none = impulse(&["run", "--from", state]);
    assert!(none.status == 1 && none.stderr.contains("this is no saved run"), "{}", none.stderr);
    assert_eq!(impulse(&["run", "--from", "nowhere.json"]).status, 1);
    // A place that cannot be written is told before the run, and two files in one place are refused.
    let blocked = format!("{state}/state.json");
    let refused = impulse(&["run", "bounce", "--until", "1e9", "--save-state", &blocked]);
    assert!(refused.status == 1 && refused.stderr.contains("state.json"), "{}", refused.stderr);
    let shared = impulse(&["run", "bounce", "--summary", state, "--save-state", state]);
    assert!(shared.stderr.contains("--summary and --save-state both write"), "{}", shared.stderr);
}
