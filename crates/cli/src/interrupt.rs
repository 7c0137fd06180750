//! Ctrl-C during studies.

use impulse_lab::Control;
use std::sync::Arc;

/// Exit status of a command that was interrupted.
const INTERRUPTED: i32 = 130;

/// At Ctrl-C a study stops when the trials that have begun are done; at a second one the command ends at once.
///
/// Where Ctrl-C cannot be caught it ends the command.
pub(crate) fn stop_at_interrupt(control: &Arc<Control>) {
    let control = control.clone();
    let handler = move || {
        if control.is_stopped() {
            std::process::exit(INTERRUPTED);
        }
        control.stop();
    };
    let _ = ctrlc::set_handler(handler);
}
