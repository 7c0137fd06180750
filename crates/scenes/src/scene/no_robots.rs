//! In place of `robots` where robots are left out.

use super::error::Fault;
use super::stage::{Answer, SharedStage};
use rhai::{Dynamic, Engine, Map};

/// What is said to a script with a robot.
const ABSENT: Fault = Fault::Limit("robots are not read here: run this scene with the command `impulse run`");

/// Registers `robot`, which says that it is not there.
pub(super) fn register(engine: &mut Engine, _: &SharedStage) {
    engine.register_fn("robot", |_: Dynamic, _: Dynamic| -> Answer<Map> { Err(ABSENT.into()) });
    engine.register_fn("robot", |_: Dynamic| -> Answer<Map> { Err(ABSENT.into()) });
}
