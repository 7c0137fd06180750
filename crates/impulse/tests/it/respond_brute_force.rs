//! Impacts followed by brute force: tens of thousands of tiny steps in `p_z` (Theorem 8), sharing nothing with the engine.

use crate::respond_support::impact;
use glam::{DMat3, DVec2, DVec3};
use impulse::respond::{Impact, Law, resolve};
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn brute_force_agrees_within_its_own_error(i in impact()) {
        // Where u_z may fall, the brute force would need the convention for recompression as well.
        prop_assume!(i.matrix.z_axis.z > i.material.friction * i.matrix.z_axis.truncate().length());
        let ours = resolve(&i).unwrap();
        let fine = ours.impulse.z / 40_000.0;
        let (a, b) = (brute_force(&i, 2.0 * fine), brute_force(&i, fine));
        let own_error = (a.p - b.p).length().max(2.0 * fine);
        prop_assert!((ours.impulse - b.p).length() <= 4.0 * own_error, "{} {} {own_error:e}", ours.impulse, b.p);
        let own_error = (a.u - b.u).length().max(2.0 * fine * (i.matrix.x_axis.length() + i.matrix.y_axis.length()));
        prop_assert!((ours.velocity - b.u).length() <= 4.0 * own_error, "{} {} {own_error:e}", ours.velocity, b.u);
    }
}
