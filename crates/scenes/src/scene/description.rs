//! A scene as plain, checked data, independent of the script that described it.

use super::native::Action;
use super::plain::Plain;
use super::program::Program;
use crate::random::Random;
use crate::urdf::Robot;
use glam::DVec3;
use impulse::body::Scripted;
use impulse::control::{JointLaw, PoseLaw};
use impulse::geometry::{
    Aabb, DecomposeSettings, MassProperties, PointMass, Polyhedron, Shape, Solid, VolumeIntegrals,
};
use impulse::math::Pose;
use impulse::multibody::{Elements, JointPlace};
use impulse::world::{BodyId, Controlled, ControllerSpec, Goal, JointFault, JointId, JointSpec, Surface, combine};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Everything a script describes. SI units, z up.
#[derive(Clone, Debug)]
pub struct SceneDescription {
    /// Default duration of a run, s.
    pub duration: f64,
    /// Gravitational acceleration, m/s^2.
    pub gravity: DVec3,
    /// Height of hops relative to the smaller body's bounding radius, if the scene says so.
    pub envelope: Option<f64>,
    /// Whether bodies that controllers act on hop in time with them.
    pub lock_hops: bool,
    /// The materials in the order of creation.
    pub materials: Vec<MaterialDescription>,
    /// Pairs of materials with an entry of their own.
    pub contacts: Vec<ContactDescription>,
    /// The bodies in the order of creation; their names are unique.
    pub bodies: Vec<BodyDescription>,
    /// The scripts included and those of creatures, as the script names them.
    pub included: Vec<String>,
    /// Mass of scripted bodies that may be released, by number.
    pub spare_masses: BTreeMap<usize, MassProperties>,
    /// The joints in the order of creation; their names are unique.
    pub joints: Vec<JointDescription>,
    /// The controllers in the order of creation; their names are unique.
    pub controllers: Vec<ControllerDescription>,
    /// The behaviours in the order of creation; their names are unique.
    pub behaviours: Vec<BehaviourDescription>,
    /// The creatures in the order of creation; their names are unique.
    pub creatures: Vec<CreatureDescription>,
    /// Those of its reports that behaviours tell.
    pub told: Vec<String>,
    /// The script, then the files of creatures in the order of first use.
    pub(crate) programs: Vec<Arc<Program>>,
    /// The random numbers that the script left.
    pub(crate) random: Random,
    /// The robots in the order of creation.
    pub robots: Vec<RobotDescription>,
    /// Pairs of bodies, by number, that pass through each other.
    pub ignored: Vec<[usize; 2]>,
    /// The part files read, in the order of first use.
    pub part_files: Vec<PartFileDescription>,
    /// The parameters in the order of first use.
    pub params: Vec<ParamDescription>,
    /// The names of its reports, in the order of the script.
    pub reports: Vec<String>,
    /// Time between two looks at a run, for reports that are asked while it lasts, s.
    pub look_every: f64,
    /// What the script printed, line by line.
    pub log: Vec<String>,
}

/// Index into [`SceneDescription::materials`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MaterialId(pub usize);

/// A material: its behaviour in contact with itself, and, by the combination rule, with others.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialDescription {
    /// Its name, if the script gave one.
    pub name: Option<String>,
    /// Friction, restitution and law, and optional laws of lasting contact.
    pub surface: Surface,
}

/// The contact behaviour of two materials, where the script sets it explicitly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactDescription {
    /// The two materials, the lower index first; they may be equal.
    pub pair: [MaterialId; 2],
    /// Friction, restitution and law, and optional laws of lasting contact.
    pub surface: Surface,
}

/// A body at time zero.
#[derive(Clone, Debug)]
pub struct BodyDescription {
    /// Its name.
    pub name: String,
    /// Its shape, in the shape's own frame.
    pub shape: ShapeDescription,
    /// Transforms from the shape's frame to the world; for a scripted body, the pose that its script starts from.
    pub world_from_shape: Pose,
    /// Centre of mass in the shape's frame, m: the centroid if the body has no mass, the origin for a half-space.
    pub com: DVec3,
    /// Its material.
    pub material: MaterialId,
    /// How it moves.
    pub motion: MotionDescription,
    /// Red, green and blue within [0, 1].
    pub color: Option<[f64; 3]>,
    /// What it looks like, if not like its shape; in the shape's frame.
    pub visual: Option<ShapeDescription>,
}

impl BodyDescription {
    /// What it looks like, in the shape's frame.
    pub fn appearance(&self) -> &ShapeDescription {
        self.visual.as_ref().unwrap_or(&self.shape)
    }

    /// Whether it has nothing to collide with.
    pub fn is_ghost(&self) -> bool {
        self.shape.parts.is_empty()
    }
}

