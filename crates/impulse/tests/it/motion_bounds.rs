//! What detection is told about motions (sections 2.3, 2.5): nothing that happens is outside its bounds, by dense sampling.

use crate::motion_kinds::any_motion;
use crate::motion_rotation::{any_moments, any_spin};
use crate::support::{any_direction, any_vector};
use impulse::body::thesis::{angular_speed_by_energy, angular_speed_by_momentum, travel_coefficients};
use impulse::body::{Drive, Launch, Motion, PrincipalMass, Range, State};
use impulse::math::Pose;
use impulse::{DMat3, DVec3};
use proptest::prelude::*;

const SAMPLES: u32 = 60;

fn samples(times: Range) -> impl Iterator<Item = f64> {
    (0..=SAMPLES)
        .map(move |i| times.min + times.length() * f64::from(i) / f64::from(SAMPLES))
        .map(move |t| t.min(times.max))
}

fn any_times() -> impl Strategy<Value = Range> {
    (5.0..9.0f64, prop_oneof![0.0..0.2f64, 0.0..3.0f64]).prop_map(|(from, length)| Range::new(from, from + length))
}

/// Keyframes run from -1 on, the other scripts always, flights start before 5.
fn in_use(motion: &Motion, times: Range) -> Range {
    let shift = if matches!(motion, Motion::Scripted(_)) { -6.5 } else { 0.0 };
    Range::new(times.min + shift, times.max + shift)
}

fn contains(range: Range, x: f64) -> bool {
    range.min <= x && x <= range.max
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_swept_box_contains_the_ball(motion in any_motion(), times in any_times(), radius in 0.01..1.0f64, d in any_direction()) {
        let times = in_use(&motion, times);
        let swept = motion.swept_box(radius, times);
        for t in samples(times) {
            let centre = motion.pose_at(t).translation;
            prop_assert!(swept.contains(centre + d * radius) && swept.contains(centre - d * radius), "{t}");
        }
        // Tight: the ball touches every side at some time.
        let tight = samples(times).map(|t| motion.pose_at(t).translation);
        let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        tight.for_each(|p| (min, max) = (min.min(p), max.max(p)));
        let step = times.length() / f64::from(SAMPLES);
        let missed = motion_scale(&motion, times) * step * step;
        let slack = (min - radius - swept.min).max(swept.max - radius - max).max_element();
        prop_assert!(slack <= missed + 1e-9, "{slack} {missed}");
    }

    #[test]
    fn the_centre_keeps_to_its_ranges(motion in any_motion(), times in any_times(), d in any_direction()) {
        let times = in_use(&motion, times);
        let velocity = motion.centre_velocity_along(d, times);
        let acceleration = motion.centre_acceleration_along(d, times);
        for t in samples(times) {
            prop_assert!(contains(velocity, motion.state_at(t).velocity.dot(d)), "{t}");
            prop_assert!(contains(acceleration, motion.acceleration_at(t).linear.dot(d)), "{t}");
        }
    }

    #[test]
    fn the_spin_keeps_to_its_bounds(motion in any_motion(), times in any_times(), point in any_vector(0.5), d in any_direction()) {
        let times = in_use(&motion, times);
        let bounds = motion.spin_bounds(times);
        let along = motion.point_acceleration_along(d, point.length(), times);
        for t in samples(times) {
            let (state, acceleration) = (motion.state_at(t), motion.acceleration_at(t));
            let pose = state.world_from_body;
            prop_assert!(state.spin.abs().cmple(bounds.components).all(), "{t}: {} {}", state.spin, bounds.components);
            prop_assert!(state.spin.length() <= bounds.speed, "{t}");
            prop_assert!(acceleration.angular.length() <= bounds.acceleration * (1.0 + 1e-13), "{t}");
            let absolute = state.point_acceleration(&acceleration, pose.point(point));
            let relative = absolute - acceleration.linear;
            let rounding = 1e-13 * (1.0 + acceleration.linear.length());
            prop_assert!(relative.length() <= bounds.acceleration_within(point.length()) + rounding, "{t}");
            prop_assert!(relative.length() <= bounds.acceleration_within_box(point.abs()) + rounding, "{t}");
            let in_body = pose.inverse_vector(relative).abs();
            prop_assert!(in_body.cmple(bounds.point_acceleration * point.abs() + rounding).all(), "{t}");
            prop_assert!(absolute.dot(d).abs() <= along + rounding, "{t}");
        }
    }

    /// (2.2) to (2.5), (2.13) to (2.15).
    #[test]
    fn nothing_outruns_the_thesis_coefficients(motion in any_motion(), times in any_times(), d in any_direction(),
                                               point in any_vector(0.5), distance in 0.0..5.0f64) {
        let times = in_use(&motion, times);
        let k = travel_coefficients(&motion, times.min, d, point.length(), distance);
        let start = motion.pose_at(times.min).point(point).dot(d);
        for t in samples(times) {
            let s = t - times.min;
            let travelled = motion.pose_at(t).point(point).dot(d) - start;
            prop_assert!(travelled <= (k.a * s + k.b) * s + 1e-11, "{s}: {travelled} {k:?}");
        }
    }

    /// (2.6), and ours is at most the thesis' better one.
    #[test]
    fn the_polhode_beats_energy_and_momentum(moments in any_moments(), spin in any_spin()) {
        let mass = PrincipalMass::new(1.0, moments).unwrap();
        let (momentum, energy) = (angular_speed_by_momentum(&mass, spin), angular_speed_by_energy(&mass, spin));
        prop_assert!(energy <= momentum * (1.0 + 1e-15));
        let least = (moments.min_element() / moments.max_element()).sqrt();
        prop_assert!(least * momentum <= energy * (1.0 + 1e-14));
        let state = State { world_from_body: Pose::IDENTITY, velocity: DVec3::ZERO, spin };
        let drive = Drive { acceleration: DVec3::ZERO, torque: DVec3::ZERO };
        let motion = Motion::free(mass, Launch { time: 0.0, state }, drive);
        let bounds = motion.spin_bounds(Range::new(0.0, 1.0));
        prop_assert!(bounds.speed <= energy * (1.0 + 1e-11));
    }
}

