//! Friction where sliding turns round within a flight.

use super::super::data::World;
use super::super::pairs::site::Site;
use super::island::{Hop, Island};
use glam::DVec2;

/// Distance from the cone, relative to its radius, at which a point slides.
const SLIDING_MARGIN: f64 = 1e-9;

impl World {
    /// Where the surfaces change their relative velocity faster than friction can follow, and sliding turns round within the
    /// flight, friction works one way first and then the other: its mean is less than the whole. Says whether that is so
    /// anywhere.
    pub(crate) fn weaken_reversing_friction(&self, island: &mut Island, hop: Hop) -> bool {
        let mut any = false;
        for (site, point) in island.sites.iter().zip(&mut island.points) {
            let change = -2.0 * point.target.truncate();
            let friction = self.pairs[site.pair].material.friction;
            // Friction itself slows the change while sliding goes one way. Bodies that fall together press each other too.
            let followed = 2.0 * friction * point.target.z.max(hop.velocity);
            let slides = point.impulse.truncate().length() >= (1.0 - SLIDING_MARGIN) * point.friction * point.impulse.z;
            if !self.is_on_scripted_body(site) || change.length() <= followed || point.impulse.z <= 0.0 || !slides {
                continue;
            }
            let change = change * (1.0 - followed / change.length());
            let slip = (point.velocity(&island.movers) - point.target).truncate();
            let share = mean_direction(slip, change).length().min(1.0);
            if share < 1.0 || point.friction < friction {
                point.friction = friction * share;
                any = true;
            }
        }
        any
    }

    /// Whether one of the bodies follows a script.
    pub(crate) fn is_on_scripted_body(&self, site: &Site) -> bool {
        site.colliders.iter().any(|&c| self.member(c).is_scripted())
    }
}

/// Mean of the unit vectors along a velocity whose mean is `slip` and that changes evenly by `change`.
fn mean_direction(slip: DVec2, change: DVec2) -> DVec2 {
    let length = change.length();
    let along = change / length;
    let (a, b) = (slip.dot(along), slip.perp_dot(along).abs());
    let (from, to) = (a - 0.5 * length, a + 0.5 * length);
    let main = (DVec2::new(to, b).length() - DVec2::new(from, b).length()) / length;
    let side = if b > 0.0 { b * (libm::asinh(to / b) - libm::asinh(from / b)) / length } else { 0.0 };
    DVec2::new(main, side)
}
