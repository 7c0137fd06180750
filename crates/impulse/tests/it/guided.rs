//! Bodies that roll or slide on one point of a plane (beside section 3.5): against theory, against an independent integration of rolling,
//! and against hops.

use crate::judged::assert_apart;
use crate::world_support::{floor, free, is_carried, placed, surface, wall};
use impulse::body::Cycle;
use impulse::geometry::{Cone, Cuboid, Cylinder, Ellipsoid, MassProperties, Shape, Sphere};
use impulse::math::Pose;
use impulse::world::{BodyId, BodySpec, MassSpec, MotionSpec, Settings, Snapshot, Surface, World, WorldBuilder};
use impulse::{DMat3, DQuat, DVec3};

const G: f64 = 9.81;

/// Rolling without slip, by the fourth-order rule of Runge and Kutta in small steps: `v = -w x r` is differentiated, with differences
/// for the contact point, which an arbitrary function of the direction down gives. Body frame throughout.
struct Rolling<F: Fn(DVec3) -> DVec3> {
    mass: f64,
    inertia: DMat3,
    /// From the centre of mass, for a unit vector down.
    lowest: F,
}

impl<F: Fn(DVec3) -> DVec3> Rolling<F> {
    fn rates(&self, q: DQuat, w: DVec3) -> (DQuat, DVec3) {
        let up = q.conjugate() * DVec3::Z;
        let (r, turning) = ((self.lowest)(-up), up.cross(w));
        let step = 1e-6;
        let wandering = ((self.lowest)((-up - turning * step).normalize())
            - (self.lowest)((-up + turning * step).normalize()))
            / (2.0 * step);
        let v = -w.cross(r);
        let known = r.cross(self.mass * (w.cross(v) - w.cross(wandering) + G * up)) - w.cross(self.inertia * w);
        let column = |e: DVec3| self.inertia * e + self.mass * r.cross(e.cross(r));
        let matrix = DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z));
        (q * DQuat::from_xyzw(w.x, w.y, w.z, 0.0) * 0.5, matrix.inverse() * known)
    }

    /// Attitude and angular velocity (body frame) after a time.
    fn run(&self, (mut q, mut w): (DQuat, DVec3), time: f64, steps: usize) -> (DQuat, DVec3) {
        let h = time / steps as f64;
        let beyond = |q: DQuat, rate: DQuat, h: f64| (q + rate * h).normalize();
        for _ in 0..steps {
            let (q1, w1) = self.rates(q, w);
            let (q2, w2) = self.rates(beyond(q, q1, 0.5 * h), w + w1 * (0.5 * h));
            let (q3, w3) = self.rates(beyond(q, q2, 0.5 * h), w + w2 * (0.5 * h));
            let (q4, w4) = self.rates(beyond(q, q3, h), w + w3 * h);
            q = beyond(q, q1 + q2 * 2.0 + q3 * 2.0 + q4, h / 6.0);
            w += (w1 + 2.0 * w2 + 2.0 * w3 + w4) * (h / 6.0);
        }
        (q, w)
    }
}

/// Puts a shape on the floor so that it rolls with an angular velocity (world frame), runs it, and compares it with the independent
/// integration from when it is first guided on.
#[track_caller]
fn assert_rolls_like_theory(shape: &Shape, (rotation, spin): (DQuat, DVec3), time: f64, tolerance: f64) {
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(surface(5.0, 0.0)).unwrap();
    b.add_body(floor(m)).unwrap();
    let lowest = shape.support(rotation.conjugate() * -DVec3::Z).unwrap();
    let properties = MassProperties::from_mass(&shape.volume_integrals().unwrap(), 0.7).unwrap();
    let com = properties.com;
    let motion = MotionSpec::Free {
        mass: MassSpec::Properties(properties),
        velocity: -spin.cross(rotation * (lowest - com)),
        spin: rotation.conjugate() * spin,
    };
    let at = Pose { rotation, translation: DVec3::Z * (1e-12 - (rotation * lowest).z) };
    let body = BodySpec { name: "body".into(), shape: shape.clone(), world_from_shape: at, material: m, motion };
    let body = b.add_body(body).unwrap();
    let mut world = b.build().unwrap();
    while !is_carried(&world, body) {
        world.step().unwrap().unwrap();
    }
    let (start, hops) = (world.time(), world.counters().hops);
    let frame = |world: &World| {
        let view = world.body(body).unwrap();
        (view.pose().rotation, view.pose().rotation.conjugate() * view.angular_velocity())
    };
    let lowest = |down: DVec3| shape.support(down).unwrap() - com;
    let theory = Rolling { mass: 0.7, inertia: properties.inertia, lowest };
    let (q, w) = theory.run(frame(&world), time, 400_000);
    world.run_to(start + time).unwrap();
    let (found_q, found_w) = frame(&world);
    assert_eq!(world.counters().hops, hops, "it is guided all the way");
    let error = found_q.dot(q).abs().min(1.0).acos().max((found_w - w).length() / w.length());
    assert!(error < tolerance, "{error}");
    assert!(world.energy_rise() <= world.energy_allowance());
}

