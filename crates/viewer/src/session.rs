//! A run, the instant that is looked at, and the answers that a page asks for.

use crate::cursor::Cursor;
use crate::request::{OpenError, Request};
use crate::scene::{self, Looks};
use crate::timeline::{Progress, Timeline};
use crate::views;
use impulse::world::BodyId;
use impulse_scenes::runner::RunnerError;
use impulse_scenes::scene::SceneFiles;
use std::sync::Arc;

/// Memory for keyframes if the page asks for nothing else, bytes.
const MEMORY: usize = 64 << 20;

/// One scene that runs.
#[derive(Debug)]
pub struct Session {
    timeline: Timeline,
    cursor: Cursor,
    looks: Looks,
}

impl Session {
    /// Loads a scene; files are those that it may read.
    pub fn open(request: &Request, files: &Arc<SceneFiles>) -> Result<Self, OpenError> {
        let (runner, end) = request.runner(files)?;
        let looks = Looks::new(&runner);
        let timeline = Timeline::new(runner, end, request.memory.unwrap_or(MEMORY));
        Ok(Self { cursor: Cursor::new(&timeline), timeline, looks })
    }

    /// The scene as JSON: bodies, parameters, warnings.
    pub fn describe(&self) -> String {
        scene::describe(self.timeline.frontier(), &self.looks, self.timeline.end()).to_string()
    }

    /// Triangles of a look.
    pub fn look(&self, number: usize, out: &mut Vec<f64>) {
        self.looks.numbers(number, out);
    }

    /// Runs ahead by at most so many events.
    pub fn advance(&mut self, events: u64) -> Progress {
        self.timeline.advance(events)
    }

    /// Offers a keyframe.
    pub fn keep(&mut self) {
        self.timeline.keep();
    }

    /// The run.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// The instant that is looked at.
    pub fn cursor(&self) -> &Cursor {
        &self.cursor
    }

    /// Goes to a time, s: see [`Cursor::go`].
    pub fn go(&mut self, time: f64, window: f64) -> Result<(), RunnerError> {
        self.cursor.go(&self.timeline, time, window)
    }

    /// Goes to an event: see [`Cursor::go_to_event`].
    pub fn go_to_event(&mut self, event: u64, window: f64) -> Result<(), RunnerError> {
        self.cursor.go_to_event(&self.timeline, event, window)
    }

    /// The event of the next or last collision (with `micros`: impact) beside the present one, as far as the run has come.
    pub fn impact_beside(&self, forward: bool, micros: bool) -> Option<u64> {
        self.timeline.notes.beside(self.cursor.event(), forward, micros)
    }

    /// The present frame.
    pub fn frame(&self, out: &mut Vec<f64>) {
        views::frame(&self.timeline, &self.cursor, out);
    }

    /// The impacts of a window up to now, s.
    pub fn impacts(&self, window: f64, out: &mut Vec<f64>) {
        views::impacts(&self.cursor, window, out);
    }

    /// Lasting contacts now.
    pub fn contacts(&self, out: &mut Vec<f64>) {
        views::contacts(self.cursor.runner().world(), out);
    }

    /// Watched pairs now.
    pub fn closest(&self, out: &mut Vec<f64>) {
        views::closest(self.cursor.runner().world(), out);
    }

    /// Boxes now.
    pub fn boxes(&self, out: &mut Vec<f64>) {
        views::boxes(self.cursor.runner().world(), out);
    }

    /// Samples from a number on.
    pub fn samples(&self, from: usize, out: &mut Vec<f64>) {
        views::samples(&self.timeline, from, out);
    }

    /// A body's positions and velocities at all samples.
    pub fn track(&self, body: usize, out: &mut Vec<f64>) {
        if let Some(body) = self.body(body) {
            out.extend(self.timeline.samples.of_body(body).as_flattened());
        }
    }

    /// A body's impacts up to now in short, the latest first.
    pub fn impacts_of(&self, body: usize, most: usize, micros: bool, out: &mut Vec<f64>) {
        if let Some(body) = self.body(body) {
            views::notes(&self.timeline.notes.of_body(body, self.cursor.event(), most, micros), out);
        }
    }

    /// Collisions, microcollisions and the hardest collision in each of equal parts of a span of time.
    pub fn densities(&self, from: f64, to: f64, parts: usize, out: &mut Vec<f64>) {
        for density in self.timeline.notes.densities(from..to, parts) {
            out.extend([f64::from(density.collisions), f64::from(density.micros), f64::from(density.hardest)]);
        }
    }

    /// Two corners of a box in which most of the run so far happens, and the mean place of the bodies.
    pub fn bounds(&self, out: &mut Vec<f64>) {
        let corners = scene::bounds(self.timeline.frontier(), self.timeline.samples.positions());
        out.extend(corners.iter().flat_map(|corner| corner.to_array()));
    }

    /// Trace hash of the instant that is looked at, as the command prints it.
    pub fn hash(&self) -> String {
        format!("{:016x}", self.cursor.runner().world().trace_hash())
    }

    fn body(&self, number: usize) -> Option<BodyId> {
        self.timeline.frontier().world().bodies().find(|body| body.index() == number)
    }
}
