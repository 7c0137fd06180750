//! Where in a step a quantity crosses zero, by the cubic through its values and rates at both ends.

/// A quantity that is negative before an event, over a step of unit length.
pub(super) struct Course {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) from_rate: f64,
    pub(super) to_rate: f64,
}

impl Course {
    /// The share of the step after which the quantity is positive by a third of `late`, infinite if it nowhere exceeds `late`.
    pub(super) fn crossing(&self, late: f64) -> f64 {
        let mut high = 1.0;
        if self.to <= late {
            // It may have been positive in between.
            if self.from_rate <= 0.0 || self.to_rate >= 0.0 {
                return f64::INFINITY;
            }
            high = self.peak();
            if self.value(high) <= late {
                return f64::INFINITY;
            }
        }
        let (mut low, wanted) = (0.0, late / 3.0);
        let mut share = high * (wanted - self.from) / (self.value(high) - self.from);
        for _ in 0..60 {
            if !(share > low && share < high) {
                share = 0.5 * (low + high);
            }
            let excess = self.value(share) - wanted;
            if excess.abs() <= 0.1 * late {
                break;
            }
            *(if excess > 0.0 { &mut high } else { &mut low }) = share;
            share -= excess / self.rate(share);
        }
        share
    }

    fn coefficients(&self) -> [f64; 3] {
        let rise = self.to - self.from;
        [self.from_rate, 3.0 * rise - 2.0 * self.from_rate - self.to_rate, self.from_rate + self.to_rate - 2.0 * rise]
    }

    fn value(&self, share: f64) -> f64 {
        let [a, b, c] = self.coefficients();
        self.from + share * (a + share * (b + share * c))
    }

    fn rate(&self, share: f64) -> f64 {
        let [a, b, c] = self.coefficients();
        a + share * (2.0 * b + share * 3.0 * c)
    }

    /// Where the quantity is largest, its rate being positive first and negative last.
    fn peak(&self) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..30 {
            let middle = 0.5 * (low + high);
            *(if self.rate(middle) > 0.0 { &mut low } else { &mut high }) = middle;
        }
        low
    }
}

/// Intervals in which a crossing is looked for.
const PARTS: usize = 6;

/// The time up to `reach` at which a quantity that is negative first exceeds a third of `late`, else `reach`.
pub(super) fn root(quantity: impl Fn(f64) -> f64, reach: f64, late: f64) -> f64 {
    let wanted = late / 3.0;
    let excess = |time: f64| quantity(time) - wanted;
    let mut low = (0.0, excess(0.0));
    for part in 1..=PARTS {
        let time = reach * part as f64 / PARTS as f64;
        let mut high = (time, excess(time));
        if high.1 <= 0.5 * late {
            low = high;
            continue;
        }
        // Illinois: the end that stays twice loses half of its weight.
        let mut last = 0.0;
        for _ in 0..100 {
            let mut middle = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
            if !(middle > low.0 && middle < high.0) {
                middle = 0.5 * (low.0 + high.0);
            }
            let value = excess(middle);
            if value.abs() <= 0.2 * late || high.0 - low.0 <= f64::EPSILON * high.0 {
                return middle;
            }
            if value > 0.0 {
                high = (middle, value);
                low.1 *= if last > 0.0 { 0.5 } else { 1.0 };
            } else {
                low = (middle, value);
                high.1 *= if last < 0.0 { 0.5 } else { 1.0 };
            }
            last = value;
        }
        return high.0;
    }
    reach
}
