//! The hands in a run: acts that are due, the spring that pulls what is held, bodies that came and went.
//!
//! The spring is critically damped and acts at the ticks of a clock, by impulses. Each impulse gives the held point the velocity that
//! such a spring would give it within a tick, found in closed form, so that no stiffness is too great for the ticks. Its force is limited.

use super::{Runner, RunnerError};
use crate::acts::{Act, Deed, NewShape};
use crate::added;
use crate::built::BuiltScene;
use crate::scene::BodyDescription;
use glam::DVec3;
use impulse::world::{ActError, BodyId, BodyRef, ClockId, ClockSpec};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Between two pulls, s.
const PERIOD: f64 = 0.002;

/// Natural frequency of the spring, rad/s: it follows within a tenth of a second.
const FREQUENCY: f64 = 30.0;

/// Largest acceleration that the hand gives a body, m/s^2: 30 times gravity.
const STRENGTH: f64 = 300.0;

/// What was done and is yet to be done.
#[derive(Clone, Debug, Default)]
pub(super) struct Hands {
    acts: Arc<Vec<Act>>,
    /// How many of them are done.
    done: usize,
    hand: Option<Hand>,
    /// Work of all hands so far, J.
    work: f64,
    /// What gravity was turned to.
    gravity: Option<DVec3>,
    added: Vec<(BodyId, BodyDescription)>,
}

/// What was done, as plain data. What bodies were added follows from the acts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedHands {
    acts: Vec<Act>,
    done: usize,
    hand: Option<Hand>,
    work: f64,
    gravity: Option<DVec3>,
    added: Vec<BodyId>,
}

/// What is held, and where to.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Hand {
    body: BodyId,
    /// The point, in the frame of the body's shape.
    at: DVec3,
    to: DVec3,
    clock: ClockId,
}

impl Hands {
    pub(super) fn saved(&self) -> SavedHands {
        let &Self { ref acts, done, hand, work, gravity, ref added } = self;
        SavedHands {
            acts: (**acts).clone(),
            done,
            hand,
            work,
            gravity,
            added: added.iter().map(|(id, _)| *id).collect(),
        }
    }

    /// The hands as they were; none if the data cannot be theirs.
    pub(super) fn restored(saved: SavedHands, scene: &BuiltScene) -> Option<Self> {
        let SavedHands { acts, done, hand, work, gravity, added } = saved;
        let description = |act: &Act| match &act.deed {
            Deed::Add { body, shape, at, velocity } => {
                let start = (DVec3::from_array(*at), DVec3::from_array(*velocity));
                Some(added::description(scene, body, shape, start).ok())
            }
            _ => None,
        };
        let described: Vec<BodyDescription> =
            acts.get(..done)?.iter().filter_map(description).collect::<Option<_>>()?;
        let is_fit = described.len() == added.len() && acts.iter().all(|act| act.deed.is_finite() && !act.t.is_nan());
        let added = added.into_iter().zip(described).collect();
        is_fit.then(|| Self { acts: Arc::new(acts), done, hand, work, gravity, added })
    }

    /// When the next act is due, s.
    pub(super) fn next(&self) -> Option<f64> {
        self.acts.get(self.done).map(|act| act.t)
    }

    /// Whether a clock is the hand's.
    pub(super) fn owns(&self, clock: ClockId) -> bool {
        self.hand.is_some_and(|hand| hand.clock == clock)
    }
}

impl Runner {
    /// Sets what will be done; acts that are done already must be the same as before.
    pub fn set_acts(&mut self, acts: &Arc<Vec<Act>>) {
        debug_assert!(
            acts.get(..self.hands.done).is_some_and(|done| done == &self.hands.acts[..self.hands.done]),
            "what is done is done"
        );
        self.hands.acts = acts.clone();
    }

    /// What is and will be done.
    pub fn acts(&self) -> &Arc<Vec<Act>> {
        &self.hands.acts
    }

    /// Work that hands have done on bodies so far, pushes included, J; not that of a turned gravity.
    pub fn work_of_hands(&self) -> f64 {
        self.hands.work
    }

    /// The point of the body that is held and the point that it is pulled to, world frame, m.
    pub fn held(&self) -> Option<(BodyId, [DVec3; 2])> {
        let hand = self.hands.hand?;
        let body = self.world.body(hand.body)?;
        Some((hand.body, [body.pose().point(hand.at), hand.to]))
    }

    /// The bodies of the scene and those that were added, by number; removed ones keep theirs.
    pub fn descriptions(&self) -> impl Iterator<Item = &BodyDescription> {
        self.scene().bodies.iter().chain(self.hands.added.iter().map(|(_, body)| body))
    }

    /// Number of a body in [`Runner::descriptions`].
    pub fn number_of(&self, body: BodyId) -> usize {
        let of_scene = self.scene().bodies.len();
        let added = self.hands.added.iter().position(|(id, _)| *id == body);
        added.map_or(body.index(), |number| of_scene + number)
    }

    /// The body with a number in [`Runner::descriptions`], whether it is there now or not.
    pub fn id_of(&self, number: usize) -> Option<BodyId> {
        let of_scene = self.scene().bodies.len();
        if number < of_scene {
            return Some(BodyId::from_bits(number as u64));
        }
        self.hands.added.get(number - of_scene).map(|(id, _)| *id)
    }

    /// The body with a number in [`Runner::descriptions`], if it is there.
    pub fn numbered(&self, number: usize) -> Option<BodyId> {
        self.id_of(number).filter(|&id| self.world.contains(id))
    }

