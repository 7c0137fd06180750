//! Measured impacts of a planar ellipse on steel (Fazeli et al.) against the three laws of restitution (thesis 3.1).

use glam::{DMat3, DVec3};
use impulse::respond::{ContactBody, Impact, Law, Material, collision_matrix, resolve};

const MEASURED: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/ellipse_impacts.csv"));

/// kg, m.
const MASS: f64 = 0.0364;
const HALF_AXES: (f64, f64) = (0.035, 0.025);

/// Mean over all impacts of sqrt(E(error) / E(before)), E the kinetic energy of a velocity of the ellipse.
fn mean_error(law: Law) -> f64 {
    let inertia = MASS * (HALF_AXES.0 * HALF_AXES.0 + HALF_AXES.1 * HALF_AXES.1) / 4.0;
    let material = Material { friction: 0.18, restitution: 0.54, law };
    let energy = |vx: f64, vy: f64, w: f64| 0.5 * (MASS * (vx * vx + vy * vy) + inertia * w * w);
    let errors: Vec<f64> = MEASURED
        .lines()
        .skip(1)
        .filter_map(|line| {
            let v: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
            let [vx0, vy0, w0, vx1, vy1, w1, rx, ry] = v[..] else { panic!("eight columns: {line}") };
            // The floor's normal is y: collision axes x, -z, y; the spin is about z.
            let arm = DVec3::new(rx, 0.0, ry);
            let body = ContactBody { mass: MASS, inertia: DMat3::from_diagonal(DVec3::splat(inertia)), arm };
            let velocity = DVec3::new(vx0 - w0 * ry, 0.0, vy0 + w0 * rx);
            let matrix = collision_matrix(Some(&body), None).unwrap();
            (velocity.z < 0.0).then(|| {
                let p = resolve(&Impact { matrix, material, velocity }).unwrap().impulse;
                let (vx, vy) = (vx0 + p.x / MASS, vy0 + p.z / MASS);
                let w = w0 + (rx * p.z - ry * p.x) / inertia;
                (energy(vx - vx1, vy - vy1, w - w1) / energy(vx0, vy0, w0)).sqrt()
            })
        })
        .collect();
    assert!(errors.len() > 850, "only {} impacts approach", errors.len());
    errors.iter().sum::<f64>() / errors.len() as f64
}

#[test]
fn every_law_misses_the_measurements_by_a_tenth() {
    for law in [Law::Stronge, Law::Poisson, Law::Newton] {
        let error = mean_error(law);
        assert!((error - 0.102).abs() < 0.002, "{law:?}: {error}");
    }
}
