//! When two moving shapes touch at the earliest (section 2.3.2): conservative, and tight enough to converge quadratically.
//!
//! Between two distance queries the search marches along the known trajectories with support functions alone: as long as some
//! direction keeps the shapes apart, they are apart. Directions stay in space, turn with a face, or follow two edges, so that
//! the direction of the coming contact is among them; how fast heights along them may bend is bounded (`toi_axis`), so each
//! step of the march is safe and squares what is left (`toi_march`). Bounding spheres are skipped along their parabolas first
//! (`toi_spheres`), and shapes of many parts are taken part by part (`toi_parts`).

use super::toi_axis::Travel;
use super::toi_march::{Convex, Goal, Start, march};
use super::toi_parts::march_parts;
use super::toi_spheres::{Spheres, balls_meet, spheres_meet};
use crate::geometry::Shape;
use crate::geometry::closest::{PairCache, Proximity, ShapePair, closest, least_distance};
use crate::math::Pose;
use glam::DVec3;

/// Where a body is and how it moves at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moving {
    /// The body frame; its origin is the centre the body turns about.
    pub world_from_body: Pose,
    /// Of the centre, world frame, m/s.
    pub velocity: DVec3,
    /// World frame, rad/s.
    pub angular_velocity: DVec3,
}

/// What a search asks of a known trajectory. Intervals of time are `[from, to]`, s.
pub trait Trajectory {
    /// Pose and velocities at a time.
    fn at(&self, t: f64) -> Moving;

    /// Position, velocity and acceleration of the centre at a time, where the acceleration stays the same for ever.
    fn parabola_at(&self, t: f64) -> Option<[DVec3; 3]>;

    /// The smallest and the largest acceleration of the centre along the unit vector `d` during an interval, m/s^2.
    fn centre_acceleration(&self, d: DVec3, times: [f64; 2]) -> [f64; 2];

    /// The same along the axes of space.
    fn centre_accelerations(&self, times: [f64; 2]) -> [[f64; 2]; 3];

    /// Bounds, during an interval, on the lengths of the first and the second derivative of vectors that turn with the body.
    fn turning(&self, vectors: Vectors, times: [f64; 2]) -> [f64; 2];
}

/// Vectors fixed in a body frame: their coordinates and their length are no larger than these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vectors {
    /// Largest absolute values of the coordinates.
    pub extents: DVec3,
    /// Largest length.
    pub length: f64,
}

/// A shape on a trajectory.
#[derive(Clone, Copy)]
pub struct Mover<'a> {
    /// How its body moves.
    pub trajectory: &'a dyn Trajectory,
    /// The shape, in its own frame.
    pub shape: &'a Shape,
    /// Where that frame is in the body.
    pub body_from_shape: Pose,
    /// Where the points of the shape are in the body; of infinite length for a half-space, which must stand still.
    pub points: Vectors,
    /// The radius, if the shape is a ball about the centre.
    pub ball: Option<f64>,
}

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search {
    /// Where the search begins, s.
    pub from: f64,
    /// Where it ends at the latest, s; may be infinite.
    pub limit: f64,
    /// Distance at which the shapes touch, m.
    pub touch: f64,
    /// Velocity along the normal (m/s) up to which shapes neither approach nor part: below it there is only rounding.
    pub undecided: f64,
}

/// What was found, and the work it took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// Up to this time (s) the shapes do not come nearer than half the touch distance, unless they are from the start: then
    /// they do not lose more than a part of their distance.
    pub time: f64,
    /// Whether they are within the touch distance then, and approach each other; else the search has come to its limit, or was
    /// long.
    pub touches: bool,
    /// Distances measured.
    pub measurements: u32,
    /// Steps made with support functions alone.
    pub marches: u32,
    /// The smallest distance measured between shapes that do not overlap, m.
    pub nearest: f64,
}

/// Distances measured in one search at most: a pair that needs more is looked at again when the time reached has come.
const MEASUREMENTS: u32 = 24;

