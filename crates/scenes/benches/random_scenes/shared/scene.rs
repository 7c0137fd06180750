//! A scene that can be written as a script, and the world that the script makes.

use super::form::Form;
use impulse::DVec3;
use impulse::world::{Settings, World};
use impulse_scenes::{BuiltScene, SceneSettings, SceneSource, load_scene};
use std::fmt::{self, Write};

/// A scene to be run.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) kind: &'static str,
    pub(crate) seed: u64,
    /// A bit for every thing that was drawn and is still there.
    pub(crate) kept: u64,
    /// Simulated time, s.
    pub(crate) duration: f64,
    pub(crate) weightless: bool,
    /// Height of all hops in place of the default, in bounding radii.
    pub(crate) envelope: Option<f64>,
    /// Friction and restitution of each surface.
    pub(crate) surfaces: Vec<[f64; 2]>,
    pub(crate) things: Vec<Thing>,
}

/// A body to be.
#[derive(Clone, Debug)]
pub(crate) struct Thing {
    pub(crate) form: Form,
    pub(crate) at: DVec3,
    /// A quaternion of any length, real part first.
    pub(crate) rotation: [f64; 4],
    pub(crate) surface: usize,
    pub(crate) way: Way,
}

/// How it moves.
#[derive(Clone, Debug)]
pub(crate) enum Way {
    Fixed,
    /// As a script function says.
    Scripted(String),
    Free {
        weight: Weight,
        velocity: DVec3,
        spin: DVec3,
    },
}

/// What it weighs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Weight {
    /// kg/m^3.
    Density(f64),
    /// kg.
    Mass(f64),
}

pub(crate) const UPRIGHT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// Whether a quaternion does not turn anything.
pub(crate) fn is_upright(rotation: [f64; 4]) -> bool {
    rotation[1..].iter().all(|x| *x == 0.0)
}

impl Thing {
    /// At rest, of 1000 kg/m^3 and the first surface.
    pub(crate) fn free(form: Form, at: DVec3) -> Self {
        let way = Way::Free { weight: Weight::Density(1000.0), velocity: DVec3::ZERO, spin: DVec3::ZERO };
        Self { form, at, rotation: UPRIGHT, surface: 0, way }
    }

    pub(crate) fn fixed(form: Form, at: DVec3) -> Self {
        Self { form, at, rotation: UPRIGHT, surface: 0, way: Way::Fixed }
    }

    pub(crate) fn scripted(form: Form, at: DVec3, script: String) -> Self {
        Self { form, at, rotation: UPRIGHT, surface: 0, way: Way::Scripted(script) }
    }

    pub(crate) fn turned(self, rotation: [f64; 4]) -> Self {
        Self { rotation, ..self }
    }

    pub(crate) fn weighing(mut self, given: Weight) -> Self {
        if let Way::Free { weight, .. } = &mut self.way {
            *weight = given;
        }
        self
    }

    pub(crate) fn moving(mut self, v: DVec3, w: DVec3) -> Self {
        if let Way::Free { velocity, spin, .. } = &mut self.way {
            (*velocity, *spin) = (v, w);
        }
        self
    }

    fn write(&self, name: &str, text: &mut String) -> fmt::Result {
        write!(text, "body(\"{name}\", {}, #{{ material: m{}", self.form, self.surface)?;
        if self.at != DVec3::ZERO {
            write!(text, ", at: {:?}", self.at.to_array())?;
        }
        if !is_upright(self.rotation) {
            write!(text, ", rotation: {:?}", self.rotation)?;
        }
        match &self.way {
            Way::Fixed => write!(text, ", fixed: true")?,
            Way::Scripted(script) => write!(text, ", script: {script}")?,
            Way::Free { weight, velocity, spin } => {
                match weight {
                    Weight::Density(density) => write!(text, ", density: {density:?}")?,
                    Weight::Mass(mass) => write!(text, ", mass: {mass:?}")?,
                }
                for (option, value) in [("velocity", velocity), ("spin", spin)] {
                    if *value != DVec3::ZERO {
                        write!(text, ", {option}: {:?}", value.to_array())?;
                    }
                }
            }
        }
        writeln!(text, " }});")
    }
}

impl Scene {
    /// The things that are there, with their names.
    pub(crate) fn there(&self) -> impl Iterator<Item = (String, &Thing)> {
        let kept = self.kept;
        let all = self.things.iter().enumerate().filter(move |(i, _)| kept >> i & 1 == 1);
        all.map(|(i, thing)| (format!("b{i}"), thing))
    }

    /// The script, under a first line of comment.
    pub(crate) fn script(&self, comment: &str) -> String {
        let mut text = String::new();
        let written = self.write(comment, &mut text);
        written.expect("a text takes everything");
        text
    }

    fn write(&self, comment: &str, text: &mut String) -> fmt::Result {
        writeln!(text, "// {comment}")?;
        writeln!(text, "duration({:?});", self.duration)?;
        if self.weightless {
            writeln!(text, "gravity(0, 0, 0);")?;
        }
        if let Some(height) = self.envelope {
            writeln!(text, "envelope({height:?});")?;
        }
        for (i, [friction, restitution]) in self.surfaces.iter().enumerate() {
            writeln!(text, "let m{i} = material(#{{ friction: {friction:?}, restitution: {restitution:?} }});")?;
        }
        self.there().try_for_each(|(name, thing)| thing.write(&name, text))
    }

    /// The world of the script, with records of impacts, or why there is none.
    pub(crate) fn build(&self) -> Result<(BuiltScene, World), String> {
        let source = SceneSource::Text { name: self.kind.to_owned(), text: self.script(self.kind) };
        let described = load_scene(&source, &SceneSettings::default()).map_err(|e| e.to_string())?;
        let built = BuiltScene::new(described).map_err(|e| e.to_string())?;
        let world = built.world(Settings { record_impacts: true, ..Settings::default() });
        let world = world.map_err(|e| e.to_string())?;
        Ok((built, world))
    }
}
