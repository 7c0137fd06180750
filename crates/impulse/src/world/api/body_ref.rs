//! One body of a world, and what can be asked about it (section 1.3).

use super::super::collider::Collider;
use super::super::data::World;
use super::super::index::BodyId;
use super::super::material::{MaterialId, Surface};
use super::super::records::lasting_contacts::LastingContact;
use crate::body::{Member, Motion, PrincipalMass, State};
use crate::geometry::{MassProperties, Shape};
use crate::math::Pose;
use glam::{DMat3, DVec3};

/// A body of a world, to be read: see [`World::body`].
///
/// Poses are those of the *shape's* frame, the one that [`BodySpec`](crate::world::BodySpec) places. The frame in which the engine
/// integrates motion, whose origin is the centre of mass and whose axes are the principal ones, appears only in methods named
/// `principal_...`. Methods without a time answer for [`World::time`]; those with one need a time that is not in the past, and hold
/// provided nothing strikes the body until then.
///
/// ```
/// use impulse::prelude::*;
///
/// let mut builder = WorldBuilder::new(Settings::default())?;
/// builder.add_material(Material { friction: 0.2, restitution: 0.5, law: Law::Stronge })?;
/// let cone = builder.add_body(BodySpec::free("cone", Cone::new(0.1, 0.4)?).velocity(DVec3::X).mass(2.0))?;
/// let world = builder.build()?;
///
/// let body = world.body(cone).ok_or("the cone is gone")?;
/// assert_eq!((body.name(), body.mass()), ("cone", Some(2.0)));
/// assert_eq!(body.pose().translation, DVec3::ZERO); // the shape's origin: half way up
/// assert!((body.centre_of_mass().z - -0.1).abs() < 1e-15); // a quarter of the height above the base
/// assert_eq!(body.kinetic_energy(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct BodyRef<'w> {
    world: &'w World,
    collider: &'w Collider,
}

impl World {
    /// A body to be read; `None` if it was removed or belongs to another world.
    pub fn body(&self, body: BodyId) -> Option<BodyRef<'_>> {
        self.collider(body).map(|collider| BodyRef { world: self, collider })
    }

    /// All bodies, in the order of [`World::bodies`].
    pub fn body_refs(&self) -> impl Iterator<Item = BodyRef<'_>> {
        self.colliders.iter().map(|collider| BodyRef { world: self, collider })
    }
}

impl<'w> BodyRef<'w> {
    /// The id.
    pub fn id(self) -> BodyId {
        self.collider.id
    }

