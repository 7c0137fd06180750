//! Results of the bowling experiments as a table, a plot and a page (figure 7.10).

use super::WINDOW;
use super::throw::{Delivery, Throw};
use crate::svg::{Picture, Stroke, file};
use glam::DVec2;
use std::fmt::Write;

/// Width of the intervals that the plot averages over, m (figure 7.10).
const AVERAGED: f64 = 0.005;

/// Ranges on the pin line in the table, mm to the right of the head pin.
const RANGES: [[i32; 2]; 7] = [[-200, -120], [-120, -60], [-60, -10], [-10, 10], [10, 60], [60, 120], [120, 200]];

/// The range in which the thesis finds hooking balls significantly better, mm.
const POCKET: [i32; 2] = [60, 120];

/// Standard errors above which a difference is not put down to chance, which gives as much once in twenty.
const SURE: f64 = 1.96;

/// All throws.
pub(super) struct Study {
    pub(super) throws: Vec<Throw>,
}

/// Statistics of some throws.
#[derive(Default)]
struct Summary {
    throws: usize,
    /// Pins felled on average.
    mean: f64,
    /// Standard error of the mean.
    error: f64,
    strikes: usize,
}

impl Study {
    /// A table with a row for every throw.
    pub(super) fn csv(&self) -> String {
        let mut text = "delivery,start_m,crossing_m,felled\n".to_owned();
        for Throw { delivery, start, crossing, felled } in &self.throws {
            let _ = writeln!(text, "{},{start:?},{crossing:?},{felled}", delivery.name());
        }
        text
    }

    /// The table on the terminal.
    pub(super) fn table(&self) -> String {
        let mut text = format!("{:<18}{:>20}{:>20}\n", "crossing, mm", "straight", "hooking");
        for range in RANGES {
            let [straight, hooking] = Delivery::ALL.map(|delivery| self.summary(delivery, &[range]));
            let _ = writeln!(text, "{:<18}{:>20}{:>20}", between(range), straight.shown(), hooking.shown());
        }
        text + "pins felled on average, with the standard error; strikes of throws\n"
    }

    /// A plot of the pins felled over the position on the pin line.
    pub(super) fn picture(&self) -> String {
        let half = 100.0 * WINDOW / 2.0;
        let mut picture = Picture::new(DVec2::new(860.0, 400.0), DVec2::new(-half, 0.0), DVec2::new(half, 10.5));
        for edge in POCKET {
            let x = f64::from(edge) / 10.0;
            let stroke = Stroke { colour: "#999", width: 1.2, dashes: "5 5" };
            picture.line(&[DVec2::new(x, 0.0), DVec2::new(x, 10.5)], &stroke);
        }
        for (delivery, colour) in Delivery::ALL.into_iter().zip(COLOURS) {
            picture.line(&self.averages(delivery), &Stroke { colour, width: 2.0, dashes: "" });
        }
        picture.caption(&[(COLOURS[0], "straight balls"), (COLOURS[1], "hooking balls"), ("#999", "+6 and +12 cm")]);
        picture.axes("where the ball crosses the pin line, cm to the right of the head pin", "pins felled");
        file(&[picture])
    }

    /// The page.
    pub(super) fn page(&self) -> String {
        let [straight, hooking] = Delivery::ALL.map(|delivery| self.summary(delivery, &[POCKET]));
        let mut rows = String::new();
        for range in RANGES {
            let [straight, hooking] = Delivery::ALL.map(|delivery| self.summary(delivery, &[range]));
            let _ = writeln!(rows, "| {} | {} | {} |", between(range), straight.shown(), hooking.shown());
        }
        let beside = [RANGES[2], RANGES[4]];
        let difference = hooking.mean - straight.mean;
        format!(
            "# Straight and hooking bowling balls\n\n\
             Written by `impulse strikes` (`cargo xtask strikes`): the bowling experiments of thesis section 7.1, figure 7.10, with the scene `bowling`. \
             {} straight balls\nand {} of a right-hander's hooking balls (2 degrees to the right, 12 rad/s about the lane's direction) cross the pin line at equal\n\
             distances within 40 cm. Positions are to the right of the head pin, on the line through it; where the ball would cross it were there no\n\
             pins. A pin has fallen if it leans by more than 60 degrees at the end.\n\n\
             ![Pins felled over the position on the pin line, averaged over 5 mm](strikes.svg)\n\n\
             | crossing, mm | straight | hooking |\n|---|---:|---:|\n{rows}\n\
             Pins felled on average, with the standard error; in brackets strikes of throws.\n\n\
             - Between +6 and +12 cm a hooking ball fells {} pins and a straight one {}: {difference:+.2}, {:.1} times the standard error{}.\n  \
             The thesis finds the hooking ball significantly better there.\n\
             - Dead on the head pin (within 1 cm) a straight ball fells {} and a hooking one {}; from 1 to 6 cm beside it, on either side, {} and {}. The\n  \
             thesis sees a dip there, from splits.\n\
             - Over the whole window a straight ball fells {} and a hooking one {}.\n",
            self.of(Delivery::Straight).count(),
            self.of(Delivery::Hooking).count(),
            hooking.average(),
            straight.average(),
            difference.abs() / straight.error.hypot(hooking.error),
            verdict(difference, straight.error.hypot(hooking.error)),
            self.summary(Delivery::Straight, &RANGES[3..4]).average(),
            self.summary(Delivery::Hooking, &RANGES[3..4]).average(),
            self.summary(Delivery::Straight, &beside).average(),
            self.summary(Delivery::Hooking, &beside).average(),
            self.summary(Delivery::Straight, &RANGES).shown(),
            self.summary(Delivery::Hooking, &RANGES).shown(),
        )
    }

