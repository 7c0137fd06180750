//! Furniture that arranges itself (thesis section 7.3).

use crate::judged::assert_apart;
use impulse::world::Settings;
use impulse_scenes::Runner;
use impulse_scenes::runner::Ended;
use impulse_scenes::scene::{ParamValue, SceneSettings, SceneSource, Script};

fn arranged(wall: f64) -> (Ended, Runner) {
    let params = vec![("wall".to_owned(), ParamValue::Number(wall))];
    let script = Script::open(&SceneSource::Builtin("furniture".to_owned())).unwrap();
    let read = script.read(&SceneSettings { params, seed: 0 }).unwrap();
    let duration = read.scene.duration;
    let mut runner = Runner::of(read.scene, Settings::default()).unwrap();
    let ended = runner.run_reporting(duration, read.reports).unwrap_or_else(|error| panic!("{error}"));
    (ended, runner)
}

fn number(ended: &Ended, name: &str) -> f64 {
    let found = ended.reported.iter().find(|report| report.name == name).unwrap();
    match &found.value {
        Ok(Some(ParamValue::Number(number))) => *number,
        Ok(Some(ParamValue::Integer(whole))) => *whole as f64,
        other => panic!("{name}: {other:?}"),
    }
}

/// Chairs stand 0.78 m from the middle of the table, or 0.28 m from a wall if that is less. The table ends at x = 4.18 m.
#[track_caller]
fn check(wall: f64, far: f64) {
    let (ended, runner) = arranged(wall);
    assert_apart(runner.world());
    assert_eq!(number(&ended, "goals"), 8.0);
    assert!((number(&ended, "table x") - 4.18).abs() < 0.04 && number(&ended, "table y").abs() < 0.04);
    assert!(number(&ended, "least upright") > 0.9999);
    assert!((number(&ended, "near side") - 0.78).abs() < 0.06, "{}", number(&ended, "near side"));
    assert!((number(&ended, "far side") - far).abs() < 0.06, "{}", number(&ended, "far side"));
    let bottle = ended.reported.iter().find(|report| report.name == "bottle on the table").unwrap();
    assert!(matches!(bottle.value, Ok(Some(ParamValue::Flag(true)))), "{:?}", bottle.value);
    assert!(number(&ended, "leaps") >= 1.0);
    let settled = runner.world().body_refs().filter(|body| body.name().starts_with("chair") && body.settled());
    assert_eq!(settled.count(), 6);
}

#[test]
fn furniture_is_arranged_and_chairs_scoot_in_at_the_wall() {
    check(5.0, 5.0 - 4.18 - 0.28);
}

#[test]
fn a_wall_that_is_moved_leaves_chairs_their_place() {
    check(5.9, 0.78);
}

#[test]
fn a_copy_from_the_middle_goes_on_to_the_bit() {
    let scene = impulse_scenes::load_scene(&SceneSource::Builtin("furniture".to_owned()), &SceneSettings::default());
    let mut runner = Runner::of(scene.unwrap(), Settings::default()).unwrap();
    runner.run_until(3.0).unwrap();
    let mut copy = runner.clone();
    runner.run_until(4.5).unwrap();
    // On another thread, where the script is compiled anew.
    let copy = std::thread::spawn(move || {
        copy.run_until(4.5).unwrap();
        copy
    });
    assert_eq!(copy.join().unwrap().world().trace_hash(), runner.world().trace_hash());
}
