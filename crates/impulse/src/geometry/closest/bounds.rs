//! Lower bounds on the distance of what two nodes of trees wrap (section 2.2.2), from boxes and along one axis.

use super::assembly::{Assemblies, Assembly};
use crate::geometry::Aabb;
use crate::geometry::box_tree::Below;
use glam::{DMat3, DVec3};

/// Bounds for the nodes of two posed assemblies.
pub(super) struct Bounds<'a> {
    first: Assembly<'a>,
    second: Assembly<'a>,
    /// Columns: the axes of the second in the frame of the first.
    rotation: DMat3,
    translation: DVec3,
    /// Magnitudes of the rotation: times a half size that of the turned box.
    spread: DMat3,
    /// Half size of the first along the axes of the second, if it is a single part: tighter than its turned box.
    first_turned: Option<DVec3>,
    /// Half size of the second along the axes of the first, if it is a single part.
    second_turned: Option<DVec3>,
    margin: f64,
    /// What rounding may add to a bound or to a distance, m.
    pub(super) rounding: f64,
}

/// A direction from the second assembly to the first that keeps some of their parts apart, and how far single parts reach.
pub(super) struct Axis {
    /// Unit vector in the frame of the first.
    pub(super) n: DVec3,
    /// The same in the frame of the second.
    in_second: DVec3,
    /// Lowest point of the first along it, if that is a single part.
    lowest: Option<f64>,
    /// Highest point of the second along it, if that is a single part.
    highest: Option<f64>,
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
        Self {
            first,
            second,
            rotation,
            translation,
            spread: DMat3::from_cols(rotation.x_axis.abs(), rotation.y_axis.abs(), rotation.z_axis.abs()),
            first_turned: turned(&first, &rotation),
            second_turned: turned(&second, &back),
            margin,
            rounding: ROUNDING * (size + margin),
        }
    }

    pub(super) fn axis(&self, n: DVec3) -> Axis {
        let in_second = self.back(n);
        let reach = |assembly: &Assembly<'_>, direction: DVec3| match assembly {
            Assembly::Single(body, _) => {
                let core = &body.core;
                Some(direction.dot(core.point(core.highest(direction, 0), direction)))
            }
            Assembly::Compound(_) | Assembly::Mesh(_) => None,
        };
        let lowest = reach(&self.first, -n).map(|height| -height);
        Axis { n, in_second, lowest, highest: reach(&self.second, in_second) }
    }

    /// A lower bound on the distance of everything below two nodes, m: the larger of the distances of their boxes as each
    /// frame sees them, and of the gap along an axis; not negative.
    pub(super) fn between(&self, i: u32, j: u32, axis: Option<&Axis>) -> f64 {
        let (a, b) = (self.first.bounds(i), self.second.bounds(j));
        let (half_a, half_b) = (0.5 * a.size(), 0.5 * b.size());
        let between = a.centre() - (self.rotation * b.centre() + self.translation);
        let turned_b = self.second_turned.unwrap_or_else(|| self.spread * half_b);
        let turned_a = self.first_turned.unwrap_or_else(|| self.spread.transpose() * half_a);
        let apart = |between: DVec3, halves: DVec3| (between.abs() - halves).max(DVec3::ZERO).length_squared();
        let boxes = apart(between, half_a + turned_b).max(apart(self.back(between), half_b + turned_a)).sqrt();
        let gap = axis.map_or(0.0, |axis| self.gap(axis, i, j));
        (boxes.max(gap) - self.margin).max(0.0)
    }

    /// The gap between two nodes' shadows on an axis, m; negative where these overlap.
    fn gap(&self, axis: &Axis, i: u32, j: u32) -> f64 {
        let lowest = axis.lowest.unwrap_or_else(|| -highest(&self.first, i, -axis.n));
        let highest = axis.highest.unwrap_or_else(|| highest(&self.second, j, axis.in_second));
        lowest - highest - axis.n.dot(self.translation)
    }

    /// A direction of the first frame in the second.
    fn back(&self, v: DVec3) -> DVec3 {
        DVec3::new(self.rotation.x_axis.dot(v), self.rotation.y_axis.dot(v), self.rotation.z_axis.dot(v))
    }
}

/// Rounding of bounds relative to the coordinates.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// How high what is below a node reaches along a direction: the triangle itself, otherwise its box.
fn highest(assembly: &Assembly<'_>, node: u32, direction: DVec3) -> f64 {
    if let (Assembly::Mesh(mesh), Below::Item(triangle)) = (assembly, assembly.below(node)) {
        let [a, b, c] = mesh.corners(triangle).map(|corner| corner.dot(direction));
        return a.max(b).max(c);
    }
    let bounds = assembly.bounds(node);
    direction.dot(bounds.centre()) + direction.abs().dot(0.5 * bounds.size())
}
