//! Controllers (section 5.4.2) against closed forms: static error, stability of sampled control, computed torque, the instants of ticks.

use super::flight::{builder, hinge, rod};
use impulse::prelude::*;

/// A block of a mass on a rail along an axis.
fn cart(gravity: f64, mass: f64, axis: DVec3) -> (World, JointId) {
    let mut builder = builder(gravity);
    let block = Cuboid::new(DVec3::splat(0.1)).unwrap();
    let body = builder.add_body(BodySpec::free("block", block).mass(mass)).unwrap();
    let rail = JointSpec::new("rail", [None, Some(body)], JointPlace::Slider { axis });
    let joint = builder.add_joint(rail).unwrap();
    (builder.build().unwrap(), joint)
}

fn place(world: &World, joint: JointId) -> f64 {
    world.joint(joint).unwrap().position()[0]
}

#[test]
fn a_load_pulls_a_pd_joint_off_its_goal_but_no_pid_joint() {
    let (mut world, joint) = cart(9.81, 2.0, DVec3::Z);
    let law = JointLaw::position(Gains::pd(981.0, 60.0));
    let pd = world.add_controller(ControllerSpec::joint(joint, law, 0.5, 1e-3)).unwrap();
    world.run_to(20.0).unwrap();
    // m g / k_p (errata of section 5.4.1).
    let off = place(&world, joint) - (0.5 - 0.02);
    assert!(off.abs() < 1e-9, "{off:e}");
    let settled = world.counters().events;
    assert!((world.controller_output(pd).unwrap()[0] - 19.62).abs() < 1e-6);
    world.remove_controller(pd).unwrap();
    assert_eq!(world.joint(joint).unwrap().force(), [0.0]);
    let law = JointLaw::position(Gains::pid(981.0, 2000.0, 60.0));
    world.add_controller(ControllerSpec::joint(joint, law, 0.5, 1e-3)).unwrap();
    world.run_to(40.0).unwrap();
    let error = place(&world, joint) - 0.5;
    println!("PD {off:e} m from m g / k_p, PID {error:e} m from its goal, {settled} events in 20 s");
    assert!(error.abs() < 1e-9, "{error:e}");
}

#[test]
fn a_pid_joint_at_its_limit_does_not_wind_up() {
    let (mut world, joint) = cart(9.81, 2.0, DVec3::Z);
    let law = JointLaw::position(Gains::pid(400.0, 800.0, 60.0)).limited(19.62 + 5.0);
    let id = world.add_controller(ControllerSpec::joint(joint, law, 0.0, 1e-3)).unwrap();
    // A weight that it cannot lift, for ten seconds.
    let body = world.joint(joint).unwrap().bodies()[1].unwrap();
    world.run_to(1.0).unwrap();
    world.set_force(body, DVec3::NEG_Z * 5.5).unwrap();
    world.run_to(3.0).unwrap();
    assert_eq!(world.controller_output(id).unwrap(), [19.62 + 5.0]);
    let lowest = place(&world, joint);
    world.set_force(body, DVec3::ZERO).unwrap();
    // What it has integrated would take it far beyond its goal.
    let mut highest = lowest;
    for k in 0..1000 {
        world.run_to(3.0 + 0.01 * f64::from(k)).unwrap();
        highest = highest.max(place(&world, joint));
    }
    println!("pulled down to {lowest} m, overshoots by {highest} m");
    assert!(lowest < -0.4 && highest < 0.12, "{lowest} {highest}");
    assert!(place(&world, joint).abs() < 1e-6);
}

/// A free mass under sampled PD is a linear map from tick to tick: it is stable for `k_p T / 2 < k_v < 2 m / T`.
#[test]
fn sampled_control_is_stable_where_theory_says() {
    let grows = |k_v: f64| {
        let (mut world, joint) = cart(0.0, 1.0, DVec3::X);
        world.set_joint_position(joint, 1e-3).unwrap();
        let law = JointLaw::position(Gains::pd(1e4, k_v));
        world.add_controller(ControllerSpec::joint(joint, law, 0.0, 1e-3)).unwrap();
        let swing = |world: &mut World, from: f64| {
            (0..200).fold(0.0f64, |most, k| {
                world.run_to(from + 1e-3 * f64::from(k)).unwrap();
                most.max(place(world, joint).abs())
            })
        };
        let early = swing(&mut world, 0.1);
        swing(&mut world, 0.5) > early
    };
    assert!(grows(4.95) && !grows(5.05) && !grows(100.0) && !grows(1980.0) && grows(2020.0));
}

/// A two-link arm in the plane of gravity.
fn arm() -> (World, [JointId; 2]) {
    let mut builder = builder(9.81);
    let upper = builder.add_body(rod("upper", DVec3::X * 0.5)).unwrap();
    let lower = builder.add_body(rod("lower", DVec3::X * 1.5)).unwrap();
    let shoulder = builder.add_joint(hinge("shoulder", [None, Some(upper)], DVec3::ZERO)).unwrap();
    let elbow = builder.add_joint(hinge("elbow", [Some(upper), Some(lower)], DVec3::X)).unwrap();
    (builder.build().unwrap(), [shoulder, elbow])
}

