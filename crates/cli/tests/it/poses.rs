//! `impulse poses`.

use crate::support::{Outcome, folder, impulse, repository};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A folder with files in it.
fn with_files(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = folder(name);
    files.iter().for_each(|(name, text)| std::fs::write(folder.join(name), text).unwrap());
    folder
}

const BOX: &str = "let m = material(#{ friction: 0.3, restitution: 0.3 });
body(\"box\", cuboid(0.1, 0.08, 0.06), #{ at: [0, 0, 1], density: 1000, material: m });";

/// Runs the command with a part and more arguments, and reads the JSON that it writes.
fn answer(folder: &Path, part: &Path, more: &[&str]) -> (String, Value) {
    let json = folder.join("answer.json");
    let mut arguments = vec!["poses", part.to_str().unwrap(), "--json", json.to_str().unwrap()];
    arguments.extend(more);
    let Outcome { status, stderr, .. } = impulse(&arguments);
    assert_eq!((status, stderr.as_str()), (0, ""), "{more:?}");
    let text = std::fs::read_to_string(&json).unwrap();
    let value = serde_json::from_str(&text).unwrap();
    (text, value)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn json_has_the_members_of_the_contract() {
    let folder = with_files("poses_contract", &[("box.rhai", BOX)]);
    let (_, value) = answer(&folder, &folder.join("box.rhai"), &["--drops", "200", "--seed", "5"]);
    assert_eq!((&value["method"], &value["drops"], &value["seed"]), (&"dynamic".into(), &200.into(), &5.into()));
    let poses = value["poses"].as_array().unwrap();
    assert_eq!(poses.len(), 6);
    let mut count = 0;
    for pose in poses {
        let down: Vec<f64> = pose["down"].as_array().unwrap().iter().map(number).collect();
        assert!((down.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-12);
        let (p, low, high) = (number(&pose["probability"]), number(&pose["interval"][0]), number(&pose["interval"][1]));
        assert!(low <= p && p <= high && high <= 1.0 && pose["stable"] == true);
        assert_eq!(p, number(&pose["count"]) / 200.0);
        count += pose["count"].as_u64().unwrap();
    }
    assert_eq!(count, 200);
}

#[test]
fn the_same_bytes_at_any_number_of_threads() {
    let folder = with_files("poses_threads", &[("box.rhai", BOX)]);
    for more in [&["--sensitivity"][..], &["--start", "belt"], &["--precision", "0.08"]] {
        let text = |threads: &str| {
            let all = [&["--drops", "600", "--threads", threads], more].concat();
            answer(&folder, &folder.join("box.rhai"), &all).0
        };
        let one = text("1");
        assert!(one == text("2") && one == text("7"), "{more:?}");
    }
}

#[test]
fn by_shape_alone_a_bracket_has_five_poses() {
    let folder = folder("poses_quasi_static");
    let part = Path::new("parts/bracket.obj");
    for method in ["quasi-static", "perturbed"] {
        let (_, value) = answer(&folder, part, &["--method", method]);
        let poses = value["poses"].as_array().unwrap();
        let sum: f64 = poses.iter().map(|pose| number(&pose["probability"])).sum();
        assert!(poses.len() == 5 && (sum - 1.0).abs() < 1e-9, "{sum}");
        assert_eq!((&value["method"], &value["drops"]), (&method.into(), &0.into()));
    }
}

#[test]
fn a_belt_has_a_matrix_whose_rows_sum_to_one() {
    let folder = with_files("poses_belt", &[("box.rhai", BOX)]);
    let (_, value) = answer(&folder, &folder.join("box.rhai"), &["--start", "belt", "--drops", "600"]);
    for row in value["matrix"]["probabilities"].as_array().unwrap() {
        let sum: f64 = row.as_array().unwrap().iter().map(number).sum();
        assert!((sum - 1.0).abs() < 1e-12);
    }
    let sum: f64 = value["poses"].as_array().unwrap().iter().map(|pose| number(&pose["probability"])).sum();
    assert!((sum - 1.0).abs() < 1e-9);
}

#[test]
fn the_page_stands_alone_and_draws_every_pose() {
    let folder = with_files("poses_page", &[("box.rhai", BOX)]);
    let page = folder.join("poses.html");
    let part = folder.join("box.rhai");
    let arguments = ["poses", part.to_str().unwrap(), "parts/bracket.obj", "--drops", "60", "--start", "belt"];
    let more = ["--sensitivity", "--quiet", "--report", page.to_str().unwrap()];
    let Outcome { status, stdout, stderr } = impulse(&[&arguments[..], &more[..]].concat());
    assert_eq!((status, stdout.as_str(), stderr.as_str()), (0, "", ""));
    let text = std::fs::read_to_string(page).unwrap();
    assert_eq!(text.matches("role=\"img\"").count(), 6 + 5);
    for wanted in ["From pose to pose", "What it depends on", "Convergence", "barrier", "seed", "Parameters"] {
        assert!(text.contains(wanted), "{wanted}");
    }
    // Nothing is fetched from elsewhere: the only addresses name the language of drawings.
    let addresses = text.matches("http").count();
    assert_eq!(addresses, text.matches("xmlns=\"http://www.w3.org/2000/svg\"").count());
}

#[test]
fn what_cannot_be_dropped_is_refused_with_a_remedy() {
    let files = [
        ("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n"),
        ("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n"),
        ("none.rhai", "duration(1.0);"),
        ("box.rhai", BOX),
    ];
    let outside = BOX.replace("density: 1000", "density: 1000, com: [0.2, 0, 0]");
    let folder = with_files("poses_refused", &files);
    std::fs::write(folder.join("outside.rhai"), outside).unwrap();
    for (file, more, status, told) in [
        ("flat.obj", "", 1, "give it thickness"),
        ("open.obj", "", 1, "close it in your CAD program"),
        ("none.rhai", "", 1, "exactly one"),
        ("outside.rhai", "", 1, "outside the part's convex hull"),
        ("box.rhai", "--restitution=1.5", 1, "within 0 and 1"),
        ("box.rhai", "--friction=-1", 1, "not negative"),
        ("box.rhai", "--envelope=0.5", 1, "1e-9 and 0.01"),
        ("box.rhai", "--height=2..1", 2, "lower end of the range first"),
        ("box.rhai", "--drops=0", 2, "--drops"),
    ] {
        let path = folder.join(file);
        let arguments: Vec<&str> =
            ["poses", path.to_str().unwrap(), more].into_iter().filter(|a| !a.is_empty()).collect();
        let refused = impulse(&arguments);
        assert_eq!(refused.status, status, "{file} {more}: {}", refused.stderr);
        assert!(refused.stderr.contains(told), "{file} {more}: {}", refused.stderr);
    }
}

#[test]
fn round_parts_are_told_apart_from_others() {
    let ball = BOX.replace("cuboid(0.1, 0.08, 0.06)", "sphere(0.02)");
    let coin = BOX.replace("cuboid(0.1, 0.08, 0.06)", "cylinder(0.01, 0.01)");
    let folder = with_files("poses_round", &[("ball.rhai", &ball), ("coin.rhai", &coin)]);
    let told = |file: &str| impulse(&["poses", folder.join(file).to_str().unwrap(), "--drops", "50"]).stdout;
    assert!(told("ball.rhai").contains("rolls like a ball"));
    let coin = told("coin.rhai");
    assert!(coin.contains("3 poses in 2 groups") && coin.contains("on which the part rolls"), "{coin}");
}

#[test]
fn drops_that_never_end_are_said_to_be_undecided_with_the_reason() {
    let folder = with_files("poses_elastic", &[("box.rhai", BOX)]);
    let part = folder.join("box.rhai");
    let elastic = ["poses", part.to_str().unwrap(), "--drops", "20", "--restitution", "1", "--friction", "0"];
    let Outcome { status, stdout, .. } = impulse(&[&elastic[..], &["--time-limit", "2"]].concat());
    assert_eq!(status, 0);
    assert!(stdout.contains("20 of 20 drops (100.00 %) were undecided"), "{stdout}");
    assert!(stdout.contains("lower --restitution") && !stdout.contains("error (7.2)"), "{stdout}");
}

const PIT: &str = "duration(3);
let wood = material(#{ friction: 0.3, restitution: 0.2 });
body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true, material: wood });
include(\"walls.rhai\");
for i in 0..2 {
    let at = [0.3 * i + rand(-0.01, 0.01), 0, 0.15];
    body(\"part \" + (i + 1), mesh(\"part\"), #{ at: at, rotation: rand_rotation(), density: 1000, material: wood });
}
body(\"ball\", sphere(0.02), #{ at: [0, 0.3, 0.02], density: 1000, material: wood });
finish(|w| w.at_rest);
";

/// Boxes dropped into a scene far from its walls land as on a flat floor; what is not a part is not told of.
#[test]
fn parts_are_dropped_into_scenes() {
    let walls = "let stone = material(#{ friction: 0.5, restitution: 0 });
body(\"wall\", cuboid(2, 0.1, 0.2), #{ at: [0, 1, 0.1], fixed: true, material: stone });";
    let corners: String = (0..8)
        .map(|i| [0, 1, 2].map(|axis| [50.0, 40.0, 30.0][axis] * if i >> axis & 1 == 0 { -1.0 } else { 1.0 }))
        .map(|[x, y, z]| format!("v {x} {y} {z}\n"))
        .collect();
    let faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    let files = [("pit.rhai", PIT), ("walls.rhai", walls), ("box.obj", &(corners + faces))];
    let folder = with_files("poses_scene", &files);
    let scene = folder.join("pit.rhai");
    let more = ["--scene", scene.to_str().unwrap(), "--scale", "0.001", "--drops", "60", "--seed", "4"];
    let (text, value) = answer(&folder, &folder.join("box.obj"), &[&more[..], &["--threads", "1"]].concat());
    assert_eq!((&value["runs"], &value["failed"], &value["leaning"]), (&60.into(), &0.into(), &0.into()));
    let parts = value["parts"].as_array().unwrap();
    assert_eq!((parts.len(), &parts[0]["body"], &parts[1]["body"]), (120, &"part 1".into(), &"part 2".into()));
    let poses = value["poses"].as_array().unwrap();
    let mut flat = 0.0;
    for part in parts {
        assert_eq!(part["state"], "rests");
        // On a face: as high as half the side that stands.
        let down = &poses[part["pose"].as_u64().unwrap() as usize - 1]["down"];
        let half = (0..3).map(|axis| [0.05, 0.04, 0.03][axis] * number(&down[axis]).abs()).sum::<f64>();
        assert!((number(&part["at"][2]) - half).abs() < 1e-5, "{part}");
        flat += f64::from(number(&down[2]).abs() > 0.5);
    }
    // A box lies on its largest faces in most drops, and shares add up to all.
    assert!(flat / 120.0 > 0.5, "{flat}");
    assert!((poses.iter().map(|pose| number(&pose["probability"])).sum::<f64>() - 1.0).abs() < 1e-12);
    let (again, _) = answer(&folder, &folder.join("box.obj"), &[&more[..], &["--threads", "3"]].concat());
    assert!(again == text);
}

#[test]
fn scenes_that_take_no_part_are_refused() {
    let scene = "body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true });";
    let folder = with_files("poses_scene_wrong", &[("pit.rhai", scene), ("box.rhai", BOX)]);
    let part = repository().join("parts/bracket.obj");
    let script = folder.join("box.rhai");
    for (part, scene, more, status, told) in [
        (&script, "pit.rhai", &[][..], 1, "with --scene a part is an STL or OBJ file"),
        (&part, "pit.rhai", &[], 1, "no body is named `part` or `part 1`"),
        (&part, "pot.rhai", &[], 1, "pot.rhai: check the name"),
        (&part, "pit.rhai", &["--friction", "0.5"], 2, "cannot be used with"),
    ] {
        let scene = folder.join(scene);
        let outcome = impulse(&[&["poses", part.to_str().unwrap(), "--scene", scene.to_str().unwrap()], more].concat());
        assert!(outcome.status == status && outcome.stderr.contains(told), "{}", outcome.stderr);
    }
}
