//! One contact point alone: the impulse that reaches the target or slides, within Coulomb's cone.

use super::problem::ContactPoint;
use glam::{DVec2, DVec3};

/// Rounds of the search for the direction of sliding.
const ROUNDS: usize = 12;

/// Change of the direction of sliding at which it is found.
const DIRECTION: f64 = 1e-14;

impl ContactPoint {
    /// The impulse that the point needs in place of the one it has, if its velocity with that one is `velocity`.
    pub(super) fn answer(&self, velocity: DVec3) -> DVec3 {
        let missing = self.target - velocity;
        let k = &self.matrix;
        let stick = self.impulse + k.inverse() * missing;
        if stick.is_finite() && stick.z >= 0.0 && stick.truncate().length() <= self.friction * stick.z {
            return stick;
        }
        // What would be missing without any impulse here.
        let free = missing + *k * self.impulse;
        if free.z <= 0.0 {
            return DVec3::ZERO;
        }
        self.slide(free)
    }

    /// The impulse on the cone that reaches the target along the normal and works against the sliding that is left.
    fn slide(&self, free: DVec3) -> DVec3 {
        let k = &self.matrix;
        let mut direction = self.impulse.truncate().normalize_or(free.truncate().normalize_or_zero());
        let mut impulse = DVec3::new(0.0, 0.0, free.z / k.z_axis.z);
        if self.friction == 0.0 {
            return impulse;
        }
        for _ in 0..ROUNDS {
            let along = (self.friction * direction).extend(1.0);
            let stiffness = (*k * along).z;
            // Friction that jams (wedging) gets what the normal alone needs: the sweeps go on from there.
            let pressing = if stiffness > 0.05 * k.z_axis.z { free.z / stiffness } else { free.z / k.z_axis.z };
            impulse = along * pressing;
            let left: DVec2 = (free - *k * impulse).truncate();
            // Tangential impulse as if the rest were met by a point of the mean tangential mass: on the cone the direction is
            // what counts.
            let mass = 2.0 / (k.x_axis.x + k.y_axis.y);
            let next = (impulse.truncate() + mass * left).normalize_or(direction);
            let change = (next - direction).length();
            direction = next;
            if change <= DIRECTION {
                break;
            }
        }
        impulse
    }
}
