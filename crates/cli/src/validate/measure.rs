//! What each case measures, and the closed form or published value it is compared with.

use super::trial::{Answer, Running, Trial};
use anyhow::{Context, bail, ensure};
use glam::DVec3;
use impulse::math::Pose;
use impulse::world::{Event, Settings, World};
use std::f64::consts::{PI, TAU};
use std::time::Instant;

/// How far a block slides down a ramp: `v^2 / (2 g (mu cos a - sin a))`, m.
pub(super) fn ramp(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let mut run = trial.open(0)?;
    let (slope, friction, speed) = (run.param("slope")?.to_radians(), run.param("friction")?, run.param("speed")?);
    let braking = run.gravity * (friction * slope.cos() - slope.sin());
    let start = run.now("block")?.world_from_body.translation;
    run.run(speed / braking + 1.0)?;
    let moved = run.now("block")?.world_from_body.translation - start;
    let downhill = DVec3::new(slope.cos(), 0.0, -slope.sin());
    Ok(run.answer(moved.dot(downhill), speed * speed / (2.0 * braking)))
}

/// How far down a ramp a block is that was thrown up it, came to a stop and slid back, m.
pub(super) fn slip_reversal(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let mut run = trial.open(0)?;
    let (slope, friction, speed) = (run.param("slope")?.to_radians(), run.param("friction")?, -run.param("speed")?);
    let (pull, hold) = (run.gravity * slope.sin(), run.gravity * friction * slope.cos());
    let start = run.now("block")?.world_from_body.translation;
    let (until, turn) = (0.8, speed / (pull + hold));
    run.run(until)?;
    let moved = run.now("block")?.world_from_body.translation - start;
    let downhill = DVec3::new(slope.cos(), 0.0, -slope.sin());
    let back = 0.5 * (pull - hold) * (until - turn) * (until - turn);
    Ok(run.answer(moved.dot(downhill), back - 0.5 * speed * turn))
}

/// The speed of a block on a vibrating plate, from 2 s on, a whole number of periods, m/s. The exact one is that of
/// `impulse/tests/it/coulomb_oracle.rs`.
pub(super) fn conveying(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let mut run = trial.open(0)?;
    let begin = 2.0;
    run.run(begin)?;
    let start = run.now("block")?.world_from_body.translation;
    run.run(run.duration)?;
    let moved = run.now("block")?.world_from_body.translation - start;
    Ok(run.answer(moved.x / (run.duration - begin), 0.024_756_74))
}

/// The height of the one of five bounces of a ball that is farthest from `h e^(2n)`, m.
pub(super) fn bounce(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    worst_bounce(trial, "ball")
}

/// The same of a box that lands flat, m.
pub(super) fn flat_box(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    worst_bounce(trial, "box")
}

fn worst_bounce(trial: &Trial<'_>, body: &str) -> anyhow::Result<Answer> {
    let mut run = trial.open(0)?;
    let (height, restitution) = (run.param("height")?, run.param("restitution")?);
    let rest = run.now(body)?.world_from_body.translation.z - height;
    let mut worst = (height, height);
    let mut exact = height;
    for _ in 0..5 {
        let time = run.impact()?.time;
        let top = time + run.now(body)?.velocity.z / run.gravity;
        let reached = run.state(body, top)?.world_from_body.translation.z - rest;
        exact *= restitution * restitution;
        if (reached / exact - 1.0).abs() >= (worst.0 / worst.1 - 1.0_f64).abs() {
            worst = (reached, exact);
        }
    }
    Ok(run.answer(worst.0, worst.1))
}

/// The share of its angular velocity that a rocking block keeps when it first changes edges.
pub(super) fn rocking_block(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let mut run = trial.open(0)?;
    let (width, height) = (run.param("width")?, run.param("height")?);
    // Middles of flights and the mean angular velocities in them; the time of the impact and the flights before it.
    let (mut flights, mut impact) = (Vec::new(), None);
    loop {
        let event = run.runner.step(run.duration)?.context("the block does not change edges")?;
        if matches!(event, Event::Impact(_)) && impact.is_none() {
            impact = Some((run.world().time(), flights.len()));
        }
        let next = run.world().next_event().context("the block rests")?;
        let now = run.world().time();
        let [begin, end] = [run.state("block", now)?, run.state("block", next)?].map(|state| state.world_from_body);
        flights.push((0.5 * (now + next), turned_about_y(&begin, &end) / (next - now)));
        let Some((time, first)) = impact.filter(|(_, first)| flights.len() == first + 2) else { continue };
        // The impact cuts a flight short, whose angular velocity belongs to the middle of the whole one: it is left out.
        let [before, after] = [first - 3, first].map(|i| at_time(time, flights[i], flights[i + 1]));
        let housner = 1.0 - 1.5 * width * width / (width * width + height * height);
        return Ok(run.answer(after / before, housner));
    }
}

