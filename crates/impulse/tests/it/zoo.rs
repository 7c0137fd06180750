//! Random scenes with every kind of shape and motion (sections 2.2, 2.5), the same on every machine.

use crate::world_support::surface;
use impulse::body::{Clock, Cycle, Keyframe, Keyframes, Scripted};
use impulse::geometry::{
    Capsule, Compound, Cone, ConvexPolyhedron, Cuboid, Cylinder, Ellipsoid, HalfSpace, Piece, RoundedCuboid, Shape,
    Sphere, StaticMesh, TriangleMesh, icosphere,
};
use impulse::math::Pose;
use impulse::world::{BodyId, BodySpec, MassSpec, MaterialId, MotionSpec, Settings, World, WorldBuilder};
use impulse::{DQuat, DVec3};

/// What a scene is like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Habitat {
    pub(crate) seed: u64,
    pub(crate) bodies: usize,
    /// Whether there are walls all around.
    pub(crate) closed: bool,
    /// Whether there are fixed, scripted and driven bodies inside.
    pub(crate) mixed: bool,
    /// Whether there are no compounds and no meshes.
    pub(crate) convex: bool,
    pub(crate) settings: Settings,
}

/// A scene: the world and the shape of every body.
pub(crate) struct Zoo {
    pub(crate) world: World,
    pub(crate) shapes: Vec<(BodyId, Shape, bool)>,
}

/// Numbers in [0, 1).
pub(crate) struct Stream(pub(crate) u64);

impl Stream {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next() - 0.5, self.next() - 0.5, self.next() - 0.5) * 2.0
    }

    fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector();
            if (0.1..1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }

    fn rotation(&mut self) -> DQuat {
        DQuat::from_xyzw(self.next() - 0.5, self.next() - 0.5, self.next() - 0.5, self.next() + 0.1).normalize()
    }

    /// Between two numbers, evenly in the logarithm.
    fn scale(&mut self, low: f64, high: f64) -> f64 {
        low * libm::pow(high / low, self.next())
    }
}

/// Distance between the middles of neighbouring bodies at the start, m; all fit into balls of a third of it.
const SPACING: f64 = 1.0;

impl Habitat {
    pub(crate) fn build(&self) -> Zoo {
        let mut random = Stream(self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5EED);
        let mut builder = WorldBuilder::new(self.settings).unwrap();
        let materials = [(0.0, 1.0), (0.3, 0.5), (1.0, 0.9)].map(|(f, e)| builder.add_material(surface(f, e)).unwrap());
        let side = libm::ceil(libm::cbrt(self.bodies as f64)) as usize;
        let mut shapes = Vec::new();
        let mut add = |builder: &mut WorldBuilder, spec: BodySpec| {
            let (shape, free) = (spec.shape.clone(), matches!(spec.motion, MotionSpec::Free { .. }));
            shapes.push((builder.add_body(spec).unwrap(), shape, free));
        };
        if self.closed {
            walls(side as f64 * SPACING, materials[1]).into_iter().for_each(|wall| add(&mut builder, wall));
        }
        for k in 0..self.bodies {
            let cell = DVec3::new((k % side) as f64, (k / side % side) as f64, (k / side / side) as f64);
            let at = Pose { rotation: random.rotation(), translation: (cell + 0.5) * SPACING };
            let material = materials[(random.next() * 3.0) as usize];
            let mut spec = self.inhabitant(k, at, material, &mut random);
            if let (MotionSpec::Free { velocity, .. }, false) = (&mut spec.motion, self.closed) {
                // Without walls they would never meet.
                *velocity = (DVec3::splat(0.5 * side as f64 * SPACING) - at.translation) * velocity.length();
            }
            add(&mut builder, spec);
        }
        let mut zoo = Zoo { world: builder.build().unwrap(), shapes };
        if self.mixed {
            zoo.drive_some(&mut random);
        }
        zoo
    }

    fn inhabitant(&self, k: usize, at: Pose, material: MaterialId, random: &mut Stream) -> BodySpec {
        let kind = if self.mixed { k % 8 } else { 3 };
        let motion = match kind {
            0 => MotionSpec::Fixed,
            1 => MotionSpec::Scripted { script: script(&at, random), centre: DVec3::ZERO },
            _ => MotionSpec::Free {
                mass: MassSpec::Density(random.scale(100.0, 10_000.0)),
                velocity: random.direction() * random.scale(1e-3, 1e3),
                spin: random.direction() * random.scale(1e-3, 1e3),
            },
        };
        let shape = match self.convex {
            true => shape(k % 8, random),
            false if kind == 0 && k.is_multiple_of(16) => mesh(random),
            false => shape(k, random),
        };
        BodySpec { name: format!("{k}"), shape, world_from_shape: at, material, motion }
    }
}

