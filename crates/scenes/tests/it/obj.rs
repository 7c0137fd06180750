//! OBJ files, well-formed and not.

use crate::support::{assert_close, read_obj, volume};
use impulse_scenes::part::{Note, ObjError, PartError};

const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

fn error(text: &str) -> ObjError {
    match read_obj(text) {
        Err(PartError::Obj(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn faces_may_stand_before_their_vertices() {
    let (vertices, faces) = TETRAHEDRON.split_at(TETRAHEDRON.find('f').unwrap());
    let part = read_obj(&(faces.to_owned() + vertices)).unwrap();
    assert_eq!(part.report.notes, []);
    assert_close(volume(&part), 1.0 / 6.0, 1e-15);
}

#[test]
fn line_breaks_of_all_kinds() {
    for text in [TETRAHEDRON.replace('\n', "\r\n"), TETRAHEDRON.replace('\n', "\r"), TETRAHEDRON.trim_end().to_owned()]
    {
        assert_close(volume(&read_obj(&text).unwrap()), 1.0 / 6.0, 1e-15);
    }
    let continued = TETRAHEDRON.replace(' ', " \\\r\n ") + "f 1 2 9\n";
    // The statement is named by its first line.
    let line = continued.lines().count();
    assert_eq!(error(&continued), ObjError::OutOfRange { line, index: 9, vertices: 4 });
}

#[test]
fn a_comment_ends_with_its_line() {
    assert_close(volume(&read_obj(&("# C:\\parts\\\n".to_owned() + TETRAHEDRON)).unwrap()), 1.0 / 6.0, 1e-15);
}

#[test]
fn unused_vertices_are_dropped_and_noted() {
    let part = read_obj(
        &("v 1e300 0 0\n".to_owned()
            + TETRAHEDRON
                .replace("f 1 3 2", "f -4 -2 -3")
                .replace("f 1 2 4", "f 2 3 5")
                .replace("f 2 3 4", "f 3 4 5")
                .replace("f 3 1 4", "f 4 2 5")
                .as_str()),
    )
    .unwrap();
    assert_eq!(part.report.notes, [Note::UnusedVertices { vertices: 1 }]);
    assert_eq!(part.polyhedron.vertices().len(), 4);
}

#[test]
fn bad_corners_name_the_line() {
    let with = |face: &str| TETRAHEDRON.replace("f 1 2 4", face);
    let found = |s: &str| s.to_owned();
    assert_eq!(error(&with("f 0 2 4")), ObjError::ZeroIndex { line: 6 });
    assert_eq!(error(&with("f 1 2 5")), ObjError::OutOfRange { line: 6, index: 5, vertices: 4 });
    assert_eq!(error(&with("f 1 2 -5")), ObjError::OutOfRange { line: 6, index: -5, vertices: 4 });
    let far = "f 1 2 9223372036854775807";
    assert_eq!(error(&with(far)), ObjError::OutOfRange { line: 6, index: i64::MAX, vertices: 4 });
    let far_back = "f 1 2 -9223372036854775808";
    assert_eq!(error(&with(far_back)), ObjError::OutOfRange { line: 6, index: i64::MIN, vertices: 4 });
    for corner in ["x", "1.5", "1/x", "1/1/1/1", "/1", "99999999999999999999"] {
        let expected = ObjError::BadCorner { line: 6, found: found(corner) };
        assert_eq!(error(&with(&format!("f 1 2 {corner}"))), expected);
        assert!(expected.to_string().starts_with("line 6: "));
    }
    assert_eq!(error(&with("f 1 2")), ObjError::FewCorners { line: 6, corners: 2 });
}

#[test]
fn bad_vertices_name_the_line() {
    let with = |vertex: &str| TETRAHEDRON.replace("v 1 0 0", vertex);
    assert_eq!(error(&with("v 1 0")), ObjError::FewCoordinates { line: 2, coordinates: 2 });
    assert_eq!(error(&with("v 1 0,5 0")), ObjError::NotANumber { line: 2, found: "0,5".to_owned() });
    let nan = error(&with("v 1 nan 0"));
    assert!(matches!(nan, ObjError::NotFinite { line: 2, value } if value.is_nan()), "{nan:?}");
    assert_eq!(error(&with("v 1 1e400 0")), ObjError::NotFinite { line: 2, value: f64::INFINITY });
}

#[test]
fn files_without_polygons() {
    assert_eq!(error(""), ObjError::NoFaces { vertices: 0 });
    assert_eq!(error("v 1 2 3\n"), ObjError::NoFaces { vertices: 1 });
    let curve = TETRAHEDRON.to_owned() + "cstype bspline\ncurv 0 1 1 2 3\n";
    assert_eq!(error(&curve), ObjError::FreeForm { line: 9, statement: "cstype".to_owned() });
    let text = "Dear reader,\nthis is not a part.\n";
    assert_eq!(error(text), ObjError::UnknownStatement { line: 1, statement: "Dear".to_owned() });
}
