//! One rigid member of a group of bodies that move together, and everything that may be asked about it (section 2.5).
//!
//! This is the seam between motion and the rest of the world: detection, response and lasting contact ask a [`Member`], and
//! never look at the kind of its motion.

use super::bounds::{Range, SpinBounds};
use super::motion::{Motion, PointOnBody};
use super::{Acceleration, PrincipalMass, State};
use crate::detect::Trajectory;
use crate::geometry::Aabb;
use crate::math::Pose;
use glam::DVec3;

/// A view of one member's motion. Times are absolute, in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member<'a> {
    motion: &'a Motion,
}

impl<'a> Member<'a> {
    pub(crate) fn new(motion: &'a Motion) -> Self {
        Self { motion }
    }

    /// The motion itself: clone it to keep an exact history.
    pub(crate) fn motion(self) -> &'a Motion {
        self.motion
    }

    /// The motion as collision detection sees it.
    pub(crate) fn trajectory(self) -> &'a dyn Trajectory {
        self.motion
    }

    /// Whether it never moves.
    pub(crate) fn is_fixed(self) -> bool {
        matches!(self.motion, Motion::Fixed(_))
    }

    /// Whether impulses move it.
    pub(crate) fn is_free(self) -> bool {
        self.mass().is_some()
    }

    /// Whether it follows an unalterable trajectory.
    pub(crate) fn is_scripted(self) -> bool {
        matches!(self.motion, Motion::Scripted(_))
    }

    /// Whether lasting contact holds it at rest until something changes that.
    pub(crate) fn is_frozen(self) -> bool {
        match self.motion {
            Motion::Resting(_) => true,
            Motion::Link(path) => path.is_frozen(),
            _ => false,
        }
    }

    /// Whether a surface carries it until the contact changes.
    pub(crate) fn is_carried(self) -> bool {
        matches!(self.motion, Motion::Carried(_))
    }

    /// Whether it is a link of a linkage.
    pub(crate) fn is_link(self) -> bool {
        matches!(self.motion, Motion::Link(_))
    }

    /// Whether it stands still as things are: fixed or frozen.
    pub(crate) fn stands(self) -> bool {
        self.is_fixed() || self.is_frozen()
    }

    /// Whether its path is one piece from one change of motion to the next.
    pub(crate) fn flies(self) -> bool {
        matches!(self.motion, Motion::Ballistic(_))
    }

    /// Pose and velocities at a time.
    pub(crate) fn state_at(self, t: f64) -> State {
        self.motion.state_at(t)
    }

    /// `world_from_body` at a time.
    pub(crate) fn pose_at(self, t: f64) -> Pose {
        self.motion.pose_at(t)
    }

    /// Position, velocity and acceleration of the centre of mass at a time, where it flies on a parabola or stands still.
    pub(crate) fn parabola_at(self, t: f64) -> Option<[DVec3; 3]> {
        self.motion.parabola_at(t)
    }

    /// When the flight began; `None` for what does not fly.
    pub(crate) fn launch_time(self) -> Option<f64> {
        self.motion.launch_time()
    }

    /// Accelerations at a time at which the state is known.
    pub(crate) fn acceleration_in(self, state: &State, t: f64) -> Acceleration {
        self.motion.acceleration_in(state, t)
    }

    /// What acceleration alone does within `duration` to the place (m) and the velocity (m/s) of a contact point on the body.
    pub(crate) fn free_change<A, P>(self, point: &PointOnBody<'_, A, P>, t: f64, duration: f64) -> [DVec3; 2]
    where
        A: Fn() -> DVec3,
        P: Fn() -> DVec3,
    {
        self.motion.free_change(point, t, duration)
    }

    /// What the angular velocity changes by within `duration`, without any contact, world frame, rad/s.
    pub(crate) fn spin_change(self, state: &State, t: f64, duration: f64) -> DVec3 {
        self.motion.spin_change(state, t, duration)
    }

    /// A box that contains a ball of the given radius about the centre of mass during an interval of time.
    pub(crate) fn swept_box(self, radius: f64, times: Range) -> Aabb {
        self.motion.swept_box(radius, times)
    }

    /// How long from time `t` on such a ball stays in a box, s; `None` where that has no closed form.
    pub(crate) fn time_within(self, bounds: &Aabb, radius: f64, t: f64) -> Option<f64> {
        self.motion.time_within(bounds, radius, t)
    }

    /// Speed and acceleration of the centre of mass at a time, in absolute value: m/s and m/s^2.
    pub(crate) fn speeds_at(self, t: f64) -> [f64; 2] {
        self.motion.speeds_at(t)
    }

    /// What the rotation does not exceed during an interval of time.
    pub(crate) fn spin_bounds(self, times: Range) -> SpinBounds {
        self.motion.spin_bounds(times)
    }

    /// Until when the motion is of one piece and cheap to ask for; infinite for closed forms.
    pub(crate) fn known_until(self, t: f64) -> f64 {
        self.motion.known_until(t)
    }

    /// Until when it pays to predict encounters: where flight is a closed form, for ever; a driven body's only until its box
    /// expires; a body in lasting contact hops again soon.
    pub(crate) fn horizon(self, box_expiry: f64, lasting_until: f64, t: f64) -> f64 {
        match self.motion {
            Motion::Driven(_) | Motion::Link(_) => box_expiry,
            Motion::Carried(carried) => carried.horizon(box_expiry),
            Motion::Ballistic(_) if lasting_until > t => lasting_until,
            _ => f64::INFINITY,
        }
    }

    /// Mass properties, where impulses move the member.
    pub(crate) fn mass(self) -> Option<&'a PrincipalMass> {
        self.motion.mass()
    }
}