/// A robot that was read from a file.
#[derive(Clone, Debug)]
pub struct RobotDescription {
    /// Its name.
    pub name: String,
    /// The file, as the script names it.
    pub file: String,
    /// What the file says.
    pub source: Arc<Robot>,
    /// Boxes around the shapes of the file's links, in their frames.
    pub extents: Vec<Option<Aabb>>,
    /// Mass of all links, kg, and their centre of mass at the start, world frame.
    pub mass: (f64, DVec3),
    /// Where the root link is put.
    pub world_from_root: Pose,
    /// Its bodies, by number.
    pub bodies: Range<usize>,
    /// Its joints, by number.
    pub joints: Range<usize>,
    /// Links that do not move relative to one of its bodies, or to the ground.
    pub places: Vec<PlaceDescription>,
    /// What of the file is not used, and other things to know.
    pub notes: Vec<String>,
}

/// A named frame of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceDescription {
    /// Its name.
    pub name: String,
    /// The body, by number; none for the ground.
    pub body: Option<usize>,
    /// Where it is in the body, or in the world.
    pub body_from_place: Pose,
}

/// A joint between two bodies, or a body and the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct JointDescription {
    /// Its name.
    pub name: String,
    /// The bodies by number; none for the ground.
    pub bodies: [Option<usize>; 2],
    /// Kind and place, world frame.
    pub place: JointPlace,
    /// What acts in it by itself.
    pub elements: Elements,
    /// Rate at the start: the first number for hinges and sliders; of a socket the relative angular velocity, world frame.
    pub rate: DVec3,
    /// Whether links of its linkage collide where they share no joint.
    pub collides: bool,
    /// Coordinate of a hinge or slider where the bodies are put, rad or m.
    pub start: f64,
    /// Largest force of its motor, N m or N: of a controller that is given no limit of its own.
    pub effort: Option<f64>,
}

impl JointDescription {
    /// The joint as the engine wants it, with the bodies of a world.
    pub fn spec(&self, body: impl Fn(usize) -> BodyId) -> JointSpec {
        let bodies = self.bodies.map(|number| number.map(&body));
        JointSpec::new(self.name.clone(), bodies, self.place)
            .elements(self.elements)
            .socket_rate(self.rate)
            .start(self.start)
    }

    /// Refuses numbers that no joint has.
    pub fn check(&self) -> Result<(), JointFault> {
        self.spec(|number| BodyId::from_bits(number as u64)).check()
    }
}

/// A controller of joints or of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct ControllerDescription {
    /// Its name.
    pub name: String,
    /// On what, and how.
    pub control: ControlDescription,
    /// Where to at the start.
    pub goal: Goal,
    /// When it acts first, s.
    pub start: f64,
    /// Time from tick to tick, s.
    pub period: f64,
    /// Whether it acts from the start.
    pub enabled: bool,
}

/// What a controller acts on, by number, and by which law.
#[derive(Clone, Debug, PartialEq)]
pub enum ControlDescription {
    /// A hinge or slider.
    Joint {
        /// Which.
        joint: usize,
        /// How.
        law: JointLaw,
    },
    /// Joints of one linkage, by computed torque.
    Torques {
        /// Which.
        joints: Vec<usize>,
        /// Whether lasting contact is reckoned with.
        feels_contact: bool,
        /// Force of each that is not exceeded, N m or N.
        limits: Vec<Option<f64>>,
    },
    /// Place and attitude of a free body.
    Pose {
        /// Which.
        body: usize,
        /// How.
        law: PoseLaw,
    },
}

impl ControllerDescription {
    /// The controller as the engine wants it, with the joints and bodies of a world.
    pub fn spec(&self, joint: impl Fn(usize) -> JointId, body: impl Fn(usize) -> BodyId) -> ControllerSpec {
        let controlled = match self.control {
            ControlDescription::Joint { joint: of, law } => Controlled::Joint { joint: joint(of), law },
            ControlDescription::Torques { ref joints, feels_contact, ref limits } => {
                let joints = joints.iter().map(|&of| joint(of)).collect();
                Controlled::Torques { joints, feels_contact, limits: limits.clone() }
            }
            ControlDescription::Pose { body: of, law } => Controlled::Pose { body: body(of), law },
        };
        let &Self { ref goal, start, period, enabled, .. } = self;
        ControllerSpec { controlled, goal: goal.clone(), start, period, enabled }
    }
}

/// A function of the script that is called at ticks.
#[derive(Clone, Debug, PartialEq)]
pub struct BehaviourDescription {
    /// Its name.
    pub name: String,
    /// When it is called first, s.
    pub start: f64,
    /// Time from call to call, s.
    pub period: f64,
    /// What it remembers at the start.
    pub(crate) memory: BTreeMap<String, Plain>,
    pub(crate) action: Action,
    /// Line and column of the script, with all that it includes.
    pub(crate) place: [usize; 2],
    /// Number of the creature whose file it is in.
    pub(crate) creature: Option<usize>,
}

/// A creature: what a file of its own describes, placed in the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct CreatureDescription {
    /// Its name. Bodies, joints and all else of its file are called `name.own name`.
    pub name: String,
    /// Its file, as the script names it.
    pub file: String,
    /// Its parameters in the order of first use.
    pub params: Vec<ParamDescription>,
    /// What the names of all that it has begin with.
    pub(crate) prefix: Arc<str>,
    /// Number of its file among the scene's programs.
    pub(crate) program: usize,
}

