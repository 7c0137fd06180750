//! Linkages as plain data from which they go on to the bit.

use super::ask::LinkageParts;
use super::element::{Elements, Hold};
use super::joint::Joint;
use super::linkage::{Course, Ending, Linkage};
use super::spatial::Wrench;
use super::tree::{Link, Tree};
use crate::body::{Motion, PrincipalMass};
use crate::math::{COEFFICIENTS, GAUSS_POINTS};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A linkage in a snapshot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedLinkage {
    links: Vec<SavedLink>,
    loads: Vec<Wrench>,
    forces: Vec<f64>,
    start: f64,
    coordinates: Vec<f64>,
    rates: Vec<f64>,
    holds: Vec<Hold>,
    blown: Vec<Option<[f64; 2]>>,
    /// None for ever.
    length: Option<f64>,
    end: Option<f64>,
    ending: Ending,
    guess: f64,
    kicked_until: f64,
    dampers: Vec<Option<f64>>,
    frozen: bool,
    coordinate_curves: Vec<[f64; COEFFICIENTS]>,
    rate_curves: Vec<[f64; COEFFICIENTS]>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct SavedLink {
    parent: Option<usize>,
    joint: Joint,
    mass: PrincipalMass,
    elements: Elements,
    cone: [DVec3; 2],
    radius: f64,
    watched: [f64; GAUSS_POINTS],
}

impl Linkage {
    pub(crate) fn saved(&self) -> SavedLinkage {
        let link = |(i, link): (usize, &Link)| SavedLink {
            parent: link.parent,
            joint: link.joint,
            mass: link.mass,
            elements: self.elements[i],
            cone: self.cones[i],
            radius: self.radii[i],
            watched: self.room.watched.get(i).copied().unwrap_or_default(),
        };
        let finite = |time: f64| (time < f64::INFINITY).then_some(time);
        let course = &self.course;
        SavedLinkage {
            links: self.tree.links().iter().enumerate().map(link).collect(),
            loads: self.loads.clone(),
            forces: self.forces.clone(),
            start: course.start,
            coordinates: course.coordinates.clone(),
            rates: course.rates.clone(),
            holds: course.holds.clone(),
            blown: course.blown.clone(),
            length: finite(course.length),
            end: finite(course.end),
            ending: course.ending,
            guess: course.guess,
            kicked_until: course.kicked_until,
            dampers: course.dampers.clone(),
            frozen: course.frozen,
            coordinate_curves: course.coordinate_curves.clone(),
            rate_curves: course.rate_curves.clone(),
        }
    }
}

impl SavedLinkage {
    /// Number of links.
    pub(crate) fn len(&self) -> usize {
        self.links.len()
    }

    /// Whether all numbers are there and finite.
    fn fits(&self, tree: &Tree) -> bool {
        let links = self.links.len();
        self.loads.len() == links
            && self.holds.len() == links
            && self.blown.len() == links
            && [self.forces.len(), self.rates.len(), self.rate_curves.len()].iter().all(|&n| n == tree.freedoms())
            && [self.coordinates.len(), self.coordinate_curves.len()].iter().all(|&n| n == tree.coordinates())
            && self.links.iter().all(|link| link.radius > 0.0 && link.joint.axis.is_finite())
            && self.rate_curves.iter().chain(&self.coordinate_curves).flatten().all(|x| x.is_finite())
            && (self.dampers.is_empty() || self.dampers.len() == tree.freedoms())
            && self.dampers.iter().flatten().all(|x| x.is_finite())
            && self.ending.link().is_none_or(|link| link < links)
            && (self.start.is_finite() && self.guess >= 0.0)
    }

    /// The linkage on a base, if there is one like that.
    pub(crate) fn restored(self, base: Motion, gravity: DVec3, least_rebound: f64) -> Option<Linkage> {
        let links = self.links.iter().map(|link| {
            let mut made = Link::new(link.parent, link.joint, link.mass);
            made.armature = link.elements.armature;
            made
        });
        let tree = Tree::new(links.collect())?;
        if !self.fits(&tree) {
            return None;
        }
        let parts = LinkageParts {
            tree,
            base,
            elements: self.links.iter().map(|link| link.elements).collect(),
            cones: self.links.iter().map(|link| link.cone).collect(),
            radii: self.links.iter().map(|link| link.radius).collect(),
            gravity,
            least_rebound,
        };
        let mut linkage = Linkage::new(parts);
        linkage.room.watched = self.links.iter().map(|link| link.watched).collect();
        (linkage.loads, linkage.forces) = (self.loads, self.forces);
        linkage.course = Course {
            start: self.start,
            coordinates: self.coordinates,
            rates: self.rates,
            holds: self.holds,
            blown: self.blown,
            length: self.length.unwrap_or(f64::INFINITY),
            end: self.end.unwrap_or(f64::INFINITY),
            ending: self.ending,
            guess: self.guess,
            kicked_until: self.kicked_until,
            dampers: self.dampers,
            frozen: self.frozen,
            coordinate_curves: self.coordinate_curves,
            rate_curves: self.rate_curves,
        };
        Some(linkage)
    }
}

impl Ending {
    /// The link that it is about.
    fn link(self) -> Option<usize> {
        match self {
            Self::Step => None,
            Self::Lower(link) | Self::Upper(link) | Self::Rest(link) | Self::Release(link) => Some(link),
        }
    }
}
