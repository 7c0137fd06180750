//! What moves, and the few questions that everything that moves answers (section 2.5).
//!
//! Detection sees ranges, boxes and bounds; response sees the state, the inverse mass, and applies impulses. Neither knows which
//! kind of motion it has before it. Times are absolute: every motion keeps its own start, so bringing one body to a time costs the
//! same whatever the others do.
//!
//! The body frame has its origin at the centre of mass; where the body can be moved its axes are the principal ones
//! ([`crate::geometry::mass::PrincipalFrame`]). Where a shape sits in that frame is not known here.

use super::bounds::{Range, SpinBounds};
use super::launch::{Drive, Launch};
use super::{Acceleration, Ballistic, Carried, Driven, Guided, InverseMass, LinkPath, PrincipalMass, Scripted, State};
use crate::geometry::Aabb;
use crate::math::Pose;
use crate::respond::point_response;
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

/// The motion of one rigid body, until something changes it.
///
/// ```
/// use impulse::body::{Drive, Launch, Motion};
/// use impulse::prelude::*;
///
/// // A spinning plate thrown upwards: the parabola and the torque-free rotation are closed forms.
/// let plate = PrincipalMass::new(0.2, DVec3::new(1e-4, 2e-4, 3e-4))?;
/// let state = State { velocity: DVec3::Z * 9.81, spin: DVec3::new(1.0, 20.0, 3.0), ..State::resting(Pose::IDENTITY) };
/// let drive = Drive { acceleration: DVec3::Z * -9.81, torque: DVec3::ZERO };
/// let flight = Motion::free(plate, Launch { time: 0.0, state }, drive);
/// assert!(flight.state_at(2.0).world_from_body.translation.length() < 1e-14);
/// assert!((flight.pose_at(1.0).translation.z - 4.905).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub enum Motion {
    /// Does not move and cannot be moved.
    Fixed(Pose),
    /// Free flight.
    Ballistic(Ballistic),
    /// Follows an unalterable trajectory.
    Scripted(Scripted),
    /// Under a constant torque.
    Driven(Driven),
    /// Held at rest by lasting contact until something changes it.
    Resting(Resting),
    /// Slides or rolls on a surface with steady acceleration.
    Carried(Carried),
    /// Is a link of a linkage.
    Link(Box<LinkPath>),
}

/// A body that could move and does not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resting {
    pub(super) mass: PrincipalMass,
    pub(super) pose: Pose,
    pub(super) drive: Drive,
}

/// A contact point on a body, with what its motion depends on beside the body's own.
#[derive(Clone, Copy, Debug)]
pub struct PointOnBody<'a, A, P> {
    /// The body's state.
    pub state: &'a State,
    /// The point, world frame, m.
    pub at: DVec3,
    /// Velocity of the point relative to the body's centre of mass, m/s; asked only of what flies.
    pub arm_rate: A,
    /// Velocity of the point in space as seen from the other body, m/s; asked only of what follows a script.
    pub partner_velocity: P,
}

impl<A: Fn() -> DVec3, P> PointOnBody<'_, A, P> {
    /// What the accelerations of its body do within `duration` to its place (m) and its velocity (m/s).
    pub fn change_by(&self, a: &Acceleration, duration: f64) -> [DVec3; 2] {
        let (w, r) = (self.state.angular_velocity(), self.at - self.state.world_from_body.translation);
        let acceleration = a.linear + a.angular.cross(r) + w.cross((self.arm_rate)());
        [acceleration * (0.5 * duration * duration), acceleration * duration]
    }
}

impl Motion {
    /// Of a body that stays in a pose for ever.
    pub fn fixed(pose: Pose) -> Self {
        Self::Fixed(pose)
    }

    /// Of a body that follows a script.
    pub fn scripted(script: Scripted) -> Self {
        Self::Scripted(script)
    }

    /// Of a link of a linkage.
    pub fn of_link(path: LinkPath) -> Self {
        Self::Link(Box::new(path))
    }

    /// The motion of a body that can be moved: ballistic where there is no torque.
    pub fn free(mass: PrincipalMass, launch: Launch, drive: Drive) -> Self {
        if drive.torque == DVec3::ZERO {
            Self::Ballistic(Ballistic::new(mass, launch, drive.acceleration))
        } else {
            Self::Driven(Driven::new(mass, launch, drive))
        }
    }

