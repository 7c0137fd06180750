//! Bodies that roll or slide on one point of a plane, or stand on two, need no hops: their motion is integrated ahead (beside section 3.5).
//!
//! A body that hopped alone on such points comes down on the plane without bouncing and is guided by it from then on, piece by piece,
//! until the contact changes: it slips or sticks, lifts off, leaves the face, touches with another point, or is struck. What
//! comes then is a matter of hops again.

use super::super::collider::Collider;
use super::super::data::World;
use super::super::group::{Carriage, Carrying};
use super::super::index::{ColliderIndex, PairIndex};
use super::super::pair::{WarmPoint, WarmStart};
use super::super::records::event::ImpactRecord;
use super::face::Face;
use super::freeze::is_nearly_still;
use super::island::{Hop, Island};
use crate::body::{Acceleration, Launch, State};
use crate::contact::{Carpet, Grip, Guide, Held, Hinge, Mode, Piece, PointOnPlane, bisect};
use crate::detect::AIM_SHARE;
use crate::geometry::{Seen, Stand};
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
const PATIENCE: f64 = 4.0;

/// Clearance of the rest of a body, relative to the height of the lowest hops.
const CLEARANCE: f64 = 1.0;

/// Clearance at which the rest of a body is let down to strike, relative to the distance up to which points belong to a contact.
const BOUNCING: f64 = 2.0;

/// Before what comes down fast has struck, a body that was guided hops for so long, in hops.
const LET_DOWN: f64 = 4.0;

/// Time in which it is seen how fast it comes down, in hops.
const MOMENT: f64 = 0.1;

/// What must be left of a clearance, relative to the same, for a body to be guided on.
const SPARE: f64 = 0.1;

/// Error of a body's height in a piece, relative to the distance at which it touches, and to its height.
const HEIGHT_ERROR: [f64; 2] = [0.1, 0.5];

/// Difference between gaps up to which two points are level, in heights of the lowest hop.
const LEVEL: f64 = 1e-2;

/// Sine of the angle up to which an axis is a normal.
const PARALLEL: f64 = 1e-12;

/// Largest angle between a contact's normal and that of the face, rad.
const SAME_NORMAL: f64 = 1e-6;

/// A body on one point or two, and the plane below.
#[derive(Clone, Copy)]
struct Foothold {
    pair: PairIndex,
    body: ColliderIndex,
    surface: ColliderIndex,
    face: Face,
    law: PointOnPlane,
    /// Of the body now.
    state: State,
    /// Half of the line on whose ends it stands, if it does not stand on one point; body frame, m.
    line: Option<DVec3>,
    /// Of the hops that it is spared, s.
    hop_duration: f64,
}

/// How a body stands: its state now, whether on two points, and the duration of the hops that it is spared, s.
struct Stance {
    state: State,
    on_line: bool,
    hop_duration: f64,
}

impl World {
    /// Lets a plane guide a body that would hop on it alone, on one point or two, and has done so. Says whether it does.
    pub(super) fn guide(&mut self, pair: PairIndex, island: &Island, hop: Hop) -> bool {
        let ([body], [state], [_]) = (&island.bodies[..], &island.states[..], &island.pairs[..]) else { return false };
        let gap = island.sites.iter().map(|site| site.touching.gap).fold(f64::INFINITY, f64::min);
        let group = self.colliders[*body].group;
        let pushed = |last: &WarmStart| last.points.iter().filter(|point| point.impulse != DVec3::ZERO).count();
        let last = self.pairs[pair].warm_start.as_deref().filter(|last| (1..=2).contains(&pushed(last)));
        // Hops of one body alone are lower than those of the pair at most, and shorter.
        let Some((duration, points)) = last.map(|last| (last.duration.min(hop.duration), pushed(last))) else {
            return false;
        };
        let stance = Stance { state: *state, on_line: points == 2, hop_duration: duration };
        if self.now < self.groups[group].unguided_until || self.is_too_near(pair, gap) {
            return false;
        }
        let guided = self.land_on_point(pair, *body, &stance);
        if !guided {
            self.groups[group].unguided_until = self.now + PATIENCE * duration;
        }
        guided
    }

