//! The modules of a crate, each a file, and which file a path leads to.

use super::paths::{Import, Paths};
use super::tokens::{Token, bracketed, tokens, without_tests};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Paths through re-exports longer than this go round in circles.
const MAX_HOPS: usize = 32;

/// A module in a file of its own.
#[derive(Debug)]
pub(crate) struct Module {
    /// As it is shown in complaints.
    pub(crate) file: String,
    pub(crate) paths: Paths,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    /// Items declared at the top of the file.
    items: BTreeSet<String>,
}

/// All modules of a crate but those for tests, the root first. Modules written inline are taken as part of their file.
#[derive(Debug)]
pub(crate) struct Modules {
    pub(crate) all: Vec<Module>,
}

impl Modules {
    /// Follows `mod` declarations from the root file; `read` gives a file's text, if there is such a file.
    pub(crate) fn read(root: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Result<Self, String> {
        let mut modules = Self { all: Vec::new() };
        let folder = root.parent().unwrap_or(Path::new("")).to_path_buf();
        let text = read(root).ok_or_else(|| format!("cannot read {}", root.display()))?;
        modules.add(&Place { file: root.to_path_buf(), folder, parent: None }, &text, read)?;
        Ok(modules)
    }

    /// Adds a module and those below it; returns its index.
    fn add(&mut self, place: &Place, text: &str, read: &dyn Fn(&Path) -> Option<String>) -> Result<usize, String> {
        let all = tokens(text);
        let code = without_tests(&all);
        let Declared { items, modules } = declared(&code);
        let index = self.all.len();
        self.all.push(Module {
            file: place.file.display().to_string(),
            paths: Paths::of(&code),
            parent: place.parent,
            children: BTreeMap::new(),
            items,
        });
        for name in modules {
            let folder = place.folder.join(&name);
            let candidates = [place.folder.join(format!("{name}.rs")), folder.join("mod.rs")];
            let found = candidates.into_iter().find_map(|file| read(&file).map(|text| (file, text)));
            let (file, text) = found.ok_or_else(|| format!("{}: no file for mod {name}", place.file.display()))?;
            let child = self.add(&Place { file, folder, parent: Some(index) }, &text, read)?;
            self.all[index].children.insert(name, child);
        }
        Ok(index)
    }

    /// The module whose file declares what a path in another one leads to; `None` for modules and for what comes from outside.
    pub(crate) fn declares(&self, from: usize, path: &[String]) -> Option<usize> {
        self.resolve(from, path, MAX_HOPS)
    }

    fn resolve(&self, from: usize, path: &[String], hops: usize) -> Option<usize> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => self.walk(0, rest, hops),
            "self" | "super" => self.walk(from, path, hops),
            name if self.all[from].children.contains_key(name) || self.binds(from, name) => self.walk(from, path, hops),
            _ => None,
        }
    }

    fn walk(&self, at: usize, path: &[String], hops: usize) -> Option<usize> {
        let (name, rest) = path.split_first()?;
        let module = &self.all[at];
        if name == "self" {
            return self.walk(at, rest, hops);
        }
        if name == "super" {
            return self.walk(module.parent?, rest, hops);
        }
        if let Some(&child) = module.children.get(name) {
            return self.walk(child, rest, hops);
        }
        if module.items.contains(name) {
            return Some(at);
        }
        let through = |import: &Import| {
            let named = import.name.as_ref().is_none_or(|bound| bound == name);
            // All names of a module: this one is looked for there; else the import stands for the name.
            let rest = if import.name.is_none() { path } else { rest };
            let path = import.path.iter().chain(rest).cloned().collect::<Vec<_>>();
            let hops = hops.checked_sub(1)?;
            if named { self.resolve(at, &path, hops) } else { None }
        };
        module.paths.imports.iter().find_map(through)
    }

    /// Whether a file gives a name to something by `use`.
    fn binds(&self, at: usize, name: &str) -> bool {
        self.all[at].paths.imports.iter().any(|import| import.name.as_deref() == Some(name) && import.path != [name])
    }
}

