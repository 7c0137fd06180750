//! Lasting contact that ends (section 3.5): a force that grows slowly through the weight lifts a body off in time.

use crate::judged::assert_apart;
use crate::world_support::{floor, free, surface};
use impulse::DVec3;
use impulse::geometry::{Cuboid, Cylinder, Shape, Sphere};
use impulse::world::{BodyId, Settings, World, WorldBuilder};

const G: f64 = 9.81;
/// Side of a cube and diameter of a ball, m.
const SIZE: f64 = 0.1;
/// The force is changed so often, s: several times within a hop and less than once in one.
const STEPS: [f64; 2] = [1e-4, 3.7e-3];
/// A body that lies on another is thrown up by the other's hops, and higher the less it weighs: beyond this share of its weight
/// it may already be in the air.
const LIGHT: f64 = 0.9;
/// Time in which the force grows from nothing to the weight, s.
const GROWTH: f64 = 0.5;
/// Height of hops, in bounding radii: as low as hops of single bodies are by default.
const HOP_HEIGHT: f64 = 1e-5;

/// Some bodies on each other, of which the one at `pulled` is pulled up.
struct Pull {
    what: &'static str,
    shape: Shape,
    bodies: usize,
    pulled: usize,
    restitution: f64,
    step: f64,
}

impl Pull {
    fn build(&self) -> (World, Vec<BodyId>) {
        let mut b = WorldBuilder::new(Settings { hop_height: HOP_HEIGHT, ..Settings::default() }).unwrap();
        let m = b.add_material(surface(0.5, self.restitution)).unwrap();
        b.add_body(floor(m)).unwrap();
        let at = |i: usize| DVec3::Z * self.height(i);
        let body = |i: usize| free(&format!("{i}"), self.shape.clone(), at(i), DVec3::ZERO, m);
        let ids = (0..self.bodies).map(|i| b.add_body(body(i)).unwrap()).collect();
        (b.build().unwrap(), ids)
    }

    fn name(&self) -> String {
        let Self { what, bodies, pulled, restitution, step, .. } = self;
        format!("{what} {pulled} of {bodies}, e = {restitution}, every {step} s")
    }

    /// What is on the pulled body goes up with it.
    fn lifted(&self) -> usize {
        self.bodies - self.pulled
    }

    /// Pulls until well after the lift-off. All the while the pulled body's height is off from the exact one by no more than a
    /// hop's height, and after the lift-off by what a hop's velocity adds; what is below it stays.
    fn run(&self) {
        let (mut world, ids) = self.build();
        let weight = world.principal_mass(ids[self.pulled]).unwrap().mass() * G * self.lifted() as f64;
        let touch = Settings::default().touch_distance;
        let height = self.shape.bounding_radius(DVec3::ZERO) * (touch + HOP_HEIGHT);
        let hop_velocity = (2.0 * G * height).sqrt();
        let (mut z, mut v, mut since) = (self.height(self.pulled), 0.0, 0.0);
        for k in 0..(1.3 * GROWTH / self.step) as usize {
            let share = (k as f64 + 0.5) * self.step / GROWTH;
            world.set_force(ids[self.pulled], DVec3::Z * (share * weight)).unwrap();
            let stopped = world.run_until((k + 1) as f64 * self.step, Some(1000)).unwrap();
            assert!(stopped.reached(), "{} stays at {} s, {share} of the weight", self.name(), world.time());
            let a = (share - 1.0).max(0.0) * G;
            z += (v + 0.5 * a * self.step) * self.step;
            v += a * self.step;
            since += if share > self.light() { self.step } else { 0.0 };
            let off = |i: usize, z: f64| (position(&world, ids[i]) - z).abs();
            // Every body below hops too, and up to twice as high where a hop also mends a gap.
            let room = |i: usize| 2.0 * height * (i + 1) as f64;
            let error = off(self.pulled, z);
            let thrown = if self.pulled == 0 { room(0) } else { room(self.pulled) / (1.0 - share).max(1.0 - LIGHT) };
            assert!(
                error <= thrown + hop_velocity * since,
                "{}: off by {error:e} m, {share} of the weight",
                self.name()
            );
            for i in 0..self.pulled {
                assert!(off(i, self.height(i)) <= room(i), "{}: body {i} follows", self.name());
            }
        }
        assert!(v > 10.0 * hop_velocity, "it is gone");
        // A hop has two events, and it hops while it is pressed on, unless it is frozen.
        let hops = GROWTH / (8.0 * height / G).sqrt();
        assert!((world.counters().events as f64) < 4.0 * self.bodies as f64 * hops, "{:?}", world.counters());
        assert_apart(&world);
    }

    /// Share of the weight beyond which a hop's velocity carries the pulled body off.
    fn light(&self) -> f64 {
        if self.pulled == 0 { 1.0 } else { LIGHT }
    }

    /// Height of a body's centre at rest, m.
    fn height(&self, i: usize) -> f64 {
        (0.5 + i as f64) * SIZE
    }
}

fn position(world: &World, body: BodyId) -> f64 {
    world.principal_state_at(body, world.time()).unwrap().world_from_body.translation.z
}

fn pull_all((what, shape): (&'static str, &Shape), (bodies, pulled): (usize, usize)) {
    for restitution in [0.0, 0.3, 0.9] {
        for step in STEPS {
            Pull { what, shape: shape.clone(), bodies, pulled, restitution, step }.run();
        }
    }
}

/// At all restitutions: where the press crosses zero there is a hop of no velocity, which must not hold the body back.
#[test]
fn a_body_lifts_off_when_the_pull_exceeds_its_weight() {
    pull_all(("cube", &Cuboid::new(DVec3::splat(SIZE)).unwrap().into()), (1, 0));
    pull_all(("ball", &Sphere::new(0.5 * SIZE).unwrap().into()), (1, 0));
    pull_all(("drum", &Cylinder::new(0.5 * SIZE, SIZE).unwrap().into()), (1, 0));
}

/// Of a stack, what is pulled takes along what lies on it, and leaves the rest.
#[test]
fn a_block_of_a_stack_lifts_off_with_what_it_carries() {
    let cube = Cuboid::new(DVec3::splat(SIZE)).unwrap().into();
    for place in [(2, 0), (2, 1), (3, 1)] {
        pull_all(("cube", &cube), place);
    }
}
