//! A link of a linkage: its linkage was integrated ahead, and the polynomials found are the link's trajectory (sections 5.1, 5.2).
//!
//! Each piece holds polynomials of the time for the centre of mass and the attitude. What detection asks are ranges of these polynomials,
//! by Bernstein coefficients: they bound the motion whatever it is, and nothing is ever backed up.

use super::bounds::{Range, SpinBounds};
use super::{Acceleration, PrincipalMass, State};
use crate::geometry::Aabb;
use crate::math::{COEFFICIENTS, GAUSS_POINTS, Pose, bernstein, derivative, integral, shifted, through, value};
use glam::{DMat3, DQuat, DVec3, DVec4};
use serde::{Deserialize, Serialize};

/// A vector's polynomial.
type Curve = [DVec3; COEFFICIENTS];

/// The way of a link as far as its linkage has been integrated.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LinkPath {
    pub(super) mass: PrincipalMass,
    /// Consecutive.
    pieces: Vec<LinkPiece>,
    /// Until when the last one holds, s; none for ever.
    until: Option<f64>,
    /// Whether lasting contact holds its linkage at rest.
    frozen: bool,
}

/// What a piece of a link's way is made from.
#[derive(Clone, Copy, Debug)]
pub struct LinkNodes {
    /// When it begins, s.
    pub start: f64,
    /// Its duration, s.
    pub length: f64,
    /// Pose then.
    pub pose: Pose,
    /// Velocity of the centre of mass then, m/s.
    pub velocity: DVec3,
    /// Accelerations of the centre of mass at Gauss' points, m/s^2.
    pub linear: [DVec3; GAUSS_POINTS],
    /// Rates of the attitude there, 1/s.
    pub turning: [DVec4; GAUSS_POINTS],
}

/// One piece: polynomials of the time, which runs from -1 to 1.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LinkPiece {
    start: f64,
    /// None for a link at rest for ever.
    length: Option<f64>,
    centre: Curve,
    /// m/s.
    velocity: Curve,
    /// m/s^2.
    acceleration: Curve,
    attitude: [DVec4; COEFFICIENTS],
    /// Body frame, rad/s, up to what `slack` says.
    spin: Curve,
    /// Of the spin, rad/s^2.
    spin_rate: Curve,
    slack: Slack,
}

/// How far the angular velocity may be from the polynomial of degree nine for it.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Slack {
    /// rad/s.
    spin: f64,
    /// rad/s^2.
    spin_rate: f64,
    /// Of the square of the attitude's length from one.
    square: f64,
    /// Its rate, 1/s.
    square_rate: f64,
}

impl LinkPath {
    /// A link that begins with a piece.
    pub fn new(mass: PrincipalMass, first: LinkPiece) -> Self {
        let until = Some(first.start);
        Self { mass, pieces: vec![first], until, frozen: false }
    }

    /// Goes on with a piece that holds until a time (s), and forgets those that ended before another.
    pub fn go_on(&mut self, piece: LinkPiece, until: f64, past: f64) {
        let passed = self.pieces.windows(2).take_while(|pair| pair[1].start <= past).count();
        self.pieces.drain(..passed);
        // What begins where the last one did replaces it: nothing of that has been gone.
        if self.pieces.last().is_some_and(|last| last.start >= piece.start) {
            self.pieces.pop();
        }
        self.pieces.push(piece);
        self.until = until.is_finite().then_some(until);
    }

