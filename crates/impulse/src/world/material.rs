//! Materials and what two of them make together (section 3.1).

use super::BuildError;
use crate::respond::{Law, Material};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A material of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MaterialId(pub(super) u32);

/// What two materials do to each other where nothing else is said: the geometric mean of their friction, the smaller restitution,
/// and their law where they agree on it, else Stronge's, which never adds energy.
pub fn combine(a: &Material, b: &Material) -> Material {
    Material {
        // Equal coefficients stay as they are: the root of a square may round.
        friction: if a.friction == b.friction { a.friction } else { (a.friction * b.friction).sqrt() },
        restitution: a.restitution.min(b.restitution),
        law: if a.law == b.law { a.law } else { Law::default() },
    }
}

/// All materials, and the pairs with coefficients of their own.
#[derive(Clone, Debug, Default)]
pub(super) struct Materials {
    materials: Vec<Material>,
    pairs: BTreeMap<(MaterialId, MaterialId), Material>,
}

impl Materials {
    pub(super) fn add(&mut self, material: Material) -> Result<MaterialId, BuildError> {
        self.materials.push(checked(material)?);
        Ok(MaterialId(self.materials.len() as u32 - 1))
    }

    pub(super) fn set_pair(&mut self, a: MaterialId, b: MaterialId, material: Material) -> Result<(), BuildError> {
        self.pairs.insert((a.min(b), a.max(b)), checked(material)?);
        Ok(())
    }

    /// All materials in order, and all pairs with coefficients of their own.
    pub(super) fn list(&self) -> (Vec<Material>, Vec<(MaterialId, MaterialId, Material)>) {
        (self.materials.clone(), self.pairs.iter().map(|(&(a, b), &material)| (a, b, material)).collect())
    }

    pub(super) fn contains(&self, material: MaterialId) -> bool {
        (material.0 as usize) < self.materials.len()
    }

    /// The pair's own entry, else the combination of the two.
    pub(super) fn combined(&self, a: MaterialId, b: MaterialId) -> Material {
        let own = self.pairs.get(&(a.min(b), a.max(b))).copied();
        own.unwrap_or_else(|| combine(&self.materials[a.0 as usize], &self.materials[b.0 as usize]))
    }
}

fn checked(material: Material) -> Result<Material, BuildError> {
    let Material { friction, restitution, .. } = material;
    if !(friction >= 0.0 && friction.is_finite()) {
        return Err(BuildError::Surface { what: "friction", value: friction });
    }
    if !(0.0..=1.0).contains(&restitution) {
        return Err(BuildError::Surface { what: "restitution", value: restitution });
    }
    Ok(material)
}
