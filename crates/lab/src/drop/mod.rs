//! One drop of a part onto a flat floor (section 7.5.3): how it starts, when its end is decided, and how that is simulated.

mod conditions;
mod start;
mod footing;
mod fall;

pub use conditions::{Conditions, ConditionsError, Spread};
pub use fall::{Fall, Outcome, Reason};
pub use start::Start;
