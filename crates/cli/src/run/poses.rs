//! How free bodies lie at the end of a run: which side is down, how tilted, and what carries them.

use crate::mass::significant;
use glam::DVec3;
use impulse::geometry::Shape;
use impulse::world::{BodyRef, World};
use serde::Serialize;

/// A free body at the end.
#[derive(Serialize)]
pub(super) struct Pose {
    body: String,
    settled: bool,
    /// The direction that points down, in the body's frame; null without gravity.
    down: Option<[f64; 3]>,
    /// The side that faces down most; null for balls and without gravity.
    side: Option<String>,
    /// Angle between the normal of that side and the vertical, degrees.
    tilt_deg: Option<f64>,
    /// Points of lasting contact.
    contacts: usize,
    /// Sum of the forces of lasting contact on the body, world frame, N.
    contact_force: [f64; 3],
}

impl Pose {
    /// How the body lies and what carries it, for the report; empty for one that moves.
    pub(super) fn told(&self) -> String {
        if !self.settled || self.contacts == 0 {
            return String::new();
        }
        let force = significant(DVec3::from_array(self.contact_force).length(), 5);
        let lies = match (&self.side, self.tilt_deg) {
            (Some(side), Some(tilt)) => format!(" on {side}, tilted by {} deg,", significant(tilt, 3)),
            _ => String::new(),
        };
        format!("{lies} carried by {force} N at {} points", self.contacts)
    }
}

/// All free bodies of a world, in its order.
pub(super) fn poses(world: &World, gravity: DVec3) -> Vec<Pose> {
    world.body_refs().filter(|body| body.is_free()).map(|body| pose(body, gravity)).collect()
}

fn pose(body: BodyRef<'_>, gravity: DVec3) -> Pose {
    let down = gravity.try_normalize().map(|down| body.pose().inverse_vector(down));
    let lies = down.and_then(|down| side(body.shape(), down));
    let contacts = body.contacts();
    Pose {
        body: body.name().to_owned(),
        settled: body.settled(),
        down: down.map(|down| down.to_array()),
        tilt_deg: lies.as_ref().map(|(_, tilt)| tilt.to_degrees()),
        side: lies.map(|(name, _)| name),
        contacts: contacts.len(),
        contact_force: contacts.iter().map(|contact| contact.force).sum::<DVec3>().to_array(),
    }
}

/// The side of a shape that faces a direction most, and the angle between the two, rad.
fn side(shape: &Shape, down: DVec3) -> Option<(String, f64)> {
    let radial = DVec3::new(down.x, down.y, 0.0).normalize_or_zero();
    let base = |sign: f64| (format!("base {}z", if sign < 0.0 { '-' } else { '+' }), DVec3::Z * sign);
    let sides: Vec<(String, DVec3)> = match shape {
        Shape::Sphere(_) => return None,
        Shape::Cylinder(_) => vec![base(-1.0), base(1.0), ("side".to_owned(), radial)],
        Shape::Capsule(_) => {
            vec![("end -z".to_owned(), -DVec3::Z), ("end +z".to_owned(), DVec3::Z), ("side".to_owned(), radial)]
        }
        Shape::Cone(cone) => {
            let slant = (radial * cone.height() + DVec3::Z * cone.radius()).normalize_or_zero();
            vec![base(-1.0), ("side".to_owned(), slant), ("apex".to_owned(), DVec3::Z)]
        }
        Shape::Convex(polyhedron) => {
            let planes = polyhedron.surface().planes().iter().enumerate();
            planes.map(|(number, plane)| (format!("face {number}"), plane.normal)).collect()
        }
        _ => axes(),
    };
    // By sine and cosine: the cosine alone keeps half of the digits of a small angle.
    let found = sides.into_iter().map(|(name, normal)| (name, normal.cross(down).length().atan2(normal.dot(down))));
    found.min_by(|(_, a), (_, b)| a.total_cmp(b))
}

/// The six directions along the axes of a body's frame.
fn axes() -> Vec<(String, DVec3)> {
    let signed = |(name, axis): (char, DVec3)| [(format!("-{name}"), -axis), (format!("+{name}"), axis)];
    [('x', DVec3::X), ('y', DVec3::Y), ('z', DVec3::Z)].into_iter().flat_map(signed).collect()
}

#[cfg(test)]
mod tests {
    use super::side;
    use glam::DVec3;
    use impulse::geometry::{Cone, ConvexPolyhedron, Cuboid, Cylinder, Shape, Sphere};

    fn lies(shape: impl Into<Shape>, down: [f64; 3]) -> (String, f64) {
        let (name, tilt) = side(&shape.into(), DVec3::from_array(down).normalize()).unwrap();
        (name, (tilt.to_degrees() * 1e6).round() / 1e6)
    }

    #[test]
    fn the_side_that_faces_down_is_named_with_its_tilt() {
        let degree = 1_f64.to_radians();
        let tilted = [degree.sin(), 0.0, -degree.cos()];
        let cylinder = Cylinder::new(0.1, 0.3).unwrap();
        assert_eq!(lies(Cuboid::new(DVec3::ONE).unwrap(), tilted), ("-z".to_owned(), 1.0));
        assert_eq!(lies(cylinder, tilted), ("base -z".to_owned(), 1.0));
        assert_eq!(lies(cylinder, [1.0, 1.0, 0.0]), ("side".to_owned(), 0.0));
        // The slant of a cone as wide as high faces outwards and up at 45 degrees.
        assert_eq!(lies(Cone::new(0.1, 0.1).unwrap(), [1.0, 0.0, 1.0]), ("side".to_owned(), 0.0));
        assert_eq!(lies(Cone::new(0.1, 0.1).unwrap(), [0.0, 0.0, -1.0]), ("base -z".to_owned(), 0.0));
        assert!(side(&Sphere::new(1.0).unwrap().into(), DVec3::Z).is_none());
        let hull = ConvexPolyhedron::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]).unwrap();
        let (name, tilt) = lies(hull.clone(), [0.0, 0.0, -1.0]);
        let number: usize = name.strip_prefix("face ").unwrap().parse().unwrap();
        assert_eq!((hull.surface().planes()[number].normal, tilt), (-DVec3::Z, 0.0));
    }
}
