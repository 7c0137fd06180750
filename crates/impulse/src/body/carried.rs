//! A body that a surface carries: contact and what else acts on it accelerate it steadily, until the contact changes (beside
//! section 3.5).

use super::bounds::{Range, SpinBounds};
use super::launch::{Drive, Launch};
use super::parabola::Parabola;
use super::{Acceleration, Ballistic, Driven, Guided, PrincipalMass, State};
use crate::geometry::Aabb;
use glam::DVec3;

/// A body in lasting contact whose motion is known ahead: force and torque of the contact are constant, or were integrated.
#[derive(Clone, Debug)]
pub struct Carried {
    /// Under contact and drive together.
    pub(super) course: Course,
    /// What acts on the body without the contact.
    pub(super) drive: Drive,
    /// Until when it holds, s.
    pub(super) until: f64,
}

/// The way under contact and drive together.
#[derive(Clone, Debug)]
pub(super) enum Course {
    /// Under a constant force, without torque.
    Steady(Ballistic),
    /// Under a constant force and torque.
    Turning(Driven),
    /// Integrated ahead.
    Guided(Box<Guided>),
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

    /// As integrated ahead, until a time (s).
    pub fn guided(course: Guided, drive: Drive, until: f64) -> Self {
        Self { course: Course::Guided(Box::new(course)), drive, until }
    }

    /// When it begins and until when it holds, s.
    pub fn times(&self) -> [f64; 2] {
        [self.start(), self.until]
    }

    fn start(&self) -> f64 {
        match &self.course {
            Course::Steady(flight) => flight.centre.start,
            Course::Turning(driven) => driven.centre.start,
            Course::Guided(guided) => guided.start,
        }
    }

    /// Impulse of the contact on the body from the beginning up to a time, world frame, N s.
    pub fn push_until(&self, t: f64) -> DVec3 {
        match &self.course {
            Course::Steady(Ballistic { centre, .. }) | Course::Turning(Driven { centre, .. }) => {
                self.steady_force(centre) * (t - centre.start)
            }
            Course::Guided(guided) => {
                let [first, last] = [guided.start, t].map(|t| guided.state_at(t).velocity);
                guided.mass.mass() * (last - first - self.drive.acceleration * (t - guided.start))
            }
        }
    }

    /// Energy that the contact has given the body up to a time beyond what the surface does by its own motion, J: below zero where it takes.
    pub fn work_until(&self, t: f64) -> f64 {
        let start = self.start();
        let [first, last] = [start, t].map(|t| self.state_at(t));
        let way = last.world_from_body.translation - first.world_from_body.translation;
        match &self.course {
            Course::Steady(flight) => self.steady_force(&flight.centre).dot(way),
            Course::Turning(driven) => {
                // With equal moments the angular velocity is linear in time.
                let turn = 0.5 * (first.angular_velocity() + last.angular_velocity()) * (t - start);
                self.steady_force(&driven.centre).dot(way) + (driven.torque - self.drive.torque).dot(turn)
            }
            Course::Guided(guided) => {
                let gained = guided.mass.kinetic_energy(&last) - guided.mass.kinetic_energy(&first);
                gained - guided.mass.mass() * self.drive.acceleration.dot(way) - guided.work_of_surface(t)
            }
        }
    }

    /// Force of the contact on a body whose centre is on a parabola, N.
    fn steady_force(&self, centre: &Parabola) -> DVec3 {
        self.mass().mass() * (centre.acceleration - self.drive.acceleration)
    }

    /// The state at a time from its beginning on; what holds until its end is continued beyond.
    pub fn state_at(&self, t: f64) -> State {
        match &self.course {
            Course::Steady(flight) => flight.state_at(t),
            Course::Turning(driven) => driven.state_at(t),
            Course::Guided(guided) => guided.state_at(t),
        }
    }

    /// The parabola of its centre, where it is one.
    pub(super) fn parabola(&self) -> Option<&Parabola> {
        match &self.course {
            Course::Steady(flight) => Some(&flight.centre),
            Course::Turning(driven) => Some(&driven.centre),
            Course::Guided(_) => None,
        }
    }

    pub(super) fn swept(&self, times: Range) -> Aabb {
        match &self.course {
            Course::Steady(flight) => flight.centre.swept(times),
            Course::Turning(driven) => driven.centre.swept(times),
            Course::Guided(guided) => guided.swept(times),
        }
    }

    pub(super) fn velocity_along(&self, d: DVec3, times: Range) -> Range {
        match &self.course {
            Course::Steady(flight) => flight.centre.velocity_along(d, times),
            Course::Turning(driven) => driven.centre.velocity_along(d, times),
            Course::Guided(guided) => guided.velocity_along(d, times),
        }
    }

    pub(super) fn acceleration_along(&self, d: DVec3, times: Range) -> Range {
        match &self.course {
            Course::Steady(flight) => Range::point(flight.centre.acceleration.dot(d)),
            Course::Turning(driven) => Range::point(driven.centre.acceleration.dot(d)),
            Course::Guided(guided) => guided.acceleration_along(d, times),
        }
    }

    pub(super) fn mass(&self) -> &PrincipalMass {
        match &self.course {
            Course::Steady(flight) => &flight.mass,
            Course::Turning(driven) => &driven.mass,
            Course::Guided(guided) => &guided.mass,
        }
    }

    pub(super) fn acceleration_in(&self, state: &State, t: f64) -> Acceleration {
        match &self.course {
            Course::Steady(flight) => flight.acceleration_in(state),
            Course::Turning(driven) => driven.acceleration_in(state),
            Course::Guided(guided) => guided.acceleration_at(t),
        }
    }

    pub(super) fn spin_bounds(&self, times: Range) -> SpinBounds {
        match &self.course {
            Course::Steady(flight) => flight.spin_bounds(),
            Course::Turning(driven) => driven.spin_bounds(times),
            Course::Guided(guided) => guided.spin_bounds(times),
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
            Course::Steady(_) | Course::Guided(_) => self.until,
            Course::Turning(driven) => self.until.min(driven.known_until()),
        }
    }

    /// Until when it pays to predict encounters, given when the body's box expires.
    pub(super) fn horizon(&self, box_expiry: f64) -> f64 {
        match &self.course {
            Course::Steady(_) => self.until,
            Course::Turning(_) | Course::Guided(_) => box_expiry,
        }
    }
}
