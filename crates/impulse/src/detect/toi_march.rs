//! Marching two convex bodies along their trajectories with support functions alone (section 2.3.2, improved).
//!
//! Along a direction `n` that turns at the rate `n'`, the height of one body's point over another's has a known value, a known
//! slope and a bounded second derivative. The least value after `s` seconds over all points takes one support query per body,
//! in the direction `n + s (n' + n x w)`, so a concave function of `s` bounds the separation from below.

use super::toi_axis::{Bending, MovingAxis, axes};
use super::toi_convex::{Convex, Form};
use super::toi_travel::Travel;
use super::trajectory::Moving;
use crate::math::quadratic_roots;
use glam::DVec3;

/// Most steps of one march.
const MARCH_STEPS: u32 = 32;

/// Most rounds of closing in on a root; tangents and chords converge quadratically.
const BRACKET_ROUNDS: usize = 20;

/// Relative width of the bracket at which a root is good enough: the next step of the march makes up for the rest.
const BRACKET_WIDTH: f64 = 0.03;

/// How near two bodies have to come to count as arrived, m.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArrivalGoal {
    /// The distance aimed at, less than the touch distance, so that bodies that have arrived touch.
    aim: f64,
    tolerance: f64,
    /// For bodies that part from a distance below the aim, and are expected back at the aim: the distance they may fall to
    /// before they have risen above it.
    floor: f64,
    floor_tolerance: f64,
}

/// Share of the touch distance that is aimed at: below one, so that bodies that have arrived touch.
pub(crate) const AIM_SHARE: f64 = 0.5;

/// Share of their distance that bodies keep if they are nearer than the aim and do not rise above it.
const KEPT_DISTANCE: f64 = 15.0 / 16.0;

impl ArrivalGoal {
    /// The goal for bodies at `distance` from each other that touch at `touch_distance`.
    pub(super) fn new(touch_distance: f64, distance: f64) -> Self {
        let (aim, tolerance) = (AIM_SHARE * touch_distance, 0.5 * AIM_SHARE * touch_distance);
        let floor = aim.min(KEPT_DISTANCE * distance);
        Self { aim, tolerance, floor, floor_tolerance: tolerance.min(0.25 * (distance - floor)) }
    }

    pub(super) fn aim(&self) -> f64 {
        self.aim
    }

    /// The goal once the bodies have been above the aim.
    fn risen(self) -> Self {
        Self { floor: self.aim, floor_tolerance: self.tolerance, ..self }
    }
}

/// Two bodies where a march begins.
pub(super) struct Start<'a> {
    /// How they move at the start.
    pub(super) states: &'a [Moving; 2],
    /// The direction from the second to the first along which they are apart.
    pub(super) normal: DVec3,
    /// How fast one body's reference point accelerates relative to the other's at most, m/s^2, where that is known.
    pub(super) pull: Option<f64>,
}

/// A time up to which two bodies do not meet, and the number of steps taken to find it. The search runs from the first to the
/// second of `times`.
pub(super) fn march(pair: &[Convex<'_>; 2], start: &Start<'_>, times: [f64; 2], goal: &ArrivalGoal) -> (f64, u32) {
    let [mut t, limit] = times;
    let mut goal = *goal;
    let mut states = [0, 1].map(|i| pair[i].placed(start.states[i]));
    let mut travel = Travel::with_pull(pair, &states, times, start.pull);
    let mut axes = axes(pair, &states, start.normal).map(|axis| axis.map(|axis| (axis, axis.bending(pair, &travel))));
    for step in 1..=MARCH_STEPS {
        let horizon = travel.times[1] - t;
        let mut best: f64 = 0.0;
        for slot in &mut axes {
            let Some((axis, bending)) = slot else { continue };
            match Bound::new(axis, bending, pair, &states, horizon).safe_time(&goal, horizon) {
                Safe::Above(time) => {
                    best = best.max(time);
                    goal = goal.risen();
                }
                Safe::Below(time) => best = best.max(time),
                Safe::Arrived => *slot = None,
            }
        }
        t += best;
        if best == 0.0 || t >= limit {
            return (t.min(limit), step);
        }
        states = pair.map(|part| part.at(t));
        if travel.is_half_over(t) {
            travel = Travel::new(pair, &states, t, limit);
            axes.iter_mut().flatten().for_each(|(axis, bending)| *bending = axis.bending(pair, &travel));
        }
    }
    (t, MARCH_STEPS)
}

/// For how long bodies stay apart along an axis, s.
enum Safe {
    /// They are above the aim, or rise above it, and do not come back to it earlier.
    Above(f64),
    /// They stay above the floor.
    Below(f64),
    /// They have arrived.
    Arrived,
}

/// A lower bound on the separation along an axis, as a function of the time from now.
struct Bound<'a> {
    /// Height of one reference point over the other, m, and its slope, m/s.
    height: f64,
    slope: f64,
    /// Lower bound on the second derivative of all heights, m/s^2.
    bend: f64,
    /// How fast the axis may grow longer than a unit vector, 1/s.
    stretch: f64,
    reaches: [Reach<'a>; 2],
}

/// How far a body reaches towards the other, as a function of time.
struct Reach<'a> {
    form: Form<'a>,
    /// The reference point in the part's frame.
    centre: DVec3,
    /// The direction towards the other body in the part's frame, and its rate.
    outwards: DVec3,
    rate: DVec3,
}

/// A height and its slope.
#[derive(Clone, Copy)]
struct Value {
    height: f64,
    slope: f64,
}

/// Where the search for a root starts: a time, and the height above the level there.
#[derive(Clone, Copy)]
struct Outset {
    time: f64,
    value: Value,
}

