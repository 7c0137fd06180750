//! Unit vectors at every scale, for support points.

use glam::DVec3;

/// The unit vector along `v`, whose squared length may overflow or underflow; `X` for the zero vector.
pub(super) fn unit(v: DVec3) -> DVec3 {
    let squared = v.length_squared();
    if (1e-280..1e280).contains(&squared) {
        return v / squared.sqrt();
    }
    let largest = v.abs().max_element();
    if largest > 0.0 { (v / largest).normalize() } else { DVec3::X }
}

/// The unit vector in the xy-plane along the projection of `v`; `X` where that is zero.
pub(super) fn unit_across_z(v: DVec3) -> DVec3 {
    unit(DVec3::new(v.x, v.y, 0.0))
}

/// Distance from the z-axis.
pub(super) fn axis_distance(p: DVec3) -> f64 {
    p.truncate().length()
}

#[cfg(test)]
mod tests {
    use super::unit;
    use glam::DVec3;

    #[test]
    fn unit_vectors_at_every_scale() {
        let v = DVec3::new(2.0, -3.0, 6.0);
        for scale in [1e-300, 1e-200, 1e-141, 1e-140, 1e-10, 1.0, 1e10, 1e139, 1e140, 1e200, 1e300] {
            assert!((unit(v * scale) - v / 7.0).length() < 4e-16, "{scale}");
        }
        // The smallest number there is.
        assert_eq!(unit(DVec3::new(0.0, -5e-324, 0.0)), -DVec3::Y);
        assert_eq!(unit(DVec3::ZERO), DVec3::X);
    }
}
