//! What a trial of a study costs beside the engine's own time: reading the script, building the world, the row.
//!
//! `cargo bench -p impulse-lab --bench sweep -- [SCENE] [TRIALS]`
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench reports on standard output")]

use cpu_time::ThreadTime;
use impulse::world::Settings;
use impulse_lab::sweep::{Design, Task, Worker};
use impulse_scenes::scene::{SceneSettings, Script};
use impulse_scenes::{SceneSource, Workbench};
use std::time::Duration;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let scene = words.first().map_or("box_drop", String::as_str);
    let trials = words.get(1).map_or(10_000, |text| text.parse().unwrap());
    let source = SceneSource::Builtin(scene.to_owned());
    let script = Script::open(&source).unwrap();
    let reports = script.read(&SceneSettings::default()).unwrap().scene.reports;
    let (set, varied, settings) = (Vec::new(), Vec::new(), Settings::default());
    let task = Task { source, set, varied, reports, until: None, limit: u64::MAX, settings };
    let design = Design { axes: Vec::new(), samples: 1, trials, seed: 0, paired: false };
    let (mut worker, mut bench, mut whole, mut engine) =
        (Worker::new(&task), Workbench::default(), Duration::ZERO, Duration::ZERO);
    for i in 0..trials {
        let begun = ThreadTime::now();
        let row = worker.run(i, design.point(i), &|| false);
        whole += begun.elapsed();
        let read = script.read(&SceneSettings { params: Vec::new(), seed: design.point(i).seed }).unwrap();
        let until = read.scene.duration;
        let mut runner = bench.runner(read.scene, settings).unwrap();
        let begun = ThreadTime::now();
        runner.run_until(until).unwrap();
        engine += begun.elapsed();
        assert_eq!(row.trace_hash, format!("{:016x}", runner.world().trace_hash()));
    }
    let [whole, engine] = [whole, engine].map(|time| 1e3 * time.as_secs_f64() / trials as f64);
    println!(
        "{scene}: {trials} trials; {whole:.4} ms each, of which the engine {engine:.4}: {:.3} times",
        whole / engine
    );
}
