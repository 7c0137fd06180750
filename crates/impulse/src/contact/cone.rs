//! Coulomb's cone: the projection onto it, and the error of a single contact point.

use super::problem::ContactPoint;
use glam::{DMat3, DVec2, DVec3};

/// The impulse of the cone nearest to some vector, and its derivative with respect to that vector (symmetric).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Projected {
    pub(super) impulse: DVec3,
    pub(super) slope: DMat3,
}

/// Projects onto the cone `|p_t| <= friction p_z`.
pub(super) fn project(y: DVec3, friction: f64) -> Projected {
    let across = y.truncate().length();
    if across <= friction * y.z {
        return Projected { impulse: y, slope: DMat3::IDENTITY };
    }
    if friction * across <= -y.z {
        return Projected { impulse: DVec3::ZERO, slope: DMat3::ZERO };
    }
    let (e, ray) = nearest_ray(y, across, friction);
    let impulse = ray.dot(y) * ray;
    // Along the ray the vector is unchanged; across it the impulse turns with the vector.
    let side = e.perp().extend(0.0);
    let turn = if across > 0.0 { impulse.truncate().length() / across } else { 0.0 };
    Projected { impulse, slope: outer(ray, ray) + outer(side, side) * turn }
}

/// [`project`] without the slope.
pub(super) fn nearest_in_cone(y: DVec3, friction: f64) -> DVec3 {
    let across = y.truncate().length();
    if across <= friction * y.z {
        return y;
    }
    if friction * across <= -y.z {
        return DVec3::ZERO;
    }
    let (_, ray) = nearest_ray(y, across, friction);
    ray.dot(y) * ray
}

/// The direction of the tangential part of a vector, and the ray of the cone in that direction.
fn nearest_ray(y: DVec3, across: f64, friction: f64) -> (DVec2, DVec3) {
    let e = if across > 0.0 { y.truncate() / across } else { DVec2::X };
    (e, (friction * e).extend(1.0) / (1.0 + friction * friction).sqrt())
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    crate::math::outer(a, b)
}

impl ContactPoint {
    /// Stiffness (kg) that matches the point's own collision matrix.
    pub(super) fn natural_stiffness(&self) -> f64 {
        3.0 / (self.matrix.x_axis.x + self.matrix.y_axis.y + self.matrix.z_axis.z)
    }

    /// Normal velocity (m/s) that sliding would add if friction were associated (de Saxce and Feng's bipotential). Subtracted
    /// from the target, it turns Coulomb's law into a projection.
    pub(super) fn opening(&self, velocity: DVec3) -> f64 {
        self.friction * (self.target - velocity).truncate().length()
    }

    /// The difference from the velocity to the target less the opening, contact axes, m/s.
    pub(super) fn missing(&self, velocity: DVec3) -> DVec3 {
        self.target - velocity - DVec3::Z * self.opening(velocity)
    }

    /// How far the point is from Coulomb's law and its target, m/s: zero where its impulse is the projection of itself plus any
    /// multiple of what is missing.
    pub(super) fn error(&self, velocity: DVec3) -> f64 {
        let stiffness = self.natural_stiffness();
        let wanted = nearest_in_cone(self.impulse + stiffness * self.missing(velocity), self.friction);
        (wanted - self.impulse).abs().max_element() / stiffness
    }
}
