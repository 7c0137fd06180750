//! `impulse mass`: the reference vectors through files, the table, and every way to fail.

use crate::support::{Outcome, folder, impulse, repository};
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;

fn number(v: &Value) -> f64 {
    v.as_f64().unwrap_or_else(|| panic!("{v} is not a number"))
}

fn numbers(v: &Value) -> Vec<f64> {
    match v {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        other => vec![number(other)],
    }
}

fn obj(part: &Value) -> String {
    let mut text = String::from("# written by a test\n");
    for v in part["vertices"].as_array().unwrap() {
        let v = numbers(v);
        writeln!(text, "v {:e} {:e} {:e}", v[0], v[1], v[2]).unwrap();
    }
    for f in part["faces"].as_array().unwrap() {
        let corners: Vec<String> =
            f.as_array().unwrap().iter().map(|i| (i.as_u64().unwrap() + 1).to_string()).collect();
        writeln!(text, "f {}", corners.join(" ")).unwrap();
    }
    text
}

fn weigh(file: &Path, more: &[&str]) -> Outcome {
    let mut arguments = vec!["mass", file.to_str().unwrap()];
    arguments.extend(more);
    impulse(&arguments)
}

fn assert_close(name: &str, got: &[f64], wanted: &[f64], relative_to: f64) {
    assert_eq!(got.len(), wanted.len(), "{name}");
    for (g, w) in got.iter().zip(wanted) {
        assert!((g - w).abs() <= 1e-12 * relative_to, "{name}: {g:e} instead of {w:e}");
    }
}

/// Every part of the vectors, written as OBJ, gives the same numbers through the command.
#[test]
fn vectors_through_obj_files() {
    let vectors = std::fs::read_to_string(repository().join("tests/data/mass_vectors.jsonl")).unwrap();
    let folder = folder("mass_vectors");
    for line in vectors.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        for (i, part) in case["parts"].as_array().unwrap().iter().enumerate() {
            let file = folder.join(format!("{}-{i}.obj", case["id"].as_str().unwrap()));
            std::fs::write(&file, obj(part)).unwrap();
            let density = part["density"].to_string();
            let run = weigh(&file, &["--json", "--density", &density]);
            assert_eq!(run.status, 0, "{}", run.stderr);
            let answer: Value = serde_json::from_str(&run.stdout).unwrap();
            let volume = number(&part["integrals"]["T1"]);
            assert_close("volume", &[number(&answer["volume"])], &[volume], volume);
            let alone =
                case["parts"].as_array().unwrap().len() == 1 && case["point_masses"].as_array().unwrap().is_empty();
            if alone {
                check_body(&answer, &case["expected"]);
            }
            assert_eq!(answer["closed"], true);
        }
    }
}

fn check_body(answer: &Value, expected: &Value) {
    let mass = number(&expected["mass"]);
    let moments = numbers(&expected["principal_moments"]);
    assert_close("mass", &[number(&answer["mass"])], &[mass], mass);
    let size = (moments[2] / mass).sqrt();
    let com = numbers(&expected["com"]);
    assert_close("com", &numbers(&answer["com"]), &com, size + com.iter().fold(0.0, |a, x| x.abs().max(a)));
    assert_close("inertia", &numbers(&answer["inertia"]), &numbers(&expected["inertia_com"]), moments[2]);
    assert_close("moments", &numbers(&answer["principal_moments"]), &moments, moments[2]);
    // I a = lambda a for every principal axis.
    let inertia = numbers(&answer["inertia"]);
    for (axis, moment) in answer["principal_axes"].as_array().unwrap().iter().zip(&moments) {
        let a = numbers(axis);
        let product: Vec<f64> = (0..3).map(|r| (0..3).map(|c| inertia[3 * r + c] * a[c]).sum()).collect();
        let scaled: Vec<f64> = a.iter().map(|x| x * moment).collect();
        assert_close("axis", &product, &scaled, moments[2]);
    }
}

#[test]
fn table_of_the_part_that_ships() {
    let run = impulse(&["mass", "parts/bracket.obj", "--density", "7850"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    // 60 x 40 mm outside, 5 mm sheet, 30 mm wide: (60 * 5 + 35 * 5) * 30 mm^3.
    for text in ["bracket.obj", "1.425000e-5 m^3", "0.1118625 kg", "not convex", "12 vertices, 8 faces"] {
        assert!(run.stdout.contains(text), "{text} is missing in\n{}", run.stdout);
    }
    assert!(run.stderr.is_empty(), "{}", run.stderr);
}

#[test]
fn scale_and_several_files() {
    let run = impulse(&["mass", "parts/bracket.obj", "parts/bracket.obj", "--json", "--scale", "10", "--density", "1"]);
    let answers: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(answers.as_array().unwrap().len(), 2);
    assert!((number(&answers[1]["volume"]) - 1.425e-2).abs() < 1e-15);
    assert_eq!(answers[0]["convex"], false);
}

#[test]
fn what_fails_says_where() {
    let folder = folder("mass_errors");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";
    for (path, wanted) in [
        (file("hole.obj", tetrahedron), "one side only: 3"),
        (file("nan.obj", "v 0 0 nan\n"), "line 1"),
        (file("prose.stl", "this is no part\n"), "prose.stl"),
        (file("empty.stl", ""), "empty.stl"),
        (file("part.step", "ISO-10303-21;"), ".stl"),
        (folder.join("missing.stl"), "missing.stl"),
    ] {
        let run = weigh(&path, &[]);
        assert_eq!(run.status, 1, "{}: {}", path.display(), run.stdout);
        assert!(run.stderr.contains(wanted), "{}: {}", path.display(), run.stderr);
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    }
}

#[test]
fn repairs_are_said() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 4 3 2\n";
    let path = folder("mass_repairs").join("flipped.obj");
    std::fs::write(&path, text).unwrap();
    let run = weigh(&path, &["--json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!((number(&answer["volume"]) - 1.0 / 6.0).abs() < 1e-15);
    assert!(answer["notes"][0].as_str().unwrap().contains("reversed 1 facet"), "{}", run.stdout);
}

#[test]
fn one_bad_file_does_not_spoil_the_others() {
    let run = impulse(&["mass", "parts/bracket.obj", "no_such_part.stl", "--json"]);
    assert_eq!(run.status, 1);
    let answers: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(answers.as_array().unwrap().len(), 1);
    assert!(run.stderr.contains("no_such_part.stl") && run.stderr.contains("1 of 2"), "{}", run.stderr);
}

#[test]
fn wrong_usage_is_status_2() {
    for arguments in
        [&["mass"][..], &["mass", "x.stl", "--density", "-1"], &["mass", "x.stl", "--scale", "nan"], &["weigh"]]
    {
        assert_eq!(impulse(arguments).status, 2, "{arguments:?}");
    }
    let help = impulse(&["mass", "--help"]);
    assert_eq!(help.status, 0);
    assert!(help.stdout.contains("Examples"), "{}", help.stdout);
}
