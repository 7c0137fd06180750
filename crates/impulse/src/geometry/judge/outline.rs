//! Shapes as the judge sees them, and all pairs of their parts (Moore and Wilhelms 1988, section 2.2, corrected).

use super::clip;
use super::facets::Facets;
use super::verdict::Verdict;
use crate::geometry::{ConvexPolyhedron, NotConvex, Shape};
use crate::math::Pose;

/// A shape as the judge sees it: convex polyhedra, half-spaces and triangles, prepared once for many poses.
///
/// Boxes, polyhedra, half-spaces and meshes are themselves; a curved shape is replaced by the hull of points on its surface.
/// That hull lies inside the shape, so an overlap of outlines is an overlap of the shapes, whereas shapes whose outlines are
/// apart may still overlap by the deviations of the two.
#[derive(Clone, Debug)]
pub struct Outline {
    parts: Vec<Facets>,
}

impl Outline {
    /// The outline of a shape; curved surfaces are tessellated to within `deviation` metres.
    pub fn inside(shape: &Shape, deviation: f64) -> Result<Self, NotConvex> {
        let parts = match shape {
            Shape::Compound(compound) => {
                let part = |(shape, pose): (&Shape, &Pose)| Ok(convex_part(shape, deviation)?.posed(pose));
                let pieces = compound.pieces().iter().map(|p| (&p.shape, &p.compound_from_piece));
                pieces.map(part).collect::<Result<_, NotConvex>>()?
            }
            Shape::Mesh(mesh) => {
                let triangles = 0..mesh.mesh().triangles.len() as u32;
                triangles.map(|t| Facets::triangle(*mesh.corners(t), mesh.normal(t))).collect()
            }
            _ => vec![convex_part(shape, deviation)?],
        };
        Ok(Self { parts })
    }
}

/// Judges two outlines at a relative pose: all pairs of parts, the deepest overlap wins.
///
/// ```
/// use impulse::DVec3;
/// use impulse::geometry::judge::{Outline, Verdict, overlap};
/// use impulse::geometry::{Cuboid, Shape};
/// use impulse::math::Pose;
///
/// let cube = Outline::inside(&Shape::from(Cuboid::new(DVec3::ONE)?), 0.01)?;
/// let verdict = |x: f64| overlap(&cube, &cube, &Pose::from_translation(DVec3::X * x));
/// assert_eq!((verdict(1.001), verdict(1.0)), (Verdict::Apart, Verdict::Touching));
/// assert!(matches!(verdict(0.999), Verdict::Overlapping { witness, .. } if (witness.x - 0.4995).abs() < 1e-12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlap(first: &Outline, second: &Outline, first_from_second: &Pose) -> Verdict {
    let mut verdict = Verdict::Apart;
    for b in &second.parts {
        let b = b.posed(first_from_second);
        for a in &first.parts {
            verdict = verdict.or_worse(clip::judge(a, &b));
        }
    }
    verdict
}

/// A half-space, or a convex solid as the polyhedron it is or as one inside it.
fn convex_part(shape: &Shape, deviation: f64) -> Result<Facets, NotConvex> {
    match shape {
        Shape::HalfSpace(half_space) => Ok(Facets::half_space(half_space.plane())),
        Shape::Convex(polyhedron) => Ok(Facets::solid(polyhedron)),
        Shape::Cuboid(cuboid) => Ok(Facets::solid(&ConvexPolyhedron::cuboid(cuboid.half_size())?)),
        _ => {
            let mesh = shape.tessellate(deviation).unwrap_or_default();
            Ok(Facets::solid(&ConvexPolyhedron::hull(&mesh.vertices)?))
        }
    }
}
