//! Imports run one way: between the engine's modules, and between crates.

use super::modules::Modules;

/// Crates in order, with the packages of ours that each may use. Nothing may use the command or the viewer.
pub(crate) const LAYERS: [(&str, &[&str]); 6] = [
    ("crates/impulse", &[]),
    ("crates/scenes", &["impulse-sim"]),
    ("crates/scenes/wasm", &["impulse-sim", "impulse-scenes"]),
    ("crates/lab", &["impulse-sim", "impulse-scenes"]),
    ("crates/viewer", &["impulse-sim", "impulse-scenes", "impulse-lab"]),
    ("crates/cli", &["impulse-sim", "impulse-scenes", "impulse-lab"]),
];

/// The modules in the order of their declarations.
pub(crate) fn declared_order(lib: &str) -> Vec<String> {
    let name = |line: &str| line.strip_prefix("pub mod ")?.strip_suffix(';').map(str::to_owned);
    lib.lines().filter_map(name).collect()
}

/// A complaint for each file of a module that refers to a later one, in its code or in its documentation. `text` gives a file's text.
pub(crate) fn upward(modules: &Modules, order: &[String], source: &str, text: &dyn Fn(&str) -> String) -> Vec<String> {
    let mut complaints = Vec::new();
    for module in &modules.all {
        let within = module.file.strip_prefix(source).unwrap_or(&module.file);
        let own = order.iter().position(|name| within.split(['/', '.']).next() == Some(name));
        for later in own.map_or(&[][..], |own| &order[own + 1..]) {
            let written = text(&module.file).contains(&format!("crate::{later}"));
            let grouped = |path: &[String]| path[0] == "crate" && path.get(1) == Some(later);
            if written || module.paths.imports.iter().any(|import| grouped(&import.path)) {
                complaints.push(format!("{}: refers to {later}, which comes later in lib.rs", module.file));
            }
        }
    }
    complaints
}

/// A complaint for each package of ours in a manifest that the crate may not use.
pub(crate) fn forbidden(folder: &str, manifest: &str, allowed: &[&str]) -> Vec<String> {
    let ours = manifest.lines().filter(|line| line.starts_with("impulse"));
    let used = ours.filter_map(|line| line.split(['.', ' ', '=']).next());
    let package = |name: &str| if name == "impulse" { "impulse-sim".to_owned() } else { name.to_owned() };
    let refused = used.filter(|name| !allowed.contains(&package(name).as_str()));
    refused.map(|name| format!("{folder}/Cargo.toml: may not use {name}")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::modules::tests::modules;
    use super::{declared_order, forbidden, upward};

    #[test]
    fn later_modules_are_out_of_reach() {
        let files = [
            ("lib.rs", "pub mod a;\npub mod b;\nmod hidden;\n"),
            ("a.rs", "use crate::{b::B};"),
            ("b/mod.rs", "mod c; use crate::a::A;"),
            ("b/c.rs", ""),
            ("hidden.rs", "use crate::b::B;"),
        ];
        let order = declared_order(files[0].1);
        assert_eq!(order, ["a", "b"]);
        let none = |_: &str| String::new();
        assert_eq!(upward(&modules(&files), &order, "", &none), ["a.rs: refers to b, which comes later in lib.rs"]);
        let documented = |_: &str| "//! See [crate::b].".to_owned();
        assert_eq!(upward(&modules(&files), &order, "", &documented).len(), 1);
    }

    #[test]
    fn crates_use_only_what_is_below_them() {
        let manifest = "[dependencies]\nimpulse.workspace = true\nimpulse-cli = { path = \"x\" }\nglam = \"1\"\n";
        assert_eq!(forbidden("crates/x", manifest, &["impulse-sim"]), ["crates/x/Cargo.toml: may not use impulse-cli"]);
        assert_eq!(forbidden("crates/x", manifest, &["impulse-sim", "impulse-cli"]), [""; 0]);
    }
}
