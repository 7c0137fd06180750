//! Random numbers, shapes of every kind and solids to take apart, for tests and benches of distances (section 2.2).

use impulse::geometry::{
    Capsule, Cone, ConvexPolyhedron, Cuboid, Cylinder, Ellipsoid, Polyhedron, RoundedCuboid, Shape, Sphere,
    TriangleMesh,
};
use impulse::{DQuat, DVec3};
use std::collections::BTreeMap;

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
            let points: Vec<DVec3> =
                (0..count).map(|_| size * numbers.direction() * numbers.between(0.5, 1.0)).collect();
            ConvexPolyhedron::hull(&points).unwrap().into()
        }
    }
}

/// Plan of an L.
pub(crate) const L: [(i32, i32); 5] = [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2)];

/// Plan of a ring.
pub(crate) const RING: [(i32, i32); 8] = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)];

/// The solid over a plan of unit squares, from z = 0 to 1: walls wherever a square has no neighbour.
pub(crate) fn blocks(squares: &[(i32, i32)]) -> Polyhedron {
    let mut mesh = TriangleMesh::default();
    let mut known = BTreeMap::new();
    let mut quad = |corners: [(i32, i32, i32); 4]| {
        let [a, b, c, d] = corners.map(|(x, y, z)| {
            *known.entry((x, y, z)).or_insert_with(|| mesh.push(DVec3::new(f64::from(x), f64::from(y), f64::from(z))))
        });
        mesh.triangles.extend([[a, b, c], [a, c, d]]);
    };
    for &(x, y) in squares {
        quad([(x, y, 1), (x + 1, y, 1), (x + 1, y + 1, 1), (x, y + 1, 1)]);
        quad([(x, y, 0), (x, y + 1, 0), (x + 1, y + 1, 0), (x + 1, y, 0)]);
        for (neighbour, from, to) in [
            ((x, y - 1), (x, y), (x + 1, y)),
            ((x + 1, y), (x + 1, y), (x + 1, y + 1)),
            ((x, y + 1), (x + 1, y + 1), (x, y + 1)),
            ((x - 1, y), (x, y + 1), (x, y)),
        ] {
            if !squares.contains(&neighbour) {
                quad([(from.0, from.1, 0), (to.0, to.1, 0), (to.0, to.1, 1), (from.0, from.1, 1)]);
            }
        }
    }
    Polyhedron::from_triangles(&mesh).unwrap()
}

/// The part shipped as `parts/housing.stl`, in metres.
pub(crate) fn housing() -> Polyhedron {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../parts/housing.stl");
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let mut mesh = TriangleMesh::default();
    let mut known = BTreeMap::new();
    for triangle in bytes[84..].chunks_exact(50) {
        let corner = |k: usize| {
            let bits = |i: usize| u32::from_le_bytes(triangle[12 * k + 4 * i..][..4].try_into().unwrap());
            [bits(0), bits(1), bits(2)]
        };
        let corners = [1, 2, 3].map(|k| {
            let bits = corner(k);
            let position = bits.map(|b| f64::from(f32::from_bits(b)) * 1e-3);
            *known.entry(bits).or_insert_with(|| mesh.push(DVec3::from_array(position)))
        });
        mesh.triangles.push(corners);
    }
    Polyhedron::from_triangles(&mesh).unwrap()
}
