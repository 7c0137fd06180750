//! Which pairs of parts of two assemblies are near (section 2.2.2).
//!
//! The distance of two unions is the smallest over their pairs of parts (2.1). Both trees are descended together, the nearer
//! nodes first; a pair of nodes is opened only if something below it may be nearer than the query's cutoff. The search for the
//! nearest pair begins with the one that was nearest last time, so it rarely has to look elsewhere.

use super::assembly::{Assemblies, Part};
use super::bounds::{Bounds, SeparatingAxis};
use super::memory::{Memory, PairCache};
use super::part_pair::PartPair;
use super::proximity::Proximity;
use super::surface::correct;
use crate::geometry::Aabb;
use crate::geometry::box_tree::{Below, MAX_DEPTH};
use glam::DVec3;

/// The nearest of all pairs of parts, or some pair that overlaps.
pub(super) fn nearest(assemblies: &Assemblies<'_>, cache: &mut PairCache) -> (PartPair, Proximity) {
    let known = cache.nearest().filter(|&pair| assemblies.holds(pair));
    let mut goal = NearestQuery {
        assemblies,
        bounds: Bounds::new(assemblies),
        cache,
        limit: f64::INFINITY,
        axis: None,
        memory: Memory::default(),
        known: None,
        best: None,
        doubtful: None,
        steps: 0,
    };
    if let Some(pair) = known {
        goal.meet(pair);
        goal.known = known;
    }
    let nodes = descend(assemblies, &mut goal);
    let steps = goal.steps + nodes;
    let (pair, found) = goal.result().expect("assemblies have parts, and the first one met is near");
    (pair, Proximity { steps, ..found })
}

/// Visits all pairs of parts whose distance does not exceed `limit`, or what the visits give as the limit to go on with; `triangles` says
/// how triangles count.
pub(super) fn for_each_within(
    assemblies: &Assemblies<'_>,
    limit: f64,
    triangles: Triangles,
    cache: &mut PairCache,
    visit: &mut dyn FnMut(PartPair, &Proximity) -> f64,
) {
    descend(
        assemblies,
        &mut WithinQuery { assemblies, bounds: Bounds::new(assemblies), limit, triangles, cache, visit },
    );
}

/// How a triangle of a surface counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Triangles {
    /// As a piece of the surface: with the surface's normals, and without contacts that belong to its neighbours.
    OfSurface,
    /// As a body by itself.
    Alone,
}

/// What a descent looks for.
trait PairQuery {
    /// Pairs of nodes whose distance has a larger lower bound are not opened.
    fn cutoff(&self) -> f64;
    fn bounds(&self) -> &Bounds<'_>;
    /// A direction along which nodes may be apart.
    fn axis(&self) -> Option<&SeparatingAxis>;
    /// Measures a pair of parts.
    fn meet(&mut self, pair: PartPair);
}

/// Each step replaces a pair of nodes by two, so the stack holds at most one pair per level.
const STACK: usize = 2 * MAX_DEPTH + 2;

/// Visits all pairs of parts that the query's cutoff lets through. Returns the number of pairs of nodes examined.
fn descend(assemblies: &Assemblies<'_>, goal: &mut impl PairQuery) -> u32 {
    let mut stack = [(0, 0, 0.0); STACK];
    let (mut len, mut nodes) = (1, 1);
    while len > 0 {
        len -= 1;
        let (i, j, bound) = stack[len];
        if bound > goal.cutoff() {
            continue;
        }
        match unwrap(assemblies, i, j) {
            Unwrapped::Parts(pair) => goal.meet(pair),
            Unwrapped::Nodes(pairs) => {
                nodes += 2;
                let [x, y] = pairs.map(|(i, j)| (i, j, lower_bound(assemblies, goal, i, j)));
                // The nearer one comes first: it lowers the limit for the other.
                let (near, far) = if x.2 <= y.2 { (x, y) } else { (y, x) };
                for child in [far, near] {
                    stack[len] = child;
                    len += usize::from(child.2 <= goal.cutoff());
                }
            }
        }
    }
    nodes
}

/// A lower bound on the distance of everything below two nodes, infinite if that is too far: from their boxes and slabs, and if
/// these are near, from their hulls along the axis between the nearest parts. Searching for an axis of their own would cost
/// more than opening them.
fn lower_bound(assemblies: &Assemblies<'_>, goal: &impl PairQuery, i: u32, j: u32) -> f64 {
    let cutoff = goal.cutoff();
    let bound = goal.bounds().between(i, j, goal.axis(), cutoff);
    let are_parts = matches!((assemblies.first.below(i), assemblies.second.below(j)), (Below::Item(_), Below::Item(_)));
    if bound > cutoff || are_parts {
        return bound;
    }
    let apart = goal.axis().is_some_and(|axis| goal.bounds().hull_gap(axis, i, j) > cutoff);
    if apart { f64::INFINITY } else { bound }
}

enum Unwrapped {
    Parts(PartPair),
    Nodes([(u32, u32); 2]),
}

