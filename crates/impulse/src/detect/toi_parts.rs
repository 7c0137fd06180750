//! Time of impact of shapes made of many convex parts (sections 2.2.2, 2.3.2): every pair of near parts is marched by itself;
//! parts farther away cannot arrive for a while.

use super::toi_convex::{Convex, Form};
use super::toi_march::{ArrivalGoal, Start, march};
use super::toi_measure::Near;
use super::toi_travel::Travel;
use super::trajectory::{Moving, MovingShape, Vectors};
use crate::geometry::Shape;
use crate::geometry::closest::{PairCache, for_each_part_within};
use crate::math::Pose;
use glam::DVec3;

/// Parts are near if their distance is at most this many times the smallest one plus this share of the smaller body's size.
const NEAR_DISTANCES: f64 = 4.0;
const NEAR_SIZES: f64 = 0.02;

/// Relative difference between two measurements of one distance.
const DISTANCE_ROUNDING: f64 = 1e-9;

/// As [`march`], for a pair of which one shape has many parts.
pub(super) fn march_parts(
    shapes: &[MovingShape<'_>; 2],
    near: &Near,
    goal: &ArrivalGoal,
    times: [f64; 2],
    cache: &mut PairCache,
) -> (f64, u32) {
    let [t, limit] = times;
    let whole = shapes.map(|m| Convex::whole(&m));
    let travel = Travel::new(&whole, &near.posed.states, t, limit);
    let still = [0, 1].map(|i| is_still(&whole[i], &near.posed.states[i], travel.times));
    let size = whole[0].points.length.min(whole[1].points.length);
    let within = NEAR_DISTANCES * near.proximity.distance + NEAR_SIZES * size;
    // The earliest time at which something now at this distance can arrive.
    let arrival = |distance: f64| t + travel.time_to_approach(distance - goal.aim());
    let (mut end, mut steps) = (limit.min(arrival(within)).min(t + travel.window()), 0);
    // If the nearest part cannot arrive in time, no part can.
    if arrival((1.0 - DISTANCE_ROUNDING) * near.proximity.distance) >= end {
        return (end, 0);
    }
    // What can arrive before the end is as near as this: less and less, as nearer parts are found to arrive earlier.
    let reach = |end: f64| within.min((1.0 + DISTANCE_ROUNDING) * (goal.aim() + travel.approach(end - t)));
    for_each_part_within(&near.posed.shape_pair(shapes), reach(end), cache, |parts, found| {
        if arrival(found.distance) >= end {
            return reach(end);
        }
        let pair = [part(&shapes[0], parts.first, still[0]), part(&shapes[1], parts.second, still[1])];
        let normal = near.posed.world_from_first.vector(found.normal).normalize();
        let own = ArrivalGoal::new(2.0 * goal.aim(), found.distance);
        let start = Start { states: &near.posed.states, normal, pull: Some(travel.pull) };
        let (time, taken) = march(&pair, &start, [t, end], &own);
        end = end.min(time);
        steps += taken;
        reach(end)
    });
    (end, steps)
}

/// Whether a body stays where it is during an interval.
fn is_still(body: &Convex<'_>, state: &Moving, times: [f64; 2]) -> bool {
    let rests = state.velocity == DVec3::ZERO && state.angular_velocity == DVec3::ZERO;
    rests
        && body.trajectory.centre_accelerations(times) == [[0.0; 2]; 3]
        && body.turning(body.points, times) == [0.0; 2]
}

/// One of the convex parts of a shape, and whether its body stays where it is.
fn part<'a>(moving: &MovingShape<'a>, number: u32, still: bool) -> Convex<'a> {
    let whole = Convex::whole(moving);
    match moving.shape {
        Shape::Compound(compound) => {
            let piece = &compound.pieces()[number as usize];
            let body_from_part = moving.body_from_shape * piece.compound_from_piece;
            Convex { form: Form::Shape(&piece.shape), body_from_part, ..whole }
        }
        Shape::Mesh(mesh) if still => {
            // Any point of it may be the origin: a corner of the triangle keeps the other lengths small.
            let corners = mesh.corners(number);
            let reference = moving.body_from_shape.point(corners[0]);
            let to_reference = Pose::from_translation(-reference);
            let farthest = corners.iter().map(|c| c.distance(corners[0])).fold(0.0, f64::max);
            let points = Vectors { extents: DVec3::splat(farthest), length: farthest };
            let body_from_part = to_reference * moving.body_from_shape;
            Convex { form: Form::Triangle(corners), body_from_part, points, reference, ..whole }
        }
        Shape::Mesh(mesh) => Convex { form: Form::Triangle(mesh.corners(number)), ..whole },
        _ => whole,
    }
}
