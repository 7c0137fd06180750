//! `impulse impact`: resolves single collisions (thesis chapter 3) and impacts at several points at once.

mod record;
mod several;
mod linkage;
mod plot;

use anyhow::{Context, bail};
use clap::Args;
use impulse::respond::{Impact, Law, StruckScratch, resolve};
use record::Record;
use serde::Deserialize;
use serde::de::IgnoredAny;
use several::Several;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;

/// Resolve impacts given as JSON lines.
///
/// Every line is an object with the collision matrix `K` (3x3, 1/kg) or the two `bodies` (each null if immovable, or {m, I, r}:
/// mass, 3x3 inertia about the centre of mass, vector from it to the contact), `mu`, `e`, `law` (stronge, poisson or newton;
/// default stronge) and `u0`, the velocity of body 1 relative to body 2 at the contact. All vectors are in the collision frame: z
/// along the normal, from body 2 to body 1. Answers are JSON lines in the same order: `id`, impulse `p` on body 1, velocity `u`
/// after the impact, total work `W`, normal work at maximum compression `Wz_mc` and at the end `Wz_end`, normal impulse at
/// maximum compression `pz_mc`, the sequence of `modes`, the `rays` of constant sliding direction, and whether sticking is stable.
///
/// A line with `points` is an impact at several points at the same instant: `bodies` are then {m, I, v, w} (mass, inertia,
/// velocity and angular velocity), `points` are {a, b, ra, rb, n, mu, e}: the two bodies by index from 0 (null if immovable), the
/// vectors from their centres of mass to the point, the unit normal from b to a, friction and restitution; all in world axes. The
/// answer holds `id` and `bodies`, the velocities {v, w} afterwards, and `incomplete: true` if the impact did not come to its end
/// and was ended without restitution.
///
/// A line with `links` is an impulse on a linkage: every link has `parent` (the number of a link from 1, 0 for the ground, -1 for a
/// floating base), `mass`, `com`, `inertia` (3x3 about it) and `joint`: null for a floating base, or {type: revolute | prismatic,
/// axis, point}, all in world axes; `contact` is {link, point, frame}, the rows of `frame` being the axes of the collision;
/// `test_impulse` acts there, in these axes. The answer holds `id`, the collision matrix `K`, its rank `K_rank`, the changes of the
/// rates `dqdot` (a floating base first: angular velocity, velocity), and `dv`, those {omega, v} of all links.
///
/// Members with other names are refused, except those of the reference vectors (expected, tolerance and the like).
#[derive(Args)]
#[command(after_help = "Examples:
  echo '{\"K\": [[3,0,1],[0,3,0],[1,0,1]], \"mu\": 0.3, \"e\": 0.5, \"u0\": [1,0,-1]}' | impulse impact
  echo '{\"bodies\": [{\"m\": 1, \"I\": [[1,0,0],[0,1,0],[0,0,1]], \"v\": [0,0,-1], \"w\": [0,0,0]}], \"points\": [{\"a\": 0, \"ra\": [1,0,-1], \"n\": [0,0,1], \"mu\": 0, \"e\": 0.5}, {\"a\": 0, \"ra\": [-1,0,-1], \"n\": [0,0,1], \"mu\": 0, \"e\": 0.5}]}' | impulse impact
  impulse impact impacts.jsonl --plot flow.svg > answers.jsonl")]
pub(crate) struct Arguments {
    /// Impacts, one JSON object per line [default: standard input]
    #[arg(value_name = "FILE.jsonl")]
    file: Option<PathBuf>,
    /// Plot the flow of tangential velocity for the first impact's K and mu, with the paths of all impacts that share them
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let source = arguments.file.as_ref().map_or("standard input".to_owned(), |f| f.display().to_string());
    let input: Box<dyn BufRead> = match &arguments.file {
        Some(file) => Box::new(BufReader::new(File::open(file).with_context(|| source.clone())?)),
        None => Box::new(std::io::stdin().lock()),
    };
    let mut out = BufWriter::new(std::io::stdout().lock());
    let (mut answered, mut failed, mut scratch) = (Vec::new(), 0, StruckScratch::default());
    let mut warned = false;
    for (number, line) in (1..).zip(input.lines()) {
        let line = line.with_context(|| format!("{source}, line {number}"))?;
        if line.trim().is_empty() {
            continue;
        }
        match answer(&line, number, &mut scratch) {
            Ok((text, impact)) => {
                if impact.as_ref().is_some_and(can_gain) && !std::mem::replace(&mut warned, true) {
                    eprintln!(
                        "warning: {source}, line {number}: Newton's law with friction can gain energy; Stronge's cannot"
                    );
                }
                writeln!(out, "{text}")?;
                if arguments.plot.is_some() {
                    answered.extend(impact);
                }
            }
            Err(error) => {
                out.flush()?;
                eprintln!("error: {source}, line {number}: {error:#}");
                failed += 1;
            }
        }
    }
    out.flush()?;
    if let Some(file) = &arguments.plot {
        let picture = plot::draw(&answered)?;
        let folder = file.parent().map_or(Ok(()), std::fs::create_dir_all);
        folder.and_then(|()| std::fs::write(file, picture)).with_context(|| file.display().to_string())?;
    }
    if failed > 0 {
        bail!("{failed} impacts could not be resolved");
    }
    Ok(())
}

/// What tells impacts at several points, and on linkages, from those at one.
#[derive(Deserialize)]
struct Shape {
    points: Option<IgnoredAny>,
    links: Option<IgnoredAny>,
}

/// The answer to a line, and the impact if it is at one point.
fn answer(line: &str, number: usize, scratch: &mut StruckScratch) -> anyhow::Result<(String, Option<Impact>)> {
    let id = |given: Option<String>| given.unwrap_or_else(|| number.to_string());
    let shape: Shape = record::parse(line)?;
    if shape.points.is_some() {
        let several: Several = record::parse(line)?;
        let outcome = several.resolve(scratch)?;
        return Ok((serde_json::to_string(&several::Answer::new(id(several.id), outcome))?, None));
    }
    if shape.links.is_some() {
        let given: linkage::Given = record::parse(line)?;
        let answer = given.answer()?;
        return Ok((serde_json::to_string(&answer.named(id(given.id)))?, None));
    }
    let record: Record = record::parse(line)?;
    let impact = record.impact()?;
    let answer = record::Answer::new(id(record.id), &impact, &resolve(&impact)?)?;
    Ok((serde_json::to_string(&answer)?, Some(impact)))
}

/// Whether an impact has Newton's law, friction and restitution: only then can it gain energy.
fn can_gain(Impact { material, .. }: &Impact) -> bool {
    material.law == Law::Newton && material.friction > 0.0 && material.restitution > 0.0
}
