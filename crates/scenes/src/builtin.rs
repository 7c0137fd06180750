//! The built-in scenes: the one list that tests, benches, the command and the viewer read.

/// A scene that comes with the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltinScene {
    /// What it is called by.
    pub name: &'static str,
    /// Where its subject is treated in the thesis, empty where it is not.
    pub section: &'static str,
    /// What it shows, in a line.
    pub description: &'static str,
    /// Its script.
    pub text: &'static str,
}

/// All of them, by name.
pub const BUILTIN_SCENES: &[BuiltinScene] = &[
    BuiltinScene {
        name: "bounce",
        section: "3.1",
        description: "a ball dropped on a floor: each bounce rises to restitution squared times the last",
        text: include_str!("../scenes/bounce.rhai"),
    },
    BuiltinScene {
        name: "gas",
        section: "2.4",
        description: "elastic balls in a closed box without gravity: energy and number stay, order does not",
        text: include_str!("../scenes/gas.rhai"),
    },
    BuiltinScene {
        name: "minimum",
        section: "",
        description: "a ball, a cube and a spinning plate above a floor: the shortest script that shows most options",
        text: include_str!("../scenes/minimum.rhai"),
    },
    BuiltinScene {
        name: "rack",
        section: "7.1",
        description: "the break of fifteen pool balls",
        text: include_str!("../scenes/rack.rhai"),
    },
];
