//! Random bodies in awkward places, and slow independent checks of what a distance query says about them (section 2.2).

use impulse::geometry::{ConvexPolyhedron, Feature, FeaturePair, Proximity, closest_polyhedra, icosphere};
use impulse::math::Pose;
use impulse::{DQuat, DVec3};

/// Allowed error relative to the bodies' mean radius.
pub(crate) const EXACTNESS: f64 = 1e-10;

/// Numbers that are the same in every run (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn vector(&mut self) -> DVec3 {
        DVec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
    }

    pub(crate) fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector();
            if (0.1..1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }

    pub(crate) fn rotation(&mut self) -> DQuat {
        DQuat::from_axis_angle(self.direction(), self.between(0.0, std::f64::consts::TAU))
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    fn feature(&mut self) -> Feature {
        let number = if self.below(2) == 0 { self.bits() as u32 } else { self.below(100) as u32 };
        *self.pick(&[Feature::Vertex(number), Feature::Edge(number), Feature::Face(number)])
    }

    /// A pair of features that means nothing.
    pub(crate) fn garbage(&mut self) -> FeaturePair {
        FeaturePair { first: self.feature(), second: self.feature(), fallbacks: 0 }
    }
}

/// A body of 4 to 400 vertices: clouds, balls, thin plates, needles, lattices with many coplanar points, prisms, boxes.
pub(crate) fn body(random: &mut Random) -> ConvexPolyhedron {
    loop {
        let count = *random.pick(&[4, 5, 6, 8, 12, 20, 30, 60, 120, 400]);
        let squash = DVec3::new(1.0, 1.0, *random.pick(&[1.0, 0.1, 1e-3, 1e-6]));
        let points: Vec<DVec3> = match random.below(8) {
            0 => (0..count).map(|_| random.vector()).collect(),
            1 => (0..count).map(|_| random.direction()).collect(),
            2 => (0..count).map(|_| random.direction() * squash).collect(),
            3 => (0..count).map(|_| random.vector() * DVec3::new(1.0, squash.z, squash.z)).collect(),
            4 => (0..count.min(60)).map(|_| (random.vector() * 2.0).round() / 2.0).collect(),
            5 => prism(random, count.min(64) / 2 + 2, squash.z),
            6 => icosphere(random.below(3) as u32).vertices,
            _ => corners(DVec3::new(
                random.between(0.2, 1.0),
                random.between(0.2, 1.0),
                random.between(0.2, 1.0) * squash.z,
            )),
        };
        let turn = if random.below(2) == 0 { DQuat::IDENTITY } else { random.rotation() };
        let scale = *random.pick(&[1.0, 0.5, 2.0]);
        let points: Vec<_> = points.iter().map(|&p| turn * p * scale).collect();
        // Lattice points may lie in a plane, needles be too thin to have a volume.
        if let Ok(body) = ConvexPolyhedron::hull(&points) {
            return body;
        }
    }
}

/// The corners of a box with the given half edges.
pub(crate) fn corners(half: DVec3) -> Vec<DVec3> {
    let sign = |bit: usize| if bit == 0 { -1.0 } else { 1.0 };
    (0..8).map(|i| half * DVec3::new(sign(i & 1), sign(i & 2), sign(i & 4))).collect()
}

fn prism(random: &mut Random, sides: usize, height: f64) -> Vec<DVec3> {
    let taper = *random.pick(&[1.0, 1.0, 0.3]);
    (0..2 * sides)
        .map(|i| {
            let (s, c) = ((i / 2) as f64 * std::f64::consts::TAU / sides as f64).sin_cos();
            if i % 2 == 0 { DVec3::new(c, s, -height) } else { DVec3::new(c * taper, s * taper, height) }
        })
        .collect()
}