    fn of(&self, delivery: Delivery) -> impl Iterator<Item = &Throw> {
        self.throws.iter().filter(move |throw| throw.delivery == delivery)
    }

    /// Statistics of the throws that cross the pin line within one of the ranges.
    fn summary(&self, delivery: Delivery, ranges: &[[i32; 2]]) -> Summary {
        let inside = |x: f64, [low, high]: &[i32; 2]| (1e-3 * f64::from(*low)..1e-3 * f64::from(*high)).contains(&x);
        let within = self.of(delivery).filter(|throw| ranges.iter().any(|range| inside(throw.crossing, range)));
        Summary::of(&within.map(|throw| throw.felled).collect::<Vec<_>>())
    }

    /// Averages over intervals of the pin line, in centimetres and pins.
    fn averages(&self, delivery: Delivery) -> Vec<DVec2> {
        let windows = (WINDOW / AVERAGED).round();
        let window_of = |throw: &Throw| ((throw.crossing / WINDOW + 0.5) * windows).floor();
        let window = |i: i32| {
            let within = self.of(delivery).filter(|throw| window_of(throw) == f64::from(i));
            let summary = Summary::of(&within.map(|throw| throw.felled).collect::<Vec<_>>());
            let middle = 100.0 * WINDOW * ((f64::from(i) + 0.5) / windows - 0.5);
            (summary.throws > 0).then(|| DVec2::new(middle, summary.mean))
        };
        (0..windows as i32).filter_map(window).collect()
    }
}

/// Colours of straight and hooking balls.
const COLOURS: [&str; 2] = ["#1f6fb4", "#d1495b"];

impl Summary {
    fn of(felled: &[usize]) -> Self {
        if felled.is_empty() {
            return Self::default();
        }
        let n = felled.len() as f64;
        let mean = felled.iter().sum::<usize>() as f64 / n;
        let squares: f64 = felled.iter().map(|&pins| (pins as f64 - mean).powi(2)).sum();
        let error = (squares / (n - 1.0).max(1.0) / n).sqrt();
        Self { throws: felled.len(), mean, error, strikes: felled.iter().filter(|&&pins| pins == 10).count() }
    }

    fn average(&self) -> String {
        if self.throws == 0 { "-".to_owned() } else { format!("{:.2}", self.mean) }
    }

    fn shown(&self) -> String {
        if self.throws == 0 {
            return "-".to_owned();
        }
        format!("{:.2} ± {:.2} ({}/{})", self.mean, self.error, self.strikes, self.throws)
    }
}

/// What a difference with this standard error says of hooking balls.
fn verdict(difference: f64, error: f64) -> &'static str {
    match difference {
        difference if difference > SURE * error => ", so that the hooking ball is better",
        difference if difference < -SURE * error => ", so that the straight ball is better",
        _ => ", which may be chance: neither is better for all that these throws say",
    }
}

fn between([low, high]: [i32; 2]) -> String {
    format!("{low:+} to {high:+}")
}

#[cfg(test)]
mod tests {
    use super::{Delivery, Study, Summary, Throw};

    fn throw(delivery: Delivery, crossing: f64, felled: usize) -> Throw {
        Throw { delivery, start: crossing, crossing, felled }
    }

    #[test]
    fn means_errors_and_strikes() {
        // Mean 8, squares 4 + 0 + 4 over 2 is a variance of 4, over 3 throws.
        let summary = Summary::of(&[6, 8, 10]);
        assert_eq!((summary.throws, summary.mean, summary.strikes), (3, 8.0, 1));
        assert!((summary.error - (4.0_f64 / 3.0).sqrt()).abs() < 1e-15);
        assert_eq!(Summary::of(&[]).shown(), "-");
    }

    #[test]
    fn throws_are_told_apart_by_kind_and_place() {
        let (straight, hooking) = (Delivery::Straight, Delivery::Hooking);
        let throws = vec![throw(straight, 0.07, 6), throw(straight, 0.13, 2), throw(hooking, 0.0701, 10)];
        let study = Study { throws };
        assert_eq!(study.summary(straight, &[[60, 120]]).mean, 6.0);
        assert_eq!(study.summary(hooking, &[[60, 120]]).strikes, 1);
        assert_eq!(study.averages(straight).len(), 2);
        assert!(study.page().contains("a hooking ball fells 10.00 pins and a straight one 6.00: +4.00"));
        let said = |difference| super::verdict(difference, 0.1).contains("chance");
        assert_eq!([0.19, -0.19, 0.2, -0.2].map(said), [true, true, false, false]);
        assert_eq!(study.csv().lines().nth(3), Some("hooking,0.0701,0.0701,10"));
    }
}
