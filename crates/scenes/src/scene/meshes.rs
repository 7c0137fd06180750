//! Part files in scripts: `mesh(file)`, `mesh(file, scale)`, `mesh(file, #{ scale, pieces, error })`.

use super::description::{PartFileDescription, PolyhedronDescription, ShapeDescription, SolidDescription};
use super::error::Fault;
use super::stage::{Answer, KnownPart, SharedStage, Stage};
use super::values::{Given, Options, number, text, whole};
use impulse::geometry::{Aabb, ConvexPolyhedron, DecomposeSettings, Polyhedron};
use rhai::{Dynamic, Engine};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The options of a mesh.
const OPTIONS: &[&str] = &["scale", "pieces", "error"];

/// Most convex pieces of a mesh.
const MAX_PIECES: i64 = 10_000;

/// Registers `mesh`.
pub(super) fn register(engine: &mut Engine, stage: &SharedStage) {
    let shared = stage.clone();
    engine.register_fn("mesh", move |file: Dynamic, options: Dynamic| -> Answer<ShapeDescription> {
        let options = MeshOptions::new(&options)?;
        Ok(mesh(&mut shared.borrow_mut(), &file, &options)?)
    });
    let shared = stage.clone();
    engine.register_fn("mesh", move |file: Dynamic| -> Answer<ShapeDescription> {
        Ok(mesh(&mut shared.borrow_mut(), &file, &MeshOptions::default())?)
    });
}

/// A polyhedron, as a convex solid if it is convex.
pub(super) fn solid(polyhedron: Polyhedron, file: Option<String>) -> SolidDescription {
    match ConvexPolyhedron::from_polyhedron(&polyhedron) {
        Ok(convex) => SolidDescription::Convex(convex.into()),
        Err(_) => {
            let limits = DecomposeSettings::default();
            SolidDescription::Polyhedron(PolyhedronDescription { polyhedron: Arc::new(polyhedron), limits, file })
        }
    }
}

/// What a script says about a part file.
struct MeshOptions {
    scale: f64,
    limits: DecomposeSettings,
}

impl Default for MeshOptions {
    fn default() -> Self {
        Self { scale: 1.0, limits: DecomposeSettings::default() }
    }
}

impl MeshOptions {
    /// A scale alone, or options.
    fn new(given: &Dynamic) -> Given<Self> {
        let mut known = Self::default();
        if !given.is_map() {
            return Ok(Self { scale: number("mesh: the scale", given)?, ..known });
        }
        let options = Options::new("mesh".to_owned(), given, OPTIONS)?;
        known.scale = options.get("scale", number)?.unwrap_or(known.scale);
        known.limits.limit = options.get("error", error)?.unwrap_or(known.limits.limit);
        known.limits.max_pieces = options.get("pieces", pieces)?.unwrap_or(known.limits.max_pieces);
        Ok(known)
    }
}

fn error(what: &str, value: &Dynamic) -> Given<f64> {
    let error = number(what, value)?;
    let expected = "a share of the part's longest side, above 0 and at most 1: 0.02 for 2 %";
    let fits = error > 0.0 && error <= 1.0;
    if fits { Ok(error) } else { Err(Fault::Range { what: what.to_owned(), value: error, expected }) }
}

fn pieces(what: &str, value: &Dynamic) -> Given<usize> {
    let count = whole(what, value)?;
    let fits = (1..=MAX_PIECES).contains(&count);
    let range = Fault::Range { what: what.to_owned(), value: count as f64, expected: "at least 1 and at most 10000" };
    if fits { Ok(count as usize) } else { Err(range) }
}

fn mesh(stage: &mut Stage, file: &Dynamic, options: &MeshOptions) -> Given<ShapeDescription> {
    let mut solid = part(stage, &text("mesh: the file", file)?, options.scale)?;
    if let SolidDescription::Polyhedron(part) = &mut solid {
        part.limits = options.limits;
    }
    Ok(ShapeDescription::solid(solid))
}

/// The path of a part file, whose ending may be left out.
pub(super) fn found(stage: &Stage, name: &str) -> Given<PathBuf> {
    let folder = &stage.folder;
    let with = |ending: &str| folder.find(&format!("{name}.{ending}")).ok();
    let ending = Path::new(name).extension().is_none();
    let known =
        folder.find(name).or_else(|error| if ending { with("stl").or(with("obj")).ok_or(error) } else { Err(error) });
    Ok(known?)
}

/// The part in a file, which is read once for each scale.
pub(super) fn part(stage: &mut Stage, name: &str, scale: f64) -> Given<SolidDescription> {
    let key = (found(stage, name)?, scale.to_bits());
    if !stage.parts.contains_key(&key) {
        let polyhedron = stage.folder.read_part(&key.0, scale)?.polyhedron;
        let faces = polyhedron.faces().len();
        let size = Aabb::of_points(polyhedron.vertices().iter().copied()).size().max_element();
        let solid = solid(polyhedron, Some(name.to_owned()));
        stage.parts.insert(key.clone(), KnownPart { solid, size, faces });
    }
    let KnownPart { solid, size, faces } = stage.parts[&key].clone();
    if stage.parts_used.insert(key) {
        stage.steps.spend(faces, 1);
        stage.scene.part_files.push(PartFileDescription { name: name.to_owned(), scale, size });
    }
    Ok(solid)
}
