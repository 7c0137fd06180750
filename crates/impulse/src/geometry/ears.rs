//! Triangulation of simple polygons by ear clipping.

use glam::DVec3;

/// Appends triangles that cover the simple polygon `corners`, which lies in a plane with the given normal; `corners.len() - 2`
/// of them, with the winding of the polygon.
pub fn triangulate(vertices: &[DVec3], corners: &[u32], normal: DVec3, triangles: &mut Vec<[u32; 3]>) {
    let at = |v: u32| vertices[v as usize];
    let mut rest = corners.to_vec();
    while rest.len() > 3 {
        let n = rest.len();
        let corner = |i: usize| [rest[(i + n - 1) % n], rest[i], rest[(i + 1) % n]];
        let is_ear = |i: &usize| {
            let [a, b, c] = corner(*i);
            turn(at(a), at(b), at(c), normal) > 0.0
                && rest.iter().all(|&v| v == a || v == b || v == c || !covers([at(a), at(b), at(c)], at(v), normal))
        };
        // A polygon with corners on a line may have no proper ear: then cut the corner that turns least.
        let ear = (0..n).find(is_ear).unwrap_or_else(|| flattest(n, |i| corner(i).map(at), normal));
        triangles.push(corner(ear));
        rest.remove(ear);
    }
    triangles.push([rest[0], rest[1], rest[2]]);
}

/// The corner whose triangle has the smallest area.
fn flattest(n: usize, corner: impl Fn(usize) -> [DVec3; 3], normal: DVec3) -> usize {
    let area = |i: &usize| {
        let [a, b, c] = corner(*i);
        turn(a, b, c, normal).abs()
    };
    (0..n).min_by(|i, j| area(i).total_cmp(&area(j))).unwrap_or(0)
}

/// Twice the signed area of the triangle seen along the normal.
fn turn(a: DVec3, b: DVec3, c: DVec3, normal: DVec3) -> f64 {
    (b - a).cross(c - b).dot(normal)
}

/// Whether `p` lies in the triangle or on its border.
fn covers([a, b, c]: [DVec3; 3], p: DVec3, normal: DVec3) -> bool {
    turn(a, b, p, normal) >= 0.0 && turn(b, c, p, normal) >= 0.0 && turn(c, a, p, normal) >= 0.0
}

#[cfg(test)]
mod tests {
    use super::{triangulate, turn};
    use glam::DVec3;

    #[test]
    fn covers_a_comb_exactly() {
        // A comb with ten teeth: many reflex corners, area 21 + 10 * 5.
        let mut points = vec![DVec3::ZERO, DVec3::new(21.0, 0.0, 0.0)];
        for k in (0..10).rev() {
            let x = f64::from(2 * k + 1);
            for (dx, y) in [(1.0, 1.0), (1.0, 6.0), (0.0, 6.0), (0.0, 1.0)] {
                points.push(DVec3::new(x + dx, y, 0.0));
            }
        }
        points.push(DVec3::new(0.0, 1.0, 0.0));
        points[1].x = 20.0;
        let corners: Vec<u32> = (0..points.len() as u32).collect();
        let mut triangles = Vec::new();
        triangulate(&points, &corners, DVec3::Z, &mut triangles);
        assert_eq!(triangles.len(), corners.len() - 2);
        let areas = triangles.iter().map(|t| {
            let [a, b, c] = t.map(|v| points[v as usize]);
            0.5 * turn(a, b, c, DVec3::Z)
        });
        assert!(areas.clone().all(|a| a >= 0.0));
        assert_eq!(areas.sum::<f64>(), 20.0 + 50.0);
    }
}
