//! Distances of exact shapes, each answer proven by means that share nothing with the search (section 2.2).
//!
//! Two points, one in each body, bound the distance from above; the gap between the bodies' shadows on a line, from their
//! support functions, bounds it from below. Where the bounds meet the answer is right. A point in both bodies proves overlap.

use impulse::geometry::closest::{PairCache, closest};
use impulse::geometry::{
    Capsule, Cone, ConvexPolyhedron, Cuboid, Cylinder, Ellipsoid, Proximity, RoundedCuboid, Shape, Sphere,
};
use impulse::math::Pose;
use impulse::{DQuat, DVec3};

/// A small generator of reproducible numbers in 0..1 (SplitMix64).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub(crate) fn direction(&mut self) -> DVec3 {
        loop {
            let v = DVec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            if (0.01..1.0).contains(&v.length_squared()) {
                return v.normalize();
            }
        }
    }

    pub(crate) fn rotation(&mut self) -> DQuat {
        let mut component = || self.between(-1.0, 1.0);
        DQuat::from_xyzw(component(), component(), component(), component()).normalize()
    }

    /// Lengths over a decade and a half.
    pub(crate) fn length(&mut self) -> f64 {
        libm::pow(10.0, self.between(-1.0, 0.5))
    }

    pub(crate) fn lengths(&mut self) -> DVec3 {
        DVec3::new(self.length(), self.length(), self.length())
    }
}

pub(crate) const KINDS: [&str; 8] =
    ["sphere", "cuboid", "rounded cuboid", "capsule", "cylinder", "cone", "ellipsoid", "polyhedron"];

/// A random shape of each kind.
pub(crate) fn shape(kind: usize, scale: f64, numbers: &mut Numbers) -> Shape {
    let size = numbers.lengths() * scale;
    let (r, l) = (size.x, size.y);
    match kind {
        0 => Sphere::new(r).unwrap().into(),
        1 => Cuboid::new(size).unwrap().into(),
        2 => RoundedCuboid::new(size, size.min_element() * numbers.between(0.05, 0.5)).unwrap().into(),
        3 => Capsule::new(r, l).unwrap().into(),
        4 => Cylinder::new(r, l).unwrap().into(),
        5 => Cone::new(r, l).unwrap().into(),
        6 => Ellipsoid::new(size).unwrap().into(),
        _ => {
            let count = 4 + (40.0 * numbers.unit() * numbers.unit()) as usize;
            let points: Vec<DVec3> = (0..count).map(|_| size * numbers.direction() * numbers.between(0.5, 1.0)).collect();
            ConvexPolyhedron::hull(&points).unwrap().into()
        }
    }
}

/// How far outside a shape a point lies, from the shape's own inequalities; not the distance, but zero inside.
pub(crate) fn outside(shape: &Shape, p: DVec3) -> f64 {
    let rho = p.truncate().length();
    match shape {
        Shape::Sphere(s) => p.length() - s.radius(),
        Shape::Cuboid(s) => (p.abs() - s.half_size()).max_element(),
        Shape::RoundedCuboid(s) => (p.abs() - s.core_half_size()).max(DVec3::ZERO).length() - s.radius(),
        Shape::Capsule(s) => (p - DVec3::Z * p.z.clamp(-0.5 * s.length(), 0.5 * s.length())).length() - s.radius(),
        Shape::Cylinder(s) => (rho - s.radius()).max(p.z.abs() - 0.5 * s.height()),
        Shape::Cone(s) => {
            let (r, h) = (s.radius(), s.height());
            let slanted = (h * (rho - r) + r * (p.z + 0.5 * h)) / libm::hypot(r, h);
            slanted.max(-p.z - 0.5 * h)
        }
        Shape::Ellipsoid(s) => {
            // First order in the distance near the surface.
            let (q, gradient) = ((p / s.semi_axes()).length(), (p / s.semi_axes() / s.semi_axes()).length());
            if q > 1.0 { (q - 1.0) * q / gradient } else { q - 1.0 }
        }
        Shape::Convex(s) => s.surface().planes().iter().map(|plane| plane.height(p)).fold(f64::NEG_INFINITY, f64::max),
        Shape::HalfSpace(s) => s.plane().height(p),
    }
    .max(0.0)
}

/// What a proof leaves open, relative to the size of the coordinates.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Doubt {
    /// Between upper and lower bound, or outside of a common point.
    pub(crate) gap: f64,
    /// Points outside their bodies.
    pub(crate) off: f64,
    /// Points not along the normal.
    pub(crate) skew: f64,
}

impl Doubt {
    pub(crate) fn max(self, other: Self) -> Self {
        Self { gap: self.gap.max(other.gap), off: self.off.max(other.off), skew: self.skew.max(other.skew) }
    }
}

pub(crate) fn doubt(first: &Shape, second: &Shape, pose: &Pose, found: &Proximity) -> Doubt {
    let scale = first.bounding_radius(DVec3::ZERO).max(second.bounding_radius(DVec3::ZERO)) + pose.translation.length();
    let off = outside(first, found.on_first).max(outside(second, pose.inverse_point(found.on_second))) / scale;
    if found.overlapping {
        return Doubt { gap: 0.0, off, skew: 0.0 };
    }
    let n = found.normal;
    let low = n.dot(first.support(-n).unwrap()) - n.dot(pose.point(second.support(pose.inverse_vector(n)).unwrap()));
    let between = found.on_first - found.on_second;
    let gap = (between.length() - low).abs().max((found.distance - low).abs()) / scale;
    let skew = (between - n * found.distance).length() / scale + (n.length() - 1.0).abs();
    Doubt { gap, off, skew }
}

#[test]
fn probe() {
    let mut numbers = Numbers(1);
    for i in 0..8 {
        for j in 0..8 {
            let mut worst = Doubt::default();
            let (mut steps, mut most, mut overlaps) = (0u64, 0, 0);
            let n = 4000;
            for _ in 0..n {
                let (a, b) = (shape(i, 1.0, &mut numbers), shape(j, 1.0, &mut numbers));
                let reach = a.bounding_radius(DVec3::ZERO) + b.bounding_radius(DVec3::ZERO);
                let pose = Pose::new(numbers.rotation(), numbers.direction() * numbers.between(0.2, 1.2) * reach).unwrap();
                let found = closest(&a, &b, &pose, &mut PairCache::default());
                let d = doubt(&a, &b, &pose, &found);
                if found.overlapping { overlaps += 1; } else { worst = worst.max(d); }
                steps += u64::from(found.steps);
                most = most.max(found.steps);
            }
            println!("{:15} {:15} {:.1e} {:.1e} {:.1e} steps {:.1} max {} overlaps {}", KINDS[i], KINDS[j], worst.gap, worst.off, worst.skew, steps as f64 / n as f64, most, overlaps);
        }
    }
}
