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
    /// What follows from all that, and is asked for again and again.
    moving: Moving,
}

/// How bodies move at a point at which they may touch, world frame.
#[derive(Clone, Copy, Debug)]
struct Moving {
    /// Angular velocities, rad/s.
    spins: [DVec3; 2],
    /// Velocity of the first body relative to the second, m/s.
    sliding: DVec3,
    /// Rate at which the normal turns, 1/s.
    normal_rate: DVec3,
}

impl Moving {
    fn new(touching: &Touching, states: &[State; 2]) -> Self {
        let point = touching.middle();
        let spins = states.each_ref().map(State::angular_velocity);
        let velocity = |side: usize| {
            let State { world_from_body, velocity, .. } = &states[side];
            *velocity + spins[side].cross(point - world_from_body.translation)
        };
        let sliding = velocity(0) - velocity(1);
        let [first, second] = touching.carriers;
        let carried = first * spins[0] + second * spins[1];
        let is_carried_alone = touching.slider == DMat3::ZERO;
        Self {
            spins,
            sliding,
            normal_rate: if is_carried_alone { carried } else { carried + touching.slider * sliding },
        }
    }
}

impl Site {
    /// A point of a pair that hops to a height (m), with the states of its bodies.
    pub(crate) fn new(
        (pair, colliders): (PairIndex, [ColliderIndex; 2]),
        touching: Touching,
        hop_height: f64,
        states: [State; 2],
    ) -> Self {
        Self { pair, colliders, touching, hop_height, states, moving: Moving::new(&touching, &states) }
    }

    /// The same point with other states of its bodies.
    pub(crate) fn with_states(&self, states: [State; 2]) -> Self {
        Self { states, moving: Moving::new(&self.touching, &states), ..*self }
    }

    /// Middle of the gap, m.
    pub(crate) fn point(&self) -> DVec3 {
        self.touching.middle()
    }

    /// Angular velocity of a body, rad/s.
    pub(crate) fn spin(&self, side: usize) -> DVec3 {
        self.moving.spins[side]
    }

    /// Velocity of the contact point relative to a body's centre of mass, m/s.
    pub(crate) fn arm_rate(&self, side: usize) -> DVec3 {
        self.arm_rate_with(side, self.surface_velocity(side))
    }

    /// The same where the contact point moves over the body at a given velocity, m/s.
    pub(crate) fn arm_rate_with(&self, side: usize, surface_velocity: DVec3) -> DVec3 {
        self.spin(side).cross(self.point() - self.states[side].world_from_body.translation) + surface_velocity
    }

    /// Velocity at which the contact point moves over a curved body, m/s.
    pub(crate) fn surface_velocity(&self, side: usize) -> DVec3 {
        if self.touching.bends[side] == DMat3::ZERO {
            return DVec3::ZERO;
        }
        let sign = if side == 0 { 1.0 } else { -1.0 };
        self.touching.bends[side] * (sign * (self.spin(side).cross(self.touching.normal) - self.normal_rate()))
    }

    /// Velocity of the first body relative to the second at the contact, m/s.
    pub(crate) fn sliding_velocity(&self) -> DVec3 {
        self.moving.sliding
    }

    /// Velocity at which the two bodies approach each other at the contact, m/s: negative where they part.
    pub(crate) fn approach(&self) -> f64 {
        -self.sliding_velocity().dot(self.touching.normal)
    }

    /// Rate at which the normal turns, 1/s.
    pub(crate) fn normal_rate(&self) -> DVec3 {
        self.moving.normal_rate
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
