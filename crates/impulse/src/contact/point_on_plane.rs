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
        // All in the frame of the body, whose axes are the principal ones.
        let to_world = DMat3::from_quat(state.world_from_body.rotation);
        let to_body = to_world.transpose();
        let (n, w) = (to_body * self.normal, state.spin);
        let arm = self.foot.lowest(-n);
        let arm_rate = w.cross(arm) + self.foot.wandering(-n, w.cross(n));
        let (surface, surface_turning) = self.carpet_below(state, &to_world, arm);
        let [velocity, surface, drive] = [state.velocity, surface, self.acceleration].map(|v| to_body * v);
        let carpet_turning = n * surface_turning;
        let slip = velocity + w.cross(arm) - surface;
        let turning = w - carpet_turning;
        // Accelerations without contact: of the rotation, and of the contact point relative to the plane.
        let inverse = self.mass.moments().recip();
        let free_turning = (self.mass.moments() * w).cross(w) * inverse;
        let free = drive + free_turning.cross(arm) + w.cross(arm_rate) - carpet_turning.cross(velocity + arm_rate);
        let contact = Contact { arm, inverse, inverse_mass: 1.0 / self.mass.mass(), couple: self.couple(turning, n) };
        let force = match grip {
            Grip::Slips => {
                let direction = n - self.friction[0] * along(slip, n).normalize_or_zero();
                direction * (-free.dot(n) / contact.response(direction, 1.0).dot(n))
            }
            Grip::Sticks => {
                let columns = DVec3::AXES.map(|axis| contact.response(axis, axis.dot(n)));
                DMat3::from_cols(columns[0], columns[1], columns[2]).inverse() * -free
            }
        };
        let press = force.dot(n);
        let linear = drive + force * contact.inverse_mass;
        let angular = free_turning + contact.turn(force, press);
        let couple = contact.couple * press;
        let power = force.dot(surface) + couple.dot(carpet_turning);
        let acceleration = Acceleration { linear: to_world * linear, angular: to_world * angular };
        let [force, couple, slip, turning] = [force, couple, slip, turning].map(|v| to_world * v);
        let is_finite = acceleration.linear.is_finite() && acceleration.angular.is_finite();
        (press > 0.0 && is_finite).then_some(Held { acceleration, force, couple, slip, turning, power })
    }

    /// Velocity of the plane's material below a point of the body (world frame, m/s), and its rate of turning about the normal, rad/s.
    fn carpet_below(&self, state: &State, to_world: &DMat3, arm: DVec3) -> (DVec3, f64) {
        if self.carpet.angular_velocity == DVec3::ZERO {
            return (self.carpet.velocity, 0.0);
        }
        let at = state.world_from_body.translation + *to_world * arm;
        (self.carpet.velocity_at(at), self.carpet.angular_velocity.dot(self.normal))
    }

    /// The couple of the resistances for a unit normal force, m.
    fn couple(&self, turning: DVec3, normal: DVec3) -> DVec3 {
        if self.rolling == 0.0 && self.spinning == 0.0 {
            return DVec3::ZERO;
        }
        let spin = turning.dot(normal);
        let spinning = if spin == 0.0 { 0.0 } else { self.spinning.copysign(spin) };
        -self.rolling * along(turning, normal).normalize_or_zero() - normal * spinning
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

/// What a force at the contact does, body frame.
struct Contact {
    arm: DVec3,
    /// Of the moments of inertia, 1/(kg m^2).
    inverse: DVec3,
    inverse_mass: f64,
    /// That goes with a unit normal force, m.
    couple: DVec3,
}

impl Contact {
    /// Angular acceleration by a force with a normal part, rad/s^2.
    fn turn(&self, force: DVec3, press: f64) -> DVec3 {
        (self.arm.cross(force) + self.couple * press) * self.inverse
    }

    /// Acceleration of the contact point by it, m/s^2.
    fn response(&self, force: DVec3, press: f64) -> DVec3 {
        force * self.inverse_mass + self.turn(force, press).cross(self.arm)
    }
}

/// The part of a vector across the normal.
fn along(v: DVec3, normal: DVec3) -> DVec3 {
    v - normal * v.dot(normal)
}
