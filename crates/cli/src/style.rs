//! Bold and coloured text, on terminals only.

use clap::builder::styling::{AnsiColor, Style};
use std::io::IsTerminal;

/// Style of headings.
pub(crate) const HEADING: Style = Style::new().bold();

/// Style of error messages.
pub(crate) const FAILURE: Style = AnsiColor::Red.on_default().bold();

/// The text with a style if it goes to a terminal and `NO_COLOR` is not set (<https://no-color.org>), otherwise unchanged.
pub(crate) fn styled(text: &str, style: Style, to: &impl IsTerminal) -> String {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if to.is_terminal() && !refused { format!("{style}{text}{style:#}") } else { text.to_owned() }
}
