//! Axis-aligned boxes (section 2.4).

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// The box of all points between two corners; it may be unbounded.
///
/// ```
/// use impulse::DVec3;
/// use impulse::geometry::Aabb;
///
/// let bounds = Aabb::of_points([DVec3::ZERO, DVec3::new(1.0, -2.0, 3.0)]);
/// assert_eq!(bounds.size(), DVec3::new(1.0, 2.0, 3.0));
/// assert!(bounds.contains(bounds.centre()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Aabb {
    /// Smallest coordinates.
    pub min: DVec3,
    /// Largest coordinates.
    pub max: DVec3,
}

impl Aabb {
    /// The empty box: the neutral element of [`Aabb::union`].
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    /// The smallest box around some points; [`Aabb::EMPTY`] for none.
    #[must_use]
    pub fn of_points(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |b, p| Self { min: b.min.min(p), max: b.max.max(p) })
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Whether the point lies inside or on the boundary.
    pub fn contains(&self, p: DVec3) -> bool {
        self.min.cmple(p).all() && p.cmple(self.max).all()
    }

    /// Centre of a bounded box.
    pub fn centre(&self) -> DVec3 {
        self.min + 0.5 * (self.max - self.min)
    }

    /// Edge lengths.
    pub fn size(&self) -> DVec3 {
        self.max - self.min
    }
}
