//! Mass properties of bodies in scripts (section 6.1), from densities, masses, or values given directly.

use super::description::ShapeDescription;
use super::error::Fault;
use super::values::{Given, Options, inertia, number, vector};
use glam::{DMat3, DVec3};
use impulse::geometry::{MassError, MassProperties, VolumeIntegrals};

/// The options that concern a body's mass.
pub(super) struct MassOptions {
    density: Option<f64>,
    mass: Option<f64>,
    inertia: Option<DMat3>,
    com: Option<DVec3>,
}

impl MassOptions {
    pub(super) fn new(options: &Options) -> Given<Self> {
        if options.has("density") && options.has("mass") {
            return Err(options.conflict("give either density or mass, not both"));
        }
        Ok(Self {
            density: options.get("density", number)?,
            mass: options.get("mass", number)?,
            inertia: options.get("inertia", inertia)?,
            com: options.get("com", vector)?,
        })
    }

    /// Centre of mass of a fixed or scripted body, whose mass is unknown.
    pub(super) fn centre(&self, shape: &ShapeDescription) -> DVec3 {
        let volumes = integrals(shape);
        let volume: f64 = volumes.iter().map(|part| part.volume).sum();
        let first: DVec3 = volumes.iter().map(|part| part.volume * part.centroid).sum();
        let centre = match &volumes[..] {
            [] => DVec3::ZERO,
            [one] => one.centroid,
            _ => first / volume,
        };
        self.com.unwrap_or(centre)
    }

    /// Mass, centre of mass and inertia of a body that moves freely.
    pub(super) fn properties(&self, of: &str, shape: &ShapeDescription) -> Given<MassProperties> {
        let mut mass = self.distributed(of, shape)?;
        if let Some(inertia) = self.inertia {
            mass.inertia = inertia;
        }
        if let Some(com) = self.com {
            mass.com = com;
        }
        mass.validate().map_err(refused(of))?;
        Ok(mass)
    }

    /// Mass properties from the densities of the parts. If none has its own, all have the same.
    fn distributed(&self, of: &str, shape: &ShapeDescription) -> Given<MassProperties> {
        let plain = shape.point_masses.is_empty() && shape.parts.iter().all(|part| part.density.is_none());
        if let (Some(mass), true, [one]) = (self.mass, plain, &integrals(shape)[..]) {
            return MassProperties::from_mass(one, mass).map_err(refused(of));
        }
        let rest = self.density.or(self.mass.filter(|_| plain).map(|_| 1.0));
        let density = |own: Option<f64>| {
            let needed = if plain {
                "density or mass, since it is free to move (or `fixed: true`)"
            } else {
                "a density for every part, or one for the whole body"
            };
            own.or(rest).ok_or_else(|| Fault::Missing { of: of.to_owned(), needed })
        };
        let mut parts = Vec::with_capacity(shape.parts.len());
        for (part, integrals) in shape.parts.iter().zip(integrals(shape)) {
            parts.push(MassProperties::from_density(&integrals, density(part.density)?).map_err(refused(of))?);
        }
        let whole = match (&parts[..], &shape.point_masses[..]) {
            ([one], []) => *one,
            (parts, points) => MassProperties::combined(parts, points).map_err(refused(of))?,
        };
        Ok(match self.mass {
            Some(mass) => MassProperties { mass, inertia: whole.inertia * (mass / whole.mass), ..whole },
            None => whole,
        })
    }
}

/// The volume integrals of all parts in the frame of the whole shape.
fn integrals(shape: &ShapeDescription) -> Vec<VolumeIntegrals> {
    let of_part = |part: &super::description::PartDescription| {
        let own = part.solid.volume_integrals()?;
        // A part that is not moved keeps its exact values.
        Some(if part.shape_from_part == impulse::math::Pose::IDENTITY {
            own
        } else {
            own.transformed(&part.shape_from_part)
        })
    };
    shape.parts.iter().filter_map(of_part).collect()
}

fn refused(of: &str) -> impl Fn(MassError) -> Fault {
    move |error| Fault::Mass { of: of.to_owned(), error }
}