/// Opens a pair of nodes, the larger node first.
fn unwrap(assemblies: &Assemblies<'_>, i: u32, j: u32) -> Unwrapped {
    let size = |bounds: &Aabb| bounds.size().length_squared();
    match (assemblies.first.below(i), assemblies.second.below(j)) {
        (Below::Item(first), Below::Item(second)) => Unwrapped::Parts(PartPair { first, second }),
        (Below::Nodes(nodes), Below::Item(_)) => Unwrapped::Nodes(nodes.map(|i| (i, j))),
        (Below::Item(_), Below::Nodes(nodes)) => Unwrapped::Nodes(nodes.map(|j| (i, j))),
        (Below::Nodes(firsts), Below::Nodes(seconds)) => {
            if size(assemblies.first.bounds(i)) >= size(assemblies.second.bounds(j)) {
                Unwrapped::Nodes(firsts.map(|i| (i, j)))
            } else {
                Unwrapped::Nodes(seconds.map(|j| (i, j)))
            }
        }
    }
}

/// Looks for the smallest distance.
struct NearestQuery<'a, 'c> {
    assemblies: &'c Assemblies<'a>,
    bounds: Bounds<'a>,
    cache: &'c mut PairCache,
    /// The smallest distance found.
    limit: f64,
    /// The direction that belongs to it.
    axis: Option<SeparatingAxis>,
    /// The memory of its search, from which searches for neighbouring parts begin.
    memory: Memory,
    /// The pair measured before the descent.
    known: Option<PartPair>,
    /// The nearest pair.
    best: Option<(PartPair, Proximity)>,
    /// The nearest of the triangles whose contact belongs to another, nearer triangle of the surface.
    doubtful: Option<(PartPair, Proximity)>,
    steps: u32,
}

impl NearestQuery<'_, '_> {
    /// The best pair, which up to rounding is the nearest one found.
    fn result(self) -> Option<(PartPair, Proximity)> {
        let highest = self.limit + self.bounds.rounding;
        self.best.filter(|(_, found)| found.distance <= highest).or(self.doubtful).or(self.best)
    }

    /// The memory to begin with for a pair whose first part this is.
    fn start(&self, a: &Part<'_>) -> Memory {
        let n = self.axis.as_ref().map_or(DVec3::ZERO, |axis| axis.n);
        self.memory.for_neighbour(a.pose.map_or(n, |pose| pose.inverse_vector(n)))
    }

    fn take(&mut self, pair: PartPair, found: Proximity, memory: Memory) {
        let is_less = |other: &Option<(PartPair, Proximity)>| {
            other.is_none_or(|(_, other)| found.overlapping || found.distance < other.distance)
        };
        match correct(self.assemblies, pair, found) {
            Some(corrected) if is_less(&self.best) => {
                self.best = Some((pair, corrected));
                self.cache.keep_nearest(pair, memory);
            }
            None if is_less(&self.doubtful) => self.doubtful = Some((pair, found)),
            _ => {}
        }
        if found.distance < self.limit {
            self.limit = found.distance;
            self.axis = Some(self.bounds.axis(found.normal));
            self.memory = memory;
        }
    }
}

impl PairQuery for NearestQuery<'_, '_> {
    /// Parts that are nearer by no more than rounding need not be found, unless the best so far is a doubtful triangle.
    fn cutoff(&self) -> f64 {
        let rounding = self.bounds.rounding;
        match self.best {
            Some((_, found)) if found.overlapping => -1.0,
            Some((_, found)) if found.distance <= self.limit + rounding => (self.limit - rounding).max(0.0),
            _ => self.limit + rounding,
        }
    }

    fn bounds(&self) -> &Bounds<'_> {
        &self.bounds
    }

    fn axis(&self) -> Option<&SeparatingAxis> {
        self.axis.as_ref()
    }

    fn meet(&mut self, pair: PartPair) {
        if self.known == Some(pair) {
            return;
        }
        let (a, b) = (self.assemblies.first.part(pair.first), self.assemblies.second.part(pair.second));
        let mut memory = self.cache.recall(pair).unwrap_or_else(|| self.start(&a));
        let found = self.assemblies.measure(&a, &b, self.cutoff(), &mut memory);
        self.cache.count(&mut memory);
        self.steps += found.map_or(1, |found| found.steps);
        if let Some(found) = found {
            self.take(pair, found, memory);
        }
    }
}

/// Looks for all distances up to a limit.
struct WithinQuery<'a, 'c> {
    assemblies: &'c Assemblies<'a>,
    bounds: Bounds<'a>,
    limit: f64,
    triangles: Triangles,
    cache: &'c mut PairCache,
    visit: &'c mut dyn FnMut(PartPair, &Proximity) -> f64,
}

impl PairQuery for WithinQuery<'_, '_> {
    fn cutoff(&self) -> f64 {
        self.limit + self.bounds.rounding
    }

    fn bounds(&self) -> &Bounds<'_> {
        &self.bounds
    }

    fn axis(&self) -> Option<&SeparatingAxis> {
        None
    }

    fn meet(&mut self, pair: PartPair) {
        let (a, b) = (self.assemblies.first.part(pair.first), self.assemblies.second.part(pair.second));
        let mut memory = self.cache.recall(pair).unwrap_or_default();
        let found = self.assemblies.measure(&a, &b, self.limit, &mut memory);
        self.cache.count(&mut memory);
        let Some(found) = found else { return };
        self.cache.keep(pair, memory);
        let met = match self.triangles {
            Triangles::OfSurface => correct(self.assemblies, pair, found),
            Triangles::Alone => Some(found),
        };
        if let Some(met) = met {
            self.limit = (self.visit)(pair, &met);
        }
    }
}
