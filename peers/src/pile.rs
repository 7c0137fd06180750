//! The pile: where its boxes begin, the same for everybody.

use impulse::geometry::{Cuboid, HalfSpace, Shape};
use impulse::math::Pose;
use impulse::respond::{Law, Material};
use impulse::world::{BodySpec, MassSpec, MotionSpec, Settings, World, WorldBuilder};
use impulse::{DQuat, DVec3};

pub const SIDE: f64 = 0.1;
pub const DENSITY: f64 = 1000.0;
pub const FRICTION: f64 = 0.5;
pub const RESTITUTION: f64 = 0.3;
pub const GRAVITY: f64 = 9.81;

/// Inward normals of the tray's floor and walls, and their offsets along them, m.
pub const TRAY: [([f64; 3], f64); 5] = [
    ([0.0, 0.0, 1.0], 0.0),
    ([1.0, 0.0, 0.0], -0.4),
    ([-1.0, 0.0, 0.0], -0.4),
    ([0.0, 1.0, 0.0], -0.4),
    ([0.0, -1.0, 0.0], -0.4),
];

/// Boxes in layers of nine, turned at random.
pub struct Pile {
    pub boxes: Vec<(DVec3, DQuat)>,
}

impl Pile {
    pub fn new(count: usize) -> Self {
        let mut random = Random(12345);
        let place = |i: usize| {
            let turn = DQuat::from_xyzw(random.next(), random.next(), random.next(), random.next()).normalize();
            let column = |k: usize| -0.25 + 0.25 * (k % 3) as f64;
            let jitter = [random.next(), random.next()].map(|x| 0.02 * x);
            (DVec3::new(column(i) + jitter[0], column(i / 3) + jitter[1], 0.2 + 0.2 * (i / 9) as f64), turn)
        };
        Self { boxes: (0..count).map(place).collect() }
    }

    pub fn world(&self, hop_height: f64) -> Result<World, Box<dyn std::error::Error>> {
        let mut builder = WorldBuilder::new(Settings { hop_height, hop_turn: None, ..Settings::default() })?;
        let wood = Material { friction: FRICTION, restitution: RESTITUTION, law: Law::Stronge };
        let material = builder.add_material(wood)?;
        for (i, (normal, offset)) in TRAY.into_iter().enumerate() {
            builder.add_body(BodySpec {
                name: format!("side {i}"),
                shape: HalfSpace::new(DVec3::from_array(normal), offset)?.into(),
                world_from_shape: Pose::IDENTITY,
                material,
                motion: MotionSpec::Fixed,
            })?;
        }
        for (i, &(at, turn)) in self.boxes.iter().enumerate() {
            let shape: Shape = Cuboid::new(DVec3::splat(SIDE))?.into();
            builder.add_body(BodySpec {
                name: format!("box {i}"),
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
