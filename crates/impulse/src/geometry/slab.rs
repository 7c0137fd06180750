//! Slabs around the nodes of a surface's tree: the triangles below a node are often nearly flat, which their box cannot express
//! (compare section 2.2.2, where hulls wrap nodes).

use super::box_tree::{Below, BoxTree};
use glam::DVec3;

/// All points whose height along `normal` is between two values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slab {
    /// Unit vector.
    pub(super) normal: DVec3,
    /// Smallest height, m.
    pub(super) low: f64,
    /// Largest height, m.
    pub(super) high: f64,
}

impl Slab {
    /// The slab across the mean normal of some triangles.
    fn around<'a>(triangles: impl Iterator<Item = &'a [DVec3; 3]> + Clone) -> Self {
        let doubled_area: DVec3 = triangles.clone().map(|[a, b, c]| (b - a).cross(c - a)).sum();
        let normal = doubled_area.try_normalize().unwrap_or(DVec3::Z);
        let heights = triangles.flatten().map(|corner| corner.dot(normal));
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        Self { normal, low, high }
    }

    /// Upper bound on the height along `direction` of points that are in the slab and in a box of size `2 half` about `centre`.
    pub(super) fn highest(&self, direction: DVec3, centre: DVec3, half: DVec3) -> f64 {
        // Along the normal the slab bounds the height, across it the box does.
        let along = direction.dot(self.normal);
        let across = direction - self.normal * along;
        along * (if along > 0.0 { self.high } else { self.low }) + across.dot(centre) + across.abs().dot(half)
    }

    /// Middle height, m.
    pub(super) fn middle(&self) -> f64 {
        0.5 * (self.low + self.high)
    }

    /// Half the thickness, m.
    pub(super) fn half(&self) -> f64 {
        0.5 * (self.high - self.low)
    }
}

/// The slabs around the triangles below every node of a tree over them.
pub(super) fn slabs(tree: &BoxTree, corners: &[[DVec3; 3]]) -> Vec<Slab> {
    let mut slabs = vec![Slab { normal: DVec3::Z, low: 0.0, high: 0.0 }; tree.len()];
    fill(tree, corners, 0, &mut Vec::with_capacity(corners.len()), &mut slabs);
    slabs
}

/// Appends the items below a node to `items`, and fills in its slab and those of the nodes below it.
fn fill(tree: &BoxTree, corners: &[[DVec3; 3]], node: u32, items: &mut Vec<u32>, slabs: &mut [Slab]) {
    let start = items.len();
    match tree.below(node) {
        Below::Item(item) => items.push(item),
        Below::Nodes(children) => children.into_iter().for_each(|child| fill(tree, corners, child, items, slabs)),
    }
    slabs[node as usize] = Slab::around(items[start..].iter().map(|&item| &corners[item as usize]));
}
