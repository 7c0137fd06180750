//! A case on its way: its scene opened with the case's parameters, run, and looked at.

use super::cases::Case;
use anyhow::{Context, bail};
use impulse::body::State;
use impulse::world::{Event, ImpactRecord, Settings, World};
use impulse_scenes::scene::{ParamDescription, ParamValue};
use impulse_scenes::{SceneSettings, SceneSource, build_world, load_scene};

/// What a case came to.
pub(super) struct Answer {
    /// What was measured.
    pub(super) value: f64,
    /// What theory or a publication says; `None` where there is no such thing.
    pub(super) exact: Option<f64>,
    /// Events, and simulated seconds, that it took.
    pub(super) events: u64,
    pub(super) simulated: f64,
}

/// A case under some settings.
pub(super) struct Trial<'a> {
    pub(super) case: &'a Case,
    pub(super) settings: Settings,
}

/// A scene that runs.
pub(super) struct Running {
    pub(super) world: World,
    pub(super) duration: f64,
    /// Size of the acceleration of gravity, m/s^2.
    pub(super) gravity: f64,
    params: Vec<ParamDescription>,
}

impl Trial<'_> {
    /// Opens the case's scene.
    pub(super) fn open(&self, seed: u64) -> anyhow::Result<Running> {
        let params = self.case.set.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let scene = load_scene(&SceneSource::Builtin(self.case.scene.to_owned()), &SceneSettings { params, seed })?;
        let world = build_world(&scene, self.settings)?;
        Ok(Running { world, duration: scene.duration, gravity: scene.gravity.length(), params: scene.params })
    }
}

impl Running {
    /// A number that the scene was made with.
    pub(super) fn param(&self, name: &str) -> anyhow::Result<f64> {
        match self.params.iter().find(|param| param.name == name).map(|param| &param.value) {
            Some(ParamValue::Number(x)) => Ok(*x),
            Some(ParamValue::Integer(n)) => Ok(*n as f64),
            _ => bail!("the scene has no number \"{name}\""),
        }
    }

    /// Runs all events up to a time.
    pub(super) fn run(&mut self, until: f64) -> anyhow::Result<()> {
        while !self.world.run_until(until, None)?.reached() {}
        Ok(())
    }

    /// Runs until two bodies strike each other, microcollisions aside, at most for the scene's duration.
    pub(super) fn impact(&mut self) -> anyhow::Result<ImpactRecord> {
        while self.world.time() <= self.duration {
            match self.world.step()?.context("nothing is going to collide any more")? {
                Event::Impact(record) if !record.micro => return Ok(record),
                _ => {}
            }
        }
        bail!("nothing has collided any more until {} s", self.duration)
    }

    /// State of a body at a time that no impact comes before.
    pub(super) fn state(&self, body: &str, time: f64) -> anyhow::Result<State> {
        let state = self.world.find(body).and_then(|id| self.world.principal_state_at(id, time));
        state.with_context(|| format!("the scene has no body \"{body}\""))
    }

    /// State of a body now.
    pub(super) fn now(&self, body: &str) -> anyhow::Result<State> {
        self.state(body, self.world.time())
    }

    /// What a run came to.
    pub(super) fn answer(&self, value: f64, exact: f64) -> Answer {
        Answer { value, exact: Some(exact), events: self.world.counters().events, simulated: self.world.time() }
    }
}
