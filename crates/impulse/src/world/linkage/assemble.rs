//! From joints to trees (figure 4.10): bases, order of links, loops.

use super::spec::{JointFault, JointSpec};
use std::collections::VecDeque;

/// A tree found among bodies and joints, by their numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FoundTree {
    /// The body of each link, parents before children.
    pub(crate) bodies: Vec<usize>,
    /// The joint of each link to its parent; none for the first link of a tree that floats.
    pub(crate) joints: Vec<Option<usize>>,
    /// The parent of each link; none for the first.
    pub(crate) parents: Vec<Option<usize>>,
}

/// Bodies and joints as a graph: every body that cannot be moved, and the ground, is one node.
pub(crate) struct Graph<'a> {
    pub(crate) joints: &'a [JointSpec],
    /// Names of the bodies, and whether each can be moved.
    pub(crate) bodies: &'a [(&'a str, bool)],
}

/// The node of all that cannot be moved.
const GROUND: usize = usize::MAX;

impl Graph<'_> {
    /// All trees, in the order of their first bodies; a loop is the fault of the joint that closes it, which is given too.
    pub(crate) fn trees(&self) -> Result<Vec<FoundTree>, (usize, JointFault)> {
        // Which bodies hang together, by the first of each; the ground has the last number.
        let mut heads: Vec<usize> = (0..=self.bodies.len()).collect();
        for joint in 0..self.joints.len() {
            self.check(joint, &mut heads).map_err(|fault| (joint, fault))?;
        }
        let mut taken = vec![false; self.bodies.len()];
        let mut trees = Vec::new();
        // Trees on a base begin at the base, the others at their first body.
        for joint in 0..self.joints.len() {
            let [a, b] = self.nodes(joint);
            if a == GROUND || b == GROUND {
                let first = if a == GROUND { b } else { a };
                trees.push(self.grow(first, Some(joint), &mut taken));
            }
        }
        for body in 0..self.bodies.len() {
            let is_joined = (0..self.joints.len()).any(|joint| self.nodes(joint).contains(&body));
            if is_joined && !taken[body] {
                trees.push(self.grow(body, None, &mut taken));
            }
        }
        Ok(trees)
    }

    /// The nodes that a joint joins.
    fn nodes(&self, joint: usize) -> [usize; 2] {
        self.joints[joint].bodies.map(|body| body.map_or(GROUND, |id| self.node(id.index())))
    }

    fn node(&self, body: usize) -> usize {
        if self.bodies[body].1 { body } else { GROUND }
    }

    fn check(&self, joint: usize, heads: &mut [usize]) -> Result<(), JointFault> {
        let [a, b] = self.nodes(joint);
        let name = |side: usize| {
            let body = self.joints[joint].bodies[side];
            body.map_or("the ground".to_owned(), |id| self.bodies[id.index()].0.to_owned())
        };
        if a == GROUND && b == GROUND {
            return Err(JointFault::Immovable(name(0), name(1)));
        }
        if a == b {
            return Err(JointFault::Itself(name(0)));
        }
        let [head, other] = [a, b].map(|node| head_of(heads, node.min(self.bodies.len())));
        heads[other] = head;
        if head == other {
            let way = self.way(a, b, joint).unwrap_or_default();
            return Err(JointFault::Loop(self.told(joint, &way)));
        }
        Ok(())
    }

    /// The joints on the way from one node to another by earlier joints than `before`.
    fn way(&self, from: usize, to: usize, before: usize) -> Option<Vec<usize>> {
        let mut ways = vec![(from, Vec::new())];
        let mut done = 0;
        while done < ways.len() {
            let (node, way) = ways[done].clone();
            if node == to {
                return Some(way);
            }
            for joint in 0..before {
                let [a, b] = self.nodes(joint);
                let next = if a == node { b } else { a };
                if (a == node || b == node) && !ways.iter().any(|(met, _)| *met == next) {
                    let mut longer = way.clone();
                    longer.push(joint);
                    ways.push((next, longer));
                }
            }
            done += 1;
        }
        None
    }

    /// The joints of a loop by name.
    fn told(&self, last: usize, way: &[usize]) -> String {
        let names = way.iter().chain([&last]).map(|&joint| format!("\"{}\"", self.joints[joint].name));
        names.collect::<Vec<_>>().join(", ")
    }

    /// The tree that hangs on a body, which has a joint to its base or floats.
    fn grow(&self, first: usize, base: Option<usize>, taken: &mut [bool]) -> FoundTree {
        let mut tree = FoundTree { bodies: vec![first], joints: vec![base], parents: vec![None] };
        taken[first] = true;
        let mut queue = VecDeque::from([0]);
        while let Some(link) = queue.pop_front() {
            let body = tree.bodies[link];
            for joint in 0..self.joints.len() {
                let [a, b] = self.nodes(joint);
                let other = match (a == body, b == body) {
                    (true, _) => b,
                    (_, true) => a,
                    _ => continue,
                };
                if other == GROUND || taken[other] {
                    continue;
                }
                taken[other] = true;
                queue.push_back(tree.bodies.len());
                tree.bodies.push(other);
                tree.joints.push(Some(joint));
                tree.parents.push(Some(link));
            }
        }
        tree
    }
}

/// The first of the bodies that hang together with one.
fn head_of(heads: &mut [usize], mut node: usize) -> usize {
    while heads[node] != node {
        heads[node] = heads[heads[node]];
        node = heads[node];
    }
    node
}

#[cfg(test)]
mod tests {
    use super::{Graph, JointFault};
    use crate::multibody::JointPlace;
    use crate::world::{BodyId, JointSpec};

    fn joint(name: &str, bodies: [Option<u64>; 2]) -> JointSpec {
        JointSpec::new(name, bodies.map(|body| body.map(BodyId::from_bits)), JointPlace::Weld)
    }

    #[test]
    fn trees_begin_at_their_bases() {
        let bodies = [("a", true), ("b", true), ("c", true), ("wall", false), ("d", true), ("e", true)];
        let joints = [
            joint("ab", [Some(0), Some(1)]),
            joint("de", [Some(4), Some(5)]),
            joint("wall-c", [Some(3), Some(2)]),
            joint("bc", [Some(1), Some(2)]),
        ];
        let trees = Graph { joints: &joints, bodies: &bodies }.trees().unwrap();
        assert_eq!(trees[0].bodies, [2, 1, 0]);
        assert_eq!(trees[0].joints, [Some(2), Some(3), Some(0)]);
        assert_eq!(trees[0].parents, [None, Some(0), Some(1)]);
        assert_eq!((trees[1].bodies.as_slice(), trees[1].joints[0]), ([4, 5].as_slice(), None));
    }

    #[test]
    fn loops_are_named() {
        let bodies = [("a", true), ("b", true), ("wall", false)];
        let joints = [joint("wa", [Some(2), Some(0)]), joint("ab", [Some(0), Some(1)]), joint("bg", [Some(1), None])];
        let refused = Graph { joints: &joints, bodies: &bodies }.trees();
        assert_eq!(refused, Err((2, JointFault::Loop("\"ab\", \"wa\", \"bg\"".to_owned()))));
    }
}