    /// Pose and velocities at a time.
    pub fn state_at(&self, t: f64) -> State {
        match self {
            Self::Fixed(pose) | Self::Resting(Resting { pose, .. }) => State::resting(*pose),
            Self::Ballistic(flight) => flight.state_at(t),
            Self::Scripted(script) => script.state_at(t),
            Self::Driven(driven) => driven.state_at(t),
            Self::Carried(carried) => carried.state_at(t),
            Self::Link(path) => path.state_at(t),
        }
    }

    /// Position, velocity and acceleration of the centre of mass at a time, where it flies on a parabola or stands still.
    pub fn parabola_at(&self, t: f64) -> Option<[DVec3; 3]> {
        match self {
            Self::Fixed(pose) | Self::Resting(Resting { pose, .. }) => {
                Some([pose.translation, DVec3::ZERO, DVec3::ZERO])
            }
            Self::Ballistic(flight) => Some(flight.centre.at(t)),
            Self::Driven(driven) => Some(driven.centre.at(t)),
            Self::Carried(carried) => carried.parabola().map(|centre| centre.at(t)),
            Self::Scripted(_) | Self::Link(_) => None,
        }
    }

    /// A point that stays where it is, m, and the constant angular velocity with which the body turns about it, rad/s; `None` for
    /// what moves otherwise.
    pub fn steady_turning(&self) -> Option<[DVec3; 2]> {
        match self {
            Self::Fixed(pose) => Some([pose.translation, DVec3::ZERO]),
            Self::Scripted(Scripted::Cycle(cycle)) => cycle.steady_turning(),
            Self::Scripted(_)
            | Self::Ballistic(_)
            | Self::Driven(_)
            | Self::Resting(_)
            | Self::Carried(_)
            | Self::Link(_) => None,
        }
    }

    /// Velocity of the centre of mass at a time, m/s.
    pub fn velocity_at(&self, t: f64) -> DVec3 {
        self.parabola_at(t).map_or_else(|| self.state_at(t).velocity, |[_, velocity, _]| velocity)
    }

    /// When the flight began, s; `None` for what does not fly.
    pub fn launch_time(&self) -> Option<f64> {
        match self {
            Self::Ballistic(flight) => Some(flight.centre.start),
            Self::Driven(driven) => Some(driven.centre.start),
            Self::Fixed(_) | Self::Scripted(_) | Self::Resting(_) | Self::Carried(_) | Self::Link(_) => None,
        }
    }

    /// `world_from_body` at a time.
    pub fn pose_at(&self, t: f64) -> Pose {
        self.state_at(t).world_from_body
    }

    /// Accelerations at a time.
    pub fn acceleration_at(&self, t: f64) -> Acceleration {
        self.acceleration_in(&self.state_at(t), t)
    }

    /// Accelerations at a time at which the state is known.
    pub fn acceleration_in(&self, state: &State, t: f64) -> Acceleration {
        match self {
            Self::Fixed(_) | Self::Resting(_) => Acceleration::ZERO,
            Self::Ballistic(flight) => flight.acceleration_in(state),
            Self::Scripted(script) => script.acceleration_at(t),
            Self::Driven(driven) => driven.acceleration_in(state),
            Self::Carried(carried) => carried.acceleration_in(state, t),
            Self::Link(path) => path.acceleration_at(t),
        }
    }

    /// A box that contains, during an interval of time, a ball of the given radius about the centre of mass (section 2.4.3).
    pub fn swept_box(&self, radius: f64, times: Range) -> Aabb {
        let centre = match self {
            Self::Fixed(pose) | Self::Resting(Resting { pose, .. }) => {
                Aabb { min: pose.translation, max: pose.translation }
            }
            Self::Ballistic(flight) => flight.centre.swept(times),
            Self::Scripted(script) => script.swept(times),
            Self::Driven(driven) => driven.centre.swept(times),
            Self::Carried(carried) => carried.swept(times),
            Self::Link(path) => path.swept(times),
        };
        Aabb { min: centre.min - radius, max: centre.max + radius }
    }

