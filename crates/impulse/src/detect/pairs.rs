//! Close pairs (section 2.4.2), each with a number of its own, and every item's list of partners.

use serde::{Deserialize, Serialize};

/// Two items whose boxes overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClosePair {
    /// Number of the pair while it is close. Numbers are small, so that they can index an array, and are reused.
    pub pair: u32,
    /// The smaller item first.
    pub items: [u32; 2],
}

impl ClosePair {
    pub(super) fn new(pair: u32, a: u32, b: u32) -> Self {
        Self { pair, items: [a.min(b), a.max(b)] }
    }
}

/// A partner of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partner {
    /// Number of the pair.
    pub pair: u32,
    /// The other item of the pair.
    pub item: u32,
}

/// A doubly linked list of partners per item; a pair is a node in two lists. Everything takes constant time.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Pairs {
    nodes: Vec<[PairNode; 2]>,
    /// Per item, the first link of its list.
    heads: Vec<Link>,
    /// Head of the list of free pairs, threaded through their first nodes.
    free: Link,
    len: usize,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct PairNode {
    item: u32,
    next: Link,
    previous: Link,
}

/// A node: twice the number of its pair, plus one for the larger item's.
type Link = u32;
const LIST_END: Link = u32::MAX;

impl Pairs {
    pub(super) fn new() -> Self {
        Self { nodes: Vec::new(), heads: Vec::new(), free: LIST_END, len: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The item's partners, the latest first.
    pub(super) fn of(&self, item: u32) -> impl Iterator<Item = Partner> {
        let mut link = self.heads.get(item as usize).copied().unwrap_or(LIST_END);
        std::iter::from_fn(move || {
            let node = self.nodes.get(link as usize >> 1)?;
            let [mine, other] = [node[link as usize & 1], node[!link as usize & 1]];
            let pair = link >> 1;
            link = mine.next;
            Some(Partner { pair, item: other.item })
        })
    }

    pub(super) fn join(&mut self, a: u32, b: u32) -> ClosePair {
        let close = ClosePair::new(self.take_pair(), a, b);
        let ClosePair { pair, items } = close;
        if self.heads.len() <= items[1] as usize {
            self.heads.resize(items[1] as usize + 1, LIST_END);
        }
        for (side, item) in (0..).zip(items) {
            let link = 2 * pair + side;
            let head = std::mem::replace(&mut self.heads[item as usize], link);
            self.nodes[pair as usize][side as usize] = PairNode { item, next: head, previous: LIST_END };
            if head != LIST_END {
                self.node(head).previous = link;
            }
        }
        self.len += 1;
        close
    }

    pub(super) fn part(&mut self, pair: u32) {
        let nodes = self.nodes[pair as usize];
        for PairNode { item, next, previous } in nodes {
            if next != LIST_END {
                self.node(next).previous = previous;
            }
            if previous == LIST_END {
                self.heads[item as usize] = next;
            } else {
                self.node(previous).next = next;
            }
        }
        self.nodes[pair as usize][0].next = self.free;
        self.free = 2 * pair;
        self.len -= 1;
    }

    /// How many numbers have been used so far, including those that are free again.
    pub(super) fn numbers(&self) -> usize {
        self.nodes.len()
    }

    /// All close pairs, if every list is consistent: each pair is in the lists of its two items, which are below `items`, and
    /// every other number is in the free list.
    pub(super) fn checked(&self, items: usize) -> Option<Vec<ClosePair>> {
        if self.heads.len() > items || self.nodes.len() >= LIST_END as usize / 2 {
            return None;
        }
        let mut seen = vec![[false; 2]; self.nodes.len()];
        for (item, &head) in (0..).zip(&self.heads) {
            let (mut link, mut previous) = (head, LIST_END);
            while link != LIST_END {
                let node = self.nodes.get(link as usize >> 1)?[link as usize & 1];
                let visited = seen.get_mut(link as usize >> 1)?.get_mut(link as usize & 1)?;
                if *visited || node.item != item || node.previous != previous {
                    return None;
                }
                *visited = true;
                (previous, link) = (link, node.next);
            }
        }
        let mut free = self.free;
        while free != LIST_END {
            let visited = seen.get_mut(free as usize >> 1).filter(|both| **both == [false; 2] && free & 1 == 0)?;
            *visited = [true, false];
            free = self.nodes[free as usize >> 1][0].next;
        }
        // A close pair is in two lists, a free number in one; a number in no list is lost.
        let close: Vec<ClosePair> = (0..)
            .zip(&self.nodes)
            .filter(|&(pair, _)| seen[pair as usize] == [true; 2])
            .map(|(pair, nodes)| ClosePair { pair, items: nodes.map(|node| node.item) })
            .collect();
        let all_used = seen.iter().all(|both| both[0]);
        (all_used && close.len() == self.len && close.iter().all(|c| c.items[0] < c.items[1])).then_some(close)
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<[PairNode; 2]>() + self.heads.capacity() * size_of::<Link>()
    }

    fn take_pair(&mut self) -> u32 {
        if self.free != LIST_END {
            let pair = self.free >> 1;
            self.free = self.nodes[pair as usize][0].next;
            return pair;
        }
        let pair =
            u32::try_from(self.nodes.len()).ok().filter(|p| *p < LIST_END / 2).expect("fewer than 2^31 close pairs");
        self.nodes.push([PairNode { item: LIST_END, next: LIST_END, previous: LIST_END }; 2]);
        pair
    }

    fn node(&mut self, link: Link) -> &mut PairNode {
        &mut self.nodes[link as usize >> 1][link as usize & 1]
    }
}
