//! Forward dynamics by articulated bodies (section 4.4, figure 4.11; trees: 4.5): accelerations from forces, in time linear in the
//! number of links.

use super::posture::{PlacedLink, Posture, rates_of};
use super::spatial::{Definite, SpatialInertia, Twist, Wrench};
use super::tree::Tree;
use glam::{DMat3, DVec3};

/// What acts on a linkage.
#[derive(Clone, Copy, Debug)]
pub struct Loads<'a> {
    /// On each link at its centre of mass, world axes, besides gravity; empty where there is none.
    pub links: &'a [Wrench],
    /// Along each freedom, in the order of the rates; empty where there is none.
    pub joints: &'a [f64],
    /// m/s^2.
    pub gravity: DVec3,
}

impl Posture {
    /// Accelerations of all rates and links of a posture that has been placed (figure 4.11).
    pub fn tree_fwd_dynamics(&mut self, tree: &Tree, loads: &Loads<'_>, accelerations: &mut [f64]) {
        self.begin(tree, loads);
        for i in (0..tree.links().len()).rev() {
            self.articulate_link(tree, i);
            let link = &tree.links()[i];
            let joint = if loads.joints.is_empty() { DVec3::ZERO } else { rates_of(link, loads.joints) };
            let placed = &mut self.links[i];
            let biased = placed.remaining + placed.articulated.times(&placed.bias);
            placed.rest = joint - placed.along(&biased);
            if let Some(parent) = link.parent {
                let passed = biased + placed.pushed(placed.solved(placed.rest));
                let arm = placed.arm;
                self.links[parent].remaining += passed.shifted_back(arm);
            }
        }
        self.accelerate(tree, loads, accelerations);
    }

    /// Inertias of all articulated bodies in a posture that has been placed: what impulses need.
    pub fn articulate(&mut self, tree: &Tree) {
        for (placed, link) in self.links.iter_mut().zip(tree.links()) {
            placed.articulated = SpatialInertia::rigid(link.mass.mass(), placed.inertia);
        }
        for i in (0..tree.links().len()).rev() {
            self.articulate_link(tree, i);
        }
    }

    fn begin(&mut self, tree: &Tree, loads: &Loads<'_>) {
        for (i, (placed, link)) in self.links.iter_mut().zip(tree.links()).enumerate() {
            let (mass, w) = (link.mass.mass(), placed.velocity.angular);
            placed.articulated = SpatialInertia::rigid(mass, placed.inertia);
            let given = loads.links.get(i).copied().unwrap_or_default();
            let gyration = w.cross(placed.inertia * w);
            placed.remaining = Wrench { moment: gyration, force: -mass * loads.gravity } - given;
        }
    }

    /// Completes the inertia of a link, whose children are done, and hands on what its parent feels of it (4.26).
    fn articulate_link(&mut self, tree: &Tree, i: usize) {
        let link = &tree.links()[i];
        let placed = &mut self.links[i];
        let n = placed.freedoms;
        for k in 0..n {
            placed.forces[k] = placed.articulated.times(&placed.columns[k]);
        }
        match n {
            0 => {}
            1 => placed.inverse = 1.0 / (placed.columns[0].dot(&placed.forces[0]) + link.armature),
            _ => {
                let forces = placed.forces;
                let row = |k: usize| placed.along(&forces[k]);
                let met = DMat3::from_cols(row(0), row(1), row(2));
                placed.met = Definite::new(&(met + DMat3::from_diagonal(DVec3::splat(link.armature))));
            }
        }
        if let Some(parent) = link.parent {
            let passed = placed.felt_through().shifted_back(placed.arm);
            self.links[parent].articulated += passed;
        }
    }

    fn accelerate(&mut self, tree: &Tree, loads: &Loads<'_>, accelerations: &mut [f64]) {
        let base = self.base.map_or(Twist::default(), |base| base.acceleration);
        for (i, link) in tree.links().iter().enumerate() {
            let parent = link.parent.map_or(base, |p| self.links[p].acceleration);
            let placed = &mut self.links[i];
            let own = &mut accelerations[link.freedoms()];
            if link.joint.kind == super::joint::JointKind::Floating {
                placed.acceleration = placed.articulated.solve(&-placed.remaining);
                let push = if loads.joints.is_empty() { [0.0; 6] } else { six(&loads.joints[link.freedoms()]) };
                debug_assert!(push == [0.0; 6], "nothing acts along the freedoms of a floating base");
                own[..3].copy_from_slice(&placed.acceleration.angular.to_array());
                own[3..].copy_from_slice(&placed.acceleration.linear.to_array());
                continue;
            }
            let rates = placed.go_along(parent.shifted(placed.arm));
            placed.acceleration = placed.acceleration + placed.bias;
            for (k, a) in own.iter_mut().enumerate() {
                *a = if k < placed.freedoms { rates[k] } else { 0.0 };
            }
        }
    }
}

fn six(numbers: &[f64]) -> [f64; 6] {
    std::array::from_fn(|k| numbers.get(k).copied().unwrap_or(0.0))
}

impl PlacedLink {
    /// `D^-1` times what is left for the freedoms.
    pub(crate) fn solved(&self, rest: DVec3) -> DVec3 {
        match self.freedoms {
            0 => DVec3::ZERO,
            1 => DVec3::new(rest.x * self.inverse, 0.0, 0.0),
            _ => self.met.solve(rest),
        }
    }

    /// The force on the articulated body by accelerations of its freedoms.
    pub(crate) fn pushed(&self, accelerations: DVec3) -> Wrench {
        let mut sum = Wrench::default();
        for (k, force) in self.forces[..self.freedoms].iter().enumerate() {
            sum += *force * accelerations[k];
        }
        sum
    }

    /// The acceleration of a link that its parent takes along (with `carried`), and the freedoms' own.
    pub(crate) fn go_along(&mut self, carried: Twist) -> DVec3 {
        let mut met = DVec3::ZERO;
        for (k, force) in self.forces[..self.freedoms].iter().enumerate() {
            met[k] = carried.dot(force);
        }
        let rates = self.solved(self.rest - met);
        self.acceleration = carried + self.freely(rates);
        rates
    }

    /// The inertia of the articulated body as felt through its joint: `I^A - U D^-1 U^T`.
    fn felt_through(&self) -> SpatialInertia {
        let mut felt = self.articulated;
        match self.freedoms {
            0 => {}
            1 => felt.remove(&self.forces[0], &(self.forces[0] * self.inverse)),
            _ => {
                for k in 0..3 {
                    let column = self.pushed(self.met.solve(DVec3::AXES[k]));
                    felt.remove(&self.forces[k], &column);
                }
            }
        }
        felt
    }
}
