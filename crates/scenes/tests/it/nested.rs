//! Shells within shells.

use crate::support::{Triangle, assert_close, cube_at, read_stl, reversed, volume};
use impulse_scenes::part::{Note, Report};

/// A cube of edge `size` about the point (1, 2, 3).
fn about_centre(size: f64) -> Vec<Triangle> {
    cube_at([1.0, 2.0, 3.0].map(|c| c - 0.5 * size), size)
}

fn read(shells: &[Vec<Triangle>]) -> (f64, Report) {
    let part = read_stl(&shells.concat()).unwrap();
    (volume(&part), part.report)
}

#[test]
fn a_cavity_stays() {
    let (volume, report) = read(&[about_centre(4.0), reversed(about_centre(2.0))]);
    assert_close(volume, 64.0 - 8.0, 1e-12);
    assert_eq!((report.shells, report.cavities, report.notes), (2, 1, vec![]));
}

#[test]
fn a_cavity_keeps_the_sense_of_most_of_its_area() {
    let mut cavity = reversed(about_centre(2.0));
    cavity[3].swap(0, 1);
    let (volume, report) = read(&[about_centre(4.0), cavity]);
    assert_close(volume, 64.0 - 8.0, 1e-12);
    assert_eq!((report.cavities, report.notes), (1, vec![Note::Flipped { facets: 1 }]));
}

#[test]
fn the_order_of_shells_does_not_matter() {
    let (volume, report) = read(&[reversed(about_centre(2.0)), about_centre(1.0), about_centre(4.0)]);
    assert_close(volume, 64.0 - 8.0 + 1.0, 1e-12);
    assert_eq!((report.shells, report.cavities, report.notes), (3, 1, vec![]));
}

#[test]
fn a_body_inside_out_is_turned_with_its_cavities() {
    let shells = [reversed(about_centre(4.0)), about_centre(2.0), reversed(about_centre(1.0))];
    let (volume, report) = read(&shells);
    assert_close(volume, 64.0 - 8.0 + 1.0, 1e-12);
    assert_eq!((report.cavities, report.notes), (1, vec![Note::Turned { shells: 3, facets: 36 }]));
}

#[test]
fn a_cavity_needs_no_turning_in_a_body_inside_out() {
    let (volume, report) = read(&[reversed(about_centre(4.0)), reversed(about_centre(2.0))]);
    assert_close(volume, 64.0 - 8.0, 1e-12);
    assert_eq!(report.notes, [Note::Turned { shells: 1, facets: 12 }]);
}

#[test]
fn a_body_within_a_body_counts_twice() {
    let (volume, report) = read(&[about_centre(4.0), about_centre(2.0)]);
    assert_close(volume, 64.0 + 8.0, 1e-12);
    let [Note::CountedTwice { shells: 1, volume: twice }] = report.notes[..] else { panic!("{:?}", report.notes) };
    assert_close(twice, 8.0, 1e-12);
}

#[test]
fn only_the_shell_that_is_inside_out_is_turned() {
    let beside = cube_at([10.0, 0.0, 0.0], 1.0);
    let (volume, report) = read(&[about_centre(4.0), reversed(about_centre(2.0)), reversed(beside)]);
    assert_close(volume, 64.0 - 8.0 + 1.0, 1e-12);
    assert_eq!(report.notes, [Note::Turned { shells: 1, facets: 12 }]);
}

/// A block with many small cavities, at the lattice points of its own corners: every ray meets edges and corners.
#[test]
fn a_foam_of_cavities() {
    let mut shells = vec![cube_at([0.0; 3], 16.0)];
    for i in 0..7 * 7 * 7 {
        let min = [i % 7, i / 7 % 7, i / 49].map(|c| f64::from(2 * c + 1));
        shells.push(reversed(cube_at(min, 1.0)));
    }
    let (volume, report) = read(&shells);
    assert_close(volume, 4096.0 - 343.0, 1e-12);
    assert_eq!((report.shells, report.cavities, report.notes), (344, 343, vec![]));
}
