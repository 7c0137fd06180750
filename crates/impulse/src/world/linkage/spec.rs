//! What a user says about a joint (section 4.2), and what can be wrong with it.

use super::super::index::BodyId;
use crate::multibody::{Elements, JointPlace, LimitRange, Limits, Spring};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A joint between two bodies, or a body and the ground. Its coordinates are zero where the bodies are put, unless it begins elsewhere.
///
/// ```
/// use impulse::prelude::*;
///
/// let mut builder = WorldBuilder::new(Settings::default())?;
/// builder.add_material(Material { friction: 0.2, restitution: 0.5, law: Law::Stronge })?;
/// let rod = builder.add_body(BodySpec::free("rod", Cuboid::new(DVec3::new(1.0, 0.05, 0.05))?).at(DVec3::X * 0.5).mass(1.0))?;
/// builder.add_joint(JointSpec::new("pivot", [None, Some(rod)], JointPlace::Hinge { axis: DVec3::Y, through: DVec3::ZERO }))?;
/// let mut world = builder.build()?;
/// let before = world.energy();
/// world.run_to(10.0)?;
/// assert!((world.energy() - before).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[must_use = "a joint joins nothing until it is added"]
pub struct JointSpec {
    /// A name that no other joint has.
    pub name: String,
    /// The two bodies, none for the ground. Coordinates are those of the second relative to the first.
    pub bodies: [Option<BodyId>; 2],
    /// Kind and place, world frame.
    pub place: JointPlace,
    /// What acts in it by itself.
    pub elements: Elements,
    /// Rate at the start, rad/s or m/s: the first number for hinges and sliders; of a socket the relative angular velocity, world
    /// frame; of a planar joint two velocities along the axes of its plane and an angular one about its normal.
    pub rate: DVec3,
    /// Coordinate of a hinge or slider where the bodies are put, rad or m.
    #[serde(default)]
    pub start: f64,
}

impl JointSpec {
    /// A joint in which nothing acts, at rest.
    pub fn new(name: impl Into<String>, bodies: [Option<BodyId>; 2], place: JointPlace) -> Self {
        Self { name: name.into(), bodies, place, elements: Elements::default(), rate: DVec3::ZERO, start: 0.0 }
    }

    /// With what acts in it.
    pub fn elements(self, elements: Elements) -> Self {
        Self { elements, ..self }
    }

    /// With a rate of a hinge or slider at the start, rad/s or m/s.
    pub fn rate(self, rate: f64) -> Self {
        Self { rate: DVec3::new(rate, 0.0, 0.0), ..self }
    }

    /// With the rates of a planar joint at the start: m/s along the axes of its plane, rad/s about its normal.
    pub fn planar_rate(self, rate: DVec3) -> Self {
        Self { rate, ..self }
    }

    /// With a relative angular velocity of a socket at the start, world frame, rad/s.
    pub fn socket_rate(self, rate: DVec3) -> Self {
        Self { rate, ..self }
    }

    /// With a coordinate of a hinge or slider where the bodies are put, rad or m.
    pub fn start(self, start: f64) -> Self {
        Self { start, ..self }
    }

