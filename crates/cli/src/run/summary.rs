//! The results of a run, as JSON and as a short report.

use super::Run;
use super::meshes::Mesh;
use super::poses::{Pose, poses};
use crate::mass::{digits, significant, triple};
use impulse::world::{BodyId, ImpactRecord, World};
use impulse_scenes::scene::{ParamValue, Reported, States};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// Most bodies that the report lists individually.
const NAMED: usize = 6;

/// Most behaviours whose states the report tells.
const STATES_NAMED: usize = 20;

/// The results of a run.
#[derive(Serialize)]
pub(super) struct Summary {
    scene: String,
    seed: u64,
    params: BTreeMap<String, String>,
    simulated_s: f64,
    /// CPU time in the engine, without reading the scene and writing files, s.
    cpu_s: f64,
    bodies: usize,
    /// Number of free bodies.
    free: usize,
    /// Number of free bodies at rest.
    settled: usize,
    events: u64,
    checks: u64,
    measurements: u64,
    expiries: u64,
    collisions: u64,
    microcollisions: u64,
    /// Hops of bodies in lasting contact, each with one or more microcollisions.
    hops: u64,
    /// Sweeps over the points of hops that were not solved directly.
    sweeps: u64,
    /// Hops whose impulses did not converge.
    unconverged: u64,
    /// Total time of all bodies in lasting contact, s.
    lasting_contact_s: f64,
    queue_peak: u64,
    energy_initial: f64,
    energy_final: f64,
    /// Largest rise of energy minus the work of scripted bodies and applied forces above its least value before, J.
    energy_rise: f64,
    /// What that may be, J.
    energy_allowance: f64,
    /// The tenth of a second in which most events happened: when it began, s, and their number.
    busiest_tenth_s: f64,
    busiest_tenth_events: u64,
    momentum_final: [f64; 3],
    /// Null if no pair was ever measured.
    min_separation: Option<f64>,
    trace_hash: String,
    /// Solids that are not convex, and what bodies collide with in their place.
    meshes: Vec<Mesh>,
    /// Why it ended: `duration`, or `finished` where the script said so.
    end: &'static str,
    /// What the script reports; null where a condition never held or a report failed.
    reports: serde_json::Map<String, serde_json::Value>,
    /// Behaviours that told their states.
    states: BTreeMap<String, Told>,
    /// What may not be as the scene's author means it.
    warnings: Vec<String>,
    /// Free bodies at the end: which side is down, how tilted, what carries them.
    poses: Vec<Pose>,
}

/// The states that a behaviour told: the last, and for each how often and how long it was in it.
#[derive(Serialize)]
struct Told {
    last: String,
    seconds: BTreeMap<String, f64>,
    times: BTreeMap<String, u32>,
}

impl Told {
    fn new(states: &States, time: f64) -> Self {
        let all = states.until(time);
        let times = all.iter().map(|(name, (count, _))| (name.clone(), *count)).collect();
        let seconds = all.into_iter().map(|(name, (_, seconds))| (name, seconds)).collect();
        Self { last: states.now.clone(), seconds, times }
    }

    /// In words, the longest first.
    fn said(&self) -> String {
        let mut all: Vec<(&String, &f64)> = self.seconds.iter().collect();
        all.sort_by(|a, b| b.1.total_cmp(a.1));
        let said = |(name, seconds): (&String, &f64)| {
            let times = self.times.get(name).copied().unwrap_or(0);
            format!(
                "{name} {} s{}",
                figures(*seconds),
                if times > 1 { format!(" in {times} times") } else { String::new() }
            )
        };
        format!("{}; at the end {}", all.into_iter().map(said).collect::<Vec<_>>().join(", "), self.last)
    }
}

/// The collisions that the report mentions.
#[derive(Default)]
pub(super) struct Highlights {
    first: Option<ImpactRecord>,
    hardest: Option<ImpactRecord>,
}

impl Highlights {
    pub(super) fn note(&mut self, record: &ImpactRecord) {
        if record.micro {
            return;
        }
        self.first.get_or_insert(*record);
        if self.hardest.is_none_or(|hardest| hardest.impulse.length() < record.impulse.length()) {
            self.hardest = Some(*record);
        }
    }
}

impl Summary {
    pub(super) fn new(name: &str, seed: u64, run: &Run) -> Self {
        let world = run.runner.world();
        let (c, busiest) = (world.counters(), world.busiest_tenth());
        Self {
            scene: name.to_owned(),
            seed,
            params: run.runner.scene().params.iter().map(|p| (p.name.clone(), p.value.to_string())).collect(),
            simulated_s: run.until,
            cpu_s: run.busy.as_secs_f64(),
            bodies: world.len(),
            free: free(world).count(),
            settled: free(world).filter(|&body| world.settled(body) == Some(true)).count(),
            events: c.events,
            checks: c.checks,
            measurements: c.measurements,
            expiries: c.expiries,
            collisions: c.collisions,
            microcollisions: c.microcollisions,
            hops: c.hops,
            sweeps: c.sweeps,
            unconverged: c.unconverged,
            lasting_contact_s: world.lasting_time(),
            queue_peak: c.queue_peak,
            energy_initial: run.energy_initial,
            energy_final: world.energy(),
            energy_rise: world.energy_rise(),
            energy_allowance: world.energy_allowance(),
            busiest_tenth_s: busiest.from,
            busiest_tenth_events: busiest.events,
            momentum_final: world.momentum().to_array(),
            min_separation: Some(world.min_separation()).filter(|d| d.is_finite()),
            trace_hash: format!("{:016x}", world.trace_hash()),
            meshes: run.runner.built().meshes().iter().map(Mesh::new).collect(),
            end: run.end.word(),
            reports: run.reported.iter().map(|report| (report.name.clone(), json(report))).collect(),
            states: run.runner.states().map(|(name, s)| (name.to_owned(), Told::new(s, world.time()))).collect(),
            warnings: run.runner.built().warnings().iter().map(ToString::to_string).collect(),
            poses: poses(world, run.runner.scene().gravity),
        }
    }

