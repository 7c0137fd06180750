//! Why a scene cannot be used: each error names the place in the script and a remedy.

use super::folder::FileError;
use crate::part::PartError;
use impulse::body::ScriptError;
use impulse::geometry::{MassError, NotConvex, PolyhedronError, ShapeError};
use std::path::PathBuf;
use std::sync::Arc;
use std::{fmt, io};

/// Why a scene could not be loaded.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SceneError {
    /// No built-in scene has this name.
    #[error(
        "there is no built-in scene `{name}`{}",
        Similar(similar, "; `impulse list` shows them all, and a path to a .rhai file works too")
    )]
    UnknownScene {
        /// The name.
        name: String,
        /// Names like it.
        similar: Vec<String>,
    },
    /// The script's file cannot be read.
    #[error("{}: cannot read the scene: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: Arc<io::Error>,
    },
    /// A parameter was set that the scene does not have.
    #[error("the scene has no parameter `{name}`{}; {}", Similar(similar, ""), known_params(known))]
    UnknownParam {
        /// The name.
        name: String,
        /// Names like it.
        similar: Vec<String>,
        /// The parameters there are.
        known: Vec<String>,
    },
    /// The script is wrong somewhere.
    #[error("{place}: {fault}\n{}", place.quoted())]
    Script {
        /// Where.
        place: Box<Place>,
        /// What is wrong.
        fault: Arc<Fault>,
    },
}

/// A place in a script, and how it was reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The script's file or name.
    pub file: String,
    /// Line, counted from 1; 0 where no place is known.
    pub line: usize,
    /// Letter of the line, counted from 1.
    pub column: usize,
    /// The line's text.
    pub text: String,
    /// The script's own functions that were being called, innermost first, with file and line of each call.
    pub calls: Vec<(String, String, usize)>,
}

impl Place {
    /// The line with a mark below the column, as a message shows it.
    fn quoted(&self) -> String {
        let number = self.line.to_string();
        let blank = " ".repeat(number.len());
        let text = shortened(self.text.trim_end(), LONGEST_LINE);
        let mark = " ".repeat(self.column.saturating_sub(1).min(LONGEST_LINE));
        let mut quoted = format!("  {number} | {text}\n  {blank} | {mark}^");
        for (function, file, line) in &self.calls {
            quoted += &format!("\n  in `{function}`, called at {file}:{line}");
        }
        quoted
    }
}

