//! What a machine can check of the style: lengths, headers, and that imports run in reading order.
//!
//! Function length and number of parameters are clippy's (`clippy.toml`).

use std::fs;
use std::path::{Path, PathBuf};

/// Longest file, in lines.
const MAX_LINES: usize = 600;

/// Crates in order: each may use only the ones before it. Faces (`cli`) are used by nobody.
const LAYERS: [(&str, &[&str]); 3] =
    [("crates/impulse", &[]), ("crates/scenes", &["impulse-sim"]), ("crates/cli", &["impulse-sim", "impulse-scenes"])];

pub(crate) fn tidy() -> Result<(), String> {
    let mut complaints = Vec::new();
    let mut files = Vec::new();
    for folder in ["crates", "xtask"] {
        collect(&root().join(folder), &mut files);
    }
    files.sort();
    for file in &files {
        let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        check_file(&shown(file), &text, &mut complaints);
    }
    check_module_order(&mut complaints)?;
    check_layers(&mut complaints)?;
    if complaints.is_empty() {
        println!("tidy: {} files", files.len());
        return Ok(());
    }
    Err(format!("tidy finds\n  {}", complaints.join("\n  ")))
}

/// The workspace's folder.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

fn shown(file: &Path) -> String {
    file.strip_prefix(root()).unwrap_or(file).display().to_string()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}

fn check_file(name: &str, text: &str, complaints: &mut Vec<String>) {
    let lines = text.lines().count();
    if lines > MAX_LINES {
        complaints.push(format!("{name}: {lines} lines, more than {MAX_LINES}; split it along a concept"));
    }
    if !text.starts_with("//! ") {
        complaints.push(format!("{name}:1: a file opens with a `//!` line that says what it is"));
    }
    for (number, line) in text.lines().enumerate() {
        let place = format!("{name}:{}", number + 1);
        if line.contains(concat!("#[", "ignore")) || line.contains(concat!("#![", "allow")) {
            complaints.push(format!("{place}: no ignored tests, no lints silenced for a whole file"));
        }
        if line.trim_end() != line || line.contains('\t') {
            complaints.push(format!("{place}: blanks at the end of the line, or a tab"));
        }
    }
}

/// The engine's modules stand in reading order in `lib.rs`; each imports only the ones above it.
fn check_module_order(complaints: &mut Vec<String>) -> Result<(), String> {
    let source = root().join("crates/impulse/src");
    let modules = module_names(&source.join("lib.rs"))?;
    for (i, module) in modules.iter().enumerate() {
        let mut files = Vec::new();
        collect(&source.join(module), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            for later in &modules[i + 1..] {
                if text.contains(&format!("crate::{later}")) {
                    complaints
                        .push(format!("{}: imports {later}, which stands below {module} in lib.rs", shown(&file)));
                }
            }
        }
    }
    Ok(())
}

fn module_names(lib: &Path) -> Result<Vec<String>, String> {
    let text = fs::read_to_string(lib).map_err(|e| format!("{}: {e}", lib.display()))?;
    let name = |line: &str| line.strip_prefix("pub mod ")?.strip_suffix(';').map(str::to_owned);
    Ok(text.lines().filter_map(name).collect())
}

/// Libraries import only the engine; faces import libraries; no face imports a face.
fn check_layers(complaints: &mut Vec<String>) -> Result<(), String> {
    for (folder, allowed) in LAYERS {
        let manifest = root().join(folder).join("Cargo.toml");
        let text = fs::read_to_string(&manifest).map_err(|e| format!("{}: {e}", manifest.display()))?;
        let ours = text.lines().filter(|l| l.starts_with("impulse")).filter_map(|l| l.split(['.', ' ', '=']).next());
        for used in ours {
            let package = if used == "impulse" { "impulse-sim" } else { used };
            if !allowed.contains(&package) {
                complaints.push(format!("{folder}/Cargo.toml: may not use {used}"));
            }
        }
    }
    Ok(())
}
