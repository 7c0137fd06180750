//! One step of the equations: the Rosenbrock method RODAS of order 4 (Hairer and Wanner, Solving Ordinary Differential Equations
//! II, section VI.4). Being implicit it follows sticking points, where friction is stiff, with long steps.

use super::linear::Matrix;
use super::reduced::{Contact, Reduced};

/// Coefficients of the earlier stages in the argument of stages 2 to 5.
const ARGUMENT: [[f64; 4]; 4] = [
    [1.544, 0.0, 0.0, 0.0],
    [0.946_678_528_081_582_6, 0.255_701_169_898_328_4, 0.0, 0.0],
    [3.314_825_187_068_521, 2.896_124_015_972_201, 0.998_641_913_997_781_7, 0.0],
    [1.221_224_509_226_641, 6.019_134_481_288_629, 12.537_083_329_320_87, -0.687_886_036_105_895],
];

/// Coefficients of the earlier stages on the right side of stages 2 to 6.
const RIGHT: [[f64; 5]; 5] = [
    [-5.6688, 0.0, 0.0, 0.0, 0.0],
    [-2.430_093_356_833_875, -0.206_359_915_709_191_5, 0.0, 0.0, 0.0],
    [-0.107_352_905_815_137_5, -9.594_562_251_023_355, -20.470_286_148_096_16, 0.0, 0.0],
    [7.496_443_313_967_647, -10.246_804_314_643_52, -33.999_903_528_199_05, 11.708_908_932_061_6, 0.0],
    [
        8.083_246_795_921_522,
        -7.981_132_988_064_893,
        -31.521_594_328_743_71,
        16.319_305_431_231_36,
        -6.058_818_238_834_054,
    ],
];

const GAMMA: f64 = 0.25;

/// Stages of a step.
const STAGES: usize = 6;

/// Slip below which friction is proportional to it, relative to the largest velocity: a sticking point creeps no faster.
pub(super) const CREEP: f64 = 1e-9;

/// What changes during the impact, in one row of numbers: the weighted velocities of the bodies, the compressions of the points,
/// the impulses of the points (three each).
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    numbers: Vec<f64>,
    freedoms: usize,
    points: usize,
}

impl State {
    pub(super) fn reset(&mut self, freedoms: usize, points: usize) {
        (self.freedoms, self.points) = (freedoms, points);
        self.numbers.clear();
        self.numbers.resize(freedoms + 4 * points, 0.0);
    }

    /// Weighted changes of the bodies' velocities.
    #[inline]
    pub(super) fn bodies(&self) -> &[f64] {
        &self.numbers[..self.freedoms]
    }

    /// Compression of point `i`.
    #[inline]
    pub(super) fn compression(&self, i: usize) -> f64 {
        self.numbers[self.freedoms + i]
    }

    pub(super) fn set_compression(&mut self, i: usize, compression: f64) {
        self.numbers[self.freedoms + i] = compression;
    }

    /// Impulses of all points: normal and two tangents each.
    #[inline]
    pub(super) fn impulses(&self) -> &[f64] {
        &self.numbers[self.freedoms + self.points..]
    }

    pub(super) fn is_finite(&self) -> bool {
        self.numbers.iter().all(|number| number.is_finite())
    }

    /// Velocities of the bodies, compressions and impulses.
    pub(super) fn parts_mut(&mut self) -> (&mut [f64], &mut [f64], &mut [f64]) {
        let (bodies, rest) = self.numbers.split_at_mut(self.freedoms);
        let (compressions, impulses) = rest.split_at_mut(self.points);
        (bodies, compressions, impulses)
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.numbers.copy_from_slice(&other.numbers);
    }
}

/// The forces of one point and how they change, at the beginning of a step.
#[derive(Clone, Copy, Debug)]
struct Local {
    point: usize,
    /// How fast the spring yields per velocity: 1 in compression, 1/e^2 in expansion.
    rate: f64,
    /// Force per slip, negative definite: its entries (1,1), (1,2), (2,2).
    drag: [f64; 3],
    /// Force per compression.
    pull: [f64; 3],
    /// Forces and right side of the compression in the current stage.
    force: [f64; 3],
    yielding: f64,
}

/// The forces of a point at a relative velocity, per compression: the spring, and friction against the slip.
#[inline]
pub(super) fn force_per_compression(contact: &Contact, stiffness: f64, velocity: [f64; 3]) -> ([f64; 3], f64) {
    let [_, s, t] = velocity;
    let size = (s * s + t * t + CREEP * CREEP).sqrt();
    let friction = -contact.friction * stiffness / size;
    ([stiffness, friction * s, friction * t], size)
}

/// One step after another, in storage that is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Stepper {
    locals: Vec<Local>,
    matrix: Matrix,
    stages: Vec<f64>,
    sum: Vec<f64>,
}

