//! Which contacts last (section 3.5): those too slow to bounce, in which something presses the bodies together.

use super::super::data::World;
use super::super::group::Group;
use super::super::index::PairIndex;
use super::super::pair::Pair;
use super::super::pairs::measure::Measured;
use super::super::pairs::site::Site;
use super::super::settings::ContactRule;
use super::island::Hop;
use crate::detect::AIM_SHARE;
use glam::DVec3;

/// Impacts faster than this many hops are ordinary ones, whatever the restitution; what parts faster takes no part in a hop.
pub(crate) const FASTEST_HOP: f64 = 4.0;

/// How much faster than under gravity alone a hop is at most.
const HARDEST_HOP: f64 = 3.0;

/// Heights of a hop up to which a gap belongs to a contact.
const CONTACT_GAP: f64 = 3.0;

/// How much faster than a hop begins a point lands at most that began it with a gap that belongs to the contact: the square root of one
/// height and those of the gap. That is no impact, whatever the restitution.
const FASTEST_LANDING: f64 = 2.0;

/// Flights of the last hop after which a pair no longer lands from it.
const LANDING_WITHIN: f64 = 1.5;

/// Bodies are too near where they are nearer than this share of the distance at which they arrive.
const TOO_NEAR: f64 = 0.5;

/// Bodies of an island up to which its hops are as high as any.
pub(crate) const FEW_BODIES: usize = 8;

impl World {
    /// The hop of a pair that touches and approaches, if its contact lasts; `None` for an impact.
    pub(crate) fn lasting(&mut self, pair: PairIndex, measured: &Measured) -> Option<Hop> {
        if self.settings.contact != ContactRule::Joint || self.never_lasts(pair) {
            return None;
        }
        if self.sweeping_height(pair, measured).is_some() {
            return None;
        }
        let press = self.normal_acceleration(pair, measured);
        let supported = self.pairs[pair].colliders.iter().any(|&c| self.is_lasting(self.colliders[c].group));
        let approach = -measured.normal_velocity();
        let hop = self.hop_under(pair, press);
        if supported && approach <= hop.velocity {
            return self.is_too_slow_to_bounce(pair, measured, hop.velocity).then_some(hop);
        }
        let hardest = self.hop_under(pair, self.largest_normal_acceleration(pair, measured));
        if !hardest.duration.is_finite() || approach > FASTEST_HOP * hardest.velocity {
            return None;
        }
        let press = self.hardest_press(pair, measured);
        let hop = self.hop_under(pair, press);
        ((press > 0.0 || supported) && self.is_too_slow_to_bounce(pair, measured, hop.velocity)).then_some(hop)
    }

    /// Acceleration with which a pair is pressed together, m/s^2: what turns fast may be pressed by that alone, and much harder
    /// than by its weight.
    pub(crate) fn hardest_press(&mut self, pair: PairIndex, measured: &Measured) -> f64 {
        let press = self.normal_acceleration(pair, measured);
        let hardest = self.hop_under(pair, self.largest_normal_acceleration(pair, measured));
        if !hardest.duration.is_finite() || self.pairs[pair].cache.is_none() {
            return press;
        }
        press.max(self.normal_acceleration_at_site(pair, measured, hardest.duration))
    }

    /// Acceleration with which a pair is pressed together, m/s^2. Bodies in lasting contact are held by what they lie on.
    pub(crate) fn normal_acceleration(&self, pair: PairIndex, measured: &Measured) -> f64 {
        let colliders = self.pairs[pair].colliders;
        let free = colliders.map(|c| self.member(c).is_free());
        let acceleration = |side: usize| {
            if free[0] && free[1] && self.is_lasting(self.colliders[colliders[side]].group) {
                return DVec3::ZERO;
            }
            let a = self.member(colliders[side]).acceleration_in(&measured.states[side], self.now);
            let by_centre = free[side] && !self.member(colliders[side]).is_link();
            if by_centre { a.linear } else { measured.states[side].point_acceleration(&a, measured.point) }
        };
        (acceleration(1) - acceleration(0)).dot(measured.normal)
    }

    /// An acceleration with which no point of a pair can be pressed on harder, m/s^2.
    pub(crate) fn largest_normal_acceleration(&self, pair: PairIndex, measured: &Measured) -> f64 {
        let sliding = measured.velocity().length();
        let sides = [0, 1].map(|side| {
            let collider = self.pairs[pair].colliders[side];
            let a = self.member(collider).acceleration_in(&measured.states[side], self.now);
            let (w, r) = (measured.states[side].angular_velocity().length(), self.colliders[collider].radius);
            // Half-spaces do not turn.
            let turning = if w > 0.0 || a.angular != DVec3::ZERO { a.angular.length() * r + w * w * r } else { 0.0 };
            a.linear.length() + turning + 2.0 * w * sliding
        });
        sides[0] + sides[1]
    }

