//! What is known about how a part lands, as it is written to JSON: the same bytes for the same question, whatever the number of
//! threads.

use super::arguments::{Arguments, Beginning, Method};
use impulse_lab::{Belt, Estimate, Landscape, Part, Sample, Variation, Varied, entropy, trials_needed, weighted_error};
use serde::Serialize;

/// The answer for one part, SI units.
#[derive(Serialize)]
pub(crate) struct Answer {
    pub(super) part: String,
    pub(super) method: Method,
    pub(super) start: Beginning,
    /// Drops made.
    pub(super) drops: u64,
    pub(super) seed: u64,
    pub(super) version: &'static str,
    pub(super) poses: Vec<PoseAnswer>,
    /// Drops that were given up at the time limit.
    pub(super) undecided: u64,
    pub(super) failures: Vec<Failure>,
    /// Whether the study was stopped before its end.
    pub(super) interrupted: bool,
    pub(super) confidence: f64,
    pub(super) precision: Option<f64>,
    /// Drops that are enough for the precision, whatever the probabilities (7.3, corrected).
    pub(super) drops_needed: Option<u64>,
    /// Of the probabilities, bits.
    pub(super) entropy: f64,
    /// Measure (7.2) of the other estimates relative to this one.
    pub(super) error_quasi_static: f64,
    pub(super) error_perturbed: f64,
    pub(super) conditions: ConditionsAnswer,
    pub(super) merge: f64,
    /// Degrees.
    pub(super) cone: f64,
    pub(super) scale: f64,
    pub(super) mass: f64,
    pub(super) com: [f64; 3],
    /// Largest distance of a corner from the centre of mass.
    pub(super) radius: f64,
    pub(super) hull_faces: usize,
    pub(super) passes: Vec<PassAnswer>,
    pub(super) matrix: Option<Matrix>,
    pub(super) sensitivity: Vec<VariationAnswer>,
    /// Seconds until a drop was decided.
    pub(super) time: Option<Quantiles>,
    /// Impacts until a drop was decided.
    pub(super) impacts: Option<Quantiles>,
    pub(super) convergence: Vec<Stage>,
    pub(super) notes: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct PoseAnswer {
    pub(super) down: [f64; 3],
    pub(super) probability: f64,
    pub(super) interval: [f64; 2],
    pub(super) stable: bool,
    pub(super) count: u64,
    pub(super) quasi_static: f64,
    pub(super) perturbed: f64,
    /// Of the centre of mass.
    pub(super) height: f64,
    /// By which the centre of mass must rise for the part to leave the pose; null where there is no other.
    pub(super) barrier: Option<f64>,
    /// The pose that the lowest pass leads to.
    pub(super) leads_to: Option<usize>,
    pub(super) rolls: bool,
    /// Number of the first pose that is equal to this one by symmetry.
    pub(super) group: usize,
    /// Stable faces that are this pose.
    pub(super) faces: usize,
}

#[derive(Serialize)]
pub(crate) struct Failure {
    pub(super) drop: usize,
    pub(super) error: String,
}

#[derive(Serialize)]
pub(crate) struct ConditionsAnswer {
    pub(super) friction: f64,
    pub(super) restitution: f64,
    pub(super) rolling_resistance: f64,
    pub(super) height: [f64; 2],
    pub(super) speed: [f64; 2],
    pub(super) spin: [f64; 2],
    /// Degrees.
    pub(super) perturbation: f64,
    pub(super) envelope: f64,
    pub(super) time_limit: f64,
}

#[derive(Serialize)]
pub(crate) struct PassAnswer {
    pub(super) between: [usize; 2],
    pub(super) height: f64,
}

#[derive(Serialize)]
pub(crate) struct Matrix {
    /// How often drops from pose i (row) ended in pose j (column).
    pub(super) counts: Vec<Vec<u64>>,
    pub(super) probabilities: Vec<Vec<f64>>,
    pub(super) intervals: Vec<Vec<[f64; 2]>>,
}

#[derive(Serialize)]
pub(crate) struct VariationAnswer {
    pub(super) varied: &'static str,
    pub(super) factor: f64,
    pub(super) value: f64,
    pub(super) probabilities: Vec<f64>,
    pub(super) intervals: Vec<[f64; 2]>,
}

#[derive(Serialize)]
pub(crate) struct Quantiles {
    pub(super) mean: f64,
    pub(super) median: f64,
    pub(super) p95: f64,
    pub(super) max: f64,
}

/// The probabilities after the first so many drops.
#[derive(Serialize)]
pub(crate) struct Stage {
    pub(super) drops: usize,
    pub(super) probabilities: Vec<f64>,
}

/// What was found out about a part.
pub(super) struct Findings {
    pub(super) estimates: Vec<Estimate>,
    pub(super) quasi_static: Vec<f64>,
    pub(super) perturbed: Vec<f64>,
    pub(super) sample: Option<Sample>,
    pub(super) belt: Option<Belt>,
    pub(super) sensitivity: Vec<Variation>,
    pub(super) convergence: Vec<Stage>,
    /// Normal quantile of the confidence.
    pub(super) quantile: f64,
}

impl Answer {
    pub(super) fn new(arguments: &Arguments, part: &Part, landscape: &Landscape, found: Findings) -> Self {
        let probabilities: Vec<f64> = found.estimates.iter().map(|estimate| estimate.probability).collect();
        let counts = found.sample.as_ref().map_or(vec![0; probabilities.len()], Sample::counts);
        let sample = found.sample.as_ref();
        let failures = sample.map_or(Vec::new(), |sample| {
            sample.failures().map(|(drop, error)| Failure { drop, error: error.to_owned() }).collect()
        });
        Self {
            part: part.name.clone(),
            method: arguments.method,
            start: arguments.start,
            drops: sample.map_or(0, |sample| sample.outcomes.len() as u64),
            seed: arguments.seed,
            version: env!("CARGO_PKG_VERSION"),
            poses: poses(landscape, &found, &counts),
            undecided: sample.map_or(0, Sample::undecided),
            failures,
            interrupted: sample.is_some_and(|sample| sample.interrupted),
            confidence: arguments.confidence,
            precision: arguments.precision,
            drops_needed: arguments.precision.map(|delta| trials_needed(delta, 1.0 - arguments.confidence)),
            entropy: entropy(&probabilities),
            error_quasi_static: weighted_error(&probabilities, &found.quasi_static),
            error_perturbed: weighted_error(&probabilities, &found.perturbed),
            conditions: ConditionsAnswer::new(arguments),
            merge: arguments.merge,
            cone: arguments.cone,
            scale: arguments.scale,
            mass: part.mass.mass,
            com: part.mass.com.to_array(),
            radius: part.radius,
            hull_faces: part.hull.surface().faces().len(),
            passes: landscape.passes.iter().map(|p| PassAnswer { between: p.between, height: p.height }).collect(),
            matrix: found.belt.as_ref().map(|belt| Matrix::new(belt, found.quantile)),
            sensitivity: found.sensitivity.iter().map(VariationAnswer::new).collect(),
            time: sample.and_then(|sample| Quantiles::new(sample.decided().map(|(_, o, _)| o.time))),
            impacts: sample.and_then(|sample| Quantiles::new(sample.decided().map(|(_, o, _)| o.impacts as f64))),
            convergence: found.convergence,
            notes: part.notes.clone(),
        }
    }
}

fn poses(landscape: &Landscape, found: &Findings, counts: &[u64]) -> Vec<PoseAnswer> {
    let answer = |(i, pose): (usize, &impulse_lab::Pose)| PoseAnswer {
        down: pose.down.to_array(),
        probability: found.estimates[i].probability,
        interval: found.estimates[i].interval,
        stable: true,
        count: counts[i],
        quasi_static: found.quasi_static[i],
        perturbed: found.perturbed[i],
        height: pose.height,
        barrier: pose.barrier.is_finite().then_some(pose.barrier),
        leads_to: pose.leads_to,
        rolls: pose.rolls,
        group: pose.group,
        faces: pose.faces.len(),
    };
    landscape.poses.iter().enumerate().map(answer).collect()
}

impl ConditionsAnswer {
    fn new(arguments: &Arguments) -> Self {
        let conditions = arguments.conditions();
        let ends = |spread: impulse_lab::Spread| [spread.low, spread.high];
        Self {
            friction: conditions.friction,
            restitution: conditions.restitution,
            rolling_resistance: conditions.rolling_resistance,
            height: ends(conditions.height),
            speed: ends(conditions.speed),
            spin: ends(conditions.spin),
            perturbation: conditions.perturbation.to_degrees(),
            envelope: conditions.envelope,
            time_limit: conditions.time_limit,
        }
    }
}

impl Matrix {
    fn new(belt: &Belt, quantile: f64) -> Self {
        let all = 0..belt.counts.len();
        let row = |i: usize| all.clone().map(|j| belt.interval(i, j, quantile)).collect();
        Self {
            counts: belt.counts.clone(),
            probabilities: belt.transitions.clone(),
            intervals: all.clone().map(row).collect(),
        }
    }
}

impl VariationAnswer {
    fn new(variation: &Variation) -> Self {
        Self {
            varied: Varied::name(variation.varied),
            factor: variation.factor,
            value: variation.value,
            probabilities: variation.estimates.iter().map(|e| e.probability).collect(),
            intervals: variation.estimates.iter().map(|e| e.interval).collect(),
        }
    }
}

impl Quantiles {
    fn new(values: impl Iterator<Item = f64>) -> Option<Self> {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
        let max = *values.last()?;
        Some(Self { mean: values.iter().sum::<f64>() / values.len() as f64, median: at(0.5), p95: at(0.95), max })
    }
}
