//! The two impulses of microcollisions (3.5): reversing the velocity, and restitution raised with depth.

use glam::{DMat3, DVec3};

/// The impulse `-2 K^-1 u` that reverses the relative velocity `u` and does no work (Corollary 1), N s.
///
/// `None` if the collision matrix is singular, or if the impulse lies outside the friction cone.
#[must_use]
pub fn reversing_impulse(k: &DMat3, friction: f64, velocity: DVec3) -> Option<DVec3> {
    let determinant = k.determinant();
    let scale = k.x_axis.x + k.y_axis.y + k.z_axis.z;
    if determinant.is_nan() || determinant <= SINGULAR_MATRIX * scale * scale * scale {
        return None;
    }
    let impulse = k.inverse() * (-2.0 * velocity);
    in_friction_cone(impulse, friction).then_some(impulse)
}

/// Determinant, relative to the cubed trace, below which a collision matrix is singular.
const SINGULAR_MATRIX: f64 = 1e-15;

/// Whether an impulse pushes and its tangential part is at most `friction` times its normal part.
#[must_use]
pub fn in_friction_cone(impulse: DVec3, friction: f64) -> bool {
    impulse.z >= 0.0 && impulse.truncate().length() <= friction * impulse.z
}

/// The coefficient of restitution of a microcollision (Figure 3.13): from `material` at no depth to `greatest` at full depth,
/// along a parabola that starts level.
///
/// `depth` is the penetration into the envelope as a share of its thickness, clamped to [0, 1]. A perfectly elastic material is
/// left unchanged: with `e = 1` no energy is added.
#[must_use]
pub fn raised_restitution(material: f64, greatest: f64, depth: f64) -> f64 {
    if material >= 1.0 {
        return material;
    }
    let depth = depth.clamp(0.0, 1.0);
    material + (greatest - material).max(0.0) * depth * depth
}

#[cfg(test)]
mod tests {
    use super::{in_friction_cone, raised_restitution, reversing_impulse};
    use glam::{DMat3, DVec3};

    /// K of Figure 3.3.
    const K: DMat3 = DMat3::from_cols_array(&[8.0, -2.0, 1.0, -2.0, 3.0, -1.0, 1.0, -1.0, 5.0]);

    #[test]
    fn reversing_impulse_reverses_without_work() {
        let u = DVec3::new(0.1, -0.2, -3.0);
        let p = reversing_impulse(&K, 0.5, u).expect("a steep approach is within the cone");
        assert!((K * p + 2.0 * u).length() < 1e-14);
        assert!(in_friction_cone(p, 0.5) && !in_friction_cone(p, 1e-3));
        assert_eq!(reversing_impulse(&K, 1e-3, u), None);
        assert_eq!(reversing_impulse(&DMat3::ZERO, 1.0, u), None);
    }

    #[test]
    fn a_pull_is_in_no_cone() {
        assert!(!in_friction_cone(DVec3::new(0.0, 0.0, -1.0), 1.0));
    }

    #[test]
    fn restitution_rises_level_first_and_never_above_one_for_elastic_bodies() {
        assert_eq!(raised_restitution(0.3, 5.0, 0.0), 0.3);
        assert_eq!(raised_restitution(0.3, 5.0, 1.0), 5.0);
        assert_eq!(raised_restitution(0.3, 5.0, 7.0), 5.0);
        assert!((raised_restitution(0.0, 5.0, 0.1) - 0.05).abs() < 1e-15);
        assert_eq!(raised_restitution(1.0, 5.0, 1.0), 1.0);
        assert_eq!(raised_restitution(0.9, 0.5, 1.0), 0.9);
    }
}
