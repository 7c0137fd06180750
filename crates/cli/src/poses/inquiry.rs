//! From a question to its answer: the studies that are made of a part.

use super::answer::{Answer, Findings, Stage};
use super::arguments::{Arguments, Beginning, Method};
use crate::progress::Progress;
use impulse_lab::{
    Belt, Conditions, Control, Estimate, From, Landscape, Part, Sample, Study, VARIED, normal_quantile, perturbed,
    quasi_static, sensitivity,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Points of the plot of convergence.
const STAGES: usize = 60;

/// Between two looks at the progress.
const PAUSE: Duration = Duration::from_millis(50);

pub(super) fn answer(arguments: &Arguments, part: &Part, control: &Control) -> Answer {
    let landscape = Landscape::new(part, arguments.merge);
    let quantile = normal_quantile(0.5 * (1.0 - arguments.confidence));
    let mut found = Findings {
        estimates: Vec::new(),
        quasi_static: quasi_static(&landscape),
        perturbed: perturbed(&landscape, arguments.cone.to_radians()),
        sample: None,
        belt: None,
        sensitivity: Vec::new(),
        convergence: Vec::new(),
        quantile,
    };
    match arguments.method {
        Method::QuasiStatic => found.estimates = found.quasi_static.iter().map(|&p| Estimate::exact(p)).collect(),
        Method::Perturbed => found.estimates = found.perturbed.iter().map(|&p| Estimate::exact(p)).collect(),
        Method::Dynamic => {
            let study = Study {
                part,
                landscape: &landscape,
                conditions: arguments.conditions(),
                seed: arguments.seed,
                drops: arguments.drops(),
                precision: arguments.precision,
                quantile,
                threads: arguments.threads(),
            };
            with_progress(arguments, control, || drop(&study, arguments, control, &mut found));
        }
    }
    let notes = notes(&landscape, &found, &arguments.conditions());
    let mut answer = Answer::new(arguments, part, &landscape, found);
    answer.notes.extend(notes);
    answer
}

fn drop(study: &Study<'_>, arguments: &Arguments, control: &Control, found: &mut Findings) {
    let from = match arguments.start {
        Beginning::Uniform => From::Uniform,
        Beginning::Belt => From::Poses,
    };
    let estimates = |study: &Study<'_>, sample: &Sample| match from {
        From::Uniform => study.shares(sample),
        From::Poses => Belt::new(study, sample).estimates,
    };
    let sample = study.run(from, control, |sample| estimates(study, sample));
    found.estimates = estimates(study, &sample);
    found.belt = (from == From::Poses).then(|| Belt::new(study, &sample));
    found.convergence = convergence(&sample, |first| estimates(study, first));
    if arguments.sensitivity && !control.is_stopped() {
        // As many drops as the study itself took.
        let study = Study { drops: sample.outcomes.len() as u64, precision: None, ..*study };
        found.sensitivity = sensitivity(&study, |study| {
            let sample = study.run(from, control, |_| Vec::new());
            estimates(study, &sample)
        });
    }
    found.sample = Some(sample);
}

/// The estimates from the first so many drops, evenly spaced on a logarithmic scale.
fn convergence(sample: &Sample, estimates: impl Fn(&Sample) -> Vec<Estimate>) -> Vec<Stage> {
    let all = sample.outcomes.len();
    let first = sample.poses.clamp(10, all.max(10)).min(all);
    let mut stages: Vec<Stage> = Vec::new();
    for k in 0..=STAGES {
        let ratio = all as f64 / first.max(1) as f64;
        let drops = (first as f64 * ratio.powf(k as f64 / STAGES as f64)).round() as usize;
        if drops == 0 || stages.last().is_some_and(|stage| stage.drops >= drops) {
            continue;
        }
        let outcomes = sample.outcomes[..drops.min(all)].to_vec();
        let part = Sample { outcomes, interrupted: false, ..*sample };
        stages.push(Stage { drops, probabilities: estimates(&part).iter().map(|e| e.probability).collect() });
    }
    stages
}

/// What a user should know.
fn notes(landscape: &Landscape, found: &Findings, conditions: &Conditions) -> Vec<String> {
    let mut notes = Vec::new();
    if let [only] = landscape.poses.as_slice() {
        notes.push(if only.rolls {
            "the part rolls like a ball: no pose is separated from the others by more than the merge share of its radius, so there are no pose statistics; a smaller --merge tells finer poses apart".to_owned()
        } else {
            "the part has one stable pose and lands in it always".to_owned()
        });
    }
    for (i, pose) in landscape.poses.iter().enumerate().filter(|(_, pose)| pose.rolls && landscape.poses.len() > 1) {
        notes.push(format!("pose {} is {} faces on which the part rolls", i + 1, pose.faces.len()));
    }
    let classes = found.belt.as_ref().map_or(Vec::new(), Belt::closed_classes);
    if classes.len() > 1 {
        let names: Vec<String> = classes
            .iter()
            .map(|class| class.iter().map(|i| (i + 1).to_string()).collect::<Vec<_>>().join(" "))
            .collect();
        notes.push(format!(
            "no drop led out of each of these sets of poses: {}; in the long run all depends on how the first parts lie (taken from the quasi-static estimate), so intervals are open; more drops may find ways between them",
            names.join(" | ")
        ));
    }
    let Some(sample) = &found.sample else { return notes };
    let (all, undecided) = (sample.outcomes.len() as f64, sample.undecided() as f64);
    if undecided > 0.0 {
        notes.push(format!(
            "{undecided} of {all} drops ({:.2} %) were undecided at the time limit: probabilities are those of the other drops, and intervals hold wherever these would end; {}, or raise --time-limit",
            100.0 * undecided / all,
            remedy(conditions)
        ));
    }
    let failed = sample.failures().count();
    if let Some((drop, error)) = sample.failures().next() {
        notes.push(format!("{failed} drops failed and are not counted; the first, drop {drop}: {error}"));
    }
    if sample.interrupted {
        notes.push("interrupted: the figures are of the drops made until then".to_owned());
    }
    notes
}

/// Why drops stay undecided, and what to do.
fn remedy(conditions: &Conditions) -> &'static str {
    if conditions.restitution < 1.0 {
        "the part rolls or slides on; add --rolling-resistance (a length, 1e-3 of the radius for hard parts)"
    } else {
        "bounces of restitution 1 take no energy; lower --restitution"
    }
}

/// Shows how far a study is while it runs.
fn with_progress(arguments: &Arguments, control: &Control, study: impl FnOnce()) {
    let studies = 1 + if arguments.sensitivity { 2 * VARIED.len() as u64 } else { 0 };
    let (before, wanted) = (control.done(), arguments.drops().saturating_mul(studies));
    let finished = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut progress = Progress::new(arguments.quiet);
            while !finished.load(Ordering::Relaxed) {
                std::thread::sleep(PAUSE);
                progress.at(|| format!("{} of {wanted} drops", control.done() - before));
            }
        });
        study();
        finished.store(true, Ordering::Relaxed);
    });
}
