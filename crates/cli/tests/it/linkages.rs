//! Linkages through the command: impulses on them, joints and stops as tables.

use crate::support::{folder, impulse, repository};
use serde_json::Value;

/// All numbers of a value, in the order of names.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        Value::Object(fields) => fields.values().flat_map(numbers).collect(),
        other => other.as_f64().into_iter().collect(),
    }
}

/// The reference vectors of linkages (section 5.3): K, its rank, and what the impulse does.
#[test]
fn impulses_on_linkages_are_answered() {
    let file = repository().join("tests/data/multibody_vectors.jsonl");
    let run = impulse(&["impact", file.to_str().unwrap()]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let lines = std::fs::read_to_string(&file).unwrap();
    let mut compared = 0;
    for (given, answer) in lines.lines().zip(run.stdout.lines()) {
        let [given, answer]: [Value; 2] = [given, answer].map(|line| serde_json::from_str(line).unwrap());
        assert_eq!(given["id"], answer["id"]);
        assert_eq!(given["expected"]["K_rank"], answer["K_rank"], "{}", given["id"]);
        for field in ["K", "dqdot", "dv"] {
            let [wanted, found] = [&given["expected"][field], &answer[field]].map(numbers);
            let size = wanted.iter().fold(0.0f64, |size, x| size.max(x.abs()));
            assert_eq!(wanted.len(), found.len());
            for (a, b) in wanted.iter().zip(&found) {
                assert!((a - b).abs() <= 1e-10 * size, "{} {field}: {a} {b}", given["id"]);
            }
            compared += wanted.len();
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn a_linkage_that_is_none_is_refused() {
    let link = r#"{"parent": 3, "mass": 1, "com": [0,0,0], "inertia": [[1,0,0],[0,1,0],[0,0,1]], "joint": null}"#;
    let contact = r#"{"link": 1, "point": [0,0,0], "frame": [[1,0,0],[0,1,0],[0,0,1]]}"#;
    let file = folder("linkage_that_is_none").join("line.jsonl");
    std::fs::write(&file, format!(r#"{{"links": [{link}], "contact": {contact}, "test_impulse": [0,0,1]}}"#)).unwrap();
    let run = impulse(&["impact", file.to_str().unwrap()]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("link 1") && run.stderr.contains("parent is 3"), "{}", run.stderr);
}

#[test]
fn joints_and_stops_are_written() {
    let folder = folder("joints_and_stops");
    let scene = folder.join("rail.rhai");
    std::fs::write(
        &scene,
        r#"duration(1);
        body("block", cuboid(0.1, 0.1, 0.1), #{ at: [0, 0, 1], mass: 2 });
        joint("rail", "ground", "block", slider([0, 0, 1]), #{ limits: [-0.5, 0.5], restitution: 0.5 });"#,
    )
    .unwrap();
    let paths = ["joints.csv", "impacts.csv"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let [joints, impacts] = &paths;
    let run =
        impulse(&["run", scene.to_str().unwrap(), "--every", "0.1", "--joints", joints, "--impacts", impacts, "-q"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let [joints, impacts] = paths.map(|path| std::fs::read_to_string(path).unwrap());
    let rows: Vec<&str> = joints.lines().collect();
    assert_eq!((rows[0], rows.len()), ("t,joint,i,q,rate,force", 12));
    let fields: Vec<&str> = rows[3].split(',').collect();
    assert_eq!(fields[1..3], ["rail", "0"]);
    let [t, q, rate] = [0, 3, 4].map(|k| fields[k].parse::<f64>().unwrap());
    assert!((q + 0.5 * 9.81 * t * t).abs() < 1e-12 && (rate + 9.81 * t).abs() < 1e-12, "{}", rows[3]);
    let stop: Vec<&str> = impacts.lines().nth(1).unwrap().split(',').collect();
    assert_eq!((stop[1], stop[2], stop[19], stop[20]), ("block", "", "stop", "false"));
    let [t, before, after] = [0, 14, 17].map(|k| stop[k].parse::<f64>().unwrap());
    let speed = (2.0 * 9.81 * 0.5f64).sqrt();
    assert!((t - speed / 9.81).abs() < 1e-12 && (before + speed).abs() < 1e-11 && (after - 0.5 * speed).abs() < 1e-11);
}

/// A rod that falls on the cone of its socket, without a bounce, stays there by small hops; time gets ahead.
#[test]
fn a_socket_rests_on_its_cone() {
    let folder = folder("socket_on_cone");
    let script = "duration(2); body(\"rod\", cuboid(0.5, 0.03, 0.03), #{ at: [0.25, 0, 1], mass: 1 });
        joint(\"s\", \"ground\", \"rod\", socket([0, 0, 1]), #{ limits: 0.5 });";
    let [scene, joints, summary] = ["rod.rhai", "joints.csv", "summary.json"].map(|name| folder.join(name));
    std::fs::write(&scene, script).unwrap();
    let [scene, table, file] = [&scene, &joints, &summary].map(|path| path.to_str().unwrap());
    let run = impulse(&["run", scene, "--joints", table, "--summary", file]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let rows = std::fs::read_to_string(&joints).unwrap();
    let last = rows.lines().rfind(|row| row.starts_with("2.0,s,1,")).unwrap();
    let angle: f64 = last.split(',').nth(3).unwrap().parse().unwrap();
    assert!((0.4995..=0.5).contains(&angle), "{last}");
    let summary: Value = serde_json::from_slice(&std::fs::read(&summary).unwrap()).unwrap();
    let number = |name: &str| summary[name].as_f64().unwrap();
    assert!(number("events") < 4000.0 && number("energy_rise") <= number("energy_allowance"), "{summary}");
}
