//! Scenes that once went wrong (`tests/data/faults`) because points struck at one instant were resolved one after the other, or
//! because slip turned round within a hop (beside sections 3.3, 3.5): what theory says comes out.

use crate::faults::{described, open, run};
use crate::thesis_scenes::{place, state};
use impulse::world::{Event, Settings};
use impulse_scenes::Runner;
use impulse_scenes::scene::ParamValue;

const G: f64 = 9.81;

/// Runs through the next impact of points struck together.
fn strike(runner: &mut Runner) -> f64 {
    runner.next_collision(10.0).unwrap().unwrap().time
}

/// It rose by 4 mm where theory says 112.5 mm, and with restitution 0.8 it tipped over.
#[test]
fn a_flat_box_rises_like_a_ball() {
    for restitution in [0.5, 0.8] {
        let mut runner = open("flat_box", &[("e", ParamValue::Number(restitution))], 0);
        let mut height = 0.45;
        while height > 1e-3 {
            let time = strike(&mut runner);
            let top = time + state(runner.world(), "box").velocity.z / G;
            let box_id = runner.world().find("box").unwrap();
            let apex = runner.world().principal_state_at(box_id, top).unwrap();
            height *= restitution * restitution;
            let at = apex.world_from_body.translation;
            assert!((at.z - 0.05 - height).abs() < 1e-6 * height + 1e-9, "{} instead of {height}", at.z - 0.05);
            assert!(apex.spin.length() < 1e-9 && at.truncate().length() < 1e-9, "{apex:?}");
        }
        run(&mut runner, 6.0);
        assert_eq!(runner.world().settled(runner.world().find("box").unwrap()), Some(true));
    }
}

/// It left at 0.45 m/s with 0.49 rad/s.
#[test]
fn a_flat_rod_leaves_without_spin() {
    let mut runner = open("flat_rod", &[], 0);
    strike(&mut runner);
    let (rod, speed) = (state(runner.world(), "b"), (2.0 * G * 0.1_f64).sqrt());
    assert!((rod.velocity.z / (0.5 * speed) - 1.0).abs() < 1e-6, "{} of {speed}", rod.velocity.z);
    assert!(rod.spin.length() < 1e-9 && rod.velocity.truncate().length() < 1e-9, "{rod:?}");
    run(&mut runner, 0.2);
}

/// The middle of a flight of the block, s, and its mean angular velocity in it, rad/s.
type Flight = (f64, f64);

/// A block that rocks: its flights, and when it changed edges. It never leaves its plane.
fn rocked(hop_height: f64, until: f64) -> (Vec<Flight>, Vec<f64>) {
    let settings = Settings { hop_height, ..Settings::default() };
    let mut runner = Runner::of(described("rocking_block", &[], 0), settings).unwrap();
    let (mut flights, mut impacts): (Vec<Flight>, Vec<f64>) = (Vec::new(), Vec::new());
    while runner.world().time() < until {
        let event = runner.step(until + 1.0).unwrap().unwrap();
        let (now, next) = (runner.world().time(), runner.world().next_event().unwrap());
        if matches!(event, Event::Impact(_)) && impacts.last().is_none_or(|last| now - last > 0.05) {
            impacts.push(now);
        }
        let block = state(runner.world(), "b");
        let out = [block.world_from_body.translation.y, block.velocity.y, block.spin.x, block.spin.z];
        assert!(out.iter().all(|x| x.abs() < 1e-9), "{out:?} at {now} s");
        if next - now > 1e-2 * hop_height.sqrt() {
            let id = runner.world().find("b").unwrap();
            let [from, to] = [now, next].map(|t| runner.world().pose_at(id, t).unwrap().rotation);
            let turn = to * from.conjugate();
            flights.push((0.5 * (now + next), 2.0 * turn.y.atan2(turn.w) / (next - now)));
        }
    }
    run(&mut runner, until + 0.01);
    (flights, impacts)
}