    /// Acceleration with which the nearest point of a pair is pressed on, with all that rotation does, m/s^2.
    fn normal_acceleration_at_site(&mut self, pair: PairIndex, measured: &Measured, duration: f64) -> f64 {
        let mut island = self.scratch.island.take();
        island.sites.clear();
        // As near as in a hop: a rim that is level up to that has no curvature to speak of.
        self.find_sites(pair, measured, self.contact_distance(pair), (&mut island.search, &mut island.sites));
        let touch_distance = self.pairs[pair].touch_distance;
        let touching = island.sites.iter().filter(|site| site.touching.gap <= touch_distance);
        let press = touching.map(|site| self.site_press(site, duration)).fold(0.0, f64::max);
        self.scratch.island.give(island);
        press
    }

    /// Whether a pair approaches too slowly to bounce.
    pub(crate) fn is_too_slow_to_bounce(&self, pair: PairIndex, measured: &Measured, hop_velocity: f64) -> bool {
        let e = self.pairs[pair].material.restitution;
        let approach = -measured.normal_velocity();
        // However high hops are, what bounces higher than those of many bodies is seen to bounce.
        let share = if self.lands_from_hop(pair) { FASTEST_LANDING } else { self.share_of_many(pair).sqrt() };
        let bounce = share * hop_velocity;
        !self.never_lasts(pair) && e * approach < bounce && approach <= FASTEST_HOP * hop_velocity
    }

    /// Whether a pair took part in a hop that ends about now.
    fn lands_from_hop(&self, pair: PairIndex) -> bool {
        let warm = self.pairs[pair].warm_start.as_ref();
        warm.is_some_and(|warm| self.now - warm.time <= LANDING_WITHIN * warm.duration)
    }

    /// Whether a pair bounces without end, however slowly: nothing drains its energy. Where both bodies lie on something, that may.
    pub(crate) fn never_lasts(&self, pair: PairIndex) -> bool {
        let Pair { colliders, material, .. } = &self.pairs[pair];
        let is_drained = || colliders.iter().all(|&c| self.is_lasting(self.colliders[c].group));
        material.restitution >= 1.0 && material.friction == 0.0 && !is_drained()
    }

    /// Gap (m) up to which a point of a pair belongs to a contact.
    pub(crate) fn contact_distance(&self, pair: PairIndex) -> f64 {
        self.pairs[pair].touch_distance + CONTACT_GAP * self.hop_height(pair)
    }

    /// The same for the lowest hops.
    pub(crate) fn level_distance(&self, pair: PairIndex) -> f64 {
        self.pairs[pair].touch_distance + CONTACT_GAP * self.least_hop_height(pair)
    }

    /// The hop of a pair that is pressed together with this acceleration, m/s^2.
    pub(crate) fn hop_under(&self, pair: PairIndex, press: f64) -> Hop {
        let acceleration = press.max(self.settings.gravity.length());
        let duration = (8.0 * self.hop_height(pair) / acceleration).sqrt();
        let velocity = 0.5 * acceleration * duration;
        let fastest = self.fastest_hop(self.hop_height(pair));
        if velocity > fastest {
            Hop { duration: 2.0 * fastest / acceleration, velocity: fastest }
        } else {
            Hop { duration, velocity }
        }
    }

    /// Velocity (m/s) of a hop of a given height (m) that is to last `duration` seconds.
    pub(crate) fn hop_velocity(&self, height: f64, duration: f64) -> f64 {
        (4.0 * (height / (duration * duration)) * duration).min(self.fastest_hop(height))
    }

    /// Velocity (m/s) that no hop exceeds, however hard a pair is pressed: it must not cost more energy than a few hops under
    /// gravity. Without gravity there is no such limit.
    fn fastest_hop(&self, height: f64) -> f64 {
        let fall = self.fall_velocity(height);
        if fall > 0.0 { HARDEST_HOP * fall } else { f64::INFINITY }
    }

    /// Velocity (m/s) of a hop of a given height (m) under gravity alone.
    pub(crate) fn fall_velocity(&self, height: f64) -> f64 {
        (2.0 * self.settings.gravity.length() * height).sqrt()
    }

