//! Behaviours written in Rust do what those of scripts do.

use crate::scene_support::scene;
use impulse::DVec3;
use impulse::world::Settings;
use impulse_scenes::runner::RunnerError;
use impulse_scenes::scene::{BehaviourError, Me, ParamValue, Plain};
use impulse_scenes::{Runner, SceneDescription};

const FROGS: &str = "
    let strength = param(\"strength\", 1.5);
    report(\"leaps\");
    body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true });
    for i in 0..4 { body(\"frog \" + i, cuboid(0.1, 0.1, 0.1), #{ at: [0.3 * i, 0, 0.05], mass: 0.1 }); }
";

const IN_RHAI: &str = "
    for i in 0..4 {
        behaviour(\"frog \" + i, 20, |me| {
            let own = me.body(me.name);
            for hit in me.impacts(me.name) { me.memory.felt += hit.impulse[2]; }
            if own.at[2] < 0.06 && own.mean_velocity[2] < 0.5 && rand() < 0.3 {
                own.velocity = [rand(-1, 1), rand(-1, 1), me.param(\"strength\") * rand(1, 2) + me.memory.felt];
                me.memory.felt = 0.0;
                me.memory.leaps += 1;
                me.report(\"leaps\", me.memory.leaps);
                if me.memory.leaps == 30 { me.finish(); }
            }
        }, #{ start: 0.1, memory: #{ leaps: 0, felt: 0.0 } });
    }
";

fn number(me: &mut Me<'_>, name: &str) -> f64 {
    me.memory().get(name).and_then(Plain::number).unwrap_or(0.0)
}

fn frog(me: &mut Me<'_>) -> Result<(), BehaviourError> {
    let name = me.name().to_owned();
    let own = me.body(&name)?;
    let mut felt = number(me, "felt");
    me.impacts(own).iter().for_each(|hit| felt += hit.impulse.z);
    me.memory().insert("felt".to_owned(), felt.into());
    let height = me.world().body(own).ok_or("it is gone")?.pose().translation.z;
    if height < 0.06 && me.mean_velocity(own)?.z < 0.5 && me.random().unit() < 0.3 {
        let ParamValue::Number(strength) = *me.param("strength")? else { return Err("it is a number".into()) };
        let across = [me.random().between(-1.0, 1.0), me.random().between(-1.0, 1.0)];
        let up = strength * me.random().between(1.0, 2.0) + felt;
        let spin = me.world().body(own).ok_or("it is gone")?.spin();
        me.world_mut().set_velocity(own, DVec3::new(across[0], across[1], up), spin)?;
        let leaps = number(me, "leaps") + 1.0;
        me.memory().extend([("felt".to_owned(), 0.0.into()), ("leaps".to_owned(), leaps.into())]);
        me.report("leaps", ParamValue::Number(leaps))?;
        if leaps == 30.0 {
            me.finish();
        }
    }
    Ok(())
}

fn in_rust() -> SceneDescription {
    let mut scene = scene(FROGS);
    for i in 0..4 {
        scene.add_behaviour(format!("frog {i}"), 20.0, 0.1, frog).unwrap();
    }
    scene
}

#[test]
fn the_same_behaviour_in_rust_and_in_a_script_has_the_same_bits() {
    let mut script = Runner::of(scene(&format!("{FROGS}{IN_RHAI}")), Settings::default()).unwrap();
    let mut rust = Runner::of(in_rust(), Settings::default()).unwrap();
    for time in [1.0, 5.0, 40.0] {
        script.run_until(time).unwrap();
        let mut copy = rust.clone();
        rust.run_until(time).unwrap();
        // A copy on another thread goes on alike.
        let copy = std::thread::spawn(move || {
            copy.run_until(time).unwrap();
            copy.world().trace_hash()
        });
        assert_eq!(rust.world().trace_hash(), script.world().trace_hash(), "{time}");
        assert_eq!(copy.join().unwrap(), script.world().trace_hash());
    }
    assert!(script.is_finished() && rust.is_finished() && rust.world().time() < 40.0);
    assert_eq!(script.world().counters().events, rust.world().counters().events);
}

#[test]
fn one_that_fails_is_named_with_the_time() {
    let mut scene = scene("body(\"ball\", sphere(1), #{ mass: 1 });");
    let fails = |me: &mut Me<'_>| -> Result<(), BehaviourError> {
        if me.time() > 0.7 {
            let _missing = me.body("bal")?;
        }
        Ok(())
    };
    scene.add_behaviour("worker", 4.0, 0.0, fails).unwrap();
    for (name, rate, start, piece) in [
        ("worker", 4.0, 0.0, "another behaviour of this name"),
        ("other", 0.0, 0.0, "the rate is 0"),
        ("other", 1.0, -1.0, "start is -1"),
        ("other", f64::NAN, 0.0, "the rate is NaN"),
    ] {
        let error = scene.add_behaviour(name, rate, start, fails).unwrap_err().to_string();
        assert!(error.contains(piece), "{error}");
    }
    let error = Runner::of(scene, Settings::default()).unwrap().run_until(2.0).unwrap_err();
    assert!(
        matches!(&error, RunnerError::Behaviour { name, time, place: None, .. } if name == "worker" && *time == 0.75)
    );
    assert!(error.to_string().contains("there is no body `bal`; did you mean `ball`?"), "{error}");
}