    fn land_on_point(&mut self, pair: PairIndex, body: ColliderIndex, stance: &Stance) -> bool {
        let hop_duration = stance.hop_duration;
        let Some(mut foothold) = self.foothold(pair, body, stance) else { return false };
        let Some(record) = self.landing(&mut foothold) else { return false };
        let Some((mode, piece)) =
            self.find_piece(&mut foothold, [FIRST_PIECE, STEADY].map(|hops| hops * hop_duration), false)
        else {
            return false;
        };
        if piece.next.is_none() && piece.until - self.now < STEADY * hop_duration
            || self.stands_still(&foothold, &piece)
        {
            return false;
        }
        self.records.counters.hops += 1;
        if record.impulse != DVec3::ZERO {
            self.record(&record);
        }
        self.begin_piece(&foothold, mode, piece);
        true
    }

    /// Lets a guided body go on at the end of a piece, for a duration (s) that suits if the contact has not changed.
    pub(super) fn guide_on(&mut self, body: ColliderIndex, surface: ColliderIndex, (mode, next): (Mode, Option<f64>)) {
        let state = self.member(body).state_at(self.now);
        let pair = self.pairs.between([body, surface]).expect("what carries a body is close to it");
        let duration = self.pairs[pair].warm_start.as_ref().map_or(0.0, |last| last.duration);
        let piece = next.and_then(|length| {
            let stance = Stance { state, on_line: matches!(mode.hinge, Hinge::Line(_)), hop_duration: duration };
            let mut foothold = self.foothold(pair, body, &stance)?;
            let (mode, piece) =
                self.find_piece(&mut foothold, [length, SHORTEST_PIECE * duration], mode.grip == Grip::Slips)?;
            (!self.stands_still(&foothold, &piece)).then_some((foothold, mode, piece))
        });
        match piece {
            Some((foothold, mode, piece)) => self.begin_piece(&foothold, mode, piece),
            None => self.let_go(body),
        }
    }

    /// The next piece of a body's way, of a longest and a shortest duration (s), where it `slipped` before or not.
    fn find_piece(&self, foothold: &mut Foothold, lengths: [f64; 2], slipped: bool) -> Option<(Mode, Piece)> {
        let (mode, begins) = self.mode(foothold, slipped)?;
        let piece = self.next_piece(foothold, (mode, begins), lengths);
        Some((mode, piece?))
    }

    /// How contact acts on a body from now on, and whether it begins to slip. What friction and resistance end within a hop counts as ended, where
    /// they can hold the body then. `None` where that is a matter of hops.
    fn mode(&self, foothold: &Foothold, slipped: bool) -> Option<(Mode, bool)> {
        let Foothold { pair, law, state, hop_duration, .. } = *foothold;
        let slip = across(law.slip(&state), law.normal).length();
        let stops = slip <= law.friction[0] * self.hop_velocity(self.least_hop_height(pair), hop_duration);
        if stops && law.friction[0] > 0.0 {
            let mode = Mode { grip: Grip::Sticks, hinge: foothold.hinge(Grip::Sticks, false)? };
            let force = law.hold(&state, mode)?.force;
            let is_held = across(force, law.normal).length() <= law.friction[1] * force.dot(law.normal);
            if is_held || foothold.line.is_some() {
                return Some((mode, false));
            }
        }
        if foothold.line.is_some() {
            return None;
        }
        let begins = stops && !slipped && law.friction[0] > 0.0;
        let mut from = *foothold;
        if begins {
            from.straighten((Mode { grip: Grip::Sticks, hinge: Hinge::Spins(0.0) }, begins), 0.0);
        }
        Some((Mode { grip: Grip::Slips, hinge: from.hinge(Grip::Slips, begins)? }, begins))
    }

    /// Where a guided body touches now with the one or other of its points, and the force on the first body of the pair.
    pub(crate) fn guided_contact(&self, pair: PairIndex, body: ColliderIndex, place: usize) -> Option<(DVec3, DVec3)> {
        let Carrying::Point(mode, _) = self.group_of(body).carriage?.carrying else { return None };
        let state = self.member(body).state_at(self.now);
        let stance = Stance { state, on_line: matches!(mode.hinge, Hinge::Line(_)), hop_duration: 0.0 };
        let Foothold { law, state, .. } = self.foothold(pair, body, &stance)?;
        let (points, forces) = law.shares(&state, &law.hold(&state, mode)?, mode.hinge);
        Some((points[place], self.sign_of(pair, body) * forces[place]))
    }

