//! A part file that was dropped on the page: what it weighs, and how it comes to rest.

use impulse_lab::{Landscape, quasi_static};
use impulse_scenes::part::{self, Weight};
use serde_json::{Value, json};
use std::path::Path;

/// Largest file that is read, bytes: a larger one takes longer than anybody waits.
const LARGEST: usize = 48 << 20;

/// Poses that are this near to each other count as one, in radii of the part: as `impulse poses` has it.
const MERGE: f64 = 0.01;

/// Weight, poses with their probabilities, and surface of a part, as JSON; an error in words.
pub fn study(name: &str, bytes: &[u8], scale: f64, density: f64) -> Result<Value, String> {
    if bytes.len() > LARGEST {
        let (size, most) = (bytes.len() >> 20, LARGEST >> 20);
        return Err(format!(
            "{name} has {size} MB, the page reads up to {most} MB; make its mesh coarser, or use `impulse mass` and `impulse poses`"
        ));
    }
    let read = part::parse_named_part(Path::new(name), bytes, scale).map_err(|error| error.to_string())?;
    let weight = Weight::new(name.to_owned(), &read, density, scale).map_err(|error| error.to_string())?;
    let part = impulse_lab::Part::from_file(name, &read, scale, density).map_err(|error| error.to_string())?;
    let landscape = Landscape::new(&part, MERGE);
    let mut poses: Vec<Value> = Vec::new();
    for (pose, probability) in landscape.poses.iter().zip(quasi_static(&landscape)) {
        let barrier = pose.barrier.is_finite().then_some(pose.barrier);
        poses.push(json!({ "down": pose.down.to_array(), "probability": probability, "barrier": barrier, "height": pose.height }));
    }
    let surface = &part.surface;
    let positions: Vec<f64> = surface.vertices.iter().flat_map(|v| (*v - part.mass.com).to_array()).collect();
    let triangles: Vec<u32> = surface.triangles.iter().flatten().copied().collect();
    Ok(
        json!({ "weight": weight, "poses": poses, "radius": part.radius, "positions": positions, "triangles": triangles }),
    )
}
