//! Part files by path.

use crate::support::{assert_close, data, volume};
use impulse_scenes::part::{Format, MAX_BYTES, Note, PartError, read_part};
use std::path::Path;

fn file_error(path: &Path, scale: f64) -> (PartError, String) {
    let error = read_part(path, scale).expect_err("no such part");
    let message = error.to_string();
    assert!(message.starts_with(&path.display().to_string()), "{message}");
    match error {
        PartError::File { error, .. } => (*error, message),
        other => panic!("{other:?}"),
    }
}

#[test]
fn text_stl_with_crlf_and_capitals_in_millimetres() {
    let part = read_part(&data("parts/cube_text.stl"), 1e-3).unwrap();
    assert_close(volume(&part), 8e-6, 1e-12);
    assert_eq!((part.format, part.scale, part.report.facets, part.report.shells), (Format::Stl, 1e-3, 12, 1));
    assert_eq!(part.report.notes, []);
    assert_eq!(part.polyhedron.vertices().len(), 8);
}

#[test]
fn binary_stl_whose_header_begins_with_solid() {
    let part = read_part(&data("parts/cube_solid_header.stl"), 1.0).unwrap();
    assert_close(volume(&part), 8000.0, 1e-12);
    assert_eq!(part.report.notes, []);
}

#[test]
fn obj_with_everything_to_skip() {
    let part = read_part(&data("parts/l_prism.obj"), 2.0).unwrap();
    assert_close(volume(&part), 8.0 * 12.0, 1e-12);
    assert_eq!(part.report.notes, [Note::PointsAndLines { statements: 2 }]);
    assert_eq!(part.polyhedron.faces().len(), 8, "polygons stay whole");
}

#[test]
fn extension_decides_in_any_case() {
    assert_eq!(Format::of_path(Path::new("a/B.StL")).unwrap(), Format::Stl);
    assert_eq!(Format::of_path(Path::new("b.OBJ")).unwrap(), Format::Obj);
    for path in ["part.step", "part", "stl"] {
        let (error, message) = file_error(Path::new(path), 1.0);
        assert!(matches!(error, PartError::UnknownExtension), "{error:?}");
        assert!(message.contains(".stl") && message.contains(".obj"), "{message}");
    }
}

#[test]
fn missing_file_and_folder() {
    let (error, _) = file_error(Path::new("no/such/part.stl"), 1.0);
    assert!(matches!(&error, PartError::Io(e) if e.kind() == std::io::ErrorKind::NotFound), "{error:?}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("folder.obj");
    std::fs::create_dir_all(&folder).unwrap();
    let (error, _) = file_error(&folder, 1.0);
    assert!(matches!(error, PartError::Io(_)), "{error:?}");
}

#[test]
fn files_too_long_are_not_read() {
    // A sparse file, which takes no room.
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("long.stl");
    std::fs::File::create(&path).unwrap().set_len(MAX_BYTES + 1).unwrap();
    let (error, message) = file_error(&path, 1.0);
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(error, PartError::TooLong { bytes } if bytes == MAX_BYTES + 1), "{error:?}");
    assert!(message.contains("2147483649 bytes"), "{message}");
}

#[test]
fn scale_must_be_positive_and_finite() {
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let (error, message) = file_error(&data("parts/l_prism.obj"), scale);
        assert!(matches!(error, PartError::Scale { .. }), "{error:?}");
        assert!(message.contains(&format!("the scale is {scale}")), "{message}");
    }
}

#[test]
fn text_that_is_not_stl_names_the_place() {
    let (error, message) = file_error(&data("parts/readme.stl"), 1.0);
    assert!(matches!(error, PartError::Stl(_)), "{error:?}");
    assert!(message.contains("line 1, column 1: expected `solid`, found `These`"), "{message}");
}
