//! A scene that is looked at every tenth of a second for what must never be (sections 1.3, 3.5).

use super::cpu::cpu_seconds;
use super::failure::{Failure, Fault, Report};
use super::meetings::Meetings;
use super::scene::Scene;
use impulse::geometry::judge::{Outline, Verdict, overlap};
use impulse::math::Pose;
use impulse::world::{BodyId, BodyRef, ContactMode, LastingContact, RunError, Settings, StopReason, World};
use impulse::{DQuat, DVec3};
use impulse_scenes::BuiltScene;
use impulse_scenes::scene::MaterialId;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Time between two looks, s.
const LOOK: f64 = 0.1;
/// Events between two looks at the processor's clock.
const CHUNK: u64 = 200;
/// Events between two looks that are no stall: for each scene, and in hops that all bodies could do in that time.
const CALM: f64 = 20_000.0;
const STORM: f64 = 200.0;
/// Time before the end in which what a scripted body has thrown may still bounce, s.
const THROWN: f64 = 5.0;

/// Time at the end in which a body's reason to move must be seen, s.
const RECENT: f64 = 1.0;
/// Height of the lowest hops, in bounding radii.
const LOWEST_HOP: f64 = 1e-5;
/// Way in a hop from which on a body moves, in heights of the lowest hops: what is slower freezes. Up and down does not count: hops do that.
const MOVES: f64 = 1e-3;
/// Way in the same time up to which a point has not slipped, in bounding radii.
const SLIPS: f64 = 3e-5;
/// Shares of momentum and energy that may be lost to rounding.
const MOMENTUM_KEPT: f64 = 1e-11;
const ENERGY_KEPT: f64 = 1e-12;
/// Deviation of outlines from curved shapes, in bounding radii.
const DEVIATION: f64 = 0.02;

/// What a scene may cost, and what is asked of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Processor time, s.
    pub(crate) cpu: f64,
    /// Events after which a run ends well before its time.
    pub(crate) events: u64,
    /// Hops that may be left unsolved.
    pub(crate) unsolved: u64,
    /// Whether all bodies must rest in the end or have a reason not to.
    pub(crate) rest: bool,
}

/// Runs a scene. A panic of the engine is an abort.
pub(crate) fn check(scene: &Scene, limits: Limits) -> Report {
    let begin = cpu_seconds();
    let run = || match Watched::new(scene) {
        Ok(mut watched) => {
            let failure = watched.run(Limits { cpu: limits.cpu + begin, ..limits }).err();
            watched.report(failure)
        }
        Err(what) => Report { failure: Some(Failure { fault: Fault::Build, time: 0.0, what }), ..Report::default() },
    };
    let panicked = || {
        let what = "the engine panicked".to_owned();
        Report { failure: Some(Failure { fault: Fault::Abort, time: 0.0, what }), ..Report::default() }
    };
    let report = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| panicked());
    Report { cpu: cpu_seconds() - begin, ..report }
}

struct Watched<'s> {
    scene: &'s Scene,
    built: BuiltScene,
    world: World,
    bodies: Vec<Body>,
    meetings: Meetings,
    start: Start,
    /// Hops that were not solved before the last second.
    unsolved_before: u64,
    excused: u32,
}

/// What is known of a body.
struct Body {
    id: BodyId,
    outline: Outline,
    radius: f64,
    free: bool,
    round: bool,
    /// At the beginning of the time in which its reason to move must be seen.
    pose: Pose,
}

/// Quantities that may be kept.
struct Start {
    momentum: DVec3,
    angular_momentum: DVec3,
    energy: f64,
    /// Sizes of what they are made of, the largest so far.
    sizes: [f64; 3],
}

impl<'s> Watched<'s> {
    fn new(scene: &'s Scene) -> Result<Self, String> {
        let (built, world) = scene.build()?;
        let mut bodies = Vec::new();
        for (body, (_, thing)) in world.body_refs().zip(scene.there()) {
            let size = body.shape().bounding_radius(DVec3::ZERO);
            let outline = Outline::inside(body.shape(), DEVIATION * size).map_err(|e| e.to_string())?;
            let (free, round) = (body.is_free(), thing.form.is_round());
            let (pose, radius) = (body.pose(), body.bounding_radius());
            bodies.push(Body { id: body.id(), outline, radius, free, round, pose });
        }
        let (momentum, angular_momentum) = (world.momentum(), world.angular_momentum());
        let start = Start { momentum, angular_momentum, energy: world.energy(), sizes: sizes(&world) };
        let (meetings, unsolved_before, excused) = (Meetings::default(), 0, 0);
        Ok(Self { scene, built, world, bodies, meetings, start, unsolved_before, excused })
    }