impl Stepper {
    /// Linearises the forces at the beginning of a step; `rates` tell how fast each spring yields, 0 where the point is out.
    pub(super) fn linearise(&mut self, reduced: &Reduced, start: &State, rates: &[f64]) {
        self.locals.clear();
        for (point, (contact, &rate)) in reduced.contacts.iter().zip(rates).enumerate() {
            if rate == 0.0 {
                continue;
            }
            let velocity = contact.velocity(start.bodies());
            let (pull, size) = force_per_compression(contact, reduced.stiffness, velocity);
            let weight = contact.friction * reduced.stiffness * start.compression(point) / size;
            let (s, t) = (velocity[1] / size, velocity[2] / size);
            // 1 - s^2 - t^2 loses all digits in fast slip: the rounded part of the size is what is left.
            let rounded = CREEP * CREEP / (size * size);
            let drag = [-weight * (t * t + rounded), weight * s * t, -weight * (s * s + rounded)];
            self.locals.push(Local { point, rate, drag, pull, force: [0.0; 3], yielding: 0.0 });
        }
    }

    /// Takes a step from `start` to `end` and estimates the error of the velocities; `None` if the step fails.
    pub(super) fn step(&mut self, reduced: &Reduced, start: &State, length: f64, end: &mut State) -> Option<f64> {
        let width = start.numbers.len();
        self.stages.clear();
        self.stages.resize(STAGES * width, 0.0);
        if !self.factorise(reduced, length) {
            return None;
        }
        end.copy_from(start);
        for stage in 0..STAGES {
            if (1..5).contains(&stage) {
                let moving = start.freedoms + start.points;
                let used = if stage == 4 { width } else { moving };
                end.numbers[..used].copy_from_slice(&start.numbers[..used]);
                for (earlier, &coefficient) in self.stages.chunks_exact(width).zip(&ARGUMENT[stage - 1][..stage]) {
                    add(&mut end.numbers[..used], coefficient, &earlier[..used]);
                }
            }
            self.solve_stage(reduced, end, length, stage);
            // The last two stages add to the argument of the fifth: the step, and its error.
            if stage >= 4 {
                add(&mut end.numbers, 1.0, &self.stages[stage * width..][..width]);
            }
        }
        let last = &self.stages[(STAGES - 1) * width..];
        let mut error = last[start.freedoms..][..start.points].iter().fold(0.0_f64, |most, e| most.max(e.abs()));
        for contact in &reduced.contacts {
            contact.change(last).iter().for_each(|e| error = error.max(e.abs()));
        }
        error.is_finite().then_some(error)
    }

    /// The system of all stages: the compressions are eliminated, the rest acts on the velocities of the bodies.
    fn factorise(&mut self, reduced: &Reduced, length: f64) -> bool {
        self.matrix.set_diagonal(reduced.freedoms(), 1.0 / (GAMMA * length));
        for local in &self.locals {
            let spring = GAMMA * length * local.rate;
            let [ss, st, tt] = local.drag;
            let [n, s, t] = local.pull.map(|pull| spring * pull);
            let block = [[n, 0.0, 0.0], [s, -ss, -st], [t, -st, -tt]];
            reduced.contacts[local.point].add_product(&block, |row, from, values| self.matrix.add(row, from, &values));
        }
        self.matrix.factorise(0.0)
    }

    fn solve_stage(&mut self, reduced: &Reduced, argument: &State, length: f64, stage: usize) {
        let State { freedoms, points, .. } = *argument;
        let width = argument.numbers.len();
        let (earlier, rest) = self.stages.split_at_mut(stage * width);
        let solved = &mut rest[..width];
        // What earlier stages contribute to the right sides.
        self.sum.clear();
        self.sum.resize(width, 0.0);
        if stage > 0 {
            for (earlier, coefficient) in earlier.chunks_exact(width).zip(&RIGHT[stage - 1][..stage]) {
                add(&mut self.sum, coefficient / length, earlier);
            }
        }
        solved[..freedoms].copy_from_slice(&self.sum[..freedoms]);
        for local in &mut self.locals {
            let contact = &reduced.contacts[local.point];
            let velocity = contact.velocity(argument.bodies());
            let (unit, _) = force_per_compression(contact, reduced.stiffness, velocity);
            local.force = unit.map(|unit| unit * argument.compression(local.point));
            local.yielding = self.sum[freedoms + local.point] - local.rate * velocity[0];
            let share = GAMMA * length * local.yielding;
            contact.strike([0, 1, 2].map(|i| local.force[i] + local.pull[i] * share), &mut solved[..freedoms]);
        }
        self.matrix.solve(&mut solved[..freedoms]);
        for local in &self.locals {
            let [n, s, t] = reduced.contacts[local.point].change(&solved[..freedoms]);
            let compression = GAMMA * length * (local.yielding - local.rate * n);
            solved[freedoms + local.point] = compression;
            let [ss, st, tt] = local.drag;
            let dragged = [0.0, ss * s + st * t, st * s + tt * t];
            let at = freedoms + points + 3 * local.point;
            for i in 0..3 {
                let force = local.force[i] + dragged[i] + local.pull[i] * compression;
                solved[at + i] = GAMMA * length * (force + self.sum[at + i]);
            }
        }
    }
}

#[inline]
fn add(to: &mut [f64], factor: f64, other: &[f64]) {
    to.iter_mut().zip(other).for_each(|(p, q)| *p += factor * q);
}
