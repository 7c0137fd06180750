//! Joints that let a link move and turn in a plane (section 4.2), against closed forms.

use crate::flight::{builder, rod};
use impulse::prelude::*;

fn planar(bodies: [Option<BodyId>; 2], normal: DVec3) -> JointSpec {
    JointSpec::new("table", bodies, JointPlace::Planar { normal })
}

/// A rod on a table that leans by 30 degrees: its centre falls on a parabola down the slope, and it turns steadily about the normal although its
/// moments differ.
#[test]
fn a_rod_on_a_leaning_table_falls_on_a_parabola() {
    let normal = DVec3::new(0.5, 0.0, 0.75_f64.sqrt());
    let [first, second] = JointPlace::plane_axes(normal);
    assert!(first.cross(second).distance(normal) < 1e-15);
    let mut builder = builder(9.81);
    let body = builder.add_body(rod("rod", DVec3::new(0.2, 0.3, 1.0))).unwrap();
    let rates = DVec3::new(0.7, -0.4, 3.0);
    let joint = builder.add_joint(planar([None, Some(body)], normal).planar_rate(rates)).unwrap();
    let mut world = builder.build().unwrap();
    let start = world.body(body).unwrap().pose();
    let down = (DVec3::NEG_Z + normal * normal.z) * 9.81;
    for k in 1..=50 {
        let t = 0.1 * f64::from(k);
        world.run_to(t).unwrap();
        let pose = world.body(body).unwrap().pose();
        let wanted = start.translation + (first * rates.x + second * rates.y) * t + down * (0.5 * t * t);
        assert!(pose.translation.distance(wanted) < 1e-12 * (1.0 + wanted.length()), "{t}: {}", pose.translation);
        let turned = DQuat::from_axis_angle(normal, 3.0 * t) * start.rotation;
        assert!(pose.rotation.dot(turned).abs() > 1.0 - 1e-13, "{t}");
        let [x, y, angle] = world.joint(joint).unwrap().position()[..] else { panic!() };
        assert!((first * x + second * y).distance(wanted - start.translation) < 1e-11 * (1.0 + wanted.length()));
        assert!((angle - 3.0 * t).abs() < 1e-12 * (1.0 + angle));
    }
}

/// A table that a hinge carries, with a puck on it: both keep the angular momentum about the hinge, and their energy.
#[test]
fn a_puck_on_a_turntable_keeps_energy_and_angular_momentum() {
    let mut builder = builder(0.0);
    let table = builder.add_body(rod("table", DVec3::ZERO).mass(3.0)).unwrap();
    let puck = builder.add_body(rod("puck", DVec3::new(0.3, 0.2, 0.5))).unwrap();
    let hinge = JointPlace::Hinge { axis: DVec3::Z, through: DVec3::ZERO };
    let _ = builder.add_joint(JointSpec::new("hub", [None, Some(table)], hinge).rate(2.0)).unwrap();
    let on = planar([Some(table), Some(puck)], DVec3::Z).planar_rate(DVec3::new(0.4, 0.1, -1.0));
    let _ = builder.add_joint(on).unwrap();
    let mut world = builder.build().unwrap();
    let (energy, spin) = (world.energy(), world.angular_momentum().z);
    // Nothing acts on the puck in the plane: it goes straight on in the world.
    let (from, velocity) = (world.body(puck).unwrap().pose().translation, world.body(puck).unwrap().velocity());
    world.run_to(5.0).unwrap();
    let there = world.body(puck).unwrap().pose().translation;
    assert!(there.distance(from + velocity * 5.0) < 1e-11, "{there}");
    assert!((world.energy() - energy).abs() < 1e-12 * energy);
    assert!((world.angular_momentum().z - spin).abs() < 1e-11 * spin.abs());
}

/// A box that can only move in an upright plane is dropped on an edge, falls over, and rests: frozen, its weight on the floor.
#[test]
fn a_box_in_an_upright_plane_falls_over_and_rests() {
    let mut builder = builder(9.81);
    let floor = builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0).unwrap())).unwrap();
    let shape = Cuboid::new(DVec3::new(0.2, 0.1, 0.1)).unwrap();
    let tilted = BodySpec::free("box", shape).at(DVec3::Z * 0.3).rotated(DQuat::from_rotation_y(0.5)).mass(2.0);
    let body = builder.add_body(tilted).unwrap();
    let _ = builder.add_joint(planar([None, Some(body)], DVec3::Y)).unwrap();
    let mut world = builder.build().unwrap();
    world.run_to(3.0).unwrap();
    let found = world.body(body).unwrap();
    assert!(found.is_frozen() && found.pose().translation.y.abs() < 1e-12, "{:?}", found.pose());
    assert!((found.pose().translation.z - 0.05).abs() < 1e-6, "{:?}", found.pose());
    let force: DVec3 = found.contacts().iter().filter(|c| c.bodies[1] == floor).map(|c| c.force).sum();
    assert!((force.z - 2.0 * 9.81).abs() < 1e-3, "{force}");
    assert!(world.energy_rise() <= world.energy_allowance() && world.min_separation() > 0.0);
}

#[test]
fn what_a_planar_joint_does_not_have_is_refused() {
    let refused = |change: fn(JointSpec) -> JointSpec, swapped: bool| {
        let mut builder = builder(9.81);
        let body = builder.add_body(rod("rod", DVec3::ZERO)).unwrap();
        let bodies = if swapped { [Some(body), None] } else { [None, Some(body)] };
        let added = builder.add_joint(change(planar(bodies, DVec3::Z)));
        added.map(|_| builder.build()).map_or_else(|error| error.to_string(), |built| built.unwrap_err().to_string())
    };
    assert!(refused(|spec| spec, true).contains("swap its bodies"));
    assert!(refused(|spec| spec.start(1.0), false).contains("start"));
    let friction = |spec: JointSpec| spec.elements(Elements { friction: 1.0, ..Elements::default() });
    assert!(refused(friction, false).contains("friction"));
    let nowhere = |spec: JointSpec| JointSpec { place: JointPlace::Planar { normal: DVec3::ZERO }, ..spec };
    assert!(refused(nowhere, false).contains("axis") || refused(nowhere, false).contains("direction"));
}