#[test]
fn computed_torque_gives_the_accelerations_commanded() {
    let commanded = [0.8, -1.7];
    let missed = |period: f64| {
        let (mut world, joints) = arm();
        world.add_controller(ControllerSpec::torques(&joints, &commanded, period)).unwrap();
        world.run_to(1.0).unwrap();
        joints.iter().zip(commanded).fold(0.0f64, |d, (&j, a)| d.max((place(&world, j) - 0.5 * a).abs()))
    };
    let [coarse, fine, finer] = [4e-3, 2e-3, 1e-3].map(missed);
    println!("missed by {coarse:e}, {fine:e}, {finer:e} m: {} {}", coarse / fine, fine / finer);
    assert!((coarse / fine - 2.0).abs() < 0.1 && (fine / finer - 2.0).abs() < 0.1);
    let (mut world, joints) = arm();
    world.add_controller(ControllerSpec::torques(&joints, &commanded, 0.01)).unwrap();
    let mut worst = 0.0f64;
    for tick in 0..60 {
        world.run_to(0.01 * f64::from(tick)).unwrap();
        for (&joint, a) in joints.iter().zip(commanded) {
            worst = worst.max((world.joint(joint).unwrap().acceleration()[0] - a).abs());
        }
    }
    println!("right after a tick: {worst:e} rad/s^2 from what is commanded");
    assert!(worst < 1e-10, "{worst:e}");
}

#[test]
fn joints_that_are_not_commanded_go_as_they_are_pushed() {
    let (mut world, [shoulder, elbow]) = arm();
    world.add_controller(ControllerSpec::torques(&[elbow], &[0.0], 5e-4)).unwrap();
    world.run_to(0.3).unwrap();
    // The arm falls as one rod of two metres: its shoulder accelerates by 3 g / 4 at first.
    assert!(place(&world, elbow).abs() < 1e-4);
    let mut whole = builder(9.81);
    let rod = BodySpec::free("rod", Cuboid::new(DVec3::new(2.0, 0.06, 0.04)).unwrap()).at(DVec3::X).mass(2.0);
    let body = whole.add_body(rod).unwrap();
    let joint = whole.add_joint(hinge("joint", [None, Some(body)], DVec3::ZERO)).unwrap();
    let mut one = whole.build().unwrap();
    one.run_to(0.3).unwrap();
    let (a, b) = (place(&world, shoulder), place(&one, joint));
    assert!((a - b).abs() < 1e-4 && a.abs() > 0.2, "{a} {b}");
}