    /// Height of a pair's hops at most, m: lower for a body alone on what nothing moves, which bounces and rocks until it is slow.
    pub(crate) fn hop_height(&self, pair: PairIndex) -> f64 {
        let Pair { colliders, touch_distance, .. } = &self.pairs[pair];
        let height = |lowest: bool| self.settings.hop_height_of(*touch_distance, lowest);
        if self.hops_low() || self.never_lasts(pair) {
            return height(true);
        }
        let [first, second] = *colliders;
        let [one, other] = [self.group_of(first), self.group_of(second)];
        let [member, partner] = [one.member(self.colliders[first].member), other.member(self.colliders[second].member)];
        if [member, partner].iter().any(|m| m.is_scripted() || m.is_link()) {
            return height(true);
        }
        let is_alone = |group: &Group| group.company_until < self.now;
        let lies_alone = member.is_fixed() && is_alone(other) || partner.is_fixed() && is_alone(one);
        if lies_alone {
            return (self.hop_height_of_many(pair) * height(true)).sqrt();
        }
        let is_in_crowd = |group: &Group| group.crowd_until >= self.now;
        if is_in_crowd(one) || is_in_crowd(other) { self.hop_height_of_many(pair) } else { height(false) }
    }

    /// Height of a pair's hops at most among many bodies, m.
    fn hop_height_of_many(&self, pair: PairIndex) -> f64 {
        self.pairs[pair].touch_distance * (self.settings.hop_height_of_many() / self.settings.touch_distance)
    }

    /// The same relative to the height of a pair's hops as it is, at most one.
    pub(crate) fn share_of_many(&self, pair: PairIndex) -> f64 {
        (self.hop_height_of_many(pair) / self.hop_height(pair)).min(1.0)
    }

    /// Gap (m) up to which a point of any such pair may belong to a contact: told without a look at its bodies.
    pub(super) fn farthest_contact(&self, pair: PairIndex) -> f64 {
        let touch_distance = self.pairs[pair].touch_distance;
        let [high, low] = [false, true].map(|lowest| self.settings.hop_height_of(touch_distance, lowest));
        touch_distance + CONTACT_GAP * high.max(low)
    }

    /// Whether no hop is higher than the lowest.
    pub(crate) fn hops_low(&self) -> bool {
        self.settings.contact == ContactRule::Thesis || self.settings.gravity == DVec3::ZERO
    }

    /// Height of a pair's hops at least, m.
    pub(crate) fn least_hop_height(&self, pair: PairIndex) -> f64 {
        self.settings.hop_height_of(self.pairs[pair].touch_distance, true)
    }

    /// Velocity (m/s) with which a pair parts at least: if it is nearer than it should be, enough to rise to the touch distance,
    /// whatever presses it together.
    pub(crate) fn escape_velocity(&mut self, pair: PairIndex, measured: &Measured) -> f64 {
        if !self.is_too_near(pair, measured.distance) {
            return 0.0;
        }
        let touch_distance = self.pairs[pair].touch_distance;
        let mut press = self.largest_normal_acceleration(pair, measured);
        let duration = escape_duration(touch_distance, press);
        if self.pairs[pair].cache.is_some() && duration.is_finite() {
            // A contact point that runs round a rim is pressed harder than any point of the body.
            press = press.max(self.normal_acceleration_at_site(pair, measured, duration));
        }
        (8.0 * press * touch_distance).sqrt()
    }

    /// The same for a point of a hop that lasts `duration` seconds.
    pub(crate) fn site_escape_velocity(&self, site: &Site, duration: f64) -> f64 {
        if !self.is_too_near(site.pair, site.touching.gap) {
            return 0.0;
        }
        let touch_distance = self.pairs[site.pair].touch_distance;
        // Without gravity hops are as short as the velocity asks for with which bodies came.
        let of_hop = if self.settings.gravity == DVec3::ZERO {
            self.site_press(site, duration).max(0.0)
        } else {
            8.0 * (site.hop_height / (duration * duration))
        };
        if of_hop == 0.0 {
            return 0.0;
        }
        let press = self.site_press(site, escape_duration(touch_distance, of_hop));
        (8.0 * of_hop.max(press) * touch_distance).sqrt()
    }

    pub(crate) fn is_too_near(&self, pair: PairIndex, distance: f64) -> bool {
        distance < TOO_NEAR * AIM_SHARE * self.pairs[pair].touch_distance
    }

    /// Acceleration with which a point is pressed on over a flight, with all that rotation and curvature do, m/s^2.
    pub(crate) fn site_press(&self, site: &Site, duration: f64) -> f64 {
        -2.0 * self.free_change(site, duration)[0].dot(site.touching.normal) / (duration * duration)
    }
}

/// Time (s) in which bodies that are too near rise to the touch distance against an acceleration, m/s^2.
fn escape_duration(touch_distance: f64, acceleration: f64) -> f64 {
    (touch_distance / (8.0 * acceleration)).sqrt()
}
