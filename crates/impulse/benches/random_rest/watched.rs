//! A scene that is looked at again and again for what must never be (sections 1.3, 3.5).

use crate::scene::{Scene, TRAY};
use impulse::DVec3;
use impulse::world::{BodyId, ImpactRecord, Settings, World};
use std::fmt;

const G: f64 = 9.81;
/// Time between two looks, the time that bodies are given to settle, and how long they are watched then, s.
const LOOK: f64 = 0.05;
const SETTLING: f64 = 20.0;
const RESTING: f64 = 60.0;
/// Events after which a scene that has not settled ends: balls roll on for ever.
const EVENTS: u64 = 100_000;
/// Events between two looks, in hops that all bodies could do in that time: more is a storm.
const STORM: f64 = 200.0;
/// Distance within which a moving body may wake another, in sums of bounding radii.
const NEAR: f64 = 1.5;
/// Energy that rounding may add, relative to that of the start.
const ROUNDING: f64 = 1e-12;

/// What must not be.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    Error(String),
    Overlap(f64),
    Energy { time: f64, gained: f64, allowed: f64 },
    Storm { time: f64, events: u64 },
    Outside { time: f64, body: String },
    Floating { body: String },
    Woken { time: f64, body: String },
    NotRepeated,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(error) => write!(f, "{error}"),
            Self::Overlap(distance) => write!(f, "a distance of {distance:e} m"),
            Self::Energy { time, gained, allowed } => {
                write!(f, "{gained:.2e} J gained before {time:.2} s, more than {allowed:.2e} J")
            }
            Self::Storm { time, events } => write!(f, "a storm of {events} events in {LOOK} s at {time} s"),
            Self::Outside { time, body } => write!(f, "{body} is outside at {time:.2} s"),
            Self::Floating { body } => write!(f, "{body} rests on nothing"),
            Self::Woken { time, body } => write!(f, "{body} wakes untouched before {time:.2} s"),
            Self::NotRepeated => write!(f, "another trace when run again without looking"),
        }
    }
}

pub(crate) struct Watched {
    pub(crate) world: World,
    /// Most events between two looks, in hops that all bodies could do in that time.
    pub(crate) rate: f64,
    bodies: Vec<Body>,
    /// Least kinetic and potential energy so far, J.
    energy: f64,
    /// Kinetic and potential energy at the start, J.
    start: f64,
}

/// What is known of a body.
struct Body {
    id: BodyId,
    radius: f64,
    /// Energy that a hop lifts, J.
    lift: f64,
    frozen: bool,
    /// Number of the first body of its linkage, or its own.
    linkage: usize,
}

impl Watched {
    pub(crate) fn new(scene: &Scene) -> Self {
        let (world, ids) = scene.build(true);
        let linkages = scene.linkages(ids.len());
        let body = |((id, radius), linkage): ((BodyId, f64), usize)| {
            let mass = world.principal_mass(id).expect("a free body").mass();
            Body { id, radius, lift: mass * G * hop_height() * radius, frozen: false, linkage }
        };
        let bodies = ids.into_iter().zip(linkages).map(body).collect();
        let start = world.energy();
        Self { rate: 0.0, bodies, energy: start, start, world }
    }

