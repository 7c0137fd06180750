//! Why a part file cannot be used: each error names the place and a remedy.

use super::MAX_BYTES;
use glam::DVec3;
use impulse::geometry::PolyhedronError;
use std::{fmt, io, path::PathBuf};

/// Why a part could not be read.
#[derive(Debug, thiserror::Error)]
pub enum PartError {
    /// One of the other errors, with the file's path.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: Box<PartError>,
    },
    /// The file cannot be read.
    #[error("cannot read the file: {0}")]
    Io(#[from] io::Error),
    /// The file's extension is unknown.
    #[error("unknown kind of part file; .stl (binary or text) and .obj are supported")]
    UnknownExtension,
    /// The file is longer than [`MAX_BYTES`].
    #[error("the file has {bytes} bytes, the limit is {MAX_BYTES}: reduce the number of facets")]
    TooLong {
        /// Its length.
        bytes: u64,
    },
    /// The scale is not a positive finite number.
    #[error("the scale is {scale}; it must be positive and finite (0.001 for a file in millimetres)")]
    Scale {
        /// The scale.
        scale: f64,
    },
    /// Not readable as STL.
    #[error(transparent)]
    Stl(#[from] StlError),
    /// Not readable as OBJ.
    #[error(transparent)]
    Obj(#[from] ObjError),
    /// Readable, but not the surface of a solid.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Offset in a binary file, bytes.
    Byte(usize),
    /// Position in a text file.
    Text {
        /// Line, counted from 1.
        line: usize,
        /// Byte of the line, counted from 1.
        column: usize,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Byte(offset) => write!(f, "byte {offset}"),
            Self::Text { line, column } => write!(f, "line {line}, column {column}"),
        }
    }
}

/// Why bytes are not an STL file. Facets are counted from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StlError {
    /// The file has no bytes.
    #[error("the file is empty")]
    Empty,
    /// The file is neither text nor long enough to be binary.
    #[error("the file has only {bytes} bytes; a binary STL file has at least 84: export it again")]
    TooShort {
        /// Its length.
        bytes: usize,
    },
    /// The text is of another kind.
    #[error("{place}: expected `solid`, found `{found}`: this text is not an STL file")]
    NotStl {
        /// Where the text begins.
        place: Place,
        /// Its first word.
        found: String,
    },
    /// A binary file is too short for its number of facets.
    #[error(
        "the file is cut off: its header announces {promised} facets, but its {bytes} bytes hold only {present}: export or copy it again"
    )]
    Truncated {
        /// Facets announced.
        promised: u32,
        /// Complete facets in the file.
        present: usize,
        /// Length of the file.
        bytes: usize,
    },
    /// The file is valid but has no facets.
    #[error("the file has no facets: export it again")]
    NoFacets,
    /// A coordinate is NaN or infinite.
    #[error("facet {facet}, {place}: a coordinate is {value}, not a finite number: export the part again")]
    NotFinite {
        /// The facet.
        facet: usize,
        /// Place of the coordinate.
        place: Place,
        /// The coordinate.
        value: f64,
    },
    /// Another word was expected.
    #[error("{place}: expected {expected}, found {found}")]
    Syntax {
        /// The place.
        place: Place,
        /// What was expected.
        expected: &'static str,
        /// What was found.
        found: String,
    },
    /// A facet is not a triangle.
    #[error("facet {facet}, {place}: it has {corners} vertices; STL facets have 3")]
    Corners {
        /// The facet.
        facet: usize,
        /// End of its list of vertices.
        place: Place,
        /// Its number of vertices.
        corners: usize,
    },
}

/// Why bytes are not a usable OBJ file. Lines are counted from 1; a statement that spans several lines is reported at the first.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ObjError {
    /// The file has no faces.
    #[error("the file has no faces ({vertices} vertices): export the part as polygons")]
    NoFaces {
        /// Number of vertices in the file.
        vertices: usize,
    },
    /// A statement is not part of OBJ.
    #[error("line {line}: unknown statement `{statement}`; remove it, or check that this is an OBJ file")]
    UnknownStatement {
        /// The line.
        line: usize,
        /// Its first word.
        statement: String,
    },
    /// The file describes curves or curved surfaces.
    #[error("line {line}: `{statement}` describes free-form curves or surfaces: export the part as polygons")]
    FreeForm {
        /// The line.
        line: usize,
        /// Its first word.
        statement: String,
    },
    /// A vertex has fewer than three coordinates.
    #[error("line {line}: the vertex has {coordinates} coordinates; it needs 3")]
    FewCoordinates {
        /// The line.
        line: usize,
        /// Number of its coordinates.
        coordinates: usize,
    },
    /// A coordinate is not a number.
    #[error("line {line}: expected a number, found `{found}`")]
    NotANumber {
        /// The line.
        line: usize,
        /// What was found.
        found: String,
    },
    /// A coordinate is NaN or infinite.
    #[error("line {line}: a coordinate is {value}, not a finite number: export the part again")]
    NotFinite {
        /// The line.
        line: usize,
        /// The coordinate.
        value: f64,
    },
    /// A face has fewer than three corners.
    #[error("line {line}: the face has {corners} corners; it needs at least 3")]
    FewCorners {
        /// The line.
        line: usize,
        /// Number of its corners.
        corners: usize,
    },
    /// A corner is not written `v`, `v/t`, `v//n` or `v/t/n`.
    #[error("line {line}: `{found}` is not a face's corner; expected v, v/t, v//n or v/t/n with whole numbers")]
    BadCorner {
        /// The line.
        line: usize,
        /// What was found.
        found: String,
    },
    /// A face refers to vertex 0.
    #[error("line {line}: a face refers to vertex 0; OBJ counts vertices from 1")]
    ZeroIndex {
        /// The line.
        line: usize,
    },
    /// A face refers to a vertex that does not exist.
    #[error("line {line}: a face refers to vertex {index}, but there are only {vertices}")]
    OutOfRange {
        /// The line.
        line: usize,
        /// The number; negative if counted backwards.
        index: i64,
        /// Number of vertices in the file, or before the line if counted backwards.
        vertices: usize,
    },
}

