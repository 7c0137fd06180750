//! When two moving shapes touch at the earliest (section 2.3.2): conservative, and tight enough to converge quadratically.
//!
//! Between two distance queries the search marches along the known trajectories with support functions alone: as long as some
//! direction keeps the shapes apart, they are apart. Directions stay in space, turn with a face, or follow two edges, so that
//! the direction of the coming contact is among them; how fast heights along them may bend is bounded (`toi_axis`), so each
//! step of the march is safe and squares what is left (`toi_march`). Bounding spheres are skipped along their parabolas first
//! (`toi_spheres`), and shapes of many parts are taken part by part (`toi_parts`).

use super::toi_convex::Convex;
use super::toi_march::{ArrivalGoal, Start, march};
use super::toi_measure::{Posed, measure};
use super::toi_parts::march_parts;
use super::toi_search::{Prediction, Search};
use super::toi_spheres::{Spheres, balls_meet, spheres_meet};
use super::toi_travel::Travel;
use super::trajectory::MovingShape;
use crate::geometry::Shape;
use crate::geometry::closest::{PairCache, least_distance};

/// Distances measured in one search at most: a pair that needs more is looked at again when the time reached has come.
const MAX_MEASUREMENTS: u32 = 24;

/// When two shapes touch at the earliest.
pub fn time_of_impact(movers: &[MovingShape<'_>; 2], search: &Search, cache: &mut PairCache) -> Prediction {
    let Search { from, limit, touch_distance, velocity_tolerance } = *search;
    let mut found = Prediction { time: from, touches: false, measurements: 0, marches: 0, nearest: f64::INFINITY };
    if let Some(time) = balls_meet(movers, search) {
        return Prediction { time: time.min(limit), touches: time < limit, ..found };
    }
    while found.measurements < MAX_MEASUREMENTS {
        match spheres_meet(movers, &Search { from: found.time, ..*search }) {
            Spheres::Meet(time) => found.time = time,
            Spheres::Apart(time) => return Prediction { time, ..found },
        }
        let posed = Posed::new(movers, found.time);
        if found.measurements == 0
            && !is_convex(movers)
            && stay_apart(movers, &posed, [found.time, limit], touch_distance)
        {
            return Prediction { time: limit, ..found };
        }
        let near = measure(movers, posed, cache);
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
        let (next, steps) = if is_convex(movers) {
            let pair = movers.map(|m| Convex::whole(&m));
            let start = Start { states: &near.posed.states, normal: near.proximity.normal };
            march(&pair, &start, [found.time, limit], &goal)
        } else {
            march_parts(movers, &near, &goal, [found.time, limit], cache)
        };
        found.marches += steps;
        // Time has a grain: what is apart now is taken to be so one grain later.
        found.time = next.max(found.time.next_up());
        if found.time >= limit {
            return Prediction { time: limit, ..found };
        }
    }
    found
}

/// Whether shapes are so far apart that nothing brings them together before the second of two times.
fn stay_apart(movers: &[MovingShape<'_>; 2], posed: &Posed, [t, limit]: [f64; 2], touch_distance: f64) -> bool {
    let distance = if limit.is_finite() { least_distance(&posed.shapes(movers)) } else { 0.0 };
    if distance <= touch_distance {
        return false;
    }
    let travel = Travel::new(&movers.map(|m| Convex::whole(&m)), &posed.states, t, limit);
    // Rounding may put the end of the travel just before the limit.
    travel.times[1].next_up() >= limit && distance > touch_distance + travel.approach(limit - t)
}

/// Whether the search may take the shapes by their hulls: also a compound over a half-space touches where its hull does.
fn is_convex(movers: &[MovingShape<'_>; 2]) -> bool {
    let is_half_space = |shape: &Shape| matches!(shape, Shape::HalfSpace(_));
    movers.iter().any(|m| is_half_space(m.shape)) || !movers.iter().any(|m| m.shape.has_parts())
}