#[test]
fn a_rattling_ellipsoid_rolls_as_theory_says() {
    let shape = &Ellipsoid::new(DVec3::new(0.1, 0.03, 0.02)).unwrap().into();
    let rotation = DQuat::from_rotation_x(0.2) * DQuat::from_rotation_y(0.1);
    assert_rolls_like_theory(shape, (rotation, DVec3::new(0.3, -0.2, 2.0)), 1.0, 1e-6);
}

#[test]
fn a_coin_on_its_rim_rolls_as_theory_says() {
    let shape = &Cylinder::new(0.012, 0.002).unwrap().into();
    let rotation = DQuat::from_rotation_z(0.7) * DQuat::from_rotation_x(1.2);
    assert_rolls_like_theory(shape, (rotation, rotation * DVec3::new(0.0, -8.0, 40.0)), 0.3, 1e-6);
}

#[test]
fn a_cone_on_its_rim_rolls_as_theory_says() {
    let shape = &Cone::new(0.03, 0.05).unwrap().into();
    assert_rolls_like_theory(shape, (DQuat::from_rotation_x(0.4), DVec3::new(1.0, 2.0, 9.0)), 0.3, 1e-6);
}

/// A cone on its tip is a heavy top with a fixed point. It precesses steadily where
/// `(I3 s + (I3 - I1) W cos a) W = m g l`, with the spin `s` about its axis relative to the precession `W`.
#[test]
fn a_cone_on_its_tip_precesses_steadily() {
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(surface(2.0, 0.0)).unwrap();
    b.add_body(floor(m)).unwrap();
    let (radius, height) = (0.04, 0.05);
    let shape: Shape = Cone::new(radius, height).unwrap().into();
    let mass = 0.3;
    let (l, axial) = (0.75 * height, 0.3 * mass * radius * radius);
    let across = mass * (0.15 * radius * radius + 0.6 * height * height);
    let (lean, precession) = (0.5f64, 7.0);
    let spin = (mass * G * l / precession - (axial - across) * precession * lean.cos()) / axial;
    // The tip points along the shape's z.
    let rotation = DQuat::from_rotation_x(std::f64::consts::PI - lean);
    let axis = rotation * -DVec3::Z;
    let w = DVec3::Z * precession + axis * spin;
    let lowest = rotation * shape.support(DVec3::Z).unwrap();
    let centre = rotation * (DVec3::Z * (-0.25 * height));
    let motion = MotionSpec::Free {
        mass: MassSpec::Mass(mass),
        velocity: w.cross(centre - lowest),
        spin: rotation.conjugate() * w,
    };
    let at = Pose { rotation, translation: DVec3::Z * (1e-12 - lowest.z) };
    let top = b.add_body(BodySpec { name: "top".into(), shape, world_from_shape: at, material: m, motion }).unwrap();
    let mut world = b.build().unwrap();
    world.run_to(2.0).unwrap();
    assert!(is_carried(&world, top));
    let axis = world.body(top).unwrap().pose().rotation * -DVec3::Z;
    assert!((axis.z - lean.cos()).abs() < 1e-5, "leans by {}", axis.z.acos());
    let heading = DQuat::from_rotation_z(precession * 2.0) * (rotation * -DVec3::Z);
    assert!(axis.distance(heading) < 1e-4, "{axis} instead of {heading}");
    assert!(world.counters().hops < 10, "{}", world.counters().hops);
}