/// The first few positions at which a surface is wrong, in the file's coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Places(pub Vec<DVec3>);

impl Places {
    const MOST: usize = 3;

    /// The first few of some positions.
    pub(super) fn first(positions: impl Iterator<Item = DVec3>) -> Self {
        Self(positions.take(Self::MOST).collect())
    }
}

impl fmt::Display for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, p) in self.0.iter().enumerate() {
            // Single precision shows enough digits to find the place.
            let [x, y, z] = p.to_array().map(|c| c as f32);
            write!(f, "{}({x:?}, {y:?}, {z:?})", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// Why polygons do not bound a solid and have no obvious repair.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SurfaceError {
    /// Some edges have a face on one side only.
    #[error(
        "the surface is not closed (holes: {holes}; edges with a face on one side only: {edges}, first at {near}): close it in your CAD program or a mesh tool and export again"
    )]
    Open {
        /// Number of such edges.
        edges: usize,
        /// Connected groups of such edges.
        holes: usize,
        /// Midpoints of the first ones.
        near: Places,
    },
    /// Some edges are shared by an odd number of faces, more than one.
    #[error(
        "edges shared by three, five or another odd number of faces: {edges}, first at {near}: remove inner walls and flaps in your CAD program and export again"
    )]
    OddEdges {
        /// Number of such edges.
        edges: usize,
        /// Midpoints of the first ones.
        near: Places,
    },
    /// The surface has only one side.
    #[error(
        "the surface cannot be oriented: like a Moebius strip it has no inside (edges with contradicting orientation: {edges}, first at {near}): rebuild that region in your CAD program"
    )]
    OneSided {
        /// Edges at which no orientation is consistent.
        edges: usize,
        /// Midpoints of the first ones.
        near: Places,
    },
    /// The orientation is ambiguous where four or more faces meet.
    #[error(
        "edges shared by four or more faces whose orientations do not cancel: {edges}, first at {near}: separate the bodies that meet there"
    )]
    Unbalanced {
        /// Number of such edges.
        edges: usize,
        /// Midpoints of the first ones.
        near: Places,
    },
    /// Some facets have no area and could not be merged into their neighbours.
    #[error(
        "facets without area that cannot be merged into their neighbours: {facets}, first at {near}: remove them in a mesh tool"
    )]
    ZeroArea {
        /// Number of such facets.
        facets: usize,
        /// A corner of the first ones.
        near: Places,
    },
    /// Some polygons have no area although their corners are not on a line.
    #[error("polygons that cross themselves: {polygons}, first at {near}: export the part as triangles")]
    Twisted {
        /// Number of such polygons.
        polygons: usize,
        /// A corner of the first ones.
        near: Places,
    },
    /// A polygon has too many corners to be split into triangles.
    #[error(
        "a polygon with {corners} corners at {near} must be split into triangles, the limit is {limit}: export the part as triangles"
    )]
    TooManyCorners {
        /// Its number of corners.
        corners: usize,
        /// The largest number allowed.
        limit: usize,
        /// One of its corners.
        near: Places,
    },
    /// The part has no volume.
    #[error(
        "the part encloses no volume (near {near}; size {size:.6e} units): it is a sheet without thickness; give it thickness in your CAD program"
    )]
    NoVolume {
        /// Diagonal of its bounding box, units of the file.
        size: f64,
        /// A corner.
        near: Places,
    },
    /// The part is so large or so small that its mass would overflow.
    #[error(
        "the part is {size:.3e} units of the file or {metres:.3e} m large; both must lie between {min:e} and {max:e}: check the file's units and the scale"
    )]
    Size {
        /// Diagonal of its bounding box, units of the file.
        size: f64,
        /// The same after scaling, m.
        metres: f64,
        /// Smallest allowed.
        min: f64,
        /// Largest allowed.
        max: f64,
    },
    /// The engine refuses the repaired surface for another reason. Faces and vertices are numbered as after the repair.
    #[error("the repaired surface is not that of a solid: {0}")]
    Refused(PolyhedronError),
}

/// A piece of a file for a message: short, and printable whatever its bytes are.
pub(super) fn shown(text: &[u8]) -> String {
    const MOST: usize = 32;
    let shown: String = String::from_utf8_lossy(&text[..text.len().min(MOST)]).escape_debug().collect();
    if text.len() > MOST { shown + "..." } else { shown }
}
