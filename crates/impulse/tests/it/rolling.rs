//! Balls that a plane carries (beside section 3.5): sliding, rolling, stopping and what ends them, against closed forms and against hops.

use crate::judged::assert_apart;
use crate::world_support::{floor, free, is_carried, placed, surface, wall};
use impulse::DVec3;
use impulse::geometry::{Cuboid, MassProperties, Shape, Sphere};
use impulse::math::Pose;
use impulse::world::{BodyId, BodySpec, ContactMode, MassSpec, MotionSpec, Settings, Surface, World, WorldBuilder};

const G: f64 = 9.81;
const RADIUS: f64 = 0.05;

/// A ball, or another shape, on a slope that falls along x by an angle.
struct Slope {
    angle: f64,
    surface: Surface,
    settings: Settings,
}

impl Slope {
    fn new(angle: f64, surface: impl Into<Surface>) -> Self {
        Self { angle, surface: surface.into(), settings: Settings::default() }
    }

    fn up(&self) -> DVec3 {
        DVec3::new(self.angle.sin(), 0.0, self.angle.cos())
    }

    fn down(&self) -> DVec3 {
        DVec3::new(self.angle.cos(), 0.0, -self.angle.sin())
    }

    /// With the given velocity and angular velocity, in the air by the touch distance.
    fn with(&self, shape: impl Into<Shape>, velocity: DVec3, spin: DVec3) -> (World, BodyId) {
        let mut b = WorldBuilder::new(self.settings).unwrap();
        let m = b.add_material(self.surface).unwrap();
        b.add_body(wall("floor", self.up(), 0.0, m)).unwrap();
        let ball = free("ball", shape, DVec3::ZERO, DVec3::ZERO, m);
        let ball = b.add_body(placed(ball, Pose::from_translation(self.up() * RADIUS), velocity, spin)).unwrap();
        (b.build().unwrap(), ball)
    }

    fn ball(&self, velocity: DVec3, spin: DVec3) -> (World, BodyId) {
        self.with(Sphere::new(RADIUS).unwrap(), velocity, spin)
    }
}

fn at(world: &World, body: BodyId) -> DVec3 {
    world.body(body).unwrap().centre_of_mass()
}

/// Runs until a body is carried; then it has lost what little it gained in the fall to the plane.
fn land(world: &mut World, body: BodyId) {
    while !is_carried(world, body) {
        world.step().unwrap().unwrap();
    }
}

#[track_caller]
fn assert_close(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() <= tolerance * wanted.abs(), "{found} instead of {wanted}");
}

/// It slows down by `mu g`, and its slip by `7/2 mu g`; then it rolls at 5/7 of its speed.
#[test]
fn a_sliding_ball_comes_to_roll_at_five_sevenths() {
    let (mu, speed) = (0.1, 1.3);
    let (mut world, ball) = Slope::new(0.0, surface(mu, 0.5)).ball(DVec3::X * speed, DVec3::ZERO);
    land(&mut world, ball);
    let body = world.body(ball).unwrap();
    let (start, from, v, w) = (world.time(), at(&world, ball), body.velocity().x, body.angular_velocity().y);
    // What the landing leaves counts, to the last digit.
    let slip = v - RADIUS * w;
    let stop = start + slip / (3.5 * mu * G);
    assert_close(world.motion(ball).unwrap().carried().unwrap().times()[1], stop, 1e-14);
    world.run_to(stop).unwrap();
    let rolling = (5.0 * v + 2.0 * RADIUS * w) / 7.0;
    let body = world.body(ball).unwrap();
    assert_close(body.velocity().x, rolling, 1e-14);
    assert_close(body.velocity().x, 5.0 / 7.0 * speed, 1e-5);
    assert_close(body.angular_velocity().y, rolling / RADIUS, 1e-14);
    let slid = 0.5 * (v + rolling) * (stop - start);
    assert_close(at(&world, ball).x - from.x, slid, 1e-12);
    let events = world.counters().events - world.counters().expiries;
    world.run_to(stop + 10.0).unwrap();
    assert_close(at(&world, ball).x - from.x, slid + 10.0 * rolling, 1e-12);
    assert_eq!(at(&world, ball).z, from.z);
    assert_eq!(world.counters().events - world.counters().expiries, events, "boxes alone expire");
}