/// A ball on a turntable: its velocity turns at 2/7 of the table's rate, whatever it is.
#[test]
fn a_ball_on_a_turntable_goes_round_in_circles() {
    let (rate, radius) = (4.0, 0.02);
    for (at, velocity) in [(DVec3::X * 0.1, DVec3::new(0.1, -0.2, 0.0)), (DVec3::Y * -0.2, DVec3::new(-0.1, 0.05, 0.0))]
    {
        let mut b = WorldBuilder::new(Settings::default()).unwrap();
        let m = b.add_material(surface(1.0, 0.0)).unwrap();
        let table = Cycle::spinner(Pose::from_translation(DVec3::Z * -0.05), DVec3::Z, DVec3::ZERO, rate).unwrap();
        let disc = Cylinder::new(2.0, 0.1).unwrap();
        b.add_body(BodySpec::scripted("table", disc, table).material(m)).unwrap();
        let ball = free("ball", Sphere::new(radius).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
        // It rolls: its lowest point moves with the table.
        let spin = DVec3::Z.cross(velocity - DVec3::Z.cross(at) * rate) / radius;
        let place = Pose::from_translation(at + DVec3::Z * radius);
        let ball = b.add_body(placed(ball, place, velocity, spin)).unwrap();
        let mut world = b.build().unwrap();
        while !is_carried(&world, ball) {
            world.step().unwrap().unwrap();
        }
        let (start, hops) = (world.time(), world.counters().hops);
        let state = world.principal_state_at(ball, start).unwrap();
        let (from, v) = (state.world_from_body.translation, state.velocity);
        let time = 3.0;
        world.run_to(start + time).unwrap();
        let turning = 2.0 / 7.0 * rate;
        // x(t) = centre + R(turning t) (x(0) - centre) with centre = x(0) + z x v / turning.
        let centre = from + DVec3::Z.cross(v) / turning;
        let wanted = centre + DQuat::from_rotation_z(turning * time) * (from - centre);
        let found = world.principal_state_at(ball, world.time()).unwrap().world_from_body.translation;
        assert!(found.distance(wanted) < 1e-10, "{found} instead of {wanted}");
        assert_eq!(world.counters().hops, hops);
    }
}

/// Slip across a slope's fall turns: `u' = g_t - 7/2 mu g_n u/|u|`, `v' = g_t - mu g_n u/|u|`.
#[test]
fn a_ball_whose_slip_turns_is_guided() {
    let (angle, mu, radius) = (0.2f64, 0.3, 0.05);
    let (up, fall) = (DVec3::new(angle.sin(), 0.0, angle.cos()), DVec3::new(angle.cos(), 0.0, -angle.sin()));
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(surface(mu, 0.0)).unwrap();
    b.add_body(wall("slope", up, 0.0, m)).unwrap();
    let ball = free("ball", Sphere::new(radius).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
    let ball = b.add_body(placed(ball, Pose::from_translation(up * radius), DVec3::Y, DVec3::ZERO)).unwrap();
    let mut world = b.build().unwrap();
    while !is_carried(&world, ball) {
        world.step().unwrap().unwrap();
    }
    let start = world.time();
    let state = world.principal_state_at(ball, start).unwrap();
    let (mut x, mut v) = (state.world_from_body.translation, state.velocity);
    let mut u = state.point_velocity(x - up * radius);
    let (time, steps) = (0.05, 20_000);
    let h = time / f64::from(steps);
    for _ in 0..steps {
        // The midpoint rule.
        let pull = |u: DVec3, share: f64| fall * (G * angle.sin()) - share * mu * G * angle.cos() * u.normalize();
        let half = u + 0.5 * h * pull(u, 3.5);
        x += h * (v + 0.5 * h * pull(half, 1.0));
        v += h * pull(half, 1.0);
        u += h * pull(half, 3.5);
    }
    world.run_to(start + time).unwrap();
    assert!(is_carried(&world, ball));
    let found = world.principal_state_at(ball, world.time()).unwrap();
    assert!(found.velocity.distance(v) < 1e-8, "{} instead of {v}", found.velocity);
    assert!(found.world_from_body.translation.distance(x) < 1e-9);
    world.run_to(1.0).unwrap();
    assert!(is_carried(&world, ball), "it rolls");
}

/// An ellipsoid of equal axes, which is guided, agrees with the ball of the same size, which has a closed form.
#[test]
fn what_is_integrated_agrees_with_the_closed_form() {
    let laws = Surface { rolling_resistance: 1e-3, ..surface(0.1, 0.5).into() };
    for law in [surface(0.1, 0.5).into(), laws] {
        let ends = [Sphere::new(0.05).unwrap().into(), Ellipsoid::new(DVec3::splat(0.05)).unwrap().into()].map(
            |shape: Shape| {
                let mut b = WorldBuilder::new(Settings { hop_height: 1e-7, ..Settings::default() }).unwrap();
                let m = b.add_material(law).unwrap();
                b.add_body(floor(m)).unwrap();
                let body = free("body", shape, DVec3::ZERO, DVec3::ZERO, m);
                let place = Pose::from_translation(DVec3::Z * 0.05);
                let body = b.add_body(placed(body, place, DVec3::X, DVec3::new(0.0, 3.0, 0.0))).unwrap();
                let mut world = b.build().unwrap();
                world.run_to(0.5).unwrap();
                world.principal_state_at(body, 0.5).unwrap()
            },
        );
        let apart = ends[0].world_from_body.translation.distance(ends[1].world_from_body.translation);
        assert!(apart < 1e-6, "{apart}");
        assert!(ends[0].velocity.distance(ends[1].velocity) < 1e-5);
    }
}

/// What the floor gives is what the motion shows, and a watch sums it up.
#[test]
fn forces_are_those_of_the_motion() {
    let (mut world, coin) = rolling_coin();
    let plane = world.find("floor").unwrap();
    world.run_to(0.1).unwrap();
    let mass = world.principal_mass(coin).unwrap().mass();
    let watch = world.watch_contact(coin, plane).unwrap();
    let before = world.principal_state_at(coin, 0.1).unwrap();
    let contacts = world.lasting_contacts(coin);
    let [contact] = &contacts[..] else { panic!("{} contacts", contacts.len()) };
    let step = 1e-6;
    let after = world.principal_state_at(coin, 0.1 + step).unwrap();
    let acceleration = (after.velocity - before.velocity) / step + DVec3::Z * G;
    let sign = if contact.bodies[0] == coin { 1.0 } else { -1.0 };
    assert!((sign * contact.force).distance(mass * acceleration) < 1e-4 * mass * G, "{}", contact.force);
    assert!(contact.point.z.abs() < 1e-9 && before.point_velocity(contact.point).length() < 1e-9);
    world.run_to(0.25).unwrap();
    let after = world.principal_state_at(coin, 0.25).unwrap();
    let pushed = mass * (after.velocity - before.velocity + DVec3::Z * (G * 0.15));
    let sum = world.contact_sum(watch).unwrap();
    assert!(sum.impulse.distance(pushed) < 1e-12, "{} instead of {pushed}", sum.impulse);
}

#[test]
fn a_guided_body_is_restored_to_the_bit() {
    let (mut world, coin) = rolling_coin();
    world.run_to(0.1).unwrap();
    assert!(is_carried(&world, coin));
    let text = serde_json::to_string(&world.snapshot()).unwrap();
    let snapshot: Snapshot = serde_json::from_str(&text).unwrap();
    let mut again = World::restore(snapshot).unwrap();
    for w in [&mut world, &mut again] {
        w.run_to(0.6).unwrap();
    }
    assert_eq!(world.trace_hash(), again.trace_hash());
    let states = [&world, &again].map(|w| w.principal_state_at(coin, 0.6).unwrap());
    assert_eq!(states[0], states[1]);
}

fn rolling_coin() -> (World, BodyId) {
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(surface(1.0, 0.0)).unwrap();
    b.add_body(floor(m)).unwrap();
    let (radius, half) = (0.012, 0.001);
    let rotation = DQuat::from_rotation_x(1.3);
    let shape: Shape = Cylinder::new(radius, 2.0 * half).unwrap().into();
    let lowest = rotation * shape.support(rotation.conjugate() * -DVec3::Z).unwrap();
    let coin = free("coin", shape, DVec3::ZERO, DVec3::ZERO, m);
    let spin = DVec3::new(0.0, -8.0, 40.0);
    let pose = Pose { rotation, translation: DVec3::Z * (1e-12 - lowest.z) };
    let coin = b.add_body(placed(coin, pose, -(rotation * spin).cross(lowest), spin)).unwrap();
    (b.build().unwrap(), coin)
}

/// An egg that slides and rolls over a table's edge falls off, and touches nothing on its way but what it meets.
#[test]
fn an_egg_goes_over_the_edge() {
    let mut b = WorldBuilder::new(Settings::default()).unwrap();
    let m = b.add_material(surface(0.3, 0.2)).unwrap();
    let table = Cuboid::new(DVec3::new(0.6, 0.6, 0.5)).unwrap();
    b.add_body(BodySpec::fixed("table", table).at(DVec3::Z * -0.25).material(m)).unwrap();
    let egg = free("egg", Ellipsoid::new(DVec3::new(0.03, 0.02, 0.02)).unwrap(), DVec3::ZERO, DVec3::ZERO, m);
    let pose = Pose::from_translation(DVec3::new(0.2, 0.05, 0.02 + 1e-12));
    let egg = b.add_body(placed(egg, pose, DVec3::new(1.0, 0.1, 0.0), DVec3::Z * 3.0)).unwrap();
    let mut world = b.build().unwrap();
    let mut guided = false;
    for k in 1..80 {
        world.run_to(0.01 * f64::from(k)).unwrap();
        guided |= is_carried(&world, egg);
        assert_apart(&world);
    }
    assert!(guided, "it is never guided");
    let at = world.body(egg).unwrap().centre_of_mass();
    assert!(at.z < -0.05, "it is still at {at}");
    assert!(world.energy_rise() <= world.energy_allowance());
}

/// Polynomials guide a body; between the instants at which they are right they must not dip into the floor. Forty ellipsoids tumble on
/// one, heights are looked at four hundred times per piece.
#[test]
fn a_tumbling_ellipsoid_stays_above_the_floor() {
    let axes = DVec3::new(0.028, 0.048, 0.037);
    let shape = Ellipsoid::new(axes).unwrap();
    let mut pieces = 0;
    for case in 0..40 {
        let turn = 0.3 + f64::from(case);
        let mut b = WorldBuilder::new(Settings::default()).unwrap();
        let m = b.add_material(surface(0.1, 0.0)).unwrap();
        b.add_body(floor(m)).unwrap();
        let rotation = DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), turn);
        let at = Pose { rotation, translation: DVec3::Z * 0.05 };
        let spin = 18.0 * DVec3::new(turn.cos(), turn.sin(), 0.5 * (3.0 * turn).sin());
        let egg = free("egg", shape, DVec3::ZERO, DVec3::ZERO, m);
        let body = b.add_body(placed(egg, at, DVec3::ZERO, spin)).unwrap();
        let mut world = b.build().unwrap();
        let mut until = 0.0;
        while until < 2.0 {
            let from = world.time();
            until = world.next_event().unwrap_or(2.0).min(2.0);
            if is_carried(&world, body) && until > from {
                pieces += 1;
                for look in 0..=400 {
                    let pose = world.body(body).unwrap().pose_at(from + (until - from) * f64::from(look) / 400.0);
                    let gap = pose.translation.z - (axes * pose.inverse_vector(DVec3::Z)).length();
                    // It aims at 2.4e-11 m.
                    assert!(gap > 1e-11, "case {case} from {from} to {until}, look {look}: {gap}");
                }
            }
            if world.step().unwrap().is_none() {
                break;
            }
        }
    }
    assert!(pieces > 1000, "{pieces}");
}
