//! Clipping in exact arithmetic: whether two polyhedra overlap, touch or are apart (Moore and Wilhelms 1988, section 2.2,
//! corrected).

use super::expansion::Expansion;
use crate::geometry::ConvexPolyhedron;
use glam::DVec3;
use std::cmp::Ordering;

/// How two closed convex polyhedra meet.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub enum Meeting {
    /// They have no common point.
    Apart,
    /// They have common points, but their interiors have none.
    Touching {
        /// A common point, rounded, m.
        witness: DVec3,
    },
    /// Their interiors have common points.
    Overlapping {
        /// A common inner point, rounded, m.
        witness: DVec3,
    },
}

/// How two polyhedra meet, exactly for the coordinates given, which are all in one frame.
///
/// `None` if one of them is not exactly convex with exactly flat faces, as happens when rounding has moved the corners of faces
/// with more than three, or if a coordinate other than zero is outside [1e-30, 1e30], where products could underflow or overflow.
///
/// ```
/// use impulse::DVec3;
/// use impulse::geometry::ConvexPolyhedron;
/// use impulse::geometry::judge::{Meeting, exact_meeting};
///
/// let corner = |at: DVec3| ConvexPolyhedron::hull(&[at, at + DVec3::X, at + DVec3::Y, at + DVec3::Z]);
/// let (first, second) = (corner(DVec3::ZERO)?, corner(DVec3::X)?);
/// assert_eq!(exact_meeting(&first, &second), Some(Meeting::Touching { witness: DVec3::X }));
/// # Ok::<(), impulse::geometry::NotConvex>(())
/// ```
pub fn exact_meeting(first: &ConvexPolyhedron, second: &ConvexPolyhedron) -> Option<Meeting> {
    let points: Vec<DVec3> = first.vertices().iter().chain(second.vertices()).copied().collect();
    if !points.iter().all(|p| p.to_array().iter().all(|&x| x == 0.0 || (1e-30..=1e30).contains(&x.abs()))) {
        return None;
    }
    let start = first.vertices().len();
    let sides = [sides(first, 0, &points)?, sides(second, start, &points)?];
    let mut ends = ends(first, 0, &sides[1]);
    ends.extend(self::ends(second, start, &sides[0]));
    if ends.is_empty() {
        return Some(Meeting::Apart);
    }
    let witness = ends.iter().map(|end| end.rounded(&points)).sum::<DVec3>() / ends.len() as f64;
    // The mean of the extreme points is an inner point unless all of them lie on the plane of one face.
    let is_inner = |side: &Side| ends.iter().any(|end| end.is_strictly_below(side));
    let is_overlap = sides.iter().flatten().all(is_inner);
    Some(if is_overlap { Meeting::Overlapping { witness } } else { Meeting::Touching { witness } })
}

/// The plane of a face: the heights of all points over it, times the length of a normal.
struct Side {
    heights: Vec<Expansion>,
}

/// An end of the part of an edge that is left after clipping.
struct End {
    edge: [usize; 2],
    at: Fraction,
}

/// How far along an edge, with a positive denominator.
#[derive(Clone)]
struct Fraction {
    over: Expansion,
    under: Expansion,
}

impl Fraction {
    fn exceeds(&self, other: &Self) -> bool {
        self.over.times(&other.under).minus(&other.over.times(&self.under)).sign().is_gt()
    }
}

impl End {
    fn is_strictly_below(&self, side: &Side) -> bool {
        let [p, q] = self.edge.map(|v| &side.heights[v]);
        if p.sign().is_ge() && q.sign().is_ge() {
            return false;
        }
        let rest = self.at.under.minus(&self.at.over);
        p.times(&rest).plus(&q.times(&self.at.over)).sign().is_lt()
    }

    fn rounded(&self, points: &[DVec3]) -> DVec3 {
        let [p, q] = self.edge.map(|v| points[v]);
        p.lerp(q, self.at.over.approximate() / self.at.under.approximate())
    }
}

/// The sides of a body whose vertices begin at `start` among the points; `None` if it is not exactly convex.
fn sides(body: &ConvexPolyhedron, start: usize, points: &[DVec3]) -> Option<Vec<Side>> {
    let own = start..start + body.vertices().len();
    let side = |corners: &[u32]| {
        let [a, b, c] = [0, 1, 2].map(|i| points[start + corners[i] as usize]);
        let heights: Vec<Expansion> = points.iter().map(|&p| height([a, b, c], p)).collect();
        let is_flat = corners.iter().all(|&v| heights[start + v as usize].sign().is_eq());
        let is_convex = heights[own.clone()].iter().all(|h| h.sign().is_le());
        let has_area = heights[own.clone()].iter().any(|h| h.sign().is_lt());
        (is_flat && is_convex && has_area).then_some(Side { heights })
    };
    body.surface().faces().iter().map(side).collect()
}

/// Six times the volume of the tetrahedron from a triangle to a point in front of it.
fn height([a, b, c]: [DVec3; 3], p: DVec3) -> Expansion {
    let [u, v, w] =
        [b, c, p].map(|to| [0, 1, 2].map(|axis| Expansion::difference(to.to_array()[axis], a.to_array()[axis])));
    let minor = |i: usize, j: usize| u[i].times(&v[j]).minus(&u[j].times(&v[i]));
    minor(1, 2).times(&w[0]).plus(&minor(2, 0).times(&w[1])).plus(&minor(0, 1).times(&w[2]))
}

/// The ends of what is left of the edges of a body in the half-spaces of the other one.
fn ends(body: &ConvexPolyhedron, start: usize, others: &[Side]) -> Vec<End> {
    let mut ends = Vec::new();
    for edge in body.edges() {
        let edge = [start + edge.tail as usize, start + edge.head as usize];
        if let Some(clipped) = clipped(edge, others) {
            ends.extend(clipped.map(|at| End { edge, at }));
        }
    }
    ends
}

fn clipped(edge: [usize; 2], sides: &[Side]) -> Option<[Fraction; 2]> {
    let whole = |over: f64| Fraction { over: Expansion::from(over), under: Expansion::from(1.0) };
    let (mut enter, mut leave) = (whole(0.0), whole(1.0));
    for side in sides {
        let [p, q] = edge.map(|v| &side.heights[v]);
        match (p.sign(), q.sign()) {
            (Ordering::Greater, Ordering::Greater) => return None,
            (Ordering::Greater, _) => {
                let cut = Fraction { over: p.clone(), under: p.minus(q) };
                if cut.exceeds(&enter) {
                    enter = cut;
                }
            }
            (_, Ordering::Greater) => {
                let cut = Fraction { over: Expansion::default().minus(p), under: q.minus(p) };
                if leave.exceeds(&cut) {
                    leave = cut;
                }
            }
            _ => {}
        }
    }
    (!enter.exceeds(&leave)).then_some([enter, leave])
}
