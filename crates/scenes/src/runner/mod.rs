//! The loop that runs a scene (thesis section 1.2): everything that simulates a scene does it through a [`Runner`].
//!
//! A runner calls nothing back and looks at no clock. It returns at samples, when a budget of events is used up, and at the time
//! asked for; in between the caller looks at the world. Whoever wants to see every event asks for them with [`Runner::events`].

mod hands;
mod reporting;
mod sampling;
mod stall;
mod saved;

pub use reporting::{End, Ended, Looks};
pub use sampling::Sample;
pub use saved::{RestoreError, RunnerSnapshot};
pub use stall::Stall;

use crate::built::{BuiltScene, SceneBuildError};
use crate::scene::{BehaviourError, Conduct, Place, Reported, Reports, SceneDescription, SceneError, States};
use hands::Hands;
use impulse::world::{ClockTick, Event, ImpactRecord, RunError, Settings, StopReason, World};
use sampling::Sampling;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Events between two checks that time advances.
const BATCH: u64 = 10_000;

/// A scene being simulated. A clone continues on its own from the same state; shapes and description are shared.
///
/// ```
/// use impulse::world::{Event, Settings};
/// use impulse_scenes::runner::{Pause, Runner};
/// use impulse_scenes::{BuiltScene, SceneSettings, SceneSource, load_scene};
/// use std::sync::Arc;
///
/// let scene = load_scene(&SceneSource::Builtin("bounce".to_owned()), &SceneSettings::default())?;
/// let scene = Arc::new(BuiltScene::new(scene)?);
/// let mut runner = Runner::new(&scene, Settings::default())?;
/// let ball = runner.world().find("ball").expect("bounce has a ball");
///
/// let mut copy = runner.clone();
/// let bounces = copy.events(2.0).filter(|event| matches!(event, Ok(Event::Impact(_)))).count();
/// assert!(bounces > 1);
///
/// runner.sample_every(0.1)?;
/// let mut heights = Vec::new();
/// while let Pause::Sample(sample) = runner.advance(1.0, None)? {
///     heights.extend(runner.world().principal_state_at(ball, sample.time).map(|state| state.world_from_body.translation.z));
/// }
/// assert_eq!(heights.len(), 11);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Runner {
    scene: Arc<BuiltScene>,
    world: World,
    sampling: Option<Sampling>,
    stall: Stall,
    hands: Hands,
    conduct: Option<Conduct>,
}

/// Why [`Runner::advance`] returned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pause {
    /// The time asked for is reached.
    Reached,
    /// A sample is due now; all events up to this time have happened.
    Sample(Sample),
    /// A clock that was added to the world struck.
    Clock(ClockTick),
    /// The budget of events is used up.
    Budget,
    /// A behaviour of the scene has ended the run.
    Finished,
}

/// Why a run cannot continue. Apart from the sample period, acts and behaviours each is a bug.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RunnerError {
    /// The engine failed.
    #[error(transparent)]
    World(#[from] RunError),
    /// Events follow each other without time advancing.
    #[error(
        "event {event}, t = {time} s: simulated time has stopped advancing, which is a bug; please report this scene"
    )]
    Stalled {
        /// Number of the event.
        event: u64,
        /// Simulated time, s.
        time: f64,
    },
    /// The time between samples is not positive, or too small to count with.
    #[error("cannot sample every {0} s: the period must be positive and finite")]
    SamplePeriod(f64),
    /// Something cannot be done to the scene.
    #[error("at {time} s: {reason}")]
    Act {
        /// When it was to be done, s.
        time: f64,
        /// Why it cannot be.
        reason: String,
    },
    /// A behaviour of the scene failed.
    #[error("behaviour `{name}` at {time} s: {reason}")]
    Behaviour {
        /// Its name.
        name: String,
        /// Simulated time, s.
        time: f64,
        /// Why, with the place in the script.
        reason: String,
        /// The place in the script, if there is one.
        place: Option<Box<Place>>,
    },
}

impl Runner {
    /// A new world of the scene, at time zero.
    pub fn new(scene: &Arc<BuiltScene>, settings: Settings) -> Result<Self, SceneBuildError> {
        let mut world = scene.world(settings)?;
        let conduct = Conduct::new(scene.description(), &mut world);
        let stall = Stall::new(world.len());
        Ok(Self { scene: scene.clone(), world, sampling: None, stall, hands: Hands::default(), conduct })
    }

    /// Builds a scene and makes a runner for it.
    pub fn of(scene: SceneDescription, settings: Settings) -> Result<Self, SceneBuildError> {
        Self::new(&Arc::new(BuiltScene::new(scene)?), settings)
    }

    /// What is being run.
    pub fn scene(&self) -> &SceneDescription {
        self.scene.description()
    }

    /// The scene with its shapes.
    pub fn built(&self) -> &BuiltScene {
        &self.scene
    }

    /// The world as it is now.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, to act on bodies or to add clocks and watches.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// Makes [`Runner::advance`] and [`Runner::events`] stop at every multiple of `period` seconds, from now on.
    pub fn sample_every(&mut self, period: f64) -> Result<(), RunnerError> {
        let sampling = Sampling::new(period, self.world.time()).ok_or(RunnerError::SamplePeriod(period))?;
        self.sampling = Some(sampling);
        Ok(())
    }

    /// Whether a behaviour of the scene has ended the run: nothing happens any more.
    pub fn is_finished(&self) -> bool {
        self.conduct.as_ref().is_some_and(Conduct::is_finished)
    }

    /// The states of behaviours that have told any, with their names.
    pub fn states(&self) -> impl Iterator<Item = (&str, &States)> {
        self.conduct.iter().flat_map(Conduct::states)
    }

