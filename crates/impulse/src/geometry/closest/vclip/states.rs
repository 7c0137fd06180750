//! The five kinds of feature pairs and where each leads (V-Clip, section 4; thesis figure 2.3).
//!
//! In every function `p` and `q` are the two bodies in the order of the features' names. A decision and its reverse always
//! evaluate the same expression on the same numbers, so that neighbouring pairs cannot send the search to each other.

use super::segments::{Segment, nearest, segment};
use super::views::Feature::{Edge, Face, Vertex};
use super::views::{BodyView, BodyViews, Feature};
use super::witness::{self, MeasuredPair};
use crate::geometry::closest::Proximity;
use crate::geometry::convex::{Side, Spoke};
use crate::geometry::{ConvexPolyhedron, Plane, convex};
use glam::DVec3;

/// What to do after examining a pair.
pub(super) enum TrackStep {
    /// Examine this pair next.
    Next(Feature, Feature),
    /// The pair is closest.
    Closest(MeasuredPair),
    /// The bodies have a point in common.
    Overlap(Proximity),
}

/// What a pair of features leads to, the bodies in the order of the function's names.
enum PairOutcome {
    Next(Feature, Feature),
    /// The closest points are in these features.
    Closest,
    /// The bodies have a point in common, here in the frame of the second.
    Common(DVec3),
}

/// Examines one pair of features.
pub(super) fn step(views: &BodyViews<'_>, (first, second): (Feature, Feature)) -> TrackStep {
    let (a, b) = (&views.first, &views.second);
    let (outcome, swapped) = match (first, second) {
        (Vertex(v), Vertex(w)) => (vertex_vertex(a, b, v, w), false),
        (Vertex(v), Edge(e)) => (vertex_edge(a, b, v, e), false),
        (Edge(e), Vertex(v)) => (vertex_edge(b, a, v, e), true),
        (Vertex(v), Face(f)) => (vertex_face(a, b, v, f), false),
        (Face(f), Vertex(v)) => (vertex_face(b, a, v, f), true),
        (Edge(d), Edge(e)) => (edge_edge(a, b, d, e), false),
        (Edge(e), Face(f)) => (edge_face(a, b, e, f), false),
        (Face(f), Edge(e)) => (edge_face(b, a, e, f), true),
        // Only a cache can hold two faces: closest points never need them.
        (Face(_), Face(_)) => (PairOutcome::Next(first, Vertex(second.vertex(b.body))), false),
    };
    match outcome {
        PairOutcome::Next(x, y) if swapped => TrackStep::Next(y, x),
        PairOutcome::Next(x, y) => TrackStep::Next(x, y),
        PairOutcome::Closest => TrackStep::Closest(witness::measure(views, first, second)),
        PairOutcome::Common(point) => {
            let point = if swapped { point } else { a.see(point) };
            TrackStep::Overlap(witness::overlap(views, first, second, point))
        }
    }
}

/// Moves the vertex of a vertex-face pair along falling edges as far as it stays above the face's plane: after a turn the
/// closest vertex of a smooth body is many edges away, but downhill. Usually that is the answer; otherwise it is as good a
/// start as any.
pub(super) fn fall(views: &BodyViews<'_>, pair: &mut (Feature, Feature), steps: &mut u32) -> Option<Proximity> {
    let (a, b) = (&views.first, &views.second);
    let found = match *pair {
        (Vertex(v), Face(f)) => {
            let (v, lowest) = lowest_above(a, b, v, f, steps);
            pair.0 = Vertex(v);
            let vertex = b.see(a.body.vertices()[v as usize]);
            (lowest && side_crossed(b.body, f, vertex).is_none()).then(|| witness::above_second(views, f, vertex))
        }
        (Face(f), Vertex(v)) => {
            let (v, lowest) = lowest_above(b, a, v, f, steps);
            pair.1 = Vertex(v);
            let vertex = a.see(b.body.vertices()[v as usize]);
            (lowest && side_crossed(a.body, f, vertex).is_none()).then(|| witness::below_first(views, f, vertex))
        }
        _ => None,
    };
    found.filter(|proximity| proximity.distance >= 0.0)
}

