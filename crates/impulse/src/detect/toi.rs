//! A lower bound on the time two moving shapes need to come together (section 2.3.2), tight enough to converge quadratically.
//!
//! Along a direction `d` fixed in space the bodies' extreme points have known heights and slopes, and curvatures that are bounded:
//! `min_r r . (d + t d x w)` over a body's points is one support query, so that the separation along `d` at time `t` is at
//! least a concave function of `t`, whose root is bracketed by tangents from one side and chords from the other.

use crate::geometry::Shape;
use crate::math::quadratic_roots;
use glam::{DQuat, DVec3};

/// How the centres of mass of two bodies move relative to each other along the direction from the second to the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closing {
    /// Distance that may be lost before contact, m. Negative for bodies that separate from inside the distance at which they
    /// touch: then the time of coming back to it is sought.
    pub gap: f64,
    /// Velocity of the first centre relative to the second, m/s.
    pub velocity: f64,
    /// Lower bound on its rate of change over the interval in question, m/s^2.
    pub acceleration: f64,
}

/// A shape that turns about its body's centre of mass.
#[derive(Clone, Copy, Debug)]
pub struct Turning<'a> {
    /// The shape, in its own frame.
    pub shape: &'a Shape,
    /// Orientation of the shape's frame.
    pub world_from_shape: DQuat,
    /// Centre of mass in the shape's frame, m.
    pub centre: DVec3,
    /// World frame, rad/s.
    pub angular_velocity: DVec3,
    /// Upper bound on the acceleration of any of its points relative to the centre of mass over the interval, m/s^2.
    pub acceleration: f64,
}

/// Relative width of the bracket at which the root is good enough: what it leaves is made up by the next, better direction.
const BRACKET: f64 = 0.02;

/// Tangents and chords close in quadratically; more rounds than this are not needed.
const ROUNDS: usize = 20;

/// A time (s, at most `horizon`) before which two bodies do not come closer along `direction`, the unit vector from the second
/// to the first, than the gap allows. Shapes that do not turn, and balls turning about their centres, need no `Turning`.
pub fn time_of_impact_bound(
    direction: DVec3,
    closing: &Closing,
    turning: [Option<Turning<'_>>; 2],
    horizon: f64,
) -> f64 {
    if turning.iter().all(Option::is_none) {
        return straight(closing).min(horizon);
    }
    let bound = Bound::new(direction, closing, turning);
    let far = bound.at(horizon);
    if far.height >= 0.0 {
        return horizon;
    }
    let Some((mut low, mut low_height)) = bound.start(horizon) else { return 0.0 };
    let (mut high, mut high_value) = (horizon, far);
    for _ in 0..ROUNDS {
        if high - low <= BRACKET * low {
            break;
        }
        // The function is concave: its chord lies below it, its tangent above.
        low += (high - low) * (low_height / (low_height - high_value.height));
        low_height = bound.at(low).height.max(0.0);
        let tangent = high - high_value.height / high_value.slope;
        if high_value.slope < 0.0 && tangent > low && tangent < high {
            high = tangent;
            high_value = bound.at(high);
        }
        if high_value.height >= 0.0 || low_height == 0.0 {
            break;
        }
    }
    low
}

/// The time at which the gap between bodies that do not turn is used up; infinite if it never is.
fn straight(closing: &Closing) -> f64 {
    let Closing { gap, velocity, acceleration } = *closing;
    let roots = quadratic_roots(0.5 * acceleration, velocity, gap);
    let met = if gap > 0.0 { roots.first_from(0.0) } else { roots.as_slice().last().copied().filter(|&t| t > 0.0) };
    // From inside, coming back takes a fall: without one the bodies part for good.
    if gap <= 0.0 && acceleration >= 0.0 {
        f64::INFINITY
    } else {
        met.unwrap_or(if gap > 0.0 { f64::INFINITY } else { 0.0 })
    }
}

/// The concave lower bound on the separation.
struct Bound<'a> {
    closing: Closing,
    bodies: [Option<Side<'a>>; 2],
}

/// One body's part in it.
struct Side<'a> {
    turning: Turning<'a>,
    /// Outwards along the separation, in the shape's frame: towards the other body.
    outwards: DVec3,
    /// Rate at which that direction turns in the body.
    rate: DVec3,
    /// Height of the shape along `outwards` now.
    height: f64,
}

/// Value and slope.
#[derive(Clone, Copy)]
struct Value {
    height: f64,
    slope: f64,
}

impl<'a> Bound<'a> {
    fn new(direction: DVec3, closing: &Closing, turning: [Option<Turning<'a>>; 2]) -> Self {
        let [first, second] = turning;
        let curvature: f64 = [&first, &second].iter().filter_map(|t| t.as_ref()).map(|t| t.acceleration).sum();
        let bodies = [first.map(|t| Side::new(t, -direction)), second.map(|t| Side::new(t, direction))];
        // Accelerating apart is of no use where it would make the bound convex.
        let acceleration = (closing.acceleration - curvature).min(0.0);
        Self { closing: Closing { acceleration, ..*closing }, bodies }
    }

    /// A time at which the bodies are apart by more than the gap demands, and by how much: now, or near the bound's summit.
    fn start(&self, horizon: f64) -> Option<(f64, f64)> {
        if self.closing.gap > 0.0 {
            return Some((0.0, self.closing.gap));
        }
        let (mut rising, mut falling) = (0.0, horizon);
        for _ in 0..ROUNDS {
            let middle = 0.5 * (rising + falling);
            let value = self.at(middle);
            if value.height > 0.0 {
                return Some((middle, value.height));
            }
            if value.slope > 0.0 {
                rising = middle;
            } else {
                falling = middle;
            }
        }
        None
    }

    fn at(&self, t: f64) -> Value {
        let Closing { gap, velocity, acceleration } = self.closing;
        let mut value =
            Value { height: gap + (velocity + 0.5 * acceleration * t) * t, slope: velocity + acceleration * t };
        for side in self.bodies.iter().flatten() {
            let (height, slope) = side.reach(t);
            value.height -= height;
            value.slope -= slope;
        }
        value
    }
}

impl<'a> Side<'a> {
    /// `outwards` in the world frame.
    fn new(turning: Turning<'a>, outwards: DVec3) -> Self {
        let shape_from_world = turning.world_from_shape.conjugate();
        let mut side = Self {
            outwards: shape_from_world * outwards,
            rate: shape_from_world * outwards.cross(turning.angular_velocity),
            height: 0.0,
            turning,
        };
        side.height = side.reach(0.0).0;
        side
    }

    /// How much farther the shape reaches towards the other body after time `t` than now, and the slope of that.
    fn reach(&self, t: f64) -> (f64, f64) {
        let direction = self.outwards + t * self.rate;
        let point = self.turning.shape.support(direction).unwrap_or_default() - self.turning.centre;
        (point.dot(direction) - self.height, point.dot(self.rate))
    }
}