    /// Asks what the script reports at the end of the run, with what its behaviours told.
    pub fn conclude(&mut self, reports: Reports) -> Vec<Reported> {
        let none = BTreeMap::new();
        reports.conclude(&mut self.world, self.conduct.as_ref().map_or(&none, Conduct::told))
    }

    /// Runs all events up to a time, that time included, or to the end of the run, regardless of samples and clocks.
    pub fn run_until(&mut self, time: f64) -> Result<(), RunnerError> {
        while !matches!(self.advance(time, None)?, Pause::Reached | Pause::Finished) {}
        Ok(())
    }

    /// Runs events up to a time, that time included. Returns earlier at a sample, at the stroke of a clock, and, with a budget,
    /// after that many events; call it again to continue.
    pub fn advance(&mut self, until: f64, budget: Option<u64>) -> Result<Pause, RunnerError> {
        let mut left = budget.unwrap_or(u64::MAX);
        loop {
            if self.is_finished() {
                return Ok(Pause::Finished);
            }
            let batch = left.min(BATCH);
            match self.run_world(self.stop_before(until), batch)? {
                StopReason::Reached if self.act_until(until)? => continue,
                StopReason::Reached => return Ok(self.arrive(until)),
                StopReason::Tick(stroke) if self.owned_tick(stroke)? => {}
                StopReason::Tick(stroke) | StopReason::Sample(stroke) => return Ok(Pause::Clock(stroke)),
                StopReason::Budget => self.count(batch)?,
            }
            left -= batch;
            if left == 0 {
                return Ok(Pause::Budget);
            }
        }
    }

    /// Runs the next event. `None` if there is none up to the given time or up to the next sample, if that is earlier;
    /// [`Runner::advance`] then arrives there.
    pub fn step(&mut self, until: f64) -> Result<Option<Event>, RunnerError> {
        if self.is_finished() {
            return Ok(None);
        }
        while self.world.next_event().is_none_or(|next| next > self.stop_before(until)) {
            if !self.act_until(until)? {
                return Ok(None);
            }
        }
        let happened = self.world.step()?;
        self.count(1)?;
        if let (Some(conduct), Some(event)) = (&mut self.conduct, &happened) {
            conduct.hear(event);
        }
        if let Some(Event::Tick(tick)) = &happened {
            self.owned_tick(*tick)?;
        }
        Ok(happened)
    }

    /// Runs events one after the other, as [`Runner::step`] does, and hands out each as it happens.
    pub fn events(&mut self, until: f64) -> impl Iterator<Item = Result<Event, RunnerError>> {
        std::iter::from_fn(move || self.step(until).transpose())
    }

    /// Runs until two bodies collide, microcollisions aside. `None` if none do until the given time.
    pub fn next_collision(&mut self, until: f64) -> Result<Option<ImpactRecord>, RunnerError> {
        loop {
            while let Some(happened) = self.step(until)? {
                match happened {
                    Event::Impact(record) if !record.micro => return Ok(Some(record)),
                    _ => {}
                }
            }
            if matches!(self.advance(until, Some(0))?, Pause::Reached | Pause::Finished) {
                return Ok(None);
            }
        }
    }

    fn run_world(&mut self, until: f64, budget: u64) -> Result<StopReason, RunError> {
        match &mut self.conduct {
            Some(conduct) => conduct.run_until(&mut self.world, until, budget),
            None => self.world.run_until(until, Some(budget)),
        }
    }

    /// Pulls what is held or calls a behaviour, if a clock is theirs.
    fn owned_tick(&mut self, tick: ClockTick) -> Result<bool, RunnerError> {
        if self.hands.owns(tick.clock) {
            self.pull()?;
            return Ok(true);
        }
        let Some(conduct) = &mut self.conduct else { return Ok(false) };
        let Some(behaviour) = conduct.behaviour_of(tick.clock) else { return Ok(false) };
        let called = conduct.call(&mut self.world, behaviour);
        called.map_err(|error| failed(conduct.name(behaviour), tick.time, &error))?;
        Ok(true)
    }

    /// The given time, or that of the next sample or act if it is earlier.
    fn stop_before(&self, until: f64) -> f64 {
        let sample = self.sampling.as_ref().map_or(until, |sampling| sampling.next().time.min(until));
        self.hands.next().map_or(sample, |act| act.min(sample))
    }

    /// Does what is to be done next, if all that comes before has happened; whether there was something.
    fn act_until(&mut self, until: f64) -> Result<bool, RunnerError> {
        let stop = self.stop_before(until);
        if self.hands.next().is_none_or(|act| act > stop) {
            return Ok(false);
        }
        // Nothing happens up to the stop: this only moves the world there.
        let _reached = self.world.run_until(stop, Some(0))?;
        self.act()?;
        Ok(true)
    }

    /// All events up to the stop have happened.
    fn arrive(&mut self, until: f64) -> Pause {
        let due = self.sampling.as_mut().filter(|sampling| sampling.next().time <= until);
        due.map_or(Pause::Reached, |sampling| Pause::Sample(sampling.take()))
    }

    fn count(&mut self, events: u64) -> Result<(), RunnerError> {
        let time = self.world.time();
        if self.stall.count(events, time) {
            return Err(RunnerError::Stalled { event: self.world.counters().events, time });
        }
        Ok(())
    }
}

fn failed(name: &str, time: f64, error: &BehaviourError) -> RunnerError {
    let place = match error.downcast_ref() {
        Some(SceneError::Script { place, .. }) => Some(place.clone()),
        _ => None,
    };
    RunnerError::Behaviour { name: name.to_owned(), time, reason: error.to_string(), place }
}
