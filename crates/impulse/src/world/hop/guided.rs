//! Bodies that roll or slide on one point of a plane need no hops: their motion is integrated ahead (beside section 3.5).
//!
//! A body that hopped alone on one point comes down on the plane without bouncing and is guided by it from then on, piece by piece,
//! until the contact changes: it slips or sticks, lifts off, leaves the face, touches with another point, or is struck. What
//! comes then is a matter of hops again.

use super::super::data::World;
use super::super::group::{Carriage, Carrying};
use super::super::index::{ColliderIndex, PairIndex};
use super::super::pair::{WarmPoint, WarmStart};
use super::super::records::event::ImpactRecord;
use super::face::Face;
use super::island::{Hop, Island};
use crate::body::{Launch, State};
use crate::contact::{Carpet, Grip, Guide, Held, Piece, PointOnPlane, bisect};
use crate::detect::AIM_SHARE;
use crate::geometry::Stand;
use crate::math::any_perpendicular;
use crate::respond::{Impact, Material, resolve};
use glam::{DMat3, DVec3};

/// Duration of the piece that is tried first, in hops.
const FIRST_PIECE: f64 = 8.0;

/// How long contact must stay as it is for a body to be guided, in hops.
const STEADY: f64 = 2.0;

/// Duration of the shortest piece, in hops.
const SHORTEST_PIECE: f64 = 0.1;

/// Hops until a body that could not be guided is tried again.
const PATIENCE: f64 = 16.0;

/// Clearance of the rest of a body, relative to the distance up to which points belong to a contact.
const CLEARANCE: f64 = 2.0;

/// What must be left of it, relative to the same, for a body to be guided on.
const SPARE: f64 = 0.1;

/// Error of a body's height in a piece, relative to the distance at which it touches, and to its height.
const HEIGHT_ERROR: [f64; 2] = [0.1, 0.5];

/// Sine of the angle up to which an axis is a normal.
const PARALLEL: f64 = 1e-12;

/// Largest angle between a contact's normal and that of the face, rad.
const SAME_NORMAL: f64 = 1e-6;

/// A body on one point, and the plane below.
#[derive(Clone, Copy)]
struct Foothold {
    pair: PairIndex,
    body: ColliderIndex,
    surface: ColliderIndex,
    face: Face,
    law: PointOnPlane,
    /// Of the body now.
    state: State,
    /// Of the hops that it is spared, s.
    hop_duration: f64,
}

impl World {
    /// Lets a plane guide a body that would hop on it alone, on one point, and has done so. Says whether it does.
    pub(super) fn guide(&mut self, pair: PairIndex, island: &Island, hop: Hop) -> bool {
        let ([body], [state], [site], [_]) =
            (&island.bodies[..], &island.states[..], &island.sites[..], &island.pairs[..])
        else {
            return false;
        };
        let group = self.colliders[*body].group;
        let hopped = self.pairs[pair].warm_start.as_ref().is_some_and(|last| last.points.len() == 1);
        if !hopped || self.now < self.groups[group].unguided_until || self.is_too_near(pair, site.touching.gap) {
            return false;
        }
        let guided = self.land_on_point(pair, (*body, *state), hop);
        if !guided {
            self.groups[group].unguided_until = self.now + PATIENCE * hop.duration;
        }
        guided
    }

    fn land_on_point(&mut self, pair: PairIndex, (body, state): (ColliderIndex, State), hop: Hop) -> bool {
        let Some(mut foothold) = self.foothold(pair, body, state, hop.duration) else { return false };
        let Some(record) = self.landing(&mut foothold) else { return false };
        let Some((grip, piece)) = self.find_piece(&mut foothold, FIRST_PIECE * hop.duration) else { return false };
        if piece.next.is_none() && piece.until - self.now < STEADY * hop.duration {
            return false;
        }
        self.records.counters.hops += 1;
        if record.impulse != DVec3::ZERO {
            self.record(&record);
        }
        self.begin_piece(&foothold, grip, piece);
        true
    }

    /// Lets a guided body go on at the end of a piece, for a duration (s) that suits if the contact has not changed.
    pub(super) fn guide_on(&mut self, body: ColliderIndex, surface: ColliderIndex, next: Option<f64>) {
        let state = self.member(body).state_at(self.now);
        let pair = self.pairs.between([body, surface]).expect("what carries a body is close to it");
        let duration = self.pairs[pair].warm_start.as_ref().map_or(0.0, |last| last.duration);
        let piece = next.and_then(|length| {
            let mut foothold = self.foothold(pair, body, state, duration)?;
            let (grip, piece) = self.find_piece(&mut foothold, length)?;
            Some((foothold, grip, piece))
        });
        match piece {
            Some((foothold, grip, piece)) => self.begin_piece(&foothold, grip, piece),
            None => self.let_go(body),
        }
    }