    /// How long from time `t` on a ball of the given radius about the centre of mass stays in a box, s; `None` where the motion
    /// is no parabola.
    pub fn time_within(&self, bounds: &Aabb, radius: f64, t: f64) -> Option<f64> {
        let centre = Aabb { min: bounds.min + radius, max: bounds.max - radius };
        match self {
            Self::Fixed(_) | Self::Resting(_) => Some(f64::INFINITY),
            Self::Ballistic(flight) => Some(flight.centre.time_within(&centre, t)),
            Self::Driven(driven) => Some(driven.centre.time_within(&centre, t)),
            Self::Carried(carried) => carried.parabola().map(|path| path.time_within(&centre, t)),
            Self::Scripted(_) | Self::Link(_) => None,
        }
    }

    /// Velocity of the centre of mass along `d` during an interval of time, m/s for a unit vector.
    pub fn centre_velocity_along(&self, d: DVec3, times: Range) -> Range {
        match self {
            Self::Fixed(_) | Self::Resting(_) => Range::point(0.0),
            Self::Ballistic(flight) => flight.centre.velocity_along(d, times),
            Self::Scripted(script) => script.velocity_along(d, times),
            Self::Driven(driven) => driven.centre.velocity_along(d, times),
            Self::Carried(carried) => carried.velocity_along(d, times),
            Self::Link(path) => path.velocity_along(d, times),
        }
    }

    /// Acceleration of the centre of mass along `d` during an interval of time, m/s^2 for a unit vector: a single number for
    /// flight, so that gravity cancels between two flying bodies.
    pub fn centre_acceleration_along(&self, d: DVec3, times: Range) -> Range {
        match self {
            Self::Fixed(_) | Self::Resting(_) => Range::point(0.0),
            Self::Ballistic(flight) => Range::point(flight.centre.acceleration.dot(d)),
            Self::Scripted(script) => script.acceleration_along(d, times),
            Self::Driven(driven) => Range::point(driven.centre.acceleration.dot(d)),
            Self::Carried(carried) => carried.acceleration_along(d, times),
            Self::Link(path) => path.acceleration_along(d, times),
        }
    }

    /// The same along the axes of space.
    pub fn centre_accelerations(&self, times: Range) -> [Range; 3] {
        match self {
            Self::Scripted(script) => script.accelerations(times),
            Self::Link(path) => path.accelerations(times),
            _ => DVec3::AXES.map(|d| self.centre_acceleration_along(d, times)),
        }
    }

    /// What the rotation does not exceed during an interval of time.
    pub fn spin_bounds(&self, times: Range) -> SpinBounds {
        match self {
            Self::Fixed(_) | Self::Resting(_) => SpinBounds::ZERO,
            Self::Ballistic(flight) => flight.spin_bounds(),
            Self::Scripted(script) => script.spin_bounds(times),
            Self::Driven(driven) => driven.spin_bounds(times),
            Self::Carried(carried) => carried.spin_bounds(times),
            Self::Link(path) => path.spin_bounds(times),
        }
    }

    /// Upper bound of `|d^2/dt^2 (x . d)|` for any body point `x` at most `radius` from the centre of mass, m/s^2 for a unit vector.
    pub fn point_acceleration_along(&self, d: DVec3, radius: f64, times: Range) -> f64 {
        let turning = self.spin_bounds(times).acceleration_within(radius);
        self.centre_acceleration_along(d, times).magnitude() + turning * d.length()
    }

    /// What an impulse at time `t` meets.
    pub fn inverse_mass_at(&self, t: f64) -> InverseMass {
        self.inverse_mass_for(&self.state_at(t))
    }

    /// What an impulse meets in a state.
    pub fn inverse_mass_for(&self, state: &State) -> InverseMass {
        self.mass().map_or(InverseMass::IMMOVABLE, |mass| mass.inverse_at(state.world_from_body.rotation))
    }

    /// Mass properties, where the body can be moved.
    pub fn mass(&self) -> Option<&PrincipalMass> {
        match self {
            Self::Fixed(_) | Self::Scripted(_) => None,
            Self::Ballistic(flight) => Some(&flight.mass),
            Self::Driven(driven) => Some(&driven.mass),
            Self::Resting(resting) => Some(&resting.mass),
            Self::Carried(carried) => Some(carried.mass()),
            Self::Link(path) => Some(&path.mass),
        }
    }

    /// Applies an impulse (N s) at a point, both in the world frame, at time `t`: the motion from then on. Bodies that cannot be
    /// moved ignore it.
    pub fn apply_impulse(&mut self, t: f64, point: DVec3, impulse: DVec3) {
        self.push(Launch { time: t, state: self.state_at(t) }, std::iter::once([point, impulse]));
    }