impl Zoo {
    /// Every fifth free body gets a force and a torque.
    fn drive_some(&mut self, random: &mut Stream) {
        let free: Vec<BodyId> = self.shapes.iter().filter(|(_, _, free)| *free).map(|(id, ..)| *id).collect();
        for id in free.into_iter().step_by(5) {
            let mass = self.world.principal_mass(id).unwrap();
            let torque = random.vector() * mass.moments().min_element() * random.scale(0.1, 100.0);
            self.world.set_force(id, random.vector() * mass.mass()).unwrap();
            self.world.set_torque(id, torque).unwrap();
        }
    }
}

fn walls(side: f64, material: MaterialId) -> Vec<BodySpec> {
    let planes =
        [(DVec3::X, 0.0), (DVec3::Y, 0.0), (DVec3::Z, 0.0), (-DVec3::X, -side), (-DVec3::Y, -side), (-DVec3::Z, -side)];
    let wall = |(i, (n, d)): (usize, (DVec3, f64))| BodySpec {
        name: format!("wall {i}"),
        shape: HalfSpace::new(n, d).unwrap().into(),
        world_from_shape: Pose::IDENTITY,
        material,
        motion: MotionSpec::Fixed,
    };
    planes.into_iter().enumerate().map(wall).collect()
}

/// A shape of the kind `k` modulo their number.
pub(crate) fn shape(k: usize, random: &mut Stream) -> Shape {
    let mut size = |low: f64| random.scale(low, 0.3);
    match k % 9 {
        0 => Sphere::new(size(0.03)).unwrap().into(),
        1 => Cuboid::new(DVec3::new(size(0.05), size(0.05), size(0.05))).unwrap().into(),
        2 => Capsule::new(0.4 * size(0.05), size(0.05)).unwrap().into(),
        3 => Cylinder::new(0.5 * size(0.05), size(0.05)).unwrap().into(),
        4 => Cone::new(0.5 * size(0.05), size(0.05)).unwrap().into(),
        5 => Ellipsoid::new(DVec3::new(size(0.03), size(0.03), size(0.03))).unwrap().into(),
        6 => RoundedCuboid::new(DVec3::new(size(0.1), size(0.1), size(0.1)), 0.02).unwrap().into(),
        7 => hull(random),
        _ => compound(random),
    }
}

fn hull(random: &mut Stream) -> Shape {
    let points: Vec<DVec3> = (0..12).map(|_| random.direction() * 0.25).collect();
    ConvexPolyhedron::hull(&points).unwrap().into()
}

fn compound(random: &mut Stream) -> Shape {
    let piece = |shape: Shape, x: f64| Piece { shape, compound_from_piece: Pose::from_translation(DVec3::X * x) };
    let bar = Cuboid::new(DVec3::new(0.4, 0.05, 0.05)).unwrap().into();
    let ends = [shape(0, &mut Stream(3)), hull(random)];
    let [ball, knob] = ends;
    Compound::new(vec![piece(bar, 0.0), piece(ball, -0.15), piece(knob, 0.05)]).unwrap().into()
}

fn mesh(random: &mut Stream) -> Shape {
    let TriangleMesh { vertices, triangles } = icosphere(1);
    let vertices = vertices.iter().map(|v| *v * (0.2 + 0.1 * random.next())).collect();
    StaticMesh::new(TriangleMesh { vertices, triangles }).unwrap().into()
}

/// A script that stays in its cell.
fn script(at: &Pose, random: &mut Stream) -> Scripted {
    let clock = Clock { start: 0.01, phase: random.next() };
    let rate = random.scale(1.0, 100.0);
    match (random.next() * 3.0) as u32 {
        0 => Cycle::spinner(*at, random.direction(), at.translation, rate).unwrap().with_clock(clock).unwrap().into(),
        1 => Cycle::oscillator(*at, random.direction() * 0.1, rate).unwrap().with_clock(clock).unwrap().into(),
        _ => {
            let key = |i: i32| Keyframe {
                time: 0.02 * f64::from(i + 1),
                world_from_body: Pose {
                    rotation: (at.rotation * DQuat::from_xyzw(0.0, 0.15 * f64::from(i % 3), 0.0, 1.0)).normalize(),
                    translation: at.translation + DVec3::Z * 0.05 * f64::from(i % 2),
                },
            };
            Keyframes::new(&(0..12).map(key).collect::<Vec<_>>()).unwrap().into()
        }
    }
}
