//! Rims that are nearly level and turn over (beside section 3.5): their point of contact runs round faster than a flight can follow.

use crate::judged::assert_apart;
use crate::world_support::{floor, free, placed, surface};
use impulse::geometry::{Cone, Cylinder, Shape};
use impulse::math::Pose;
use impulse::world::{Settings, World, WorldBuilder};
use impulse::{DQuat, DVec3};

/// Something that falls through 0.1 m on a floor, tilted a little.
fn dropped(shape: Shape, bottom: f64, tilt: f64, [friction, restitution]: [f64; 2]) -> World {
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(surface(friction, restitution)).unwrap();
    b.add_body(floor(m)).unwrap();
    let rotation = DQuat::from_axis_angle(DVec3::new(0.8, -0.6, 0.0), tilt);
    let at = Pose { rotation, translation: DVec3::Z * (bottom + 0.1) };
    b.add_body(placed(free("rim", shape, DVec3::ZERO, DVec3::ZERO, m), at, DVec3::ZERO, DVec3::ZERO)).unwrap();
    b.build().unwrap()
}

#[test]
fn a_rim_that_sweeps_round_comes_to_rest() {
    let shapes: [(Shape, f64); 3] = [
        (Cylinder::new(0.034, 0.032).unwrap().into(), 0.016),
        (Cylinder::new(0.05, 0.004).unwrap().into(), 0.002),
        (Cone::new(0.043, 0.04).unwrap().into(), 0.01),
    ];
    for (shape, bottom) in shapes {
        for tilt in [1e-6, 1e-5, 1e-4, 1e-3, 1e-2] {
            for material in [[1.0, 0.0], [0.3, 0.5], [0.1, 0.3]] {
                let mut world = dropped(shape.clone(), bottom, tilt, material);
                let stopped = world.run_until(1.0, Some(600)).unwrap();
                let c = world.counters();
                let case = format!("{}, tilted by {tilt}, {material:?}, {c:?}", shape.bounding_radius(DVec3::ZERO));
                assert!(stopped.reached() && c.unconverged == 0, "{case}");
                let (rise, allowance) = (world.energy_rise(), world.energy_allowance());
                assert!(rise <= allowance, "{rise:e} J of {allowance:e} J, {case}");
                assert!(world.body(world.find("rim").unwrap()).unwrap().is_frozen(), "{case}");
                assert_apart(&world);
            }
        }
    }
}
