//! The distance between any two convex bodies with a support mapping (section 2.2): the search of Gilbert, Johnson and Keerthi
//! finds the nearest pieces of the bodies, Newton's method on these pieces finishes.

use super::difference::{Difference, DifferencePiece, Vertex};
use super::polish::{Active, Attempt, HEIGHT_ROUNDING, Polished, polish};
use super::proximity::Proximity;
use super::rounded::Rounded;
use super::simplex::Simplex;
use crate::math::Pose;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// The cache of a search for the next one with the same two bodies. Any value is valid; a good one saves time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct SearchCache {
    /// Unit vector from the second body to the first, in the frame of the first; zero at first.
    direction: DVec3,
    active: Active,
    /// Pieces near the last answer, from which the next search starts.
    hint: DifferencePiece,
    /// How often a search ended without a proof that its answer is accurate to rounding.
    pub(super) unproven: u32,
}

impl SearchCache {
    /// A start along another direction, for other pieces in the same place.
    pub(super) fn turned(&self, direction: DVec3) -> Self {
        Self { direction, active: Active::default(), hint: self.hint, unproven: 0 }
    }
}

/// Most support queries before the search gives up and returns its best answer. Cold starts need about ten.
const MAX_SUPPORTS: u32 = 128;

/// Distance and closest points of two convex bodies; `None` as soon as their distance is known to exceed `limit`.
///
/// For separated bodies a separating plane proves the distance to within rounding of the coordinates; otherwise
/// [`SearchCache::unproven`] counts the failure.
pub(super) fn closest_convex_within(
    [first, second]: [&Rounded<'_>; 2],
    first_from_second: &Pose,
    limit: f64,
    cache: &mut SearchCache,
) -> Option<Proximity> {
    let mut search = ConvexSearch::new(Difference::new(first.core, second.core, first_from_second));
    search.limit = limit + first.radius + second.radius;
    let found = search.run(cache)?;
    cache.direction = found.n;
    cache.active = found.active;
    cache.hint = found.active.pieces().first().copied().unwrap_or(search.hint);
    cache.unproven = cache.unproven.wrapping_add(u32::from(!found.proven));
    let distance = found.n.dot(found.a - found.b) - first.radius - second.radius;
    let apart = found.apart && distance > 0.0;
    Some(Proximity {
        distance: if apart { distance } else { 0.0 },
        on_first: found.a - found.n * first.radius,
        on_second: found.b + found.n * second.radius,
        normal: found.n,
        overlapping: !apart,
        steps: search.steps,
    })
}

/// Closest points of the cores.
struct Found {
    n: DVec3,
    a: DVec3,
    b: DVec3,
    active: Active,
    /// Whether the cores have a positive distance.
    apart: bool,
    /// Whether the distance is accurate to rounding, or the overlap certain.
    proven: bool,
}

struct ConvexSearch<'a> {
    difference: Difference<'a>,
    simplex: Simplex,
    steps: u32,
    /// Highest lower bound on the distance so far, with its direction.
    bound: f64,
    bound_direction: DVec3,
    /// Larger distances are of no interest.
    limit: f64,
    /// The lowest piece found last.
    hint: DifferencePiece,
}

impl<'a> ConvexSearch<'a> {
    fn new(difference: Difference<'a>) -> Self {
        Self {
            difference,
            simplex: Simplex::default(),
            steps: 0,
            bound: f64::NEG_INFINITY,
            bound_direction: DVec3::X,
            limit: f64::INFINITY,
            hint: DifferencePiece::default(),
        }
    }