    /// Is held at rest by lasting contact with its linkage, or no longer.
    pub fn set_frozen(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    /// Whether lasting contact holds its linkage at rest.
    pub fn is_frozen(&self) -> bool {
        self.frozen
    }

    /// Until when the way is known, s.
    pub fn known_until(&self) -> f64 {
        self.until.unwrap_or(f64::INFINITY)
    }

    /// Whether all numbers are finite, and the pieces follow each other.
    pub(super) fn is_sound(&self) -> bool {
        let sound = |piece: &LinkPiece| {
            let curves = [&piece.centre, &piece.velocity, &piece.acceleration, &piece.spin, &piece.spin_rate];
            let Slack { spin, spin_rate, square, square_rate } = piece.slack;
            curves.iter().all(|curve| curve.iter().all(|c| crate::math::is_moderate(*c)))
                && piece.attitude.iter().all(|c| c.is_finite())
                && piece.attitude_at(0.0).is_finite()
                && piece.start.is_finite()
                && piece.length.is_none_or(|length| length > 0.0 && length.is_finite())
                && [spin, spin_rate, square, square_rate].iter().all(|x| x.is_finite() && *x >= 0.0)
        };
        !self.pieces.is_empty()
            && self.pieces.iter().all(sound)
            && self.pieces.windows(2).all(|pair| pair[0].start <= pair[1].start)
            && PrincipalMass::new(self.mass.mass(), self.mass.moments()).is_ok()
    }

    fn piece_at(&self, t: f64) -> &LinkPiece {
        let after = self.pieces.partition_point(|piece| piece.start <= t);
        &self.pieces[after.max(1) - 1]
    }

    /// The state at a time.
    pub fn state_at(&self, t: f64) -> State {
        self.piece_at(t).state_at(t)
    }

    /// Accelerations at a time.
    pub fn acceleration_at(&self, t: f64) -> Acceleration {
        self.piece_at(t).acceleration_at(t)
    }

    /// Speed (m/s) and acceleration (m/s^2) of the centre of mass at a time.
    pub(super) fn speeds_at(&self, t: f64) -> [f64; 2] {
        let piece = self.piece_at(t);
        let x = piece.place(t);
        [value(&piece.velocity, x).length(), value(&piece.acceleration, x).length()]
    }

    pub(super) fn swept(&self, times: Range) -> Aabb {
        let boxes = self.windows(times).map(|(piece, window)| {
            let (min, max) = extent(&bernstein(&piece.centre, window));
            let slack = DVec3::splat(super::bounds::ROUNDING * size(&piece.centre));
            Aabb { min: min - slack, max: max + slack }
        });
        boxes.reduce(|a, b| Aabb { min: a.min.min(b.min), max: a.max.max(b.max) }).expect("a link has a piece")
    }

    pub(super) fn velocity_along(&self, d: DVec3, times: Range) -> Range {
        self.along(d, times, |piece| &piece.velocity)
    }

    pub(super) fn acceleration_along(&self, d: DVec3, times: Range) -> Range {
        self.along(d, times, |piece| &piece.acceleration)
    }

    pub(super) fn accelerations(&self, times: Range) -> [Range; 3] {
        let ranges = self.windows(times).map(|(piece, window)| {
            let (middle, reach) = centred(&piece.acceleration, window);
            let (min, max) = (middle - reach, middle + reach);
            [0, 1, 2].map(|k| Range::new(min[k], max[k]).with_rounding(size(&piece.acceleration)))
        });
        ranges.reduce(|a, b| [0, 1, 2].map(|k| a[k].union(b[k]))).expect("a link has a piece")
    }

    fn along<'a>(&'a self, d: DVec3, times: Range, curve: impl Fn(&'a LinkPiece) -> &'a Curve) -> Range {
        let ranges = self.windows(times).map(|(piece, window)| {
            let hull = bernstein(&curve(piece).map(|c| c.dot(d)), window);
            let (min, max) = hull.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &c| (a.min(c), b.max(c)));
            Range::new(min, max).with_rounding(size(curve(piece)) * d.length())
        });
        ranges.reduce(Range::union).expect("a link has a piece")
    }

    pub(super) fn spin_bounds(&self, times: Range) -> SpinBounds {
        self.windows(times)
            .map(|(piece, window)| piece.spin_bounds(window))
            .reduce(SpinBounds::union)
            .expect("a link has a piece")
    }

