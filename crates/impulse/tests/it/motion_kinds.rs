//! The kinds of motion (section 2.5): each is its own derivative, obeys its law, and takes impulses as it should.

use crate::motion_rotation::{any_moments, any_spin, distance};
use crate::oracle::Turning;
use crate::support::{any_direction, any_pose, any_vector};
use impulse::body::{
    Cycle, Drive, InverseMass, Keyframe, Keyframes, Launch, Motion, PrincipalMass, Range, ScriptClock, ScriptError,
    Scripted, State,
};
use impulse::geometry::MassError;
use impulse::math::{Pose, cross_matrix};
use impulse::{DMat3, DQuat, DVec3};
use proptest::prelude::*;

pub(crate) fn any_launch() -> impl Strategy<Value = Launch> {
    (-5.0..5.0f64, any_pose(3.0), any_vector(4.0), any_spin()).prop_map(|(time, world_from_body, velocity, spin)| {
        Launch { time, state: State { world_from_body, velocity, spin } }
    })
}

fn any_free() -> impl Strategy<Value = Motion> {
    let torque = prop_oneof![Just(DVec3::ZERO), any_vector(1.0), any_vector(0.01)];
    (any_moments(), any_launch(), any_vector(10.0), torque).prop_map(|(moments, launch, acceleration, torque)| {
        Motion::free(PrincipalMass::new(2.5, moments).unwrap(), launch, Drive { acceleration, torque })
    })
}

fn any_cycle() -> impl Strategy<Value = Motion> {
    let clock = (-2.0..2.0f64, -4.0..4.0f64).prop_map(|(start, phase)| ScriptClock { start, phase });
    (0..3, any_pose(1.0), any_direction(), any_vector(1.0), -6.0..6.0f64, clock).prop_map(
        |(kind, pose, axis, other, rate, clock)| {
            let cycle = match kind {
                0 => Cycle::spinner(pose, axis, other, rate),
                1 => Cycle::oscillator(pose, other, rate),
                _ => Cycle::cycler(pose, axis, other, rate),
            };
            Motion::Scripted(cycle.unwrap().with_clock(clock).unwrap().into())
        },
    )
}

pub(crate) fn any_keys() -> impl Strategy<Value = Vec<Keyframe>> {
    let step = (0.2..1.0f64, any_vector(0.4), any_vector(0.3));
    (any_pose(1.0), prop::collection::vec(step, 1..5)).prop_map(|(first, steps)| {
        let mut keys = vec![Keyframe { time: -1.0, world_from_body: first }];
        for (wait, turn, shift) in steps {
            let Keyframe { time, world_from_body: pose } = keys[keys.len() - 1];
            let turn = DQuat::from_xyzw(turn.x, turn.y, turn.z, 1.0);
            // Either sign is the same rotation.
            let flip = if keys.len() % 2 == 0 { 1.0 } else { -1.0 };
            let pose = Pose::new(pose.rotation * turn * flip, pose.translation + shift).unwrap();
            keys.push(Keyframe { time: time + wait, world_from_body: pose });
        }
        keys
    })
}

/// Any motion of any kind.
pub(crate) fn any_motion() -> impl Strategy<Value = Motion> {
    let keyframes = any_keys().prop_map(|keys| Motion::Scripted(Keyframes::new(&keys).unwrap().into()));
    prop_oneof![
        1 => any_pose(3.0).prop_map(Motion::Fixed),
        6 => any_free(),
        3 => any_cycle(),
        3 => keyframes,
    ]
}

