//! One step of the equations: the Rosenbrock method RODAS of order 4 (Hairer and Wanner, Solving Ordinary Differential Equations
//! II, section VI.4). Being implicit it follows sticking points, where friction is stiff, with long steps.

use super::equations::{Equations, State};
use super::linear::{Factors, Matrix};

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

/// The equations at the beginning of a step, linearised.
pub(super) struct Linearised<'a> {
    equations: &'a Equations,
    start: &'a State,
    /// How fast each spring yields per velocity: 1 in compression, 1/e^2 in expansion, 0 where the point is out.
    rates: &'a [f64],
    velocities: Vec<f64>,
    /// Rows of the solved system: point and component.
    rows: Vec<(usize, usize)>,
}

impl<'a> Linearised<'a> {
    pub(super) fn new(equations: &'a Equations, start: &'a State, rates: &'a [f64]) -> Self {
        let components = |i: usize| if equations.friction[i] > 0.0 { 0..3 } else { 0..1 };
        let rows = (0..equations.len()).filter(|&i| rates[i] > 0.0);
        let rows = rows.flat_map(|i| components(i).map(move |component| (i, component))).collect();
        Self { equations, start, rates, velocities: equations.velocities(&start.impulses), rows }
    }

    /// The state after a step and the estimated error of the velocities, relative to the largest one; `None` if the step fails.
    pub(super) fn step(&self, length: f64) -> Option<(State, f64)> {
        let factors = self.system(length).factorise()?;
        let mut stages: Vec<State> = Vec::with_capacity(6);
        let mut argument = self.start.clone();
        for stage in 0..6 {
            if (1..5).contains(&stage) {
                argument = self.start.clone();
                let coefficients = ARGUMENT[stage - 1].iter().zip(&stages);
                coefficients.for_each(|(&coefficient, earlier)| argument.add(coefficient, earlier));
            }
            let mut right = self.derivative(&argument);
            if stage > 0 {
                let coefficients = RIGHT[stage - 1].iter().zip(&stages);
                coefficients.for_each(|(&coefficient, earlier)| right.add(coefficient / length, earlier));
            }
            let solved = self.solve(&factors, &right, length);
            // The last two stages add to the argument of the fifth: the step, and its error.
            if stage >= 4 {
                argument.add(1.0, &solved);
            }
            stages.push(solved);
        }
        let last = stages.pop()?;
        let velocity_error = self.equations.matrix.times(&last.impulses);
        let error = velocity_error.iter().chain(&last.compressions).fold(0.0_f64, |most, e| most.max(e.abs()));
        error.is_finite().then_some((argument, error / self.equations.speed))
    }

    /// A step after which no sliding point has reversed its slip, if the forces stay as they are.
    pub(super) fn longest_step(&self) -> f64 {
        let forces = self.equations.forces(&self.velocities, &self.start.compressions);
        let changes = self.equations.matrix.times(&forces);
        let mut longest = f64::INFINITY;
        for &(i, _) in self.rows.iter().filter(|row| row.1 == 1) {
            let ([x, y], size) = self.equations.slip(&self.velocities, i);
            let change = &changes[3 * i + 1..3 * i + 3];
            let slides = x * x + y * y > 0.99 * size * size;
            if slides && x * change[0] + y * change[1] < 0.0 {
                longest = longest.min(0.9 * size / (change[0] * change[0] + change[1] * change[1]).sqrt());
            }
        }
        longest
    }

    fn derivative(&self, state: &State) -> State {
        let velocities = self.equations.velocities(&state.impulses);
        let compressions = velocities.iter().step_by(3).zip(self.rates).map(|(u, rate)| -rate * u).collect();
        State { impulses: self.equations.forces(&velocities, &state.compressions), compressions }
    }

    /// The linear system of a stage in the impulses of active points, the compressions being eliminated. Rows of friction are
    /// multiplied by the slip, so that sticking leaves them finite.
    fn system(&self, length: f64) -> Matrix {
        let Equations { matrix, stiffness, friction, .. } = self.equations;
        let inverse = 1.0 / (GAMMA * length);
        let mut system = Matrix::zeros(self.rows.len());
        for (row, &(i, component)) in self.rows.iter().enumerate() {
            let (slip, size) = self.equations.slip(&self.velocities, i);
            let weight = friction[i] * stiffness * self.start.compressions[i];
            let scale = self.scale(i, component, length);
            for (column, &(j, other)) in self.rows.iter().enumerate() {
                let response = |component: usize| matrix.at(3 * i + component, 3 * j + other);
                let own = |component: usize| if (i, component) == (j, other) { inverse } else { 0.0 };
                *system.at_mut(row, column) = if component == 0 {
                    (inverse * own(0) + stiffness * self.rates[i] * response(0)) * scale
                } else {
                    let direction = slip.map(|u| u / size);
                    let along = direction[0] * response(1) + direction[1] * response(2);
                    let turning = response(component) - direction[component - 1] * along;
                    let pressed = own(component) + friction[i] * direction[component - 1] * own(0);
                    (size * pressed + weight * turning) * scale
                };
            }
        }
        system
    }

    /// Brings a row to about unit size, so that the exchange of rows compares like with like.
    fn scale(&self, i: usize, component: usize, length: f64) -> f64 {
        let inverse = 1.0 / (GAMMA * length);
        if component == 0 {
            return 1.0 / (inverse * inverse + self.rates[i]);
        }
        let (_, size) = self.equations.slip(&self.velocities, i);
        1.0 / (size * inverse + self.equations.friction[i] * self.start.compressions[i].abs())
    }

    fn solve(&self, factors: &Factors, right: &State, length: f64) -> State {
        let Equations { stiffness, friction, .. } = self.equations;
        let inverse = 1.0 / (GAMMA * length);
        let of_row = |&(i, component): &(usize, usize)| {
            let press = right.impulses[3 * i];
            let scale = self.scale(i, component, length);
            if component == 0 {
                return (stiffness * right.compressions[i] + inverse * press) * scale;
            }
            let (slip, size) = self.equations.slip(&self.velocities, i);
            (size * right.impulses[3 * i + component] + friction[i] * slip[component - 1] * press) * scale
        };
        let solved = factors.solve(&self.rows.iter().map(of_row).collect::<Vec<_>>());
        let (mut impulses, mut compressions) = (vec![0.0; 3 * self.rates.len()], vec![0.0; self.rates.len()]);
        for (&(i, component), &change) in self.rows.iter().zip(&solved) {
            impulses[3 * i + component] = change;
            if component == 0 {
                compressions[i] = (inverse * change - right.impulses[3 * i]) / stiffness;
            }
        }
        State { impulses, compressions }
    }
}

impl State {
    fn add(&mut self, factor: f64, other: &Self) {
        let (impulses, compressions) = (&mut self.impulses, &mut self.compressions);
        impulses.iter_mut().zip(&other.impulses).for_each(|(p, q)| *p += factor * q);
        compressions.iter_mut().zip(&other.compressions).for_each(|(p, q)| *p += factor * q);
    }
}
