//! The points at which two near shapes can touch: all points of nearly the least distance (section 3.5).
//!
//! A distance query gives one closest pair of points. But a box on a table touches at four corners, and a box across another
//! one where their edges cross: the contact patches of the two parts, projected along the normal, are intersected.

use super::assembly::Assembly;
use super::memory::PairCache;
use super::outline::Outline;
use super::pairs::{ShapePair, for_each_within};
use super::part_pair::PartPair;
use super::patch::{Feature, Patch};
use super::proximity::Proximity;
use super::rounded::rounded;
use super::touch::Touching;
use crate::geometry::Shape;
use crate::math::{Pose, any_perpendicular, cross_matrix, outer};
use glam::{DMat2, DMat3, DVec2, DVec3};

/// How the normal of a contact turns: see [`Touching`].
#[derive(Clone, Copy)]
struct Turning {
    carriers: [DMat3; 2],
    slider: DMat3,
}

/// Buffers of the search, kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct TouchingBuffers {
    near: Vec<(PartPair, Proximity)>,
    patches: [Patch; 2],
    /// What of the patches is nearest.
    features: [Feature; 2],
    subject: Vec<DVec3>,
    clipper: Vec<DVec3>,
    clipped: Vec<DVec3>,
    outline: Outline,
}

/// How far the search looks, m.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// Distance of parts that can touch.
    pub limit: f64,
    /// How much farther than its nearest point the points of a part may be that can touch.
    pub slack: f64,
    /// The same for points that belong to what is nearest now, with which the normal turns: a face that leans by more touches with an edge
    /// or a corner.
    pub level: f64,
}

/// Edges whose angle has a smaller sine count as parallel.
const PARALLEL_SINE: f64 = 1e-3;

/// Share of the slack by which all points found may exceed the least distance.
const MISSED_SHARE: f64 = 1e-3;

/// Finds the points at which two shapes can touch, and appends them to `found`.
pub fn touching_points(
    pair: &ShapePair<'_>,
    reach: Reach,
    cache: &mut PairCache,
    room: &mut TouchingBuffers,
    found: &mut Vec<Touching>,
) {
    let mut near = std::mem::take(&mut room.near);
    near.clear();
    for_each_within(pair, reach.limit, cache, |parts, proximity| near.push((parts, *proximity)));
    let first = found.len();
    for (parts, proximity) in &near {
        room.touch(pair, *parts, proximity, reach);
        let first_new = found.len();
        room.collect(pair, proximity, found);
        let least = found[first_new..].iter().map(|t| t.gap).fold(f64::INFINITY, f64::min);
        if proximity.distance < least - MISSED_SHARE * reach.slack {
            found.push(room.closest(proximity));
        }
    }
    if near.len() > 1 {
        room.outline.keep(found, first, reach.slack);
    }
    room.near = near;
}

/// The closest points of two shapes, with the curvature and features of their parts.
pub fn nearest_touching(
    pair: &ShapePair<'_>,
    reach: Reach,
    cache: &mut PairCache,
    room: &mut TouchingBuffers,
) -> Option<Touching> {
    let mut nearest: Option<(PartPair, Proximity)> = None;
    for_each_within(pair, reach.limit, cache, |parts, proximity| {
        if nearest.is_none_or(|(_, found)| proximity.distance < found.distance) {
            nearest = Some((parts, *proximity));
        }
    });
    nearest.map(|(parts, proximity)| {
        room.touch(pair, parts, &proximity, reach);
        room.closest(&proximity)
    })
}

impl TouchingBuffers {
    /// Finds the patches of two parts, in the frame of the first shape.
    fn touch(&mut self, pair: &ShapePair<'_>, parts: PartPair, proximity: &Proximity, reach: Reach) {
        let [first, second] = &mut self.patches;
        find(first, pair.first, parts.first, &Pose::IDENTITY, (-proximity.normal, reach.slack));
        find(second, pair.second, parts.second, pair.first_from_second, (proximity.normal, reach.slack));
        self.features = [first.feature(-proximity.normal, reach.level), second.feature(proximity.normal, reach.level)];
    }

    /// The closest points as a point of contact.
    fn closest(&self, proximity: &Proximity) -> Touching {
        let bends = [self.patches[0].bend, self.patches[1].bend];
        let Turning { carriers, slider } = self.turning(proximity.normal);
        let Proximity { on_first, normal, distance: gap, .. } = *proximity;
        Touching { on_first, normal, gap, bends, carriers, slider }
    }