/// Where the descent from a vertex of `p` above a face of `q` ends, and whether all of `p` is then above the face's plane.
#[inline]
fn lowest_above(p: &BodyView<'_>, q: &BodyView<'_>, vertex: u32, face: u32, steps: &mut u32) -> (u32, bool) {
    let plane = &q.body.surface().planes()[face as usize];
    let up = p.see_vector(plane.normal);
    let start = p.body.vertices()[vertex as usize];
    let (mut here, mut height) = (vertex, up.dot(start));
    let floor = height - plane.height(q.see(start));
    loop {
        *steps += 1;
        match lowest_spoke(p.body, here, up) {
            Some((spoke, lower)) if lower < height => {
                if lower < floor {
                    return (here, false);
                }
                (here, height) = (spoke.to, lower);
            }
            _ => return (here, height >= floor),
        }
    }
}

/// The neighbour of a vertex lowest along `up`.
#[inline]
fn lowest_spoke(body: &ConvexPolyhedron, vertex: u32, up: DVec3) -> Option<(&Spoke, f64)> {
    let mut best = None;
    let mut lowest = f64::INFINITY;
    for spoke in body.spokes_of(vertex) {
        let height = up.dot(body.vertices()[spoke.to as usize]);
        if height < lowest {
            (best, lowest) = (Some(spoke), height);
        }
    }
    best.map(|spoke| (spoke, lowest))
}

fn vertex_vertex(p: &BodyView<'_>, q: &BodyView<'_>, v: u32, w: u32) -> PairOutcome {
    if let Some(edge) = edge_towards(p.body, v, p.see(q.body.vertices()[w as usize])) {
        return PairOutcome::Next(Edge(edge), Vertex(w));
    }
    if let Some(edge) = edge_towards(q.body, w, q.see(p.body.vertices()[v as usize])) {
        return PairOutcome::Next(Vertex(v), Edge(edge));
    }
    PairOutcome::Closest
}

/// The edge whose region lies between the vertex' region and the point.
fn edge_towards(body: &ConvexPolyhedron, vertex: u32, point: DVec3) -> Option<u32> {
    let outside = |s: &&Spoke| inside_vertex_region(&body.edges()[s.edge as usize], s.outgoing, point) < 0.0;
    body.spokes_of(vertex).iter().find(outside).map(|s| s.edge)
}

/// Height of a point over the border between an edge's region and that of its tail or head, positive on the vertex' side.
fn inside_vertex_region(edge: &convex::Edge, at_tail: bool, point: DVec3) -> f64 {
    if at_tail { -edge.tail_plane.height(point) } else { edge.head_plane.height(point) }
}

fn vertex_edge(p: &BodyView<'_>, q: &BodyView<'_>, v: u32, e: u32) -> PairOutcome {
    let vertex = p.body.vertices()[v as usize];
    let edge = &q.body.edges()[e as usize];
    let point = q.see(vertex);
    let leads = if edge.tail_plane.height(point) < 0.0 {
        Some(Vertex(edge.tail))
    } else if edge.head_plane.height(point) > 0.0 {
        Some(Vertex(edge.head))
    } else if edge.left_plane.height(point) < 0.0 {
        Some(Face(edge.left))
    } else if edge.right_plane.height(point) < 0.0 {
        Some(Face(edge.right))
    } else {
        None
    };
    if let Some(feature) = leads {
        return PairOutcome::Next(Vertex(v), feature);
    }
    let ends = ends(p, q.body, edge);
    for spoke in p.body.spokes_of(v) {
        let border = &p.body.edges()[spoke.edge as usize];
        let heights = ends.map(|x| inside_vertex_region(border, spoke.outgoing, x));
        if leaves(heights, |at| slope_from_point(ends, at, vertex)) {
            return PairOutcome::Next(Edge(spoke.edge), Edge(e));
        }
    }
    PairOutcome::Closest
}

