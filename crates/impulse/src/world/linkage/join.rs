//! Joints become linkages: the bodies are there, and are yet to enter the broad phase (figure 4.10).

use super::super::data::World;
use super::super::error::BuildError;
use super::super::index::{ColliderIndex, LinkageIndex};
use super::assemble::{FoundTree, Graph};
use super::linked::{LinkPlace, Linked, NamedJoint};
use super::spec::{JointFault, JointSpec};
use crate::body::{LinkPath, LinkPiece, Motion, State};
use crate::math::Pose;
use crate::multibody::{
    BaseState, Elements, Joint, JointKind, JointPlace, LimitRange, Link, Linkage, Placing, Posture, Tree, Twist,
};
use glam::{DQuat, DVec3};

/// How far a velocity given to a link may be from the one its joints give it, relative to both.
const SAME_VELOCITY: f64 = 1e-9;

/// Joints yet to be made, and what they may do.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joining {
    pub(crate) joints: Vec<JointSpec>,
    /// Joints of whose linkages links that share no joint collide.
    pub(crate) meet_own: Vec<usize>,
    /// Bodies that are linkages of one link.
    pub(crate) alone: Vec<usize>,
}

impl World {
    /// Makes linkages of all joints.
    pub(crate) fn join(&mut self, joining: &Joining) -> Result<(), BuildError> {
        if joining.joints.is_empty() && joining.alone.is_empty() {
            return Ok(());
        }
        let names: Vec<(&str, bool)> =
            self.colliders.iter().map(|c| (c.name.as_str(), self.member(c.id.collider()).is_free())).collect();
        let graph = Graph { joints: &joining.joints, bodies: &names };
        let fault =
            |(joint, fault): (usize, JointFault)| BuildError::Joint { name: joining.joints[joint].name.clone(), fault };
        let mut trees = graph.trees().map_err(fault)?;
        for &body in &joining.alone {
            let is_joined = trees.iter().any(|tree| tree.bodies.contains(&body));
            if graph.bodies[body].1 && !is_joined {
                trees.push(FoundTree { bodies: vec![body], joints: vec![None], parents: vec![None] });
            }
        }
        let mut named = vec![None; joining.joints.len()];
        for tree in &trees {
            let index = LinkageIndex(self.linkages.len() as u32);
            self.link(joining, tree, index).map_err(fault)?;
            for (link, joint) in tree.joints.iter().enumerate() {
                let Some(joint) = *joint else { continue };
                let spec = &joining.joints[joint];
                named[joint] = Some(NamedJoint {
                    name: spec.name.clone(),
                    bodies: spec.bodies,
                    linkage: index,
                    link: link as u32,
                    reversed: is_reversed(spec, tree.bodies[link]),
                });
            }
        }
        self.joints = named.into_iter().map(|joint| joint.expect("every joint is in a tree")).collect();
        Ok(())
    }

    /// Makes a linkage of a tree.
    fn link(&mut self, joining: &Joining, found: &FoundTree, index: LinkageIndex) -> Result<(), (usize, JointFault)> {
        let colliders: Vec<ColliderIndex> = found.bodies.iter().map(|&body| ColliderIndex(body as u32)).collect();
        let states: Vec<State> = colliders.iter().map(|&c| self.member(c).state_at(self.now)).collect();
        let base = found.joints[0].and_then(|joint| {
            let other = joining.joints[joint].bodies.iter().flatten().find(|id| id.index() != found.bodies[0])?;
            Some(other.collider())
        });
        let base_motion = base.map_or(Motion::fixed(Pose::IDENTITY), |base| self.member(base).motion().clone());
        let made = Making { world: self, joining, found, states: &states, colliders: &colliders, base: base_motion };
        let Made { linkage, coordinates, rates } = made.linkage()?;
        let mut linked = Linked {
            kicks: vec![0.0; colliders.len()],
            kicked: f64::NEG_INFINITY,
            linkage,
            colliders,
            base,
            blows: Vec::new(),
        };
        linked.linkage.launch(self.now, [&coordinates, &rates], &mut linked.blows);
        let meets_own = found.joints.iter().flatten().any(|joint| joining.meet_own.contains(joint));
        for (link, &collider) in linked.colliders.iter().enumerate() {
            let group = self.colliders[collider].group;
            let mass = *self.groups[group].motion().mass().expect("links are free bodies");
            let piece = linked.linkage.piece(link);
            let mut path = LinkPath::new(mass, LinkPiece::resting(self.now, states[link].world_from_body));
            path.go_on(piece, linked.linkage.end(), self.now);
            *self.groups[group].motion_mut() = Motion::of_link(path);
            self.groups[group].link = Some(LinkPlace { linkage: index, link: link as u32, meets_own });
            self.renew_track(collider);
        }
        for joint in found.joints.iter().flatten() {
            if let [Some(a), Some(b)] = joining.joints[*joint].bodies {
                self.barred.bar(a.collider(), b.collider());
            }
        }
        self.linkages.push(Some(Box::new(linked)));
        Ok(())
    }
}