    /// The name.
    pub fn name(self) -> &'w str {
        &self.collider.name
    }

    /// The shape, in its own frame.
    pub fn shape(self) -> &'w Shape {
        &self.collider.shape
    }

    /// The material of the surface.
    pub fn material(self) -> MaterialId {
        self.collider.material
    }

    /// The coefficients of that material.
    pub fn surface(self) -> Surface {
        self.world.materials.surface(self.collider.material)
    }

    /// Radius of the smallest ball about the centre of mass that contains the body, m; infinite for a half-space.
    pub fn bounding_radius(self) -> f64 {
        self.collider.radius
    }

    /// Whether it never moves.
    pub fn is_fixed(self) -> bool {
        self.member().is_fixed()
    }

    /// Whether impulses move it.
    pub fn is_free(self) -> bool {
        self.member().is_free()
    }

    /// Whether it follows a script.
    pub fn is_scripted(self) -> bool {
        self.member().is_scripted()
    }

    /// Whether it is a free body that lasting contact holds exactly still until something disturbs it.
    pub fn is_frozen(self) -> bool {
        self.member().is_frozen()
    }

    /// Whether it has come to rest: see [`World::settled`].
    pub fn settled(self) -> bool {
        self.world.settled(self.id()).unwrap_or(false)
    }

    /// Whether it is in lasting contact: see [`World::in_lasting_contact`].
    pub fn in_lasting_contact(self) -> bool {
        self.world.is_lasting(self.collider.group)
    }

    /// The points at which it is in lasting contact with other bodies. It is the first body of each: forces act on it, and
    /// normals point towards it.
    pub fn contacts(self) -> Vec<LastingContact> {
        let mut contacts = self.world.lasting_contacts(self.id());
        for contact in contacts.iter_mut().filter(|contact| contact.bodies[0] != self.id()) {
            contact.bodies.reverse();
            (contact.normal, contact.force) = (-contact.normal, -contact.force);
        }
        contacts
    }

    /// `world_from_shape` now.
    pub fn pose(self) -> Pose {
        self.pose_at(self.world.now)
    }

    /// `world_from_shape` at a time.
    pub fn pose_at(self, time: f64) -> Pose {
        self.principal_state_at(time).world_from_body * self.collider.body_from_shape
    }

    /// The centre of mass now, world frame, m. For bodies without mass: the centre of a script, the origin of a fixed body's shape.
    pub fn centre_of_mass(self) -> DVec3 {
        self.principal_state().world_from_body.translation
    }

    /// Velocity of the centre of mass now, world frame, m/s.
    ///
    /// In lasting contact this is the velocity of one tiny hop; [`World::mean_motion`] gives the mean over a window.
    pub fn velocity(self) -> DVec3 {
        self.principal_state().velocity
    }

    /// Velocity now of the body's point that is at `point`, both in the world frame, m/s.
    pub fn point_velocity(self, point: DVec3) -> DVec3 {
        self.principal_state().point_velocity(point)
    }

    /// Angular velocity now, world frame, rad/s.
    pub fn angular_velocity(self) -> DVec3 {
        self.principal_state().angular_velocity()
    }

    /// Angular velocity now, axes of the shape's frame, rad/s.
    pub fn spin(self) -> DVec3 {
        self.spin_at(self.world.now)
    }

    /// Angular velocity at a time, axes of the shape's frame, rad/s.
    pub fn spin_at(self, time: f64) -> DVec3 {
        self.collider.body_from_shape.inverse_vector(self.principal_state_at(time).spin)
    }

    /// Mass, kg; `None` for bodies that are not free.
    pub fn mass(self) -> Option<f64> {
        self.member().mass().map(PrincipalMass::mass)
    }

    /// Mass, centre of mass and inertia in the shape's frame; `None` for bodies that are not free.
    pub fn mass_properties(self) -> Option<MassProperties> {
        let principal = self.member().mass()?;
        let inertia = DMat3::from_diagonal(principal.moments());
        let about_centre = MassProperties { mass: principal.mass(), com: DVec3::ZERO, inertia };
        Some(about_centre.transformed(&self.collider.body_from_shape.inverse()))
    }

    /// Kinetic energy now, J; 0 for bodies that are not free.
    pub fn kinetic_energy(self) -> f64 {
        self.member().mass().map_or(0.0, |mass| mass.kinetic_energy(&self.principal_state()))
    }

    /// Mass and principal moments; `None` for bodies that are not free.
    pub fn principal_mass(self) -> Option<PrincipalMass> {
        self.member().mass().copied()
    }

    /// State of the principal frame now.
    pub fn principal_state(self) -> State {
        self.principal_state_at(self.world.now)
    }

    /// State of the principal frame at a time.
    pub fn principal_state_at(self, time: f64) -> State {
        self.world.state_ahead(self.id().collider(), time).unwrap_or_else(|| self.member().state_at(time))
    }

    /// The motion of the principal frame until something changes it: see [`World::motion`].
    pub fn motion(self) -> &'w Motion {
        self.member().motion()
    }

    fn member(self) -> Member<'w> {
        self.world.member(self.id().collider())
    }
}

impl std::fmt::Debug for BodyRef<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BodyRef").field("id", &self.id()).field("name", &self.name()).finish_non_exhaustive()
    }
}
