//! The exact rotation of a body on which no torque acts (section 2.3.3, appendix A.3).
//!
//! Angular velocity by Jacobi's elliptic functions; attitude as a *swing* that takes the angular momentum from the body's frame
//! to a fixed axis, followed by a *twist* about that axis. The twist is an integral of the third kind, whose periodic part is the
//! argument of one theta function (after Jacobi 1850; compare van Zon & Schofield, J. Comput. Phys. 225, 2007). Swing and twist
//! leave the angular momentum where it is for ever, whatever the rounding.

use super::bounds::SpinBounds;
use super::polhode::polhode_bounds;
use super::principal::sorted_axes;
use crate::math::elliptic::Modulus;
use crate::math::theta::ThetaSeries;
use glam::{DMat3, DQuat, DVec3, Vec3Swizzles};
use serde::{Deserialize, Serialize};

/// Torque-free rotation as a function of the time since its start; also backwards.
#[derive(Clone, Debug)]
pub struct FreeRotation {
    start: Attitude,
    kind: Kind,
}

/// Orientation and angular velocity at one time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attitude {
    /// `world_from_principal`, a unit quaternion.
    pub orientation: DQuat,
    /// Angular velocity in the principal frame, rad/s.
    pub spin: DVec3,
}

#[derive(Clone, Debug)]
enum Kind {
    /// About an axis fixed in body and world: spheres and cubes, spins about a principal axis, rest.
    Steady(Steady),
    /// Anything else. Two equal moments are the case `k = 0` and need no formulas of their own.
    /// Apart, so that balls take up little room.
    Tumbling(Box<Tumbling>),
}

/// Components of the spin below this part of the largest, or below `SLOWEST` (rad/s), count as zero: their squares would no
/// longer be numbers.
const NEGLIGIBLE: f64 = 1e-100;
const SLOWEST: f64 = 1e-140;

impl FreeRotation {
    /// The rotation of a body with the given principal moments (kg m^2, positive, in any order) from this attitude on.
    pub fn new(moments: DVec3, start: Attitude) -> Self {
        let mut made = Self { start, kind: Kind::Steady(Steady::new(start.spin)) };
        made.restart(moments, start);
        made
    }

    /// Becomes the rotation from another attitude on. Allocates only where a body that did not tumble begins to.
    pub(super) fn restart(&mut self, moments: DVec3, start: Attitude) {
        debug_assert!(moments.cmpgt(DVec3::ZERO).all() && moments.is_finite(), "moments are positive: {moments}");
        let w = significant(start.spin);
        let start = Attitude { orientation: start.orientation, spin: w };
        // Euler's equations (A.3): the spin stays as it is where all of these vanish. Written so that equal moments give zero.
        let change = (moments.yzx() - moments.zxy()) * w.yzx() * w.zxy();
        self.start = start;
        match &mut self.kind {
            kind if change == DVec3::ZERO => *kind = Kind::Steady(Steady::new(start.spin)),
            Kind::Tumbling(tumbling) => **tumbling = Tumbling::new(moments, start),
            kind => *kind = Kind::Tumbling(Box::new(Tumbling::new(moments, start))),
        }
    }

    /// What the rotation never exceeds.
    pub(super) fn spin_bounds(&self) -> SpinBounds {
        match &self.kind {
            Kind::Steady(_) => SpinBounds::steady(self.start.spin),
            Kind::Tumbling(tumbling) => tumbling.bounds,
        }
    }

    /// Where it starts, without the components of the spin that count as zero.
    pub(super) fn start(&self) -> Attitude {
        self.start
    }

    /// Orientation and angular velocity `t` seconds after the start; `t` may be negative.
    pub fn at(&self, t: f64) -> Attitude {
        match &self.kind {
            Kind::Steady(steady) => steady.at(&self.start, t),
            Kind::Tumbling(tumbling) => tumbling.at(t),
        }
    }
}

/// The spin without the components that count as zero.
fn significant(spin: DVec3) -> DVec3 {
    let limit = (NEGLIGIBLE * spin.abs().max_element()).max(SLOWEST);
    DVec3::from_array(spin.to_array().map(|x| if x.abs() < limit { 0.0 } else { x }))
}

#[derive(Clone, Copy, Debug)]
struct Steady {
    /// Unit vector along the spin, or zero.
    axis: DVec3,
    half_rate: f64,
}

impl Steady {
    fn new(spin: DVec3) -> Self {
        let rate = spin.length();
        let axis = if rate > 0.0 { spin / rate } else { DVec3::ZERO };
        Self { axis, half_rate: 0.5 * rate }
    }

    fn at(&self, start: &Attitude, t: f64) -> Attitude {
        if self.half_rate == 0.0 {
            return *start;
        }
        let (s, c) = libm::sincos(self.half_rate * t);
        let turn = self.axis * s;
        let orientation = (start.orientation * DQuat::from_xyzw(turn.x, turn.y, turn.z, c)).normalize();
        Attitude { orientation, spin: start.spin }
    }
}

/// In a frame of its own, a permutation of the principal one: z is the axis the spin circles about, with a positive component;
/// y is the axis of the middle moment.
#[derive(Clone, Copy, Debug)]
struct Tumbling {
    principal_from_own: DMat3,
    own_from_principal: DQuat,
    world_from_momentum: DQuat,
    /// Largest components of the angular velocity, and of the direction of the angular momentum.
    spin: DVec3,
    momentum: DVec3,
    /// The argument of the elliptic functions is `phase + rate t`.
    phase: f64,
    rate: f64,
    /// Half the linear part of the twist, rad/s.
    half_twist_rate: f64,
    series: ThetaSeries,
    bounds: SpinBounds,
}

