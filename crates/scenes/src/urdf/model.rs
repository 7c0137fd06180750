//! A robot as its file describes it.

use super::error::{UrdfError, UrdfFault};
use glam::DVec3;
use impulse::geometry::MassProperties;
use impulse::math::Pose;
use std::collections::BTreeMap;

/// Longest file that is read, bytes.
pub const MAX_BYTES: u64 = 16 << 20;

/// A robot: a tree of links. SI units.
#[derive(Clone, Debug)]
pub struct Robot {
    /// The file.
    pub file: String,
    /// Its name.
    pub name: String,
    /// The links in the order of the file.
    pub links: Vec<Link>,
    /// The joints in the order of the file.
    pub joints: Vec<Joint>,
    /// Links from the root on, parents before children, with the joint to the parent.
    pub order: Vec<(usize, Option<usize>)>,
    /// Elements and attributes that are not used, and how often they occur.
    pub ignored: BTreeMap<String, usize>,
}

/// A link.
#[derive(Clone, Debug)]
pub struct Link {
    /// Its name.
    pub name: String,
    /// Line in the file.
    pub line: usize,
    /// Its mass, if it has one.
    pub inertial: Option<Inertial>,
    /// What it collides with.
    pub collisions: Vec<Form>,
    /// What it looks like.
    pub visuals: Vec<Form>,
}

/// Mass properties of a link.
#[derive(Clone, Copy, Debug)]
pub struct Inertial {
    /// In the link's frame.
    pub mass: MassProperties,
    /// Line in the file.
    pub line: usize,
}

/// A geometry in the frame of a link.
#[derive(Clone, Debug)]
pub struct Form {
    /// The geometry.
    pub geometry: Geometry,
    /// Where it is.
    pub link_from_form: Pose,
    /// Red, green and blue within [0, 1].
    pub color: Option<[f64; 3]>,
    /// Line in the file.
    pub line: usize,
}

/// A geometry in its own frame, m.
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// A centred box with these full sizes.
    Box(DVec3),
    /// A centred cylinder along z.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Height.
        length: f64,
    },
    /// A centred capsule along z.
    Capsule {
        /// Radius.
        radius: f64,
        /// Length of its cylinder.
        length: f64,
    },
    /// A centred ball with this radius.
    Sphere(f64),
    /// A mesh in a file.
    Mesh {
        /// The file as the robot's file names it.
        file: String,
        /// Metres per unit of the file, along each axis; negative ones mirror.
        scale: DVec3,
    },
}

/// A joint. Its frame is that of its child at zero.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// Line in the file.
    pub line: usize,
    /// What it lets the child do.
    pub kind: JointType,
    /// Number of the parent.
    pub parent: usize,
    /// Number of the child.
    pub child: usize,
    /// Where it is in the parent.
    pub parent_from_joint: Pose,
    /// Unit vector in its frame.
    pub axis: DVec3,
    /// Lowest and highest coordinate, rad or m.
    pub limits: Option<[f64; 2]>,
    /// What acts in it.
    pub dynamics: Dynamics,
}

/// Types of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointType {
    /// Turns between limits.
    Revolute,
    /// Turns without limits.
    Continuous,
    /// Slides between limits.
    Prismatic,
    /// Does not give way.
    Fixed,
    /// Does not hold at all.
    Floating,
    /// Moves and turns in a plane.
    Planar,
}

/// What acts in a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dynamics {
    /// Force per rate.
    pub damping: f64,
    /// Constant friction, N m or N.
    pub friction: f64,
    /// Largest force of its motor, N m or N.
    pub effort: Option<f64>,
    /// Largest rate of its motor, rad/s or m/s.
    pub velocity: Option<f64>,
}

impl JointType {
    /// Its word in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Revolute => "revolute",
            Self::Continuous => "continuous",
            Self::Prismatic => "prismatic",
            Self::Fixed => "fixed",
            Self::Floating => "floating",
            Self::Planar => "planar",
        }
    }
}

impl Robot {
    /// An error at a link.
    pub fn link_error(&self, link: usize, fault: UrdfFault) -> UrdfError {
        let Link { name, line, .. } = &self.links[link];
        UrdfError {
            file: self.file.clone(),
            line: *line,
            element: format!("<link> `{name}`"),
            attribute: None,
            fault: fault.into(),
        }
    }

    /// An error at the inertia of a link.
    pub fn inertial_error(&self, link: usize, fault: UrdfFault) -> UrdfError {
        let line = self.links[link].inertial.as_ref().map_or(self.links[link].line, |inertial| inertial.line);
        let element = format!("<inertial> of link `{}`", self.links[link].name);
        UrdfError { file: self.file.clone(), line, element, attribute: None, fault: fault.into() }
    }

    /// An error at a geometry of a link.
    pub fn form_error(&self, link: usize, form: &Form, fault: UrdfFault) -> UrdfError {
        let (tag, attribute) = match form.geometry {
            Geometry::Box(_) => ("box", None),
            Geometry::Cylinder { .. } => ("cylinder", None),
            Geometry::Capsule { .. } => ("capsule", None),
            Geometry::Sphere(_) => ("sphere", None),
            Geometry::Mesh { .. } => ("mesh", Some("filename".to_owned())),
        };
        let element = format!("<{tag}> of link `{}`", self.links[link].name);
        UrdfError { file: self.file.clone(), line: form.line, element, attribute, fault: fault.into() }
    }
}
