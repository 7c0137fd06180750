//! What scripts may not do: run forever, fill the memory, read files of others.

use crate::scene_support::{complaint, fault_of, folder, load_path, scene};
use crate::support::data;
use impulse_scenes::scene::{Fault, FileError};
use std::path::PathBuf;

#[test]
fn greedy_scripts_are_stopped() {
    for (script, line, piece) in [
        ("let x = 0;\nloop { x += 1; }", 2, "an endless loop"),
        ("loop { let a = []; a.pad(100000, 0); a.sort(); }", 1, "an endless loop"),
        ("let a = [];\na.pad(1000000000, 0);", 2, "too large"),
        ("let a = [0];\nloop { a += a; }", 2, "too large"),
        ("let s = \"x\"; loop { s += s; }", 1, "too large"),
        ("let m = #{}; for i in 0..1000000 { m[\"k\" + i] = i; }", 1, ""),
        ("let a = []; loop { a.push(0); }", 1, ""),
        ("fn f(n) { f(n + 1) }\nf(0);", 2, "32 deep"),
        ("grid([1000, 1000, 1000], [0, 0, 0], 1);", 1, "100000 places"),
        ("row(1000000000, [0, 0, 0], [1, 0, 0]);", 1, "100000"),
        ("loop { try { sphere(0); } catch { } }", 1, "an endless loop"),
        ("sleep(1000); sleep(1000.0); loop { }", 1, "an endless loop"),
        ("loop { grid([40, 40, 40], [0, 0, 0], 1); }", 1, "an endless loop"),
        ("let p = rand_point([0, 0, 0], [1, 1, 1]);\nloop { hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], p]); }", 2, ""),
        ("loop { wall([[0, 0], [1, 0], [1, 1], [0, 1]], 0.1, 0.1); }", 1, "an endless loop"),
    ] {
        let (found, _, message) = complaint(script);
        assert!(message.contains(piece), "{script}: {message}");
        assert_eq!(found, line, "{script}: {message}");
    }
}

#[test]
fn many_bodies_are_allowed_but_not_more_than_fit() {
    let many =
        "for (at, i) in grid([46, 46, 46], [0, 0, 0], 1) { body(\"b\" + i, sphere(0.1), #{ at: at, mass: 1 }); }";
    assert_eq!(scene(many).bodies.len(), 97_336);
    let (_, _, message) = complaint("let i = 0; loop { body(\"b\" + i, sphere(1), #{ mass: 1 }); i += 1; }");
    assert!(message.contains("more than 200000 bodies"), "{message}");
}

#[test]
fn deep_nesting_is_refused() {
    let (_, _, message) = complaint(&format!("let x = {}1{};", "(".repeat(20_000), ")".repeat(20_000)));
    assert!(message.contains("nested too deeply"), "{message}");
    let (_, _, message) = complaint(&format!("let x = {}1;", "-".repeat(20_000)));
    assert!(!message.is_empty());
    let (_, _, message) = complaint(&format!("{}{}", "if true {".repeat(5000), "}".repeat(5000)));
    assert!(message.contains("nested too deeply"), "{message}");
}

#[test]
fn printing_goes_to_the_log_and_is_bounded() {
    let scene = scene(
        "print(\"a\"); print(1); debug([1]); for i in 0..100000 { print(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"); }",
    );
    assert_eq!(scene.log[..3], ["a", "1", "[1]"]);
    assert!(scene.log.iter().map(String::len).sum::<usize>() < 1_100_000);
    assert!(scene.log.last().unwrap().contains("printed more"));
}

fn cube() -> String {
    std::fs::read_to_string(data("parts/cube_text.stl")).unwrap()
}

fn meshed(name: &str, file: &str) -> PathBuf {
    let script = format!("\nbody(\"part\", mesh(\"{file}\", 0.001), #{{ density: 1 }});\n");
    folder(name, &[("scene.rhai", &script), ("parts/cube.stl", &cube())]).join("scene.rhai")
}

#[test]
fn parts_below_the_folder_are_read() {
    for (name, file) in [("mesh", "parts/cube.stl"), ("mesh-dot", "./parts/cube.stl")] {
        let scene = load_path(meshed(name, file)).unwrap();
        assert!(scene.bodies[0].shape.is_bounded());
    }
}

