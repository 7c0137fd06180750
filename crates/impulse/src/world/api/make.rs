//! From what a user says about a body to a body that moves: checked in one place for worlds at rest and running (section 2.5).

use super::super::collider::ColliderSpec;
use super::super::error::BuildError;
use super::super::index::BodyId;
use super::super::material::Materials;
use super::super::spec::{BodySpec, MassSpec, MotionSpec};
use crate::body::{Drive, Launch, Motion, PrincipalMass, State};
use crate::geometry::{MassError, MassProperties, Shape};
use crate::math::Pose;
use glam::{DQuat, DVec3};

/// What a new body meets.
pub(crate) struct Surroundings<'a> {
    pub(crate) materials: &'a Materials,
    /// m/s^2.
    pub(crate) gravity: DVec3,
    /// When it starts, s.
    pub(crate) now: f64,
}

impl Surroundings<'_> {
    /// The collider and the motion of a body, if everything said about it makes sense. Whether it overlaps others, or has the
    /// name of another, is not checked here.
    pub(crate) fn make(&self, spec: BodySpec, id: BodyId) -> Result<(ColliderSpec, Motion), BuildError> {
        if !self.materials.contains(spec.material) {
            return Err(BuildError::UnknownMaterial(spec.name));
        }
        let BodySpec { name, shape, world_from_shape, material, motion } = spec;
        if !(world_from_shape.rotation.is_finite() && world_from_shape.translation.is_finite()) {
            return Err(BuildError::NotFinite { name, what: "the pose" });
        }
        let length = world_from_shape.rotation.length();
        if (length - 1.0).abs() > UNIT_ROUNDING {
            return Err(BuildError::NotUnit { name, length });
        }
        let (motion, body_from_shape) = match motion {
            MotionSpec::Fixed => (Motion::fixed(world_from_shape), Pose::IDENTITY),
            _ if !shape.is_bounded() => return Err(BuildError::CannotMove(name)),
            MotionSpec::Free { .. } if !can_be_free(&shape) => return Err(BuildError::CannotBeFree(name)),
            MotionSpec::Scripted { script, centre } => (Motion::scripted(script), Pose::from_translation(-centre)),
            MotionSpec::Free { mass, velocity, spin } => {
                if !(velocity.is_finite() && spin.is_finite()) {
                    return Err(BuildError::NotFinite { name, what: "the velocity or the spin" });
                }
                let start = State { world_from_body: world_from_shape, velocity, spin };
                mass_properties(&shape, mass)
                    .and_then(|mass| self.free_motion(&mass, &start))
                    .map_err(|error| BuildError::Mass { name: name.clone(), error })?
            }
        };
        Ok((ColliderSpec { id, name, shape, material, body_from_shape }, motion))
    }

    /// The motion of a free body's principal frame, and where the shape sits in that frame; `start` is the shape frame's.
    pub(crate) fn free_motion(&self, mass: &MassProperties, start: &State) -> Result<(Motion, Pose), MassError> {
        mass.validate()?;
        // A body whose inertia is diagonal already keeps its axes, to the bit.
        let frame = mass.principal_frame();
        let diagonal = mass.inertia.x_axis.y == 0.0 && mass.inertia.x_axis.z == 0.0 && mass.inertia.y_axis.z == 0.0;
        let (rotation, moments) = if diagonal {
            (DQuat::IDENTITY, DVec3::new(mass.inertia.x_axis.x, mass.inertia.y_axis.y, mass.inertia.z_axis.z))
        } else {
            (frame.reference_from_principal.rotation, frame.moments)
        };
        let shape_from_body = Pose { rotation, translation: mass.com };
        let principal = PrincipalMass::new(mass.mass, moments)?;
        let state = State {
            world_from_body: start.world_from_body * shape_from_body,
            velocity: start.velocity,
            spin: shape_from_body.inverse_vector(start.spin),
        };
        let drive = Drive { acceleration: self.gravity, torque: DVec3::ZERO };
        Ok((Motion::free(principal, Launch { time: self.now, state }, drive), shape_from_body.inverse()))
    }
}

/// Deviation of a quaternion's length from 1 that is rounding.
const UNIT_ROUNDING: f64 = 1e-9;

/// Whether impulses may move a body of this shape: it needs bounds and a volume.
pub(crate) fn can_be_free(shape: &Shape) -> bool {
    shape.is_bounded() && !matches!(shape, Shape::Mesh(_))
}

pub(crate) fn mass_properties(shape: &Shape, mass: MassSpec) -> Result<MassProperties, MassError> {
    let integrals = || shape.volume_integrals().ok_or(MassError::Volume(0.0));
    match mass {
        MassSpec::Density(density) => MassProperties::from_density(&integrals()?, density),
        MassSpec::Mass(mass) => MassProperties::from_mass(&integrals()?, mass),
        MassSpec::Properties(properties) => Ok(properties),
    }
}
