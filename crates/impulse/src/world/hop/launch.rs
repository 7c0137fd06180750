//! Sending an island on its flight, and remembering what held it.

use super::super::data::World;
use super::super::index::BodyId;
use super::super::pair::WarmPoint;
use super::super::pairs::site::Site;
use super::super::records::event::ImpactRecord;
use super::super::records::lasting_contacts::LASTING_FLIGHTS;
use super::super::records::stopwatch::Phase;
use super::island::Island;
use super::lasting::FEW_BODIES;
use glam::DVec3;
use std::ops::Range;

impl World {
    /// Launches the bodies with the velocities found; those that have come back often enough are frozen.
    pub(crate) fn launch(&mut self, island: &mut Island, duration: f64) {
        if island.bodies.iter().any(|&body| self.member(body).is_frozen()) {
            self.note_rest();
        }
        self.records.stopwatch.enter(Phase::Motion);
        for place in 0..island.bodies.len() {
            let group = self.colliders[island.bodies[place]].group;
            self.note_lasting(group, LASTING_FLIGHTS * duration);
            let until = |is_so: bool| if is_so { self.now + LASTING_FLIGHTS * duration } else { f64::NEG_INFINITY };
            let [company, crowd] = [1, FEW_BODIES].map(|few| until(island.bodies.len() > few));
            (self.groups[group].company_until, self.groups[group].crowd_until) = (company, crowd);
            if self.groups[group].link.is_some() || island.carriers[place].is_some() {
                continue;
            }
            let launch = self.launch_of(island, place);
            self.change_motion(group, &launch.state.world_from_body, |motion| motion.relaunch(launch));
        }
        self.launch_linkages(island, duration);
        for k in 0..island.pairs.len() {
            self.record_hop(island, k, duration);
        }
        self.records.energy.give(island.energy_of_couples());
        self.carry_on(island);
        self.freeze_if_still(island, duration);
        self.records.stopwatch.enter(Phase::Detection);
        self.renew_changed();
    }

    /// Records the impulses of a pair, and keeps them for the next hop to begin with.
    fn record_hop(&mut self, island: &Island, k: usize, duration: f64) {
        let (pair, points) = island.pair(k);
        let mut last = self.pairs[pair].warm_start.take().unwrap_or_default();
        last.time = self.now;
        last.duration = duration;
        last.points.clear();
        last.couples.clear();
        last.couples.extend(island.couples_of(points.clone()));
        (last.lost, last.ahead) = self.record_points(island, points, &mut last.points);
        self.pairs[pair].warm_start = Some(last);
    }

    /// Records some points and keeps them; gives the energy lost at them, J, and the share of their impulses that stands for the
    /// flight to come.
    fn record_points(&mut self, island: &Island, points: Range<usize>, kept: &mut Vec<WarmPoint>) -> (f64, f64) {
        let (mut lost, mut given, mut ahead) = (0.0, 0.0, 0.0);
        for (site, point) in island.sites[points.clone()].iter().zip(&island.points[points]) {
            let impulse = point.frame * point.impulse;
            let velocity = point.velocity(&island.movers);
            let slip = point.frame * (velocity - point.target).truncate().extend(0.0);
            kept.push(WarmPoint { at: site.point(), normal: site.touching.normal, impulse, slip });
            if point.impulse != DVec3::ZERO {
                let after = point.frame * velocity;
                let record = site.record(self.now, self.ids(site.colliders), [impulse, after]);
                self.record(&record);
                lost += record.energy_lost;
                let [came, leaves] = [-record.before, record.after].map(|u| u.dot(record.normal).max(0.0));
                given += point.impulse.z;
                ahead += if leaves > 0.0 { point.impulse.z * leaves / (came + leaves) } else { 0.0 };
            }
        }
        (lost, if given > 0.0 { ahead / given } else { 0.0 })
    }
}

impl Site {
    /// The microcollision at this point, given the impulse and the velocity after it, world frame.
    pub(crate) fn record(&self, time: f64, bodies: [BodyId; 2], [impulse, after]: [DVec3; 2]) -> ImpactRecord {
        let before = self.sliding_velocity();
        ImpactRecord::micro((time, bodies), [self.point(), self.touching.normal], [impulse, before, after])
    }
}
