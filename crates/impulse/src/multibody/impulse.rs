//! What impulses do to a linkage (section 5.3): the same recursion as forward dynamics without velocities and forces.

use super::joint::JointKind;
use super::posture::Posture;
use super::spatial::{Twist, Wrench};
use super::tree::Tree;
use glam::{DMat3, DVec3};

/// A point of a link, world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkPoint {
    /// Number of the link.
    pub link: usize,
    /// Metres.
    pub point: DVec3,
}

impl Posture {
    /// Changes of all rates and velocities (as accelerations of [`Posture::links`]) by impulses on links and along freedoms, in a posture
    /// whose articulated inertias are known (figures 5.7 and 5.10, corrected).
    pub fn propagate_impulse(&mut self, tree: &Tree, impulses: &Impulses<'_>, changes: &mut [f64]) {
        for (i, placed) in self.links.iter_mut().enumerate() {
            placed.remaining = -impulses.links.get(i).copied().unwrap_or_default();
        }
        for (i, link) in tree.links().iter().enumerate().rev() {
            let placed = &mut self.links[i];
            let joint =
                if impulses.joints.is_empty() { DVec3::ZERO } else { super::posture::rates_of(link, impulses.joints) };
            placed.rest = joint - placed.along(&placed.remaining);
            if let Some(parent) = link.parent {
                let passed = placed.remaining + placed.pushed(placed.solved(placed.rest));
                let arm = placed.arm;
                self.links[parent].remaining += passed.shifted_back(arm);
            }
        }
        for (i, link) in tree.links().iter().enumerate() {
            let parent = link.parent.map_or(Twist::default(), |p| self.links[p].acceleration);
            let placed = &mut self.links[i];
            let own = &mut changes[link.freedoms()];
            if link.joint.kind == JointKind::Floating {
                placed.acceleration = placed.articulated.solve(&-placed.remaining);
                own[..3].copy_from_slice(&placed.acceleration.angular.to_array());
                own[3..].copy_from_slice(&placed.acceleration.linear.to_array());
                continue;
            }
            let rates = placed.go_along(parent.shifted(placed.arm));
            for (k, a) in own.iter_mut().enumerate() {
                *a = if k < placed.freedoms { rates[k] } else { 0.0 };
            }
        }
    }

    /// The velocity change at a point of one link by an impulse at a point of the same or another (figure 5.7): only the ways from both
    /// to the first link are gone.
    pub fn impulse_response(&mut self, tree: &Tree, [at, from]: [LinkPoint; 2], impulse: DVec3) -> DVec3 {
        let arm = from.point - self.links[from.link].pose.translation;
        let response = self.link_response(tree, [at.link, from.link], Wrench::at(arm, impulse));
        response.shifted(at.point - self.links[at.link].pose.translation).linear
    }

    /// Any block of the collision matrix of a linkage (section 5.3.1, corrected): velocity change at one point by unit impulses at
    /// another, 1/kg.
    pub fn comp_multibody_k(&mut self, tree: &Tree, points: [LinkPoint; 2]) -> DMat3 {
        let columns = DVec3::AXES.map(|unit| self.impulse_response(tree, points, unit));
        DMat3::from_cols(columns[0], columns[1], columns[2])
    }

    /// Velocity change of link `at` by an impulse on link `from`.
    fn link_response(&mut self, tree: &Tree, [at, from]: [usize; 2], impulse: Wrench) -> Twist {
        self.find_way(tree, at);
        let mut passed = -impulse;
        let mut next = Some(from);
        while let Some(i) = next {
            let placed = &mut self.links[i];
            placed.remaining = passed;
            placed.rest = -placed.along(&passed);
            passed = (passed + placed.pushed(placed.solved(placed.rest))).shifted_back(placed.arm);
            next = tree.links()[i].parent;
        }
        let mut change = Twist::default();
        for k in (0..self.way.len()).rev() {
            let i = self.way[k];
            let placed = &mut self.links[i];
            if tree.links()[i].joint.kind == JointKind::Floating {
                placed.acceleration = placed.articulated.solve(&-placed.remaining);
            } else {
                placed.go_along(change.shifted(placed.arm));
            }
            change = placed.acceleration;
        }
        change
    }

    /// The way from a link to the first one, on which nothing acts yet.
    fn find_way(&mut self, tree: &Tree, link: usize) {
        self.way.clear();
        let mut next = Some(link);
        while let Some(i) = next {
            self.way.push(i);
            (self.links[i].rest, self.links[i].remaining) = (DVec3::ZERO, Wrench::default());
            next = tree.links()[i].parent;
        }
    }
}

/// Impulses on a linkage.
#[derive(Clone, Copy, Debug)]
pub struct Impulses<'a> {
    /// On each link at its centre of mass, N s and N m s; empty where there is none.
    pub links: &'a [Wrench],
    /// Along each freedom; empty where there is none.
    pub joints: &'a [f64],
}