/// A relative pose: apart, close, face on face, edge along edge, vertex on vertex, axes aligned, deep inside.
pub(crate) fn pose(random: &mut Random, first: &ConvexPolyhedron, second: &ConvexPolyhedron) -> Pose {
    let reach = first.radius() + second.radius();
    let gap = reach * *random.pick(&[0.0, 1e-14, -1e-14, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 0.1, -1e-9, -1e-3, -0.1]);
    let tilt = DQuat::from_axis_angle(random.direction(), *random.pick(&[0.0, 0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3]));
    let (rotation, translation) = match random.below(7) {
        0 => (random.rotation(), random.direction() * reach * random.between(0.0, 3.0)),
        1 => (random.rotation(), random.direction() * reach * random.between(0.3, 1.1)),
        2 => (random.rotation(), random.direction() * reach * random.between(0.0, 0.2)),
        3 => {
            let quarter = DQuat::from_axis_angle(
                *random.pick(&DVec3::AXES),
                random.below(4) as f64 * std::f64::consts::FRAC_PI_2,
            );
            (tilt * quarter, (random.vector() * 2.0).round() + random.direction() * gap)
        }
        4 => face_on_face(random, first, second, (tilt, gap)),
        5 => {
            // Corner at corner, or corner at the middle of an edge.
            let rotation = if random.below(2) == 0 { tilt } else { random.rotation() };
            let at = if random.below(2) == 0 { *random.pick(first.vertices()) } else { middle(first, random) };
            (rotation, at + random.direction() * gap - rotation * *random.pick(second.vertices()))
        }
        _ => {
            let (e, f) = (*random.pick(first.edges()), *random.pick(second.edges()));
            let rotation = tilt * DQuat::from_rotation_arc(f.direction(), e.direction());
            (rotation, middle(first, random) + random.direction() * gap - rotation * middle(second, random))
        }
    };
    Pose::new(rotation, translation).expect("a rotation has a direction")
}

fn middle(body: &ConvexPolyhedron, random: &mut Random) -> DVec3 {
    let edge = random.pick(body.edges());
    0.5 * (body.vertices()[edge.tail as usize] + body.vertices()[edge.head as usize])
}

/// Two faces parallel at a gap: corner over corner, or shifted.
fn face_on_face(
    random: &mut Random,
    first: &ConvexPolyhedron,
    second: &ConvexPolyhedron,
    (tilt, gap): (DQuat, f64),
) -> (DQuat, DVec3) {
    let (f, g) = (random.below(first.surface().faces().len()), random.below(second.surface().faces().len()));
    let (up, down) = (first.surface().planes()[f].normal, second.surface().planes()[g].normal);
    let rotation = tilt * DQuat::from_rotation_arc(down, -up);
    let a = first.vertices()[*random.pick(first.surface().faces().get(f)) as usize];
    let b = second.vertices()[*random.pick(second.surface().faces().get(g)) as usize];
    let slide = random.vector() * *random.pick(&[0.0, 0.0, 0.2, 1.0]);
    (rotation, a + (slide - up * slide.dot(up)) + up * gap - rotation * b)
}

/// How far a body's own corners lie above the planes of its faces, m. Very thin faces have normals with few digits, and a point
/// of the body cannot be held to a plane more strictly than its corners.
pub(crate) fn warp(body: &ConvexPolyhedron) -> f64 {
    let planes = body.surface().planes().iter();
    planes.flat_map(|plane| body.vertices().iter().map(|&v| plane.height(v))).fold(0.0, f64::max)
}

/// The bodies' mean radius, m.
pub(crate) fn size(first: &ConvexPolyhedron, second: &ConvexPolyhedron) -> f64 {
    0.5 * (first.radius() + second.radius())
}

/// Proves an answer right or tells what is wrong with it; gives the error it could prove, relative to the bodies' size.
///
/// Separated: the points lie on the bodies, so that the distance is no larger; all vertices lie on their sides of two parallel
/// planes at that distance, so that it is no smaller. Overlapping: one point lies in both bodies.
pub(crate) fn prove(
    first: &ConvexPolyhedron,
    second: &ConvexPolyhedron,
    pose: &Pose,
    answer: &Proximity,
) -> Result<f64, String> {
    prove_warped([first, second], pose, answer, [0.0; 2])
}

fn prove_warped(
    [first, second]: [&ConvexPolyhedron; 2],
    pose: &Pose,
    answer: &Proximity,
    warps: [f64; 2],
) -> Result<f64, String> {
    let size = size(first, second);
    let above = |body: &ConvexPolyhedron, p: DVec3| {
        body.surface().planes().iter().map(|plane| plane.height(p)).fold(f64::NEG_INFINITY, f64::max)
    };
    let off_first = above(first, answer.on_first) - warps[0];
    let off_second = above(second, pose.inverse_point(answer.on_second)) - warps[1];
    let unit = (answer.normal.length() - 1.0).abs();
    let mismatch = (answer.on_first - answer.on_second - answer.normal * answer.distance).length();
    let lowest = first.vertices().iter().map(|v| answer.normal.dot(*v)).fold(f64::INFINITY, f64::min);
    let highest = second.vertices().iter().map(|&w| answer.normal.dot(pose.point(w))).fold(f64::NEG_INFINITY, f64::max);
    let gap = lowest - highest + warps[0] + warps[1];
    let unproven = if answer.overlapping { answer.distance } else { answer.distance - gap };
    let worst = off_first.max(off_second).max(mismatch).max(unproven) / size;
    if worst.is_finite() && worst <= EXACTNESS && unit < 1e-12 && answer.distance >= 0.0 {
        return Ok(worst);
    }
    Err(format!(
        "size {size:e}: off first {off_first:e}, off second {off_second:e}, mismatch {mismatch:e}, unproven {unproven:e}, \
         unit {unit:e}, {answer:?}"
    ))
}