/// Derivative at zero by differences over four points: error of the fourth order in `h`.
fn derivative<T>(h: f64, f: impl Fn(f64) -> T) -> T
where
    T: std::ops::Sub<Output = T> + std::ops::Mul<f64, Output = T> + std::ops::Add<Output = T>,
{
    (f(h) - f(-h)) * (2.0 / (3.0 * h)) + (f(-2.0 * h) - f(2.0 * h)) * (1.0 / (12.0 * h))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Velocities are the derivatives of poses, accelerations those of velocities.
    #[test]
    fn is_its_own_derivative(motion in any_motion(), t in 0.0..4.0f64) {
        // Keyframes have continuous velocity only, so that a step over a key errs by as much as the acceleration jumps there;
        // driven bodies start at their launch.
        let keyed = matches!(&motion, Motion::Scripted(Scripted::Keyframes(_)));
        let (t, h) = if keyed { (t - 0.999, 1e-6) } else { (t + 5.001, 1e-3) };
        let state = motion.state_at(t);
        let h = h / (1.0 + state.spin.length());
        let velocity = derivative(h, |s| motion.state_at(t + s).world_from_body.translation);
        prop_assert!((velocity - state.velocity).length() < 1e-3, "{velocity} {}", state.velocity);
        let q = state.world_from_body.rotation;
        let near = |s: f64| {
            let r = motion.pose_at(t + s).rotation;
            if r.dot(q) < 0.0 { -r } else { r }
        };
        let spin = (q.conjugate() * derivative(h, near)).xyz() * 2.0;
        prop_assert!((spin - state.spin).length() < 1e-3, "{spin} {}", state.spin);
        if keyed {
            return Ok(());
        }
        let got = motion.acceleration_at(t);
        let linear = derivative(h, |s| motion.state_at(t + s).velocity);
        let angular = derivative(h, |s| motion.state_at(t + s).angular_velocity());
        prop_assert!((linear - got.linear).length() < 1e-6 * (1.0 + linear.length()));
        prop_assert!((angular - got.angular).length() < 1e-4 * (1.0 + angular.length()), "{angular} {}", got.angular);
    }

    /// A driven body's attitude, against an independent integrator; its momentum grows by torque times time.
    #[test]
    fn driven_agrees_with_an_integrator(moments in any_moments(), launch in any_launch(), torque in any_vector(0.3),
                                       s in 0.0..2.0f64) {
        let mass = PrincipalMass::new(1.5, moments).unwrap();
        let motion = Motion::free(mass, launch, Drive { acceleration: DVec3::new(0.0, 0.0, -9.81), torque });
        let state = motion.state_at(launch.time + s);
        let start = launch.state.world_from_body.rotation;
        let (orientation, spin) = Turning { moments, torque }.after(start, launch.state.spin, (launch.time + s) - launch.time);
        // Growth of rounding where neighbouring motions part, as exp of the angle turned at most.
        let angle = motion.spin_bounds(Range::new(launch.time, launch.time + s)).speed * s;
        let limit = 1e-13 * (1.0 + angle) * angle.min(20.0).exp();
        prop_assert!(distance(state.world_from_body.rotation, orientation) < limit);
        prop_assert!((state.spin - spin).length() < limit * (1.0 + spin.length()) / moments.min_element());
        let momentum = state.world_from_body.vector(moments * state.spin);
        let wanted = start * (moments * launch.state.spin) + torque * ((launch.time + s) - launch.time);
        prop_assert!((momentum - wanted).length() < 1e-14 * (1.0 + wanted.length()));
    }

    /// What a driven body keeps in store changes no bit of its answers.
    #[test]
    fn keeping_steps_changes_nothing(moments in any_moments(), launch in any_launch(), torque in any_vector(0.3),
                                    asked in prop::collection::vec((0.0..5.0f64, 0.0..2.0f64), 1..4)) {
        let mass = PrincipalMass::new(1.5, moments).unwrap();
        let fresh = Motion::free(mass, launch, Drive { acceleration: DVec3::ZERO, torque });
        let Motion::Driven(mut used) = fresh.clone() else { return Ok(()) };
        for (from, length) in asked {
            let from = launch.time + from;
            used.keep(Range::new(from, from + length));
            for t in [from, from + 0.3 * length, from + length, launch.time + 0.1, from + 2.0 * length] {
                prop_assert_eq!(used.state_at(t), fresh.state_at(t));
            }
        }
    }

    /// Without torque a driven body is a ballistic one.
    #[test]
    fn driving_with_nothing_is_flight(moments in any_moments(), launch in any_launch(), s in 0.0..1.0f64) {
        let mass = PrincipalMass::new(1.5, moments).unwrap();
        let drive = Drive { acceleration: DVec3::NEG_Z, torque: DVec3::ZERO };
        let flight = Motion::free(mass, launch, drive).state_at(launch.time + s);
        let driven = impulse::body::Driven::new(mass, launch, drive).state_at(launch.time + s);
        prop_assert_eq!(flight.velocity, driven.velocity);
        let (a, b) = (flight.world_from_body, driven.world_from_body);
        prop_assert_eq!(a.translation, b.translation);
        prop_assert!(distance(a.rotation, b.rotation) < 1e-11);
    }

    /// Linear and angular momentum change by p and r x p; the velocity at the point by K p; nothing else moves.
    #[test]
    fn impulses(moments in any_moments(), launch in any_launch(), torque in prop_oneof![Just(DVec3::ZERO), any_vector(0.3)],
                arm in any_vector(0.5), p in any_vector(3.0), s in 0.0..2.0f64) {
        let mass = PrincipalMass::new(1.5, moments).unwrap();
        let mut motion = Motion::free(mass, launch, Drive { acceleration: DVec3::new(0.1, 0.0, -9.81), torque });
        let t = launch.time + s;
        let (before, inverse) = (motion.state_at(t), motion.inverse_mass_at(t));
        let acceleration = motion.acceleration_at(t).linear;
        let point = before.world_from_body.translation + arm;
        motion.apply_impulse(t, point, p);
        let after = motion.state_at(t);
        prop_assert_eq!(after.world_from_body.translation, before.world_from_body.translation);
        prop_assert!(distance(after.world_from_body.rotation, before.world_from_body.rotation) < 1e-15);
        prop_assert!(((after.velocity - before.velocity) * 1.5 - p).length() < 1e-14 * (p.length() + before.velocity.length()));
        let momentum = |s: &State| s.world_from_body.vector(moments * s.spin);
        let (old, new) = (momentum(&before), momentum(&after));
        let arm = point - before.world_from_body.translation;
        let size = old.length() + new.length() + arm.length() * p.length();
        prop_assert!((new - old - arm.cross(p)).length() < 1e-14 * size);
        // (3.4): the share of the collision matrix.
        let r = cross_matrix(arm);
        let k = DMat3::from_diagonal(DVec3::splat(inverse.inverse_mass)) - r * inverse.world_inverse_inertia * r;
        let change = after.point_velocity(point) - before.point_velocity(point);
        let scale = (k * p).length() + before.point_velocity(point).length() + before.spin.length();
        prop_assert!((change - k * p).length() < 1e-13 * scale, "{change} {}", k * p);
        prop_assert_eq!(motion.acceleration_at(t).linear, acceleration);
    }
}

