//! Bodies and materials for tests of whole worlds.

use impulse::geometry::{ConvexPolyhedron, HalfSpace, Shape};
use impulse::math::Pose;
use impulse::respond::{Law, Material};
use impulse::world::{BodyId, BodySpec, MassSpec, MaterialId, MotionSpec, World};
use impulse::{DQuat, DVec3};

pub(crate) fn wall(name: &str, normal: DVec3, offset: f64, material: MaterialId) -> BodySpec {
    BodySpec {
        name: name.into(),
        shape: HalfSpace::new(normal, offset).unwrap().into(),
        world_from_shape: Pose::IDENTITY,
        material,
        motion: MotionSpec::Fixed,
    }
}

pub(crate) fn floor(material: MaterialId) -> BodySpec {
    wall("floor", DVec3::Z, 0.0, material)
}

/// A ground of many faces, whose top is turned by an angle (rad) about the y axis: bodies on it hop, they do not lie in closed form.
pub(crate) fn slab(angle: f64, material: MaterialId) -> BodySpec {
    let half = DVec3::new(20.0, 20.0, 0.5);
    let rotation = DQuat::from_rotation_y(angle);
    let world_from_shape = Pose { rotation, translation: rotation * (DVec3::NEG_Z * half.z) };
    let spec = BodySpec::fixed("slab", ConvexPolyhedron::cuboid(half).unwrap());
    BodySpec { world_from_shape, material, ..spec }
}

/// A body of 1000 kg/m^3.
pub(crate) fn free(name: &str, shape: impl Into<Shape>, at: DVec3, velocity: DVec3, material: MaterialId) -> BodySpec {
    BodySpec {
        name: name.into(),
        shape: shape.into(),
        world_from_shape: Pose::from_translation(at),
        material,
        motion: MotionSpec::Free { mass: MassSpec::Density(1000.0), velocity, spin: DVec3::ZERO },
    }
}

/// Puts a body elsewhere, turned, with a velocity and a spin in its own axes.
pub(crate) fn placed(spec: BodySpec, at: Pose, velocity: DVec3, spin: DVec3) -> BodySpec {
    let motion = match spec.motion {
        MotionSpec::Free { mass, .. } => MotionSpec::Free { mass, velocity, spin },
        other => other,
    };
    BodySpec { world_from_shape: at, motion, ..spec }
}

pub(crate) fn surface(friction: f64, restitution: f64) -> Material {
    Material { friction, restitution, law: Law::Stronge }
}

/// Whether a plane carries or guides a body.
pub(crate) fn is_carried(world: &World, body: BodyId) -> bool {
    world.motion(body).unwrap().carried().is_some()
}
