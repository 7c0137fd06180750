//! Polyhedra with known volume integrals through every kind of file and back.

use crate::support::{assert_close, data};
use glam::{DMat3, DVec3};
use impulse::geometry::{Faces, Polyhedron, Solid, VolumeIntegrals};
use impulse_scenes::part::{Format, parse_part, write_obj, write_stl_ascii, write_stl_binary};
use serde_json::Value;

/// The parts of the reference vectors: name, polyhedron and its integrals as the vectors give them.
fn parts() -> Vec<(String, Polyhedron, [f64; 10])> {
    let text = std::fs::read_to_string(data("mass_vectors.jsonl")).unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    let mut parts = Vec::new();
    for line in text.lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        for part in vector["parts"].as_array().unwrap() {
            let vertex = |v: &Value| DVec3::new(number(&v[0]), number(&v[1]), number(&v[2]));
            let vertices: Vec<DVec3> = part["vertices"].as_array().unwrap().iter().map(vertex).collect();
            let face = |f: &Value| f.as_array().unwrap().iter().map(|v| v.as_u64().unwrap() as u32).collect::<Vec<_>>();
            let faces: Faces = part["faces"].as_array().unwrap().iter().map(face).collect();
            let names = ["T1", "Tx", "Ty", "Tz", "Txx", "Tyy", "Tzz", "Txy", "Tyz", "Tzx"];
            let integrals = names.map(|name| number(&part["integrals"][name]));
            parts.push((vector["name"].to_string(), Polyhedron::new(vertices, faces).unwrap(), integrals));
        }
    }
    assert!(parts.len() >= 8);
    parts
}

fn listed(integrals: &VolumeIntegrals) -> [f64; 10] {
    let (first, second): (DVec3, DMat3) = (integrals.first(), integrals.second());
    let [x, y, z] = first.to_array();
    let at = |i: usize, j: usize| second.col(j)[i];
    [integrals.volume, x, y, z, at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(1, 2), at(2, 0)]
}

/// Compares integrals, each to a tolerance relative to the volume times the power of the part's size that it has as unit.
#[track_caller]
fn assert_integrals(name: &str, part: &Polyhedron, expected: &[f64; 10], tolerance: f64) {
    let size = part.bounding_radius(DVec3::ZERO);
    let got = listed(&part.volume_integrals());
    for (i, (got, wanted)) in got.iter().zip(expected).enumerate() {
        let power = [1.0, size, size * size][i.min(1) + usize::from(i > 3)];
        assert!((got - wanted).abs() <= tolerance * expected[0] * power, "{name}: integral {i} is {got}, not {wanted}");
    }
}

#[test]
fn obj_reads_back_exactly() {
    for (name, polyhedron, expected) in parts() {
        let mut text = Vec::new();
        write_obj(&polyhedron, &mut text).unwrap();
        let part = parse_part(&text, Format::Obj, 1.0).unwrap();
        assert_eq!(part.report.notes, [], "{name}");
        assert_eq!(part.polyhedron.vertices(), polyhedron.vertices(), "{name}");
        assert_eq!(part.polyhedron.faces(), polyhedron.faces(), "{name}");
        assert_integrals(&name, &part.polyhedron, &expected, 1e-13);
    }
}

#[test]
fn text_stl_reads_back_all_digits() {
    for (name, polyhedron, expected) in parts() {
        let mut text = Vec::new();
        write_stl_ascii(&polyhedron, &mut text).unwrap();
        let part = parse_part(&text, Format::Stl, 1.0).unwrap();
        assert_eq!(part.report.notes, [], "{name}");
        assert_eq!(part.polyhedron.vertices().len(), polyhedron.vertices().len(), "{name}");
        assert_integrals(&name, &part.polyhedron, &expected, 1e-13);
    }
}

#[test]
fn binary_stl_reads_back_to_single_precision() {
    for (name, polyhedron, expected) in parts() {
        let mut bytes = Vec::new();
        write_stl_binary(&polyhedron, &mut bytes).unwrap();
        let part = parse_part(&bytes, Format::Stl, 1.0).unwrap();
        // A coordinate is off by 2^-25 of the size, a volume by that times area / volume.
        assert_integrals(&name, &part.polyhedron, &expected, 30.0 / f64::from(1 << 25));
    }
}

#[test]
fn the_scale_is_applied() {
    let (_, polyhedron, expected) = parts().swap_remove(1);
    let mut text = Vec::new();
    write_obj(&polyhedron, &mut text).unwrap();
    let part = parse_part(&text, Format::Obj, 0.0254).unwrap();
    assert_close(part.polyhedron.volume_integrals().volume, expected[0] * 0.0254 * 0.0254 * 0.0254, 1e-14);
}