/// A linkage in the making.
struct Making<'a> {
    world: &'a World,
    joining: &'a Joining,
    found: &'a FoundTree,
    states: &'a [State],
    colliders: &'a [ColliderIndex],
    base: Motion,
}

/// A linkage that is yet to be launched, and how it starts.
struct Made {
    linkage: Linkage,
    coordinates: Vec<f64>,
    rates: Vec<f64>,
}

impl Making<'_> {
    /// The linkage with its coordinates and rates at the start.
    fn linkage(self) -> Result<Made, (usize, JointFault)> {
        self.check_order()?;
        let tree = self.tree();
        let elements: Vec<Elements> =
            self.specs().map(|spec| spec.map_or(Elements::default(), |s| s.elements)).collect();
        let cones = (0..elements.len()).map(|link| self.cone(link)).collect::<Result<Vec<_>, _>>()?;
        let poses: Vec<Pose> = self.states.iter().map(|state| state.world_from_body).collect();
        let mut coordinates = tree.start(&poses);
        for (link, spec) in tree.links().iter().zip(self.specs()) {
            if let (JointKind::Hinge | JointKind::Slider, Some(spec)) = (link.joint.kind, spec) {
                coordinates[link.coordinate] = spec.start;
            }
        }
        let rates = self.rates(&tree);
        self.check_velocities(&tree, &coordinates, &rates)?;
        let settings = &self.world.settings;
        let radii = self.colliders.iter().map(|&c| self.world.colliders[c].radius).collect();
        let parts = crate::multibody::LinkageParts {
            tree,
            base: self.base,
            elements,
            cones,
            radii,
            gravity: settings.gravity,
            least_rebound: settings.least_hop_height(),
        };
        Ok(Made { linkage: Linkage::new(parts), coordinates, rates })
    }

    /// The ways of planar joints count along axes of the first body, so that must be the parent.
    fn check_order(&self) -> Result<(), (usize, JointFault)> {
        for (link, joint) in self.found.joints.iter().enumerate() {
            let Some((joint, spec)) = joint.map(|joint| (joint, &self.joining.joints[joint])) else { continue };
            if matches!(spec.place, JointPlace::Planar { .. }) && is_reversed(spec, self.found.bodies[link]) {
                let name = self.world.colliders[self.colliders[link]].name.clone();
                return Err((joint, JointFault::Carried(name)));
            }
        }
        Ok(())
    }

    /// What is said about the joint of each link.
    fn specs(&self) -> impl Iterator<Item = Option<&JointSpec>> {
        self.found.joints.iter().map(|joint| joint.map(|joint| &self.joining.joints[joint]))
    }

    fn parent_pose(&self, link: usize) -> Pose {
        match self.found.parents[link] {
            Some(parent) => self.states[parent].world_from_body,
            None => self.base.pose_at(self.world.now),
        }
    }

    fn tree(&self) -> Tree {
        let links = self.specs().enumerate().map(|(link, spec)| {
            let pose = &self.states[link].world_from_body;
            let joint = spec.map_or(Joint::FLOATING, |spec| {
                let place = facing(&spec.place, is_reversed(spec, self.found.bodies[link]));
                Joint::new(&place, &self.parent_pose(link), &at_zero(&place, pose, spec.start))
            });
            let mass = self.world.member(self.colliders[link]).mass().expect("links are free bodies");
            let mut made = Link::new(self.found.parents[link], joint, *mass);
            made.armature = spec.map_or(0.0, |spec| spec.elements.armature);
            made
        });
        Tree::new(links.collect()).expect("parents come before children")
    }

    /// The axis of a cone in the frames of parent and link.
    fn cone(&self, link: usize) -> Result<[DVec3; 2], (usize, JointFault)> {
        let Some(joint) = self.found.joints[link] else { return Ok([DVec3::Z; 2]) };
        let spec = &self.joining.joints[joint];
        let (JointPlace::Socket { through }, Some(limits)) = (spec.place, spec.elements.limits) else {
            return Ok([DVec3::Z; 2]);
        };
        if !matches!(limits.range, LimitRange::Cone(_)) {
            return Ok([DVec3::Z; 2]);
        }
        let pose = self.states[link].world_from_body;
        let axis = pose.translation - through;
        let collider = &self.world.colliders[self.colliders[link]];
        if axis.length() <= 1e-9 * collider.radius {
            return Err((joint, JointFault::NoAxis(collider.name.clone())));
        }
        let axis = axis.normalize();
        Ok([self.parent_pose(link).inverse_vector(axis), pose.inverse_vector(axis)])
    }

    fn rates(&self, tree: &Tree) -> Vec<f64> {
        let mut rates = vec![0.0; tree.freedoms()];
        let links = tree.links().iter().zip(self.specs()).zip(self.states).zip(&self.found.bodies);
        for (((link, spec), state), &body) in links {
            let own = &mut rates[link.freedoms()];
            match link.joint.kind {
                JointKind::Floating => {
                    own[..3].copy_from_slice(&state.angular_velocity().to_array());
                    own[3..].copy_from_slice(&state.velocity.to_array());
                }
                JointKind::Hinge | JointKind::Slider => own[0] = spec.map_or(0.0, |spec| spec.rate.x),
                JointKind::Planar => own.copy_from_slice(&spec.map_or(DVec3::ZERO, |spec| spec.rate).to_array()),
                JointKind::Socket => {
                    let seen = |spec: &JointSpec| if is_reversed(spec, body) { -spec.rate } else { spec.rate };
                    let rate = spec.map_or(DVec3::ZERO, seen);
                    own.copy_from_slice(&rate.to_array());
                }
                JointKind::Weld => {}
            }
        }
        rates
    }

    /// A velocity given to a link must be none, or the one that its joints give it.
    fn check_velocities(&self, tree: &Tree, coordinates: &[f64], rates: &[f64]) -> Result<(), (usize, JointFault)> {
        let mut posture = Posture::new(tree);
        posture.place(tree, &Placing { coordinates, rates, base: BaseState::of(&self.base, self.world.now) });
        for (link, (placed, state)) in posture.links().iter().zip(self.states).enumerate() {
            let given = Twist { angular: state.angular_velocity(), linear: state.velocity };
            let none = given == Twist::default();
            let collider = &self.world.colliders[self.colliders[link]];
            let size = |t: &Twist| t.linear.length() + t.angular.length() * collider.radius;
            let far = size(&(given - placed.velocity)) > SAME_VELOCITY * (size(&given) + size(&placed.velocity));
            if let (Some(joint), false, true) = (self.found.joints[link], none, far) {
                return Err((joint, JointFault::Velocity(collider.name.clone())));
            }
        }
        Ok(())
    }
}