impl Tumbling {
    fn new(moments: DVec3, start: Attitude) -> Self {
        let principal_from_own = own_frame(moments, start.spin);
        let w = principal_from_own.transpose() * start.spin;
        // Columns are unit vectors up to sign, so this picks the moments exactly.
        let i = DMat3::from_cols_array(&principal_from_own.to_cols_array().map(f64::abs)).transpose() * moments;
        // All differences of the moments have one sign: that of z - x.
        let (zx, zy, yx) = ((i.z - i.x).abs(), (i.z - i.y).abs(), (i.y - i.x).abs());
        let w2 = w * w;
        // |2E Iz - L^2|, |L^2 - 2E Ix| and |L^2 - 2E Iy|, from sums of equal sign where there are such.
        let p = i.y * zy * w2.y + i.x * zx * w2.x;
        let q = i.y * yx * w2.y + i.z * zx * w2.z;
        let d = (i.z * zy * w2.z - i.x * yx * w2.x).max(0.0);
        let modulus = Modulus { squared: yx * p / (zy * q), complement: zx * d / (zy * q) };
        let spin = DVec3::new((p / (i.x * zx)).sqrt(), (p / (i.y * zy)).sqrt(), (q / (i.z * zx)).sqrt());
        let rate = (zy * q / (i.x * i.y * i.z)).sqrt().copysign(i.z - i.x);
        let length = (i * w).length();
        let momentum = i * spin / length;
        // The pole of the twist's rate lies at i eta, sn(eta, k') a ratio of moments alone.
        let (sine, cosine) = ((i.x * zy / (i.y * zx)).sqrt(), (i.z * yx / (i.y * zx)).sqrt());
        let series = ThetaSeries::new(modulus, sine, cosine);
        let twist_rate_at_zero = (w.dot(i * w) / length + spin.z) / (1.0 + momentum.z);
        let mut made = Self {
            principal_from_own,
            own_from_principal: DQuat::from_mat3(&principal_from_own.transpose()).normalize(),
            world_from_momentum: DQuat::IDENTITY,
            spin,
            momentum,
            phase: initial_phase(modulus, w, spin),
            rate,
            half_twist_rate: 0.5 * twist_rate_at_zero - rate * series.twist_slope(),
            series,
            bounds: polhode_bounds(moments, start.spin, 0.0, 0.0),
        };
        let unturned = made.at(0.0).orientation;
        made.world_from_momentum = (start.orientation * unturned.conjugate()).normalize();
        made
    }

    fn at(&self, t: f64) -> Attitude {
        let v = self.series.at(self.phase + self.rate * t);
        let jacobi = DVec3::new(v.cn, v.sn, v.dn);
        let l = self.momentum * jacobi;
        let (s, c) = libm::sincos(self.half_twist_rate * t - v.twist_turn);
        let [re, im] = v.twist;
        let (c, s) = (c * re - s * im, c * im + s * re);
        // Twist (c + s k) times swing (1 + l_z) + l_y i - l_x j, which takes l to z by the shortest way.
        let rest = 1.0 + l.z;
        let momentum_from_own = DQuat::from_xyzw(c * l.y + s * l.x, s * l.y - c * l.x, s * rest, c * rest).normalize();
        Attitude {
            orientation: self.world_from_momentum * momentum_from_own * self.own_from_principal,
            spin: self.principal_from_own * (self.spin * jacobi),
        }
    }
}

/// The frame in which the spin circles about +z, starts with positive x, and y is the middle axis; columns in the principal frame.
fn own_frame(moments: DVec3, w: DVec3) -> DMat3 {
    let [small, middle, large] = sorted_axes(moments);
    let (i1, i2, i3) = (moments[small], moments[middle], moments[large]);
    let about_large = i3 * (i3 - i2) * w[large] * w[large];
    let about_small = i1 * (i2 - i1) * w[small] * w[small];
    // The sign of L^2 - 2E I2 decides; where two moments are equal, the third axis is the one.
    let large_wins = about_large > about_small || (about_large == about_small && i3 - i2 > i2 - i1);
    let (axis, other) = if large_wins { (large, small) } else { (small, large) };
    let along = |axis: usize| DVec3::AXES[axis] * 1.0f64.copysign(w[axis]);
    let (x, z) = (along(other), along(axis));
    DMat3::from_cols(x, z.cross(x), z)
}

/// The argument from `-K` to `K` at which `cn`, `sn` have the ratio of the components.
fn initial_phase(modulus: Modulus, w: DVec3, spin: DVec3) -> f64 {
    let (x, y) = (w.x / spin.x, w.y / spin.y);
    let length = (x * x + y * y).sqrt();
    // Nothing to tell the phase from where the squares of both are no longer numbers.
    if length.is_nan() || length == 0.0 { 0.0 } else { modulus.first_kind(y / length, x / length) }
}

#[cfg(test)]
mod tests {
    use super::{Attitude, FreeRotation};
    use glam::{DQuat, DVec3};

    #[test]
    fn keeps_the_start() {
        let q = DQuat::from_xyzw(0.1, -0.4, 0.3, 0.8).normalize();
        for spin in [DVec3::ZERO, DVec3::Y, DVec3::new(3.0, -1.0, 0.2), DVec3::new(-1e-30, 2.0, 1e-90)] {
            let start = Attitude { orientation: q, spin };
            let got = FreeRotation::new(DVec3::new(2.0, 1.5, 1.0), start).at(0.0);
            assert!((got.spin - spin).length() <= 1e-15 * spin.length(), "{spin} {}", got.spin);
            assert!((got.orientation.dot(q).abs() - 1.0).abs() < 1e-15);
        }
    }
}