/// The ends of an edge of the other body, in the frame of `p`.
#[inline]
fn ends(p: &BodyView<'_>, other: &ConvexPolyhedron, edge: &convex::Edge) -> [DVec3; 2] {
    [edge.tail, edge.head].map(|v| p.see(other.vertices()[v as usize]))
}

/// Whether the point of an edge closest to a feature lies beyond a border of the feature's region: where the edge lies beyond as
/// a whole, or where the distance still falls as the edge crosses outwards. `heights` are those of the edge's ends over the
/// border, positive inside; `slope` is that of the distance along the edge at a place given as a fraction of its length.
#[inline]
fn leaves(heights: [f64; 2], slope: impl FnOnce(f64) -> f64) -> bool {
    match heights.map(|h| h < 0.0) {
        [false, false] => false,
        [true, true] => true,
        [true, false] => slope(crossing(heights)) > 0.0,
        [false, true] => slope(crossing(heights)) < 0.0,
    }
}

/// Where an edge crosses a plane, as a fraction of its length, from the heights of its ends.
#[inline]
fn crossing([tail, head]: [f64; 2]) -> f64 {
    tail / (tail - head)
}

/// Sign of the derivative of the distance from `point` along an edge.
fn slope_from_point([tail, head]: [DVec3; 2], at: f64, point: DVec3) -> f64 {
    let along = head - tail;
    along.dot(tail + along * at - point)
}

fn vertex_face(p: &BodyView<'_>, q: &BodyView<'_>, v: u32, f: u32) -> PairOutcome {
    let vertex = p.body.vertices()[v as usize];
    let point = q.see(vertex);
    if let Some(edge) = side_crossed(q.body, f, point) {
        return PairOutcome::Next(Vertex(v), Edge(edge));
    }
    let plane = &q.body.surface().planes()[f as usize];
    let up = p.see_vector(plane.normal);
    // Below the plane the distance from the face decreases upwards.
    let above = plane.height(point) >= 0.0;
    let outward = if above { up } else { -up };
    if let Some((spoke, height)) = lowest_spoke(p.body, v, outward)
        && height < outward.dot(vertex)
    {
        return PairOutcome::Next(Edge(spoke.edge), Face(f));
    }
    if above {
        return PairOutcome::Closest;
    }
    // All of p is below this face: either the vertex is inside q, or it is above another face.
    match face_below(q.body, f, point) {
        Some(visible) => PairOutcome::Next(Vertex(v), Face(visible)),
        None => PairOutcome::Common(point),
    }
}

/// A face with the point above its plane.
fn face_below(body: &ConvexPolyhedron, start: u32, point: DVec3) -> Option<u32> {
    let above = |f: u32| body.surface().planes()[f as usize].height(point) > 0.0;
    let climbed = face_towards(body, start, point);
    if above(climbed) {
        return Some(climbed);
    }
    // Among faces that are parallel up to rounding the climb may have stopped early.
    (0..body.surface().faces().len() as u32).find(|&f| above(f))
}

/// The side of a face that lies between the face and a point outside the prism over it. The one with the point farthest beyond
/// holds the point of the face that is closest.
#[inline]
fn side_crossed(body: &ConvexPolyhedron, face: u32, point: DVec3) -> Option<u32> {
    let (mut crossed, mut farthest) = (None, 0.0);
    for side in body.sides_of(face) {
        let height = border(body, *side).height(point);
        if height > farthest {
            (crossed, farthest) = (Some(side.edge), height);
        }
    }
    crossed
}

/// The plane between a face's region and that of its side, normal away from the face.
#[inline]
fn border(body: &ConvexPolyhedron, side: Side) -> &Plane {
    let edge = &body.edges()[side.edge as usize];
    if side.is_left { &edge.left_plane } else { &edge.right_plane }
}

