//! The creature war (thesis section 7.3): a rover that pushes bugs over the edge, from creatures of the library.

use crate::judged::Judge;
use crate::scene_support::scene;
use impulse::world::Settings;
use impulse_scenes::runner::Ended;
use impulse_scenes::scene::{MotionDescription, ParamValue, SceneSettings, SceneSource, Script};
use impulse_scenes::{BUILTIN_CREATURES, Runner, load_scene};
use std::collections::BTreeSet;

fn begun(bugs: i64, seed: u64) -> Runner {
    let params = vec![("bugs".to_owned(), ParamValue::Integer(bugs))];
    let scene = load_scene(&SceneSource::Builtin("creature_war".to_owned()), &SceneSettings { params, seed }).unwrap();
    Runner::of(scene, Settings::default()).unwrap()
}

/// Runs a war to its end.
fn fought(bugs: i64, seed: u64) -> (Ended, Runner) {
    let params = vec![("bugs".to_owned(), ParamValue::Integer(bugs))];
    let script = Script::open(&SceneSource::Builtin("creature_war".to_owned())).unwrap();
    let read = script.read(&SceneSettings { params, seed }).unwrap();
    let mut runner = Runner::of(read.scene, Settings::default()).unwrap();
    let ended = runner.run_reporting(240.0, read.reports).unwrap_or_else(|error| panic!("{error}"));
    (ended, runner)
}

fn told(ended: &Ended, name: &str) -> ParamValue {
    let found = ended.reported.iter().find(|report| report.name == name).unwrap();
    found.value.clone().unwrap().unwrap_or_else(|| panic!("{name}: none"))
}

#[test]
fn three_bugs_are_pushed_over_the_edge_and_the_rover_stays() {
    let (ended, runner) = fought(3, 0);
    let world = runner.world();
    assert_eq!(told(&ended, "bugs fallen"), ParamValue::Integer(3));
    assert_eq!(told(&ended, "rover on the world"), ParamValue::Flag(true));
    assert!(world.time() < 60.0, "{} s", world.time());
    // What behaviours tell of their states, beside the whole time.
    let rover = runner.states().find(|(name, _)| *name == "rover.control").unwrap().1;
    let all = rover.until(world.time());
    assert_eq!(rover.now, "done");
    assert!(all["push"].0 >= 2 && all["push"].1 > 3.0, "{all:?}");
    assert!((all.values().map(|(_, seconds)| seconds).sum::<f64>() - world.time()).abs() < 1e-9);
    let fell = runner.states().filter(|(name, states)| name.starts_with("bug ") && states.now == "fallen").count();
    assert_eq!(fell, 3);
    // Energy comes from nowhere, and nearly all hops are solved.
    assert!(world.energy_rise() <= world.energy_allowance(), "{:e}", world.energy_rise());
    let counters = world.counters();
    assert!(10 * counters.unconverged < counters.hops, "{counters:?}");
}

/// Also while the rover pushes: from 2.7 s on.
#[test]
fn nothing_overlaps_and_nobody_falls_through() {
    let mut runner = begun(3, 0);
    let judge = Judge::of(runner.world());
    for k in 1..=16 {
        runner.run_until(0.25 * f64::from(k)).unwrap();
        assert_eq!(judge.overlap(runner.world(), runner.world().time()), None);
    }
    assert!(runner.world().min_separation() > 0.0);
    assert!(runner.world().energy_rise() <= runner.world().energy_allowance());
}

#[test]
fn a_copy_of_the_war_goes_on_to_the_bit_on_another_thread() {
    let mut runner = begun(4, 7);
    runner.run_until(0.7).unwrap();
    let mut copy = runner.clone();
    runner.run_until(1.2).unwrap();
    let copy = std::thread::spawn(move || {
        copy.run_until(1.2).unwrap();
        copy
    });
    assert_eq!(copy.join().unwrap().world().trace_hash(), runner.world().trace_hash());
}

/// Ten controllers of a rover and two bugs act 1000 times a second: that costs one launch of each linkage. Behaviours, 100 times a second, cost none.
#[test]
fn a_tick_costs_one_launch_of_each_linkage() {
    let mut runner = begun(2, 0);
    runner.run_until(1.0).unwrap();
    let before = runner.world().counters();
    runner.run_until(1.5).unwrap();
    let after = runner.world().counters();
    let [launches, ticks, collisions] =
        [after.launches - before.launches, after.ticks - before.ticks, after.collisions - before.collisions];
    assert_eq!([ticks, collisions], [500 + 3 * 50, 0]);
    assert_eq!(launches, 3 * 500);
}

