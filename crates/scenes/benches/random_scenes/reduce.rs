//! Shrinks a failing scene: fewer things, a shorter run, simpler numbers, while it still fails in the same way.

use crate::shared::cpu::cpu_seconds;
use crate::shared::failure::{Failure, Fault};
use crate::shared::scene::{Scene, Way};
use crate::shared::watched::{Limits, check};
use crate::simplified;

/// Processor time for one scene, s.
const PATIENCE: f64 = 20.0;

/// The simplest scene found that fails in the same way, and how.
pub(crate) fn reduced(scene: &Scene, failure: &Failure, limits: Limits) -> (Scene, Failure) {
    let latest = cpu_seconds() + PATIENCE;
    let mut least = (scene.clone(), failure.clone());
    shorten(&mut least, limits);
    // Without what they lie on bodies never rest.
    let needs_ground = matches!(failure.fault, Fault::Restless | Fault::Unsolved);
    let may_go: Vec<bool> =
        scene.things.iter().map(|thing| !needs_ground || matches!(thing.way, Way::Free { .. })).collect();
    loop {
        let kept = least.0.kept;
        for i in (0..least.0.things.len()).filter(|i| kept >> i & 1 == 1 && may_go[*i]) {
            if cpu_seconds() > latest {
                return least;
            }
            try_instead(&mut least, limits, |scene| scene.kept &= !(1 << i));
        }
        if least.0.kept == kept {
            break;
        }
    }
    for i in 0..least.0.things.len() {
        for step in 0..simplified::STEPS {
            if cpu_seconds() > latest {
                return least;
            }
            try_instead(&mut least, limits, |scene| simplified::thing(&mut scene.things[i], step));
        }
    }
    shorten(&mut least, limits);
    least
}

/// Ends the run with the failure; what is seen at the end needs the whole time.
fn shorten(least: &mut (Scene, Failure), limits: Limits) {
    let time = least.1.time;
    if time < least.0.duration {
        try_instead(least, limits, |scene| scene.duration = time);
    }
}

/// Changes a scene if it then still fails in the same way.
fn try_instead(least: &mut (Scene, Failure), limits: Limits, change: impl FnOnce(&mut Scene)) {
    let mut other = least.0.clone();
    change(&mut other);
    if other.kept == 0 || other.script("") == least.0.script("") {
        return;
    }
    if let Some(failure) = check(&other, limits).failure.filter(|failure| failure.fault == least.1.fault) {
        *least = (other, failure);
    }
}
