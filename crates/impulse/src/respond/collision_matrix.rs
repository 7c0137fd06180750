//! The collision matrix of two rigid bodies (3.4), and the check of its properties (Theorem 6).

use super::error::ImpactError;
use crate::math::cross_matrix;
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

/// A rigid body at a contact point; all quantities are in the axes of one frame, usually the collision frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactBody {
    /// Mass, kg.
    pub mass: f64,
    /// Inertia tensor about the centre of mass, kg m^2.
    pub inertia: DMat3,
    /// From the centre of mass to the contact point, m.
    pub arm: DVec3,
}

impl ContactBody {
    /// The body's share `1/m 1 - r~ I^-1 r~` of the collision matrix, 1/kg.
    pub fn share(&self) -> Result<DMat3, ImpactError> {
        self.check()?;
        Ok(symmetric_part(&point_response(1.0 / self.mass, &self.inertia.inverse(), [self.arm; 2])))
    }

    /// Refuses what is no body.
    pub(super) fn check(&self) -> Result<(), ImpactError> {
        if !(self.mass > 0.0 && self.mass.is_finite()) {
            return Err(ImpactError::NotPositive { what: "mass" });
        }
        if !is_positive_definite(&self.inertia) {
            return Err(ImpactError::NotPositive { what: "inertia" });
        }
        if !self.arm.is_finite() {
            return Err(ImpactError::NotFinite { what: "arm to the contact point" });
        }
        Ok(())
    }
}

/// The velocity change at one point of a rigid body by a unit impulse at another one, `1/m 1 - r~ I^-1 q~`, 1/kg.
///
/// `at` and `from` lead from the centre of mass to the two points, m; the inverse mass is in 1/kg, the inverse inertia about the
/// centre of mass in 1/(kg m^2), all in the axes of one frame. With both points the same this is the body's share of the
/// collision matrix (3.4).
#[inline]
#[must_use]
pub fn point_response(inverse_mass: f64, inverse_inertia: &DMat3, [at, from]: [DVec3; 2]) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(inverse_mass)) - cross_matrix(at) * *inverse_inertia * cross_matrix(from)
}

/// The collision matrix K of two bodies (3.4), 1/kg; `None` stands for an immovable body.
pub fn collision_matrix(first: Option<&ContactBody>, second: Option<&ContactBody>) -> Result<DMat3, ImpactError> {
    let share = |body: Option<&ContactBody>| body.map_or(Ok(DMat3::ZERO), ContactBody::share);
    Ok(share(first)? + share(second)?)
}

/// Checks that `K` is a collision matrix, and makes it exactly symmetric: it must be finite, symmetric up to rounding, positive
/// semi-definite, and yield along the normal.
pub(super) fn checked(k: &DMat3) -> Result<DMat3, ImpactError> {
    // Zero times infinity or NaN is NaN.
    let zeros = (k.x_axis + k.y_axis + k.z_axis) * 0.0;
    if zeros.x + zeros.y + zeros.z != 0.0 {
        return Err(ImpactError::NotFinite { what: "collision matrix" });
    }
    let (x, y, z) = (k.x_axis.x, k.y_axis.y, k.z_axis.z);
    let scale = x + y + z;
    let skew = DVec3::new(k.y_axis.z - k.z_axis.y, k.z_axis.x - k.x_axis.z, k.x_axis.y - k.y_axis.x);
    let allowed = ASYMMETRY * scale;
    if skew.length_squared() > allowed * allowed {
        return Err(ImpactError::Asymmetric { difference: skew.abs().max_element() });
    }
    let slack = INDEFINITE * scale;
    if scale < 0.0 || x < -slack || y < -slack || z < -slack {
        return Err(ImpactError::Indefinite);
    }
    if z <= slack {
        return Err(ImpactError::NormalOutsideRange);
    }
    let k = symmetric_part(k);
    // The tangential block after elimination of the normal must not be negative either.
    let (e, d) = (k.z_axis.x / z, k.z_axis.y / z);
    let (a, b, f) = (x - e * k.z_axis.x, y - d * k.z_axis.y, k.y_axis.x - e * k.z_axis.y);
    if a < -slack || b < -slack || a * b - f * f < -slack * (a + b + 3.0 * slack) {
        return Err(ImpactError::Indefinite);
    }
    Ok(k)
}

