//! A script that is compiled once and describes any number of scenes, one for each choice of parameters and seed.

use super::description::SceneDescription;
use super::error::SceneError;
use super::looks::{Caller, Reports};
use super::program::Program;
use super::source::SceneSource;
use super::stage::{SharedStage, Stage};
use super::steps::Steps;
use super::suggest::similar;
use super::view::Lent;
use super::{SceneSettings, faults, language, numbers};
use crate::builtin::builtin_creature;
use rhai::{AST, Engine};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// A compiled script. It belongs to one thread; others compile their own.
///
/// ```
/// use impulse::world::Settings;
/// use impulse_scenes::scene::{SceneSettings, SceneSource, Script};
/// use impulse_scenes::Runner;
///
/// let text = "body(\"ball\", sphere(0.1), #{ at: [0, 0, 1], mass: 1 }); report(\"height\", |w| w.body(\"ball\").at[2]);";
/// let script = Script::open(&SceneSource::Text { name: "ball.rhai".to_owned(), text: text.to_owned() })?;
/// let read = script.read(&SceneSettings::default())?;
/// let mut runner = Runner::of(read.scene, Settings { ..Settings::default() })?;
/// let reported = runner.run_reporting(0.1, read.reports)?.reported;
/// assert!(reported[0].value.is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Script {
    engine: Engine,
    tree: Rc<AST>,
    program: Arc<Program>,
    stage: SharedStage,
    caller: Rc<Caller>,
    /// Whether the scene is a robot's file.
    is_robot: bool,
}

/// A scene, and what its script wants to know of a run.
pub struct ReadScene {
    /// The scene.
    pub scene: SceneDescription,
    /// Its reports, for one run.
    pub reports: Reports,
}

impl Script {
    /// Reads and compiles a script.
    pub fn open(source: &SceneSource) -> Result<Self, SceneError> {
        let opened = source.open()?;
        let (is_robot, program) = (opened.is_robot, Arc::new(Program::new(&opened)?));
        let stage = Rc::new(RefCell::new(Stage::new(opened.folder, opened.location)));
        let engine = language::engine(&stage);
        let tree = engine.compile_with_scope(&numbers::constants_in_scope(), &program.text);
        let tree = Rc::new(tree.map_err(|error| faults::of_parsing(&error, &program))?);
        let (lent, steps) = (Rc::new(RefCell::new(Lent::new())), Steps::default());
        let looking = language::looking_engine(&lent, &steps);
        let caller = Caller { engine: looking, script: tree.clone(), program: program.clone(), lent, steps };
        Ok(Self { engine, tree, program, stage, caller: Rc::new(caller), is_robot })
    }

    /// The error of a robot's file is told without the script that stands for the file.
    fn failed(&self, error: SceneError) -> SceneError {
        match error {
            SceneError::Script { fault, .. } if self.is_robot => SceneError::Robot(fault),
            other => other,
        }
    }

    /// The script's text, with all that it includes.
    pub fn text(&self) -> &str {
        &self.program.text
    }

    /// The script's text, and those of all creatures that it has placed so far.
    pub fn all_text(&self) -> String {
        let stage = self.stage.borrow();
        [&self.program].into_iter().chain(stage.creatures.programs()).map(|program| program.text.as_str()).collect()
    }

    /// Runs the script with some parameters and a seed, and returns what it describes.
    pub fn read(&self, settings: &SceneSettings) -> Result<ReadScene, SceneError> {
        self.stage.borrow_mut().restart(settings.params.iter().cloned().collect(), settings.seed);
        // Functions find the constants in a module, but what functions without a name use is looked up in the scope.
        let mut scope = numbers::constants_in_scope();
        self.engine
            .run_ast_with_scope(&mut scope, &self.tree)
            .map_err(|error| self.failed(faults::of_running(*error, &self.program)))?;
        let mut stage = self.stage.borrow_mut();
        if let Some(name) = stage.unknown_setting() {
            let known: Vec<String> = stage.scene.params.iter().map(|param| param.name.clone()).collect();
            let similar = similar(name, known.iter().map(String::as_str));
            return Err(SceneError::UnknownParam { name: name.to_owned(), similar, known });
        }
        let (mut scene, asked) = stage.take();
        scene.random = stage.random.borrow().clone();
        scene.programs.insert(0, self.program.clone());
        scene.included = self.program.included().to_vec();
        for program in &scene.programs[1..] {
            let is_other = |file: &&String| builtin_creature(file).is_none() && !scene.included.contains(file);
            let others = program.files().iter().filter(is_other);
            let others: Vec<String> = others.cloned().collect();
            scene.included.extend(others);
        }
        let reports = Reports::new(&self.caller, asked, scene.look_every);
        Ok(ReadScene { scene, reports })
    }
}
