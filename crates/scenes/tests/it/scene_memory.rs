//! Scenes whose folder is in memory read the same files as scenes on disk, and are refused the same ones.

use crate::scene_support::fault_of;
use crate::support::data;
use impulse_scenes::scene::{Fault, FileError, SceneFiles};
use impulse_scenes::{SceneDescription, SceneError, SceneSettings, SceneSource, load_scene};
use std::sync::Arc;

pub(crate) fn load(script: &str, others: &[(&str, &[u8])]) -> Result<SceneDescription, SceneError> {
    let mut files: SceneFiles = others.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect();
    files.insert("scene.rhai".to_owned(), script.as_bytes().to_vec());
    let source = SceneSource::Files { main: "scene.rhai".to_owned(), files: Arc::new(files) };
    load_scene(&source, &SceneSettings::default())
}

pub(crate) fn cube() -> Vec<u8> {
    std::fs::read(data("parts/cube_text.stl")).unwrap()
}

fn meshed(file: &str) -> Result<SceneDescription, SceneError> {
    let script = format!("\nbody(\"part\", mesh(\"{file}\", 0.001), #{{ density: 1 }});");
    load(&script, &[("parts/cube.stl", &cube()), ("notes.txt", b"no part"), ("bad.rhai", &[0xff])])
}

#[test]
fn parts_are_read_from_memory() {
    let path = data("parts/cube_text.stl");
    let on_disk = impulse_scenes::read_part(&path, 0.001).unwrap().polyhedron;
    for file in ["parts/cube.stl", "./parts/cube.stl", "parts/./cube.stl", "parts//cube.stl"] {
        let scene = meshed(file).unwrap();
        let volume = scene.bodies[0].shape.parts[0].solid.volume_integrals().unwrap().volume;
        assert_eq!(volume, impulse::geometry::Solid::volume_integrals(&on_disk).volume, "{file}");
    }
}

#[test]
fn paths_out_of_the_folder_are_refused() {
    for file in ["../cube.stl", "/parts/cube.stl", "parts/../parts/cube.stl", "c:cube.stl", "parts\\\\cube.stl"] {
        let (place, fault) = fault_of(meshed(file));
        assert!(matches!(*fault, Fault::File(FileError::Outside { .. })), "{file}: {fault}");
        assert_eq!((place.line, place.column), (2, 14));
    }
}

#[test]
fn missing_and_broken_files_are_named() {
    for file in ["none.stl", "parts", ""] {
        let (_, fault) = fault_of(meshed(file));
        let expected =
            format!("cannot read `{file}` in the files given with the scene: there is no such file; check the name");
        assert_eq!(fault.to_string(), expected);
    }
    let (_, fault) = fault_of(meshed("notes.txt"));
    assert!(fault.to_string().starts_with("notes.txt: "), "{fault}");
    let source = SceneSource::Files { main: "main.rhai".to_owned(), files: Arc::default() };
    let error = load_scene(&source, &SceneSettings::default()).unwrap_err().to_string();
    assert_eq!(error, "main.rhai: cannot read the scene: it is not among the files given");
}

#[test]
fn files_are_included_from_memory_once() {
    let script = "include(\"parts/common.rhai\");\ninclude(\"./parts/common.rhai\");\nprint(twice(3));";
    let common: &[u8] = b"fn twice(x) {\n  2 * x\n}\nprint(1);\ninclude(\"scene.rhai\");\n";
    assert_eq!(load(script, &[("parts/common.rhai", common)]).unwrap().log, ["1", "6"]);
    let (place, fault) = fault_of(load("include(\"bad.rhai\");", &[("bad.rhai", &[0xff, 0xfe])]));
    assert!(matches!(*fault, Fault::File(FileError::Io { .. })), "{fault}");
    assert_eq!((place.line, place.column), (1, 1));
}
