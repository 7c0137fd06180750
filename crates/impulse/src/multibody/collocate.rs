//! The equations of a step at Gauss' points, solved by repetition: at eight, or at four where a step is short (section 4.4).

use super::integrate::{advance, turning};
use super::joint::JointKind;
use super::linkage::{Linkage, Room};
use super::posture::Posture;
use crate::math::{COARSE, FEW_POINTS, FINE, GAUSS_POINTS, GaussRule, REFINEMENT, Value, through};
use glam::{DVec3, DVec4};

/// Largest error of a step, in radii of links and radians.
const TOLERANCE: f64 = 5e-14;

/// A step is short if links turn by no more than a twentieth of a radian in it, half of what they turn by in `turn` seconds: four points
/// are enough then, since `(0.05 / 2)^6` times what Legendre's polynomial of degree four gives is the tolerance.
const SHORT: f64 = 2.0;

/// Leading coefficient of Legendre's polynomial of degree seven.
const LEADING: f64 = 429.0 / 16.0;

/// Rounds after which a step that has not converged is made shorter.
const MOST_ROUNDS: usize = 40;

/// Change from round to round that is rounding, in radii and radians.
const CONVERGED: f64 = 1e-15;

/// Change at which it does not matter that rounding keeps it from getting smaller.
const NEARLY: f64 = 1e-11;

/// How much larger errors may be where a flight is only tried: its end is judged beside the heights of hops.
const TRIED: f64 = 1e3;

/// An error so large that a step is made much shorter.
const HOPELESS: f64 = 1e8;

impl Linkage {
    /// Solves the equations of a step of a duration; gives its error as a share of what is allowed, or a large number where
    /// they have no solution that is found by repetition. The fastest link turns by a tenth of a radian in `turn` seconds.
    pub(super) fn try_step(&self, length: f64, turn: f64, room: &mut Room) -> f64 {
        if SHORT * length <= turn || room.is_trial {
            if self.collocate(&COARSE, length, room) {
                let error = self.defect(length, room);
                if error <= 1.0 {
                    refine(room);
                    return error;
                }
            }
            // What has not converged is no guess.
            self.begin(room);
        }
        if self.collocate(&FINE, length, room) { self.error(length, room) } else { HOPELESS }
    }

    /// Goes through the points of a rule until nothing changes any more; whether that is reached.
    fn collocate<const N: usize>(&self, rule: &GaussRule<N>, length: f64, room: &mut Room) -> bool {
        self.foresee(rule, length, room);
        let converged = if room.is_trial { TRIED * CONVERGED } else { CONVERGED };
        let mut last = f64::INFINITY;
        for _ in 0..MOST_ROUNDS {
            let change = self.round(rule, length, room);
            // Each round changes less than the one before, by no smaller a factor: what the next one would change is known.
            let next = if last.is_finite() { change * (change / last) } else { change };
            if next <= converged || (change <= NEARLY && change > 0.5 * last) {
                return true;
            }
            if !(change < 0.9 * last || change < 0.1) {
                break;
            }
            last = change;
        }
        false
    }

    /// A better guess than that nothing changes: what the dynamics say at the end if it did not, and straight lines up to there.
    fn foresee<const N: usize>(&self, rule: &GaussRule<N>, length: f64, room: &mut Room) {
        let (nc, nf) = (self.tree.coordinates(), self.tree.freedoms());
        let Room { coordinates, rates, coordinate_rates, accelerations, posture, joint_forces, .. } = room;
        advance(&self.course.coordinates, &[1.0], length, coordinate_rates, coordinates);
        advance(&self.course.rates, &[1.0], length, accelerations, rates);
        self.find_joint_forces(coordinates, rates, joint_forces);
        let end = self.course.start + length;
        self.solve(end, [coordinates, rates], (posture, joint_forces), &mut accelerations[(N - 1) * nf..N * nf]);
        self.coordinate_rates(posture, [coordinates, rates], &mut coordinate_rates[(N - 1) * nc..N * nc]);
        let shares = rule.places.map(|place| 0.5 * (1.0 + place));
        join(coordinate_rates, nc, &shares);
        join(accelerations, nf, &shares);
        for (k, placed) in posture.links.iter().enumerate() {
            let (first, then) = (room.linear[k][0], placed.acceleration.linear);
            shares.iter().zip(&mut room.linear[k]).for_each(|(&share, a)| *a = first + (then - first) * share);
            let (first, then) = (room.turning[k][0], turning(placed.velocity.angular, placed.pose.rotation.into()));
            shares.iter().zip(&mut room.turning[k]).for_each(|(&share, rate)| *rate = first + (then - first) * share);
        }
    }