    /// How the normal turns: with a face if there is one; else it stays perpendicular to edges, and where the parts are curved
    /// their contact points stay opposite each other.
    fn turning(&self, n: DVec3) -> Turning {
        let with_face = -cross_matrix(n);
        let carried = |carriers| Turning { carriers, slider: DMat3::ZERO };
        match self.features {
            [Feature::Face, Feature::Face] => carried([with_face * 0.5; 2]),
            [Feature::Face, _] => carried([with_face, DMat3::ZERO]),
            [_, Feature::Face] => carried([DMat3::ZERO, with_face]),
            [Feature::Corner, Feature::Corner] => self.turning_of_curves(n),
            [Feature::Edge(e), Feature::Corner] => self.turning_on_edge(n, (e, [1.0, 0.0])),
            [Feature::Corner, Feature::Edge(f)] => self.turning_on_edge(n, (f, [0.0, 1.0])),
            [Feature::Edge(e), Feature::Edge(f)] => match edge_carriers(n, [e, f]) {
                Some(carriers) => carried(carriers),
                None => self.turning_on_edge(n, (e, [0.5, 0.5])),
            },
        }
    }

    /// Curved parts slide over each other by as much as their contact points move with the normal: `(B1 + B2) n' = u + B1 (w1 x
    /// n) + B2 (w2 x n)` with the bends `B` and the sliding velocity `u`.
    fn turning_of_curves(&self, n: DVec3) -> Turning {
        let p = any_perpendicular(n);
        let q = n.cross(p);
        let bend = self.patches[0].bend + self.patches[1].bend;
        let across = DMat2::from_cols(
            DVec2::new(p.dot(bend * p), q.dot(bend * p)),
            DVec2::new(p.dot(bend * q), q.dot(bend * q)),
        );
        let size = across.x_axis.x + across.y_axis.y;
        if across.determinant() <= PARALLEL_SINE * PARALLEL_SINE * size * size {
            return Turning { carriers: [DMat3::ZERO; 2], slider: DMat3::ZERO };
        }
        let inverse = across.inverse();
        let row = |c: DVec2| p * c.x + q * c.y;
        let slider = outer(row(inverse.x_axis), p) + outer(row(inverse.y_axis), q);
        let carriers = [0, 1].map(|side| slider * self.patches[side].bend * -cross_matrix(n));
        Turning { carriers, slider }
    }

    /// The same if the normal stays perpendicular to an edge, along which points slide freely. The edge turns with the first
    /// and the second body in these shares.
    fn turning_on_edge(&self, n: DVec3, (e, shares): (DVec3, [f64; 2])) -> Turning {
        let f = n.cross(e);
        let bend = self.patches[0].bend + self.patches[1].bend;
        let (along, across) = (f.dot(bend * e), f.dot(bend * f));
        let turned = -cross_matrix(n);
        let (slider, tilted) = if across > PARALLEL_SINE * bend.x_axis.x.max(bend.y_axis.y).max(bend.z_axis.z) {
            (outer(f, f) / across, e - f * (along / across))
        } else {
            (DMat3::ZERO, e)
        };
        let carrier = |side: usize| (slider * self.patches[side].bend + outer(tilted, e) * shares[side]) * turned;
        Turning { carriers: [0, 1].map(carrier), slider }
    }

    /// Intersects the two patches as seen along the normal.
    fn collect(&mut self, pair: &ShapePair<'_>, proximity: &Proximity, found: &mut Vec<Touching>) {
        let half_spaces = [pair.first, pair.second].map(|s| matches!(s, Shape::HalfSpace(_)));
        let counts = [self.patches[0].corners.len(), self.patches[1].corners.len()];
        let alone = (0..2).any(|side| counts[side] == 1 && !half_spaces[side]);
        if alone {
            found.push(self.closest(proximity));
            return;
        }
        let n = proximity.normal;
        let tangent = any_perpendicular(n);
        let frame = DMat3::from_cols(tangent, n.cross(tangent), n);
        let origin = proximity.on_second;
        let to_plane = frame.transpose();
        // The patch with fewer corners is clipped by the other one: a segment by a polygon.
        let swapped = half_spaces[0] || (!half_spaces[1] && counts[0] > 2 && counts[1] == 2);
        let (cut, by) = if swapped { (1, 0) } else { (0, 1) };
        self.subject.clear();
        self.subject.extend(self.patches[cut].corners.iter().map(|&c| to_plane * (c - origin)));
        self.clipper.clear();
        self.clipper.extend(self.patches[by].corners.iter().map(|&c| to_plane * (c - origin)));
        let base = if half_spaces[by] {
            Base::Level(if by == 0 { proximity.distance } else { 0.0 })
        } else {
            self.clip();
            Base::of(&self.clipper)
        };
        let bends = [self.patches[0].bend, self.patches[1].bend];
        let Turning { carriers, slider } = self.turning(n);
        let sign = if swapped { -1.0 } else { 1.0 };
        found.extend(self.subject.iter().map(|p| {
            let opposite = base.height(p.truncate());
            let gap = sign * (p.z - opposite);
            let z = if swapped { opposite } else { p.z };
            Touching { on_first: origin + frame * p.truncate().extend(z), normal: n, gap, bends, carriers, slider }
        }));
        if self.subject.is_empty() {
            found.push(self.closest(proximity));
        }
    }