    /// The closest points, or `None` if they are too far apart.
    fn run(&mut self, cache: &SearchCache) -> Option<Found> {
        let mut n = self.first_direction(cache);
        self.hint = cache.hint;
        if self.limit < f64::INFINITY {
            self.lowest(n);
            if self.bound > self.limit {
                return None;
            }
        }
        if let Some(found) = self.resume(n, &cache.active) {
            return Some(found);
        }
        n = self.simplex.direction().unwrap_or(n);
        // Support queries until Newton's method is tried again; every failure doubles them.
        let (mut patience, mut failures) = (0u64, 0u32);
        for _ in 0..MAX_SUPPORTS {
            let lowest = self.lowest(n);
            if self.bound > self.limit {
                return None;
            }
            let known = self.simplex.vertices().iter().any(|v| v.piece == lowest.piece);
            let mut progress = self.extend(lowest);
            // Once the search only refines points on known pieces, Newton's method is better.
            if (known && patience == 0) || !progress {
                match polish(&self.difference, n, self.active(), &mut self.steps) {
                    Attempt::Solved(solved) => return Some(Found::from(solved)),
                    Attempt::Lower(vertex) => progress |= self.extend(vertex),
                    Attempt::Failed => {}
                }
                failures += 1;
                patience = 1 << failures.min(32);
            } else {
                patience = patience.saturating_sub(1);
            }
            let touching = self.simplex.nearest().length() <= f64::EPSILON * self.simplex.size();
            match self.simplex.direction() {
                Some(direction) if progress && !touching && !self.simplex.encloses_origin() => n = direction,
                _ => break,
            }
        }
        Some(self.conclusion(n))
    }

    fn first_direction(&self, cache: &SearchCache) -> DVec3 {
        let usable = (0.5..2.0).contains(&cache.direction.length_squared());
        let guess = if usable { cache.direction } else { self.difference.centre() };
        guess.try_normalize().unwrap_or(DVec3::X)
    }

    /// Tries the pieces of the last answer; if they are no longer the nearest, the search starts from what was learnt.
    fn resume(&mut self, n: DVec3, active: &Active) -> Option<Found> {
        if !active.pieces().iter().all(|&piece| self.difference.has_piece(piece)) {
            return None;
        }
        match polish(&self.difference, n, *active, &mut self.steps) {
            Attempt::Solved(solved) => return Some(Found::from(solved)),
            Attempt::Lower(vertex) => {
                self.extend(vertex);
            }
            Attempt::Failed => {}
        }
        None
    }

    fn lowest(&mut self, n: DVec3) -> Vertex {
        self.steps += 1;
        let lowest = self.difference.lowest(n, self.hint);
        self.hint = lowest.piece;
        let height = n.dot(lowest.w);
        if height > self.bound {
            (self.bound, self.bound_direction) = (height, n);
        }
        lowest
    }

    /// Adds a vertex to the simplex if that brings it nearer to the origin; returns whether it did.
    fn extend(&mut self, vertex: Vertex) -> bool {
        if self.simplex.encloses_origin() {
            return false;
        }
        let extended = self.simplex.with(vertex);
        let nearer = self.simplex.vertices().is_empty()
            || extended.encloses_origin()
            || extended.nearest().length_squared() < self.simplex.nearest().length_squared();
        if nearer {
            self.simplex = extended;
        }
        nearer
    }

    /// The pieces of the simplex's vertices.
    fn active(&self) -> Active {
        let mut active = Active::default();
        for vertex in self.simplex.vertices() {
            active.add(vertex.piece);
        }
        active
    }

    /// The best answer without a proof: overlap, or bodies that touch to within rounding.
    fn conclusion(&self, n: DVec3) -> Found {
        let (mut a, mut b) = (DVec3::ZERO, DVec3::ZERO);
        for (vertex, weight) in self.simplex.weighted() {
            a += vertex.a * weight;
            b += vertex.b * weight;
        }
        let enclosed = self.simplex.encloses_origin();
        let (distance, touching) = (a.distance(b), TOUCHING_GAP * self.simplex.size());
        let apart = !enclosed && (self.bound > 0.0 || distance > touching);
        let proven = enclosed || distance - self.bound.max(0.0) <= touching;
        let n = if apart && self.bound > 0.0 { self.bound_direction } else { n };
        let active = if apart { self.active() } else { Active::default() };
        Found { n, a, b, active, apart, proven }
    }
}

/// Bodies nearer than this, relative to their size, and without a separating plane, count as touching.
const TOUCHING_GAP: f64 = 64.0 * HEIGHT_ROUNDING;

impl From<Polished> for Found {
    fn from(Polished { n, a, b, active }: Polished) -> Self {
        Self { n, a, b, active, apart: true, proven: true }
    }
}
