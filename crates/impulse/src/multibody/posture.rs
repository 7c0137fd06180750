//! Where the links of a tree are and how they move, from coordinates and rates: forward kinematics (sections 4.2, 4.4).

use super::joint::{Joint, JointKind, JointPlace};
use super::spatial::{Definite, SpatialInertia, Twist, Wrench};
use super::tree::{BaseState, Link, Tree};
use crate::math::Pose;
use glam::{DMat3, DQuat, DVec3};

/// Coordinates and rates of a linkage, and what it is joined to.
#[derive(Clone, Copy, Debug)]
pub struct Placing<'a> {
    /// In the order of the tree.
    pub coordinates: &'a [f64],
    /// In the order of the tree.
    pub rates: &'a [f64],
    /// What the first link is joined to.
    pub base: BaseState,
}

/// One link in a posture, world axes.
#[derive(Clone, Copy, Debug)]
pub struct PlacedLink {
    /// `world_from_link`.
    pub pose: Pose,
    /// Velocity.
    pub velocity: Twist,
    /// Acceleration, once dynamics have been solved.
    pub acceleration: Twist,
    /// From the parent's centre of mass to its own, m.
    pub arm: DVec3,
    /// Motion by each freedom of its joint, at most three; floating links need none.
    pub(crate) columns: [Twist; 3],
    /// How many of them there are.
    pub(crate) freedoms: usize,
    /// Acceleration by velocities alone (4.4.3).
    pub(crate) bias: Twist,
    /// Inertia tensor in world axes, kg m^2.
    pub(crate) inertia: DMat3,
    /// Inertia of the link with all that hangs on it (4.4.1).
    pub(crate) articulated: SpatialInertia,
    /// Force on the joint's child by each freedom's acceleration.
    pub(crate) forces: [Wrench; 3],
    /// What an acceleration of the freedoms meets, factorised; only the first entry for one freedom.
    pub(crate) met: Definite,
    pub(crate) inverse: f64,
    /// Force that remains on the articulated body (4.4.3), or an impulse.
    pub(crate) remaining: Wrench,
    /// What is left for the freedoms: `Q - s' (Z^A + I^A c)`.
    pub(crate) rest: DVec3,
}

impl Default for PlacedLink {
    fn default() -> Self {
        let zero = Twist::default();
        Self {
            pose: Pose::IDENTITY,
            velocity: zero,
            acceleration: zero,
            arm: DVec3::ZERO,
            columns: [zero; 3],
            freedoms: 0,
            bias: zero,
            inertia: DMat3::ZERO,
            articulated: SpatialInertia::default(),
            forces: [Wrench::default(); 3],
            met: Definite::default(),
            inverse: 0.0,
            remaining: Wrench::default(),
            rest: DVec3::ZERO,
        }
    }
}

impl PlacedLink {
    /// Velocity of the link's point that is at `point`, m/s.
    pub fn point_velocity(&self, point: DVec3) -> DVec3 {
        self.velocity.shifted(point - self.pose.translation).linear
    }

    /// Motion by the freedoms' rates or accelerations.
    pub(crate) fn freely(&self, rates: DVec3) -> Twist {
        let mut sum = Twist::default();
        for (k, column) in self.columns[..self.freedoms].iter().enumerate() {
            sum = sum + *column * rates[k];
        }
        sum
    }

    /// What a force does along the freedoms.
    pub(crate) fn along(&self, w: &Wrench) -> DVec3 {
        let mut along = DVec3::ZERO;
        for (k, column) in self.columns[..self.freedoms].iter().enumerate() {
            along[k] = column.dot(w);
        }
        along
    }
}

/// All links of a tree in one posture, and room for the dynamics.
#[derive(Clone, Debug, Default)]
pub struct Posture {
    pub(crate) links: Vec<PlacedLink>,
    pub(crate) base: Option<BaseState>,
    /// Joints that are held: as if welded.
    pub(crate) held: Vec<bool>,
    /// Links from one to the first.
    pub(crate) way: Vec<usize>,
}

impl Posture {
    /// Room for a tree.
    pub fn new(tree: &Tree) -> Self {
        let links = tree.links().len();
        Self { links: vec![PlacedLink::default(); links], base: None, held: vec![false; links], way: Vec::new() }
    }

    /// The links.
    pub fn links(&self) -> &[PlacedLink] {
        &self.links
    }

    /// Places the links. Does not allocate once there is room for the tree.
    pub fn place(&mut self, tree: &Tree, placing: &Placing<'_>) {
        self.base = Some(placing.base);
        for (i, link) in tree.links().iter().enumerate() {
            let (before, after) = self.links.split_at_mut(i);
            let parent = match link.parent {
                Some(p) => (before[p].pose, before[p].velocity),
                None => (placing.base.pose, placing.base.velocity),
            };
            let placed = &mut after[0];
            put(placed, link, parent, placing);
            placed.inertia = link.mass.inertia_at(placed.pose.rotation);
            placed.freedoms = match link.joint.kind {
                JointKind::Floating => 0,
                _ if self.held[i] => 0,
                kind => kind.freedoms(),
            };
        }
    }
}

/// The rates of a joint with at most three freedoms.
pub(crate) fn rates_of(link: &Link, rates: &[f64]) -> DVec3 {
    let mut own = DVec3::ZERO;
    for (k, &rate) in rates[link.freedoms()].iter().take(3).enumerate() {
        own[k] = rate;
    }
    own
}

