//! Impacts followed by brute force: tens of thousands of tiny steps in `p_z` (Theorem 8), sharing nothing with the engine.

use crate::respond_support::{impact, sensitivity};
use glam::{DMat3, DVec2, DVec3};
use impulse::respond::{ContactBody, Impact, Law, Material, collision_matrix, resolve};
use proptest::prelude::*;

/// Velocity, impulse and normal work on the way.
#[derive(Clone, Copy)]
struct State {
    u: DVec3,
    p: DVec3,
    work: f64,
}

/// Follows the impact in steps of the normal impulse; the last step of each phase is shortened by interpolation.
fn brute_force(i: &Impact, step: f64) -> State {
    let e = i.material.restitution;
    let start = State { u: i.velocity, p: DVec3::ZERO, work: 0.0 };
    let compressed = follow(i, start, step, |s| s.u.z);
    if e == 0.0 {
        return compressed;
    }
    let (work, impulse) = ((1.0 - e * e) * compressed.work, (1.0 + e) * compressed.p.z);
    match i.material.law {
        Law::Stronge => follow(i, compressed, step, |s| s.work - work),
        Law::Poisson => follow(i, compressed, step, |s| s.p.z - impulse),
        Law::Newton => follow(i, compressed, step, |s| s.u.z + e * i.velocity.z),
    }
}

/// Steps until `excess` is no longer negative.
fn follow(i: &Impact, from: State, step: f64, excess: impl Fn(&State) -> f64) -> State {
    let mut now = from;
    loop {
        let next = advance(i, &now, step);
        if excess(&next) >= 0.0 {
            let (mut low, mut high) = (0.0, step);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if excess(&advance(i, &now, middle)) >= 0.0 { high = middle } else { low = middle }
            }
            return advance(i, &now, high);
        }
        now = next;
    }
}

/// One step of the midpoint rule.
fn advance(i: &Impact, s: &State, step: f64) -> State {
    let half = s.u + i.matrix * impulse_rate(i, s.u, step) * (0.5 * step);
    let rate = impulse_rate(i, half, step);
    let mut u = s.u + i.matrix * rate * step;
    if holds(i, s.u.truncate(), step) {
        (u.x, u.y) = (0.0, 0.0);
    }
    State { u, p: s.p + rate * step, work: s.work + 0.5 * (s.u.z + u.z) * step }
}

/// `d p / d p_z`: against the sliding direction; at rest what holds it there, or the direction that diverges.
fn impulse_rate(i: &Impact, u: DVec3, step: f64) -> DVec3 {
    let mu = i.material.friction;
    let tangential = u.truncate();
    if near_zero(i, tangential, step) {
        let hold = i.matrix.inverse().z_axis;
        if hold.truncate().length() <= mu * hold.z {
            return hold / hold.z;
        }
        return (-mu * escape(&i.matrix, mu)).extend(1.0);
    }
    (-mu * tangential.normalize()).extend(1.0)
}

fn near_zero(i: &Impact, tangential: DVec2, step: f64) -> bool {
    tangential.length() <= step * (i.matrix.x_axis.length() + i.matrix.y_axis.length()) * 0.5
}

fn holds(i: &Impact, tangential: DVec2, step: f64) -> bool {
    let hold = i.matrix.inverse().z_axis;
    near_zero(i, tangential, step) && hold.truncate().length() <= i.material.friction * hold.z
}

/// The direction whose rate points along itself, found by turning towards the rate again and again.
fn escape(k: &DMat3, mu: f64) -> DVec2 {
    let mut n = k.z_axis.truncate().normalize_or(DVec2::X);
    for _ in 0..200 {
        let rate = (*k * (-mu * n).extend(1.0)).truncate();
        n = (n + 0.2 * rate / k.x_axis.x.max(k.y_axis.y)).normalize();
    }
    n
}