const LONGEST_LINE: usize = 160;

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// What is wrong with a script.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// Not a script at all.
    #[error("{0}")]
    Syntax(String),
    /// A word that scripts do not know, or may not use.
    #[error("`{name}` is not part of scene scripts; {remedy}")]
    Forbidden {
        /// The word.
        name: String,
        /// What to do instead.
        remedy: &'static str,
    },
    /// No function has this name.
    #[error("unknown function `{name}`{}", Similar(similar, ""))]
    UnknownFunction {
        /// The name.
        name: String,
        /// Names like it.
        similar: Vec<String>,
    },
    /// A known function cannot take these arguments.
    #[error("`{name}` cannot be called with ({given}); write {usage}")]
    Arguments {
        /// The function.
        name: String,
        /// The kinds of what was given.
        given: String,
        /// How it is called.
        usage: String,
    },
    /// An operator cannot take these operands.
    #[error("`{operator}` cannot be applied to ({given})")]
    Operands {
        /// The operator.
        operator: String,
        /// The kinds of what was given.
        given: String,
    },
    /// No variable has this name.
    #[error("unknown variable `{name}`{}", Similar(similar, if *declared { "; functions see their arguments only: pass it to the function" } else { "; declare it with `let`" }))]
    UnknownVariable {
        /// The name.
        name: String,
        /// Names like it.
        similar: Vec<String>,
        /// Whether it is declared elsewhere in the script.
        declared: bool,
    },
    /// An option is not known.
    #[error("{of} has no option `{option}`{}; it has {}", Similar(similar, ""), known.join(", "))]
    UnknownOption {
        /// What the options belong to.
        of: String,
        /// The option.
        option: String,
        /// Options like it.
        similar: Vec<String>,
        /// The options there are.
        known: &'static [&'static str],
    },
    /// An option is missing.
    #[error("{of} needs {needed}")]
    Missing {
        /// What the option belongs to.
        of: String,
        /// What it needs.
        needed: &'static str,
    },
    /// Two things that exclude each other.
    #[error("{of}: {conflict}")]
    Conflict {
        /// What they belong to.
        of: String,
        /// The two, and what to do.
        conflict: &'static str,
    },
    /// A value of the wrong kind.
    #[error("{what} must be {expected}, not {found}")]
    WrongType {
        /// What the value is for.
        what: String,
        /// What it should be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// A number that is infinite or none at all.
    #[error("{what} is {value}: give a finite number (was something divided by zero?)")]
    NotFinite {
        /// What the number is for.
        what: String,
        /// The number.
        value: f64,
    },
    /// A number outside its range.
    #[error("{what} is {value}; it must be {expected}")]
    Range {
        /// What the number is for.
        what: String,
        /// The number.
        value: f64,
        /// What is allowed.
        expected: &'static str,
    },
    /// Two bodies of one name.
    #[error("there are two bodies named `{name}`: give each its own name, for example \"{name} \" + i")]
    DuplicateBody {
        /// The name.
        name: String,
    },
    /// A pair of materials with two entries.
    #[error("these two materials already have a contact entry: keep one of the two")]
    DuplicateContact,
    /// A parameter asked for twice with different defaults.
    #[error(
        "parameter `{name}` was given the default {first} before, {second} here: call param() once and keep its value"
    )]
    DuplicateParam {
        /// The parameter.
        name: String,
        /// One default.
        first: String,
        /// The other.
        second: String,
    },
    /// A parameter was set to something of another kind than its default.
    #[error("parameter `{name}` is {expected}, but was set to `{value}`")]
    ParamValue {
        /// The parameter.
        name: String,
        /// What it was set to.
        value: String,
        /// The kind of its default.
        expected: &'static str,
    },
    /// Numbers that describe no shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Points without a hull.
    #[error("hull: {0}")]
    Hull(#[from] NotConvex),
    /// Vertices and faces that bound no solid.
    #[error("polyhedron: {0}")]
    Polyhedron(#[from] PolyhedronError),
    /// A mass that no body has.
    #[error("{of}: {error}")]
    Mass {
        /// The body.
        of: String,
        /// The reason.
        error: MassError,
    },
    /// A scripted motion that is none.
    #[error("{of}: {error}")]
    Motion {
        /// The body.
        of: String,
        /// The reason.
        error: ScriptError,
    },
    /// A file that a script may not or cannot read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A part that cannot be used.
    #[error(transparent)]
    Part(#[from] PartError),
    /// The script asks for more than scripts are given.
    #[error("{0}")]
    Limit(&'static str),
    /// The script itself gave up.
    #[error("the script stopped: {0}")]
    Thrown(String),
    /// Anything else that goes wrong while a script runs.
    #[error("{0}")]
    Run(String),
}

/// `; did you mean ...?`, or something else where there is nothing alike.
struct Similar<'a>(&'a [String], &'static str);

impl fmt::Display for Similar<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str(self.1),
            [one] => write!(f, "; did you mean `{one}`?"),
            [most @ .., last] => write!(f, "; did you mean `{}` or `{last}`?", most.join("`, `")),
        }
    }
}

fn known_params(known: &[String]) -> String {
    if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) }
}

/// A text as a message shows it.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let mut shown: String = text.chars().take(most).flat_map(printable).collect();
    if text.chars().nth(most).is_some() {
        shown += "...";
    }
    shown
}

fn printable(c: char) -> impl Iterator<Item = char> {
    // A tab stays one letter wide, so that marks stand below what they mark.
    let c = if c == '\t' { ' ' } else { c };
    let escaped = c.is_control().then(|| c.escape_default());
    let plain = escaped.is_none().then_some(c);
    escaped.into_iter().flatten().chain(plain)
}
