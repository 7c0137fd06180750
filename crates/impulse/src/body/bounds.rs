//! What detection asks of a motion over an interval of time: ranges that nothing leaves (sections 2.3.2, 2.5).

use glam::{DMat3, DVec3};

/// All numbers from `min` to `max`; also an interval of time, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
}

impl Range {
    /// From the smaller to the larger number.
    pub fn new(min: f64, max: f64) -> Self {
        Self { min, max }
    }

    /// One number.
    pub fn point(value: f64) -> Self {
        Self { min: value, max: value }
    }

    /// The smallest range around both.
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// `max - min`.
    pub fn length(&self) -> f64 {
        self.max - self.min
    }

    /// Largest absolute value.
    pub fn magnitude(&self) -> f64 {
        self.min.abs().max(self.max.abs())
    }

    /// A range wider by what rounding may have done to values of this size.
    pub(super) fn with_rounding(self, size: f64) -> Self {
        let slack = ROUNDING * size;
        Self { min: self.min - slack, max: self.max + slack }
    }
}

/// Rounding, relative to the size of what was computed, that every bound leaves room for.
pub(super) const ROUNDING: f64 = 1e-14;

/// The same for angular velocities, which are compared with values computed much later in a long flight.
const SPIN_ROUNDING: f64 = 1e-12;

/// What the rotation of a body does not exceed during an interval of time.
///
/// The acceleration of a body point `r` relative to the centre of mass, in the body frame, is `M r` with
/// `M = alpha~ + w~ w~`; `point_acceleration` bounds each entry of `M`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpinBounds {
    /// Absolute values of the components of the angular velocity in the body frame, rad/s.
    pub components: DVec3,
    /// Length of the angular velocity, rad/s.
    pub speed: f64,
    /// Length of the angular acceleration, rad/s^2.
    pub acceleration: f64,
    /// Absolute values of the entries of `M`, 1/s^2.
    pub point_acceleration: DMat3,
}

impl SpinBounds {
    /// No rotation.
    pub const ZERO: Self =
        Self { components: DVec3::ZERO, speed: 0.0, acceleration: 0.0, point_acceleration: DMat3::ZERO };

    /// For an axis and a rate that do not change.
    pub(super) fn steady(spin: DVec3) -> Self {
        let w = spin.abs();
        let squares = DMat3::from_diagonal(DVec3::splat(w.length_squared()));
        let matrix = crate::math::outer(spin, spin) - squares;
        let entries = DMat3::from_cols_array(&matrix.to_cols_array().map(f64::abs));
        Self { components: w, speed: w.length(), acceleration: 0.0, point_acceleration: entries }.with_rounding()
    }

    /// Where only the lengths of angular velocity and acceleration are known.
    pub(super) fn isotropic(speed: f64, acceleration: f64) -> Self {
        let square = speed * speed;
        // |w_i w_j| <= |w|^2 / 2.
        let (on, off) = (square, 0.5 * square + acceleration);
        Self {
            components: DVec3::splat(speed),
            speed,
            acceleration,
            point_acceleration: DMat3::from_cols_array(&[on, off, off, off, on, off, off, off, on]),
        }
        .with_rounding()
    }

    pub(super) fn with_rounding(self) -> Self {
        let more = 1.0 + SPIN_ROUNDING;
        Self {
            components: self.components * more,
            speed: self.speed * more,
            acceleration: self.acceleration * more,
            point_acceleration: self.point_acceleration * more,
        }
    }

    /// The smallest bounds that hold for both.
    pub(super) fn union(self, other: Self) -> Self {
        let (a, b) = (self.point_acceleration, other.point_acceleration);
        Self {
            components: self.components.max(other.components),
            speed: self.speed.max(other.speed),
            acceleration: self.acceleration.max(other.acceleration),
            point_acceleration: DMat3::from_cols(
                a.x_axis.max(b.x_axis),
                a.y_axis.max(b.y_axis),
                a.z_axis.max(b.z_axis),
            ),
        }
    }

    /// Largest acceleration, relative to the centre of mass, of any body point at most `radius` from it, m/s^2.
    pub fn acceleration_within(&self, radius: f64) -> f64 {
        let m = self.point_acceleration;
        let frobenius = (m.x_axis.length_squared() + m.y_axis.length_squared() + m.z_axis.length_squared()).sqrt();
        radius * frobenius.min(self.acceleration + self.speed * self.speed)
    }

    /// Largest acceleration, relative to the centre of mass, of any body point whose coordinates in the body frame are at
    /// most `extents` in absolute value, m/s^2. For slender bodies far below [`SpinBounds::acceleration_within`].
    pub fn acceleration_within_box(&self, extents: DVec3) -> f64 {
        (self.point_acceleration * extents).length()
    }
}