fn put(placed: &mut PlacedLink, link: &Link, parent: (Pose, Twist), placing: &Placing<'_>) {
    let coordinates = &placing.coordinates[link.coordinates()];
    let rates = rates_of(link, placing.rates);
    match link.joint.kind {
        JointKind::Floating => {
            let rotation = DQuat::from_slice(&coordinates[3..]).normalize();
            placed.pose = Pose { rotation, translation: DVec3::from_slice(coordinates) };
            let own = &placing.rates[link.freedoms()];
            placed.velocity = Twist { angular: rates, linear: DVec3::from_slice(&own[3..]) };
            placed.bias = Twist::default();
            placed.arm = DVec3::ZERO;
        }
        JointKind::Slider => slide(placed, &link.joint, parent, [coordinates[0], rates.x]),
        JointKind::Weld => slide(placed, &link.joint, parent, [0.0; 2]),
        JointKind::Planar => {
            let turned = turned_about(link.joint.axis, coordinates[2]);
            slide_in_plane(placed, &link.joint, parent, (turned, [DVec3::from_slice(coordinates), rates]));
        }
        JointKind::Hinge => {
            let turned = turned_about(link.joint.axis, coordinates[0]);
            let axis = parent.0.vector(link.joint.axis);
            let rotation = parent.0.rotation * turned * link.joint.parent_from_link;
            let turning = axis * rates.x;
            // The axis is carried along by the parent; a socket's rates are in world axes.
            let turned = parent.1.angular.cross(turning);
            let arm = turn_about(placed, &link.joint, parent, (rotation, [turning, turned]));
            placed.columns[0] = about(axis, arm);
        }
        JointKind::Socket => {
            let rotation = DQuat::from_slice(coordinates).normalize();
            let arm = turn_about(placed, &link.joint, parent, (rotation, [rates, DVec3::ZERO]));
            placed.columns = DVec3::AXES.map(|axis| about(axis, arm));
        }
    }
}

/// Motion of a centre of mass that is `arm` metres from a pivot by turning about an axis through that.
fn about(axis: DVec3, arm: DVec3) -> Twist {
    Twist { angular: axis, linear: axis.cross(arm) }
}

/// A link that keeps its attitude relative to its parent, and moves along an axis by a way and at a rate.
fn slide(placed: &mut PlacedLink, joint: &Joint, (parent, moving): (Pose, Twist), [way, rate]: [f64; 2]) {
    let (axis, w) = (parent.vector(joint.axis), moving.angular);
    let rotation = parent.rotation * joint.parent_from_link;
    let translation = parent.point(joint.on_parent) + axis * way;
    placed.pose = Pose { rotation, translation };
    placed.arm = translation - parent.translation;
    let carried = moving.shifted(placed.arm);
    placed.velocity = Twist { angular: w, linear: carried.linear + axis * rate };
    let bias = w.cross(w.cross(placed.arm)) + 2.0 * w.cross(axis * rate);
    placed.bias = Twist { angular: DVec3::ZERO, linear: bias };
    placed.columns[0] = Twist { angular: DVec3::ZERO, linear: axis };
}

/// A link that moves in a plane of its parent along two axes, and turns about the third: its turning, its coordinates and their rates.
fn slide_in_plane(
    placed: &mut PlacedLink,
    joint: &Joint,
    (parent, moving): (Pose, Twist),
    (turned, [way, rates]): (DQuat, [DVec3; 2]),
) {
    let (normal, w) = (parent.vector(joint.axis), moving.angular);
    let [first, second] = JointPlace::plane_axes(joint.axis).map(|axis| parent.vector(axis));
    let translation = parent.point(joint.on_parent) + first * way.x + second * way.y;
    placed.pose = Pose { rotation: parent.rotation * turned * joint.parent_from_link, translation };
    placed.arm = translation - parent.translation;
    let (sliding, turning) = (first * rates.x + second * rates.y, normal * rates.z);
    placed.velocity = Twist { angular: w + turning, linear: moving.shifted(placed.arm).linear + sliding };
    let curving = w.cross(w.cross(placed.arm)) + 2.0 * w.cross(sliding);
    placed.bias = Twist { angular: w.cross(turning), linear: curving };
    let along = |axis: DVec3| Twist { angular: DVec3::ZERO, linear: axis };
    placed.columns = [along(first), along(second), Twist { angular: normal, linear: DVec3::ZERO }];
}

/// A rotation about a unit vector.
fn turned_about(axis: DVec3, angle: f64) -> DQuat {
    let (s, c) = libm::sincos(0.5 * angle);
    let turn = axis * s;
    DQuat::from_xyzw(turn.x, turn.y, turn.z, c)
}

/// A link that turns about a pivot on its parent: its attitude, its angular velocity relative to the parent, and what that changes by because
/// the parent turns. Gives the arm from the pivot to its centre of mass.
fn turn_about(
    placed: &mut PlacedLink,
    joint: &Joint,
    (parent, moving): (Pose, Twist),
    (rotation, [turning, turned]): (DQuat, [DVec3; 2]),
) -> DVec3 {
    let pivot = parent.point(joint.on_parent);
    let arm = -(rotation * joint.on_link);
    placed.pose = Pose { rotation, translation: pivot + arm };
    placed.arm = placed.pose.translation - parent.translation;
    let (w, angular) = (moving.angular, moving.angular + turning);
    let to_pivot = pivot - parent.translation;
    placed.velocity = Twist { angular, linear: moving.shifted(to_pivot).linear + angular.cross(arm) };
    let curving = w.cross(w.cross(to_pivot)) + turned.cross(arm) + angular.cross(angular.cross(arm));
    placed.bias = Twist { angular: turned, linear: curving };
    arm
}
