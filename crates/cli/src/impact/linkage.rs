//! Impulses on linkages as JSON lines (thesis 5.3).

use super::record::{from_rows, name};
use anyhow::{Context, bail};
use impulse::body::PrincipalMass;
use impulse::geometry::MassProperties;
use impulse::math::{Pose, symmetric_eigen};
use impulse::multibody::{BaseState, Impulses, Joint, JointPlace, Link, LinkPoint, Placing, Posture, Tree, Wrench};
use impulse::{DMat3, DVec3};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// A linkage and an impulse as given. What the reference vectors tell besides is accepted and not used.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Given {
    #[serde(default, deserialize_with = "name")]
    pub(super) id: Option<String>,
    links: Vec<GivenLink>,
    contact: Contact,
    test_impulse: [f64; 3],
    #[serde(default, rename = "floating")]
    _floating: IgnoredAny,
    #[serde(default, rename = "cls")]
    _class: IgnoredAny,
    #[serde(default, rename = "note")]
    _note: IgnoredAny,
    #[serde(default, rename = "expected")]
    _expected: IgnoredAny,
    #[serde(default, rename = "agreement")]
    _agreement: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GivenLink {
    #[serde(default, rename = "index")]
    _index: IgnoredAny,
    parent: i64,
    mass: f64,
    com: [f64; 3],
    inertia: [[f64; 3]; 3],
    joint: Option<GivenJoint>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GivenJoint {
    #[serde(rename = "type")]
    kind: Kind,
    axis: [f64; 3],
    point: [f64; 3],
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Revolute,
    Prismatic,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Contact {
    link: usize,
    point: [f64; 3],
    frame: [[f64; 3]; 3],
}

/// What the impulse does.
#[derive(Serialize)]
pub(super) struct Answer {
    id: String,
    #[serde(rename = "K")]
    matrix: [[f64; 3]; 3],
    #[serde(rename = "K_rank")]
    rank: usize,
    dqdot: Vec<f64>,
    dv: Vec<Change>,
}

#[derive(Serialize)]
struct Change {
    omega: [f64; 3],
    v: [f64; 3],
}

/// Eigenvalues of a collision matrix below this share of the largest count as none.
const NO_EIGENVALUE: f64 = 1e-12;

impl Given {
    pub(super) fn answer(&self) -> anyhow::Result<Answer> {
        let (tree, poses) = self.tree()?;
        let Some(link) = self.contact.link.checked_sub(1).filter(|&link| link < self.links.len()) else {
            bail!("contact: there is no link {}; count links from 1", self.contact.link);
        };
        let (coordinates, mut changes) = (tree.start(&poses), vec![0.0; tree.freedoms()]);
        let mut posture = Posture::new(&tree);
        posture.place(&tree, &Placing { coordinates: &coordinates, rates: &changes, base: BaseState::GROUND });
        posture.articulate(&tree);
        let at = LinkPoint { link, point: self.contact.point.into() };
        let frame = from_rows(&self.contact.frame);
        let k = frame * posture.comp_multibody_k(&tree, [at; 2]) * frame.transpose();
        let impulse = frame.transpose() * DVec3::from_array(self.test_impulse);
        let mut links = vec![Wrench::default(); poses.len()];
        links[link] = Wrench::at(at.point - poses[link].translation, impulse);
        posture.propagate_impulse(&tree, &Impulses { links: &links, joints: &[] }, &mut changes);
        let change =
            |twist: &impulse::multibody::Twist| Change { omega: twist.angular.to_array(), v: twist.linear.to_array() };
        Ok(Answer {
            id: String::new(),
            matrix: k.transpose().to_cols_array_2d(),
            rank: rank(&k),
            dqdot: changes,
            dv: posture.links().iter().map(|placed| change(&placed.acceleration)).collect(),
        })
    }

    fn tree(&self) -> anyhow::Result<(Tree, Vec<Pose>)> {
        let (mut links, mut poses) = (Vec::new(), Vec::new());
        for (i, given) in self.links.iter().enumerate() {
            let (link, pose) = given.link(i, &poses).with_context(|| format!("link {}", i + 1))?;
            links.push(link);
            poses.push(pose);
        }
        let tree = Tree::new(links).filter(|_| !poses.is_empty());
        Ok((tree.context("give links in order: only the first has the ground or nothing as its parent")?, poses))
    }
}

impl GivenLink {
    fn link(&self, index: usize, poses: &[Pose]) -> anyhow::Result<(Link, Pose)> {
        let mass = MassProperties { mass: self.mass, com: self.com.into(), inertia: from_rows(&self.inertia) };
        mass.validate()?;
        let frame = mass.principal_frame();
        let pose = frame.reference_from_principal;
        let parent = usize::try_from(self.parent).ok().and_then(|p| p.checked_sub(1));
        if parent.is_some_and(|p| p >= index) || self.parent < -1 {
            bail!("its parent is {}; give the number of an earlier link, 0 or -1", self.parent);
        }
        let joint = match &self.joint {
            None if self.parent == -1 => Joint::FLOATING,
            Some(joint) if self.parent >= 0 => {
                let axis = DVec3::from_array(joint.axis);
                if !(axis.length() > 0.0 && axis.is_finite()) {
                    bail!("the axis of its joint has no direction");
                }
                let place = match joint.kind {
                    Kind::Revolute => JointPlace::Hinge { axis, through: joint.point.into() },
                    Kind::Prismatic => JointPlace::Slider { axis },
                };
                Joint::new(&place, &parent.map_or(Pose::IDENTITY, |p| poses[p]), &pose)
            }
            _ => bail!("a floating base (parent -1) has no joint, any other link has one"),
        };
        Ok((Link::new(parent, joint, PrincipalMass::new(self.mass, frame.moments)?), pose))
    }
}

impl Answer {
    pub(super) fn named(self, id: String) -> Self {
        Self { id, ..self }
    }
}

fn rank(k: &DMat3) -> usize {
    let values = symmetric_eigen((*k + k.transpose()) * 0.5).values.abs();
    values.to_array().iter().filter(|&&x| x > NO_EIGENVALUE * values.max_element()).count()
}
