//! The point of a simplex nearest to the origin: the inner step of the generic search.

use super::difference::Vertex;
use glam::DVec3;

/// Up to four vertices, with the weights that make their point nearest to the origin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Simplex {
    vertices: [Vertex; 4],
    weights: [f64; 4],
    len: usize,
}

impl Simplex {
    pub(super) fn vertices(&self) -> &[Vertex] {
        &self.vertices[..self.len]
    }

    /// Pairs of vertex and weight; the weights are positive and sum to 1.
    pub(super) fn weighted(&self) -> impl Iterator<Item = (&Vertex, f64)> {
        self.vertices().iter().zip(self.weights)
    }

    /// The point nearest to the origin.
    pub(super) fn nearest(&self) -> DVec3 {
        self.weighted().fold(DVec3::ZERO, |sum, (v, weight)| sum + v.w * weight)
    }

    /// Whether it encloses the origin.
    pub(super) fn encloses_origin(&self) -> bool {
        self.len == 4
    }

    /// Longest distance of a vertex from the origin.
    pub(super) fn size(&self) -> f64 {
        self.vertices().iter().map(|v| v.w.length_squared()).fold(0.0, f64::max).sqrt()
    }

    /// Unit vector from the origin towards the nearest point. It is perpendicular to the simplex even if that point is so near
    /// the origin that its own direction is inaccurate.
    pub(super) fn direction(&self) -> Option<DVec3> {
        let (nearest, w) = (self.nearest(), self.vertices.map(|v| v.w));
        let direction = match self.len {
            2 => nearest.reject_from(w[1] - w[0]),
            3 => {
                let normal = (w[1] - w[0]).cross(w[2] - w[0]);
                if normal.dot(nearest) < 0.0 { -normal } else { normal }
            }
            _ => nearest,
        };
        direction.try_normalize().or_else(|| nearest.try_normalize())
    }

    /// The smallest part of the hull of this simplex and another vertex that holds the hull's point nearest to the origin.
    pub(super) fn with(mut self, vertex: Vertex) -> Self {
        debug_assert!(self.len < 4);
        self.vertices[self.len] = vertex;
        self.len += 1;
        let w = self.vertices.map(|v| v.w);
        let weights = match self.len {
            1 => [1.0, 0.0, 0.0, 0.0],
            2 => segment(w[0], w[1]),
            3 => triangle(w[0], w[1], w[2]),
            _ => tetrahedron(&w),
        };
        let mut reduced = Self::default();
        for (vertex, weight) in self.vertices.iter().zip(weights) {
            if weight > 0.0 {
                reduced.vertices[reduced.len] = *vertex;
                reduced.weights[reduced.len] = weight;
                reduced.len += 1;
            }
        }
        reduced
    }
}

/// Weights of the point of a segment nearest to the origin.
fn segment(p: DVec3, q: DVec3) -> [f64; 4] {
    let edge = q - p;
    let squared = edge.length_squared();
    let t = if squared > 0.0 { (-p.dot(edge) / squared).clamp(0.0, 1.0) } else { 0.0 };
    [1.0 - t, t, 0.0, 0.0]
}

/// Weights of the point of a triangle nearest to the origin.
pub(super) fn triangle(p: DVec3, q: DVec3, r: DVec3) -> [f64; 4] {
    let normal = (q - p).cross(r - p);
    let squared = normal.length_squared();
    // Doubled areas of the triangles between the origin's foot point and each side, relative to the whole.
    let area = |a: DVec3, b: DVec3| normal.dot(a.cross(b)) / squared;
    let (u, v, w) = (area(q, r), area(r, p), area(p, q));
    if squared > 0.0 && u > 0.0 && v > 0.0 && w > 0.0 {
        let sum = u + v + w;
        return [u / sum, v / sum, w / sum, 0.0];
    }
    let [a, b, ..] = segment(p, q);
    let [c, d, ..] = segment(q, r);
    let [e, f, ..] = segment(r, p);
    nearest_of([p, q, r, DVec3::ZERO], &[[a, b, 0.0, 0.0], [0.0, c, d, 0.0], [f, 0.0, e, 0.0]])
}

/// Weights of the point of a tetrahedron nearest to the origin; all positive where that is the origin itself.
fn tetrahedron(w: &[DVec3; 4]) -> [f64; 4] {
    let [p, q, r, s] = *w;
    let volume = |a: DVec3, b: DVec3, c: DVec3| a.dot(b.cross(c));
    let inside = [volume(q, s, r), volume(p, r, s), volume(p, s, q), volume(p, q, r)];
    let sum: f64 = inside.iter().sum();
    let weights = inside.map(|v| v / sum);
    if weights.iter().all(|&x| x > 0.0) {
        return weights;
    }
    let [a, b, c, _] = triangle(p, q, r);
    let [d, e, f, _] = triangle(p, q, s);
    let [g, h, i, _] = triangle(p, r, s);
    let [j, k, l, _] = triangle(q, r, s);
    nearest_of(*w, &[[a, b, c, 0.0], [d, e, 0.0, f], [g, 0.0, h, i], [0.0, j, k, l]])
}

/// The weights whose point is nearest to the origin.
fn nearest_of<const N: usize>(w: [DVec3; 4], candidates: &[[f64; 4]; N]) -> [f64; 4] {
    let squared = |c: &[f64; 4]| (w[0] * c[0] + w[1] * c[1] + w[2] * c[2] + w[3] * c[3]).length_squared();
    let mut best = candidates[0];
    for candidate in &candidates[1..] {
        if squared(candidate) < squared(&best) {
            best = *candidate;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::{Simplex, Vertex};
    use glam::DVec3;

    fn simplex(points: &[[f64; 3]]) -> Simplex {
        let vertex = |p: &[f64; 3]| Vertex { w: DVec3::from_array(*p), ..Vertex::default() };
        points.iter().fold(Simplex::default(), |s, p| s.with(vertex(p)))
    }

    #[test]
    fn nearest_point_of_each_kind_of_part() {
        let corner = simplex(&[[1.0, 1.0, 1.0], [3.0, 1.0, 1.0], [1.0, 2.0, 1.0]]);
        assert_eq!((corner.vertices().len(), corner.nearest()), (1, DVec3::ONE));
        let side = simplex(&[[-1.0, 2.0, 1.0], [3.0, 2.0, 1.0], [0.0, 5.0, 1.0]]);
        assert_eq!((side.vertices().len(), side.nearest()), (2, DVec3::new(0.0, 2.0, 1.0)));
        let face = simplex(&[[-1.0, -1.0, 2.0], [3.0, -1.0, 2.0], [-1.0, 3.0, 2.0], [0.0, 0.0, 5.0]]);
        assert_eq!((face.vertices().len(), face.direction().unwrap()), (3, DVec3::Z));
        assert!((face.nearest() - DVec3::new(0.0, 0.0, 2.0)).length() < 1e-15);
        let around = simplex(&[[-1.0, -1.0, -1.0], [3.0, -1.0, -1.0], [-1.0, 3.0, -1.0], [0.0, 0.0, 5.0]]);
        assert!(around.encloses_origin() && around.nearest().length() < 1e-15);
    }
}
