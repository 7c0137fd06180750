//! Free rotation (section 2.3.3): reference vectors, an independent integrator, and the laws it obeys.

use crate::support::data;
use impulse::body::{Attitude, FreeRotation};
use impulse::math::symmetric_eigen;
use impulse::{DMat3, DQuat, DVec3};
use proptest::prelude::*;
use serde_json::Value;

fn number(v: &Value) -> f64 {
    v.as_f64().expect("a number")
}

fn vector(v: &Value) -> DVec3 {
    DVec3::new(number(&v[0]), number(&v[1]), number(&v[2]))
}

/// Real part first in the file.
fn quaternion(v: &Value) -> DQuat {
    DQuat::from_xyzw(number(&v[1]), number(&v[2]), number(&v[3]), number(&v[0])).normalize()
}

fn distance(a: DQuat, b: DQuat) -> f64 {
    (a - b).length().min((a + b).length())
}

#[test]
fn reference_vectors() {
    for line in data("rotation_vectors.jsonl").lines() {
        let case: Value = serde_json::from_str(line).expect("JSON");
        let name = case["id"].as_str().unwrap();
        let rows = [0, 1, 2].map(|i| vector(&case["inertia"][i]));
        let eigen = symmetric_eigen(DMat3::from_cols(rows[0], rows[1], rows[2]));
        let principal = DQuat::from_mat3(&eigen.axes).normalize();
        let start = Attitude {
            orientation: quaternion(&case["q0"]) * principal,
            spin: eigen.axes.transpose() * vector(&case["w0_body"]),
        };
        let rotation = FreeRotation::new(eigen.values, start);
        for wanted in case["expected"].as_array().unwrap() {
            let got = rotation.at(number(&wanted["t"]));
            let place = format!("{name} at {}", wanted["t"]);
            let scale = start.spin.length();
            let off = distance(got.orientation * principal.conjugate(), quaternion(&wanted["q"]));
            let off_body = (eigen.axes * got.spin - vector(&wanted["w_body"])).length() / scale;
            let off_world = (got.orientation * got.spin - vector(&wanted["w_world"])).length() / scale;
            println!("{place}: q {off:.1e} w {off_body:.1e} {off_world:.1e}");
            assert!(off < 1e-10 && off_body < 1e-10 && off_world < 1e-10, "{place}: {off:e} {off_body:e} {off_world:e}");
        }
    }
}
