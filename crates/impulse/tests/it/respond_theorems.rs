//! The theorems of thesis 3.2.3 and 3.4 on random collision matrices, and Figure 3.3.

use crate::respond_support::matrix;
use glam::{DMat3, DVec2, DVec3};
use impulse::respond::{Impact, Law, Material, Mode, RayKind, Rays, rays, resolve, sticking_is_stable};
use proptest::prelude::*;

/// K of Figure 3.3.
const FIGURE_3_3: DMat3 = DMat3::from_cols_array(&[8.0, -2.0, 1.0, -2.0, 3.0, -1.0, 1.0, -1.0, 5.0]);

/// `d u_t / d p_z` at a sliding angle, straight from Theorem 8.
fn tangential_rate(k: &DMat3, friction: f64, angle: f64) -> DVec2 {
    (*k * DVec3::new(-friction * libm::cos(angle), -friction * libm::sin(angle), 1.0)).truncate()
}

/// How often `d u_t / d p_z` winds around zero as the sliding angle goes around once.
fn winding(k: &DMat3, friction: f64) -> i64 {
    let steps = 20_000;
    let angle = |i: i32| f64::from(i) * core::f64::consts::TAU / f64::from(steps);
    let turned: f64 = (0..steps)
        .map(|i| {
            let (a, b) = (tangential_rate(k, friction, angle(i)), tangential_rate(k, friction, angle(i + 1)));
            libm::atan2(a.perp_dot(b), a.dot(b))
        })
        .sum();
    libm::round(turned / core::f64::consts::TAU) as i64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn theorem_9_sticking_holds_if_its_impulse_is_in_the_cone(k in matrix(), friction in 0.0..1.5f64) {
        let inverse = k.inverse();
        let (needed, held) = (inverse.z_axis.truncate().length(), friction * inverse.z_axis.z);
        prop_assume!((needed - held).abs() > 1e-9 * held);
        prop_assert_eq!(sticking_is_stable(&k, friction).unwrap(), needed < held);
    }

    #[test]
    fn theorem_13_the_ellipse_circles_the_origin_if_sticking_is_stable(k in matrix(), friction in 0.01..1.5f64) {
        let inverse = k.inverse();
        let (needed, held) = (inverse.z_axis.truncate().length(), friction * inverse.z_axis.z);
        prop_assume!((needed - held).abs() > 1e-2 * held);
        prop_assert_eq!(winding(&k, friction), i64::from(sticking_is_stable(&k, friction).unwrap()));
    }

    #[test]
    fn theorems_15_and_16_count_the_diverging_rays(k in matrix(), friction in 0.001..1.5f64) {
        let all = rays(&k, friction).unwrap();
        let diverging: Vec<_> = all.iter().filter(|r| r.kind == RayKind::Diverging).collect();
        let stable = sticking_is_stable(&k, friction).unwrap();
        prop_assert_eq!(diverging.len(), usize::from(!stable));
        // From u_t = 0 the contact sticks, or leaves along exactly that ray.
        let material = Material { friction, restitution: 0.5, law: Law::Stronge };
        let out = resolve(&Impact { matrix: k, material, velocity: -DVec3::Z }).unwrap();
        let mode = if stable { Mode::Stick } else { Mode::SlipAlongRay };
        prop_assert_eq!(out.modes.as_slice()[0].mode, mode);
        if let Some(ray) = out.ray {
            prop_assert!((ray - diverging[0].direction).length() < 1e-11);
            prop_assert!(out.velocity.truncate().normalize().dot(ray) > 1.0 - 1e-14);
        }
    }

    #[test]
    fn rays_are_all_the_zeros_of_the_turning(k in matrix(), friction in 0.001..1.5f64) {
        let turning = |angle: f64| {
            DVec2::new(libm::cos(angle), libm::sin(angle)).perp_dot(tangential_rate(&k, friction, angle))
        };
        let found: Vec<_> = rays(&k, friction).unwrap().iter().collect();
        let scale = k.x_axis.length() + k.y_axis.length();
        for ray in &found {
            prop_assert!(turning(ray.angle).abs() < 1e-13 * scale, "{ray:?}");
        }
        let steps = 3600;
        let angle = |i: i32| f64::from(i) * core::f64::consts::TAU / f64::from(steps) + 1e-4;
        let changes = (0..steps).filter(|&i| (turning(angle(i)) < 0.0) != (turning(angle(i + 1)) < 0.0)).count();
        prop_assert!(found.len() >= changes && found.len() % 2 == 0, "{changes} {found:?}");
        prop_assert_eq!(found.iter().filter(|r| r.attracting).count() * 2, found.len());
    }
}

