//! What a ray meets of a shape.

use super::chord::Chord;
use super::line::{Ray, SurfaceHit};
use super::{parts, solids};
use crate::geometry::Shape;

impl Shape {
    /// Where a ray, given in the shape's frame, meets the shape first.
    ///
    /// Solids are closed sets: a ray that starts inside one or on its surface meets it at distance 0. A static mesh is a surface
    /// without inside, met from both sides; its normal is the one on the side that the ray comes from, and a triangle that the
    /// ray sees exactly edge-on is not met.
    pub fn cast_ray(&self, ray: &Ray) -> Option<SurfaceHit> {
        match self {
            Self::Compound(compound) => parts::compound(compound, ray),
            Self::Mesh(mesh) => parts::mesh(mesh, ray),
            _ => solids::chord(self, ray).and_then(|chord| ray.hit(&chord)),
        }
    }
}

impl Ray {
    /// What the ray meets of a solid that shares a chord with its line.
    fn hit(&self, chord: &Chord) -> Option<SurfaceHit> {
        if chord.leave < 0.0 {
            return None;
        }
        let from_inside = SurfaceHit { distance: 0.0, normal: -self.direction };
        Some(if chord.enter > 0.0 { SurfaceHit { distance: chord.enter, normal: chord.normal } } else { from_inside })
    }
}
