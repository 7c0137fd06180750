//! Linkages in flight against what is conserved and against closed forms (sections 4.4, 5.4.1).

use impulse::geometry::MassProperties;
use impulse::prelude::*;
use std::f64::consts::PI;

pub(crate) fn builder(gravity: f64) -> WorldBuilder {
    let settings = Settings { gravity: DVec3::NEG_Z * gravity, record_impacts: true, ..Settings::default() };
    let mut builder = WorldBuilder::new(settings).unwrap();
    builder.add_material(Material { friction: 0.3, restitution: 0.5, law: Law::Stronge }).unwrap();
    builder
}

pub(crate) fn rod(name: &str, at: DVec3) -> FreeBodySpec {
    BodySpec::free(name, Cuboid::new(DVec3::new(1.0, 0.06, 0.04)).unwrap()).at(at).mass(1.0)
}

pub(crate) fn hinge(name: &str, bodies: [Option<BodyId>; 2], through: DVec3) -> JointSpec {
    JointSpec::new(name, bodies, JointPlace::Hinge { axis: DVec3::Y, through })
}

/// A chain of rods, level at first, on the ground.
fn chain(links: usize, builder: &mut WorldBuilder) {
    let mut last = None;
    for i in 0..links {
        let x = i as f64;
        let body = builder.add_body(rod(&format!("rod {i}"), DVec3::X * (x + 0.5))).unwrap();
        builder.add_joint(hinge(&format!("joint {i}"), [last, Some(body)], DVec3::X * x)).unwrap();
        last = Some(body);
    }
}

#[test]
fn pendulums_keep_their_energy() {
    for links in [2, 3] {
        let mut builder = builder(9.81);
        chain(links, &mut builder);
        let mut world = builder.build().unwrap();
        let before = world.energy();
        let mut drift: f64 = 0.0;
        for k in 1..=600 {
            world.run_to(f64::from(k) * 0.1).unwrap();
            drift = drift.max((world.energy() - before).abs());
        }
        let size = world.kinetic_energy().abs().max(9.81);
        println!("{links} links: drift {drift:e} J in 60 s, {} events, scale {size}", world.counters().events);
        assert!(drift < 1e-8, "{links} links: {drift:e}");
    }
}

#[test]
fn a_floating_linkage_keeps_its_momenta() {
    let mut builder = builder(0.0);
    let a = builder
        .add_body(rod("a", DVec3::ZERO).velocity(DVec3::new(0.3, -0.2, 0.1)).spin(DVec3::new(1.0, 2.0, 3.0)))
        .unwrap();
    let b = builder.add_body(rod("b", DVec3::X)).unwrap();
    let c = builder.add_body(rod("c", DVec3::X * 2.0)).unwrap();
    let d = builder.add_body(rod("d", DVec3::new(-1.0, 0.0, 0.0))).unwrap();
    let _ = builder.add_joint(hinge("ab", [Some(a), Some(b)], DVec3::X * 0.5).rate(2.0)).unwrap();
    let _ = builder
        .add_joint(
            JointSpec::new("bc", [Some(b), Some(c)], JointPlace::Socket { through: DVec3::X * 1.5 })
                .socket_rate(DVec3::new(1.0, -1.0, 2.0)),
        )
        .unwrap();
    let spring = Elements { spring: Some(Spring::Linear { stiffness: 20.0, rest: 0.1 }), ..Elements::default() };
    let slider = JointPlace::Slider { axis: DVec3::new(1.0, 1.0, 0.0) };
    let _ = builder.add_joint(JointSpec::new("da", [Some(d), Some(a)], slider).elements(spring)).unwrap();
    let mut world = builder.build().unwrap();
    let (p, l, e) = (world.momentum(), world.angular_momentum(), world.energy());
    let mut worst = [0.0f64; 3];
    for k in 1..=100 {
        world.run_to(f64::from(k) * 0.1).unwrap();
        worst[0] = worst[0].max((world.momentum() - p).length());
        worst[1] = worst[1].max((world.angular_momentum() - l).length());
        worst[2] = worst[2].max((world.energy() - e).abs());
    }
    println!("floating: momentum {:e}, angular {:e}, energy {:e}", worst[0], worst[1], worst[2]);
    assert!(worst[0] < 1e-10 && worst[1] < 1e-10 && worst[2] < 1e-8, "{worst:?}");
}

