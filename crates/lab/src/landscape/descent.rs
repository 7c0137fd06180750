//! Which pose a part in a given attitude would settle in if it only ever went down.

use super::merge::Landscape;
use glam::DVec3;

impl Landscape {
    /// Height of the centre of mass of a part that touches the floor with this direction down, m.
    pub fn height(&self, down: DVec3) -> f64 {
        let vertex = self.hull.summit(down);
        down.dot(self.hull.vertices()[vertex as usize] - self.com)
    }

    /// The pose at the end of a way that never rises from this direction: as long as the energy does not suffice for the lowest
    /// pass out of that pose, the part is bound to it.
    pub fn pose_of(&self, down: DVec3) -> usize {
        self.pose_of_face[self.face_below(down) as usize] as usize
    }

    /// The stable face at the end of that way.
    pub fn rest_of(&self, down: DVec3) -> u32 {
        self.terrain.rest_of(self.face_below(down))
    }

    /// A face whose normal can be reached without rising: away from the summit over the lowest corner to the arc of an edge, and
    /// down along the arc.
    fn face_below(&self, down: DVec3) -> u32 {
        let hull = &self.hull;
        let vertex = hull.summit(down);
        let corner = hull.vertices()[vertex as usize];
        let towards = corner - self.com;
        let away = (down * down.dot(towards) - towards).normalize_or_zero();
        let mut nearest: Option<(f64, u32)> = None;
        for spoke in hull.spokes_of(vertex) {
            let along = corner - hull.vertices()[spoke.to as usize];
            // The corner is lowest as long as along . d >= 0.
            let (here, change) = (along.dot(down).max(0.0), along.dot(away));
            let angle = if change < 0.0 { libm::atan2(here, -change) } else { f64::INFINITY };
            if nearest.is_none_or(|(least, _)| angle < least) {
                nearest = Some((angle, spoke.edge));
            }
        }
        let (angle, edge) = nearest.expect("a corner of a polyhedron has edges");
        let edge = &hull.edges()[edge as usize];
        let [left, right] = [edge.left, edge.right];
        let [low, high] = if self.terrain.heights[left as usize] <= self.terrain.heights[right as usize] {
            [left, right]
        } else {
            [right, left]
        };
        if !angle.is_finite() {
            return low;
        }
        // On the arc the height falls on both sides of the direction from the centre of mass to the edge.
        let (sine, cosine) = libm::sincos(angle);
        let on_arc = down * cosine + away * sine;
        let across = towards - edge.direction() * towards.dot(edge.direction());
        let normal = |face: u32| hull.surface().planes()[face as usize].normal;
        let side = |d: DVec3| edge.direction().dot(across.cross(d));
        if side(on_arc) * side(normal(high)) > 0.0 && side(normal(low)) * side(normal(high)) < 0.0 { high } else { low }
    }
}

impl Landscape {
    /// The face through which a ray from the centre of mass leaves the hull, found from a face nearby.
    ///
    /// It is the corner of the polar polyhedron (normals over heights) farthest along the ray, so climbing cannot get stuck.
    pub(crate) fn face_beyond(&self, near: u32, direction: DVec3) -> u32 {
        let hull = &self.hull;
        let reach = |face: u32| {
            hull.surface().planes()[face as usize].normal.dot(direction) / self.terrain.heights[face as usize]
        };
        let (mut best, mut farthest) = (near, reach(near));
        loop {
            let here = best;
            for side in hull.sides_of(here) {
                let edge = &hull.edges()[side.edge as usize];
                let beyond = if side.is_left { edge.right } else { edge.left };
                if reach(beyond) > farthest {
                    (best, farthest) = (beyond, reach(beyond));
                }
            }
            if best == here {
                return best;
            }
        }
    }

    /// The pose that toppling from a face ends in.
    pub(crate) fn pose_of_face(&self, face: u32) -> usize {
        self.pose_of_face[face as usize] as usize
    }
}
