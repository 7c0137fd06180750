//! What holds in every scene, on random ones (sections 2.3-2.5, 3.5): no overlap, no energy from nothing, momentum kept, one trace.

use crate::judged::Judge;
use crate::zoo::{Habitat, Zoo};
use impulse::DVec3;
use impulse::geometry::Shape;
use impulse::world::{BodyId, Event, RunError, Settings, World};

/// Events per scene: fast bodies use them up in milliseconds, slow ones fall for a while.
const EVENTS: u64 = 400;

/// Scenes of 12 to 24 bodies of all shapes at 1 mm/s to 1 km/s.
fn habitats() -> impl Iterator<Item = Habitat> {
    let settings = |seed: u64| {
        let gravity = if seed.is_multiple_of(3) { DVec3::ZERO } else { DVec3::new(0.0, 0.0, -9.81) };
        Settings { gravity, ..Settings::default() }
    };
    (0..60).map(move |seed| Habitat {
        seed,
        bodies: 12 + 3 * (seed as usize % 5),
        closed: seed % 4 != 3,
        mixed: seed % 2 == 0,
        convex: false,
        settings: settings(seed),
    })
}

/// At and between events no two bodies overlap of which one can be moved.
#[test]
fn bodies_never_overlap() {
    let mut collisions = 0;
    for habitat in habitats() {
        let mut zoo = habitat.build();
        let judge = Judge::of(&zoo.world);
        for event in 0..EVENTS {
            if zoo.world.step().unwrap_or_else(|e| panic!("{habitat:?}: {e}")).is_none() {
                break;
            }
            if event % 8 == 0 {
                let now = zoo.world.time();
                let next = zoo.world.next_event().unwrap_or(now);
                for t in [now, 0.5 * (now + next)] {
                    assert_eq!(judge.overlap(&zoo.world, t), None, "{habitat:?}, event {event}");
                }
            }
        }
        assert!(zoo.world.min_separation() >= 0.0);
        collisions += zoo.world.counters().collisions;
    }
    assert!(collisions > 2000, "{collisions}");
}

/// Where nothing is driven, energy grows by no more than what microcollisions lift: the weight of a body through the hop_height,
/// for each pair that is close.
#[test]
fn energy_does_not_come_from_nothing() {
    for habitat in habitats().filter(|h| !h.mixed) {
        let mut zoo = habitat.build();
        let weight = habitat.settings.gravity.length();
        let hop = |(id, shape, _): &(BodyId, Shape, bool)| {
            let mass = zoo.world.principal_mass(*id).map_or(0.0, |m| m.mass());
            let size = shape.bounding_radius(DVec3::ZERO);
            if mass > 0.0 { mass * weight * habitat.settings.hop_height * size } else { 0.0 }
        };
        let hop = zoo.shapes.iter().map(hop).fold(0.0, f64::max);
        let start = zoo.world.energy();
        let size = zoo.world.kinetic_energy() + zoo.world.potential_energy().abs();
        for event in 0..EVENTS {
            if zoo.world.step().unwrap().is_none() {
                break;
            }
            let room = hop * zoo.world.counters().pairs as f64 + 1e-11 * size;
            let gained = zoo.world.energy() - start;
            assert!(gained <= room, "{habitat:?}, event {event}: {gained} of {start}");
        }
    }
}

/// Bodies alone in weightless space keep both momenta at every impact.
#[test]
fn impacts_keep_the_momenta() {
    let mut impacts = 0;
    for seed in 0..20 {
        let settings = Settings { gravity: DVec3::ZERO, ..Settings::default() };
        let habitat = Habitat { seed, bodies: 20, closed: false, mixed: false, convex: false, settings };
        let Zoo { mut world, .. } = habitat.build();
        for _ in 0..EVENTS {
            let (linear, angular, sizes) = (world.momentum(), world.angular_momentum(), sizes(&world));
            match world.step().unwrap() {
                Some(Event::Impact(_)) => {}
                Some(_) => continue,
                None => break,
            }
            impacts += 1;
            let change = (world.momentum() - linear).length();
            assert!(change <= 1e-12 * sizes[0], "{habitat:?}: {change} of {}", sizes[0]);
            // The time of the impact is another than before: what flew on in between keeps its momentum to rounding.
            let change = (world.angular_momentum() - angular).length();
            assert!(change <= 1e-12 * sizes[1], "{habitat:?}: {change} of {}", sizes[1]);
        }
    }
    assert!(impacts > 100, "{impacts}");
}

/// Sums of the lengths of all linear and angular momenta, the latter's parts counted singly.
fn sizes(world: &World) -> [f64; 2] {
    let mut sum = [0.0; 2];
    for body in world.bodies() {
        let (Some(mass), Some(s)) = (world.principal_mass(body), world.principal_state_at(body, world.time())) else {
            continue;
        };
        let linear = mass.mass() * s.velocity.length();
        sum[0] += linear;
        sum[1] += linear * s.world_from_body.translation.length() + (mass.moments() * s.spin).length();
    }
    sum
}

/// The same input gives the same trace to its end, whatever finds the pairs, with shapes and motions of all kinds.
#[test]
fn one_input_one_trace() {
    for habitat in habitats().step_by(2).map(|h| Habitat { convex: false, ..h }) {
        let run = |naive: bool| -> (u64, [u64; 4], f64, Option<RunError>) {
            let settings = Settings { naive_broad_phase: naive, ..habitat.settings };
            let Zoo { mut world, .. } = Habitat { settings, ..habitat }.build();
            let end = (0..EVENTS).find_map(|_| world.step().err());
            let c = world.counters();
            let counted = [c.events, c.checks, c.collisions, c.pairs];
            (world.trace_hash(), counted, world.min_separation(), end)
        };
        let hashed = run(false);
        assert_eq!(hashed, run(false), "{habitat:?}");
        assert_eq!(hashed, run(true), "{habitat:?}");
    }
}