    /// A body on one point of a flat face that stays where it is, if nothing but a steady force acts on it.
    fn foothold(&self, pair: PairIndex, body: ColliderIndex, stance: &Stance) -> Option<Foothold> {
        let &Stance { state, on_line, hop_duration } = stance;
        let [first, second] = self.pairs[pair].colliders;
        let surface = if first == body { second } else { first };
        let motion = self.member(body).motion();
        let (mass, drive) = (*motion.mass()?, motion.drive()?);
        let [at, angular_velocity] = self.member(surface).motion().steady_turning()?;
        let collider = &self.colliders[body];
        let normal = self.last_normal(pair, body)?;
        let pose = state.world_from_body;
        let down = -pose.inverse_vector(normal);
        let (stand, line) = stand_of(collider, down, on_line)?;
        let face = self.face_at(surface, pose.point(stand.foot.lowest(down)), self.now)?;
        let is_flat = face.normal.distance(normal) <= SAME_NORMAL;
        // A line that sticks turns with the plane, which is no motion about the line.
        let is_steady = if on_line {
            angular_velocity == DVec3::ZERO
        } else {
            angular_velocity.cross(face.normal).length() <= PARALLEL * angular_velocity.length()
        };
        let is_clear = stand.clearance > self.clear_distance(pair);
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
        Some(Foothold { pair, body, surface, face, law, state, line, hop_duration })
    }

    /// The normal of a pair's last hop, towards a body.
    fn last_normal(&self, pair: PairIndex, body: ColliderIndex) -> Option<DVec3> {
        let last = self.pairs[pair].warm_start.as_ref()?.points.iter().find(|point| point.impulse != DVec3::ZERO)?;
        Some(if self.pairs[pair].colliders[0] == body { last.normal } else { -last.normal })
    }