    /// Applies several impulses (N s) at points, all in the world frame, to a body whose state is known: the motion from then on.
    /// Each item is a point and an impulse. Bodies that cannot be moved ignore them.
    pub fn push(&mut self, from: Launch, impulses: impl Iterator<Item = [DVec3; 2]>) {
        let Launch { time, mut state } = from;
        let Some(mass) = self.mass() else { return };
        let pose = state.world_from_body;
        for [point, impulse] in impulses {
            let kick = pose.inverse_vector((point - pose.translation).cross(impulse));
            state.velocity += impulse / mass.mass();
            state.spin += kick / mass.moments();
        }
        self.relaunch(Launch { time, state });
    }

    /// The velocity change at one point of the body (world frame) by a unit impulse at another, 1/kg: a block of the collision
    /// matrix (3.4). Zero for bodies that cannot be moved.
    pub fn collision_matrix(&self, state: &State, [at, from]: [DVec3; 2]) -> DMat3 {
        let InverseMass { inverse_mass, world_inverse_inertia } = self.inverse_mass_for(state);
        let centre = state.world_from_body.translation;
        point_response(inverse_mass, &world_inverse_inertia, [at - centre, from - centre])
    }

    /// What acceleration alone does within `duration` to the place (m) and the velocity (m/s) of a contact point on the body.
    pub fn free_change<A, P>(&self, point: &PointOnBody<'_, A, P>, t: f64, duration: f64) -> [DVec3; 2]
    where
        A: Fn() -> DVec3,
        P: Fn() -> DVec3,
    {
        let PointOnBody { state, at, partner_velocity, .. } = point;
        match self {
            Self::Fixed(_) => [DVec3::ZERO; 2],
            Self::Scripted(script) => {
                let then = script.state_at(t + duration);
                let velocity = state.point_velocity(*at);
                let carried = then.world_from_body.point(state.world_from_body.inverse_point(*at));
                let wandered = *at + partner_velocity() * duration;
                [carried - *at - velocity * duration, then.point_velocity(wandered) - velocity]
            }
            Self::Ballistic(_) | Self::Driven(_) | Self::Resting(_) | Self::Carried(_) | Self::Link(_) => {
                point.change_by(&self.acceleration_in(state, t), duration)
            }
        }
    }

    /// What the angular velocity changes by within `duration`, without any contact, world frame, rad/s.
    pub fn spin_change(&self, state: &State, t: f64, duration: f64) -> DVec3 {
        match self {
            Self::Fixed(_) => DVec3::ZERO,
            Self::Scripted(script) => script.state_at(t + duration).angular_velocity() - state.angular_velocity(),
            Self::Ballistic(_) | Self::Driven(_) | Self::Resting(_) | Self::Carried(_) | Self::Link(_) => {
                self.acceleration_in(state, t).angular * duration
            }
        }
    }

    /// Speed (m/s) and acceleration (m/s^2) of the centre of mass at a time, in absolute value.
    pub fn speeds_at(&self, t: f64) -> [f64; 2] {
        if let Self::Link(path) = self {
            return path.speeds_at(t);
        }
        let [_, velocity, acceleration] = self.parabola_at(t).unwrap_or_else(|| {
            let instant = Range::point(t);
            let along = |d: DVec3| self.centre_acceleration_along(d, instant).magnitude();
            let acceleration = DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z));
            [DVec3::ZERO, self.state_at(t).velocity, acceleration]
        });
        [velocity.length(), acceleration.length()]
    }

    /// What acts on the body until changed, where it can be moved by itself.
    pub fn drive(&self) -> Option<Drive> {
        match self {
            Self::Fixed(_) | Self::Scripted(_) | Self::Link(_) => None,
            Self::Ballistic(flight) => Some(flight.drive()),
            Self::Driven(driven) => Some(driven.drive()),
            Self::Resting(resting) => Some(resting.drive),
            Self::Carried(carried) => Some(carried.drive),
        }
    }

    /// Makes the trajectory after time `t` cheap to ask for, as far as [`Motion::known_until`] then says.
    pub fn look_ahead(&mut self, t: f64) {
        match self {
            Self::Driven(driven) => driven.look_ahead(t),
            Self::Carried(carried) => carried.look_ahead(t),
            Self::Fixed(_) | Self::Ballistic(_) | Self::Scripted(_) | Self::Resting(_) | Self::Link(_) => {}
        }
    }

    /// How long after time `t` the motion is of one piece, and cheap to ask for: closed forms for ever, keyframes until the next
    /// one, driven bodies as far as they have been integrated ahead, carried ones until their contact changes. Infinite where there is no end.
    pub fn known_until(&self, t: f64) -> f64 {
        match self {
            Self::Fixed(_) | Self::Ballistic(_) | Self::Resting(_) => f64::INFINITY,
            Self::Scripted(script) => script.known_until(t),
            Self::Driven(driven) => driven.known_until(),
            Self::Carried(carried) => carried.known_until(),
            Self::Link(path) => path.known_until(),
        }
    }

    /// Goes on from another state under the same force and torque; bodies that cannot be moved, or not without their linkage, ignore it.
    pub fn relaunch(&mut self, launch: Launch) {
        match self {
            Self::Fixed(_) | Self::Scripted(_) | Self::Link(_) => {}
            Self::Ballistic(flight) => flight.relaunch(launch),
            Self::Driven(driven) => driven.relaunch(launch),
            Self::Resting(_) | Self::Carried(_) => *self = self.relaunched(launch),
        }
    }

    /// The motion from another state on under the same force and torque.
    pub fn relaunched(&self, launch: Launch) -> Self {
        match self {
            Self::Fixed(_) | Self::Scripted(_) | Self::Link(_) => self.clone(),
            Self::Ballistic(flight) => Self::free(flight.mass, launch, flight.drive()),
            Self::Driven(driven) => Self::free(driven.mass, launch, driven.drive()),
            Self::Resting(resting) => Self::free(resting.mass, launch, resting.drive),
            Self::Carried(carried) => Self::free(*carried.mass(), launch, carried.drive),
        }
    }

    /// Stays in its pose at time `t` until an impulse, a launch or another force moves it; bodies that cannot be moved do anyway.
    pub fn rest(&mut self, t: f64) {
        let (mass, drive) = match self {
            Self::Fixed(_) | Self::Scripted(_) | Self::Resting(_) | Self::Link(_) => return,
            Self::Ballistic(flight) => (flight.mass, flight.drive()),
            Self::Driven(driven) => (driven.mass, driven.drive()),
            Self::Carried(carried) => (*carried.mass(), carried.drive),
        };
        *self = Self::Resting(Resting { mass, pose: self.pose_at(t), drive });
    }

    /// Is carried by a surface from a state on until a time (s): contact and what acts on the body do `together`. Bodies that cannot be
    /// moved ignore it.
    pub fn carry(&mut self, launch: Launch, together: Drive, until: f64) {
        if let (Some(&mass), Some(drive)) = (self.mass(), self.drive()) {
            *self = Self::Carried(Carried::new(mass, launch, together, drive, until));
        }
    }

    /// Is guided by a surface, as integrated ahead, until a time (s). Bodies that cannot be moved ignore it.
    pub fn guide(&mut self, course: Guided, until: f64) {
        if let Some(drive) = self.drive() {
            *self = Self::Carried(Carried::guided(course, drive, until));
        }
    }

    /// The motion of a body that a surface carries; `None` for others.
    pub fn carried(&self) -> Option<&Carried> {
        match self {
            Self::Carried(carried) => Some(carried),
            Self::Fixed(_)
            | Self::Ballistic(_)
            | Self::Scripted(_)
            | Self::Driven(_)
            | Self::Resting(_)
            | Self::Link(_) => None,
        }
    }

    /// The way of a link of a linkage; `None` for others.
    pub fn link(&self) -> Option<&LinkPath> {
        match self {
            Self::Link(path) => Some(path),
            _ => None,
        }
    }

    /// The same, to go on.
    pub(crate) fn link_mut(&mut self) -> Option<&mut LinkPath> {
        match self {
            Self::Link(path) => Some(path),
            _ => None,
        }
    }

    /// Goes on under another force and torque from time `t`; bodies that cannot be moved ignore it.
    pub fn set_drive(&mut self, t: f64, drive: Drive) {
        if let (Some(&mass), None) = (self.mass(), self.link()) {
            *self = Self::free(mass, Launch { time: t, state: self.state_at(t) }, drive);
        }
    }
}