#[test]
fn a_top_precesses_steadily() {
    // C w3 W - A W^2 cos(t) = m g l, the slow root.
    let (mass, arm, axial, across, tilt) = (0.5, 0.1, 5e-4, 6e-3, PI / 6.0);
    let omega = 300.0;
    let about_centre = across - mass * arm * arm;
    let inertia = DMat3::from_diagonal(DVec3::new(about_centre, about_centre, axial));
    let axis = DVec3::new(tilt.sin(), 0.0, tilt.cos());
    let turn = DQuat::from_xyzw(0.0, (tilt / 2.0).sin(), 0.0, (tilt / 2.0).cos());
    // The whole angular velocity along the axis is 300 rad/s; across it the precession's share.
    let precession = 3.75964954;
    let w = axis * omega + (DVec3::Z * precession).reject_from_normalized(axis);
    let mut builder = builder(9.81);
    let spec = BodySpec::free("top", Cylinder::new(0.05, 0.02).unwrap())
        .at(axis * arm)
        .rotated(turn)
        .mass_properties(MassProperties { mass, com: DVec3::ZERO, inertia });
    let top = builder.add_body(spec).unwrap();
    let socket = JointPlace::Socket { through: DVec3::ZERO };
    let _ = builder.add_joint(JointSpec::new("tip", [None, Some(top)], socket).socket_rate(w)).unwrap();
    let mut world = builder.build().unwrap();
    let mut worst: f64 = 0.0;
    for k in 1..=1000 {
        world.run_to(f64::from(k) * 0.01).unwrap();
        let now = world.body(top).unwrap().pose().vector(DVec3::Z);
        worst = worst.max((now.z.acos() - tilt).abs());
    }
    println!("top: tilt kept to {worst:e} rad, {} events", world.counters().events);
    assert!(worst < 1e-8, "{worst:e}");
}

fn slider(name: &str, body: BodyId, axis: DVec3, elements: Elements) -> JointSpec {
    JointSpec::new(name, [None, Some(body)], JointPlace::Slider { axis }).elements(elements)
}

#[test]
fn a_slider_with_spring_and_friction_sticks_where_it_must() {
    let mut builder = builder(0.0);
    let body = builder.add_body(BodySpec::free("block", Cuboid::new(DVec3::splat(0.1)).unwrap()).mass(1.0)).unwrap();
    let spring = Spring::Linear { stiffness: 100.0, rest: -0.2 };
    let elements = Elements { spring: Some(spring), friction: 3.0, ..Elements::default() };
    let joint = builder.add_joint(slider("rail", body, DVec3::X, elements)).unwrap();
    let mut world = builder.build().unwrap();
    // Half swings of pi/10 s about +-0.03 m: 0.2, -0.14, 0.08, -0.02 from where the spring is at rest.
    let stop = 0.3 * PI;
    world.run_to(stop - 1e-6).unwrap();
    assert!(!world.joint(joint).unwrap().is_held());
    world.run_to(stop + 1e-9).unwrap();
    assert!(world.joint(joint).unwrap().is_held());
    let events = world.counters().events;
    world.run_to(100.0).unwrap();
    // From where the spring is at rest.
    let place = world.joint(joint).unwrap().position()[0] + 0.2;
    println!(
        "friction: at {place} m, force {:?}, {events} events to the stop, {} at 100 s",
        world.joint(joint).unwrap().force(),
        world.counters().events
    );
    assert!((place - -0.02).abs() < 1e-9, "{place}");
    assert_eq!(world.counters().events, events);
}

