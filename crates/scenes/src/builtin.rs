//! The built-in scenes: the only list of them, used by tests, benches, the command and the viewer.

/// A scene that is part of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltinScene {
    /// Its name.
    pub name: &'static str,
    /// The section of the thesis on its subject; empty if there is none.
    pub section: &'static str,
    /// What it shows, in one line.
    pub description: &'static str,
    /// Its script.
    pub text: &'static str,
}

/// A creature that is part of the library: `creature("builtin/NAME.rhai")` places it in any scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltinCreature {
    /// Its file, as scripts name it.
    pub file: &'static str,
    /// Its script.
    pub text: &'static str,
}

/// All built-in creatures, sorted by name.
pub const BUILTIN_CREATURES: &[BuiltinCreature] = &[
    BuiltinCreature { file: "builtin/bug.rhai", text: include_str!("../creatures/bug.rhai") },
    BuiltinCreature { file: "builtin/rover.rhai", text: include_str!("../creatures/rover.rhai") },
];

/// The built-in creature whose file a script names.
pub(crate) fn builtin_creature(file: &str) -> Option<&'static BuiltinCreature> {
    BUILTIN_CREATURES.iter().find(|creature| creature.file == file)
}

/// All built-in scenes, sorted by name.
pub const BUILTIN_SCENES: &[BuiltinScene] = &[
    BuiltinScene {
        name: "bicycle",
        section: "7.3",
        description: "a bicycle is ridden around pylons, down stairs, past a wall, over ice and a jump",
        text: include_str!("../scenes/bicycle.rhai"),
    },
    BuiltinScene {
        name: "bicycle_free",
        section: "7.3",
        description: "a bicycle that nobody steers rights itself: the benchmark of Meijaard et al., on its own wheels",
        text: include_str!("../scenes/bicycle_free.rhai"),
    },
    BuiltinScene {
        name: "block_drop",
        section: "7.1",
        description: "two dropped blocks bounce, rattle and come to rest in a stack",
        text: include_str!("../scenes/block_drop.rhai"),
    },
    BuiltinScene {
        name: "block_on_ramp",
        section: "7.1",
        description: "a block slides down a ramp and is stopped by friction after 5.4777 m and 1.9992 s",
        text: include_str!("../scenes/block_on_ramp.rhai"),
    },
    BuiltinScene {
        name: "bounce",
        section: "3.1",
        description: "a ball dropped on a floor: each bounce rises to restitution squared times the last",
        text: include_str!("../scenes/bounce.rhai"),
    },
    BuiltinScene {
        name: "bowling",
        section: "7.1",
        description: "a ball rolls down the lane into ten pins",
        text: include_str!("../scenes/bowling.rhai"),
    },
    BuiltinScene {
        name: "box_drop",
        section: "3.5",
        description: "a box with a random orientation falls, bounces and comes to rest on a face",
        text: include_str!("../scenes/box_drop.rhai"),
    },
    BuiltinScene {
        name: "bullet",
        section: "2.3",
        description: "a fast bullet does not tunnel through a thin plate",
        text: include_str!("../scenes/bullet.rhai"),
    },
    BuiltinScene {
        name: "chain_in_bowl",
        section: "5.1",
        description: "a chain of links on sockets falls into a bowl, piles up and comes to rest",
        text: include_str!("../scenes/chain_in_bowl.rhai"),
    },
    BuiltinScene {
        name: "chain_of_balls",
        section: "7.1",
        description: "an impulse passes through a chain of balls; the last one leaves, and comes back",
        text: include_str!("../scenes/chain_of_balls.rhai"),
    },
    BuiltinScene {
        name: "chute",
        section: "7.1",
        description: "caps dropped into an inclined tray slide through its narrow opening and spread on the floor",
        text: include_str!("../scenes/chute.rhai"),
    },
    BuiltinScene {
        name: "coin",
        section: "3.5",
        description: "a coin rolls on its rim, leaning, and keeps its energy",
        text: include_str!("../scenes/coin.rhai"),
    },
    BuiltinScene {
        name: "coins",
        section: "7.1",
        description: "rolling and tossed coins meet on a plate and rattle to rest",
        text: include_str!("../scenes/coins.rhai"),
    },
    BuiltinScene {
        name: "conveyor",
        section: "",
        description: "a block on an obliquely vibrating plate slips to and fro, and forth by 24.757 mm/s in the mean",
        text: include_str!("../scenes/conveyor.rhai"),
    },
    BuiltinScene {
        name: "creature_war",
        section: "7.3",
        description: "a rover of seven links hunts walking bugs and pushes them over the edge of their world",
        text: include_str!("../scenes/creature_war.rhai"),
    },
    BuiltinScene {
        name: "dish",
        section: "7.1",
        description: "seven balls come to rest in a shallow dish, one in the middle and six around it",
        text: include_str!("../scenes/dish.rhai"),
    },
    BuiltinScene {
        name: "dominos",
        section: "7.1",
        description: "a row of dominos falls over",
        text: include_str!("../scenes/dominos.rhai"),
    },
    BuiltinScene {
        name: "double_pendulum",
        section: "4.4",
        description: "two hinged rods swing and tumble, and keep their energy",
        text: include_str!("../scenes/double_pendulum.rhai"),
    },
    BuiltinScene {
        name: "feeder",
        section: "1.2",
        description: "a vibrating tray carries parts along and shakes them into recesses",
        text: include_str!("../scenes/feeder.rhai"),
    },
    BuiltinScene {
        name: "flat_box",
        section: "",
        description: "a box dropped flat bounces like a ball: each bounce rises to restitution squared times the last",
        text: include_str!("../scenes/flat_box.rhai"),
    },
    BuiltinScene {
        name: "furniture",
        section: "7.3",
        description: "a table tours two rooms; six chairs follow it and scoot in at walls, and a bottle jumps on it",
        text: include_str!("../scenes/furniture.rhai"),
    },
    BuiltinScene {
        name: "gas",
        section: "2.4",
        description: "elastic balls in a closed box without gravity: energy is conserved, order is lost",
        text: include_str!("../scenes/gas.rhai"),
    },
    BuiltinScene {
        name: "middle_axis",
        section: "2.3",
        description: "a brick spun about its middle axis tumbles over and keeps its energy",
        text: include_str!("../scenes/middle_axis.rhai"),
    },
    BuiltinScene {
        name: "minimum",
        section: "",
        description: "a ball, a cube and a spinning plate above a floor: the shortest script that shows most options",
        text: include_str!("../scenes/minimum.rhai"),
    },
    BuiltinScene {
        name: "part_sorter",
        section: "7.2",
        description: "parts slide down tracks with sprung trap doors, which let the heavy ones fall through",
        text: include_str!("../scenes/part_sorter.rhai"),
    },
    BuiltinScene {
        name: "platter",
        section: "7.1",
        description: "a ball on a turning platter orbits at 2/7 of its rate",
        text: include_str!("../scenes/platter.rhai"),
    },
    BuiltinScene {
        name: "pool_break",
        section: "7.1",
        description: "the break of fifteen pool balls",
        text: include_str!("../scenes/pool_break.rhai"),
    },
    BuiltinScene {
        name: "rattleback",
        section: "7.1",
        description: "a stone spun in the wrong direction stops and spins back",
        text: include_str!("../scenes/rattleback.rhai"),
    },
    BuiltinScene {
        name: "rocking_block",
        section: "",
        description: "a slender block rocks from edge to edge and keeps 1 - 3/2 sin^2 alpha of its angular velocity",
        text: include_str!("../scenes/rocking_block.rhai"),
    },
    BuiltinScene {
        name: "seesaw",
        section: "7.2",
        description: "eight balls roll to an opening that a see-saw blocks; it tips, and they pass",
        text: include_str!("../scenes/seesaw.rhai"),
    },
    BuiltinScene {
        name: "slide_to_roll",
        section: "3.5",
        description: "a ball that starts sliding ends up rolling at 5/7 of its speed",
        text: include_str!("../scenes/slide_to_roll.rhai"),
    },
    BuiltinScene {
        name: "stack",
        section: "8.1",
        description: "a stack of ten cubes stands without drift",
        text: include_str!("../scenes/stack.rhai"),
    },
    BuiltinScene {
        name: "text",
        section: "7.1",
        description: "the words \"impulse-based simulation\" fly apart and keep their energy: 26 bodies, most of them not convex",
        text: include_str!("../scenes/text.rhai"),
    },
    BuiltinScene {
        name: "top",
        section: "4.2",
        description: "a fast top on a socket precesses steadily at 3.7596 rad/s and keeps its tilt",
        text: include_str!("../scenes/top.rhai"),
    },
    BuiltinScene {
        name: "triple_pendulum",
        section: "7.2",
        description: "a mallet on a pendulum of three links swings through six balls in a dish",
        text: include_str!("../scenes/triple_pendulum.rhai"),
    },
];
