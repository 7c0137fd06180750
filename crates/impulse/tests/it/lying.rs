//! Bodies that lie on a plane: they slide and stop in closed form, beside theory, beside hops, and where that ends.

use crate::world_support::{free, slab, surface, wall};
use impulse::geometry::Cuboid;
use impulse::math::Pose;
use impulse::world::{BodyId, BodySpec, ContactMode, Counters, Settings, World, WorldBuilder};
use impulse::{DQuat, DVec3};

const G: f64 = 9.81;
/// A block of 0.2 by 0.1 by 0.1 m.
const SIZE: DVec3 = DVec3::new(0.2, 0.1, 0.1);

/// A block on a slope (rad) that sets out downhill at a speed, m/s, and the way downhill. The slope is a half-space, or the slab on which
/// bodies hop.
fn block(slope: f64, speed: f64, (friction, hops): (f64, bool), hop_height: f64) -> (World, BodyId, DVec3) {
    let (sine, cosine) = libm::sincos(slope);
    let (up, downhill) = (DVec3::new(sine, 0.0, cosine), DVec3::new(cosine, 0.0, -sine));
    let mut b = WorldBuilder::new(Settings { hop_height, ..Settings::default() }).unwrap();
    let m = b.add_material(surface(friction, 0.3)).unwrap();
    b.add_body(if hops { slab(slope, m) } else { wall("slope", up, 0.0, m) }).unwrap();
    let block = free("block", Cuboid::new(SIZE).unwrap(), DVec3::ZERO, downhill * speed, m);
    let at = Pose { rotation: DQuat::from_rotation_y(slope), translation: up * (0.5 * SIZE.z) };
    let block = b.add_body(BodySpec { world_from_shape: at, ..block }).unwrap();
    (b.build().unwrap(), block, downhill)
}

fn run(world: &mut World, time: f64) {
    assert!(world.run_until(time, Some(100_000)).unwrap().reached());
}

fn place(world: &World, body: BodyId) -> DVec3 {
    world.pose_at(body, world.time()).unwrap().translation
}

#[test]
fn a_block_slides_stops_and_rests_as_theory_says() {
    for (slope, speed, friction) in [(0.0, 2.0, 0.4), (0.3, 1.0, 0.7), (0.0, 0.5, 1.5)] {
        let (mut world, block, downhill) = block(slope, speed, (friction, false), 1e-5);
        let (sine, cosine) = libm::sincos(slope);
        let braking = G * (friction * cosine - sine);
        let start = place(&world, block);
        let stop = speed / braking;
        run(&mut world, 0.5 * stop);
        let way = |t: f64| speed * t - 0.5 * braking * t * t;
        let error = (place(&world, block) - start - downhill * way(0.5 * stop)).length();
        // It sets out half a touch distance above the plane and comes down.
        assert!(error < 1e-9, "{error:e} m on the way at {slope} rad");
        run(&mut world, 2.0 * stop);
        let error = (place(&world, block) - start).dot(downhill) - way(stop);
        assert!(error.abs() < 1e-9, "{error:e} m at the end");
        let Counters { events, hops, .. } = world.counters();
        assert!(hops <= 2 && events < 100, "{hops} hops and {events} events");
        assert!(world.body(block).unwrap().is_frozen());
    }
}

#[test]
fn a_block_thrown_up_a_slope_comes_back() {
    let (slope, friction, speed) = (0.5, 0.2, -3.0);
    let (mut world, block, downhill) = block(slope, speed, (friction, false), 1e-5);
    let (sine, cosine) = libm::sincos(slope);
    let (up, down) = (G * (sine + friction * cosine), G * (sine - friction * cosine));
    let start = place(&world, block);
    let turns = 3.0 / up;
    let time = turns + 0.7;
    run(&mut world, time);
    let wanted = -0.5 * up * turns * turns + 0.5 * down * 0.7 * 0.7;
    let error = (place(&world, block) - start).dot(downhill) - wanted;
    assert!(error.abs() < 1e-9, "{error:e} m");
    let velocity = world.principal_state_at(block, time).unwrap().velocity;
    assert!(velocity.distance(downhill * (down * 0.7)) < 1e-9, "{velocity}");
    assert!(world.counters().hops <= 2, "{:?}", world.counters());
}

