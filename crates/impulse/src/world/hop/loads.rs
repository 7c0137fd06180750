//! Which bodies of an island carry each other, and a number that is the least of all that do (section 8.1).

/// Sets of bodies, by their places in the island. Kept from hop to hop for its memory alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loads {
    /// Another body of the set, itself for the one that stands for it.
    parents: Vec<usize>,
    least: Vec<u32>,
}

impl Loads {
    /// Every body alone.
    pub(crate) fn begin(&mut self, bodies: usize) {
        self.parents.clear();
        self.parents.extend(0..bodies);
        self.least.clear();
        self.least.resize(bodies, u32::MAX);
    }

    /// Two bodies carry each other.
    pub(crate) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[b] = a;
        self.least[a] = self.least[a].min(self.least[b]);
    }

    /// Takes a number for a body into account.
    pub(crate) fn note(&mut self, body: usize, number: u32) {
        let root = self.root(body);
        self.least[root] = self.least[root].min(number);
    }

    /// The least number for all that carry a body or are carried by it.
    pub(crate) fn least(&mut self, body: usize) -> u32 {
        let root = self.root(body);
        self.least[root]
    }

    fn root(&mut self, mut body: usize) -> usize {
        while self.parents[body] != body {
            // Halving the way keeps it short.
            self.parents[body] = self.parents[self.parents[body]];
            body = self.parents[body];
        }
        body
    }
}

#[cfg(test)]
mod tests {
    use super::Loads;

    #[test]
    fn sets_have_the_least_of_all_numbers() {
        let mut loads = Loads::default();
        loads.begin(6);
        [(0, 1), (2, 3), (1, 3)].into_iter().for_each(|(a, b)| loads.join(a, b));
        [7, 5, 9, 6, 1, 8].into_iter().enumerate().for_each(|(body, number)| loads.note(body, number));
        assert_eq!([0, 1, 2, 3, 4, 5].map(|body| loads.least(body)), [5, 5, 5, 5, 1, 8]);
        loads.join(5, 0);
        assert_eq!([0, 1, 2, 3, 4, 5].map(|body| loads.least(body)), [5, 5, 5, 5, 1, 5]);
    }
}
