//! Stacks that are struck and pulled (sections 3.5, 8.1): who slides, who stays and how far, against Coulomb's law.

use crate::judged::assert_apart;
use crate::world_support::{floor, free, surface};
use impulse::DVec3;
use impulse::geometry::Cuboid;
use impulse::world::{BodyId, Settings, World, WorldBuilder};
use std::f64::consts::FRAC_PI_2;

const G: f64 = 9.81;
/// Side of all blocks along the push, m.
const SIDE: f64 = 0.1;
/// When towers have come to rest and are struck, s.
const STRUCK: f64 = 0.5;

/// Equal blocks on each other and on a floor.
#[derive(Clone, Copy)]
struct Tower {
    blocks: usize,
    /// Of a block, m.
    height: f64,
    /// The block that is struck, from below; its friction is `slick`, that of all others among themselves is `rough`.
    struck: usize,
    slick: f64,
    rough: f64,
    hop_height: f64,
}

const CUBES: Tower = Tower { blocks: 5, height: SIDE, struck: 0, slick: 0.05, rough: 0.8, hop_height: 1e-5 };
const TILES: Tower = Tower { height: 0.2 * SIDE, slick: 0.2, ..CUBES };

struct Run {
    tower: Tower,
    world: World,
    /// Least energy so far, J.
    least: f64,
    blocks: Vec<BodyId>,
}

impl Tower {
    /// At rest.
    fn build(self) -> Run {
        let mut b = WorldBuilder::new(Settings { hop_height: self.hop_height, ..Settings::default() }).unwrap();
        let [slick, rough] = [self.slick, self.rough].map(|friction| b.add_material(surface(friction, 0.0)).unwrap());
        b.add_contact(slick, rough, surface(self.slick, 0.0)).unwrap();
        b.add_body(floor(rough)).unwrap();
        let block = Cuboid::new(DVec3::new(SIDE, SIDE, self.height)).unwrap();
        let at = |i: usize| DVec3::Z * (0.5 + i as f64) * self.height;
        let material = |i: usize| if i == self.struck { slick } else { rough };
        let body = |i: usize| free(&format!("{i}"), block.clone(), at(i), DVec3::ZERO, material(i));
        let blocks = (0..self.blocks).map(|i| b.add_body(body(i)).unwrap()).collect();
        let world = b.build().unwrap();
        let mut run = Run { tower: self, least: world.energy(), world, blocks };
        run.go_on(STRUCK);
        run
    }

    /// With a velocity given to one block.
    fn strike(self, speed: f64) -> Run {
        let mut run = self.build();
        let (block, at) = (run.blocks[self.struck], run.at(self.struck));
        run.world.apply_impulse(block, at, DVec3::X * (speed * run.mass())).unwrap();
        run.least = run.world.energy();
        run
    }

    /// Blocks on the one that is struck, and on what it lies on.
    fn carried(&self) -> [f64; 2] {
        let above = (self.blocks - self.struck - 1) as f64;
        [above, above + 1.0]
    }

    /// Where the struck block and those above it are at a time after the blow, and when they come to move together, if those
    /// below stay and none tips: friction slows the struck block with the weight above it and the weight with it, and gives
    /// those above the acceleration `mu g`, which they just or easily follow; then they slow down together at `mu g`.
    fn slides(&self, speed: f64, time: f64) -> ([f64; 2], f64) {
        let (grip, [above, on_floor]) = (self.slick * G, self.carried());
        let together = speed / (grip * (above + on_floor + 1.0));
        let t = time.min(together);
        let common = (time - together).clamp(0.0, together);
        let coast = grip * common * (together - 0.5 * common);
        let struck = speed * t - 0.5 * (above + on_floor) * grip * t * t;
        ([struck + coast, 0.5 * grip * t * t + coast], together)
    }

    /// How far the struck block slides under the others until they tip: their weight and the friction that sets them going act
    /// together through a point which leaves the block.
    fn tips_at(&self) -> f64 {
        0.5 * SIDE - self.slick * 0.5 * self.height * self.carried()[0]
    }

    /// Length of a hop, s.
    fn hop(&self) -> f64 {
        let radius = 0.5 * DVec3::new(SIDE, SIDE, self.height).length();
        (8.0 * self.hop_height * radius / G).sqrt()
    }
}

impl Run {
    fn go_on(&mut self, until: f64) {
        let stopped = self.world.run_until(until, Some(100_000)).unwrap();
        assert!(stopped.reached(), "an event storm at {} s: {:?}", self.world.time(), self.world.counters());
    }

