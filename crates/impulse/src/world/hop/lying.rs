//! Bodies that lie on a fixed plane need no hops: they slide, stop and rest in closed form (beside section 3.5).
//!
//! A body that would hop alone on three points or more of a plane comes down on it without bouncing, if that ends its rotation
//! too, and slides from then on along a line, or rests. Where it stops, leaves the face or is struck, it goes on as it would
//! after any hop.

use super::super::data::World;
use super::super::group::{Carriage, Carrying};
use super::super::index::{ColliderIndex, PairIndex};
use super::super::pair::{WarmPoint, WarmStart};
use super::super::pairs::site::Site;
use super::super::records::event::ImpactRecord;
use super::face::Face;
use super::island::{Hop, Island};
use crate::body::{Drive, Launch, State};
use crate::contact::{FlatLanding, FlatOnPlane, Slide};
use glam::DVec3;

/// Difference between gaps up to which a body lies flat, in heights of a hop.
const LEVEL: f64 = 1e-2;

/// Largest angle between a contact's normal and that of the face, rad.
const SAME_NORMAL: f64 = 1e-6;

/// A body on several points of a flat face.
struct Bed {
    pair: PairIndex,
    body: ColliderIndex,
    surface: ColliderIndex,
    face: Face,
    /// From the body's centre of mass to where it touches, m.
    points: Vec<DVec3>,
    drive: Drive,
    mass: f64,
    friction: [f64; 2],
    /// Of the body now.
    state: State,
    /// Of the hops that it is spared, s.
    hop_duration: f64,
}

impl World {
    /// Lets a plane carry or hold a body that would hop on it alone, on three points or more. Says whether it does.
    pub(super) fn lie_down(&mut self, pair: PairIndex, island: &Island, hop: Hop) -> bool {
        let ([body], [state], [_]) = (&island.bodies[..], &island.states[..], &island.pairs[..]) else { return false };
        // What loses nothing in a bounce goes on to bounce.
        if island.sites.len() < 3 || !self.is_level(&island.sites) || self.pairs[pair].material.restitution >= 1.0 {
            return false;
        }
        let points = island.sites.iter().map(Site::point).collect();
        let Some(bed) = self.bed(pair, (*body, *state), points, hop.duration) else { return false };
        let on_face = |site: &Site| site.touching.normal.cross(bed.face.normal).length() <= SAME_NORMAL;
        if !island.sites.iter().all(on_face) {
            return false;
        }
        let mass = self.member(*body).motion().mass().expect("bodies of an island can be moved");
        let angular_momentum = state.world_from_body.vector(mass.moments() * state.spin);
        let stuck = island.sites.iter().all(|site| self.sticks(site, hop.duration));
        let Some(landing) = bed.law().land(state.velocity, angular_momentum, stuck) else { return false };
        let Some(slide) = self.next_slide(&bed, landing.velocity) else { return false };
        self.records.counters.hops += 1;
        if landing.impulse != DVec3::ZERO {
            let record = self.record_of_landing(&bed, &landing);
            self.record(&record);
        }
        self.begin_slide(&bed, &slide);
        true
    }

    /// Lets a body that slid on a plane go on where that ends: it has come to a stop, or to the edge of the face.
    pub(super) fn slide_on(&mut self, body: ColliderIndex, surface: ColliderIndex, stops: bool) {
        let mut state = self.member(body).state_at(self.now);
        let pair = self.pairs.between([body, surface]).expect("what carries a body is close to it");
        let way = self.way_carried(body);
        let next = self.pairs[pair].warm_start.as_ref().filter(|_| stops).and_then(|last| {
            state.velocity = DVec3::ZERO;
            let points = last.points.iter().map(|point| point.at + way).collect();
            let bed = self.bed(pair, (body, state), points, last.duration)?;
            let slide = self.next_slide(&bed, DVec3::ZERO)?;
            Some((bed, slide))
        });
        match next {
            Some((bed, slide)) => self.begin_slide(&bed, &slide),
            None => self.let_go(body),
        }
    }

    /// Whether a body touches at some points, is not too near anywhere, and lies flat.
    fn is_level(&self, sites: &[Site]) -> bool {
        let gaps = || sites.iter().map(|site| site.touching.gap);
        let (least, most) = (gaps().fold(f64::INFINITY, f64::min), gaps().fold(0.0, f64::max));
        let pair = sites[0].pair;
        !self.is_too_near(pair, least) && most - least <= LEVEL * self.hop_height(pair)
    }