/// `v^2 / 2 a` with `a = 5/7 (rho / r) g`, and then it is frozen.
#[test]
fn a_rolling_ball_stops_where_its_resistance_says() {
    let (rho, speed) = (2e-3, 0.4);
    let law = Surface { rolling_resistance: rho, ..surface(0.5, 0.3).into() };
    let (mut world, ball) = Slope::new(0.0, law).ball(DVec3::X * speed, DVec3::Y * speed / RADIUS);
    land(&mut world, ball);
    let (start, from, v) = (world.time(), at(&world, ball).x, world.body(ball).unwrap().velocity().x);
    assert_close(v, speed, 1e-5);
    let slowing = 5.0 / 7.0 * rho / RADIUS * G;
    world.run_to(start + 0.999 * v / slowing).unwrap();
    assert!(is_carried(&world, ball));
    world.run_to(start + 1.001 * v / slowing).unwrap();
    assert_close(at(&world, ball).x - from, v * v / (2.0 * slowing), 1e-12);
    assert!(world.body(ball).unwrap().is_frozen());
}

/// `5/7 g sin` where friction holds it, at most `7/2 mu` of steepness; else `g (sin - mu cos)`.
#[test]
fn a_ball_on_a_slope_accelerates_as_it_should() {
    for (mu, angle) in [(0.3, 0.2f64), (0.3, 0.7), (0.3, 0.9), (0.05, 0.3)] {
        let slope = Slope::new(angle, surface(mu, 0.2));
        let (mut world, ball) = slope.ball(DVec3::ZERO, DVec3::ZERO);
        land(&mut world, ball);
        let (start, from, v) = (world.time(), at(&world, ball), world.body(ball).unwrap().velocity().dot(slope.down()));
        let (sine, cosine) = (angle.sin(), angle.cos());
        let rolls = angle.tan() <= 3.5 * mu;
        let a = if rolls { 5.0 / 7.0 * G * sine } else { G * (sine - mu * cosine) };
        world.run_to(start + 2.0).unwrap();
        let way = (at(&world, ball) - from).dot(slope.down());
        assert_close(way, 2.0 * v + 2.0 * a, 1e-12);
        let [contact] = world.body(ball).unwrap().contacts()[..] else { panic!("one contact") };
        assert_eq!(contact.mode, if rolls { ContactMode::Roll } else { ContactMode::Slide });
        let weight = world.principal_mass(ball).unwrap().mass() * G;
        let friction = if rolls { -2.0 / 7.0 * weight * sine } else { -mu * weight * cosine };
        let wanted = slope.up() * (weight * cosine) + slope.down() * friction;
        assert!((contact.force - wanted).length() < 1e-12 * weight, "{} instead of {wanted}", contact.force);
        let below = at(&world, ball) - slope.up() * RADIUS;
        assert!(contact.point.distance(below) < 1e-12, "{} instead of {below}", contact.point);
    }
}

/// Thrown across a slope it rolls on a parabola; uphill it comes back.
#[test]
fn a_rolling_ball_follows_a_parabola_on_a_slope() {
    let slope = Slope::new(0.3, surface(0.5, 0.0));
    let velocity = DVec3::Y * 0.7 - slope.down() * 0.9;
    let (mut world, ball) = slope.ball(velocity, slope.up().cross(velocity) / RADIUS);
    land(&mut world, ball);
    let (start, from, v) = (world.time(), at(&world, ball), world.body(ball).unwrap().velocity());
    assert!((v - velocity).length() < 1e-4, "{v} after the landing at {start}");
    world.run_to(start + 3.0).unwrap();
    let wanted = from + v * 3.0 + slope.down() * (4.5 * 5.0 / 7.0 * G * 0.3f64.sin());
    assert!(at(&world, ball).distance(wanted) < 1e-11, "{} instead of {wanted}", at(&world, ball));
    assert_eq!(world.counters().hops, 1);
}

