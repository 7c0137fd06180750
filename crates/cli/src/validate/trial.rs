//! A case being measured: its scene, opened with the case's parameters, run and inspected.

use super::cases::Case;
use anyhow::{Context, bail};
use impulse::body::State;
use impulse::world::{ImpactRecord, Settings, World};
use impulse_scenes::scene::ParamValue;
use impulse_scenes::{Runner, SceneSettings, SceneSource, load_scene};

/// The result of a case.
pub(super) struct Answer {
    /// What was measured.
    pub(super) value: f64,
    /// What theory or a publication says, if there is such a value.
    pub(super) exact: Option<f64>,
    /// Number of events.
    pub(super) events: u64,
    /// Simulated time, s.
    pub(super) simulated: f64,
}

/// A case with the engine's settings.
pub(super) struct Trial<'a> {
    pub(super) case: &'a Case,
    pub(super) settings: Settings,
}

/// A case's scene being run.
pub(super) struct Running {
    pub(super) runner: Runner,
    pub(super) duration: f64,
    /// Magnitude of the acceleration of gravity, m/s^2.
    pub(super) gravity: f64,
}

impl Trial<'_> {
    /// Opens the case's scene.
    pub(super) fn open(&self, seed: u64) -> anyhow::Result<Running> {
        let params = self.case.set.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let scene = load_scene(&SceneSource::Builtin(self.case.scene.to_owned()), &SceneSettings { params, seed })?;
        let (duration, gravity) = (scene.duration, scene.gravity.length());
        Ok(Running { runner: Runner::of(scene, self.settings)?, duration, gravity })
    }
}

impl Running {
    /// The world as it is now.
    pub(super) fn world(&self) -> &World {
        self.runner.world()
    }

    /// The value of a numeric parameter.
    pub(super) fn param(&self, name: &str) -> anyhow::Result<f64> {
        match self.runner.scene().params.iter().find(|param| param.name == name).map(|param| &param.value) {
            Some(ParamValue::Number(x)) => Ok(*x),
            Some(ParamValue::Integer(n)) => Ok(*n as f64),
            _ => bail!("the scene has no numeric parameter \"{name}\""),
        }
    }

    /// Runs all events up to a time.
    pub(super) fn run(&mut self, until: f64) -> anyhow::Result<()> {
        Ok(self.runner.run_until(until)?)
    }

    /// Runs until two bodies collide, microcollisions aside, at most for the scene's duration.
    pub(super) fn impact(&mut self) -> anyhow::Result<ImpactRecord> {
        let collision = self.runner.next_collision(self.duration)?;
        collision.with_context(|| format!("nothing collides any more until {} s", self.duration))
    }

    /// State of a body at a time that no impact precedes.
    pub(super) fn state(&self, body: &str, time: f64) -> anyhow::Result<State> {
        let state = self.world().find(body).and_then(|id| self.world().principal_state_at(id, time));
        state.with_context(|| format!("the scene has no body \"{body}\""))
    }

    /// State of a body now.
    pub(super) fn now(&self, body: &str) -> anyhow::Result<State> {
        self.state(body, self.world().time())
    }

    /// What was measured in this run.
    pub(super) fn answer(&self, value: f64, exact: f64) -> Answer {
        Answer { value, exact: Some(exact), events: self.world().counters().events, simulated: self.world().time() }
    }
}
