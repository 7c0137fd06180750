//! The pile: where its boxes or balls begin, the same for everybody.

use impulse::geometry::{Cuboid, HalfSpace, Shape, Sphere};
use impulse::math::Pose;
use impulse::respond::{Law, Material};
use impulse::world::{BodySpec, MassSpec, MotionSpec, Settings, World, WorldBuilder};
use impulse::{DQuat, DVec3};

pub const SIDE: f64 = 0.1;
pub const DENSITY: f64 = 1000.0;
pub const RADIUS: f64 = 0.02;
pub const RESTITUTION: f64 = 0.3;
pub const GRAVITY: f64 = 9.81;

/// What is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Cubes, turned at random, in layers of nine.
    Boxes,
    /// Balls, in layers of a hundred.
    Balls,
}

impl Kind {
    /// Half of the tray's width, m.
    pub fn half_width(self) -> f64 {
        match self {
            Self::Boxes => 0.4,
            Self::Balls => 0.25,
        }
    }

    pub fn friction(self) -> f64 {
        match self {
            Self::Boxes => 0.5,
            Self::Balls => 0.3,
        }
    }

    /// Inward normals of the tray's floor and walls, and their offsets along them, m.
    pub fn tray(self) -> [([f64; 3], f64); 5] {
        let offset = -self.half_width();
        let walls = [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]].map(|n| (n, offset));
        [([0.0, 0.0, 1.0], 0.0), walls[0], walls[1], walls[2], walls[3]]
    }
}

/// Bodies above a tray.
pub struct Pile {
    pub kind: Kind,
    pub bodies: Vec<(DVec3, DQuat)>,
}

impl Pile {
    pub fn new(kind: Kind, count: usize) -> Self {
        let mut random = Random(12345);
        // Bodies in a row of a layer, where the first one is, the way to the next one in the layer and in height, and by how far they are off, m.
        let (in_row, [x, z], [step, rise], off) = match kind {
            Kind::Boxes => (3, [-0.25, 0.2], [0.25, 0.2], 0.02),
            Kind::Balls => (10, [-0.2, 0.03], [0.044, 0.044], 0.001),
        };
        let place = |i: usize| {
            let turn = DQuat::from_xyzw(random.next(), random.next(), random.next(), random.next()).normalize();
            let jitter = [random.next(), random.next()].map(|share| off * share);
            let column = |k: usize| x + step * (k % in_row) as f64;
            let height = z + rise * (i / (in_row * in_row)) as f64;
            (DVec3::new(column(i) + jitter[0], column(i / in_row) + jitter[1], height), turn)
        };
        Self { kind, bodies: (0..count).map(place).collect() }
    }

    /// The world; hops are as high as by default where no height is given.
    pub fn world(&self, hop_height: Option<f64>) -> Result<World, Box<dyn std::error::Error>> {
        let settings = match hop_height {
            Some(hop_height) => Settings { hop_height, hop_turn: None, ..Settings::default() },
            None => Settings::default(),
        };
        let mut builder = WorldBuilder::new(settings)?;
        let wood = Material { friction: self.kind.friction(), restitution: RESTITUTION, law: Law::Stronge };
        let material = builder.add_material(wood)?;
        for (i, (normal, offset)) in self.kind.tray().into_iter().enumerate() {
            builder.add_body(BodySpec {
                name: format!("side {i}"),
                shape: HalfSpace::new(DVec3::from_array(normal), offset)?.into(),
                world_from_shape: Pose::IDENTITY,
                material,
                motion: MotionSpec::Fixed,
            })?;
        }
        for (i, &(at, turn)) in self.bodies.iter().enumerate() {
            let shape: Shape = match self.kind {
                Kind::Boxes => Cuboid::new(DVec3::splat(SIDE))?.into(),
                Kind::Balls => Sphere::new(RADIUS)?.into(),
            };
            builder.add_body(BodySpec {
                name: format!("body {i}"),
                shape,
                world_from_shape: Pose { rotation: turn, translation: at },
                material,
                motion: MotionSpec::Free { mass: MassSpec::Density(DENSITY), velocity: DVec3::ZERO, spin: DVec3::ZERO },
            })?;
        }
        Ok(builder.build()?)
    }
}

/// Knuth's linear congruential generator (MMIX), upper bits, from -1 to 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