/// A hollow or a lopsided-looking ball has the same law with its own moment; one with unequal moments hops.
#[test]
fn inertia_counts() {
    for beta in [0.1, 2.0 / 3.0] {
        let mut b = WorldBuilder::new(Settings::default()).unwrap();
        let m = b.add_material(surface(0.2, 0.0)).unwrap();
        b.add_body(floor(m)).unwrap();
        let inertia = impulse::DMat3::from_diagonal(DVec3::splat(beta * 2.0 * RADIUS * RADIUS));
        let mass = MassSpec::Properties(MassProperties { mass: 2.0, com: DVec3::ZERO, inertia });
        let motion = MotionSpec::Free { mass, velocity: DVec3::X, spin: DVec3::ZERO };
        let spec = free("ball", Sphere::new(RADIUS).unwrap(), DVec3::Z * RADIUS, DVec3::ZERO, m);
        let ball = b.add_body(BodySpec { motion, ..spec }).unwrap();
        let mut world = b.build().unwrap();
        world.run_to(2.0).unwrap();
        assert_close(world.body(ball).unwrap().velocity().x, 1.0 / (1.0 + beta), 1e-5);
        assert_eq!(world.counters().hops, 1);
    }
}

/// A ball on which a torque acts hops, be it ever so small. The lower its hops, the nearer it is to the ball that is carried.
#[test]
fn hops_converge_to_the_closed_form() {
    let laws = Surface { rolling_resistance: 1e-3, spinning_resistance: 2e-3, ..surface(0.1, 0.5).into() };
    let cases = [
        (0.0, surface(0.1, 0.5).into(), DVec3::X, DVec3::new(3.0, -5.0, 7.0)),
        (0.2, surface(0.3, 0.0).into(), DVec3::new(0.3, 0.4, 0.0), DVec3::ZERO),
        (0.0, laws, DVec3::X * 0.5, DVec3::Z * 30.0),
    ];
    for (angle, law, velocity, spin) in cases {
        let mut errors = Vec::new();
        for hop_height in [1e-4, 1e-5, 1e-6, 1e-7] {
            let settings = Settings { hop_height, ..Settings::default() };
            let slope = Slope { settings, ..Slope::new(angle, law) };
            let velocity = velocity - slope.up() * velocity.dot(slope.up());
            let spin = if angle == 0.0 { spin } else { slope.up().cross(velocity) / RADIUS };
            let ends = [DVec3::ZERO, DVec3::Z * 1e-100].map(|torque| {
                let (mut world, ball) = slope.ball(velocity, spin);
                world.set_torque(ball, torque).unwrap();
                world.run_to(0.6).unwrap();
                (world.principal_state_at(ball, 0.6).unwrap(), world.counters().hops)
            });
            assert!(ends[0].1 < 5 && ends[1].1 > 100, "{} and {} hops", ends[0].1, ends[1].1);
            errors.push(ends[0].0.world_from_body.translation.distance(ends[1].0.world_from_body.translation));
        }
        assert!(errors[3] < 1e-6 && errors[3] < 0.1 * errors[0], "{errors:?}");
    }
}

/// What the plane gives a carried ball is its weight and the friction, whenever a watch begins and ends.
#[test]
fn a_watch_sees_what_carries_a_ball() {
    let mu = 0.1;
    let (mut world, ball) = Slope::new(0.0, surface(mu, 0.5)).ball(DVec3::X, DVec3::ZERO);
    let (plane, mass) = (world.find("floor").unwrap(), world.principal_mass(ball).unwrap().mass());
    land(&mut world, ball);
    let mut watches = Vec::new();
    for k in 1..20 {
        world.run_to(0.037 * f64::from(k)).unwrap();
        let begun = world.body(ball).unwrap().velocity();
        watches.push((world.watch_contact(plane, ball).unwrap(), begun, world.time()));
        let body = world.body(ball).unwrap();
        assert!(body.in_lasting_contact());
        for &(watch, begun, since) in &watches[..k as usize - 1] {
            let gained = (body.velocity() - begun) * mass;
            let wanted = -gained - DVec3::Z * mass * G * (world.time() - since);
            let found = world.contact_sum(watch).unwrap().impulse;
            assert!((found - wanted).length() < 1e-12 * mass * G, "{found} instead of {wanted}");
        }
    }
    assert_close(world.lasting_time(), world.time(), 1e-4);
    assert_eq!(world.settled(ball), Some(false));
    assert!(world.energy_rise() <= 1e-15);
}

