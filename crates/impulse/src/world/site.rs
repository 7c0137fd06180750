//! A point of a lasting contact: how it, its normal and its gap move while the bodies fly (section 3.5, done jointly).

use super::step::World;
use crate::body::{Motion, State};
use crate::geometry::closest::Touching;
use glam::{DMat3, DVec3};

/// A point at which two bodies may touch, world frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) pair: u32,
    pub(super) items: [u32; 2],
    pub(super) touching: Touching,
    /// States of the two bodies.
    pub(super) states: [State; 2],
}

impl Site {
    /// Middle of the gap, m.
    pub(super) fn point(&self) -> DVec3 {
        self.touching.on_first - self.touching.normal * (0.5 * self.touching.gap)
    }

    /// Velocity of the contact point relative to a body's centre of mass as the point wanders over the body, m/s.
    fn arm_rate(&self, side: usize) -> DVec3 {
        let state = &self.states[side];
        let w = state.angular_velocity();
        w.cross(self.point() - state.world_from_body.translation) + self.way(side)
    }

    /// Velocity at which the contact point wanders over a curved body, m/s.
    fn way(&self, side: usize) -> DVec3 {
        if self.touching.bends[side] == DMat3::ZERO {
            return DVec3::ZERO;
        }
        let w = self.states[side].angular_velocity();
        let sign = if side == 0 { 1.0 } else { -1.0 };
        self.touching.bends[side] * (sign * (w.cross(self.touching.normal) - self.normal_rate()))
    }

    /// Velocity of the first body relative to the second at the contact, m/s.
    pub(super) fn sliding(&self) -> DVec3 {
        let point = self.point();
        self.states[0].point_velocity(point) - self.states[1].point_velocity(point)
    }

    /// Rate at which the normal turns, 1/s.
    fn normal_rate(&self) -> DVec3 {
        let [first, second] = self.touching.carriers;
        let carried = first * self.states[0].angular_velocity() + second * self.states[1].angular_velocity();
        carried + self.touching.slider * self.sliding()
    }

    /// Velocity at which the contact point moves in space, as seen from one side, m/s.
    pub(super) fn wander(&self, side: usize) -> DVec3 {
        self.states[side].velocity + self.arm_rate(side)
    }
}

