//! A linkage in flight: its state at the beginning of a step, and the step as integrated ahead (sections 4.4, 5.1).

use super::element::{Elements, Hold, LimitRange};
use super::forward::Loads;
use super::impulse::{Impulses, LinkPoint};
use super::joint::JointKind;
use super::posture::{PlacedLink, Placing, Posture};
use super::spatial::Wrench;
use super::tree::{BaseState, Tree};
use crate::body::{Acceleration, LinkPiece, Motion, State};
use crate::math::{COEFFICIENTS, GAUSS_POINTS, Pose, value};
use glam::{DMat3, DVec3, DVec4};

/// Rounding of the force that holds a joint, relative to the forces whose difference it is.
const HOLDING_ROUNDING: f64 = 1e-12;

/// What makes a linkage, checked already.
#[derive(Clone, Debug)]
pub struct Linkage {
    pub(crate) tree: Tree,
    /// What the first link is joined to: fixed or scripted.
    pub(crate) base: Motion,
    /// Of each link's joint.
    pub(crate) elements: Vec<Elements>,
    /// Axes of sockets' cones in the frames of parent and link.
    pub(crate) cones: Vec<[DVec3; 2]>,
    /// Bounding radius of each link, m: lengths are judged by it.
    pub(crate) radii: Vec<f64>,
    /// m/s^2.
    pub(crate) gravity: DVec3,
    /// Forces and torques on links from outside, world axes.
    pub(crate) loads: Vec<Wrench>,
    /// Forces along freedoms from outside.
    pub(crate) forces: Vec<f64>,
    /// Height of a rebound that is none, in radians or radii.
    pub(crate) least_rebound: f64,
    pub(crate) course: Course,
    pub(crate) room: Room,
    /// What a hop knows of it.
    pub(crate) gathered: Gathered,
}

/// Where a linkage is and goes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Course {
    /// Beginning of the step, s.
    pub(crate) start: f64,
    pub(crate) coordinates: Vec<f64>,
    pub(crate) rates: Vec<f64>,
    /// Of each link's joint.
    pub(crate) holds: Vec<Hold>,
    /// Time and rate with which each joint left a stop last.
    pub(crate) blown: Vec<Option<[f64; 2]>>,
    /// Duration of the polynomials, s; infinite where nothing moves.
    pub(crate) length: f64,
    /// Until when they hold, s.
    pub(crate) end: f64,
    /// What happens then.
    pub(crate) ending: Ending,
    /// A duration for the next step, s.
    pub(crate) guess: f64,
    /// Until when friction on what moves was the work of the last hop's kick, s.
    pub(crate) kicked_until: f64,
    /// Until then, forces of dampers along all freedoms; `None` where they follow the rates, and empty where all do.
    pub(crate) dampers: Vec<Option<f64>>,
    /// Whether lasting contact holds it.
    pub(crate) frozen: bool,
    /// Polynomials of coordinates and rates in the step.
    pub(crate) coordinate_curves: Vec<[f64; COEFFICIENTS]>,
    pub(crate) rate_curves: Vec<[f64; COEFFICIENTS]>,
}

/// How a step ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Ending {
    /// The next one begins.
    #[default]
    Step,
    /// The joint of a link reaches its lower stop, or its cone, ...
    Lower(usize),
    /// ... its upper stop, ...
    Upper(usize),
    /// ... comes to rest, ...
    Rest(usize),
    /// ... or is no longer held.
    Release(usize),
}

/// Memory for the integration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Room {
    pub(crate) posture: Posture,
    /// Node by node.
    pub(crate) coordinates: Vec<f64>,
    pub(crate) rates: Vec<f64>,
    pub(crate) coordinate_rates: Vec<f64>,
    pub(crate) accelerations: Vec<f64>,
    /// Link by link, at all nodes.
    pub(crate) linear: Vec<[DVec3; GAUSS_POINTS]>,
    pub(crate) turning: Vec<[DVec4; GAUSS_POINTS]>,
    /// Force that holds a joint, or how far a cone's axis is from its end.
    pub(crate) watched: Vec<[f64; GAUSS_POINTS]>,
    pub(crate) joint_forces: Vec<f64>,
    pub(crate) changes: Vec<f64>,
    /// Joints that rest on their stops.
    pub(crate) pressed: Vec<bool>,
    pub(crate) wrenches: Vec<Wrench>,
    /// How long the next step is at most, s, if it is to be short.
    pub(crate) longest: Option<f64>,
    /// Whether a flight is only tried.
    pub(crate) is_trial: bool,
}