    /// Goes through all nodes once; gives the largest change of a link's way in radii and radians.
    fn round<const N: usize>(&self, rule: &GaussRule<N>, length: f64, room: &mut Room) -> f64 {
        let (nc, nf) = (self.tree.coordinates(), self.tree.freedoms());
        let (half, course) = (0.5 * length, &self.course);
        let mut change: f64 = 0.0;
        for (i, weights) in rule.integrals.iter().enumerate() {
            let Room { coordinates, rates, coordinate_rates, accelerations, .. } = room;
            advance(&course.coordinates, weights, half, coordinate_rates, coordinates);
            advance(&course.rates, weights, half, accelerations, rates);
            let Room { posture, joint_forces, .. } = room;
            self.find_joint_forces(&room.coordinates, &room.rates, joint_forces);
            let t = course.start + half * (1.0 + rule.places[i]);
            let own = &mut room.accelerations[i * nf..(i + 1) * nf];
            room.changes.clear();
            room.changes.extend_from_slice(own);
            self.solve(t, [&room.coordinates, &room.rates], (posture, joint_forces), own);
            self.for_each_in_plane(|freedom, scale| {
                let more = (own[freedom] - room.changes[freedom]).abs() / scale;
                change = if more.is_finite() { change.max(more * length * length) } else { f64::INFINITY };
            });
            let given = [room.coordinates.as_slice(), room.rates.as_slice()];
            self.coordinate_rates(posture, given, &mut room.coordinate_rates[i * nc..(i + 1) * nc]);
            for (k, placed) in posture.links.iter().enumerate() {
                let spun = turning(placed.velocity.angular, placed.pose.rotation.into());
                let moved = (placed.acceleration.linear - room.linear[k][i]).length() / self.radii[k];
                let turned = (spun - room.turning[k][i]).length();
                if !(moved.is_finite() && turned.is_finite()) {
                    return f64::INFINITY;
                }
                change = change.max(moved * length * length).max(turned * length);
                room.linear[k][i] = placed.acceleration.linear;
                room.turning[k][i] = spun;
                if course.holds[k].holds() {
                    room.watched[k][i] = self.holding_force(k, posture, &room.joint_forces);
                } else if let Some(gap) = self.cone_gap(k, posture) {
                    room.watched[k][i] = gap;
                }
            }
        }
        change
    }

    /// Rates of all coordinates in a posture.
    pub(super) fn coordinate_rates(&self, posture: &Posture, [coordinates, rates]: [&[f64]; 2], to: &mut [f64]) {
        for (link, placed) in self.tree.links().iter().zip(&posture.links) {
            let own = &mut to[link.coordinates()];
            let given = &coordinates[link.coordinates()];
            let w = placed.velocity.angular;
            match link.joint.kind {
                JointKind::Floating => {
                    own[..3].copy_from_slice(&placed.velocity.linear.to_array());
                    own[3..].copy_from_slice(&turning(w, DVec4::from_slice(&given[3..])).to_array());
                }
                JointKind::Socket => own.copy_from_slice(&turning(w, DVec4::from_slice(given)).to_array()),
                JointKind::Hinge | JointKind::Slider | JointKind::Planar => {
                    own.copy_from_slice(&rates[link.freedoms()]);
                }
                JointKind::Weld => {}
            }
        }
    }

    /// Freedoms of planar joints, each with what its error is relative to. Their ways turn with the parent: a link may fly straight on while
    /// they curve.
    fn for_each_in_plane(&self, mut check: impl FnMut(usize, f64)) {
        for (link, radius) in self.tree.links().iter().zip(&self.radii) {
            if link.joint.kind == JointKind::Planar {
                link.freedoms().zip([*radius, *radius, 1.0]).for_each(|(freedom, scale)| check(freedom, scale));
            }
        }
    }