    /// The pieces of an interval of time, each with the window in which it holds.
    fn windows(&self, times: Range) -> impl Iterator<Item = (&LinkPiece, (f64, f64))> {
        let first = self.pieces.partition_point(|piece| piece.start <= times.min).max(1) - 1;
        let last = self.pieces.partition_point(|piece| piece.start < times.max).max(first + 1);
        (first..last).map(move |i| {
            let piece = &self.pieces[i];
            let from = if i == first { times.min } else { piece.start };
            let to = if i + 1 == last { times.max } else { self.pieces[i + 1].start };
            let [from, to] = [from, to].map(|t| piece.place(t));
            (piece, (0.5 * (from + to), 0.5 * (to - from)))
        })
    }
}

impl LinkPiece {
    /// The piece that begins with a pose and a velocity and has these accelerations and rates at Gauss' points.
    pub fn new(nodes: &LinkNodes) -> Self {
        let half = 0.5 * nodes.length;
        let linear = through(&nodes.linear);
        let faster: [DVec3; GAUSS_POINTS + 1] = integral(&linear, half, nodes.velocity);
        let attitude = integral(&through(&nodes.turning), half, DVec4::from(nodes.pose.rotation));
        let mut piece = Self {
            start: nodes.start,
            length: Some(nodes.length),
            centre: integral(&faster, half, nodes.pose.translation),
            velocity: padded(&faster),
            acceleration: padded(&linear),
            attitude,
            spin: [DVec3::ZERO; COEFFICIENTS],
            spin_rate: [DVec3::ZERO; COEFFICIENTS],
            slack: Slack::default(),
        };
        piece.find_spin();
        piece
    }

    /// A link at rest from a time on.
    pub fn resting(start: f64, pose: Pose) -> Self {
        let constant = |c: DVec3| {
            let mut curve = [DVec3::ZERO; COEFFICIENTS];
            curve[0] = c;
            curve
        };
        let none = constant(DVec3::ZERO);
        let mut attitude = [DVec4::ZERO; COEFFICIENTS];
        attitude[0] = pose.rotation.into();
        Self {
            start,
            length: None,
            centre: constant(pose.translation),
            velocity: none,
            acceleration: none,
            attitude,
            spin: none,
            spin_rate: none,
            slack: Slack::default(),
        }
    }

    /// The angular velocity `2 q* q' / q^2`, up to degree nine, and what is left of it.
    fn find_spin(&mut self) {
        const PRODUCT: usize = 2 * COEFFICIENTS - 1;
        let rate = self.rate();
        let (mut spin, mut square) = ([DVec3::ZERO; PRODUCT], [0.0; PRODUCT]);
        for (i, &p) in self.attitude.iter().enumerate() {
            for (j, &q) in self.attitude.iter().enumerate() {
                square[i + j] += p.dot(q);
                if j > 0 {
                    let (u, v) = (p.truncate(), q.truncate());
                    spin[i + j - 1] += (v * p.w - u * q.w - u.cross(v)) * (2.0 * rate * j as f64);
                }
            }
        }
        self.spin.copy_from_slice(&spin[..COEFFICIENTS]);
        self.spin_rate = derivative(&self.spin).map(|c| c * rate);
        for (k, c) in spin.iter().enumerate().skip(COEFFICIENTS) {
            self.slack.spin += c.length();
            self.slack.spin_rate += k as f64 * rate * c.length();
        }
        self.slack.square = (square[0] - 1.0).abs();
        for (k, c) in square.iter().enumerate().skip(1) {
            self.slack.square += c.abs();
            self.slack.square_rate += k as f64 * rate * c.abs();
        }
    }

