//! What ends a step before its polynomials do: a stop is reached, friction brings a joint to rest, or what holds one gives way
//! (section 5.4.1). All are zeros of polynomials, found exactly.

use super::element::{Elements, Hold, LimitRange};
use super::joint::JointKind;
use super::linkage::{Ending, Linkage};
use crate::math::{COEFFICIENTS, GAUSS_POINTS, first_zero, through, value};

/// Distance from a stop, in radians or radii, that is none: rounding.
pub(crate) const AT_STOP: f64 = 1e-12;

/// Value at the beginning, relative to the largest coefficient, that is rounding.
const NO_VALUE: f64 = 1e-13;

impl Linkage {
    /// Ends the step where the first thing happens to one of its joints.
    pub(crate) fn find_ending(&mut self) {
        self.course.ending = Ending::Step;
        if !self.course.length.is_finite() {
            return;
        }
        let mut earliest = 1.0;
        for link in 0..self.tree.links().len() {
            let earlier = self.first_ending(link, &mut earliest);
            self.course.ending = earlier.unwrap_or(self.course.ending);
        }
        if self.course.ending != Ending::Step {
            self.course.end = self.course.start + 0.5 * self.course.length * (1.0 + earliest);
        }
    }

    /// What happens to the joint of a link earlier than all else; `earliest` is moved there.
    fn first_ending(&self, link: usize, earliest: &mut f64) -> Option<Ending> {
        let mut ending = None;
        let mut note = |curve: [f64; COEFFICIENTS], then: Ending| {
            if let Some(x) = first_from_start(curve, *earliest)
                && x < *earliest
            {
                (*earliest, ending) = (x, Some(then));
            }
        };
        let Elements { friction, limits, .. } = self.elements[link];
        let hold = self.course.holds[link];
        let watched = || padded(&through(&self.room.watched[link]));
        if hold.holds() {
            let [least, most] = hold.range(friction);
            let rounding = self.holding_rounding(link, &self.room.posture);
            if least.is_finite() {
                note(shifted(watched(), 1.0, rounding - least), Ending::Release(link));
            }
            if most.is_finite() {
                note(shifted(watched(), -1.0, most + rounding), Ending::Release(link));
            }
            return ending;
        }
        let joint = &self.tree.links()[link];
        match limits.map(|limits| limits.range) {
            Some(LimitRange::Interval([low, high])) => {
                let curve = self.course.coordinate_curves[joint.coordinate];
                note(shifted(curve, 1.0, -low), Ending::Lower(link));
                note(shifted(curve, -1.0, high), Ending::Upper(link));
            }
            Some(LimitRange::Cone(_)) => note(watched(), Ending::Lower(link)),
            None => {}
        }
        match hold {
            Hold::Forth => note(self.course.rate_curves[joint.freedom], Ending::Rest(link)),
            Hold::Back => note(shifted(self.course.rate_curves[joint.freedom], -1.0, 0.0), Ending::Rest(link)),
            Hold::Free | Hold::Stuck | Hold::Lower | Hold::Upper => {}
        }
        ending
    }

    /// Decides what is held at the beginning of the course: all joints at rest that friction or a stop can hold. `released` is not,
    /// and moves the given way.
    pub(crate) fn find_holds(&mut self, released: Option<(usize, Hold)>) {
        for link in 0..self.tree.links().len() {
            let hold = self.hold_at_rest(link);
            self.course.holds[link] = match released {
                Some((free, way)) if free == link => way,
                _ => hold,
            };
        }
        // What cannot be held is let go, one by one, the worst first.
        for _ in 0..self.tree.links().len() {
            let Some((link, way)) = self.worst_held() else { return };
            self.course.holds[link] = way;
        }
    }

    fn hold_at_rest(&self, link: usize) -> Hold {
        let joint = &self.tree.links()[link];
        if !matches!(joint.joint.kind, JointKind::Hinge | JointKind::Slider) {
            return Hold::Free;
        }
        let rate = self.course.rates[joint.freedom];
        let rubs = self.elements[link].friction > 0.0;
        if rate != 0.0 {
            return match rubs && !self.course.is_kicked() {
                true if rate > 0.0 => Hold::Forth,
                true => Hold::Back,
                false => Hold::Free,
            };
        }
        match self.stop_at(link) {
            Some(Ending::Lower(_)) => Hold::Lower,
            Some(_) => Hold::Upper,
            None if rubs => Hold::Stuck,
            None => Hold::Free,
        }
    }

