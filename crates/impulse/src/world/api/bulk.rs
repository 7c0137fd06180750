//! The states of all bodies at once, for viewers and arrays (section 1.3).

use super::super::data::World;
use super::super::index::BodyId;
use super::body_ref::BodyRef;
use crate::math::Pose;

/// The state of one body as plain numbers, in this order:
///
/// | numbers | what |
/// |---|---|
/// | 0 to 2 | position of the shape's origin, world frame, m |
/// | 3 to 6 | rotation from the shape's axes to the world's: the quaternion's x, y, z, w |
/// | 7 to 9 | velocity of the centre of mass, world frame, m/s |
/// | 10 to 12 | angular velocity, world frame, rad/s |
///
/// See [`World::write_states`].
pub type StateRow = [f64; 13];

impl World {
    /// Where all bodies are now: `world_from_shape` of each, in the order of [`World::bodies`].
    pub fn poses(&self) -> impl Iterator<Item = (BodyId, Pose)> {
        self.body_refs().map(|body| (body.id(), body.pose()))
    }

    /// Fills `rows` with the present states of all bodies, in the order of [`World::bodies`].
    ///
    /// What was in `rows` is dropped. Its memory is used again, so a caller that keeps the buffer allocates nothing after the
    /// first call. The rows lie next to each other: `rows.as_flattened()` is one slice of numbers, as arrays want them.
    ///
    /// ```
    /// use impulse::prelude::*;
    ///
    /// let mut builder = WorldBuilder::new(Settings::default())?;
    /// builder.add_material(Material { friction: 0.2, restitution: 0.5, law: Law::Stronge })?;
    /// for k in 0..3 {
    ///     let at = DVec3::X * f64::from(k);
    ///     builder.add_body(BodySpec::free(format!("ball {k}"), Sphere::new(0.1)?).at(at).velocity(DVec3::Y))?;
    /// }
    /// let mut world = builder.build()?;
    /// let mut rows = Vec::new();
    /// for k in 1..=10 {
    ///     world.run_to(0.1 * f64::from(k))?;
    ///     world.write_states(&mut rows);
    /// }
    /// let numbers: &[f64] = rows.as_flattened(); // shape (3, 13)
    /// assert_eq!((numbers.len(), numbers[13]), (39, 1.0));
    /// assert!((rows[2][1] - 1.0).abs() < 1e-15 && (rows[2][9] - -9.81).abs() < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_states(&self, rows: &mut Vec<StateRow>) {
        rows.clear();
        rows.extend(self.body_refs().map(BodyRef::row));
    }
}

impl BodyRef<'_> {
    /// The present state as plain numbers.
    fn row(self) -> StateRow {
        let (pose, velocity, angular) = (self.pose(), self.velocity(), self.angular_velocity());
        let (p, q) = (pose.translation, pose.rotation);
        let [v, w] = [velocity, angular];
        [p.x, p.y, p.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z]
    }
}
