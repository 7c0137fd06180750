//! What the engine watches and waits for can be asked, and asking changes nothing.

use impulse::prelude::*;
use impulse::world::Pending;

/// Balls and blocks that fall onto a floor and each other.
fn heap() -> World {
    let mut builder = WorldBuilder::new(Settings::default()).unwrap();
    let rough = builder.add_material(Material { friction: 0.4, restitution: 0.3, law: Law::Stronge }).unwrap();
    let slick = builder.add_material(Material { friction: 0.1, restitution: 0.6, law: Law::Stronge }).unwrap();
    builder.add_contact(rough, slick, Material { friction: 0.25, restitution: 0.5, law: Law::Poisson }).unwrap();
    builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0).unwrap()).material(rough)).unwrap();
    for k in 0..6 {
        let at = DVec3::new(0.03 * f64::from(k % 2), 0.02 * f64::from(k % 3), 0.2 + 0.25 * f64::from(k));
        let name = format!("body {k}");
        let spin = DVec3::new(1.0, -2.0, f64::from(k));
        let spec = if k % 2 == 0 {
            BodySpec::free(name, Sphere::new(0.1).unwrap()).material(slick)
        } else {
            BodySpec::free(name, Cuboid::new(DVec3::new(0.2, 0.15, 0.1)).unwrap()).material(rough)
        };
        builder.add_body(spec.at(at).spin(spin)).unwrap();
    }
    builder.build().unwrap()
}

#[test]
fn asking_changes_nothing() {
    let (mut asked, mut left_alone) = (heap(), heap());
    for k in 1..=40 {
        let time = 0.03 * f64::from(k);
        for world in [&mut asked, &mut left_alone] {
            world.run_to(time).unwrap();
        }
        let hash = asked.trace_hash();
        let counters = asked.counters();
        let _ = (asked.closest_points(), asked.boxes().count(), asked.pending());
        assert_eq!((asked.trace_hash(), asked.counters()), (hash, counters));
        assert_eq!(hash, left_alone.trace_hash());
    }
}

#[test]
fn closest_points_lie_on_the_bodies_at_their_distance() {
    let mut world = heap();
    let mut seen = 0;
    for k in 1..=40 {
        world.run_to(0.03 * f64::from(k)).unwrap();
        let pairs = world.closest_points();
        assert_eq!(pairs.len(), world.close_pairs());
        for pair in pairs {
            let [a, b] = pair.points;
            assert!((a.distance(b) - pair.distance).abs() < 1e-12, "{pair:?}");
            for (body, point) in pair.bodies.into_iter().zip(pair.points) {
                let body = world.body(body).unwrap();
                let local = body.pose().inverse_point(point);
                let off = match body.shape() {
                    Shape::Sphere(ball) => local.length() - ball.radius(),
                    Shape::HalfSpace(_) => local.z,
                    _ => (local.abs() - DVec3::new(0.1, 0.075, 0.05)).max_element(),
                };
                assert!(off.abs() < 1e-9, "{} is off by {off}", body.name());
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "{seen} points");
}

#[test]
fn boxes_hold_their_bodies_until_they_expire() {
    let mut world = heap();
    for k in 1..=30 {
        world.run_to(0.03 * f64::from(k)).unwrap();
        for found in world.boxes().filter(|found| found.bounds.max.is_finite()) {
            assert!(found.expiry >= world.time());
            let body = world.body(found.body).unwrap();
            let bounds = body.shape().aabb(&body.pose());
            assert!(found.bounds.contains(bounds.min) && found.bounds.contains(bounds.max), "{}", body.name());
        }
    }
}

#[test]
fn what_is_pending_happens_next() {
    let mut world = heap();
    for _ in 0..500 {
        let Some((time, pending)) = world.pending() else { break };
        assert_eq!(world.next_event(), Some(time));
        let happened = world.step().unwrap().unwrap();
        assert_eq!(world.time(), time);
        match (pending, happened) {
            (Pending::Expiry(body), Event::Boxed(boxed)) => assert_eq!(body, boxed),
            (Pending::Expiry(body), Event::Carried(carried, _)) => assert_eq!(body, carried),
            (Pending::Check(a, b), Event::Checked(c, d) | Event::Hop(c, d)) => assert_eq!([a, b], [c, d]),
            (Pending::Check(a, b), Event::Impact(record)) => {
                // Of several points struck together, the hardest is told: one of the two bodies is there.
                assert!(record.bodies.contains(&a) || record.bodies.contains(&b), "{a:?} {b:?}: {record:?}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_surface_between_two_bodies_is_that_of_their_materials() {
    let mut world = heap();
    let id = |name: &str| world.find(name).unwrap();
    let between = |a: &str, b: &str| world.surface_between([id(a), id(b)]).unwrap().material;
    assert_eq!(between("floor", "body 0"), Material { friction: 0.25, restitution: 0.5, law: Law::Poisson });
    assert_eq!(between("body 0", "body 2").friction, 0.1);
    let removed = id("body 5");
    world.remove_body(removed).unwrap();
    assert_eq!(world.surface_between([removed, world.find("floor").unwrap()]), None);
}
