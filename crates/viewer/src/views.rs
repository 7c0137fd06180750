//! An instant of a run as plain numbers. Lengths of rows are exported, so that the page and this file agree.

use crate::cursor::Cursor;
use crate::notes::Note;
use crate::timeline::{Progress, Timeline};
use glam::DVec3;
use impulse::respond::{Mode, Modes};
use impulse::world::{BodyId, ContactMode, Event, Pending, World};
use impulse_scenes::Runner;
use impulse_scenes::rows::{body_row, impact_row};

/// Numbers that open a frame: time; events, checks, collisions, microcollisions; kinetic and potential energy; how far the run
/// has come in time, events and state (0 underway, 1 finished, 2 failed, 3 held); keyframes and their bytes; the last event (kind and two
/// bodies); the next event (time, kind, two bodies); smallest distance so far. -1 stands for none.
pub const FRAME_NUMBERS: usize = 20;

/// Numbers of a body in a frame: origin of the shape; the row of the command's table; kinetic energy; 1 for frozen plus 2 for
/// in lasting contact plus 4 for settled; mean velocity, where contact lasts, else the present one.
pub const BODY_NUMBERS: usize = 21;

/// Numbers of an impact: event, time, two bodies, the row of the command's table, energy lost, whether it is a microcollision, and how the
/// contact moved: the number of `modes`.
pub const IMPACT_NUMBERS: usize = 22;

/// A frame: what opens it, then the bodies.
pub(crate) fn frame(timeline: &Timeline, cursor: &Cursor, out: &mut Vec<f64>) {
    let world = cursor.runner().world();
    let counters = world.counters();
    let counts = [counters.events, counters.checks, counters.collisions, counters.microcollisions];
    let progress = match timeline.progress() {
        Progress::Underway => 0.0,
        Progress::Finished => 1.0,
        Progress::Failed => 2.0,
        Progress::Held => 3.0,
    };
    out.push(world.time());
    out.extend(counts.map(|n| n as f64));
    out.extend([world.kinetic_energy(), world.potential_energy()]);
    out.extend([timeline.time(), timeline.frontier().world().counters().events as f64, progress]);
    out.extend([timeline.keyframes.len() as f64, timeline.keyframes.bytes() as f64]);
    out.extend(last_event(cursor.runner(), cursor.last()));
    out.extend(next_event(cursor.runner()));
    out.push(world.min_separation());
    for number in 0..timeline.frontier().descriptions().count() {
        body_numbers(timeline, world, cursor.runner().numbered(number), out);
    }
}

/// Not a number for a body that is not there.
fn body_numbers(timeline: &Timeline, world: &World, id: Option<BodyId>, out: &mut Vec<f64>) {
    let present = id.and_then(|id| Some((id, world.body(id)?, body_row(world, id, None)?)));
    let Some((id, body, row)) = present else {
        return out.extend([f64::NAN; BODY_NUMBERS]);
    };
    let lasting = body.in_lasting_contact();
    let flags = f64::from(u8::from(body.is_frozen()) + 2 * u8::from(lasting) + 4 * u8::from(body.settled()));
    let window = timeline.samples.window(id, world.time()).filter(|_| lasting && !body.is_frozen());
    let mean = window.and_then(|window| world.mean_motion(window)).map_or(body.velocity(), |mean| mean.velocity);
    out.extend(body.pose().translation.to_array());
    out.extend(row);
    out.extend([body.kinetic_energy(), flags]);
    out.extend(mean.to_array());
}

/// The kind and the bodies of what happened last.
fn last_event(runner: &Runner, event: Option<&Event>) -> [f64; 3] {
    let number = |body: BodyId| runner.number_of(body) as f64;
    let two = |kind: f64, a: BodyId, b: BodyId| [kind, number(a), number(b)];
    match event {
        None | Some(Event::Tick(_) | Event::Control(_) | Event::Sample(_)) => [-1.0; 3],
        Some(Event::Checked(a, b)) => two(0.0, *a, *b),
        Some(Event::Impact(record)) => two(1.0, record.bodies[0], record.bodies[1]),
        Some(Event::Hop(a, b)) => two(2.0, *a, *b),
        Some(Event::Carried(a, b)) => two(3.0, *a, *b),
        Some(Event::Boxed(a)) => [4.0, number(*a), -1.0],
        Some(Event::Stop(record)) => {
            let [a, b] = record.bodies.map(|body| body.map_or(-1.0, number));
            [5.0, a, b]
        }
    }
}

/// Time, kind and bodies of what happens next.
fn next_event(runner: &Runner) -> [f64; 4] {
    let number = |body: BodyId| runner.number_of(body) as f64;
    match runner.world().pending() {
        Some((time, Pending::Check(a, b))) => [time, 0.0, number(a), number(b)],
        Some((time, Pending::Expiry(a))) => [time, 4.0, number(a), -1.0],
        Some((time, Pending::Tick(_) | Pending::Control(_) | Pending::Sample(_))) => [time, -1.0, -1.0, -1.0],
        None => [-1.0; 4],
    }
}

