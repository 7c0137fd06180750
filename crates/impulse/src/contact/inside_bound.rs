//! What acts in a joint within bounds, on the way of the interior-point method (see `interior`).
//!
//! The law says: the impulse lies between its bounds; the rate less its target is the difference of two numbers, one for each bound, neither
//! below zero; and each of them times the room that is left to its bound is zero. Along the path all these products are equal and shrink.

use super::tie::{Bound, Tie};

/// An impulse inside its bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inside {
    /// Place of the joint among all.
    pub(super) tie: usize,
    /// Impulse, N m s or N s.
    impulse: f64,
    /// Lower and upper bound, where there is one; neither where the bounds leave no room.
    gates: [Option<Gate>; 2],
    /// Excess of the difference over the rate that it should equal, rad/s or m/s.
    surplus: f64,
    /// Change of the impulse against a change of the rate, kg m^2 or kg.
    pub(super) stiffness: f64,
}

/// One bound.
#[derive(Clone, Copy, Debug)]
struct Gate {
    /// How the impulse changes the room, and the bound the rate.
    sign: f64,
    /// Distance of the impulse, what the bound adds to the rate, and their changes in the step.
    room: f64,
    push: f64,
    room_step: f64,
    push_step: f64,
    /// Change of their product that is aimed at.
    aim: f64,
}

impl Inside {
    /// A start on the path: where products are `start`, and pushes at least `margin`; `None` for a joint in which nothing acts within bounds.
    pub(super) fn new(tie: usize, joint: &Tie, velocities: &[f64], [start, margin]: [f64; 2]) -> Option<Self> {
        let bound = joint.bound?;
        let excess = joint.flat_rates(velocities)[0] - bound.target;
        let [low, high] = bound.range;
        let gate = |sign: f64, room: f64| {
            Some(Gate { sign, room, push: start / room, room_step: 0.0, push_step: 0.0, aim: 0.0 })
        };
        let half = 0.5 * (high - low);
        let (impulse, gates) = if half.is_finite() && half <= f64::EPSILON * low.abs().max(high.abs()) {
            (low, [None; 2])
        } else if half.is_finite() {
            (low + half, [gate(1.0, half), gate(-1.0, half)])
        } else if low.is_finite() {
            let room = start / excess.max(margin);
            (low + room, [gate(1.0, room), None])
        } else {
            let room = start / (-excess).max(margin);
            (high - room, [None, gate(-1.0, room)])
        };
        Some(Self { tie, impulse, gates, surplus: 0.0, stiffness: 0.0 })
    }

    /// Updates the excess and the stiffness; returns how far the impulse is from the law, m/s.
    pub(super) fn take_stock(&mut self, ties: &[Tie], velocities: &[f64]) -> f64 {
        let joint = &ties[self.tie];
        let Some(bound) = joint.bound else { return 0.0 };
        let rate = joint.flat_rates(velocities)[0];
        let gates = || self.gates.iter().flatten();
        let pushed: f64 = gates().map(|gate| gate.sign * gate.push).sum();
        let give: f64 = gates().map(|gate| gate.push / gate.room).sum();
        self.stiffness = if self.has_room() { 1.0 / give } else { 0.0 };
        self.surplus = pushed - (rate - bound.target);
        Bound { impulse: self.impulse, ..bound }.error(rate)
    }

    fn has_room(&self) -> bool {
        self.gates.iter().any(Option::is_some)
    }

    /// Aims straight at the end.
    pub(super) fn aim_at_end(&mut self) {
        self.gates.iter_mut().flatten().for_each(|gate| gate.aim = -gate.room * gate.push);
    }

    /// Aims at a product, corrected by the second-order term of the last step.
    pub(super) fn aim_at(&mut self, wanted: f64, is_corrected: bool) {
        for gate in self.gates.iter_mut().flatten() {
            let missed = if is_corrected { gate.room_step * gate.push_step } else { 0.0 };
            gate.aim = wanted - gate.room * gate.push - missed;
        }
    }

    /// The impulse after the step, if the rate did not change.
    pub(super) fn held(&self) -> f64 {
        self.impulse + self.stiffness * self.drawn()
    }

    /// Rate by which the aims draw on the impulse.
    fn drawn(&self) -> f64 {
        self.surplus + self.gates.iter().flatten().map(|gate| gate.sign * gate.aim / gate.room).sum::<f64>()
    }

    /// The step that belongs to a change of the rate.
    pub(super) fn direct(&mut self, change: f64) {
        let step = self.stiffness * (self.drawn() - change);
        for gate in self.gates.iter_mut().flatten() {
            gate.room_step = gate.sign * step;
            gate.push_step = (gate.aim - gate.push * gate.room_step) / gate.room;
        }
    }

    /// Share of the step at which the first bound is reached.
    pub(super) fn reach(&self) -> f64 {
        let to_zero = |x: f64, step: f64| if step < 0.0 { -x / step } else { f64::INFINITY };
        let of = |gate: &Gate| to_zero(gate.room, gate.room_step).min(to_zero(gate.push, gate.push_step));
        self.gates.iter().flatten().map(of).fold(f64::INFINITY, f64::min)
    }

    /// Sum of the products after a share of the step, and how many there are.
    pub(super) fn product(&self, share: f64) -> (f64, usize) {
        let of = |gate: &Gate| (gate.room + share * gate.room_step) * (gate.push + share * gate.push_step);
        (self.gates.iter().flatten().map(of).sum(), self.gates.iter().flatten().count())
    }

    /// Takes a share of the step.
    pub(super) fn advance(&mut self, share: f64) {
        // Both bounds say the same about the impulse.
        let step = self.gates.iter().flatten().next().map_or(0.0, |gate| gate.sign * gate.room_step);
        self.impulse += share * step;
        for gate in self.gates.iter_mut().flatten() {
            gate.room += share * gate.room_step;
            gate.push += share * gate.push_step;
        }
    }

    /// Hands out the impulse found.
    pub(super) fn hand_out(&self, ties: &mut [Tie]) {
        if let Some(bound) = &mut ties[self.tie].bound {
            bound.impulse = bound.nearest(self.impulse);
        }
    }
}
