//! What acceleration alone does to a contact point while its bodies fly (section 3.5, done jointly).

use super::super::data::World;
use super::site::Site;
use crate::body::PointOnBody;
use glam::{DMat3, DVec3};

/// How far a contact point moves over a body in a flight at most, in bounding radii: what goes farther is no motion of one contact
/// that a formula of second order could follow.
const FARTHEST_WANDERED: f64 = 0.05;

/// Angle by which the normal of a contact turns at most in a flight, rad.
const MOST_TURN: f64 = 1.0;

impl World {
    /// What acceleration alone does to the first body's point relative to the second's within `duration`: to its place (m) and to
    /// its velocity (m/s).
    pub(crate) fn free_change(&self, site: &Site, duration: f64) -> [DVec3; 2] {
        let mut total = [DVec3::ZERO; 2];
        let wandering = [0, 1].map(|side| self.wandering(site, side, duration));
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let point = PointOnBody {
                state: &site.states[side],
                at: site.point(),
                arm_rate: || site.arm_rate_with(side, wandering[side]),
                partner_velocity: || site.contact_point_velocity(1 - side),
            };
            let [place, velocity] = match self.member(site.colliders[side]).is_link() {
                true => point.change_by(&self.free_acceleration(site.colliders[side], point.state), duration),
                false => self.member(site.colliders[side]).free_change(&point, self.now, duration),
            };
            total[0] += sign * place;
            total[1] += sign * (velocity - self.excess_turning(site, wandering[side], side, duration));
        }
        // Along a normal that turns, sliding changes the gap (Coriolis), and so does a contact point that moves over a curved body.
        let n = site.touching.normal;
        let turning = site.normal_rate();
        if turning != DVec3::ZERO {
            let way = 2.0 * site.sliding_velocity() + wandering[0] - wandering[1];
            let turning = turning.clamp_length_max(MOST_TURN / duration);
            total[0] += n * (0.5 * turning.dot(way) * duration * duration);
        }
        total
    }

    /// What the angular velocity of a point's body changes by within `duration`, without any contact, world frame, rad/s.
    pub(crate) fn spin_change(&self, site: &Site, side: usize, duration: f64) -> DVec3 {
        let (body, state) = (site.colliders[side], &site.states[side]);
        match self.member(body).is_link() {
            true => self.free_acceleration(body, state).angular * duration,
            false => self.member(body).spin_change(state, self.now, duration),
        }
    }

    /// What is too much of the change of velocity across the normal that a contact point sees because it moves over a turning
    /// body, m/s. Slip that changes faster than a few hops under gravity would does not stay zero in the mean over a flight,
    /// whatever it begins with.
    fn excess_turning(&self, site: &Site, wandering: DVec3, side: usize, duration: f64) -> DVec3 {
        if wandering == DVec3::ZERO {
            return DVec3::ZERO;
        }
        let seen = site.spin(side).cross(wandering) * duration;
        let across = seen.reject_from_normalized(site.touching.normal);
        across - across.clamp_length_max(2.0 * self.hop_velocity(site.hop_height, duration))
    }

    /// Velocity at which the contact point moves over a body's surface, m/s, in the mean over a flight: it is bounded,
    /// however flat the face (the curvature of a level rim has no bound).
    fn wandering(&self, site: &Site, side: usize, duration: f64) -> DVec3 {
        if site.touching.bends[side] == DMat3::ZERO {
            return DVec3::ZERO;
        }
        // Over a ball the formula holds however far the point goes: what it gains by the spin it loses by wandering back.
        if self.colliders[site.colliders[side]].ball.is_some() {
            return site.surface_velocity(side);
        }
        let farthest = FARTHEST_WANDERED * self.colliders[site.colliders[side]].radius;
        site.surface_velocity(side).clamp_length_max(farthest / duration)
    }
}

#[cfg(test)]
mod tests {
    use super::super::site::SiteSearch;
    use crate::geometry::closest::{PairCache, closest};
    use crate::geometry::{Capsule, Cuboid, Cylinder, Ellipsoid, Shape, Sphere};
    use crate::math::Pose;
    use crate::respond::{Law, Material};
    use crate::world::index::PairIndex;
    use crate::world::{BodySpec, Settings, World, WorldBuilder};
    use glam::{DQuat, DVec3};

    /// Bodies of two shapes, with poses, velocities and spins.
    fn world(bodies: [(&Shape, Pose, DVec3, DVec3); 2]) -> World {
        let mut b = WorldBuilder::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap();
        b.add_material(Material { friction: 0.2, restitution: 0.5, law: Law::Stronge }).unwrap();
        for (name, (shape, pose, velocity, spin)) in ["one", "two"].into_iter().zip(bodies) {
            let body = BodySpec::free(name, shape.clone()).at(pose.translation).rotated(pose.rotation);
            b.add_body(body.velocity(velocity).spin(spin)).unwrap();
        }
        b.build().unwrap()
    }

    /// The predicted acceleration of the gap, and the one by second differences of measured distances, m/s^2; `None` where they do
    /// not touch at a single point.
    fn accelerations(world: &mut World) -> Option<[f64; 2]> {
        let pair = PairIndex(0);
        let measured = world.measure(pair, 0.0);
        let mut sites = Vec::new();
        world.find_sites(pair, &measured, 2.0 * measured.distance, (&mut SiteSearch::default(), &mut sites));
        let [site] = sites[..] else { return None };
        let step = 5e-7;
        let predicted = 2.0 * world.free_change(&site, step)[0].dot(site.touching.normal) / (step * step);
        let [a, b, c] = [0.0, 1.0, 2.0].map(|k| world.measure(pair, k * step).distance);
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

    /// That balls spin does not change their gap, however far the contact point goes round them in the flight.
    #[test]
    fn spin_does_not_change_the_gap_of_balls() {
        let ball: Shape = Sphere::new(0.025).unwrap().into();
        let spinning = (&ball, Pose::IDENTITY, DVec3::ZERO, DVec3::new(3.0, 40.0, -7.0));
        let beside = Pose::from_translation(DVec3::X * (0.05 + 1e-9));
        let mut world = world([spinning, (&ball, beside, DVec3::ZERO, DVec3::new(0.0, -60.0, 20.0))]);
        let measured = world.measure(PairIndex(0), 0.0);
        let mut sites = Vec::new();
        world.find_sites(PairIndex(0), &measured, 1e-8, (&mut SiteSearch::default(), &mut sites));
        let [site] = sites[..] else { panic!("balls touch at one point") };
        for duration in [1e-4, 1e-3, 1e-2, 0.1] {
            let [place, _] = world.free_change(&site, duration);
            let change = place.dot(site.touching.normal);
            // The contact point is in the middle of the gap, by so much farther out than either surface.
            let most = 1e-9 * (60.0 * 60.0 + 20.0 * 20.0) * duration * duration;
            assert!(change.abs() < most, "{change:e} m in {duration} s");
        }
    }
}
