//! What may not be as the author of a scene means it: said, but not refused.

use crate::scene::{MaterialId, PartFileDescription, RobotDescription, SceneDescription};
use crate::workshop::MeshUse;
use impulse::respond::Law;
use std::fmt;

/// Something about a scene that deserves a second look.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// The convex pieces of a free mesh depart from it visibly.
    Departure {
        /// The part file, or the body.
        name: String,
        /// Number of pieces.
        pieces: usize,
        /// Largest distance from the mesh relative to its longest side.
        error: f64,
    },
    /// A part is so large that its file must be in millimetres.
    Millimetres {
        /// The part file.
        name: String,
        /// Its longest side, m.
        size: f64,
    },
    /// What is to be known of a robot's file.
    Robot {
        /// The file.
        file: String,
        /// What.
        note: String,
    },
    /// Newton's restitution law where friction acts.
    NewtonWithFriction {
        /// The materials, by name or number.
        materials: [String; 2],
    },
}

/// Departure of convex pieces from a mesh, relative to its longest side, that is worth a warning.
pub(crate) const VISIBLE_ERROR: f64 = 0.01;

/// Parts read without a scale that are longer than this, m, are taken for drawings in millimetres.
pub(crate) const LARGE_PART: f64 = 5.0;

/// Whether a part of this size, m, read with this scale, was probably drawn in millimetres.
pub fn looks_like_millimetres(size: f64, scale: f64) -> bool {
    scale == 1.0 && size >= LARGE_PART
}

pub(crate) fn warnings(scene: &SceneDescription, meshes: &[MeshUse]) -> Vec<Warning> {
    let departures = meshes.iter().filter_map(departure);
    let is_large = |part: &&PartFileDescription| looks_like_millimetres(part.size, part.scale);
    let large = scene.part_files.iter().filter(is_large);
    let large = large.map(|part| Warning::Millimetres { name: part.name.clone(), size: part.size });
    let of_robot = |robot: &RobotDescription| {
        let warning = |note: &String| Warning::Robot { file: robot.file.clone(), note: note.clone() };
        robot.notes.iter().map(warning).collect::<Vec<_>>()
    };
    let robots = scene.robots.iter().enumerate();
    // Clones of one file are warned of once.
    let first = robots.filter(|(i, robot)| !scene.robots[..*i].iter().any(|other| other.file == robot.file));
    let notes = first.flat_map(|(_, robot)| of_robot(robot));
    notes.chain(large).chain(departures).chain(newton(scene)).collect()
}

fn departure(mesh: &MeshUse) -> Option<Warning> {
    let crate::workshop::MeshFit::Pieces { report, .. } = mesh.fit else { return None };
    let error = mesh.fit.error();
    (error > VISIBLE_ERROR).then(|| Warning::Departure { name: mesh.name.clone(), pieces: report.pieces, error })
}

/// The first two materials in use whose contact has Newton's law, friction and restitution: only then can it gain energy.
fn newton(scene: &SceneDescription) -> Option<Warning> {
    let mut used: Vec<MaterialId> = scene.bodies.iter().map(|body| body.material).collect();
    used.sort_unstable();
    used.dedup();
    let gains = |a: MaterialId, b: MaterialId| {
        let impact = scene.surface(a, b).material;
        impact.law == Law::Newton && impact.friction > 0.0 && impact.restitution > 0.0
    };
    let pairs = used.iter().enumerate().flat_map(|(i, &a)| used[i..].iter().map(move |&b| (a, b)));
    let (a, b) = pairs.into_iter().find(|&(a, b)| gains(a, b))?;
    let name = |id: MaterialId| scene.materials[id.0].name.clone().unwrap_or_else(|| format!("number {}", id.0));
    Some(Warning::NewtonWithFriction { materials: [name(a), name(b)] })
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Departure { name, pieces, error } => write!(
                f,
                "{name}: its {pieces} convex pieces depart from the mesh by {:.2} % of its longest side; for a closer fit give a \
                 smaller error: mesh(file, #{{ error: {:.1e} }})",
                100.0 * error,
                0.5 * error
            ),
            Self::Millimetres { name, size } => {
                write!(f, "{name} is {size:.4} m long; drawn in millimetres? Then give it the scale 0.001")
            }
            Self::Robot { file, note } => write!(f, "{file}: {note}"),
            Self::NewtonWithFriction { materials: [a, b] } => write!(
                f,
                "materials {a} and {b} have Newton's law of restitution with friction, which can gain energy; Stronge's cannot"
            ),
        }
    }
}