/// The same with hops a hundredth as high as by default.
pub(super) fn rocking_block_fine(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let settings = Settings { hop_height: 1e-7, hop_turn: None, ..trial.settings };
    rocking_block(&Trial { case: trial.case, settings })
}

/// The largest distance, m, velocity, m/s, or angular velocity, rad/s, with which a rocking block leaves its plane.
pub(super) fn rocking_plane(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let mut run = trial.open(0)?;
    let mut largest = 0.0_f64;
    while run.runner.step(run.duration)?.is_some() {
        let block = run.now("block")?;
        let out = [block.world_from_body.translation.y, block.velocity.y, block.spin.x, block.spin.z];
        largest = out.iter().fold(largest, |largest, x| largest.max(x.abs()));
    }
    Ok(run.answer(largest, 0.0))
}

/// By which angle a body has turned about the y axis between two poses, rad.
fn turned_about_y(from: &Pose, to: &Pose) -> f64 {
    let turn = to.rotation * from.rotation.conjugate();
    2.0 * turn.y.atan2(turn.w)
}

/// The value at a time of the straight line through two points `(time, value)`.
fn at_time(time: f64, (t0, x0): (f64, f64), (t1, x1): (f64, f64)) -> f64 {
    x0 + (x1 - x0) * (time - t0) / (t1 - t0)
}

/// Position of a ball on a platter after the scene's duration. In theory it moves on a circle at 2/7 of the platter's rate.
struct Orbit {
    run: Running,
    radius: f64,
    angle: f64,
}

fn orbit(trial: &Trial<'_>) -> anyhow::Result<Orbit> {
    let mut run = trial.open(0)?;
    run.run(run.duration)?;
    let at = run.now("ball")?.world_from_body.translation;
    // Whole turns are taken from theory: an error of half a turn would show as 10 %.
    let expected = 2.0 / 7.0 * run.param("rate")? * run.duration;
    let angle = expected + (at.y.atan2(at.x) - expected + PI).rem_euclid(TAU) - PI;
    Ok(Orbit { run, radius: at.truncate().length(), angle })
}

/// The rate of the orbit relative to the platter's.
pub(super) fn platter_orbit(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let Orbit { run, angle, .. } = orbit(trial)?;
    Ok(run.answer(angle / (run.param("rate")? * run.duration), 2.0 / 7.0))
}

/// The radius of the orbit, m.
pub(super) fn platter_radius(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let Orbit { run, radius, .. } = orbit(trial)?;
    Ok(run.answer(radius, run.param("distance")?))
}

/// The speed of the last ball of a row after the first one is struck, which should be the striker's, m/s.
pub(super) fn row_of_balls(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let mut run = trial.open(0)?;
    let last = format!("ball {}", run.param("n")?);
    let id = run.world().find(&last).with_context(|| format!("no {last}"))?;
    while !run.impact()?.bodies.contains(&id) {}
    let speed = run.param("speed")?;
    Ok(run.answer(run.now(&last)?.velocity.x, speed))
}

/// The final speed of a ball that starts sliding and ends up rolling: `(5 v + 2 r w) / 7`, m/s.
pub(super) fn slide_to_roll(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let mut run = trial.open(0)?;
    let radius = run.now("ball")?.world_from_body.translation.z;
    let wanted = (5.0 * run.param("speed")? + 2.0 * radius * run.param("spin")?) / 7.0;
    run.run(run.duration)?;
    Ok(run.answer(run.now("ball")?.velocity.x, wanted))
}

