//! `cargo xtask tidy`: what a machine can check of the style. The number of parameters is clippy's (`clippy.toml`).

mod tokens;
mod paths;
mod modules;
mod files;
mod functions;
mod layers;
mod imports;
mod motion;
mod page;

use crate::files::{collect, read, root, shown};
use modules::Modules;
use std::fs;
use std::path::Path;

/// Folders whose Rust files are checked.
const FOLDERS: [&str; 4] = ["crates", "peers", "tests", "xtask"];

/// The engine's source, whose modules are checked as well.
const ENGINE: &str = "crates/impulse/src/";

pub(crate) fn tidy() -> Result<(), String> {
    let sources: Vec<_> = FOLDERS.iter().flat_map(|folder| collect(&root().join(folder), "rs")).collect();
    let mut complaints = Vec::new();
    for path in &sources {
        let (name, text) = (shown(path), read(path)?);
        complaints.extend(files::check(&name, &text));
        complaints.extend(functions::too_long(&name, &text));
    }
    let pages = page::files();
    for path in &pages {
        complaints.extend(page::check(&shown(path), &read(path)?));
    }
    complaints.extend(check_engine()?);
    for (folder, allowed) in layers::LAYERS {
        let manifest = root().join(folder).join("Cargo.toml");
        complaints.extend(layers::forbidden(folder, &read(&manifest)?, allowed));
    }
    if complaints.is_empty() {
        println!("tidy: {} files", sources.len() + pages.len());
        return Ok(());
    }
    Err(format!("tidy finds\n  {}", complaints.join("\n  ")))
}

fn check_engine() -> Result<Vec<String>, String> {
    let text = |file: &Path| fs::read_to_string(root().join(file)).ok();
    let lib = Path::new(ENGINE).join("lib.rs");
    let modules = Modules::read(&lib, &text)?;
    let order = layers::declared_order(&text(&lib).unwrap_or_default());
    let body = format!("{ENGINE}body/");
    let bodies: String = collect(&root().join(&body), "rs").iter().filter_map(|file| text(file)).collect();
    let mut complaints = layers::upward(&modules, &order, ENGINE, &|file| text(Path::new(file)).unwrap_or_default());
    complaints.extend(imports::circles(&modules));
    complaints.extend(motion::kinds_named_outside(&modules, &body, &bodies)?);
    Ok(complaints)
}
