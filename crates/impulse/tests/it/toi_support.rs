//! Encounters of two moving shapes, random and of every kind, for tests and benches of the time of impact (section 2.3).

use crate::samples::{KINDS, Numbers, shape};
use impulse::body::thesis::travel_coefficients;
use impulse::body::{Cycle, Drive, Keyframe, Keyframes, Launch, Motion, PrincipalMass, Scripted, State};
use impulse::detect::{MovingShape, Prediction, Search, Vectors, time_of_impact};
use impulse::geometry::closest::{PairCache, closest};
use impulse::geometry::{Compound, HalfSpace, Piece, Shape, StaticMesh, TriangleMesh};
use impulse::math::{Pose, quadratic_roots};
use impulse::{DQuat, DVec3};

/// Two shapes on trajectories.
pub(crate) struct Encounter {
    pub(crate) shapes: [Shape; 2],
    pub(crate) motions: [Motion; 2],
    pub(crate) body_from_shape: [Pose; 2],
}

/// A distance by itself: no memory of earlier questions.
pub(crate) struct Gap {
    pub(crate) distance: f64,
    /// Unit vector from the second shape to the first.
    pub(crate) normal: DVec3,
    /// Between the closest points.
    pub(crate) point: DVec3,
}

impl Encounter {
    pub(crate) fn radius(&self, i: usize) -> f64 {
        self.shapes[i].bounding_radius(self.body_from_shape[i].inverse().translation)
    }

    /// The touch distance of the event loop.
    pub(crate) fn touch(&self) -> f64 {
        1e-9 * self.radius(0).min(self.radius(1))
    }

    /// Zero where they overlap.
    pub(crate) fn gap(&self, t: f64) -> Gap {
        let [first, second] = [0, 1].map(|i| self.motions[i].pose_at(t) * self.body_from_shape[i]);
        let found = closest(&self.shapes[0], &self.shapes[1], &(first.inverse() * second), &mut PairCache::default());
        let distance = if found.overlapping { 0.0 } else { found.distance };
        let point = first.point(0.5 * (found.on_first + found.on_second));
        Gap { distance, normal: first.vector(found.normal), point }
    }

    pub(crate) fn predict(&self, from: f64, limit: f64) -> Prediction {
        self.search(&Search { from, limit, touch_distance: self.touch(), velocity_tolerance: 0.0 })
    }

    pub(crate) fn search(&self, search: &Search) -> Prediction {
        let movers = [0, 1].map(|i| {
            let bounds = self.shapes[i].aabb(&self.body_from_shape[i]);
            let is_centred = self.body_from_shape[i].translation == DVec3::ZERO;
            MovingShape {
                trajectory: &self.motions[i],
                shape: &self.shapes[i],
                body_from_shape: self.body_from_shape[i],
                points: Vectors { extents: bounds.min.abs().max(bounds.max.abs()), length: self.radius(i) },
                ball: match &self.shapes[i] {
                    Shape::Sphere(s) if is_centred => Some(s.radius()),
                    _ => None,
                },
            }
        });
        time_of_impact(&movers, search, &mut PairCache::default())
    }

    /// A time in which the bodies do not meet after they were `gap` apart, by the thesis' bounds (2.2)-(2.5), (2.13)-(2.15).
    pub(crate) fn thesis_bound(&self, t: f64, gap: &Gap) -> f64 {
        let coefficients = |i: usize, towards: DVec3| {
            travel_coefficients(&self.motions[i], t, towards, self.radius(i).min(f64::MAX), gap.distance)
        };
        let (first, second) = (coefficients(0, -gap.normal), coefficients(1, gap.normal));
        let roots = quadratic_roots(-first.a - second.a, -first.b - second.b, gap.distance);
        roots.first_from(0.0).unwrap_or(f64::INFINITY)
    }

