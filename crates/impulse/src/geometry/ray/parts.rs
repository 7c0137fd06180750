//! The first part of a compound or a mesh that a ray meets, found in the tree of boxes (section 2.2.2).

use super::line::{Ray, SurfaceHit};
use crate::geometry::box_tree::{Below, BoxTree};
use crate::geometry::{Compound, StaticMesh};
use glam::DVec3;

pub(super) fn compound(compound: &Compound, ray: &Ray) -> Option<SurfaceHit> {
    first(compound.tree(), ray, &|piece| {
        let piece = &compound.pieces()[piece as usize];
        let hit = piece.shape.cast_ray(&ray.seen_from(&piece.compound_from_piece))?;
        Some(SurfaceHit { normal: piece.compound_from_piece.vector(hit.normal), ..hit })
    })
}

pub(super) fn mesh(mesh: &StaticMesh, ray: &Ray) -> Option<SurfaceHit> {
    let sheared = Sheared::new(ray);
    first(mesh.tree(), ray, &|triangle| {
        let distance = sheared.distance(mesh.corners(triangle))?;
        let normal = mesh.normal(triangle);
        let normal = if normal.dot(ray.direction) > 0.0 { -normal } else { normal };
        Some(SurfaceHit { distance, normal })
    })
}

/// Of all items under a tree the one that is met first; of several at one distance the one with the smallest number.
fn first(tree: &BoxTree, ray: &Ray, hit: &dyn Fn(u32) -> Option<SurfaceHit>) -> Option<SurfaceHit> {
    let mut nearest = None;
    if ray.box_entry(tree.bounds(0)).is_some() {
        search(tree, 0, ray, hit, &mut nearest);
    }
    nearest.map(|(_, hit)| hit)
}

fn search(
    tree: &BoxTree,
    node: u32,
    ray: &Ray,
    hit: &dyn Fn(u32) -> Option<SurfaceHit>,
    nearest: &mut Option<(u32, SurfaceHit)>,
) {
    match tree.below(node) {
        Below::Item(item) => {
            let is_first =
                |found: &SurfaceHit| nearest.is_none_or(|(known, n)| (found.distance, item) < (n.distance, known));
            if let Some(found) = hit(item).filter(is_first) {
                *nearest = Some((item, found));
            }
        }
        Below::Nodes(children) => {
            let mut entries = children.map(|child| (ray.box_entry(tree.bounds(child)).unwrap_or(f64::INFINITY), child));
            entries.sort_by(|(a, _), (b, _)| a.total_cmp(b));
            for (entry, child) in entries {
                let reach = nearest.map_or(f64::MAX, |(_, n)| n.distance);
                if entry <= reach {
                    search(tree, child, ray, hit, nearest);
                }
            }
        }
    }
}

/// A ray in axes in which it runs along the third: after a shear, whether it passes a triangle is told by three products that
/// neighbouring triangles round alike, so that no ray slips through between them (Woop, Benthin and Wald 2013).
struct Sheared {
    origin: DVec3,
    /// The coordinate along which the ray runs most, and the other two.
    axes: [usize; 3],
    shear: [f64; 2],
    scale: f64,
}

impl Sheared {
    fn new(ray: &Ray) -> Self {
        let d = ray.direction;
        let z = d.abs().max_position();
        let (x, y) = ((z + 1) % 3, (z + 2) % 3);
        Self { origin: ray.origin, axes: [z, x, y], shear: [d[x] / d[z], d[y] / d[z]], scale: 1.0 / d[z] }
    }

    /// Distance to a triangle, if the ray meets it, its sides included.
    fn distance(&self, corners: &[DVec3; 3]) -> Option<f64> {
        let [a, b, c] = corners.map(|corner| self.sheared(corner));
        let weights = [c.x * b.y - c.y * b.x, a.x * c.y - a.y * c.x, b.x * a.y - b.y * a.x];
        let (any_below, any_above) = (weights.iter().any(|&w| w < 0.0), weights.iter().any(|&w| w > 0.0));
        if any_below == any_above {
            return None;
        }
        let sum: f64 = weights.iter().sum();
        let distance = (weights[0] * a.z + weights[1] * b.z + weights[2] * c.z) / sum;
        (distance >= 0.0).then_some(distance)
    }

    /// A point relative to the ray: how far it is off in two directions, and how far along.
    fn sheared(&self, point: DVec3) -> DVec3 {
        let (p, [z, x, y]) = (point - self.origin, self.axes);
        DVec3::new(p[x] - self.shear[0] * p[z], p[y] - self.shear[1] * p[z], self.scale * p[z])
    }
}
