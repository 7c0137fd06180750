//! Creatures that are being made: what the script of one adds to the scene gets names and places of its own.

use super::description::{BodyDescription, JointDescription, MotionDescription, ParamDescription, ParamValue};
use super::error::Fault;
use super::program::Program;
use super::values::Given;
use glam::DVec3;
use impulse::math::Pose;
use impulse::multibody::JointPlace;
use rhai::AST;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// What separates the name of a creature from those of its parts.
pub(super) const SEPARATOR: char = '.';

/// The files of creatures, and those that are running.
#[derive(Default)]
pub(super) struct Creatures {
    /// Where the scene's own script is, if it is in a file.
    location: Option<PathBuf>,
    /// Files that were read and compiled: for this scene and those that the script described before.
    known: BTreeMap<PathBuf, Rc<CreatureFile>>,
    /// The creatures whose files are running, the innermost last.
    running: Vec<Scope>,
}

/// A file that describes creatures.
pub(super) struct CreatureFile {
    pub(super) program: Arc<Program>,
    pub(super) tree: Rc<AST>,
}

/// Where a function that is kept is at home.
pub(super) struct Home {
    pub(super) prefix: Arc<str>,
    pub(super) file: Rc<CreatureFile>,
}

/// A creature whose file is running.
pub(super) struct Scope {
    /// Number among the scene's creatures.
    pub(super) number: usize,
    pub(super) home: Rc<Home>,
    pub(super) path: PathBuf,
    /// Transforms from the creature's frame to the world's.
    pub(super) frame: Pose,
    /// Values for its parameters.
    pub(super) settings: BTreeMap<String, ParamValue>,
    pub(super) params: Vec<ParamDescription>,
}

impl Creatures {
    pub(super) fn new(location: Option<PathBuf>) -> Self {
        Self { location, ..Self::default() }
    }

    /// For another scene; files that were read stay known.
    pub(super) fn restart(&mut self) {
        self.running.clear();
    }

    pub(super) fn known(&self, path: &Path) -> Option<Rc<CreatureFile>> {
        self.known.get(path).cloned()
    }

    pub(super) fn learn(&mut self, path: PathBuf, file: &Rc<CreatureFile>) {
        self.known.insert(path, file.clone());
    }

    /// The texts of all files that were read.
    pub(super) fn programs(&self) -> impl Iterator<Item = &Arc<Program>> {
        self.known.values().map(|file| &file.program)
    }

    pub(super) fn innermost(&self) -> Option<&Scope> {
        self.running.last()
    }

    pub(super) fn innermost_mut(&mut self) -> Option<&mut Scope> {
        self.running.last_mut()
    }

    /// Whether a file is running, the scene's own included.
    pub(super) fn is_running(&self, path: &Path) -> bool {
        self.location.as_deref() == Some(path) || self.running.iter().any(|scope| scope.path == path)
    }

    /// How many creatures are within each other.
    pub(super) fn depth(&self) -> usize {
        self.running.len()
    }

    pub(super) fn enter(&mut self, scope: Scope) {
        self.running.push(scope);
    }

    pub(super) fn leave(&mut self) -> Option<Scope> {
        self.running.pop()
    }
}

impl Scope {
    pub(super) fn named(&self, name: &str) -> String {
        format!("{}{name}", self.home.prefix)
    }

    /// Names and places a body; angular velocities are in its own frame.
    pub(super) fn place_body(&self, body: &mut BodyDescription) -> Given<()> {
        body.name = self.named(&body.name);
        body.world_from_shape = self.frame * body.world_from_shape;
        match &mut body.motion {
            MotionDescription::Free { velocity, .. } => *velocity = self.frame.vector(*velocity),
            MotionDescription::Fixed => {}
            MotionDescription::Scripted(script) => {
                let moved = script.moved(&self.frame);
                *script = moved.map_err(|error| Fault::Motion { of: format!("body `{}`", body.name), error })?;
            }
        }
        Ok(())
    }

    /// Names and places a joint.
    pub(super) fn place_joint(&self, joint: &mut JointDescription) {
        joint.name = self.named(&joint.name);
        let (point, vector) = (|p: &mut DVec3| *p = self.frame.point(*p), |v: &mut DVec3| *v = self.frame.vector(*v));
        match &mut joint.place {
            JointPlace::Hinge { axis, through } => {
                vector(axis);
                point(through);
            }
            JointPlace::Slider { axis } | JointPlace::Planar { normal: axis } => vector(axis),
            JointPlace::Socket { through } => {
                point(through);
                vector(&mut joint.rate);
            }
            JointPlace::Weld => {}
        }
    }
}