    /// The stop at which a joint with an interval is, if it is at one.
    pub(crate) fn stop_at(&self, link: usize) -> Option<Ending> {
        let LimitRange::Interval([low, high]) = self.elements[link].limits?.range else { return None };
        let joint = &self.tree.links()[link];
        let q = self.course.coordinates[joint.coordinate];
        let near = AT_STOP * self.joint_scale(link).max(low.abs()).max(high.abs());
        if (q - low).abs() <= near {
            Some(Ending::Lower(link))
        } else {
            ((high - q).abs() <= near).then_some(Ending::Upper(link))
        }
    }

    /// What lengths in a joint are judged by: its radius, or a radian.
    pub(crate) fn joint_scale(&self, link: usize) -> f64 {
        if self.tree.links()[link].joint.kind == JointKind::Slider { self.radii[link] } else { 1.0 }
    }

    /// The held joint that needs the most beyond what holds it, and the way it goes.
    fn worst_held(&mut self) -> Option<(usize, Hold)> {
        if !self.course.holds.iter().any(|hold| hold.holds()) {
            return None;
        }
        let mut room = std::mem::take(&mut self.room);
        let course = &self.course;
        let mut accelerations = std::mem::take(&mut room.changes);
        accelerations.resize(self.tree.freedoms(), 0.0);
        self.find_joint_forces(&course.coordinates, &course.rates, &mut room.joint_forces);
        let moving = [course.coordinates.as_slice(), course.rates.as_slice()];
        self.solve(course.start, moving, (&mut room.posture, &room.joint_forces), &mut accelerations);
        let mut worst = (0.0, None);
        for (link, hold) in course.holds.iter().enumerate().filter(|(_, hold)| hold.holds()) {
            let friction = self.elements[link].friction;
            let [least, most] = hold.range(friction);
            let force = self.holding_force(link, &room.posture, &room.joint_forces);
            let rounding = self.holding_rounding(link, &room.posture);
            let [forth, back] = if friction > 0.0 { [Hold::Forth, Hold::Back] } else { [Hold::Free; 2] };
            if least - force > worst.0 + rounding {
                worst = (least - force, Some((link, forth)));
            }
            if force - most > worst.0 + rounding {
                worst = (force - most, Some((link, back)));
            }
        }
        room.changes = accelerations;
        self.room = room;
        worst.1
    }

    /// The way a joint goes that is no longer held at the end of the step: by the force that held it.
    pub(crate) fn way_of_release(&self, link: usize) -> Hold {
        let friction = self.elements[link].friction;
        if friction == 0.0 {
            return Hold::Free;
        }
        let force = value(&through(&self.room.watched[link]), self.course.place(self.course.end));
        let [least, most] = self.course.holds[link].range(friction);
        if (force - least).abs() < (force - most).abs() { Hold::Forth } else { Hold::Back }
    }
}

/// The first zero of a curve that is not at its beginning: where that is zero already, it is divided by the distance from there.
fn first_from_start(mut curve: [f64; COEFFICIENTS], until: f64) -> Option<f64> {
    for _ in 0..2 {
        let size = curve.iter().fold(0.0, |most: f64, c| most.max(c.abs()));
        if value(&curve, -1.0) > NO_VALUE * size {
            break;
        }
        curve = divided(&curve);
        curve[0] += NO_VALUE * size;
    }
    first_zero(&curve, [-1.0, until])
}

/// The quotient of a polynomial by `x + 1`, without the remainder.
fn divided(curve: &[f64; COEFFICIENTS]) -> [f64; COEFFICIENTS] {
    let mut quotient = [0.0; COEFFICIENTS];
    for k in (1..COEFFICIENTS).rev() {
        quotient[k - 1] = curve[k] - quotient[k];
    }
    quotient
}

/// `sign * curve + constant`.
fn shifted(curve: [f64; COEFFICIENTS], sign: f64, constant: f64) -> [f64; COEFFICIENTS] {
    let mut curve = curve.map(|c| sign * c);
    curve[0] += constant;
    curve
}

fn padded(curve: &[f64; GAUSS_POINTS]) -> [f64; COEFFICIENTS] {
    let mut all = [0.0; COEFFICIENTS];
    all[..GAUSS_POINTS].copy_from_slice(curve);
    all
}
