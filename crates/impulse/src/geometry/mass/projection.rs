//! Volume integrals of polyhedra by reduction to projected line integrals (sections 6.2 and 6.3, figures 6.4 to 6.6).
//!
//! Coordinates are taken about the middle of the polyhedron's box: the formulas are exact, but far from the origin digits would
//! be lost to cancellation.

use super::VolumeIntegrals;
use crate::geometry::{Aabb, Faces, Plane};
use glam::{DMat3, DVec3};

/// Figure 6.4, `CompVolumeIntegrals`: the ten integrals over a closed polyhedron, in one pass over its faces.
pub fn polyhedron_integrals(vertices: &[DVec3], faces: &Faces, planes: &[Plane]) -> VolumeIntegrals {
    let origin = Aabb::of_points(vertices.iter().copied()).centre();
    let mut sum = FaceSums::default();
    for (corners, plane) in faces.iter().zip(planes) {
        sum.add_face(vertices, corners, plane.normal, origin);
    }
    let first = DVec3::from_array(sum.first.map(ExactSum::value)) / 2.0;
    let squares = DVec3::from_array(sum.squares.map(ExactSum::value)) / 3.0;
    let [xy, yz, zx] = sum.products.map(|t| t.value() / 2.0);
    let second =
        DMat3::from_cols(DVec3::new(squares.x, xy, zx), DVec3::new(xy, squares.y, yz), DVec3::new(zx, yz, squares.z));
    VolumeIntegrals::from_moments(origin, sum.volume.value(), first, second)
}

/// Accumulators of figure 6.4 before the final divisions; the arrays are indexed by axis, `products` by its first axis.
#[derive(Default)]
struct FaceSums {
    volume: ExactSum,
    first: [ExactSum; 3],
    squares: [ExactSum; 3],
    products: [ExactSum; 3],
}

/// A compensated sum (Neumaier): millions of facets cost no digits.
#[derive(Clone, Copy, Default)]
struct ExactSum {
    sum: f64,
    rest: f64,
}

impl ExactSum {
    fn value(self) -> f64 {
        self.sum + self.rest
    }
}

impl std::ops::AddAssign<f64> for ExactSum {
    fn add_assign(&mut self, x: f64) {
        let sum = self.sum + x;
        // Knuth's exact error of an addition, without a branch on which summand is larger.
        let x_part = sum - self.sum;
        self.rest += (self.sum - (sum - x_part)) + (x - x_part);
        self.sum = sum;
    }
}

impl FaceSums {
    fn add_face(&mut self, vertices: &[DVec3], corners: &[u32], normal: DVec3, origin: DVec3) {
        // The right-handed permutation of the axes that shows most of the face (figure 6.2).
        let n = normal.abs();
        let gamma = if n.x > n.y && n.x > n.z {
            0
        } else if n.y > n.z {
            1
        } else {
            2
        };
        let (alpha, beta) = ((gamma + 1) % 3, (gamma + 2) % 3);
        let (na, nb, nc) = (normal[alpha], normal[beta], normal[gamma]);
        let f = face_integrals(vertices, corners, origin, [alpha, beta, gamma], normal);
        self.volume += match (alpha, beta) {
            (0, _) => na * f.a,
            (_, 0) => nb * f.b,
            _ => nc * f.c,
        };
        self.first[alpha] += na * f.aa;
        self.first[beta] += nb * f.bb;
        self.first[gamma] += nc * f.cc;
        self.squares[alpha] += na * f.aaa;
        self.squares[beta] += nb * f.bbb;
        self.squares[gamma] += nc * f.ccc;
        self.products[alpha] += na * f.aab;
        self.products[beta] += nb * f.bbc;
        self.products[gamma] += nc * f.cca;
    }
}

/// Surface integrals of monomials over a face; `a`, `b`, `c` stand for alpha, beta, gamma.
struct FaceIntegrals {
    a: f64,
    b: f64,
    c: f64,
    aa: f64,
    bb: f64,
    cc: f64,
    aaa: f64,
    bbb: f64,
    ccc: f64,
    aab: f64,
    bbc: f64,
    cca: f64,
}

