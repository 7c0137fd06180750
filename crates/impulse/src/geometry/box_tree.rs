//! A tree of axis-aligned boxes over the parts of a shape (section 2.2.2: only what may be near is looked at).

use super::Aabb;

/// A binary tree of boxes over numbered items, each leaf one item. Nodes are numbered in depth-first order; 0 is the root.
#[derive(Clone, Debug)]
pub struct BoxTree {
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
pub enum Below {
    /// One item.
    Item(u32),
    /// Two nodes.
    Nodes([u32; 2]),
}

/// Most nodes on a path: halving more items than fit a `u32` takes no more.
pub const MAX_DEPTH: usize = 34;

impl BoxTree {
    /// A tree over items with these boxes, in their order; at least one.
    pub fn new(boxes: &[Aabb]) -> Self {
        let mut tree = Self { nodes: Vec::with_capacity(2 * boxes.len()) };
        let mut items: Vec<u32> = (0..boxes.len() as u32).collect();
        tree.grow(boxes, &mut items);
        tree
    }

    /// The box around all items below a node.
    pub fn bounds(&self, node: u32) -> &Aabb {
        &self.nodes[node as usize].bounds
    }

    /// What lies below a node.
    pub fn below(&self, node: u32) -> Below {
        let BoxNode { link, is_leaf, .. } = self.nodes[node as usize];
        if is_leaf { Below::Item(link) } else { Below::Nodes([node + 1, link]) }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes, hence no items.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Appends the subtree over some items: halves along the axis in which their centres spread most.
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
