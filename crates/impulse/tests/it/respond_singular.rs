//! Rank-deficient and nearly singular collision matrices, as linkages make them (thesis 5.3.4).

use glam::{DMat2, DMat3, DVec3};
use impulse::respond::{Impact, ImpactError, Law, Material, Mode, resolve, sticking_is_stable};
use proptest::prelude::*;

fn hit(matrix: DMat3, velocity: DVec3) -> Impact {
    Impact { matrix, material: Material { friction: 0.4, restitution: 0.5, law: Law::Stronge }, velocity }
}

fn turn(angle: f64) -> DMat3 {
    let (s, c) = (libm::sin(angle), libm::cos(angle));
    DMat3::from_mat2(DMat2::from_cols_array(&[c, s, -s, c]))
}

#[test]
fn a_slider_along_the_normal_moves_along_the_normal() {
    // Rank one: friction acts, but moves nothing.
    let out = resolve(&hit(DMat3::from_diagonal(DVec3::new(0.0, 0.0, 2.0)), DVec3::new(3.0, 4.0, -1.0))).unwrap();
    assert!((out.velocity - DVec3::new(3.0, 4.0, 0.5)).length() < 1e-15, "{out:?}");
    assert!((out.impulse - DVec3::new(-0.4 * 0.6, -0.4 * 0.8, 1.0) * 0.75).length() < 1e-15, "{out:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_planar_linkage_moves_in_its_plane(
        a in 0.5..4.0f64, e in -0.9..0.9f64, x in -2.0..2.0f64, y in -2.0..2.0f64, angle in -3.2..3.2f64,
    ) {
        // Rank two: nothing moves along the second tangent, however the frame is turned. Sliding then obeys
        // u_x' = e - mu a u_x / |u_t| with u_y constant, followed here in tiny steps.
        let k = DMat3::from_cols_array(&[a, 0.0, e, 0.0, 0.0, 0.0, e, 0.0, 2.0]);
        let impact = hit(k, DVec3::new(x, y, -1.0));
        let out = resolve(&impact).unwrap();
        prop_assert!((out.velocity.y - y).abs() < 1e-12);
        let r = turn(angle);
        let turned = resolve(&hit(r * k * r.transpose(), r * impact.velocity)).unwrap();
        prop_assert!((turned.velocity - r * out.velocity).length() < 1e-9, "{turned:?} {out:?}");
        prop_assert!((turned.impulse - r * out.impulse).length() < 1e-9);
        if y.abs() > 0.1 {
            let (steps, mut u) = (20_000, DVec3::new(x, y, -1.0));
            let step = out.impulse.z / f64::from(steps);
            for _ in 0..steps {
                let rate = |u: DVec3| k * (-0.4 * u.truncate().normalize()).extend(1.0);
                u += rate(u + rate(u) * (0.5 * step)) * step;
            }
            prop_assert!((u - out.velocity).length() < 1e-6, "{u} {}", out.velocity);
        }
    }

    #[test]
    fn a_matrix_without_the_normal_in_its_range_is_the_limit_of_those_with_it(
        v in prop::array::uniform3(-1.0..1.0f64), scale in 0.1..10.0f64, e in 0.0..1.0f64,
        mu in 0.05..3.0f64, w in prop::array::uniform3(-1.0..1.0f64),
    ) {
        // K annihilates v, so that no impulse moves the normal alone; the velocity is one that a linkage can have.
        let (v, w) = (DVec3::from_array(v), DVec3::from_array(w));
        prop_assume!(v.length() > 0.1 && v.z.abs() > 0.1);
        let v = v.normalize();
        let k = (DMat3::IDENTITY - DMat3::from_cols(v * v.x, v * v.y, v * v.z)) * scale;
        let velocity = k * w;
        prop_assume!(velocity.z < -0.05);
        let material = Material { friction: mu, restitution: e, law: Law::Stronge };
        let out = resolve(&Impact { matrix: k, material, velocity }).unwrap();
        let near = |eps: f64| {
            let matrix = k + DMat3::IDENTITY * (eps * scale);
            (resolve(&Impact { matrix, material, velocity }).unwrap().velocity - out.velocity).length()
        };
        // Restitution is left with a normal velocity that falls as the root of what is added.
        let [coarse, fine] = [near(1e-6), near(1e-10)];
        prop_assert!(fine < 1e-2 && (fine < 0.02 * coarse || fine < 1e-7), "{coarse:e} {fine:e} {out:?}");
    }

    #[test]
    fn what_cannot_give_way_is_refused(v in prop::array::uniform3(-1.0..1.0f64), scale in 0.1..10.0f64) {
        // Friction holds, and the velocity has a part that no impulse changes: a script drives into a linkage.
        let v = DVec3::from_array(v);
        prop_assume!(v.length() > 0.1 && v.z.abs() > 0.3 * v.length());
        let v = v.normalize() * v.z.signum();
        let k = (DMat3::IDENTITY - DMat3::from_cols(v * v.x, v * v.y, v * v.z)) * scale;
        let material = Material { friction: 10.0, restitution: 0.5, law: Law::Stronge };
        let refused = resolve(&Impact { matrix: k, material, velocity: -v });
        prop_assert_eq!(refused, Err(ImpactError::NormalOutsideRange));
        prop_assert_eq!(sticking_is_stable(&k, 10.0), Ok(true));
    }

    #[test]
    fn nearly_singular_is_close_to_singular(x in -2.0..2.0f64, tiny in -11.0..-6.0f64) {
        let singular = DMat3::from_cols_array(&[1.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.2, 0.0, 2.0]);
        let mut nearly = singular;
        nearly.y_axis.y = libm::exp10(tiny);
        let velocity = DVec3::new(x, 0.5, -1.0);
        let (a, b) = (resolve(&hit(singular, velocity)).unwrap(), resolve(&hit(nearly, velocity)).unwrap());
        prop_assert!((a.impulse - b.impulse).length() < 10.0 * nearly.y_axis.y + 1e-12, "{a:?} {b:?}");
    }
}

