//! What the engine watches and waits for, for those who want to see it at work: closest points (figure 2.16), boxes with their
//! expiries (section 2.4.3), the surface two bodies meet with (3.1), the next event. Asking changes nothing.

use super::super::clock::ClockId;
use super::super::control::spec::ControllerId;
use super::super::data::World;
use super::super::index::{BodyId, ColliderIndex, PairIndex};
use super::super::material::Surface;
use super::super::scheduled::Scheduled;
use crate::geometry::Aabb;
use crate::geometry::closest::closest;
use glam::DVec3;

/// Two bodies that are watched, and where they are closest to each other now, world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClosestPoints {
    /// The bodies.
    pub bodies: [BodyId; 2],
    /// The closest point of each, m.
    pub points: [DVec3; 2],
    /// Distance, m.
    pub distance: f64,
    /// When the pair is looked at again, s; `None` where it does not meet on its present course.
    pub check: Option<f64>,
}

/// The box that contains a body until it expires.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BodyBox {
    /// The body.
    pub body: BodyId,
    /// World frame, m; unbounded for a half-space.
    pub bounds: Aabb,
    /// Until when the body stays in it, s; infinite for bodies at rest.
    pub expiry: f64,
}

/// The next event, and whose it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pending {
    /// Two bodies may touch.
    Check(BodyId, BodyId),
    /// The box of a body expires.
    Expiry(BodyId),
    /// A clock for controllers ticks.
    Tick(ClockId),
    /// A controller acts.
    Control(ControllerId),
    /// A clock for observers ticks.
    Sample(ClockId),
}

impl World {
    /// The pairs of bodies that are watched, those whose boxes overlap, with their closest points now.
    ///
    /// ```
    /// use impulse::prelude::*;
    /// use impulse::world::Pending;
    ///
    /// let mut builder = WorldBuilder::new(Settings::default())?;
    /// builder.add_material(Material { friction: 0.2, restitution: 0.5, law: Law::Stronge })?;
    /// builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, 0.0)?))?;
    /// builder.add_body(BodySpec::free("ball", Sphere::new(0.5)?).at(DVec3::Z * 0.75))?;
    /// let world = builder.build()?;
    ///
    /// let [pair] = world.closest_points()[..] else { return Err("one pair is watched".into()) };
    /// assert_eq!((pair.distance, pair.points[1]), (0.25, DVec3::Z * 0.25));
    /// let Some((time, Pending::Check(..))) = world.pending() else { return Err("it will land".into()) };
    /// assert!((time - (2.0 * 0.25 / 9.81_f64).sqrt()).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest_points(&self) -> Vec<ClosestPoints> {
        let numbers = (0..self.pairs.numbers()).filter(|&number| self.pairs.get(number).is_some());
        let mut found: Vec<_> = numbers.map(|number| self.closest_of(PairIndex(number as u32))).collect();
        found.sort_unstable_by_key(|pair| pair.bodies);
        found
    }

    /// The boxes of all bodies, in the order of [`World::bodies`].
    pub fn boxes(&self) -> impl Iterator<Item = BodyBox> {
        self.colliders.iter().map(|collider| {
            let bounds = self.pairs.broad.bounds(collider.id.collider().0);
            BodyBox { body: collider.id, bounds, expiry: collider.expiry }
        })
    }

    /// What two bodies do to each other where they touch; `None` if one of them was removed.
    pub fn surface_between(&self, [first, second]: [BodyId; 2]) -> Option<Surface> {
        let [first, second] = [self.collider(first)?, self.collider(second)?];
        Some(self.materials.combined(first.material, second.material))
    }

    /// The next event and its time, s; `None` where nothing is going to happen any more.
    pub fn pending(&self) -> Option<(f64, Pending)> {
        let next = self.queue.peek().filter(|next| next.time.is_finite())?;
        let body = |collider: ColliderIndex| self.colliders[collider].id;
        let pending = match next.key {
            Scheduled::Expiry(collider) => Pending::Expiry(body(collider)),
            Scheduled::Check([first, second]) => Pending::Check(body(first), body(second)),
            Scheduled::Tick(number) => Pending::Tick(ClockId(number)),
            Scheduled::Control(number) => Pending::Control(ControllerId(number)),
            Scheduled::Sample(number) => Pending::Sample(ClockId(number)),
        };
        Some((next.time, pending))
    }

    fn closest_of(&self, number: PairIndex) -> ClosestPoints {
        let pair = &self.pairs[number];
        let [first, second] = pair.colliders.map(|c| (&self.colliders[c], self.member(c).pose_at(self.now)));
        let [world_from_first, world_from_second] = [first, second].map(|(c, pose)| pose * c.body_from_shape);
        // A copy of what the query remembers: the next measurement must find its own.
        let mut cache = pair.cache.as_deref().copied().unwrap_or_default();
        let first_from_second = world_from_first.inverse() * world_from_second;
        let found = closest(&first.0.shape, &second.0.shape, &first_from_second, &mut cache);
        ClosestPoints {
            bodies: [first.0.id, second.0.id],
            points: [found.on_first, found.on_second].map(|point| world_from_first.point(point)),
            distance: found.distance,
            check: (!pair.parked).then(|| self.queue.get(pair.slot).time).filter(|time| time.is_finite()),
        }
    }
}
