//! A motion as collision detection sees it (section 2.5).

use super::bounds::Range;
use super::motion::Motion;
use crate::detect::{Moving, Trajectory, Vectors};
use glam::DVec3;

impl Trajectory for Motion {
    fn at(&self, t: f64) -> Moving {
        let state = self.state_at(t);
        let angular_velocity = state.angular_velocity();
        Moving { world_from_body: state.world_from_body, velocity: state.velocity, angular_velocity }
    }

    fn parabola_at(&self, t: f64) -> Option<[DVec3; 3]> {
        Self::parabola_at(self, t)
    }

    fn centre_acceleration(&self, d: DVec3, [from, to]: [f64; 2]) -> [f64; 2] {
        let range = self.centre_acceleration_along(d, Range::new(from, to));
        [range.min, range.max]
    }

    fn centre_accelerations(&self, [from, to]: [f64; 2]) -> [[f64; 2]; 3] {
        Self::centre_accelerations(self, Range::new(from, to)).map(|range| [range.min, range.max])
    }

    fn turning(&self, vectors: Vectors, [from, to]: [f64; 2]) -> [f64; 2] {
        let spin = self.spin_bounds(Range::new(from, to));
        let Vectors { extents: r, length } = vectors;
        let w = spin.components;
        // |w x r| by components, or by lengths.
        let rate = DVec3::new(w.y * r.z + w.z * r.y, w.z * r.x + w.x * r.z, w.x * r.y + w.y * r.x).length();
        [rate.min(spin.speed * length), spin.acceleration_within_box(r).min(spin.acceleration_within(length))]
    }
}
