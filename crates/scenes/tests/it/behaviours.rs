//! Behaviours: what they do, against closed forms; that they go on alike from a copy; and what is wrong with them.

use crate::scene_support::{complaint, scene, text};
use impulse::world::Settings;
use impulse_scenes::Runner;
use impulse_scenes::runner::{End, Ended, Pause, RunnerError};
use impulse_scenes::scene::{ParamValue, SceneSettings, Script};

fn runner(script: &str) -> Runner {
    Runner::of(scene(script), Settings::default()).unwrap()
}

fn report(script: &str, until: f64) -> (Ended, Runner) {
    let read = Script::open(&text(script)).unwrap().read(&SceneSettings::default()).unwrap_or_else(|e| panic!("{e}"));
    let mut runner = Runner::of(read.scene, Settings::default()).unwrap();
    let ended = runner.run_reporting(until, read.reports).unwrap_or_else(|e| panic!("{e}"));
    (ended, runner)
}

fn value(ended: &Ended, name: &str) -> ParamValue {
    let found = ended.reported.iter().find(|report| report.name == name).unwrap_or_else(|| panic!("no {name}"));
    found.value.clone().unwrap().unwrap_or_else(|| panic!("{name} is not known"))
}

fn number(ended: &Ended, name: &str) -> f64 {
    match value(ended, name) {
        ParamValue::Number(number) => number,
        ParamValue::Integer(whole) => whole as f64,
        other => panic!("{name} is {other}"),
    }
}

fn height(runner: &Runner, name: &str) -> f64 {
    runner.world().body(runner.world().find(name).unwrap()).unwrap().centre_of_mass().z
}

const BALL: &str = "body(\"ball\", sphere(0.1), #{ at: [0, 0, 1], mass: 2 });\n";

/// With the weight from 0.5 s on it goes on at 4.905 m/s.
#[test]
fn a_force_acts_from_the_tick_on() {
    let script = format!(
        "{BALL} behaviour(\"lift\", 2, |me| if me.time > 0 {{ me.body(\"ball\").set_force([0, 0, 2 * 9.81]); }});"
    );
    let mut runner = runner(&script);
    runner.run_until(1.5).unwrap();
    let fallen = 9.81 * 0.125 + 9.81 * 0.5;
    assert!((height(&runner, "ball") - (1.0 - fallen)).abs() < 1e-12);
}