/// The time at which the rattleback's spin about the vertical changes sign, s.
pub(super) fn rattleback_reversal(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let mut run = trial.open(0)?;
    let mut last = (0.0, rattleback_yaw(&mut run, 0.0)?);
    for look in 1.. {
        let time = f64::from(look) * RATTLEBACK_LOOK;
        ensure!(time < run.duration, "it does not reverse");
        let here = (time, rattleback_yaw(&mut run, time)?);
        if last.1 < 0.0 && here.1 >= 0.0 {
            return Ok(run.answer(last.0 - last.1 * (here.0 - last.0) / (here.1 - last.1), 2.760_384_5));
        }
        last = here;
    }
    bail!("it does not reverse")
}

/// Between looks at the rattleback, s.
const RATTLEBACK_LOOK: f64 = 1e-3;

/// The rattleback's spin about the vertical at 3.4 s, rad/s.
pub(super) fn rattleback_spin(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let mut run = trial.open(0)?;
    let spin = rattleback_yaw(&mut run, 3.4)?;
    Ok(run.answer(spin, 1.369_268))
}

/// The rattleback's angular velocity about the vertical at a time, rad/s.
fn rattleback_yaw(run: &mut Running, time: f64) -> anyhow::Result<f64> {
    run.run(time)?;
    Ok(run.now("rattleback")?.angular_velocity().z)
}

/// The fraction of its energy that a coin has left after rolling on its rim.
pub(super) fn coin(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let mut run = trial.open(0)?;
    let start = run.world().energy();
    run.run(run.duration)?;
    Ok(run.answer(run.world().energy() / start, 1.0))
}

/// The largest displacement of a cube of a stack since the first second, m.
pub(super) fn stack(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let mut run = trial.open(0)?;
    let places = |world: &World| -> Vec<DVec3> {
        let states = world.bodies().filter_map(|body| world.principal_state_at(body, world.time()));
        states.map(|state| state.world_from_body.translation).collect()
    };
    run.run(1.0)?;
    let before = places(run.world());
    run.run(run.duration)?;
    let after = places(run.world());
    Ok(run.answer(before.iter().zip(&after).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max), 0.0))
}

/// The energy of a tumbling body relative to the start, at the time when it differs most.
pub(super) fn middle_axis(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let mut run = trial.open(0)?;
    let start = run.world().energy();
    let mut worst = 1.0_f64;
    for k in 1..=1000 {
        run.run(run.duration * f64::from(k) / 1000.0)?;
        let energy = run.world().energy() / start;
        if (energy - 1.0).abs() > (worst - 1.0).abs() {
            worst = energy;
        }
    }
    Ok(run.answer(worst, 1.0))
}

/// How many of 200 bullets pass through the plate.
pub(super) fn bullet(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let mut total = Answer { value: 0.0, exact: Some(0.0), events: 0, simulated: 0.0 };
    for seed in 0..200 {
        let mut run = trial.open(seed)?;
        let start = run.now("bullet")?;
        // Unless stopped, it is at least 15 mm behind the plate by then.
        let passed = -start.world_from_body.translation.z / start.velocity.z + 1e-4;
        run.run(passed)?;
        let bullet = run.now("bullet")?.world_from_body.translation;
        let plate = run.world().find("plate").and_then(|plate| run.world().pose_at(plate, passed));
        let side = plate.context("no plate")?.inverse_point(bullet).z;
        let shot = run.answer(f64::from(side < 0.0), 0.0);
        total.value += shot.value;
        total.events += shot.events;
        total.simulated += shot.simulated;
    }
    Ok(total)
}

/// Mean computation time for a box to fall and come to rest, over 100 drops, ms.
pub(super) fn box_drop(trial: &Trial<'_>) -> anyhow::Result<Answer> {
    let drops = 100;
    let mut total = Answer { value: 0.0, exact: None, events: 0, simulated: 0.0 };
    for seed in 0..drops {
        let mut run = trial.open(seed)?;
        let begun = Instant::now();
        run.run(run.duration)?;
        total.value += 1e3 * begun.elapsed().as_secs_f64() / drops as f64;
        let body = run.world().find("box").context("no box")?;
        ensure!(run.world().settled(body) == Some(true), "drop {seed} did not come to rest");
        total.events += run.world().counters().events;
        total.simulated += run.duration;
    }
    Ok(total)
}
