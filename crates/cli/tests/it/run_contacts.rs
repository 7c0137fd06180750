//! `impulse run --contacts`, resting poses, meshes, warnings, and settings of the engine on the command line.

use crate::run::{numbers, rows, run, write};
use crate::support::{folder, impulse, repository};
use serde_json::Value;
use std::path::Path;

const CONTACTS: &str = "t,body1,body2,x,y,z,nx,ny,nz,fx,fy,fz,mode";

/// A block of 2 kg that is set on a floor, and one of 1 kg that is pushed along it.
const BLOCKS: &str = r#"
let mat = material(#{ friction: 0.5, restitution: 0 });
body("floor", half_space([0, 0, 1], 0), #{ fixed: true, material: mat });
body("set", cuboid(0.1, 0.1, 0.1), #{ at: [0, 0, 0.05], mass: 2, material: mat });
body("pushed", cuboid(0.1, 0.1, 0.1), #{ at: [1, 0, 0.05], velocity: [3, 0, 0], mass: 1, material: mat });
"#;

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Sum of the forces on the second body of a pair over the points at each sample.
fn forces(rows: &[Vec<String>], body: &str) -> Vec<(f64, [f64; 3], String)> {
    let mut sums: Vec<(f64, [f64; 3], String)> = Vec::new();
    for row in rows.iter().filter(|row| row[1] == "floor" && row[2] == body) {
        let (t, force) = (row[0].parse().unwrap(), numbers(&row[9..12]));
        match sums.last_mut().filter(|(last, ..)| *last == t) {
            Some((_, sum, _)) => (0..3).for_each(|i| sum[i] -= force[i]),
            None => sums.push((t, [-force[0], -force[1], -force[2]], row[12].clone())),
        }
    }
    sums
}

/// The floor carries the weight whether the block hops, slides or is frozen, and friction is Coulomb's.
#[test]
fn contact_forces_are_means_since_the_last_sample() {
    let folder = folder("run_contacts");
    let (scene, file) = (write(&folder, "blocks.rhai", BLOCKS), folder.join("contacts.csv"));
    run(&[&scene, "--until", "1", "--every", "0.05", "--contacts", file.to_str().unwrap()]);
    let rows = rows(&file, CONTACTS);
    assert!(rows.iter().all(|row| numbers(&row[3..12])[3..6] == [0.0, 0.0, -1.0]), "normals point from body2 to body1");
    let set = forces(&rows, "set");
    assert_eq!(set.len(), 20);
    for (t, force, mode) in &set[1..] {
        assert!((force[2] / (2.0 * 9.81) - 1.0).abs() < 0.02 && mode == "rest", "{t}: {force:?} {mode}");
    }
    // Frozen bodies have no events: what they push is exact.
    assert!((set[19].1[2] / (2.0 * 9.81) - 1.0).abs() < 1e-9, "{:?}", set[19]);
    let pushed = forces(&rows, "pushed");
    let sliding: Vec<_> = pushed.iter().filter(|(t, ..)| (0.1..0.55).contains(t)).collect();
    assert!(sliding.len() > 8);
    for (t, force, mode) in sliding {
        assert!((force[2] / 9.81 - 1.0).abs() < 0.02 && mode == "slide", "{t}: {force:?} {mode}");
        assert!((force[0] / force[2] + 0.5).abs() < 0.01, "{t}: {force:?}");
    }
    assert_eq!(pushed.last().unwrap().2, "rest");
}

/// A ball that slides and rolls without hops: its forces are exact in every window, also where the one ends and the other begins.
#[test]
fn forces_on_a_ball_that_comes_to_roll_are_exact() {
    let file = folder("run_contacts_rolling").join("contacts.csv");
    run(&["slide_to_roll", "--until", "1", "--every", "0.1", "--contacts", file.to_str().unwrap()]);
    let found = forces(&rows(&file, CONTACTS), "ball");
    let weight = 1700.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.05f64.powi(3) * 9.81;
    // It slides until 2 v / (7 friction g), but for what it falls at first.
    let slides = 2.0 / (7.0 * 0.1 * 9.81);
    assert_eq!(found.len(), 10);
    for (t, force, mode) in found {
        let share = ((slides - (t - 0.1)) / 0.1).clamp(0.0, 1.0);
        assert!((force[2] / weight - 1.0).abs() < 1e-6, "{t}: {force:?}");
        assert!((force[0] / weight + 0.1 * share).abs() < 1e-5, "{t}: {force:?}");
        assert_eq!(mode, if t < slides { "slide" } else { "roll" });
    }
}

/// A ball that bounces is never in lasting contact at a sample; its impacts are means over the window all the same.
#[test]
fn bodies_that_bounce_are_open() {
    let folder = folder("run_contacts_open");
    let file = folder.join("contacts.csv");
    run(&["bounce", "--until", "1", "--every", "1", "--contacts", file.to_str().unwrap()]);
    let rows = rows(&file, CONTACTS);
    assert!(rows.iter().any(|row| row[12] == "open"), "{rows:?}");
}

#[test]
fn poses_at_the_end_say_which_side_is_down() {
    let folder = folder("run_poses");
    let scene = write(
        &folder,
        "poses.rhai",
        r#"
let mat = material(#{ friction: 0.5, restitution: 0 });
body("floor", half_space([0, 0, 1], 0), #{ fixed: true, material: mat });
body("box", cuboid(0.1, 0.2, 0.3), #{ at: [0, 0, 0.05], rotation: axis_angle([0, 1, 0], deg(90)), mass: 2, material: mat });
body("can", cylinder(0.05, 0.1), #{ at: [1, 0, 0.05], mass: 1, material: mat });
body("ball", sphere(0.05), #{ at: [2, 0, 0.05], mass: 1, material: mat });
"#,
    );
    let summary = folder.join("summary.json");
    let told = run(&[&scene, "--until", "1", "--summary", summary.to_str().unwrap()]).stdout;
    let poses = json(&summary)["poses"].clone();
    let [brick, can, ball] = [0, 1, 2].map(|i| poses[i].clone());
    assert_eq!(
        (brick["side"].as_str(), can["side"].as_str(), ball["side"].as_str()),
        (Some("+x"), Some("base -z"), None)
    );
    assert!(brick["tilt_deg"].as_f64().unwrap() < 1e-3 && (brick["down"][0].as_f64().unwrap() - 1.0).abs() < 1e-6);
    let weight = brick["contact_force"][2].as_f64().unwrap();
    assert!((weight / (2.0 * 9.81) - 1.0).abs() < 1e-6, "{weight}");
    assert!(told.contains("at rest on +x, tilted by") && told.contains("carried by 19.62 N"), "{told}");
}

#[test]
fn small_scenes_are_told_with_their_digits() {
    let folder = folder("run_small");
    let scene = write(
        &folder,
        "small.rhai",
        "gravity(0, 0, 0);\nbody(\"grain\", sphere(1e-9), #{ at: [1.25e-7, 0, 0], mass: 1e-20 });",
    );
    let told = run(&[&scene, "--until", "1e-3"]).stdout;
    assert!(told.contains("(1.2500e-7, 0, 0) m"), "{told}");
}

#[test]
fn meshes_are_accounted_for_and_warned_about() {
    let folder = folder("run_meshes");
    let bushing = repository().join("tests/data/faults/bushing.stl");
    std::fs::copy(bushing, folder.join("bushing.stl")).unwrap();
    let scene = write(
        &folder,
        "mesh.rhai",
        "body(\"stand\", mesh(\"bushing.stl\", 0.001), #{ fixed: true });
         body(\"part\", mesh(\"bushing.stl\", #{ scale: 0.001 }), #{ at: [0, 0, 0.1], density: 7850 });",
    );
    let summary = folder.join("summary.json");
    let outcome = impulse(&["run", &scene, "--until", "0.01", "--summary", summary.to_str().unwrap()]);
    assert!(outcome.stdout.contains("bushing.stl (1 body): exact, 576 triangles"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("convex pieces, off by at most"), "{}", outcome.stdout);
    assert!(outcome.stderr.starts_with("warning: bushing.stl: its"), "{}", outcome.stderr);
    let told = json(&summary);
    let [exact, cut] = [0, 1].map(|i| told["meshes"][i].clone());
    assert!(exact["exact"] == true && cut["exact"] == false && cut["pieces"].as_u64().unwrap() > 1);
    assert!(cut["error"].as_f64().unwrap() > 0.01 && cut["volume_change"].as_f64().unwrap() > 0.0);
    assert_eq!(told["warnings"].as_array().unwrap().len(), 1);
    assert_eq!(impulse(&["run", &scene, "--until", "0.01", "--quiet"]).stderr, "");
}

#[test]
fn warnings_are_said_by_every_command() {
    let folder = folder("run_warnings");
    let newton =
        "body(\"b\", sphere(1), #{ mass: 1, material: material(#{ friction: 1, restitution: 1, law: \"newton\" }) });";
    let outcome = impulse(&["run", &write(&folder, "newton.rhai", newton), "--until", "0.1"]);
    assert!(outcome.status == 0 && outcome.stderr.contains("can gain energy"), "{}", outcome.stderr);
    let line = r#"{"K": [[3,0,1],[0,3,0],[1,0,1]], "mu": 0.3, "e": 0.5, "law": "newton", "u0": [1,0,-1]}"#;
    let outcome = impulse(&["impact", &write(&folder, "newton.jsonl", &format!("{line}\n{line}\n"))]);
    assert!(outcome.status == 0 && outcome.stderr.matches("can gain energy").count() == 1, "{}", outcome.stderr);
    let told = impulse(&["mass", "tests/data/faults/bushing.stl"]).stdout;
    assert!(told.contains("drawn in millimetres? Then add --scale 0.001"), "{told}");
    assert!(!impulse(&["mass", "tests/data/faults/bushing.stl", "--scale", "0.001"]).stdout.contains("millimetres"));
}

#[test]
fn settings_of_the_engine_can_be_given() {
    let folder = folder("run_settings");
    let summary = folder.join("summary.json");
    let energy = |more: &[&str]| {
        run(&[&["bounce", "--until", "0.1", "--summary", summary.to_str().unwrap()], more].concat());
        json(&summary)["energy_initial"].as_f64().unwrap()
    };
    assert!((energy(&["--gravity", "0,0,-1.62"]) * 9.81 / 1.62 - energy(&[])).abs() < 1e-9);
    run(&[
        "bounce",
        "--until",
        "0.1",
        "--touch-distance",
        "1e-8",
        "--box-travel",
        "2",
        "--settle-distance",
        "1e-2",
        "--settle-time",
        "0.2",
    ]);
    for wrong in [["--gravity", "1,2"], ["--touch-distance", "0"], ["--settle-time", "-1"], ["--box-travel", "much"]] {
        let outcome = impulse(&[&["run", "bounce"], &wrong[..]].concat());
        assert_eq!(outcome.status, 2, "{wrong:?}: {}", outcome.stderr);
    }
}
