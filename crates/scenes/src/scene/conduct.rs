//! The behaviours of a run: the functions that its script kept, called at the ticks of their clocks.
//!
//! Nothing that they leave behind is outside [`Conduct`] and the world, so that a copy of both goes on alike.

use super::acting::{self, Acting, SharedActing};
use super::chance::SharedRandom;
use super::description::{BehaviourDescription, ParamValue, SceneDescription};
use super::error::{Fault, SceneError};
use super::faults::{self, Role};
use super::language;
use super::me::{State, States};
use super::native::{Action, BehaviourError};
use super::numbers::constants_in_scope;
use super::plain::{Function, Plain};
use super::program::Program;
use super::steps::Steps;
use super::view::{Lent, SharedLent, View};
use crate::random::Random;
use impulse::world::{
    ClockId, ClockSpec, ControllerId, Event, ImpactRecord, MotionWindow, RunError, StopReason, World,
};
use rhai::{AST, CallFnOptions, Dynamic, Engine, Position, Scope};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

/// Most scripts that a thread keeps ready to be called.
const MAX_ACTORS: usize = 8;

/// Impacts that are kept at least for a behaviour that is called late.
const MAX_HEARD: usize = 10_000;

thread_local! {
    /// Functions of scripts belong to a thread, runs do not: each thread compiles a script when it calls it first.
    static ACTORS: RefCell<VecDeque<Rc<Actor>>> = const { RefCell::new(VecDeque::new()) };
}

/// The behaviours of a scene in one of its runs. A copy goes on alone.
#[derive(Clone, Debug)]
pub(crate) struct Conduct {
    code: Arc<Code>,
    state: State,
    random: Random,
    /// By behaviour, what all bodies did since it was called last; none if nobody asks.
    windows: Option<Vec<Vec<MotionWindow>>>,
    /// Impacts that behaviours may ask for; none if nobody does.
    heard: Option<Heard>,
}

/// Impacts, and from which on they are new to each behaviour.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Heard {
    impacts: Vec<ImpactRecord>,
    /// By behaviour.
    new: Vec<usize>,
}

/// The behaviours of a run as plain data.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedConduct {
    state: State,
    random: Random,
    windows: Option<Vec<Vec<MotionWindow>>>,
    heard: Option<Heard>,
}

/// What all copies of a run share.
#[derive(Debug)]
struct Code {
    scene: Arc<SceneDescription>,
    /// By behaviour.
    clocks: Vec<ClockId>,
    /// By number of the scene's controllers.
    controllers: Vec<ControllerId>,
}

/// What is needed to call the behaviours of a script on one thread.
struct Actor {
    code: Arc<Code>,
    engine: Engine,
    /// By number of the scene's programs.
    trees: Vec<AST>,
    lent: SharedLent,
    acting: SharedActing,
    random: SharedRandom,
    steps: Steps,
    /// By behaviour, the variables of the script that it uses, shared with its function.
    captured: RefCell<Vec<Vec<Dynamic>>>,
}

impl Conduct {
    /// For a new world of a scene; none if the scene has no behaviours. Their clocks are added to the world.
    pub(crate) fn new(scene: &SceneDescription, world: &mut World) -> Option<Self> {
        if scene.behaviours.is_empty() {
            return None;
        }
        let clock = |behaviour: &BehaviourDescription| {
            let spec = ClockSpec { start: behaviour.start, ..ClockSpec::tick(behaviour.period) };
            world.add_clock(spec).expect("the script was asked for a start and a rate that a clock can have")
        };
        let clocks: Vec<ClockId> = scene.behaviours.iter().map(clock).collect();
        let controllers = world.controllers().collect();
        let memories = scene.behaviours.iter().map(|behaviour| behaviour.memory.clone()).collect();
        let state = State { memories, ..State::default() };
        // Windows cost time at every call, and few scripts ask for mean velocities. What is written in Rust may ask for anything.
        let is_native = |behaviour: &BehaviourDescription| matches!(behaviour.action, Action::Native(_));
        let any_native = scene.behaviours.iter().any(is_native);
        let asks = |word: &str| any_native || scene.programs.iter().any(|program| program.text.contains(word));
        let windows = asks("mean_velocity").then(|| vec![Vec::new(); clocks.len()]);
        let code = Code { scene: Arc::new(scene.clone()), clocks, controllers };
        let heard = asks("impacts").then(|| Heard { impacts: Vec::new(), new: vec![0; code.clocks.len()] });
        Some(Self { code: Arc::new(code), state, random: scene.random.clone(), windows, heard })
    }