    /// Clips the subject to the part over the clipper.
    fn clip(&mut self) {
        if self.clipper.len() == 2 {
            let (a, b) = (self.clipper[0].truncate(), self.clipper[1].truncate());
            let along = b - a;
            let across = self.subject[1].truncate() - self.subject[0].truncate();
            if along.perp_dot(across).abs() > PARALLEL_SINE * along.length() * across.length() {
                // Edges that cross touch at one point.
                self.subject.clear();
                return;
            }
            self.cut(a, along);
            self.cut(b, -along);
            return;
        }
        let area: f64 = sides(&self.clipper).map(|(a, b)| a.perp_dot(b)).sum();
        for i in 0..self.clipper.len() {
            let (a, b) = (self.clipper[i].truncate(), self.clipper[(i + 1) % self.clipper.len()].truncate());
            let inwards = (b - a).perp() * area.signum();
            self.cut(a, inwards);
        }
    }

    /// Keeps the part of the subject on the side of `point` to which `inwards` points.
    fn cut(&mut self, point: DVec2, inwards: DVec2) {
        let inside = |p: DVec3| (p.truncate() - point).dot(inwards);
        let count = self.subject.len();
        let is_segment = count == 2;
        self.clipped.clear();
        for i in 0..count {
            let (p, q) = (self.subject[i], self.subject[(i + 1) % count]);
            let (here, there) = (inside(p), inside(q));
            if here >= 0.0 {
                self.clipped.push(p);
            }
            let last_of_segment = is_segment && i == 1;
            if (here < 0.0) != (there < 0.0) && !last_of_segment {
                self.clipped.push(p + (q - p) * (here / (here - there)));
            }
        }
        std::mem::swap(&mut self.subject, &mut self.clipped);
    }
}

/// How the normal turns with two edges that are not parallel.
fn edge_carriers(n: DVec3, [e, f]: [DVec3; 2]) -> Option<[DMat3; 2]> {
    let across = e.cross(f).dot(n);
    // n' . e = -n . (w x e) and n' . f = -n . (v x f), in the basis dual to e and f.
    let (dual_e, dual_f) = (f.cross(n) / across, n.cross(e) / across);
    (across.abs() > PARALLEL_SINE).then(|| [-outer(dual_e, e.cross(n)), -outer(dual_f, f.cross(n))])
}

/// Heights of the clipper's surface along the normal.
enum Base {
    Level(f64),
    Plane { at: DVec3, slope: DVec2 },
}

impl Base {
    fn of(corners: &[DVec3]) -> Self {
        let at = corners[0];
        if corners.len() == 2 {
            let along = corners[1] - at;
            let flat = along.truncate();
            return Self::Plane { at, slope: flat * (along.z / flat.length_squared()) };
        }
        let normal: DVec3 = (1..corners.len() - 1).map(|i| (corners[i] - at).cross(corners[i + 1] - at)).sum();
        Self::Plane { at, slope: -normal.truncate() / normal.z }
    }

    fn height(&self, p: DVec2) -> f64 {
        match *self {
            Self::Level(z) => z,
            Self::Plane { at, slope } => at.z + slope.dot(p - at.truncate()),
        }
    }
}

fn sides(corners: &[DVec3]) -> impl Iterator<Item = (DVec2, DVec2)> {
    let base = corners[0].truncate();
    let flat = move |p: &DVec3| p.truncate() - base;
    corners.iter().zip(corners.iter().skip(1)).map(move |(a, b)| (flat(a), flat(b)))
}

/// The patch of one part in the frame of the first shape, in which the direction is given.
fn find(patch: &mut Patch, shape: &Shape, number: u32, first_from_shape: &Pose, (d, slack): (DVec3, f64)) {
    if let Shape::HalfSpace(_) = shape {
        patch.corners.clear();
        patch.bend = DMat3::ZERO;
        return;
    }
    let (body, pose) = match shape {
        Shape::Compound(_) | Shape::Mesh(_) => {
            let part = Assembly::new(shape).part(number);
            (part.body, part.pose.map_or(*first_from_shape, |inner| *first_from_shape * inner))
        }
        _ => (rounded(shape), *first_from_shape),
    };
    patch.find(&body, pose.inverse_vector(d), slack);
    for corner in &mut patch.corners {
        *corner = pose.point(*corner);
    }
    if patch.bend != DMat3::ZERO {
        let r = pose.matrix();
        patch.bend = r * patch.bend * r.transpose();
    }
}
