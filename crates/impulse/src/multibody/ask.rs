//! What the rest of the world asks of a linkage, and how it is made.

use super::element::{Elements, Hold, LimitRange};
use super::forward::Loads;
use super::joint::JointKind;
use super::linkage::{Course, Gathered, Linkage, Room};
use super::posture::{Placing, Posture};
use super::spatial::Wrench;
use super::tree::{BaseState, Link, Tree};
use crate::body::Motion;
use crate::math::value;
use glam::DVec3;

/// Gauss' three points between -1 and 1, and their weights.
const NODES: [[f64; 2]; 3] =
    [[-0.774_596_669_241_483_4, 5.0 / 9.0], [0.0, 8.0 / 9.0], [0.774_596_669_241_483_4, 5.0 / 9.0]];

/// What a linkage is made of.
#[derive(Clone, Debug)]
pub(crate) struct LinkageParts {
    pub(crate) tree: Tree,
    /// Fixed or scripted.
    pub(crate) base: Motion,
    pub(crate) elements: Vec<Elements>,
    pub(crate) cones: Vec<[DVec3; 2]>,
    pub(crate) radii: Vec<f64>,
    pub(crate) gravity: DVec3,
    pub(crate) least_rebound: f64,
}

impl Linkage {
    /// A linkage on which nothing acts from outside; it is yet to be launched.
    pub(crate) fn new(parts: LinkageParts) -> Self {
        let LinkageParts { tree, base, elements, cones, radii, gravity, least_rebound } = parts;
        let (loads, forces) = (vec![Wrench::default(); radii.len()], vec![0.0; tree.freedoms()]);
        let room = Room { posture: Posture::new(&tree), ..Room::default() };
        let course =
            Course { holds: vec![Hold::Free; radii.len()], blown: vec![None; radii.len()], ..Course::default() };
        Self {
            tree,
            base,
            elements,
            cones,
            radii,
            gravity,
            loads,
            forces,
            least_rebound,
            course,
            room,
            gathered: Gathered::default(),
        }
    }

    /// When the present step ends, s.
    pub(crate) fn end(&self) -> f64 {
        self.course.end
    }

    /// Coordinates and rates that are in its room.
    pub(crate) fn take_room_state(&mut self) -> (Vec<f64>, Vec<f64>) {
        (std::mem::take(&mut self.room.coordinates), std::mem::take(&mut self.room.rates))
    }

    /// Gives the memory back.
    pub(crate) fn give_room_state(&mut self, (coordinates, rates): (Vec<f64>, Vec<f64>)) {
        (self.room.coordinates, self.room.rates) = (coordinates, rates);
    }

    /// The tree, the forces along freedoms, and coordinates and rates as placed last.
    pub(crate) fn parts_to_change(&mut self) -> (&Tree, &mut [f64], [&mut [f64]; 2]) {
        (&self.tree, &mut self.forces, [&mut self.room.coordinates, &mut self.room.rates])
    }

    /// What acts on a link from outside.
    pub(crate) fn load_mut(&mut self, link: usize) -> &mut Wrench {
        &mut self.loads[link]
    }

    /// Where a joint is, and its axis (of a cone: of the turning that it stops), world frame, at the beginning of the step.
    pub(crate) fn joint_place(&self, link: usize) -> (DVec3, DVec3) {
        let placed = &self.room.posture.links[link];
        let joint = &self.tree.links()[link].joint;
        let point = placed.pose.point(joint.on_link);
        let axis = match joint.kind {
            JointKind::Slider => placed.columns[0].linear,
            JointKind::Socket => {
                let [parent, own] = self.cone_axes(link, &self.room.posture);
                own.cross(parent).normalize_or(DVec3::X)
            }
            JointKind::Planar => placed.columns[2].angular,
            JointKind::Hinge | JointKind::Weld | JointKind::Floating => placed.columns[0].angular,
        };
        (point, axis)
    }

    /// The limits of a joint with an interval.
    pub(crate) fn interval(&self, link: usize) -> Option<[f64; 2]> {
        match self.elements[link].limits?.range {
            LimitRange::Interval(limits) => Some(limits),
            LimitRange::Cone(_) => None,
        }
    }

    /// Whether friction or a stop holds a joint.
    pub(crate) fn is_held(&self, link: usize) -> bool {
        self.course.holds[link].holds()
    }

    /// Accelerations of all freedoms at a time of the step, between impulses of contact.
    pub(crate) fn accelerations_at(&self, t: f64) -> Vec<f64> {
        self.dynamics_at(t).1
    }