    pub(crate) fn saved(&self) -> SavedConduct {
        let Self { state, random, windows, heard, .. } = self.clone();
        SavedConduct { state, random, windows, heard }
    }

    /// These behaviours as they were; none if the data is not theirs.
    pub(crate) fn restored(self, saved: SavedConduct) -> Option<Self> {
        let SavedConduct { state, random, windows, heard } = saved;
        let count = self.code.clocks.len();
        let are_windows = windows.as_ref().map(Vec::len) == self.windows.as_ref().map(Vec::len);
        let is_heard = match (&heard, &self.heard) {
            (Some(heard), Some(_)) => heard.new.len() == count && heard.new.iter().all(|&n| n <= heard.impacts.len()),
            (heard, own) => heard.is_none() && own.is_none(),
        };
        let are_states = state.states.keys().all(|&number| number < count);
        let is_fit = state.memories.len() == count && are_windows && is_heard && are_states;
        is_fit.then_some(Self { code: self.code, state, random, windows, heard })
    }

    /// Whether a behaviour has ended the run.
    pub(crate) fn is_finished(&self) -> bool {
        self.state.is_finished
    }

    /// What behaviours told for reports.
    pub(crate) fn told(&self) -> &BTreeMap<String, ParamValue> {
        &self.state.told
    }

    /// The states of behaviours that told any, with their names.
    pub(crate) fn states(&self) -> impl Iterator<Item = (&str, &States)> {
        self.state.states.iter().map(|(&number, states)| (self.name(number), states))
    }

    /// The behaviour that a clock is for.
    pub(crate) fn behaviour_of(&self, clock: ClockId) -> Option<usize> {
        self.code.clocks.iter().position(|own| *own == clock)
    }

    /// The name of a behaviour.
    pub(crate) fn name(&self, number: usize) -> &str {
        &self.code.scene.behaviours[number].name
    }

    /// Takes note of what happened, for behaviours that ask for impacts.
    pub(crate) fn hear(&mut self, event: &Event) {
        let (Some(heard), Event::Impact(impact)) = (&mut self.heard, event) else { return };
        if impact.micro {
            return;
        }
        heard.impacts.push(*impact);
        if heard.impacts.len() > 2 * MAX_HEARD {
            heard.forget(MAX_HEARD);
        }
    }

    /// Runs events up to a time as [`World::run_until`] does, and takes note of impacts if behaviours ask for them.
    pub(crate) fn run_until(&mut self, world: &mut World, time: f64, budget: u64) -> Result<StopReason, RunError> {
        if self.heard.is_none() {
            return world.run_until(time, Some(budget));
        }
        for _ in 0..budget {
            if world.next_event().is_none_or(|next| next > time) {
                break;
            }
            match world.step()? {
                Some(Event::Tick(tick)) => return Ok(StopReason::Tick(tick)),
                Some(Event::Sample(tick)) => return Ok(StopReason::Sample(tick)),
                Some(event) => self.hear(&event),
                None => {}
            }
        }
        world.run_until(time, Some(0))
    }

    /// Calls a behaviour.
    pub(crate) fn call(&mut self, world: &mut World, number: usize) -> Result<(), BehaviourError> {
        let actor = Actor::of(&self.code);
        actor.steps.restart();
        self.swap(&actor, world, number);
        let answer = actor.call(number);
        self.swap(&actor, world, number);
        if let Some(windows) = &mut self.windows {
            windows[number].clear();
            windows[number].extend(world.bodies().filter_map(|body| world.motion_window(body)));
        }
        if let Some(heard) = &mut self.heard {
            heard.new[number] = heard.impacts.len();
            let oldest = heard.new.iter().copied().min().unwrap_or(0);
            if oldest > 0 && 2 * oldest >= heard.impacts.len() {
                heard.forget(oldest);
            }
        }
        answer
    }

    /// Lends the world and all that behaviours remember to the functions of the script, or takes it back.
    fn swap(&mut self, actor: &Actor, world: &mut World, number: usize) {
        let mut lent = actor.lent.borrow_mut();
        lent.prefix = self.code.scene.creature_of(number).map(|creature| creature.prefix.clone());
        std::mem::swap(&mut lent.world, world);
        if let Some(windows) = &mut self.windows {
            std::mem::swap(&mut lent.windows, &mut windows[number]);
        }
        if let Some(heard) = &mut self.heard {
            std::mem::swap(&mut lent.heard.0, &mut heard.impacts);
            lent.heard.1 = heard.new[number];
        }
        std::mem::swap(&mut *actor.random.borrow_mut(), &mut self.random);
        let mut acting = actor.acting.borrow_mut();
        std::mem::swap(&mut acting.state, &mut self.state);
        acting.number = number;
    }
}

