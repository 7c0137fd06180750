//! `impulse mass`: mass properties of part files (thesis chapter 6).

use anyhow::{Context, bail};
use clap::Args;
use glam::DVec3;
use impulse_scenes::part::{self, Weight};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Mass properties of STL and OBJ parts.
///
/// Prints volume, mass, centre of mass, the inertia tensor about it, principal moments and axes, bounding box, and the fraction of
/// the convex hull that the part fills. Surfaces must be closed; flaws with one obvious repair are repaired and reported.
#[derive(Args)]
#[command(after_help = "Examples:
  impulse mass parts/bracket.obj --density 7850             a steel bracket, in metres
  impulse mass cap.stl --scale 0.001 --density 950 --json   a polyethylene cap, in millimetres, as JSON")]
pub(crate) struct Arguments {
    /// Part files (.stl, .obj)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Density in kg/m^3
    #[arg(long, value_name = "D", default_value_t = 1000.0, value_parser = positive)]
    density: f64,
    /// Metres per unit of the file: 0.001 for a part in millimetres
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = positive)]
    scale: f64,
    /// Print JSON: one object for one file, an array for several
    #[arg(long)]
    json: bool,
}

pub(crate) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x > 0.0 && x.is_finite() => Ok(x),
        Ok(_) => Err("must be a positive finite number".to_owned()),
        Err(_) => Err("not a number".to_owned()),
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut answers = Vec::new();
    let mut failed = 0;
    for file in &arguments.files {
        match weigh(file, arguments) {
            Ok(answer) => answers.push(answer),
            Err(error) if arguments.files.len() == 1 => return Err(error),
            Err(error) => {
                eprintln!("error: {error:#}");
                failed += 1;
            }
        }
    }
    print(&answers, arguments)?;
    if failed > 0 {
        bail!("{failed} of {} files could not be read", arguments.files.len());
    }
    Ok(())
}

fn print(answers: &[Weight], arguments: &Arguments) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if !arguments.json {
        for answer in answers {
            writeln!(out, "{}", table(answer))?;
        }
    } else if let ([answer], 1) = (answers, arguments.files.len()) {
        writeln!(out, "{}", serde_json::to_string_pretty(answer)?)?;
    } else {
        writeln!(out, "{}", serde_json::to_string_pretty(answers)?)?;
    }
    Ok(())
}

fn weigh(file: &Path, arguments: &Arguments) -> anyhow::Result<Weight> {
    let part = part::read_part(file, arguments.scale)?;
    let name = file.display().to_string();
    Weight::new(name.clone(), &part, arguments.density, arguments.scale).with_context(|| name)
}

/// A table with one line per quantity.
fn table(part: &Weight) -> String {
    let mut text = format!("{}\n", part.file);
    let mut row = |name: &str, value: String| text.push_str(&format!("  {name:<19}{value}\n"));
    let shape = if part.convex { "closed, convex" } else { "closed, not convex" };
    let several =
        if part.shells > 1 { format!(", {} shells ({} cavities)", part.shells, part.cavities) } else { String::new() };
    row("surface", format!("{} vertices, {} faces, {shape}{several}", part.vertices, part.faces));
    let share = |hull: f64| format!(" ({:.2} % of its hull)", 100.0 * part.volume / hull);
    row("volume", format!("{} m^3{}", digits(part.volume), part.hull_volume.map(share).unwrap_or_default()));
    row("mass", format!("{} kg at {} kg/m^3", digits(part.mass), part.density));
    row("centre of mass", format!("{} m", triple(part.com, digits)));
    for (name, line) in ["inertia about it", "", ""].iter().zip(part.inertia) {
        row(name, format!("{} kg m^2", triple(line, digits)));
    }
    for (i, (moment, axis)) in part.principal_moments.iter().zip(part.principal_axes).enumerate() {
        let name = if i == 0 { "principal moments" } else { "" };
        row(name, format!("{} kg m^2 about {}", digits(*moment), triple(axis, digits)));
    }
    let size = DVec3::from(part.bounding_box[1]) - DVec3::from(part.bounding_box[0]);
    row(
        "bounding box",
        format!("{} to {} m", triple(part.bounding_box[0], digits), triple(part.bounding_box[1], digits)),
    );
    row("", format!("{} m large", triple(size.to_array(), digits)));
    for (i, note) in part.notes.iter().enumerate() {
        row(if i == 0 { "notes" } else { "" }, note.clone());
    }
    text
}

/// Three numbers. Those that are mere rounding errors relative to the largest are shown as 0.
pub(crate) fn triple(v: [f64; 3], written: impl Fn(f64) -> String) -> String {
    let largest = v.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
    let [x, y, z] = v.map(|x| written(if x.abs() < 1e-12 * largest { 0.0 } else { x }));
    format!("({x}, {y}, {z})")
}

/// Seven significant digits without trailing zeros, with an exponent only if needed.
pub(crate) fn digits(x: f64) -> String {
    significant(x, 7)
}

/// So many significant digits without trailing zeros, with an exponent only if needed.
pub(crate) fn significant(x: f64, digits: usize) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e7).contains(&x.abs()) {
        return format!("{x:.*e}", digits - 1);
    }
    let decimals = digits as i32 - 1 - x.abs().log10().floor() as i32;
    let text = format!("{x:.*}", decimals.max(0) as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::{digits, triple};

    #[test]
    fn numbers_are_short_but_whole() {
        assert_eq!(digits(0.0), "0");
        assert_eq!(digits(0.019_868_421), "0.01986842");
        assert_eq!(digits(-12.5), "-12.5");
        assert_eq!(digits(1234567.8), "1234568");
        assert_eq!(digits(1.425e-5), "1.425000e-5");
        assert_eq!(triple([2.0, 1e-16, -1e-3], digits), "(2, 0, -0.001)");
    }
}
