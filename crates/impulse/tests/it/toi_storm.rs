//! Regressions of the prediction in the event loop (section 2.3.2): bodies that part from within the touch distance.

use impulse::geometry::{Cuboid, HalfSpace, MassProperties};
use impulse::math::Pose;
use impulse::respond::{Law, Material};
use impulse::world::{BodySpec, MassSpec, MotionSpec, Settings, WorldBuilder};
use impulse::{DMat3, DVec3};

/// Symptom: a cube dropped flat on a floor stopped the clock. Cause: of four corners at one height the struck one parts and the
/// others still fall, so the time in which the distance falls below that of touching was less than the grain of time.
#[test]
fn a_cube_that_falls_flat_does_not_stop_the_clock() {
    let mut builder = WorldBuilder::new(Settings::default()).unwrap();
    let m = builder.add_material(Material { friction: 0.2, restitution: 0.8, law: Law::Stronge }).unwrap();
    builder
        .add_body(BodySpec {
            name: "floor".into(),
            shape: HalfSpace::new(DVec3::Z, 0.0).unwrap().into(),
            world_from_shape: Pose::IDENTITY,
            material: m,
            motion: MotionSpec::Fixed,
        })
        .unwrap();
    let mass = MassProperties { mass: 0.37, com: DVec3::ZERO, inertia: DMat3::from_diagonal(DVec3::splat(0.00081)) };
    let cube = builder
        .add_body(BodySpec {
            name: "cube".into(),
            shape: Cuboid::new(DVec3::splat(0.1)).unwrap().into(),
            world_from_shape: Pose::from_translation(DVec3::new(1.0, 0.0, 1.0)),
            material: m,
            motion: MotionSpec::Free { mass: MassSpec::Properties(mass), velocity: DVec3::ZERO, spin: DVec3::ZERO },
        })
        .unwrap();
    let mut world = builder.build().unwrap();
    assert!(world.run_until(1.9, Some(1000)).unwrap().reached(), "at {} s: {:?}", world.time(), world.counters());
    let counted = world.counters();
    let impacts = counted.collisions + counted.microcollisions;
    assert!(impacts > 3 && counted.checks <= 2 * impacts, "{counted:?}");
    assert!(world.min_separation() > 0.3 * 1e-9 * 0.05 * 3f64.sqrt(), "{:e}", world.min_separation());
    assert!(world.principal_state_at(cube, 1.9).unwrap().world_from_body.translation.z > 0.05);
}