/// With lower and lower hops, those on a slab come to the closed form.
#[test]
fn hops_come_to_the_closed_form() {
    let way = |hops: bool, hop_height: f64| {
        let (mut world, block, downhill) = block(0.2, 1.0, (0.5, hops), hop_height);
        let start = place(&world, block);
        run(&mut world, 0.3);
        (place(&world, block) - start).dot(downhill)
    };
    let exact = way(false, 1e-5);
    let errors = [1e-4, 1e-6].map(|height| (way(true, height) - exact).abs());
    assert!(errors[0] < 2e-4 && errors[1] < 0.2 * errors[0].max(1e-7), "{errors:?}");
}

/// The pushes of the points come to the weight, and act ahead of the centre by friction times its height.
#[test]
fn pushes_balance_weight_and_friction() {
    let friction = 0.4;
    let (mut world, block, _) = block(0.0, 2.0, (friction, false), 1e-5);
    run(&mut world, 0.1);
    let contacts = world.lasting_contacts(block);
    let weight = world.principal_mass(block).unwrap().mass() * G;
    // On the floor, which was added first.
    let force: DVec3 = contacts.iter().map(|contact| contact.force).sum();
    assert!(force.distance(weight * DVec3::new(friction, 0.0, -1.0)) < 1e-9 * weight, "{force}");
    let lever: f64 = contacts.iter().map(|contact| contact.point.x * contact.force.z).sum::<f64>() / force.z;
    let ahead = lever - place(&world, block).x;
    assert!((ahead - friction * 0.05).abs() < 1e-9, "{ahead}");
    assert!(contacts.iter().all(|contact| contact.mode == ContactMode::Slide), "{contacts:?}");
}

/// Where the centre of pressure would leave the block, it tips over: friction 1.5 times half its height is 0.15 m, its foot 0.05 m.
#[test]
fn a_tall_block_does_not_slide_but_tips() {
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(surface(1.5, 0.3)).unwrap();
    b.add_body(wall("floor", DVec3::Z, 0.0, m)).unwrap();
    let tall = Cuboid::new(DVec3::new(0.1, 0.1, 0.2)).unwrap();
    let tall = b.add_body(free("tall", tall, DVec3::Z * 0.1, DVec3::X * 2.0, m)).unwrap();
    let mut world = b.build().unwrap();
    // On which face it ends is a matter of chance: it turns over more than once.
    let upright = |world: &World| (world.body(tall).unwrap().pose().rotation * DVec3::Z).z;
    let leans = (1..=300).map(|k| {
        run(&mut world, 0.01 * f64::from(k));
        upright(&world)
    });
    let least = leans.fold(1.0, f64::min);
    assert!(least < 0.1 && world.body(tall).unwrap().is_frozen(), "it tips over: {least}");
}

/// A block slides over the edge of a table and falls.
#[test]
fn a_block_slides_off_a_table() {
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(surface(0.1, 0.3)).unwrap();
    b.add_body(wall("floor", DVec3::Z, -1.0, m)).unwrap();
    let table = BodySpec::fixed("table", Cuboid::new(DVec3::new(1.0, 1.0, 0.1)).unwrap());
    b.add_body(BodySpec { material: m, ..table.at(DVec3::Z * -0.05) }).unwrap();
    let block = free("block", Cuboid::new(SIZE).unwrap(), DVec3::Z * 0.05, DVec3::X * 2.0, m);
    let block = b.add_body(block).unwrap();
    let mut world = b.build().unwrap();
    // Its front is over the edge after 0.4 m, to the right of that corners leave it.
    let reaches = (2.0 - (4.0f64 - 2.0 * 0.1 * G * 0.4).sqrt()) / (0.1 * G);
    run(&mut world, reaches - 1e-3);
    assert!(world.counters().hops <= 2, "{:?}", world.counters());
    run(&mut world, 3.0);
    assert!(place(&world, block).z < -0.8, "{}", place(&world, block));
}

/// A blow in the middle of the way, and a snapshot: both go on as they must.
#[test]
fn snapshots_go_on_and_blows_end_it() {
    let (mut world, block, _) = block(0.0, 2.0, (0.3, false), 1e-5);
    run(&mut world, 0.2);
    let mut copy = World::restore(world.snapshot()).unwrap();
    for world in [&mut world, &mut copy] {
        let at = place(world, block);
        world.apply_impulse(block, at, DVec3::new(0.0, 1.0, 0.0)).unwrap();
        run(world, 1.5);
    }
    assert_eq!(world.trace_hash(), copy.trace_hash());
    assert_eq!(place(&world, block), place(&copy, block));
    assert!(place(&world, block).y > 0.01 && world.body(block).unwrap().is_frozen());
    assert!(world.energy_rise() <= world.energy_allowance());
}