#[test]
fn controllers_act_at_their_instants_whoever_looks() {
    let run = |looks: bool| {
        let (mut world, [shoulder, elbow]) = arm();
        let law = |k_p| JointLaw::position(Gains::pd(k_p, 8.0));
        let specs = [
            ControllerSpec::joint(shoulder, law(300.0), 0.2, 5e-4),
            ControllerSpec::joint(elbow, law(100.0), -0.4, 1e-3),
            ControllerSpec { start: 0.123, ..ControllerSpec::joint(elbow, law(10.0), -0.3, 1e-2) },
        ];
        let ids = specs.clone().map(|spec| world.add_controller(spec).unwrap());
        if looks {
            world.add_clock(ClockSpec::sample(7e-4)).unwrap();
        }
        let mut ticks = Vec::new();
        while world.time() < 0.5 {
            if let Some(Event::Control(_)) = world.step().unwrap() {
                ticks.push(world.time().to_bits());
            }
            if looks && world.counters().events % 257 == 0 {
                let text = serde_json::to_string(&world.snapshot()).unwrap();
                world = World::restore(serde_json::from_str(&text).unwrap()).unwrap();
            }
        }
        let expected = specs.map(|spec| (0..).map(move |k| spec.start + f64::from(k) * spec.period));
        let mut expected: Vec<u64> =
            expected.into_iter().flat_map(|times| times.take_while(|t| *t <= 0.5).map(f64::to_bits)).collect();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(ticks, expected);
        let outputs = ids.map(|id| world.controller_output(id).unwrap()[0].to_bits());
        (outputs, place(&world, elbow).to_bits(), world.trace_hash())
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn what_is_enabled_in_between_acts_at_the_next_tick() {
    let (mut world, joint) = cart(0.0, 1.0, DVec3::X);
    let law = JointLaw::position(Gains::pd(100.0, 0.0));
    let spec = ControllerSpec { enabled: false, ..ControllerSpec::joint(joint, law, 1.0, 0.1) };
    let id = world.add_controller(spec).unwrap();
    world.run_to(0.55).unwrap();
    assert_eq!(world.controller_output(id).unwrap(), [0.0]);
    world.enable_controller(id, true).unwrap();
    world.set_goal(id, Goal::Joint(0.5)).unwrap();
    world.run_to(0.599).unwrap();
    assert_eq!(place(&world, joint), 0.0);
    world.run_to(0.65).unwrap();
    // 50 N for 0.05 s on 1 kg.
    assert!((place(&world, joint) - 0.5 * 50.0 * 0.05 * 0.05).abs() < 1e-12);
    world.enable_controller(id, false).unwrap();
    let rate = world.joint(joint).unwrap().rate();
    world.run_to(0.9).unwrap();
    assert_eq!(world.joint(joint).unwrap().rate(), rate);
}

#[test]
fn a_free_body_goes_to_a_place_and_an_attitude() {
    let mut builder = builder(9.81);
    let block = BodySpec::free("block", Cuboid::new(DVec3::new(0.3, 0.2, 0.1)).unwrap()).mass(2.0);
    let body = builder.add_body(block).unwrap();
    let mut world = builder.build().unwrap();
    let goal = Pose { rotation: DQuat::from_rotation_z(2.0) * DQuat::from_rotation_x(0.7), translation: DVec3::ONE };
    let law = PoseLaw { linear: Gains::pd(200.0, 40.0), angular: Gains::pd(1.0, 0.2), limits: [Some(80.0), None] };
    world.add_controller(ControllerSpec::pose(body, law, goal, 1e-3)).unwrap();
    world.run_to(10.0).unwrap();
    let found = world.body(body).unwrap().pose();
    let sag = DVec3::NEG_Z * (2.0 * 9.81 / 200.0);
    assert!((found.translation - (goal.translation + sag)).length() < 1e-6, "{}", found.translation);
    assert!(found.rotation.dot(goal.rotation).abs() > 1.0 - 1e-9, "{}", found.rotation);
    world.remove_body(body).unwrap();
    World::restore(world.snapshot()).unwrap().run_to(11.0).unwrap();
}

#[test]
fn what_cannot_be_controlled_is_refused() {
    let (mut world, joint) = cart(9.81, 2.0, DVec3::Z);
    let law = JointLaw::position(Gains::pd(981.0, 60.0));
    let spec = ControllerSpec::joint(joint, law, 0.5, 1e-3);
    let told = |world: &mut World, spec: ControllerSpec| world.add_controller(spec).unwrap_err().to_string();
    let nan = ControllerSpec::joint(joint, law, f64::NAN, 1e-3);
    assert!(told(&mut world, nan).contains("goal must be a finite number"));
    let pushed = ControllerSpec::joint(joint, JointLaw::position(Gains::pd(-1.0, 0.0)), 0.0, 1e-3);
    assert!(told(&mut world, pushed).contains("gains"));
    assert!(told(&mut world, ControllerSpec { period: 0.0, ..spec.clone() }).contains("period"));
    let twice = ControllerSpec::torques(&[joint, joint], &[0.0, 0.0], 1e-3);
    assert!(told(&mut world, twice).contains("different joints"));
    let id = world.add_controller(spec).unwrap();
    assert!(world.set_goal(id, Goal::Accelerations(vec![1.0])).is_err());
    world.remove_controller(id).unwrap();
    assert!(world.enable_controller(id, true).unwrap_err().to_string().contains("no controller has this id"));
}

/// A user's force on a joint stays where a controller of it is disabled, also while others act on the linkage.
#[test]
fn what_is_disabled_leaves_the_user_alone() {
    let (mut world, [shoulder, elbow]) = arm();
    let law = JointLaw::position(Gains::pd(300.0, 8.0));
    world.add_controller(ControllerSpec::joint(shoulder, law, 0.0, 1e-3)).unwrap();
    let id = world.add_controller(ControllerSpec::joint(elbow, law, 0.0, 1e-3)).unwrap();
    world.run_to(0.1).unwrap();
    assert_ne!(world.joint(elbow).unwrap().force(), [0.0]);
    world.enable_controller(id, false).unwrap();
    assert_eq!(world.joint(elbow).unwrap().force(), [0.0]);
    world.set_joint_force(elbow, &[1.25]).unwrap();
    world.run_to(0.2).unwrap();
    assert_eq!(world.joint(elbow).unwrap().force(), [1.25]);
}

/// A controller that does not change what it does wakes nobody.
#[test]
fn a_body_that_is_pushed_as_before_rests() {
    let mut builder = builder(9.81);
    builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0).unwrap())).unwrap();
    let block = BodySpec::free("block", Cuboid::new(DVec3::splat(0.1)).unwrap()).at(DVec3::Z * 0.05).mass(1.0);
    let body = builder.add_body(block).unwrap();
    let mut world = builder.build().unwrap();
    // It is drawn to a place far below, at its limit.
    let law = PoseLaw { linear: Gains::pd(1e6, 0.0), limits: [Some(3.0), None], ..PoseLaw::default() };
    let goal = Pose { rotation: DQuat::IDENTITY, translation: DVec3::NEG_Z * 1e6 };
    world.add_controller(ControllerSpec::pose(body, law, goal, 1e-2)).unwrap();
    world.run_to(1.0).unwrap();
    assert!(world.body(body).unwrap().is_frozen());
    let force: DVec3 = world.body(body).unwrap().contacts().iter().map(|contact| contact.force).sum();
    assert!((force.z - 12.81).abs() < 1e-3, "{force}");
}