    /// The error of a step that has converged at eight points, as a share of what is allowed, by the last coefficients of the links' accelerations and turning.
    fn error(&self, length: f64, room: &Room) -> f64 {
        let half = 0.5 * length;
        let mut error: f64 = 0.0;
        for (k, radius) in self.radii.iter().enumerate() {
            let linear = top(&room.linear[k], DVec3::length) * half * half / (195.0 * radius);
            let turning = top(&room.turning[k], DVec4::length) * half / 15.0;
            error = error.max(linear).max(turning);
        }
        let nf = self.tree.freedoms();
        self.for_each_in_plane(|freedom, scale| {
            let values: [f64; GAUSS_POINTS] = std::array::from_fn(|i| room.accelerations[i * nf + freedom]);
            error = error.max(top(&values, f64::abs) * half * half / (195.0 * scale));
        });
        error / (LEADING * TOLERANCE)
    }

    /// The error of a step that has converged at four points, as a share of what is allowed: what the dynamics at its end say beside the
    /// polynomials is the first Legendre polynomial that they leave out, of degree four.
    fn defect(&self, length: f64, room: &mut Room) -> f64 {
        let half = 0.5 * length;
        let [shares, weights] = &COARSE.end;
        let Room { coordinates, rates, coordinate_rates, accelerations, posture, joint_forces, changes, .. } = room;
        advance(&self.course.coordinates, weights, half, coordinate_rates, coordinates);
        advance(&self.course.rates, weights, half, accelerations, rates);
        self.find_joint_forces(coordinates, rates, joint_forces);
        changes.resize(self.tree.freedoms(), 0.0);
        self.solve(self.course.start + length, [coordinates, rates], (posture, joint_forces), changes);
        let mut error: f64 = 0.0;
        for (k, placed) in posture.links.iter().enumerate() {
            let linear = placed.acceleration.linear - blend(shares, &room.linear[k]);
            let spun = turning(placed.velocity.angular, placed.pose.rotation.into()) - blend(shares, &room.turning[k]);
            error = error.max(linear.length() * half * half / (63.0 * self.radii[k])).max(spun.length() * half / 9.0);
        }
        let nf = self.tree.freedoms();
        self.for_each_in_plane(|freedom, scale| {
            let values: [f64; FEW_POINTS] = std::array::from_fn(|i| room.accelerations[i * nf + freedom]);
            let off = (room.changes[freedom] - blend(shares, &values)).abs();
            error = error.max(off * half * half / (63.0 * scale));
        });
        let allowed = if room.is_trial { TRIED * TOLERANCE } else { TOLERANCE };
        if error.is_finite() { error / allowed } else { HOPELESS }
    }
}

/// Numbers that are stored point by point: from those at the start, stored first, to those at the end, stored last.
fn join(values: &mut [f64], n: usize, shares: &[f64]) {
    for k in 0..n {
        let (first, then) = (values[k], values[(shares.len() - 1) * n + k]);
        for (i, share) in shares.iter().enumerate() {
            values[i * n + k] = first + (then - first) * share;
        }
    }
}

/// Values at eight points by those at four.
fn refine(room: &mut Room) {
    spread(&mut room.accelerations);
    spread(&mut room.coordinate_rates);
    for link in &mut room.linear {
        *link = REFINEMENT.map(|shares| blend(&shares, link));
    }
    for link in &mut room.turning {
        *link = REFINEMENT.map(|shares| blend(&shares, link));
    }
    for link in &mut room.watched {
        *link = REFINEMENT.map(|shares| blend(&shares, link));
    }
}

/// The same for numbers that are stored point by point.
fn spread(values: &mut [f64]) {
    let n = values.len() / GAUSS_POINTS;
    for k in 0..n {
        let few: [f64; FEW_POINTS] = std::array::from_fn(|j| values[j * n + k]);
        for (i, shares) in REFINEMENT.iter().enumerate() {
            values[i * n + k] = blend(shares, &few);
        }
    }
}

/// The sum of values, each with its share.
fn blend<T: Value>(shares: &[f64], values: &[T]) -> T {
    shares.iter().zip(values).fold(T::default(), |sum, (&share, &value)| sum + value * share)
}

/// Size of the last coefficient of the polynomial through values.
fn top<T: Value>(values: &[T; GAUSS_POINTS], size: impl Fn(T) -> f64) -> f64 {
    let coefficients = through(values);
    size(coefficients[GAUSS_POINTS - 1]).max(0.3 * size(coefficients[GAUSS_POINTS - 2]))
}
