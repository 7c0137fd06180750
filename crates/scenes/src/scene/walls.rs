//! Walls in scripts: a path in the plane with thickness and height, made of convex pieces that meet at mitres (section 2.2.2:
//! non-convex bodies are unions of convex ones).

use super::description::{PartDescription, ShapeDescription};
use super::error::Fault;
use super::stage::{Answer, SharedStage, Stage};
use super::values::{Given, array, number, plane_vector, wrong};
use glam::DVec2;
use impulse::math::Pose;
use rhai::{Dynamic, Engine};

/// Most points of a path.
const MAX_POINTS: usize = 10_000;

/// Steps that each piece of a wall counts for.
const STEPS_PER_PIECE: u64 = 200;

/// Smallest cosine of a turn of the path; the mitre of a sharper corner would be a spike.
const SHARPEST_TURN: f64 = -0.87;

/// Registers `wall`.
pub(super) fn register(engine: &mut Engine, stage: &SharedStage) {
    let shared = stage.clone();
    engine.register_fn("wall", move |path: Dynamic, thickness: Dynamic, height: Dynamic| -> Answer<ShapeDescription> {
        let mut stage = shared.borrow_mut();
        let wall = wall(&mut stage, &path, &thickness, &height)?;
        stage.steps.spend(wall.parts.len(), STEPS_PER_PIECE);
        Ok(wall)
    });
}

/// One prism for each segment of the path.
fn wall(stage: &mut Stage, path: &Dynamic, thickness: &Dynamic, height: &Dynamic) -> Given<ShapeDescription> {
    let path = points(path)?;
    let [thickness, height] = [("wall: thickness", thickness), ("wall: height", height)].map(|(what, value)| {
        let value = number(what, value)?;
        if value > 0.0 { Ok(value) } else { Err(range(what, value, "a positive number of metres")) }
    });
    let (thickness, height) = (thickness?, height?);
    let mitres = mitres(&path)?;
    let mut whole = ShapeDescription::default();
    for (i, ends) in path.windows(2).enumerate() {
        let along = ends[1] - ends[0];
        let [right, left] = [-0.5, 0.5]
            .map(|side| [ends[0] + side * thickness * mitres[i], ends[1] + side * thickness * mitres[i + 1]]);
        if [right, left].iter().any(|[from, to]| (*to - *from).dot(along) <= 0.0) {
            let what = format!("wall: the length from point {i} to point {}", i + 1);
            return Err(range(&what, along.length(), "longer, or the wall thinner: the corners at its ends overlap"));
        }
        let outline = [right[0], right[1], left[0], left[1]];
        let corners = [-0.5, 0.5].map(|z| outline.map(|corner| corner.extend(z * height)));
        let solid = stage.hull(&corners.concat())?;
        whole.parts.push(PartDescription { solid, shape_from_part: Pose::IDENTITY, density: None });
    }
    Ok(whole)
}

fn points(path: &Dynamic) -> Given<Vec<DVec2>> {
    let expected = "an array of at least two points [[x, y], ...]";
    let given = array("wall: the path", expected, path)?;
    if given.len() > MAX_POINTS {
        return Err(Fault::Limit("a wall may have at most 10000 points: make several walls"));
    }
    if given.len() < 2 {
        return Err(wrong("wall: the path", expected, path));
    }
    given.iter().enumerate().map(|(i, point)| plane_vector(&format!("wall: point {i}"), point)).collect()
}

/// For each point, the offset of the left side of a wall of thickness 2: across the path at its ends, along the bisector where it
/// turns. A path that returns to its first point has no ends.
fn mitres(path: &[DVec2]) -> Given<Vec<DVec2>> {
    let mut normals = Vec::with_capacity(path.len());
    for (i, ends) in path.windows(2).enumerate() {
        let along = (ends[1] - ends[0]).try_normalize();
        let normal = along.map(DVec2::perp);
        normals.push(normal.ok_or_else(|| Fault::Conflict {
            of: format!("wall: points {i} and {}", i + 1),
            conflict: "they are equal: remove one",
        })?);
    }
    let (first, last) = (normals[0], normals[normals.len() - 1]);
    let closed = path.len() > 3 && path[0] == path[path.len() - 1];
    let before = std::iter::once(if closed { last } else { first }).chain(normals.iter().copied());
    let after = normals.iter().copied().chain(std::iter::once(if closed { first } else { last }));
    let mitre = |(i, (a, b)): (usize, (DVec2, DVec2))| {
        if a.dot(b) < SHARPEST_TURN {
            let of = format!("wall: point {i}");
            return Err(Fault::Conflict {
                of,
                conflict: "the path turns back by more than 150 degrees: make two walls",
            });
        }
        Ok((a + b) / (1.0 + a.dot(b)))
    };
    before.zip(after).enumerate().map(mitre).collect()
}

fn range(what: &str, value: f64, expected: &'static str) -> Fault {
    Fault::Range { what: what.to_owned(), value, expected }
}
