//! Bounds on the angular velocity of a free or steadily driven body from its polhode (section 2.3.3, improved).
//!
//! The thesis bounds `|w|` by the energy alone (2.5). Energy and momentum together bound each component: with
//! `I1 <= I2 <= I3` the free motion conserves `2E I3 - L^2` and `L^2 - 2E I1`, which are sums of squares of two components each.
//! The root of such a sum is a seminorm of `w`, so a torque `T` makes it grow by no more than `T` times a constant per second.

use super::bounds::SpinBounds;
use super::principal::sorted_axes;
use glam::{DMat3, DVec3};

/// Bounds for the time `duration` (s) after the body-frame angular velocity was `spin`, under a torque of the given length (N m).
pub(super) fn polhode_bounds(moments: DVec3, spin: DVec3, torque: f64, duration: f64) -> SpinBounds {
    let kick = torque * duration;
    let axes = sorted_axes(moments);
    let [i1, i2, i3] = axes.map(|a| moments[a]);
    let [w1, w2, w3] = axes.map(|a| spin[a].abs());
    let (d31, d32, d21) = (i3 - i1, i3 - i2, i2 - i1);
    // 0/0 is a sphere, whose free motion conserves every component.
    let share = |part: f64| if d31 > 0.0 { part / d31 } else { 0.0 };
    let seminorm = |a: f64, factor: f64, b: f64| (a * a + factor * b * b).sqrt();
    let m1 = seminorm(w1, share(d32) * i2 / i1, w2) + kick / i1;
    let m3 = seminorm(w3, share(d21) * i2 / i3, w2) + kick / i3;
    let energy = (i1 * w1 * w1 + i2 * w2 * w2 + i3 * w3 * w3).sqrt() + kick / i1.sqrt();
    let m2 = if d31 > 0.0 {
        // Infinite, or no number, where two moments are equal: the other bounds hold then.
        let by = |i: f64, w: f64, d: f64| {
            let bound = seminorm(w2, i * d31 / (i2 * d), w) + kick * (d31 / (i * i2 * d)).sqrt();
            if bound.is_nan() { f64::INFINITY } else { bound }
        };
        by(i1, w1, d32).min(by(i3, w3, d21)).min(energy / i2.sqrt())
    } else {
        w2 + kick / i2
    };
    let mut components = DVec3::ZERO;
    for (axis, bound) in axes.into_iter().zip([m1, m2, m3]) {
        components[axis] = bound.min(energy / moments[axis].sqrt());
    }
    // |w|^2 is largest where w2 = 0, and there it is (2E (I1 + I3) - L^2) / (I1 I3).
    let largest = (w1 * w1 + w3 * w3 + w2 * w2 * (i2 / i1) * ((i1 + d32) / i3)).sqrt() + kick / i1;
    let speed = largest.min(components.length());
    from_components(moments, components, speed, torque)
}

/// Euler's equations (A.3) turn bounds on the components into bounds on all accelerations.
fn from_components(moments: DVec3, w: DVec3, speed: f64, torque: f64) -> SpinBounds {
    let mut acceleration = DVec3::ZERO;
    let mut matrix = DMat3::ZERO;
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        acceleration[i] = ((moments[j] - moments[k]).abs() * w[j] * w[k] + torque) / moments[i];
        matrix.col_mut(i)[i] = (w[j] * w[j] + w[k] * w[k]).min(speed * speed);
        // M_jk = w_j w_k (I_i - I_j + I_k) / I_i for a free body: for a rod much less than |w_j w_k| + |alpha_i|.
        let product = w[j] * w[k];
        matrix.col_mut(k)[j] = (product * (moments[i] - moments[j] + moments[k]).abs() + torque) / moments[i];
        matrix.col_mut(j)[k] = (product * (moments[i] - moments[k] + moments[j]).abs() + torque) / moments[i];
    }
    SpinBounds { components: w, speed, acceleration: acceleration.length(), point_acceleration: matrix }.with_rounding()
}