/// What a hop knows of a linkage: as gathered, by forward dynamics.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gathered {
    /// When, s.
    pub(super) time: f64,
    /// Accelerations of links without contact.
    pub(super) links: Vec<Acceleration>,
    /// Of the freedoms.
    pub(super) freedoms: Vec<f64>,
    /// Forces that hold joints.
    pub(super) holding: Vec<f64>,
    pub(super) coordinates: Vec<f64>,
    pub(super) rates: Vec<f64>,
    pub(super) placed: Vec<PlacedLink>,
    /// Mean rates of the last hop's flight, damping in the next, and forces of dampers as in the last; empty where all follow the rates.
    pub(super) mean_rates: Vec<Option<f64>>,
    pub(super) damping: Vec<f64>,
    pub(super) dampers: Vec<Option<f64>>,
    /// Memory for a course that is tried.
    pub(super) course: Course,
    pub(super) course_blows: Vec<StopBlow>,
}

/// A stop that a joint has reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopBlow {
    /// The link whose joint it is.
    pub link: usize,
    /// Rate towards the positive side before and after: rad/s or m/s; of a cone: of its opening angle, negative outwards.
    pub rates: [f64; 2],
    /// Impulse on the joint, N m s or N s.
    pub impulse: f64,
    /// J.
    pub energy_lost: f64,
}

impl Gathered {
    /// The linkage goes on otherwise.
    pub(crate) fn forget(&mut self) {
        self.time = f64::NEG_INFINITY;
    }
}

impl Linkage {
    /// Coordinates at a time of the step.
    pub fn coordinates_at(&self, t: f64, to: &mut Vec<f64>) {
        let x = self.course.place(t);
        to.clear();
        to.extend(self.course.coordinate_curves.iter().map(|curve| value(curve, x)));
    }