    /// The next piece of a body's way, of a duration (s) at most. Slip that friction ends within a hop is none, where friction can hold
    /// the body; where it cannot, that is a matter of hops.
    fn find_piece(&self, foothold: &mut Foothold, longest: f64) -> Option<(Grip, Piece)> {
        let Foothold { pair, law, state, hop_duration, .. } = *foothold;
        let slip = across(law.slip(&state), law.normal).length();
        let stops = slip <= law.friction[0] * self.hop_velocity(self.least_hop_height(pair), hop_duration);
        let grip = if stops && law.friction[0] > 0.0 { Grip::Sticks } else { Grip::Slips };
        Some((grip, self.next_piece(foothold, grip, longest)?))
    }

    /// Where a guided body touches now, and the force on the first body of the pair.
    pub(crate) fn guided_contact(&self, pair: PairIndex, body: ColliderIndex) -> Option<(DVec3, DVec3)> {
        let Carrying::Point(grip, _) = self.group_of(body).carriage?.carrying else { return None };
        let Foothold { law, state, .. } = self.foothold(pair, body, self.member(body).state_at(self.now), 0.0)?;
        Some((law.lowest_point(&state), self.sign_of(pair, body) * law.hold(&state, grip)?.force))
    }

    /// A body on one point of a flat face that stays where it is, if nothing but a steady force acts on it.
    fn foothold(&self, pair: PairIndex, body: ColliderIndex, state: State, hop_duration: f64) -> Option<Foothold> {
        let [first, second] = self.pairs[pair].colliders;
        let surface = if first == body { second } else { first };
        let motion = self.member(body).motion();
        let (mass, drive) = (*motion.mass()?, motion.drive()?);
        let [at, angular_velocity] = self.member(surface).motion().steady_turning()?;
        let collider = &self.colliders[body];
        let normal = self.last_normal(pair, body)?;
        let pose = state.world_from_body;
        let down = -pose.inverse_vector(normal);
        let stand = Stand::of(&collider.shape, &collider.body_from_shape, down)?;
        let face = self.face_at(surface, pose.point(stand.foot.lowest(down)), self.now)?;
        let is_flat = face.normal.distance(normal) <= SAME_NORMAL;
        let is_steady = angular_velocity.cross(face.normal).length() <= PARALLEL * angular_velocity.length();
        let is_clear = stand.clearance > CLEARANCE * self.contact_distance(pair);
        if !(is_flat && is_steady && is_clear && drive.torque == DVec3::ZERO) {
            return None;
        }
        let laws = self.materials.combined(collider.material, self.colliders[surface].material);
        let law = PointOnPlane {
            normal: face.normal,
            carpet: Carpet { at, velocity: DVec3::ZERO, angular_velocity },
            foot: stand.foot,
            mass,
            acceleration: drive.acceleration,
            friction: [laws.material.friction, laws.static_friction],
            rolling: laws.rolling_resistance,
            spinning: laws.spinning_resistance,
        };
        Some(Foothold { pair, body, surface, face, law, state, hop_duration })
    }

    /// The normal of a pair's last hop, towards a body.
    fn last_normal(&self, pair: PairIndex, body: ColliderIndex) -> Option<DVec3> {
        let last = self.pairs[pair].warm_start.as_ref()?.points.first()?;
        Some(if self.pairs[pair].colliders[0] == body { last.normal } else { -last.normal })
    }

    /// Ends the approach of a body without a bounce, with the friction that goes with it: what is to be recorded of that; `None`
    /// where it parts.
    fn landing(&self, foothold: &mut Foothold) -> Option<ImpactRecord> {
        let Foothold { pair, body, law, state, .. } = *foothold;
        let before = law.slip(&state);
        let speeds = [self.colliders[body].surface_speed(&state), 0.0];
        let tolerance = self.settings.velocity_tolerance(self.pairs[pair].touch_distance, speeds);
        let approach = before.dot(law.normal);
        if approach > tolerance {
            return None;
        }
        let tangent = any_perpendicular(law.normal);
        let frame = DMat3::from_cols(tangent, law.normal.cross(tangent), law.normal);
        let material = Material { friction: law.friction[0], restitution: 0.0, ..self.pairs[pair].material };
        let velocity = frame.transpose() * before;
        let impact = Impact { matrix: frame.transpose() * law.matrix(&state) * frame, material, velocity };
        let impulse = if approach < 0.0 { frame * resolve(&impact).ok()?.impulse } else { DVec3::ZERO };
        foothold.push(impulse);
        let after = law.slip(&foothold.state);
        let sign = self.sign_of(pair, body);
        let happened = (self.now, self.ids(self.pairs[pair].colliders));
        let velocities = [sign * impulse, sign * before, sign * after];
        Some(ImpactRecord::micro(happened, [law.lowest_point(&state), sign * law.normal], velocities))
    }

    /// One for the first body of a pair, else minus one.
    pub(super) fn sign_of(&self, pair: PairIndex, body: ColliderIndex) -> f64 {
        if self.pairs[pair].colliders[0] == body { 1.0 } else { -1.0 }
    }

