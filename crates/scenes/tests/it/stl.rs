//! STL files, well-formed and not.

use crate::shapes::{sphere, stl_bytes};
use crate::support::{assert_close, cube, read_stl, stl_error, volume};
use impulse_scenes::part::{Format, Note, Place, StlError, parse_part};

/// The text of a cube, with `\n` as line break.
fn cube_text() -> String {
    let corner = |p: &glam::DVec3| format!("vertex {} {} {}\n", p.x, p.y, p.z);
    let facet = |t: &[glam::DVec3; 3]| {
        format!("facet normal 0 0 0\nouter loop\n{}endloop\nendfacet\n", t.iter().map(corner).collect::<String>())
    };
    format!("solid cube\n{}endsolid cube\n", cube().iter().map(facet).collect::<String>())
}

fn text_error(text: &str) -> StlError {
    stl_error(text.as_bytes())
}

#[test]
fn sphere_tends_to_the_ball() {
    let part = read_stl(&sphere(40).collect::<Vec<_>>()).unwrap();
    assert_eq!(part.polyhedron.vertices().len(), 4 * 40 * 40 + 2);
    assert_eq!(part.report.notes, []);
    assert_close(volume(&part), 4.0 / 3.0 * std::f64::consts::PI, 2e-3);
}

#[test]
fn empty_file() {
    assert_eq!(stl_error(b""), StlError::Empty);
}

#[test]
fn truncated_binary_says_what_is_there() {
    let mut bytes = stl_bytes(cube().into_iter());
    bytes.truncate(84 + 50 * 7 + 13);
    let error = stl_error(&bytes);
    assert_eq!(error, StlError::Truncated { promised: 12, present: 7, bytes: 447 });
    assert!(error.to_string().contains("announces 12 facets, but its 447 bytes hold only 7"), "{error}");
    assert_eq!(stl_error(&bytes[..83]), StlError::TooShort { bytes: 83 });
}

#[test]
fn huge_count_in_the_header_allocates_nothing() {
    let mut bytes = stl_bytes(cube().into_iter());
    bytes[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(stl_error(&bytes), StlError::Truncated { promised: u32::MAX, present: 12, bytes: 684 });
}

#[test]
fn trailing_bytes_are_ignored_and_noted() {
    let mut bytes = stl_bytes(cube().into_iter());
    bytes.extend([7; 33]);
    let part = parse_part(&bytes, Format::Stl, 1.0).unwrap();
    assert_eq!(part.report.notes, [Note::TrailingBytes { bytes: 33 }]);
    assert_eq!(volume(&part), 1.0);
}

#[test]
fn no_facets() {
    assert_eq!(stl_error(&stl_bytes(std::iter::empty())), StlError::NoFacets);
    assert_eq!(text_error("solid nothing\nendsolid nothing\n"), StlError::NoFacets);
}

#[test]
fn nan_in_binary_names_facet_and_byte() {
    let mut bytes = stl_bytes(cube().into_iter());
    // The y of the second corner of facet 5 (from 1).
    let at = 84 + 50 * 4 + 12 + 12 + 4;
    bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    let error = stl_error(&bytes);
    assert!(matches!(error, StlError::NotFinite { facet: 5, place: Place::Byte(p), .. } if p == at), "{error:?}");
    assert!(error.to_string().contains("facet 5, byte 312: a coordinate is NaN"), "{error}");
}

#[test]
fn numbers_that_are_not_finite_in_text() {
    for word in ["nan", "-inf", "1e999"] {
        let error = text_error(&cube_text().replacen("vertex 0 1 0", &format!("vertex 0 {word} 0"), 1));
        let place = Place::Text { line: 5, column: 10 };
        assert!(matches!(error, StlError::NotFinite { facet: 1, place: p, .. } if p == place), "{error:?}");
        assert!(error.to_string().contains("facet 1, line 5, column 10"), "{error}");
    }
}

#[test]
fn text_keeps_all_digits() {
    let text = cube_text().replace("vertex 1", "vertex 1.0000000000000002");
    let part = parse_part(text.as_bytes(), Format::Stl, 1.0).unwrap();
    assert_eq!(part.polyhedron.vertices().iter().map(|v| v.x).fold(0.0, f64::max), 1.0 + f64::EPSILON);
}

#[test]
fn text_in_capitals_with_crlf_and_a_mark() {
    let text = "\u{feff}".to_owned() + cube_text().to_uppercase().replace('\n', "\r\n").as_str();
    assert_eq!(volume(&parse_part(text.as_bytes(), Format::Stl, 1.0).unwrap()), 1.0);
    // Lines are counted the same way.
    let error = text_error(&text.replacen("ENDLOOP", "ENDLOP", 1));
    assert!(matches!(error, StlError::Syntax { place: Place::Text { line: 7, column: 1 }, .. }), "{error:?}");
}

#[test]
fn several_solids_are_one_part() {
    let text = cube_text();
    let second = text.replace("vertex 0", "vertex 5").replace("vertex 1", "vertex 6").replace("cube", "");
    let part = parse_part((text + second.as_str()).as_bytes(), Format::Stl, 1.0).unwrap();
    assert_eq!(part.report.notes, [Note::SeveralSolids { solids: 2 }]);
    assert_eq!((part.report.shells, volume(&part)), (2, 2.0));
}

#[test]
fn facets_have_three_vertices() {
    let four = cube_text().replacen("endloop", "vertex 0 0 0\nendloop", 1);
    let place = Place::Text { line: 8, column: 1 };
    assert_eq!(text_error(&four), StlError::Corners { facet: 1, place, corners: 4 });
    let two = cube_text().replacen("vertex 0 1 0\n", "", 1);
    let place = Place::Text { line: 6, column: 1 };
    assert_eq!(text_error(&two), StlError::Corners { facet: 1, place, corners: 2 });
}

#[test]
fn syntax_errors_name_line_and_column() {
    let cases = [
        (cube_text().replace("endsolid cube\n", ""), 86, 1, "`facet` or `endsolid`", "the end of the file"),
        (cube_text().replacen("endfacet\n", "", 1), 8, 1, "`endfacet`", "`facet`"),
        (cube_text().replacen("outer loop", "outer loup", 1), 3, 7, "`outer loop`", "`loup`"),
        (cube_text().replacen("vertex 0 1 0", "vertex 0 1,5 0", 1), 5, 10, "a number", "`1,5`"),
        (cube_text().replacen("normal 0 0 0", "normal 0 0", 1), 3, 1, "a normal of three numbers", "`outer`"),
        (cube_text() + "more", 87, 1, "`solid` or the end of the file", "`more`"),
    ];
    for (text, line, column, expected, found) in cases {
        let error = text_error(&text);
        let place = Place::Text { line, column };
        assert_eq!(error, StlError::Syntax { place, expected, found: found.to_owned() });
        assert!(error.to_string().starts_with(&format!("line {line}, column {column}: ")), "{error}");
    }
}
