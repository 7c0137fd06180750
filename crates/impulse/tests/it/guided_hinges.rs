//! Bodies that stand on a line, and where slip begins (beside section 3.5): against closed forms and an independent integration.

use crate::world_support::{floor, free, is_carried, placed, surface, wall};
use impulse::geometry::{Capsule, ConvexPolyhedron, Cuboid, Cylinder, MassProperties, Shape};
use impulse::math::Pose;
use impulse::world::{BodyId, Settings, World, WorldBuilder};
use impulse::{DQuat, DVec3};

const G: f64 = 9.81;

/// Puts a shape at a pose on a plane with a normal, at rest, and runs until it is carried.
fn carried(shape: impl Into<Shape>, pose: Pose, (normal, friction): (DVec3, f64)) -> (World, BodyId) {
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(surface(friction, 0.0)).unwrap();
    b.add_body(wall("plane", normal, 0.0, m)).unwrap();
    let body = free("body", shape, DVec3::ZERO, DVec3::ZERO, m);
    let body = b.add_body(placed(body, pose, DVec3::ZERO, DVec3::ZERO)).unwrap();
    let mut world = b.build().unwrap();
    while !is_carried(&world, body) {
        world.step().unwrap().unwrap();
        assert!(world.counters().hops < 100, "it is never carried");
    }
    (world, body)
}

/// The classical rule of fourth order.
fn runge_kutta<const N: usize>(x: [f64; N], h: f64, rates: impl Fn([f64; N]) -> [f64; N]) -> [f64; N] {
    let beyond = |r: [f64; N], h: f64| std::array::from_fn(|i| x[i] + h * r[i]);
    let a = rates(x);
    let b = rates(beyond(a, 0.5 * h));
    let c = rates(beyond(b, 0.5 * h));
    let d = rates(beyond(c, h));
    std::array::from_fn(|i| x[i] + h / 6.0 * (a[i] + 2.0 * (b[i] + c[i]) + d[i]))
}

/// A block that leans on an edge is a pendulum upside down: `phi'' = 3/4 g/R sin phi`, with `phi` the lean of its diagonal and `R` half of that.
/// The forces at both ends of the edge carry what moves.
#[test]
fn a_block_on_its_edge_swings_as_theory_says() {
    let [width, height] = [0.1, 0.4];
    let shape = Cuboid::new(DVec3::new(width, 0.2, height)).unwrap();
    let (half, alpha) = (0.5 * f64::hypot(width, height), f64::atan2(width, height));
    // Over its edge at the origin, farther than its balance.
    let lean = alpha + 0.05;
    let rotation = DQuat::from_rotation_y(lean);
    let edge = DVec3::new(0.5 * width, 0.0, -0.5 * height);
    let pose = Pose { rotation, translation: -(rotation * edge) + DVec3::Z * 1e-12 };
    let (mut world, block) = carried(shape, pose, (DVec3::Z, 5.0));
    let state = |world: &World| {
        let state = world.principal_state_at(block, world.time()).unwrap();
        let up = axis_of(world, block);
        (state, [f64::atan2(up.x, up.z) - alpha, state.angular_velocity().y])
    };
    let (start, hops) = (world.time(), world.counters().hops);
    let (before, mut theory) = state(&world);
    let (time, steps) = (0.4, 40_000);
    for _ in 0..steps {
        theory = runge_kutta(theory, time / f64::from(steps), |[phi, rate]| [rate, 0.75 * G / half * phi.sin()]);
    }
    world.run_to(start + time).unwrap();
    assert!(is_carried(&world, block) && world.counters().hops == hops, "{} hops", world.counters().hops - hops);
    let (after, found) = state(&world);
    assert!((found[0] - theory[0]).abs() < 1e-7 && (found[1] - theory[1]).abs() < 1e-6, "{found:?}, {theory:?}");
    assert!(found[0] - lean + alpha > 0.1, "it falls: {}", found[0]);
    let contacts = world.lasting_contacts(block);
    assert_eq!(contacts.len(), 2);
    let step = 1e-6;
    let ahead = world.principal_state_at(block, world.time() + step).unwrap();
    let mass = world.principal_mass(block).unwrap().mass();
    let carried = mass * ((ahead.velocity - after.velocity) / step + DVec3::Z * G);
    let pushed: DVec3 = contacts.iter().map(|c| if c.bodies[0] == block { c.force } else { -c.force }).sum();
    assert!(pushed.distance(carried) < 1e-4 * mass * G, "{pushed} instead of {carried}");
    assert!(before.velocity.length() < after.velocity.length());
}

