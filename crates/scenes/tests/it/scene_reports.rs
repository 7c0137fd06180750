//! What scenes report: values against closed forms, and reports that are wrong.

use crate::scene_support::text;
use impulse::world::Settings;
use impulse_scenes::runner::End;
use impulse_scenes::scene::{ParamValue, SceneError, SceneSettings, Script};
use impulse_scenes::{Runner, SceneDescription};
use std::collections::BTreeMap;

const DROP: &str = "
    duration(0.9);
    let wall = material(#{ friction: 0, restitution: 0.5 });
    body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true, material: wall });
    body(\"ball\", sphere(0.1), #{ at: [0, 0, 0.1 + 9.81 / 8], mass: 2, material: wall });
";

type Value = Result<Option<ParamValue>, SceneError>;

fn run(script: &str) -> (End, f64, BTreeMap<String, Value>) {
    let read = Script::open(&text(script)).unwrap().read(&SceneSettings::default()).unwrap_or_else(|e| panic!("{e}"));
    let until = read.scene.duration;
    let mut runner = Runner::of(read.scene, Settings::default()).unwrap();
    let ended = runner.run_reporting(until, read.reports).unwrap();
    let reported = ended.reported.into_iter().map(|report| (report.name, report.value)).collect();
    (ended.end, runner.world().time(), reported)
}

fn number(value: &Value) -> f64 {
    match value {
        Ok(Some(ParamValue::Number(number))) => *number,
        other => panic!("{other:?}"),
    }
}

/// The ball falls 9.81/8 m, which takes half a second, bounces at 2.4525 m/s and is back after as long.
#[test]
fn reports_have_the_values_of_closed_forms() {
    let asked = "
        report(\"hits\", |w| w.impacts(\"ball\", \"floor\").count);
        report(\"hardest\", |w| w.impacts(\"floor\", \"ball\").hardest);
        report(\"mean\", |w| w.body(\"ball\").mean_velocity[2]);
        report(\"energy\", |w| w.energy);
        report(\"names\", |w| w.names[0] + w.names[1]);
        report_when(\"low\", |w| w.body(\"ball\").at[2] < 0.1 + 9.81 / 16, |w| w.time);
        report_when(\"never\", |w| w.time > 2, |w| 1);
    ";
    let (end, time, found) = run(&format!("{DROP}{asked}"));
    assert_eq!((end, time), (End::Duration, 0.9));
    assert!(matches!(found["hits"], Ok(Some(ParamValue::Integer(1)))), "{:?}", found["hits"]);
    assert!((number(&found["hardest"]) - 2.0 * 1.5 * 9.81 / 2.0).abs() < 1e-6);
    // It rises at 2.4525 m/s at 0.5 s; the mean over the last 0.01 s is the velocity in their middle.
    assert!((number(&found["mean"]) - (2.4525 - 9.81 * 0.395)).abs() < 1e-6, "{:?}", found["mean"]);
    assert!((number(&found["energy"]) - 2.0 * (9.81 * 0.1 + 0.5 * 2.4525_f64.powi(2))).abs() < 1e-6);
    assert!(matches!(&found["names"], Ok(Some(ParamValue::Text(names))) if names == "floorball"));
    // Half of the way takes 0.35355 s, so that the look at 0.36 s is the first.
    assert!((number(&found["low"]) - 0.36).abs() < 1e-9);
    assert!(matches!(found["never"], Ok(None)));
}

#[test]
fn a_run_ends_where_the_script_says() {
    let (end, time, found) = run(&format!(
        "{DROP} look_every(0.25); finish(|w| w.impacts(\"ball\", \"floor\").count > 0); report(\"t\", |w| w.time);"
    ));
    assert_eq!((end, time, number(&found["t"])), (End::Finished, 0.5, 0.5));
}

#[test]
fn reports_do_not_change_what_happens() {
    let hash = |script: &str| {
        let read = Script::open(&text(script)).unwrap().read(&SceneSettings::default()).unwrap();
        let mut runner = Runner::of(read.scene, Settings::default()).unwrap();
        runner.run_reporting(1.0, read.reports).unwrap();
        runner.world().trace_hash()
    };
    let asked =
        "report(\"a\", |w| w.body(\"ball\").mean_velocity[0]); report_when(\"b\", |w| w.time > 0.3, |w| w.energy);";
    assert_eq!(hash(DROP), hash(&format!("{DROP}{asked}")));
}

/// The script is compiled once; another choice of parameters finds nothing of the last.
#[test]
fn a_script_describes_many_scenes() {
    let script = "let n = param(\"n\", 1); for i in 0..n { body(\"b\" + i, sphere(rand(1, 2)), #{ at: [9 * i, 0, 0], mass: 1 }); }
        report(\"n\", |w| n); report(\"bodies\", |w| w.names.len());";
    let script = Script::open(&text(script)).unwrap();
    for (n, seed) in [(3, 1), (1, 2), (3, 1)] {
        let settings = SceneSettings { params: vec![("n".to_owned(), ParamValue::Integer(n))], seed };
        let read = script.read(&settings).unwrap();
        let fresh = impulse_scenes::load_scene(&text(script.text()), &settings).unwrap();
        let radii =
            |scene: &SceneDescription| scene.bodies.iter().map(|b| format!("{:?}", b.shape)).collect::<Vec<_>>();
        assert_eq!(radii(&read.scene), radii(&fresh));
        let mut runner = Runner::of(read.scene, Settings::default()).unwrap();
        let reported = runner.run_reporting(0.1, read.reports).unwrap().reported;
        let values: Vec<_> = reported.into_iter().map(|report| report.value.unwrap()).collect();
        assert_eq!(values, vec![Some(ParamValue::Integer(n)); 2]);
    }
}

#[test]
fn reports_that_are_wrong_say_where_and_why() {
    for (asked, place, told) in [
        ("report(\"x\", |w| { loop { } });", "6:1", "more than a million steps in one call"),
        ("report(\"x\", |w| { let i = 0; while true { i += 1; } i });", "6:", "more than a million steps in one call"),
        ("report(\"x\", |w| 1 / 0);", "6:19", "division by zero"),
        ("report(\"x\", |w| 1.0 / 0.0);", "6:1", "what it reports is inf: give a finite number"),
        ("report(\"x\", |w| body(\"y\", 1));", "6:17", "`body` cannot be used in a report"),
        ("report(\"x\", |w| rand());", "6:17", "`rand` cannot be used in a report"),
        ("report(\"x\", |w| { w.time = 3; 1 });", "6:21", "`time` cannot be used in a report"),
        ("report(\"x\", |w| w.body(\"bal\").mass);", "6:19", "there is no body `bal`; did you mean `ball`?"),
        ("report(\"x\", |w| w.body(\"ball\").hight);", "6:32", "there is no `hight` to ask for"),
        ("report(\"x\", |w| w.names);", "6:1", "must be a number, true, false or a text"),
        ("report(\"x\", |a, b| 1);", "6:1", "the function must take one argument, the world"),
        ("finish(|w| 3);", "6:1", "the condition must be true or false, not 3"),
    ] {
        let (_, time, found) = run(&format!("{DROP}{asked}"));
        assert_eq!(time, 0.9, "the run goes on: {asked}");
        let error = found.values().next().unwrap().as_ref().unwrap_err().to_string();
        assert!(error.starts_with(&format!("test.rhai:{place}")) && error.contains(told), "{asked}: {error}");
        assert!(!error.contains("anon$"), "{error}");
    }
}

#[test]
fn plain_descriptions_go_to_other_threads() {
    fn sent<T: Send + Sync>() {}
    sent::<SceneDescription>();
}
