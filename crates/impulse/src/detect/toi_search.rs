//! Input and output of a search for the time of impact (section 2.3.2).

/// What to search for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search {
    /// Time at which the search begins, s.
    pub from: f64,
    /// Time at which it ends at the latest, s; may be infinite.
    pub limit: f64,
    /// Distance at which the shapes touch, m.
    pub touch_distance: f64,
    /// Normal velocity (m/s) below which shapes count as neither approaching nor parting, because it may be rounding.
    pub velocity_tolerance: f64,
}

/// The result of a search, and the work it took.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct Prediction {
    /// Up to this time (s) the shapes do not come nearer than half the touch distance. If they are nearer at the start, they
    /// lose at most a small share of their distance.
    pub time: f64,
    /// Whether they are within the touch distance then, and approach each other; otherwise the search has reached its limit, or
    /// has been cut short.
    pub touches: bool,
    /// Distance queries made.
    pub measurements: u32,
    /// Steps of marches made.
    pub marches: u32,
    /// The smallest distance measured between shapes that do not overlap, m.
    pub nearest: f64,
}