/// The same on an edge across the principal axes, between corners of an irregular tetrahedron: `phi'' = m g d sin phi / I` about the edge.
#[test]
fn a_tetrahedron_falls_over_its_edge_as_theory_says() {
    let corners = [[0.0, 0.0, 0.0], [0.2, 0.0, 0.0], [0.05, 0.1, 0.12], [0.12, -0.08, 0.15]].map(DVec3::from_array);
    let hull = ConvexPolyhedron::hull(&corners).unwrap();
    let properties = MassProperties::from_mass(&Shape::from(hull.clone()).volume_integrals().unwrap(), 1.0).unwrap();
    let [along, across] = [properties.inertia.x_axis.x, properties.inertia.x_axis.with_x(0.0).length()];
    assert!(across > 0.02 * along, "the edge is no principal axis: {across}");
    let (mut world, body) = carried(hull, Pose::from_translation(DVec3::Z * 1e-12), (DVec3::Z, 5.0));
    let state = |world: &World| {
        let state = world.principal_state_at(body, world.time()).unwrap();
        let at = state.world_from_body.translation;
        [f64::atan2(at.y, at.z), -state.angular_velocity().x]
    };
    let arm = DVec3::new(0.0, properties.com.y, properties.com.z).length();
    let pull = G * arm / (along + arm * arm);
    let (start, hops, mut theory) = (world.time(), world.counters().hops, state(&world));
    let (time, steps) = (0.2, 20_000);
    for _ in 0..steps {
        theory = runge_kutta(theory, time / f64::from(steps), |[phi, rate]| [rate, pull * phi.sin()]);
    }
    world.run_to(start + time).unwrap();
    assert!(is_carried(&world, body) && world.counters().hops == hops, "{} hops", world.counters().hops - hops);
    let found = state(&world);
    assert!((found[0] - theory[0]).abs() < 1e-7 && (found[1] - theory[1]).abs() < 1e-6, "{found:?}, {theory:?}");
    assert!(found[0] > 0.25, "it falls: {}", found[0]);
}

/// On its side a cylinder rolls down a slope with two thirds of the acceleration with which it would slide.
#[test]
fn a_cylinder_rolls_down_a_slope_on_its_side() {
    let (angle, radius) = (0.1f64, 0.03);
    let (up, fall) = (DVec3::new(angle.sin(), 0.0, angle.cos()), DVec3::new(angle.cos(), 0.0, -angle.sin()));
    let rotation = DQuat::from_rotation_y(angle) * DQuat::from_rotation_x(0.5 * std::f64::consts::PI);
    let pose = Pose { rotation, translation: up * (radius + 1e-12) };
    let (mut world, log) = carried(Cylinder::new(radius, 0.2).unwrap(), pose, (up, 1.0));
    let (start, hops) = (world.time(), world.counters().hops);
    let at = |world: &World| {
        let state = world.principal_state_at(log, world.time()).unwrap();
        (state.world_from_body.translation.dot(fall), state.velocity.dot(fall))
    };
    let (x, v) = at(&world);
    let time = 1.0;
    world.run_to(start + time).unwrap();
    assert!(is_carried(&world, log) && world.counters().hops == hops);
    let pull = 2.0 / 3.0 * G * angle.sin();
    let (found, wanted) = (at(&world), (x + v * time + 0.5 * pull * time * time, v + pull * time));
    assert!((found.0 - wanted.0).abs() < 1e-9 && (found.1 - wanted.1).abs() < 1e-9, "{found:?} instead of {wanted:?}");
}

/// A rod with a round foot falls over: its foot rolls, then slips back where friction no longer holds it.
struct Rod {
    /// Inertia about the centre for unit mass, m^2.
    inertia: f64,
    /// Of the foot, m.
    radius: f64,
    /// From the middle of the foot to the centre of mass, m.
    length: f64,
    friction: f64,
}

