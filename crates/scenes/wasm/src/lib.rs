//! The built-in scenes as a WebAssembly module without imports, for `check.mjs`: it runs them and compares their trace hashes with
//! the native ones.
//!
//! Answers are texts: a call that has one leaves it in memory, at [`text_address`] and [`text_length`].
#![expect(unsafe_code, reason = "exporting a function under its own name needs `#[unsafe(no_mangle)]`")]

use impulse::world::Settings;
use impulse_scenes::{BUILTIN_SCENES, Runner, SceneSettings, SceneSource, load_scene};
use std::cell::RefCell;

thread_local! {
    static TEXT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Number of built-in scenes.
#[unsafe(no_mangle)]
pub extern "C" fn scene_count() -> u32 {
    BUILTIN_SCENES.len() as u32
}

/// Leaves the name of a scene.
#[unsafe(no_mangle)]
pub extern "C" fn scene_name(number: u32) {
    leave(name(number).to_owned());
}

/// Runs a scene for some seconds and leaves its trace hash, or the reason why it fails.
#[unsafe(no_mangle)]
pub extern "C" fn trace_hash(number: u32, seconds: f64) {
    std::panic::set_hook(Box::new(|panic| leave(panic.to_string())));
    leave(trace(name(number), seconds).unwrap_or_else(|error| error.to_string()));
}

/// Where the last text is in memory.
#[unsafe(no_mangle)]
pub extern "C" fn text_address() -> usize {
    TEXT.with_borrow(|text| text.as_ptr().addr())
}

/// Length of the last text, bytes of UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn text_length() -> usize {
    TEXT.with_borrow(String::len)
}

fn leave(text: String) {
    TEXT.set(text);
}

fn name(number: u32) -> &'static str {
    BUILTIN_SCENES.get(number as usize).map_or("", |scene| scene.name)
}

fn trace(name: &str, seconds: f64) -> Result<String, Box<dyn std::error::Error>> {
    let scene = load_scene(&SceneSource::Builtin(name.to_owned()), &SceneSettings::default())?;
    let mut runner = Runner::of(scene, Settings::default())?;
    runner.run_until(seconds)?;
    Ok(format!("{:016x}", runner.world().trace_hash()))
}
