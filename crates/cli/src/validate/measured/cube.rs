//! The tossed cube simulated: as its data sheet says, and as the measurements say it is.

use super::score::{GRAVITY, HALF, SHORT, before_impact, long, short, start};
use super::tosses::{RATE, Sample, Toss};
use super::{Bound, Row, bootstrap};
use anyhow::Context;
use glam::{DMat3, DQuat, DVec3};
use impulse::geometry::{Cuboid, HalfSpace, MassProperties, RoundedCuboid, Shape};
use impulse::respond::{Law, Material};
use impulse::world::{BodySpec, Settings, WorldBuilder};
use std::path::Path;

/// Mass, kg.
const MASS: f64 = 0.37;

/// A cube on a floor.
#[derive(Clone, Copy)]
struct Model {
    half: f64,
    /// Of edges and corners, m.
    radius: f64,
    gravity: f64,
    /// Centre of mass off the middle along the body's z, m.
    off: f64,
    /// Inertia over mass, m^2.
    gyration: f64,
    friction: f64,
    restitution: f64,
}

/// As on the data sheet, with the authors' friction and restitution.
const SHEET: Model = Model {
    half: 0.0524,
    radius: 0.0,
    gravity: 9.81,
    off: 0.0,
    gyration: 0.00081 / MASS,
    friction: 0.18,
    restitution: 0.125,
};

/// As the data say, with sharp corners.
const SHARP: Model = Model {
    half: HALF,
    radius: 0.0,
    gravity: GRAVITY,
    off: 0.0064,
    gyration: 0.00294,
    friction: 0.18,
    restitution: 0.3,
};

/// As the data say, with rounded corners.
const ROUNDED: Model =
    Model { radius: 0.0053, off: 0.0058, gyration: 0.00249, friction: 0.16, restitution: 0.27, ..SHARP };

/// Scores of all tosses.
pub(super) fn rows(tosses: &[Toss], predictions: Option<&Path>) -> anyhow::Result<Vec<Row>> {
    let kept = |name: &str| predictions.map(|folder| folder.join(name));
    let (sheet, sharp) = (rollouts(tosses, &SHEET, None)?, rollouts(tosses, &SHARP, kept("long").as_deref())?);
    let (first_sheet, first) = (impacts(tosses, &SHEET, None)?, impacts(tosses, &ROUNDED, kept("short").as_deref())?);
    let row = |(name, quantity), values: &[f64], bound| {
        Row::new(name, quantity, bootstrap::mean(values), bound).between(bootstrap::interval(values))
    };
    let (faces, sheet_faces) = (percent(&sharp[2]), percent(&sheet[2]));
    Ok(vec![
        row(
            ("cube_position", "tosses, calibrated cube with sharp corners: position, % of the side"),
            &sharp[0],
            Some(Bound::AtMost(9.6)),
        )
        .beside("MuJoCo 11.8, Bullet 10.4; rounded: MuJoCo 9.9, Drake 9.9"),
        row(("cube_rotation", "rotation, degrees"), &sharp[1], Some(Bound::AtMost(10.2)))
            .beside("MuJoCo 10.7, Bullet 11.0; rounded: MuJoCo 10.2, Drake 10.0"),
        row(("cube_face", "final faces that are right, %"), &faces, Some(Bound::AtLeast(92.0)))
            .beside("MuJoCo 93.7, Bullet 93.3; rounded: MuJoCo 95.1"),
        row(("cube_velocity", "first impact, rounded corners: velocity, m/s"), &first[0], Some(Bound::AtMost(0.033)))
            .beside("Drake 0.041, Bullet 0.049, MuJoCo 0.056"),
        row(("cube_spin", "angular velocity, rad/s"), &first[1], Some(Bound::AtMost(0.75)))
            .beside("Drake 0.88, MuJoCo 1.00, Bullet 1.04"),
        row(("cube_position_sheet", "as on the data sheet: position, %"), &sheet[0], None)
            .beside("Drake 12.8, Bullet 13.6, MuJoCo 14.6"),
        row(("cube_rotation_sheet", "rotation, degrees"), &sheet[1], None)
            .beside("Drake 16.9, MuJoCo 17.4, Bullet 18.7"),
        row(("cube_face_sheet", "final faces, %"), &sheet_faces, None).beside("MuJoCo 84.6, Drake 83.2, Bullet 81.4"),
        row(
            ("cube_velocity_sheet", "first impact, raised where the larger cube reaches into the floor: velocity, m/s"),
            &first_sheet[0],
            None,
        )
        .beside("Drake 0.099, MuJoCo 0.101"),
        row(("cube_spin_sheet", "angular velocity, rad/s"), &first_sheet[1], None).beside("MuJoCo 2.61, Bullet 2.63"),
        row(
            ("cube_position_gain", "calibrated less data sheet, paired: position, %"),
            &paired(&sharp[0], &sheet[0]),
            None,
        ),
        row(("cube_rotation_gain", "rotation, degrees"), &paired(&sharp[1], &sheet[1]), None),
    ])
}

