//! What a ray meets first (compare section 2.2).

use super::super::data::World;
use super::super::index::BodyId;
use super::body_ref::BodyRef;
use crate::geometry::{Ray, SurfaceHit};
use glam::DVec3;

/// Where a ray meets a body, world frame: see [`World::cast_ray`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RayHit {
    /// The body.
    pub body: BodyId,
    /// The point, m.
    pub point: DVec3,
    /// Outward unit normal of the surface; where the ray starts inside the body, the opposite of its direction.
    pub normal: DVec3,
    /// Distance from the origin of the ray, m; 0 where the ray starts inside the body.
    pub distance: f64,
}

impl World {
    /// The first body that a ray meets now, no farther than `max_distance` (m; may be infinite).
    ///
    /// The answer is exact for every shape, curved ones included. Bodies are closed sets, and a ray that starts inside one or on
    /// its surface meets it at distance 0. Of several bodies met at the same distance the one with the smallest [`BodyId::index`]
    /// counts. The cost is one box test for every body and an exact test for each whose box the ray meets.
    ///
    /// ```
    /// use impulse::prelude::*;
    ///
    /// let mut builder = WorldBuilder::new(Settings::default())?;
    /// builder.add_material(Material { friction: 0.2, restitution: 0.5, law: Law::Stronge })?;
    /// let floor = builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0)?))?;
    /// let ball = builder.add_body(BodySpec::free("ball", Sphere::new(0.5)?).at(DVec3::Z))?;
    /// let world = builder.build()?;
    ///
    /// let down = Ray::new(DVec3::new(0.0, 0.0, 3.0), -DVec3::Z)?;
    /// let hit = world.cast_ray(&down, f64::INFINITY).ok_or("there is a ball")?;
    /// assert_eq!((hit.body, hit.distance, hit.normal), (ball, 1.5, DVec3::Z));
    /// let below = world.cast_ray_if(&down, f64::INFINITY, |body| body != ball).ok_or("there is a floor")?;
    /// assert_eq!((below.body, below.distance), (floor, 3.0));
    /// assert_eq!(world.cast_ray(&down, 1.0), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cast_ray(&self, ray: &Ray, max_distance: f64) -> Option<RayHit> {
        self.cast_ray_if(ray, max_distance, |_| true)
    }

    /// The same among the bodies that `counts` accepts, for instance all but the one that carries a sensor.
    pub fn cast_ray_if(&self, ray: &Ray, max_distance: f64, counts: impl Fn(BodyId) -> bool) -> Option<RayHit> {
        let mut nearest: Option<RayHit> = None;
        for body in self.body_refs().filter(|body| counts(body.id())) {
            let reach = nearest.map_or(max_distance, |hit| hit.distance);
            let meets_box = ray.meets_box(&self.pairs.broad.bounds(body.id().slot), reach);
            let hit = if meets_box { body.cast_ray(ray) } else { None };
            // The first of several at one distance stays.
            let is_nearer =
                |hit: &RayHit| hit.distance <= max_distance && nearest.is_none_or(|n| hit.distance < n.distance);
            nearest = hit.filter(is_nearer).or(nearest);
        }
        nearest
    }
}

impl BodyRef<'_> {
    /// Where a ray given in the world frame meets this body now: see [`World::cast_ray`].
    pub fn cast_ray(self, ray: &Ray) -> Option<RayHit> {
        let pose = self.pose();
        let SurfaceHit { distance, normal } = self.shape().cast_ray(&ray.seen_from(&pose))?;
        Some(RayHit { body: self.id(), point: ray.at(distance), normal: pose.vector(normal), distance })
    }
}
