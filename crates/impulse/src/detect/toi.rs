//! The time of impact of two moving shapes (section 2.3.2): a conservative bound, tight enough to converge quadratically.
//!
//! Between two distance queries the search marches along the known trajectories with support functions alone: as long as some
//! direction keeps the shapes apart, they are apart. Directions are fixed in space, turn with a face, or follow two edges, so
//! that the normal of the coming contact is among them. The second derivative of heights along them is bounded (`toi_axis`), so
//! each step of the march is safe and converges quadratically (`toi_march`). First the search skips ahead to where bounding
//! spheres meet (`toi_spheres`); shapes of many parts are marched part by part (`toi_parts`).

use super::toi_convex::Convex;
use super::toi_march::{ArrivalGoal, Start, march};
use super::toi_measure::{Near, Posed, measure};
use super::toi_parts::march_parts;
use super::toi_search::{Prediction, Search};
use super::toi_spheres::{Spheres, balls_meet, spheres_meet};
use super::toi_travel::Travel;
use super::trajectory::MovingShape;
use crate::geometry::Shape;
use crate::geometry::closest::{PairCache, least_distance};

/// Most distance queries in one search: a pair that needs more is searched again from the time that was reached.
const MAX_MEASUREMENTS: u32 = 24;

/// The earliest time at which two moving shapes may touch.
pub fn time_of_impact(shapes: &[MovingShape<'_>; 2], search: &Search, cache: &mut PairCache) -> Prediction {
    let Search { from, limit, touch_distance, velocity_tolerance } = *search;
    let mut found = Prediction { time: from, touches: false, measurements: 0, marches: 0, nearest: f64::INFINITY };
    if let Some(time) = balls_meet(shapes, search) {
        return Prediction { time: time.min(limit), touches: time < limit, ..found };
    }
    while found.measurements < MAX_MEASUREMENTS {
        match spheres_meet(shapes, &Search { from: found.time, ..*search }) {
            Spheres::Meet(time) => found.time = time,
            Spheres::Apart(time) => return Prediction { time, ..found },
        }
        let posed = Posed::new(shapes, found.time);
        if found.measurements == 0
            && !is_convex(shapes)
            && stay_apart(shapes, &posed, [found.time, limit], touch_distance)
        {
            return Prediction { time: limit, ..found };
        }
        let near = measure(shapes, posed, cache);
        found.measurements += 1;
        if near.proximity.overlapping {
            return found;
        }
        let distance = near.proximity.distance;
        found.nearest = found.nearest.min(distance);
        if distance <= touch_distance && near.closing_speed > velocity_tolerance {
            return Prediction { touches: true, ..found };
        }
        let goal = ArrivalGoal::new(touch_distance, distance);
        let (next, steps) = march_on(shapes, &near, &goal, [found.time, limit], cache);
        found.marches += steps;
        // At least one unit in the last place, so that the search always gets ahead.
        found.time = next.max(found.time.next_up());
        if found.time >= limit {
            return Prediction { time: limit, ..found };
        }
    }
    found
}

/// Marches from a measurement towards the limit, with whole shapes or part by part; gives the time reached and the steps made.
fn march_on(
    shapes: &[MovingShape<'_>; 2],
    near: &Near,
    goal: &ArrivalGoal,
    times: [f64; 2],
    cache: &mut PairCache,
) -> (f64, u32) {
    if !is_convex(shapes) {
        return march_parts(shapes, near, goal, times, cache);
    }
    let pair = shapes.map(|m| Convex::whole(&m));
    march(&pair, &Start { states: &near.posed.states, normal: near.proximity.normal, pull: None }, times, goal)
}

/// Whether shapes are so far apart that they cannot touch before the limit.
fn stay_apart(shapes: &[MovingShape<'_>; 2], posed: &Posed, [t, limit]: [f64; 2], touch_distance: f64) -> bool {
    let distance = if limit.is_finite() { least_distance(&posed.shape_pair(shapes)) } else { 0.0 };
    if distance <= touch_distance {
        return false;
    }
    let travel = Travel::new(&shapes.map(|m| Convex::whole(&m)), &posed.states, t, limit);
    // Rounding may put the end of the travel just before the limit.
    travel.times[1].next_up() >= limit && distance > touch_distance + travel.approach(limit - t)
}

/// Whether the search may use the shapes' convex hulls: a compound, too, touches a half-space where its hull does.
fn is_convex(shapes: &[MovingShape<'_>; 2]) -> bool {
    let is_half_space = |shape: &Shape| matches!(shape, Shape::HalfSpace(_));
    shapes.iter().any(|m| is_half_space(m.shape)) || !shapes.iter().any(|m| m.shape.has_parts())
}
