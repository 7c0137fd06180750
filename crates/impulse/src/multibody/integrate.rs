//! One step of a linkage by collocation at Gauss' points, with error control: the polynomials found are its motion (section 4.4; error
//! control: beside appendix A.3).

use super::joint::JointKind;
use super::linkage::{Linkage, Room};
use super::posture::Posture;
use crate::math::{COEFFICIENTS, GAUSS_INTEGRALS, GAUSS_PLACES, GAUSS_POINTS, Value, integral, through};
use glam::{DVec3, DVec4};

/// Largest error of a step, in radii of links and radians.
const TOLERANCE: f64 = 5e-14;

/// Leading coefficient of Legendre's polynomial of degree seven.
const LEADING: f64 = 429.0 / 16.0;

/// Rounds after which a step that has not converged is made shorter.
const MOST_ROUNDS: usize = 40;

/// Change from round to round that is rounding, in radii and radians.
const CONVERGED: f64 = 1e-15;

/// Change at which it does not matter that rounding keeps it from getting smaller.
const NEARLY: f64 = 1e-11;

/// How much longer a step is at most than the time in which the fastest link turns by a tenth of a radian, or gets on by a tenth of its radius.
const LONGEST: f64 = 10.0;

/// How much longer than the last a step is at most.
const GROWTH: f64 = 2.0;

impl Linkage {
    /// Integrates a step from the state that the course begins with. Its end is where the polynomials end.
    pub(crate) fn integrate(&mut self) {
        let mut room = std::mem::take(&mut self.room);
        room.fit(self.tree.links().len(), self.tree.coordinates(), self.tree.freedoms());
        let longest = room.longest.take().unwrap_or(f64::INFINITY);
        let first = self.begin(&mut room);
        if first.is_none() {
            self.rest(room);
            return;
        }
        let wanted = first.unwrap_or(1.0);
        let mut length = wanted.min(longest).min(self.base.known_until(self.course.start) - self.course.start);
        if self.course.is_kicked() && self.elements.iter().any(|elements| elements.friction > 0.0) {
            length = length.min(self.course.kicked_until - self.course.start);
        }
        for attempt in 0.. {
            let error = self.try_step(length, &mut room);
            let better = 0.9 * libm::pow(error, -1.0 / GAUSS_POINTS as f64);
            if error <= 1.0 || attempt > 100 {
                let next = length * better.clamp(0.2, GROWTH);
                self.course.guess = if length == longest { next.max(wanted) } else { next };
                break;
            }
            length *= better.clamp(0.1, 0.9);
            // What has not converged is no guess.
            self.begin(&mut room);
        }
        self.take_curves(length, &room);
        // The pieces begin with the posture at the start.
        self.place_start(&mut room);
        self.room = room;
    }

    /// The first guess of all nodes, and a duration; none where nothing moves and nothing is going to.
    fn begin(&self, room: &mut Room) -> Option<f64> {
        let course = &self.course;
        let Room { posture, joint_forces, accelerations, coordinate_rates, .. } = room;
        let (nc, nf) = (self.tree.coordinates(), self.tree.freedoms());
        self.find_joint_forces(&course.coordinates, &course.rates, joint_forces);
        self.solve(
            course.start,
            [&course.coordinates, &course.rates],
            (posture, joint_forces),
            &mut accelerations[..nf],
        );
        let is_still = |numbers: &[f64]| numbers.iter().all(|&x| x == 0.0);
        let stands = self.base.steady_turning().is_some_and(|[_, w]| w == DVec3::ZERO);
        if is_still(&course.rates) && is_still(&accelerations[..nf]) && (stands || self.tree.floats()) {
            return None;
        }
        self.coordinate_rates(posture, [&course.coordinates, &course.rates], &mut coordinate_rates[..nc]);
        for node in 1..GAUSS_POINTS {
            coordinate_rates.copy_within(..nc, node * nc);
            accelerations.copy_within(..nf, node * nf);
        }
        let of_link = |(placed, radius): (&super::posture::PlacedLink, &f64)| {
            let (v, a) = (placed.velocity, placed.acceleration);
            let by_speed = 0.1 / v.angular.length().max(v.linear.length() / radius);
            by_speed.min((0.1 / a.angular.length().max(a.linear.length() / radius)).sqrt())
        };
        let shortest = posture.links.iter().zip(&self.radii).map(of_link).fold(f64::INFINITY, f64::min);
        let shortest = if shortest.is_finite() { shortest } else { 1.0 };
        // An impulse may have ended a calm in which steps were long.
        Some(if course.guess > 0.0 { course.guess.min(LONGEST * shortest) } else { shortest })
    }

    /// Nothing moves, from now on.
    fn rest(&mut self, mut room: Room) {
        let constant = |&c: &f64| {
            let mut curve = [0.0; COEFFICIENTS];
            curve[0] = c;
            curve
        };
        self.course.coordinate_curves = self.course.coordinates.iter().map(constant).collect();
        self.course.rate_curves = vec![[0.0; COEFFICIENTS]; self.course.rates.len()];
        (self.course.length, self.course.end) = (f64::INFINITY, f64::INFINITY);
        self.place_start(&mut room);
        self.room = room;
    }

    pub(super) fn place_start(&self, room: &mut Room) {
        let base = super::tree::BaseState::of(&self.base, self.course.start);
        let placing =
            super::posture::Placing { coordinates: &self.course.coordinates, rates: &self.course.rates, base };
        room.posture.place(&self.tree, &placing);
    }

