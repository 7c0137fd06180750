//! Materials and what two of them make together (section 3.1).

use super::BuildError;
use crate::respond::{Law, Material};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A material of a world; by default the first one that was added.
///
/// ```
/// use impulse::prelude::*;
///
/// let mut builder = WorldBuilder::new(Settings::default())?;
/// let steel = builder.add_material(Material { friction: 0.2, restitution: 0.7, law: Law::Stronge })?;
/// let rubber = builder.add_material(Material { friction: 0.9, restitution: 0.8, law: Law::Stronge })?;
/// // Where steel meets rubber neither the mean nor the minimum holds.
/// builder.add_contact(steel, rubber, Material { friction: 0.6, restitution: 0.4, law: Law::Stronge })?;
/// builder.add_body(BodySpec::free("ball", Sphere::new(0.02)?).material(rubber))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MaterialId(pub(crate) u32);

/// What a surface does to another one, or to one like itself: in impacts, and in contact that lasts.
///
/// ```
/// use impulse::prelude::*;
///
/// // A bowling ball's cover: it grips a little before it slips, and rolls to a halt.
/// let plastic = Material { friction: 0.04, restitution: 0.65, law: Law::Stronge };
/// let cover = Surface { static_friction: 0.05, rolling_resistance: 2e-4, ..Surface::from(plastic) };
/// WorldBuilder::new(Settings::default())?.add_material(cover)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    /// Friction, restitution and law: all that counts in impacts.
    pub material: Material,
    /// Coulomb's coefficient of a lasting contact that does not slip, at least that of `material`, which is of one that does.
    pub static_friction: f64,
    /// Largest moment against rolling in lasting contact by the normal force, m.
    pub rolling_resistance: f64,
    /// Largest moment against turning about the normal in lasting contact by the normal force, m.
    pub spinning_resistance: f64,
}

impl Surface {
    /// Whether lasting contact obeys more than Coulomb's law with one coefficient.
    pub(crate) fn has_laws(&self) -> bool {
        self.resists() || self.static_friction != self.material.friction
    }

    /// Whether it resists rotation.
    pub(crate) fn resists(&self) -> bool {
        self.rolling_resistance > 0.0 || self.spinning_resistance > 0.0
    }

    fn checked(self) -> Result<Self, BuildError> {
        let Material { friction, restitution, .. } = self.material;
        let within = [
            ("friction", friction, 0.0..=f64::MAX, "it must be at least 0"),
            ("restitution", restitution, 0.0..=1.0, "it must be within [0, 1]"),
            (
                "static friction",
                self.static_friction,
                friction..=f64::MAX,
                "it must be at least the (kinetic) friction",
            ),
            ("rolling resistance", self.rolling_resistance, 0.0..=f64::MAX, "it is a length, at least 0 m"),
            ("spinning resistance", self.spinning_resistance, 0.0..=f64::MAX, "it is a length, at least 0 m"),
        ];
        match within.into_iter().find(|(_, value, range, _)| !range.contains(value)) {
            Some((what, value, _, remedy)) => Err(BuildError::Surface { what, value, remedy }),
            None => Ok(self),
        }
    }
}

/// Without the optional laws: one coefficient of friction, no resistance.
impl From<Material> for Surface {
    fn from(material: Material) -> Self {
        Self { material, static_friction: material.friction, rolling_resistance: 0.0, spinning_resistance: 0.0 }
    }
}

/// What two surfaces do to each other where nothing else is said: the geometric mean of their friction (kinetic and static), the
/// smaller restitution, the larger resistance, and their law where they agree on it, else Stronge's, which never adds energy.
///
/// The larger resistance, because the softer of the two yields and loses the energy, however hard the other one is.
pub fn combine(a: &Surface, b: &Surface) -> Surface {
    let [p, q] = [&a.material, &b.material];
    let friction = geometric_mean(p.friction, q.friction);
    Surface {
        material: Material {
            friction,
            restitution: p.restitution.min(q.restitution),
            law: if p.law == q.law { p.law } else { Law::default() },
        },
        // Rounding must not put it below the kinetic one.
        static_friction: geometric_mean(a.static_friction, b.static_friction).max(friction),
        rolling_resistance: a.rolling_resistance.max(b.rolling_resistance),
        spinning_resistance: a.spinning_resistance.max(b.spinning_resistance),
    }
}

/// Equal numbers stay as they are: the root of a square may round.
fn geometric_mean(a: f64, b: f64) -> f64 {
    if a == b { a } else { (a * b).sqrt() }
}

/// All materials, and the pairs with coefficients of their own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Materials {
    materials: Vec<Surface>,
    pairs: BTreeMap<(MaterialId, MaterialId), Surface>,
    /// Whether any of them has optional laws.
    pub(crate) have_laws: bool,
}

impl Materials {
    pub(crate) fn add(&mut self, surface: Surface) -> Result<MaterialId, BuildError> {
        self.materials.push(surface.checked()?);
        self.have_laws |= surface.has_laws();
        Ok(MaterialId(self.materials.len() as u32 - 1))
    }

    pub(crate) fn set_pair(&mut self, a: MaterialId, b: MaterialId, surface: Surface) -> Result<(), BuildError> {
        self.pairs.insert((a.min(b), a.max(b)), surface.checked()?);
        self.have_laws |= surface.has_laws();
        Ok(())
    }

    /// All materials in order, and all pairs with coefficients of their own.
    pub(crate) fn list(&self) -> (Vec<Surface>, Vec<(MaterialId, MaterialId, Surface)>) {
        (self.materials.clone(), self.pairs.iter().map(|(&(a, b), &surface)| (a, b, surface)).collect())
    }

    pub(crate) fn contains(&self, material: MaterialId) -> bool {
        (material.0 as usize) < self.materials.len()
    }

    /// The surface of a material that is known.
    pub(crate) fn surface(&self, material: MaterialId) -> Surface {
        self.materials[material.0 as usize]
    }

    /// The pair's own entry, else the combination of the two.
    pub(crate) fn combined(&self, a: MaterialId, b: MaterialId) -> Surface {
        let own = self.pairs.get(&(a.min(b), a.max(b))).copied();
        own.unwrap_or_else(|| combine(&self.surface(a), &self.surface(b)))
    }
}
