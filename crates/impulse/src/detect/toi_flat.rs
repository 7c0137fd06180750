//! The feature with which a convex shape touches a plane: a point, a line or a face (section 2.2).
//!
//! The direction of a contact turns with a face and stays perpendicular to a line. A wrong answer costs steps but is never
//! unsafe: any direction along which two bodies are apart proves that they are.

use super::toi_convex::Form;
use crate::geometry::{Cone, ConvexPolyhedron, Shape};
use glam::{DVec2, DVec3};

/// The highest points of a shape along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Flat {
    /// One point.
    Point,
    /// A line with this direction.
    Line(DVec3),
    /// A face.
    Face,
}

/// Angles with a smaller sine count as zero.
const LEVEL_SINE: f64 = 1e-7;

/// The feature that reaches highest along the unit vector `direction`, in the shape's frame.
pub(super) fn flat(form: Form<'_>, direction: DVec3) -> Flat {
    let shape = match form {
        Form::Shape(shape) => shape,
        Form::Triangle(corners) => return of_corners(corners, direction),
    };
    match shape {
        Shape::Sphere(_) | Shape::Ellipsoid(_) | Shape::Compound(_) | Shape::Mesh(_) => Flat::Point,
        Shape::HalfSpace(_) => Flat::Face,
        Shape::Cuboid(_) | Shape::RoundedCuboid(_) => of_block(direction),
        Shape::Capsule(_) => if_level(direction.z, DVec3::Z),
        Shape::Cylinder(_) if is_axial(direction) => Flat::Face,
        Shape::Cylinder(_) if direction.z.abs() < LEVEL_SINE => Flat::Line(DVec3::Z),
        Shape::Cylinder(_) => of_rim(direction),
        Shape::Cone(cone) => of_cone(cone, direction),
        Shape::Convex(polyhedron) => of_polyhedron(polyhedron, direction),
    }
}

fn if_level(slope: f64, line: DVec3) -> Flat {
    if slope.abs() < LEVEL_SINE { Flat::Line(line) } else { Flat::Point }
}

fn is_axial(direction: DVec3) -> bool {
    direction.truncate().length() < LEVEL_SINE
}

fn of_block(direction: DVec3) -> Flat {
    of_lines(DVec3::AXES.into_iter().filter(|axis| axis.dot(direction).abs() < LEVEL_SINE))
}

/// The base of a cone, a line from its apex to its rim, the rim, or the apex.
fn of_cone(cone: &Cone, direction: DVec3) -> Flat {
    if is_axial(direction) {
        return if direction.z < 0.0 { Flat::Face } else { Flat::Point };
    }
    let outward: DVec2 = direction.truncate().normalize() * cone.radius();
    let line = outward.extend(-cone.height()).normalize();
    let slope = direction.dot(line);
    if slope < LEVEL_SINE { if_level(slope, line) } else { of_rim(direction) }
}

/// A rim counts as its tangent: the highest point of a nearly level disc runs around the rim, that of the tangent does not.
fn of_rim(direction: DVec3) -> Flat {
    Flat::Line(direction.truncate().perp().normalize().extend(0.0))
}

fn of_polyhedron(polyhedron: &ConvexPolyhedron, direction: DVec3) -> Flat {
    let top = polyhedron.summit(direction);
    let along = |edge: u32| polyhedron.edges()[edge as usize].direction();
    let lines = polyhedron.spokes_of(top).iter().map(|spoke| along(spoke.edge));
    of_lines(lines.filter(|line| line.dot(direction).abs() < LEVEL_SINE))
}

fn of_corners(corners: &[DVec3; 3], direction: DVec3) -> Flat {
    let height = corners.map(|c| c.dot(direction));
    let top = (0..3).max_by(|&i, &j| height[i].total_cmp(&height[j])).unwrap_or(0);
    let lines = [1, 2].map(|i| (corners[(top + i) % 3] - corners[top]).normalize());
    of_lines(lines.into_iter().filter(|line| line.dot(direction).abs() < LEVEL_SINE))
}

/// The feature at which these lines meet.
fn of_lines(mut lines: impl Iterator<Item = DVec3>) -> Flat {
    match (lines.next(), lines.next()) {
        (None, _) => Flat::Point,
        (Some(line), None) => Flat::Line(line),
        (Some(_), Some(_)) => Flat::Face,
    }
}

#[cfg(test)]
mod tests {
    use super::{Flat, flat};
    use crate::detect::toi_convex::Form;
    use crate::geometry::{Capsule, Cone, ConvexPolyhedron, Cuboid, Cylinder, Shape, Sphere};
    use glam::DVec3;

    fn kind(shape: impl Into<Shape>, direction: [f64; 3]) -> &'static str {
        match flat(Form::Shape(&shape.into()), DVec3::from_array(direction).normalize()) {
            Flat::Point => "point",
            Flat::Line(_) => "line",
            Flat::Face => "face",
        }
    }

    #[test]
    fn features_of_every_kind() {
        let cuboid = Cuboid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap();
        let corners: Vec<DVec3> = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|p| [p, -p]).collect();
        let octahedron = ConvexPolyhedron::hull(&corners).unwrap();
        let (cylinder, cone) = (Cylinder::new(1.0, 2.0).unwrap(), Cone::new(1.0, 2.0).unwrap());
        let capsule = Capsule::new(1.0, 2.0).unwrap();
        assert_eq!(kind(Sphere::new(1.0).unwrap(), [1.0, 2.0, 3.0]), "point");
        assert_eq!(
            [[1.0, 2.0, 3.0], [0.0, 2.0, 3.0], [0.0, 0.0, -1.0]].map(|d| kind(cuboid.clone(), d)),
            ["point", "line", "face"]
        );
        assert_eq!(
            [[1.0, 2.0, 4.0], [0.0, 2.0, 2.0], [1.0, 1.0, -1.0]].map(|d| kind(octahedron.clone(), d)),
            ["point", "line", "face"]
        );
        assert_eq!(
            [[1.0, 2.0, 4.0], [3.0, 2.0, 0.0], [0.0, 0.0, -1.0]].map(|d| kind(cylinder, d)),
            ["line", "line", "face"]
        );
        assert_eq!([[1.0, 2.0, 4.0], [3.0, 2.0, 0.0]].map(|d| kind(capsule, d)), ["point", "line"]);
        assert_eq!(
            [[1.0, 0.0, 4.0], [2.0, 0.0, 1.0], [0.0, 0.0, -1.0], [0.0, 0.0, 1.0]].map(|d| kind(cone, d)),
            ["point", "line", "face", "point"]
        );
        for shape in [Shape::from(cylinder), Shape::from(cone)] {
            let rim = flat(Form::Shape(&shape), DVec3::new(3.0, 0.0, -1.0).normalize());
            assert!(matches!(rim, Flat::Line(line) if line.abs() == DVec3::Y), "{rim:?}");
        }
        let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
        assert_eq!(flat(Form::Triangle(&triangle), DVec3::Z), Flat::Face);
        let side = flat(Form::Triangle(&triangle), DVec3::NEG_Y);
        assert!(matches!(side, Flat::Line(line) if line.abs() == DVec3::X), "{side:?}");
        assert_eq!(flat(Form::Triangle(&triangle), DVec3::X), Flat::Point);
    }
}
