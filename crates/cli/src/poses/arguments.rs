//! The arguments of `impulse poses`.

use crate::mass::positive;
use clap::{Args, ValueEnum, ValueHint};
use impulse_lab::{Conditions, Spread};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// How parts land: the probability of every pose.
///
/// Drops a part on a flat floor many times and counts the poses in which it comes to rest, each with its confidence interval. The
/// part touches the floor with its convex hull and moves with its real mass; a drop ends as soon as its outcome is decided. The
/// quasi-static estimates from shape alone (thesis section 7.5.2) are computed as well.
#[derive(Args)]
#[command(after_help = "Examples:
  impulse poses parts/bracket.obj --report poses.html            2000 drops of a bracket, and a page to show to others
  impulse poses cap.stl --scale 0.001 --precision 0.01           drops until every probability is known to 1 %
  impulse poses cap.stl --scale 0.001 --start belt --sensitivity --json poses.json")]
pub(crate) struct Arguments {
    /// Parts: STL or OBJ files, or scripts (.rhai) with one free body
    #[arg(required = true, value_name = "PART", value_hint = ValueHint::FilePath)]
    pub(super) parts: Vec<PathBuf>,
    /// Drop into this scene instead of onto a floor: `mesh("part")` in the script is the part, in metres
    ///
    /// The script says from where and how; bodies named `part`, `part 1`, ... count. Told is in which pose of the flat floor each rests, whether
    /// it leans on something, or moves; --json has the place of each. Only --scale, --density, --drops (default 2000), --confidence, --seed, --threads and
    /// --merge have a meaning then.
    #[arg(long, value_name = "FILE.rhai", value_hint = ValueHint::FilePath, conflicts_with_all = ["method", "start", "precision", "sensitivity", "report",
        "friction", "restitution", "rolling_resistance", "height", "speed", "spin", "perturbation", "cone", "envelope", "time_limit"])]
    pub(super) scene: Option<PathBuf>,
    /// How to estimate: by shape alone, by shape with a shake, or by dropping
    #[arg(long, value_enum, default_value_t = Method::Dynamic)]
    pub(super) method: Method,
    /// What drops start from: any attitude, or the poses of parts on a belt
    #[arg(long, value_enum, default_value_t = Beginning::Uniform)]
    pub(super) start: Beginning,
    /// Metres per unit of the file: 0.001 for a part in millimetres; scripts are in metres
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = positive)]
    pub(super) scale: f64,
    /// Density in kg/m^3, which changes no probability; scripts have their own
    #[arg(long, value_name = "D", default_value_t = 1000.0, value_parser = positive)]
    pub(super) density: f64,
    /// Number of drops; with --precision, at most so many [default: 2000; with --precision 1000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    drops: Option<u64>,
    /// Drop until every interval reaches at most so far to either side
    #[arg(long, value_name = "DELTA", value_parser = share)]
    pub(super) precision: Option<f64>,
    /// Confidence of the intervals
    #[arg(long, value_name = "C", default_value_t = 0.95, value_parser = share)]
    pub(super) confidence: f64,
    /// Coefficient of friction between part and floor
    #[arg(long, value_name = "MU", default_value_t = 0.3)]
    friction: f64,
    /// Coefficient of restitution
    #[arg(long, value_name = "E", default_value_t = 0.3)]
    restitution: f64,
    /// Rolling resistance in metres: what ends the rolling of round parts
    #[arg(long, value_name = "L", default_value_t = 0.0)]
    rolling_resistance: f64,
    /// Height of the part's lowest point in metres: a number, or a range LO..HI to draw from
    #[arg(long, value_name = "H", default_value = "0.12", value_parser = spread)]
    height: Spread,
    /// Horizontal speed in m/s: a number or a range
    #[arg(long, value_name = "V", default_value = "0.05", value_parser = spread)]
    speed: Spread,
    /// Angular speed about a random axis in rad/s: a number or a range
    #[arg(long, value_name = "W", default_value = "0", value_parser = spread)]
    spin: Spread,
    /// With --start belt: largest angle in degrees by which a part is off its pose
    #[arg(long, value_name = "DEG", default_value_t = 1.5)]
    perturbation: f64,
    /// Half-angle in degrees of the cone of the perturbed quasi-static estimate
    #[arg(long, value_name = "DEG", default_value_t = 20.0, value_parser = positive)]
    pub(super) cone: f64,
    /// Poses that are separated by less than this share of the part's radius are one
    #[arg(long, value_name = "X", default_value_t = 0.01)]
    pub(super) merge: f64,
    /// How high parts in lasting contact hop, relative to the radius: smaller is dearer and more accurate
    #[arg(long, value_name = "X", default_value_t = 1e-3)]
    envelope: f64,
    /// Simulated seconds after which a drop is given up as undecided
    #[arg(long, value_name = "T", default_value_t = 20.0, value_parser = positive)]
    time_limit: f64,
    /// Repeat the study with friction, restitution, height and speed halved and doubled, one at a time
    #[arg(long)]
    pub(super) sensitivity: bool,
    /// The random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
    /// Number of threads; results do not depend on it [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Write everything as JSON; `-` is standard output, and the report goes to standard error
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Write a page that shows the part in every pose, with charts; several parts stand side by side
    #[arg(long, value_name = "FILE.html")]
    pub(super) report: Option<PathBuf>,
    /// Print nothing but errors
    #[arg(long, short)]
    pub(super) quiet: bool,
}

