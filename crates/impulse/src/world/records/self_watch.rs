//! A run watches itself: energy from nothing, and storms of events (sections 3.5, 8.1).

use super::super::data::World;
use super::super::group::Group;
use super::super::index::GroupIndex;
use super::busiest::{Busiest, TENTHS};
use crate::body::PrincipalMass;

/// Hops of all free bodies, stacked, that energy may rise by.
const HOPS_ALLOWED: f64 = 20.0;

/// Share of the largest kinetic energy that rounding may add.
const ROUNDING_ALLOWED: f64 = 1e-12;

impl World {
    /// Largest rise of the energy of all free bodies minus the work of scripted bodies and applied forces above its least value
    /// before, over all events so far, J. What lasting contact lifts bodies by in its hops is part of it; more than
    /// [`World::energy_allowance`] means that contact has made energy from nothing.
    ///
    /// ```
    /// use impulse::prelude::*;
    ///
    /// let mut builder = WorldBuilder::new(Settings::default())?;
    /// builder.add_material(Material { friction: 0.5, restitution: 0.3, law: Law::Stronge })?;
    /// builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0)?))?;
    /// builder.add_body(BodySpec::free("box", Cuboid::new(DVec3::ONE)?).at(DVec3::Z).mass(1.0))?;
    /// let mut world = builder.build()?;
    /// world.run_to(2.0)?;
    /// assert!(world.energy_rise() <= world.energy_allowance());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn energy_rise(&self) -> f64 {
        self.records.energy.rise
    }

    /// What [`World::energy_rise`] may be, J: for every free body that is there now, 20 times its weight times the height of its
    /// hops ([`Settings::hop_height`](crate::world::Settings::hop_height) times its bounding radius); and 1e-12 of the largest
    /// kinetic energy of all free bodies that was found. That is looked at after the first event with impulses and then after one
    /// in as many as there are bodies.
    pub fn energy_allowance(&self) -> f64 {
        let lift = |group: &Group| {
            let mass = group.motion().mass().map_or(0.0, PrincipalMass::mass);
            let radius = group.members().iter().map(|&c| self.colliders[c].radius).fold(0.0, f64::max);
            let is_low = self.hops_low() || group.link.is_some();
            let height = if is_low { self.settings.least_hop_height() } else { self.settings.hop_height };
            if mass > 0.0 { mass * height * radius } else { 0.0 }
        };
        let hops: f64 = self.groups.iter().map(lift).sum();
        HOPS_ALLOWED * self.settings.gravity.length() * hops + ROUNDING_ALLOWED * self.records.energy.largest
    }

    /// A group is stopped where it is: its kinetic energy is lost.
    pub(crate) fn note_stop(&mut self, group: GroupIndex) {
        let motion = self.groups[group].motion();
        if let Some(mass) = motion.mass() {
            let lost = mass.kinetic_energy(&motion.state_at(self.now));
            self.records.energy.give(-lost);
        }
    }

    /// An event is over.
    pub(crate) fn close_energy(&mut self) {
        if self.records.energy.pending == 0.0 {
            return;
        }
        self.records.energy.close_event();
        if self.records.energy.until_look == 0 {
            let kinetic = self.kinetic_energy();
            let energy = &mut self.records.energy;
            energy.largest = energy.largest.max(kinetic);
            energy.until_look = self.groups.len() as u64;
        }
        self.records.energy.until_look -= 1;
    }

    /// The tenth of a second, counted from time 0, in which most events happened so far.
    pub fn busiest_tenth(&self) -> Busiest {
        let (tenth, events) = self.records.business.busiest;
        Busiest { from: tenth / TENTHS, events }
    }
}
