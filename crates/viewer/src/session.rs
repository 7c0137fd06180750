//! A run, the instant that is looked at, and the answers that a page asks for.

use crate::cursor::Cursor;
use crate::request::{OpenError, Request};
use crate::scene::{self, Looks};
use crate::timeline::{Progress, Timeline};
use crate::views;
use impulse::world::BodyId;
use impulse_scenes::acts::{Deed, FORMAT, Recording};
use impulse_scenes::runner::RunnerError;
use impulse_scenes::scene::SceneFiles;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Memory for keyframes if the page asks for nothing else, bytes.
const MEMORY: usize = 64 << 20;

/// One scene that runs.
#[derive(Debug)]
pub struct Session {
    timeline: Timeline,
    cursor: Cursor,
    looks: Looks,
    /// What was asked for.
    request: Request,
    files: Arc<SceneFiles>,
}

impl Session {
    /// Loads a scene; files are those that it may read.
    pub fn open(request: &Request, files: &Arc<SceneFiles>) -> Result<Self, OpenError> {
        let (runner, end) = request.runner(files)?;
        let looks = Looks::new(&runner);
        let timeline = Timeline::new(runner, end, request.memory.unwrap_or(MEMORY));
        let request = Request { acts: Vec::new(), ..request.clone() };
        Ok(Self { cursor: Cursor::new(&timeline), timeline, looks, request, files: files.clone() })
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
        views::contacts(self.cursor.runner(), out);
    }

    /// Watched pairs now.
    pub fn closest(&self, out: &mut Vec<f64>) {
        views::closest(self.cursor.runner(), out);
    }

    /// Boxes now.
    pub fn boxes(&self, out: &mut Vec<f64>) {
        views::boxes(self.cursor.runner(), out);
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
        views::notes(&self.timeline.notes.of_body(body, self.cursor.event(), most, micros), out);
    }

    /// The hardest collision so far in short.
    pub fn hardest(&self, out: &mut Vec<f64>) {
        views::notes(self.timeline.notes.hardest().map(std::slice::from_ref).unwrap_or_default(), out);
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

    /// Does something at the time of the cursor; the run after it is forgotten. Whether bodies have come: then there are new looks.
    pub fn act(&mut self, deed: Deed) -> Result<bool, RunnerError> {
        let time = self.cursor.runner().world().time();
        let before = self.timeline.frontier().descriptions().count();
        self.timeline.act(time, deed)?;
        self.cursor.renew(&self.timeline, time);
        self.cursor.go(&self.timeline, time, 0.0)?;
        let frontier = self.timeline.frontier();
        let changed = frontier.descriptions().count() != before;
        if changed {
            self.looks = Looks::new(frontier);
        }
        Ok(changed)
    }

    /// Lets the run go no farther than a time, s.
    pub fn set_limit(&mut self, limit: f64) {
        self.timeline.set_limit(limit);
    }

    /// What is held, and where to.
    pub fn held(&self, out: &mut Vec<f64>) {
        views::held(self.cursor.runner(), out);
    }

    /// Where the bodies are at a time, s, at most as far as the run has come.
    pub fn poses(&mut self, time: f64, out: &mut Vec<f64>) -> Result<(), RunnerError> {
        self.cursor.go(&self.timeline, time, 0.0)?;
        views::poses(self.cursor.runner(), out);
        Ok(())
    }

    /// The run so far as a recording, JSON; an error if its files are not texts.
    pub fn recording(&self) -> Result<String, String> {
        let frontier = self.timeline.frontier();
        let text = |(name, bytes): (&String, &Vec<u8>)| match String::from_utf8(bytes.clone()) {
            Ok(text) => Ok((name.clone(), text)),
            Err(_) => Err(format!("{name} is not a text, and a recording holds only texts; save the page instead")),
        };
        let files = if self.request.from_files {
            self.files.iter().map(text).collect::<Result<_, _>>()?
        } else {
            BTreeMap::new()
        };
        let recording = Recording {
            impulse_recording: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scene: self.request.scene.clone(),
            files,
            params: self.request.params.clone(),
            seed: self.request.seed,
            until: frontier.world().time(),
            acts: frontier.acts().to_vec(),
            hash: format!("{:016x}", frontier.world().trace_hash()),
        };
        serde_json::to_string(&recording).map_err(|error| error.to_string())
    }

    /// Trace hash of the instant that is looked at, as the command prints it.
    pub fn hash(&self) -> String {
        format!("{:016x}", self.cursor.runner().world().trace_hash())
    }

    fn body(&self, number: usize) -> Option<BodyId> {
        self.timeline.frontier().id_of(number)
    }
}
