//! No circle of files: what a file uses must not come to use the file in turn.
//!
//! A file uses another one if it names something that is declared there, by `use` or by a path in its code. Re-exports lead on to
//! the file that declares, and are no use by themselves: a `mod.rs` which only declares, documents and re-exports uses nothing.

use super::modules::{Module, Modules};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Which files each file uses, by index.
type Uses = BTreeMap<usize, BTreeSet<usize>>;

/// One complaint for each shortest circle of files in a crate.
pub(crate) fn circles(modules: &Modules) -> Vec<String> {
    let uses: Uses = (0..modules.all.len()).map(|index| (index, used_by(modules, index))).collect();
    let shortest = uses.keys().filter_map(|&file| circle_through(file, &uses));
    let distinct: BTreeSet<Vec<usize>> = shortest.map(|circle| from_least(&circle)).collect();
    distinct.iter().map(|circle| complaint(modules, circle)).collect()
}

fn used_by(modules: &Modules, index: usize) -> BTreeSet<usize> {
    let Module { paths, .. } = &modules.all[index];
    let counts =
        |name: &Option<String>, public: bool| !public || name.as_ref().is_some_and(|name| paths.words.contains(name));
    let imported = paths.imports.iter().filter(|import| counts(&import.name, import.public)).map(|import| &import.path);
    let written = paths.mentions.iter().map(|mention| &mention.path);
    imported.chain(written).filter_map(|path| modules.declares(index, path)).filter(|&used| used != index).collect()
}

/// The shortest way from a file back to itself.
fn circle_through(file: usize, uses: &Uses) -> Option<Vec<usize>> {
    let mut came_from = BTreeMap::new();
    let mut queue = VecDeque::from([file]);
    while let Some(at) = queue.pop_front() {
        for &next in &uses[&at] {
            if next == file {
                let mut way = vec![at];
                while let Some(&before) = came_from.get(&way[way.len() - 1]) {
                    way.push(before);
                }
                way.reverse();
                return Some(way);
            }
            if let std::collections::btree_map::Entry::Vacant(entry) = came_from.entry(next) {
                entry.insert(at);
                queue.push_back(next);
            }
        }
    }
    None
}

/// The same circle, begun at its least file.
fn from_least(circle: &[usize]) -> Vec<usize> {
    let mut turned = circle.to_vec();
    let least = (0..circle.len()).min_by_key(|&i| circle[i]).unwrap_or(0);
    turned.rotate_left(least);
    turned
}

fn complaint(modules: &Modules, circle: &[usize]) -> String {
    let round = circle.iter().chain(circle.first());
    let files: Vec<&str> = round.map(|&index| modules.all[index].file.as_str()).collect();
    format!("files use each other in a circle: {}", files.join(" -> "))
}

#[cfg(test)]
mod tests {
    use super::super::modules::tests::modules;
    use super::circles;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let complaints = circles(&modules(files));
        complaints.iter().map(|text| text.replace("files use each other in a circle: ", "")).collect()
    }

    #[test]
    fn a_chain_is_no_circle() {
        let files = [
            ("lib.rs", "mod w;"),
            ("w/mod.rs", "mod a; mod b; mod c; pub use a::A; pub use b::{self, B};"),
            ("w/a.rs", "pub struct A;"),
            ("w/b.rs", "use super::A; pub struct B(A); #[cfg(test)] mod tests { use super::super::c::C; }"),
            ("w/c.rs", "use super::{A, b::B}; struct C; // super::c"),
        ];
        assert_eq!(found(&files), [""; 0]);
    }

    #[test]
    fn circles_are_named_file_by_file() {
        let files = [
            ("lib.rs", "mod w;"),
            ("w/mod.rs", "mod a; mod b; mod c; pub use {a::A, b::B, c::C};"),
            ("w/a.rs", "use super::B; pub struct A;"),
            ("w/b.rs", "use crate::w::{c::{C}}; pub struct B;"),
            ("w/c.rs", "pub fn c(a: &super::A) {} pub struct C;"),
        ];
        assert_eq!(found(&files), ["w/a.rs -> w/b.rs -> w/c.rs -> w/a.rs"]);
    }

    #[test]
    fn a_module_file_with_items_of_its_own_is_a_file_like_others() {
        let quiet = ("w/mod.rs", "mod a; pub use a::A; pub struct Own;");
        let a = ("w/a.rs", "use super::Own; pub struct A(Own);");
        assert_eq!(found(&[("lib.rs", "mod w;"), quiet, a]), [""; 0]);
        let using = ("w/mod.rs", "mod a; pub use a::A; pub struct Own; fn f() -> A { }");
        assert_eq!(found(&[("lib.rs", "mod w;"), using, a]), ["w/mod.rs -> w/a.rs -> w/mod.rs"]);
        let private = ("w/mod.rs", "mod a; pub struct Own; fn f() { a::g(); }");
        let a = ("w/a.rs", "use super::Own; pub(super) fn g() {}");
        assert_eq!(found(&[("lib.rs", "mod w;"), private, a]), ["w/mod.rs -> w/a.rs -> w/mod.rs"]);
    }
}
