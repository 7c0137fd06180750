//! How planes look: each reaches only to where it goes into another one, so that planes which hollow out a dish or wall in a table
//! show what bodies meet.

use glam::DVec3;
use impulse::geometry::{Plane, Shape};
use impulse_scenes::look::Look;
use impulse_scenes::scene::{BodyDescription, MotionDescription, SolidDescription};

/// The boundary of a fixed body that is one half-space, world frame.
pub(crate) fn plane_of(body: &BodyDescription) -> Option<Plane> {
    let ([part], MotionDescription::Fixed) = (&body.shape.parts[..], &body.motion) else { return None };
    let SolidDescription::Convex(Shape::HalfSpace(half_space)) = &part.solid else { return None };
    let pose = body.world_from_shape * part.shape_from_part;
    let normal = pose.vector(half_space.normal()).normalize();
    Some(Plane { normal, offset: half_space.offset() + pose.translation.dot(normal) })
}

/// The part of a plane that lies in none of the other half-spaces, at most a square with sides of `extent` metres about the point
/// nearest to `middle`; in the frame of the body.
pub(crate) fn look(body: &BodyDescription, planes: &[Plane], extent: f64, middle: DVec3) -> Option<Look> {
    let own = plane_of(body)?;
    let centre = middle - own.normal * own.height(middle);
    let (u, v) = own.normal.any_orthonormal_pair();
    let mut corners: Vec<DVec3> = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
        .map(|[a, b]| centre + 0.5 * extent * (a * u + b * v))
        .to_vec();
    // Planes that coincide but for rounding do not cut each other.
    let slack = 1e-9 * extent;
    for other in planes.iter().filter(|other| other.normal.dot(own.normal) < 1.0 - 1e-12) {
        corners = cut(&corners, other, slack);
    }
    let [positions, normals] = [
        corners.iter().map(|&corner| body.world_from_shape.inverse_point(corner)).collect(),
        vec![body.world_from_shape.inverse_vector(own.normal); corners.len()],
    ];
    let triangles = (2..corners.len() as u32).map(|last| [0, last - 1, last]).collect();
    Some(Look { positions, normals, triangles })
}

/// The part of a convex polygon above a plane.
fn cut(corners: &[DVec3], plane: &Plane, slack: f64) -> Vec<DVec3> {
    let mut kept = Vec::with_capacity(corners.len() + 1);
    for (k, &corner) in corners.iter().enumerate() {
        let next = corners[(k + 1) % corners.len()];
        let [here, there] = [corner, next].map(|c| plane.height(c) + slack);
        if here >= 0.0 {
            kept.push(corner);
        }
        if (here < 0.0) != (there < 0.0) {
            kept.push(corner.lerp(next, here / (here - there)));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::cut;
    use glam::DVec3;
    use impulse::geometry::Plane;

    #[test]
    fn a_square_is_cut_where_a_wall_stands() {
        let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| DVec3::new(x, y, 0.0));
        let wall = Plane { normal: -DVec3::X, offset: -0.25 };
        let left = cut(&square, &wall, 0.0);
        assert_eq!(left.len(), 4);
        assert!(left.iter().all(|corner| corner.x <= 0.25) && left.iter().any(|corner| corner.x == 0.25));
        assert_eq!(cut(&square, &Plane { normal: DVec3::Z, offset: 1.0 }, 0.0), []);
    }
}
