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

/// How much the impulse changes, relative to itself, per relative change of the input; measured at 1e-9.
pub(crate) fn sensitivity(impact: &Impact) -> f64 {
    let base = resolve(impact).unwrap().impulse;
    [(1.0, 0.3), (-0.7, 1.0), (0.2, -1.0)]
        .map(|(x, y)| {
            let shift = DVec2::new(x, y) * 1e-9 * impact.velocity.length();
            let moved = resolve(&Impact { velocity: impact.velocity + shift.extend(0.0), ..*impact }).unwrap();
            (moved.impulse - base).length() / (1e-9 * base.length())
        })
        .into_iter()
        .fold(1.0, f64::max)
}
