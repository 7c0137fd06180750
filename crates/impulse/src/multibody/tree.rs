//! A linkage as a tree of links (figure 4.10): what does not change while it moves.

use super::joint::{Joint, JointKind};
use super::spatial::Twist;
use crate::body::{Acceleration, Motion, PrincipalMass};
use crate::math::Pose;

/// One link and the joint to its parent.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Number of the parent, smaller than its own; none for the first link, whose parent is the base, if it does not float.
    pub parent: Option<usize>,
    /// How it moves relative to the parent.
    pub joint: Joint,
    /// Mass and principal moments; the link's frame is the principal one.
    pub mass: PrincipalMass,
    /// Inertia of the joint's drive, kg m^2 or kg: it meets the rate of the joint alone.
    pub armature: f64,
    /// Where its coordinates begin.
    pub(crate) coordinate: usize,
    /// Where its rates begin.
    pub(crate) freedom: usize,
}

impl Link {
    /// A link; its place among coordinates and rates is found by [`Tree::new`].
    pub fn new(parent: Option<usize>, joint: Joint, mass: PrincipalMass) -> Self {
        Self { parent, joint, mass, armature: 0.0, coordinate: 0, freedom: 0 }
    }

    /// Where its rates are among those of the linkage.
    pub fn freedoms(&self) -> std::ops::Range<usize> {
        self.freedom..self.freedom + self.joint.kind.freedoms()
    }

    /// Where its coordinates are among those of the linkage.
    pub fn coordinates(&self) -> std::ops::Range<usize> {
        self.coordinate..self.coordinate + self.joint.kind.coordinates()
    }
}

/// Links, parents before children.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    links: Vec<Link>,
    coordinates: usize,
    freedoms: usize,
}

/// What the first link is joined to: where it is and how it moves.
#[derive(Clone, Copy, Debug)]
pub struct BaseState {
    /// `world_from_base`.
    pub pose: Pose,
    /// Velocity of its origin.
    pub velocity: Twist,
    /// Acceleration of its origin.
    pub acceleration: Twist,
}

impl BaseState {
    /// The ground.
    pub const GROUND: Self = Self {
        pose: Pose::IDENTITY,
        velocity: Twist { angular: glam::DVec3::ZERO, linear: glam::DVec3::ZERO },
        acceleration: Twist { angular: glam::DVec3::ZERO, linear: glam::DVec3::ZERO },
    };

    /// A fixed or scripted body at a time.
    pub fn of(motion: &Motion, t: f64) -> Self {
        let state = motion.state_at(t);
        let Acceleration { linear, angular } = motion.acceleration_in(&state, t);
        Self {
            pose: state.world_from_body,
            velocity: Twist { angular: state.angular_velocity(), linear: state.velocity },
            acceleration: Twist { angular, linear },
        }
    }
}

impl Tree {
    /// A tree of links, parents before children. `None` where one is not, or where another than the first has none.
    pub fn new(links: Vec<Link>) -> Option<Self> {
        let mut tree = Self { links, coordinates: 0, freedoms: 0 };
        for (i, link) in tree.links.iter_mut().enumerate() {
            let is_first = i == 0;
            let is_floating = link.joint.kind == JointKind::Floating;
            if link.parent.is_none() != is_first || link.parent.is_some_and(|p| p >= i) || (is_floating && !is_first) {
                return None;
            }
            (link.coordinate, link.freedom) = (tree.coordinates, tree.freedoms);
            tree.coordinates += link.joint.kind.coordinates();
            tree.freedoms += link.joint.kind.freedoms();
        }
        Some(tree)
    }

    /// The links, parents before children.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Number of coordinates.
    pub fn coordinates(&self) -> usize {
        self.coordinates
    }

    /// Number of rates.
    pub fn freedoms(&self) -> usize {
        self.freedoms
    }

    /// Whether it floats.
    pub fn floats(&self) -> bool {
        self.links.first().is_some_and(|link| link.joint.kind == JointKind::Floating)
    }

    /// Coordinates at which all links are in these poses; hinges and sliders are at zero there.
    pub fn start(&self, poses: &[Pose]) -> Vec<f64> {
        let mut coordinates = vec![0.0; self.coordinates];
        for (link, pose) in self.links.iter().zip(poses) {
            let own = &mut coordinates[link.coordinates()];
            match link.joint.kind {
                JointKind::Floating => {
                    own[..3].copy_from_slice(&pose.translation.to_array());
                    own[3..].copy_from_slice(&pose.rotation.to_array());
                }
                JointKind::Socket => own.copy_from_slice(&pose.rotation.to_array()),
                JointKind::Hinge | JointKind::Slider | JointKind::Planar | JointKind::Weld => {}
            }
        }
        coordinates
    }
}
