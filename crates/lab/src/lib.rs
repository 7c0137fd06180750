//! Experiments: many trials in parallel, studies of scenes ([`sweep`]), and statistics of how parts land (thesis section 7.5).
//!
//! [`Part`] is what is dropped, [`Landscape`] the height of its centre of mass over the direction that points down: which poses
//! exist and what it takes to leave each. [`quasi_static`] and [`perturbed`] estimate from the landscape alone.

mod outline;
mod part;
mod landscape;
mod trials;
mod quasi_static;
mod drop;
mod statistics;
mod study;
mod perturbed;
mod stationary;
mod belt;
mod sensitivity;
mod ranks;
pub mod sweep;

pub use belt::Belt;
pub use drop::{Conditions, ConditionsError, Fall, Outcome, Reason, Spread, Start};
pub use landscape::{Landscape, Pass, Pose};
pub use outline::outline;
pub use part::{Part, PartError};
pub use perturbed::{CONE, perturbed, shaken};
pub use quasi_static::quasi_static;
pub use ranks::rank_correlation;
pub use sensitivity::{VARIED, Variation, Varied, sensitivity};
pub use stationary::{stationary, variances};
pub use statistics::{entropy, normal_quantile, trials_needed, weighted_error, wilson};
pub use study::{Estimate, From, ROUND, Sample, Study};
pub use trials::{Control, Trials, guarded, run_chunks, run_trials};