/// How probabilities are estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Method {
    /// By solid angle, with toppling (7.1)
    QuasiStatic,
    /// The same, shaken once within a cone
    Perturbed,
    /// By dropping
    Dynamic,
}

/// What drops start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Beginning {
    /// Attitudes drawn uniformly from all
    Uniform,
    /// The poses in which earlier drops left the parts
    Belt,
}

/// Most drops of a study that ends when it is precise enough.
const MOST_DROPS: u64 = 1_000_000;

/// Drops of the thesis' studies (section 7.5.4).
const DROPS: u64 = 2000;

impl Arguments {
    pub(super) fn conditions(&self) -> Conditions {
        Conditions {
            friction: self.friction,
            restitution: self.restitution,
            rolling_resistance: self.rolling_resistance,
            height: self.height,
            speed: self.speed,
            spin: self.spin,
            perturbation: self.perturbation.to_radians(),
            envelope: self.envelope,
            time_limit: self.time_limit,
        }
    }

    pub(super) fn drops(&self) -> u64 {
        self.drops.unwrap_or(if self.precision.is_some() { MOST_DROPS } else { DROPS })
    }

    pub(super) fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }

    pub(super) fn writes_to_stdout(&self) -> bool {
        let stdout = Some(Path::new("-"));
        self.json.as_deref() == stdout || self.report.as_deref() == stdout
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x > 0.0 && x < 1.0 => Ok(x),
        _ => Err("must be a number between 0 and 1".to_owned()),
    }
}

fn spread(text: &str) -> Result<Spread, String> {
    let number = |text: &str| match text.trim().parse::<f64>() {
        Ok(x) if x.is_finite() => Ok(x),
        _ => Err("write a number, or a range such as 0.1..0.2".to_owned()),
    };
    match text.split_once("..") {
        None => number(text).map(Spread::exactly),
        Some((low, high)) => {
            let (low, high) = (number(low)?, number(high)?);
            if low > high { Err("write the lower end of the range first".to_owned()) } else { Ok(Spread { low, high }) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Spread, spread};

    #[test]
    fn launches_are_numbers_or_ranges() {
        assert_eq!(spread("0.3"), Ok(Spread::exactly(0.3)));
        assert_eq!(spread("0.1..0.25"), Ok(Spread { low: 0.1, high: 0.25 }));
        assert!(["", "a", "1..", "2..1", "nan", "inf"].iter().all(|text| spread(text).is_err()));
    }
}