#[test]
fn figure_3_3_has_rays_at_147_and_minus_71_degrees() {
    let found: Vec<_> = rays(&FIGURE_3_3, 0.2).unwrap().iter().collect();
    assert_eq!(found.len(), 2);
    let degrees: Vec<f64> = found.iter().map(|r| r.angle.to_degrees()).collect();
    assert!((degrees[0] + 71.113).abs() < 5e-4 && (degrees[1] - 147.001).abs() < 5e-4, "{degrees:?}");
    assert_eq!((found[0].kind, found[0].attracting), (RayKind::Diverging, true));
    // The converging ray repels, so no path but the one on it arrives there: a converging ray need not attract.
    assert_eq!((found[1].kind, found[1].attracting), (RayKind::Converging, false));
}

#[test]
fn rays_at_the_seam_and_double_rays_are_found() {
    // s along x, M a multiple of one: rays at 0 and exactly pi.
    let k = DMat3::from_cols_array(&[2.0, 0.0, 1.0, 0.0, 2.0, 0.0, 1.0, 0.0, 2.0]);
    let angles: Vec<f64> = rays(&k, 0.3).unwrap().iter().map(|r| r.angle).collect();
    assert_eq!(angles.len(), 2);
    assert!(angles[0].abs() < 1e-15 && angles[1] == core::f64::consts::PI, "{angles:?}");
    // C = sin(theta) ((a - b) mu cos(theta) - e): as e reaches (a - b) mu three rays merge at 0; below it there are four.
    let four = DMat3::from_cols_array(&[3.0, 0.0, 0.5, 0.0, 2.0, 0.0, 0.5, 0.0, 2.0]);
    assert_eq!(rays(&four, 1.0).unwrap().iter().count(), 4);
    let merged = DMat3::from_cols_array(&[3.0, 0.0, 1.0, 0.0, 2.0, 0.0, 1.0, 0.0, 2.0]);
    assert_eq!(rays(&merged, 1.0).unwrap().iter().count(), 2);
    assert_eq!(rays(&DMat3::IDENTITY, 1.0).unwrap(), Rays::EveryDirection);
}

#[test]
fn a_ray_where_the_turning_only_touches_zero_counts_once() {
    // With M diagonal, C = mu (a - b) c s + d c - e s. It has a double zero at phi where also C' = 0: take phi = 45 degrees,
    // a - b = 2, mu = 1: then d - e = -sqrt 2 and d + e = 0, so e = -d = 1/sqrt 2.
    let e = core::f64::consts::FRAC_1_SQRT_2;
    let touching = DMat3::from_cols_array(&[4.0, 0.0, e, 0.0, 2.0, -e, e, -e, 3.0]);
    let turning = |phi: f64| 2.0 * libm::cos(phi) * libm::sin(phi) - e * libm::cos(phi) - e * libm::sin(phi);
    let slope = |phi: f64| 2.0 * libm::cos(2.0 * phi) + e * libm::sin(phi) - e * libm::cos(phi);
    let zero = core::f64::consts::FRAC_PI_4;
    assert!(turning(zero).abs() < 1e-15 && slope(zero).abs() < 1e-15);
    let found: Vec<_> = rays(&touching, 1.0).unwrap().iter().collect();
    let near: Vec<_> = found.iter().filter(|r| (r.angle - zero).abs() < 1e-6).collect();
    assert!(near.len() == 1 && found.len() == 3, "{found:?}");
}
