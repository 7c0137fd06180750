//! All points at which a pair touches or nearly does (section 3.5, done jointly).

use super::super::data::World;
use super::super::index::PairIndex;
use super::measure::Measured;
use super::site::{Site, SiteSearch};
use crate::geometry::closest::{PairCache, Reach, ShapePair, Touching, nearest_touching, touching_points};
use crate::math::Pose;

/// The closest point stands for another one that approaches with at least this share of its velocity.
const STRIKING_SHARE: f64 = 0.5;

impl World {
    /// The point at which a measured pair touches and approaches, if there is one: the closest, or another as close that
    /// approaches faster.
    pub(crate) fn striking_point(&mut self, pair: PairIndex, measured: Measured) -> Option<Measured> {
        let touch_distance = self.pairs[pair].touch_distance;
        if measured.distance > touch_distance {
            return None;
        }
        if measured.approaching() || self.pairs[pair].cache.is_none() {
            return measured.approaching().then_some(measured);
        }
        let mut island = self.scratch.island.take();
        island.sites.clear();
        self.find_sites(pair, &measured, touch_distance, (&mut island.search, &mut island.sites));
        let at = |site: &Site| Measured { normal: site.touching.normal, point: site.point(), ..measured };
        let fastest = island.sites.iter().map(at).min_by(|a, b| a.normal_velocity().total_cmp(&b.normal_velocity()));
        self.scratch.island.give(island);
        fastest.filter(Measured::approaching)
    }

    /// Adds the points of a pair with gaps up to `near` metres.
    pub(crate) fn find_sites(&mut self, pair: PairIndex, measured: &Measured, near: f64, to: Found<'_>) {
        let reach = self.contact_reach(pair, near);
        self.search_sites(pair, measured, to, |shapes, cache, search| {
            touching_points(shapes, reach, cache, &mut search.room, &mut search.found);
            search.found.retain(|t| t.gap <= near);
        });
    }

    /// How far points of a pair are looked for that are nearer than `near` metres. What leans by more than what low hops count as contact is
    /// not level.
    fn contact_reach(&self, pair: PairIndex, near: f64) -> Reach {
        Reach { limit: near, slack: near, level: near.min(self.level_distance(pair)) }
    }

    /// Adds the closest point of a pair that touches and approaches there, unless one of the pair's last sites does too: round
    /// faces show some points of their rims, which may miss the one that strikes.
    pub(crate) fn find_striking(&mut self, pair: PairIndex, measured: &Measured, near: f64, to: Found<'_>) {
        let touch_distance = self.pairs[pair].touch_distance;
        if measured.distance > touch_distance || !measured.approaching() {
            return;
        }
        let enough = -STRIKING_SHARE * measured.normal_velocity();
        let strikes = |site: &Site| site.touching.gap <= touch_distance && site.approach() >= enough;
        if !to.1.iter().rev().take_while(|site| site.pair == pair).any(strikes) {
            let reach = self.contact_reach(pair, near);
            self.search_sites(pair, measured, to, |shapes, cache, search| {
                search.found.extend(nearest_touching(shapes, reach, cache, &mut search.room));
            });
        }
    }

    /// Adds the points of a pair that a search finds.
    fn search_sites(
        &mut self,
        pair: PairIndex,
        measured: &Measured,
        (memory, sites): Found<'_>,
        search: impl FnOnce(&ShapePair<'_>, &mut PairCache, &mut SiteSearch),
    ) {
        let colliders = self.pairs[pair].colliders;
        let [first, second] = colliders.map(|c| &self.colliders[c]);
        let poses: [Pose; 2] = [
            measured.states[0].world_from_body * first.body_from_shape,
            measured.states[1].world_from_body * second.body_from_shape,
        ];
        let first_from_second = poses[0].inverse() * poses[1];
        let shapes = ShapePair { first: &first.shape, second: &second.shape, first_from_second: &first_from_second };
        memory.found.clear();
        search(&shapes, self.pairs[pair].cache.get_or_insert_default(), memory);
        let (states, hop_height) = (measured.states, self.hop_height(pair));
        let site = |t: &Touching| Site::new((pair, colliders), t.moved(&poses[0]), hop_height, states);
        sites.extend(memory.found.iter().map(site));
    }
}

/// Memory for the search, and where the points go.
pub(crate) type Found<'a> = (&'a mut SiteSearch, &'a mut Vec<Site>);
