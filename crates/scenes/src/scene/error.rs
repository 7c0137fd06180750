//! Why a scene cannot be used. Each error names the place in the script and a remedy.

use super::folder::FileError;
use crate::part::PartError;
use crate::urdf::UrdfError;
use impulse::body::ScriptError;
use impulse::geometry::{MassError, NotConvex, PolyhedronError, ShapeError};
use impulse::world::{ActError, JointFault};
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
        /// Similar names.
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
        /// Similar names.
        similar: Vec<String>,
        /// The scene's parameters.
        known: Vec<String>,
    },
    /// A robot that is a scene of its own cannot be used.
    #[error("{0}")]
    Robot(Arc<Fault>),
    /// The script is wrong somewhere.
    #[error("{place}: {fault}\n{}", place.quoted())]
    Script {
        /// The place.
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
    /// Line, counted from 1; 0 if unknown.
    pub line: usize,
    /// Character of the line, counted from 1.
    pub column: usize,
    /// The line's text.
    pub text: String,
    /// The script's own functions on the call stack, innermost first, with file and line of each call.
    pub calls: Vec<(String, String, usize)>,
}

impl Place {
    /// The line with a mark below the column, for a message.
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
    /// The text is not a valid script.
    #[error("{0}")]
    Syntax(String),
    /// A word that scripts may not use.
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
        /// Similar names.
        similar: Vec<String>,
    },
    /// A function does not accept these arguments.
    #[error("`{name}` cannot be called with ({given}); write {usage}")]
    Arguments {
        /// The function.
        name: String,
        /// The types that were given.
        given: String,
        /// How it is called.
        usage: String,
    },
    /// An operator does not accept these operands.
    #[error("`{operator}` cannot be applied to ({given})")]
    Operands {
        /// The operator.
        operator: String,
        /// The types that were given.
        given: String,
    },
    /// No variable has this name.
    #[error("unknown variable `{name}`{}", Similar(similar, if *declared { "; functions see their arguments only: pass it to the function" } else { "; declare it with `let`" }))]
    UnknownVariable {
        /// The name.
        name: String,
        /// Similar names.
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
        /// Similar options.
        similar: Vec<String>,
        /// All options.
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
    /// Two options exclude each other.
    #[error("{of}: {conflict}")]
    Conflict {
        /// What they belong to.
        of: String,
        /// The conflict and its remedy.
        conflict: &'static str,
    },
    /// A value has the wrong type.
    #[error("{what} must be {expected}, not {found}")]
    WrongType {
        /// What the value is for.
        what: String,
        /// What it should be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// A number is infinite or NaN.
    #[error("{what} is {value}: give a finite number (was something divided by zero?)")]
    NotFinite {
        /// What the number is for.
        what: String,
        /// The number.
        value: f64,
    },
    /// A number is outside its range.
    #[error("{what} is {value}; it must be {expected}")]
    Range {
        /// What the number is for.
        what: String,
        /// The number.
        value: f64,
        /// What is allowed.
        expected: &'static str,
    },
    /// Two bodies have the same name.
    #[error("there are two bodies named `{name}`: give each its own name, for example \"{name} \" + i")]
    DuplicateBody {
        /// The name.
        name: String,
    },
    /// A pair of materials has two entries.
    #[error("these two materials already have a contact entry: remove one of the two")]
    DuplicateContact,
    /// A parameter is used twice with different defaults.
    #[error(
        "parameter `{name}` has the default {first} above, but {second} here: call param() once and keep its value in a variable"
    )]
    DuplicateParam {
        /// The parameter.
        name: String,
        /// The first default.
        first: String,
        /// The second default.
        second: String,
    },
    /// A parameter was set to a value whose type differs from the default's.
    #[error("parameter `{name}` is {expected}, but was set to `{value}`")]
    ParamValue {
        /// The parameter.
        name: String,
        /// What it was set to.
        value: String,
        /// The type of its default.
        expected: &'static str,
    },
    /// A parameter outside the range that the script gives for it.
    #[error(
        "parameter `{name}` is {value}, but the scene takes values from {min} to {max}; set one of these, or change the range in the script"
    )]
    ParamRange {
        /// The parameter.
        name: String,
        /// Its value.
        value: f64,
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// The numbers do not describe a shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The points have no hull.
    #[error("hull: {0}")]
    Hull(#[from] NotConvex),
    /// The vertices and faces do not bound a solid.
    #[error("polyhedron: {0}")]
    Polyhedron(#[from] PolyhedronError),
    /// A body's mass properties are invalid.
    #[error("{of}: {error}")]
    Mass {
        /// The body.
        of: String,
        /// The reason.
        error: MassError,
    },
    /// A scripted motion is invalid.
    #[error("{of}: {error}")]
    Motion {
        /// The body.
        of: String,
        /// The reason.
        error: ScriptError,
    },
    /// A joint is invalid.
    #[error("{of}: {fault}")]
    Joint {
        /// The joint.
        of: String,
        /// The reason.
        fault: JointFault,
    },
    /// No body has this name.
    #[error("{of}: there is no body `{name}`{}", Similar(similar, "; make the body first, with body(...)"))]
    UnknownBody {
        /// What names it.
        of: String,
        /// The name.
        name: String,
        /// Similar names.
        similar: Vec<String>,
    },
    /// No joint has this name.
    #[error("{of}: there is no joint `{name}`{}", Similar(similar, "; make the joint first, with joint(...)"))]
    UnknownJoint {
        /// What names it.
        of: String,
        /// The name.
        name: String,
        /// Similar names.
        similar: Vec<String>,
    },
    /// No body of the world has this name.
    #[error("{of}: there is no body `{name}`{}", Similar(similar, "; `names` lists them"))]
    NoSuchBody {
        /// What asks for it.
        of: String,
        /// The name.
        name: String,
        /// Similar names.
        similar: Vec<String>,
    },
    /// Nothing of a kind has this name.
    #[error("{of}: there is no {kind} `{name}`{}", Similar(similar, remedy))]
    Unknown {
        /// What asks for it.
        of: &'static str,
        /// Of which kind.
        kind: &'static str,
        /// The name.
        name: String,
        /// Similar names.
        similar: Vec<String>,
        /// What to do where nothing is similar.
        remedy: &'static str,
    },
    /// The engine refused what a behaviour does.
    #[error(transparent)]
    Act(ActError),
    /// Two reports have the same name.
    #[error("there are two reports named `{name}`: give each its own name")]
    DuplicateReport {
        /// The name.
        name: String,
    },
    /// Nothing of this name can be asked.
    #[error(
        "there is no `{name}` to ask for{}",
        Similar(similar, "; `impulse scene help report` and `impulse scene help behaviour` tell what there is")
    )]
    UnknownProperty {
        /// The name.
        name: String,
        /// Similar names.
        similar: Vec<String>,
    },
    /// A report tries to do something.
    #[error("`{name}` cannot be used in a report: reports look at the world and change nothing")]
    OnlyLook {
        /// The function or property.
        name: String,
    },
    /// A behaviour tries to describe a scene.
    #[error(
        "`{name}` cannot be used in a behaviour: it describes scenes, and the run has begun; behaviours act through `me`"
    )]
    OnlyAct {
        /// The function.
        name: String,
    },
    /// A file cannot be read, or must not.
    #[error(transparent)]
    File(#[from] FileError),
    /// A robot's file cannot be used.
    #[error(transparent)]
    Robot(#[from] Box<UrdfError>),
    /// A part file cannot be used.
    #[error(transparent)]
    Part(#[from] PartError),
    /// The script exceeds a limit.
    #[error("{0}")]
    Limit(&'static str),
    /// The script stopped itself.
    #[error("the script stopped: {0}")]
    Thrown(String),
    /// Any other run-time error.
    #[error("{0}")]
    Run(String),
}

impl From<UrdfError> for Fault {
    fn from(error: UrdfError) -> Self {
        Self::Robot(Box::new(error))
    }
}

/// `; did you mean ...?`, or another text if nothing is similar.
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

/// A text for a message: shortened, without control characters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let mut shown: String = text.chars().take(most).flat_map(printable).collect();
    if text.chars().nth(most).is_some() {
        shown += "...";
    }
    shown
}

fn printable(c: char) -> impl Iterator<Item = char> {
    // A tab becomes one blank, so that marks are below what they mark.
    let c = if c == '\t' { ' ' } else { c };
    let escaped = c.is_control().then(|| c.escape_default());
    let plain = escaped.is_none().then_some(c);
    escaped.into_iter().flatten().chain(plain)
}