    /// Ends the approach of a body without a bounce, with the friction that goes with it: what is to be recorded of that; `None`
    /// where it parts.
    fn landing(&self, foothold: &mut Foothold) -> Option<ImpactRecord> {
        if foothold.line.is_some() {
            return self.landing_on_line(foothold);
        }
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

    /// The same on two points, which stick, are level, and are where the body touches.
    fn landing_on_line(&self, foothold: &mut Foothold) -> Option<ImpactRecord> {
        let Foothold { pair, body, law, state, .. } = *foothold;
        let (Mode { hinge, .. }, _) = self.mode(foothold, false)?;
        let heights = law.heights(&state, hinge);
        let before = law.slip(&state);
        let parting = before.dot(law.normal);
        if (heights[0] - heights[1]).abs() > LEVEL * self.least_hop_height(pair) || parting > 0.0 {
            return None;
        }
        foothold.state = law.settled(&state, hinge, DVec3::ZERO);
        let energy = [&state, &foothold.state].map(|state| law.mass.kinetic_energy(state));
        let sign = self.sign_of(pair, body);
        let impulse = law.mass.mass() * (foothold.state.velocity - state.velocity);
        let happened = (self.now, self.ids(self.pairs[pair].colliders));
        let velocities = [sign * impulse, sign * before, DVec3::ZERO];
        let record = ImpactRecord::micro(happened, [law.lowest_point(&state), sign * law.normal], velocities);
        Some(ImpactRecord { energy_lost: energy[0] - energy[1], ..record })
    }

    /// One for the first body of a pair, else minus one.
    pub(super) fn sign_of(&self, pair: PairIndex, body: ColliderIndex) -> f64 {
        if self.pairs[pair].colliders[0] == body { 1.0 } else { -1.0 }
    }

    /// The same with a given grip.
    fn next_piece(
        &self,
        foothold: &mut Foothold,
        (mode, begins): (Mode, bool),
        [longest, shortest]: [f64; 2],
    ) -> Option<Piece> {
        let touch_distance = self.pairs[foothold.pair].touch_distance;
        let Foothold { law, face, .. } = foothold;
        let [one, other] = law.heights(&foothold.state, mode.hinge);
        let gap = face.height(law.lowest_point(&foothold.state)) - 0.5 * (one - other).abs();
        // What the last pieces did to the gap is mended by the end of this one.
        let rise = (AIM_SHARE * touch_distance - gap) / longest;
        foothold.straighten((mode, begins), rise);
        let guide = Guide {
            law: &foothold.law,
            mode,
            begins_to_slip: begins,
            launch: Launch { time: self.now, state: foothold.state },
            radius: self.colliders[foothold.body].radius,
            height_error: (HEIGHT_ERROR[0] * touch_distance).min(HEIGHT_ERROR[1] * gap),
        };
        let mut piece = guide.piece(longest, shortest)?;
        let until = self.over_face_until(foothold, &piece).min(self.clear_until(foothold, &piece));
        if until < piece.until {
            (piece.until, piece.next) = (until, None);
        }
        (piece.until - self.now > shortest).then_some(piece)
    }

    /// Height (m) above a plane at which the rest of a body is clear of it: what comes down farther is a matter of hops.
    fn clear_distance(&self, pair: PairIndex) -> f64 {
        self.pairs[pair].touch_distance + CLEARANCE * self.least_hop_height(pair)
    }

    /// Until when the contact point stays on the face, s.
    fn over_face_until(&self, foothold: &Foothold, piece: &Piece) -> f64 {
        let Foothold { surface, law, line, .. } = foothold;
        let is_over = |t: f64| {
            let pose = piece.course.pose_at(t);
            let half = line.map_or(DVec3::ZERO, |half| pose.vector(half));
            [half, -half].into_iter().all(|way| {
                let face = self.face_at(*surface, law.lowest_in(&pose) + way, t);
                face.is_some_and(|face| face.normal.distance(law.normal) <= SAME_NORMAL)
            })
        };
        if is_over(piece.until) { piece.until } else { bisect(self.now, piece.until, is_over) }
    }

    /// Until when nothing but its foot comes near the plane, s: heights change no faster than the body tilts.
    fn clear_until(&self, foothold: &Foothold, piece: &Piece) -> f64 {
        let near = self.clear_distance(foothold.pair);
        let far = BOUNCING * self.contact_distance(foothold.pair);
        // What comes down faster than a hop does so in an impact, which finds hops as they are when they last.
        let [moment, slow] = [
            MOMENT * foothold.hop_duration,
            self.hop_velocity(self.least_hop_height(foothold.pair), foothold.hop_duration),
        ];
        let falls_from = |descent: f64| (1.0 + SPARE) * far.max(LET_DOWN * foothold.hop_duration * descent);
        let tilting = piece.course.fastest_tilting(foothold.law.normal);
        let diameter = 2.0 * self.colliders[foothold.body].radius;
        // How high everything but the foot is, and by which angles the body may tilt before any of it comes near, or may be about to strike.
        let look = |t: f64| {
            let (mut above, mut tilts) = (f64::INFINITY, [f64::INFINITY; 2]);
            let stands = self.look(foothold, piece, t, &mut |height, lever| {
                let lever = lever.min(diameter);
                above = above.min(height);
                for (tilt, limit) in tilts.iter_mut().zip([near, falls_from(lever * tilting)]) {
                    *tilt = tilt.min((height - limit) / lever);
                }
            });
            if stands { (above, tilts) } else { (0.0, [0.0; 2]) }
        };
        let strikes = |t: f64, above: f64| {
            let descent = (above - look((t + moment).min(piece.course.end())).0) / moment;
            descent > slow && above <= falls_from(descent)
        };
        let mut t = self.now;
        while t < piece.until {
            let (above, [before_near, before_strike]) = look(t);
            let is_low = before_strike <= SPARE * above / diameter;
            if above <= (1.0 + SPARE) * near || is_low && strikes(t, above) {
                return t;
            }
            // What may strike soon is looked at in each hop.
            t += if is_low { foothold.hop_duration.min(before_near / tilting) } else { before_strike / tilting };
        }
        piece.until
    }

    /// Looks at everything but the foot at a time of a piece. Says whether the body stands on the same foot.
    fn look(&self, foothold: &Foothold, piece: &Piece, t: f64, seen: &mut Seen<'_>) -> bool {
        let Collider { shape, body_from_shape, .. } = &self.colliders[foothold.body];
        let down = -(piece.course.rotation_at(t).conjugate() * foothold.law.normal);
        if foothold.line.is_none() {
            return Stand::look_around(shape, body_from_shape, down, seen).is_some();
        }
        // Other ends of the line are another line.
        let line = Stand::look_along(shape, body_from_shape, down, seen);
        line.is_some_and(|(foot, _)| foot == foothold.law.foot)
    }

    /// Whether a body neither moves nor begins to: it hops, and freezes.
    fn stands_still(&self, foothold: &Foothold, piece: &Piece) -> bool {
        let Foothold { state, pair, body, hop_duration: time, .. } = *foothold;
        let Acceleration { linear, angular } = piece.first.acceleration;
        let linear = state.velocity.length() + 0.5 * time * linear.length();
        let angular = state.spin.length() + 0.5 * time * angular.length();
        is_nearly_still((linear + self.colliders[body].radius * angular) * time, self.least_hop_height(pair))
    }

    /// Sends a body on the next piece of its way.
    fn begin_piece(&mut self, foothold: &Foothold, mode: Mode, piece: Piece) {
        let &Foothold { pair, body, surface, state, .. } = foothold;
        let Piece { course, until, first, next } = piece;
        let group = self.colliders[body].group;
        let launch = Launch { time: self.now, state };
        self.change_motion(group, &state.world_from_body, |motion| {
            motion.relaunch(launch);
            motion.guide(course, until);
        });
        self.keep_hold(foothold, mode, &first);
        self.note_lasting(group, 0.0);
        self.groups[group].carriage = Some(Carriage { surface, carrying: Carrying::Point(mode, next) });
        debug_assert!(self.pairs[pair].warm_start.is_some(), "the push of what carries is known");
    }

    /// Keeps the push of a plane where the impulses of hops are kept.
    fn keep_hold(&mut self, foothold: &Foothold, mode: Mode, held: &Held) {
        let Foothold { law, state, hop_duration: duration, .. } = foothold;
        let sign = self.sign_of(foothold.pair, foothold.body);
        let (at, forces) = law.shares(state, held, mode.hinge);
        let point = |k: usize| WarmPoint {
            at: at[k],
            normal: sign * law.normal,
            impulse: sign * *duration * forces[k],
            slip: sign * across(held.slip, law.normal),
        };
        let on_line = matches!(mode.hinge, Hinge::Line(_));
        let points = if on_line { vec![point(0), point(1)] } else { vec![point(0)] };
        let couple = if on_line { DVec3::ZERO } else { held.couple };
        let couples = if couple == DVec3::ZERO { Vec::new() } else { vec![sign * *duration * couple] };
        let push = WarmStart { time: self.now, duration: *duration, points, couples, lost: 0.0, ahead: 0.0 };
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

    /// How it may turn: spinning that its resistance ends within a hop counts as ended, where that can hold it then.
    fn hinge(&self, grip: Grip, begins: bool) -> Option<Hinge> {
        let Self { law, state, .. } = self;
        if let Some(half) = self.line {
            return Some(Hinge::Line(half));
        }
        if law.spinning == 0.0 {
            return Some(Hinge::Spins(0.0));
        }
        let held = law.hold_first(state, Mode { grip, hinge: Hinge::Pivot }, begins)?;
        let (spin, press) = (held.turning.dot(law.normal), held.force.dot(law.normal));
        let normal = state.world_from_body.inverse_vector(law.normal);
        let slowing = law.spinning * press * (normal * normal / law.mass.moments()).element_sum();
        let resisting = held.couple.dot(law.normal);
        Some(if spin.abs() > slowing * self.hop_duration {
            Hinge::Spins(spin.signum())
        } else if resisting.abs() <= law.spinning * press {
            Hinge::Pivot
        } else {
            Hinge::Spins(-resisting.signum())
        })
    }

    /// Lets the contact rise at a velocity (m/s), and rids it of what slip and turning is left of what sticks: both are matters of rounding.
    fn straighten(&mut self, (mode, begins): (Mode, bool), rise: f64) {
        let slip = self.law.slip(&self.state);
        let n = self.law.normal;
        let kept = match mode.grip {
            Grip::Slips if !begins => across(slip, n),
            Grip::Sticks | Grip::Slips => DVec3::ZERO,
        };
        self.state = self.law.settled(&self.state, mode.hinge, kept + n * rise);
    }
}

/// How a body stands where the unit vector `down` (body frame) points down, and half of the line on which it does, if that is asked for.
fn stand_of(collider: &Collider, down: DVec3, on_line: bool) -> Option<(Stand, Option<DVec3>)> {
    let Collider { shape, body_from_shape, .. } = collider;
    if on_line {
        let (stand, half) = Stand::on_line(shape, body_from_shape, down)?;
        return Some((stand, Some(half)));
    }
    Some((Stand::of(shape, body_from_shape, down)?, None))
}

/// The part of a vector across the normal.
fn across(v: DVec3, normal: DVec3) -> DVec3 {
    v - normal * v.dot(normal)
}
