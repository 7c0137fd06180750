//! `impulse bench`: the same work as `impulse run` counts, beside the thesis' times.

use crate::run::run;
use crate::support::{folder, impulse};
use serde_json::Value;

#[test]
fn counted_work_is_that_of_a_run() {
    let bench = impulse(&["bench", "--json", "--runs", "2", "bounce", "block_drop"]);
    assert_eq!((bench.status, bench.stderr.as_str()), (0, ""));
    let document: Value = serde_json::from_str(&bench.stdout).unwrap();
    let scenes = document["scenes"].as_array().unwrap();
    assert_eq!((scenes.len(), &document["runs"]), (2, &Value::from(2)));
    for scene in scenes {
        let summary = folder("bench").join("summary.json");
        run(&[scene["name"].as_str().unwrap(), "--quiet", "--summary", summary.to_str().unwrap()]);
        let summary: Value = serde_json::from_str(&std::fs::read_to_string(summary).unwrap()).unwrap();
        for key in [
            "simulated_s",
            "bodies",
            "events",
            "checks",
            "collisions",
            "microcollisions",
            "hops",
            "lasting_contact_s",
            "trace_hash",
        ] {
            assert_eq!(scene[key], summary[key], "{key} of {}", scene["name"]);
        }
        let number = |key: &str| scene[key].as_f64().unwrap();
        assert!(number("cpu_s") > 0.0);
        let shares = ["detection", "response", "motion", "control"].map(|part| scene["shares"][part].as_f64().unwrap());
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{shares:?}");
        assert!(shares[..3].iter().all(|&share| share > 0.001) && shares[3] == 0.0, "{shares:?}");
        assert!((number("slowdown") * number("simulated_s") / number("cpu_s") - 1.0).abs() < 1e-12);
        assert!((number("events_per_cpu_s") * number("cpu_s") / number("events") - 1.0).abs() < 1e-12);
    }
    // Table 7.2.
    let dynamics = document["thesis_table_7_2"]["bicycle"]["motion"].as_f64().unwrap();
    assert!((dynamics - 0.806).abs() < 1e-12, "{dynamics}");
    // Table 7.1: 0.8 s in 0.4 s; the bouncing ball is not in it.
    assert_eq!((&scenes[0]["name"], &scenes[0]["thesis_slowdown"]), (&Value::from("block_drop"), &Value::from(0.5)));
    assert!(scenes[1]["thesis_slowdown"].is_null() && scenes[1]["times_1996"].is_null());
    let [ours, times] = ["slowdown", "times_1996"].map(|key| scenes[0][key].as_f64().unwrap());
    assert!((ours * times / 0.5 - 1.0).abs() < 1e-12, "{ours} {times}");
    assert_eq!(scenes[0]["unsolved_hops"], Value::from(0));
}

#[test]
fn tables_have_a_row_for_each_scene() {
    for (form, header, row) in [(None, "scene ", "bounce "), (Some("--markdown"), "| scene |", "| bounce |")] {
        let arguments: Vec<&str> = ["bench", "--runs", "1", "bounce"].into_iter().chain(form).collect();
        let bench = impulse(&arguments);
        assert_eq!((bench.status, bench.stderr.as_str()), (0, ""));
        let starts = |start| bench.stdout.lines().filter(|line| line.starts_with(start)).count();
        // One row of times, one of shares.
        assert_eq!((starts(header), starts(row)), (2, 2), "{}", bench.stdout);
        assert!(bench.stdout.contains("thesis: creature war"), "{}", bench.stdout);
    }
    let wrong = impulse(&["bench", "bonce"]);
    assert!(wrong.status == 2 && wrong.stderr.contains("'bounce'"), "{}", wrong.stderr);
}