/// Friction takes 2/7 of a sliding ball's energy, and no more: the ledger of energy knows.
#[test]
fn the_energy_that_friction_takes_is_lost() {
    let (mut world, ball) = Slope::new(0.0, surface(0.1, 0.5)).ball(DVec3::X, DVec3::ZERO);
    land(&mut world, ball);
    let before = world.kinetic_energy();
    world.run_to(1.0).unwrap();
    assert_close(world.kinetic_energy() / before, 5.0 / 7.0, 1e-5);
    assert!(world.energy_rise() == 0.0, "{:e}", world.energy_rise());
}

/// A table with cushions and balls; none rubs on another.
fn table(friction: f64, balls: &[(DVec3, DVec3)]) -> (World, Vec<BodyId>) {
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(surface(friction, 0.9)).unwrap();
    let slick = b.add_material(surface(0.0, 0.9)).unwrap();
    b.add_contact(m, slick, Surface::from(surface(friction, 0.9))).unwrap();
    b.add_body(floor(m)).unwrap();
    for (name, normal) in [("left", DVec3::X), ("right", DVec3::NEG_X), ("near", DVec3::Y), ("far", DVec3::NEG_Y)] {
        b.add_body(wall(name, normal, -1.0, slick)).unwrap();
    }
    let ids = balls.iter().enumerate().map(|(i, &(at, velocity))| {
        let ball = free(&format!("ball {i}"), Sphere::new(RADIUS).unwrap(), at + DVec3::Z * RADIUS, velocity, slick);
        b.add_body(ball).unwrap()
    });
    let ids = ids.collect();
    (b.build().unwrap(), ids)
}

/// A rolling ball that meets another head on gives it its velocity but for restitution, keeps its spin, and both go on: the one slides
/// until it rolls, and so does the other.
#[test]
fn a_ball_strikes_another_and_both_are_carried_on() {
    let (mut world, ids) = table(0.2, &[(DVec3::X * -0.5, DVec3::X), (DVec3::ZERO, DVec3::ZERO)]);
    while world.counters().collisions == 0 {
        world.step().unwrap().unwrap();
    }
    let rolled = 5.0 / 7.0;
    let velocity = |world: &World, i: usize| world.body(ids[i]).unwrap().velocity();
    assert!((velocity(&world, 0) - DVec3::X * (0.05 * rolled)).length() < 1e-5, "{}", velocity(&world, 0));
    assert!((velocity(&world, 1) - DVec3::X * (0.95 * rolled)).length() < 1e-5, "{}", velocity(&world, 1));
    world.run_to(world.time() + 0.5).unwrap();
    // (5 v + 2 r w) / 7.
    assert_close(velocity(&world, 0).x, rolled * (5.0 * 0.05 + 2.0) / 7.0, 1e-4);
    assert_close(velocity(&world, 1).x, rolled * 5.0 * 0.95 / 7.0, 1e-4);
    assert!(world.counters().hops < 10, "{:?}", world.counters());
    assert!(ids.iter().all(|&ball| is_carried(&world, ball)));
}

/// Many balls, cushions and strikes: nothing overlaps, no energy is made, the same again to the bit, also from snapshots.
#[test]
fn a_table_full_of_balls_is_sound() {
    let place = |i: u32| DVec3::new(f64::from(i % 4) * 0.37 - 0.6, f64::from(i / 4) * 0.41 - 0.7, 0.0);
    let push = |i: u32| DVec3::new(f64::from(i * 7 % 5) - 2.0, f64::from(i * 3 % 7) - 3.0, 0.0);
    let balls: Vec<_> = (0..14).map(|i| (place(i), push(i))).collect();
    let (mut world, _) = table(0.1, &balls);
    let (mut twin, ids) = table(0.1, &balls);
    for k in 1..=20 {
        let time = 0.1 * f64::from(k);
        world.run_to(time).unwrap();
        let text = serde_json::to_string(&twin.snapshot()).unwrap();
        twin = World::restore(serde_json::from_str(&text).unwrap()).unwrap();
        twin.run_to(time).unwrap();
        assert_eq!((world.trace_hash(), world.counters()), (twin.trace_hash(), twin.counters()), "{time}");
        assert_apart(&world);
    }
    assert!(world.energy_rise() <= world.energy_allowance());
    assert!(world.counters().collisions > 20 && world.counters().events < 4000, "{:?}", world.counters());
    assert!(ids.iter().filter(|&&ball| is_carried(&world, ball)).count() > 7);
}

