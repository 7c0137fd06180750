//! `impulse impact`: the reference vectors through the command, the plot, and lines that cannot be answered.

use crate::support::{folder, impulse, repository};
use serde_json::{Value, json};

fn vectors() -> Vec<Value> {
    let text = std::fs::read_to_string(repository().join("tests/data/impact_vectors.jsonl")).unwrap();
    text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

fn numbers(v: &Value) -> Vec<f64> {
    v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt()
}

fn length(a: &[f64]) -> f64 {
    distance(a, &[0.0; 3])
}

#[test]
fn vectors_through_the_command() {
    let run = impulse(&["impact", "tests/data/impact_vectors.jsonl"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let answers: Vec<Value> = run.stdout.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let vectors = vectors();
    assert_eq!(answers.len(), vectors.len());
    for (vector, answer) in vectors.iter().zip(&answers) {
        let (id, expected) = (&vector["id"], &vector["expected"]);
        assert_eq!(&answer["id"], id);
        let tolerance = |cond: &str| f64::max(1e-9, 1e-13 * vector[cond].as_f64().unwrap());
        let (p, u, u0) = (numbers(&answer["p"]), numbers(&answer["u"]), numbers(&vector["u0"]));
        let wanted = numbers(&expected["p"]);
        assert!(distance(&p, &wanted) <= tolerance("cond_p") * length(&wanted), "{id}: p {p:?} {wanted:?}");
        let wanted = numbers(&expected["u"]);
        assert!(
            distance(&u, &wanted) <= tolerance("cond_u") * length(&wanted).max(length(&u0)),
            "{id}: u {u:?} {wanted:?}"
        );
        assert_eq!(answer["stick_stable"], expected["stick_stable"], "{id}");
        if vector["modes_robust"] == json!(true) {
            let names =
                |v: &Value| v["modes"].as_array().unwrap().iter().map(|m| m["mode"].clone()).collect::<Vec<_>>();
            assert_eq!(names(answer), names(expected), "{id}");
        }
        for key in ["W", "Wz_mc", "Wz_end", "pz_mc"] {
            assert!(answer[key].is_f64(), "{id}: {key}");
        }
        assert_rays(id, &answer["rays"], &expected["rays"]);
    }
}

fn assert_rays(id: &Value, got: &Value, wanted: &Value) {
    assert_eq!(got.is_null(), wanted.is_null(), "{id}: {got} {wanted}");
    let (Some(got), Some(wanted)) = (got.as_array(), wanted.as_array()) else { return };
    assert_eq!(got.len(), wanted.len(), "{id}");
    for (g, w) in got.iter().zip(wanted) {
        assert!((g["theta"].as_f64().unwrap() - w["theta"].as_f64().unwrap()).abs() < 1e-6, "{id}: {g} {w}");
        assert_eq!((&g["kind"], &g["attracting"]), (&w["kind"], &w["attracting"]), "{id}");
    }
}

/// K follows from the two bodies where it is not given.
#[test]
fn bodies_instead_of_a_matrix() {
    let mut with_bodies: Vec<Value> = vectors().into_iter().filter(|v| v["bodies"].is_array()).collect();
    with_bodies.iter_mut().for_each(|v| drop(v.as_object_mut().unwrap().remove("K")));
    assert!(with_bodies.len() > 20);
    let text: String = with_bodies.iter().map(|v| format!("{v}\n")).collect();
    let file = folder("impact_bodies").join("bodies.jsonl");
    std::fs::write(&file, text).unwrap();
    let run = impulse(&["impact", file.to_str().unwrap()]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    for (line, vector) in run.stdout.lines().zip(&with_bodies) {
        let answer: Value = serde_json::from_str(line).unwrap();
        let wanted = numbers(&vector["expected"]["u"]);
        let limit = f64::max(1e-9, 1e-12 * vector["cond_u"].as_f64().unwrap());
        let scale = length(&wanted).max(length(&numbers(&vector["u0"])));
        assert!(distance(&numbers(&answer["u"]), &wanted) <= limit * scale, "{}", vector["id"]);
    }
}

#[test]
fn bad_lines_are_named_and_the_rest_answered() {
    let good = r#"{"id": "good", "K": [[3,0,1],[0,3,0],[1,0,1]], "mu": 0.3, "e": 0.5, "u0": [1,0,-1]}"#;
    let bad = [
        ("K", "[[1,0,2],[0,1,0],[2,0,1]]", "indefinite"),
        ("K", "[[1,0,0],[0,1,0],[0,0,0]]", "range"),
        ("K", "[[1,0,null],[0,1,0],[0,0,1]]", "column"),
        ("u0", "[1,0,0.5]", "approaching"),
        ("e", "1.5", "[0, 1]"),
        ("mu", "-0.1", "negative"),
        ("law", "\"hooke\"", "hooke"),
    ];
    let mut text = String::new();
    for (key, value, _) in bad {
        let mut record: Value = serde_json::from_str(good).unwrap();
        record[key] = serde_json::from_str(value).unwrap();
        text += &format!("{record}\n{good}\n");
    }
    text += "{\"mu\": 1}\nnot json\n";
    let file = folder("impact_errors").join("impacts.jsonl");
    std::fs::write(&file, text).unwrap();
    let run = impulse(&["impact", file.to_str().unwrap()]);
    assert_eq!(run.status, 1);
    assert_eq!(run.stdout.lines().count(), bad.len());
    let errors: Vec<&str> = run.stderr.lines().collect();
    for (i, (key, _, word)) in bad.iter().enumerate() {
        let wanted = format!("line {}:", 2 * i + 1);
        assert!(errors[i].contains(&wanted) && errors[i].contains(word), "{key}: {}", errors[i]);
    }
    assert!(run.stderr.contains("line 15:") && run.stderr.contains("line 16:"), "{}", run.stderr);
}

const SEVERAL: &str = r#"{"bodies": [{"m": 2, "I": [[1,0,0],[0,1,0],[0,0,1]], "v": [0.25,0,-1], "w": [0,0,0]}],
    "points": [{"a": 0, "b": null, "ra": [1,0,-1], "n": [0,0,1], "mu": 0, "e": 0.5},
               {"a": 0, "b": null, "ra": [-1,0,-1], "n": [0,0,1], "mu": 0, "e": 0.5}]}"#;

#[test]
fn several_points_at_once() {
    let run = impulse(&["impact", "tests/data/multi_vectors.jsonl"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let text = std::fs::read_to_string(repository().join("tests/data/multi_vectors.jsonl")).unwrap();
    assert_eq!(run.stdout.lines().count(), text.lines().count());
    for (line, answer) in text.lines().zip(run.stdout.lines()) {
        let (vector, answer): (Value, Value) =
            (serde_json::from_str(line).unwrap(), serde_json::from_str(answer).unwrap());
        assert_eq!(answer["id"], vector["id"]);
        assert!(answer["incomplete"].is_null(), "{answer}");
        let bodies = |v: &Value| v["bodies"].as_array().unwrap().clone();
        let fastest = bodies(&vector).iter().map(|body| length(&numbers(&body["v"]))).fold(0.0, f64::max);
        for (body, wanted) in bodies(&answer).iter().zip(&bodies(&vector["expected"])) {
            let error = |key: &str| distance(&numbers(&body[key]), &numbers(&wanted[key])) / fastest;
            let error = error("v").max(0.1 * error("w"));
            assert!(error <= vector["tolerance"].as_f64().unwrap(), "{}: {error:e}", vector["id"]);
        }
    }
}

#[test]
fn bad_lines_of_several_points_are_named() {
    let good: Value = serde_json::from_str(SEVERAL).unwrap();
    let bad: [(&str, Value, &str); 9] = [
        ("/bodies/0/m", json!(0), "mass"),
        ("/bodies/0/I/0/0", json!(-1), "inertia"),
        ("/bodies/0/v/2", json!(1), "approaching"),
        ("/points/1/a", json!(1), "body 1"),
        ("/points/1/n", json!([0, 0, 2]), "unit"),
        ("/points/0/mu", json!(-1), "negative"),
        ("/points/0/e", json!(2), "[0, 1]"),
        ("/points/0/ra", json!([1, 0, null]), "column"),
        ("/points/0/b", json!(0), "normal"),
    ];
    let mut text = String::new();
    for (path, value, _) in &bad {
        let mut record = good.clone();
        *record.pointer_mut(path).unwrap() = value.clone();
        text += &format!("{record}\n{good}\n");
    }
    let file = folder("impact_several_errors").join("impacts.jsonl");
    std::fs::write(&file, text).unwrap();
    let run = impulse(&["impact", file.to_str().unwrap()]);
    assert_eq!((run.status, run.stdout.lines().count()), (1, bad.len()), "{}", run.stderr);
    for ((i, error), (path, _, word)) in run.stderr.lines().enumerate().zip(&bad) {
        assert!(error.contains(&format!("line {}:", 2 * i + 1)) && error.contains(word), "{path}: {error}");
    }
    let answer: Value = serde_json::from_str(run.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(answer, json!({"id": "2", "bodies": [{"v": [0.25, 0.0, 0.5], "w": [0.0, 0.0, 0.0]}]}));
}

/// A misspelt member used to be ignored, and its default was taken.
#[test]
fn misspelt_members_are_refused() {
    let one = r#"{"K": [[3,0,1],[0,3,0],[1,0,1]], "mu": 0.3, "e": 0.5, "u0": [1,0,-1]}"#;
    let (one, several): (Value, Value) = (serde_json::from_str(one).unwrap(), serde_json::from_str(SEVERAL).unwrap());
    let cases = [
        (&one, "", "lwa"),
        (&several, "", "tolerence"),
        (&several, "/bodies/0", "vel"),
        (&several, "/points/1", "mue"),
    ];
    let mut text = String::new();
    for (good, path, field) in cases {
        let mut record = good.clone();
        record.pointer_mut(path).unwrap()[field] = json!(1);
        text += &format!("{record}\n");
    }
    let file = folder("impact_misspelt").join("impacts.jsonl");
    std::fs::write(&file, text).unwrap();
    let run = impulse(&["impact", file.to_str().unwrap()]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    for ((i, error), (_, _, field)) in run.stderr.lines().enumerate().zip(cases) {
        assert!(error.contains(&format!("line {}:", i + 1)) && error.contains(&format!("`{field}`")), "{error}");
    }
}

#[test]
fn plot_shows_flow_rays_and_paths() {
    let file = folder("impact_plot").join("flow.svg");
    let input = folder("impact_plot_input").join("thesis.jsonl");
    // Figure 3.3: the thesis' matrix has one diverging and one converging ray.
    let thesis: String = vectors().iter().filter(|v| v["cls"] == "thesis_K").map(|v| format!("{v}\n")).collect();
    std::fs::write(&input, thesis).unwrap();
    let run = impulse(&["impact", input.to_str().unwrap(), "--plot", file.to_str().unwrap()]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let svg = std::fs::read_to_string(&file).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "coordinates must be numbers");
    for text in ["u_x", "u_y", "diverging ray", "Tangential flow"] {
        assert!(svg.contains(text), "{text}");
    }
    assert!(svg.matches("<path").count() > 60, "stream lines");
}

#[test]
fn a_missing_file_is_an_error() {
    let run = impulse(&["impact", "no_such_file.jsonl"]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("no_such_file.jsonl"), "{}", run.stderr);
}