    /// The same with a given grip.
    fn next_piece(&self, foothold: &mut Foothold, grip: Grip, longest: f64) -> Option<Piece> {
        let touch_distance = self.pairs[foothold.pair].touch_distance;
        let gap = foothold.face.height(foothold.law.lowest_point(&foothold.state));
        // What the last pieces did to the gap is mended by the end of this one.
        let rise = (AIM_SHARE * touch_distance - gap) / longest;
        foothold.straighten(grip, rise);
        let guide = Guide {
            law: &foothold.law,
            grip,
            launch: Launch { time: self.now, state: foothold.state },
            radius: self.colliders[foothold.body].radius,
            height_error: (HEIGHT_ERROR[0] * touch_distance).min(HEIGHT_ERROR[1] * gap),
        };
        let shortest = SHORTEST_PIECE * foothold.hop_duration;
        let mut piece = guide.piece(longest, shortest)?;
        let until = self.over_face_until(foothold, &piece).min(self.clear_until(foothold, &piece));
        if until < piece.until {
            (piece.until, piece.next) = (until, None);
        }
        (piece.until - self.now > shortest).then_some(piece)
    }

    /// Until when the contact point stays on the face, s.
    fn over_face_until(&self, foothold: &Foothold, piece: &Piece) -> f64 {
        let Foothold { surface, law, .. } = foothold;
        let is_over = |t: f64| {
            let face = self.face_at(*surface, law.lowest_point(&piece.course.state_at(t)), t);
            face.is_some_and(|face| face.normal.distance(law.normal) <= SAME_NORMAL)
        };
        if is_over(piece.until) { piece.until } else { bisect(self.now, piece.until, is_over) }
    }

    /// Until when nothing but its foot comes near the plane, s: heights change no faster than the body turns.
    fn clear_until(&self, foothold: &Foothold, piece: &Piece) -> f64 {
        let collider = &self.colliders[foothold.body];
        let near = CLEARANCE * self.contact_distance(foothold.pair);
        let clearance = |t: f64| {
            let down = -piece.course.state_at(t).world_from_body.inverse_vector(foothold.law.normal);
            Stand::of(&collider.shape, &collider.body_from_shape, down).map_or(0.0, |stand| stand.clearance) - near
        };
        let fastest = 2.0 * collider.radius * piece.course.fastest_turning();
        let mut t = self.now;
        while t < piece.until {
            let spare = clearance(t);
            if spare <= SPARE * near {
                return t;
            }
            t += spare / fastest;
        }
        piece.until
    }

    /// Sends a body on the next piece of its way.
    fn begin_piece(&mut self, foothold: &Foothold, grip: Grip, piece: Piece) {
        let &Foothold { pair, body, surface, state, .. } = foothold;
        let Piece { course, until, first, next } = piece;
        let group = self.colliders[body].group;
        let launch = Launch { time: self.now, state };
        self.change_motion(group, &state.world_from_body, |motion| {
            motion.relaunch(launch);
            motion.guide(course, until);
        });
        self.keep_hold(foothold, &first);
        self.note_lasting(group, 0.0);
        self.groups[group].carriage = Some(Carriage { surface, carrying: Carrying::Point(grip, next) });
        debug_assert!(self.pairs[pair].warm_start.is_some(), "the push of what carries is known");
    }

    /// Keeps the push of a plane where the impulses of hops are kept.
    fn keep_hold(&mut self, foothold: &Foothold, held: &Held) {
        let sign = self.sign_of(foothold.pair, foothold.body);
        let duration = foothold.hop_duration;
        let point = WarmPoint {
            at: foothold.law.lowest_point(&foothold.state),
            normal: sign * foothold.law.normal,
            impulse: sign * duration * held.force,
            slip: sign * across(held.slip, foothold.law.normal),
        };
        let couples = if held.couple == DVec3::ZERO { Vec::new() } else { vec![sign * duration * held.couple] };
        let push = WarmStart { time: self.now, duration, points: vec![point], couples, lost: 0.0, ahead: 0.0 };
        self.pairs[foothold.pair].warm_start = Some(Box::new(push));
    }
}

impl Foothold {
    /// Applies an impulse at the contact, N s.
    fn push(&mut self, impulse: DVec3) {
        let (state, mass) = (&mut self.state, &self.law.mass);
        let pose = state.world_from_body;
        let arm = self.law.lowest_point(state) - pose.translation;
        state.velocity += impulse / mass.mass();
        state.spin += pose.inverse_vector(arm.cross(impulse)) / mass.moments();
    }

    /// Lets the contact rise at a velocity (m/s), and rids it of what slip a sticking one has left: both are matters of rounding.
    fn straighten(&mut self, grip: Grip, rise: f64) {
        let slip = self.law.slip(&self.state);
        let n = self.law.normal;
        let missing = match grip {
            Grip::Sticks => n * rise - slip,
            Grip::Slips => n * (rise - slip.dot(n)),
        };
        self.push(self.law.matrix(&self.state).inverse() * missing);
    }
}

/// The part of a vector across the normal.
fn across(v: DVec3, normal: DVec3) -> DVec3 {
    v - normal * v.dot(normal)
}
