//! `impulse sweep`: trials that go wrong are rows of the table, each with its error and the command that repeats it.

use crate::support::{Outcome, folder, impulse_in};
use std::path::Path;

/// A press comes down by `sink`; where that is more than the room above the box, nobody can give way.
const PRESS: &str = "duration(0.6);
let wood = material(#{ friction: 0.4, restitution: 0.2 });
let sink = param(\"sink\", 0.0);
body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true, material: wood });
body(\"box\", cuboid(0.1, 0.1, 0.1), #{ at: [0, 0, 0.051], density: 700, material: wood });
body(\"press\", cuboid(0.3, 0.3, 0.1), #{ at: [0, 0, 0.2], material: wood,
    script: keyframes([#{ time: 0.1 }, #{ time: 0.5, at: [0, 0, 0.2 - sink] }]) });
report(\"level\", |w| w.body(\"box\").at[2]);
";

/// Runs a study of a script in a folder of its own, and returns its rows.
fn rows(name: &str, script: &str, arguments: &[&str]) -> (Outcome, Vec<String>) {
    let folder = folder(name);
    std::fs::write(folder.join("a.rhai"), script).unwrap();
    study(&folder, arguments)
}

fn study(folder: &Path, arguments: &[&str]) -> (Outcome, Vec<String>) {
    let told = impulse_in(folder, &[&["sweep", "a.rhai", "--out", "s"], arguments].concat());
    let table = std::fs::read_to_string(folder.join("s/trials.csv")).unwrap_or_else(|_| panic!("{}", told.stderr));
    (told, table.lines().skip(1).map(str::to_owned).collect())
}

#[test]
fn a_trial_that_cannot_go_on_is_a_row() {
    let (told, rows) = rows("sweep-press", PRESS, &["--vary", "sink=0.02,0.1"]);
    assert_eq!((told.status, told.stderr.as_str()), (0, ""));
    assert!(rows[0].contains(",duration,,"), "{}", rows[0]);
    for text in [
        ",failed,",
        "crushes \"\"box\"\" against \"\"floor\"\"",
        "repeat it: impulse run a.rhai --set sink=0.1 --seed ",
    ] {
        assert!(rows[1].contains(text), "{text}: {}", rows[1]);
    }
    assert!(told.stdout.contains("  1 failed; the column `error` says why"), "{}", told.stdout);
}

/// Where there are too many events is the same at every run.
#[test]
fn a_trial_with_too_many_events_is_a_row_that_repeats() {
    let ticks =
        "duration(1); body(\"ball\", sphere(0.1), #{ mass: 1 }); behaviour(\"idle\", param(\"rate\", 10), |me| {});";
    let arguments = ["--vary", "rate=100,100000", "--limit", "5000"];
    let (told, first) = rows("sweep-limit", ticks, &arguments);
    assert_eq!((told.status, told.stderr.as_str()), (0, ""));
    assert!(
        first[0].contains(",duration,,") && first[1].contains(",limit,more than 5000 events; repeat it: "),
        "{first:?}"
    );
    assert_eq!(rows("sweep-limit", ticks, &[&arguments[..], &["--threads", "2"]].concat()).1, first);
}

#[test]
fn a_trial_that_takes_too_long_is_a_row_that_says_it_does_not_repeat() {
    let folder = folder("sweep-timeout");
    std::fs::write(folder.join("a.rhai"), PRESS).unwrap();
    let (told, rows) = study(&folder, &["--vary", "sink=0.01,0.02", "--timeout", "1e-9"]);
    assert_eq!(told.status, 1, "{}", told.stdout);
    assert!(told.stderr.contains("all trials failed"), "{}", told.stderr);
    for row in &rows {
        assert!(
            row.contains(",timeout,more than 0.000000001 s; not repeatable; repeat it: impulse run a.rhai"),
            "{row}"
        );
    }
    // Such a row is not asked to repeat itself when the study is taken up.
    let (told, again) = study(&folder, &["--vary", "sink=0.01,0.02", "--timeout", "1e-9", "--resume"]);
    assert_eq!((told.status, again), (1, rows));
    let told = impulse_in(&folder, &["sweep", "a.rhai", "--out", "s", "--vary", "sink=0.01,0.02", "--resume"]);
    assert!(told.stderr.contains("holds another study: its `timeout` is "), "{}", told.stderr);
}

#[test]
fn reports_that_are_wrong_are_rows() {
    for (report, told) in [
        ("loop {}", "more than a million steps in one call"),
        ("1 / 0", "division by zero"),
        ("1.0 / 0.0", "what it reports is inf: give a finite number"),
        ("let b = w.body(\"box\"); b.at = [0, 0, 1]; 1", "`at` cannot be used in a report"),
        ("gravity(0, 0, 0)", "`gravity` cannot be used in a report"),
        ("w.body(\"bax\").at[2]", "there is no body `bax`; did you mean `box`?"),
    ] {
        let script = format!("{PRESS}report(\"x\", |w| {{ {report} }});\n");
        let (outcome, rows) = rows("sweep-report", &script, &["--vary", "sink=0.01,0.02"]);
        assert_eq!(outcome.status, 1, "{report}");
        for row in &rows {
            let cells: Vec<&str> = row.splitn(6, ',').collect();
            // The trial itself is whole: the other report has its value, and only this one is missing.
            assert!(cells[3].starts_with("0.0") && cells[4].is_empty(), "{report}: {row}");
            assert!(row.contains("report `x`: a.rhai:9:") && row.contains(told), "{report}: {row}");
            assert!(row.contains("repeat it: impulse run a.rhai --set sink=0.0"), "{report}: {row}");
        }
    }
}