impl Rod {
    /// Rates of lean, its rate, place and velocity; with the ratio of friction to press where the foot does not slip.
    fn rates(&self, [lean, rate, _, v]: [f64; 4], slips: Option<f64>) -> ([f64; 4], f64) {
        let (across, above) = (self.length * lean.sin(), self.radius + self.length * lean.cos());
        // x'' = F, z'' = N - g and lean'' I = across N - above F, where z = above, for unit mass.
        let sinking = rate * rate * self.length * lean.cos();
        let (turning, ratio) = match slips {
            Some(direction) => {
                let drag = -direction * self.friction;
                let pull = across - above * drag;
                ((G - sinking) * pull / (self.inertia + across * pull), drag)
            }
            None => {
                let outwards = rate * rate * across;
                let turning =
                    (across * (G - sinking) + above * outwards) / (self.inertia + across * across + above * above);
                (turning, (turning * above - outwards) / (G - sinking - turning * across))
            }
        };
        let press = G - sinking - turning * across;
        ([rate, turning, v, ratio * press], ratio)
    }
}

#[test]
fn a_falling_rod_begins_to_slip_as_theory_says() {
    let (radius, length, friction) = (0.01, 0.1, 0.25);
    let shape = Capsule::new(radius, 2.0 * length).unwrap();
    let lean = 0.3f64;
    let rotation = DQuat::from_rotation_y(lean);
    let height = radius + length * lean.cos() + 1e-12;
    let pose = Pose { rotation, translation: DVec3::Z * height };
    let (mut world, body) = carried(shape, pose, (DVec3::Z, friction));
    let mass = world.principal_mass(body).unwrap();
    let inertia = mass.moments().max_element() / mass.mass();
    let rod = Rod { inertia, radius, length, friction };
    let found = |world: &World| {
        let state = world.principal_state_at(body, world.time()).unwrap();
        let axis = axis_of(world, body);
        [f64::atan2(axis.x, axis.z), state.angular_velocity().y, state.world_from_body.translation.x, state.velocity.x]
    };
    let (start, hops) = (world.time(), world.counters().hops);
    let mut theory = found(&world);
    let (time, steps) = (0.14, 140_000);
    let (h, mut slips, mut onset) = (time / f64::from(steps), None, 0.0);
    for k in 0..steps {
        let (_, ratio) = rod.rates(theory, slips);
        if slips.is_none() && ratio.abs() > friction {
            (slips, onset) = (Some(-ratio.signum()), h * f64::from(k));
        }
        theory = runge_kutta(theory, h, |x| rod.rates(x, slips).0);
    }
    assert!(onset > 0.02 && onset < 0.7 * time, "slip begins after {onset} s");
    world.run_to(start + time).unwrap();
    let found = found(&world);
    let error = (0..4).map(|i| (found[i] - theory[i]).abs()).fold(0.0, f64::max);
    assert!(error < 1e-3, "{found:?} instead of {theory:?}");
    assert!(world.counters().hops - hops < 30, "{} hops", world.counters().hops - hops);
    assert!(world.energy_rise() <= world.energy_allowance());
}

/// The z axis of a shape, world frame.
fn axis_of(world: &World, body: BodyId) -> DVec3 {
    world.body(body).unwrap().pose().vector(DVec3::Z)
}

/// Nothing drives a cylinder on its side, and nothing stops it: where it does not move it rests.
#[test]
fn a_cylinder_that_fell_on_its_side_comes_to_rest() {
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(surface(10.0, 0.3)).unwrap();
    b.add_body(floor(m)).unwrap();
    let can = free("can", Cylinder::new(0.0244, 0.077).unwrap(), DVec3::Z * 0.0485, DVec3::X * -0.6, m);
    let can = b.add_body(can).unwrap();
    let mut world = b.build().unwrap();
    world.run_to(5.0).unwrap();
    assert!(world.body(can).unwrap().is_frozen());
    let lying = axis_of(&world, can).z.abs() < 1e-6;
    assert!(lying && world.counters().hops < 200, "{} hops", world.counters().hops);
}
