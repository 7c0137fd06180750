//! Cost of the broad phase and of the event queue (sections 2.3.1, 2.4): coherence against hashing everything anew as in table 2.1,
//! growth with the number of items, memory.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

#[path = "support/random.rs"]
mod random;

use impulse::DVec3;
use impulse::detect::{BroadPhase, Changes, EventQueue, Mobility};
use impulse::geometry::Aabb;
use random::Stream;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::time::Instant;

/// Runs of which the fastest counts: noise only ever adds.
const RUNS: u32 = 5;

fn main() {
    table();
    coherence();
    growth();
    queues();
}

/// Table 2.1, with as many bodies and fixed boxes as the examples of chapter 7 have; one step moves the bodies as far as one
/// integration step of the thesis, a small part of their size.
fn table() {
    println!(
        "table 2.1: microseconds per step of all bodies, and the thesis' millions of cycles; boxes swept over one step, or"
    );
    println!("over sixteen and kept until they end, as worlds keep them\n");
    println!("example             bodies  fixed    anew   coherent   ratio    kept   ratio      thesis   ratio");
    for (name, count, fixed, [standard, coherence]) in [
        ("coins", 8, 1, [361, 58]),
        ("bowling", 11, 3, [2188, 314]),
        ("rattleback top", 2, 1, [641, 107]),
        ("part feeder chute", 6, 6, [409, 57]),
    ] {
        let crowd = Crowd { count, fixed, travel: 0.005 };
        let [anew, coherent, kept] =
            [Scheme::Anew, Scheme::Coherent, Scheme::Swept].map(|scheme| 1e6 * fastest(|| crowd.step(scheme)));
        println!(
            "{name:18} {count:7} {fixed:6} {anew:7.2} {coherent:10.2} {:7.1} {kept:7.2} {:7.1} {standard:7}/{coherence:3} {:7.1}",
            anew / coherent,
            anew / kept,
            f64::from(standard) / f64::from(coherence),
        );
    }
}

