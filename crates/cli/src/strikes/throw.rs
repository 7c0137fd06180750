//! One throw of the bowling experiments: how the ball crosses the pin line, and how many pins fall.

use crate::stall::Stall;
use anyhow::Context;
use glam::DVec3;
use impulse::world::{BodyId, Settings, World};
use impulse_scenes::scene::ParamValue;
use impulse_scenes::{SceneDescription, SceneSettings, SceneSource, build_world, load_scene};

/// Events between two looks at whether time passes.
const BATCH: u64 = 10_000;

/// Time between two looks at how far the ball has come, s.
const LOOK: f64 = 0.01;

/// A pin whose axis leans further than this cosine has fallen: 60 degrees.
const FALLEN: f64 = 0.5;

/// How a ball is thrown (section 7.1); its speed is the scene's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    /// Along the lane, without spin.
    Straight,
    /// A right-hander's: 2 degrees to the right, turning at 12 rad/s about the direction of the lane, which pulls it to the left.
    Hooking,
}

/// What came of a throw. Positions are metres to the right of the lane's middle, where the head pin stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Throw {
    pub(super) delivery: Delivery,
    /// Where the ball starts.
    pub(super) start: f64,
    /// Where it crosses the pin line, which goes through the head pin; where it would were there no pins.
    pub(super) crossing: f64,
    pub(super) felled: usize,
}

impl Delivery {
    pub(super) const ALL: [Self; 2] = [Self::Straight, Self::Hooking];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Straight => "straight",
            Self::Hooking => "hooking",
        }
    }

    /// The parameters of the bowling scene, whose left is positive.
    fn scene(self, start: f64) -> anyhow::Result<SceneDescription> {
        let (angle, side) = match self {
            Self::Straight => (0.0, 0.0),
            Self::Hooking => (-2.0, 12.0),
        };
        let set = |(name, value): (&str, f64)| (name.to_owned(), ParamValue::Number(value));
        let params = [("angle", angle), ("side", side), ("offset", -start)].map(set).to_vec();
        Ok(load_scene(&SceneSource::Builtin("bowling".to_owned()), &SceneSettings { params, seed: 0 })?)
    }
}

/// Throws a ball that starts so far to the right of the middle, m.
pub(super) fn throw(delivery: Delivery, start: f64) -> anyhow::Result<Throw> {
    let scene = delivery.scene(start)?;
    let mut lane = Lane::new(&scene)?;
    let crossing = lane.crossing(scene.duration)?;
    lane.run(scene.duration)?;
    Ok(Throw { delivery, start, crossing, felled: lane.felled() })
}

/// How far to the right of its start a ball crosses the pin line, m: the same from everywhere, the lane being as wide as needed.
pub(super) fn drift(delivery: Delivery) -> anyhow::Result<f64> {
    let scene = delivery.scene(0.0)?;
    Lane::new(&scene)?.crossing(scene.duration)
}

/// The lane with its pins and the ball.
struct Lane {
    world: World,
    stall: Stall,
    ball: BodyId,
    pins: Vec<BodyId>,
}

impl Lane {
    fn new(scene: &SceneDescription) -> anyhow::Result<Self> {
        let world = build_world(scene, Settings::default())?;
        let find = |name: &str| world.find(name).with_context(|| format!("the bowling scene has no body {name}"));
        let (ball, pins) = (find("ball")?, (1..=10).map(|i| find(&format!("pin {i}"))).collect::<anyhow::Result<_>>()?);
        Ok(Self { stall: Stall::new(world.len()), world, ball, pins })
    }

    /// Runs until the ball is about to reach the head pin, and gives where it would cross the line through that.
    fn crossing(&mut self, until: f64) -> anyhow::Result<f64> {
        let line = self.place(self.pins[0]).x;
        // A ball of 109 mm touches a pin of 61 mm when their middles are 170 mm apart.
        let (reach, mut t) = (line - 0.18, 0.0);
        loop {
            let state = self.world.principal_state_at(self.ball, self.world.time()).context("the ball is there")?;
            let (at, velocity) = (state.world_from_body.translation, state.velocity);
            if at.x + velocity.x * LOOK >= reach {
                return Ok(-(at.y + velocity.y / velocity.x * (line - at.x)));
            }
            t += LOOK;
            anyhow::ensure!(t < until, "the ball does not reach the pins within {until} s");
            self.run(t)?;
        }
    }

    fn run(&mut self, until: f64) -> anyhow::Result<()> {
        while !self.world.run_until(until, Some(BATCH))?.reached() {
            self.stall.check(&self.world)?;
        }
        Ok(())
    }

    fn place(&self, body: BodyId) -> DVec3 {
        self.world
            .principal_state_at(body, self.world.time())
            .map_or(DVec3::NAN, |state| state.world_from_body.translation)
    }

    fn felled(&self) -> usize {
        let upright = |&pin: &BodyId| {
            let pose = self.world.pose_at(pin, self.world.time());
            pose.is_some_and(|pose| pose.vector(DVec3::Z).z > FALLEN)
        };
        self.pins.len() - self.pins.iter().filter(|pin| upright(pin)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::{Delivery, drift, throw};

    /// A ball that slides keeps the direction of its slip, so that it flies a parabola in the plane of the lane: it rolls only 0.3 s
    /// after it has reached the pins.
    #[test]
    fn a_hooking_ball_drifts_along_its_parabola() {
        let (speed, angle, spin, radius) = (8.0, -2_f64.to_radians(), 12.0, 0.10795);
        let (v, braking) = ([speed * angle.cos(), speed * angle.sin()], 0.08 * 9.81);
        let slip = [v[0], v[1] - spin * radius];
        let pull = slip.map(|u| -braking * u / slip[0].hypot(slip[1]));
        // Positions along and across the lane: v t + pull t^2 / 2.
        let t = (v[0] - (v[0] * v[0] + 2.0 * pull[0] * 18.288).sqrt()) / -pull[0];
        let right = -(v[1] * t + 0.5 * pull[1] * t * t);
        assert!((right - 0.2114).abs() < 1e-4);
        // The last 18 cm are taken to be straight.
        let drift = drift(Delivery::Hooking).unwrap();
        assert!((drift - right).abs() < 3e-4, "{drift} instead of {right}");
        assert_eq!(super::drift(Delivery::Straight).unwrap(), 0.0);
    }

    /// A ball that passes the pins on the right fells none.
    #[test]
    fn a_ball_that_misses_fells_nothing() {
        let missed = throw(Delivery::Straight, 0.7).unwrap();
        assert_eq!((missed.crossing, missed.felled), (0.7, 0));
    }
}
