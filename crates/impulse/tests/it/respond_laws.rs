//! What every impact must fulfil, over random bodies (thesis 3.1-3.3).

use crate::respond_support::{body, impact, rotation, sensitivity};
use glam::{DMat2, DMat3, DVec3};
use impulse::respond::{ContactBody, Impact, ImpactError, Law, Material, Mode, collision_matrix, path, rays, resolve};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn impulse_lies_in_the_friction_cone(i in impact()) {
        let p = resolve(&i).unwrap().impulse;
        prop_assert!(p.z > 0.0);
        prop_assert!(p.truncate().length() <= i.material.friction * p.z * (1.0 + 1e-13));
    }

    #[test]
    fn the_law_is_met_and_no_approach_is_left(i in impact()) {
        let out = resolve(&i).unwrap();
        let e = i.material.restitution;
        prop_assert!(out.velocity.z >= -1e-14 * i.velocity.length(), "{out:?}");
        prop_assert!(out.compression_work < 0.0);
        let error = match i.material.law {
            Law::Stronge => out.normal_work / out.compression_work - (1.0 - e * e),
            Law::Poisson => out.impulse.z / out.compression_impulse - (1.0 + e),
            Law::Newton => out.velocity.z / -i.velocity.z - e,
        };
        prop_assert!(error.abs() < 1e-12, "{error:e} {out:?}");
    }

    #[test]
    fn velocity_change_is_k_times_the_impulse(i in impact()) {
        let out = resolve(&i).unwrap();
        let change = i.matrix * out.impulse;
        let scale = change.length().max(i.velocity.length());
        prop_assert!((i.velocity + change - out.velocity).length() < 1e-12 * scale);
    }

    #[test]
    fn stronge_never_gains_energy(i in impact()) {
        let stronge = Impact { material: Material { law: Law::Stronge, ..i.material }, ..i };
        let energy = 0.5 * i.velocity.dot(i.matrix.inverse() * i.velocity);
        prop_assert!(resolve(&stronge).unwrap().work <= 1e-13 * energy);
    }

    #[test]
    fn result_turns_with_the_tangent_frame(i in impact(), angle in -3.2..3.2f64) {
        let turn = DMat3::from_mat2(DMat2::from_cols_array(&[
            libm::cos(angle), libm::sin(angle), -libm::sin(angle), libm::cos(angle),
        ]));
        let turned = Impact { matrix: turn * i.matrix * turn.transpose(), velocity: turn * i.velocity, ..i };
        let (p, q) = (resolve(&i).unwrap().impulse, resolve(&turned).unwrap().impulse);
        let error = (turn * p - q).length() / p.length();
        prop_assert!(error <= 1e-13 * sensitivity(&i).max(10.0), "{error:e} {}", sensitivity(&i));
    }

    #[test]
    fn result_does_not_depend_on_units(i in impact(), mass in -20..20i32, speed in -20..20i32) {
        // Powers of two scale without rounding, so the answer has to be the same to the last bit.
        let (mass, speed) = (libm::exp2(mass.into()), libm::exp2(speed.into()));
        let scaled = Impact { matrix: i.matrix * (1.0 / mass), velocity: i.velocity * speed, ..i };
        let (a, b) = (resolve(&i).unwrap(), resolve(&scaled).unwrap());
        prop_assert_eq!(a.impulse * (mass * speed), b.impulse);
        prop_assert_eq!(a.velocity * speed, b.velocity);
        prop_assert_eq!(a.work * (mass * speed * speed), b.work);
    }

    #[test]
    fn mirror_image_has_the_mirror_result(i in impact()) {
        let mirror = DMat3::from_diagonal(DVec3::new(1.0, -1.0, 1.0));
        let mirrored = Impact { matrix: mirror * i.matrix * mirror, velocity: mirror * i.velocity, ..i };
        let (p, q) = (resolve(&i).unwrap().impulse, resolve(&mirrored).unwrap().impulse);
        prop_assert!((mirror * p - q).length() <= 1e-13 * sensitivity(&i).max(10.0) * p.length());
    }

    #[test]
    fn collision_matrix_is_positive_definite_in_every_frame(a in body(), b in body(), q in rotation()) {
        let k = collision_matrix(Some(&a), Some(&b)).unwrap();
        prop_assert_eq!(k, k.transpose());
        prop_assert!(k.x_axis.x > 0.0 && k.x_axis.x * k.y_axis.y > k.x_axis.y * k.x_axis.y && k.determinant() > 0.0);
        let r = DMat3::from_quat(q);
        let turned = |b: &ContactBody| ContactBody {
            mass: b.mass,
            inertia: r * b.inertia * r.transpose(),
            arm: r * b.arm,
        };
        let direct = collision_matrix(Some(&turned(&a)), Some(&turned(&b))).unwrap();
        let scale = k.x_axis.x + k.y_axis.y + k.z_axis.z;
        prop_assert!(direct.abs_diff_eq(r * k * r.transpose(), 1e-13 * scale));
        // Which body comes first does not matter to the matrix.
        prop_assert_eq!(collision_matrix(Some(&b), Some(&a)).unwrap(), k);
    }

    #[test]
    fn impulse_is_continuous_across_rays(i in impact(), offset in -1.0..1.0f64) {
        // Where u_z always rises the path depends continuously on the start, even where a ray repels: nearby paths separate
        // only once u_t is as small as they were apart (the exponent |D| / C' of a repelling ray exceeds one).
        let coupling = i.matrix.z_axis.truncate().length();
        prop_assume!(i.material.friction > 1e-3 && i.matrix.z_axis.z > 1.05 * i.material.friction * coupling);
        for ray in rays(&i.matrix, i.material.friction).unwrap().iter() {
            let speed = i.velocity.truncate().length();
            let at = |turn: f64| {
                let tangential = (ray.direction + ray.direction.perp() * turn) * speed;
                resolve(&Impact { velocity: tangential.extend(i.velocity.z), ..i }).unwrap().impulse
            };
            let (on, near, nearer) = (at(0.0), at(1e-5 * offset), at(1e-8 * offset));
            prop_assert!((near - on).length() < 2e-3 * on.length(), "{ray:?} {on} {near}");
            prop_assert!((nearer - on).length() < 2e-6 * on.length(), "{ray:?} {on} {nearer}");
        }
    }

    #[test]
    fn path_leads_from_start_to_outcome(i in impact()) {
        let (points, out) = (path(&i, 7).unwrap(), resolve(&i).unwrap());
        prop_assert_eq!(points[0].velocity, i.velocity);
        let last = points[points.len() - 1];
        prop_assert!((last.velocity - out.velocity).length() <= 1e-12 * i.velocity.length());
        prop_assert!((last.normal_impulse - out.impulse.z).abs() <= 1e-12 * out.impulse.z);
        prop_assert!(points.windows(2).all(|w| w[1].normal_impulse >= w[0].normal_impulse - 1e-13 * out.impulse.z));
    }
}