/// When two shapes touch at the earliest.
pub fn time_of_impact(movers: &[Mover<'_>; 2], search: &Search, cache: &mut PairCache) -> Prediction {
    let Search { from, limit, touch, undecided } = *search;
    let mut found = Prediction { time: from, touches: false, measurements: 0, marches: 0, nearest: f64::INFINITY };
    if let Some(time) = balls_meet(movers, search) {
        return Prediction { time: time.min(limit), touches: time < limit, ..found };
    }
    while found.measurements < MEASUREMENTS {
        match spheres_meet(movers, &Search { from: found.time, ..*search }) {
            Spheres::Meet(time) => found.time = time,
            Spheres::Apart(time) => return Prediction { time, ..found },
        }
        let posed = Posed::new(movers, found.time);
        if found.measurements == 0 && !is_convex(movers) && stay_apart(movers, &posed, [found.time, limit], touch) {
            return Prediction { time: limit, ..found };
        }
        let near = measure(movers, posed, cache);
        found.measurements += 1;
        if near.proximity.overlapping {
            return found;
        }
        let distance = near.proximity.distance;
        found.nearest = found.nearest.min(distance);
        if distance <= touch && near.closing_speed > undecided {
            return Prediction { touches: true, ..found };
        }
        let goal = Goal::new(touch, distance);
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

/// Where two shapes are at one time.
pub(super) struct Posed {
    pub(super) states: [Moving; 2],
    pub(super) world_from_first: Pose,
    pub(super) first_from_second: Pose,
}

impl Posed {
    fn new(movers: &[Mover<'_>; 2], t: f64) -> Self {
        let states = movers.map(|m| m.trajectory.at(t));
        let [world_from_first, world_from_second] =
            [0, 1].map(|i| states[i].world_from_body * movers[i].body_from_shape);
        Self { states, world_from_first, first_from_second: world_from_first.inverse() * world_from_second }
    }

    pub(super) fn shapes<'a>(&'a self, movers: &[Mover<'a>; 2]) -> ShapePair<'a> {
        let [first, second] = movers.map(|m| m.shape);
        ShapePair { first, second, first_from_second: &self.first_from_second }
    }
}

/// Two shapes at one time, measured.
pub(super) struct Near {
    pub(super) posed: Posed,
    /// In the world frame as far as the normal is concerned.
    pub(super) proximity: Proximity,
    /// Velocity at which the closest points approach each other, m/s.
    closing_speed: f64,
}

fn measure(movers: &[Mover<'_>; 2], posed: Posed, cache: &mut PairCache) -> Near {
    let mut proximity = closest(movers[0].shape, movers[1].shape, &posed.first_from_second, cache);
    proximity.normal = posed.world_from_first.vector(proximity.normal).normalize();
    let point = posed.world_from_first.point(0.5 * (proximity.on_first + proximity.on_second));
    let [velocity, other] = posed.states.map(|s| s.point_velocity(point));
    let closing_speed = (other - velocity).dot(proximity.normal);
    Near { posed, proximity, closing_speed }
}

/// Whether shapes are so far apart that nothing brings them together before the second of two times.
fn stay_apart(movers: &[Mover<'_>; 2], posed: &Posed, [t, limit]: [f64; 2], touch: f64) -> bool {
    let distance = if limit.is_finite() { least_distance(&posed.shapes(movers)) } else { 0.0 };
    if distance <= touch {
        return false;
    }
    let travel = Travel::new(&movers.map(|m| Convex::whole(&m)), &posed.states, t, limit);
    // Rounding may put the end of the travel just before the limit.
    travel.times[1].next_up() >= limit && distance > touch + travel.approach(limit - t)
}

impl Moving {
    fn point_velocity(&self, point: DVec3) -> DVec3 {
        self.velocity + self.angular_velocity.cross(point - self.world_from_body.translation)
    }
}

/// Whether the search may take the shapes by their hulls: also a compound over a half-space touches where its hull does.
fn is_convex(movers: &[Mover<'_>; 2]) -> bool {
    let is_half_space = |shape: &Shape| matches!(shape, Shape::HalfSpace(_));
    movers.iter().any(|m| is_half_space(m.shape)) || !movers.iter().any(|m| m.shape.has_parts())
}
