//! Newton's method for the direction between two convex bodies whose touching pieces are known (section 2.2).
//!
//! The distance is the largest, over all unit vectors `n`, of the height `s(n)` at which the difference of the bodies begins
//! along `n`. On one piece `i` its lowest point `w_i(n)` moves smoothly with `n`. At the solution the active pieces, at most
//! three, begin at the same height, and a weighted mean of their points lies along `n`:
//!
//! `n . (w_i - w_1) = 0`, `sum l_i w_i = d n`, `sum l_i = 1`.
//!
//! This system stays regular as the distance goes to zero wherever the bodies are curved or an edge or a face takes part: the
//! direction is never taken from the difference of two close points unless these are corners. An answer is accepted only with
//! a proof: along `n` no point of the difference lies lower than the mean of the active points (to rounding).

use super::core::Disc;
use super::difference::{Difference, DifferencePiece, Vertex};
use crate::math::any_perpendicular;
use glam::{DMat2, DVec2, DVec3};
use serde::{Deserialize, Serialize};

/// Proven closest points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polished {
    /// Unit vector from the second body to the first.
    pub(super) n: DVec3,
    /// Closest point of the first body.
    pub(super) a: DVec3,
    /// Closest point of the second body.
    pub(super) b: DVec3,
    /// The active pieces.
    pub(super) active: Active,
}

impl Polished {
    /// Solved if the height of the first point over the second is positive. Otherwise the bodies overlap a little, which the
    /// search finds out from this point.
    fn at_height(self, height: f64, piece: DifferencePiece) -> Attempt {
        if height > 0.0 { Attempt::Solved(self) } else { Attempt::Lower(Difference::joined(piece, self.a, self.b)) }
    }
}

/// Up to three pieces of the difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<DifferencePiece>", into = "Vec<DifferencePiece>")]
pub(super) struct Active {
    pieces: [DifferencePiece; 3],
    len: u8,
}

impl From<Active> for Vec<DifferencePiece> {
    fn from(active: Active) -> Self {
        active.pieces().to_vec()
    }
}

impl TryFrom<Vec<DifferencePiece>> for Active {
    type Error = &'static str;

    fn try_from(pieces: Vec<DifferencePiece>) -> Result<Self, Self::Error> {
        let mut active = Self::default();
        let all = pieces.into_iter().all(|piece| active.add(piece));
        all.then_some(active).ok_or("at most three different pieces are active")
    }
}

impl Active {
    pub(super) fn pieces(&self) -> &[DifferencePiece] {
        &self.pieces[..usize::from(self.len)]
    }