    /// Rates at a time of the step.
    pub fn rates_at(&self, t: f64, to: &mut Vec<f64>) {
        let x = self.course.place(t);
        to.clear();
        to.extend(self.course.rate_curves.iter().map(|curve| value(curve, x)));
        // What is held does not move, whatever rounding says.
        for (link, hold) in self.tree.links().iter().zip(&self.course.holds) {
            if hold.holds() {
                to[link.freedoms()].fill(0.0);
            }
        }
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Places the links as they are at a time of the step, free to give way to impulses.
    pub(crate) fn place_at(&mut self, t: f64) {
        let mut room = std::mem::take(&mut self.room);
        self.coordinates_at(t, &mut room.coordinates);
        self.rates_at(t, &mut room.rates);
        room.posture.held.fill(false);
        let base = BaseState::of(&self.base, t);
        room.posture.place(&self.tree, &Placing { coordinates: &room.coordinates, rates: &room.rates, base });
        room.posture.articulate(&self.tree);
        self.room = room;
    }

    /// The pose of a link as placed last.
    pub(crate) fn placed_pose(&self, link: usize) -> Pose {
        self.room.posture.links[link].pose
    }

    /// Velocities of a link as placed last, in a pose.
    pub(crate) fn state_in(&self, link: usize, pose: Pose) -> State {
        let velocity = self.room.posture.links[link].velocity;
        State { world_from_body: pose, velocity: velocity.linear, spin: pose.inverse_vector(velocity.angular) }
    }

    /// A block of the collision matrix, as placed last.
    pub(crate) fn response(&mut self, points: [LinkPoint; 2]) -> DMat3 {
        self.room.posture.comp_multibody_k(&self.tree, points)
    }

    /// Begins to collect impulses on links.
    pub(crate) fn begin_impulses(&mut self) {
        self.room.wrenches.clear();
        self.room.wrenches.resize(self.tree.links().len(), Wrench::default());
    }

    /// Collects an impulse on a link, N s.
    pub(crate) fn add_impulse(&mut self, at: LinkPoint, impulse: DVec3) {
        let arm = at.point - self.room.posture.links[at.link].pose.translation;
        self.room.wrenches[at.link] += Wrench::at(arm, impulse);
    }

    /// The rates after all impulses collected, as placed last; they are left in `room.rates`.
    pub(crate) fn take_impulses(&mut self) {
        let Room { posture, wrenches, changes, rates, .. } = &mut self.room;
        changes.resize(self.tree.freedoms(), 0.0);
        posture.propagate_impulse(&self.tree, &Impulses { links: wrenches, joints: &[] }, changes);
        rates.iter_mut().zip(changes).for_each(|(rate, change)| *rate += *change);
    }

    /// Forces along all freedoms at coordinates and rates.
    pub(crate) fn find_joint_forces(&self, coordinates: &[f64], rates: &[f64], forces: &mut Vec<f64>) {
        self.find_undamped_forces(coordinates, forces);
        self.add_damping(rates, if self.course.is_kicked() { &self.course.dampers } else { &[] }, forces);
    }

    /// Adds the forces of dampers; where none are given, they follow the rates.
    pub(crate) fn add_damping(&self, rates: &[f64], dampers: &[Option<f64>], forces: &mut [f64]) {
        for (elements, link) in self.elements.iter().zip(self.tree.links()) {
            for k in link.freedoms() {
                forces[k] += dampers.get(k).copied().flatten().unwrap_or(-elements.damping * rates[k]);
            }
        }
    }

    /// Forces along all freedoms at coordinates, but those of dampers.
    pub(crate) fn find_undamped_forces(&self, coordinates: &[f64], forces: &mut Vec<f64>) {
        forces.clear();
        forces.extend_from_slice(&self.forces);
        for (i, link) in self.tree.links().iter().enumerate() {
            let Elements { spring, friction, .. } = self.elements[i];
            if let (Some(spring), JointKind::Hinge | JointKind::Slider) = (spring, link.joint.kind) {
                forces[link.freedom] += spring.force(coordinates[link.coordinate]);
            }
            if friction > 0.0 && link.joint.kind.freedoms() == 1 {
                forces[link.freedom] += self.course.holds[i].friction(friction);
            }
        }
    }

    /// The force that holds a joint with one freedom, after forward dynamics with the given forces along the freedoms.
    pub(crate) fn holding_force(&self, link: usize, posture: &Posture, forces: &[f64]) -> f64 {
        let placed = &posture.links[link];
        let carried = placed.remaining + placed.articulated.times(&placed.acceleration);
        placed.columns[0].dot(&carried) - forces[self.tree.links()[link].freedom]
    }

    /// What rounding leaves of that force: links that fall freely together hold each other with none.
    pub(crate) fn holding_rounding(&self, link: usize, posture: &Posture) -> f64 {
        let placed = &posture.links[link];
        let column = &placed.columns[0];
        let size = |carried: &Wrench| {
            column.angular.length() * carried.moment.length() + column.linear.length() * carried.force.length()
        };
        HOLDING_ROUNDING * (size(&placed.remaining) + size(&placed.articulated.times(&placed.acceleration)))
    }

    /// Solves the dynamics at a time, into `posture` and `accelerations`; forces along freedoms must be known.
    pub(crate) fn solve(&self, t: f64, moving: [&[f64]; 2], (posture, forces): (&mut Posture, &[f64]), to: &mut [f64]) {
        for (held, hold) in posture.held.iter_mut().zip(&self.course.holds) {
            *held = hold.holds();
        }
        let base = BaseState::of(&self.base, t);
        posture.place(&self.tree, &Placing { coordinates: moving[0], rates: moving[1], base });
        let loads = Loads { links: &self.loads, joints: forces, gravity: self.gravity };
        posture.tree_fwd_dynamics(&self.tree, &loads, to);
    }

    /// How far the axis of a cone is from its end: the difference of cosines; none for other joints.
    pub(crate) fn cone_gap(&self, link: usize, posture: &Posture) -> Option<f64> {
        let LimitRange::Cone(angle) = self.elements[link].limits?.range else { return None };
        let [parent, own] = self.cone_axes(link, posture);
        Some(parent.dot(own) - libm::cos(angle))
    }

    /// The axes of a cone in parent and link, world frame.
    pub(crate) fn cone_axes(&self, link: usize, posture: &Posture) -> [DVec3; 2] {
        let [on_parent, on_link] = self.cones[link];
        let parent = match self.tree.links()[link].parent {
            Some(parent) => posture.links[parent].pose,
            None => posture.base.map_or(Pose::IDENTITY, |base| base.pose),
        };
        [parent.vector(on_parent), posture.links[link].pose.vector(on_link)]
    }

    /// The piece of a link's way in the present step.
    pub(crate) fn piece(&self, link: usize) -> LinkPiece {
        let placed = &self.room.posture.links[link];
        if self.course.length.is_finite() {
            LinkPiece::new(&crate::body::LinkNodes {
                start: self.course.start,
                length: self.course.length,
                pose: placed.pose,
                velocity: placed.velocity.linear,
                linear: self.room.linear[link],
                turning: self.room.turning[link],
            })
        } else {
            LinkPiece::resting(self.course.start, placed.pose)
        }
    }
}

impl Course {
    /// The time as the polynomials count it.
    pub(crate) fn place(&self, t: f64) -> f64 {
        if self.length.is_finite() { 2.0 * ((t - self.start) / self.length) - 1.0 } else { 0.0 }
    }
}
