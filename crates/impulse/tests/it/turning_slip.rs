//! Slip that turns round, comes to a stop or changes its direction (beside section 3.5) against Coulomb's law, solved otherwise.

use crate::coulomb_oracle::{Carried, Plate};
use crate::judged::assert_apart;
use crate::world_support::{floor, free, placed, surface, wall};
use impulse::body::Cycle;
use impulse::geometry::{ConvexPolyhedron, Cuboid, Cylinder, Shape, Sphere};
use impulse::math::Pose;
use impulse::world::{BodyId, BodySpec, MotionSpec, Settings, World, WorldBuilder};
use impulse::{DQuat, DVec3};

const G: f64 = 9.81;

/// A world with this hop height, relative to bodies.
fn builder(hop_height: f64) -> WorldBuilder {
    WorldBuilder::new(Settings { hop_height, ..Settings::default() }).unwrap()
}

fn run(world: &mut World, until: f64) {
    let stopped = world.run_until(until, Some(2_000_000)).unwrap();
    assert!(stopped.reached(), "an event storm at {} s: {:?}", world.time(), world.counters());
    assert_apart(world);
    assert_eq!(world.counters().unconverged, 0);
}

fn position(world: &World, body: BodyId) -> DVec3 {
    world.principal_state_at(body, world.time()).unwrap().world_from_body.translation
}

/// Something on an obliquely vibrating plate, carried along with it at first.
fn on_plate(plate: &Plate, shape: Shape, height: f64, spin: f64) -> (World, BodyId) {
    let mut b = builder(1e-5);
    let m = b.add_material(surface(plate.friction, 0.0)).unwrap();
    let [along, up] = plate.amplitude;
    let below = Pose::from_translation(DVec3::Z * -0.05);
    let script = Cycle::oscillator(below, DVec3::new(along, 0.0, up), plate.rate).unwrap();
    let motion = MotionSpec::Scripted { script: script.into(), centre: DVec3::ZERO };
    let slab = Cuboid::new(DVec3::new(3.0, 1.0, 0.1)).unwrap();
    b.add_body(BodySpec { name: "plate".into(), shape: slab.into(), motion, ..floor(m) }).unwrap();
    let [along, up] = plate.velocity(0.0);
    let at = Pose::from_translation(DVec3::Z * height);
    let body =
        placed(free("body", shape, DVec3::ZERO, DVec3::ZERO, m), at, DVec3::new(along, 0.0, up), DVec3::Y * spin);
    let body = b.add_body(body).unwrap();
    (b.build().unwrap(), body)
}

/// Mean speed from about 1 s to about 3 s, whole periods, and by how much the engine's differs, relative to it.
fn conveyed(plate: &Plate, (mut world, body): (World, BodyId)) -> (f64, f64) {
    let hertz = plate.rate / std::f64::consts::TAU;
    let times = [hertz.round() / hertz, (3.0 * hertz).round() / hertz];
    let mut exact = Carried::new(*plate);
    let ways = times.map(|t| {
        run(&mut world, t);
        exact.run(t);
        [position(&world, body).x, exact.at[0]]
    });
    assert!(position(&world, body).y.abs() < 1e-6, "it went sideways by {} m", position(&world, body).y);
    let way = |i: usize| ways[1][i] - ways[0][i];
    (way(1) / (times[1] - times[0]), way(0) / way(1) - 1.0)
}

#[track_caller]
fn assert_conveys_a_block(settings: &[(f64, [f64; 2], f64)]) {
    for &(hertz, amplitude, friction) in settings {
        let plate = Plate::new(hertz, amplitude, friction);
        let block = Cuboid::new(DVec3::new(0.04, 0.04, 0.005)).unwrap();
        let (speed, error) = conveyed(&plate, on_plate(&plate, block.into(), 0.0025, 0.0));
        assert!(error.abs() < 1e-3, "{hertz} Hz, {amplitude:?} mm, {friction}: off by {error:e} of {speed} m/s");
    }
}

