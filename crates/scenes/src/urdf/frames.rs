//! Frames in files: `<origin xyz="x y z" rpy="roll pitch yaw"/>`.

use super::xml::{Element, Read};
use glam::{DQuat, DVec3};
use impulse::math::Pose;

/// The frame of an element by its `<origin>`; none is the frame of what it is in.
pub(super) fn origin(of: Element<'_>) -> Read<Pose> {
    let Some(origin) = of.child("origin")? else { return Ok(Pose::IDENTITY) };
    origin.know(&[], &["xyz", "rpy"])?;
    let translation = origin.vector("xyz")?.unwrap_or(DVec3::ZERO);
    let [roll, pitch, yaw] = origin.vector("rpy")?.unwrap_or(DVec3::ZERO).to_array();
    Ok(Pose { rotation: rotation(roll, pitch, yaw), translation })
}

/// Roll about x, then pitch about y, then yaw about z, all of them fixed axes.
fn rotation(roll: f64, pitch: f64, yaw: f64) -> DQuat {
    let [(sx, cx), (sy, cy), (sz, cz)] = [roll, pitch, yaw].map(|angle| libm::sincos(0.5 * angle));
    let about_x = DQuat::from_xyzw(sx, 0.0, 0.0, cx);
    let about_y = DQuat::from_xyzw(0.0, sy, 0.0, cy);
    let about_z = DQuat::from_xyzw(0.0, 0.0, sz, cz);
    about_z * about_y * about_x
}

#[cfg(test)]
mod tests {
    use super::rotation;
    use glam::DVec3;
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn roll_comes_first_and_yaw_last() {
        // Roll takes y to z, pitch takes z to x, yaw takes x to y.
        let turned = rotation(FRAC_PI_2, FRAC_PI_2, FRAC_PI_2) * DVec3::Y;
        assert!((turned - DVec3::Y).length() < 1e-15, "{turned}");
        let turned = rotation(FRAC_PI_2, 0.0, FRAC_PI_2) * DVec3::X;
        assert!((turned - DVec3::Y).length() < 1e-15, "{turned}");
    }
}
