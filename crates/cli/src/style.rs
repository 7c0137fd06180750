//! Bold and coloured text, on terminals only.

use clap::builder::styling::{AnsiColor, Style};
use std::io::IsTerminal;

/// What stands out as a heading.
pub(crate) const HEADING: Style = Style::new().bold();

/// What reports a failure.
pub(crate) const FAILURE: Style = AnsiColor::Red.on_default().bold();

/// A text in a style if it goes to a terminal whose user does not refuse colours (<https://no-color.org>), else as it is.
pub(crate) fn styled(text: &str, style: Style, to: &impl IsTerminal) -> String {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if to.is_terminal() && !refused { format!("{style}{text}{style:#}") } else { text.to_owned() }
}
