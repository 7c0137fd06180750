//! What the benches of worlds share: bodies, and processor time.

mod cpu;

pub(crate) use cpu::cpu_seconds;

use impulse::DVec3;
use impulse::geometry::Sphere;
use impulse::math::Pose;
use impulse::respond::{Law, Material};
use impulse::world::{BodySpec, MassSpec, MaterialId, MotionSpec};

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