/// Balls side by side roll on while one of them is touched: only those on which it presses hop.
#[test]
fn balls_roll_on_beside_one_that_is_touched() {
    let gap = 1e-4 * RADIUS;
    let beside = |i: usize| DVec3::X * ((2.0 * RADIUS + gap) * i as f64 - 0.85);
    let slowly = |i: usize| DVec3::new(if i == 0 { 1e-4 } else { 0.0 }, 0.05, 0.0);
    let balls: Vec<_> = (0..18).map(|i| (beside(i), slowly(i))).collect();
    let (mut world, ids) = table(0.3, &balls);
    world.run_to(1.0).unwrap();
    assert!(at(&world, ids[1]).x > beside(1).x, "the first one has pushed the second one");
    assert!(ids.iter().all(|&ball| is_carried(&world, ball)));
    // When all 18 hopped together there were 246 hops and 8,954 measurements.
    let counters = world.counters();
    assert!(counters.hops < 120 && counters.measurements < 2000, "{counters:?}");
    assert!(world.energy_rise() <= world.energy_allowance());
    assert_apart(&world);
}

/// What a user does to a carried ball, or to its plane, counts from then on.
#[test]
fn users_act_on_carried_balls() {
    let slope = Slope::new(0.0, surface(0.5, 0.0));
    let (mut world, ball) = slope.ball(DVec3::X, DVec3::Y / RADIUS);
    world.run_to(0.5).unwrap();
    let (mass, centre) = (world.principal_mass(ball).unwrap().mass(), at(&world, ball));
    // A kick along the way through the centre makes it slide: 5/7 of it are left when it rolls.
    world.apply_impulse(ball, centre, DVec3::X * (0.7 * mass)).unwrap();
    assert!(is_carried(&world, ball));
    world.run_to(1.0).unwrap();
    assert_close(world.body(ball).unwrap().velocity().x, 1.5, 1e-5);
    // A steady force accelerates it by 5/7 of what it would without friction.
    world.set_force(ball, DVec3::X * mass).unwrap();
    world.run_to(2.0).unwrap();
    assert_close(world.body(ball).unwrap().velocity().x, 1.5 + 5.0 / 7.0, 1e-5);
    // A torque makes it hop: its acceleration is the same as that of a force.
    world.set_force(ball, DVec3::ZERO).unwrap();
    world.set_torque(ball, DVec3::Y * (mass * RADIUS * 0.7)).unwrap();
    world.run_to(3.0).unwrap();
    assert_close(world.body(ball).unwrap().velocity().x, 2.0 + 5.0 / 7.0, 1e-3);
    world.set_torque(ball, DVec3::ZERO).unwrap();
    world.run_to(3.1).unwrap();
    assert!(is_carried(&world, ball));
    let (height, plane) = (at(&world, ball).z, world.find("floor").unwrap());
    world.remove_body(plane).unwrap();
    world.run_to(4.1).unwrap();
    assert_close(at(&world, ball).z - height, -0.5 * G, 1e-9);
    world.remove_body(ball).unwrap();
    assert_eq!(world.len(), 0);
}

