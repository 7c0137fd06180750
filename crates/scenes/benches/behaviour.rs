//! What a call of a behaviour costs: a rover that chases another body, after the thesis' figure 7.27, called a million times, and the
//! memory that it has at the beginning and at the end.
//!
//! `cargo bench --bench behaviour`

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use impulse::world::Settings;
use impulse_scenes::{Runner, SceneSettings, SceneSource, load_scene};
use std::time::Instant;

/// Twenty lines, in states as the thesis' own: forward, spin, reverse.
const SCENE: &str = r#"
gravity(0, 0, 0);
body("rover", cuboid(0.6, 0.4, 0.2), #{ mass: 10 });
body("prey", sphere(0.1), #{ at: [3, 1, 0], mass: 1, velocity: [0.1, -0.05, 0] });
fn toward(angle) { angle - TAU * round(angle / TAU) }
behaviour("rover", 1000, |me| {
    let rover = me.body("rover");
    let prey = me.body("prey");
    let way = sub(prey.at, rover.at);
    let ahead = rover.direction([1, 0, 0]);
    let distance = length(way);
    let bearing = toward(atan2(way[1], way[0]) - atan2(ahead[1], ahead[0]));
    let state = me.memory.state;
    if state == "fwd" {
        if abs(bearing) > 0.8 { state = "spin"; }
        if distance < 0.5 { state = "rev"; }
    } else if state == "spin" {
        if abs(bearing) < 0.1 { state = "fwd"; }
    } else if distance > 1.5 {
        state = "fwd";
    }
    let speed = if state == "fwd" { 0.5 } else if state == "rev" { -0.3 } else { 0.0 };
    let push = scale(sub(scale(ahead, speed), rover.velocity), 20.0);
    rover.force = push;
    rover.torque = [0, 0, 2.0 * bearing - 1.5 * rover.spin[2]];
    me.memory.state = state;
    me.memory.calls += 1;
}, #{ memory: #{ state: "fwd", calls: 0 } });
"#;

/// The same with a behaviour that does nothing: what the events cost.
const IDLE: &str = "gravity(0, 0, 0);
body(\"rover\", cuboid(0.6, 0.4, 0.2), #{ mass: 10 });
body(\"prey\", sphere(0.1), #{ at: [3, 1, 0], mass: 1, velocity: [0.1, -0.05, 0] });
behaviour(\"rover\", 1000, |me| ());";

fn main() {
    println!("{:>8} {:>9} {:>12} {:>10}", "scene", "calls", "us per call", "memory MB");
    // The same again without acting: what the script costs, without the engine's new trajectories.
    let thinking = SCENE.replace("rover.force = push", "let f = push").replace("rover.torque =", "let t =");
    for (name, script) in [("idle", IDLE), ("thinking", &thinking), ("rover", SCENE)] {
        let source = SceneSource::Text { name: "rover.rhai".to_owned(), text: script.to_owned() };
        let scene = load_scene(&source, &SceneSettings::default()).expect("the script is right");
        let mut runner = Runner::of(scene, Settings::default()).expect("the scene can be built");
        let mut calls = 0;
        for more in [1_000, 99_000, 900_000] {
            calls += more;
            let begun = Instant::now();
            runner.run_until(f64::from(calls) * 1e-3).expect("the rover goes on");
            let each = 1e6 * begun.elapsed().as_secs_f64() / f64::from(more);
            println!("{name:>8} {calls:>9} {each:>12.2} {:>10.2}", resident_megabytes());
        }
    }
}

/// Memory this process has now, as Linux counts it; not a number elsewhere.
fn resident_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.map_or(f64::NAN, |kilobytes| kilobytes / 1024.0)
}
