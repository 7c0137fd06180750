//! Rhai's error messages in the terms of scene scripts.

use super::error::{Fault, Place, SceneError};
use super::numbers::CONSTANTS;
use super::program::Program;
use super::reference::{RHAI_FUNCTIONS, functions};
use super::suggest::similar;
use rhai::{EvalAltResult, LexError, ParseError, ParseErrorType, Position};
use std::sync::Arc;

/// Passes a fault through Rhai, which adds the place.
impl From<Fault> for Box<EvalAltResult> {
    fn from(fault: Fault) -> Self {
        EvalAltResult::ErrorRuntime(rhai::Dynamic::from(Arc::new(fault)), Position::NONE).into()
    }
}

/// An error of a creature's file on its way through the script that places the creature.
pub(super) fn within(error: SceneError, creature: &str) -> Box<EvalAltResult> {
    let told = Elsewhere { error, creature: creature.to_owned() };
    EvalAltResult::ErrorRuntime(rhai::Dynamic::from(Arc::new(told)), Position::NONE).into()
}

struct Elsewhere {
    error: SceneError,
    creature: String,
}

/// The error of a script that cannot be parsed.
pub(super) fn of_parsing(error: &ParseError, program: &Program) -> SceneError {
    let fault = syntax(error.err_type(), program);
    SceneError::Script { place: Box::new(place(error.position(), program)), fault: Arc::new(fault) }
}

/// The error of a script that failed while running, at the innermost place.
pub(super) fn of_running(error: EvalAltResult, program: &Program) -> SceneError {
    let mut calls = Vec::new();
    let mut error = error;
    while let EvalAltResult::ErrorInFunctionCall(name, _, inner, position) = error {
        let at = place(position, program);
        if !name.starts_with(ANONYMOUS) {
            calls.insert(0, (name, at.file, at.line));
        }
        error = *inner;
    }
    let place = Place { calls, ..place(error.position(), program) };
    if let EvalAltResult::ErrorRuntime(value, _) = &error
        && let Some(told) = value.clone().try_cast::<Arc<Elsewhere>>()
        && let SceneError::Script { place: inner, fault } = &told.error
    {
        let made = [(format!("creature {}", told.creature), place.file, place.line)];
        let calls = inner.calls.iter().cloned().chain(made).chain(place.calls).collect();
        return SceneError::Script { place: Box::new(Place { calls, ..(**inner).clone() }), fault: fault.clone() };
    }
    SceneError::Script { place: Box::new(place), fault: fault(error, program) }
}

/// What a function of a script is kept for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It looks at a world.
    Report,
    /// It acts on a world.
    Behaviour,
}

impl Role {
    fn argument(self) -> &'static str {
        match self {
            Self::Report => "the function must take one argument, the world: |w| ...",
            Self::Behaviour => "the function must take one argument, itself: |me| ...",
        }
    }

    fn too_long(self) -> &'static str {
        match self {
            Self::Report => "the report takes more than a million steps in one call: is there an endless loop?",
            Self::Behaviour => "the behaviour takes more than a million steps in one call: is there an endless loop?",
        }
    }

    fn refusal(self, name: &str) -> Fault {
        let name = name.to_owned();
        match self {
            Self::Report => Fault::OnlyLook { name },
            Self::Behaviour => Fault::OnlyAct { name },
        }
    }
}

/// The error of a function that reports or acts, at the innermost place.
pub(super) fn of_looking(error: EvalAltResult, asked_at: Position, program: &Program, role: Role) -> SceneError {
    let mut innermost = &error;
    while let EvalAltResult::ErrorInFunctionCall(_, _, inner, _) = innermost {
        innermost = inner;
    }
    let (position, fault) = match innermost {
        EvalAltResult::ErrorFunctionNotFound(signature, position) => {
            let name = signature.split_once(" (").map_or(signature.as_str(), |(name, _)| name);
            if name.starts_with(ANONYMOUS) {
                return at(asked_at, Fault::Run(role.argument().to_owned()), program);
            }
            let ours = functions().iter().any(|function| function.name == name);
            (*position, ours.then(|| role.refusal(name)))
        }
        EvalAltResult::ErrorTooManyOperations(position) | EvalAltResult::ErrorTerminated(_, position) => {
            (*position, Some(Fault::Limit(role.too_long())))
        }
        EvalAltResult::ErrorDotExpr(text, position) => (*position, Some(unknown_property(text, role))),
        _ => (Position::NONE, None),
    };
    match fault {
        // An empty loop has no place.
        Some(fault) => at(if position.is_none() { asked_at } else { position }, fault, program),
        None => of_running(error, program),
    }
}

