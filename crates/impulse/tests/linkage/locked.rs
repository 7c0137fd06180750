//! Hops locked to the ticks of controllers, and the beat without (beside sections 3.5 and 5.4).

use impulse::prelude::*;

const TICK: f64 = 1e-3;

/// A block of 0.1 kg on a gantry: pressed on the floor with 3 N, dragged along by a controller of the gantry's rate.
fn dragged(lock_hops: bool) -> (World, BodyId) {
    let settings = Settings { lock_hops, record_impacts: true, ..Settings::default() };
    let mut builder = WorldBuilder::new(settings).unwrap();
    builder.add_material(Material { friction: 0.3, restitution: 0.0, law: Law::Stronge }).unwrap();
    let floor = HalfSpace::new(DVec3::Z, 0.0).unwrap();
    builder.add_body(BodySpec::fixed("floor", floor)).unwrap();
    let block = Cuboid::new(DVec3::splat(0.04)).unwrap();
    let carriage = BodySpec::free("carriage", block.clone()).mass(0.05).at(DVec3::Z * 0.5);
    let carriage = builder.add_body(carriage).unwrap();
    let block = builder.add_body(BodySpec::free("block", block).mass(0.1).at(DVec3::Z * 0.02)).unwrap();
    let along = JointSpec::new("along", [None, Some(carriage)], JointPlace::Slider { axis: DVec3::X }).rate(0.05);
    let down = JointSpec::new("down", [Some(carriage), Some(block)], JointPlace::Slider { axis: DVec3::Z });
    let (along, down) = (builder.add_joint(along).unwrap(), builder.add_joint(down).unwrap());
    let mut world = builder.build().unwrap();
    world.set_joint_force(down, &[-3.0]).unwrap();
    let law = JointLaw::rate(Gains::pid(20.0, 200.0, 0.0));
    world.add_controller(ControllerSpec::joint(along, law, 0.05, TICK)).unwrap();
    (world, block)
}

/// Mean force of contact on the block along its way, in each of some ticks after a time.
fn drags(world: &mut World, block: BodyId, [from, ticks]: [u32; 2]) -> Vec<f64> {
    world.run_to(f64::from(from) * TICK).unwrap();
    world.take_impacts();
    let mut forces = Vec::new();
    for k in 1..=ticks {
        world.run_to(f64::from(from + k) * TICK).unwrap();
        let on_block =
            |record: &ImpactRecord| if record.bodies[0] == block { record.impulse.x } else { -record.impulse.x };
        forces.push(world.take_impacts().iter().map(on_block).sum::<f64>() / TICK);
    }
    forces
}

#[test]
fn the_drag_of_every_tick_is_that_of_coulomb_with_locked_hops() {
    let coulomb = 0.3 * (3.0 + 0.1 * 9.81);
    let off = |lock: bool| {
        let (mut world, block) = dragged(lock);
        let forces = drags(&mut world, block, [2000, 1000]);
        forces.iter().map(|force| (-force / coulomb - 1.0).abs()).fold(0.0, f64::max)
    };
    let (free, locked) = (off(false), off(true));
    println!("largest error of a tick's mean drag: {free:.2e} with free hops, {locked:.2e} with locked ones");
    assert!(locked < 1e-4, "{locked:e}");
    assert!(free > 0.05, "{free:e}");
}

const RADIUS: f64 = 0.05;

/// A cart with four driven wheels on a slope, given by gravity that is turned.
fn cart(slope: f64, wheel_rate: f64) -> (World, Vec<JointId>, Vec<ControllerId>) {
    let gravity = 9.81 * DVec3::new(-slope.sin(), 0.0, -slope.cos());
    let settings = Settings { lock_hops: true, gravity, ..Settings::default() };
    let mut builder = WorldBuilder::new(settings).unwrap();
    builder.add_material(Material { friction: 0.8, restitution: 0.0, law: Law::Stronge }).unwrap();
    builder.add_body(BodySpec::fixed("slope", HalfSpace::new(DVec3::Z, 0.0).unwrap())).unwrap();
    let chassis = BodySpec::free("chassis", Cuboid::new(DVec3::new(0.15, 0.08, 0.02)).unwrap()).mass(2.0);
    let velocity = wheel_rate * RADIUS * DVec3::X;
    let chassis = builder.add_body(chassis.at(DVec3::Z * 0.08).velocity(velocity)).unwrap();
    let mut joints = Vec::new();
    for (k, [x, y]) in [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]].into_iter().enumerate() {
        let at = DVec3::new(0.12 * x, 0.14 * y, RADIUS);
        let wheel = BodySpec::free(format!("wheel {k}"), Sphere::new(RADIUS).unwrap()).mass(0.25).at(at);
        let wheel = builder.add_body(wheel).unwrap();
        let place = JointPlace::Hinge { axis: DVec3::Y, through: at };
        let axle = JointSpec::new(format!("axle {k}"), [Some(chassis), Some(wheel)], place).rate(wheel_rate);
        joints.push(builder.add_joint(axle).unwrap());
    }
    let mut world = builder.build().unwrap();
    let law = JointLaw::rate(Gains::pid(0.02, 0.2, 0.0));
    let add = |&joint: &JointId| world.add_controller(ControllerSpec::joint(joint, law, wheel_rate, TICK)).unwrap();
    let controllers = joints.iter().map(add).collect();
    (world, joints, controllers)
}

#[test]
fn a_cart_climbs_at_the_rate_and_with_the_torque_of_statics() {
    let slope = 5_f64.to_radians();
    let (mut world, joints, controllers) = cart(slope, 4.0);
    let torque = |world: &World| -> f64 { controllers.iter().map(|&c| world.controller_output(c).unwrap()[0]).sum() };
    let turned =
        |world: &World| -> f64 { joints.iter().map(|&j| world.joint(j).unwrap().position()[0]).sum::<f64>() / 4.0 };
    world.run_to(4.0).unwrap();
    let (before, ticks) = (turned(&world), 1000_u32);
    let statics = 3.0 * 9.81 * RADIUS * slope.sin();
    let (mut least, mut most, mut sum) = (f64::INFINITY, 0.0_f64, 0.0);
    for k in 1..=ticks {
        world.run_to(4.0 + (f64::from(k) + 0.5) * TICK).unwrap();
        let now = torque(&world);
        (least, most, sum) = (least.min(now), most.max(now), sum + now);
    }
    world.run_to(5.0 + 0.5 * TICK).unwrap();
    let rate = (turned(&world) - before) / (1.0 + 0.5 * TICK);
    let off = sum / f64::from(ticks) / statics - 1.0;
    let steady = (most - least) / statics;
    println!("rate off by {:.2e}, torque by {off:.2e}, from tick to tick {steady:.2e}", rate / 4.0 - 1.0);
    assert!((rate / 4.0 - 1.0).abs() < 1e-6 && off.abs() < 1e-5 && steady < 1e-6);
}
