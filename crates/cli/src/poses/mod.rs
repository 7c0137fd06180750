//! `impulse poses`: how a part lands, how sure that is and what it depends on (thesis section 7.5).

mod arguments;
mod answer;
mod inquiry;
mod table;
mod drawing;
mod charts;
mod page;
mod tray;

pub(crate) use arguments::Arguments;

use crate::interrupt::stop_at_interrupt;
use answer::Answer;
use anyhow::Context;
use impulse_lab::{Control, Part};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    arguments.conditions().check()?;
    let control = Arc::new(Control::default());
    stop_at_interrupt(&control);
    let mut studied = Vec::new();
    if let Some(scene) = &arguments.scene {
        return drop_into(scene, arguments, &control);
    }
    for file in &arguments.parts {
        let part = Part::load(file, arguments.scale, arguments.density)?;
        let answer = inquiry::answer(arguments, &part, &control);
        if !arguments.quiet {
            let text = table::text(&answer);
            if arguments.writes_to_stdout() {
                std::io::stderr().lock().write_all(text.as_bytes())?;
            } else {
                std::io::stdout().lock().write_all(text.as_bytes())?;
            }
        }
        studied.push((part, answer));
        if control.is_stopped() {
            break;
        }
    }
    if let Some(path) = &arguments.json {
        let answers: Vec<&Answer> = studied.iter().map(|(_, answer)| answer).collect();
        let text = match answers.as_slice() {
            [answer] if arguments.parts.len() == 1 => serde_json::to_string_pretty(answer)?,
            _ => serde_json::to_string_pretty(&answers)?,
        };
        write(path, &(text + "\n"))?;
    }
    if let Some(path) = &arguments.report {
        write(path, &page::page(&studied))?;
    }
    Ok(())
}

/// Drops parts into a scene.
fn drop_into(scene: &Path, arguments: &Arguments, control: &Control) -> anyhow::Result<()> {
    let mut all = Vec::new();
    for file in &arguments.parts {
        let landings = tray::drop_into(scene, file, arguments, control)?;
        if !arguments.quiet {
            let mut out: Box<dyn Write> =
                if arguments.writes_to_stdout() { Box::new(std::io::stderr()) } else { Box::new(std::io::stdout()) };
            out.write_all(landings.text().as_bytes())?;
        }
        all.push(landings);
    }
    if let Some(path) = &arguments.json {
        let text = match all.as_slice() {
            [one] => serde_json::to_string_pretty(one)?,
            several => serde_json::to_string_pretty(several)?,
        };
        write(path, &(text + "\n"))?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if path == Path::new("-") {
        return Ok(std::io::stdout().lock().write_all(text.as_bytes())?);
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