#[test]
fn without_friction_or_turning_the_answer_is_elementary() {
    // A ball (moment 2/5 m r^2) on the floor: Newton, Poisson and Stronge agree; friction stops the sliding or mu p_z remains.
    let matrix = DMat3::from_diagonal(DVec3::new(3.5, 3.5, 1.0));
    for law in [Law::Stronge, Law::Poisson, Law::Newton] {
        let hit = |friction: f64, x: f64| {
            let material = Material { friction, restitution: 0.5, law };
            resolve(&Impact { matrix, material, velocity: DVec3::new(x, 0.0, -2.0) }).unwrap()
        };
        let smooth = hit(0.0, 1.0);
        assert_eq!((smooth.impulse, smooth.velocity), (DVec3::new(0.0, 0.0, 3.0), DVec3::new(1.0, 0.0, 1.0)));
        let slips = hit(0.1, 2.0);
        assert!((slips.impulse - DVec3::new(-0.3, 0.0, 3.0)).length() < 1e-15, "{slips:?}");
        assert!((slips.velocity - DVec3::new(0.95, 0.0, 1.0)).length() < 1e-15, "{slips:?}");
        let grips = hit(0.5, 2.0);
        assert!((grips.impulse - DVec3::new(-2.0 / 3.5, 0.0, 3.0)).length() < 1e-15, "{grips:?}");
        let modes: Vec<Mode> = grips.modes.as_slice().iter().map(|m| m.mode).collect();
        assert_eq!(modes, [Mode::Slide, Mode::Stick]);
    }
}