    /// Adds a piece unless it is present or there are three; returns whether it did.
    pub(super) fn add(&mut self, piece: DifferencePiece) -> bool {
        let fits = self.len < 3 && !self.pieces().contains(&piece);
        if fits {
            self.pieces[usize::from(self.len)] = piece;
            self.len += 1;
        }
        fits
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn remove(&mut self, index: usize) {
        self.pieces.copy_within(index + 1.., index);
        self.len -= 1;
    }
}

/// The result of an attempt.
pub(super) enum Attempt {
    /// Proven closest points.
    Solved(Polished),
    /// Not solved; this point of the difference is lower along a direction worth searching.
    Lower(Vertex),
    /// Not solved, and nothing learnt.
    Failed,
}

/// Sets of pieces tried before the general search continues.
const POLISH_ROUNDS: usize = 5;

/// Most Newton steps per set of pieces. Convergence is quadratic: from a fair start five suffice.
const POLISH_STEPS: usize = 9;

/// Turn of the direction, radians, below which the next step would be below rounding.
const CONVERGED: f64 = 1e-8;

/// Largest turn per step, radians: beyond it the linear model is useless.
const MAX_TURN: f64 = 0.5;

/// Rounding of a height, relative to the coordinates it is computed from.
pub(super) const HEIGHT_ROUNDING: f64 = 2e-15;

/// Tries to find and prove the closest points from a direction and pieces near the solution. `steps` counts Newton's steps.
pub(super) fn polish(difference: &Difference<'_>, start: DVec3, mut active: Active, steps: &mut u32) -> Attempt {
    if let Some((solved, height)) = flat_contact(difference, start) {
        return solved.at_height(height, DifferencePiece::default());
    }
    let mut n = start;
    let mut lower = Attempt::Failed;
    for _ in 0..POLISH_ROUNDS {
        let Some(system) = newton(difference, n, &mut active, steps) else { break };
        n = system.n;
        let Vertex { a, b, w, .. } = system.nearest;
        let height = n.dot(w);
        let lowest = difference.lowest(n, active.pieces()[0]);
        if n.dot(lowest.w) >= height - HEIGHT_ROUNDING * (a.length() + b.length()) {
            return Polished { n, a, b, active }.at_height(height, active.pieces()[0]);
        }
        lower = Attempt::Lower(lowest);
        if !active.add(lowest.piece) {
            break;
        }
    }
    lower
}

/// Newton's method on the pieces; those whose weight turns negative are left out.
fn newton(difference: &Difference<'_>, mut n: DVec3, active: &mut Active, steps: &mut u32) -> Option<System> {
    while !active.is_empty() {
        let (system, weights) = iterate(difference, n, active, steps)?;
        match most_negative(&weights[..usize::from(active.len)]) {
            Some(piece) => active.remove(piece),
            None => return Some(system),
        }
        n = system.n;
    }
    None
}

/// The solved system, and the weights of its pieces.
fn iterate(difference: &Difference<'_>, n: DVec3, active: &Active, steps: &mut u32) -> Option<(System, [f64; 3])> {
    let share = 1.0 / f64::from(active.len);
    let mut weights = [0, 1, 2].map(|i| if i < active.len { share } else { 0.0 });
    let mut system = System::new(difference, n, active, &weights);
    for _ in 0..POLISH_STEPS {
        *steps += 1;
        let (turn, change) = step(&system)?;
        weights[1] += change.x;
        weights[2] += change.y;
        weights[0] = 1.0 - weights[1] - weights[2];
        let length = turn.length();
        let turn = if length > MAX_TURN { turn * (MAX_TURN / length) } else { turn };
        let n = (system.n + system.tangents[0] * turn.x + system.tangents[1] * turn.y).normalize();
        system = System::new(difference, n, active, &weights);
        // Near the axis of a rim a small turn moves its lowest point far, and between two close corners the direction never
        // settles: check the points as well.
        if system.is_solved(f64::EPSILON) || (length < CONVERGED && system.is_solved(HEIGHT_ROUNDING)) {
            return Some((system, weights));
        }
    }
    None
}

/// The linear system of one of Newton's steps, in a basis of the plane across `n`:
/// `residual - curvature turn + slopes change = 0`, `heights + slopes^T turn = 0`.
struct System {
    n: DVec3,
    tangents: [DVec3; 2],
    /// Mean point of the pieces.
    nearest: Vertex,
    /// Part of the mean point across `n`.
    residual: DVec2,
    /// Radii of curvature plus distance.
    curvature: DMat2,
    /// Parts of `w_2 - w_1` and `w_3 - w_1` across `n`.
    slopes: [DVec2; 2],
    /// Their parts along `n`.
    heights: DVec2,
    /// Number of pieces.
    len: u8,
}

impl System {
    fn new(difference: &Difference<'_>, n: DVec3, active: &Active, weights: &[f64; 3]) -> Self {
        let t = any_perpendicular(n);
        let tangents = [t, n.cross(t)];
        let across = |v: DVec3| DVec2::new(tangents[0].dot(v), tangents[1].dot(v));
        let (mut slopes, mut heights, mut curvature) = ([DVec2::ZERO; 2], DVec2::ZERO, DMat2::ZERO);
        let (mut base, mut a, mut b) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
        for (i, (&piece, &weight)) in active.pieces().iter().zip(weights).enumerate() {
            let vertex = difference.at(piece, n);
            a += vertex.a * weight;
            b += vertex.b * weight;
            if i == 0 {
                base = vertex.w;
            } else {
                slopes[i - 1] = across(vertex.w - base);
                heights[i - 1] = n.dot(vertex.w - base);
            }
            if !difference.is_point(piece) {
                let bends = tangents.map(|t| across(difference.bend(piece, n, t)));
                curvature += DMat2::from_cols(bends[0], bends[1]) * weight;
            }
        }
        let nearest = Difference::joined(active.pieces[0], a, b);
        curvature += DMat2::from_diagonal(DVec2::splat(n.dot(nearest.w)));
        Self { n, tangents, residual: across(nearest.w), nearest, curvature, slopes, heights, len: active.len }
    }