/// Seven links, four wheels, two pistons; three links of a bug; controllers act once each at their ticks, 1000 times a second.
#[test]
fn creatures_have_the_links_of_the_thesis() {
    let runner = begun(2, 0);
    let of = |creature: &str| {
        let all = runner.scene().bodies.iter();
        all.filter(|body| body.name.starts_with(creature) && !matches!(body.motion, MotionDescription::Fixed)).count()
    };
    assert_eq!([of("rover."), of("bug 1."), of("bug 2.")], [7, 3, 3]);
    assert_eq!(runner.scene().controllers.len(), 6 + 2 * 2);
    assert!(runner.scene().included.is_empty(), "creatures of the library are no files of the scene");
}

/// A content bug stands, one that is far out walks to the middle, one that the enemy is near flees; each clone for itself.
#[test]
fn bugs_follow_their_field() {
    let script = "
        envelope(1e-3);
        body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true, material: material(#{ friction: 0.7, restitution: 0.1 }) });
        body(\"enemy\", sphere(0.2), #{ at: [0, 5, 0.2], fixed: true });
        for (at, i) in [[0, 0, 0.005], [3.5, 0, 0.005], [0.5, 4.2, 0.005]] { creature(\"builtin/bug.rhai\", #{ name: \"bug \" + i, at: at, enemy: \"enemy\" }); }";
    let mut runner = Runner::of(scene(script), Settings::default()).unwrap();
    let place = |runner: &Runner, i: usize| {
        let body = runner.world().find(&format!("bug {i}.body")).unwrap();
        runner.world().pose_at(body, runner.world().time()).unwrap().translation.truncate()
    };
    let before = [0, 1, 2].map(|i| place(&runner, i));
    runner.run_until(2.0).unwrap();
    let states: Vec<&str> = runner.states().map(|(_, states)| states.now.as_str()).collect();
    assert_eq!(states, ["content", "walks", "flees"]);
    runner.run_until(5.0).unwrap();
    let after = [0, 1, 2].map(|i| place(&runner, i));
    assert!(after[0].distance(before[0]) < 0.1, "{}", after[0]);
    // It looks away from the middle at first.
    assert!(after[1].length() < before[1].length() - 0.2, "{}", after[1]);
    let enemy = glam::DVec2::new(0.0, 5.0);
    assert!(after[2].distance(enemy) > before[2].distance(enemy) + 0.5, "{}", after[2]);
}

#[test]
fn every_creature_in_the_folder_is_in_the_list() {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/creatures")).unwrap();
    let files: BTreeSet<String> =
        folder.map(|f| format!("builtin/{}", f.unwrap().file_name().into_string().unwrap())).collect();
    assert_eq!(files, BUILTIN_CREATURES.iter().map(|creature| creature.file.to_owned()).collect());
}

#[test]
fn a_state_is_told_in_time_and_lasts_until_the_next() {
    let script = "
        body(\"ball\", sphere(0.1), #{ mass: 1 });
        gravity(0, 0, 0);
        behaviour(\"b\", 10, |me| { if me.state == \"\" { me.state = \"a\"; } else if me.time > 0.55 { me.state = \"b\"; } });
        behaviour(\"none\", 10, |me| ());";
    let mut runner = Runner::of(scene(script), Settings::default()).unwrap();
    runner.run_until(1.0).unwrap();
    let told: Vec<_> = runner.states().collect();
    assert_eq!((told.len(), told[0].0, told[0].1.now.as_str()), (1, "b", "b"));
    let all = told[0].1.until(1.0);
    assert!(all["a"].0 == 1 && (all["a"].1 - 0.6).abs() < 1e-12 && (all["b"].1 - 0.4).abs() < 1e-12, "{all:?}");
    let wrong = "body(\"ball\", sphere(0.1), #{ mass: 1 }); behaviour(\"b\", 10, |me| { me.state = 3; });";
    let error = Runner::of(scene(wrong), Settings::default()).unwrap().run_until(1.0).unwrap_err().to_string();
    assert!(error.contains("me.state"), "{error}");
}

#[test]
fn the_envelope_is_the_scenes() {
    let text = |line: &str| format!("{line} body(\"ball\", sphere(0.1), #{{ mass: 1 }});");
    let height = |line: &str| {
        let runner = Runner::of(scene(&text(line)), Settings { hop_height: 2e-5, ..Settings::default() }).unwrap();
        runner.world().snapshot().settings().hop_height
    };
    assert_eq!([height("envelope(1e-3);"), height("")], [1e-3, 2e-5]);
    for wrong in ["envelope(0);", "envelope(0.5);", "envelope(\"x\");"] {
        let source = SceneSource::Text { name: "t.rhai".to_owned(), text: text(wrong) };
        let error = load_scene(&source, &SceneSettings::default()).unwrap_err().to_string();
        assert!(error.contains("envelope"), "{error}");
    }
}
