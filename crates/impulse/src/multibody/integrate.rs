//! One step of a linkage by collocation at Gauss' points, with error control: the polynomials found are its motion (section 4.4; error
//! control: beside appendix A.3).

use super::joint::JointKind;
use super::linkage::{Linkage, Room};
use crate::math::{COEFFICIENTS, GAUSS_POINTS, integral, through};
use glam::{DVec3, DVec4};

/// How much longer a step is at most than the time in which the fastest link turns by a tenth of a radian.
const LONGEST: f64 = 10.0;

/// How much longer than the last a step is at most.
const GROWTH: f64 = 2.0;

impl Linkage {
    /// Integrates a step from the state that the course begins with. Its end is where the polynomials end.
    pub(crate) fn integrate(&mut self) {
        let mut room = std::mem::take(&mut self.room);
        room.fit(self.tree.links().len(), self.tree.coordinates(), self.tree.freedoms());
        let longest = room.longest.take().unwrap_or(f64::INFINITY);
        let Some(turn) = self.begin(&mut room) else {
            self.rest(room);
            return;
        };
        // An impulse may have ended a calm in which steps were long.
        let guess = self.course.guess;
        let wanted = if guess > 0.0 { guess.min(LONGEST * turn) } else { turn };
        let mut length = wanted.min(longest).min(self.base.known_until(self.course.start) - self.course.start);
        if self.course.is_kicked() && self.elements.iter().any(|elements| elements.friction > 0.0) {
            length = length.min(self.course.kicked_until - self.course.start);
        }
        for attempt in 0.. {
            let error = self.try_step(length, turn, &mut room);
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

    /// The first guess of all nodes, and the time in which the fastest link turns by a tenth of a radian, or gets on by a tenth of its
    /// radius; none where nothing moves and nothing is going to.
    pub(super) fn begin(&self, room: &mut Room) -> Option<f64> {
        let course = &self.course;
        let Room { posture, joint_forces, accelerations, coordinate_rates, linear, turning: turnings, .. } = room;
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
        for (k, placed) in posture.links.iter().enumerate() {
            linear[k].fill(placed.acceleration.linear);
            turnings[k].fill(turning(placed.velocity.angular, placed.pose.rotation.into()));
        }
        // How fast all links fly together does not matter.
        let (first, floats) = (&posture.links[0], self.tree.floats());
        let [flight, fall] = if floats { [first.velocity.linear, first.acceleration.linear] } else { [DVec3::ZERO; 2] };
        let of_link = |(placed, radius): (&super::posture::PlacedLink, &f64)| {
            let (v, a) = (placed.velocity, placed.acceleration);
            let by_speed = 0.1 / v.angular.length().max((v.linear - flight).length() / radius);
            by_speed.min((0.1 / a.angular.length().max((a.linear - fall).length() / radius)).sqrt())
        };
        let shortest = posture.links.iter().zip(&self.radii).map(of_link).fold(f64::INFINITY, f64::min);
        Some(if shortest.is_finite() { shortest } else { 1.0 })
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
            if matches!(link.joint.kind, JointKind::Hinge | JointKind::Slider | JointKind::Planar) {
                for (coordinate, freedom) in link.coordinates().zip(link.freedoms()) {
                    let rates = course.rate_curves[freedom];
                    let short: [f64; GAUSS_POINTS + 1] = std::array::from_fn(|i| rates[i]);
                    course.coordinate_curves[coordinate] = integral(&short, half, course.coordinates[coordinate]);
                }
            }
        }
        (course.length, course.end) = (length, course.start + length);
    }
}

/// Values at a node: those at the start and what the rates at all nodes do.
pub(super) fn advance(start: &[f64], weights: &[f64], half: f64, rates: &[f64], to: &mut Vec<f64>) {
    to.clear();
    to.resize(start.len(), 0.0);
    for (weight, rates) in weights.iter().zip(rates.chunks_exact(start.len().max(1))) {
        to.iter_mut().zip(rates).for_each(|(sum, rate)| *sum += weight * rate);
    }
    to.iter_mut().zip(start).for_each(|(value, start)| *value = start + half * *value);
}

/// Rate of an attitude that turns with an angular velocity, world frame.
pub(super) fn turning(w: DVec3, q: DVec4) -> DVec4 {
    let u = q.truncate();
    ((w * q.w + w.cross(u)) * 0.5).extend(-0.5 * w.dot(u))
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
