//! The functions that JavaScript calls; `web/src/worker/engine.ts` is the other side.
//!
//! Texts and numbers come by [`input`] and are left at the addresses below. Addresses change with every call.
#![expect(unsafe_code, reason = "exporting a function under its own name needs `#[unsafe(no_mangle)]`")]

use crate::exchange::{exchange, leave, note_panics, numbers, panic_place, session};
use crate::request::{Ghosts, OpenError, Request};
use crate::scene::builtin_scenes;
use crate::session::Session;
use crate::timeline::Progress;
use impulse_scenes::runner::RunnerError;
use std::sync::Arc;

/// Makes room for so many bytes and says where.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn input(length: usize) -> usize {
    note_panics();
    exchange(|exchange| {
        exchange.input.clear();
        exchange.input.resize(length, 0);
        exchange.input.as_ptr().addr()
    })
}

/// Where the last text is.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn text_address() -> usize {
    exchange(|exchange| exchange.text.as_ptr().addr())
}

/// Its length, bytes of UTF-8.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn text_length() -> usize {
    exchange(|exchange| exchange.text.len())
}

/// Where the last numbers are.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn numbers_address() -> usize {
    exchange(|exchange| exchange.numbers.as_ptr().addr())
}

/// How many.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn numbers_length() -> usize {
    exchange(|exchange| exchange.numbers.len())
}

/// Where the message of a panic is.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn panic_address() -> usize {
    panic_place().0
}

/// Its length, bytes of UTF-8.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn panic_length() -> usize {
    panic_place().1
}

/// Leaves the built-in scenes as JSON.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn scenes() {
    leave(builtin_scenes().to_string());
}

/// Forgets all files.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn clear_files() {
    exchange(|exchange| exchange.files.clear());
}

/// Takes up a file: the input is its path, of so many bytes, and its content.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn add_file(path_length: usize) {
    exchange(|exchange| {
        let content = exchange.input.split_off(path_length.min(exchange.input.len()));
        let path = String::from_utf8_lossy(&exchange.input).into_owned();
        exchange.files.insert(path, content);
    });
}

/// Opens the scene of the request in the input and leaves its description; otherwise leaves the error, keeps the scene that was
/// open, and returns 1.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn open() -> u32 {
    let opened = exchange(|exchange| {
        let request = request(&exchange.input)?;
        Session::open(&request, &Arc::new(exchange.files.clone())).map(|session| (session, request.ghost))
    });
    match opened {
        Ok((session, ghost)) => {
            leave(session.describe());
            exchange(|exchange| {
                let before = exchange.session.replace(session);
                if ghost != Ghosts::Keep {
                    exchange.ghosts.clear();
                }
                exchange.ghosts.extend(before.filter(|_| ghost == Ghosts::Last));
            });
            0
        }
        Err(error) => {
            leave(serde_json::to_string(&error).unwrap_or_default());
            1
        }
    }
}

/// Leaves the triangles of a look.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn look(number: usize) {
    numbers(|session, out| session.look(number, out));
}

/// Runs ahead by at most so many events: 0 underway, 1 finished, 2 failed, with the reason as text, 3 held.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn advance(events: u32) -> u32 {
    let (progress, reason) = session((Progress::Finished, None), |session| {
        let progress = session.advance(u64::from(events));
        (progress, session.timeline().failure().map(ToString::to_string))
    });
    if let Some(reason) = reason {
        leave(reason);
    }
    code(progress)
}

/// Offers a keyframe.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn keep() {
    session((), Session::keep);
}

/// Goes to a time; 1 and the reason if it cannot.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn go(time: f64, window: f64) -> u32 {
    told(session(Ok(()), |session| session.go(time, window)))
}

/// Goes to the instant after an event; 1 and the reason if it cannot.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn go_to_event(event: f64, window: f64) -> u32 {
    told(session(Ok(()), |session| session.go_to_event(event.max(0.0) as u64, window)))
}

/// The event of the collision (with `micros`: impact) beside the present event, -1 if none is known.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn impact_beside(forward: u32, micros: u32) -> f64 {
    session(-1.0, |session| session.impact_beside(forward != 0, micros != 0).map_or(-1.0, |event| event as f64))
}

/// Leaves the present frame.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn frame() {
    numbers(|session, out| session.frame(out));
}

/// Leaves the impacts of a window up to now.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn impacts(window: f64) {
    numbers(|session, out| session.impacts(window, out));
}

/// Leaves the lasting contacts.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn contacts() {
    numbers(|session, out| session.contacts(out));
}

/// Leaves the watched pairs.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn closest() {
    numbers(|session, out| session.closest(out));
}

/// Leaves the boxes.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn boxes() {
    numbers(|session, out| session.boxes(out));
}

/// Leaves the samples from a number on.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn samples(from: usize) {
    numbers(|session, out| session.samples(from, out));
}

/// Leaves a body's positions and velocities at all samples.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn track(body: usize) {
    numbers(|session, out| session.track(body, out));
}

/// Leaves a body's impacts up to now, the latest first.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn impacts_of(body: usize, most: usize, micros: u32) {
    numbers(|session, out| session.impacts_of(body, most, micros != 0, out));
}

/// Leaves the hardest collision so far.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn hardest() {
    numbers(|session, out| session.hardest(out));
}

/// Leaves what happened in each of equal parts of a span of time.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn densities(from: f64, to: f64, parts: usize) {
    numbers(|session, out| session.densities(from, to, parts, out));
}

/// Leaves two corners of a box in which most happens.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn bounds() {
    numbers(|session, out| session.bounds(out));
}

/// Leaves the trace hash.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn hash() {
    leave(session(String::new(), |session| session.hash()));
}

/// A progress as a number.
pub(crate) fn code(progress: Progress) -> u32 {
    match progress {
        Progress::Underway => 0,
        Progress::Finished => 1,
        Progress::Failed => 2,
        Progress::Held => 3,
    }
}

/// The request in the input.
pub(crate) fn request(input: &[u8]) -> Result<Request, OpenError> {
    serde_json::from_slice(input).map_err(|e| OpenError::plain(format!("wrong request: {e}")))
}

pub(crate) fn told(result: Result<(), RunnerError>) -> u32 {
    match result {
        Ok(()) => 0,
        Err(error) => {
            leave(error.to_string());
            1
        }
    }
}
