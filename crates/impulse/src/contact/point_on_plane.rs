//! A body that touches a plane at one point: what contact does to it while it rolls or slides (beside sections 3.5 and 8.1).
//!
//! The plane stands, or it turns about its normal and drifts along itself, both steadily: it stays where it is. The contact point is the
//! lowest of the body's foot; it wanders over the body as this turns, and the constraint on the accelerations knows how. Friction
//! is Coulomb's, resistances to rolling and spinning are those of hops.

use crate::body::{Acceleration, PrincipalMass, State};
use crate::geometry::Foot;
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

/// A body on a plane, and the laws of their surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointOnPlane {
    /// Of the plane, towards the body.
    pub normal: DVec3,
    /// What the plane's material moves with.
    pub carpet: Carpet,
    /// Where the body touches.
    pub foot: Foot,
    /// Of the body.
    pub mass: PrincipalMass,
    /// By all forces but contact, m/s^2.
    pub acceleration: DVec3,
    /// Coefficients of kinetic and of static friction.
    pub friction: [f64; 2],
    /// Largest moment across the normal divided by the normal force, m.
    pub rolling: f64,
    /// Largest moment along the normal divided by the normal force, m.
    pub spinning: f64,
}

/// How the material of a plane moves in it, steadily.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Carpet {
    /// A point that moves with `velocity`, m.
    pub at: DVec3,
    /// Metres per second.
    pub velocity: DVec3,
    /// Along the normal, rad/s.
    pub angular_velocity: DVec3,
}

/// Whether a contact point slips.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Grip {
    /// It rolls.
    Sticks,
    /// It slides.
    Slips,
}

/// What contact does to a body at one instant, world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// Of the body, by contact and everything else.
    pub acceleration: Acceleration,
    /// On the body, N.
    pub force: DVec3,
    /// Of the resistances on the body, N m.
    pub couple: DVec3,
    /// Of the body over the plane at the contact, m/s.
    pub slip: DVec3,
    /// Angular velocity of the body over the plane, rad/s.
    pub turning: DVec3,
    /// Work per second of the plane by its own motion, W.
    pub power: f64,
}

impl Carpet {
    /// Velocity of the material at a point, m/s.
    pub fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.velocity + self.angular_velocity.cross(point - self.at)
    }
}

impl PointOnPlane {
    /// The contact point in a state, world frame, m.
    pub fn lowest_point(&self, state: &State) -> DVec3 {
        let pose = state.world_from_body;
        pose.point(self.foot.lowest(-pose.inverse_vector(self.normal)))
    }

    /// Velocity of the body over the plane at the contact, m/s.
    pub fn slip(&self, state: &State) -> DVec3 {
        let point = self.lowest_point(state);
        state.point_velocity(point) - self.carpet.velocity_at(point)
    }

    /// What a unit impulse at the contact does to the velocity there, 1/kg (3.4).
    pub fn matrix(&self, state: &State) -> DMat3 {
        let inverse = self.mass.inverse_at(state.world_from_body.rotation);
        let arm = self.lowest_point(state) - state.world_from_body.translation;
        crate::respond::point_response(inverse.inverse_mass, &inverse.world_inverse_inertia, [arm, arm])
    }

    /// What contact does in a state; `None` where it would have to pull, or nothing determines it.
    pub fn hold(&self, state: &State, grip: Grip) -> Option<Held> {
        let (pose, n) = (state.world_from_body, self.normal);
        let [w, turning] = [state.angular_velocity(), state.angular_velocity() - self.carpet.angular_velocity];
        let up = pose.inverse_vector(n);
        let arm = pose.vector(self.foot.lowest(-up));
        let wandering = pose.vector(self.foot.wandering(-up, state.spin.cross(up)));
        let arm_rate = w.cross(arm) + wandering;
        let at = pose.translation + arm;
        let surface = self.carpet.velocity_at(at);
        let slip = state.velocity + w.cross(arm) - surface;
        // Accelerations of the contact without it, relative to the plane.
        let moments = self.mass.moments();
        let free_turning = pose.vector((moments * state.spin).cross(state.spin) / moments);
        let free = self.acceleration + free_turning.cross(arm) + w.cross(arm_rate)
            - self.carpet.angular_velocity.cross(state.velocity + arm_rate);
        // The couple for a unit normal force, and what it does at the contact.
        let couple = self.couple(turning);
        let turn_by = |moment: DVec3| pose.vector(pose.inverse_vector(moment) / moments);
        let response = |force: DVec3, couple: DVec3| {
            force / self.mass.mass() + turn_by(arm.cross(force) + couple).cross(arm)
        };
        let force = match grip {
            Grip::Slips => {
                let direction = n - self.friction[0] * along(slip, n).normalize_or_zero();
                let pressing = response(direction, couple).dot(n);
                direction * (-free.dot(n) / pressing)
            }
            Grip::Sticks => {
                let columns = DVec3::AXES.map(|axis| response(axis, couple * axis.dot(n)));
                DMat3::from_cols(columns[0], columns[1], columns[2]).inverse() * -free
            }
        };
        let press = force.dot(n);
        let couple = couple * press;
        let held = Held {
            acceleration: Acceleration {
                linear: self.acceleration + force / self.mass.mass(),
                angular: free_turning + turn_by(arm.cross(force) + couple),
            },
            force,
            couple,
            slip,
            turning,
            power: force.dot(surface) + couple.dot(self.carpet.angular_velocity),
        };
        (press > 0.0 && held.acceleration.linear.is_finite() && held.acceleration.angular.is_finite()).then_some(held)
    }

    /// The couple of the resistances for a unit normal force, m.
    fn couple(&self, turning: DVec3) -> DVec3 {
        let spin = turning.dot(self.normal);
        let spinning = if spin == 0.0 { 0.0 } else { self.spinning.copysign(spin) };
        -self.rolling * along(turning, self.normal).normalize_or_zero() - self.normal * spinning
    }

    /// Whether a contact that was `first` one way is still the same way: friction holds what sticks, slip and spinning have not
    /// turned round, and rolling has not come to a stop.
    pub fn lasts(&self, first: &Held, now: &Held, grip: Grip) -> bool {
        let n = self.normal;
        let [was, is] = [first, now].map(|held| along(held.slip, n));
        let grips = match grip {
            Grip::Sticks => along(now.force, n).length() <= self.friction[1] * now.force.dot(n),
            Grip::Slips => self.friction[0] == 0.0 || was.dot(is) > 0.5 * was.length() * is.length(),
        };
        let spins = self.spinning == 0.0 || first.turning.dot(n) * now.turning.dot(n) > 0.0;
        let [turned, turns] = [first, now].map(|held| along(held.turning, n));
        grips && spins && (self.rolling == 0.0 || turned.dot(turns) > 0.5 * turned.length() * turns.length())
    }
}

/// The part of a vector across the normal.
fn along(v: DVec3, normal: DVec3) -> DVec3 {
    v - normal * v.dot(normal)
}
