//! Flat faces of bodies that nothing moves, and how long a ball stays over one (beside section 3.5).

use super::super::data::World;
use super::super::index::ColliderIndex;
use crate::geometry::Shape;
use crate::math::quadratic_roots;
use glam::DVec3;

/// A flat face under a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Outwards, world frame.
    pub(super) normal: DVec3,
    /// Of its plane along the normal, m.
    offset: f64,
    /// Strips that bound it, if anything does.
    strips: Option<[Strip; 2]>,
}

/// What lies between two parallel edges.
#[derive(Clone, Copy, Debug)]
struct Strip {
    /// Unit vector across the edges.
    across: DVec3,
    /// Place of the point across, from the middle, m.
    place: f64,
    /// Distance of the edges from the middle, m.
    half: f64,
}

impl World {
    /// The flat face of a fixed body over which a point is: that of a half-space, or of a box.
    pub(super) fn face_under(&self, body: ColliderIndex, point: DVec3) -> Option<Face> {
        self.member(body).is_fixed().then(|| self.face_at(body, point, self.now)).flatten()
    }

    /// The flat face of any body over which a point is at a time (s): that of a half-space, of a box, or an end of a cylinder, whose edge
    /// is round and bounds no strips.
    pub(super) fn face_at(&self, body: ColliderIndex, point: DVec3, t: f64) -> Option<Face> {
        let collider = &self.colliders[body];
        if let Some(plane) = &collider.wall {
            return Some(Face { normal: plane.normal, offset: plane.offset, strips: None });
        }
        let pose = self.member(body).pose_at(t) * collider.body_from_shape;
        let place = pose.inverse_point(point);
        let facing = |axis: usize, half: f64| {
            let normal = pose.vector(DVec3::AXES[axis]) * place[axis].signum();
            Face { normal, offset: pose.translation.dot(normal) + half, strips: None }
        };
        match &collider.shape {
            Shape::Cuboid(cuboid) => {
                let half = cuboid.half_size();
                let outside = |axis: &usize| place[*axis].abs() >= half[*axis];
                let axis = (0..3).find(outside)?;
                let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
                let strip = |k: usize| Strip { across: pose.vector(DVec3::AXES[k]), place: place[k], half: half[k] };
                let strips = Some([strip(u), strip(v)]);
                (!outside(&u) && !outside(&v)).then(|| Face { strips, ..facing(axis, half[axis]) })
            }
            Shape::Cylinder(cylinder) => {
                let half = 0.5 * cylinder.height();
                let is_over = place.z.abs() >= half && place.truncate().length() < cylinder.radius();
                is_over.then(|| facing(2, half))
            }
            _ => None,
        }
    }
}

impl Face {
    /// Height of a point above its plane, m.
    pub(super) fn height(&self, point: DVec3) -> f64 {
        point.dot(self.normal) - self.offset
    }

    /// How long the point stays over the face when it moves with a velocity (m/s) and an acceleration (m/s^2), s.
    pub(super) fn time_over(&self, velocity: DVec3, acceleration: DVec3) -> f64 {
        let time = |strip: &Strip| strip.time_within(velocity.dot(strip.across), acceleration.dot(strip.across));
        self.strips.iter().flatten().map(time).fold(f64::INFINITY, f64::min)
    }
}

impl Strip {
    /// When a point that moves across with a velocity and an acceleration reaches an edge, s.
    fn time_within(&self, velocity: f64, acceleration: f64) -> f64 {
        let reaches = |edge: f64| quadratic_roots(0.5 * acceleration, velocity, self.place - edge).first_from(0.0);
        [self.half, -self.half].into_iter().filter_map(reaches).fold(f64::INFINITY, f64::min)
    }
}
