//! A ball bounces on a floor: each bounce is lower than the last by the square of the coefficient of restitution.
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use impulse::prelude::*;

const RESTITUTION: f64 = 0.8;
const RADIUS: f64 = 0.05;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = WorldBuilder::new(Settings::default())?;
    builder.add_material(Material { friction: 0.3, restitution: RESTITUTION, law: Law::Stronge })?;
    builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0)?))?;
    builder.add_body(BodySpec::free("ball", Sphere::new(RADIUS)?).at(DVec3::Z * (1.0 + RADIUS)))?;
    let mut world = builder.build()?;

    // One event after the other; only impacts matter here.
    let mut expected = 1.0;
    for bounce in 1..=5 {
        let impact = loop {
            if let Some(Event::Impact(impact)) = world.step()? {
                break impact;
            }
        };
        // Velocities are those of the first body relative to the second; along the normal they part.
        let speed = impact.after.dot(impact.normal);
        let height = speed * speed / (2.0 * 9.81);
        expected *= RESTITUTION * RESTITUTION;
        println!("bounce {bounce} at {:.6} s: rises {height:.6} m", impact.time);
        assert!((height / expected - 1.0).abs() < 1e-6);
    }
    Ok(())
}
