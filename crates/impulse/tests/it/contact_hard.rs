//! Joint contact problems that were not solved once: heavy bodies on light ones, coins on each other, checked against the laws.

use crate::contact_solve::{assert_laws, tower};
use crate::support::data;
use impulse::contact::{ContactPoint, JointSolver, Mover, MoverIndex, Resistance};
use impulse::{DMat3, DVec3};
use serde_json::Value;

fn vector(v: &Value) -> DVec3 {
    let [x, y, z] = [0, 1, 2].map(|i| v[i].as_f64().unwrap());
    DVec3::new(x, y, z)
}

fn matrix(v: &Value) -> DMat3 {
    DMat3::from_cols(vector(&v[0]), vector(&v[1]), vector(&v[2]))
}

fn movers(v: &Value) -> [Option<MoverIndex>; 2] {
    [0, 1].map(|side| v[side].as_u64().map(|i| MoverIndex(i as u32)))
}

fn mover(v: &Value) -> Mover {
    let body = Mover::new(v["mass"].as_f64().unwrap(), matrix(&v["inertia"]));
    body.moving(vector(&v["velocity"]), vector(&v["spin"]))
}

fn point(v: &Value) -> ContactPoint {
    ContactPoint {
        movers: movers(&v["movers"]),
        arms: [vector(&v["arms"][0]), vector(&v["arms"][1])],
        frame: matrix(&v["frame"]),
        drift: vector(&v["drift"]),
        target: vector(&v["target"]),
        friction: v["friction"].as_f64().unwrap(),
        impulse: vector(&v["impulse"]),
        matrix: DMat3::ZERO,
    }
}

fn resistance(v: &Value) -> Resistance {
    Resistance {
        movers: movers(&v["movers"]),
        points: [0, 1].map(|i| v["points"][i].as_u64().unwrap() as usize),
        frame: matrix(&v["frame"]),
        drift: vector(&v["drift"]),
        target: vector(&v["target"]),
        rolling: v["rolling"].as_f64().unwrap(),
        spinning: v["spinning"].as_f64().unwrap(),
        impulse: vector(&v["impulse"]),
        matrix: DMat3::ZERO,
        inverse_mass: 0.0,
    }
}

fn all<T>(v: &Value, read: fn(&Value) -> T) -> Vec<T> {
    v.as_array().unwrap().iter().map(read).collect()
}

/// Problems met in scenes, with the impulses of the last hop: a box of a tonne and of ten tonnes on one of a kilogram while they
/// still rock, and tossed coins on each other.
#[test]
fn problems_from_scenes_are_solved() {
    for line in data("hard_contacts.jsonl").lines() {
        let problem: Value = serde_json::from_str(line).unwrap();
        let before = all(&problem["movers"], mover);
        let (mut movers, mut points) = (before.clone(), all(&problem["points"], point));
        let mut resistances = all(&problem["resistances"], resistance);
        let hop_velocity = problem["hop_velocity"].as_f64().unwrap();
        let solved = JointSolver::default().solve(&mut movers, &mut points, &mut resistances, hop_velocity);
        assert!(solved.converged, "{solved:?}");
        assert_laws(&before, &movers, &points, 4e-4 * hop_velocity);
        for resistance in &resistances {
            let [first, count] = resistance.points;
            let press: f64 = points[first..first + count].iter().map(|point| point.impulse.z).sum();
            let (across, along) = (resistance.impulse.truncate().length(), resistance.impulse.z.abs());
            assert!(across <= resistance.rolling * press * (1.0 + 1e-9), "{resistance:?} {press}");
            assert!(along <= resistance.spinning * press * (1.0 + 1e-9), "{resistance:?} {press}");
        }
    }
}

