//! A controller holds a drone in the air: a thousand times a second it looks where the drone is and sets a force.
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use impulse::prelude::*;

const MASS: f64 = 0.5;
/// N/m and N s/m: about two oscillations per second, damped so that it does not overshoot.
const STIFFNESS: f64 = 80.0;
const DAMPING: f64 = 12.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let target = DVec3::new(0.3, -0.2, 1.0);
    let mut builder = WorldBuilder::new(Settings::default())?;
    builder.add_material(Material { friction: 0.5, restitution: 0.2, law: Law::Stronge })?;
    builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0)?))?;
    let drone = BodySpec::free("drone", Cylinder::new(0.1, 0.04)?).at(DVec3::Z * 0.02).mass(MASS);
    let drone = builder.add_body(drone)?;
    let mut world = builder.build()?;

    let control = world.add_clock(ClockSpec::tick(1e-3))?;
    let log = world.add_clock(ClockSpec::sample(0.5))?;
    loop {
        match world.run_until(3.0, None)? {
            StopReason::Tick(tick) if tick.clock == control => {
                let body = world.body(drone).ok_or("the drone is there")?;
                let pull = STIFFNESS * (target - body.centre_of_mass()) - DAMPING * body.velocity();
                world.set_force(drone, pull + DVec3::Z * MASS * 9.81)?;
            }
            StopReason::Sample(tick) if tick.clock == log => {
                let at = world.body(drone).ok_or("the drone is there")?.centre_of_mass();
                println!("{:.1} s: ({:.4}, {:.4}, {:.4}) m", tick.time, at.x, at.y, at.z);
            }
            StopReason::Reached => break,
            other => return Err(format!("nobody asked for {other:?}").into()),
        }
    }
    let body = world.body(drone).ok_or("the drone is there")?;
    assert!(body.centre_of_mass().distance(target) < 1e-4 && body.velocity().length() < 1e-3);
    Ok(())
}
