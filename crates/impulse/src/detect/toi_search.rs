//! What a search for the time of impact is asked, and what it answers (section 2.3.2).

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search {
    /// Where the search begins, s.
    pub from: f64,
    /// Where it ends at the latest, s; may be infinite.
    pub limit: f64,
    /// Distance at which the shapes touch, m.
    pub touch_distance: f64,
    /// Velocity along the normal (m/s) up to which shapes neither approach nor part: below it there is only rounding.
    pub velocity_tolerance: f64,
}

/// What was found, and the work it took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// Up to this time (s) the shapes do not come nearer than half the touch distance, unless they are from the start: then
    /// they do not lose more than a part of their distance.
    pub time: f64,
    /// Whether they are within the touch distance then, and approach each other; else the search has come to its limit, or was
    /// long.
    pub touches: bool,
    /// Distances measured.
    pub measurements: u32,
    /// Steps made with support functions alone.
    pub marches: u32,
    /// The smallest distance measured between shapes that do not overlap, m.
    pub nearest: f64,
}