/// Amplitudes along the plate and upwards; it always presses. The first three are published in part.
#[test]
fn a_vibrating_plate_conveys_a_block_as_coulomb_says() {
    assert_conveys_a_block(&[
        (30.0, [1.0, 0.2], 0.3),
        (35.0, [1.2, 0.15], 0.25),
        (24.0, [2.0, 0.4], 0.5),
        (15.0, [3.0, 0.8], 0.6),
        (30.0, [0.8, 0.25], 0.15),
        (25.0, [0.6, 0.3], 0.4),
        (40.0, [0.5, 0.1], 0.2),
    ]);
}

/// The plate falls faster than the block, which lands on it again, once in each period.
#[test]
fn a_plate_that_throws_a_block_conveys_it_as_coulomb_says() {
    assert_conveys_a_block(&[(30.0, [1.0, 0.4], 0.3), (28.0, [1.2, 0.6], 0.5), (40.0, [0.7, 0.35], 0.35)]);
}

/// The published speed of the first setting, mm/s, is that of the oracle.
#[test]
fn the_oracle_agrees_with_what_is_published() {
    for (hertz, amplitude, friction, speed) in
        [(30.0, [1.0, 0.2], 0.3, 24.7580), (35.0, [1.2, 0.15], 0.25, 18.1665), (24.0, [2.0, 0.4], 0.5, 65.6294)]
    {
        let mut body = Carried::new(Plate::new(hertz, amplitude, friction));
        body.run(5.0);
        let start = body.at[0];
        body.run(6.0);
        let found = 1e3 * (body.at[0] - start);
        assert!((found / speed - 1.0).abs() < 2e-4, "{found} instead of {speed} mm/s");
    }
}

/// A ball rolls with 2/7 of the plate's acceleration as long as friction can do that.
#[test]
fn a_vibrating_plate_conveys_a_ball_as_coulomb_says() {
    for (hertz, amplitude, friction) in [(30.0, [1.0, 0.2], 0.06), (25.0, [2.0, 0.3], 0.1)] {
        let plate = Plate { followed: 2.0 / 7.0, ..Plate::new(hertz, amplitude, friction) };
        let (speed, error) = conveyed(&plate, on_plate(&plate, Sphere::new(0.02).unwrap().into(), 0.02, 0.0));
        assert!(error.abs() < 1e-3, "{hertz} Hz, {amplitude:?} mm, {friction}: off by {error:e} of {speed} m/s");
    }
}

