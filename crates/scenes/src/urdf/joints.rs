//! Joints of a robot's file.

use super::error::UrdfFault;
use super::frames::origin;
use super::model::{Dynamics, Joint, JointType};
use super::xml::{Element, Read};
use crate::suggest::similar;
use glam::DVec3;
use std::collections::BTreeMap;

/// Links by name.
pub(super) type Names<'a> = BTreeMap<&'a str, usize>;

/// Elements of a joint that are known; what is not used is listed.
const KNOWN: [&str; 6] = ["origin", "parent", "child", "axis", "limit", "dynamics"];

pub(super) fn joint(element: Element<'_>, links: &Names<'_>) -> Read<Joint> {
    if let Some(mimic) = element.child("mimic")? {
        return Err(mimic.fault(None, UrdfFault::Mimic));
    }
    element.know(&KNOWN, &["name", "type"])?;
    let kind = kind(element)?;
    let (parent, child) = (end(element, "parent", links)?, end(element, "child", links)?);
    if parent == child {
        let name = element.child("child")?.and_then(|child| child.text("link")).unwrap_or_default().to_owned();
        return Err(element.fault(None, UrdfFault::Itself(name)));
    }
    let (limits, limit) = limits(element, kind)?;
    Ok(Joint {
        name: element.name("name")?,
        line: element.line(),
        kind,
        parent,
        child,
        parent_from_joint: origin(element)?,
        axis: axis(element, kind)?,
        limits,
        dynamics: dynamics(element, limit)?,
    })
}

fn kind(element: Element<'_>) -> Read<JointType> {
    let kinds = [
        JointType::Revolute,
        JointType::Continuous,
        JointType::Prismatic,
        JointType::Fixed,
        JointType::Floating,
        JointType::Planar,
    ];
    let word = element.needed_text("type")?;
    match kinds.into_iter().find(|kind| kind.word() == word) {
        Some(kind) => Ok(kind),
        None => {
            let word = word.chars().filter(|c| !c.is_control()).take(60).collect();
            Err(element.fault(Some("type"), UrdfFault::JointType(word)))
        }
    }
}

/// The link at one end.
fn end(element: Element<'_>, tag: &'static str, links: &Names<'_>) -> Read<usize> {
    let missing = if tag == "parent" { "a <parent link=\"...\"/>" } else { "a <child link=\"...\"/>" };
    let end = element.child(tag)?.ok_or_else(|| element.fault(None, UrdfFault::MissingElement(missing)))?;
    end.know(&[], &["link"])?;
    let name = end.name("link")?;
    let unknown = |name: String| {
        let similar = similar(&name, links.keys().copied());
        end.fault(Some("link"), UrdfFault::UnknownLink { name, similar })
    };
    links.get(name.as_str()).copied().ok_or_else(|| unknown(name))
}

fn axis(element: Element<'_>, kind: JointType) -> Read<DVec3> {
    let Some(axis) = element.child("axis")? else { return Ok(DVec3::X) };
    axis.know(&[], &["xyz"])?;
    let along = axis.vector("xyz")?.ok_or_else(|| axis.fault(Some("xyz"), UrdfFault::MissingAttribute))?;
    if matches!(kind, JointType::Fixed | JointType::Floating) {
        return Ok(DVec3::X);
    }
    // The largest part first: squares of very small numbers are zero.
    let largest = along.abs().max_element();
    if largest > 0.0 { Ok((along / largest).normalize()) } else { Err(axis.fault(Some("xyz"), UrdfFault::Axis)) }
}

/// Lower and upper limit, and the element that tells more about the motor.
fn limits(element: Element<'_>, kind: JointType) -> Read<(Option<[f64; 2]>, Option<Element<'_>>)> {
    let limit = element.child("limit")?;
    let is_limited = matches!(kind, JointType::Revolute | JointType::Prismatic);
    let Some(limit) = limit else {
        let missing =
            UrdfFault::MissingElement("a <limit lower=\"...\" upper=\"...\" effort=\"...\" velocity=\"...\"/>");
        return if is_limited { Err(element.fault(None, missing)) } else { Ok((None, None)) };
    };
    limit.know(&[], &["lower", "upper", "effort", "velocity"])?;
    let [low, high] = [limit.number("lower")?.unwrap_or(0.0), limit.number("upper")?.unwrap_or(0.0)];
    if !is_limited {
        return Ok((None, Some(limit)));
    }
    if low < high {
        Ok((Some([low, high]), Some(limit)))
    } else {
        Err(limit.fault(None, UrdfFault::Limits { low, high }))
    }
}

fn dynamics(element: Element<'_>, limit: Option<Element<'_>>) -> Read<Dynamics> {
    let mut known = Dynamics::default();
    if let Some(limit) = limit {
        // Zero stands for a motor of which nothing is known.
        known.effort = limit.not_negative("effort")?.filter(|effort| *effort > 0.0);
        known.velocity = limit.not_negative("velocity")?.filter(|velocity| *velocity > 0.0);
    }
    if let Some(dynamics) = element.child("dynamics")? {
        dynamics.know(&[], &["damping", "friction"])?;
        known.damping = dynamics.not_negative("damping")?.unwrap_or(0.0);
        known.friction = dynamics.not_negative("friction")?.unwrap_or(0.0);
    }
    Ok(known)
}