    /// The number of checks that the thesis' bound takes to the touch distance or the limit of a search, one at the beginning
    /// included, at most `most`.
    pub(crate) fn thesis_checks(&self, search: &Search, most: u32) -> u32 {
        let (mut t, mut checks) = (search.from, 0);
        while checks < most && t < search.limit {
            checks += 1;
            let gap = self.gap(t);
            if gap.distance <= search.touch_distance {
                break;
            }
            t += self.thesis_bound(t, &Gap { distance: gap.distance - 0.5 * search.touch_distance, ..gap });
        }
        checks
    }

    /// The first time up to `limit` at which brute force finds a distance of at most `level`: many samples, then halving.
    pub(crate) fn first_below(&self, level: f64, limit: f64, samples: u32) -> Option<f64> {
        let time = |i: u32| limit * f64::from(i) / f64::from(samples);
        let hit = (1..=samples).find(|&i| self.gap(time(i)).distance <= level)?;
        let (mut low, mut high) = (time(hit - 1), time(hit));
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.gap(middle).distance <= level {
                high = middle;
            } else {
                low = middle;
            }
        }
        Some(high)
    }
}

/// All kinds of shapes: those of [`KINDS`], then a half-space, a compound and a static mesh.
pub(crate) const HALF_SPACE: usize = KINDS.len();
pub(crate) const COMPOUND: usize = KINDS.len() + 1;
pub(crate) const MESH: usize = KINDS.len() + 2;
pub(crate) const SHAPES: usize = KINDS.len() + 3;

/// Kinds of motion.
pub(crate) const MOTIONS: [&str; 7] = ["fixed", "free", "driven", "spinner", "oscillation", "cycler", "keyframes"];

/// Speeds and sizes of an encounter.
pub(crate) struct Scale {
    pub(crate) size: f64,
    pub(crate) speed: f64,
}

pub(crate) fn any_shape(kind: usize, size: f64, numbers: &mut Numbers) -> Shape {
    let mut part = |kind: usize, at: DVec3| Piece {
        shape: shape(kind, 0.3 * size, numbers),
        compound_from_piece: Pose { rotation: numbers.rotation(), translation: at * size },
    };
    match kind {
        HALF_SPACE => HalfSpace::new(DVec3::Z, 0.0).unwrap().into(),
        COMPOUND => Compound::new(vec![part(1, DVec3::X), part(3, DVec3::Y), part(6, -DVec3::X)]).unwrap().into(),
        MESH => rough_ground(size, numbers).into(),
        kind => shape(kind, size, numbers),
    }
}

/// Hills of triangles around the origin, about `size` high.
fn rough_ground(size: f64, numbers: &mut Numbers) -> StaticMesh {
    const SIDE: u32 = 6;
    let mut mesh = TriangleMesh::default();
    for k in 0..SIDE * SIDE {
        let place = |i: u32| f64::from(i) - 0.5 * f64::from(SIDE - 1);
        mesh.push(DVec3::new(place(k % SIDE), place(k / SIDE), numbers.between(-1.0, 0.0)) * size);
    }
    for (x, y) in (0..SIDE - 1).flat_map(|x| (0..SIDE - 1).map(move |y| (x, y))) {
        let a = y * SIDE + x;
        mesh.triangles.extend([[a, a + 1, a + SIDE + 1], [a, a + SIDE + 1, a + SIDE]]);
    }
    StaticMesh::new(mesh).unwrap()
}