    fn report(&self, failure: Option<Failure>) -> Report {
        let c = self.world.counters();
        let (rise, allowance) = (self.world.energy_rise(), self.world.energy_allowance());
        Report {
            failure,
            energy_ratio: if rise > 0.0 { rise / allowance } else { 0.0 },
            hops: c.hops,
            unsolved: c.unconverged,
            frozen: self.world.body_refs().filter(|body| body.is_frozen()).count() as u32,
            excused: self.excused,
            cpu: 0.0,
        }
    }

    fn failure(&self, fault: Fault, what: String) -> Failure {
        Failure { fault, time: self.world.time(), what }
    }

    fn run(&mut self, limits: Limits) -> Result<(), Failure> {
        let looks = (self.scene.duration / LOOK).ceil() as u64;
        for look in 1..=looks {
            let time = (look as f64 * LOOK).min(self.scene.duration);
            self.look_at(time, limits)?;
            if self.world.counters().events >= limits.events {
                return Ok(());
            }
            if time <= self.scene.duration - RECENT {
                self.note_now();
            }
        }
        if limits.rest { self.await_rest(limits) } else { Ok(()) }
    }

    /// Goes on to a time, and looks for what must never be.
    fn look_at(&mut self, time: f64, limits: Limits) -> Result<(), Failure> {
        self.go_on(time, limits)?;
        self.look_at_overlaps()?;
        self.look_at_energy()?;
        self.look_at_momentum()?;
        self.look_at_hops(limits.unsolved)
    }

    /// What bounces well bounces long: all bodies must rest when a ball that fell for a second would.
    fn await_rest(&mut self, limits: Limits) -> Result<(), Failure> {
        let latest = self.scene.duration + self.bouncing_time();
        loop {
            let found = self.look_at_rest();
            let restless = found.as_ref().is_err_and(|failure| failure.fault == Fault::Restless);
            if !restless || self.world.time() >= latest {
                return found;
            }
            self.note_now();
            let now = self.world.time();
            for look in 1..=(RECENT / LOOK).round() as u64 {
                self.look_at(now + look as f64 * LOOK, limits)?;
            }
        }
    }

    /// How long a ball bounces after it fell for a second, with the largest restitution below 1 that was met lately, s: nothing where
    /// bodies bounce for less than the scene.
    fn bouncing_time(&self) -> f64 {
        let restitution = |[a, b]: [usize; 2]| {
            let material = |i: usize| self.built.description().bodies[i].material;
            self.built.description().surface(material(a), material(b)).material.restitution
        };
        let met = self.meetings.since(self.world.time() - RECENT).map(restitution);
        let most = met.filter(|&e| e < 1.0).fold(0.0, f64::max);
        let time = (1.0 + most) / (1.0 - most);
        if time > self.scene.duration { time } else { 0.0 }
    }

    fn note_now(&mut self) {
        self.unsolved_before = self.world.counters().unconverged;
        self.note_poses();
    }

    fn look_at_hops(&self, most: u64) -> Result<(), Failure> {
        let unsolved = self.world.counters().unconverged;
        if unsolved > most {
            return Err(self.failure(Fault::Unsolved, format!("{unsolved} unsolved hops")));
        }
        Ok(())
    }

    /// Goes on to a time, unless that takes too many events or too long.
    fn go_on(&mut self, time: f64, latest: Limits) -> Result<(), Failure> {
        let before = self.world.counters().events;
        let hop = |body: &&Body| (9.81 / (8.0 * Settings::default().hop_height * body.radius)).sqrt();
        let hops: f64 = LOOK * self.bodies.iter().filter(|body| body.free).map(|body| hop(&body)).sum::<f64>();
        loop {
            let stopped = self.world.run_until(time, Some(CHUNK));
            self.meetings.note(&self.world.take_impacts());
            let events = self.world.counters().events - before;
            match stopped {
                Err(error) => {
                    let is_impossible = matches!(error, RunError::Crushed { .. });
                    let fault = if is_impossible { Fault::Crushed } else { Fault::Abort };
                    return Err(self.failure(fault, error.to_string()));
                }
                Ok(StopReason::Reached) => return Ok(()),
                Ok(_) if events as f64 > CALM + STORM * hops => {
                    return Err(self.failure(Fault::Stall, format!("{events} events within {LOOK} s")));
                }
                Ok(_) if self.world.counters().events >= latest.events => return Ok(()),
                Ok(_) if cpu_seconds() > latest.cpu => {
                    return Err(self.failure(Fault::Slow, "processor time is used up".to_owned()));
                }
                Ok(_) => {}
            }
        }
    }

