//! The reference of scene scripts, taken from the page `docs/scene-scripts.md`: the source of help texts and suggestions.

use super::error::Fault;
use super::suggest::similar;

/// A function of scene scripts as the page documents it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// How it is called.
    pub usage: &'static str,
    /// What it does, in Markdown.
    pub text: &'static str,
    /// A complete script that uses it.
    pub example: &'static str,
}

/// The reference page, in Markdown.
pub const REFERENCE_PAGE: &str = include_str!("../../../../docs/scene-scripts.md");

/// All functions in the order of the page. A heading may show several.
pub fn functions() -> Vec<Function> {
    let sections = REFERENCE_PAGE.split("\n### ").skip(1);
    sections.flat_map(section).collect()
}

/// The functions that share a heading of the page with this one. If there is no such function, the fault suggests similar names.
pub fn functions_beside(name: &str) -> Result<Vec<Function>, Fault> {
    let mut all = functions();
    let Some(wanted) = all.iter().find(|function| function.name == name).copied() else {
        let similar = similar(name, all.iter().map(|function| function.name));
        return Err(Fault::UnknownFunction { name: name.to_owned(), similar });
    };
    all.retain(|function| function.text == wanted.text);
    Ok(all)
}

/// Functions of the language itself that scenes may use.
pub(super) const RHAI_FUNCTIONS: &[&str] = &[
    "print",
    "debug",
    "len",
    "push",
    "pop",
    "insert",
    "remove",
    "extract",
    "contains",
    "index_of",
    "map",
    "filter",
    "reduce",
    "sort",
    "reverse",
    "append",
    "pad",
    "truncate",
    "split",
    "replace",
    "to_upper",
    "to_lower",
    "sub_string",
    "trim",
    "to_string",
    "to_int",
    "to_float",
    "parse_int",
    "parse_float",
    "type_of",
    "keys",
    "values",
    "abs",
    "sign",
    "min",
    "max",
    "range",
    "is_nan",
    "is_finite",
    "mixin",
    "some",
    "all",
    "zip",
    "chop",
    "shift",
    "dedup",
    "exit",
    "starts_with",
    "ends_with",
];

fn section(section: &'static str) -> Vec<Function> {
    let (heading, body) = section.split_once('\n').unwrap_or((section, ""));
    let (text, rest) = body.split_once("```js\n").unwrap_or((body, ""));
    let example = rest.split_once("\n```").map_or("", |(example, _)| example);
    let function = |usage: &'static str| Function {
        name: usage.split_once('(').map_or(usage, |(name, _)| name),
        usage,
        text: text.trim(),
        example,
    };
    // Calls are between backticks: every other piece is one.
    heading.split('`').skip(1).step_by(2).map(function).collect()
}