impl Heard {
    /// Forgets the oldest impacts.
    fn forget(&mut self, count: usize) {
        self.impacts.drain(..count);
        self.new.iter_mut().for_each(|new| *new = new.saturating_sub(count));
    }
}

impl Actor {
    /// The one of this thread.
    fn of(code: &Arc<Code>) -> Rc<Self> {
        let known = ACTORS.with_borrow(|actors| actors.iter().find(|actor| Arc::ptr_eq(&actor.code, code)).cloned());
        known.unwrap_or_else(|| {
            let actor = Rc::new(Self::new(code));
            ACTORS.with_borrow_mut(|actors| {
                actors.truncate(MAX_ACTORS - 1);
                actors.push_front(actor.clone());
            });
            actor
        })
    }

    fn new(code: &Arc<Code>) -> Self {
        let (lent, steps) = (Rc::new(RefCell::new(Lent::new())), Steps::default());
        let (scene, controllers) = (code.scene.clone(), code.controllers.clone());
        let random = Rc::new(RefCell::new(Random::new(0)));
        let (state, shared) = (State::default(), random.clone());
        let acting = Rc::new(RefCell::new(Acting { scene, controllers, number: 0, state, random: shared }));
        let mut engine = language::acting_engine(&lent, &random, &steps);
        acting::register(&mut engine, &lent, &acting);
        let tree = |program: &Arc<Program>| {
            let tree = engine.compile_with_scope(&constants_in_scope(), &program.text);
            tree.expect("the same text has described the scene")
        };
        let trees = code.scene.programs.iter().map(tree).collect();
        let captures = |behaviour: &BehaviourDescription| match &behaviour.action {
            Action::Script(function) => captured(function),
            Action::Native(_) => Vec::new(),
        };
        let captured = RefCell::new(code.scene.behaviours.iter().map(captures).collect());
        Self { code: code.clone(), engine, trees, lent, acting, random, steps, captured }
    }

    fn call(&self, number: usize) -> Result<(), BehaviourError> {
        let behaviour = &self.code.scene.behaviours[number];
        match &behaviour.action {
            Action::Script(function) => Ok(self.call_script(number, behaviour, function)?),
            Action::Native(native) => acting::with_me(&self.acting, &self.lent, |me| native.act(me)),
        }
    }

    fn call_script(
        &self,
        number: usize,
        behaviour: &BehaviourDescription,
        function: &Function,
    ) -> Result<(), SceneError> {
        let program = self.code.scene.creature_of(number).map_or(0, |creature| creature.program);
        let (tree, program) = (&self.trees[program], &self.code.scene.programs[program]);
        let place = Position::new(behaviour.place[0] as u16, behaviour.place[1] as u16);
        let mut arguments = self.captured.borrow()[number].clone();
        arguments.push(Dynamic::from(View));
        let (options, mut scope) = (CallFnOptions::new().eval_ast(false), Scope::new());
        let name = &function.name;
        let answer = self.engine.call_fn_with_options::<Dynamic>(options, &mut scope, tree, name, arguments);
        let is_changed = self.restore(number, function);
        let _ignored = answer.map_err(|error| faults::of_looking(*error, place, program, Role::Behaviour))?;
        if is_changed {
            let fault =
                "the behaviour changes a variable of the script, which has ended: keep what must last in me.memory";
            return Err(faults::at(place, Fault::Limit(fault), program));
        }
        Ok(())
    }

    /// Whether a behaviour has changed variables of the script. Copies of the run share these, and find them as they were.
    fn restore(&self, number: usize, function: &Function) -> bool {
        let pairs = |now: &[Dynamic]| function.captured.iter().zip(now).all(|(own, now)| own.is(now));
        if pairs(&self.captured.borrow()[number]) {
            return false;
        }
        self.captured.borrow_mut()[number] = captured(function);
        true
    }
}

/// The variables of the script that a function uses.
fn captured(function: &Function) -> Vec<Dynamic> {
    function.captured.iter().map(Plain::dynamic).map(Dynamic::into_shared).collect()
}