impl<'a> Bound<'a> {
    fn new(axis: &MovingAxis, bending: &Bending, pair: &[Convex<'a>; 2], states: &[Moving; 2], horizon: f64) -> Self {
        let (n, rate, per_sine) = axis.at(states);
        let [first, second] = states;
        let between = first.world_from_body.translation - second.world_from_body.translation;
        let (bend, stretch) = bending.bend(per_sine, horizon);
        let reaches = [
            Reach::new(&pair[0], first, -n, -(rate + n.cross(first.angular_velocity))),
            Reach::new(&pair[1], second, n, rate + n.cross(second.angular_velocity)),
        ];
        let is_straight = reaches.iter().all(Reach::is_constant);
        Self {
            height: n.dot(between),
            slope: rate.dot(between) + n.dot(first.velocity - second.velocity),
            // Acceleration apart is ignored where it would make the bound convex.
            bend: if is_straight { bend } else { bend.min(0.0) },
            stretch,
            reaches,
        }
    }

    /// A time up to which the bodies stay as far apart as the goal requires.
    fn safe_time(&self, goal: &ArrivalGoal, horizon: f64) -> Safe {
        let now = Outset { time: 0.0, value: self.at(0.0, 0.0) };
        let above = |level: f64| Outset { value: Value { height: now.value.height - level, ..now.value }, ..now };
        if now.value.height - goal.aim > goal.tolerance {
            return Safe::Above(self.root(goal.aim, above(goal.aim), 0.1 * goal.tolerance, horizon));
        }
        if let Some(start) = self.rise(goal, above(goal.aim).value, horizon) {
            return Safe::Above(self.root(goal.aim, start, 0.1 * goal.tolerance, horizon));
        }
        let left = above(goal.floor);
        if left.value.height > goal.floor_tolerance {
            return Safe::Below(self.root(goal.floor, left, 0.1 * goal.floor_tolerance, horizon));
        }
        Safe::Arrived
    }

    /// A time at which parting bodies have risen above the aim. Until then they lose no height, because the bound is concave.
    fn rise(&self, goal: &ArrivalGoal, now: Value, horizon: f64) -> Option<Outset> {
        // The bound stays below the parabola from here.
        let summit = if self.bend < 0.0 { -now.slope / self.bend } else { horizon };
        let highest = now.height + 0.5 * now.slope * summit;
        if !(now.slope > 0.0 && highest > goal.tolerance) {
            return None;
        }
        let (mut rising, mut falling) = (0.0, summit.min(horizon));
        let mut time = if falling.is_finite() { falling } else { (2.0 * goal.tolerance - now.height) / now.slope };
        for _ in 0..BRACKET_ROUNDS {
            let value = self.at(time, goal.aim);
            if value.height > goal.tolerance {
                return Some(Outset { time, value });
            }
            if value.slope > 0.0 {
                rising = time;
            } else {
                falling = time;
            }
            time = 0.5 * (rising + falling);
        }
        None
    }

    /// The last time up to which the bound stays above a level, to within `slack`, from a start above it.
    fn root(&self, level: f64, start: Outset, slack: f64, horizon: f64) -> f64 {
        // Support functions are convex, so the parabola from here lies above the bound; they agree while the support points
        // stay the same.
        let parabola = quadratic_roots(0.5 * self.bend, start.value.slope, start.value.height).first_from(0.0);
        let mut high = parabola.map_or(f64::INFINITY, |s| start.time + s).min(horizon);
        if high.is_infinite() || self.reaches.iter().all(Reach::is_constant) {
            return high;
        }
        let mut high_value = self.at(high, level);
        let (mut low, mut low_height) = (start.time, start.value.height);
        for _ in 0..BRACKET_ROUNDS {
            if high_value.height >= -slack {
                return high;
            }
            if high - low <= BRACKET_WIDTH * high || low_height <= slack {
                break;
            }
            // The function is concave: its chord lies below it, its tangent above.
            low += (high - low) * (low_height / (low_height - high_value.height));
            low_height = self.at(low, level).height.max(0.0);
            let tangent = high - high_value.height / high_value.slope;
            if high_value.slope < 0.0 && tangent > low && tangent < high {
                high = tangent;
                high_value = self.at(high, level);
            }
        }
        low
    }

    fn at(&self, s: f64, level: f64) -> Value {
        let fixed = self.slope - self.stretch * level;
        let mut value =
            Value { height: self.height - level + (fixed + 0.5 * self.bend * s) * s, slope: fixed + self.bend * s };
        for reach in &self.reaches {
            let (height, slope) = reach.at(s);
            value.height -= height;
            value.slope -= slope;
        }
        value
    }
}

impl<'a> Reach<'a> {
    /// `outwards` and its rate in the world frame.
    fn new(part: &Convex<'a>, state: &Moving, outwards: DVec3, rate: DVec3) -> Self {
        let world_from_part = state.world_from_body.rotation * part.body_from_part.rotation;
        let part_from_world = world_from_part.conjugate();
        Self {
            form: part.form,
            centre: part.body_from_part.inverse_point(DVec3::ZERO),
            outwards: part_from_world * outwards,
            rate: part_from_world * rate,
        }
    }

    fn is_constant(&self) -> bool {
        self.rate == DVec3::ZERO
    }

    /// The reach after some time, and its slope.
    fn at(&self, s: f64) -> (f64, f64) {
        let direction = self.outwards + s * self.rate;
        let point = self.form.support(direction) - self.centre;
        (point.dot(direction), point.dot(self.rate))
    }
}
