//! Heavy bodies on light ones (sections 3.5, 8.1): at rest and frozen within a second, with few events, whatever the ratio.

use crate::judged::assert_apart;
use crate::world_support::{floor, surface};
use impulse::DVec3;
use impulse::geometry::Cuboid;
use impulse::world::{BodySpec, Counters, Settings, WorldBuilder};

/// A heavy cube above a light one of 1 kg, which stands on a floor; both after a second.
fn counted(ratio: f64, gap: f64, restitution: f64) -> Counters {
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(surface(0.5, restitution)).unwrap();
    b.add_body(floor(m)).unwrap();
    let cube = || Cuboid::new(DVec3::splat(0.1)).unwrap();
    let light = BodySpec::free("light", cube()).at(DVec3::new(0.004, 0.0, 0.05)).mass(1.0).material(m);
    let heavy = BodySpec::free("heavy", cube()).at(DVec3::new(-0.005, 0.0, 0.15 + gap)).mass(ratio).material(m);
    b.add_body(light).unwrap();
    b.add_body(heavy).unwrap();
    let mut world = b.build().unwrap();
    world.run_to(1.0).unwrap();
    let c = world.counters();
    for name in ["light", "heavy"] {
        let body = world.body(world.find(name).unwrap()).unwrap();
        assert!(body.is_frozen(), "{ratio}, from {gap} m, restitution {restitution}: {name} moves, {c:?}");
        let wanted = if name == "light" { 0.05 } else { 0.15 };
        assert!((body.centre_of_mass().z - wanted).abs() < 1e-5, "{name} is at {}", body.centre_of_mass());
    }
    assert!(world.energy_rise() <= world.energy_allowance());
    assert_eq!(c.unconverged, 0, "{ratio}, from {gap} m, restitution {restitution}");
    assert_apart(&world);
    c
}

#[test]
fn what_is_set_on_a_light_body_freezes() {
    for ratio in [1e2, 1e4, 1e6] {
        for restitution in [0.0, 0.5] {
            let c = counted(ratio, 0.0, restitution);
            assert!(c.events <= 40 && c.hops <= 40 && c.collisions == 0, "{ratio}, {restitution}: {c:?}");
        }
    }
}

#[test]
fn what_is_dropped_on_a_light_body_freezes() {
    for ratio in [1e2, 1e4, 1e6] {
        let c = counted(ratio, 0.05, 0.0);
        assert!(c.events <= 60 && c.hops <= 60, "{ratio}: {c:?}");
        let c = counted(ratio, 0.05, 0.5);
        assert!(c.events <= 400 && c.hops <= 300, "{ratio}: {c:?}");
    }
}