/// The impacts of a window up to now.
pub(crate) fn impacts(cursor: &Cursor, window: f64, out: &mut Vec<f64>) {
    let number = |body: BodyId| cursor.runner().number_of(body) as f64;
    for (event, record) in cursor.impacts(window) {
        let [a, b] = record.bodies.map(number);
        out.extend([*event as f64, record.time, a, b]);
        out.extend(impact_row(record));
        out.extend([record.energy_lost, f64::from(u8::from(record.micro)), modes(record.modes.as_ref())]);
    }
}

/// Modes of an impact in their order as digits of a number to base four: 1 slide, 2 stick, 3 slip along a ray; 0 for a hop, which has none.
fn modes(modes: Option<&Modes>) -> f64 {
    let digit = |mode: Mode| match mode {
        Mode::Slide => 1.0,
        Mode::Stick => 2.0,
        Mode::SlipAlongRay => 3.0,
    };
    modes.map_or(0.0, |modes| modes.as_slice().iter().fold(0.0, |number, start| 4.0 * number + digit(start.mode)))
}

/// Lasting contacts: two bodies, point, normal, force on the first, mode (0 rest, 1 roll, 2 slide), friction.
pub(crate) fn contacts(runner: &Runner, out: &mut Vec<f64>) {
    let world = runner.world();
    let number = |body: BodyId| runner.number_of(body) as f64;
    for body in world.body_refs() {
        for contact in body.contacts().iter().filter(|c| c.bodies[0] < c.bodies[1]) {
            let mode = match contact.mode {
                ContactMode::Rest => 0.0,
                ContactMode::Roll => 1.0,
                ContactMode::Slide => 2.0,
            };
            let friction = world.surface_between(contact.bodies).map_or(0.0, |surface| surface.material.friction);
            out.extend(contact.bodies.map(number));
            vectors(out, &[contact.point, contact.normal, contact.force]);
            out.extend([mode, friction]);
        }
    }
}

/// Watched pairs: two bodies, a point of each, distance, when they are looked at again (-1: not on this course).
pub(crate) fn closest(runner: &Runner, out: &mut Vec<f64>) {
    let world = runner.world();
    let number = |body: BodyId| runner.number_of(body) as f64;
    for pair in world.closest_points() {
        out.extend(pair.bodies.map(number));
        vectors(out, &pair.points);
        out.extend([pair.distance, pair.check.unwrap_or(-1.0)]);
    }
}

/// Boxes of the bodies that move: body, two corners, expiry.
pub(crate) fn boxes(runner: &Runner, out: &mut Vec<f64>) {
    let world = runner.world();
    let number = |body: BodyId| runner.number_of(body) as f64;
    for found in world.boxes().filter(|found| found.bounds.min.is_finite() && found.bounds.max.is_finite()) {
        if world.body(found.body).is_some_and(|body| body.is_fixed()) {
            continue;
        }
        out.push(number(found.body));
        vectors(out, &[found.bounds.min, found.bounds.max]);
        out.push(found.expiry);
    }
}

/// Impacts in short: time, event, two bodies, impulse, energy lost, whether it is a microcollision.
pub(crate) fn notes(notes: &[Note], out: &mut Vec<f64>) {
    for note in notes {
        let [a, b] = note.bodies.map(f64::from);
        out.extend([note.time, f64::from(note.event), a, b, f64::from(note.impulse), f64::from(note.lost)]);
        out.push(f64::from(u8::from(note.micro)));
    }
}

/// Samples from a number on: time, kinetic and potential energy, events, checks, collisions, microcollisions.
pub(crate) fn samples(timeline: &Timeline, from: usize, out: &mut Vec<f64>) {
    for sample in timeline.samples.all().iter().skip(from) {
        out.extend([sample.time, sample.kinetic, sample.potential]);
        out.extend(sample.counts.map(|n| n as f64));
    }
}

fn vectors(out: &mut Vec<f64>, vectors: &[DVec3]) {
    out.extend(vectors.iter().flat_map(|v| v.to_array()));
}

/// The point that is held and the point that it is pulled to; nothing if none is.
pub(crate) fn held(runner: &Runner, out: &mut Vec<f64>) {
    if let Some((_, points)) = runner.held() {
        vectors(out, &points);
    }
}

/// Where the bodies are: origin and rotation (real part first) of each; not a number for those that are not there or never move.
pub(crate) fn poses(runner: &Runner, out: &mut Vec<f64>) {
    for number in 0..runner.descriptions().count() {
        let body = runner.numbered(number).and_then(|id| runner.world().body(id)).filter(|body| !body.is_fixed());
        match body.map(|body| body.pose()) {
            Some(pose) => {
                let (p, q) = (pose.translation, pose.rotation);
                out.extend([p.x, p.y, p.z, q.w, q.x, q.y, q.z]);
            }
            None => out.extend([f64::NAN; 7]),
        }
    }
}
