//! The functions that JavaScript calls to play with a scene: hands, ghosts, parts, the language; see `exports`.
#![expect(unsafe_code, reason = "exporting a function under its own name needs `#[unsafe(no_mangle)]`")]

use crate::exchange::{exchange, ghost, leave, numbers, session};
use crate::exports::{code, request, told};
use crate::scene::reference;
use crate::session::Session;
use crate::study::study;
use impulse_scenes::acts::{Deed, Recording};
use std::sync::Arc;

/// Does the deed in the input now: 0 done, 1 refused, with the reason as text, 2 done and bodies have come, with the scene as text.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn act() -> u32 {
    let deed = exchange(|exchange| serde_json::from_slice::<Deed>(&exchange.input).map_err(|error| error.to_string()));
    let done = deed.and_then(|deed| {
        session(Err("no scene is open".to_owned()), |session| session.act(deed).map_err(|error| error.to_string()))
    });
    match done {
        Ok(false) => 0,
        Ok(true) => {
            leave(session(String::new(), |session| session.describe()));
            2
        }
        Err(reason) => {
            leave(reason);
            1
        }
    }
}

/// Lets the run go no farther than a time; infinity lifts that.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn limit(time: f64) {
    session((), |session| session.set_limit(time));
}

/// Leaves what is held, and where to.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn held() {
    numbers(|session, out| session.held(out));
}

/// Leaves the run so far as a recording; 1 and the reason if it cannot be one.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn recording() -> u32 {
    let (text, failed) = match session(Err("no scene is open".to_owned()), |session| session.recording()) {
        Ok(text) => (text, 0),
        Err(reason) => (reason, 1),
    };
    leave(text);
    failed
}

/// Checks the recording in the input; 1 and the reason if it cannot be replayed.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn check_recording() -> u32 {
    let text = exchange(|exchange| String::from_utf8_lossy(&exchange.input).into_owned());
    match Recording::parse(&text) {
        Ok(_) => 0,
        Err(error) => {
            leave(error.to_string());
            1
        }
    }
}

/// Leaves the version.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn version() {
    leave(env!("CARGO_PKG_VERSION").to_owned());
}

/// Opens the scene of the request in the input as one more ghost and leaves its description; otherwise the error, and 1.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ghost_open() -> u32 {
    let opened = exchange(|exchange| {
        let request = request(&exchange.input)?;
        Session::open(&request, &Arc::new(exchange.files.clone()))
    });
    match opened {
        Ok(session) => {
            leave(session.describe());
            exchange(|exchange| exchange.ghosts.push(session));
            0
        }
        Err(error) => {
            leave(serde_json::to_string(&error).unwrap_or_default());
            1
        }
    }
}

/// How many ghosts there are.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ghost_count() -> usize {
    exchange(|exchange| exchange.ghosts.len())
}

/// Forgets all ghosts.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ghost_clear() {
    exchange(|exchange| exchange.ghosts.clear());
}

/// Runs a ghost ahead by at most so many events, as `advance` does, and keeps a keyframe.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ghost_advance(number: usize, events: u32) -> u32 {
    ghost(number, 1, |session, _| {
        let progress = session.advance(u64::from(events));
        session.keep();
        code(progress)
    })
}

/// Leaves where the bodies of a ghost are at a time; 1 and the reason if it cannot.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ghost_poses(number: usize, time: f64) -> u32 {
    told(ghost(number, Ok(()), |session, out| session.poses(time, out)))
}

/// Leaves all samples of a ghost.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ghost_samples(number: usize) {
    ghost(number, (), |session, out| session.samples(0, out));
}

/// Leaves the positions and velocities of a ghost's body at all samples.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ghost_track(number: usize, body: usize) {
    ghost(number, (), |session, out| session.track(body, out));
}

/// Leaves the triangles of a ghost's look.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ghost_look(number: usize, look: usize) {
    ghost(number, (), |session, out| session.look(look, out));
}

/// Leaves the functions of scene scripts as JSON.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn functions() {
    leave(reference().to_string());
}

/// Studies a part file: the input is its name, of so many bytes, and its content. 1 and the reason if it is none.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn part(name_length: usize, scale: f64, density: f64) -> u32 {
    let studied = exchange(|exchange| {
        let content = exchange.input.split_off(name_length.min(exchange.input.len()));
        let name = String::from_utf8_lossy(&exchange.input).into_owned();
        exchange.input = Vec::new();
        study(&name, &content, scale, density)
    });
    let (text, failed) = match studied {
        Ok(found) => (found.to_string(), 0),
        Err(reason) => (reason, 1),
    };
    leave(text);
    failed
}
