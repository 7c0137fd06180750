//! Free rotation (section 2.3.3): reference vectors, an independent integrator, and the laws it obeys.

use crate::oracle::Turning;
use crate::support::{any_vector, data};
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

pub(crate) fn distance(a: DQuat, b: DQuat) -> f64 {
    (a - b).length().min((a + b).length())
}

/// The vectors ask for 1e-10; what is reached is held.
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
            let scale = start.spin.length();
            let off = distance(got.orientation * principal.conjugate(), quaternion(&wanted["q"]));
            let off_body = (eigen.axes * got.spin - vector(&wanted["w_body"])).length() / scale;
            let off_world = (got.orientation * got.spin - vector(&wanted["w_world"])).length() / scale;
            let worst = off.max(off_body).max(off_world);
            assert!(worst < 1e-13, "{name} at {}: {off:e} {off_body:e} {off_world:e}", wanted["t"]);
        }
    }
}

pub(crate) fn any_rotation() -> impl Strategy<Value = DQuat> {
    prop::array::uniform4(-1.0..1.0f64)
        .prop_filter_map("too short", |q| (q.iter().map(|x| x * x).sum::<f64>() > 0.01).then_some(q))
        .prop_map(|q| DQuat::from_array(q).normalize())
}

/// Moments of bodies from needles to plates, in any order; a third of them with two or three equal or nearly equal.
pub(crate) fn any_moments() -> impl Strategy<Value = DVec3> {
    let squares = prop::array::uniform3(0.02..1.0f64);
    let nearness = prop_oneof![3 => Just(None), 1 => (0..17i32).prop_map(Some)];
    (squares, nearness, 0..3usize, 0..3usize).prop_map(|(mut s, near, i, j)| {
        if let Some(digits) = near {
            s[j] = s[i] * (1.0 + 10f64.powi(-digits));
        }
        DVec3::new(s[1] + s[2], s[2] + s[0], s[0] + s[1])
    })
}

/// Angular velocities, half of them close to a principal axis.
pub(crate) fn any_spin() -> impl Strategy<Value = DVec3> {
    let nearness = prop_oneof![1 => Just(0), 1 => 0..200i32];
    (any_vector(3.0), nearness, 0..3usize).prop_map(|(mut w, near, axis)| {
        for i in 0..3 {
            w[i] *= if i == axis { 1.0 } else { 10f64.powi(-near) };
        }
        w
    })
}

/// What rounding may grow to in `t` seconds where the middle axis drives neighbouring motions apart.
fn growth(moments: DVec3, spin: DVec3, t: f64) -> f64 {
    let mut i = moments.to_array();
    i.sort_by(f64::total_cmp);
    let fastest = (spin.dot(moments * spin) / i[0]).sqrt();
    let rate = ((i[2] - i[1]) * (i[1] - i[0]) / (i[0] * i[2])).sqrt() * fastest;
    (1.0 + fastest * t.abs()) * (rate * t.abs()).min(30.0).exp()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn agrees_with_an_integrator(moments in any_moments(), q in any_rotation(), w in any_spin(), t in -2.0..2.0f64) {
        let got = FreeRotation::new(moments, Attitude { orientation: q, spin: w }).at(t);
        let (orientation, spin) = Turning { moments, torque: DVec3::ZERO }.after(q, w, t);
        let limit = 2e-14 * growth(moments, w, t);
        prop_assert!((got.spin - spin).length() <= limit * w.length(), "{} {spin} {limit:e}", got.spin);
        prop_assert!(distance(got.orientation, orientation) <= limit, "{:e} {limit:e}", distance(got.orientation, orientation));
    }

    /// Momentum, in the world frame, and energy after up to a million turns.
    #[test]
    fn conserves_momentum_and_energy(moments in any_moments(), q in any_rotation(), w in any_spin(), t in -1e6..1e6f64) {
        let got = FreeRotation::new(moments, Attitude { orientation: q, spin: w }).at(t);
        let (before, after) = (q * (moments * w), got.orientation * (moments * got.spin));
        prop_assert!((after - before).length() <= 4e-15 * before.length(), "{before} {after}");
        let energy = |w: DVec3| w.dot(moments * w);
        prop_assert!((energy(got.spin) - energy(w)).abs() <= 4e-15 * energy(w));
        prop_assert!((got.orientation.length() - 1.0).abs() < 1e-15);
    }

    /// Starting again from any moment of a rotation changes nothing.
    #[test]
    fn composes(moments in any_moments(), q in any_rotation(), w in any_spin(), t1 in -2.0..2.0f64, t2 in -2.0..2.0f64) {
        let whole = FreeRotation::new(moments, Attitude { orientation: q, spin: w });
        let parts = FreeRotation::new(moments, whole.at(t1)).at(t2);
        let limit = 1e-14 * growth(moments, w, t1.abs() + t2.abs());
        let whole = whole.at(t1 + t2);
        prop_assert!((whole.spin - parts.spin).length() <= limit * w.length());
        prop_assert!(distance(whole.orientation, parts.orientation) <= limit);
    }

    /// Scaling the moments changes nothing, scaling the spin only the time; by powers of two to the bit.
    #[test]
    fn scales(moments in any_moments(), q in any_rotation(), w in any_spin(), t in -2.0..2.0f64) {
        let a = FreeRotation::new(moments, Attitude { orientation: q, spin: w }).at(t);
        let b = FreeRotation::new(moments * 1024.0, Attitude { orientation: q, spin: w * 0.25 }).at(t * 4.0);
        prop_assert_eq!(a.orientation, b.orientation);
        prop_assert_eq!(a.spin * 0.25, b.spin);
    }
}