#[test]
fn a_rank_deficient_linkage_at_rest_sticks_with_the_least_friction() {
    let k = DMat3::from_cols_array(&[1.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.2, 0.0, 2.0]);
    let out = resolve(&hit(k, -DVec3::Z)).unwrap();
    assert_eq!(out.modes.as_slice()[0].mode, Mode::Stick);
    assert_eq!((out.velocity.x, out.velocity.y, out.impulse.y), (0.0, 0.0, 0.0));
    assert!((out.impulse.x + 0.2 * out.impulse.z).abs() < 1e-15 && (out.velocity.z - 0.5).abs() < 1e-15);
}

/// Two balls whose matrix was computed from poses: what turning there is, is rounding. The series' exponents are then enormous;
/// the answer is that of the central impact. The first is the case of a pool break.
#[test]
fn central_but_for_rounding() {
    let velocity = DVec3::new(-0.0039309409446712865, 0.001957204621589718, -0.05318975871952374);
    let material = Material { friction: 0.06, restitution: 0.95, law: Law::Stronge };
    let diagonal = DVec3::new(42.9422145626518, 42.9422145626518, 12.2692041563758);
    let central = resolve(&Impact { matrix: DMat3::from_diagonal(diagonal), material, velocity }).unwrap();
    for exponent in 3..=18 {
        for coupling in [DVec3::new(0.0, 1.0, 0.0), DVec3::new(0.3, -0.7, 0.2), DVec3::new(-1.0, 0.1, -0.4)] {
            let size = 40.0 * 10f64.powi(-exponent);
            let (f, e, d) = (coupling.x * size, coupling.y * size, coupling.z * size);
            let mut matrix = DMat3::from_diagonal(diagonal);
            (matrix.x_axis.y, matrix.y_axis.x) = (f, f);
            (matrix.x_axis.z, matrix.z_axis.x) = (e, e);
            (matrix.y_axis.z, matrix.z_axis.y) = (d, d);
            let outcome = resolve(&Impact { matrix, material, velocity }).unwrap();
            let error = (outcome.velocity - central.velocity).length() / velocity.length();
            assert!(error <= 20.0 * 10f64.powi(-exponent) + 1e-13, "1e-{exponent} {coupling}: {error:e}");
        }
    }
}

/// A pendulum that strikes an oblique wall: rank one, and the normal is not in the range (figure 5.12).
#[test]
fn a_pendulum_on_an_oblique_wall() {
    let matrix = DMat3::from_cols_array(&[0.36, 0.0, 0.48, 0.0, 0.0, 0.0, 0.48, 0.0, 0.64]);
    let velocity = DVec3::new(-0.6, 0.0, -0.8);
    let with = |friction: f64, matrix: DMat3| {
        let material = Material { friction, restitution: 0.5, law: Law::Stronge };
        resolve(&Impact { matrix, material, velocity }).unwrap()
    };
    let near = |found: DVec3, wanted: DVec3| assert!((found - wanted).length() < 1e-6, "{found}, not {wanted}");
    near(with(0.0, matrix).velocity, DVec3::new(0.3, 0.0, 0.4));
    near(with(0.3, matrix).velocity, DVec3::new(0.238618, 0.0, 0.318158));
    let held = with(2.0, matrix);
    assert_eq!(held.velocity, DVec3::ZERO);
    assert!((held.impulse - DVec3::new(0.6, 0.0, 0.8)).length() < 1e-12, "{held:?}");
    let nearly = with(2.0, matrix + DMat3::IDENTITY * 1e-9);
    assert!((nearly.compression_impulse - 0.8).abs() < 1e-6, "{nearly:?}");
    for friction in [0.0, 0.3, 2.0] {
        near(with(friction, matrix + DMat3::IDENTITY * 1e-14).velocity, with(friction, matrix).velocity);
    }
}
