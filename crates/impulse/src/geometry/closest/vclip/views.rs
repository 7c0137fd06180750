//! Features, cached pairs of them, and two bodies in each other's frame (section 2.2.1).

use crate::geometry::{ConvexPolyhedron, Solid};
use crate::math::Pose;
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

/// A feature of a convex polyhedron, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Feature {
    /// A corner.
    Vertex(u32),
    /// An edge.
    Edge(u32),
    /// A face.
    Face(u32),
}

/// The closest features of two polyhedra at the last query, from which the next search starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeaturePair {
    /// The feature of the first body.
    pub first: Feature,
    /// The feature of the second body.
    pub second: Feature,
    /// How often rounding led the search for this pair in a circle, so that an exhaustive search was needed.
    pub fallbacks: u32,
}

impl Default for FeaturePair {
    fn default() -> Self {
        Self { first: Feature::Vertex(0), second: Feature::Vertex(0), fallbacks: 0 }
    }
}

impl FeaturePair {
    /// The pair, with numbers out of range replaced by valid ones.
    pub(super) fn within(&self, first: &ConvexPolyhedron, second: &ConvexPolyhedron) -> (Feature, Feature) {
        (self.first.within(first), self.second.within(second))
    }
}

impl Feature {
    fn within(self, body: &ConvexPolyhedron) -> Self {
        let last = |count: usize| count as u32 - 1;
        match self {
            Self::Vertex(v) => Self::Vertex(v.min(last(body.vertices().len()))),
            Self::Edge(e) => Self::Edge(e.min(last(body.edges().len()))),
            Self::Face(f) => Self::Face(f.min(last(body.surface().faces().len()))),
        }
    }

    /// Some vertex of the feature.
    pub(super) fn vertex(self, body: &ConvexPolyhedron) -> u32 {
        match self {
            Self::Vertex(v) => v,
            Self::Edge(e) => body.edges()[e as usize].tail,
            Self::Face(f) => body.surface().faces().get(f as usize)[0],
        }
    }
}

/// Planes tried between two bodies to show that they are far apart.
const PLANES: usize = 4;

/// A body, and the pose of the other body in its frame.
pub(super) struct BodyView<'a> {
    pub(super) body: &'a ConvexPolyhedron,
    rotation: DMat3,
    translation: DVec3,
}

impl BodyView<'_> {
    /// A point of the other body in the frame of this one.
    pub(super) fn see(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }

    /// A direction given in the other body's frame, in the frame of this one.
    pub(super) fn see_vector(&self, vector: DVec3) -> DVec3 {
        self.rotation * vector
    }
}

/// Two bodies, each with the pose of the other in its frame.
pub(super) struct BodyViews<'a> {
    pub(super) first: BodyView<'a>,
    pub(super) second: BodyView<'a>,
}

impl<'a> BodyViews<'a> {
    pub(super) fn new(first: &'a ConvexPolyhedron, second: &'a ConvexPolyhedron, first_from_second: &Pose) -> Self {
        let rotation = first_from_second.matrix();
        let back = rotation.transpose();
        let translation = first_from_second.translation;
        Self {
            first: BodyView { body: first, rotation, translation },
            second: BodyView { body: second, rotation: back, translation: -(back * translation) },
        }
    }

    /// Sum of the bodies' radii, m: the size to which tolerances refer.
    pub(super) fn size(&self) -> f64 {
        self.first.body.radius() + self.second.body.radius()
    }

    /// Magnitude of the coordinates that are added, m: the size to which rounding refers.
    pub(super) fn reach(&self) -> f64 {
        let offset = self.first.translation.abs();
        self.first.body.reach() + self.second.body.reach() + (offset.x + offset.y + offset.z)
    }

    /// Lengths below this may be rounding, m: corners lie up to some 1e-12 of the extent off their faces' planes.
    pub(super) fn rounding(&self) -> f64 {
        1.5e-11 * self.size() + 1e-14 * self.reach()
    }

    /// Whether the bodies are farther apart than `limit`, m, where a few planes between them show it (Frank and Wolfe's method on the
    /// differences of their points). Not to say so proves nothing.
    pub(super) fn are_farther(&self, limit: f64) -> bool {
        let enough = limit + 10.0 * self.rounding();
        // The nearest of the differences met to zero: at first that of the centres.
        let mut nearest = self.first.body.centre() - self.first.see(self.second.body.centre());
        for _ in 0..PLANES {
            let length = nearest.length();
            if length <= enough {
                return false;
            }
            let normal = nearest / length;
            let lowest = self.first.body.support(-normal);
            let highest = self.second.body.support(self.second.see_vector(normal));
            let between = lowest - self.first.see(highest);
            if normal.dot(between) > enough {
                return true;
            }
            let way = between - nearest;
            let share = -nearest.dot(way) / way.length_squared();
            nearest += way * share.clamp(0.0, 1.0);
        }
        false
    }

    /// The largest distance by which a plane with the unit normal `normal` keeps the bodies apart, negative where it cuts them,
    /// with the vertices nearest to it; found by climbing from some vertices. `normal` points towards the first body.
    pub(super) fn gap(&self, normal: DVec3, [from_first, from_second]: [u32; 2]) -> (f64, [u32; 2]) {
        let lowest = self.first.body.climb(from_first, -normal);
        let highest = self.second.body.climb(from_second, self.second.see_vector(normal));
        let (a, b) = (self.first.body.vertices()[lowest as usize], self.second.body.vertices()[highest as usize]);
        (normal.dot(a - self.first.see(b)), [lowest, highest])
    }
}