#[test]
fn heavy_bodies_ignore_impulses() {
    let cycle = Cycle::spinner(Pose::IDENTITY, DVec3::Z, DVec3::X, 2.0).unwrap();
    for mut motion in [Motion::Fixed(Pose::IDENTITY), Motion::Scripted(cycle.into())] {
        let before = motion.state_at(3.0);
        assert_eq!(motion.inverse_mass_at(3.0), InverseMass::IMMOVABLE);
        motion.apply_impulse(2.0, DVec3::Y, DVec3::X);
        assert_eq!(motion.state_at(3.0), before);
    }
}

#[test]
fn a_spinner_goes_round() {
    let pose = Pose::from_translation(DVec3::new(2.0, 0.0, 0.5));
    let clock = ScriptClock { start: 1.0, phase: 0.0 };
    let spinner = Cycle::spinner(pose, DVec3::Z * 3.0, DVec3::X, 0.5 * std::f64::consts::PI).unwrap();
    let motion = Motion::Scripted(spinner.with_clock(clock).unwrap().into());
    assert_eq!(motion.pose_at(1.0), pose);
    // A quarter turn about the vertical through (1, 0, 0).
    let quarter = motion.state_at(2.0);
    assert!((quarter.world_from_body.translation - DVec3::new(1.0, 1.0, 0.5)).length() < 1e-15);
    assert!((quarter.world_from_body.vector(DVec3::X) - DVec3::Y).length() < 1e-15);
    assert!((quarter.point_velocity(DVec3::X)).length() < 1e-15);
}

#[test]
fn keyframes_pass_their_poses_and_rest_at_the_ends() {
    let turn = |x: f64| DQuat::from_xyzw(0.0, 0.0, x.sin(), x.cos());
    let pose = |x: f64| Pose { rotation: turn(x), translation: DVec3::new(x, x * x, 0.0) };
    let keys = [0.0, 0.5, 0.9, 1.2].map(|x| Keyframe { time: 2.0 * x, world_from_body: pose(x) });
    let motion = Motion::Scripted(Keyframes::new(&keys).unwrap().into());
    for key in keys {
        let got = motion.pose_at(key.time);
        assert!((got.translation - key.world_from_body.translation).length() < 1e-15);
        assert!(distance(got.rotation, key.world_from_body.rotation) < 1e-15);
    }
    for t in [-1.0, 0.0, 2.4, 9.0] {
        let state = motion.state_at(t);
        assert!(state.velocity.length() < 1e-14 && state.spin.length() < 1e-14);
    }
    // Inner slopes are those of parabolas: exact for this position, a parabola of time.
    assert!((motion.state_at(1.0).velocity - DVec3::new(0.5, 0.5, 0.0)).length() < 1e-14);
}

#[test]
fn impossible_scripts_and_masses_are_refused() {
    let key = |time: f64, q: DQuat| Keyframe { time, world_from_body: Pose::from_rotation(q) };
    let i = DQuat::IDENTITY;
    assert_eq!(Keyframes::new(&[key(0.0, i)]), Err(ScriptError::TooFewKeyframes(1)));
    let order = ScriptError::KeyframeOrder { index: 1, time: 0.0 };
    assert_eq!(Keyframes::new(&[key(0.0, i), key(0.0, i)]), Err(order));
    let over = DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0);
    // Half a turn in a second, and in the next hundredth a quarter back: the way there would start with a whirl.
    let back = DQuat::from_xyzw(0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt());
    let far = [key(0.0, i), key(1.0, over), key(1.01, back)];
    assert!(matches!(Keyframes::new(&far), Err(ScriptError::KeyframeTurn { .. })));
    assert_eq!(Keyframes::new(&[key(0.0, i), key(f64::NAN, i)]), Err(ScriptError::NotFinite));
    assert_eq!(Cycle::spinner(Pose::IDENTITY, DVec3::ZERO, DVec3::X, 1.0), Err(ScriptError::Axis(DVec3::ZERO)));
    assert_eq!(Cycle::oscillator(Pose::IDENTITY, DVec3::NAN, 1.0), Err(ScriptError::NotFinite));
    assert_eq!(PrincipalMass::new(0.0, DVec3::ONE), Err(MassError::Mass(0.0)));
    assert!(matches!(PrincipalMass::new(1.0, DVec3::new(3.0, 1.0, 1.0)), Err(MassError::TriangleInequality { .. })));
}
