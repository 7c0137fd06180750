//! Trace hashes of all built-in scenes: no trajectory changes unnoticed (thesis section 7.1).

use crate::trace_table::{Trace, TraceTable};
use impulse::world::Settings;
use impulse_scenes::scene::{SceneSettings, SceneSource};
use impulse_scenes::{BUILTIN_SCENES, Runner, load_scene};

/// Simulated time of scenes that are not in the table yet, unless their own duration is shorter, s.
const UNTIL: f64 = 1.0;

fn trace(name: &str, until: Option<f64>) -> Trace {
    let source = SceneSource::Builtin(name.to_owned());
    let scene = load_scene(&source, &SceneSettings::default()).unwrap_or_else(|e| panic!("{e}"));
    let until = until.unwrap_or(UNTIL.min(scene.duration));
    let mut runner = Runner::of(scene, Settings::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
    runner.run_until(until).unwrap_or_else(|e| panic!("{name}: {e}"));
    Trace { name: name.to_owned(), until, hash: runner.world().trace_hash() }
}

#[test]
fn traces_have_not_changed() {
    let table = TraceTable::read("trace_hashes_scenes.txt");
    let found = std::thread::scope(|scope| {
        let table = &table;
        let run = |name: &'static str| scope.spawn(move || trace(name, table.until(name)));
        let running: Vec<_> = BUILTIN_SCENES.iter().map(|scene| run(scene.name)).collect();
        running.into_iter().map(|scene| scene.join().unwrap()).collect()
    });
    table.check(found);
}