    fn look_at_overlaps(&self) -> Result<(), Failure> {
        let now: Vec<Pose> = self.world.body_refs().map(BodyRef::pose).collect();
        for (i, a) in self.bodies.iter().enumerate() {
            for (j, b) in self.bodies[..i].iter().enumerate() {
                let between = now[i].translation.distance(now[j].translation);
                if !(a.free || b.free) || between > 2.0 * (a.radius + b.radius) {
                    continue;
                }
                let verdict = overlap(&a.outline, &b.outline, &(now[i].inverse() * now[j]));
                if let Verdict::Overlapping { depth, .. } = verdict {
                    let names = [a.id, b.id].map(|id| self.world.name(id).unwrap_or_default());
                    return Err(self.failure(Fault::Overlap, format!("{} and {} by {depth:.1e} m", names[0], names[1])));
                }
            }
        }
        Ok(())
    }

    fn look_at_energy(&mut self) -> Result<(), Failure> {
        let (rise, allowance) = (self.world.energy_rise(), self.world.energy_allowance());
        // Not a number is no allowance either.
        let within = rise <= allowance && self.world.energy().is_finite();
        if !within {
            return Err(self.failure(Fault::Energy, format!("{rise:.2e} J, allowed {allowance:.2e} J")));
        }
        let now = sizes(&self.world);
        self.start.sizes = [0, 1, 2].map(|i| self.start.sizes[i].max(now[i]));
        if self.scene.surfaces.iter().all(|surface| *surface == [0.0, 1.0]) && !self.is_driven() {
            let change = (self.world.energy() - self.start.energy).abs();
            let (c, allowed) = (self.world.counters(), ENERGY_KEPT * self.start.sizes[2]);
            if change > allowed || c.hops + c.microcollisions > 0 {
                let what =
                    format!("energy changed by {change:.1e} J of {:.1e} J, {} hops", self.start.sizes[2], c.hops);
                return Err(self.failure(Fault::Elastic, what));
            }
        }
        Ok(())
    }

    fn is_driven(&self) -> bool {
        self.world.body_refs().any(BodyRef::is_scripted)
    }

    fn look_at_momentum(&self) -> Result<(), Failure> {
        if !self.scene.weightless || self.bodies.iter().any(|body| !body.free) {
            return Ok(());
        }
        let linear = (self.world.momentum() - self.start.momentum).length();
        let angular = (self.world.angular_momentum() - self.start.angular_momentum).length();
        let [a, b, _] = self.start.sizes;
        if linear > MOMENTUM_KEPT * a || angular > MOMENTUM_KEPT * b {
            let what = format!("changed by {linear:.1e} of {a:.1e} N s, {angular:.1e} of {b:.1e} N m s");
            return Err(self.failure(Fault::Momentum, what));
        }
        Ok(())
    }

    fn note_poses(&mut self) {
        for body in &mut self.bodies {
            body.pose = self.world.pose_at(body.id, self.world.time()).unwrap_or(Pose::IDENTITY);
        }
    }

    /// Whether a body has moved since its pose was noted.
    fn moves(&self, body: &Body) -> bool {
        let pose = self.world.pose_at(body.id, self.world.time()).unwrap_or(Pose::IDENTITY);
        let gravity = self.built.description().gravity;
        let height = LOWEST_HOP * body.radius;
        let hops = RECENT / (8.0 * height / gravity.length()).sqrt();
        way(&body.pose, &pose, body.radius, gravity.normalize_or_zero()) > MOVES * height * hops
    }

