//! Mass and principal moments of a body: all that its free motion knows of it (section 2.3.3, appendix A.3).

use super::state::State;
use crate::geometry::{MassError, MassProperties};
use glam::{DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// Mass properties in the principal frame at the centre of mass.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrincipalMass {
    mass: f64,
    moments: DVec3,
}

impl PrincipalMass {
    /// From the mass (kg) and the moments about the principal axes (kg m^2), in any order.
    pub fn new(mass: f64, moments: DVec3) -> Result<Self, MassError> {
        MassProperties { mass, com: DVec3::ZERO, inertia: DMat3::from_diagonal(moments) }.validate()?;
        Ok(Self { mass, moments })
    }

    /// Mass, kg.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Principal moments, kg m^2.
    pub fn moments(&self) -> DVec3 {
        self.moments
    }

    /// Kinetic energy in a state of the principal frame, J.
    pub fn kinetic_energy(&self, state: &State) -> f64 {
        let State { velocity, spin, .. } = *state;
        0.5 * (self.mass * velocity.length_squared() + (self.moments * spin).dot(spin))
    }

    /// Inertia tensor about the centre of mass in world axes when the body has this orientation, kg m^2.
    pub fn inertia_at(&self, world_from_principal: DQuat) -> DMat3 {
        let r = DMat3::from_quat(world_from_principal);
        r * DMat3::from_diagonal(self.moments) * r.transpose()
    }

    /// What an impulse meets when the body has this orientation.
    pub fn inverse_at(&self, world_from_principal: DQuat) -> InverseMass {
        let r = DMat3::from_quat(world_from_principal);
        let inertia = r * DMat3::from_diagonal(self.moments.recip()) * r.transpose();
        InverseMass { inverse_mass: 1.0 / self.mass, world_inverse_inertia: inertia }
    }
}

/// How readily a body gives way to an impulse: zero for one that cannot be moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InverseMass {
    /// 1/kg.
    pub inverse_mass: f64,
    /// Inverse of the inertia tensor about the centre of mass in world axes, 1/(kg m^2).
    pub world_inverse_inertia: DMat3,
}

impl InverseMass {
    /// An infinitely heavy body.
    pub const IMMOVABLE: Self = Self { inverse_mass: 0.0, world_inverse_inertia: DMat3::ZERO };
}

/// Indices of the smallest, the middle and the largest moment.
pub(super) fn sorted_axes(moments: DVec3) -> [usize; 3] {
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| moments[i].total_cmp(&moments[j]));
    order
}