/// The largest difference from brute force, relative to its own error: what halving its steps changed, twice.
fn departure(i: &Impact) -> f64 {
    let ours = resolve(i).unwrap();
    let fine = ours.impulse.z / 40_000.0;
    let [a, b, c] = [4.0, 2.0, 1.0].map(|coarse| brute_force(i, coarse * fine));
    let velocity_error = 2.0 * fine * (i.matrix.x_axis.length() + i.matrix.y_axis.length());
    let own_error = |value: fn(&State) -> DVec3| value(&a).distance(value(&b)).max(value(&b).distance(value(&c)));
    let impulse = ours.impulse.distance(c.p) / own_error(|s| s.p).max(2.0 * fine);
    impulse.max(ours.velocity.distance(c.u) / own_error(|s| s.u).max(velocity_error))
}

/// A coin on its rim that slips nearly along its axis: three rays lie close together there.
#[test]
fn three_rays_close_together_stop_nothing() {
    let matrix = DMat3::from_cols_array(&[
        386.01936659827953,
        -172.54554514995996,
        44.43371356885579,
        -172.54554514995996,
        329.83859185285894,
        52.252495257357175,
        44.43371356885579,
        52.25249525735718,
        873.8740272232435,
    ]);
    let velocity = DVec3::new(-0.0004586722126068527, -0.0007256597940142884, -0.01096610136005044);
    let material = Material { friction: 0.2, restitution: 0.5, law: Law::Stronge };
    let far = departure(&Impact { matrix, material, velocity });
    assert!(far <= 4.0, "{far}");
}

/// A disc of any thickness that touches a plane with its rim, sliding nearly along or across its plane of symmetry.
fn disc_on_its_rim() -> impl Strategy<Value = Impact> {
    let direction = (0.0..std::f64::consts::TAU, -1.0..1.0f64, -8.0..0.0f64);
    let surface = (0.02..1.5f64, 0.0..=1.0f64);
    (0.01..2.0f64, 0.0..1.57f64, direction, surface, -3.0..2.0f64).prop_map(
        |(thickness, lean, (around, side, near), (friction, restitution), slow)| {
            let (axial, across) = (0.5, 0.25 + thickness * thickness / 12.0);
            let r = DMat3::from_rotation_y(lean);
            let inertia = r * DMat3::from_diagonal(DVec3::new(across, across, axial)) * r.transpose();
            let body = ContactBody { mass: 1.0, inertia, arm: r * DVec3::new(-1.0, 0.0, -0.5 * thickness) };
            let turned = DMat3::from_rotation_z(around);
            let matrix = turned * collision_matrix(Some(&body), None).unwrap() * turned.transpose();
            let angle =
                side.signum() * libm::pow(10.0, near) + if side.abs() < 0.5 { std::f64::consts::PI } else { 0.0 };
            let tangential = DVec3::new(libm::cos(angle), libm::sin(angle), 0.0) * libm::pow(10.0, slow);
            let material = Material { friction, restitution, law: Law::Stronge };
            Impact { matrix, material, velocity: turned * tangential - DVec3::Z }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn discs_on_their_rims_are_resolved(i in disc_on_its_rim()) {
        let ours = resolve(&i);
        prop_assert!(ours.is_ok(), "{ours:?}");
        let ours = ours.unwrap();
        prop_assert!(ours.impulse.is_finite() && ours.velocity.z >= -1e-12 && ours.work <= 1e-14, "{ours:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn brute_force_agrees_on_discs(i in disc_on_its_rim()) {
        prop_assume!(i.matrix.z_axis.z > i.material.friction * i.matrix.z_axis.truncate().length());
        // Where a ray repels, the last digit of the direction decides on which side of it sliding goes.
        prop_assume!(sensitivity(&i) < 1e3);
        prop_assert!(departure(&i) <= 4.0, "{}", departure(&i));
    }

    #[test]
    fn brute_force_agrees_within_its_own_error(i in impact()) {
        // Where u_z may fall, the brute force would need the convention for recompression as well.
        prop_assume!(i.matrix.z_axis.z > i.material.friction * i.matrix.z_axis.truncate().length());
        prop_assert!(departure(&i) <= 4.0, "{}", departure(&i));
    }
}