    /// Every free body is frozen, belongs to a group of which one has a reason to move, or flies.
    fn look_at_rest(&mut self) -> Result<(), Failure> {
        let recent = self.world.time() - RECENT;
        let free: Vec<bool> = self.bodies.iter().map(|body| body.free).collect();
        let group = self.meetings.groups(&free, recent);
        let mut excused: Vec<usize> = self.kept_going(recent).into_iter().map(|i| group[i]).collect();
        excused.sort_unstable();
        let is_frozen = |i: usize| self.world.body(self.bodies[i].id).is_some_and(BodyRef::is_frozen);
        let restless: Vec<usize> = (0..free.len()).filter(|&i| free[i] && !is_frozen(i)).collect();
        let flies = |i: usize| !self.meetings.since(recent).any(|pair| pair.contains(&i));
        let reasonless =
            |&&i: &&usize| !self.scene.weightless && excused.binary_search(&group[i]).is_err() && !flies(i);
        if let Some(&i) = restless.iter().find(reasonless) {
            let unsolved = self.world.counters().unconverged - self.unsolved_before;
            let fault = if unsolved > 0 { Fault::Unsolved } else { Fault::Restless };
            let name = self.world.name(self.bodies[i].id).unwrap_or_default();
            return Err(
                self.failure(fault, format!("{name} does not rest, {unsolved} unsolved hops in the last second"))
            );
        }
        self.excused = restless.len() as u32;
        Ok(())
    }

    /// Bodies with a reason to move: driven, rolling, or touched where nothing drains them.
    fn kept_going(&self, recent: f64) -> Vec<usize> {
        let mut all: Vec<usize> = Vec::new();
        for [a, b] in self.meetings.since(recent) {
            let material = |i: usize| self.built.description().bodies[i].material;
            if self.drains_nothing([material(a), material(b)]) {
                all.extend([a, b]);
            }
            let rolls = |i: usize| self.bodies[i].round || self.swings(i);
            all.extend([a, b].into_iter().filter(|&i| self.moves(&self.bodies[i]) && rolls(i)));
        }
        let driven = |pair: &[usize; 2]| pair.iter().any(|&i| self.is_scripted(i));
        all.extend(self.meetings.since(self.world.time() - THROWN).filter(driven).flatten());
        all.retain(|&i| self.bodies[i].free);
        all
    }

    /// Whether a body turns about one or two points that do not slip, as a pendulum does, or a plate on a rim; others may lie on it.
    fn swings(&self, i: usize) -> bool {
        let mut contacts = self.world.lasting_contacts(self.bodies[i].id);
        contacts.retain(|contact| contact.mode != ContactMode::Rest);
        let Body { id, pose, radius, .. } = &self.bodies[i];
        let now = self.world.pose_at(*id, self.world.time()).unwrap_or(Pose::IDENTITY);
        let stays = |at: DVec3| (now * pose.inverse()).point(at).distance(at) <= SLIPS * radius;
        let holds = |contact: &LastingContact| contact.mode == ContactMode::Roll || stays(contact.point);
        matches!(contacts.len(), 1 | 2) && contacts.iter().all(holds)
    }

    fn is_scripted(&self, i: usize) -> bool {
        self.world.body(self.bodies[i].id).is_some_and(BodyRef::is_scripted)
    }

    /// Restitution 1 or no friction.
    fn drains_nothing(&self, [a, b]: [MaterialId; 2]) -> bool {
        let material = self.built.description().surface(a, b).material;
        material.restitution >= 1.0 || material.friction <= 0.0
    }
}

/// How far any point of a body within a radius of its origin has moved at most, but for what its origin has moved along an axis, m.
fn way(from: &Pose, to: &Pose, radius: f64, axis: DVec3) -> f64 {
    let turn: DQuat = to.rotation * from.rotation.conjugate();
    let turned = if turn.xyz() == DVec3::ZERO { 0.0 } else { 2.0 * turn.xyz().length() * radius };
    (to.translation - from.translation).reject_from_normalized(axis).length() + turned
}

/// Sums of the lengths of all linear and angular momenta and of the sizes of all energies.
fn sizes(world: &World) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for body in world.body_refs() {
        let (Some(mass), state) = (body.principal_mass(), body.principal_state()) else { continue };
        let (linear, at) = (mass.mass() * state.velocity.length(), state.world_from_body.translation);
        sum[0] += linear;
        sum[1] += linear * at.length() + (mass.moments() * state.spin).length();
        sum[2] += body.kinetic_energy();
    }
    sum[2] += world.potential_energy().abs();
    sum
}
