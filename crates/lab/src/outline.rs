//! Outlines of points in a plane.

use glam::DVec2;

/// The convex hull of points in a plane, counter-clockwise (A. Andrew's monotone chain, 1979).
pub fn outline(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    let mut outline: Vec<DVec2> = Vec::with_capacity(points.len() + 1);
    let forward: Vec<DVec2> = points.clone();
    for way in [forward, points.into_iter().rev().collect()] {
        let first = outline.len();
        for point in way {
            while let [.., a, b] = outline[first..]
                && (b - a).perp_dot(point - b) <= 0.0
            {
                outline.pop();
            }
            outline.push(point);
        }
        outline.pop();
    }
    outline
}
