//! `impulse run --acts`: a recording is replayed to its hash, and one that comes out otherwise is an error.

use crate::support::{folder, impulse};
use std::fs;

/// A recording of a push, with the hash that a run of the library gives.
fn recording(hash: &str) -> String {
    format!(
        r#"{{"impulse_recording":1,"version":"0.1.0","scene":"bounce","params":{{"height":"0.5"}},"seed":0,"until":1.5,
        "acts":[{{"t":0.25,"act":"push","body":"ball","at":[0,0,0.2],"impulse":[0.1,0,0]}}],"hash":"{hash}"}}"#
    )
}

#[test]
fn a_recording_is_replayed_to_its_hash() {
    let file = folder("run_acts").join("push.json");
    fs::write(&file, recording("0")).unwrap();
    let path = file.to_str().unwrap();
    let refused = impulse(&["run", "--acts", path]);
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains("the recording with 0: the scene, its files or the acts were changed since"));
    let hash = refused.stderr.split("with the hash ").nth(1).unwrap()[..16].to_owned();
    fs::write(&file, recording(&hash)).unwrap();
    let done = impulse(&["run", "--acts", path]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(done.stdout.contains("the hash is that of the recording"), "{}", done.stdout);
    fs::write(&file, recording(&hash).replace("0.1.0", "9.9.9").replace(&hash, "ff")).unwrap();
    assert!(impulse(&["run", "--acts", path]).stderr.contains("made by version 9.9.9"));
    let part = impulse(&["run", "--acts", path, "--until", "0.5"]);
    assert!(part.stdout.contains("up to 0.5 s of 1.5 s"), "{}", part.stdout);
}

#[test]
fn what_is_no_recording_is_said() {
    let file = folder("run_no_acts").join("none.json");
    fs::write(&file, "{}").unwrap();
    let path = file.to_str().unwrap();
    let refused = impulse(&["run", "--acts", path]);
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains("this is no recording"), "{}", refused.stderr);
    assert_eq!(impulse(&["run", "bounce", "--acts", path]).status, 2);
    assert_eq!(impulse(&["run"]).status, 2);
}

#[test]
fn parameters_are_listed_with_their_range_unit_and_meaning() {
    let listed = impulse(&["list", "--json"]).stdout;
    let scenes: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let bounce = scenes.as_array().unwrap().iter().find(|scene| scene["name"] == "bounce").unwrap();
    let wanted = serde_json::json!([
        { "name": "height", "default": "1.0", "unit": "m", "about": "of the ball's lowest point" },
        { "name": "restitution", "default": "0.8", "min": 0.0, "max": 1.0 },
    ]);
    assert_eq!(bounce["params"], wanted);
}