    /// Solves the equations of a step of a duration; gives its error as a share of what is allowed, or a large number where
    /// they have no solution that is found by repetition.
    fn try_step(&self, length: f64, room: &mut Room) -> f64 {
        let mut last = f64::INFINITY;
        for _ in 0..MOST_ROUNDS {
            let change = self.round(length, room);
            if change <= CONVERGED || (change <= NEARLY && change > 0.5 * last) {
                return self.error(length, room);
            }
            if !(change < 0.9 * last || change < 0.1) {
                break;
            }
            last = change;
        }
        HOPELESS
    }

    /// Goes through all nodes once; gives the largest change of a link's way in radii and radians.
    fn round(&self, length: f64, room: &mut Room) -> f64 {
        let (nc, nf) = (self.tree.coordinates(), self.tree.freedoms());
        let (half, course) = (0.5 * length, &self.course);
        let mut change: f64 = 0.0;
        for (i, weights) in GAUSS_INTEGRALS.iter().enumerate() {
            let Room { coordinates, rates, coordinate_rates, accelerations, .. } = room;
            advance(&course.coordinates, weights, half, coordinate_rates, coordinates);
            advance(&course.rates, weights, half, accelerations, rates);
            let Room { posture, joint_forces, .. } = room;
            self.find_joint_forces(&room.coordinates, &room.rates, joint_forces);
            let t = course.start + half * (1.0 + GAUSS_PLACES[i]);
            let own = &mut room.accelerations[i * nf..(i + 1) * nf];
            self.solve(t, [&room.coordinates, &room.rates], (posture, joint_forces), own);
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
    fn coordinate_rates(&self, posture: &Posture, [coordinates, rates]: [&[f64]; 2], to: &mut [f64]) {
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
                JointKind::Hinge | JointKind::Slider => own[0] = rates[link.freedom],
                JointKind::Weld => {}
            }
        }
    }

    /// The error of a converged step as a share of what is allowed, by the last coefficients of the links' accelerations and turning.
    fn error(&self, length: f64, room: &Room) -> f64 {
        let half = 0.5 * length;
        let mut error: f64 = 0.0;
        for (k, radius) in self.radii.iter().enumerate() {
            let linear = top(&room.linear[k], DVec3::length) * half * half / (195.0 * radius);
            let turning = top(&room.turning[k], DVec4::length) * half / 15.0;
            error = error.max(linear).max(turning);
        }
        error / (LEADING * TOLERANCE)
    }

    fn take_curves(&mut self, length: f64, room: &Room) {
        let (nc, nf) = (self.tree.coordinates(), self.tree.freedoms());
        let half = 0.5 * length;
        let course = &mut self.course;
        course.coordinate_curves.clear();
        course.rate_curves.clear();
        for k in 0..nf {
            let values = std::array::from_fn(|i| room.accelerations[i * nf + k]);
            let curve: [f64; GAUSS_POINTS + 1] = integral(&through(&values), half, course.rates[k]);
            course.rate_curves.push(padded(&curve));
        }
        for k in 0..nc {
            let values = std::array::from_fn(|i| room.coordinate_rates[i * nc + k]);
            let curve: [f64; GAUSS_POINTS + 1] = integral(&through(&values), half, course.coordinates[k]);
            course.coordinate_curves.push(padded(&curve));
        }
        for link in self.tree.links() {
            if matches!(link.joint.kind, JointKind::Hinge | JointKind::Slider) {
                let rates = course.rate_curves[link.freedom];
                let short: [f64; GAUSS_POINTS + 1] = std::array::from_fn(|i| rates[i]);
                course.coordinate_curves[link.coordinate] = integral(&short, half, course.coordinates[link.coordinate]);
            }
        }
        (course.length, course.end) = (length, course.start + length);
    }
}

/// An error so large that a step is made much shorter.
const HOPELESS: f64 = 1e8;

/// Values at a node: those at the start and what the rates at all nodes do.
fn advance(start: &[f64], weights: &[f64; GAUSS_POINTS], half: f64, rates: &[f64], to: &mut Vec<f64>) {
    let n = start.len();
    to.clear();
    to.extend((0..n).map(|k| {
        let sum: f64 = weights.iter().enumerate().map(|(j, weight)| weight * rates[j * n + k]).sum();
        start[k] + half * sum
    }));
}

/// Rate of an attitude that turns with an angular velocity, world frame.
fn turning(w: DVec3, q: DVec4) -> DVec4 {
    let u = q.truncate();
    ((w * q.w + w.cross(u)) * 0.5).extend(-0.5 * w.dot(u))
}

/// Size of the last coefficient of the polynomial through values.
fn top<T: Value>(values: &[T; GAUSS_POINTS], size: impl Fn(T) -> f64) -> f64 {
    let coefficients = through(values);
    size(coefficients[GAUSS_POINTS - 1]).max(0.3 * size(coefficients[GAUSS_POINTS - 2]))
}

fn padded(curve: &[f64; GAUSS_POINTS + 1]) -> [f64; COEFFICIENTS] {
    let mut all = [0.0; COEFFICIENTS];
    all[..=GAUSS_POINTS].copy_from_slice(curve);
    all
}

impl Room {
    fn fit(&mut self, links: usize, coordinates: usize, freedoms: usize) {
        self.coordinate_rates.resize(GAUSS_POINTS * coordinates, 0.0);
        self.accelerations.resize(GAUSS_POINTS * freedoms, 0.0);
        self.linear.resize(links, [DVec3::ZERO; GAUSS_POINTS]);
        self.turning.resize(links, [DVec4::ZERO; GAUSS_POINTS]);
        self.watched.resize(links, [0.0; GAUSS_POINTS]);
    }
}
