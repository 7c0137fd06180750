//! Points that a body strikes at the same instant are one impact (Liu, Zhao and Brogliato): all points of the pair within the hop
//! height, and those of its bodies against what cannot move.

use super::data::World;
use super::error::RunError;
use super::hop::island::Island;
use super::hop::lasting::FASTEST_HOP;
use super::impact::Blow;
use super::index::{ColliderIndex, PairIndex};
use super::pair::Pair;
use super::pairs::change::PointImpulse;
use super::pairs::measure::Measured;
use super::pairs::site::Site;
use super::progress::Urgency;
use super::records::event::ImpactRecord;
use super::records::stopwatch::Phase;
use super::settings::ContactRule;
use crate::body::State;
use crate::geometry::closest::Touching;
use crate::respond::{Law, StruckBody, StruckOutcome, StruckPoint, resolve_together};
use glam::{DMat3, DVec3};

impl World {
    /// Resolves the impact of a pair that touches and approaches, together with the points that are struck with it, applies it
    /// and records every point. Gives the hardest of them.
    pub(crate) fn strike(
        &mut self,
        pair: PairIndex,
        striking: &Measured,
        urgency: Urgency,
    ) -> Result<ImpactRecord, RunError> {
        let rid = self.without_hops(pair, striking);
        if self.has_link(pair) {
            let striking = self.by_joint_rates(pair, rid);
            let alone = self.blow(pair, &striking)?;
            self.note_end_of_hops(&alone.colliders, &alone.states);
            // Links that rest are struck point by point.
            self.apply_blow(&alone);
            return Ok(alone.record);
        }
        // Bodies that do not hop are struck as they are.
        let are_hopping = urgency != Urgency::Ordinary || rid.states != striking.states;
        if !are_hopping && self.are_alone(pair) {
            let alone = self.blow(pair, &rid)?;
            self.apply_blow(&alone);
            return Ok(alone.record);
        }
        let mut island = self.scratch.island.take();
        island.rid_of_hops = are_hopping;
        let mut impact = self.strike_from(pair, &rid, urgency, &mut island);
        if matches!(impact, Ok(None)) {
            island.rid_of_hops = false;
            impact = self.strike_from(pair, striking, urgency, &mut island);
        }
        self.scratch.island.give(island);
        let (impact, together) = impact?.expect("bodies as they are may be struck");
        if together && self.settings.contact == ContactRule::Joint {
            self.hop_off(urgency)?;
        }
        Ok(impact)
    }

    /// Whether a pair of balls flies among others that do: no point is struck but theirs.
    fn are_alone(&self, pair: PairIndex) -> bool {
        let flies = |c: ColliderIndex| self.tracks[c.0 as usize].is_ball();
        let Pair { colliders, cache, .. } = &self.pairs[pair];
        cache.is_none() && colliders.iter().all(|&c| flies(c) && self.pairs.of(c).all(|(_, other)| flies(other)))
    }

    /// An impact from given velocities, and whether it has several points. `None`, and nothing done, where bodies rid of their hops
    /// would have more energy after it than they have now.
    fn strike_from(
        &mut self,
        pair: PairIndex,
        striking: &Measured,
        urgency: Urgency,
        island: &mut Island,
    ) -> Result<Option<(ImpactRecord, bool)>, RunError> {
        let alone = self.blow(pair, striking)?;
        if self.settings.contact == ContactRule::Thesis {
            self.apply_blow(&alone);
            return Ok(Some((alone.record, false)));
        }
        self.find_struck(pair, striking, urgency, island);
        let together = match urgency {
            Urgency::Ordinary => self.are_struck_together(&island.sites, &alone),
            // The closest point may approach where no point of the faces does, by rounding: it goes by itself.
            _ => island.sites.iter().any(|site| site.approach() > alone.velocity_tolerance),
        };
        if together {
            return Ok(self.strike_together(&alone, urgency, island)?.map(|record| (record, true)));
        }
        let (bodies, states, lost) = (&alone.colliders, &alone.states, alone.record.energy_lost);
        if island.rid_of_hops && self.gives_back_too_much(bodies, states, lost) {
            return Ok(None);
        }
        self.note_end_of_hops(bodies, states);
        self.apply_blow(&alone);
        Ok(Some((alone.record, false)))
    }

