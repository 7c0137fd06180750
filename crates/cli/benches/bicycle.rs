//! Speed and roll of the ridden bicycle over its course (figures 7.21 and 7.22), as commanded and as they are.
//!
//! `cargo bench --bench bicycle` writes `docs/bicycle.svg`.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

#[path = "../src/svg.rs"]
#[expect(dead_code, unused_imports, reason = "the command draws more than these plots")]
mod svg;

use glam::{DVec2, DVec3};
use impulse::world::Settings;
use impulse_scenes::scene::{BehaviourError, Me, Plain, SceneSettings, SceneSource};
use impulse_scenes::{Runner, load_scene};
use std::path::Path;
use std::sync::{Arc, Mutex};
use svg::{Picture, Stroke, file};

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// Samples per second.
const RATE: f64 = 20.0;

const DURATION: f64 = 33.0;

/// Where things of the course are, m, and what they are called.
const PLACES: [(f64, &str); 5] = [(28.0, "pylons"), (59.8, "stairs"), (80.0, "wall"), (104.0, "ice"), (121.0, "jump")];

/// Commanded and actual.
const COLOURS: [&str; 2] = ["#d1495b", "#1f6fb4"];

/// What is drawn, at one instant.
#[derive(Clone, Copy)]
struct Sample {
    time: f64,
    /// Place along the course, m.
    way: f64,
    /// Commanded and actual, m/s.
    speeds: [f64; 2],
    /// Commanded and actual, rad.
    rolls: [f64; 2],
}

fn main() -> Fallible<()> {
    let samples = ridden()?;
    let worst = |of: fn(&Sample) -> [f64; 2]| samples.iter().map(of).map(|[a, b]| (a - b).abs()).fold(0.0, f64::max);
    println!("largest error of the speed {:.3} m/s, of the roll {:.3} rad", worst(|s| s.speeds), worst(|s| s.rolls));
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    std::fs::write(docs.join("bicycle.svg"), picture(&samples))?;
    Ok(())
}

/// Runs the scene with a behaviour that looks on.
fn ridden() -> Fallible<Vec<Sample>> {
    let samples = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&samples);
    let mut scene = load_scene(&SceneSource::Builtin("bicycle".to_owned()), &SceneSettings::default())?;
    scene.add_behaviour("recorder", RATE, 0.0, move |me: &mut Me<'_>| {
        let sample = sample(me)?;
        kept.lock().map_err(|_| "the samples are lost")?.push(sample);
        Ok(())
    })?;
    let mut runner = Runner::of(scene, Settings::default())?;
    runner.run_until(DURATION)?;
    let samples = samples.lock().map_err(|_| "the samples are lost")?.clone();
    Ok(samples)
}

fn sample(me: &Me<'_>) -> Result<Sample, BehaviourError> {
    let rider = me.memory_of("rider")?;
    let commanded = |name: &str| rider.get(name).and_then(Plain::number).ok_or("the rider forgot his command");
    let (speed, roll) = (commanded("speed")?, commanded("command")?);
    let frame = me.world().body(me.body("frame")?).ok_or("there is no frame")?;
    let velocity = frame.velocity();
    let left = frame.pose().vector(DVec3::Y);
    let way = frame.pose().translation.x;
    Ok(Sample { time: me.time(), way, speeds: [speed, velocity.length()], rolls: [roll, left.z.asin()] })
}

fn picture(samples: &[Sample]) -> String {
    let panel = |name: &str, range: [f64; 2], of: fn(&Sample) -> [f64; 2]| {
        let mut picture =
            Picture::new(DVec2::new(760.0, 280.0), DVec2::new(0.0, range[0]), DVec2::new(DURATION, range[1]));
        for (i, colour) in COLOURS.into_iter().enumerate() {
            let points: Vec<DVec2> = samples.iter().map(|sample| DVec2::new(sample.time, of(sample)[i])).collect();
            picture.line(&points, &Stroke { colour, width: 1.6, dashes: if i == 0 { "5 3" } else { "" } });
        }
        for (place, what) in PLACES {
            let time = samples.iter().find(|sample| sample.way > place).map_or(DURATION, |sample| sample.time);
            picture.text(DVec2::new(time / DURATION, 0.03), 13.0, "middle", what);
        }
        picture.caption(&[(COLOURS[0], "commanded"), (COLOURS[1], "ridden")]);
        picture.axes("time, s", name);
        picture
    };
    file(&[
        panel("speed, m/s", [2.0, 7.0], |sample| sample.speeds),
        panel("roll to the right, rad", [-0.5, 0.5], |sample| sample.rolls),
    ])
}
