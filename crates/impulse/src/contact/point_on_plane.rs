//! A body that touches a plane at one point: what contact does to it while it rolls or slides (beside sections 3.5 and 8.1).
//!
//! The plane stands, or it turns about its normal and drifts along itself, both steadily: it stays where it is. The contact point is the
//! lowest of the body's foot; it wanders over the body as this turns, and the constraint on the accelerations knows how. Friction
//! is Coulomb's, resistances to rolling and spinning are those of hops.

use crate::body::{Acceleration, PrincipalMass, State};
use crate::geometry::Foot;
use crate::math::{Pose, any_perpendicular};
use glam::{DMat2, DMat3, DVec2, DVec3};
use serde::{Deserialize, Serialize};

/// Rounds in which press and direction of friction are made to agree, at most.
const PRESS_ROUNDS: usize = 8;

/// Steps of Newton's rule for the length of a slip, at most.
const SLIP_ROUNDS: usize = 20;

/// How long after its beginning the direction of slip is looked at, s: any short time will do.
const ONSET: f64 = 1.0 / 1_048_576.0;

/// Change of a direction at which it has converged.
const SAME_DIRECTION: f64 = 1e-14;

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

/// What contact keeps from turning, besides the point that it holds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Hinge {
    /// Nothing: the body turns as it likes, and spinning is resisted, if at all, one way about the normal (its sign; zero for none).
    Spins(f64),
    /// Resistance holds it from spinning about the normal.
    Pivot,
    /// It stands on two points, this far before and behind the contact point (body frame, m), and turns about the line through them.
    Line(DVec3),
}

/// How contact acts on a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mode {
    /// Whether the contact point slips.
    pub grip: Grip,
    /// How the body may turn.
    pub hinge: Hinge,
}

