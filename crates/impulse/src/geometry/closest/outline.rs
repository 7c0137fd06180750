//! The points that tell all about a contact of many parts: those on the outline of each plane in which they lie.
//!
//! Parts that meet share corners, and a floor of triangles cuts the faces that lie on it. While bodies move as they do in a flight, gaps
//! change linearly with the place in the plane of contact. A point among others, whose gap is at least what lies between theirs, so stays
//! behind them: it can be left out, and what is struck there is shared as by a face in one piece.

use super::touch::Touching;
use crate::math::any_perpendicular;
use glam::{DMat3, DVec2, DVec3};

/// Shares of the slack: points that are the same, and gaps that count as those of the others.
const SAME: f64 = 1e-3;

/// How far the cosine of the angle between normals of one plane may be from one.
const PARALLEL: f64 = 1e-12;

/// Distance from a line, relative to the extent of all points, within which a point lies on it.
const ON_LINE: f64 = 1e-7;

/// Storage for the search, used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    /// Points of one plane by their numbers, and where they are in it.
    plane: Vec<(usize, DVec2)>,
    /// Those on the outline, in order around it.
    hull: Vec<(usize, DVec2)>,
    dropped: Vec<bool>,
}

impl Outline {
    /// Leaves out the points from `first` on that others stand for.
    pub(super) fn keep(&mut self, found: &mut Vec<Touching>, first: usize, slack: f64) {
        drop_same(found, first, SAME * slack);
        self.dropped.clear();
        self.dropped.resize(found.len(), false);
        // Two points have none between them.
        for begin in first..found.len().saturating_sub(2) {
            let is_new = |t: &Touching| !are_coplanar(t, &found[begin], slack);
            if found[first..begin].iter().all(is_new) {
                self.gather(found, begin, slack);
                self.drop_inner(found, SAME * slack);
            }
        }
        let mut dropped = self.dropped.iter();
        found.retain(|_| !dropped.next().is_some_and(|&dropped| dropped));
    }

    /// Finds the points in the plane of one, and their outline.
    fn gather(&mut self, found: &[Touching], begin: usize, slack: f64) {
        let Self { plane, hull, .. } = self;
        let (normal, origin) = (found[begin].normal, found[begin].on_first);
        let tangent = any_perpendicular(normal);
        let to_plane = DMat3::from_cols(tangent, normal.cross(tangent), DVec3::ZERO).transpose();
        plane.clear();
        let coplanar = |(_, t): &(usize, &Touching)| are_coplanar(&found[begin], t, slack);
        let placed = |(i, t): (usize, &Touching)| (begin + i, (to_plane * (t.on_first - origin)).truncate());
        plane.extend(found[begin..].iter().enumerate().filter(coplanar).map(placed));
        plane.sort_unstable_by(|(i, p), (j, q)| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(i.cmp(j)));
        let extent = plane.iter().map(|(_, p)| p.length()).fold(0.0, f64::max);
        hull.clear();
        // Andrew's chains: one along the lower side, one back along the upper.
        add_chain(hull, 0, plane.iter(), ON_LINE * extent);
        let lower = hull.len().saturating_sub(1);
        add_chain(hull, lower, plane.iter().rev(), ON_LINE * extent);
        hull.pop();
    }

    /// Drops the points that lie within the outline and are no nearer than what is between its points.
    fn drop_inner(&mut self, found: &[Touching], same: f64) {
        let Self { plane, hull, dropped } = self;
        for &(i, p) in plane.iter().filter(|(i, _)| !hull.iter().any(|(j, _)| i == j)) {
            dropped[i] = found[i].gap >= gap_between(found, hull, p) - same;
        }
    }
}

/// Leaves the nearer one of points that are the same.
fn drop_same(found: &mut Vec<Touching>, first: usize, same: f64) {
    let mut kept = first;
    for i in first..found.len() {
        let point = found[i];
        let is_same = |t: &&mut Touching| {
            t.on_first.distance_squared(point.on_first) <= same * same && t.normal.dot(point.normal) >= 1.0 - PARALLEL
        };
        match found[first..kept].iter_mut().find(is_same) {
            Some(known) if point.gap < known.gap => *known = point,
            Some(_) => {}
            None => {
                found[kept] = point;
                kept += 1;
            }
        }
    }
    found.truncate(kept);
}

/// Whether two points of flat surfaces lie in one plane across their normal.
fn are_coplanar(a: &Touching, b: &Touching, slack: f64) -> bool {
    let flat = |t: &Touching| t.bends == [DMat3::ZERO; 2];
    flat(a)
        && flat(b)
        && a.normal.dot(b.normal) >= 1.0 - PARALLEL
        && (b.on_first - a.on_first).dot(a.normal).abs() <= slack
}

