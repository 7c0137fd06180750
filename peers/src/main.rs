//! A pile of boxes, or of balls, dropped into a tray, in Impulse and in rapier3d-f64 at 60 Hz, in one run (section 8.1: many contacts at once).
//!
//! `cargo xtask peers [COUNT]... [--balls] [--hop_height H] [--until T]`

mod pile;
mod rapier;

use cpu_time::ThreadTime;
use impulse::world::{RunError, StopReason, World};
use pile::{Kind, Pile};

/// Simulated time (s) after settling over which drift is measured.
const WATCH: f64 = 60.0;

/// What the command line asks for.
struct Options {
    kind: Kind,
    counts: Vec<usize>,
    /// How high bodies hop, relative to their radius; as by default if there is none.
    hop_height: Option<f64>,
    /// Simulated time at most, s.
    until: f64,
}

impl Options {
    /// The word that is not understood, if there is one, is the error.
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self { kind: Kind::Boxes, counts: Vec::new(), hop_height: None, until: 10.0 };
        while let Some(argument) = arguments.next() {
            let mut number = || arguments.next().and_then(|text| text.parse().ok());
            let understood = match argument.as_str() {
                "--balls" => Some(options.kind = Kind::Balls),
                "--hop_height" => number().map(|value| options.hop_height = Some(value)),
                "--until" => number().map(|value| options.until = value),
                count => count.parse().ok().map(|count| options.counts.push(count)),
            };
            understood.ok_or(argument)?;
        }
        if options.counts.is_empty() {
            options.counts = vec![5, 10, 20, 40];
        }
        Ok(options)
    }
}

fn main() {
    let Options { kind, counts, hop_height, until } = Options::read(std::env::args().skip(1)).unwrap_or_else(|word| {
        eprintln!("error: {word} is not understood; use [COUNT]... [--balls] [--hop_height H] [--until T]");
        std::process::exit(2);
    });
    let what = match kind {
        Kind::Boxes => "boxes of 0.1 m dropped into a tray of 0.8 m",
        Kind::Balls => "balls of 0.02 m radius dropped into a tray of 0.5 m",
    };
    let height = hop_height.map_or("by default".into(), |height| format!("{height:e} of a radius"));
    println!("{what}; hops as high as {height}; rapier3d-f64 0.36.1 at 60 Hz");
    println!(
        "count |  Impulse: CPU s   at rest s   hops  unsolved   least gap m   drift m | rapier: CPU s   deepest m | ratio"
    );
    for count in counts {
        let pile = Pile::new(kind, count);
        let ours = match run(&pile, hop_height, until) {
            Ok(ours) => ours,
            Err(error) => {
                eprintln!("error: {count} bodies: {error}");
                std::process::exit(1);
            }
        };
        let theirs = rapier::run(&pile, until);
        let rest = ours.rest.map_or("not yet".into(), |time| format!("{time:.2}"));
        let drift = ours.drift.map_or("-".into(), |drift| format!("{drift:.1e}"));
        println!(
            "{count:5} | {:16.3} {rest:>11} {:6} {:9} {:13.1e} {drift:>9} | {:13.3} {:11.1e} | {:5.1}",
            ours.cpu,
            ours.hops,
            ours.unsolved,
            ours.gap,
            theirs.cpu,
            theirs.deepest,
            ours.cpu / theirs.cpu
        );
    }
}

/// What came out.
struct Ours {
    cpu: f64,
    /// When all bodies were frozen, s.
    rest: Option<f64>,
    hops: u64,
    /// Hops whose impulses were not found to the tolerance.
    unsolved: u64,
    /// Least distance of any two bodies at any check, m.
    gap: f64,
    /// Largest displacement after that, m.
    drift: Option<f64>,
}

fn run(pile: &Pile, hop_height: Option<f64>, until: f64) -> Result<Ours, Box<dyn std::error::Error>> {
    let mut world = pile.world(hop_height)?;
    let begun = ThreadTime::now();
    let mut rest = None;
    while rest.is_none() && world.time() < until {
        advance(&mut world, 0.05)?;
        // Nothing is going to happen any more: all are frozen.
        rest = world.next_event().is_none().then_some(world.time());
    }
    let cpu = begun.elapsed().as_secs_f64();
    let mut drift = None;
    if rest.is_some() {
        let place = |world: &World| {
            let at = |body| world.principal_state_at(body, world.time()).map(|state| state.world_from_body.translation);
            world.bodies().filter_map(at).collect::<Vec<_>>()
        };
        let before = place(&world);
        advance(&mut world, WATCH)?;
        drift = Some(before.iter().zip(place(&world)).map(|(a, b)| a.distance(b)).fold(0.0, f64::max));
    }
    Ok(Ours {
        cpu,
        rest,
        hops: world.counters().hops,
        unsolved: world.counters().unconverged,
        gap: world.min_separation(),
        drift,
    })
}

fn advance(world: &mut World, time: f64) -> Result<(), RunError> {
    let end = world.time() + time;
    while !matches!(world.run_until(end, None)?, StopReason::Reached) {}
    Ok(())
}
