//! Disjoint groups of numbered things, each with an orientation relative to its group: the faces of a surface and their winding
//! (union-find with parity).

/// Disjoint groups. Initially each thing is its own group.
pub(super) struct Groups {
    parent: Vec<u32>,
    /// Whether a thing's orientation is opposite to its parent's.
    opposite: Vec<bool>,
}

/// The result of a join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    /// The two were in different groups, which are now one.
    Joined,
    /// The two were already in one group, with these orientations.
    Agrees,
    /// The two were already in one group, with other orientations.
    Contradicts,
}

impl Groups {
    pub(super) fn new(count: usize) -> Self {
        Self { parent: (0..count as u32).collect(), opposite: vec![false; count] }
    }

    /// The representative of a thing's group, and whether the thing's orientation is opposite to it.
    pub(super) fn find(&mut self, thing: u32) -> (u32, bool) {
        let (mut root, mut opposite) = (thing, false);
        while self.parent[root as usize] != root {
            opposite ^= self.opposite[root as usize];
            root = self.parent[root as usize];
        }
        // Path compression: everything on the path now points at the representative.
        let (mut at, mut rest) = (thing, opposite);
        while at != root {
            let i = at as usize;
            at = std::mem::replace(&mut self.parent[i], root);
            let step = std::mem::replace(&mut self.opposite[i], rest);
            rest ^= step;
        }
        (root, opposite)
    }

    /// Puts two things into one group, with equal or opposite orientations.
    pub(super) fn join(&mut self, a: u32, b: u32, opposite: bool) -> Join {
        let ((a, a_opposite), (b, b_opposite)) = (self.find(a), self.find(b));
        let between = a_opposite ^ b_opposite ^ opposite;
        if a != b {
            // The lower number represents the group.
            let (low, high) = (a.min(b), a.max(b));
            self.parent[high as usize] = low;
            self.opposite[high as usize] = between;
            Join::Joined
        } else if between {
            Join::Contradicts
        } else {
            Join::Agrees
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Groups, Join};

    #[test]
    fn senses_follow_chains_of_joins() {
        let mut groups = Groups::new(6);
        for (a, b, opposite) in [(4, 5, true), (2, 3, true), (3, 4, true), (0, 1, false)] {
            assert_eq!(groups.join(a, b, opposite), Join::Joined);
        }
        assert_eq!(groups.join(2, 5, true), Join::Agrees);
        assert_eq!(groups.join(2, 4, true), Join::Contradicts);
        assert_eq!([2, 3, 4, 5].map(|t| groups.find(t)), [(2, false), (2, true), (2, false), (2, true)]);
        assert_eq!(groups.find(1), (0, false));
    }
}
