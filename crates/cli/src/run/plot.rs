//! A plot of energies and rates over time (the rate of collision checks as in figure 7.8 of the thesis).

use crate::svg::{Picture, Stroke, file};
use glam::DVec2;
use impulse::world::{Counters, World};

const SIZE: DVec2 = DVec2::new(760.0, 240.0);

/// Most points of a curve; if there are more samples, some are skipped.
const POINTS: usize = 1000;

/// A quantity over time.
struct Curve {
    name: &'static str,
    colour: &'static str,
    points: Vec<DVec2>,
}

/// The data of the plot, collected at samples.
#[derive(Default)]
pub(super) struct Plot {
    samples: Vec<Sample>,
}

#[derive(Clone, Copy)]
struct Sample {
    time: f64,
    /// Kinetic and potential, J.
    energies: [f64; 2],
    counters: Counters,
}

impl Plot {
    /// Adds a sample: the current world.
    pub(super) fn sample(&mut self, world: &World) {
        let energies = [world.kinetic_energy(), world.potential_energy()];
        self.samples.push(Sample { time: world.time(), energies, counters: world.counters() });
    }

    /// The plot as an SVG file.
    pub(super) fn svg(&self, scene: &str) -> String {
        let samples = self.thinned();
        let energy = |name, colour, of: fn([f64; 2]) -> f64| {
            let points = samples.iter().map(|s| DVec2::new(s.time, of(s.energies))).collect();
            Curve { name, colour, points }
        };
        let rate = |name, colour, of: fn(&Counters) -> u64| Curve { name, colour, points: steps(&samples, of) };
        let energies = [
            energy("total", "#111111", |[kinetic, potential]| kinetic + potential),
            energy("kinetic", "#c2410c", |[kinetic, _]| kinetic),
            energy("potential", "#1d4ed8", |[_, potential]| potential),
        ];
        let checks = [
            rate("checks of pairs", "#1d4ed8", |c| c.checks),
            rate("microcollisions", "#c2410c", |c| c.microcollisions),
        ];
        let collisions = [rate("collisions", "#15803d", |c| c.collisions)];
        let end = samples.last().map_or(0.0, |sample| sample.time);
        let mut panels = [
            panel(&energies, end, "energy  (J)"),
            panel(&checks, end, "per second"),
            panel(&collisions, end, "per second"),
        ];
        panels[0].text(DVec2::new(1.0, 1.0 + 10.0 / SIZE.y), 17.0, "end", scene);
        file(&panels)
    }

    /// The first sample, the last, and an even selection in between.
    fn thinned(&self) -> Vec<Sample> {
        let stride = self.samples.len().div_ceil(POINTS).max(1);
        let last = self.samples.len().saturating_sub(1);
        self.samples.iter().enumerate().filter(|(i, _)| i % stride == 0 || *i == last).map(|(_, s)| *s).collect()
    }
}

/// The rate between each two samples, count divided by time, as a step curve.
fn steps(samples: &[Sample], of: impl Fn(&Counters) -> u64) -> Vec<DVec2> {
    let passed = samples.windows(2).filter(|pair| pair[1].time > pair[0].time);
    let step = |pair: &[Sample]| {
        let rate = (of(&pair[1].counters) - of(&pair[0].counters)) as f64 / (pair[1].time - pair[0].time);
        [DVec2::new(pair[0].time, rate), DVec2::new(pair[1].time, rate)]
    };
    passed.flat_map(step).collect()
}

/// A frame that contains all of the curves.
fn panel(curves: &[Curve], end: f64, y_name: &str) -> Picture {
    let values = curves.iter().flat_map(|curve| &curve.points).map(|p| p.y);
    let (low, high) = values.fold((0.0_f64, 0.0_f64), |(low, high), y| (low.min(y), high.max(y)));
    // A run without duration or data still has a frame.
    let span = if high > low { high - low } else { 1.0 };
    let (min, max) = (DVec2::new(0.0, low), DVec2::new(if end > 0.0 { end } else { 1.0 }, low + 1.08 * span));
    let mut picture = Picture::new(SIZE, min, max);
    for curve in curves {
        picture.line(&curve.points, &Stroke { colour: curve.colour, width: 1.6, dashes: "" });
    }
    let caption: Vec<(&str, &str)> = curves.iter().map(|curve| (curve.colour, curve.name)).collect();
    picture.caption(&caption);
    picture.axes("time  (s)", y_name);
    picture
}

#[cfg(test)]
mod tests {
    use super::{Plot, Sample, steps};
    use glam::DVec2;
    use impulse::world::Counters;

    fn sample(time: f64, checks: u64) -> Sample {
        Sample { time, energies: [1.0, 2.0], counters: Counters { checks, ..Counters::default() } }
    }

    #[test]
    fn rates_are_counts_by_time() {
        let samples = [sample(0.0, 0), sample(0.5, 10), sample(0.5, 10), sample(0.75, 11)];
        let expected = [[0.0, 20.0], [0.5, 20.0], [0.5, 4.0], [0.75, 4.0]].map(DVec2::from_array);
        assert_eq!(steps(&samples, |c| c.checks), expected);
    }

    #[test]
    fn joined_samples_keep_every_count() {
        let samples: Vec<Sample> = (0..12_345).map(|k| sample(k as f64, k * k)).collect();
        let thinned = Plot { samples }.thinned();
        assert!(thinned.len() <= 1002, "{}", thinned.len());
        let area: f64 = steps(&thinned, |c| c.checks).chunks(2).map(|s| (s[1].x - s[0].x) * s[0].y).sum();
        assert!((area / (12_344.0 * 12_344.0) - 1.0).abs() < 1e-12, "{area}");
    }
}