/// How the names begin that Rhai gives to functions without one.
const ANONYMOUS: &str = "anon$";

/// What can be asked of the world and of bodies.
const PROPERTIES: [&str; 17] = [
    "time",
    "names",
    "energy",
    "kinetic_energy",
    "at_rest",
    "body",
    "name",
    "at",
    "rotation",
    "centre",
    "velocity",
    "mean_velocity",
    "spin",
    "mass",
    "contacts",
    "direction",
    "free",
];

/// What there is in a behaviour besides.
const OF_BEHAVIOURS: [&str; 19] = [
    "memory",
    "memory_of",
    "param",
    "joint",
    "controller",
    "report",
    "finish",
    "force",
    "torque",
    "push",
    "position",
    "rate",
    "goal",
    "enabled",
    "output",
    "creature",
    "release",
    "script",
    "impacts",
];

/// What is called, of the world, of who acts and of bodies.
const CALLED: [&str; 11] =
    ["body", "impacts", "point", "direction", "memory_of", "joint", "controller", "param", "release", "script", "push"];

/// Rhai: `Unknown property 'x' - a getter is not registered for type 'body'`, or a setter.
fn unknown_property(text: &str, role: Role) -> Fault {
    let name = text.split('\'').nth(1).unwrap_or(text).to_owned();
    if text.contains("getter") && CALLED.contains(&name.as_str()) {
        return Fault::Run(format!("`{name}` is a function: write what it is asked for in parentheses, `{name}(...)`"));
    }
    match role {
        Role::Report if PROPERTIES.contains(&name.as_str()) => Fault::OnlyLook { name },
        Role::Report => {
            Fault::UnknownProperty { similar: similar(&name, PROPERTIES.into_iter().chain(["impacts"])), name }
        }
        Role::Behaviour if text.contains("setter") && PROPERTIES.contains(&name.as_str()) => {
            Fault::Run(format!("`{name}` can be asked for, but not set"))
        }
        Role::Behaviour => {
            let similar = similar(&name, PROPERTIES.into_iter().chain(OF_BEHAVIOURS));
            Fault::UnknownProperty { name, similar }
        }
    }
}

/// A fault at a place.
pub(super) fn at(position: Position, fault: Fault, program: &Program) -> SceneError {
    SceneError::Script { place: Box::new(place(position, program)), fault: Arc::new(fault) }
}

fn place(position: Position, program: &Program) -> Place {
    program.place(position.line().unwrap_or(usize::MAX), position.position().unwrap_or(1))
}

fn syntax(error: &ParseErrorType, program: &Program) -> Fault {
    match error {
        ParseErrorType::VariableUndefined(name) => unknown_variable(name, program),
        ParseErrorType::Reserved(name) => forbidden(name),
        ParseErrorType::BadInput(LexError::ImproperSymbol(name, _)) => forbidden(name),
        ParseErrorType::ExprTooDeep => Fault::Limit("expressions are nested too deeply: use variables or functions"),
        ParseErrorType::TooManyFunctions => Fault::Limit("the script has more than 1000 functions"),
        ParseErrorType::LiteralTooLarge(..) => Fault::Limit(TOO_LARGE),
        ParseErrorType::UnexpectedEOF => {
            Fault::Syntax("the script ends unexpectedly: is a bracket or brace not closed?".to_owned())
        }
        ParseErrorType::AssignmentToInvalidLHS(_) => Fault::Syntax(
            "nothing can be assigned to this: keep it in a variable first, `let b = me.body(\"ball\"); b.force = f;`, or call `set_force(f)`"
                .to_owned(),
        ),
        other => Fault::Syntax(lowered(&other.to_string())),
    }
}

fn forbidden(name: &str) -> Fault {
    let remedy = match name {
        "import" | "export" => {
            "put shared functions into a file and write include(\"file.rhai\"); on a line of its own"
        }
        "eval" => "write what it should do as a function",
        _ => "it is a reserved word or symbol of the language: use another name",
    };
    Fault::Forbidden { name: name.to_owned(), remedy }
}

