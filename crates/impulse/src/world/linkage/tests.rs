//! What can only be seen from inside: links' pieces beside forward kinematics.

use crate::prelude::*;

/// A floating chain with a hinge, a slider with a spring and a socket, and a pendulum.
fn world() -> World {
    let mut builder = WorldBuilder::new(Settings::default()).unwrap();
    builder.add_material(Material { friction: 0.2, restitution: 0.5, law: Law::Stronge }).unwrap();
    let rod = |name: &str, x: f64| {
        BodySpec::free(name, Cuboid::new(DVec3::new(0.9, 0.1, 0.05)).unwrap()).at(DVec3::X * x).mass(1.0)
    };
    let base = rod("base", 0.0).spin(DVec3::new(3.0, 5.0, -4.0)).velocity(DVec3::new(1.0, 2.0, 9.0));
    let a = builder.add_body(base).unwrap();
    let [b, c, d] = [("b", 1.0), ("c", 2.0), ("d", 3.0)].map(|(n, x)| builder.add_body(rod(n, x)).unwrap());
    let hinge = JointPlace::Hinge { axis: DVec3::new(0.3, 1.0, 0.2), through: DVec3::X * 0.5 };
    builder.add_joint(JointSpec::new("ab", [Some(a), Some(b)], hinge).rate(4.0)).unwrap();
    let spring = Some(Spring::Linear { stiffness: 80.0, rest: 0.05 });
    let slider = JointSpec::new("bc", [Some(b), Some(c)], JointPlace::Slider { axis: DVec3::X });
    builder.add_joint(slider.elements(Elements { spring, ..Elements::default() })).unwrap();
    let socket = JointSpec::new("cd", [Some(c), Some(d)], JointPlace::Socket { through: DVec3::X * 2.5 });
    builder.add_joint(socket.socket_rate(DVec3::new(-2.0, 6.0, 1.0))).unwrap();
    builder.build().unwrap()
}

#[test]
fn pieces_are_forward_kinematics() {
    let mut world = world();
    let (mut worst, mut faster): (f64, f64) = (0.0, 0.0);
    for k in 1..=2000 {
        let time = f64::from(k) * 1e-3;
        world.run_to(time).unwrap();
        let mut linked = world.linkages[0].clone().unwrap();
        linked.linkage.place_at(time);
        for (link, &collider) in linked.colliders.iter().enumerate() {
            let state = world.member(collider).state_at(time);
            let exact = linked.linkage.placed_pose(link);
            let radius = world.colliders[collider].radius;
            let turned = (exact.rotation.conjugate() * state.world_from_body.rotation).xyz().length();
            let moved = exact.translation.distance(state.world_from_body.translation) / radius;
            worst = worst.max(moved + 2.0 * turned);
            let by_rates = linked.linkage.state_in(link, state.world_from_body);
            let difference =
                (by_rates.velocity - state.velocity).length() / radius + (by_rates.spin - state.spin).length();
            faster = faster.max(difference);
        }
    }
    assert!(worst < 1e-12, "{worst:e}");
    assert!(faster < 1e-9, "{faster:e}");
}