/// The same with more bodies and other speeds.
fn coherence() {
    println!(
        "\ncoins over a plate, microseconds per step of all; boxes swept over one step, or over sixteen and kept until they end\n"
    );
    println!("coins  travel/size  naive    anew   coherent   ratio   swept 16   ratio");
    for count in [50, 100, 200, 500, 1000] {
        for travel in [0.002, 0.02, 0.1] {
            let crowd = Crowd { count, fixed: 1, travel };
            let [naive, anew, coherent, swept] = [Scheme::Naive, Scheme::Anew, Scheme::Coherent, Scheme::Swept]
                .map(|scheme| 1e6 * fastest(|| crowd.step(scheme)));
            let [ratio, swept_ratio] = [anew / coherent, anew / swept];
            println!(
                "{count:5} {travel:12} {naive:6.1} {anew:7.1} {coherent:10.1} {ratio:7.1} {swept:10.1} {swept_ratio:7.1}"
            );
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Scheme {
    Naive,
    Anew,
    Coherent,
    Swept,
}

/// Bodies that fly over plates which they cover by a twentieth.
struct Crowd {
    count: u32,
    /// Plates, one above the other.
    fixed: u32,
    /// Of a body in one step, relative to its size.
    travel: f64,
}

impl Crowd {
    /// Seconds per step.
    fn step(&self, scheme: Scheme) -> f64 {
        const STEPS: u32 = 64;
        let horizon = if scheme == Scheme::Swept { 16 } else { 1 };
        let mut movers = Movers::new(self.count, DVec3::new(self.side(), self.side(), 4.0), self.travel);
        let mut changes = Changes::default();
        let mut broad_phase = if scheme == Scheme::Naive { BroadPhase::naive() } else { BroadPhase::hashed() };
        self.fill(&movers, horizon, &mut broad_phase, &mut changes);
        // Empty, with room for everything.
        let mut empty = broad_phase.clone();
        (0..self.count + self.fixed).for_each(|i| empty.remove(i, &mut changes));
        let start = Instant::now();
        for step in 0..STEPS {
            movers.advance();
            match scheme {
                Scheme::Naive | Scheme::Anew => {
                    broad_phase.clone_from(&empty);
                    self.fill(&movers, horizon, &mut broad_phase, &mut changes);
                }
                Scheme::Coherent | Scheme::Swept => (0..self.count)
                    .filter(|i| (step + i) % horizon == 0)
                    .for_each(|i| broad_phase.update(i, movers.swept(i, horizon.into()), &mut changes)),
            }
        }
        let time = start.elapsed().as_secs_f64() / f64::from(STEPS);
        black_box(broad_phase.close_pairs());
        time
    }

    fn fill(&self, movers: &Movers, horizon: u32, broad_phase: &mut BroadPhase, changes: &mut Changes) {
        for plate in 0..self.fixed {
            let top = -f64::from(plate);
            let bounds = Aabb { min: DVec3::Z * (top - 1.0), max: DVec3::new(self.side(), self.side(), top) };
            broad_phase.insert(self.count + plate, bounds, Mobility::Fixed, changes);
        }
        for i in 0..self.count {
            broad_phase.insert(i, movers.swept(i, horizon.into()), Mobility::Movable, changes);
        }
    }

    fn side(&self) -> f64 {
        (20.0 * f64::from(self.count)).sqrt()
    }
}

fn growth() {
    println!("\nboxes of 1 to 2 m at equal density, updated in random order to where they might fly after an impact\n");
    println!("  boxes   m^3 each   ns/update   pairs/box   comparisons/update   cell updates/update   bytes/box");
    for (count, space) in [1_000, 10_000, 100_000].into_iter().flat_map(|count| [(count, 20.0), (count, 4.0)]) {
        let side = libm::cbrt(space * f64::from(count));
        let mut boxes = Movers::new(count, DVec3::splat(side), 0.3);
        let mut changes = Changes::default();
        let mut broad_phase = BroadPhase::hashed();
        (0..count).for_each(|i| broad_phase.insert(i, boxes.swept(i, 3.0), Mobility::Movable, &mut changes));
        let (updates, batches) = (500, 1000);
        let mut times = Vec::new();
        let before = broad_phase.work();
        for _ in 0..batches {
            let batch: Vec<_> = (0..updates).map(|_| boxes.strike()).collect();
            let start = Instant::now();
            batch.iter().for_each(|(i, bounds)| broad_phase.update(*i, *bounds, &mut changes));
            times.push(start.elapsed().as_secs_f64() / f64::from(updates));
        }
        // Batches are short enough that most of them run undisturbed.
        times.sort_by(f64::total_cmp);
        let work = broad_phase.work();
        let total = f64::from(updates * batches);
        println!(
            "{count:7} {space:10} {:11.0} {:11.1} {:20.1} {:21.2} {:11.0}",
            1e9 * times[times.len() / 2],
            broad_phase.close_pairs() as f64 / f64::from(count),
            (work.comparisons - before.comparisons) as f64 / total,
            (work.cell_updates - before.cell_updates) as f64 / total,
            broad_phase.bytes() as f64 / f64::from(count),
        );
    }
}

/// One event taken and set anew, eight others moved, against a heap from which stale entries are dropped when they come up.
fn queues() {
    println!("\nevents: pop the earliest, set it anew, move eight others; nanoseconds per round\n");
    println!(" events   indexed   lazy deletion");
    for count in [1_000, 10_000, 100_000, 1_000_000] {
        let indexed = 1e9 * fastest(|| indexed_rounds(count));
        let lazy = 1e9 * fastest(|| lazy_rounds(count));
        println!("{count:7} {indexed:9.0} {lazy:15.0}");
    }
}

const ROUNDS: u32 = 50_000;
const MOVED: u32 = 8;

fn indexed_rounds(count: u32) -> f64 {
    let mut random = Stream(1);
    let mut queue = EventQueue::default();
    (0..count).for_each(|key| _ = queue.insert(random.next(), (0u32, key)));
    let start = Instant::now();
    for _ in 0..ROUNDS {
        let event = queue.peek().expect("events are set anew");
        queue.update(event.slot, event.time + random.next());
        for _ in 0..MOVED {
            queue.update((random.next() * f64::from(count)) as u32, event.time + random.next());
        }
    }
    let time = start.elapsed().as_secs_f64() / f64::from(ROUNDS);
    black_box(queue.peek());
    time
}

fn lazy_rounds(count: u32) -> f64 {
    let mut random = Stream(1);
    let mut heap = BinaryHeap::new();
    let mut current: Vec<f64> = (0..count).map(|_| random.next()).collect();
    // Times are positive, so that their bits are in their order.
    (0..count).for_each(|i| heap.push(Reverse((current[i as usize].to_bits(), 0u32, i))));
    let start = Instant::now();
    for _ in 0..ROUNDS {
        let (now, first) = loop {
            let Reverse((bits, _, i)) = heap.pop().expect("events are set anew");
            if current[i as usize].to_bits() == bits {
                break (f64::from_bits(bits), i);
            }
        };
        for k in 0..=MOVED {
            let i = if k == 0 { first } else { (random.next() * f64::from(count)) as u32 };
            current[i as usize] = now + random.next();
            heap.push(Reverse((current[i as usize].to_bits(), 0, i)));
        }
    }
    let time = start.elapsed().as_secs_f64() / f64::from(ROUNDS);
    black_box(heap.len());
    time
}

/// Unit boxes that fly straight in a room and come back from its walls.
struct Movers {
    room: DVec3,
    positions: Vec<DVec3>,
    /// Per step.
    velocities: Vec<DVec3>,
    travel: f64,
    random: Stream,
}

impl Movers {
    fn new(count: u32, room: DVec3, travel: f64) -> Self {
        let mut random = Stream(count.into());
        let positions = (0..count).map(|_| random.vector() * room).collect();
        let velocities = (0..count).map(|_| random.velocity(travel)).collect();
        Self { room, positions, velocities, travel, random }
    }

    fn advance(&mut self) {
        for (position, velocity) in self.positions.iter_mut().zip(&mut self.velocities) {
            *position += *velocity;
            for axis in 0..3 {
                if position[axis] < 0.0 || position[axis] > self.room[axis] {
                    position[axis] = position[axis].clamp(0.0, self.room[axis]);
                    velocity[axis] = -velocity[axis];
                }
            }
        }
    }

    /// Moves some box one step and sends it elsewhere.
    fn strike(&mut self) -> (u32, Aabb) {
        let i = (self.random.next() * self.positions.len() as f64) as usize;
        self.positions[i] = (self.positions[i] + self.velocities[i]).clamp(DVec3::ZERO, self.room);
        self.velocities[i] = self.random.velocity(self.travel);
        (i as u32, self.swept(i as u32, 3.0))
    }

    fn swept(&self, i: u32, steps: f64) -> Aabb {
        let (from, velocity) = (self.positions[i as usize], self.velocities[i as usize]);
        let to = from + steps * velocity;
        Aabb { min: from.min(to) - 0.5, max: from.max(to) + 0.5 }
    }
}

impl Stream {
    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }

    fn velocity(&mut self, speed: f64) -> DVec3 {
        2.0 * speed * (self.vector() - 0.5)
    }
}

fn fastest(mut run: impl FnMut() -> f64) -> f64 {
    (0..RUNS).map(|_| run()).fold(f64::MAX, f64::min)
}