#[test]
fn paths_out_of_the_folder_are_refused() {
    let absolute = data("parts/cube_text.stl").canonicalize().unwrap().display().to_string();
    for (name, file) in [
        ("up", "../scene-mesh/parts/cube.stl"),
        ("absolute", absolute.as_str()),
        ("around", "parts/../../scene-around/parts/cube.stl"),
        ("back", "parts/../parts/cube.stl"),
        ("drive", "c:cube.stl"),
        ("backslash", "..\\\\cube.stl"),
    ] {
        let (place, fault) = fault_of(load_path(meshed(name, file)));
        assert!(matches!(*fault, Fault::File(FileError::Outside { .. })), "{file}: {fault}");
        assert_eq!((place.line, place.column), (2, 14));
        assert!(place.file.ends_with("scene.rhai"));
    }
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_refused() {
    let path = meshed("link", "linked.stl");
    std::os::unix::fs::symlink(data("parts/cube_text.stl").canonicalize().unwrap(), path.with_file_name("linked.stl"))
        .unwrap();
    let (_, fault) = fault_of(load_path(path));
    assert!(matches!(*fault, Fault::File(FileError::Outside { .. })), "{fault}");
    let path = meshed("link-folder", "linked/cube.stl");
    std::os::unix::fs::symlink(data("parts").canonicalize().unwrap(), path.with_file_name("linked")).unwrap();
    std::fs::copy(data("parts/cube_text.stl"), path.with_file_name("inside.stl")).unwrap();
    let (_, fault) = fault_of(load_path(path));
    assert!(matches!(*fault, Fault::File(_)), "{fault}");
}

#[test]
fn missing_and_broken_parts() {
    let (place, fault) = fault_of(load_path(meshed("missing", "none.stl")));
    assert!(matches!(*fault, Fault::File(FileError::Io { .. })), "{fault}");
    assert_eq!((place.line, place.column, place.text.contains("none.stl")), (2, 14, true));
    let (_, fault) = fault_of(load_path(meshed("a-folder", "parts")));
    assert!(fault.to_string().contains("it is not a file"), "{fault}");
    let (_, fault) = fault_of(load_path(meshed("wrong-kind", "scene.rhai")));
    assert!(matches!(*fault, Fault::Part(_)), "{fault}");
}

#[test]
fn included_files_are_part_of_the_scene() {
    let parts =
        "fn ball(name) {\n  body(name, sphere(0.1), #{ mass: 1 })\n}\nlet common = 7;\ninclude(\"parts/deep.rhai\");\n";
    let scene = "include(\"parts/balls.rhai\");\nball(\"a\");\n  include(\"parts/balls.rhai\"); // once is enough\nball(\"b\");\nprint(common + deep);\n";
    let files = [
        ("scene.rhai", scene),
        ("parts/balls.rhai", parts),
        ("parts/deep.rhai", "let deep = 1;\ninclude(\"scene.rhai\");"),
    ];
    let loaded = load_path(folder("include", &files).join("scene.rhai")).unwrap();
    assert_eq!((loaded.bodies.len(), loaded.log.concat()), (2, "8".to_owned()));
}

#[test]
fn faults_in_included_files_are_placed_there() {
    let files = [("scene.rhai", "\ninclude(\"a.rhai\");\nf();"), ("a.rhai", "// one\nfn f() {\n  sphere(0)\n}\n")];
    let (place, _) = fault_of(load_path(folder("include-fault", &files).join("scene.rhai")));
    assert_eq!((place.file.as_str(), place.line, place.column), ("a.rhai", 3, 3));
    assert_eq!((place.calls[0].0.as_str(), place.calls[0].2), ("f", 3));
    for (name, include) in [("include-up", "../x.rhai"), ("include-none", "x.rhai")] {
        let script = format!("// first\n include(\"{include}\");");
        let (place, fault) = fault_of(load_path(folder(name, &[("scene.rhai", &script)]).join("scene.rhai")));
        assert!(matches!(*fault, Fault::File(_)), "{fault}");
        assert_eq!((place.line, place.column), (2, 2));
    }
}