impl World {
    /// What acceleration alone does to the first body's point relative to the second's in a flight: to its place (m) and to its
    /// velocity (m/s).
    pub(super) fn free_change(&self, site: &Site, length: f64) -> [DVec3; 2] {
        let mut total = [DVec3::ZERO; 2];
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let [rise, change] = self.side_change(site, side, length);
            total[0] += sign * rise;
            total[1] += sign * change;
        }
        // Along a normal that turns, sliding changes the gap (Coriolis), and so does the way of the contact over a curved body.
        let n = site.touching.normal;
        let way = 2.0 * site.sliding() + site.way(0) - site.way(1);
        total[0] += n * (0.5 * site.normal_rate().dot(way) * length * length);
        total
    }

    fn side_change(&self, site: &Site, side: usize, length: f64) -> [DVec3; 2] {
        let state = &site.states[side];
        let contact = site.point();
        match &self.bodies[site.items[side] as usize].motion {
            Motion::Fixed(_) => [DVec3::ZERO; 2],
            motion @ Motion::Scripted(_) => {
                let then = motion.state_at(self.now + length);
                let velocity = state.point_velocity(contact);
                let carried = then.world_from_body.point(state.world_from_body.inverse_point(contact));
                let wandered = contact + site.wander(1 - side) * length;
                [carried - contact - velocity * length, then.point_velocity(wandered) - velocity]
            }
            motion => {
                let a = motion.acceleration_in(state, self.now);
                let (w, r) = (state.angular_velocity(), contact - state.world_from_body.translation);
                let acceleration = a.linear + a.angular.cross(r) + w.cross(site.arm_rate(side));
                [acceleration * (0.5 * length * length), acceleration * length]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::island::Island;
    use super::super::step::World;
    use super::super::{BodySpec, MassSpec, MotionSpec, Settings, WorldBuilder};
    use crate::geometry::closest::{PairCache, closest};
    use crate::geometry::{Capsule, Cuboid, Cylinder, Ellipsoid, Shape, Sphere};
    use crate::math::Pose;
    use crate::respond::{Law, Material};
    use glam::{DQuat, DVec3};

    /// Bodies of two shapes, with poses, velocities and spins.
    fn world(bodies: [(&Shape, Pose, DVec3, DVec3); 2]) -> World {
        let mut b = WorldBuilder::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap();
        let material = b.material(Material { friction: 0.2, restitution: 0.5, law: Law::Stronge }).unwrap();
        for (name, (shape, pose, velocity, spin)) in ["one", "two"].iter().zip(bodies) {
            let motion = MotionSpec::Free { mass: MassSpec::Density(1000.0), velocity, spin };
            let shape = shape.clone();
            b.body(BodySpec { name: (*name).into(), shape, world_from_shape: pose, material, motion }).unwrap();
        }
        b.build().unwrap()
    }

    /// The predicted acceleration of the gap, and the one by second differences of measured distances, m/s^2; `None` where they do
    /// not touch at a single point.
    fn accelerations(world: &mut World) -> Option<[f64; 2]> {
        let measured = world.measure(0, 0.0);
        let mut island = Island::default();
        world.find_sites(0, &measured, 2.0 * measured.distance, &mut island);
        let [site] = island.sites[..] else { return None };
        let step = 5e-7;
        let predicted = 2.0 * world.free_change(&site, 1.0)[0].dot(site.touching.normal);
        let [a, b, c] = [0.0, 1.0, 2.0].map(|k| world.measure(0, k * step).distance);
        Some([predicted, (a - 2.0 * b + c) / (step * step)])
    }

    /// The rim of a coin over the face of another, both turning and sliding, in either order.
    #[test]
    fn gaps_between_turning_bodies_change_as_predicted() {
        for swapped in [false, true] {
            let (radius, thickness, tilt) = (0.012, 0.002, 0.1f64);
            let height = 0.5 * thickness * (1.0 + libm::cos(tilt)) + radius * libm::sin(tilt) + 1e-7;
            let above = Pose {
                rotation: DQuat::from_xyzw(libm::sin(0.5 * tilt), 0.0, 0.0, libm::cos(0.5 * tilt)),
                translation: DVec3::Z * height,
            };
            let coin: Shape = Cylinder::new(radius, thickness).unwrap().into();
            let below = (&coin, Pose::from_translation(DVec3::Y * 0.008), DVec3::ZERO, DVec3::new(3.0, -7.0, 5.0));
            let mut coins = [(&coin, above, DVec3::new(0.2, -0.1, 0.0), DVec3::new(-4.0, 6.0, 2.0)), below];
            if swapped {
                coins.reverse();
            }
            let [predicted, found] = accelerations(&mut world(coins)).unwrap();
            assert!((predicted / found - 1.0).abs() < 1e-2, "{predicted} instead of {found} m/s^2");
        }
    }

    /// Curved bodies and edges in all sorts of positions, turning and sliding: also the normal turns as they slide.
    #[test]
    fn gaps_between_curved_bodies_change_as_predicted() {
        let shapes: [Shape; 5] = [
            Sphere::new(0.01).unwrap().into(),
            Capsule::new(0.01, 0.03).unwrap().into(),
            Cylinder::new(0.012, 0.02).unwrap().into(),
            Ellipsoid::new(DVec3::new(0.01, 0.015, 0.02)).unwrap().into(),
            Cuboid::new(DVec3::new(0.02, 0.03, 0.025)).unwrap().into(),
        ];
        let mut compared = [0; 5];
        for k in 0..200u32 {
            let (i, j) = (k as usize % 5, k as usize / 5 % 4);
            let wave = |a: f64| libm::sin(a * f64::from(k + 1));
            let turned = |a: f64| DQuat::from_xyzw(wave(a), wave(a + 0.3), wave(a + 0.7), wave(a + 1.3)).normalize();
            let mut poses = [
                Pose { rotation: turned(1.1), translation: DVec3::new(0.03 * wave(0.17), 0.02, 0.08) },
                Pose { rotation: turned(2.9), translation: DVec3::ZERO },
            ];
            let between = poses[0].inverse() * poses[1];
            let apart = closest(&shapes[i], &shapes[j], &between, &mut PairCache::default());
            // Moved along the normal, closest points stay the closest.
            let normal = poses[0].vector(apart.normal);
            poses[0].translation -= normal * (apart.distance - 1e-6);
            let sliding = DVec3::new(0.3, 0.2 * wave(0.9), -0.2).reject_from_normalized(normal);
            let spins = [DVec3::new(4.0, -6.0 * wave(0.4), 2.0), DVec3::new(-3.0, 5.0, 7.0 * wave(0.6))];
            let moving = [(sliding, spins[0]), (DVec3::ZERO, spins[1])];
            let bodies = [0, 1].map(|side| (&shapes[[i, j][side]], poses[side], moving[side].0, moving[side].1));
            let Some([predicted, found]) = accelerations(&mut world(bodies)) else { continue };
            // Corners that slide past each other are off at once.
            if found > 1e3 {
                continue;
            }
            assert!(
                (predicted - found).abs() < 1e-2 * found.abs() + 1e-2,
                "{predicted}, not {found} m/s^2, {k}: {i} {j}"
            );
            compared[i] += 1;
        }
        assert!(compared.iter().all(|&n| n >= 30), "{compared:?}");
    }
}
