//! Part files: STL and OBJ read into closed polyhedra whose mass chapter 6 of the thesis integrates.
//!
//! A file holds a soup of polygons. Flaws with one obvious repair are repaired and reported; for others the error says what is
//! wrong with the surface, where, and what to do. The modules stand in reading order.

mod soup;
mod report;
mod error;
mod weld;
mod stl;
mod obj;
mod repair;
mod write;
mod weight;

pub use error::{ObjError, PartError, Place, Places, StlError, SurfaceError};
pub use report::{Note, Report};
pub use weight::Weight;
pub use write::{write_obj, write_stl_ascii, write_stl_binary};

use impulse::geometry::Polyhedron;
use soup::Soup;
use std::path::Path;

/// Largest file that is read, bytes. It keeps all counts within the 32 bits that the engine uses for faces.
pub const MAX_BYTES: u64 = 1 << 31;

/// Formats of part files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Stereolithography, binary or text.
    Stl,
    /// Wavefront OBJ.
    Obj,
}

/// A part read from a file.
#[derive(Clone, Debug)]
pub struct Part {
    /// The solid, in metres once the scale is applied.
    pub polyhedron: Polyhedron,
    /// What the file contained and what was repaired.
    pub report: Report,
    /// The file's format.
    pub format: Format,
    /// Metres per unit of the file.
    pub scale: f64,
}

/// Reads the part in the file at `path`, whose name must end in `.stl` or `.obj`. Coordinates are multiplied by `scale`
/// (metres per unit of the file: 0.001 for millimetres).
pub fn read_part(path: &Path, scale: f64) -> Result<Part, PartError> {
    read(path, scale).map_err(|error| PartError::File { path: path.to_owned(), error: Box::new(error) })
}

/// Reads the part in the bytes of a file; see [`read_part`].
pub fn parse_part(bytes: &[u8], format: Format, scale: f64) -> Result<Part, PartError> {
    check_scale(scale)?;
    let mut report = Report::default();
    let soup = format.parse(bytes, &mut report)?;
    finish(soup, format, scale, report)
}

/// Reads the part in the bytes of a file with this path; see [`read_part`].
pub fn parse_named_part(path: &Path, bytes: &[u8], scale: f64) -> Result<Part, PartError> {
    let part = Format::of_path(path).and_then(|format| parse_part(bytes, format, scale));
    part.map_err(|error| PartError::File { path: path.to_owned(), error: Box::new(error) })
}

impl Format {
    /// The format that a file's name indicates.
    pub fn of_path(path: &Path) -> Result<Self, PartError> {
        let extension = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
        match extension.as_deref() {
            Some("stl") => Ok(Self::Stl),
            Some("obj") => Ok(Self::Obj),
            _ => Err(PartError::UnknownExtension),
        }
    }

    fn parse(self, bytes: &[u8], report: &mut Report) -> Result<Soup, PartError> {
        check_length(bytes.len() as u64)?;
        Ok(match self {
            Self::Stl => stl::parse(bytes, report)?,
            Self::Obj => obj::parse(bytes, report)?,
        })
    }
}

fn read(path: &Path, scale: f64) -> Result<Part, PartError> {
    check_scale(scale)?;
    let format = Format::of_path(path)?;
    check_length(std::fs::metadata(path)?.len())?;
    let mut report = Report::default();
    // The bytes are freed before the repair allocates memory of its own.
    let soup = format.parse(&std::fs::read(path)?, &mut report)?;
    finish(soup, format, scale, report)
}

fn finish(soup: Soup, format: Format, scale: f64, mut report: Report) -> Result<Part, PartError> {
    let polyhedron = repair::repair(soup, scale, &mut report)?;
    Ok(Part { polyhedron, report, format, scale })
}

fn check_scale(scale: f64) -> Result<(), PartError> {
    if scale > 0.0 && scale.is_finite() { Ok(()) } else { Err(PartError::Scale { scale }) }
}

fn check_length(bytes: u64) -> Result<(), PartError> {
    if bytes <= MAX_BYTES { Ok(()) } else { Err(PartError::TooLong { bytes }) }
}
