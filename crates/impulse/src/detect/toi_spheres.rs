//! Skipping ahead to where bounding spheres meet (section 2.3.2): their centres follow known curves, mostly parabolas.

use super::toi_search::Search;
use super::toi_travel::SCRIPT_HORIZON;
use super::trajectory::MovingShape;
use crate::geometry::Shape;
use crate::math::quadratic_roots;
use glam::DVec3;

/// Most steps towards the meeting of the spheres; convergence is quadratic.
const SPHERE_STEPS: usize = 32;

/// Share of the radii within which spheres count as having met: the rest is not worth a step.
const SPHERES_MET: f64 = 1e-3;

/// Share by which bounding spheres are enlarged against rounding.
const RADIUS_ROUNDING: f64 = 1e-12;

/// What the bounding spheres of two bodies do.
pub(super) enum Spheres {
    /// They meet, but not before this time (s).
    Meet(f64),
    /// They are still apart at this time, at which the search has reached its limit or has been cut short.
    Apart(f64),
}

/// When the bounding spheres meet, starting from the beginning of the search.
pub(super) fn spheres_meet(shapes: &[MovingShape<'_>; 2], search: &Search) -> Spheres {
    if let Some(spheres) = over_plane(shapes, search) {
        return spheres;
    }
    let radii = shapes[0].points.length + shapes[1].points.length;
    let reach = radii * (1.0 + RADIUS_ROUNDING) + 0.5 * search.touch_distance;
    let mut t = search.from;
    for _ in 0..SPHERE_STEPS {
        let (position, velocity) = relative(shapes, t);
        let length = position.length();
        let gap = length - reach;
        // Distance queries do the rest, also for balls, which have to meet exactly.
        if gap <= SPHERES_MET * radii {
            return Spheres::Meet(t);
        }
        let direction = position / length;
        let window = window(shapes, gap / velocity.length(), t).min(search.limit - t);
        let bend = shapes[0].trajectory.centre_acceleration(direction, [t, t + window])[0]
            - shapes[1].trajectory.centre_acceleration(direction, [t, t + window])[1];
        // Motion along the line of centres alone brings spheres together no later than the true motion.
        let root = quadratic_roots(0.5 * bend, velocity.dot(direction), gap).first_from(0.0);
        t += root.unwrap_or(f64::INFINITY).min(window);
        if t >= search.limit {
            return Spheres::Apart(search.limit);
        }
    }
    Spheres::Apart(t)
}

/// Two balls on parabolas of equal acceleration meet at a root of a quadratic; infinite if they never do.
pub(super) fn balls_meet(shapes: &[MovingShape<'_>; 2], search: &Search) -> Option<f64> {
    let reach = shapes[0].ball? + shapes[1].ball? + 0.5 * search.touch_distance;
    let [first, second] = shapes.each_ref().map(|m| m.trajectory.parabola_at(search.from));
    if first?[2] != second?[2] {
        return None;
    }
    let (position, velocity) = relative(shapes, search.from);
    let half_slope = position.dot(velocity);
    if half_slope >= 0.0 {
        return Some(f64::INFINITY);
    }
    let length = position.length();
    // (|p| - reach) (|p| + reach) keeps the digits that |p|^2 - reach^2 loses near contact.
    let excess = ((length - reach) * (length + reach)).max(0.0);
    let roots = quadratic_roots(velocity.length_squared(), 2.0 * half_slope, excess);
    Some(roots.as_slice().first().map_or(f64::INFINITY, |&s| search.from + s.max(0.0)))
}

/// [`spheres_meet`] for a body over a half-space; `None` if there is no half-space.
fn over_plane(shapes: &[MovingShape<'_>; 2], search: &Search) -> Option<Spheres> {
    let (half_space, plane, body) = match (shapes[0].shape, shapes[1].shape) {
        (Shape::HalfSpace(half_space), _) => (half_space, &shapes[0], &shapes[1]),
        (_, Shape::HalfSpace(half_space)) => (half_space, &shapes[1], &shapes[0]),
        _ => return None,
    };
    let met = Some(Spheres::Meet(search.from));
    let Some([position, velocity, acceleration]) = body.trajectory.parabola_at(search.from) else { return met };
    let pose = plane.trajectory.at(search.from).world_from_body * plane.body_from_shape;
    let normal = pose.vector(half_space.normal());
    let height = normal.dot(position - pose.translation) - half_space.offset();
    let gap = height - body.points.length * (1.0 + RADIUS_ROUNDING) - 0.5 * search.touch_distance;
    if gap <= 0.0 {
        return met;
    }
    let root = quadratic_roots(0.5 * normal.dot(acceleration), normal.dot(velocity), gap).first_from(0.0);
    let time = root.map_or(f64::INFINITY, |s| search.from + s);
    Some(if time < search.limit { Spheres::Meet(time) } else { Spheres::Apart(search.limit) })
}

/// Position and velocity of the first centre relative to the second.
fn relative(shapes: &[MovingShape<'_>; 2], t: f64) -> (DVec3, DVec3) {
    let centre = |m: &MovingShape<'_>| {
        m.trajectory.parabola_at(t).map_or_else(
            || {
                let state = m.trajectory.at(t);
                [state.world_from_body.translation, state.velocity]
            },
            |[position, velocity, _]| [position, velocity],
        )
    };
    let [first, second] = shapes.each_ref().map(centre);
    (first[0] - second[0], first[1] - second[1])
}

/// The duration (s) over which accelerations are bounded: infinite if they are constant, else twice the time it takes to cross
/// the gap.
fn window(shapes: &[MovingShape<'_>; 2], time_to_fly: f64, t: f64) -> f64 {
    let is_steady = shapes.iter().all(|m| m.trajectory.parabola_at(t).is_some());
    if is_steady { f64::INFINITY } else { (2.0 * time_to_fly).min(SCRIPT_HORIZON) }
}
