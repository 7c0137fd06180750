//! Materials and what two of them make together (section 3.1).

use super::BuildError;
use crate::respond::{Law, Material};
use std::collections::BTreeMap;

/// A material of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MaterialId(pub(super) u32);

/// What a surface brings to a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Coefficient of friction.
    pub friction: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
}

/// All materials, and the pairs with coefficients of their own.
#[derive(Clone, Debug, Default)]
pub(super) struct Materials {
    surfaces: Vec<Surface>,
    pairs: BTreeMap<(MaterialId, MaterialId), Surface>,
    pub(super) law: Law,
}

impl Surface {
    fn checked(self) -> Result<Self, BuildError> {
        if !(self.friction >= 0.0 && self.friction.is_finite()) {
            return Err(BuildError::Surface { what: "friction", value: self.friction });
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            return Err(BuildError::Surface { what: "restitution", value: self.restitution });
        }
        Ok(self)
    }
}

impl Materials {
    pub(super) fn add(&mut self, surface: Surface) -> Result<MaterialId, BuildError> {
        self.surfaces.push(surface.checked()?);
        Ok(MaterialId(self.surfaces.len() as u32 - 1))
    }

    pub(super) fn set_pair(&mut self, a: MaterialId, b: MaterialId, surface: Surface) -> Result<(), BuildError> {
        self.pairs.insert((a.min(b), a.max(b)), surface.checked()?);
        Ok(())
    }

    pub(super) fn contains(&self, material: MaterialId) -> bool {
        (material.0 as usize) < self.surfaces.len()
    }

    /// The pair's own coefficients, else the geometric mean of friction and the minimum of restitution.
    pub(super) fn combined(&self, a: MaterialId, b: MaterialId) -> Material {
        let own = self.pairs.get(&(a.min(b), a.max(b))).copied();
        let surface = own.unwrap_or_else(|| {
            let (a, b) = (self.surfaces[a.0 as usize], self.surfaces[b.0 as usize]);
            Surface { friction: (a.friction * b.friction).sqrt(), restitution: a.restitution.min(b.restitution) }
        });
        Material { friction: surface.friction, restitution: surface.restitution, law: self.law }
    }
}