/// The face through which the ray from the body's centre to a point leaves, found by climbing from face to face: the faces are
/// the vertices of the polar body, where the ratio compared here is a height.
fn face_towards(body: &ConvexPolyhedron, start: u32, point: DVec3) -> u32 {
    let ray = point - body.centre();
    let ratio = |f: u32| {
        let plane = &body.surface().planes()[f as usize];
        plane.normal.dot(ray) / -plane.height(body.centre())
    };
    let (mut best, mut highest) = (start, ratio(start));
    loop {
        let here = best;
        for side in body.sides_of(here) {
            let edge = &body.edges()[side.edge as usize];
            let neighbour = if side.is_left { edge.right } else { edge.left };
            let r = ratio(neighbour);
            if r > highest {
                (best, highest) = (neighbour, r);
            }
        }
        if best == here {
            return best;
        }
    }
}

fn edge_edge(p: &BodyView<'_>, q: &BodyView<'_>, d: u32, e: u32) -> PairOutcome {
    if let Some(feature) = feature_towards(p, q, d, e) {
        return PairOutcome::Next(feature, Edge(e));
    }
    if let Some(feature) = feature_towards(q, p, e, d) {
        return PairOutcome::Next(Edge(d), feature);
    }
    PairOutcome::Closest
}

/// The neighbour of `p`'s edge `d` in whose region lies the point of `q`'s edge `e` that is closest to it.
fn feature_towards(p: &BodyView<'_>, q: &BodyView<'_>, d: u32, e: u32) -> Option<Feature> {
    let (mine, other) = (&p.body.edges()[d as usize], &q.body.edges()[e as usize]);
    let ends = ends(p, q.body, other);
    let mut clip = [0.0, 1.0];
    let along = ends.map(|x| mine.direction().dot(x));
    let borders = [
        (mine.tail, along.map(|x| x - mine.tail_plane.offset)),
        (mine.head, along.map(|x| mine.head_plane.offset - x)),
    ];
    for (vertex, heights) in borders {
        let position = p.body.vertices()[vertex as usize];
        if leaves(heights, |at| slope_from_point(ends, at, position)) {
            return Some(Vertex(vertex));
        }
        match heights.map(|h| h < 0.0) {
            [true, false] => clip[0] = crossing(heights).max(clip[0]),
            [false, true] => clip[1] = crossing(heights).min(clip[1]),
            _ => {}
        }
    }
    // Between the vertices' regions the distance from the edge at the border of a face's region is that from the face.
    for (face, plane) in [(mine.left, &mine.left_plane), (mine.right, &mine.right_plane)] {
        let heights = ends.map(|x| plane.height(x));
        let beyond = match heights.map(|h| h < 0.0) {
            [true, false] if crossing(heights) > clip[1] => true,
            [true, false] if crossing(heights) < clip[0] => false,
            [false, true] if crossing(heights) < clip[0] => true,
            [false, true] if crossing(heights) > clip[1] => false,
            _ => leaves(heights, |at| slope_from_face([p, q], face, e, height_over(p.body, face, ends, at))),
        };
        if beyond {
            return Some(Face(face));
        }
    }
    None
}