    /// The scene as given on the command line.
    pub(super) fn scene(&self) -> &str {
        &self.scene
    }

    /// A report in words.
    pub(super) fn account(&self, run: &Run) -> Result<String, fmt::Error> {
        let (world, mut text) = (run.runner.world(), String::new());
        let Self { scene, simulated_s, cpu_s, bodies, free: moving, settled, .. } = self;
        writeln!(text, "{scene}: {bodies} bodies, {moving} of them free; {simulated_s} s simulated in {cpu_s:.3} s")?;
        for mesh in &self.meshes {
            writeln!(text, "  {}", mesh.told())?;
        }
        let Self { collisions, microcollisions, hops, events, checks, .. } = self;
        writeln!(
            text,
            "  {collisions} collisions; {microcollisions} microcollisions in {hops} hops of bodies in contact"
        )?;
        let Self { busiest_tenth_s, busiest_tenth_events, .. } = self;
        writeln!(
            text,
            "  {events} events, {checks} checks of pairs; most in 0.1 s: {busiest_tenth_events} from {busiest_tenth_s} s on"
        )?;
        for (what, record) in [("first", &run.highlights.first), ("hardest", &run.highlights.hardest)] {
            if let Some(record) = record {
                writeln!(text, "  {what} collision: {}", told(record, world))?;
            }
        }
        let [start, end] = [self.energy_initial, self.energy_final].map(digits);
        writeln!(text, "  energy {start} J at the start, {end} J at the end")?;
        self.tell_soundness(&mut text)?;
        if let Some(distance) = self.min_separation {
            writeln!(text, "  bodies never overlapped: the nearest that was measured is {distance:.1e} m")?;
        }
        writeln!(text, "  at the end {settled} of {moving} free bodies rest")?;
        for (body, pose) in free(world).zip(&self.poses).take(NAMED) {
            writeln!(text, "    {}{}", whereabouts(body, world), pose.told())?;
        }
        if *moving > NAMED {
            writeln!(text, "    and {} more", moving - NAMED)?;
        }
        self.tell_states(&mut text)?;
        for report in &run.reported {
            writeln!(text, "  report {}: {}", report.name, said(report))?;
        }
        write!(text, "  trace hash {}", self.trace_hash)?;
        Ok(text)
    }
}

impl Summary {
    /// In which states behaviours were.
    fn tell_states(&self, text: &mut String) -> fmt::Result {
        for (name, told) in self.states.iter().take(STATES_NAMED) {
            writeln!(text, "  states of {name}: {}", told.said())?;
        }
        if self.states.len() > STATES_NAMED {
            writeln!(text, "  and of {} more behaviours", self.states.len() - STATES_NAMED)?;
        }
        Ok(())
    }

    /// Whether energy came from nothing, and whether all hops were solved.
    fn tell_soundness(&self, text: &mut String) -> fmt::Result {
        let Self { energy_rise: rise, energy_allowance: allowance, unconverged, hops, .. } = self;
        let verdict = if rise <= allowance { "within" } else { "MORE THAN" };
        writeln!(
            text,
            "  energy never rose by more than {rise:.1e} J, {verdict} the {allowance:.1e} J of hops and rounding"
        )?;
        if *unconverged > 0 {
            writeln!(text, "  {unconverged} of {hops} hops were not solved to the tolerance")?;
        }
        Ok(())
    }
}

/// A report as JSON.
fn json(report: &Reported) -> serde_json::Value {
    match report.value.as_ref().ok().and_then(Option::as_ref) {
        None => serde_json::Value::Null,
        Some(ParamValue::Integer(whole)) => (*whole).into(),
        Some(ParamValue::Number(number)) => (*number).into(),
        Some(ParamValue::Flag(flag)) => (*flag).into(),
        Some(ParamValue::Text(text)) => text.clone().into(),
    }
}

/// A report in words.
fn said(report: &Reported) -> String {
    match &report.value {
        Ok(Some(ParamValue::Number(number))) => digits(*number),
        Ok(Some(value)) => value.to_string(),
        Ok(None) => "its condition never held".to_owned(),
        Err(_) => "failed".to_owned(),
    }
}

fn free(world: &World) -> impl Iterator<Item = BodyId> {
    world.bodies().filter(|&body| world.principal_mass(body).is_some())
}

fn told(record: &ImpactRecord, world: &World) -> String {
    let [first, second] = record.bodies.map(|body| world.name(body).unwrap_or_default());
    let [time, speed, impulse] = [record.time, record.before.length(), record.impulse.length()].map(digits);
    format!("{first} and {second} at {time} s, met at {speed} m/s, impulse {impulse} N s")
}

fn whereabouts(body: BodyId, world: &World) -> String {
    let name = world.name(body).unwrap_or_default();
    let Some(state) = world.principal_state_at(body, world.time()) else { return name.to_owned() };
    let place = state.world_from_body.translation;
    let motion = match world.settled(body) {
        Some(true) => "at rest".to_owned(),
        _ => format!("{} m/s, {} rad/s", figures(state.velocity.length()), figures(state.spin.length())),
    };
    format!("{name:<12} at {} m, {motion}", triple(place.to_array(), figures))
}

/// A number that was measured, with five significant digits.
fn figures(x: f64) -> String {
    significant(x, 5)
}