/// How far down a slope a block is at the end that began uphill at a speed, less what Coulomb's law says, m.
fn thrown_up(hop_height: f64, [slope, friction, speed, until]: [f64; 4]) -> f64 {
    let mut b = builder(hop_height);
    let m = b.add_material(surface(friction, 0.0)).unwrap();
    let (normal, downhill) = (DVec3::new(slope.sin(), 0.0, slope.cos()), DVec3::new(slope.cos(), 0.0, -slope.sin()));
    b.add_body(wall("slope", normal, 0.0, m)).unwrap();
    let at = Pose { rotation: DQuat::from_rotation_y(slope), translation: normal * 0.01 };
    let block = free("block", Cuboid::new(DVec3::new(0.1, 0.1, 0.02)).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
    let block = b.add_body(placed(block, at, downhill * -speed, DVec3::ZERO)).unwrap();
    let mut world = b.build().unwrap();
    run(&mut world, until);
    let (pull, hold) = (G * slope.sin(), G * friction * slope.cos());
    let turn = speed / (pull + hold);
    let back = 0.5 * (pull - hold).max(0.0) * (until - turn) * (until - turn);
    position(&world, block).dot(downhill) - (back - 0.5 * speed * turn)
}

#[test]
fn a_block_thrown_up_a_slope_slides_back_as_coulomb_says() {
    for case in [
        [0.6, 0.3, 1.003, 0.8],
        [0.3, 0.1, 0.7, 1.0],
        [1.0, 0.5, 2.0, 0.9],
        [0.5, 0.5, 0.8, 0.7],
        [0.6, 0.05, 0.317, 0.5],
        [0.4, 0.4, 1.3, 0.9],
    ] {
        let error = thrown_up(1e-5, case);
        assert!(error.abs() < 1e-6, "{case:?}: off by {error:e} m");
    }
}

/// The place at which a block stops is off by no more than `mu h`, `h` the height of its hops, which is of second order in their
/// duration `T`: from the middle of the last flight on, with slip `s` left, it goes `s T / 2` instead of `s^2 / (2 mu g)`.
#[test]
fn a_block_stops_where_coulomb_says_to_second_order() {
    let radius = 0.5 * DVec3::new(0.1, 0.1, 0.02).length();
    for (friction, speed) in [(0.3, 1.0), (0.5, 0.613), (0.2, 0.377), (0.4, 0.9)] {
        for hop_height in [1e-4, 1e-5, 1e-6] {
            let error = thrown_up(hop_height, [0.0, friction, speed, 1.0]);
            let allowed = friction * hop_height * radius + 1e-10;
            assert!(error.abs() < allowed, "{friction}, {speed} m/s, {hop_height}: off by {error:e} m of {allowed:e}");
        }
    }
}

/// Where something that spins as it slides comes to rest, for hops of this height, m.
fn spun(hop_height: f64, shape: Shape, height: f64, [speed, spin, friction]: [f64; 3]) -> DVec3 {
    let mut b = builder(hop_height);
    let m = b.add_material(surface(friction, 0.0)).unwrap();
    b.add_body(floor(m)).unwrap();
    let at = Pose::from_translation(DVec3::Z * height);
    let body = placed(free("body", shape, DVec3::ZERO, DVec3::ZERO, m), at, DVec3::X * speed, DVec3::Z * spin);
    let body = b.add_body(body).unwrap();
    let mut world = b.build().unwrap();
    let mut energy = world.energy();
    for k in 1..=15 {
        run(&mut world, 0.1 * f64::from(k));
        assert!(world.energy() <= energy * (1.0 + 1e-9), "{} J after {energy} J", world.energy());
        energy = world.energy();
    }
    assert_eq!(world.settled(body), Some(true));
    position(&world, body)
}

/// A prism on three edges, at a distance from its axis and of half a height, m.
fn tripod(radius: f64, half: f64) -> Shape {
    let foot = |angle: f64, z: f64| DVec3::new(radius * angle.cos(), radius * angle.sin(), z);
    let corners: Vec<DVec3> = [0.1, 2.2, 4.3].iter().flat_map(|&a| [foot(a, -half), foot(a, half)]).collect();
    ConvexPolyhedron::hull(&corners).unwrap().into()
}

/// Three feet share the weight in one way only, and the slip of each has its own direction, which turns all the time: the place
/// of rest is found to second order.
#[test]
fn a_spinning_tripod_slides_to_the_same_place_with_smaller_hops() {
    let tripod = tripod(0.05, 0.005);
    for case in [[0.5, 20.0, 0.3], [1.0, 8.0, 0.2]] {
        let [coarse, fine, finest] = [1e-4, 1e-5, 1e-6].map(|h| spun(h, tripod.clone(), 0.005, case));
        let errors = [coarse.distance(finest), fine.distance(finest)];
        assert!(errors[0] < 2e-5 && errors[1] < 2e-6, "{case:?}: {errors:?} m");
    }
}

/// A tripod on a platter that turns under it: it slips, is carried along, and flies off in a spiral.
#[test]
fn a_tripod_on_a_platter_moves_alike_with_smaller_hops() {
    let tripod = tripod(0.01, 0.002);
    let places = [1e-4, 1e-5, 1e-6].map(|hop_height| {
        let mut b = builder(hop_height);
        let m = b.add_material(surface(0.2, 0.0)).unwrap();
        let script = Cycle::spinner(Pose::from_translation(DVec3::Z * -0.05), DVec3::Z, DVec3::ZERO, 6.0).unwrap();
        let motion = MotionSpec::Scripted { script: script.into(), centre: DVec3::ZERO };
        let platter = Cylinder::new(1.0, 0.1).unwrap();
        b.add_body(BodySpec { name: "platter".into(), shape: platter.into(), motion, ..floor(m) }).unwrap();
        let at = DVec3::new(0.1, 0.0, 0.002);
        let tripod = b.add_body(free("tripod", tripod.clone(), at, DVec3::Y * 0.2, m)).unwrap();
        let mut world = b.build().unwrap();
        run(&mut world, 0.6);
        position(&world, tripod)
    });
    assert!(places.iter().all(|place| place.truncate().distance(places[2].truncate()) < 2e-6), "{places:?}");
}
