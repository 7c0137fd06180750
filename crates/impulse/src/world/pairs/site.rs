//! A contact point of a pair: how it, its normal and its gap move while the bodies fly (section 3.5, done jointly).

use super::super::index::{ColliderIndex, PairIndex};
use crate::body::State;
use crate::geometry::closest::{Touching, TouchingBuffers};
use glam::{DMat3, DVec3};

/// A point at which two bodies may touch, world frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub(crate) pair: PairIndex,
    pub(crate) colliders: [ColliderIndex; 2],
    pub(crate) touching: Touching,
    /// Of the hop, m.
    pub(crate) hop_height: f64,
    /// States of the two bodies.
    pub(crate) states: [State; 2],
}

impl Site {
    /// Middle of the gap, m.
    pub(crate) fn point(&self) -> DVec3 {
        self.touching.on_first - self.touching.normal * (0.5 * self.touching.gap)
    }

    /// Velocity of the contact point relative to a body's centre of mass, m/s.
    pub(crate) fn arm_rate(&self, side: usize) -> DVec3 {
        self.arm_rate_with(side, self.surface_velocity(side))
    }

    /// The same where the contact point moves over the body at a given velocity, m/s.
    pub(crate) fn arm_rate_with(&self, side: usize, surface_velocity: DVec3) -> DVec3 {
        let state = &self.states[side];
        let w = state.angular_velocity();
        w.cross(self.point() - state.world_from_body.translation) + surface_velocity
    }

    /// Velocity at which the contact point moves over a curved body, m/s.
    pub(crate) fn surface_velocity(&self, side: usize) -> DVec3 {
        if self.touching.bends[side] == DMat3::ZERO {
            return DVec3::ZERO;
        }
        let w = self.states[side].angular_velocity();
        let sign = if side == 0 { 1.0 } else { -1.0 };
        self.touching.bends[side] * (sign * (w.cross(self.touching.normal) - self.normal_rate()))
    }

    /// Velocity of the first body relative to the second at the contact, m/s.
    pub(crate) fn sliding_velocity(&self) -> DVec3 {
        let point = self.point();
        self.states[0].point_velocity(point) - self.states[1].point_velocity(point)
    }

    /// Velocity at which the two bodies approach each other at the contact, m/s: negative where they part.
    pub(crate) fn approach(&self) -> f64 {
        -self.sliding_velocity().dot(self.touching.normal)
    }

    /// Rate at which the normal turns, 1/s.
    pub(crate) fn normal_rate(&self) -> DVec3 {
        let [first, second] = self.touching.carriers;
        let carried = first * self.states[0].angular_velocity() + second * self.states[1].angular_velocity();
        if self.touching.slider == DMat3::ZERO {
            return carried;
        }
        carried + self.touching.slider * self.sliding_velocity()
    }

    /// Velocity at which the contact point moves in space, as seen from one side, m/s.
    pub(crate) fn contact_point_velocity(&self, side: usize) -> DVec3 {
        self.states[side].velocity + self.arm_rate(side)
    }
}

/// Memory for a search for contact points, kept from call to call.
#[derive(Clone, Debug, Default)]
pub(crate) struct SiteSearch {
    pub(crate) room: TouchingBuffers,
    pub(crate) found: Vec<Touching>,
}
