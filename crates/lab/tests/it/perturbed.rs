//! One shake, against closed forms.

use crate::support::{cuboid, landscape, random_part};
use impulse_lab::{Landscape, perturbed, quasi_static, shaken};
use std::f64::consts::PI;

#[test]
fn without_a_cone_nothing_is_shaken() {
    for seed in 0..20 {
        let landscape = landscape(&random_part(seed));
        let still = quasi_static(&landscape);
        assert!(perturbed(&landscape, 1e-9).iter().zip(&still).all(|(a, b)| (a - b).abs() < 1e-12));
        assert!((perturbed(&landscape, 0.35).iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}

/// With a cone of half the sphere about one face, each other face gets its solid angle within that half: for a cube the five
/// faces get 1/3 and four times 1/6.
#[test]
fn a_cone_of_half_the_sphere_sees_half_the_cube() {
    let cube = landscape(&cuboid(0.1, 0.1, 0.1));
    let shares = shaken(&cube, 0, 0.5 * PI);
    let sorted = {
        let mut sorted = shares.clone();
        sorted.sort_by(f64::total_cmp);
        sorted
    };
    assert!((shares[0] - 1.0 / 3.0).abs() < 2e-3, "{shares:?}");
    assert!(sorted[0] == 0.0 && sorted[1..5].iter().all(|p| (p - 1.0 / 6.0).abs() < 2e-3), "{shares:?}");
}

/// A long slab on its narrow side: the line from the centre leaves the side where it tilts by more than atan(a / h) across it. The
/// share of a cone of half-angle c beyond a great circle at angle t from its axis is that of a cap cut by a plane.
#[test]
fn a_narrow_side_loses_what_lies_beyond_its_edges() {
    let (a, h) = (0.2, 1.0);
    let slab = Landscape::new(&cuboid(20.0, 2.0 * a, 2.0 * h), 1e-4);
    let side = slab.poses.iter().position(|pose| pose.down.z < -0.5).unwrap();
    let cone = 20.0_f64.to_radians();
    let angle = libm::atan(a / h);
    // Integrate over the distance from the axis: beyond the edge where cos(azimuth) > tan(angle) / tan(theta).
    let steps = 200_000;
    let (mut beyond, mut all) = (0.0, 0.0);
    for k in 0..steps {
        let theta = cone * (f64::from(k) + 0.5) / f64::from(steps);
        all += libm::sin(theta);
        let ratio = libm::tan(angle) / libm::tan(theta);
        if ratio < 1.0 {
            beyond += libm::sin(theta) * 2.0 * libm::acos(ratio) / PI;
        }
    }
    let kept = 1.0 - beyond / all;
    let found = shaken(&slab, side, cone)[side];
    assert!((found - kept).abs() < 2e-3, "{found} {kept}");
}