    /// Refuses numbers that no joint has.
    pub fn check(&self) -> Result<(), JointFault> {
        let has_axis = match self.place {
            JointPlace::Hinge { axis, through } => is_direction(axis) && through.is_finite(),
            JointPlace::Slider { axis } | JointPlace::Planar { normal: axis } => is_direction(axis),
            JointPlace::Socket { through } => through.is_finite(),
            JointPlace::Weld => true,
        };
        if !has_axis {
            return Err(JointFault::Place);
        }
        let Elements { damping, spring, friction, limits, armature } = self.elements;
        for (what, value) in [("damping", damping), ("friction", friction), ("armature", armature)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(JointFault::Negative { what, value });
            }
        }
        if !self.rate.is_finite() {
            return Err(JointFault::Negative { what: "rate", value: f64::NAN });
        }
        if !self.start.is_finite() {
            return Err(JointFault::Negative { what: "start", value: self.start });
        }
        self.check_kind(spring, friction, armature)?;
        spring.map_or(Ok(()), check_spring)?;
        limits.map_or(Ok(()), |limits| self.check_limits(&limits))
    }

    /// Refuses what a joint of this kind does not have.
    fn check_kind(&self, spring: Option<Spring>, friction: f64, armature: f64) -> Result<(), JointFault> {
        let has = |what, is_there: bool| if is_there { Err(JointFault::NotHere { what }) } else { Ok(()) };
        match self.place {
            JointPlace::Hinge { .. } | JointPlace::Slider { .. } => Ok(()),
            JointPlace::Socket { .. } => {
                has("spring", spring.is_some())?;
                has("constant friction", friction > 0.0)?;
                has("other start than zero", self.start != 0.0)
            }
            JointPlace::Planar { .. } => {
                has("spring", spring.is_some())?;
                has("constant friction", friction > 0.0)?;
                has("armature", armature > 0.0)?;
                has("limits", self.elements.limits.is_some())?;
                has("other start than zero", self.start != 0.0)
            }
            JointPlace::Weld => {
                has("spring", spring.is_some())?;
                has("friction", friction > 0.0)?;
                has("damping", self.elements.damping > 0.0)?;
                has("armature", armature > 0.0)?;
                has("limits", self.elements.limits.is_some())?;
                has("rate", self.rate != DVec3::ZERO)?;
                has("other start than zero", self.start != 0.0)
            }
        }
    }

    fn check_limits(&self, limits: &Limits) -> Result<(), JointFault> {
        if !(0.0..=1.0).contains(&limits.restitution) {
            return Err(JointFault::Restitution(limits.restitution));
        }
        match (limits.range, self.place) {
            (LimitRange::Interval([low, high]), JointPlace::Hinge { .. } | JointPlace::Slider { .. }) => {
                let start = self.start;
                if !(low <= start && high >= start && low < high) {
                    return Err(JointFault::Limits { low, high, start });
                }
            }
            (LimitRange::Cone(angle), JointPlace::Socket { .. }) => {
                if !(angle > 0.0 && angle < std::f64::consts::PI) {
                    return Err(JointFault::Cone(angle));
                }
            }
            _ => return Err(JointFault::NotHere { what: "limits of this form" }),
        }
        Ok(())
    }
}

fn is_direction(axis: DVec3) -> bool {
    axis.is_finite() && axis.length() > 0.0 && axis.length().is_finite()
}

fn check_spring(spring: Spring) -> Result<(), JointFault> {
    match spring {
        Spring::Linear { stiffness, rest } if stiffness >= 0.0 && stiffness.is_finite() && rest.is_finite() => Ok(()),
        Spring::Hard { strength, end } if strength >= 0.0 && strength.is_finite() && end.is_finite() && end != 0.0 => {
            Ok(())
        }
        Spring::Linear { stiffness: value, .. } | Spring::Hard { strength: value, .. } => {
            Err(JointFault::Negative { what: "spring", value })
        }
    }
}

/// What is wrong with a joint.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum JointFault {
    /// Another joint has its name.
    #[error("another joint has this name; give each joint a name of its own")]
    DuplicateName,
    /// A body that is not there.
    #[error("it joins a body that is not in this world; add the body first")]
    NoSuchBody,
    /// Neither body can move.
    #[error("neither \"{0}\" nor \"{1}\" can be moved by a joint; make one of them free")]
    Immovable(String, String),
    /// Both ends on one body.
    #[error("both its ends are on \"{0}\"; join two bodies")]
    Itself(String),
    /// It closes a loop.
    #[error("it closes a loop: {0}; leave one of these joints out")]
    Loop(String),
    /// An axis without direction, or a point that is not finite.
    #[error("its axis has no direction, or its place is not finite; give a vector that is not zero")]
    Place,
    /// A number out of range.
    #[error("{what} is {value}; give a finite number that is not negative (the end of a hard spring: not zero)")]
    Negative {
        /// Which.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// Something that this kind of joint does not have.
    #[error("a joint of this kind has no {what}; leave it out, or take a hinge or slider")]
    NotHere {
        /// Which.
        what: &'static str,
    },
    /// Restitution out of range.
    #[error("the restitution of its limits is {0}; give a number from 0 to 1")]
    Restitution(f64),
    /// The start is outside the limits.
    #[error(
        "its limits {low} to {high} do not contain {start}, where the bodies are put; move the bodies, or the limits"
    )]
    Limits {
        /// The lower one.
        low: f64,
        /// The upper one.
        high: f64,
        /// Where it starts.
        start: f64,
    },
    /// A cone that is none.
    #[error("its cone has an angle of {0}; give an angle between 0 and pi")]
    Cone(f64),
    /// A cone without an axis.
    #[error(
        "its socket is at the centre of mass of \"{0}\", so that its cone has no axis; move the socket, or leave the limits out"
    )]
    NoAxis(String),
    /// A link has a velocity that its joints do not allow.
    #[error("body \"{0}\" is given a velocity that its joints do not allow; give the joints rates instead")]
    Velocity(String),
    /// A planar joint that names the farther body first.
    #[error("a planar joint names the body that carries it first, and \"{0}\" is carried; swap its bodies")]
    Carried(String),
}