/// A motion of a kind that begins at a place; free ones with a velocity.
pub(crate) fn any_motion(kind: usize, state: State, scale: &Scale, numbers: &mut Numbers) -> Motion {
    let Scale { size, speed } = *scale;
    let pose = state.world_from_body;
    let mut sway = || numbers.direction() * 0.5 * size;
    let (cosine, sine) = (sway(), sway());
    let rate = 2.0 * speed / size * numbers.between(-1.0, 1.0);
    let free = |torque: DVec3, numbers: &mut Numbers| {
        let m = DVec3::from_array([0, 1, 2].map(|_| numbers.between(1.0, 1.9))) * size * size;
        let mass = PrincipalMass::new(1.0, m).unwrap();
        let pull = if numbers.unit() < 0.5 { 0.3 * speed * speed / size } else { 0.0 };
        let drive = Drive { acceleration: DVec3::NEG_Z * pull, torque };
        Motion::free(mass, Launch { time: 0.0, state }, drive)
    };
    match MOTIONS[kind] {
        "fixed" => Motion::Fixed(pose),
        "free" => free(DVec3::ZERO, numbers),
        "driven" => free(sine * speed * speed / size, numbers),
        "spinner" => {
            let through = pose.translation + 0.3 * cosine;
            Motion::Scripted(Cycle::spinner(pose, sine, through, rate).unwrap().into())
        }
        "oscillation" => Motion::Scripted(Cycle::oscillator(pose, sine, rate).unwrap().into()),
        "cycler" => {
            let about = Pose { translation: pose.translation - cosine, ..pose };
            Motion::Scripted(Cycle::cycler(about, cosine, sine, rate).unwrap().into())
        }
        _ => {
            let key = |i: i32, numbers: &mut Numbers| Keyframe {
                time: f64::from(i) * size / speed,
                world_from_body: Pose {
                    rotation: (pose.rotation + numbers.rotation() * 0.15).normalize(),
                    translation: pose.translation + numbers.direction() * 0.4 * size,
                },
            };
            let keys: Vec<Keyframe> = (0..6).map(|i| key(i, numbers)).collect();
            Motion::Scripted(Scripted::Keyframes(Keyframes::new(&keys).unwrap()))
        }
    }
}

/// Shapes and motions of given kinds that start apart, the second body on its way to the first where it can be. `None` where
/// they start in contact, or a shape cannot move so. Gives the time in which something should happen.
pub(crate) fn any_encounter(
    shapes: [usize; 2],
    motions: [usize; 2],
    numbers: &mut Numbers,
) -> Option<(Encounter, f64)> {
    let scale = Scale { size: 0.1, speed: libm::pow(10.0, numbers.between(-3.0, 3.0)) };
    let bodies = shapes.map(|kind| any_shape(kind, scale.size, numbers));
    let is_stuck = |i: usize| shapes[i] == HALF_SPACE || shapes[i] == MESH;
    if (is_stuck(0) && motions[0] != 0) || (is_stuck(1) && motions[1] != 0) {
        return None;
    }
    let body_from_shape = [0, 1].map(|i| Pose {
        rotation: if is_stuck(i) { DQuat::IDENTITY } else { numbers.rotation() },
        translation: if is_stuck(i) || numbers.unit() < 0.3 {
            DVec3::ZERO
        } else {
            numbers.direction() * 0.3 * scale.size
        },
    });
    let [reach, other] =
        [0, 1].map(|i| bodies[i].bounding_radius(body_from_shape[i].inverse().translation).min(20.0 * scale.size));
    let up = if is_stuck(0) || is_stuck(1) { DVec3::Z } else { numbers.direction() };
    let away = (up + numbers.direction() * 0.2).normalize() * ((reach.min(6.0 * scale.size) + other) * 1.2);
    let spin = |numbers: &mut Numbers| numbers.direction() * numbers.between(0.0, 3.0) * scale.speed / scale.size;
    let start = |numbers: &mut Numbers, i: usize, velocity: DVec3| {
        let rotation = if is_stuck(i) { DQuat::IDENTITY } else { numbers.rotation() };
        let translation = if i == 1 { away } else { DVec3::ZERO };
        State { world_from_body: Pose { rotation, translation }, velocity, spin: spin(numbers) }
    };
    let sideways = numbers.direction() * 0.3 * scale.speed;
    let towards = sideways - up * scale.speed;
    let states = [start(numbers, 0, -0.3 * towards), start(numbers, 1, towards)];
    let made = [0, 1].map(|i| any_motion(motions[i], states[i], &scale, numbers));
    let encounter = Encounter { shapes: bodies, motions: made, body_from_shape };
    let duration = 3.0 * away.length() / scale.speed;
    (encounter.gap(0.0).distance > encounter.touch()).then_some((encounter, duration))
}
