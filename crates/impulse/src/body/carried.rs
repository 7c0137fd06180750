//! A body that a surface carries: contact and what else acts on it accelerate it steadily, until the contact changes (beside
//! section 3.5).

use super::bounds::{Range, SpinBounds};
use super::launch::{Drive, Launch};
use super::parabola::Parabola;
use super::{Acceleration, Ballistic, Driven, PrincipalMass, State};
use glam::DVec3;

/// A body in lasting contact whose motion has a closed form: its moments of inertia are equal, and force and torque of the contact are
/// constant.
#[derive(Clone, Debug)]
pub struct Carried {
    /// Under contact and drive together.
    pub(super) course: Course,
    /// What acts on the body without the contact.
    pub(super) drive: Drive,
    /// Until when it holds, s.
    pub(super) until: f64,
}

/// Flight under a constant force and torque, whatever they come from.
#[derive(Clone, Debug)]
pub(super) enum Course {
    /// Without torque.
    Steady(Ballistic),
    /// With torque.
    Turning(Driven),
}

impl Carried {
    /// From a state on until a time (s), under what contact and drive do together; only the drive is left when the contact ends.
    pub fn new(mass: PrincipalMass, launch: Launch, together: Drive, drive: Drive, until: f64) -> Self {
        let course = if together.torque == DVec3::ZERO {
            Course::Steady(Ballistic::new(mass, launch, together.acceleration))
        } else {
            Course::Turning(Driven::new(mass, launch, together))
        };
        Self { course, drive, until }
    }

    /// When it begins and until when it holds, s.
    pub fn times(&self) -> [f64; 2] {
        [self.centre().start, self.until]
    }

    /// Force of the contact on the body, world frame, N.
    pub fn contact_force(&self) -> DVec3 {
        self.mass().mass() * (self.centre().acceleration - self.drive.acceleration)
    }

    /// Energy that the contact has given the body up to a time, J: below zero where it takes.
    pub fn work_until(&self, t: f64) -> f64 {
        let start = self.centre().start;
        let [first, last] = [start, t].map(|t| self.state_at(t));
        let way = last.world_from_body.translation - first.world_from_body.translation;
        // With equal moments the angular velocity is linear in time.
        let turn = 0.5 * (first.angular_velocity() + last.angular_velocity()) * (t - start);
        let torque = match &self.course {
            Course::Steady(_) => DVec3::ZERO,
            Course::Turning(driven) => driven.torque,
        };
        self.contact_force().dot(way) + (torque - self.drive.torque).dot(turn)
    }

    /// The state at a time from its beginning on; what holds until its end is continued beyond.
    pub fn state_at(&self, t: f64) -> State {
        match &self.course {
            Course::Steady(flight) => flight.state_at(t),
            Course::Turning(driven) => driven.state_at(t),
        }
    }

    pub(super) fn centre(&self) -> &Parabola {
        match &self.course {
            Course::Steady(flight) => &flight.centre,
            Course::Turning(driven) => &driven.centre,
        }
    }

    pub(super) fn mass(&self) -> &PrincipalMass {
        match &self.course {
            Course::Steady(flight) => &flight.mass,
            Course::Turning(driven) => &driven.mass,
        }
    }

    pub(super) fn acceleration_in(&self, state: &State) -> Acceleration {
        match &self.course {
            Course::Steady(flight) => flight.acceleration_in(state),
            Course::Turning(driven) => driven.acceleration_in(state),
        }
    }

    pub(super) fn spin_bounds(&self, times: Range) -> SpinBounds {
        match &self.course {
            Course::Steady(flight) => flight.spin_bounds(),
            Course::Turning(driven) => driven.spin_bounds(times),
        }
    }

    pub(super) fn look_ahead(&mut self, t: f64) {
        if let Course::Turning(driven) = &mut self.course {
            driven.look_ahead(t);
        }
    }

    /// Until when it holds and is cheap to ask for.
    pub(super) fn known_until(&self) -> f64 {
        match &self.course {
            Course::Steady(_) => self.until,
            Course::Turning(driven) => self.until.min(driven.known_until()),
        }
    }

    /// Until when it pays to predict encounters, given when the body's box expires.
    pub(super) fn horizon(&self, box_expiry: f64) -> f64 {
        match &self.course {
            Course::Steady(_) => self.until,
            Course::Turning(_) => box_expiry,
        }
    }
}
