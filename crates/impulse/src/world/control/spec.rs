//! What a user says of a controller.

use super::super::index::BodyId;
use super::super::linkage::linked::JointId;
use crate::control::{JointLaw, PoseLaw};
use crate::math::Pose;
use serde::{Deserialize, Serialize};

/// A controller of a world. The id of one that was removed is never given to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ControllerId(pub(crate) u32);

/// What a controller acts on, and by which law.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Controlled {
    /// A hinge or slider, by PD or PID of its position or rate.
    Joint {
        /// Which.
        joint: JointId,
        /// How.
        law: JointLaw,
    },
    /// Hinges and sliders of one linkage, by computed torque (5.16): they get the accelerations commanded, the other joints go as they
    /// are pushed.
    Torques {
        /// Which.
        joints: Vec<JointId>,
        /// Whether what lasting contact does to the links, in the mean over a hop, is reckoned with.
        feels_contact: bool,
        /// Force of each that is not exceeded, N m or N; empty where none has a limit.
        limits: Vec<Option<f64>>,
    },
    /// A free body, by PD of its place and attitude.
    Pose {
        /// Which.
        body: BodyId,
        /// How.
        law: PoseLaw,
    },
}

/// Where a controller leads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Goal {
    /// Position (rad, m) or rate (rad/s, m/s) of a joint.
    Joint(f64),
    /// Accelerations of joints, rad/s^2 or m/s^2.
    Accelerations(Vec<f64>),
    /// Centre of mass and attitude (of the shape's axes) of a body.
    Pose(Pose),
}

/// A controller to be added: see [`World::add_controller`](crate::world::World::add_controller).
///
/// ```
/// use impulse::prelude::*;
///
/// let mut builder = WorldBuilder::new(Settings::default())?;
/// builder.add_material(Material { friction: 0.5, restitution: 0.5, law: Law::Stronge })?;
/// let cart = builder.add_body(BodySpec::free("cart", Cuboid::new(DVec3::splat(0.1))?).mass(2.0))?;
/// let rail = builder.add_joint(JointSpec::new("rail", [None, Some(cart)], JointPlace::Slider { axis: DVec3::Z }))?;
/// let mut world = builder.build()?;
/// let law = JointLaw::position(Gains::pd(981.0, 60.0));
/// world.add_controller(ControllerSpec::joint(rail, law, 0.5, 1e-3))?;
/// world.run_to(3.0)?;
/// // It hangs m g / k_p below its goal.
/// let height = world.joint(rail).ok_or("it is there")?.position()[0];
/// assert!((height - (0.5 - 0.02)).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ControllerSpec {
    /// On what, and how.
    pub controlled: Controlled,
    /// Where to.
    pub goal: Goal,
    /// When it acts first, s; it acts at `start + k period`.
    pub start: f64,
    /// Time from tick to tick, s.
    pub period: f64,
    /// Whether it acts at all.
    pub enabled: bool,
}

impl Controlled {
    /// The joints that it acts on.
    pub(crate) fn joints(&self) -> &[JointId] {
        match self {
            Self::Joint { joint, .. } => std::slice::from_ref(joint),
            Self::Torques { joints, .. } => joints,
            Self::Pose { .. } => &[],
        }
    }

    /// The body that it acts on.
    pub(crate) fn body(&self) -> Option<BodyId> {
        match self {
            Self::Pose { body, .. } => Some(*body),
            Self::Joint { .. } | Self::Torques { .. } => None,
        }
    }
}

impl ControllerSpec {
    /// Of a hinge or slider that is to go to a position or to keep a rate.
    pub fn joint(joint: JointId, law: JointLaw, goal: f64, period: f64) -> Self {
        Self::new(Controlled::Joint { joint, law }, Goal::Joint(goal), period)
    }

    /// Of hinges and sliders of one linkage that are to be accelerated, by computed torque.
    pub fn torques(joints: &[JointId], accelerations: &[f64], period: f64) -> Self {
        let controlled = Controlled::Torques { joints: joints.to_vec(), feels_contact: false, limits: Vec::new() };
        Self::new(controlled, Goal::Accelerations(accelerations.to_vec()), period)
    }

    /// Of a free body that is to go to a place and an attitude.
    pub fn pose(body: BodyId, law: PoseLaw, goal: Pose, period: f64) -> Self {
        Self::new(Controlled::Pose { body, law }, Goal::Pose(goal), period)
    }

    fn new(controlled: Controlled, goal: Goal, period: f64) -> Self {
        Self { controlled, goal, start: 0.0, period, enabled: true }
    }
}
