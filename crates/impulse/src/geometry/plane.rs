//! Oriented planes: faces and the borders of Voronoi regions (section 2.2).

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// The plane of all `x` with `normal . x = offset`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plane {
    /// Unit vector towards the positive side.
    pub normal: DVec3,
    /// Distance of the plane from the origin along the normal, metres.
    pub offset: f64,
}

impl Plane {
    /// The plane through `point` with the unit vector `normal`.
    pub fn through(point: DVec3, normal: DVec3) -> Self {
        Self { normal, offset: normal.dot(point) }
    }

    /// Signed distance of a point: positive on the side the normal points to.
    pub fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
}