/// A symmetric top's closed form: the axis goes round the momentum with L / I1, the spin round the axis with (1 - I3/I1) w3.
#[test]
fn two_equal_moments() {
    let (i1, i3) = (0.7, 1.1);
    let (w, q) = (DVec3::new(1.2, -0.4, 2.0), DQuat::from_xyzw(0.2, 0.3, -0.1, 0.9).normalize());
    let turn = |axis: DVec3, angle: f64| DQuat::from_axis_angle(axis, angle);
    let momentum = q * DVec3::new(i1 * w.x, i1 * w.y, i3 * w.z);
    for (near, limit) in [(0.0, 4e-14), (1e-16, 4e-14), (1e-13, 1e-10), (1e-10, 1e-7)] {
        let moments = DVec3::new(i1, i1 * (1.0 + near), i3);
        let rotation = FreeRotation::new(moments, Attitude { orientation: q, spin: w });
        for t in [-20.0, -1.0, 0.3, 7.0, 100.0] {
            let got = rotation.at(t);
            let about_axis = turn(DVec3::Z, (1.0 - i3 / i1) * w.z * t);
            let wanted = turn(momentum.normalize(), momentum.length() / i1 * t) * q * about_axis;
            assert!(distance(got.orientation, wanted) < limit, "{near} {t}: {:e}", distance(got.orientation, wanted));
            assert!((got.spin - about_axis.conjugate() * w).length() < limit);
        }
    }
}

/// `L^2 = 2E I2` exactly: the body turns over once and then spins about its middle axis for ever.
#[test]
fn separatrix() {
    let (moments, w) = (DVec3::new(1.0, 2.0, 2.25), DVec3::new(0.75, 1.0, 1.0));
    let rotation = FreeRotation::new(moments, Attitude { orientation: DQuat::IDENTITY, spin: w });
    for t in [-6.0, -2.0, -0.5, 0.5, 3.0, 6.0] {
        let (orientation, spin) = Turning { moments, torque: DVec3::ZERO }.after(DQuat::IDENTITY, w, t);
        let got = rotation.at(t);
        assert!(
            (got.spin - spin).length() < 1e-11 && distance(got.orientation, orientation) < 1e-11,
            "{t} {} {spin} {} {orientation}",
            got.spin,
            got.orientation
        );
    }
    let last = rotation.at(1e4).spin;
    let energy = w.dot(moments * w);
    assert!((last.abs() - DVec3::Y * (energy / 2.0).sqrt()).length() < 1e-15 * energy, "{last}");
}

/// Within rounding of the middle axis: the flips come as late as the logarithm of the deviation says.
#[test]
fn almost_about_the_middle_axis() {
    let moments = DVec3::new(1.0, 2.0, 2.5);
    for deviation in [1e-4, 1e-12, 1e-40, 1e-90] {
        let spin = DVec3::new(deviation, 4.0, 0.0);
        let rotation = FreeRotation::new(moments, Attitude { orientation: DQuat::IDENTITY, spin });
        // Deviations grow like exp(rate t) (Euler's equations linearised): w1 from half its value at the start.
        let rate = 4.0 * ((2.5 - 2.0) * (2.0 - 1.0) / (1.0 * 2.5f64)).sqrt();
        let t = 0.5 * -deviation.ln() / rate;
        let wanted = 0.5 * deviation * ((rate * t).exp() + (-rate * t).exp());
        let got = rotation.at(t).spin.x;
        // The next order of the linearised equations is the square of the deviation at t.
        assert!((got / wanted - 1.0).abs() < 4.0 * deviation + 1e-11, "{deviation:e}: {got:e} {wanted:e}");
        let flip = 2.0 * (-deviation.ln()) / rate;
        let turned = (0..200).any(|i| rotation.at(flip * 1.5 * f64::from(i) / 200.0).spin.y < -3.9);
        assert!(turned, "{deviation:e} never turns over");
    }
}