/// An instant after a state, up to which slip changes by the accelerations that are looked for instead of others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ahead {
    /// How long after it, s.
    pub time: f64,
    /// Acceleration of the centre of mass (m/s^2) and of the rotation (rad/s^2) that the state contains for that time already, world frame.
    pub instead_of: Option<[DVec3; 2]>,
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
        self.lowest_in(&state.world_from_body)
    }

    /// The contact point in a pose, world frame, m.
    pub(crate) fn lowest_in(&self, pose: &Pose) -> DVec3 {
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

    /// A state whose contact point moves over the plane with a velocity (m/s), and that turns as its hinge allows: the impulses that take
    /// it there are those of an inelastic impact, which takes energy but for that velocity.
    pub fn settled(&self, state: &State, hinge: Hinge, slip: DVec3) -> State {
        let mut settled = *state;
        let to_world = DMat3::from_quat(state.world_from_body.rotation);
        let n = to_world.transpose() * self.normal;
        let arm = self.foot.lowest(-n);
        let moments = self.mass.moments();
        let freedom = Freedom::of(hinge, n, moments);
        let (_, carpet_turning) = self.carpet_below(state, &to_world, arm);
        settled.spin = n * carpet_turning + freedom.allowed(settled.spin - n * carpet_turning);
        let contact = Contact {
            arm,
            inverse: moments.recip(),
            inverse_mass: 1.0 / self.mass.mass(),
            couple: DVec3::ZERO,
            freedom,
        };
        let missing = to_world.transpose() * (slip - self.slip(&settled));
        let impulse = contact.matrix().inverse() * missing;
        settled.velocity += to_world * impulse * contact.inverse_mass;
        settled.spin += contact.turn(impulse, 0.0);
        settled
    }

    /// Where a body stands (world frame, m), and the force on it there, N; twice the same where that is one point.
    pub fn shares(&self, state: &State, held: &Held, hinge: Hinge) -> ([DVec3; 2], [DVec3; 2]) {
        let middle = self.lowest_point(state);
        let Hinge::Line(half) = hinge else { return ([middle; 2], [held.force; 2]) };
        let half = state.world_from_body.vector(half);
        ([middle + half, middle - half], split(held, half))
    }

    /// Heights along the normal of the points on which a body stands, m.
    pub fn heights(&self, state: &State, hinge: Hinge) -> [f64; 2] {
        self.heights_in(&state.world_from_body, hinge)
    }

    /// The same in a pose.
    pub(crate) fn heights_in(&self, pose: &Pose, hinge: Hinge) -> [f64; 2] {
        let middle = self.lowest_in(pose).dot(self.normal);
        let half = match hinge {
            Hinge::Line(half) => pose.vector(half).dot(self.normal),
            Hinge::Spins(_) | Hinge::Pivot => 0.0,
        };
        [middle - half, middle + half]
    }

    /// What contact does in a state; `None` where it would have to pull, or nothing determines it.
    pub fn hold(&self, state: &State, mode: Mode) -> Option<Held> {
        self.hold_ahead(state, mode, &Ahead::default())
    }

    /// The same where a contact that does not slip yet begins to, if it does: friction is against the slip that is to come.
    pub fn hold_first(&self, state: &State, mode: Mode, begins: bool) -> Option<Held> {
        let time = if begins { ONSET } else { 0.0 };
        self.hold_ahead(state, mode, &Ahead { time, instead_of: None })
    }

    /// The same with friction against the slip that is left some time after the state.
    pub fn hold_ahead(&self, state: &State, mode: Mode, ahead: &Ahead) -> Option<Held> {
        // All in the frame of the body, whose axes are the principal ones.
        let to_world = DMat3::from_quat(state.world_from_body.rotation);
        let to_body = to_world.transpose();
        let (n, w) = (to_body * self.normal, state.spin);
        let arm = self.foot.lowest(-n);
        let arm_rate = w.cross(arm) + self.foot.wandering(-n, w.cross(n));
        let (surface, surface_turning) = self.carpet_below(state, &to_world, arm);
        let [velocity, surface, drive] = [state.velocity, surface, self.acceleration].map(|v| to_body * v);
        let carpet_turning = n * surface_turning;
        let mut slip = velocity + w.cross(arm) - surface;
        let turning = w - carpet_turning;
        // Accelerations without contact: of the rotation, and of the contact point relative to the plane.
        let (moments, inverse) = (self.mass.moments(), self.mass.moments().recip());
        let freedom = Freedom::of(mode.hinge, n, moments);
        let unhinged = (moments * w).cross(w) * inverse;
        let free_turning = freedom.allowed(unhinged);
        let free = drive + free_turning.cross(arm) + w.cross(arm_rate) - carpet_turning.cross(velocity + arm_rate);
        let couple = self.couple(turning, n, mode.hinge);
        let contact = Contact { arm, inverse, inverse_mass: 1.0 / self.mass.mass(), couple, freedom };
        let force = match mode.grip {
            Grip::Slips => {
                let change = ahead.instead_of.map_or(free, |accelerations| {
                    let [linear, angular] = accelerations.map(|v| to_body * v);
                    drive + free_turning.cross(arm) - linear - angular.cross(arm)
                });
                let left = if ahead.time > 0.0 && ahead.instead_of.is_none() { DVec3::ZERO } else { slip };
                slip = self.slide(&contact, [n, free, along(left + ahead.time * change, n)], ahead.time)?;
                self.dragging_force(&contact, [n, free, slip])
            }
            Grip::Sticks => contact.holding_force(n, free),
        };
        let press = force.dot(n);
        let linear = drive + force * contact.inverse_mass;
        let angular = free_turning + contact.turn(force, press);
        // What the hinge holds back is what its couple does.
        let hinged = angular - unhinged - contact.unhinged_turn(force, press);
        let couple = contact.couple * press + hinged * moments;
        let power = force.dot(surface) + couple.dot(carpet_turning);
        let acceleration = Acceleration { linear: to_world * linear, angular: to_world * angular };
        let [force, couple, slip, turning] = [force, couple, slip, turning].map(|v| to_world * v);
        let is_finite = acceleration.linear.is_finite() && acceleration.angular.is_finite();
        (press > 0.0 && is_finite).then_some(Held { acceleration, force, couple, slip, turning, power })
    }

    /// The force that keeps a slipping contact where it is along the normal, body frame, N.
    fn dragging_force(&self, contact: &Contact, [n, free, slip]: [DVec3; 3]) -> DVec3 {
        let direction = n - self.friction[0] * along(slip, n).normalize_or_zero();
        direction * (-free.dot(n) / contact.response(direction, 1.0).dot(n))
    }

    /// Slip some time (s) ahead, body frame: `known` without the force of the contact, changed by what friction against that very slip does.
    /// `None` where friction ends it.
    fn slide(&self, contact: &Contact, [n, free, known]: [DVec3; 3], time: f64) -> Option<DVec3> {
        let mu = self.friction[0];
        if time == 0.0 || mu == 0.0 {
            return Some(known);
        }
        let up = contact.response(n, 1.0);
        let tangents = {
            let t = any_perpendicular(n);
            [t, n.cross(t)]
        };
        let responses = tangents.map(|t| contact.response(t, 0.0));
        let entry = |i: usize, k: usize| tangents[i].dot(responses[k]);
        let matrix = DMat2::from_cols_array(&[entry(0, 0), entry(1, 0), entry(0, 1), entry(1, 1)]);
        let flat = |v: DVec3| DVec2::new(v.dot(tangents[0]), v.dot(tangents[1]));
        // The press depends on the direction of friction, which begins with that of the impulse that would end the slip.
        let columns = DVec3::AXES.map(|axis| contact.response(axis, axis.dot(n)));
        let ending =
            DMat3::from_cols(columns[0], columns[1], columns[2]).inverse() * (known + n * (time * free.dot(n)));
        let mut direction = flat(ending).normalize_or_zero();
        let mut slip = DVec2::ZERO;
        let across = Tangential::of(&matrix);
        for _ in 0..PRESS_ROUNDS {
            let rubbed = responses[0] * direction.x + responses[1] * direction.y;
            let press = -free.dot(n) / (up - mu * rubbed).dot(n);
            if press.is_nan() || press <= 0.0 {
                return None;
            }
            let without = flat(known + time * press * up);
            slip = across.slip_against(without, time * press * mu)?;
            let change = slip.normalize().distance(direction);
            direction = slip.normalize();
            if change < SAME_DIRECTION {
                break;
            }
        }
        Some(tangents[0] * slip.x + tangents[1] * slip.y)
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
    fn couple(&self, turning: DVec3, normal: DVec3, hinge: Hinge) -> DVec3 {
        if self.rolling == 0.0 && self.spinning == 0.0 {
            return DVec3::ZERO;
        }
        let sign = if let Hinge::Spins(sign) = hinge { sign } else { 0.0 };
        -self.rolling * along(turning, normal).normalize_or_zero() - normal * (self.spinning * sign)
    }

    /// Whether a contact that was `first` one way is still the same way in a state: friction holds what sticks, resistance what does
    /// not spin, slip and spinning have not turned round, and rolling has not come to a stop.
    pub fn lasts(&self, first: &Held, (state, now): (&State, &Held), mode: Mode) -> bool {
        let n = self.normal;
        let press = now.force.dot(n);
        let [was, is] = [first, now].map(|held| along(held.slip, n));
        let grips = match mode.grip {
            Grip::Sticks => along(now.force, n).length() <= self.friction[1] * press,
            Grip::Slips => self.friction[0] == 0.0 || was.dot(is) > 0.5 * was.length() * is.length(),
        };
        let turns = match mode.hinge {
            Hinge::Spins(sign) => self.spinning == 0.0 || sign * now.turning.dot(n) >= 0.0,
            Hinge::Pivot => now.couple.dot(n).abs() <= self.spinning * press,
            Hinge::Line(half) => self.holds_line(now, state.world_from_body.vector(half)),
        };
        let [turned, turning] = [first, now].map(|held| along(held.turning, n));
        grips && turns && (self.rolling == 0.0 || turned.dot(turning) > 0.5 * turned.length() * turning.length())
    }

    /// Whether two points, half a line (m) before and behind the contact point, can give the force and the couple together: both press, and
    /// their friction holds. Along the line they share what is asked for as they can.
    fn holds_line(&self, held: &Held, half: DVec3) -> bool {
        let (n, length) = (self.normal, half.length());
        let along_line = half / length;
        let across = n.cross(along_line);
        let spare = split(held, half).map(|f| {
            let (press, across) = (self.friction[1] * f.dot(n), f.dot(across));
            if press > across.abs() { (press * press - across * across).sqrt() } else { f64::NEG_INFINITY }
        });
        held.force.dot(along_line).abs() <= spare[0] + spare[1]
    }
}

/// Forces at two points, half a line before and behind the contact point, that are force and couple together. Forces that differ by d give the
/// couple half x d; the couple of rolling resistance is along the line.
fn split(held: &Held, half: DVec3) -> [DVec3; 2] {
    let difference = held.couple.cross(half) / half.length_squared();
    [0.5, -0.5].map(|side| 0.5 * held.force + side * difference)
}

/// A response to impulses across the normal, by its axes and what it is along them.
struct Tangential {
    axes: [DVec2; 2],
    sizes: [f64; 2],
}

impl Tangential {
    fn of(matrix: &DMat2) -> Self {
        let (a, b, d) = (matrix.x_axis.x, 0.5 * (matrix.x_axis.y + matrix.y_axis.x), matrix.y_axis.y);
        let (mean, half) = (0.5 * (a + d), DVec2::new(0.5 * (a - d), b));
        let spread = half.length();
        // Half the angle of (a - d, 2 b) is that of the first axis.
        let angle = 0.5 * libm::atan2(half.y, half.x);
        let first = DVec2::new(libm::cos(angle), libm::sin(angle));
        Self { axes: [first, first.perp()], sizes: [mean + spread, mean - spread] }
    }

    /// Slip `s` against which friction of the impulse `most` is directed, where `without` is that without friction: `s + most response s /
    /// |s| = without`. In the axes of the response its length `r` solves `sum (without_k / (r + most size_k))^2 = 1`, which falls in `r`.
    /// `None` where friction is enough to stop it.
    fn slip_against(&self, without: DVec2, most: f64) -> Option<DVec2> {
        let resisted = self.sizes.map(|size| most * size);
        let parts = self.axes.map(|axis| axis.dot(without));
        // The sum and its slope.
        let sum = |r: f64| {
            let term = |k: usize| {
                let (beyond, share) = (r + resisted[k], parts[k] / (r + resisted[k]));
                DVec2::new(share * share, -2.0 * share * share / beyond)
            };
            term(0) + term(1)
        };
        let mut r = 0.0;
        if sum(r).x <= 1.0 {
            return None;
        }
        // Newton's rule for the root of 1 / sqrt(sum) - 1, which is nearly straight.
        for _ in 0..SLIP_ROUNDS {
            let DVec2 { x: value, y: rate } = sum(r);
            let step = 2.0 * value * (1.0 - value.sqrt()) / rate;
            r += step;
            if step.abs() <= SAME_DIRECTION * r {
                break;
            }
        }
        let along = |k: usize| self.axes[k] * (parts[k] * r / (r + resisted[k]));
        Some(along(0) + along(1)).filter(|slip| r > 0.0 && slip.is_finite())
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
    freedom: Freedom,
}

impl Contact {
    /// Angular acceleration by a force with a normal part, rad/s^2.
    fn turn(&self, force: DVec3, press: f64) -> DVec3 {
        self.freedom.allowed(self.unhinged_turn(force, press))
    }

    /// The same without the hinge.
    fn unhinged_turn(&self, force: DVec3, press: f64) -> DVec3 {
        (self.arm.cross(force) + self.couple * press) * self.inverse
    }

    /// Acceleration of the contact point by it, m/s^2.
    fn response(&self, force: DVec3, press: f64) -> DVec3 {
        force * self.inverse_mass + self.turn(force, press).cross(self.arm)
    }

    /// The force that keeps a sticking contact point where it is, N, given the normal and the acceleration without contact.
    fn holding_force(&self, n: DVec3, free: DVec3) -> DVec3 {
        let columns = DVec3::AXES.map(|axis| self.response(axis, axis.dot(n)));
        DMat3::from_cols(columns[0], columns[1], columns[2]).inverse() * -free
    }

    /// What a unit impulse does to the velocity of the contact point, 1/kg.
    fn matrix(&self) -> DMat3 {
        let columns = DVec3::AXES.map(|axis| self.response(axis, 0.0));
        DMat3::from_cols(columns[0], columns[1], columns[2])
    }
}

/// Which angular accelerations a hinge allows, body frame: the couple of the hinge takes away the rest.
#[derive(Clone, Copy)]
enum Freedom {
    All,
    /// Those across an axis; a unit of angular acceleration about it by a couple along it.
    Across(DVec3, DVec3),
    /// Those along an axis, and its moments of inertia divided by that about it.
    Along(DVec3, DVec3),
}

impl Freedom {
    fn of(hinge: Hinge, normal: DVec3, moments: DVec3) -> Self {
        match hinge {
            Hinge::Spins(_) => Self::All,
            Hinge::Pivot => {
                let turned = normal / moments;
                Self::Across(normal, turned / turned.dot(normal))
            }
            Hinge::Line(half) => {
                let axis = half.normalize_or_zero();
                let resisting = axis * moments;
                Self::Along(axis, resisting / resisting.dot(axis))
            }
        }
    }

    /// What is left of an angular acceleration, or of an angular velocity that comes to a halt: the couple of the hinge does no work.
    fn allowed(&self, turning: DVec3) -> DVec3 {
        match *self {
            Self::All => turning,
            Self::Across(axis, turned) => turning - turned * turning.dot(axis),
            Self::Along(axis, resisting) => axis * turning.dot(resisting),
        }
    }
}

/// The part of a vector across the normal.
fn along(v: DVec3, normal: DVec3) -> DVec3 {
    v - normal * v.dot(normal)
}