    /// Collects the points within the hop height of a pair that is struck, and of its movable bodies against what cannot move. If
    /// it is urgent, of all bodies that touch each other.
    fn find_struck(&mut self, pair: PairIndex, striking: &Measured, urgency: Urgency, island: &mut Island) {
        island.begin(self.colliders.capacity(), self.pairs.numbers());
        let colliders = self.pairs[pair].colliders;
        for (side, &body) in colliders.iter().enumerate() {
            if self.member(body).is_free() {
                island.enter(body, striking.states[side]);
            }
        }
        self.find_struck_points(pair, striking, island);
        island.new_pairs(std::iter::once(pair));
        let mut done = 0;
        while done < island.bodies.len() {
            let flies = |other: ColliderIndex| self.tracks[other.0 as usize].is_ball();
            let is_free = |other: ColliderIndex| flies(other) || self.member(other).is_free();
            let takes_part = |other: ColliderIndex| urgency != Urgency::Ordinary || !is_free(other);
            let partners = self.pairs.of(island.bodies[done]).filter(|&(_, other)| takes_part(other));
            for i in island.new_pairs(partners.map(|(pair, _)| pair)) {
                if self.has_link(island.partners[i]) {
                    continue;
                }
                self.find_points_of_partner(island.partners[i], island);
            }
            done += 1;
        }
    }

    /// Adds the points of a pair of which at least one body is struck.
    fn find_points_of_partner(&mut self, pair: PairIndex, island: &mut Island) {
        let colliders = self.pairs[pair].colliders;
        let near = self.struck_distance(pair);
        let mut states = self.states_of(pair, self.now);
        for side in 0..2 {
            states[side] = match island.place(colliders[side]) {
                Some(place) => island.states[place as usize],
                None if island.rid_of_hops => self.state_without_hop(colliders[side], states[side]),
                None => states[side],
            };
        }
        if self.are_farther(colliders, &states, near) {
            return;
        }
        let measured = self.measure_in(pair, states);
        if measured.overlapping || measured.distance > near {
            return;
        }
        for side in 0..2 {
            if self.member(colliders[side]).is_free() {
                island.enter(colliders[side], states[side]);
            }
        }
        self.find_struck_points(pair, &measured, island);
    }

    fn find_struck_points(&mut self, pair: PairIndex, measured: &Measured, island: &mut Island) {
        let sweeping = self.sweeping_height_of(pair, measured, island);
        island.pairs.push((pair, island.sites.len()));
        if self.pairs[pair].cache.is_none() {
            island.sites.push(single_site(pair, self.pairs[pair].colliders, self.hop_height(pair), measured));
            return;
        }
        let near = self.struck_distance(pair) + sweeping.unwrap_or(0.0);
        self.find_sites(pair, measured, near, (&mut island.search, &mut island.sites));
        self.find_striking(pair, measured, near, (&mut island.search, &mut island.sites));
    }

    /// Distance within which points of a pair are struck together, m.
    fn struck_distance(&self, pair: PairIndex) -> f64 {
        self.pairs[pair].touch_distance + self.least_hop_height(pair)
    }

