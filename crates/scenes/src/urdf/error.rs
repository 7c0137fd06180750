//! Why a robot's file cannot be used. Each error names file, line, element and attribute, and a remedy.

use crate::part::PartError;
use impulse::geometry::{MassError, PolyhedronError, ShapeError};
use std::fmt;

/// What is wrong with a robot's file, and where.
#[derive(Debug)]
pub struct UrdfError {
    /// The file.
    pub file: String,
    /// Line, counted from 1.
    pub line: usize,
    /// The element, such as `<mass> of link "arm"`.
    pub element: String,
    /// The attribute, if one is at fault.
    pub attribute: Option<String>,
    /// What is wrong.
    pub fault: Box<UrdfFault>,
}

impl fmt::Display for UrdfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.element)?;
        if let Some(attribute) = &self.attribute {
            write!(f, ", attribute `{attribute}`")?;
        }
        write!(f, ": {}", self.fault)
    }
}

impl std::error::Error for UrdfError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.fault)
    }
}

/// What is wrong with a robot's file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UrdfFault {
    /// The file is no XML.
    #[error("this is no XML: {0}")]
    Xml(String),
    /// The file is XML of another kind.
    #[error("a robot's file begins with <robot>, not <{0}>; give a URDF file")]
    NotRobot(String),
    /// The file is a macro.
    #[error("<{0}> is a macro; run `xacro FILE.xacro > FILE.urdf` first, and give the result")]
    Xacro(String),
    /// An attribute is not there.
    #[error("it is missing")]
    MissingAttribute,
    /// An attribute is no number, or not as many as needed.
    #[error(
        "`{found}` is not {expected}; write plain numbers without units: metres, kilograms, radians, with blanks between them"
    )]
    NotNumbers {
        /// What is there.
        found: String,
        /// What is needed.
        expected: &'static str,
    },
    /// A number is out of range.
    #[error("it is {value}; it must be {expected}")]
    Range {
        /// The number.
        value: f64,
        /// What is allowed.
        expected: &'static str,
    },
    /// An element is not there.
    #[error("it needs {0}")]
    MissingElement(&'static str),
    /// An element is there twice.
    #[error("there are two of them; keep one")]
    Twice,
    /// A name is used twice.
    #[error("another {0} has the name `{1}`; give each a name of its own")]
    DuplicateName(&'static str, String),
    /// A text is no name.
    #[error("a name is one line of 1 to 200 characters")]
    Name,
    /// No link has this name.
    #[error("there is no link `{name}`{}", suggestion(similar))]
    UnknownLink {
        /// The name.
        name: String,
        /// Similar names.
        similar: Vec<String>,
    },
    /// Two joints have the same child.
    #[error("link `{link}` is the child of joint `{other}` already; a link has one parent")]
    TwoParents {
        /// The child.
        link: String,
        /// The other joint.
        other: String,
    },
    /// No links.
    #[error("the robot has no links; add a <link>")]
    Empty,
    /// Several links are no joint's child.
    #[error(
        "{0} are not joined to one another, and a robot has one root; join them with a joint, a fixed one if they do not move"
    )]
    Roots(String),
    /// Joints form a cycle.
    #[error("the joints {0} form a cycle; a robot is a tree: leave one of them out")]
    Cycle(String),
    /// A link is its own parent.
    #[error("it joins link `{0}` to itself; give it another parent")]
    Itself(String),
    /// A kind of joint that there is not.
    #[error("`{0}` is no type of joint; take revolute, continuous, prismatic, fixed, floating or planar")]
    JointType(String),
    /// A joint that follows another.
    #[error(
        "mimic closes a loop, which joints cannot do; leave it out and drive both joints with controllers of equal goals"
    )]
    Mimic,
    /// An axis without direction.
    #[error("it has no direction; give a vector that is not zero")]
    Axis,
    /// Limits in the wrong order.
    #[error("the limits {low} to {high} leave no room to move; give lower < upper, or make the joint fixed")]
    Limits {
        /// The lower one.
        low: f64,
        /// The upper one.
        high: f64,
    },
    /// A link that moves and has no mass.
    #[error(
        "it moves (by joint `{joint}`) and has no mass; give it an <inertial> with a mass, or make the joint fixed"
    )]
    Massless {
        /// The joint that moves it.
        joint: String,
    },
    /// A root that should move and has no mass.
    #[error(
        "the root of the robot is free and has no mass; give it an <inertial>, or put the robot with base: \"fixed\""
    )]
    MasslessRoot,
    /// Mass properties of no body.
    #[error("{0}; mend its <inertia>, or take the one of its shape")]
    Mass(#[from] MassError),
    /// A shape without extent.
    #[error("{0}")]
    Shape(#[from] ShapeError),
    /// A path that is no path inside the folder.
    #[error(
        "`{0}` is not below the scene's folder; give a path relative to this file without `..`, or package://NAME/PATH"
    )]
    Path(String),
    /// A mesh in a format that is not read.
    #[error("collision meshes are read from .stl and .obj files only; convert `{0}` to one of these")]
    Format(String),
    /// A mesh that cannot be read.
    #[error("{0}")]
    Part(#[from] PartError),
    /// A mesh that is none once it is scaled.
    #[error("{0}")]
    Polyhedron(#[from] PolyhedronError),
    /// A file that cannot be read.
    #[error("{0}")]
    File(String),
}

fn suggestion(similar: &[String]) -> String {
    if similar.is_empty() {
        "; add it, or mend the name".to_owned()
    } else {
        format!("; did you mean `{}`?", similar.join("` or `"))
    }
}