/// Differences, case by case.
fn paired(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn percent(shares: &[f64]) -> Vec<f64> {
    shares.iter().map(|share| 100.0 * share).collect()
}

/// Errors of whole tosses: positions, rotations, faces.
fn rollouts(tosses: &[Toss], model: &Model, kept: Option<&Path>) -> anyhow::Result<[Vec<f64>; 3]> {
    let mut errors = [const { Vec::new() }; 3];
    for (number, measured) in tosses {
        let mut first = measured[0];
        // The velocity is the mean of the time before the sample.
        first.velocity.z -= 0.5 * model.gravity / RATE;
        let predicted = predict(model, &first, measured.len()).with_context(|| format!("toss {number}"))?;
        keep(kept, *number, &predicted)?;
        errors.iter_mut().zip(long(measured, &predicted)).for_each(|(all, error)| all.push(error));
    }
    Ok(errors)
}

/// Errors of first impacts: velocities, angular velocities. Tosses that end before there is anything to compare are left out.
fn impacts(tosses: &[Toss], model: &Model, kept: Option<&Path>) -> anyhow::Result<[Vec<f64>; 2]> {
    let mut errors = [const { Vec::new() }; 2];
    for (number, measured) in tosses {
        let first = before_impact(measured);
        if first + SHORT >= measured.len() {
            continue;
        }
        let predicted = predict(model, &start(measured, first), SHORT + 1).with_context(|| format!("toss {number}"))?;
        keep(kept, *number, &predicted)?;
        errors.iter_mut().zip(short(measured, &predicted, first)).for_each(|(all, error)| all.push(error));
    }
    Ok(errors)
}

/// Writes a prediction as `score.py` reads it.
fn keep(folder: Option<&Path>, toss: u32, predicted: &[Sample]) -> anyhow::Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let mut text = "t,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n".to_owned();
    for (k, Sample { place: p, attitude: q, .. }) in predicted.iter().enumerate() {
        let pose = [k as f64 / RATE, p.x, p.y, p.z, q.w, q.x, q.y, q.z].map(|x| format!("{x:?}"));
        text += &format!("{},0,0,0,0,0,0\n", pose.join(","));
    }
    let path = folder.join(format!("toss_{toss:03}.csv"));
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// How far clear of the floor a cube is put that was measured in it, m.
const CLEAR: f64 = 1e-6;

impl Model {
    /// How much a cube must be raised to be clear of the floor at the start.
    fn sunk(&self, height: f64, attitude: DQuat) -> f64 {
        let up = attitude.inverse() * DVec3::Z;
        let lowest = height - (self.half - self.radius) * (up.x.abs() + up.y.abs() + up.z.abs()) - self.radius;
        (CLEAR - lowest).max(0.0)
    }
}

/// Poses at so many samples from a start on.
fn predict(model: &Model, first: &Sample, count: usize) -> anyhow::Result<Vec<Sample>> {
    let mut builder = WorldBuilder::new(Settings { gravity: DVec3::NEG_Z * model.gravity, ..Settings::default() })?;
    let material = Material { friction: model.friction, restitution: model.restitution, law: Law::Stronge };
    let material = builder.add_material(material)?;
    builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0)?).material(material))?;
    let size = DVec3::splat(2.0 * model.half);
    let shape = if model.radius > 0.0 {
        Shape::from(RoundedCuboid::new(size, model.radius)?)
    } else {
        Cuboid::new(size)?.into()
    };
    let com = DVec3::Z * model.off;
    let inertia = DMat3::from_diagonal(DVec3::splat(MASS * model.gyration));
    let attitude = first.attitude.normalize();
    // The velocity that was measured is that of the middle.
    let velocity = first.velocity + attitude * first.spin.cross(com);
    let cube = BodySpec::free("cube", shape)
        .at(first.place + DVec3::Z * model.sunk(first.place.z, attitude))
        .rotated(attitude)
        .velocity(velocity)
        .spin(first.spin);
    let cube = cube.mass_properties(MassProperties { mass: MASS, com, inertia }).material(material);
    let cube = builder.add_body(cube)?;
    let mut world = builder.build()?;
    let mut predicted = Vec::with_capacity(count);
    for k in 0..count {
        world.run_to(k as f64 / RATE)?;
        let pose = world.body(cube).context("nothing removes the cube")?.pose();
        predicted.push(Sample {
            place: pose.translation,
            attitude: pose.rotation,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
        });
    }
    Ok(predicted)
}
