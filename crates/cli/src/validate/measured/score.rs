//! Scores of predicted tosses: what `score.py` beside the data computes, so that it can judge us. Poses alone are scored; velocities are
//! differences of poses.

use super::tosses::{RATE, Sample};
use glam::{DMat3, DQuat, DVec3};

/// The unit of position errors: the side on the data sheet, m.
const SIDE: f64 = 0.1048;

/// Half a side and gravity as the data have them, m and m/s^2.
pub(super) const HALF: f64 = 0.0513;
pub(super) const GRAVITY: f64 = 9.62;

/// Samples after the last one before the first impact that a short prediction has.
pub(super) const SHORT: usize = 5;

/// Samples that the velocities at the start of a short prediction are fitted to.
const FITTED: usize = 8;

/// Errors of a whole toss: position in per cent of the side, rotation in degrees, and whether the face that is down is the right one.
pub(super) fn long(measured: &[Sample], predicted: &[Sample]) -> [f64; 3] {
    let pairs = || measured.iter().zip(predicted);
    let n = measured.len() as f64;
    let place = pairs().map(|(m, p)| (p.place - m.place).length()).sum::<f64>() / n;
    let turn = pairs().map(|(m, p)| angle(m.attitude, p.attitude)).sum::<f64>() / n;
    let last = pairs().next_back().map(|(m, p)| face_down(m.attitude) == face_down(p.attitude));
    [100.0 * place / SIDE, turn.to_degrees(), f64::from(last.unwrap_or(false))]
}

/// Errors of the first impact: velocity, m/s, and angular velocity, rad/s, over samples 2 to 5 after its beginning.
pub(super) fn short(measured: &[Sample], predicted: &[Sample], first: usize) -> [f64; 2] {
    let (vm, wm) = mean_velocity(&measured[first + 2], &measured[first + SHORT]);
    let (vp, wp) = mean_velocity(&predicted[2], &predicted[SHORT]);
    [(vp - vm).length(), (wp - wm).length()]
}

/// The last sample before the first impact: all corners are still above the floor.
pub(super) fn before_impact(measured: &[Sample]) -> usize {
    measured.iter().position(|sample| lowest(sample) < 0.0).unwrap_or(0).saturating_sub(1)
}

/// The state at the last sample before the first impact: the pose of the samples, velocities from a ballistic fit to the last ones.
pub(super) fn start(measured: &[Sample], first: usize) -> Sample {
    let from = (first + 1).saturating_sub(FITTED);
    let last = unit(measured[first].attitude);
    let (mut places, mut turns) = (Line::default(), Line::default());
    for (k, sample) in measured.iter().enumerate().take(first + 1).skip(from) {
        let t = (k as f64 - first as f64) / RATE;
        places.add(t, sample.place + DVec3::Z * (0.5 * GRAVITY * t * t));
        turns.add(t, rotation_vector(last.conjugate() * unit(sample.attitude)));
    }
    let ([place, velocity], [turn, spin]) = (places.fit(), turns.fit());
    let nudge = DQuat::from_xyzw(0.5 * turn.x, 0.5 * turn.y, 0.5 * turn.z, 1.0);
    Sample { place, attitude: last * unit(nudge), velocity, spin }
}

/// A straight line through vectors, by least squares.
#[derive(Default)]
struct Line {
    n: f64,
    t: f64,
    tt: f64,
    y: DVec3,
    ty: DVec3,
}

impl Line {
    fn add(&mut self, t: f64, y: DVec3) {
        self.n += 1.0;
        self.t += t;
        self.tt += t * t;
        self.y += y;
        self.ty += t * y;
    }

    /// Value at zero, and slope.
    fn fit(&self) -> [DVec3; 2] {
        let spread = self.n * self.tt - self.t * self.t;
        if spread <= 0.0 {
            return [self.y / self.n, DVec3::ZERO];
        }
        let slope = (self.n * self.ty - self.t * self.y) / spread;
        [(self.y - slope * self.t) / self.n, slope]
    }
}

fn unit(q: DQuat) -> DQuat {
    q / q.length()
}

