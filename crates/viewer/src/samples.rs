//! Energies, counts and the states of bodies at equal intervals of a run, for plots, trails and mean velocities.

use impulse::world::{BodyId, MotionWindow, World};

/// States kept of all bodies together, at most about this many.
const STATES: usize = 200_000;

/// Most and fewest samples of a run.
const MOST: usize = 1000;
const FEWEST: usize = 20;

/// The run at one instant.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// s.
    pub time: f64,
    /// J.
    pub kinetic: f64,
    /// J.
    pub potential: f64,
    /// Events, checks, collisions and microcollisions so far.
    pub counts: [u64; 4],
    /// Where the bodies that move are, in their order; none for those that are not there.
    windows: Vec<Option<MotionWindow>>,
    /// Velocity of the centre of mass (world frame, m/s) and angular velocity (shape's axes, rad/s) of each.
    velocities: Vec<[f32; 6]>,
}

/// All samples so far.
#[derive(Debug)]
pub struct Samples {
    all: Vec<Sampled>,
    /// The bodies that move.
    bodies: Vec<BodyId>,
    count: usize,
    end: f64,
}

impl Samples {
    /// For a run to `end`, s.
    pub(crate) fn new(world: &World, end: f64) -> Self {
        let bodies: Vec<BodyId> = world.body_refs().filter(|body| !body.is_fixed()).map(|body| body.id()).collect();
        let count = (STATES / bodies.len().max(1)).clamp(FEWEST, MOST);
        Self { all: Vec::new(), bodies, count, end }
    }

    /// Time of the next sample, s; `None` after the last.
    pub(crate) fn next(&self) -> Option<f64> {
        let number = self.all.len();
        (number <= self.count).then(|| self.time(number))
    }

    /// Adds the world as it is now.
    pub(crate) fn add(&mut self, world: &World) {
        let counters = world.counters();
        let velocity = |body: &BodyId| {
            let body = world.body(*body);
            let (v, w) = body.map(|body| (body.velocity(), body.spin())).unwrap_or_default();
            [v.x, v.y, v.z, w.x, w.y, w.z].map(|x| x as f32)
        };
        self.all.push(Sampled {
            time: world.time(),
            kinetic: world.kinetic_energy(),
            potential: world.potential_energy(),
            counts: [counters.events, counters.checks, counters.collisions, counters.microcollisions],
            windows: self.bodies.iter().map(|&body| world.motion_window(body)).collect(),
            velocities: self.bodies.iter().map(velocity).collect(),
        });
    }

    /// Forgets the samples from a time on, and takes up a body that has come.
    pub(crate) fn truncate(&mut self, time: f64, added: Option<BodyId>) {
        self.all.truncate(self.all.partition_point(|sample| sample.time < time));
        self.bodies.extend(added.filter(|body| !self.bodies.contains(body)));
    }

    /// All samples.
    pub fn all(&self) -> &[Sampled] {
        &self.all
    }

    /// The bodies that move.
    pub fn bodies(&self) -> &[BodyId] {
        &self.bodies
    }

    /// Where the window begins over which a body's velocity is averaged at a time: a sample, the same one however one came there.
    pub(crate) fn window(&self, body: BodyId, time: f64) -> Option<&MotionWindow> {
        let number = self.bodies.iter().position(|&b| b == body)?;
        let since = time - 0.5 * self.end / self.count as f64;
        let sample = self.all.partition_point(|sample| sample.time <= since).checked_sub(1)?;
        self.all[sample].windows.get(number)?.as_ref()
    }

    /// Position of the centre of mass and velocities of a body at every sample: rows of ten numbers, the time first. Empty for
    /// bodies that do not move.
    pub fn of_body(&self, body: BodyId) -> Vec<[f64; 10]> {
        let Some(number) = self.bodies.iter().position(|&b| b == body) else { return Vec::new() };
        let row = |sample: &Sampled| {
            let p = sample.windows.get(number)?.as_ref()?.pose.translation;
            let v = sample.velocities[number].map(f64::from);
            Some([sample.time, p.x, p.y, p.z, v[0], v[1], v[2], v[3], v[4], v[5]])
        };
        self.all.iter().filter_map(row).collect()
    }

    /// Positions of all bodies that move, at all samples.
    pub(crate) fn positions(&self) -> impl Iterator<Item = glam::DVec3> {
        self.all.iter().flat_map(|sample| sample.windows.iter().flatten().map(|window| window.pose.translation))
    }

    fn time(&self, number: usize) -> f64 {
        if number == self.count { self.end } else { number as f64 * (self.end / self.count as f64) }
    }
}