/// Signed distance by exhaustive enumeration: the least of all vertex-face and edge-edge distances of separated bodies, minus
/// the least overlap over all directions that can separate otherwise.
pub(crate) fn enumerate(first: &ConvexPolyhedron, second: &ConvexPolyhedron, pose: &Pose) -> f64 {
    let placed: Vec<DVec3> = second.vertices().iter().map(|&w| pose.point(w)).collect();
    let best = separating_directions(first, second, pose)
        .map(|n| {
            let lowest = first.vertices().iter().map(|v| n.dot(*v)).fold(f64::INFINITY, f64::min);
            lowest - placed.iter().map(|w| n.dot(*w)).fold(f64::NEG_INFINITY, f64::max)
        })
        .fold(f64::NEG_INFINITY, f64::max);
    if best <= 0.0 {
        return best;
    }
    let inverse = pose.inverse();
    let mut least = f64::INFINITY;
    for &w in &placed {
        least = (0..first.surface().faces().len()).map(|f| from_face(first, f, w)).fold(least, f64::min);
    }
    for &v in first.vertices() {
        let v = inverse.point(v);
        least = (0..second.surface().faces().len()).map(|f| from_face(second, f, v)).fold(least, f64::min);
    }
    for d in first.edges() {
        let [a, b] = [d.tail, d.head].map(|v| first.vertices()[v as usize]);
        for e in second.edges() {
            least = least.min(between_segments([a, b], [placed[e.tail as usize], placed[e.head as usize]]));
        }
    }
    least
}

/// Face normals of both bodies and common normals of all pairs of edges, both ways round.
fn separating_directions<'a>(
    first: &'a ConvexPolyhedron,
    second: &'a ConvexPolyhedron,
    pose: &'a Pose,
) -> impl Iterator<Item = DVec3> + 'a {
    let faces = first.surface().planes().iter().map(|p| -p.normal);
    let faces = faces.chain(second.surface().planes().iter().map(|p| pose.vector(p.normal)));
    let crossed = first.edges().iter().flat_map(move |d| {
        second.edges().iter().filter_map(move |e| {
            let n = d.direction().cross(pose.vector(e.direction()));
            (n.length() > 1e-9).then(|| n.normalize())
        })
    });
    faces.chain(crossed.flat_map(|n| [n, -n]))
}

/// Distance of a point above a face from it, infinite elsewhere: beside the face some edge is closer.
fn from_face(body: &ConvexPolyhedron, face: usize, p: DVec3) -> f64 {
    let plane = body.surface().planes()[face];
    let corners = body.surface().faces().get(face);
    let corner = |i: usize| body.vertices()[corners[i % corners.len()] as usize];
    let beside = (0..corners.len()).any(|i| (corner(i + 1) - corner(i)).cross(p - corner(i)).dot(plane.normal) < 0.0);
    if beside { f64::INFINITY } else { plane.height(p).abs() }
}

