//! Behaviours that are written in Rust: the same `me`, the same clocks, the same runner as those of scripts.

use super::controllers::checked_period;
use super::description::{BehaviourDescription, SceneDescription};
use super::error::Fault;
use super::me::Me;
use super::plain::Function;
use super::values::Given;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Why a behaviour cannot go on: any error, or a text.
pub type BehaviourError = Box<dyn std::error::Error + Send + Sync>;

/// What goes on acting while a scene runs, called at ticks (thesis section 5.4.3). All that lasts from call to call is in
/// [`Me::memory`], so that copies of a run go on alike, and one behaviour serves many.
///
/// ```
/// use impulse::DVec3;
/// use impulse::world::Settings;
/// use impulse_scenes::scene::{BehaviourError, Me, SceneSettings, SceneSource, load_scene};
/// use impulse_scenes::Runner;
///
/// let text = "gravity(0, 0, 0); body(\"sled\", cuboid(1, 1, 1), #{ mass: 2 });".to_owned();
/// let mut scene = load_scene(&SceneSource::Text { name: "sled".to_owned(), text }, &SceneSettings::default())?;
/// // Brakes: a force against the velocity, ten times a second.
/// scene.add_behaviour("brake", 10.0, 0.0, |me: &mut Me<'_>| -> Result<(), BehaviourError> {
///     let sled = me.body("sled")?;
///     let velocity = me.world().body(sled).map_or(DVec3::ZERO, |sled| sled.velocity());
///     me.world_mut().set_force(sled, -0.5 * velocity)?;
///     let calls = me.memory().entry("calls".to_owned()).or_insert(0.0.into());
///     *calls = (calls.number().unwrap_or(0.0) + 1.0).into();
///     Ok(())
/// })?;
/// let mut runner = Runner::of(scene, Settings::default())?;
/// let sled = runner.world().find("sled").ok_or("there is a sled")?;
/// runner.world_mut().set_velocity(sled, DVec3::X, DVec3::ZERO)?;
/// runner.run_until(1.0)?;
/// // At each tick the velocity falls by 0.5 / 2 times 0.1 of itself.
/// let velocity = runner.world().body(sled).ok_or("it is there")?.velocity();
/// assert!((velocity.x - 0.975_f64.powi(10)).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Behaviour: Send + Sync {
    /// Acts once.
    fn act(&self, me: &mut Me<'_>) -> Result<(), BehaviourError>;
}

impl<F: Fn(&mut Me<'_>) -> Result<(), BehaviourError> + Send + Sync> Behaviour for F {
    fn act(&self, me: &mut Me<'_>) -> Result<(), BehaviourError> {
        self(me)
    }
}

/// What is called.
#[derive(Clone)]
pub(crate) enum Action {
    /// A function of the script.
    Script(Function),
    Native(Arc<dyn Behaviour>),
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Script(function) => function.fmt(f),
            Self::Native(_) => f.write_str("written in Rust"),
        }
    }
}

impl PartialEq for Action {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Script(function), Self::Script(other)) => function == other,
            (Self::Native(behaviour), Self::Native(other)) => Arc::ptr_eq(behaviour, other),
            _ => false,
        }
    }
}

impl SceneDescription {
    /// Adds a behaviour that is called so many times a second from a time on (s), after those that the scene has.
    pub fn add_behaviour(
        &mut self,
        name: impl Into<String>,
        rate: f64,
        start: f64,
        behaviour: impl Behaviour + 'static,
    ) -> Given<()> {
        let name = name.into();
        let of = format!("behaviour `{name}`");
        let period = checked_period(&format!("{of}: the rate"), rate)?;
        if !(0.0..=1e9).contains(&start) {
            return Err(Fault::Range { what: format!("{of}: start"), value: start, expected: "from 0 to 1e9 seconds" });
        }
        if self.behaviours.iter().any(|known| known.name == name) {
            let conflict = "there is another behaviour of this name: give each its own";
            return Err(Fault::Conflict { of, conflict });
        }
        let (memory, action) = (BTreeMap::new(), Action::Native(Arc::new(behaviour)));
        self.behaviours.push(BehaviourDescription {
            name,
            start,
            period,
            memory,
            action,
            place: [0; 2],
            creature: None,
        });
        Ok(())
    }
}
