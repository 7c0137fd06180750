//! A tray shakes along a slanted line and conveys a part: how fast, in the mean over many strokes?
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use impulse::prelude::*;
use std::f64::consts::TAU;

/// Strokes per second.
const FREQUENCY: f64 = 50.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = WorldBuilder::new(Settings::default())?;
    builder.add_material(Material { friction: 0.4, restitution: 0.2, law: Law::Stronge })?;
    // Forwards and up, backwards and down: the part is pressed on while the tray goes forwards, and slips on its way back.
    let stroke = DVec3::new(0.25e-3, 0.0, 0.08e-3);
    let shaking = Cycle::oscillator(Pose::from_translation(DVec3::Z * -0.005), stroke, TAU * FREQUENCY)?;
    let tray = builder.add_body(BodySpec::scripted("tray", Cuboid::new(DVec3::new(1.0, 0.1, 0.01))?, shaking))?;
    let part = BodySpec::free("part", Cuboid::new(DVec3::new(0.02, 0.02, 0.01))?).at(DVec3::Z * 0.005).density(2700.0);
    let part = builder.add_body(part)?;
    let mut world = builder.build()?;

    // Let it get going, then measure over whole strokes.
    world.run_to(0.2)?;
    let window = world.motion_window(part).ok_or("the part is there")?;
    let watch = world.watch_contact(part, tray)?;
    world.run_to(0.6)?;
    let mean = world.mean_motion(&window).ok_or("time has passed")?;
    let force = world.contact_sum(watch).and_then(|sum| sum.mean_force()).ok_or("time has passed")?;

    let weight = 9.81 * world.body(part).and_then(BodyRef::mass).unwrap_or(0.0);
    println!("conveyed at {:.2} mm/s; the tray carries {:.4} N of {weight:.4} N", 1e3 * mean.velocity.x, force.z);
    assert!(mean.velocity.x > 1e-3, "the part goes forwards");
    assert!(mean.velocity.y.abs() < 1e-3 * mean.velocity.x && mean.spin.length() < 1e-2, "and straight on");
    assert!((force.z / weight - 1.0).abs() < 0.02, "over whole strokes the tray carries the weight");
    Ok(())
}
