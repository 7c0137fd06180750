//! Impacts against the reference vectors, computed in 220-260 bit arithmetic from the same doubles (thesis chapter 3).

use glam::{DMat3, DVec2, DVec3};
use impulse::respond::{ContactBody, Impact, Law, Material, Mode, RayKind, collision_matrix, rays, resolve};
use serde_json::Value;

const VECTORS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/impact_vectors.jsonl"));

/// One reference impact.
struct Vector {
    id: String,
    class: String,
    impact: Impact,
    data: Value,
    expected: Value,
}

fn vectors() -> Vec<Vector> {
    VECTORS.lines().map(|line| vector(serde_json::from_str(line).unwrap())).collect()
}

fn vector(data: Value) -> Vector {
    let law = match data["law"].as_str().unwrap() {
        "stronge" => Law::Stronge,
        "poisson" => Law::Poisson,
        "newton" => Law::Newton,
        other => panic!("unknown law {other}"),
    };
    let material = Material { friction: number(&data["mu"]), restitution: number(&data["e"]), law };
    Vector {
        id: data["id"].as_str().unwrap().into(),
        class: data["cls"].as_str().unwrap().into(),
        impact: Impact { matrix: matrix(&data["K"]), material, velocity: triple(&data["u0"]) },
        expected: data["expected"].clone(),
        data,
    }
}

fn number(v: &Value) -> f64 {
    v.as_f64().unwrap_or_else(|| panic!("not a number: {v}"))
}

fn triple(v: &Value) -> DVec3 {
    DVec3::new(number(&v[0]), number(&v[1]), number(&v[2]))
}

fn matrix(v: &Value) -> DMat3 {
    DMat3::from_cols(triple(&v[0]), triple(&v[1]), triple(&v[2])).transpose()
}

/// The tolerance the vectors' makers suggest for doubles, from the measured condition of the result.
fn tolerance(condition: &Value) -> f64 {
    (1e-13 * number(condition)).max(1e-9)
}

#[test]
fn velocity_and_impulse() {
    for v in vectors() {
        let got = resolve(&v.impact).unwrap_or_else(|e| panic!("{}: {e}", v.id));
        let (p, u) = (triple(&v.expected["p"]), triple(&v.expected["u"]));
        let speed = u.length().max(v.impact.velocity.length());
        let u_error = (got.velocity - u).length() / speed;
        assert!(u_error <= tolerance(&v.data["cond_u"]), "{} {}: u off by {u_error:e}", v.id, v.class);
        let p_error = (got.impulse - p).length() / p.length();
        assert!(p_error <= tolerance(&v.data["cond_p"]), "{} {}: p off by {p_error:e}", v.id, v.class);
        // K p itself is rounded: v-186 has an impulse of 4.7e9 N s that changes the velocity by 6 m/s.
        let k = v.impact.matrix;
        let rounding =
            4.0 * f64::EPSILON * k.x_axis.length().max(k.y_axis.length()).max(k.z_axis.length()) * p.length();
        let kp_error = (k * got.impulse - (u - v.impact.velocity)).length();
        assert!(kp_error <= 1e-9 * speed + rounding, "{} {}: K p off by {kp_error:e}", v.id, v.class);
    }
}

#[test]
fn most_results_are_right_to_rounding() {
    let mut errors: Vec<f64> = vectors()
        .iter()
        .filter(|v| v.class != "near_singular")
        .map(|v| {
            let got = resolve(&v.impact).unwrap();
            let (p, u) = (triple(&v.expected["p"]), triple(&v.expected["u"]));
            let u_error = (got.velocity - u).length() / u.length().max(v.impact.velocity.length());
            u_error.max((got.impulse - p).length() / p.length())
        })
        .collect();
    errors.sort_by(f64::total_cmp);
    assert!(errors[errors.len() / 2] < 1e-15, "median {:e}", errors[errors.len() / 2]);
    assert!(errors[errors.len() - 1] < 1e-12, "worst {:e}", errors[errors.len() - 1]);
}