#[test]
fn bad_input_is_refused_with_its_reason() {
    let material = Material { friction: 0.3, restitution: 0.5, law: Law::Stronge };
    let good = Impact { matrix: DMat3::IDENTITY, material, velocity: DVec3::new(0.0, 1.0, -1.0) };
    assert!(resolve(&good).is_ok());
    let velocity = |v: DVec3| resolve(&Impact { velocity: v, ..good }).unwrap_err();
    let with = |friction: f64, restitution: f64| {
        resolve(&Impact { material: Material { friction, restitution, law: Law::Newton }, ..good }).unwrap_err()
    };
    assert_eq!(velocity(DVec3::ZERO), ImpactError::NotApproaching { velocity: 0.0 });
    assert_eq!(velocity(DVec3::Z), ImpactError::NotApproaching { velocity: 1.0 });
    assert!(matches!(velocity(DVec3::new(f64::NAN, 0.0, -1.0)), ImpactError::NotFinite { .. }));
    assert_eq!(with(-0.1, 0.5), ImpactError::Friction { friction: -0.1 });
    assert!(matches!(with(f64::NAN, 0.5), ImpactError::NotFinite { .. }));
    assert!(matches!(with(f64::INFINITY, 0.5), ImpactError::NotFinite { .. }));
    assert_eq!(with(0.1, 1.1), ImpactError::Restitution { restitution: 1.1 });
    assert_eq!(with(0.1, -0.1), ImpactError::Restitution { restitution: -0.1 });
    assert!(matches!(with(0.1, f64::NAN), ImpactError::Restitution { .. }));
    let indefinite = DMat3::from_diagonal(DVec3::new(1.0, -0.1, 1.0));
    assert_eq!(resolve(&Impact { matrix: indefinite, ..good }), Err(ImpactError::Indefinite));
    assert!(rays(&DMat3::IDENTITY, -1.0).is_err() && path(&Impact { matrix: indefinite, ..good }, 3).is_err());
}

/// Collision matrix (xx, xy, xz, yy, yz, zz), friction, restitution and law, relative velocity.
type Case = ([f64; 6], (f64, f64, Law), DVec3);

/// Slides along which the series once failed: nearly no turning beside strong slowing (an exponent of -19, then -74, at the ray
/// that is left), and nearly planar turning (a series of few terms cut before its product with P^2 was complete).
const FAILED_ONCE: [Case; 3] = [
    (
        [
            1.0501168688839584,
            0.015591478701405493,
            0.015868072308505156,
            1.0101798016568737,
            -0.015745610189749237,
            1.0852893543050905,
        ],
        (0.6293448337829001, 0.0, Law::Stronge),
        DVec3::new(-0.4884517743900313, 0.11347620116810152, -1.5827986904470985),
    ),
    (
        [
            0.9991311230586555,
            -0.0008594372699749775,
            0.000914302558497393,
            0.9948146624715508,
            -0.0003270893454196261,
            0.997693471713057,
        ],
        (0.1071186859911211, 0.2164354229472153, Law::Stronge),
        DVec3::new(-8.187134488133809e-7, -8.952888916634331e-9, -0.476776273695003),
    ),
    (
        [
            0.16787312018282913,
            5.3139376433813766e-11,
            -0.034269852767719426,
            0.3083949964004315,
            -1.9852483013512936e-11,
            0.1776397464654664,
        ],
        (0.16984542066848612, 0.46495064953613874, Law::Poisson),
        DVec3::new(-2.1676600854239774, 0.09459114240015037, -1.7809245225656094),
    ),
];

#[test]
fn slow_turning_and_near_symmetry_keep_their_digits() {
    for ([xx, xy, xz, yy, yz, zz], (friction, restitution, law), velocity) in FAILED_ONCE {
        let matrix = DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
        let out = resolve(&Impact { matrix, material: Material { friction, restitution, law }, velocity }).unwrap();
        let error = (velocity + matrix * out.impulse - out.velocity).length();
        assert!(error < 1e-13 * velocity.length(), "{error:e} {out:?}");
    }
}