/// Largest acceleration of the centre, for what sampling may miss.
fn motion_scale(motion: &Motion, times: Range) -> f64 {
    DVec3::AXES.map(|d| motion.centre_acceleration_along(d, times).magnitude()).into_iter().fold(0.0, f64::max)
}

/// Polhode maxima are reached, not merely bounds: a full period of a box-like body.
#[test]
fn polhode_maxima_are_reached() {
    let mass = PrincipalMass::new(1.0, DVec3::new(2.0, 1.0, 2.6)).unwrap();
    let state = State { world_from_body: Pose::IDENTITY, velocity: DVec3::ZERO, spin: DVec3::new(1.0, 0.4, 0.3) };
    let motion =
        Motion::free(mass, Launch { time: 0.0, state }, Drive { acceleration: DVec3::ZERO, torque: DVec3::ZERO });
    let bounds = motion.spin_bounds(Range::new(0.0, 1.0));
    let (mut most, mut fastest) = (DVec3::ZERO, 0.0f64);
    for i in 0..20_000 {
        let spin = motion.state_at(f64::from(i) * 0.005).spin;
        (most, fastest) = (most.max(spin.abs()), fastest.max(spin.length()));
    }
    assert!(
        ((most - bounds.components) / bounds.components).abs().max_element() < 1e-5,
        "{most} {}",
        bounds.components
    );
    assert!((fastest / bounds.speed - 1.0).abs() < 1e-5);
}

/// A rod spinning fast about itself while turning slowly: the thesis' radius times |w|^2 is far above the truth.
#[test]
fn slender_bodies_have_small_bounds() {
    let mass = PrincipalMass::new(1.0, DVec3::new(0.001, 1.0, 1.0005)).unwrap();
    let spin = DVec3::new(30.0, 1.0, 0.5);
    let state = State { world_from_body: Pose::IDENTITY, velocity: DVec3::ZERO, spin };
    let motion =
        Motion::free(mass, Launch { time: 0.0, state }, Drive { acceleration: DVec3::ZERO, torque: DVec3::ZERO });
    let bounds = motion.spin_bounds(Range::new(0.0, 10.0));
    let (tight, loose) = (bounds.acceleration_within_box(DVec3::new(1.0, 0.02, 0.02)), bounds.speed * bounds.speed);
    assert!(tight < 0.05 * loose, "{tight} {loose}");
    assert_ne!(bounds.point_acceleration, DMat3::ZERO);
}