#[test]
fn work_and_maximum_compression() {
    for v in vectors() {
        let got = resolve(&v.impact).unwrap();
        let tolerance = 2.0 * tolerance(&v.data["cond_p"]);
        let close = |name: &str, value: f64, scale: f64| {
            let wanted = number(&v.expected[name]);
            assert!(
                (value - wanted).abs() <= tolerance * scale.max(wanted.abs()),
                "{} {}: {name} is {value:e}, not {wanted:e}",
                v.id,
                v.class
            );
        };
        close("W", got.work, 0.5 * got.impulse.length() * v.impact.velocity.length());
        close("Wz_mc", got.compression_work, 0.0);
        close("Wz_end", got.normal_work, got.compression_work.abs());
        close("pz_mc", got.compression_impulse, 0.0);
    }
}

#[test]
fn mode_paths() {
    let mut compared = 0;
    for v in vectors() {
        let got = resolve(&v.impact).unwrap();
        let stable = v.expected["stick_stable"].as_bool().unwrap();
        assert_eq!(got.sticking_is_stable, stable, "{} {}", v.id, v.class);
        if !v.data["modes_robust"].as_bool().unwrap() {
            continue;
        }
        compared += 1;
        let wanted = v.expected["modes"].as_array().unwrap();
        let modes = got.modes.as_slice();
        assert_eq!(modes.len(), wanted.len(), "{} {}: {modes:?}", v.id, v.class);
        for (mode, wanted) in modes.iter().zip(wanted) {
            assert_eq!(name(mode.mode), wanted["mode"].as_str().unwrap(), "{}: {modes:?}", v.id);
            let error = (mode.normal_impulse - number(&wanted["pz"])).abs();
            assert!(error <= tolerance(&v.data["cond_p"]) * got.impulse.z, "{}: {modes:?} {wanted}", v.id);
        }
        match (&v.expected["ray"], got.ray) {
            (Value::Null, None) => {}
            (wanted, Some(ray)) => {
                let wanted = DVec2::new(number(&wanted["dir"][0]), number(&wanted["dir"][1]));
                assert!((ray - wanted).length() < 1e-12, "{}: {ray} {wanted}", v.id);
            }
            (wanted, ray) => panic!("{}: {ray:?} instead of {wanted}", v.id),
        }
    }
    assert!(compared > 180, "only {compared} mode paths were compared");
}

fn name(mode: Mode) -> &'static str {
    match mode {
        Mode::Slide => "slide",
        Mode::Stick => "stick",
        Mode::SlipAlongRay => "slip_along_ray",
    }
}

#[test]
fn rays_of_every_vector() {
    for v in vectors() {
        let found: Vec<_> = rays(&v.impact.matrix, v.impact.material.friction).unwrap().iter().collect();
        let wanted = v.expected["rays"].as_array().unwrap();
        assert_eq!(found.len(), wanted.len(), "{} {}: {found:?}", v.id, v.class);
        for (ray, wanted) in found.iter().zip(wanted) {
            let kind = if wanted["kind"] == "diverging" { RayKind::Diverging } else { RayKind::Converging };
            assert!((ray.angle - number(&wanted["theta"])).abs() < 1e-9, "{}: {found:?}", v.id);
            assert_eq!(
                (ray.kind, ray.attracting),
                (kind, wanted["attracting"].as_bool().unwrap()),
                "{}: {ray:?}",
                v.id
            );
        }
    }
}

#[test]
fn collision_matrices_of_the_bodies() {
    let mut compared = 0;
    for v in vectors() {
        let Some(bodies) = v.data["bodies"].as_array() else { continue };
        let [first, second] = [body(&bodies[0]), body(&bodies[1])];
        let k = collision_matrix(first.as_ref(), second.as_ref()).unwrap();
        let scale = k.x_axis.length().max(k.y_axis.length()).max(k.z_axis.length());
        assert!(k.abs_diff_eq(v.impact.matrix, 1e-12 * scale), "{} {}: {k}", v.id, v.class);
        compared += 1;
    }
    assert!(compared > 50, "only {compared} collision matrices were compared");
}

fn body(v: &Value) -> Option<ContactBody> {
    (!v.is_null()).then(|| ContactBody { mass: number(&v["m"]), inertia: matrix(&v["I"]), arm: triple(&v["r"]) })
}