struct Place {
    file: PathBuf,
    /// Where the files of its children are.
    folder: PathBuf,
    parent: Option<usize>,
}

struct Declared {
    items: BTreeSet<String>,
    /// Modules in files of their own.
    modules: Vec<String>,
}

/// What a file declares outside all braces.
fn declared(code: &[Token<'_>]) -> Declared {
    let mut found = Declared { items: BTreeSet::new(), modules: Vec::new() };
    let mut at = 0;
    while at < code.len() {
        let name = code.get(at + 1).filter(|next| next.is_word()).map(|next| next.text.to_owned());
        match (code[at].text, name) {
            ("{" | "(" | "[", _) => {
                at += bracketed(&code[at..]);
                continue;
            }
            ("mod", Some(name)) if code.get(at + 2).is_some_and(|token| token.text == ";") => found.modules.push(name),
            ("fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static" | "mod", Some(name)) => {
                found.items.insert(name);
            }
            _ => {}
        }
        at += 1;
    }
    found
}

#[cfg(test)]
pub(crate) mod tests {
    use super::Modules;
    use std::path::Path;

    /// A crate of files given as text.
    pub(crate) fn modules(files: &[(&str, &str)]) -> Modules {
        let read =
            |path: &Path| files.iter().find(|(name, _)| Path::new(name) == path).map(|(_, text)| text.to_string());
        Modules::read(Path::new("lib.rs"), &read).unwrap()
    }

    fn declares<'a>(modules: &'a Modules, from: &str, path: &str) -> Option<&'a str> {
        let from = modules.all.iter().position(|module| module.file == from).unwrap();
        let path: Vec<String> = path.split("::").map(str::to_owned).collect();
        modules.declares(from, &path).map(|found| modules.all[found].file.as_str())
    }

    #[test]
    fn paths_lead_to_the_file_that_declares() {
        let modules = modules(&[
            ("lib.rs", "pub mod w; pub use w::A;"),
            ("w/mod.rs", "mod a; mod b; mod deep; #[cfg(test)] mod naive; pub use a::A; use b::*; struct Own;"),
            ("w/a.rs", "pub struct A; impl A { fn method() {} } use super::deep as d;"),
            ("w/b.rs", "pub enum B { C } pub fn a() {}"),
            ("w/deep/mod.rs", "pub mod deeper; pub use self::deeper::Deep as Renamed;"),
            ("w/deep/deeper.rs", "pub const Deep: u8 = 1;"),
        ]);
        for (from, path, wanted) in [
            ("w/b.rs", "super::A", Some("w/a.rs")),
            ("w/b.rs", "crate::w::a::A::method", Some("w/a.rs")),
            ("w/b.rs", "crate::A", Some("w/a.rs")),
            ("w/a.rs", "super::B::C", Some("w/b.rs")),
            ("w/a.rs", "super::Own", Some("w/mod.rs")),
            ("w/a.rs", "super::deep::Renamed", Some("w/deep/deeper.rs")),
            ("w/a.rs", "d::deeper::Deep", Some("w/deep/deeper.rs")),
            ("w/deep/deeper.rs", "super::super::a::A", Some("w/a.rs")),
            ("w/mod.rs", "b::a", Some("w/b.rs")),
            ("w/a.rs", "super::deep", None),
            ("w/a.rs", "super::method", None),
            ("w/a.rs", "std::f64::consts::PI", None),
        ] {
            assert_eq!(declares(&modules, from, path), wanted, "{path} in {from}");
        }
    }

    #[test]
    fn endless_exports_and_missing_files_are_survived() {
        let endless =
            modules(&[("lib.rs", "mod a; mod b;"), ("a.rs", "pub use super::b::X;"), ("b.rs", "pub use super::a::X;")]);
        assert_eq!(declares(&endless, "a.rs", "super::b::X"), None);
        let read = |path: &Path| (path == Path::new("lib.rs")).then(|| "mod gone;".to_owned());
        assert_eq!(Modules::read(Path::new("lib.rs"), &read).unwrap_err(), "lib.rs: no file for mod gone");
    }
}