/// Figure 6.5, `CompFaceIntegrals`, equations (6.6).
fn face_integrals(
    vertices: &[DVec3],
    corners: &[u32],
    origin: DVec3,
    axes: [usize; 3],
    normal: DVec3,
) -> FaceIntegrals {
    let p = projection_integrals(vertices, corners, origin, axes);
    let (na, nb) = (normal[axes[0]], normal[axes[1]]);
    // The plane's constant from the mean corner, the best point for a face that is flat up to rounding.
    let mean = corners.iter().map(|&v| vertices[v as usize] - origin).sum::<DVec3>() / corners.len() as f64;
    let w = -normal.dot(mean);
    let k1 = 1.0 / normal[axes[2]];
    let k2 = k1 * k1;
    let (k3, k4) = (k2 * k1, k2 * k2);
    FaceIntegrals {
        a: k1 * p.a,
        b: k1 * p.b,
        c: -k2 * (na * p.a + nb * p.b + w * p.one),
        aa: k1 * p.aa,
        bb: k1 * p.bb,
        cc: k3
            * (na * na * p.aa + 2.0 * na * nb * p.ab + nb * nb * p.bb + w * (2.0 * (na * p.a + nb * p.b) + w * p.one)),
        aaa: k1 * p.aaa,
        bbb: k1 * p.bbb,
        ccc: -k4
            * (na * na * na * p.aaa
                + 3.0 * na * na * nb * p.aab
                + 3.0 * na * nb * nb * p.abb
                + nb * nb * nb * p.bbb
                + 3.0 * w * (na * na * p.aa + 2.0 * na * nb * p.ab + nb * nb * p.bb)
                + w * w * (3.0 * (na * p.a + nb * p.b) + w * p.one)),
        aab: k1 * p.aab,
        bbc: -k2 * (na * p.abb + nb * p.bbb + w * p.bb),
        cca: k3
            * (na * na * p.aaa
                + 2.0 * na * nb * p.aab
                + nb * nb * p.abb
                + w * (2.0 * (na * p.aa + nb * p.ab) + w * p.a)),
    }
}

/// Integrals of monomials over the projection of a face on the alpha-beta plane; their sign follows its winding.
#[derive(Default)]
struct ProjectionIntegrals {
    one: f64,
    a: f64,
    b: f64,
    aa: f64,
    ab: f64,
    bb: f64,
    aaa: f64,
    aab: f64,
    abb: f64,
    bbb: f64,
}

/// Figure 6.6, `CompProjectionIntegrals`, equations (6.14).
fn projection_integrals(vertices: &[DVec3], corners: &[u32], origin: DVec3, axes: [usize; 3]) -> ProjectionIntegrals {
    let shadow = |corner: u32| {
        let p = vertices[corner as usize] - origin;
        (p[axes[0]], p[axes[1]])
    };
    let mut sum = ProjectionIntegrals::default();
    let (mut a0, mut b0) = shadow(corners[corners.len() - 1]);
    for &corner in corners {
        let (a1, b1) = shadow(corner);
        sum.add_edge(a0, b0, a1, b1);
        (a0, b0) = (a1, b1);
    }
    ProjectionIntegrals {
        one: sum.one / 2.0,
        a: sum.a / 6.0,
        b: -sum.b / 6.0,
        aa: sum.aa / 12.0,
        ab: sum.ab / 24.0,
        bb: -sum.bb / 12.0,
        aaa: sum.aaa / 20.0,
        aab: sum.aab / 60.0,
        abb: -sum.abb / 60.0,
        bbb: -sum.bbb / 20.0,
    }
}

impl ProjectionIntegrals {
    fn add_edge(&mut self, a0: f64, b0: f64, a1: f64, b1: f64) {
        let (da, db) = (a1 - a0, b1 - b0);
        let (a0_2, b0_2, a1_2, b1_2) = (a0 * a0, b0 * b0, a1 * a1, b1 * b1);
        let (a0_3, b0_3, a1_3, b1_3) = (a0_2 * a0, b0_2 * b0, a1_2 * a1, b1_2 * b1);
        let c_1 = a1 + a0;
        let c_a = a1 * c_1 + a0_2;
        let c_aa = a1 * c_a + a0_3;
        let c_aaa = a1 * c_aa + a0_3 * a0;
        let c_b = b1 * (b1 + b0) + b0_2;
        let c_bb = b1 * c_b + b0_3;
        let c_bbb = b1 * c_bb + b0_3 * b0;
        let c_ab = 3.0 * a1_2 + 2.0 * a1 * a0 + a0_2;
        let k_ab = a1_2 + 2.0 * a1 * a0 + 3.0 * a0_2;
        let c_aab = a0 * c_ab + 4.0 * a1_3;
        let k_aab = a1 * k_ab + 4.0 * a0_3;
        let c_abb = 4.0 * b1_3 + 3.0 * b1_2 * b0 + 2.0 * b1 * b0_2 + b0_3;
        let k_abb = b1_3 + 2.0 * b1_2 * b0 + 3.0 * b1 * b0_2 + 4.0 * b0_3;
        self.one += db * c_1;
        self.a += db * c_a;
        self.aa += db * c_aa;
        self.aaa += db * c_aaa;
        self.b += da * c_b;
        self.bb += da * c_bb;
        self.bbb += da * c_bbb;
        self.ab += db * (b1 * c_ab + b0 * k_ab);
        self.aab += db * (b1 * c_aab + b0 * k_aab);
        self.abb += da * (a1 * c_abb + a0 * k_abb);
    }
}