/// Asymmetry, relative to the trace, that counts as rounding.
const ASYMMETRY: f64 = 1e-9;

/// Negative value, relative to the trace, that counts as rounding of a rank-deficient matrix (5.3.4).
const INDEFINITE: f64 = 1e-12;

fn symmetric_part(k: &DMat3) -> DMat3 {
    let (f, e, d) = (k.x_axis.y + k.y_axis.x, k.x_axis.z + k.z_axis.x, k.y_axis.z + k.z_axis.y);
    let (f, e, d) = (0.5 * f, 0.5 * e, 0.5 * d);
    DMat3::from_cols(DVec3::new(k.x_axis.x, f, e), DVec3::new(f, k.y_axis.y, d), DVec3::new(e, d, k.z_axis.z))
}

/// Sylvester's criterion.
fn is_positive_definite(m: &DMat3) -> bool {
    m.is_finite() && m.x_axis.x > 0.0 && m.x_axis.x * m.y_axis.y > m.x_axis.y * m.y_axis.x && m.determinant() > 0.0
}

#[cfg(test)]
mod tests {
    use super::{ContactBody, checked, collision_matrix, point_response};
    use crate::respond::ImpactError;
    use glam::{DMat3, DVec3};

    #[test]
    fn ball_on_the_floor() {
        // A ball touching below its centre: 1/m + r^2/I tangentially, 1/m along the normal.
        let body = ContactBody {
            mass: 2.0,
            inertia: DMat3::from_diagonal(DVec3::splat(0.2)),
            arm: DVec3::new(0.0, 0.0, -0.5),
        };
        let k = collision_matrix(Some(&body), None).unwrap();
        assert!((k - DMat3::from_diagonal(DVec3::new(1.75, 1.75, 0.5))).abs_diff_eq(DMat3::ZERO, 1e-15));
        assert_eq!(collision_matrix(Some(&body), Some(&body)).unwrap(), k + k);
    }

    #[test]
    fn an_impulse_moves_other_points_as_the_rigid_body_turns() {
        let (inverse_mass, inverse_inertia) = (0.5, DMat3::from_diagonal(DVec3::new(5.0, 4.0, 3.0)));
        let (at, from) = (DVec3::new(0.1, -0.4, 0.3), DVec3::new(-0.2, 0.5, 0.7));
        let impulse = DVec3::new(1.0, -2.0, 0.5);
        let wanted = impulse * inverse_mass + (inverse_inertia * from.cross(impulse)).cross(at);
        let found = point_response(inverse_mass, &inverse_inertia, [at, from]) * impulse;
        assert!((found - wanted).length() < 1e-15, "{found} for {wanted}");
    }

    #[test]
    fn refuses_what_is_no_body() {
        let good = ContactBody { mass: 1.0, inertia: DMat3::IDENTITY, arm: DVec3::ZERO };
        let cases = [
            ContactBody { mass: 0.0, ..good },
            ContactBody { mass: f64::NAN, ..good },
            ContactBody { inertia: DMat3::from_diagonal(DVec3::new(1.0, -1.0, 1.0)), ..good },
            ContactBody { arm: DVec3::new(f64::INFINITY, 0.0, 0.0), ..good },
        ];
        for body in cases {
            assert!(body.share().is_err(), "{body:?}");
        }
    }

    #[test]
    fn refuses_what_is_no_collision_matrix() {
        let k = |rows: [f64; 9]| checked(&DMat3::from_cols_array(&rows));
        assert!(k([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]).is_ok());
        assert_eq!(k([1.0, 0.0, 2.0, 0.0, 1.0, 0.0, 2.0, 0.0, 1.0]), Err(ImpactError::Indefinite));
        assert_eq!(k([1.0, 2.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 1.0]), Err(ImpactError::Indefinite));
        assert_eq!(k([-1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]), Err(ImpactError::Indefinite));
        assert_eq!(k([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]), Err(ImpactError::NormalOutsideRange));
        assert_eq!(k([0.0; 9]), Err(ImpactError::NormalOutsideRange));
        assert!(matches!(k([1.0, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]), Err(ImpactError::Asymmetric { .. })));
        assert!(matches!(k([f64::NAN; 9]), Err(ImpactError::NotFinite { .. })));
    }
}
