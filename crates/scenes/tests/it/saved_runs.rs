//! Runs that are saved, read again and gone on with, to the bit.

use impulse::world::Settings;
use impulse_scenes::acts::{Act, Deed, NewShape};
use impulse_scenes::scene::{ParamValue, SceneFiles};
use impulse_scenes::{Runner, SavedRun, SceneSettings, SceneSource, load_scene};
use std::sync::Arc;

/// All that lasts: memories of every kind, random numbers, impacts heard, means, a creature, a body that gives way.
const SCENE: &str = "
    body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true });
    body(\"lid\", cuboid(0.5, 0.5, 0.05), #{ at: [0, 0, 1], mass: 1, script: oscillator([0, 0, 0.1], 5) });
    let strength = param(\"strength\", 1.5);
    for i in 0..3 { creature(\"frog.rhai\", #{ name: \"f\" + i, at: [0.3 * i - 0.3, 0, 0], strength: strength }); }
    report(\"heard\");
    behaviour(\"ear\", 30, |me| {
        me.memory.odd = [1.0 / 0.0, 0.0 / 0.0, -0.0, #{ deep: () }, |x| x + 1, \"text\", true];
        for hit in me.impacts(\"lid\") { me.memory.count += hit.impulse[2]; }
        if me.time > 0.9 && !me.body(\"lid\").free { me.release(\"lid\"); }
        me.report(\"heard\", me.memory.count);
        me.body(\"f0.frog\").set_force([0.01 * me.memory.count, 0, 0]);
    }, #{ memory: #{ count: 0.0 } });
";

const FROG: &str = "
    param(\"strength\", 1.0);
    body(\"frog\", cuboid(0.1, 0.1, 0.1), #{ at: [0, 0, 0.05], mass: 0.1 });
    behaviour(\"leap\", 20, |me| {
        let own = me.body(\"frog\");
        if own.at[2] < 0.06 && own.mean_velocity[2] < 0.5 && rand() < 0.4 {
            own.velocity = [rand(-1, 1), rand(-1, 1), me.param(\"strength\") * rand(2, 3)];
        }
    });
";

fn source(script: &str) -> SceneSource {
    let bytes = |text: &str| text.as_bytes().to_vec();
    let files = SceneFiles::from([("scene.rhai".to_owned(), bytes(script)), ("frog.rhai".to_owned(), bytes(FROG))]);
    SceneSource::Files { main: "scene.rhai".to_owned(), files: Arc::new(files) }
}

fn begun(source: &SceneSource, settings: &SceneSettings) -> Runner {
    let scene = load_scene(source, settings).unwrap_or_else(|e| panic!("{e}"));
    Runner::of(scene, Settings::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// What is written is all that is needed.
fn through_a_file(runner: &Runner, source: &SceneSource, settings: &SceneSettings) -> Runner {
    let written = SavedRun::new(runner, source, settings, "0.0.0").unwrap().to_json().unwrap();
    let (restored, _) = SavedRun::parse(&written).unwrap().restored().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(restored.world().time(), runner.world().time());
    restored
}

fn outcome(runner: &Runner) -> (u64, u64, f64) {
    (runner.world().trace_hash(), runner.world().counters().events, runner.work_of_hands())
}

#[test]
fn a_saved_run_goes_on_to_the_bit() {
    let (source, params) = (source(SCENE), vec![("strength".to_owned(), ParamValue::Text("1.25".to_owned()))]);
    let settings = SceneSettings { params, seed: 3 };
    let act = |t, deed| Act { t, deed };
    let body = || "f1.frog".to_owned();
    let acts = Arc::new(vec![
        act(0.2, Deed::Grab { body: body(), at: [0.0; 3], to: [0.0, 0.0, 0.5] }),
        act(
            0.35,
            Deed::Add { body: "new".to_owned(), shape: NewShape::Ball(0.05), at: [1.0, 0.0, 1.0], velocity: [0.0; 3] },
        ),
        act(0.7, Deed::Move { to: [0.5, 0.0, 0.5] }),
        act(0.8, Deed::Gravity { to: [0.5, 0.0, -9.0] }),
        act(1.1, Deed::Release),
    ]);
    let mut straight = begun(&source, &settings);
    straight.set_acts(&acts);
    let mut restored = Vec::new();
    for time in [0.0, 0.5, 0.91, 1.3] {
        straight.run_until(time).unwrap();
        restored.push(through_a_file(&straight, &source, &settings));
    }
    straight.run_until(2.0).unwrap();
    assert!(straight.world().counters().collisions > 10 && straight.work_of_hands() != 0.0);
    for mut run in restored {
        run.run_until(1.0).unwrap();
        // Saved again, of what was read.
        let mut again = through_a_file(&run, &source, &settings);
        again.run_until(2.0).unwrap();
        assert_eq!(outcome(&again), outcome(&straight));
        assert_eq!(again.descriptions().count(), straight.descriptions().count());
        assert!(again.world().find("new").is_some());
    }
}

#[test]
fn furniture_goes_on_from_a_file() {
    let (source, settings) = (SceneSource::Builtin("furniture".to_owned()), SceneSettings::default());
    let mut straight = begun(&source, &settings);
    straight.run_until(0.8).unwrap();
    let mut restored = through_a_file(&straight, &source, &settings);
    for runner in [&mut straight, &mut restored] {
        runner.run_until(1.4).unwrap();
    }
    assert_eq!(outcome(&straight), outcome(&restored));
}

#[test]
fn what_does_not_fit_is_refused() {
    let settings = SceneSettings::default();
    let runner = begun(&source(SCENE), &settings);
    let written = SavedRun::new(&runner, &source(SCENE), &settings, "0.0.0").unwrap().to_json().unwrap();
    let told = |text: &str| match SavedRun::parse(text) {
        Ok(saved) => saved.restored().map(|_| ()).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    };
    assert!(told("{}").contains("this is no saved run: missing field"));
    assert!(told(&written[..written.len() / 2]).contains("this is no saved run"));
    for (from, to, piece) in [
        ("\"format\":1", "\"format\":7", "the state has format 7"),
        ("[[\"strength\",{\"Number\":1.5}]]", "[[\"strength\",{\"Number\":1.6}]]", "the parameters differ"),
        ("body(\\\"floor\\\"", "body(\\\"flour\\\"", "the scripts differ"),
        ("\"done\":0", "\"done\":5", "what was done by hand cannot have been done"),
        ("\"memories\":[", "\"memories\":[{},", "the behaviours differ"),
        ("\"new\":[0", "\"new\":[9", "the behaviours differ"),
    ] {
        assert!(written.contains(from), "{from}");
        let message = told(&written.replacen(from, to, 1));
        assert!(message.contains(piece), "{from}: {message}");
    }
}
