//! Quasi-static estimates against solid angles in closed form (7.1).

use crate::support::{cuboid, landscape, prism, random_part};
use impulse_lab::quasi_static;
use std::f64::consts::PI;

#[test]
fn a_cube_has_six_equal_poses() {
    let cube = landscape(&cuboid(0.1, 0.1, 0.1));
    assert_eq!(cube.poses.len(), 6);
    assert!(quasi_static(&cube).iter().all(|p| (p - 1.0 / 6.0).abs() < 1e-14));
    assert!(cube.poses.iter().all(|pose| pose.group == 0));
    let barrier = 0.05 * (2.0_f64.sqrt() - 1.0);
    assert!(cube.poses.iter().all(|pose| (pose.barrier - barrier).abs() < 1e-15), "{:?}", cube.poses[0].barrier);
}

/// The solid angle of a rectangle with half sides a, b at distance d from its middle is 4 asin(a b / sqrt((a^2 + d^2)(b^2 + d^2))).
#[test]
fn square_prisms_land_by_solid_angle() {
    for ratio in [0.4, 0.63, 0.97, 1.44, 2.5] {
        let prism = landscape(&cuboid(0.02, 0.02, 0.02 * ratio));
        let (a, d) = (1.0, ratio);
        let square = 4.0 * libm::asin(a * a / (a * a + d * d)) / (4.0 * PI);
        for (pose, p) in prism.poses.iter().zip(quasi_static(&prism)) {
            let expected = if pose.down.z.abs() > 0.5 { square } else { (1.0 - 2.0 * square) / 4.0 };
            assert!((p - expected).abs() < 1e-14, "{ratio}: {p} {expected}");
        }
        assert_eq!(prism.poses.iter().filter(|pose| pose.group == 0).count(), if ratio < 1.0 { 2 } else { 4 });
    }
}

/// A coin whose circumscribed sphere is divided into three equal parts by its rims: thickness over diameter 1 / sqrt(8).
#[test]
fn a_coin_of_the_right_thickness_stands_on_its_side_once_in_three() {
    let coin = landscape(&prism(256, 0.5, 0.353_55));
    assert_eq!(coin.poses.len(), 3);
    let side = coin.poses.iter().position(|pose| pose.down.z.abs() < 0.5).unwrap();
    assert!((quasi_static(&coin)[side] - 1.0 / 3.0).abs() < 1e-3);
    assert!(coin.poses[side].rolls && coin.poses[side].faces.len() == 256);
    assert!(coin.poses.iter().filter(|pose| pose.rolls).count() == 1);
}

#[test]
fn probabilities_of_random_parts_sum_to_one() {
    for seed in 0..200 {
        let landscape = landscape(&random_part(seed));
        let sum: f64 = quasi_static(&landscape).iter().sum();
        assert!((sum - 1.0).abs() < 1e-12, "{seed}: {sum}");
    }
}
