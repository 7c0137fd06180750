//! One throw of the bowling experiments: where the ball crosses the pin line, and how many pins fall.

use anyhow::{bail, ensure};
use impulse::world::Settings;
use impulse_lab::sweep::{Point, Task, Worker};
use impulse_scenes::SceneSource;
use impulse_scenes::scene::ParamValue;

/// How a ball is thrown (section 7.1); its speed is the scene's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    /// Along the lane, without spin.
    Straight,
    /// A right-hander's: 2 degrees to the right, spinning at 12 rad/s about the direction of the lane, which pulls it to the left.
    Hooking,
}

/// The result of a throw. Positions are in metres to the right of the middle of the lane, where the head pin stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Throw {
    pub(super) delivery: Delivery,
    /// Where the ball starts.
    pub(super) start: f64,
    /// Where it would cross the line through the head pin if there were no pins.
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

    /// The parameters of this delivery, as in [`VARIED`]. In the scene, left is positive.
    pub(super) fn values(self, start: f64) -> Vec<ParamValue> {
        let (angle, side) = match self {
            Self::Straight => (0.0, 0.0),
            Self::Hooking => (-2.0, 12.0),
        };
        [angle, side, -start].map(ParamValue::Number).to_vec()
    }
}

/// The parameters of the scene `bowling` in which throws differ.
const VARIED: [&str; 3] = ["angle", "side", "offset"];

/// All throws as trials of the scene, which reports where balls cross the pin line and how many pins fall.
pub(super) fn task() -> Task {
    Task {
        source: SceneSource::Builtin("bowling".to_owned()),
        set: Vec::new(),
        varied: VARIED.map(str::to_owned).to_vec(),
        reports: vec!["crossing".to_owned(), "felled".to_owned()],
        until: None,
        limit: u64::MAX,
        settings: Settings::default(),
    }
}

/// Throws a ball from a start to the right of the middle, m.
pub(super) fn throw(worker: &mut Worker<'_>, delivery: Delivery, start: f64) -> anyhow::Result<Throw> {
    let row = worker.run(0, Point { seed: 0, values: delivery.values(start) }, &|| false);
    ensure!(row.error.is_empty(), "{}", row.error);
    match row.reports[..] {
        [Some(ParamValue::Number(crossing)), Some(ParamValue::Integer(felled))] => {
            Ok(Throw { delivery, start, crossing, felled: felled as usize })
        }
        _ => bail!("the ball does not reach the pins"),
    }
}

/// How far to the right of its start a ball crosses the pin line, m. It does not depend on the start, because the lane is wide enough.
pub(super) fn drift(delivery: Delivery) -> anyhow::Result<f64> {
    Ok(throw(&mut Worker::new(&task()), delivery, 0.0)?.crossing)
}

#[cfg(test)]
mod tests {
    use super::{Delivery, Worker, drift, task, throw};

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
        let missed = throw(&mut Worker::new(&task()), Delivery::Straight, 0.7).unwrap();
        assert_eq!((missed.crossing, missed.felled), (0.7, 0));
    }
}
