//! Ranges of links' motions hold, and are not much wider than what they bound (section 5.2, done without slack).

use super::random::Chance;
use super::scenes::{Scale, zoo};
use impulse::body::{Motion, Range, SpinBounds};
use impulse::prelude::*;

/// Windows in all.
const WINDOWS: usize = 100_000;

/// Samples of a window.
const SAMPLES: usize = 33;

/// How much wider than what was seen the ranges are at most.
#[derive(Default)]
struct Widths {
    way: f64,
    acceleration: f64,
    speed: f64,
    turning: f64,
}

fn check(motion: &Motion, times: Range, d: DVec3, widths: &mut Widths) {
    let swept = motion.swept_box(0.0, times);
    let along = motion.centre_acceleration_along(d, times);
    let each = motion.centre_accelerations(times);
    let velocity = motion.centre_velocity_along(d, times);
    let spin = motion.spin_bounds(times);
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    let (mut fastest, mut turning): (f64, f64) = (0.0, 0.0);
    for k in 0..SAMPLES {
        let t = times.min + times.length() * k as f64 / (SAMPLES - 1) as f64;
        let state = motion.state_at(t);
        let a = motion.acceleration_at(t);
        let x = state.world_from_body.translation;
        assert!(swept.contains(x), "{x} is not in {swept:?}");
        let push = a.linear.dot(d);
        assert!(along.min <= push && push <= along.max, "{push} {along:?}");
        let speed = state.velocity.dot(d);
        assert!(velocity.min <= speed && speed <= velocity.max, "{speed} {velocity:?}");
        (0..3).for_each(|k| assert!(each[k].min <= a.linear[k] && a.linear[k] <= each[k].max));
        let [w, angular] = check_spin(motion, t, &spin);
        (low, high) = (low.min(x), high.max(x));
        (least, most) = (least.min(push), most.max(push));
        (fastest, turning) = (fastest.max(w.length()), turning.max(angular.length()));
    }
    // Widths relative to what was seen, where that is more than rounding.
    let way = (high - low).max_element();
    if way > 1e-9 {
        widths.way = widths.way.max((swept.max - swept.min).max_element() / way);
    }
    let size = least.abs().max(most.abs());
    if most - least > 1e-6 * size.max(1e-3) {
        widths.acceleration = widths.acceleration.max(along.length() / (most - least));
    }
    if fastest > 1e-6 {
        widths.speed = widths.speed.max(spin.speed / fastest);
    }
    if turning > 1e-3 * (1.0 + fastest * fastest) {
        widths.turning = widths.turning.max(spin.acceleration / turning);
    }
}

/// What the rotation at a time is within its bounds; gives angular velocity and acceleration in the body frame.
fn check_spin(motion: &Motion, t: f64, spin: &SpinBounds) -> [DVec3; 2] {
    let (state, a) = (motion.state_at(t), motion.acceleration_at(t));
    let w = state.spin;
    assert!(w.length() <= spin.speed && w.abs().cmple(spin.components).all(), "{w} {spin:?}");
    let angular = state.world_from_body.inverse_vector(a.angular);
    assert!(angular.length() <= spin.acceleration * (1.0 + 1e-9) + 1e-9 * spin.speed * spin.speed);
    let columns = DVec3::AXES.map(|r| angular.cross(r) + w.cross(w.cross(r)));
    for (k, column) in columns.iter().enumerate() {
        let room = DVec3::splat(1e-9 * (spin.speed * spin.speed + spin.acceleration));
        assert!(column.abs().cmple(spin.point_acceleration.col(k) + room).all(), "{column} {spin:?}");
    }
    [w, angular]
}

#[test]
fn ranges_hold_and_are_tight() {
    let (mut chance, mut widths, mut windows, mut seed) = (Chance(3), Widths::default(), 0, 0);
    while windows < WINDOWS {
        let (mut world, linkages) = zoo(seed, Scale::ONE, 9.81, true);
        seed += 1;
        for k in 0..1200 {
            world.step().unwrap();
            if k % 10 != 0 {
                continue;
            }
            for body in linkages.iter().flatten() {
                let motion = world.motion(*body).unwrap();
                let (now, end) = (world.time(), motion.known_until(world.time()));
                if !end.is_finite() || end <= now {
                    continue;
                }
                let (a, b) = (chance.unit(), chance.unit());
                let (a, b) = (a.min(b), a.max(b));
                // Short windows too.
                let b = if chance.below(3) == 0 { a + (b - a) * 1e-3 } else { b };
                let times = Range::new(now + (end - now) * a, now + (end - now) * b);
                check(motion, times, chance.direction(), &mut widths);
                windows += 1;
            }
        }
    }
    let Widths { way, acceleration, speed, turning } = widths;
    println!(
        "{windows} windows: way {way:.3}, acceleration {acceleration:.3}, spin {speed:.3}, turning {turning:.3} times what was seen"
    );
    assert!(way < 2.0 && acceleration < 2.0 && speed < 2.0 && turning < 2.0, "{way} {acceleration} {speed} {turning}");
}