    fn spin_bounds(&self, window: (f64, f64)) -> SpinBounds {
        let Slack { mut spin, mut spin_rate, square, square_rate } = self.slack;
        spin += super::bounds::ROUNDING * size(&self.spin);
        spin_rate += super::bounds::ROUNDING * size(&self.spin_rate);
        let more = 1.0 / (1.0 - square);
        let [(velocity, wider), (rate, faster)] = [&self.spin, &self.spin_rate].map(|curve| centred(curve, window));
        let speed = (velocity.length() + wider.length() + spin) * more;
        // What the changing length of the attitude adds.
        let rest = spin_rate + speed * square_rate * more;
        let acceleration = (rate.length() + faster.length() + rest) * more;
        let (low, high) = (velocity - wider - spin, velocity + wider + spin);
        let (slow, fast) = (rate - faster - rest, rate + faster + rest);
        let most = low.abs().max(high.abs());
        let entry = |i: usize, j: usize, k: usize, sign: f64| {
            let products = [low[i] * low[j], low[i] * high[j], high[i] * low[j], high[i] * high[j]];
            let (least, largest) =
                products.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &x| (a.min(x), b.max(x)));
            let [turn_low, turn_high] = if sign > 0.0 { [slow[k], fast[k]] } else { [-fast[k], -slow[k]] };
            (least + turn_low).abs().max((largest + turn_high).abs())
        };
        let square_of = |i: usize, j: usize| most[i] * most[i] + most[j] * most[j];
        let columns = [
            DVec3::new(square_of(1, 2), entry(0, 1, 2, 1.0), entry(0, 2, 1, -1.0)),
            DVec3::new(entry(0, 1, 2, -1.0), square_of(0, 2), entry(1, 2, 0, 1.0)),
            DVec3::new(entry(0, 2, 1, 1.0), entry(1, 2, 0, -1.0), square_of(0, 1)),
        ];
        let point_acceleration = DMat3::from_cols(columns[0], columns[1], columns[2]) * (more * more);
        SpinBounds { components: most * more, speed, acceleration, point_acceleration }.with_rounding()
    }

    fn state_at(&self, t: f64) -> State {
        let x = self.place(t);
        let q = self.attitude_at(x);
        let rate: DVec4 =
            self.attitude.iter().enumerate().skip(1).rev().fold(DVec4::ZERO, |sum, (k, &c)| sum * x + c * k as f64);
        let spin = conjugate_times(q, rate) * (2.0 * self.rate() / q.length_squared());
        let rotation = DQuat::from_vec4(q).normalize();
        let pose = Pose { rotation, translation: value(&self.centre, x) };
        State { world_from_body: pose, velocity: value(&self.velocity, x), spin }
    }

    fn acceleration_at(&self, t: f64) -> Acceleration {
        let x = self.place(t);
        let rotation = DQuat::from_vec4(self.attitude_at(x)).normalize();
        Acceleration { linear: value(&self.acceleration, x), angular: rotation * value(&self.spin_rate, x) }
    }

    fn attitude_at(&self, x: f64) -> DVec4 {
        value(&self.attitude, x)
    }

    /// The time as the polynomials count it.
    fn place(&self, t: f64) -> f64 {
        self.length.map_or(0.0, |length| 2.0 * ((t - self.start) / length) - 1.0)
    }

    /// By how much that grows in a second.
    fn rate(&self) -> f64 {
        self.length.map_or(0.0, |length| 2.0 / length)
    }
}

/// Vector part of the quaternion product `p* q`.
fn conjugate_times(p: DVec4, q: DVec4) -> DVec3 {
    let (u, v) = (p.truncate(), q.truncate());
    v * p.w - u * q.w - u.cross(v)
}

fn padded<const N: usize>(curve: &[DVec3; N]) -> Curve {
    let mut all = [DVec3::ZERO; COEFFICIENTS];
    all[..N].copy_from_slice(curve);
    all
}

/// What rounding of a curve's values is relative to: what is added up may be much larger than the sum.
fn size(curve: &Curve) -> f64 {
    curve.iter().fold(0.0, |sum, c| sum + c.abs().max_element())
}

/// What a curve does in a window: its value in the middle, and how far it goes from there at most, axis by axis. Short pieces are
/// nearly straight, so that this is as tight as a hull of Bernstein coefficients, and much cheaper.
fn centred(curve: &Curve, (middle, half): (f64, f64)) -> (DVec3, DVec3) {
    let shifted = shifted(curve, middle);
    let reach = shifted[1..].iter().rev().fold(DVec3::ZERO, |sum, c| (sum + c.abs()) * half);
    (shifted[0], reach)
}

fn extent(hull: &Curve) -> (DVec3, DVec3) {
    hull.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(a, b), &c| (a.min(c), b.max(c)))
}