/// What the straight line through the means of two flights is at a time.
fn at(time: f64, [(t0, w0), (t1, w1)]: [Flight; 2]) -> f64 {
    w0 + (w1 - w0) * (time - t0) / (t1 - t0)
}

/// What the block keeps of its angular velocity at each change of edges, relative to what Housner says. The flight that the impact
/// cuts short is left out: its angular velocity belongs to the middle of the whole one.
fn off_housner(hop_height: f64) -> Vec<f64> {
    let (flights, impacts) = rocked(hop_height, 2.0);
    let off = |impact: &f64| {
        let first = flights.partition_point(|(time, _)| time < impact);
        let [before, after] = [first - 3, first].map(|i| at(*impact, [flights[i], flights[i + 1]]));
        // 1 - 3/2 sin^2 alpha, of a block 0.1 m wide and 0.4 m high.
        let housner = 1.0 - 1.5 * 0.1 * 0.1 / (0.1 * 0.1 + 0.4 * 0.4);
        after / before / housner - 1.0
    };
    impacts.iter().map(off).collect()
}

/// Housner 1963: each time the block changes edges it keeps `1 - 3/2 sin^2 alpha` of its angular velocity. It left its plane, and
/// rocked higher by 1.7 %.
#[test]
fn a_rocking_block_keeps_its_plane_and_housners_ratio() {
    for hop_height in [1e-5, 1e-7] {
        let off = off_housner(hop_height);
        assert!(off.len() >= 5 && off.iter().all(|off| off.abs() < 1e-3), "{off:?}");
    }
}

/// It was thrown off its course by 0.15 m. At the step's edge the wheel keeps 1 - 2 h / 3 R of its velocity, and climbs on.
#[test]
fn a_cylinder_goes_straight_over_a_step() {
    let mut runner = open("cylinder_over_step", &[], 0);
    run(&mut runner, 2.0);
    let wheel = state(runner.world(), "wheel");
    let (radius, height, speed) = (0.05, 0.01, 0.626);
    let turned = speed * (1.0 - 2.0 * height / (3.0 * radius));
    let wanted = (turned * turned - 4.0 / 3.0 * G * height).sqrt();
    assert!((wheel.velocity.x / wanted - 1.0).abs() < 1e-4, "{} instead of {wanted}", wheel.velocity.x);
    let aside = [wheel.velocity.y, place(runner.world(), "wheel").y, wheel.spin.x, wheel.spin.y];
    assert!(aside.iter().all(|x| x.abs() < 1e-9), "{aside:?}");
}

/// Coulomb's law, integrated, carries the block by 29.58 mm/s in the mean over the first 3 s. It was 4.7 % faster.
#[test]
fn a_vibrating_plate_conveys_at_coulombs_speed() {
    let mut runner = open("conveying_speed", &[], 0);
    run(&mut runner, 3.0);
    let speed = place(runner.world(), "b").x / 3.0;
    assert!((speed / 0.02958 - 1.0).abs() < 1e-3, "{speed} m/s");
}

/// Thrown up a slope, it stops and slides back. It was off by 0.89 mm.
#[test]
fn slip_that_turns_round_on_a_slope_follows_coulomb() {
    let (slope, friction, speed, until) = (0.6_f64, 0.3, 1.003, 0.8);
    let mut runner = open("slip_reversal", &[], 0);
    let start = place(runner.world(), "b");
    run(&mut runner, until);
    let (pull, hold) = (G * slope.sin(), G * friction * slope.cos());
    let turn = speed / (pull + hold);
    let wanted = 0.5 * (pull - hold) * (until - turn) * (until - turn) - 0.5 * speed * turn;
    let moved = place(runner.world(), "b") - start;
    let downhill = moved.x * slope.cos() - moved.z * slope.sin();
    assert!((downhill - wanted).abs() < 1e-6 && moved.y.abs() < 1e-9, "{downhill} instead of {wanted}");
}