    /// Forces along all freedoms but those that hold joints, accelerations, and how the links are placed, at a time of the step.
    fn dynamics_at(&self, t: f64) -> (Vec<f64>, Vec<f64>, Posture) {
        let (mut coordinates, mut rates, mut forces) = (Vec::new(), Vec::new(), Vec::new());
        self.coordinates_at(t, &mut coordinates);
        self.rates_at(t, &mut rates);
        self.find_joint_forces(&coordinates, &rates, &mut forces);
        let mut posture = Posture::new(&self.tree);
        let mut accelerations = vec![0.0; self.tree.freedoms()];
        self.solve(t, [&coordinates, &rates], (&mut posture, &forces), &mut accelerations);
        (forces, accelerations, posture)
    }

    /// Forces along all freedoms at a time of the step, those that hold joints included.
    pub(crate) fn joint_forces_at(&self, t: f64) -> Vec<f64> {
        let (mut forces, _, posture) = self.dynamics_at(t);
        for (link, hold) in self.course.holds.iter().enumerate().filter(|(_, hold)| hold.holds()) {
            let _ = hold;
            let held = self.holding_force(link, &posture, &forces);
            forces[self.tree.links()[link].freedom] += held;
        }
        forces
    }

    /// What a link's joint carries at a time of the step: the force on the link at its centre of mass, where contact does as given to all links.
    pub(crate) fn carried_at(&self, link: usize, t: f64, contact: &[Wrench]) -> Wrench {
        let (mut coordinates, mut rates, mut forces) = (Vec::new(), Vec::new(), Vec::new());
        self.coordinates_at(t, &mut coordinates);
        self.rates_at(t, &mut rates);
        self.find_joint_forces(&coordinates, &rates, &mut forces);
        let mut posture = Posture::new(&self.tree);
        let mut accelerations = vec![0.0; self.tree.freedoms()];
        let links: Vec<Wrench> = self.loads.iter().zip(contact).map(|(&load, &more)| load + more).collect();
        for (held, hold) in posture.held.iter_mut().zip(&self.course.holds) {
            *held = hold.holds();
        }
        let base = BaseState::of(&self.base, t);
        posture.place(&self.tree, &Placing { coordinates: &coordinates, rates: &rates, base });
        let loads = Loads { links: &links, joints: &forces, gravity: self.gravity };
        posture.tree_fwd_dynamics(&self.tree, &loads, &mut accelerations);
        let placed = &posture.links[link];
        placed.remaining + placed.articulated.times(&placed.acceleration)
    }

    /// Energy of springs and of the rates of armatures at a time of the step, J.
    pub(crate) fn energy_of_joints(&self, t: f64) -> [f64; 2] {
        let x = self.course.place(t);
        let mut energies = [0.0; 2];
        for (link, elements) in self.tree.links().iter().zip(&self.elements) {
            if let Some(spring) = elements.spring {
                energies[0] += spring.energy(value(&self.course.coordinate_curves[link.coordinate], x));
            }
            if elements.armature > 0.0 {
                let squares = link.freedoms().map(|k| value(&self.course.rate_curves[k], x)).map(|rate| rate * rate);
                energies[1] += 0.5 * elements.armature * squares.sum::<f64>();
            }
        }
        energies
    }

    /// Energy that damping and friction have taken in the step up to a time, J.
    pub(crate) fn drained(&self, t: f64) -> f64 {
        let duration = t - self.course.start;
        let takes = |elements: &Elements| elements.damping > 0.0 || elements.friction > 0.0;
        if self.course.frozen || duration <= 0.0 || !self.elements.iter().any(takes) {
            return 0.0;
        }
        let dampers: &[Option<f64>] = if self.course.is_kicked() { &self.course.dampers } else { &[] };
        let power = |share: f64| -> f64 {
            let x = self.course.place(self.course.start + share * duration);
            let of = |(i, link): (usize, &Link)| -> f64 {
                let Elements { damping, friction, .. } = self.elements[i];
                // The friction of a hop's flight is in its kick.
                let rubs = !self.course.is_kicked() && matches!(self.course.holds[i], Hold::Forth | Hold::Back);
                let rubbing = if rubs { friction } else { 0.0 };
                let damper =
                    |k: usize, rate: f64| dampers.get(k).copied().flatten().map_or(damping * rate, |force| -force);
                let rates = link.freedoms().map(|k| (k, value(&self.course.rate_curves[k], x)));
                rates.map(|(k, rate)| damper(k, rate) * rate + rubbing * rate.abs()).sum()
            };
            self.tree.links().iter().enumerate().map(of).sum()
        };
        let of_node = |&[place, weight]: &[f64; 2]| weight * power(0.5 + 0.5 * place);
        0.5 * duration * NODES.iter().map(of_node).sum::<f64>()
    }
}