    /// Goes on until a time after the blow; meanwhile energy is never higher above its least than hops lift the blocks.
    fn watch(&mut self, time: f64) {
        let lift = self.mass() * G * self.tower.hop().powi(2) * G / 8.0 * self.blocks.len() as f64;
        while self.world.time() < STRUCK + time {
            self.go_on((self.world.time() + 1e-3).min(STRUCK + time));
            let gained = self.world.energy() - self.least;
            assert!(gained <= lift, "{gained} J, more than {lift} J, at {} s", self.world.time());
            self.least = self.least.min(self.world.energy());
        }
        assert_apart(&self.world);
    }

    fn at(&self, i: usize) -> DVec3 {
        self.world.principal_state_at(self.blocks[i], self.world.time()).unwrap().world_from_body.translation
    }

    /// Compares the places of the struck block and of the top with the wanted ones. What happens within a flight is not seen: an
    /// acceleration that sets in or ends moves bodies by an eighth of what it does in one.
    fn compare(&self, wanted: [f64; 2]) {
        let flight = 0.25 * self.tower.slick * G * self.tower.hop().powi(2);
        let [above, below] = self.tower.carried();
        let off = [self.at(self.tower.struck).x - wanted[0], self.at(self.tower.blocks - 1).x - wanted[1]];
        let room = [(above + below) * flight, flight];
        assert!(off[0].abs() <= room[0] && off[1].abs() <= room[1], "{off:?} from {wanted:?}, at most {room:?}");
    }

    /// Mean place and velocity of the blocks above the struck one along the push.
    fn above(&self) -> [f64; 2] {
        let above = &self.blocks[self.tower.struck + 1..];
        let mean = |of: &dyn Fn(BodyId) -> f64| above.iter().map(|&id| of(id)).sum::<f64>() / above.len() as f64;
        let state = |id: BodyId| self.world.principal_state_at(id, self.world.time()).unwrap();
        [mean(&|id| state(id).world_from_body.translation.x), mean(&|id| state(id).velocity.x)]
    }

    /// Angle between a block and the vertical.
    fn lean(&self, i: usize) -> f64 {
        let state = self.world.principal_state_at(self.blocks[i], self.world.time()).unwrap();
        (state.world_from_body.rotation * DVec3::Z).z.clamp(-1.0, 1.0).acos()
    }

    fn mass(&self) -> f64 {
        self.world.principal_mass(self.blocks[0]).unwrap().mass()
    }
}

/// Struck slowly, the lowest block stops under the others before they could tip, and all slide on together and stop.
#[test]
fn a_slow_blow_takes_the_tower_along() {
    for (tower, speed) in [(CUBES, 0.1), (CUBES, 0.3), (TILES, 0.3), (TILES, 1.0)] {
        let ([struck, above], together) = tower.slides(speed, f64::INFINITY);
        assert!(struck - above < tower.tips_at());
        let mut run = tower.strike(speed);
        for share in [0.3, 0.7, 1.0, 1.5, 3.0] {
            run.watch(share * together);
            run.compare(tower.slides(speed, share * together).0);
        }
        run.watch(3.0 * together + 0.2);
        assert!((0..tower.blocks).all(|i| run.lean(i) < 1e-5 && run.world.settled(run.blocks[i]) == Some(true)));
    }
}

/// Struck fast, it is gone before they have taken much of its velocity: they drop and stay in their place.
#[test]
fn a_fast_blow_leaves_the_tower_behind() {
    for (tower, speed) in [(CUBES, 3.0), (CUBES, 10.0), (TILES, 3.0), (TILES, 10.0)] {
        let mut run = tower.strike(speed);
        let tips = tower.tips_at() / speed;
        run.watch(0.8 * tips);
        run.compare(tower.slides(speed, 0.8 * tips).0);
        let mut out = 0.8 * tips;
        while run.at(0).x < SIDE + run.at(1).x {
            out += 1e-4;
            run.watch(out);
        }
        // While they tip, the block feels less than their weight, and so do they feel less friction than at rest on it.
        let (least, most) = (tower.slick * G * tips, tower.slick * G * out);
        let [place, velocity] = run.above();
        assert!(place > 0.5 * least * tips && place < 0.5 * most * out, "{place} m at {speed} m/s");
        assert!(velocity > least && velocity < most, "{velocity} m/s at {speed} m/s");
        run.watch(4.0);
        for i in 1..tower.blocks {
            let at = run.at(i);
            let stands = (at.z - (i as f64 - 0.5) * tower.height).abs() < 1e-5;
            assert!(stands && at.x.abs() < 0.3 * SIDE, "block {i}: {at} at {speed} m/s");
            assert_eq!(run.world.settled(run.blocks[i]), Some(true));
        }
    }
}

