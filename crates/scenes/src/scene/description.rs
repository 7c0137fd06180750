//! A scene as plain data: what a script said, checked, with nothing of the script left in it.

use glam::DVec3;
use impulse::body::Scripted;
use impulse::geometry::{MassProperties, PointMass, Polyhedron, Shape, VolumeIntegrals};
use impulse::math::Pose;
use impulse::world::{Surface, combine};
use std::fmt;
use std::sync::Arc;

/// Everything a script says about a scene. SI units, z up.
#[derive(Clone, Debug)]
pub struct SceneDescription {
    /// How long the scene lasts unless told otherwise, s.
    pub duration: f64,
    /// Acceleration of everything that is free, m/s^2.
    pub gravity: DVec3,
    /// The materials in the order in which the script made them.
    pub materials: Vec<MaterialDescription>,
    /// Pairs of materials with an entry of their own.
    pub contacts: Vec<ContactDescription>,
    /// The bodies in the order in which the script made them; their names differ.
    pub bodies: Vec<BodyDescription>,
    /// The parameters in the order in which the script first asked for them.
    pub params: Vec<ParamDescription>,
    /// What the script printed, line by line.
    pub log: Vec<String>,
}

/// Which of [`SceneDescription::materials`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MaterialId(pub usize);

/// A material: how it behaves against itself, and by the combination rule against others.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialDescription {
    /// Its name, if the script gave one.
    pub name: Option<String>,
    /// Friction, restitution and law, and optional laws of lasting contact.
    pub surface: Surface,
}

/// What two materials do to each other, where the script says so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactDescription {
    /// The two materials, the lower number first; they may be one.
    pub pair: [MaterialId; 2],
    /// Friction, restitution and law, and optional laws of lasting contact.
    pub surface: Surface,
}

/// A body at time zero.
#[derive(Clone, Debug)]
pub struct BodyDescription {
    /// Its name.
    pub name: String,
    /// What it is made of, in its own frame.
    pub shape: ShapeDescription,
    /// Takes coordinates of the shape's frame to world coordinates; of a scripted body the pose that its script starts from.
    pub world_from_shape: Pose,
    /// Centre of mass in the shape's frame, m: the middle of the volume where no mass is known, the origin of a half-space.
    pub com: DVec3,
    /// What its surface is made of.
    pub material: MaterialId,
    /// How it moves.
    pub motion: MotionDescription,
    /// Red, green and blue within [0, 1].
    pub color: Option<[f64; 3]>,
}

/// How a body moves.
#[derive(Clone, Debug)]
pub enum MotionDescription {
    /// As impacts and gravity make it.
    Free {
        /// Mass, centre of mass and inertia in the shape's frame.
        mass: MassProperties,
        /// Velocity of the centre of mass in the world frame, m/s.
        velocity: DVec3,
        /// Angular velocity in the shape's frame, rad/s.
        spin: DVec3,
    },
    /// Not at all.
    Fixed,
    /// Along a trajectory: that of the frame whose origin is the centre of mass and whose axes are the shape's.
    Scripted(Scripted),
}

/// One or more solids, rigidly joined, and masses without extent.
#[derive(Clone, Debug, Default)]
pub struct ShapeDescription {
    /// The solids. Where they overlap their masses add.
    pub parts: Vec<PartDescription>,
    /// Masses without extent: they weigh but touch nothing.
    pub point_masses: Vec<PointMass>,
}

/// A solid that belongs to a shape.
#[derive(Clone, Debug)]
pub struct PartDescription {
    /// The solid in its own frame.
    pub solid: SolidDescription,
    /// Takes coordinates of the part's frame to those of the whole shape.
    pub shape_from_part: Pose,
    /// Its own density, kg/m^3, where it has one.
    pub density: Option<f64>,
}

/// A solid in its own frame.
#[derive(Clone, Debug)]
pub enum SolidDescription {
    /// A convex one, or a half-space.
    Convex(Shape),
    /// A polyhedron that is not convex.
    Polyhedron(Arc<Polyhedron>),
}

/// A parameter that a scene can be adjusted by.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamDescription {
    /// Its name.
    pub name: String,
    /// What it is unless set.
    pub default: ParamValue,
    /// What it is.
    pub value: ParamValue,
}

/// What a parameter may be.
#[derive(Clone, Debug, PartialEq)]
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
    /// The body of this name.
    pub fn body(&self, name: &str) -> Option<&BodyDescription> {
        self.bodies.iter().find(|body| body.name == name)
    }

    /// What two materials do to each other: their own entry if there is one, else [`combine`](impulse::world::combine).
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

    /// Whether no part is a half-space.
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
            Self::Polyhedron(polyhedron) => Some(impulse::geometry::Solid::volume_integrals(polyhedron.as_ref())),
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