#[test]
fn velocities_spins_torques_and_pushes_are_those_asked_for() {
    let script = "
        gravity(0, 0, 0);
        body(\"a\", cuboid(1, 1, 1), #{ mass: 6, at: [9, 0, 0] });
        body(\"b\", cuboid(1, 1, 1), #{ mass: 6 });
        behaviour(\"all\", 1, |me| {
            let (a, b) = (me.body(\"a\"), me.body(\"b\"));
            a.velocity = [1, 0, 0]; a.spin = [0, 2, 0];
            b.torque = [0, 0, 3]; b.push([0.5, 0, 0], [0, 6, 0]);
        });
        report(\"a\", |w| w.body(\"a\").velocity[0] + 10 * w.body(\"a\").spin[1]);
        report(\"b\", |w| w.body(\"b\").velocity[1]);
        report(\"spin\", |w| w.body(\"b\").spin[2]);
    "
    .replace("let (a, b) = (me.body(\"a\"), me.body(\"b\"));", "let a = me.body(\"a\"); let b = me.body(\"b\");");
    let (ended, _) = report(&script, 0.5);
    // The moment of inertia is 1 kg m^2; the push has a moment of 3 N m s, the torque acts for half a second.
    for (name, wanted) in [("a", 21.0), ("b", 1.0), ("spin", 4.5)] {
        assert!((number(&ended, name) - wanted).abs() < 1e-12, "{name}: {}", number(&ended, name));
    }
}

/// Ticks at 0.25, 0.75, ... to 10: twenty. The run ends at the tick that says so.
#[test]
fn memory_lasts_reports_are_told_and_a_run_ends() {
    let script = format!(
        "{BALL} let step = param(\"step\", 2); report(\"count\"); report(\"time\", |w| w.time); report(\"never\"); report(\"who\");
        behaviour(\"counter\", 2, |me| {{
            me.memory.count += me.param(\"step\") + step - step;
            me.memory.last = [me.time, #{{ deep: true }}];
            me.report(\"count\", me.memory.count);
            me.report(\"who\", me.name);
            if me.memory.count == 20 {{ me.finish(); }}
        }}, #{{ start: 0.25, memory: #{{ count: 0 }} }});"
    );
    let (ended, runner) = report(&script, 100.0);
    assert_eq!(ended.end, End::Finished);
    assert_eq!((number(&ended, "count"), number(&ended, "time")), (20.0, 4.75));
    assert_eq!(value(&ended, "who"), ParamValue::Text("counter".to_owned()));
    let never = ended.reported.iter().find(|report| report.name == "never").unwrap();
    assert!(matches!(never.value, Ok(None)));
    assert_eq!(runner.world().time(), 4.75);
    let mut runner = runner;
    assert_eq!(runner.advance(200.0, None).unwrap(), Pause::Finished);
    assert!(runner.step(200.0).unwrap().is_none() && runner.next_collision(200.0).unwrap().is_none());
    assert_eq!(runner.world().time(), 4.75);
}

/// Behaviours of one instant are called in the order of the script, and before controllers.
#[test]
fn behaviours_lead_controllers_and_read_joints() {
    let script = "
        gravity(0, 0, 0);
        body(\"cart\", cuboid(0.1, 0.1, 0.1), #{ mass: 2 });
        joint(\"rail\", \"ground\", \"cart\", slider([1, 0, 0]));
        controller(\"drive\", \"rail\", position_pd(#{ k_p: 10 }), #{ rate: 10, goal: 0 });
        report(\"force\"); report(\"output\"); report(\"goal\"); report(\"rate\");
        behaviour(\"first\", 10, |me| { me.controller(\"drive\").set_goal(3); });
        behaviour(\"second\", 10, |me| {
            let drive = me.controller(\"drive\");
            if me.time == 0 { me.report(\"goal\", drive.goal); }
            if me.time > 0 && me.time < 0.15 {
                me.report(\"output\", drive.output);
                me.report(\"rate\", me.joint(\"rail\").rate);
                drive.enabled = false;
                me.joint(\"rail\").set_force(5);
                me.report(\"force\", if drive.enabled { -1.0 } else { me.joint(\"rail\").force });
            }
        });
    ";
    let (ended, runner) = report(script, 1.0);
    // 30 N for 0.1 s, then 5 N for 0.9 s on 2 kg.
    for (name, wanted) in [("goal", 3.0), ("output", 30.0), ("rate", 1.5), ("force", 5.0)] {
        assert!((number(&ended, name) - wanted).abs() < 1e-12, "{name}: {}", number(&ended, name));
    }
    let rail = runner.world().find_joint("rail").unwrap();
    assert!((runner.world().joint(rail).unwrap().rate()[0] - (1.5 + 2.5 * 0.9)).abs() < 1e-12);
}

#[test]
fn goals_of_poses_are_those_of_the_shape() {
    let script = "
        gravity(0, 0, 0);
        body(\"brick\", cuboid(0.2, 0.1, 0.1), #{ mass: 1, com: [0.05, 0, 0], inertia: 0.01 });
        controller(\"carry\", \"brick\", pose_pd(#{ k_p: 25, k_v: 10, turn_k_p: 0.5, turn_k_v: 0.1 }), #{ rate: 100 });
        report(\"goal\"); report(\"y\", |w| w.body(\"brick\").at[1]);
        behaviour(\"lead\", 1, |me| {
            let carry = me.controller(\"carry\");
            if me.time == 0 { carry.goal = #{ at: [0, 2, 0], rotation: axis_angle([0, 0, 1], PI) }; }
            me.report(\"goal\", carry.goal.at[1]);
        });
    ";
    let (ended, _) = report(script, 20.0);
    assert!((number(&ended, "goal") - 2.0).abs() < 1e-12 && (number(&ended, "y") - 2.0).abs() < 1e-6);
}

/// Six bodies, one function, random numbers and lasting contact.
const FROGS: &str = "
    body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true });
    fn frog(me, strength) {
        let own = me.body(me.name);
        me.memory.seen.push(own.contacts.len());
        if me.memory.seen.len() > 5 { me.memory.seen.shift(); }
        if own.at[2] < 0.06 && rand() < 0.3 {
            own.velocity = [rand(-1, 1), rand(-1, 1), strength * rand(1, 2)];
            me.memory.leaps += 1;
            me.report(\"leaps\", me.memory.leaps + own.mean_velocity[0]);
        }
    }
    let strength = 1;
    report(\"leaps\");
    for i in 0..6 {
        body(\"frog \" + i, cuboid(0.1, 0.1, 0.1), #{ at: [0.3 * i, 0, 0.05], mass: 0.1 });
        behaviour(\"frog \" + i, 20 + i, |me| frog(me, strength), #{ memory: #{ leaps: 0, seen: [] } });
    }
";

#[test]
fn a_copy_goes_on_to_the_bit_with_memory_and_random_numbers() {
    let hash = |runner: &Runner| (runner.world().trace_hash(), runner.world().counters().events);
    let mut straight = runner(FROGS);
    straight.run_until(6.0).unwrap();
    let mut first = runner(FROGS);
    first.run_until(2.5).unwrap();
    let mut copies: Vec<Runner> = vec![first.clone()];
    first.run_until(4.0).unwrap();
    copies.push(first.clone());
    // Others go on in between: they share the script's engine.
    first.run_until(6.0).unwrap();
    copies.iter_mut().rev().for_each(|copy| copy.run_until(6.0).unwrap());
    copies.push(first);
    for copy in &copies {
        assert_eq!(hash(copy), hash(&straight));
    }
    // Steps, samples and budgets change nothing.
    let mut stepped = runner(FROGS);
    stepped.sample_every(0.07).unwrap();
    loop {
        while stepped.step(6.0).unwrap().is_some() {}
        if stepped.advance(6.0, Some(0)).unwrap() == Pause::Reached {
            break;
        }
    }
    assert_eq!(hash(&stepped), hash(&straight));
    let other = Script::open(&text(FROGS)).unwrap().read(&SceneSettings { seed: 7, ..SceneSettings::default() });
    let mut other = Runner::of(other.unwrap().scene, Settings::default()).unwrap();
    other.run_until(6.0).unwrap();
    assert_ne!(hash(&other), hash(&straight));
}

/// What a behaviour does, where that fails, and what is told.
const FAILURES: &[(&str, &str, &str)] = &[
    ("loop { }", "2:", "the behaviour takes more than a million steps in one call"),
    ("let i = 0; while true { i += 1; }", "2:", "more than a million steps"),
    ("let b = me.body(\"ball\"); b.force = [0.0 / 0.0, 0, 0];", "2:", "force is NaN: give a finite number"),
    ("let b = me.body(\"ball\"); b.force = 3;", "2:", "force must be three numbers [x, y, z], not 3"),
    ("let b = me.body(\"floor\"); b.force = [1, 0, 0];", "2:", "body \"floor\" is fixed or scripted"),
    ("let b = me.body(\"bal\"); b.force = [1, 0, 0];", "2:", "there is no body `bal`; did you mean `ball`?"),
    ("let b = me.body(\"ball\"); b.farce = [1, 0, 0];", "2:", "there is no `farce` to ask for; did you mean `force`?"),
    ("for hit in me.impacts { me.finish(); }", "2:", "`impacts` is a function"),
    ("let b = me.body(\"ball\"); b.at = [1, 0, 0];", "2:", "`at` can be asked for, but not set"),
    ("me.time = 3;", "2:", "`time` can be asked for, but not set"),
    ("me.joint(\"hip\").rate;", "2:", "there is no joint `hip`"),
    ("me.controller(\"hip\").set_goal(1);", "2:", "there is no controller `hip`"),
    ("me.param(\"sped\");", "2:", "there is no parameter `sped`; did you mean `speed`?"),
    ("me.report(\"length\", 1);", "2:", "there is no report `length`; announce it in the scene with report(name)"),
    ("me.report(\"y\", 1.0 / 0.0);", "2:", "me.report: the value is inf"),
    ("me.memory = 3;", "2:", "me.memory must be a map #{ name: value, ... }, not 3"),
    ("me.memory.world = me;", "2:", "me.memory must be numbers, texts, true, false, arrays and maps of these"),
    ("body(\"new\", 1);", "2:", "`body` cannot be used in a behaviour: it describes scenes"),
    ("count += 1;", "2:1", "the behaviour changes a variable of the script"),
    ("list.push(1);", "2:1", "the behaviour changes a variable of the script"),
    ("throw \"enough\";", "2:", "the script stopped: enough"),
];

#[test]
fn behaviours_that_fail_name_themselves_the_place_and_the_time() {
    for (body, place, told) in FAILURES {
        let script = format!(
            "{BALL}behaviour(\"worker\", 4, |me| {{ if me.time >= 0.5 {{ {body} }} }});
            body(\"floor\", half_space([0, 0, 1], -9), #{{ fixed: true }}); param(\"speed\", 1); report(\"y\");"
        );
        let script = format!("let count = 0; let list = [1, 2]; {script}");
        let mut runner = runner(&script);
        let error = runner.run_until(2.0).unwrap_err();
        assert!(
            matches!(&error, RunnerError::Behaviour { name, time, place: Some(place), .. }
            if name == "worker" && *time == 0.5 && place.line == 2),
            "{error:?}"
        );
        let message = error.to_string();
        let start = format!("behaviour `worker` at 0.5 s: test.rhai:{place}");
        assert!(message.starts_with(&start) && message.contains(told), "{body}: {message}");
        assert!(!message.contains("anon$"), "{message}");
        // The world is whole, and as it was at that tick.
        assert_eq!(runner.world().time(), 0.5);
        assert!((height(&runner, "ball") - (1.0 - 9.81 / 8.0)).abs() < 1e-12);
    }
}

#[test]
fn a_body_that_is_gone_is_told() {
    let script = format!("{BALL} behaviour(\"worker\", 4, |me| me.body(\"ball\").set_force([1, 0, 0]));");
    let mut runner = runner(&script);
    runner.run_until(0.6).unwrap();
    let ball = runner.world().find("ball").unwrap();
    runner.world_mut().remove_body(ball).unwrap();
    let error = runner.run_until(1.0).unwrap_err().to_string();
    assert!(
        error.starts_with("behaviour `worker` at 0.75 s: test.rhai:2") && error.contains("no body `ball`"),
        "{error}"
    );
}

#[test]
fn behaviours_that_are_wrong_from_the_start() {
    for (call, piece) in [
        ("behaviour(\"a\", 0, |me| 1);", "the rate is 0; it must be from 1e-6 to 1e6"),
        ("behaviour(\"a\", 10, |me| { me.body(\"ball\").force = [1, 0, 0]; });", "keep it in a variable first"),
        ("behaviour(\"a\", 10, 3);", "must be a function such as |me|"),
        ("behaviour(\"a\", 10, |me| 1, #{ memory: 3 });", "memory must be a map"),
        ("behaviour(\"a\", 10, |me| 1, #{ start: -1 });", "start is -1"),
        ("behaviour(\"a\", 10, |me| 1, #{ stat: 1 });", "did you mean `start`?"),
        ("behaviour(\"a\", 10, |me| 1); behaviour(\"a\", 10, |me| 1);", "there is another behaviour of this name"),
        ("let s = sphere(1); behaviour(\"a\", 10, |me| s);", "what it uses of the script's variables must be numbers"),
    ] {
        let (line, _, message) = complaint(&format!("{BALL}{call}"));
        assert!(line == 2 && message.contains(piece), "{line} {message}");
    }
    let script = format!("{BALL}behaviour(\"worker\", 4, |a, b| 1);");
    let error = runner(&script).run_until(1.0).unwrap_err().to_string();
    assert!(error.contains("test.rhai:2:1: the function must take one argument, itself: |me| ..."), "{error}");
}
