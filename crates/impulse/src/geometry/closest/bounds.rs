//! Lower bounds on the distance between everything below two nodes of trees (section 2.2.2), from boxes, slabs and one axis.

use super::assembly::{Assemblies, Assembly, Part};
use super::rounded::Rounded;
use crate::geometry::Aabb;
use crate::geometry::slab::Slab;
use glam::{DMat3, DVec3};

/// Bounds for the nodes of two posed assemblies.
pub(super) struct Bounds<'a> {
    first: Assembly<'a>,
    second: Assembly<'a>,
    /// Columns: the axes of the second in the frame of the first.
    rotation: DMat3,
    translation: DVec3,
    /// Absolute values of the rotation: times the half size of a box, that of the box around the rotated one.
    spread: DMat3,
    /// Its transpose, for the opposite direction.
    spread_back: DMat3,
    /// Half size of the first along the axes of the second, if it is a single part: tighter than the box around its rotated
    /// box.
    first_turned: Option<DVec3>,
    /// Half size of the second along the axes of the first, if it is a single part.
    second_turned: Option<DVec3>,
    /// Centre of the second's box in the frame of the first, if it is a single part.
    second_centre: Option<DVec3>,
    margin: f64,
    /// What rounding may add to a bound or to a distance, m.
    pub(super) rounding: f64,
}

/// A direction from the second assembly to the first along which some of their parts are apart, and how far single parts reach.
pub(super) struct SeparatingAxis {
    /// Unit vector in the frame of the first.
    pub(super) n: DVec3,
    /// The same in the frame of the second.
    in_second: DVec3,
    /// Lowest point of the first along it, if that is a single part.
    lowest: Option<f64>,
    /// Highest point of the second along it, if that is a single part.
    highest: Option<f64>,
    /// The piece of the single part that holds this point.
    piece: u32,
}

/// A box given by its centre and half its size.
struct CentredBox {
    centre: DVec3,
    half: DVec3,
}

impl CentredBox {
    fn new(bounds: &Aabb) -> Self {
        Self { centre: bounds.centre(), half: 0.5 * bounds.size() }
    }
}

