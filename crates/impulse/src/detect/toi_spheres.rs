//! Skipping ahead to where bounding spheres meet (section 2.3.2): centres fly on known curves, mostly parabolas.

use super::toi_search::Search;
use super::toi_travel::SCRIPT_HORIZON;
use super::trajectory::MovingShape;
use crate::geometry::Shape;
use crate::math::quadratic_roots;
use glam::DVec3;

/// Steps towards the spheres' meeting at most; each squares what is left.
const SPHERE_STEPS: usize = 32;

/// Part of the spheres' radii within which they have met: what is left is not worth a step.
const SPHERES_MET: f64 = 1e-3;

/// Part by which a bounding sphere is taken larger than it is, for rounding.
const RADIUS_ROUNDING: f64 = 1e-12;

/// What the bounding spheres of two bodies do.
pub(super) enum Spheres {
    /// They meet, but not before this time (s).
    Meet(f64),
    /// They are still apart at this time, and the search was long or has come to its limit.
    Apart(f64),
}

/// When the bounding spheres meet, from the search's beginning on.
pub(super) fn spheres_meet(movers: &[MovingShape<'_>; 2], search: &Search) -> Spheres {
    if let Some(spheres) = over_plane(movers, search) {
        return spheres;
    }
    let radii = movers[0].points.length + movers[1].points.length;
    let reach = radii * (1.0 + RADIUS_ROUNDING) + 0.5 * search.touch_distance;
    let mut t = search.from;
    for _ in 0..SPHERE_STEPS {
        let (position, velocity) = relative(movers, t);
        let length = position.length();
        let gap = length - reach;
        // Balls have to meet exactly, which the search's measurements see to.
        if gap <= SPHERES_MET * radii {
            return Spheres::Meet(t);
        }
        let direction = position / length;
        let window = window(movers, gap / velocity.length(), t).min(search.limit - t);
        let bend = movers[0].trajectory.centre_acceleration(direction, [t, t + window])[0]
            - movers[1].trajectory.centre_acceleration(direction, [t, t + window])[1];
        // Along the line of centres spheres come together no later than they do.
        let root = quadratic_roots(0.5 * bend, velocity.dot(direction), gap).first_from(0.0);
        t += root.unwrap_or(f64::INFINITY).min(window);
        if t >= search.limit {
            return Spheres::Apart(search.limit);
        }
    }
    Spheres::Apart(t)
}

/// Two balls on parabolas of equal acceleration meet at a root of a quadratic; infinite if they never do.
pub(super) fn balls_meet(movers: &[MovingShape<'_>; 2], search: &Search) -> Option<f64> {
    let reach = movers[0].ball? + movers[1].ball? + 0.5 * search.touch_distance;
    let [first, second] = movers.each_ref().map(|m| m.trajectory.parabola_at(search.from));
    if first?[2] != second?[2] {
        return None;
    }
    let (position, velocity) = relative(movers, search.from);
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

/// The same for a body over a half-space; `None` if there is no half-space.
fn over_plane(movers: &[MovingShape<'_>; 2], search: &Search) -> Option<Spheres> {
    let (half_space, plane, body) = match (movers[0].shape, movers[1].shape) {
        (Shape::HalfSpace(half_space), _) => (half_space, &movers[0], &movers[1]),
        (_, Shape::HalfSpace(half_space)) => (half_space, &movers[1], &movers[0]),
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
fn relative(movers: &[MovingShape<'_>; 2], t: f64) -> (DVec3, DVec3) {
    let centre = |m: &MovingShape<'_>| {
        m.trajectory.parabola_at(t).map_or_else(
            || {
                let state = m.trajectory.at(t);
                [state.world_from_body.translation, state.velocity]
            },
            |[position, velocity, _]| [position, velocity],
        )
    };
    let [first, second] = movers.each_ref().map(centre);
    (first[0] - second[0], first[1] - second[1])
}

/// For how long accelerations are to be bounded, s: for ever if they stay the same, else twice the time it takes to fly the gap.
fn window(movers: &[MovingShape<'_>; 2], time_to_fly: f64, t: f64) -> f64 {
    let is_steady = movers.iter().all(|m| m.trajectory.parabola_at(t).is_some());
    if is_steady { f64::INFINITY } else { (2.0 * time_to_fly).min(SCRIPT_HORIZON) }
}