/// Whether a joint's first body is the link, so that its coordinates count from the link to the parent.
fn is_reversed(spec: &JointSpec, link: usize) -> bool {
    spec.bodies[0].is_some_and(|id| id.index() == link)
}

/// Where a link is when its joint is at zero, by where it is now.
fn at_zero(place: &JointPlace, pose: &Pose, start: f64) -> Pose {
    match *place {
        _ if start == 0.0 => *pose,
        JointPlace::Hinge { axis, through } => {
            let (s, c) = libm::sincos(-0.5 * start);
            let turn = axis.normalize() * s;
            let turned = DQuat::from_xyzw(turn.x, turn.y, turn.z, c);
            Pose { rotation: turned * pose.rotation, translation: through + turned * (pose.translation - through) }
        }
        JointPlace::Slider { axis } => Pose { translation: pose.translation - axis.normalize() * start, ..*pose },
        JointPlace::Socket { .. } | JointPlace::Planar { .. } | JointPlace::Weld => *pose,
    }
}

/// The place of a joint as seen from the parent: with the axis the other way round, coordinates keep their sign.
fn facing(place: &JointPlace, reversed: bool) -> JointPlace {
    match *place {
        JointPlace::Hinge { axis, through } if reversed => JointPlace::Hinge { axis: -axis, through },
        JointPlace::Slider { axis } if reversed => JointPlace::Slider { axis: -axis },
        other => other,
    }
}
