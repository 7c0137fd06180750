//! Scenes from a seed: 3 to 8 bodies above a tray, of the common kinds or such as cannot roll, from some seed on of every kind, each
//! with a friction and a restitution of its own (section 2.2). From a later seed on, neighbours are joined to linkages.

use crate::random::Stream;
use crate::support::{free, surface};
use impulse::geometry::{
    Capsule, Compound, Cone, ConvexPolyhedron, Cuboid, Cylinder, Ellipsoid, HalfSpace, Piece, RoundedCuboid, Shape,
    Sphere,
};
use impulse::math::Pose;
use impulse::multibody::{Elements, JointPlace, LimitRange, Limits};
use impulse::respond::Material;
use impulse::world::{BodyId, BodySpec, JointSpec, MassSpec, MotionSpec, Settings, World, WorldBuilder};
use impulse::{DQuat, DVec3};

/// Bodies at most.
pub(crate) const MOST: u32 = 8;
/// Seed from which on there are all kinds of shapes.
const RARE: u64 = 10_000;
/// Seed from which on there are linkages.
const LINKED: u64 = 20_000;
/// Sides of the tray, m.
pub(crate) const TRAY: f64 = 0.6;
/// Distance of the middles of bodies at the start, m: all are smaller.
const SPACING: f64 = 0.3;
/// Lengths of bodies, m.
const SIZES: [f64; 2] = [0.03, 0.12];

/// Three bars through one middle.
fn cross(lengths: [f64; 3]) -> Shape {
    let bar = |i: usize| {
        let mut size = DVec3::splat(0.2 * SIZES[1]);
        size[i] = lengths[i].max(0.3 * SIZES[1]);
        let shape = Cuboid::new(size).expect("a bar").into();
        Piece { shape, compound_from_piece: Pose::IDENTITY }
    };
    Compound::new([0, 1, 2].map(bar).to_vec()).expect("a cross").into()
}

/// Some of the bodies that belong to a seed.
#[derive(Clone, Copy)]
pub(crate) struct Scene {
    pub(crate) seed: u64,
    /// A bit for every body that is there.
    pub(crate) kept: u64,
}

/// A body to be.
struct Draft {
    name: String,
    shape: Shape,
    at: Pose,
    velocity: DVec3,
    surface: Material,
}

impl Scene {
    /// The world and its free bodies with their bounding radii, with records of impacts or without.
    pub(crate) fn build(&self, record_impacts: bool) -> (World, Vec<(BodyId, f64)>) {
        let mut builder = WorldBuilder::new(Settings { record_impacts, ..Settings::default() }).expect("good settings");
        let smooth = builder.add_material(surface(0.5, 0.5)).expect("a material");
        let walls = [(DVec3::Z, 0.0), (DVec3::X, 0.0), (DVec3::Y, 0.0), (-DVec3::X, -TRAY), (-DVec3::Y, -TRAY)];
        for (i, (normal, offset)) in walls.into_iter().enumerate() {
            let shape = HalfSpace::new(normal, offset).expect("a wall").into();
            let wall = free(format!("wall {i}"), 1.0, DVec3::ZERO, DVec3::ZERO, smooth);
            builder.add_body(BodySpec { shape, motion: MotionSpec::Fixed, ..wall }).expect("a wall");
        }
        let mut add = |draft: Draft| {
            let Draft { name, shape, at, velocity, surface } = draft;
            let material = builder.add_material(surface).expect("a material");
            let motion = MotionSpec::Free { mass: MassSpec::Density(1000.0), velocity, spin: DVec3::ZERO };
            let radius = shape.bounding_radius(DVec3::ZERO);
            let spec = BodySpec { name, shape, world_from_shape: at, material, motion };
            (builder.add_body(spec).expect("a body"), radius)
        };
        let bodies: Vec<_> = self.drafts().map(&mut add).collect();
        let places: Vec<DVec3> = self.drafts().map(|draft| draft.at.translation).collect();
        self.join(&mut builder, &bodies, &places);
        (builder.build().expect("nothing overlaps"), bodies)
    }

    /// Joins every second body to the one before it, and the fourth also to the second, half-way between them.
    fn join(&self, builder: &mut WorldBuilder, bodies: &[(BodyId, f64)], places: &[DVec3]) {
        let mut random = Stream(self.seed ^ 0x10_1117);
        for (i, parent) in self.joined(bodies.len()) {
            let through = 0.5 * (places[i] + places[parent]);
            let place = if random.next() < 0.5 {
                JointPlace::Socket { through }
            } else {
                JointPlace::Hinge { axis: random.vector() + DVec3::Z * 2.0, through }
            };
            let hinged = matches!(place, JointPlace::Hinge { .. });
            let friction = if hinged && random.next() < 0.5 { 0.02 } else { 0.0 };
            let limits = Limits { range: LimitRange::Interval([-0.7, 0.7]), restitution: 0.3 };
            let limits = (hinged && random.next() < 0.5).then_some(limits);
            let elements = Elements { damping: 1e-3, friction, limits, ..Elements::default() };
            let pair = [Some(bodies[parent].0), Some(bodies[i].0)];
            builder
                .add_joint(JointSpec::new(format!("joint {i} {parent}"), pair, place).elements(elements))
                .expect("a joint");
        }
    }

