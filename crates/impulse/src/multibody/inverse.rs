//! Forces from accelerations, the inertia matrix in joint space, Jacobians, and what a linkage holds of energy and momentum
//! (sections 4.3, 5.3.1).

use super::forward::Loads;
use super::joint::JointKind;
use super::posture::Posture;
use super::spatial::{SpatialInertia, Twist, Wrench};
use super::tree::Tree;
use glam::DVec3;

impl Posture {
    /// Forces along all freedoms that accelerate them as given, in a posture that has been placed: inverse dynamics by Newton and
    /// Euler. Forces of a floating base are those that would have to act on it.
    pub fn inverse_dynamics(&mut self, tree: &Tree, accelerations: &[f64], loads: &Loads<'_>) -> Vec<f64> {
        let base = self.base.map_or(Twist::default(), |base| base.acceleration);
        for (i, link) in tree.links().iter().enumerate() {
            let parent = link.parent.map_or(base, |p| self.links[p].acceleration);
            let given = &accelerations[link.freedoms()];
            let placed = &mut self.links[i];
            placed.acceleration = if link.joint.kind == JointKind::Floating {
                Twist { angular: DVec3::from_slice(given), linear: DVec3::from_slice(&given[3..]) }
            } else {
                let own = given.iter().zip(&placed.columns).fold(Twist::default(), |sum, (&a, c)| sum + *c * a);
                parent.shifted(placed.arm) + own + placed.bias
            };
            let (mass, w) = (link.mass.mass(), placed.velocity.angular);
            let acting = loads.links.get(i).copied().unwrap_or_default();
            let inertial = Wrench {
                moment: placed.inertia * placed.acceleration.angular + w.cross(placed.inertia * w),
                force: mass * (placed.acceleration.linear - loads.gravity),
            };
            placed.remaining = inertial - acting;
        }
        let mut forces = self.gather_forces(tree);
        for link in tree.links().iter().filter(|link| link.joint.kind != JointKind::Floating) {
            for k in link.freedoms() {
                forces[k] += link.armature * accelerations[k];
            }
        }
        forces
    }

    /// Forces along all freedoms that carry what remains on the links.
    fn gather_forces(&mut self, tree: &Tree) -> Vec<f64> {
        let mut forces = vec![0.0; tree.freedoms()];
        for (i, link) in tree.links().iter().enumerate().rev() {
            let placed = &self.links[i];
            let (wrench, arm) = (placed.remaining, placed.arm);
            let own = &mut forces[link.freedoms()];
            if link.joint.kind == JointKind::Floating {
                own[..3].copy_from_slice(&wrench.moment.to_array());
                own[3..].copy_from_slice(&wrench.force.to_array());
            } else {
                own.iter_mut().zip(&placed.columns).for_each(|(f, column)| *f = column.dot(&wrench));
            }
            if let Some(parent) = link.parent {
                self.links[parent].remaining += wrench.shifted_back(arm);
            }
        }
        forces
    }

    /// The inertia matrix `H` in joint space, row by row, by composite bodies.
    pub fn joint_inertia(&self, tree: &Tree) -> Vec<f64> {
        let n = tree.freedoms();
        let mut matrix = vec![0.0; n * n];
        let mut composite: Vec<SpatialInertia> = tree
            .links()
            .iter()
            .zip(&self.links)
            .map(|(link, placed)| SpatialInertia::rigid(link.mass.mass(), placed.inertia))
            .collect();
        for (i, link) in tree.links().iter().enumerate().rev() {
            for column in link.freedoms() {
                let mut wrench = composite[i].times(&self.column(tree, i, column));
                let mut at = i;
                loop {
                    for row in tree.links()[at].freedoms() {
                        let entry = self.column(tree, at, row).dot(&wrench);
                        (matrix[row * n + column], matrix[column * n + row]) = (entry, entry);
                    }
                    let Some(parent) = tree.links()[at].parent else { break };
                    wrench = wrench.shifted_back(self.links[at].arm);
                    at = parent;
                }
                if link.joint.kind != JointKind::Floating {
                    matrix[column * n + column] += link.armature;
                }
            }
            if let Some(parent) = link.parent {
                let shifted = composite[i].shifted_back(self.links[i].arm);
                composite[parent] += shifted;
            }
        }
        matrix
    }

    /// Velocity of a link by each rate: column `k` is what a unit of rate `k` does, at the centre of mass in world axes (the
    /// Jacobian of section 5.3.1).
    pub fn jacobian(&self, tree: &Tree, link: usize) -> Vec<Twist> {
        let mut columns = vec![Twist::default(); tree.freedoms()];
        let (mut at, mut arm) = (link, DVec3::ZERO);
        loop {
            for k in tree.links()[at].freedoms() {
                columns[k] = self.column(tree, at, k).shifted(arm);
            }
            let Some(parent) = tree.links()[at].parent else { return columns };
            arm += self.links[at].arm;
            at = parent;
        }
    }

    /// Kinetic energy, J.
    pub fn kinetic_energy(&self, tree: &Tree, rates: &[f64]) -> f64 {
        let of_links = tree.links().iter().zip(&self.links).map(|(link, placed)| {
            let Twist { angular, linear } = placed.velocity;
            0.5 * (link.mass.mass() * linear.length_squared() + angular.dot(placed.inertia * angular))
        });
        let of_drives = tree
            .links()
            .iter()
            .filter(|link| link.armature > 0.0)
            .map(|link| 0.5 * link.armature * rates[link.freedoms()].iter().map(|r| r * r).sum::<f64>());
        of_links.sum::<f64>() + of_drives.sum::<f64>()
    }

    /// Linear momentum (kg m/s), and angular momentum about the origin (kg m^2/s).
    pub fn momenta(&self, tree: &Tree) -> [DVec3; 2] {
        let mut momenta = [DVec3::ZERO; 2];
        for (link, placed) in tree.links().iter().zip(&self.links) {
            let linear = link.mass.mass() * placed.velocity.linear;
            momenta[0] += linear;
            momenta[1] += placed.pose.translation.cross(linear) + placed.inertia * placed.velocity.angular;
        }
        momenta
    }

    /// Motion of link `i` by its own freedom number `k` of the linkage.
    fn column(&self, tree: &Tree, i: usize, k: usize) -> Twist {
        let link = &tree.links()[i];
        let own = k - link.freedom;
        match link.joint.kind {
            JointKind::Floating if own < 3 => Twist { angular: DVec3::AXES[own], linear: DVec3::ZERO },
            JointKind::Floating => Twist { angular: DVec3::ZERO, linear: DVec3::AXES[own - 3] },
            _ => self.links[i].columns[own],
        }
    }
}
