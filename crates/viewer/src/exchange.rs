//! How texts and numbers cross to JavaScript and back: each side writes where the other one says.

use crate::session::Session;
use impulse_scenes::scene::SceneFiles;
use std::cell::RefCell;

/// What lies in memory for the other side, and the session.
#[derive(Default)]
pub(crate) struct Exchange {
    /// What JavaScript wrote.
    pub(crate) input: Vec<u8>,
    /// The text of the last answer.
    pub(crate) text: String,
    /// The numbers of the last answer.
    pub(crate) numbers: Vec<f64>,
    /// Files for scenes.
    pub(crate) files: SceneFiles,
    /// What runs.
    pub(crate) session: Option<Session>,
    /// Other runs that are shown with it.
    pub(crate) ghosts: Vec<Session>,
}

thread_local! {
    static EXCHANGE: RefCell<Exchange> = RefCell::new(Exchange::default());
    /// Apart, since a panic may hold the rest.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

pub(crate) fn exchange<T>(with: impl FnOnce(&mut Exchange) -> T) -> T {
    EXCHANGE.with_borrow_mut(with)
}

/// With the session; `otherwise` if there is none.
pub(crate) fn session<T>(otherwise: T, with: impl FnOnce(&mut Session) -> T) -> T {
    exchange(|exchange| exchange.session.as_mut().map_or(otherwise, with))
}

/// Leaves the numbers that a session writes.
pub(crate) fn numbers(write: impl FnOnce(&mut Session, &mut Vec<f64>)) {
    exchange(|Exchange { session, numbers, .. }| {
        numbers.clear();
        if let Some(session) = session {
            write(session, numbers);
        }
    });
}

/// With a ghost; `otherwise` if there is none with this number.
pub(crate) fn ghost<T>(number: usize, otherwise: T, with: impl FnOnce(&mut Session, &mut Vec<f64>) -> T) -> T {
    exchange(|Exchange { ghosts, numbers, .. }| {
        numbers.clear();
        ghosts.get_mut(number).map_or(otherwise, |session| with(session, numbers))
    })
}

pub(crate) fn leave(text: String) {
    exchange(|exchange| exchange.text = text);
}

/// Keeps the message of a panic, which the page shows.
pub(crate) fn note_panics() {
    std::panic::set_hook(Box::new(|panic| PANIC.set(panic.to_string())));
}

/// Address and length of the last panic's message.
pub(crate) fn panic_place() -> (usize, usize) {
    PANIC.with_borrow(|text| (text.as_ptr().addr(), text.len()))
}
