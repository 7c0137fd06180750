//! Which contacts last (section 3.5): those too slow to bounce, in which something presses the bodies together.

use super::measure::Measured;
use super::settings::ContactRule;
use super::site::Site;
use super::step::World;
use crate::detect::AIM_SHARE;
use crate::math::Pose;
use glam::DVec3;

/// Impacts faster than this many hops are ordinary ones, whatever the restitution; what parts faster takes no part in a hop.
pub(super) const FAST: f64 = 4.0;

/// Share of the distance at which bodies arrive below which they are too near.
const NEAREST: f64 = 0.5;

/// How a pair would hop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hop {
    /// Duration of the flight, s.
    pub(super) length: f64,
    /// Velocity at its beginning, m/s.
    pub(super) velocity: f64,
}

impl World {
    /// The flight on which a pair that touches and approaches goes, if its contact lasts; `None` for an impact.
    pub(super) fn lasting(&mut self, pair: u32, measured: &Measured) -> Option<f64> {
        if self.settings.contact != ContactRule::Joint {
            return None;
        }
        let press = self.press(pair, measured);
        let supported = self.pairs[pair as usize].items.iter().any(|&i| self.is_lasting(i));
        let approach = -measured.velocity().dot(measured.normal);
        let hop = self.hop_of(pair, press);
        if supported && approach <= hop.velocity {
            return self.is_slow(pair, measured, hop.velocity).then_some(hop.length);
        }
        // What turns fast may be pressed by that alone, and much harder than by its weight.
        let hardest = self.hop_of(pair, self.largest_press(pair, measured));
        if !hardest.length.is_finite() || approach > FAST * hardest.velocity {
            return None;
        }
        let press = press.max(self.press_at_site(pair, measured, hardest.length));
        let hop = self.hop_of(pair, press);
        ((press > 0.0 || supported) && self.is_slow(pair, measured, hop.velocity)).then_some(hop.length)
    }

    /// Velocity (m/s) with which bodies nearer than they should be part at least: enough to rise to the touch distance against
    /// an acceleration, m/s^2.
    pub(super) fn escape(&self, pair: u32, distance: f64, acceleration: f64) -> f64 {
        let touch = self.pairs[pair as usize].touch;
        if distance < NEAREST * AIM_SHARE * touch { (8.0 * acceleration * touch).sqrt() } else { 0.0 }
    }

    /// An acceleration with which no point of a pair can be pressed on harder, m/s^2.
    pub(super) fn largest_press(&self, pair: u32, measured: &Measured) -> f64 {
        let sliding = measured.velocity().length();
        let sides = [0, 1].map(|side| {
            let body = &self.bodies[self.pairs[pair as usize].items[side] as usize];
            let a = body.motion.acceleration_in(&measured.states[side], self.now);
            let (w, r) = (measured.states[side].angular_velocity().length(), body.radius);
            // Half-spaces do not turn.
            let turning = if w > 0.0 || a.angular != DVec3::ZERO { a.angular.length() * r + w * w * r } else { 0.0 };
            a.linear.length() + turning + 2.0 * w * sliding
        });
        sides[0] + sides[1]
    }

    /// Acceleration with which the nearest point of a pair is pressed on, with all that rotation does, m/s^2.
    fn press_at_site(&mut self, pair: u32, measured: &Measured, length: f64) -> f64 {
        let mut island = std::mem::take(&mut self.island);
        island.begin();
        self.find_sites(pair, measured, measured.distance, &mut island);
        let press =
            |site: &Site| -2.0 * self.free_change(site, length)[0].dot(site.touching.normal) / (length * length);
        let press = island.sites.iter().map(press).fold(0.0, f64::max);
        self.island = island;
        press
    }

    /// Height of a pair's hops, m.
    pub(super) fn envelope(&self, pair: u32) -> f64 {
        self.settings.envelope_of(self.pairs[pair as usize].touch)
    }

    /// Whether a pair approaches too slowly to bounce.
    pub(super) fn is_slow(&self, pair: u32, measured: &Measured, hop_velocity: f64) -> bool {
        let e = self.pairs[pair as usize].material.restitution;
        let approach = -measured.velocity().dot(measured.normal);
        e < 1.0 && e * approach < hop_velocity && approach <= FAST * hop_velocity
    }

    /// The flight of a pair that is pressed together with this acceleration, m/s^2.
    pub(super) fn hop_of(&self, pair: u32, press: f64) -> Hop {
        let height = self.envelope(pair);
        let acceleration = press.max(self.settings.gravity.length());
        let length = (8.0 * height / acceleration).sqrt();
        Hop { length, velocity: 0.5 * acceleration * length }
    }

    /// Acceleration with which a pair is pressed together, m/s^2. Bodies in lasting contact are held by what they lie on.
    pub(super) fn press(&self, pair: u32, measured: &Measured) -> f64 {
        let items = self.pairs[pair as usize].items;
        let free = items.map(|i| self.bodies[i as usize].is_free());
        let acceleration = |side: usize| {
            let body = &self.bodies[items[side] as usize];
            if free[0] && free[1] && self.is_lasting(items[side]) {
                return DVec3::ZERO;
            }
            let a = body.motion.acceleration_in(&measured.states[side], self.now);
            if free[side] { a.linear } else { measured.states[side].point_acceleration(&a, measured.point) }
        };
        (acceleration(1) - acceleration(0)).dot(measured.normal)
    }

    /// Whether a body has hopped just now, or rests.
    pub(super) fn is_lasting(&self, body: u32) -> bool {
        let body = &self.bodies[body as usize];
        self.now <= body.lasting_until || body.is_frozen()
    }

    /// `world_from_shape` of a body, given its body frame.
    pub(super) fn shape_pose(&self, body: u32, world_from_body: Pose) -> Pose {
        world_from_body * self.bodies[body as usize].body_from_shape
    }
}
