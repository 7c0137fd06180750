//! Penetration depth of convex polyhedra: the shortest way to separate them, for messages about bodies that overlap at the
//! start.
//!
//! The bodies overlap where the difference set {a - b} contains the origin, and the depth is the origin's distance from the
//! set's surface. The surface is approached from inside by the exact hull of ever more of its points.

use super::views::BodyViews;
use crate::geometry::polyhedron::newell_plane;
use crate::geometry::{ConvexPolyhedron, convex_hull};
use crate::math::Pose;
use glam::DVec3;

/// Relative accuracy of the depth.
const EXACTNESS: f64 = 1e-7;

/// Most rounds in which faces of the hull are pushed outwards, and most faces pushed in one.
const MOST_ROUNDS: u32 = 60;
const FACES_PER_ROUND: usize = 60;

/// The shortest way to separate two overlapping bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penetration {
    /// Length of the shortest translation that separates them, m.
    pub depth: f64,
    /// Direction in which the first body has to move, a unit vector in its own frame.
    pub normal: DVec3,
}

/// The shortest translation that separates two overlapping bodies, to 1e-6 of its length; `None` if they do not overlap.
///
/// This is meant for messages, not for inner loops: it allocates, and takes milliseconds for bodies of many faces. If 3600
/// points of the difference set do not suffice (bodies of thousands of faces, each deep inside the other), the result separates
/// the bodies but may not be the shortest.
///
/// ```
/// use impulse::DVec3;
/// use impulse::geometry::{ConvexPolyhedron, penetration_depth};
/// use impulse::math::Pose;
///
/// let cube = ConvexPolyhedron::cuboid(DVec3::splat(0.5))?;
/// let above = Pose::from_translation(DVec3::new(0.0, 0.0, 0.9));
/// let found = penetration_depth(&cube, &cube, &above).expect("the cubes overlap");
/// assert!((found.depth - 0.1).abs() < 1e-9 && found.normal.z < -0.999);
/// # Ok::<(), impulse::geometry::NotConvex>(())
/// ```
#[must_use]
pub fn penetration_depth(
    first: &ConvexPolyhedron,
    second: &ConvexPolyhedron,
    first_from_second: &Pose,
) -> Option<Penetration> {
    let views = BodyViews::new(first, second, first_from_second);
    let mut search =
        DepthSearch { views: &views, points: Vec::new(), best: Penetration { depth: f64::INFINITY, normal: DVec3::Z } };
    for i in 0..27 {
        let direction = DVec3::new(f64::from(i % 3 - 1), f64::from(i / 3 % 3 - 1), f64::from(i / 9 - 1));
        if let Some(direction) = direction.try_normalize() {
            search.push(direction);
        }
    }
    for _ in 0..MOST_ROUNDS {
        if search.best.depth <= 0.0 || !search.round() {
            break;
        }
    }
    (search.best.depth > 0.0).then_some(search.best)
}

struct DepthSearch<'a> {
    views: &'a BodyViews<'a>,
    /// Points on the surface of the difference set.
    points: Vec<DVec3>,
    /// The shortest translation so far.
    best: Penetration,
}

impl DepthSearch<'_> {
    /// Adds the point of the difference set farthest along a unit vector; returns how far that is.
    fn push(&mut self, direction: DVec3) -> f64 {
        let (gap, [v, w]) = self.views.gap(-direction, [0, 0]);
        if -gap < self.best.depth {
            self.best = Penetration { depth: -gap, normal: -direction };
        }
        let (a, b) = (&self.views.first, &self.views.second);
        self.points.push(a.body.vertices()[v as usize] - a.see(b.body.vertices()[w as usize]));
        -gap
    }

    /// Pushes the nearest faces of the hull outwards; returns whether that made a difference.
    fn round(&mut self) -> bool {
        // Without a hull the best result so far must do.
        let Ok(hull) = convex_hull(&self.points) else { return false };
        let enough = EXACTNESS * self.best.depth + 1e-14 * self.views.reach();
        let mut near: Vec<_> = hull
            .faces
            .iter()
            .filter_map(|corners| newell_plane(&hull.vertices, corners))
            .filter(|plane| plane.offset < self.best.depth - enough)
            .collect();
        near.sort_by(|p, q| p.offset.total_cmp(&q.offset));
        near.truncate(FACES_PER_ROUND);
        self.points = hull.vertices;
        // A face that cannot be pushed belongs to the difference set itself, and its offset has become the best depth.
        near.iter().fold(false, |moved, plane| (self.push(plane.normal) > plane.offset + enough) | moved)
    }
}