/// A body set on another, from 1:1 to 1e6:1 and the other way round: both fall for half a hop, and are stopped and sent back up.
#[test]
fn heavy_bodies_rest_on_light_ones() {
    let hop_velocity = 1e-2;
    for exponent in -6..=6 {
        let ratio = 10f64.powi(exponent);
        for masses in [vec![1.0, ratio], vec![1.0, ratio, 1.0], vec![1.0, ratio.sqrt(), ratio], vec![ratio, 1.0, ratio]]
        {
            let fall = vec![DVec3::Z * -hop_velocity; masses.len()];
            let (before, mut points) = tower(&masses, &fall, 0.5);
            let before: Vec<_> = before.iter().map(|m| m.moving(m.velocity, DVec3::ZERO)).collect();
            let mut movers = before.clone();
            let solved = JointSolver::default().solve(&mut movers, &mut points, &mut [], hop_velocity);
            assert!(solved.converged && solved.steps <= 4, "{masses:?}: {solved:?}");
            assert_laws(&before, &movers, &points, 1e-7);
        }
    }
}

/// Rounding of the impulses that squeeze a light body is no error: at 1e13:1 it alone is more than the share of the hop's
/// velocity that is asked for.
#[test]
fn rounding_of_squeezing_impulses_is_no_error() {
    let hop_velocity = 1e-2;
    let (before, mut points) = tower(&[1.0, 1e13], &[DVec3::Z * -hop_velocity; 2], 0.5);
    let mut movers: Vec<_> = before.iter().map(|m| m.moving(m.velocity, DVec3::ZERO)).collect();
    let solved = JointSolver::default().solve(&mut movers, &mut points, &mut [], hop_velocity);
    let squeeze = points.iter().map(|point| point.impulse.z * point.matrix.z_axis.z).fold(0.0, f64::max);
    assert!(solved.converged, "{solved:?}");
    assert!(solved.error <= 1e-4 * hop_velocity + 8.0 * f64::EPSILON * squeeze, "{solved:?} {squeeze}");
}

/// A ball in the corner of a floor and a wall, with strong friction: it lands with gravity's velocity and is to leave the floor with the
/// same. At the wall it must not slip on the way, and be a little farther off in the end. No impulses do all of that.
#[test]
fn targets_that_contradict_each_other_are_reconciled() {
    let hop_velocity = 1e-2;
    let (mass, radius) = (0.7, 0.1);
    let ball = Mover::new(mass, DMat3::from_diagonal(DVec3::splat(0.4 * mass * radius * radius)));
    let before = [ball.moving(DVec3::Z * (-0.25 * hop_velocity), DVec3::ZERO)];
    let point = |normal: DVec3, tangent: DVec3, target: DVec3| ContactPoint {
        movers: [Some(MoverIndex(0)), None],
        arms: [-radius * normal, DVec3::ZERO],
        frame: DMat3::from_cols(tangent, normal.cross(tangent), normal),
        drift: DVec3::ZERO,
        target: hop_velocity * target,
        friction: 10.0,
        impulse: DVec3::ZERO,
        matrix: DMat3::ZERO,
    };
    let asked = [
        point(DVec3::Z, DVec3::X, DVec3::new(0.0, 0.0, 0.25)),
        point(DVec3::X, DVec3::Z, DVec3::new(0.25, 0.0, 0.005)),
    ];
    let (mut movers, mut points) = (before.to_vec(), asked.to_vec());
    let solved = JointSolver::default().solve(&mut movers, &mut points, &mut [], hop_velocity);
    assert!(!solved.met, "there is no answer: {solved:?} {points:?}");

    let (mut movers, mut points) = (before.to_vec(), asked.to_vec());
    let solved = JointSolver::default().solve_reconciled(&mut movers, &mut points, hop_velocity, true);
    assert!(solved.met, "{solved:?}");
    assert_laws(&before, &movers, &points, 4e-4 * hop_velocity);
    for (point, asked) in points.iter().zip(&asked) {
        let change = (point.target - asked.target) / hop_velocity;
        assert!(change.z.abs() < 1e-6 && change.length() < 0.01, "no more than it takes: {change}");
        assert!(point.impulse.length() < 10.0 * mass * hop_velocity, "nothing jams: {}", point.impulse);
    }
}