fn matrix(q: DQuat) -> DMat3 {
    DMat3::from_quat(unit(q))
}

fn lowest(sample: &Sample) -> f64 {
    let up = matrix(sample.attitude).transpose() * DVec3::Z;
    sample.place.z - HALF * (up.x.abs() + up.y.abs() + up.z.abs())
}

/// The face that points down most: axis, and whether its positive side is up.
fn face_down(q: DQuat) -> (usize, bool) {
    let up = (matrix(q).transpose() * DVec3::Z).to_array();
    // The first of equals, as in NumPy.
    let axis = (1..3).fold(0, |best, axis| if up[axis].abs() > up[best].abs() { axis } else { best });
    (axis, up[axis] > 0.0)
}

fn angle(a: DQuat, b: DQuat) -> f64 {
    let d = product(a.conjugate(), b);
    2.0 * libm::atan2(d.xyz().length(), d.w.abs())
}

/// As it is, whatever the lengths.
fn product(a: DQuat, b: DQuat) -> DQuat {
    a.mul_quat(b)
}

/// The rotation vector of a quaternion, the short way round.
fn rotation_vector(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let s = q.xyz().length();
    let factor = if s > 1e-12 { 2.0 * libm::atan2(s, q.w) / s } else { 2.0 };
    q.xyz() * factor
}

fn mean_velocity(from: &Sample, to: &Sample) -> (DVec3, DVec3) {
    let dt = (SHORT - 2) as f64 / RATE;
    ((to.place - from.place) / dt, rotation_vector(product(from.attitude.conjugate(), to.attitude)) / dt)
}

#[cfg(test)]
mod tests {
    use super::{before_impact, long, short, start};
    use crate::validate::measured::tosses::{RATE, Sample};
    use glam::{DQuat, DVec3};

    /// A cube that turns as it falls through the floor; `off` is how wrong a prediction is. Quaternions are no units, as measured.
    fn toss(off: f64) -> Vec<Sample> {
        let sample = |k: u32| {
            let t = f64::from(k) / RATE;
            let (a, scale) = ((3.0 + off) * t + 0.2, 1.0 + 0.001 * libm::sin(f64::from(k)));
            let (sin, cos) = (scale * libm::sin(a), scale * libm::cos(a));
            Sample {
                place: DVec3::new((0.3 + off) * t, -0.2 * t, 0.16 + 0.4 * t - (4.81 - off) * t * t),
                attitude: DQuat::from_xyzw(0.6 * sin, 0.0, 0.8 * sin, cos),
                velocity: DVec3::ZERO,
                spin: DVec3::ZERO,
            }
        };
        (0..40).map(sample).collect()
    }

    fn agree(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?} instead of {expected:?}");
    }

    /// The expected numbers are what `score.py` gives for the same tosses.
    #[test]
    fn scores_are_those_of_the_script_beside_the_data() {
        let (measured, predicted) = (toss(0.0), toss(0.1));
        let first = before_impact(&measured);
        assert_eq!(first, 25);
        agree(&long(&measured, &predicted), &[12.793_469_656_587_064, 1.509_821_216_898_793, 1.0]);
        let backwards: Vec<Sample> = measured.iter().rev().copied().collect();
        agree(&long(&measured, &backwards), &[121.137_385_209_905_32, 46.456_037_443_039_72, 0.0]);
        agree(&short(&measured, &predicted[first..], first), &[0.107_160_117_222_572_89, 0.2]);
        let Sample { place, attitude: q, velocity, spin } = start(&measured, first);
        agree(&place.to_array(), &[0.050_675_675_675_675_68, -0.033_783_783_783_783_786, 0.090_320_945_945_945_99]);
        agree(&[q.w, q.x, q.y, q.z], &[0.760_471_939_298_677_7, 0.389_622_477_064_851_76, 0.0, 0.519_496_636_086_469]);
        agree(&velocity.to_array(), &[0.3, -0.2, -1.225]);
        agree(&spin.to_array(), &[3.6, 0.0, 4.8]);
    }
}
