//! A plot of joints over time: positions, rates and forces.

use crate::svg::{Picture, Stroke, file};
use anyhow::bail;
use glam::DVec2;
use impulse::world::World;
use impulse_scenes::SceneDescription;
use impulse_scenes::scene::JointDescription;

const SIZE: DVec2 = DVec2::new(760.0, 240.0);

/// Most points of a curve; if there are more samples, some are skipped.
const POINTS: usize = 1000;

/// Most curves of a plot: more cannot be told apart.
const CURVES: usize = 8;

const COLOURS: [&str; CURVES] =
    ["#1d4ed8", "#c2410c", "#15803d", "#7e22ce", "#b91c1c", "#0e7490", "#a16207", "#111111"];

/// The data of the plot, collected at samples.
pub(super) struct JointPlot {
    /// Joints of the plot.
    names: Vec<String>,
    times: Vec<f64>,
    /// By joint and sample: position, rate and force of its first freedom.
    values: Vec<Vec<[f64; 3]>>,
}

impl JointPlot {
    /// A plot of some joints, or of the first of a scene.
    pub(super) fn new(scene: &SceneDescription, chosen: &[String]) -> anyhow::Result<Self> {
        let known = |name: &String| scene.joints.iter().any(|joint| joint.name == *name);
        if let Some(unknown) = chosen.iter().find(|name| !known(name)) {
            let all: Vec<&str> = scene.joints.iter().map(|joint| joint.name.as_str()).collect();
            bail!("--joint: the scene has no joint \"{unknown}\"; it has {}", all.join(", "));
        }
        if chosen.len() > CURVES {
            bail!("--joint: a plot shows at most {CURVES} joints; choose fewer");
        }
        let moves = |joint: &&JointDescription| joint.place != impulse::multibody::JointPlace::Weld;
        let first = scene.joints.iter().filter(moves).take(CURVES).map(|joint| joint.name.clone());
        let names: Vec<String> = if chosen.is_empty() { first.collect() } else { chosen.to_vec() };
        if names.is_empty() {
            bail!("--joint-plot: the scene has no joints that move");
        }
        let values = vec![Vec::new(); names.len()];
        Ok(Self { names, times: Vec::new(), values })
    }

    /// Adds a sample: the joints of now.
    pub(super) fn sample(&mut self, world: &World) {
        self.times.push(world.time());
        for (name, values) in self.names.iter().zip(&mut self.values) {
            let joint = world.find_joint(name).and_then(|id| world.joint(id));
            let first = |numbers: Vec<f64>| numbers.first().copied().unwrap_or(0.0);
            values.push(joint.map_or([0.0; 3], |joint| [joint.position(), joint.rate(), joint.force()].map(first)));
        }
    }

    /// The plot as an SVG file.
    pub(super) fn svg(&self, scene: &str) -> String {
        let names = ["position  (rad, m)", "rate  (rad/s, m/s)", "force  (N m, N)"];
        let mut panels = [0, 1, 2].map(|quantity| self.panel(quantity, names[quantity]));
        panels[0].text(DVec2::new(1.0, 1.0 + 28.0 / SIZE.y), 17.0, "end", scene);
        file(&panels)
    }

    fn panel(&self, quantity: usize, name: &str) -> Picture {
        let stride = self.times.len().div_ceil(POINTS).max(1);
        let last = self.times.len().saturating_sub(1);
        let kept = || (0..self.times.len()).filter(move |i| i % stride == 0 || *i == last);
        let values = || self.values.iter().flat_map(|of| kept().map(|i| of[i][quantity]));
        let (low, high) = values().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
        // What does not change still has a frame.
        let (middle, half) = if high > low { (0.5 * (low + high), 0.54 * (high - low)) } else { (low.min(1e300), 1.0) };
        let end = self.times.last().copied().filter(|end| *end > 0.0).unwrap_or(1.0);
        let mut picture = Picture::new(SIZE, DVec2::new(0.0, middle - half), DVec2::new(end, middle + half));
        for (of, colour) in self.values.iter().zip(COLOURS) {
            let points: Vec<DVec2> = kept().map(|i| DVec2::new(self.times[i], of[i][quantity])).collect();
            picture.line(&points, &Stroke { colour, width: 1.6, dashes: "" });
        }
        let caption: Vec<(&str, &str)> =
            COLOURS.iter().zip(&self.names).map(|(colour, name)| (*colour, name.as_str())).collect();
        picture.caption(&caption);
        picture.axes("time  (s)", name);
        picture
    }
}