/// How a body moves.
#[derive(Clone, Debug)]
pub enum MotionDescription {
    /// Freely, under impacts and gravity.
    Free {
        /// Mass, centre of mass and inertia in the shape's frame.
        mass: MassProperties,
        /// Velocity of the centre of mass in the world frame, m/s.
        velocity: DVec3,
        /// Angular velocity in the shape's frame, rad/s.
        spin: DVec3,
    },
    /// Never.
    Fixed,
    /// Along a prescribed trajectory of the frame with its origin at the centre of mass and the shape's axes.
    Scripted(Scripted),
}

/// One or more rigidly joined solids, and point masses.
#[derive(Clone, Debug, Default)]
pub struct ShapeDescription {
    /// The solids. Where they overlap their masses add.
    pub parts: Vec<PartDescription>,
    /// Point masses, which do not collide.
    pub point_masses: Vec<PointMass>,
}

/// A solid that belongs to a shape.
#[derive(Clone, Debug)]
pub struct PartDescription {
    /// The solid in its own frame.
    pub solid: SolidDescription,
    /// Transforms from the part's frame to the shape's.
    pub shape_from_part: Pose,
    /// Its own density, kg/m^3, if it has one.
    pub density: Option<f64>,
}

/// A solid in its own frame.
#[derive(Clone, Debug)]
pub enum SolidDescription {
    /// A convex solid or a half-space.
    Convex(Shape),
    /// A non-convex polyhedron.
    Polyhedron(PolyhedronDescription),
}

/// A non-convex polyhedron: its exact surface where it is fixed or scripted, convex pieces where it moves freely.
#[derive(Clone, Debug)]
pub struct PolyhedronDescription {
    /// The solid.
    pub polyhedron: Arc<Polyhedron>,
    /// How finely it is decomposed where it moves freely.
    pub limits: DecomposeSettings,
    /// The part file it was read from.
    pub file: Option<String>,
}

/// A part file that a script read.
#[derive(Clone, Debug, PartialEq)]
pub struct PartFileDescription {
    /// The file as the script names it.
    pub name: String,
    /// Metres per unit of the file.
    pub scale: f64,
    /// Longest side of the box around the part, m.
    pub size: f64,
}

/// A parameter of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamDescription {
    /// Its name.
    pub name: String,
    /// The default.
    pub default: ParamValue,
    /// The value in use.
    pub value: ParamValue,
    /// What a user should know of it.
    pub hints: ParamHints,
}

/// What a script says of a parameter besides its default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParamHints {
    /// Smallest sensible value.
    pub min: Option<f64>,
    /// Largest sensible value.
    pub max: Option<f64>,
    /// Unit of the value.
    pub unit: Option<String>,
    /// What it is.
    pub about: Option<String>,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ParamValue {
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// True or false.
    Flag(bool),
    /// A text.
    Text(String),
}

impl SceneDescription {
    /// The body with this name.
    pub fn body(&self, name: &str) -> Option<&BodyDescription> {
        self.bodies.iter().find(|body| body.name == name)
    }

    /// The texts of the script, with all that it includes, and of the files of creatures.
    pub(crate) fn scripts(&self) -> impl Iterator<Item = &str> {
        self.programs.iter().map(|program| program.text())
    }

    /// The creature to which a behaviour belongs, by number.
    pub(crate) fn creature_of(&self, behaviour: usize) -> Option<&CreatureDescription> {
        self.behaviours[behaviour].creature.map(|number| &self.creatures[number])
    }

    /// The contact behaviour of two materials: their own entry if there is one, otherwise [`combine`](impulse::world::combine).
    pub fn surface(&self, a: MaterialId, b: MaterialId) -> Surface {
        let pair = [a.min(b), a.max(b)];
        let entry = self.contacts.iter().find(|contact| contact.pair == pair);
        entry.map_or_else(|| combine(&self.materials[a.0].surface, &self.materials[b.0].surface), |c| c.surface)
    }
}

impl ShapeDescription {
    /// A single solid in its own frame.
    pub fn solid(solid: SolidDescription) -> Self {
        let part = PartDescription { solid, shape_from_part: Pose::IDENTITY, density: None };
        Self { parts: vec![part], point_masses: Vec::new() }
    }

    /// Whether the shape is bounded, that is, has no half-space.
    pub fn is_bounded(&self) -> bool {
        self.parts.iter().all(|part| match &part.solid {
            SolidDescription::Convex(shape) => shape.is_bounded(),
            SolidDescription::Polyhedron(_) => true,
        })
    }
}

impl SolidDescription {
    /// The ten volume integrals in the solid's frame; `None` for a half-space.
    pub fn volume_integrals(&self) -> Option<VolumeIntegrals> {
        match self {
            Self::Convex(shape) => shape.volume_integrals(),
            Self::Polyhedron(part) => Some(part.polyhedron.volume_integrals()),
        }
    }
}

impl fmt::Display for ParamValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value:?}"),
            Self::Flag(value) => write!(f, "{value}"),
            Self::Text(value) => write!(f, "{value}"),
        }
    }
}