    /// Whether the pieces have the same height and their mean point lies along `n`, up to some relative rounding of the points
    /// and of `n`.
    fn is_solved(&self, rounding: f64) -> bool {
        let size = self.nearest.a.length() + self.nearest.b.length();
        // How far a turn of the size of rounding moves the points along the residual.
        let radius = (self.curvature * self.residual.normalize_or_zero()).length();
        let allowed = rounding * (size + radius.min(MAX_RADIUS * size));
        self.residual.length() <= allowed && self.heights.length() <= rounding * size
    }
}

/// Radii of curvature beyond this multiple of the size are those of faces, on which a direction does not determine a point.
const MAX_RADIUS: f64 = 1e3;

/// Turn of the direction and changes of the second and third weight; `None` where the pieces do not determine them.
fn step(system: &System) -> Option<(DVec2, DVec2)> {
    let System { residual, curvature, slopes: [g, h], heights, len, .. } = *system;
    match len {
        1 => Some((solve(curvature, residual)?, DVec2::ZERO)),
        2 => {
            let squared = g.length_squared();
            let (along, side) = (g * (-heights.x / squared), g.perp());
            let stiffness = side.dot(curvature * side);
            if stiffness <= 0.0 || stiffness.is_nan() {
                return None;
            }
            let turn = along + side * (side.dot(residual - curvature * along) / stiffness);
            Some((turn, DVec2::new(g.dot(curvature * turn - residual) / squared, 0.0)))
        }
        _ => {
            let slopes = DMat2::from_cols(g, h);
            let turn = solve(slopes.transpose(), -heights)?;
            Some((turn, solve(slopes, curvature * turn - residual)?))
        }
    }
}

/// Determinants below this share of the product of the columns' lengths count as zero.
const SINGULAR_SYSTEM: f64 = 1e-13;

fn solve(matrix: DMat2, right: DVec2) -> Option<DVec2> {
    let determinant = matrix.determinant();
    let regular = determinant.abs() > SINGULAR_SYSTEM * matrix.x_axis.length() * matrix.y_axis.length();
    let solution = DVec2::new(right.perp_dot(matrix.y_axis), matrix.x_axis.perp_dot(right)) / determinant;
    regular.then_some(solution)
}

/// Weights count as negative below minus this.
const NEGATIVE_WEIGHT: f64 = 1e-15;

fn most_negative(weights: &[f64]) -> Option<usize> {
    let (i, weight) = weights.iter().enumerate().min_by(|x, y| x.1.total_cmp(y.1))?;
    (*weight < -NEGATIVE_WEIGHT).then_some(i)
}

/// Directions whose part across the axis is shorter than this are tried as normals of a disc.
const NEARLY_AXIAL: f64 = 0.2;

/// The solution, and its height, where a point of one body lies over the interior of a flat round face of the other. Rims
/// cannot decide this: along the axis of a disc every point of its rim is lowest.
fn flat_contact(difference: &Difference<'_>, n: DVec3) -> Option<(Polished, f64)> {
    let is_axial = |v: DVec3| v.truncate().length_squared() < NEARLY_AXIAL * NEARLY_AXIAL;
    let covers = |disc: &Disc, p: DVec3| p.truncate().length_squared() <= disc.radius * disc.radius;
    let active = Active::default();
    if let Some(disc) = difference.first.disc(-n).filter(|_| is_axial(n)) {
        let n = DVec3::new(0.0, 0.0, -1f64.copysign(disc.z));
        let b = difference.lowest(n, DifferencePiece::default()).b;
        if covers(&disc, b) {
            let a = b.with_z(disc.z);
            return Some((Polished { n, a, b, active }, n.dot(a - b)));
        }
    }
    let inward = difference.in_second(n);
    let disc = difference.second.disc(inward).filter(|_| is_axial(inward))?;
    let axis = DVec3::new(0.0, 0.0, 1f64.copysign(disc.z));
    let n = difference.in_first(axis).normalize();
    let a = difference.lowest(n, DifferencePiece::default()).a;
    let local = difference.point_in_second(a);
    let b = difference.point_in_first(local.with_z(disc.z));
    // The height is computed in the frame of the disc: the difference of the points would contain the rounding of the pose.
    covers(&disc, local).then_some((Polished { n, a, b, active }, (local.z - disc.z) * axis.z))
}