#[test]
fn rebounds_from_a_stop_fall_geometrically() {
    let mut builder = builder(9.81);
    let body = builder.add_body(BodySpec::free("block", Cuboid::new(DVec3::splat(0.1)).unwrap()).mass(2.0)).unwrap();
    let limits = Limits { range: LimitRange::Interval([-1.0, 1.0]), restitution: 0.5 };
    let elements = Elements { limits: Some(limits), ..Elements::default() };
    let joint = builder.add_joint(slider("rail", body, DVec3::Z, elements)).unwrap();
    let mut world = builder.build().unwrap();
    world.run_to(10.0).unwrap();
    let stops = world.stops();
    println!(
        "{} stops, {} events; q {:?}",
        stops.len(),
        world.counters().events,
        world.joint(joint).unwrap().position()
    );
    assert!(stops.len() >= 8 && stops.len() < 40);
    for (n, stop) in stops.iter().enumerate().take(8) {
        // Height before blow n is e^(2n), with e = 1/2 and the first fall 1 m.
        let height = stop.before * stop.before / (2.0 * 9.81);
        let wanted = 0.25f64.powi(n as i32);
        assert!((height / wanted - 1.0).abs() < 1e-9, "blow {n}: {height}");
        assert!((stop.after + 0.5 * stop.before).abs() < 1e-12);
    }
    assert!(world.joint(joint).unwrap().is_held());
    assert!((world.joint(joint).unwrap().force()[0] - 2.0 * 9.81).abs() < 1e-12);
    let events = world.counters().events;
    world.run_to(1000.0).unwrap();
    assert_eq!(world.counters().events, events);
}

/// A pendulum that begins at an angle, told by its joint, moves as one that swings there; coordinates and stops count from zero.
#[test]
fn joints_may_begin_at_another_coordinate_than_zero() {
    let start = 0.7;
    let pendulum = |given: f64| {
        let mut builder = builder(9.81);
        let (s, c) = (libm::sin(start), libm::cos(start));
        let turned = DQuat::from_xyzw(0.0, libm::sin(0.5 * start), 0.0, libm::cos(0.5 * start));
        let body = builder.add_body(rod("rod", DVec3::new(0.5 * c, 0.0, -0.5 * s)).rotated(turned)).unwrap();
        let limits = Limits { range: LimitRange::Interval([given - 0.1, given + 0.4]), restitution: 0.5 };
        let elements = Elements { limits: Some(limits), ..Elements::default() };
        let spec = hinge("pivot", [None, Some(body)], DVec3::ZERO).elements(elements).start(given);
        let joint = builder.add_joint(spec).unwrap();
        let mut world = builder.build().unwrap();
        assert_eq!(world.joint(joint).unwrap().position(), [given]);
        let mut positions = Vec::new();
        for k in 1..=100 {
            world.run_to(f64::from(k) * 0.01).unwrap();
            positions.push(world.joint(joint).unwrap().position()[0]);
        }
        (positions, world.body(body).unwrap().centre_of_mass())
    };
    let ((from_zero, at), (from_start, same)) = (pendulum(0.0), pendulum(start));
    assert!((at - same).length() < 1e-9, "{at} {same}");
    assert!(from_zero.iter().zip(&from_start).all(|(a, b)| (a + start - b).abs() < 1e-9));
    assert!(from_zero.iter().any(|q| *q > 0.39), "it comes to its stop");
    let mut refused = builder(9.81);
    let body = refused.add_body(rod("rod", DVec3::X * 0.5)).unwrap();
    let limits = Limits { range: LimitRange::Interval([-0.1, 0.1]), restitution: 0.0 };
    let elements = Elements { limits: Some(limits), ..Elements::default() };
    let spec = hinge("pivot", [None, Some(body)], DVec3::ZERO).elements(elements).start(0.2);
    assert!(refused.add_joint(spec).unwrap_err().to_string().contains("do not contain 0.2"));
}