/// Sign of the derivative of the distance from `p`'s face along `q`'s edge, at a place of the given height over the face.
fn slope_from_face([p, q]: [&BodyView<'_>; 2], face: u32, edge: u32, height: f64) -> f64 {
    let up = q.see_vector(p.body.surface().planes()[face as usize].normal);
    let slope = rise(q.body, edge, up);
    if height >= 0.0 { slope } else { -slope }
}

/// Height over a face at a place of an edge.
fn height_over(body: &ConvexPolyhedron, face: u32, ends: [DVec3; 2], at: f64) -> f64 {
    let plane = &body.surface().planes()[face as usize];
    height_at(ends.map(|x| plane.height(x)), at)
}

/// How much higher an edge's head is than its tail.
fn rise(body: &ConvexPolyhedron, edge: u32, up: DVec3) -> f64 {
    let edge = &body.edges()[edge as usize];
    let [tail, head] = [edge.tail, edge.head].map(|v| up.dot(body.vertices()[v as usize]));
    head - tail
}

/// Height at a place of an edge from those of its ends; at the ends no digit is lost.
fn height_at([tail, head]: [f64; 2], at: f64) -> f64 {
    tail * (1.0 - at) + head * at
}

fn edge_face(p: &BodyView<'_>, q: &BodyView<'_>, e: u32, f: u32) -> PairOutcome {
    let edge = &p.body.edges()[e as usize];
    let ends = ends(q, p.body, edge);
    let Some(clip) = clip_to_prism(q.body, f, ends) else {
        return PairOutcome::Next(Edge(e), nearest_of_border(q.body, f, ends));
    };
    let plane = &q.body.surface().planes()[f as usize];
    let heights = ends.map(|x| plane.height(x));
    let [low, high] = clip.at.map(|at| height_at(heights, at));
    if (low >= 0.0) != (high >= 0.0) {
        let at = clip.at[0] + (clip.at[1] - clip.at[0]) * crossing([low, high]);
        return PairOutcome::Common(ends[0] + (ends[1] - ends[0]) * at);
    }
    let slope = rise(p.body, e, p.see_vector(plane.normal));
    let rises = if low >= 0.0 { slope >= 0.0 } else { slope <= 0.0 };
    let (side, end) = if rises { (clip.sides[0], edge.tail) } else { (clip.sides[1], edge.head) };
    match side {
        Some(side) => PairOutcome::Next(Edge(e), Edge(side)),
        None => PairOutcome::Next(Vertex(end), Face(f)),
    }
}

/// The part of an edge in the prism over a face, as fractions of its length, and the sides that cut it off.
struct EdgeClip {
    at: [f64; 2],
    sides: [Option<u32>; 2],
}

/// `None` where the edge misses the prism.
fn clip_to_prism(body: &ConvexPolyhedron, face: u32, ends: [DVec3; 2]) -> Option<EdgeClip> {
    let mut clip = EdgeClip { at: [0.0, 1.0], sides: [None; 2] };
    for side in body.sides_of(face) {
        let plane = border(body, *side);
        let heights = ends.map(|x| plane.height(x));
        match heights.map(|h| h > 0.0) {
            [false, false] => continue,
            [true, true] => return None,
            [true, false] => {
                let at = crossing(heights);
                if at > clip.at[0] {
                    (clip.at[0], clip.sides[0]) = (at, Some(side.edge));
                }
            }
            [false, true] => {
                let at = crossing(heights);
                if at < clip.at[1] {
                    (clip.at[1], clip.sides[1]) = (at, Some(side.edge));
                }
            }
        }
        if clip.at[0] > clip.at[1] {
            return None;
        }
    }
    Some(clip)
}

/// The side or corner of a face closest to an edge that misses the prism over it; such a side has some of the edge beyond it.
fn nearest_of_border(body: &ConvexPolyhedron, face: u32, ends: [DVec3; 2]) -> Feature {
    let along = ends[1] - ends[0];
    let length = along.length();
    let p = Segment { tail: ends[0], direction: along / length, length };
    let sides = body.sides_of(face);
    let (mut best, mut least) = (Edge(sides[0].edge), f64::INFINITY);
    for side in sides {
        let plane = border(body, *side);
        if ends.iter().all(|&x| plane.height(x) <= 0.0) {
            continue;
        }
        let edge = &body.edges()[side.edge as usize];
        let near = nearest(&p, &segment(body, side.edge));
        let distance = near.on_p.distance_squared(near.on_q);
        if distance < least {
            least = distance;
            best = match near.along_q {
                at if at <= 0.0 => Vertex(edge.tail),
                at if at >= edge.length => Vertex(edge.head),
                _ => Edge(side.edge),
            };
        }
    }
    best
}