/// Adds points that turn left all the way, to what is there from `begin` on.
fn add_chain<'a>(
    hull: &mut Vec<(usize, DVec2)>,
    begin: usize,
    points: impl Iterator<Item = &'a (usize, DVec2)>,
    on_line: f64,
) {
    for &(i, p) in points.skip(usize::from(begin > 0)) {
        while hull.len() >= begin + 2 {
            let [a, b] = [hull[hull.len() - 2].1, hull[hull.len() - 1].1];
            if (b - a).perp_dot(p - a) > on_line * (p - a).length() {
                break;
            }
            hull.pop();
        }
        hull.push((i, p));
    }
}

/// The gap at a place, as it is between the points of an outline.
fn gap_between(found: &[Touching], hull: &[(usize, DVec2)], p: DVec2) -> f64 {
    let gap = |k: usize| found[hull[k].0].gap;
    let (origin, p) = (hull[0].1, p - hull[0].1);
    if hull.len() == 2 {
        let along = hull[1].1 - origin;
        let share = p.dot(along) / along.length_squared();
        return gap(0) + share * (gap(1) - gap(0));
    }
    // The triangle of the fan in which the place lies.
    let is_last = |k: usize| k + 2 == hull.len() || (hull[k + 1].1 - origin).perp_dot(p) <= 0.0;
    let k = (1..hull.len() - 1).find(|&k| is_last(k)).unwrap_or(1);
    let (a, b) = (hull[k].1 - origin, hull[k + 1].1 - origin);
    let area = a.perp_dot(b);
    let (u, v) = (p.perp_dot(b) / area, a.perp_dot(p) / area);
    gap(0) + u * (gap(k) - gap(0)) + v * (gap(k + 1) - gap(0))
}

#[cfg(test)]
mod tests {
    use super::{Outline, Touching};
    use glam::{DMat3, DVec3};
    use proptest::prelude::*;

    const SLACK: f64 = 1e-4;

    fn touching(at: DVec3, gap: f64) -> Touching {
        let turns = DMat3::ZERO;
        Touching { on_first: at, normal: DVec3::Z, gap, bends: [turns; 2], carriers: [turns; 2], slider: turns }
    }

    fn kept(mut points: Vec<Touching>) -> Vec<Touching> {
        Outline::default().keep(&mut points, 0, SLACK);
        points
    }

    #[test]
    fn a_face_of_parts_has_the_corners_of_one_in_a_piece() {
        let grid = (0..9).map(|i| DVec3::new(f64::from(i % 3), f64::from(i / 3), 0.0));
        // Every part has its own corners.
        let points: Vec<Touching> = grid.clone().chain(grid).map(|at| touching(at, 1e-6)).collect();
        let mut corners: Vec<[f64; 2]> = kept(points).iter().map(|t| [t.on_first.x, t.on_first.y]).collect();
        corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(corners, [[0.0, 0.0], [0.0, 2.0], [2.0, 0.0], [2.0, 2.0]]);
    }

    #[test]
    fn what_is_nearer_than_the_outline_stays() {
        let corners =
            [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| touching(DVec3::new(x, y, 0.0), 5e-5));
        let knob = touching(DVec3::new(0.3, 0.6, 0.0), 4e-5);
        let dent = touching(DVec3::new(0.6, 0.3, 0.0), 6e-5);
        let left = kept(corners.into_iter().chain([knob, dent]).collect());
        assert!(left.len() == 5 && left.contains(&knob) && !left.contains(&dent));
    }

    #[test]
    fn what_lies_on_a_line_keeps_its_ends() {
        let points = [0.5, 0.0, 0.25, 1.0, 0.5].map(|x| touching(DVec3::new(x, 2.0 * x, 0.0), 0.0));
        assert_eq!(kept(points.to_vec()), [points[1], points[3]]);
    }

    proptest! {
        /// However the bodies move, the least gap is at a point that was kept.
        #[test]
        fn the_least_gap_is_kept(
            places in prop::collection::vec([-1.0..1.0_f64, -1.0..1.0, 0.0..1.0], 1..40),
            round in 0..3_u32,
            tilts in prop::collection::vec([-1.0..1.0_f64, -1.0..1.0], 20),
        ) {
            // On a coarse grid many points are the same, or lie on a line.
            let step = [1e-9, 0.25, 0.5][round as usize];
            let coarse = |x: f64| (x / step).round() * step;
            let points: Vec<Touching> =
                places.iter().map(|&[x, y, gap]| touching(DVec3::new(coarse(x), coarse(y), 0.0), SLACK * coarse(gap))).collect();
            let left = kept(points.clone());
            prop_assert!(left.iter().all(|t| points.contains(t)));
            for [a, b] in tilts {
                let least = |points: &[Touching]| {
                    let gap = |t: &Touching| t.gap + a * t.on_first.x + b * t.on_first.y;
                    points.iter().map(gap).fold(f64::INFINITY, f64::min)
                };
                prop_assert!(least(&left) <= least(&points) + 2.0 * super::SAME * SLACK);
            }
        }
    }
}