pub(super) const TOO_LARGE: &str = "an array, a map or a text is too large: an array may have 500000 elements in total, a map 10000 entries, a text 500000 characters";

fn fault(error: EvalAltResult, program: &Program) -> Arc<Fault> {
    use EvalAltResult as E;
    Arc::new(match error {
        E::ErrorRuntime(value, _) => match value.clone().try_cast::<Arc<Fault>>() {
            Some(fault) => return fault,
            None => Fault::Thrown(super::error::shortened(&value.to_string(), 400)),
        },
        E::ErrorParsing(error, _) => syntax(&error, program),
        E::ErrorFunctionNotFound(signature, _) => unknown_function(&signature, program),
        E::ErrorVariableNotFound(name, _) => unknown_variable(&name, program),
        E::ErrorTooManyOperations(_) | E::ErrorTerminated(..) => Fault::Limit(
            "the script takes more than 10 million steps: is there an endless loop? If not, make less in loops",
        ),
        E::ErrorStackOverflow(_) => Fault::Limit("function calls are nested more than 32 deep: use a loop"),
        E::ErrorTooManyVariables(_) => {
            Fault::Limit("the script has more than 128 variables at the same time: use arrays or functions")
        }
        E::ErrorDataTooLarge(..) => Fault::Limit(TOO_LARGE),
        E::ErrorMismatchDataType(expected, found, _) if !expected.is_empty() => {
            Fault::Run(format!("expected {}, found {}", kind(&expected), kind(&found)))
        }
        E::ErrorMismatchDataType(_, found, _) => Fault::Run(format!("{} does not fit here", kind(&found))),
        other => {
            let mut other = other;
            other.clear_position();
            Fault::Run(lowered(&other.to_string()))
        }
    })
}

/// A call that matches no function: `name (kind, kind)`.
fn unknown_function(signature: &str, program: &Program) -> Fault {
    let (name, arguments) = signature.split_once(" (").unwrap_or((signature, ""));
    let given: Vec<&str> =
        arguments.strip_suffix(')').unwrap_or(arguments).split(", ").filter(|a| !a.is_empty()).map(kind).collect();
    let given = given.join(", ");
    if name == "include" {
        // A line written as documented is replaced before the script runs, so this is another use of the name.
        let usage = "include(\"file.rhai\"); on a line of its own, the name in quotes".to_owned();
        return Fault::Arguments { name: name.to_owned(), given, usage };
    }
    let ours = functions();
    if let Some(known) = ours.iter().find(|function| function.name == name) {
        return Fault::Arguments { name: name.to_owned(), given, usage: known.usage.to_owned() };
    }
    if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return Fault::Operands { operator: name.to_owned(), given };
    }
    let own = words_after(&program.text, &["fn"]);
    if RHAI_FUNCTIONS.contains(&name) || own.contains(&name) {
        return Fault::Arguments { name: name.to_owned(), given, usage: "it with other arguments".to_owned() };
    }
    let known = ours.iter().map(|function| function.name).chain(RHAI_FUNCTIONS.iter().copied()).chain(own);
    Fault::UnknownFunction { name: name.to_owned(), similar: similar(name, known) }
}

fn unknown_variable(name: &str, program: &Program) -> Fault {
    let declared = words_after(&program.text, &["let", "const"]);
    let constants = CONSTANTS.map(|(name, _)| name);
    let candidates = declared.iter().copied().chain(constants).filter(|known| *known != name);
    Fault::UnknownVariable {
        name: name.to_owned(),
        similar: if declared.contains(&name) { Vec::new() } else { similar(name, candidates) },
        declared: declared.contains(&name),
    }
}

/// The words of a text that follow one of the keywords.
fn words_after<'a>(text: &'a str, keywords: &[&str]) -> Vec<&'a str> {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect();
    words.windows(2).filter(|pair| keywords.contains(&pair[0])).map(|pair| pair[1]).collect()
}

/// Rhai's type names in plain words.
fn kind(name: &str) -> &str {
    match name.trim() {
        "i64" | "f64" => "number",
        "&str | ImmutableString | String" | "string" => "text",
        "map" => "options",
        "bool" => "true or false",
        "()" => "nothing",
        "Fn" => "function",
        other => other,
    }
}

fn lowered(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