/// On a box it is carried to the edge, rolls over it and falls off.
#[test]
fn a_ball_rolls_to_the_edge_of_a_box_and_falls_off() {
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(surface(0.3, 0.2)).unwrap();
    let tilt = impulse::DQuat::from_rotation_z(0.4);
    let top = Cuboid::new(DVec3::new(2.0, 1.0, 0.5)).unwrap();
    b.add_body(BodySpec::fixed("table", top).at(DVec3::Z * -0.25).rotated(tilt).material(m)).unwrap();
    let along = tilt * DVec3::X;
    let ball = free("ball", Sphere::new(RADIUS).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
    let (velocity, spin) = (along * 0.8, DVec3::Z.cross(along) * (0.8 / RADIUS));
    let ball = b.add_body(placed(ball, Pose::from_translation(DVec3::Z * RADIUS), velocity, spin)).unwrap();
    let mut world = b.build().unwrap();
    land(&mut world, ball);
    let left = 1.0 - at(&world, ball).dot(along);
    let edge = world.time() + left / world.body(ball).unwrap().velocity().dot(along);
    assert_close(world.motion(ball).unwrap().carried().unwrap().times()[1], edge, 1e-12);
    world.run_to(edge - 1e-9).unwrap();
    let c = world.counters();
    assert_eq!((c.hops, c.events), (1, c.checks + c.expiries), "{c:?}");
    world.run_to(edge + 0.5).unwrap();
    assert!(!is_carried(&world, ball) && at(&world, ball).z < -0.1, "{}", at(&world, ball));
    assert_apart(&world);
    assert!(world.energy_rise() <= world.energy_allowance());
}

/// A force along a box stops the ball before the edge and brings it back over the other one.
#[test]
fn a_ball_turns_back_before_the_edge() {
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(surface(0.5, 0.2)).unwrap();
    b.add_body(BodySpec::fixed("table", Cuboid::new(DVec3::ONE).unwrap()).at(DVec3::Z * -0.5).material(m)).unwrap();
    let ball = free("ball", Sphere::new(RADIUS).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
    let at_top = Pose::from_translation(DVec3::Z * RADIUS);
    let ball = b.add_body(placed(ball, at_top, DVec3::X, DVec3::Y / RADIUS)).unwrap();
    let mut world = b.build().unwrap();
    world.run_to(0.01).unwrap();
    let mass = world.principal_mass(ball).unwrap().mass();
    world.set_force(ball, DVec3::X * (-2.1 * mass)).unwrap();
    // It slows down by 5/7 of 2.1 m/s^2, turns at a third of a metre and is back in the middle after 2 v / a.
    let (from, start) = (at(&world, ball).x, world.time());
    let [begin, end] = world.motion(ball).unwrap().carried().unwrap().times();
    assert_eq!(begin, start);
    // from + t - 0.75 t^2 = -0.5.
    assert_close(end - start, (1.0 + (1.0 + 3.0 * (0.5 + from)).sqrt()) / 1.5, 1e-4);
    world.run_to(start + 4.0 / 3.0).unwrap();
    assert!(is_carried(&world, ball) && (at(&world, ball).x - from).abs() < 1e-4);
    assert_close(world.body(ball).unwrap().velocity().x, -1.0, 1e-4);
}

/// Balls on a felt that bounce off each other at 24 mm/s: hops of two balls are higher than that, but what bounces higher than those of a pile is
/// seen to bounce. Between the blow and the end of slip nothing else acts along x.
#[test]
fn slow_balls_bounce_off_each_other() {
    let (speed, restitution) = (0.024, 0.9);
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let felt = b.add_material(surface(0.2, 0.0)).unwrap();
    let ball_surface = b.add_material(Surface::from(surface(0.2, 0.0))).unwrap();
    b.add_contact(ball_surface, ball_surface, surface(0.0, restitution)).unwrap();
    b.add_body(floor(felt)).unwrap();
    let ball = |name: &str, x: f64| {
        free(name, Sphere::new(RADIUS).unwrap(), DVec3::new(x, 0.0, RADIUS), DVec3::ZERO, ball_surface)
    };
    let rolling = placed(
        ball("rolling", -0.11),
        Pose::from_translation(DVec3::new(-0.11, 0.0, RADIUS)),
        DVec3::X * speed,
        DVec3::Y * (speed / RADIUS),
    );
    let rolling = b.add_body(rolling).unwrap();
    let struck = b.add_body(ball("struck", 0.0)).unwrap();
    let mut world = b.build().unwrap();
    world.run_to(1.5).unwrap();
    let velocity = |body: BodyId| world.body(body).unwrap().velocity().x;
    // Each rolls on with 5/7 of the velocity after the blow and 2/7 of what its spin would have it roll with.
    let after = [0.5 * (1.0 - restitution), 0.5 * (1.0 + restitution)].map(|share| 5.0 / 7.0 * share * speed);
    assert_close(velocity(rolling), after[0] + 2.0 / 7.0 * speed, 2e-3 * speed);
    assert_close(velocity(struck), after[1], 2e-3 * speed);
}
