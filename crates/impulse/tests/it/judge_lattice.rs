//! The judge against an exact separating-axis test, on polyhedra with small integer coordinates (Moore and Wilhelms 1988, section
//! 2.2, corrected).

use crate::samples::Numbers;
use impulse::DVec3;
use impulse::geometry::judge::{Meeting, Outline, Verdict, exact_meeting, overlap};
use impulse::geometry::{ConvexPolyhedron, Shape};
use impulse::math::Pose;

/// What came out of many pairs.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) apart: u32,
    pub(crate) touching: u32,
    pub(crate) overlapping: u32,
    /// Pairs that the exact judge got wrong or did not answer.
    pub(crate) wrong_exact: u32,
    /// Pairs that the judge in floats got wrong.
    pub(crate) wrong_floats: u32,
    /// Overlaps whose witness is not inside both.
    pub(crate) wrong_witnesses: u32,
}

/// Judges random pairs.
pub(crate) fn examine(pairs: u32, seed: u64) -> Tally {
    let (mut numbers, mut tally) = (Numbers(seed), Tally::default());
    for _ in 0..pairs {
        let first = polyhedron(&[], &mut numbers);
        let second = partner(&first, &mut numbers);
        tally.count(&first, &second);
    }
    tally
}

impl Tally {
    /// Judges one pair.
    pub(crate) fn count(&mut self, first: &ConvexPolyhedron, second: &ConvexPolyhedron) {
        let truth = separating_axes(first, second);
        *match truth {
            Truth::Apart => &mut self.apart,
            Truth::Touching => &mut self.touching,
            Truth::Overlapping => &mut self.overlapping,
        } += 1;
        let (exact, exact_witness) = match exact_meeting(first, second) {
            Some(Meeting::Apart) => (Some(Truth::Apart), None),
            Some(Meeting::Touching { .. }) => (Some(Truth::Touching), None),
            Some(Meeting::Overlapping { witness }) => (Some(Truth::Overlapping), Some(witness)),
            None => (None, None),
        };
        let outline = |body: &ConvexPolyhedron| Outline::inside(&Shape::from(body.clone()), 0.0).unwrap();
        let (floats, witness) = match overlap(&outline(first), &outline(second), &Pose::IDENTITY) {
            Verdict::Apart => (Truth::Apart, None),
            Verdict::Touching => (Truth::Touching, None),
            Verdict::Overlapping { witness, .. } => (Truth::Overlapping, Some(witness)),
        };
        self.wrong_exact += u32::from(exact != Some(truth));
        self.wrong_floats += u32::from(floats != truth);
        let planes = || [first, second].into_iter().flat_map(|body| body.surface().planes());
        for witness in [exact_witness, witness].into_iter().flatten() {
            self.wrong_witnesses += u32::from(planes().any(|plane| plane.height(witness) >= 0.0));
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Truth {
    Apart,
    Touching,
    Overlapping,
}

type Triple = [i128; 3];

/// Compares the projections on all cross products of differences of vertices, among which are the normals of all faces of the
/// difference set. Exact, as the coordinates are small integers.
fn separating_axes(first: &ConvexPolyhedron, second: &ConvexPolyhedron) -> Truth {
    let [a, b] = [first, second]
        .map(|body| -> Vec<Triple> { body.vertices().iter().map(|v| v.to_array().map(|x| x as i128)).collect() });
    let all: Vec<Triple> = [differences(&a), differences(&b)].concat();
    let mut truth = Truth::Overlapping;
    for (i, u) in all.iter().enumerate() {
        for v in &all[..i] {
            let axis = cross(u, v);
            if axis == [0; 3] {
                continue;
            }
            let span = |points: &[Triple]| {
                let heights = || points.iter().map(|p| p.iter().zip(axis).map(|(x, n)| x * n).sum::<i128>());
                (heights().min().unwrap(), heights().max().unwrap())
            };
            let ((a_low, a_high), (b_low, b_high)) = (span(&a), span(&b));
            match a_high.min(b_high) - a_low.max(b_low) {
                gap if gap < 0 => return Truth::Apart,
                0 => truth = Truth::Touching,
                _ => {}
            }
        }
    }
    truth
}

/// The differences of all pairs of points, each direction once.
fn differences(points: &[Triple]) -> Vec<Triple> {
    let mut found: Vec<Triple> = Vec::new();
    for (i, p) in points.iter().enumerate() {
        for q in &points[..i] {
            let d = [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
            if found.iter().all(|other| cross(other, &d) != [0; 3]) {
                found.push(d);
            }
        }
    }
    found
}

fn cross(u: &Triple, v: &Triple) -> Triple {
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

/// A box or a hull of lattice points, of which some are given.
fn polyhedron(given: &[DVec3], numbers: &mut Numbers) -> ConvexPolyhedron {
    loop {
        let points = if given.is_empty() && numbers.unit() < 0.4 {
            corners(point(numbers), point(numbers))
        } else {
            let count = 4 + (numbers.unit() * 5.0) as usize;
            let others = (given.len()..count).map(|_| point(numbers));
            given.iter().copied().chain(others).collect()
        };
        if let Ok(body) = ConvexPolyhedron::hull(&points) {
            return body;
        }
    }
}

/// A point of the lattice.
fn point(numbers: &mut Numbers) -> DVec3 {
    let mut coordinate = || numbers.between(-3.0, 4.0).floor();
    DVec3::new(coordinate(), coordinate(), coordinate())
}

/// The corners of the box between two points.
pub(crate) fn corners(p: DVec3, q: DVec3) -> Vec<DVec3> {
    let corner = |i: u32| {
        let choose = |bit: u32| if i >> bit & 1 == 1 { p } else { q };
        DVec3::new(choose(0).x, choose(1).y, choose(2).z)
    };
    (0..8).map(corner).collect()
}

/// Another polyhedron: anywhere, or with corners in common, or the same one shifted, or its image in the plane of a box.
fn partner(first: &ConvexPolyhedron, numbers: &mut Numbers) -> ConvexPolyhedron {
    let vertices = first.vertices();
    let moved = |map: &dyn Fn(DVec3) -> DVec3| {
        ConvexPolyhedron::hull(&vertices.iter().map(|&v| map(v)).collect::<Vec<_>>()).unwrap()
    };
    match (numbers.unit() * 6.0) as u32 {
        0 | 1 => polyhedron(&[], numbers),
        2 | 3 => {
            let start = (numbers.unit() * vertices.len() as f64) as usize;
            let shared = 1 + (numbers.unit() * 3.0) as usize;
            let shared: Vec<DVec3> = vertices.iter().cycle().skip(start).take(shared).copied().collect();
            polyhedron(&shared, numbers)
        }
        4 => {
            let shift = point(numbers);
            moved(&|v| v + shift)
        }
        _ => {
            let top = first.bounds().max.x;
            moved(&|v| DVec3::new(2.0 * top - v.x, v.y, v.z))
        }
    }
}
