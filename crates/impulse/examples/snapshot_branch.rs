//! A world is kept at one moment and goes on from there several times: once as it was, and once for each of some shots.
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use impulse::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = WorldBuilder::new(Settings::default())?;
    builder.add_material(Material { friction: 0.2, restitution: 0.9, law: Law::Stronge })?;
    builder.add_body(BodySpec::fixed("table", HalfSpace::new(DVec3::Z, 0.0)?))?;
    let ball = |name: &str, x: f64| -> Result<FreeBodySpec, Box<dyn std::error::Error>> {
        Ok(BodySpec::free(name, Sphere::new(0.028)?).at(DVec3::new(x, 0.0, 0.028)).mass(0.17))
    };
    let cue = builder.add_body(ball("cue", 0.0)?)?;
    let object = builder.add_body(ball("object", 0.5)?)?;
    let mut world = builder.build()?;
    world.run_to(0.3)?;

    // A snapshot is plain data: serde writes it to a file, and `World::restore` takes it back.
    let snapshot = world.snapshot();
    let x_after = |mut world: World, impulse: f64| -> Result<f64, Box<dyn std::error::Error>> {
        world.apply_impulse(cue, DVec3::new(-0.028, 0.0, 0.028), DVec3::X * impulse)?;
        world.run_to(2.0)?;
        Ok(world.body(object).ok_or("the ball is there")?.pose().translation.x)
    };
    let mut reached = Vec::new();
    for impulse in [0.1, 0.2, 0.3] {
        let x = x_after(World::restore(snapshot.clone())?, impulse)?;
        println!("struck with {impulse} N s, the object ball gets to {x:.4} m");
        reached.push(x);
    }
    assert!(reached[0] > 0.5 && reached.is_sorted());

    // The same shot from the same moment ends in the same place, to the bit; and so does the world the snapshot was taken of.
    assert_eq!(x_after(World::restore(snapshot)?, 0.2)?.to_bits(), reached[1].to_bits());
    assert_eq!(x_after(world, 0.2)?.to_bits(), reached[1].to_bits());
    Ok(())
}
