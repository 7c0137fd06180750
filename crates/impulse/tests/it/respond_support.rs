//! Random colliding bodies for the tests of chapter 3.

use glam::{DMat3, DQuat, DVec2, DVec3};
use impulse::respond::{ContactBody, Impact, Law, Material, collision_matrix, resolve};
use proptest::prelude::*;

/// A body with any mass, a physically possible inertia, and a contact point around it.
pub(crate) fn body() -> impl Strategy<Value = ContactBody> {
    let mass = (-2.0..2.0f64).prop_map(libm::exp);
    let spread = prop::array::uniform3(0.05..1.0f64);
    (mass, spread, rotation(), prop::array::uniform3(-1.0..1.0f64)).prop_map(|(mass, spread, q, arm)| {
        // Second moments of any mass distribution give moments of inertia that fulfil the triangle inequalities.
        let [x, y, z] = spread.map(|s| mass * s * s);
        let r = DMat3::from_quat(q);
        let inertia = r * DMat3::from_diagonal(DVec3::new(y + z, x + z, x + y)) * r.transpose();
        ContactBody { mass, inertia, arm: DVec3::from_array(arm) }
    })
}

/// A rotation.
pub(crate) fn rotation() -> impl Strategy<Value = DQuat> {
    prop::array::uniform4(-1.0..1.0f64)
        .prop_filter("too short to normalise", |q| q.iter().map(|x| x * x).sum::<f64>() > 1e-2)
        .prop_map(|q| DQuat::from_array(q).normalize())
}

/// The collision matrix of two bodies, or of one and the world.
pub(crate) fn matrix() -> impl Strategy<Value = DMat3> {
    (body(), prop::option::of(body()))
        .prop_map(|(first, second)| collision_matrix(Some(&first), second.as_ref()).unwrap())
}

/// An impact under any of the laws.
pub(crate) fn impact() -> impl Strategy<Value = Impact> {
    let law = prop_oneof![Just(Law::Stronge), Just(Law::Poisson), Just(Law::Newton)];
    (matrix(), 0.0..1.5f64, 0.0..=1.0f64, law, (-3.0..3.0f64, -3.0..3.0f64, -3.0..-0.01f64)).prop_map(
        |(matrix, friction, restitution, law, (x, y, z))| Impact {
            matrix,
            material: Material { friction, restitution, law },
            velocity: DVec3::new(x, y, z),
        },
    )
}

/// How much the impulse changes, relative to itself, per relative change of the input, velocity, matrix or work; measured at 1e-9.
pub(crate) fn sensitivity(impact: &Impact) -> f64 {
    let base = resolve(impact).unwrap().impulse;
    let change = |moved: &Impact| (resolve(moved).unwrap().impulse - base).length() / (1e-9 * base.length());
    let of_velocity = [(1.0, 0.3), (-0.7, 1.0), (0.2, -1.0)].map(|(x, y)| {
        let shift = DVec2::new(x, y) * 1e-9 * impact.velocity.length();
        change(&Impact { velocity: impact.velocity + shift.extend(0.0), ..*impact })
    });
    let size = impact.matrix.x_axis.x + impact.matrix.y_axis.y + impact.matrix.z_axis.z;
    let of_matrix = [DVec3::new(0.6, 0.0, 0.8), DVec3::new(0.0, 0.8, 0.6), DVec3::new(0.8, -0.6, 0.0)].map(|axis| {
        let shift = DMat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z) * (1e-9 * size);
        change(&Impact { matrix: impact.matrix + shift, ..*impact })
    });
    // The work that restitution returns is what is left of the work of compression.
    let e = impact.material.restitution;
    let of_work = if e < 1.0 {
        let restitution = (e * e + 1e-9 * (1.0 - e * e)).sqrt();
        change(&Impact { material: Material { restitution, ..impact.material }, ..*impact })
    } else {
        1.0
    };
    of_velocity.into_iter().chain(of_matrix).chain([of_work]).fold(1.0, f64::max)
}