    /// Does the next act now.
    pub(super) fn act(&mut self) -> Result<(), RunnerError> {
        let acts = self.hands.acts.clone();
        let Some(act) = acts.get(self.hands.done) else { return Ok(()) };
        self.hands.done += 1;
        self.perform(&act.deed).map_err(|reason| RunnerError::Act { time: act.t, reason })
    }

    /// Pulls what is held: called at each tick of the hand's clock.
    pub(super) fn pull(&mut self) -> Result<(), RunnerError> {
        let Some(hand) = self.hands.hand else { return Ok(()) };
        // A behaviour may have given what is held to a script.
        let Some(body) = self.world.body(hand.body).filter(|body| body.is_free()) else { return Ok(()) };
        let point = body.pose().point(hand.at);
        let velocity = body.point_velocity(point);
        let response = body.motion().collision_matrix(&body.principal_state(), [point; 2]);
        let most = body.mass().unwrap_or(0.0) * STRENGTH * PERIOD;
        // The exact velocity of a critically damped point mass after one period.
        let swing = (velocity + FREQUENCY * (point - hand.to)) * (FREQUENCY * PERIOD);
        let wanted = (velocity - swing) * libm::exp(-FREQUENCY * PERIOD);
        let impulse = (response.inverse() * (wanted - velocity)).clamp_length_max(most);
        if !impulse.is_finite() {
            return Ok(());
        }
        let pulled = self.push(hand.body, point, impulse);
        pulled.map_err(|error| RunnerError::Act { time: self.world.time(), reason: error.to_string() })
    }

    fn perform(&mut self, deed: &Deed) -> Result<(), String> {
        let told = |error: ActError| error.to_string();
        let vector = |v: &[f64; 3]| DVec3::from_array(*v);
        match deed {
            Deed::Grab { body, at, to } => self.grab(body, vector(at), vector(to)),
            Deed::Move { to } => match &mut self.hands.hand {
                Some(hand) => {
                    hand.to = vector(to);
                    Ok(())
                }
                None => Err("nothing is held; grab a body first".to_owned()),
            },
            Deed::Release => self.release().map_err(told),
            Deed::Push { body, at, impulse } => {
                let body = self.named(body)?;
                self.push(body, vector(at), vector(impulse)).map_err(told)
            }
            Deed::Gravity { to } => self.turn_gravity(vector(to)).map_err(told),
            Deed::Remove { body } => self.remove(body),
            Deed::Add { body, shape, at, velocity } => self.add(body, shape, vector(at), vector(velocity)),
        }
    }

    fn grab(&mut self, name: &str, at: DVec3, to: DVec3) -> Result<(), String> {
        let body = self.named(name)?;
        if !self.world.body(body).is_some_and(BodyRef::is_free) {
            return Err(format!("body \"{name}\" is fixed or scripted; only free bodies can be held"));
        }
        let told = |error: ActError| error.to_string();
        self.release().map_err(told)?;
        let spec = ClockSpec { start: self.world.time(), ..ClockSpec::tick(PERIOD) };
        let clock = self.world.add_clock(spec).map_err(told)?;
        self.hands.hand = Some(Hand { body, at, to, clock });
        Ok(())
    }

    fn release(&mut self) -> Result<(), ActError> {
        self.hands.hand.take().map_or(Ok(()), |hand| self.world.remove_clock(hand.clock))
    }

    /// An impulse by hand, with its work: half the sum of the velocities before and after times the impulse.
    fn push(&mut self, body: BodyId, point: DVec3, impulse: DVec3) -> Result<(), ActError> {
        let pushed = self.world.body(body).ok_or(ActError::NoSuchBody)?;
        let response = pushed.motion().collision_matrix(&pushed.principal_state(), [point; 2]);
        let work = impulse.dot(pushed.point_velocity(point) + 0.5 * (response * impulse));
        self.world.apply_impulse(body, point, impulse)?;
        self.hands.work += work;
        Ok(())
    }

    /// Lets a force act on every free body that makes up for the difference to the scene's gravity.
    fn turn_gravity(&mut self, to: DVec3) -> Result<(), ActError> {
        self.hands.gravity = Some(to);
        let bodies: Vec<BodyId> = self.world.body_refs().filter(|body| body.is_free()).map(BodyRef::id).collect();
        bodies.into_iter().try_for_each(|body| self.weigh(body, to))
    }

    fn weigh(&mut self, body: BodyId, gravity: DVec3) -> Result<(), ActError> {
        let mass = self.world.body(body).and_then(BodyRef::mass).unwrap_or(0.0);
        self.world.set_force(body, mass * (gravity - self.scene.description().gravity))
    }

    fn remove(&mut self, name: &str) -> Result<(), String> {
        let body = self.named(name)?;
        if self.hands.hand.is_some_and(|hand| hand.body == body) {
            self.release().map_err(|error| error.to_string())?;
        }
        self.world.remove_body(body).map_err(|error| error.to_string())
    }

    fn add(&mut self, name: &str, shape: &NewShape, at: DVec3, velocity: DVec3) -> Result<(), String> {
        let body = added::description(&self.scene, name, shape, (at, velocity))?;
        let spec = added::spec(&self.scene, &self.world, &body)?;
        let id = self.world.add_body(spec).map_err(|error| error.to_string())?;
        self.hands.added.push((id, body));
        self.hands.gravity.map_or(Ok(()), |gravity| self.weigh(id, gravity)).map_err(|error| error.to_string())
    }

    fn named(&self, name: &str) -> Result<BodyId, String> {
        self.world.find(name).ok_or_else(|| format!("there is no body \"{name}\" now"))
    }
}