    /// Runs until all have settled; `false` where that takes too long.
    pub(crate) fn settle(&mut self) -> Result<bool, Failure> {
        while self.world.time() < SETTLING && self.world.counters().events < EVENTS {
            self.look_after(LOOK)?;
            if self.bodies.iter().all(|body| body.frozen) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Watches bodies that have settled.
    pub(crate) fn rest(&mut self) -> Result<(), Failure> {
        let end = self.world.time() + RESTING;
        while self.world.time() < end {
            self.look_after(1.0)?;
        }
        let touches = |body: &Body| !self.world.lasting_contacts(body.id).is_empty();
        let floating = |body: &&Body| !self.bodies.iter().any(|other| other.linkage == body.linkage && touches(other));
        match self.bodies.iter().find(floating) {
            Some(body) => Err(Failure::Floating { body: self.name(body) }),
            None => Ok(()),
        }
    }

    /// Goes on for a time and looks at everything.
    fn look_after(&mut self, span: f64) -> Result<(), Failure> {
        let (before, until) = (self.world.counters().events, self.world.time() + span);
        let hops: f64 = span * self.bodies.iter().map(|b| (G / (8.0 * hop_height() * b.radius)).sqrt()).sum::<f64>();
        let stopped = self.world.run_until(until, Some((STORM * hops) as u64));
        let time = self.world.time();
        let events = self.world.counters().events - before;
        if !stopped.map_err(|e| Failure::Error(e.to_string()))?.reached() {
            return Err(Failure::Storm { time, events });
        }
        self.rate = self.rate.max(events as f64 / hops);
        let distance = self.world.min_separation();
        if distance <= 0.0 {
            return Err(Failure::Overlap(distance));
        }
        self.look_at_energy(time)?;
        self.look_at_places(time)?;
        self.look_at_rest(time)
    }

    /// It never grows above its least value by more than hops lift every body at each of its contacts.
    fn look_at_energy(&mut self, time: f64) -> Result<(), Failure> {
        let contacts = |body: &Body| self.world.lasting_contacts(body.id).len().max(1) as f64;
        let lifted: f64 = self.bodies.iter().map(|body| body.lift * contacts(body)).sum();
        let (gained, allowed) = (self.world.energy() - self.energy, lifted + ROUNDING * self.start);
        self.energy = self.energy.min(self.world.energy());
        if gained > allowed { Err(Failure::Energy { time, gained, allowed }) } else { Ok(()) }
    }

    fn look_at_places(&self, time: f64) -> Result<(), Failure> {
        let outside = |body: &&Body| {
            let at = self.place(body);
            at.min_element() < 0.0 || at.truncate().max_element() > TRAY
        };
        let found = self.bodies.iter().find(outside);
        found.map_or(Ok(()), |body| Err(Failure::Outside { time, body: self.name(body) }))
    }

    /// What was frozen and moves has been touched: directly or through others by something that moved.
    fn look_at_rest(&mut self, time: f64) -> Result<(), Failure> {
        let records = self.world.take_impacts();
        let mut reached: Vec<bool> = self.bodies.iter().map(|body| !body.frozen).collect();
        while let Some(next) = self.next_reached(&reached, &records) {
            reached[next] = true;
        }
        let mut woken = None;
        for (body, reached) in self.bodies.iter_mut().zip(reached) {
            let state = self.world.principal_state_at(body.id, time).expect("a body");
            let frozen = state.velocity == DVec3::ZERO && state.spin == DVec3::ZERO;
            if body.frozen && !frozen && !reached {
                woken = Some(body.id);
            }
            body.frozen = frozen;
        }
        let name = |id: BodyId| self.world.name(id).unwrap_or_default().to_owned();
        woken.map_or(Ok(()), |id| Err(Failure::Woken { time, body: name(id) }))
    }

    /// A body that was not reached, but touched or neared by one that was.
    fn next_reached(&self, reached: &[bool], records: &[ImpactRecord]) -> Option<usize> {
        let meets = |a: &Body, b: &Body| {
            let near = self.place(a).distance(self.place(b)) < NEAR * (a.radius + b.radius);
            near || a.linkage == b.linkage
                || records.iter().any(|record| record.bodies.contains(&a.id) && record.bodies.contains(&b.id))
        };
        let touched = |i: &usize| {
            let others = self.bodies.iter().zip(reached);
            !reached[*i] && others.filter(|(_, is)| **is).any(|(other, _)| meets(other, &self.bodies[*i]))
        };
        (0..self.bodies.len()).find(touched)
    }

    fn place(&self, body: &Body) -> DVec3 {
        self.world.principal_state_at(body.id, self.world.time()).expect("a body").world_from_body.translation
    }

    fn name(&self, body: &Body) -> String {
        self.world.name(body.id).unwrap_or_default().to_owned()
    }
}

fn hop_height() -> f64 {
    Settings::default().hop_height
}
