//! `impulse mass`: mass properties of part files (thesis chapter 6).

use anyhow::{Context, bail};
use clap::Args;
use glam::{DMat3, DVec3};
use impulse::geometry::{Aabb, MassProperties, Polyhedron, Solid, convex::CONVEXITY, convex_hull};
use impulse_scenes::looks_like_millimetres;
use impulse_scenes::part::{self, Part};
use serde::Serialize;
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

fn print(answers: &[Answer], arguments: &Arguments) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if !arguments.json {
        for answer in answers {
            writeln!(out, "{}", answer.table())?;
        }
    } else if let ([answer], 1) = (answers, arguments.files.len()) {
        writeln!(out, "{}", serde_json::to_string_pretty(answer)?)?;
    } else {
        writeln!(out, "{}", serde_json::to_string_pretty(answers)?)?;
    }
    Ok(())
}

fn weigh(file: &Path, arguments: &Arguments) -> anyhow::Result<Answer> {
    let part = part::read_part(file, arguments.scale)?;
    let body = MassProperties::from_density(&part.polyhedron.volume_integrals(), arguments.density)
        .with_context(|| file.display().to_string())?;
    Ok(Answer::new(file, arguments, &part, &body))
}

/// The properties of one part, in SI units.
#[derive(Serialize)]
struct Answer {
    file: String,
    density: f64,
    scale: f64,
    vertices: usize,
    faces: usize,
    closed: bool,
    convex: bool,
    /// Number of closed surfaces: bodies and cavities.
    shells: usize,
    cavities: usize,
    volume: f64,
    /// Null if the part is too thin to have a hull.
    hull_volume: Option<f64>,
    mass: f64,
    com: [f64; 3],
    /// About the centre of mass, along the file's axes.
    inertia: [[f64; 3]; 3],
    /// Ascending.
    principal_moments: [f64; 3],
    /// One unit vector per principal moment.
    principal_axes: [[f64; 3]; 3],
    bounding_box: [[f64; 3]; 2],
    /// Repairs made to the surface, and a hint where the part is very large.
    notes: Vec<String>,
}

impl Answer {
    fn new(file: &Path, arguments: &Arguments, part: &Part, body: &MassProperties) -> Self {
        let solid = &part.polyhedron;
        let volume = solid.volume_integrals().volume;
        let hull = hull_volume(solid);
        let frame = body.principal_frame();
        let bounds = Aabb::of_points(solid.vertices().iter().copied());
        let size = bounds.size().max_element();
        let hint = looks_like_millimetres(size, arguments.scale)
            .then(|| format!("{} m long: drawn in millimetres? Then add --scale 0.001", digits(size)));
        Self {
            file: file.display().to_string(),
            density: arguments.density,
            scale: arguments.scale,
            vertices: solid.vertices().len(),
            faces: solid.faces().len(),
            // An open surface has been refused before.
            closed: true,
            convex: hull.is_some_and(|hull| volume >= hull * (1.0 - CONVEXITY)),
            shells: part.report.shells,
            cavities: part.report.cavities,
            volume,
            hull_volume: hull,
            mass: body.mass,
            com: body.com.to_array(),
            inertia: rows(body.inertia),
            principal_moments: frame.moments.to_array(),
            principal_axes: frame.axes.to_cols_array_2d(),
            bounding_box: [bounds.min.to_array(), bounds.max.to_array()],
            notes: part.report.notes.iter().map(ToString::to_string).chain(hint).collect(),
        }
    }

    /// A table with one line per quantity.
    fn table(&self) -> String {
        let mut text = format!("{}\n", self.file);
        let mut row = |name: &str, value: String| text.push_str(&format!("  {name:<19}{value}\n"));
        let shape = if self.convex { "closed, convex" } else { "closed, not convex" };
        let several = if self.shells > 1 {
            format!(", {} shells ({} cavities)", self.shells, self.cavities)
        } else {
            String::new()
        };
        row("surface", format!("{} vertices, {} faces, {shape}{several}", self.vertices, self.faces));
        let share = |hull: f64| format!(" ({:.2} % of its hull)", 100.0 * self.volume / hull);
        row("volume", format!("{} m^3{}", digits(self.volume), self.hull_volume.map(share).unwrap_or_default()));
        row("mass", format!("{} kg at {} kg/m^3", digits(self.mass), self.density));
        row("centre of mass", format!("{} m", triple(self.com, digits)));
        for (name, line) in ["inertia about it", "", ""].iter().zip(self.inertia) {
            row(name, format!("{} kg m^2", triple(line, digits)));
        }
        for (i, (moment, axis)) in self.principal_moments.iter().zip(self.principal_axes).enumerate() {
            let name = if i == 0 { "principal moments" } else { "" };
            row(name, format!("{} kg m^2 about {}", digits(*moment), triple(axis, digits)));
        }
        let size = DVec3::from(self.bounding_box[1]) - DVec3::from(self.bounding_box[0]);
        row(
            "bounding box",
            format!("{} to {} m", triple(self.bounding_box[0], digits), triple(self.bounding_box[1], digits)),
        );
        row("", format!("{} m large", triple(size.to_array(), digits)));
        for (i, note) in self.notes.iter().enumerate() {
            row(if i == 0 { "notes" } else { "" }, note.clone());
        }
        text
    }
}

fn hull_volume(solid: &Polyhedron) -> Option<f64> {
    let hull = convex_hull(solid.vertices()).ok()?;
    Some(Polyhedron::new(hull.vertices, hull.faces).ok()?.volume_integrals().volume)
}

fn rows(m: DMat3) -> [[f64; 3]; 3] {
    m.transpose().to_cols_array_2d()
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