/// At a speed in between, the tall tower has the time to fall over backwards.
#[test]
fn a_blow_in_between_topples_the_tower() {
    let mut run = CUBES.strike(1.0);
    run.watch(2.0);
    for i in 1..CUBES.blocks {
        let (at, lean) = (run.at(i), run.lean(i));
        assert!(
            (lean - FRAC_PI_2).abs() < 1e-6 && (at.z - 0.5 * SIDE).abs() < 1e-6,
            "block {i} lies: {at}, {lean} rad"
        );
    }
    assert!(run.at(4).x < -2.0 * SIDE);
}

/// A force on the lowest block: up to the friction of the floor nothing moves, up to twice that all move as one, beyond it the
/// block is pulled out.
#[test]
fn a_pulled_tower_stays_follows_or_is_left() {
    let time = 0.05;
    for tower in [CUBES, TILES] {
        let (grip, all) = (tower.slick * G, tower.blocks as f64);
        for share in [0.2, 0.49, 0.51, 0.9, 0.99, 1.01, 1.5, 2.0] {
            let pull = 2.0 * all * share * grip;
            let mut run = tower.build();
            run.world.set_force(run.blocks[0], DVec3::X * (pull * run.mass())).unwrap();
            run.go_on(STRUCK + time);
            let common = (pull / all - grip).max(0.0);
            let [lowest, above] = if common <= grip { [common; 2] } else { [pull - (2.0 * all - 1.0) * grip, grip] };
            run.compare([lowest, above].map(|a| 0.5 * a * time * time));
            if common == 0.0 {
                run.go_on(STRUCK + 0.5);
                assert!(run.at(0).x.abs() < 1e-9 && run.world.settled(run.blocks[0]) == Some(true));
            }
        }
    }
}

/// A soft blow on block five of ten: the less bodies hop, the nearer is its way to Coulomb's. Those below stay.
#[test]
fn a_soft_blow_converges() {
    let ten = Tower { blocks: 10, struck: 4, slick: 0.1, rough: 0.3, ..CUBES };
    let ([struck, above], _) = ten.slides(0.3, f64::INFINITY);
    let mut last = [f64::INFINITY; 3];
    for hop_height in [1e-4, 1e-5, 1e-6] {
        let mut run = Tower { hop_height, ..ten }.strike(0.3);
        run.watch(0.5);
        last = [run.at(4).x - struck, run.at(9).x - above, run.at(3).x].map(f64::abs);
        // A thirtieth of the way that the struck block goes in one hop, which vanishes with its height.
        let radius = 0.5 * SIDE * 3f64.sqrt();
        let bound = 0.03 * 0.3 * (8.0 * hop_height * radius / G).sqrt();
        assert!(last.iter().all(|error| *error < bound), "{hop_height}: {last:?} of {bound}");
        assert!(run.world.settled(run.blocks[4]) == Some(true));
    }
    assert!(last[0] < 1e-4 * struck && last[1] < 1e-4 * above, "{last:?} of {struck} and {above}");
}

/// The same blow gives the same trace.
#[test]
fn a_blow_repeats_itself() {
    let trace = || {
        let mut run = TILES.strike(3.0);
        run.watch(0.3);
        (run.world.trace_hash(), run.world.counters())
    };
    assert_eq!(trace(), trace());
}

/// The lowest of three rough cubes is pulled with four times its weight, which is too little to draw it out from below the others
/// (0.8 (3 + 2 + 1) = 4.8 weights are needed): all three go along or tip, and gain no more than the work of the force.
#[test]
fn a_strong_pull_does_its_work_and_no_more() {
    let mut run = Tower { blocks: 3, slick: 0.8, ..CUBES }.build();
    let (pull, lowest) = (4.0 * G * run.mass(), run.blocks[0]);
    run.world.set_force(lowest, DVec3::X * pull).unwrap();
    let (start, before) = (run.at(0).x, run.world.energy());
    let hop = 3.0 * run.mass() * G * run.tower.hop_height * SIDE;
    for k in 1..=40 {
        run.go_on(STRUCK + 0.01 * f64::from(k));
        let work = pull * (run.at(0).x - start);
        let gained = run.world.energy() - before;
        assert!(gained <= work + hop, "{gained} J of {work} J after {k} hundredths of a second");
        assert_apart(&run.world);
    }
}