    /// A body on points (world frame, m) of a flat face of a fixed body, if nothing but a steady force acts on it.
    fn bed(
        &self,
        pair: PairIndex,
        (body, state): (ColliderIndex, State),
        mut points: Vec<DVec3>,
        hop_duration: f64,
    ) -> Option<Bed> {
        let [first, second] = self.pairs[pair].colliders;
        let surface = if first == body { second } else { first };
        let motion = self.member(body).motion();
        let (mass, drive) = (motion.mass()?.mass(), motion.drive()?);
        let face = self.face_under(surface, points[0])?;
        if drive.torque != DVec3::ZERO {
            return None;
        }
        let laws = self.materials.combined(self.colliders[body].material, self.colliders[surface].material);
        let friction = [laws.material.friction, laws.static_friction];
        points.iter_mut().for_each(|point| *point -= state.world_from_body.translation);
        Some(Bed { pair, body, surface, face, points, drive, mass, friction, state, hop_duration })
    }

    /// How a body goes on with a velocity. Time must get ahead: it slides for as long as a hop at least.
    fn next_slide(&self, bed: &Bed, velocity: DVec3) -> Option<Slide> {
        let slide = bed.law().slide(velocity)?;
        let lasts = slide.stops_after.min(self.time_over_face(bed, &slide));
        (slide.is_rest() || lasts > bed.hop_duration).then_some(slide)
    }

    /// How long all points stay over the face, s.
    fn time_over_face(&self, bed: &Bed, slide: &Slide) -> f64 {
        let time = |arm: &DVec3| {
            let face = self.face_under(bed.surface, bed.state.world_from_body.translation + *arm);
            let face = face.filter(|face| face.normal == bed.face.normal);
            face.map_or(0.0, |face| face.time_over(slide.velocity, slide.acceleration))
        };
        bed.points.iter().map(time).fold(f64::INFINITY, f64::min)
    }

    /// Sends a body on its way over the plane, or lets it rest.
    fn begin_slide(&mut self, bed: &Bed, slide: &Slide) {
        let pose = bed.state.world_from_body;
        let launch = Launch { time: self.now, state: State { velocity: slide.velocity, ..State::resting(pose) } };
        let over_face = self.time_over_face(bed, slide);
        let (group, rests) = (self.colliders[bed.body].group, slide.is_rest());
        let together = Drive { acceleration: slide.acceleration, torque: DVec3::ZERO };
        let until = launch.time + slide.stops_after.min(over_face);
        self.change_motion(group, &pose, |motion| {
            motion.relaunch(launch);
            if !rests {
                motion.carry(launch, together, until);
            }
        });
        self.keep_pushes(bed, slide);
        self.note_lasting(group, 0.0);
        if rests {
            self.change_motion(group, &pose, |motion| motion.rest(launch.time));
        } else {
            let carrying = Carrying::Flat { stops: slide.stops_after <= over_face };
            self.groups[group].carriage = Some(Carriage { surface: bed.surface, carrying });
        }
    }

    /// Keeps the pushes of a plane where the impulses of hops are kept.
    fn keep_pushes(&mut self, bed: &Bed, slide: &Slide) {
        let sign = self.sign_of(bed.pair, bed.body);
        let impulse = sign * bed.hop_duration * slide.force;
        let shares = bed.law().shares(slide.centre);
        let points = bed.points.iter().zip(shares).map(|(&arm, share)| WarmPoint {
            at: bed.state.world_from_body.translation + arm,
            normal: sign * bed.face.normal,
            impulse: share * impulse,
            slip: sign * slide.velocity,
        });
        let points = points.collect();
        let (time, duration) = (self.now, bed.hop_duration);
        let push = WarmStart { time, duration, points, couples: Vec::new(), lost: 0.0, ahead: 0.0 };
        self.pairs[bed.pair].warm_start = Some(Box::new(push));
    }

    /// The microcollision in which a body comes down.
    fn record_of_landing(&self, bed: &Bed, landing: &FlatLanding) -> ImpactRecord {
        let sign = self.sign_of(bed.pair, bed.body);
        let point = bed.state.world_from_body.translation + landing.centre;
        let [before, after] = [bed.state.point_velocity(point), landing.velocity].map(|u| sign * u);
        let impulse = sign * landing.impulse;
        let happened = (self.now, self.ids(self.pairs[bed.pair].colliders));
        ImpactRecord::micro(happened, [point, sign * bed.face.normal], [impulse, before, after])
    }
}

impl Bed {
    fn law(&self) -> FlatOnPlane<'_> {
        FlatOnPlane {
            normal: self.face.normal,
            mass: self.mass,
            acceleration: self.drive.acceleration,
            friction: self.friction,
            points: &self.points,
        }
    }
}
