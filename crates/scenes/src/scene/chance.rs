//! Random numbers for scripts, all determined by the random seed.

use super::error::Fault;
use super::layout::{written, written_rotation};
use super::stage::Answer;
use super::values::{number, vector, whole};
use crate::random::Random;
use rhai::{Array, Dynamic, Engine, Map};
use std::cell::RefCell;
use std::rc::Rc;

/// Random numbers as the functions of a script share them.
pub(super) type SharedRandom = Rc<RefCell<Random>>;

/// Registers the functions that draw random numbers.
pub(super) fn register(engine: &mut Engine, random: &SharedRandom) {
    let shared = random.clone();
    engine.register_fn("rand", move || shared.borrow_mut().unit());
    let shared = random.clone();
    engine.register_fn("rand", move |low: Dynamic, high: Dynamic| -> Answer<f64> {
        let (low, high) = (number("rand: the lower end", &low)?, number("rand: the upper end", &high)?);
        Ok(shared.borrow_mut().between(low, high))
    });
    let shared = random.clone();
    engine.register_fn("rand_int", move |low: Dynamic, high: Dynamic| -> Answer<i64> {
        let (low, high) = (whole("rand_int: the lower end", &low)?, whole("rand_int: the upper end", &high)?);
        if low > high {
            let conflict = "the lower end exceeds the upper one: swap them";
            return Err(Fault::Conflict { of: "rand_int".to_owned(), conflict }.into());
        }
        Ok(shared.borrow_mut().whole(low, high))
    });
    let shared = random.clone();
    engine.register_fn("rand_normal", move || shared.borrow_mut().normal());
    let shared = random.clone();
    engine.register_fn("rand_point", move |low: Dynamic, high: Dynamic| -> Answer<Array> {
        let (low, high) = (vector("rand_point: one corner", &low)?, vector("rand_point: the other", &high)?);
        Ok(written(shared.borrow_mut().point(low, high)))
    });
    let shared = random.clone();
    engine.register_fn("rand_direction", move || written(shared.borrow_mut().direction()));
    let shared = random.clone();
    engine.register_fn("rand_rotation", move || written_rotation(shared.borrow_mut().rotation()));
    let shared = random.clone();
    engine.register_fn("rand_pose", move |low: Dynamic, high: Dynamic| -> Answer<Map> {
        let (low, high) = (vector("rand_pose: one corner", &low)?, vector("rand_pose: the other", &high)?);
        let mut random = shared.borrow_mut();
        let at = written(random.point(low, high));
        let rotation = written_rotation(random.rotation());
        Ok(Map::from([("at".into(), at.into()), ("rotation".into(), rotation.into())]))
    });
}