/// Distance of two segments: the least over the ends of one from the other, and over the inner points of both.
fn between_segments([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> f64 {
    let from_segment = |p: DVec3, a: DVec3, b: DVec3| {
        let t = (p - a).dot(b - a) / (b - a).length_squared();
        p.distance(a + (b - a) * t.clamp(0.0, 1.0))
    };
    let ends = [from_segment(a, c, d), from_segment(b, c, d), from_segment(c, a, b), from_segment(d, a, b)];
    let least = ends.into_iter().fold(f64::INFINITY, f64::min);
    let (u, v) = ((b - a).normalize(), (d - c).normalize());
    let n = u.cross(v);
    if n.length() < 1e-7 {
        return least;
    }
    let n = n.normalize();
    // Each segment must cross the plane through the other along the common normal.
    let crosses = |p: DVec3, q: DVec3, m: DVec3, at: DVec3| (p - at).dot(m) * (q - at).dot(m) <= 0.0;
    if crosses(a, b, n.cross(v), c) && crosses(c, d, n.cross(u), a) { least.min((a - c).dot(n).abs()) } else { least }
}

/// What a run of the oracle saw.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Queries asked.
    pub(crate) queries: u64,
    /// Of these, overlapping.
    pub(crate) overlapping: u64,
    /// Closer than 1e-8 of the size without overlap.
    pub(crate) touching: u64,
    /// Queries that had to look at all features.
    pub(crate) fallbacks: u64,
    /// Most steps of a query.
    pub(crate) most_steps: u32,
    /// Sum of steps.
    pub(crate) steps: u64,
    /// Largest proven error relative to the size.
    pub(crate) worst: f64,
    /// Largest warp of a body relative to its radius.
    pub(crate) warp: f64,
    /// Pairs small enough to be enumerated.
    pub(crate) enumerated: u64,
}

/// Asks about `poses` random poses of random bodies, from garbage and from kept features, both ways round.
pub(crate) fn examine(poses: u64, seed: u64) -> Result<Tally, String> {
    let mut random = Random(seed);
    let mut tally = Tally::default();
    while tally.queries < 2 * poses {
        let (first, second) = (body(&mut random), body(&mut random));
        let warps = [warp(&first), warp(&second)];
        tally.warp = tally.warp.max(warps[0] / first.radius()).max(warps[1] / second.radius());
        let mut kept = FeaturePair::default();
        for _ in 0..50 {
            let pose = if random.below(20) == 0 { Pose::IDENTITY } else { pose(&mut random, &first, &second) };
            if random.below(2) == 0 {
                kept = random.garbage();
            }
            let context = format!("seed {seed}, query {}: {kept:?} {pose:?}", tally.queries);
            one(&mut tally, [(&first, warps[0]), (&second, warps[1])], &pose, &mut kept)
                .map_err(|e| format!("{context}: {e}"))?;
        }
    }
    Ok(tally)
}

fn one(
    tally: &mut Tally,
    [(first, first_warp), (second, second_warp)]: [(&ConvexPolyhedron, f64); 2],
    pose: &Pose,
    kept: &mut FeaturePair,
) -> Result<(), String> {
    let mut mirrored = FeaturePair { first: kept.second, second: kept.first, fallbacks: 0 };
    let before = kept.fallbacks;
    let answer = closest_polyhedra(first, second, pose, kept);
    let inverse = pose.inverse();
    let back = closest_polyhedra(second, first, &inverse, &mut mirrored);
    let size = size(first, second);
    let told = |e: String| format!("{e}; features {kept:?}, the other way {mirrored:?} {back:?}");
    let proven = prove_warped([first, second], pose, &answer, [first_warp, second_warp]).map_err(told)?;
    let proven_back = prove_warped([second, first], &inverse, &back, [second_warp, first_warp]).map_err(told)?;
    // The shortest vector x between convex bodies is unique: one longer by e differs from it by at most sqrt(2 |x| e).
    let exactness = EXACTNESS * size;
    let vectors = [answer.normal * answer.distance, pose.vector(back.normal) * -back.distance];
    let apart = vectors[0].distance(vectors[1]);
    if apart > (2.0 * answer.distance * exactness).sqrt() + exactness
        || (answer.distance - back.distance).abs() > exactness
    {
        return Err(format!("not symmetric: {answer:?} {back:?}"));
    }
    if first.edges().len() * second.edges().len() <= 400 {
        tally.enumerated += 1;
        let truth = enumerate(first, second, pose);
        // Edges that are parallel to 1e-9 have no common normal to speak of: an overlap smaller than that may be none.
        let least = if truth > -1e-9 * size { truth.max(0.0) } else { truth };
        let wrong = if answer.overlapping { truth.max(0.0) } else { (answer.distance - least).abs() };
        if wrong > EXACTNESS * size {
            return Err(format!("enumeration gives {truth:e}: {answer:?}"));
        }
    }
    tally.queries += 2;
    tally.overlapping += u64::from(answer.overlapping);
    tally.touching += u64::from(!answer.overlapping && answer.distance < 1e-8 * size);
    tally.fallbacks += u64::from(kept.fallbacks - before) + u64::from(mirrored.fallbacks);
    tally.most_steps = tally.most_steps.max(answer.steps).max(back.steps);
    tally.steps += u64::from(answer.steps) + u64::from(back.steps);
    tally.worst = tally.worst.max(proven).max(proven_back);
    Ok(())
}
