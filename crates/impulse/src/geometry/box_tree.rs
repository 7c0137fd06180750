//! A tree of axis-aligned boxes over the parts of a shape (section 2.2.2), so that only near parts are compared.

use super::Aabb;

/// A binary tree of boxes over numbered items, each leaf one item. Nodes are numbered in depth-first order; 0 is the root.
#[derive(Clone, Debug)]
pub(super) struct BoxTree {
    nodes: Vec<BoxNode>,
}

#[derive(Clone, Copy, Debug)]
struct BoxNode {
    bounds: Aabb,
    /// Right child; the left one follows its parent. In a leaf: the item.
    link: u32,
    is_leaf: bool,
}

/// What lies below a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Below {
    /// One item.
    Item(u32),
    /// Two nodes.
    Nodes([u32; 2]),
}

/// Largest depth of a tree: enough for as many items as a `u32` can count.
pub(super) const MAX_DEPTH: usize = 34;

impl BoxTree {
    /// A tree over items with these boxes; at least one. Items are numbered in this order.
    pub(super) fn new(boxes: &[Aabb]) -> Self {
        let mut tree = Self { nodes: Vec::with_capacity(2 * boxes.len()) };
        let mut items: Vec<u32> = (0..boxes.len() as u32).collect();
        tree.grow(boxes, &mut items);
        tree
    }

    /// The box around all items below a node.
    pub(super) fn bounds(&self, node: u32) -> &Aabb {
        &self.nodes[node as usize].bounds
    }

    /// What lies below a node.
    pub(super) fn below(&self, node: u32) -> Below {
        let BoxNode { link, is_leaf, .. } = self.nodes[node as usize];
        if is_leaf { Below::Item(link) } else { Below::Nodes([node + 1, link]) }
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Appends the subtree over some items: they are halved along the axis along which their centres spread most.
    fn grow(&mut self, boxes: &[Aabb], items: &mut [u32]) {
        let at = |item: u32| &boxes[item as usize];
        let bounds = items.iter().fold(Aabb::EMPTY, |sum, &item| sum.union(*at(item)));
        if let [item] = *items {
            self.nodes.push(BoxNode { bounds, link: item, is_leaf: true });
            return;
        }
        let spread = Aabb::of_points(items.iter().map(|&item| at(item).centre())).size();
        let axis = (0..3).max_by(|&i, &j| spread[i].total_cmp(&spread[j])).unwrap_or(0);
        let middle = items.len() / 2;
        // Ties by number: the tree is the same on every machine.
        items.select_nth_unstable_by(middle, |&i, &j| {
            at(i).centre()[axis].total_cmp(&at(j).centre()[axis]).then(i.cmp(&j))
        });
        let parent = self.nodes.len();
        self.nodes.push(BoxNode { bounds, link: 0, is_leaf: false });
        let (left, right) = items.split_at_mut(middle);
        self.grow(boxes, left);
        self.nodes[parent].link = self.nodes.len() as u32;
        self.grow(boxes, right);
    }
}

#[cfg(test)]
mod tests {
    use super::{Aabb, Below, BoxTree, MAX_DEPTH};
    use glam::DVec3;

    fn items_below(tree: &BoxTree, node: u32, depth: usize, items: &mut Vec<u32>) {
        assert!(depth < MAX_DEPTH);
        match tree.below(node) {
            Below::Item(item) => items.push(item),
            Below::Nodes(children) => {
                for child in children {
                    assert_eq!(tree.bounds(node).union(*tree.bounds(child)), *tree.bounds(node));
                    items_below(tree, child, depth + 1, items);
                }
            }
        }
    }

    #[test]
    fn every_item_is_in_one_leaf() {
        // Many boxes in one place as well.
        let at = |i: u32| DVec3::new(f64::from(i * 37 % 101), f64::from(i % 7), 0.0) * f64::from(i % 3);
        let boxes: Vec<Aabb> = (0..500).map(|i| Aabb { min: at(i), max: at(i) + DVec3::ONE }).collect();
        let tree = BoxTree::new(&boxes);
        let mut items = Vec::new();
        items_below(&tree, 0, 0, &mut items);
        items.sort_unstable();
        assert_eq!(items, (0..500).collect::<Vec<u32>>());
        assert_eq!(tree.len(), 999);
    }
}
