//! What the benches of worlds share: bodies, and what the operating system says about time (thesis 7.1 counts it too).

use impulse::DVec3;
use impulse::geometry::Sphere;
use impulse::math::Pose;
use impulse::respond::{Law, Material};
use impulse::world::{BodySpec, MassSpec, MaterialId, MotionSpec};
use std::time::{SystemTime, UNIX_EPOCH};

/// A ball of 1000 kg/m^3.
pub(crate) fn free(name: String, radius: f64, at: DVec3, velocity: DVec3, material: MaterialId) -> BodySpec {
    BodySpec {
        name,
        shape: Sphere::new(radius).expect("a radius").into(),
        world_from_shape: Pose::from_translation(at),
        material,
        motion: MotionSpec::Free { mass: MassSpec::Density(1000.0), velocity, spin: DVec3::ZERO },
    }
}

pub(crate) fn surface(friction: f64, restitution: f64) -> Material {
    Material { friction, restitution, law: Law::Stronge }
}

/// Processor time of this thread so far, s, to some milliseconds; where the system does not tell, the time of day.
pub(crate) fn cpu_seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next().and_then(|n| n.parse::<f64>().ok()));
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64());
    nanoseconds.map_or_else(clock, |n| 1e-9 * n)
}