    /// Whether more is struck than the point of a blow: another point approaches, before the blow or after it.
    fn are_struck_together(&self, sites: &[Site], alone: &Blow) -> bool {
        let distance = |site: &Site| {
            let other_pair = if site.pair == alone.pair { 0.0 } else { f64::INFINITY };
            other_pair + site.point().distance_squared(alone.record.point)
        };
        let nearest = (0..sites.len()).min_by(|&a, &b| distance(&sites[a]).total_cmp(&distance(&sites[b])));
        let is_energetic = |site: &Site| self.pairs[site.pair].material.law == Law::Stronge;
        let approaches = |site: &Site| {
            let rate = -site.approach();
            let change = self.change_by(alone, site).dot(site.touching.normal);
            rate.min(rate + change) < -alone.velocity_tolerance
        };
        let others = || sites.iter().enumerate().filter(|&(i, _)| Some(i) != nearest).map(|(_, site)| site);
        others().any(approaches) && sites.iter().all(is_energetic)
    }

    /// The change of relative velocity at a point by a blow elsewhere, m/s.
    fn change_by(&self, blow: &Blow, site: &Site) -> DVec3 {
        let mut change = DVec3::ZERO;
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            for (struck, struck_sign) in [(0, 1.0), (1, -1.0)] {
                if site.colliders[side] == blow.colliders[struck] {
                    let points = [site.point(), blow.record.point];
                    let motion = self.member(site.colliders[side]).motion();
                    let response = motion.collision_matrix(&site.states[side], points);
                    change += response * blow.record.impulse * (sign * struck_sign);
                }
            }
        }
        change
    }

    fn strike_together(
        &mut self,
        alone: &Blow,
        urgency: Urgency,
        island: &Island,
    ) -> Result<Option<ImpactRecord>, RunError> {
        let Blow { pair, record, .. } = alone;
        let is_slow = -record.before.dot(record.normal) <= FASTEST_HOP * self.fall_velocity(self.hop_height(*pair));
        let bodies: Vec<StruckBody> = island.bodies.iter().zip(&island.states).map(|b| self.struck_body(b)).collect();
        let mut points: Vec<StruckPoint> = island.sites.iter().map(|site| self.struck_point(island, site)).collect();
        for (point, site) in points.iter_mut().zip(&island.sites) {
            // A blow as slow as a hop makes nothing else bounce that rests.
            let rests = site.pair != *pair && !self.never_lasts(site.pair);
            if urgency == Urgency::Plastic || is_slow && rests {
                point.restitution = 0.0;
            }
        }
        let mut memory = std::mem::take(&mut self.scratch.struck);
        let struck = match resolve_together(&mut memory, &bodies, &points) {
            Ok(outcome) if !outcome.is_finite() => Err(self.endless(alone.colliders)),
            Ok(outcome)
                if island.rid_of_hops
                    && self.gives_back_too_much(&island.bodies, &island.states, outcome.energy_lost) =>
            {
                Ok(None)
            }
            Ok(outcome) if !outcome.complete && outcome.left_approaching(&points) => {
                self.crushed(alone.colliders).map_or_else(|| Ok(Some(self.apply_struck(island, outcome))), Err)
            }
            Ok(outcome) => Ok(Some(self.apply_struck(island, outcome))),
            Err(error) => Err(self.unresolved(alone.colliders, error)),
        };
        self.scratch.struck = memory;
        struck
    }

    /// Applies the impulses of an impact at several points and records every point; gives the hardest.
    fn apply_struck(&mut self, island: &Island, outcome: &StruckOutcome) -> ImpactRecord {
        self.note_end_of_hops(&island.bodies, &island.states);
        self.records.stopwatch.enter(Phase::Motion);
        let impulses = island.sites.iter().zip(&outcome.impulses).flat_map(|(site, &impulse)| {
            [(0, impulse), (1, -impulse)].map(|(side, impulse)| PointImpulse {
                group: self.colliders[site.colliders[side]].group,
                state: &site.states[side],
                point: site.point(),
                impulse,
            })
        });
        self.apply_impulses(&impulses.collect::<Vec<_>>());
        self.record_struck(island, outcome)
    }

    /// Records every point that was struck; gives the hardest.
    fn record_struck(&mut self, island: &Island, outcome: &StruckOutcome) -> ImpactRecord {
        let after = |site: &Site| {
            let velocity = |side: usize| match island.place(site.colliders[side]) {
                Some(place) => {
                    let (velocity, spin) = outcome.velocities[place as usize];
                    velocity + spin.cross(site.point() - site.states[side].world_from_body.translation)
                }
                None => site.states[side].point_velocity(site.point()),
            };
            velocity(0) - velocity(1)
        };
        let mut hardest: Option<ImpactRecord> = None;
        for (site, &impulse) in island.sites.iter().zip(&outcome.impulses) {
            let record = site.record(self.now, self.ids(site.colliders), [impulse, after(site)]);
            let record = ImpactRecord { micro: false, ..record };
            if impulse != DVec3::ZERO {
                self.record(&record);
            }
            if hardest.is_none_or(|other| other.impulse.length_squared() < impulse.length_squared()) {
                hardest = Some(record);
            }
        }
        hardest.expect("an impact has a point")
    }

    fn struck_body(&self, (&body, state): (&ColliderIndex, &State)) -> StruckBody {
        let mass = self.member(body).mass().expect("bodies of an island can be moved");
        StruckBody {
            mass: mass.mass(),
            inertia: mass.inertia_at(state.world_from_body.rotation),
            velocity: state.velocity,
            spin: state.angular_velocity(),
        }
    }

    fn struck_point(&self, island: &Island, site: &Site) -> StruckPoint {
        let point = site.point();
        let places = site.colliders.map(|body| island.place(body));
        let immovable = places.iter().position(Option::is_none);
        let material = &self.pairs[site.pair].material;
        StruckPoint {
            bodies: places.map(|place| place.map(|place| place as usize)),
            arms: [0, 1].map(|side| point - site.states[side].world_from_body.translation),
            surface_velocity: immovable.map_or(DVec3::ZERO, |side| site.states[side].point_velocity(point)),
            normal: site.touching.normal,
            friction: material.friction,
            restitution: material.restitution,
        }
    }

    /// Lets what was struck at several points hop, where something presses it together and it parts too slowly. What does not come
    /// to an end hops even where nothing drains its energy.
    fn hop_off(&mut self, urgency: Urgency) -> Result<(), RunError> {
        let pair_at = |w: &Self, k: usize| w.scratch.island.get()?.pairs.get(k).map(|&(pair, _)| pair);
        let mut pairs = 0..;
        while let Some(pair) = pairs.next().and_then(|k| pair_at(self, k)) {
            let measured = self.measure(pair, self.now);
            if measured.overlapping {
                return Err(self.overlap(self.pairs[pair].colliders));
            }
            let too_near = self.is_too_near(pair, measured.distance);
            let may_hop = urgency == Urgency::Plastic || too_near || !self.never_lasts(pair);
            let press = self.hardest_press(pair, &measured);
            let hop = self.hop_under(pair, press);
            let escape = self.escape_velocity(pair, &measured);
            let never_lasts = self.never_lasts(pair);
            let least = if press > 0.0 && !never_lasts { hop.velocity } else { escape };
            if measured.normal_velocity() < least && hop.duration.is_finite() && may_hop {
                if never_lasts && urgency != Urgency::Plastic {
                    return self.part_with_energy_kept(pair, &measured, hop);
                }
                return self.hop(pair, &measured, hop);
            }
        }
        Ok(())
    }
}

/// The closest points of a pair that touches nowhere else, such as two balls, without what curvature does to them.
fn single_site(pair: PairIndex, colliders: [ColliderIndex; 2], hop_height: f64, measured: &Measured) -> Site {
    let Measured { normal, distance: gap, point, states, .. } = *measured;
    let (none, on_first) = ([DMat3::ZERO; 2], point + normal * (0.5 * gap));
    let touching = Touching { on_first, normal, gap, bends: none, carriers: none, slider: DMat3::ZERO };
    Site::new((pair, colliders), touching, hop_height, states)
}
