//! The course of an island through the time that a kick stands for, in stages: how slips, velocities and impulses have changed so
//! far (beside section 3.5).

use crate::contact::{ContactPoint, Mover, Resistance};
use glam::{DVec2, DVec3};

/// Distance from zero, relative to the change of slip in a stage, within which a point has come to a stop.
const STOPPED: f64 = 1e-2;

/// Cosine of the angle up to which friction has the mean direction of the slip before and after; what turns farther may stop.
const SMOOTH: f64 = 0.9;

/// Where an island has got to. Kept from hop to hop for its memory alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Course {
    /// Slip of every point, contact axes, m/s; zero where it sticks.
    pub(crate) slips: Vec<DVec2>,
    /// What the stages so far have come to.
    pub(crate) reached: Reached,
    /// What one stage alone came to, with friction against the slip of the coming flight.
    pub(crate) plain: Reached,
    /// What the points are to reach in the end, contact axes, m/s.
    pub(crate) targets: Vec<DVec3>,
    /// What they are to reach in the leg that is under way.
    pub(crate) goals: Vec<DVec3>,
    /// Slip up to which a point sticks, m/s.
    sticking: f64,
}

/// Velocities and the impulses that led to them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reached {
    pub(crate) movers: Vec<Mover>,
    /// At the points, contact axes, N s.
    pub(crate) impulses: Vec<DVec3>,
    /// Of the resistances, N m s.
    pub(crate) couples: Vec<DVec3>,
}

impl Course {
    /// Begins with movers that have not felt any impulse, and the slips given. Up to the slip `sticking` (m/s) a point sticks.
    pub(crate) fn begin(&mut self, movers: &[Mover], points: &[ContactPoint], sticking: f64) {
        self.sticking = sticking;
        self.slips.iter_mut().filter(|slip| slip.length() <= sticking).for_each(|slip| *slip = DVec2::ZERO);
        self.targets.clear();
        self.targets.extend(points.iter().map(|point| point.target));
        self.reached.movers.clear();
        self.reached.movers.extend_from_slice(movers);
        self.reached.impulses.clear();
        self.reached.impulses.resize(points.len(), DVec3::ZERO);
        self.reached.couples.clear();
        self.reached.couples.resize(self.plain.couples.len(), DVec3::ZERO);
    }

    /// Heads for the instant of the kick: what approaches has come to a halt, and slip is as bodies move.
    pub(crate) fn head_for_kick(&mut self, points: &[ContactPoint]) {
        self.goals.clear();
        let movers = &self.reached.movers;
        let halt =
            |(point, target): (&ContactPoint, &DVec3)| DVec3::Z * point.velocity(movers).z.max(target.z.min(0.0));
        self.goals.extend(points.iter().zip(&self.targets).map(halt));
    }

    /// Heads for the end.
    pub(crate) fn head_for_end(&mut self) {
        self.goals.clone_from(&self.targets);
    }

    /// Slip of a point with which a leg ends, given the movers then, m/s.
    pub(crate) fn end_slip(&self, i: usize, point: &ContactPoint, movers: &[Mover]) -> DVec2 {
        (point.velocity(movers) - self.goals[i]).truncate()
    }

    /// Whether points that slip keep their direction through a stage as solved.
    pub(crate) fn is_smooth(&self, movers: &[Mover], points: &[ContactPoint]) -> bool {
        points.iter().enumerate().all(|(i, point)| {
            let (slip, end) = (self.slips[i], self.end_slip(i, point, movers));
            let is_pressed = point.impulse.z > 0.0 && point.friction > 0.0;
            !is_pressed || slip == DVec2::ZERO || slip.dot(end) > SMOOTH * slip.length() * end.length()
        })
    }

    /// The share of a stage, solved with the friction of its beginning, after which the first point comes to a stop or as near
    /// to it as it gets; one if none does.
    pub(crate) fn first_stop(&self, movers: &[Mover], points: &[ContactPoint]) -> f64 {
        let mut share = 1.0f64;
        for (i, point) in points.iter().enumerate() {
            let slip = self.slips[i];
            let change = self.end_slip(i, point, movers) - slip;
            let towards = -slip.dot(change);
            if point.impulse.z > 0.0 && point.friction > 0.0 && towards > 0.0 {
                share = share.min(towards / change.length_squared());
            }
        }
        share
    }

    /// Goes through a share of a stage as solved.
    pub(crate) fn advance(
        &mut self,
        movers: &[Mover],
        points: &[ContactPoint],
        resistances: &[Resistance],
        share: f64,
    ) {
        for (i, point) in points.iter().enumerate() {
            let change = share * (self.end_slip(i, point, movers) - self.slips[i]);
            let slip = self.slips[i] + change;
            let near_zero = if self.slips[i] == DVec2::ZERO { 0.0 } else { STOPPED * change.length() };
            self.slips[i] = if slip.length() <= near_zero.max(self.sticking) { DVec2::ZERO } else { slip };
            self.reached.impulses[i] += share * point.impulse;
        }
        for (sum, resistance) in self.reached.couples.iter_mut().zip(resistances) {
            *sum += share * resistance.impulse;
        }
        for (mover, end) in self.reached.movers.iter_mut().zip(movers) {
            mover.velocity += share * (end.velocity - mover.velocity);
            mover.angular_velocity += share * (end.angular_velocity - mover.angular_velocity);
        }
    }
}

impl Reached {
    /// Takes over what was solved.
    pub(crate) fn keep(&mut self, movers: &[Mover], points: &[ContactPoint], resistances: &[Resistance]) {
        self.movers.clear();
        self.movers.extend_from_slice(movers);
        self.impulses.clear();
        self.impulses.extend(points.iter().map(|point| point.impulse));
        self.couples.clear();
        self.couples.extend(resistances.iter().map(|resistance| resistance.impulse));
    }

    /// Hands it back.
    pub(crate) fn give(&self, movers: &mut [Mover], points: &mut [ContactPoint], resistances: &mut [Resistance]) {
        movers.copy_from_slice(&self.movers);
        points.iter_mut().zip(&self.impulses).for_each(|(point, &impulse)| point.impulse = impulse);
        resistances.iter_mut().zip(&self.couples).for_each(|(resistance, &couple)| resistance.impulse = couple);
    }
}