    /// Bodies that a joint joins.
    fn joined(&self, count: usize) -> impl Iterator<Item = (usize, usize)> {
        let linked = self.seed >= LINKED;
        [(1, 0), (3, 2), (3, 1), (5, 4), (7, 6)].into_iter().take_while(move |&(i, _)| linked && i < count)
    }

    /// For each of its bodies the first one of its linkage, or itself.
    pub(crate) fn linkages(&self, count: usize) -> Vec<usize> {
        let mut first: Vec<usize> = (0..count).collect();
        for (i, parent) in self.joined(count) {
            let (from, to) = (first[i].max(first[parent]), first[i].min(first[parent]));
            first.iter_mut().filter(|of| **of == from).for_each(|of| *of = to);
        }
        first
    }

    /// What its bodies are.
    pub(crate) fn names(&self) -> Vec<String> {
        self.drafts().map(|draft| draft.name).collect()
    }

    fn drafts(&self) -> impl Iterator<Item = Draft> {
        let mut random = Stream(self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5EED);
        let kept = self.kept;
        let count = 3 + (random.next() * 6.0) as u32;
        let kinds = match (self.seed >= RARE, self.seed.is_multiple_of(2)) {
            (true, _) => 9.0,
            (false, true) => 5.0,
            (false, false) => 2.0,
        };
        let mut drafts: Vec<Draft> = (0..count.min(MOST)).map(|k| random.draft(k, kinds)).collect();
        if self.seed >= LINKED {
            // Joints allow a common velocity.
            let common = drafts[0].velocity;
            drafts.iter_mut().for_each(|draft| draft.velocity = common);
        }
        drafts.into_iter().enumerate().filter(move |(k, _)| kept >> k & 1 == 1).map(|(_, draft)| draft)
    }
}

impl Stream {
    fn vector(&mut self) -> DVec3 {
        2.0 * DVec3::new(self.next(), self.next(), self.next()) - 1.0
    }

    fn size(&mut self) -> f64 {
        SIZES[0] + (SIZES[1] - SIZES[0]) * self.next()
    }

    /// The body above cell `k` of the tray's four and of the layers above, of one of the first kinds.
    fn draft(&mut self, k: u32, kinds: f64) -> Draft {
        let cell = DVec3::new(f64::from(k % 2), f64::from(k / 2 % 2), f64::from(k / 4));
        let rotation = DQuat::from_xyzw(self.next() - 0.5, self.next() - 0.5, self.next() - 0.5, self.next() + 0.1);
        let at = Pose { rotation: rotation.normalize(), translation: (cell + 0.5) * SPACING };
        let (what, shape) = self.shape(kinds);
        let surface = surface(self.next(), 0.9 * self.next());
        let name = format!("{what} {k} (mu {:.2}, e {:.2})", surface.friction, surface.restitution);
        Draft { name, shape, at, velocity: self.vector(), surface }
    }

    fn shape(&mut self, kinds: f64) -> (&'static str, Shape) {
        let kind = (self.next() * kinds) as u32;
        let [a, b, c] = [self.size(), self.size(), self.size()];
        match kind {
            0 => ("box", Cuboid::new(DVec3::new(a, b, c)).expect("a box").into()),
            1 => ("hull", self.hull(0.5 * a)),
            2 => ("ball", Sphere::new(0.5 * a).expect("a ball").into()),
            3 => ("cylinder", Cylinder::new(0.5 * a, b).expect("a cylinder").into()),
            4 => ("capsule", Capsule::new(0.4 * a, b).expect("a capsule").into()),
            5 => ("cone", Cone::new(0.5 * a, b).expect("a cone").into()),
            6 => ("ellipsoid", Ellipsoid::new(0.5 * DVec3::new(a, b, c)).expect("an ellipsoid").into()),
            7 => (
                "rounded box",
                RoundedCuboid::new(0.7 * DVec3::new(a, b, c), 0.1 * a.min(b).min(c)).expect("a box").into(),
            ),
            _ => ("cross", cross([a, b, c])),
        }
    }

    fn hull(&mut self, radius: f64) -> Shape {
        let points: Vec<DVec3> = (0..12).map(|_| (self.vector() + DVec3::splat(1e-3)).normalize() * radius).collect();
        ConvexPolyhedron::hull(&points).expect("a hull").into()
    }
}
