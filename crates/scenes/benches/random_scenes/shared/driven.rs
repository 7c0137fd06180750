//! Things that scripted bodies move: trays, platters, plates, paddles, pushers.

use super::chance::{short, short_vector};
use super::form::Form;
use super::places::Draft;
use super::random::Stream;
use super::scene::Thing;
use impulse::DVec3;

/// A flat tray with a border, its upper side at z = 0.
fn tray(side: f64) -> Form {
    let wall = |x: f64, y: f64| {
        let size = if x == 0.0 { DVec3::new(side + 0.04, 0.02, 0.1) } else { DVec3::new(0.02, side + 0.04, 0.1) };
        (Form::Box(short_vector(size)), short_vector(DVec3::new(x, y, 0.03)))
    };
    let off = 0.5 * side + 0.01;
    Form::Joined(vec![
        (Form::Box(short_vector(DVec3::new(side, side, 0.02))), DVec3::Z * -0.01),
        wall(off, 0.0),
        wall(-off, 0.0),
        wall(0.0, off),
        wall(0.0, -off),
    ])
}

/// Puts things above z = 0 around the middle, at least so far from it, m.
fn strew(draft: &mut Draft, random: &mut Stream, count: usize, least: f64) {
    for k in 0..count {
        let form = random.form(0.06);
        let angle = 2.4 * k as f64;
        let distance = least + 0.045 * (k as f64).sqrt();
        let up = short(form.reach() * 1.01 + 0.05 * (k % 3) as f64);
        let at = DVec3::new(short(distance * libm::cos(angle)), short(distance * libm::sin(angle)), up);
        draft.things.push(Thing::free(form, at).turned(random.rotation()));
    }
}

pub(crate) fn shaken_tray(random: &mut Stream) -> Draft {
    let mut draft = Draft { surfaces: vec![random.surface()], ..Draft::default() };
    draft.wall(DVec3::Z, -0.5);
    let amplitude = random.log_between(1e-4, 2e-3);
    let rate = random.between(60.0, 300.0);
    let direction = if random.happens(0.5) { DVec3::Z } else { DVec3::new(0.6, 0.0, 0.8) };
    let [x, y, z] = short_vector(direction * amplitude).to_array();
    let script = format!("oscillator([{x:?}, {y:?}, {z:?}], {rate:?})");
    draft.things.push(Thing::scripted(tray(0.3), DVec3::Z * -0.003, script));
    let count = random.whole(3, 8);
    strew(&mut draft, random, count, 0.0);
    draft
}

pub(crate) fn platter(random: &mut Stream) -> Draft {
    let mut draft = Draft { surfaces: vec![random.surface()], ..Draft::default() };
    draft.wall(DVec3::Z, -0.1);
    let script = format!("spinner([0, 0, 1], {:?})", random.log_between(0.3, 12.0));
    draft.things.push(Thing::scripted(Form::Cylinder(0.3, 0.02), DVec3::Z * -0.011, script));
    let count = random.whole(1, 6);
    strew(&mut draft, random, count, 0.02);
    draft
}

/// A plate that vibrates obliquely and carries things along.
pub(crate) fn conveyor(random: &mut Stream) -> Draft {
    let mut draft = Draft { surfaces: vec![random.surface()], ..Draft::default() };
    draft.wall(DVec3::Z, -0.3);
    let (along, up) = (random.log_between(1e-4, 2e-3), random.log_between(5e-5, 5e-4));
    let script = format!("oscillator([{along:?}, 0, {up:?}], {:?})", random.between(60.0, 300.0));
    draft.things.push(Thing::scripted(Form::Box(DVec3::new(3.0, 0.5, 0.05)), DVec3::Z * -0.027, script));
    let count = random.whole(1, 5);
    strew(&mut draft, random, count, 0.0);
    draft
}

/// A paddle that sweeps over a floor.
pub(crate) fn paddle(random: &mut Stream) -> Draft {
    let mut draft = Draft::on_floor(random.surface());
    let script = format!("spinner([0, 0, 1], {:?})", random.between(0.3, 4.0));
    draft.things.push(Thing::scripted(Form::Box(DVec3::new(0.5, 0.03, 0.08)), DVec3::Z * 0.042, script));
    for k in 0..random.whole(1, 5) {
        let name = random.one_of(&["box", "ball", "cylinder", "rounded", "capsule"]);
        let form = random.form_named(name, 0.07);
        let at =
            DVec3::new(short(0.1 * k as f64 - 0.2), if k % 2 == 0 { 0.12 } else { -0.12 }, short(1.1 * form.reach()));
        draft.things.push(Thing::free(form, at).turned(random.rotation()));
    }
    draft
}

/// A block that pushes things along a floor and stops.
pub(crate) fn pusher(random: &mut Stream) -> Draft {
    let mut draft = Draft::on_floor(random.surface());
    let (time, way) = (random.between(0.5, 3.0), random.between(0.3, 1.0));
    let script =
        format!("keyframes([#{{ time: 0.2 }}, #{{ time: {:?}, at: [{:?}, 0, 0.053] }}])", 0.2 + time, way - 0.3);
    draft.things.push(Thing::scripted(Form::Box(DVec3::new(0.05, 0.6, 0.1)), DVec3::new(-0.3, 0.0, 0.053), script));
    for k in 0..random.whole(1, 6) {
        let form = random.form(0.08);
        let at = DVec3::new(-0.15 + 0.12 * (k % 2) as f64, short(0.1 * (k as f64 - 2.5)), short(1.01 * form.reach()));
        draft.things.push(Thing::free(form, at).turned(random.rotation()));
    }
    draft
}
