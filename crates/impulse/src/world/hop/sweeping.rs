//! Rims that are nearly level and turn over: their point of contact runs round the rim faster than any flight could follow
//! (section 3.5). That is no lasting contact but an impact, which strikes the rim as a whole.

use super::super::data::World;
use super::super::index::PairIndex;
use super::super::pairs::measure::Measured;
use super::super::pairs::site::Site;
use super::island::Island;
use super::lasting::FASTEST_HOP;

/// How far a contact point gets in a flight before it is no longer followed, in bounding radii.
const FOLLOWED: f64 = 0.5;

impl World {
    /// The height (m) over which a rim that sweeps round is struck at once: what it covers in a flight. `None` for other contacts.
    pub(crate) fn sweeping_height(&mut self, pair: PairIndex, measured: &Measured) -> Option<f64> {
        let mut island = self.scratch.island.take();
        let height = self.sweeping_height_of(pair, measured, &mut island);
        self.scratch.island.give(island);
        height
    }

    /// The same with memory for the search.
    pub(crate) fn sweeping_height_of(
        &mut self,
        pair: PairIndex,
        measured: &Measured,
        island: &mut Island,
    ) -> Option<f64> {
        self.pairs[pair].cache.as_ref()?;
        let hop = self.hop_under(pair, 0.0);
        let closing = self.closing_speed(pair, measured);
        if !hop.duration.is_finite() || closing <= FASTEST_HOP * hop.velocity {
            return None;
        }
        // Corners and edges stay where they are on their bodies.
        if self.pairs[pair].colliders.iter().all(|&c| self.colliders[c].shape.is_angular()) {
            return None;
        }
        let known = island.sites.len();
        let near = self.contact_distance(pair);
        self.find_sites(pair, measured, near, (&mut island.search, &mut island.sites));
        let sweeps = island.sites[known..].iter().any(|site| self.sweeps(site, hop.duration));
        island.sites.truncate(known);
        sweeps.then_some(closing * hop.duration)
    }

    /// Speed with which two bodies turn towards each other at most, m/s.
    fn closing_speed(&self, pair: PairIndex, measured: &Measured) -> f64 {
        let radius = self.pairs[pair].colliders.map(|c| self.colliders[c].radius);
        let [first, second] = measured.states.map(|state| state.angular_velocity());
        (first - second).cross(measured.normal).length() * radius[0].min(radius[1])
    }

    /// Whether a contact point runs over a body farther than a flight can follow.
    fn sweeps(&self, site: &Site, duration: f64) -> bool {
        (0..2).any(|side| {
            let radius = self.colliders[site.colliders[side]].radius;
            site.surface_velocity(side).length() * duration > FOLLOWED * radius
        })
    }
}
