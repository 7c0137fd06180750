//! A pile of boxes dropped into a tray, in Impulse and in rapier3d-f64 at 60 Hz, in one run (section 8.1: many contacts at once).
//!
//! `cargo xtask peers [COUNT]... [--hop_height H] [--until T]`

mod pile;
mod rapier;

use cpu_time::ThreadTime;
use impulse::world::{RunError, StopReason, World};
use pile::Pile;

/// Simulated time (s) after settling over which drift is measured.
const WATCH: f64 = 60.0;

fn main() {
    let mut counts = Vec::new();
    let (mut hop_height, mut until) = (1e-3, 10.0);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.parse().ok());
        let understood = match argument.as_str() {
            "--hop_height" => number().map(|value| hop_height = value),
            "--until" => number().map(|value| until = value),
            count => count.parse().ok().map(|count| counts.push(count)),
        };
        if understood.is_none() {
            eprintln!("error: {argument} is not understood; use [COUNT]... [--hop_height H] [--until T]");
            std::process::exit(2);
        }
    }
    if counts.is_empty() {
        counts = vec![5, 10, 20, 40];
    }
    println!(
        "boxes of 0.1 m dropped into a tray of 0.8 m; hop_height {hop_height:e} of a box's radius; rapier3d-f64 0.36.1 at 60 Hz"
    );
    println!("boxes |  Impulse: CPU s   at rest s   hops   least gap m   drift m | rapier: CPU s   deepest m | ratio");
    for count in counts {
        let pile = Pile::new(count);
        let ours = match run(&pile, hop_height, until) {
            Ok(ours) => ours,
            Err(error) => {
                eprintln!("error: {count} boxes: {error}");
                std::process::exit(1);
            }
        };
        let theirs = rapier::run(&pile, until);
        let rest = ours.rest.map_or("not yet".into(), |time| format!("{time:.2}"));
        let drift = ours.drift.map_or("-".into(), |drift| format!("{drift:.1e}"));
        println!(
            "{count:5} | {:16.3} {rest:>11} {:6} {:13.1e} {drift:>9} | {:13.3} {:11.1e} | {:5.1}",
            ours.cpu,
            ours.hops,
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
    /// Least distance of any two bodies at any check, m.
    gap: f64,
    /// Largest displacement after that, m.
    drift: Option<f64>,
}

fn run(pile: &Pile, hop_height: f64, until: f64) -> Result<Ours, Box<dyn std::error::Error>> {
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
    Ok(Ours { cpu, rest, hops: world.counters().hops, gap: world.min_separation(), drift })
}

fn advance(world: &mut World, time: f64) -> Result<(), RunError> {
    let end = world.time() + time;
    while !matches!(world.run_until(end, None)?, StopReason::Reached) {}
    Ok(())
}
