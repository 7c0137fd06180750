//! Scripted bodies that behaviours let go and take up again, and the impacts that they hear of.

use crate::scene_support::{complaint, scene, text};
use impulse::world::Settings;
use impulse_scenes::Runner;
use impulse_scenes::runner::Ended;
use impulse_scenes::scene::{ParamValue, SceneSettings, Script};

fn report(script: &str, until: f64) -> (Ended, Runner) {
    let read = Script::open(&text(script)).unwrap().read(&SceneSettings::default()).unwrap_or_else(|e| panic!("{e}"));
    let mut runner = Runner::of(read.scene, Settings::default()).unwrap();
    let ended = runner.run_reporting(until, read.reports).unwrap_or_else(|e| panic!("{e}"));
    (ended, runner)
}

#[track_caller]
fn number(ended: &Ended, name: &str) -> f64 {
    let found = ended.reported.iter().find(|report| report.name == name).unwrap_or_else(|| panic!("no {name}"));
    match found.value.clone().unwrap_or_else(|e| panic!("{e}")) {
        Some(ParamValue::Number(number)) => number,
        Some(ParamValue::Integer(whole)) => whole as f64,
        other => panic!("{name}: {other:?}"),
    }
}

/// A gate of 20 kg that stands in the way of a ball. Struck, it gives way with the impulse that it got; two seconds later it is taken
/// back to where it was.
const GATE: &str = "
    gravity(0, 0, 0);
    body(\"gate\", cuboid(0.1, 2, 2), #{ mass: 20, script: keyframes([#{ time: 0 }, #{ time: 1 }]) });
    body(\"ball\", sphere(0.1), #{ at: [-2.15, 0.3, 0.2], velocity: [4, 0, 0], mass: 5, material: material(#{ friction: 0, restitution: 1 }) });
    report(\"hits\"); report(\"when\"); report(\"momentum\"); report(\"back\"); report(\"was free\");
    report(\"end\", |w| length(w.body(\"gate\").at) + 1 - w.body(\"gate\").rotation[0] ** 2);
    behaviour(\"guard\", 50, |me| {
        let gate = me.body(\"gate\");
        for hit in me.impacts(\"gate\") {
            if hit.other != \"ball\" { throw hit.other; }
            me.memory.hits += 1;
            me.report(\"when\", hit.time);
            me.release(\"gate\");
            gate.push(hit.at, hit.impulse);
            me.report(\"momentum\", 20 * gate.velocity[0] + 5 * me.body(\"ball\").velocity[0]);
        }
        me.report(\"hits\", me.memory.hits);
        if me.memory.hits > 0 && me.time > 2.5 && gate.free {
            me.report(\"was free\", length(gate.at));
            me.script(\"gate\", keyframes([#{ time: me.time }, #{ time: me.time + 1, at: [0, 0, 0], rotation: [1, 0, 0, 0] }]));
        }
        me.report(\"back\", if gate.free { 0 } else { 1 });
    }, #{ memory: #{ hits: 0 } });
";

#[test]
fn a_gate_that_is_struck_gives_way_and_is_taken_back() {
    let (ended, runner) = report(GATE, 4.0);
    // 2 m at 4 m/s.
    assert!((number(&ended, "when") - 0.5).abs() < 1e-6);
    // The ball rebounds from what does not give way, and the gate gets the impulse of that: momentum is what it was.
    assert!((number(&ended, "momentum") - 20.0).abs() < 1e-9, "{}", number(&ended, "momentum"));
    assert_eq!((number(&ended, "hits"), number(&ended, "back")), (1.0, 1.0));
    // With restitution 0.5 the ball comes back at 2 m/s: 30 N s give 20 kg 1.5 m/s, from the call after the blow to that after 2.5 s.
    let way = number(&ended, "was free");
    assert!((way - 1.5 * 2.02).abs() < 1e-9, "{way}");
    assert!(number(&ended, "end") < 1e-12);
    assert!(!runner.world().body(runner.world().find("gate").unwrap()).unwrap().is_free());
}

#[test]
fn copies_go_on_alike_from_before_and_after_the_blow() {
    let mut straight = Runner::of(scene(GATE), Settings::default()).unwrap();
    let mut copies = Vec::new();
    for time in [0.3, 0.501, 1.0, 2.6] {
        straight.run_until(time).unwrap();
        copies.push(straight.clone());
    }
    straight.run_until(4.0).unwrap();
    for copy in &mut copies {
        copy.run_until(4.0).unwrap();
        assert_eq!(copy.world().trace_hash(), straight.world().trace_hash());
    }
    // One event at a time it is the same.
    let mut stepped = Runner::of(scene(GATE), Settings::default()).unwrap();
    while stepped.step(4.0).unwrap().is_some() {}
    stepped.run_until(4.0).unwrap();
    assert_eq!(stepped.world().trace_hash(), straight.world().trace_hash());
}

/// Every behaviour hears of every impact once, whatever its rate.
#[test]
fn impacts_are_heard_once() {
    let script = "
        body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true });
        body(\"ball\", sphere(0.1), #{ at: [0, 0, 1], mass: 1 });
        report(\"slow\"); report(\"fast\"); report(\"all\", |w| w.impacts(\"ball\", \"floor\").count);
        report(\"impulse\"); report(\"hardest\", |w| w.impacts(\"ball\", \"floor\").hardest);
        fn count(me) {
            for hit in me.impacts(\"ball\") {
                me.memory.count += 1;
                me.memory.most = max(me.memory.most, hit.impulse[2]);
            }
            me.report(me.name, me.memory.count);
            me.report(\"impulse\", me.memory.most);
        }
        for (name, i) in [\"slow\", \"fast\"] { behaviour(name, [3, 170][i], |me| count(me), #{ memory: #{ count: 0, most: 0.0 } }); }
    ";
    // The last calls of both are at 3 s.
    let (ended, _) = report(script, 3.0);
    assert!(number(&ended, "all") > 4.0);
    for name in ["slow", "fast"] {
        assert_eq!(number(&ended, name), number(&ended, "all"), "{name}");
    }
    assert!((number(&ended, "impulse") - number(&ended, "hardest")).abs() < 1e-12);
}

/// A periodic motion begins when the body is given it, unless it says when.
#[test]
fn motions_that_are_given_in_a_run_begin_there() {
    let script = "
        gravity(0, 0, 0);
        body(\"wheel\", cylinder(0.2, 0.1), #{ mass: 1, velocity: [1, 0, 0] });
        report(\"angle\", |w| 2 * atan2(w.body(\"wheel\").rotation[3], w.body(\"wheel\").rotation[0]));
        report(\"x\", |w| w.body(\"wheel\").at[0]);
        behaviour(\"turn\", 1, |me| if me.time == 2 { me.script(\"wheel\", spinner([0, 0, 1], 0.5)); });
    ";
    let (ended, _) = report(script, 3.0);
    assert!((number(&ended, "angle") - 0.5).abs() < 1e-12 && (number(&ended, "x") - 2.0).abs() < 1e-12);
}

#[test]
fn what_is_wrong_is_told() {
    let start = "
        body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true });
        body(\"light\", sphere(0.1), #{ at: [0, 0, 3], script: keyframes([#{ time: 0 }, #{ time: 1 }]) });
        body(\"sunk\", sphere(0.1), #{ mass: 1, at: [5, 0, 0], script: keyframes([#{ time: 0 }, #{ time: 1 }]) });
        body(\"ball\", sphere(0.1), #{ at: [9, 0, 3], mass: 1 });
        body(\"arm\", sphere(0.1), #{ at: [12, 0, 3], mass: 1 });
        joint(\"pivot\", \"ground\", \"arm\", hinge([0, 1, 0], [12, 0, 4]));
    ";
    for (act, piece) in [
        ("me.release(\"light\");", "me.release: body `light`: it has no mass: give it one in the scene"),
        ("me.release(\"floor\");", "me.release: body `floor`: it is fixed"),
        ("me.release(\"lihgt\");", "there is no body `lihgt`; did you mean `light`?"),
        ("me.release(\"sunk\");", "body \"sunk\" overlaps \"floor\""),
        ("me.script(\"ball\", spinner([0, 0, 1], 1, #{ start: -1 }));", "body \"ball\" would jump"),
        ("me.script(\"ball\", keyframes([#{ time: 0, at: [0, 0, 0] }, #{ time: 1 }]));", "body \"ball\" would jump"),
        ("me.script(\"ball\", keyframes([#{ time: 1 }, #{ time: 0 }]));", "me.script: body `ball`"),
        ("me.script(\"ball\", 3);", "me.script must be a motion such as keyframes"),
        ("me.script(\"arm\", spinner([0, 0, 1], 1));", "body \"arm\" is joined to others"),
        ("me.script(\"floor\", spinner([0, 0, 1], 1));", "body \"floor\" is fixed"),
        ("me.impacts(\"x\");", "there is no body `x`"),
        ("me.relese(\"ball\");", "unknown function `relese`"),
    ] {
        let script = format!("{start}\nbehaviour(\"b\", 10, |me| {{ {act} }});");
        let error = Runner::of(scene(&script), Settings::default()).unwrap().run_until(1.0).unwrap_err().to_string();
        assert!(error.starts_with("behaviour `b` at 0 s: test.rhai:9:") && error.contains(piece), "{act}: {error}");
    }
    let (_, _, message) = complaint("body(\"a\", sphere(1), #{ mass: -1, script: spinner([0, 0, 1], 1) });");
    assert!(message.contains("body `a`"), "{message}");
}
