//! The walk from one pair of features to the next until they are the closest (section 2.2.1).

use super::exhaustive;
use super::states::{TrackStep, fall, step};
use super::views::{BodyViews, Feature, FeaturePair};
use super::witness::{Verdict, measure, prove};
use crate::geometry::ConvexPolyhedron;
use crate::geometry::closest::Proximity;
use crate::math::Pose;

/// Restarts from a better direction before the exhaustive search.
const NEW_STARTS: u32 = 3;

/// Distance, closest points and direction of two convex polyhedra, in the frame of the first.
///
/// `cache` holds the closest features found last time and receives those found now; the search starts from them. Any value is a
/// valid start. The distance is accurate to 1e-10 of the bodies' size. If the bodies overlap, `on_first` and `on_second` are
/// one point that belongs to both; bodies that only touch may count as either.
pub fn closest_polyhedra(
    first: &ConvexPolyhedron,
    second: &ConvexPolyhedron,
    first_from_second: &Pose,
    cache: &mut FeaturePair,
) -> Proximity {
    walk(&BodyViews::new(first, second, first_from_second), cache)
}

/// The same; `None` where the distance exceeds `limit`, in metres.
///
/// What is not remembered is often far off, and a few planes between the bodies may show it before a walk to the closest features.
pub(in crate::geometry::closest) fn closest_polyhedra_within(
    first: &ConvexPolyhedron,
    second: &ConvexPolyhedron,
    first_from_second: &Pose,
    limit: f64,
    cache: &mut FeaturePair,
) -> Option<Proximity> {
    let views = BodyViews::new(first, second, first_from_second);
    let is_far = limit < f64::INFINITY && *cache == FeaturePair::default() && views.are_farther(limit);
    (!is_far).then(|| walk(&views, cache))
}

fn walk(views: &BodyViews<'_>, cache: &mut FeaturePair) -> Proximity {
    let mut pair = cache.within(views.first.body, views.second.body);
    let mut steps = 0;
    if let Some(found) = fall(views, &mut pair, &mut steps) {
        (cache.first, cache.second) = pair;
        return Proximity { steps, ..found };
    }
    for _ in 0..NEW_STARTS {
        let verdict = track(views, &mut pair, &mut steps);
        (cache.first, cache.second) = pair;
        match verdict {
            Verdict::Certain(proximity) => return Proximity { steps, ..proximity },
            Verdict::Restart(better) => pair = better,
        }
    }
    cache.fallbacks = cache.fallbacks.wrapping_add(1);
    let (proximity, pair) = exhaustive::closest(views);
    (cache.first, cache.second) = pair;
    Proximity { steps, ..proximity }
}

/// Goes from pair to pair until one is closest.
fn track(views: &BodyViews<'_>, pair: &mut (Feature, Feature), steps: &mut u32) -> Verdict {
    // Brent's cycle detection: the next pair depends on the present one alone, so a pair kept since a power of two steps recurs
    // if any does.
    let (mut kept, mut keep_at) = (*pair, *steps + 8);
    loop {
        *steps += 1;
        match step(views, *pair) {
            TrackStep::Next(first, second) => *pair = (first, second),
            TrackStep::Closest(found) if found.sure => return Verdict::Certain(found.proximity),
            TrackStep::Closest(found) => return prove(views, *pair, found.proximity),
            TrackStep::Overlap(proximity) => return Verdict::Certain(proximity),
        }
        if *pair == kept {
            return best_of_cycle(views, pair, steps);
        }
        if *steps == keep_at {
            (kept, keep_at) = (*pair, 2 * keep_at);
        }
    }
}

/// Goes once around a cycle, whose pairs are equally close up to rounding, and takes the first that is provably closest.
fn best_of_cycle(views: &BodyViews<'_>, pair: &mut (Feature, Feature), steps: &mut u32) -> Verdict {
    let start = *pair;
    let mut verdict = Verdict::Restart(start);
    loop {
        if !matches!(pair, (Feature::Face(_), _) | (_, Feature::Face(_))) {
            verdict = prove(views, *pair, measure(views, pair.0, pair.1).proximity);
            if matches!(verdict, Verdict::Certain(_)) {
                return verdict;
            }
        }
        *steps += 1;
        match step(views, *pair) {
            TrackStep::Next(first, second) if (first, second) != start => *pair = (first, second),
            _ => return verdict,
        }
    }
}
