//! Mass, centre of mass and inertia of bodies made of parts (section 6.1).

use super::VolumeIntegrals;
use crate::math::{Pose, outer, symmetric_eigen};
use glam::{DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// The ten parameters of a rigid body's mass distribution, in a reference frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MassProperties {
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass, m.
    pub com: DVec3,
    /// Inertia tensor about the centre of mass along the reference axes, kg m^2: off-diagonal entries are minus the products.
    pub inertia: DMat3,
}

/// A mass without extent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointMass {
    /// Mass, kg.
    pub mass: f64,
    /// Where it is, m.
    pub position: DVec3,
}

/// The frame at the centre of mass in which the inertia tensor is diagonal (section 6.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrincipalFrame {
    /// Takes coordinates of the principal body frame to the reference frame.
    pub reference_from_principal: Pose,
    /// Principal moments, kg m^2, ascending.
    pub moments: DVec3,
    /// Principal axes in the reference frame: the columns of a rotation matrix.
    pub axes: DMat3,
}

/// Why a mass distribution is not one of a rigid body.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MassError {
    /// The mass is not a positive number.
    #[error("the mass must be a positive number of kilograms, not {0}")]
    Mass(f64),
    /// The density is not a positive number.
    #[error("the density must be a positive number of kg/m^3, not {0}")]
    Density(f64),
    /// The volume is not a positive number.
    #[error("the volume must be positive, not {0} m^3: are the faces wound counter-clockwise seen from outside?")]
    Volume(f64),
    /// A coordinate is not finite.
    #[error("the centre of mass or the inertia tensor has an entry that is not a finite number")]
    NotFinite,
    /// A principal moment is not positive.
    #[error("the principal moment {0} kg m^2 is not positive: give a positive definite inertia tensor")]
    Moment(f64),
    /// One principal moment exceeds the sum of the others: no distribution of mass has that.
    #[error(
        "the principal moment {largest} kg m^2 exceeds the sum {sum} of the other two: no body has such an inertia tensor"
    )]
    TriangleInequality {
        /// The offending moment.
        largest: f64,
        /// What it may not exceed.
        sum: f64,
    },
    /// A body without parts or point masses.
    #[error("the body has no parts and no point masses")]
    Empty,
}

/// Excess over the triangle inequality that rounding may cause, relative to the largest moment (flat bodies reach equality).
const TRIANGLE_SLACK: f64 = 1e-12;

impl MassProperties {
    /// A uniform solid of the given density (kg/m^3).
    pub fn from_density(integrals: &VolumeIntegrals, density: f64) -> Result<Self, MassError> {
        if !(density > 0.0 && density.is_finite()) {
            return Err(MassError::Density(density));
        }
        Self::uniform(integrals, density * integrals.volume)
    }

    /// A uniform solid of the given mass (kg).
    pub fn from_mass(integrals: &VolumeIntegrals, mass: f64) -> Result<Self, MassError> {
        Self::uniform(integrals, mass)
    }

    fn uniform(integrals: &VolumeIntegrals, mass: f64) -> Result<Self, MassError> {
        let volume = integrals.volume;
        if !(volume > 0.0 && volume.is_finite()) {
            return Err(MassError::Volume(volume));
        }
        Self { mass, com: integrals.centroid, inertia: inertia_of(integrals.central) * (mass / volume) }.checked_mass()
    }

    /// The mass properties of several rigidly joined bodies and point masses together.
    pub fn combined(bodies: &[Self], point_masses: &[PointMass]) -> Result<Self, MassError> {
        if bodies.is_empty() && point_masses.is_empty() {
            return Err(MassError::Empty);
        }
        let points = point_masses.iter().map(|p| Self { mass: p.mass, com: p.position, inertia: DMat3::ZERO });
        let parts = || bodies.iter().copied().chain(points.clone());
        for part in parts() {
            part.checked_mass()?;
        }
        let mass: f64 = parts().map(|p| p.mass).sum();
        let com = parts().map(|p| p.mass * p.com).sum::<DVec3>() / mass;
        // Transfer of axes about the common centre of mass, where it cannot cancel.
        let inertia = parts().map(|p| p.inertia_about(com)).fold(DMat3::ZERO, |sum, i| sum + i);
        Self { mass, com, inertia }.checked_mass()
    }

    /// The inertia tensor about another point, by the transfer-of-axis relations (6.1).
    pub fn inertia_about(&self, point: DVec3) -> DMat3 {
        let d = self.com - point;
        self.inertia + inertia_of(outer(d, d)) * self.mass
    }

    /// The same body moved by `pose`.
    pub fn transformed(&self, pose: &Pose) -> Self {
        let r = pose.matrix();
        Self { mass: self.mass, com: pose.point(self.com), inertia: r * self.inertia * r.transpose() }
    }

    /// The principal body frame (section 6.1).
    pub fn principal_frame(&self) -> PrincipalFrame {
        let eigen = symmetric_eigen(self.inertia);
        PrincipalFrame {
            reference_from_principal: Pose {
                rotation: DQuat::from_mat3(&eigen.axes).normalize(),
                translation: self.com,
            },
            moments: eigen.values,
            axes: eigen.axes,
        }
    }

    /// Whether these are the mass properties of an extended rigid body: finite, mass and moments positive, no moment above the
    /// sum of the other two.
    pub fn validate(&self) -> Result<(), MassError> {
        self.checked_mass()?;
        let m = symmetric_eigen(self.inertia).values;
        if !m.cmpgt(DVec3::ZERO).all() {
            return Err(MassError::Moment(m.x));
        }
        if m.z > (m.x + m.y) * (1.0 + TRIANGLE_SLACK) {
            return Err(MassError::TriangleInequality { largest: m.z, sum: m.x + m.y });
        }
        Ok(())
    }

    fn checked_mass(self) -> Result<Self, MassError> {
        if !(self.mass > 0.0 && self.mass.is_finite()) {
            return Err(MassError::Mass(self.mass));
        }
        if !(self.com.is_finite() && self.inertia.is_finite()) {
            return Err(MassError::NotFinite);
        }
        Ok(self)
    }
}

/// The inertia tensor that belongs to a matrix of second moments: `trace(s) 1 - s`, its diagonal without cancellation.
fn inertia_of(s: DMat3) -> DMat3 {
    let (xx, yy, zz) = (s.x_axis.x, s.y_axis.y, s.z_axis.z);
    DMat3::from_cols(
        DVec3::new(yy + zz, -s.x_axis.y, -s.x_axis.z),
        DVec3::new(-s.y_axis.x, zz + xx, -s.y_axis.z),
        DVec3::new(-s.z_axis.x, -s.z_axis.y, xx + yy),
    )
}
