//! Skipping ahead to where bounding spheres meet (section 2.3.2): centres fly on known curves, mostly parabolas.

use super::toi::{Mover, Search};
use crate::geometry::Shape;
use crate::math::quadratic_roots;
use glam::DVec3;

/// Steps towards the spheres' meeting at most; each squares what is left.
const STEPS: usize = 12;

/// Part of the spheres' radii within which they have met: what is left is not worth a step.
const MET: f64 = 1e-3;

/// Part by which a bounding sphere is taken larger than it is, for rounding.
const ROUNDING: f64 = 1e-12;

/// A time from the search's beginning on before which the bounding spheres do not meet; the search's limit if they never do.
pub(super) fn spheres_apart(movers: &[Mover<'_>; 2], search: &Search) -> f64 {
    if let Some(t) = over_plane(movers, search) {
        return t;
    }
    let radii = movers[0].points.length + movers[1].points.length;
    let reach = radii * (1.0 + ROUNDING) + 0.5 * search.touch;
    let mut t = search.from;
    for _ in 0..STEPS {
        let Some([position, velocity, acceleration]) = relative_parabola(movers, t) else {
            return t.max(scripted_apart(movers, &Search { from: t, ..*search }, reach));
        };
        let length = position.length();
        let gap = length - reach;
        // Balls have to meet exactly, which the search's measurements see to.
        if gap <= MET * radii {
            return t;
        }
        let direction = position / length;
        let (slope, bend) = (velocity.dot(direction), acceleration.dot(direction));
        // Along the line of centres spheres come together no later than they do.
        let Some(time) = quadratic_roots(0.5 * bend, slope, gap).first_from(0.0) else {
            return search.limit;
        };
        t += time;
        if t >= search.limit {
            return search.limit;
        }
    }
    t
}

/// Two balls on parabolas of equal acceleration meet at a root of a quadratic; infinite if they never do.
pub(super) fn balls_meet(movers: &[Mover<'_>; 2], search: &Search) -> Option<f64> {
    let reach = movers[0].ball? + movers[1].ball? + 0.5 * search.touch;
    let [position, velocity, acceleration] = relative_parabola(movers, search.from)?;
    if acceleration != DVec3::ZERO {
        return None;
    }
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

/// When the bounding sphere of a body reaches the plane of a half-space; `None` if there is none, or the sphere is there.
fn over_plane(movers: &[Mover<'_>; 2], search: &Search) -> Option<f64> {
    let (plane, body) = match (movers[0].shape, movers[1].shape) {
        (Shape::HalfSpace(_), _) => (&movers[0], &movers[1]),
        (_, Shape::HalfSpace(_)) => (&movers[1], &movers[0]),
        _ => return None,
    };
    let Shape::HalfSpace(half_space) = plane.shape else { return None };
    let met = Some(search.from);
    let Some([position, velocity, acceleration]) = body.trajectory.parabola_at(search.from) else { return met };
    let pose = plane.trajectory.at(search.from).world_from_body * plane.body_from_shape;
    let normal = pose.vector(half_space.normal());
    let height = normal.dot(position - pose.translation) - half_space.offset();
    let gap = height - body.points.length * (1.0 + ROUNDING) - 0.5 * search.touch;
    if gap <= 0.0 {
        return met;
    }
    let root = quadratic_roots(0.5 * normal.dot(acceleration), normal.dot(velocity), gap).first_from(0.0);
    Some(root.map_or(search.limit, |s| (search.from + s).min(search.limit)))
}

/// Position, velocity and acceleration of the first centre relative to the second.
fn relative_parabola(movers: &[Mover<'_>; 2], t: f64) -> Option<[DVec3; 3]> {
    let first = movers[0].trajectory.parabola_at(t)?;
    let second = movers[1].trajectory.parabola_at(t)?;
    Some([first[0] - second[0], first[1] - second[1], first[2] - second[2]])
}

/// One step for spheres of which one follows a script: accelerations are bounded for as long as the gap takes to fly.
fn scripted_apart(movers: &[Mover<'_>; 2], search: &Search, reach: f64) -> f64 {
    let mut t = search.from;
    for _ in 0..STEPS {
        let [first, second] = movers.map(|m| m.trajectory.at(t));
        let position = first.world_from_body.translation - second.world_from_body.translation;
        let velocity = first.velocity - second.velocity;
        let length = position.length();
        let gap = length - reach;
        if gap <= MET * reach {
            break;
        }
        let direction = position / length;
        let window = window(gap, velocity.length(), search.limit - t);
        let times = [t, t + window];
        let bend = movers[0].trajectory.centre_acceleration(direction, times)[0]
            - movers[1].trajectory.centre_acceleration(direction, times)[1];
        let root = quadratic_roots(0.5 * bend, velocity.dot(direction), gap).first_from(0.0);
        t += root.unwrap_or(window).min(window);
        if t >= search.limit {
            return search.limit;
        }
    }
    t
}

/// How far ahead accelerations are bounded: twice the time to fly the gap at the present speed, s.
fn window(gap: f64, speed: f64, most: f64) -> f64 {
    (2.0 * gap / speed.max(gap)).min(most)
}