impl<'a> Bounds<'a> {
    pub(super) fn new(assemblies: &Assemblies<'a>) -> Self {
        let Assemblies { first, second, first_from_second } = *assemblies;
        let rotation = first_from_second.matrix();
        let back = rotation.transpose();
        let turned = |assembly: &Assembly<'_>, axes: &DMat3| match assembly {
            Assembly::Single(body, _) => Some(DVec3::from_array([0, 1, 2].map(|i| body.core.extent(axes.col(i))))),
            Assembly::Compound(_) | Assembly::Mesh(_) => None,
        };
        let magnitude = |bounds: &Aabb| bounds.min.abs().max(bounds.max.abs()).length();
        let translation = first_from_second.translation;
        let size = translation.length() + magnitude(first.bounds(0)) + magnitude(second.bounds(0));
        let margin = first.margin() + second.margin();
        let spread = DMat3::from_cols(rotation.x_axis.abs(), rotation.y_axis.abs(), rotation.z_axis.abs());
        Self {
            first,
            second,
            rotation,
            translation,
            spread,
            spread_back: spread.transpose(),
            first_turned: turned(&first, &rotation),
            second_turned: turned(&second, &back),
            second_centre: matches!(second, Assembly::Single(..))
                .then(|| rotation * second.bounds(0).centre() + translation),
            margin,
            rounding: BOUND_ROUNDING * (size + margin),
        }
    }

    pub(super) fn axis(&self, n: DVec3) -> SeparatingAxis {
        let in_second = self.back(n);
        let mut piece = 0;
        let mut reach = |assembly: &Assembly<'_>, direction: DVec3| match assembly {
            Assembly::Single(Rounded { core, .. }, _) => {
                piece = core.highest(direction, 0);
                Some(direction.dot(core.point(piece, direction)))
            }
            Assembly::Compound(_) | Assembly::Mesh(_) => None,
        };
        let lowest = reach(&self.first, -n).map(|height| -height);
        let highest = reach(&self.second, in_second);
        SeparatingAxis { n, in_second, lowest, highest, piece }
    }

    /// A lower bound on the distance of everything below two nodes, m, not negative: the gap along an axis, to a slab, or
    /// between their boxes in either frame. The first of these that exceeds `enough`, else the largest.
    pub(super) fn between(&self, i: u32, j: u32, axis: Option<&SeparatingAxis>, enough: f64) -> f64 {
        let enough = enough + self.margin;
        let blocks = [CentredBox::new(self.first.bounds(i)), CentredBox::new(self.second.bounds(j))];
        let mut bound = axis.map_or(0.0, |axis| self.gap(axis, [i, j], &blocks));
        if bound > enough {
            return (bound - self.margin).max(0.0);
        }
        let [first, second] = &blocks;
        let centres =
            first.centre - self.second_centre.unwrap_or_else(|| self.rotation * second.centre + self.translation);
        bound = bound.max(apart(centres, first.half + self.second_turned.unwrap_or_else(|| self.spread * second.half)));
        if bound <= enough {
            bound = bound.max(self.slab_gap(i, j, axis.map_or(0, |axis| axis.piece)));
        }
        if bound <= enough {
            let turned = self.first_turned.unwrap_or_else(|| self.spread_back * first.half);
            bound = bound.max(apart(self.back(centres), second.half + turned));
        }
        (bound - self.margin).max(0.0)
    }

    /// The gap along an axis between the hulls of two nodes, or between parts, m: tighter than from boxes. Negative where these
    /// overlap, and where an inner node of a mesh has no hull.
    pub(super) fn hull_gap(&self, axis: &SeparatingAxis, i: u32, j: u32) -> f64 {
        let lowest = axis.lowest.unwrap_or_else(|| -reach(&self.first, i, -axis.n));
        let highest = axis.highest.unwrap_or_else(|| reach(&self.second, j, axis.in_second));
        lowest - highest - axis.n.dot(self.translation) - self.margin
    }

    /// Distance of a single part from the slab of a surface; `hint` is a piece of the part that may be near.
    fn slab_gap(&self, i: u32, j: u32, hint: u32) -> f64 {
        let gap = |slab: &Slab, body: &Rounded<'_>, normal: DVec3, offset: f64| {
            // Measured on the side of the slab on which the body's origin is.
            let above = offset - slab.middle();
            let down = if above > 0.0 { -normal } else { normal };
            let core = &body.core;
            above.abs() - slab.half() - down.dot(core.point(core.highest(down, hint), down))
        };
        match (&self.first, &self.second) {
            (Assembly::Mesh(mesh), Assembly::Single(body, _)) => {
                let slab = mesh.slab(i);
                gap(slab, body, self.back(slab.normal), slab.normal.dot(self.translation))
            }
            (Assembly::Single(body, _), Assembly::Mesh(mesh)) => {
                let slab = mesh.slab(j);
                let normal = self.rotation * slab.normal;
                gap(slab, body, normal, -normal.dot(self.translation))
            }
            _ => 0.0,
        }
    }

    /// The gap between the projections of two nodes on an axis, m; negative where these overlap.
    fn gap(&self, axis: &SeparatingAxis, [i, j]: [u32; 2], [first, second]: &[CentredBox; 2]) -> f64 {
        let lowest = axis.lowest.unwrap_or_else(|| -highest(&self.first, i, first, -axis.n));
        let highest = axis.highest.unwrap_or_else(|| highest(&self.second, j, second, axis.in_second));
        lowest - highest - axis.n.dot(self.translation)
    }

    /// A direction of the first frame in the second.
    fn back(&self, v: DVec3) -> DVec3 {
        DVec3::new(self.rotation.x_axis.dot(v), self.rotation.y_axis.dot(v), self.rotation.z_axis.dot(v))
    }
}

/// Rounding of bounds relative to the coordinates.
const BOUND_ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Distance of two boxes, from the vector between their centres and the sum of their half sizes.
fn apart(between: DVec3, halves: DVec3) -> f64 {
    (between.abs() - halves).max(DVec3::ZERO).length()
}

/// Upper bound on the height along a direction of everything below a node, which is in a box.
fn highest(assembly: &Assembly<'_>, node: u32, &CentredBox { centre, half }: &CentredBox, direction: DVec3) -> f64 {
    match assembly {
        Assembly::Mesh(mesh) => mesh.slab(node).highest(direction, centre, half),
        Assembly::Single(..) | Assembly::Compound(_) => direction.dot(centre) + direction.abs().dot(half),
    }
}

/// The height along a direction of the convex body around everything below a node; infinite if there is none.
fn reach(assembly: &Assembly<'_>, node: u32, direction: DVec3) -> f64 {
    assembly.wrapping(node).map_or(f64::INFINITY, |Part { body, pose }| {
        let (d, origin) =
            pose.map_or((direction, 0.0), |pose| (pose.inverse_vector(direction), pose.translation.dot(direction)));
        d.dot(body.core.point(body.core.highest(d, 0), d)) + origin + body.radius
    })
}
