//! Why a part file cannot be used: each error names the place and a remedy.

use super::MAX_BYTES;
use glam::DVec3;
use impulse::geometry::PolyhedronError;
use std::{fmt, io, path::PathBuf};

/// Why a part could not be read.
#[derive(Debug, thiserror::Error)]
pub enum PartError {
    /// Any of the others, in a file.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: Box<PartError>,
    },
    /// The system would not give the file's bytes.
    #[error("cannot read the file: {0}")]
    Io(#[from] io::Error),
    /// The name ends in no known extension.
    #[error("unknown kind of part file; known are .stl (binary or text) and .obj")]
    UnknownExtension,
    /// The file is longer than [`MAX_BYTES`].
    #[error("the file has {bytes} bytes, the limit is {MAX_BYTES}: reduce the number of facets")]
    TooLong {
        /// Its length.
        bytes: u64,
    },
    /// The scale is no positive finite number.
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
    /// Bytes before it, in a binary file.
    Byte(usize),
    /// In a text.
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
    /// No bytes at all.
    #[error("the file is empty")]
    Empty,
    /// Neither text nor long enough for a binary file.
    #[error("the file has only {bytes} bytes; a binary STL file has at least 84: export it again")]
    TooShort {
        /// Its length.
        bytes: usize,
    },
    /// Text of another kind.
    #[error("{place}: expected `solid`, found `{found}`: this text is not an STL file")]
    NotStl {
        /// Where the text begins.
        place: Place,
        /// Its first word.
        found: String,
    },
    /// A binary file ends early.
    #[error(
        "the file is cut off: its header promises {promised} facets, its {bytes} bytes hold {present}: export or copy it again"
    )]
    Truncated {
        /// Facets announced.
        promised: u32,
        /// Whole facets there are.
        present: usize,
        /// Length of the file.
        bytes: usize,
    },
    /// The file is in order but holds nothing.
    #[error("the file holds no facets: export it again")]
    NoFacets,
    /// A coordinate is NaN or infinite.
    #[error("facet {facet}, {place}: a coordinate is {value}, not a finite number: export the part again")]
    NotFinite {
        /// The facet.
        facet: usize,
        /// Where the coordinate stands.
        place: Place,
        /// The coordinate.
        value: f64,
    },
    /// A word stands where another belongs.
    #[error("{place}: expected {expected}, found {found}")]
    Syntax {
        /// Where.
        place: Place,
        /// What belongs there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// A facet that is no triangle.
    #[error("facet {facet}, {place}: it has {corners} vertices; STL facets have 3")]
    Corners {
        /// The facet.
        facet: usize,
        /// Where its list of vertices ends.
        place: Place,
        /// Its number of vertices.
        corners: usize,
    },
}

/// Why bytes are not an OBJ file that can be used. Lines are counted from 1; a statement continued over several lines is
/// named by its first.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ObjError {
    /// No faces.
    #[error("the file holds no faces ({vertices} vertices): export the part as polygons")]
    NoFaces {
        /// How many vertices it holds.
        vertices: usize,
    },
    /// A statement OBJ does not know.
    #[error("line {line}: unknown statement `{statement}`; remove it if the file is OBJ at all")]
    UnknownStatement {
        /// Where.
        line: usize,
        /// Its first word.
        statement: String,
    },
    /// Curves or curved surfaces.
    #[error("line {line}: `{statement}` describes free-form curves or surfaces: export the part as polygons")]
    FreeForm {
        /// Where.
        line: usize,
        /// Its first word.
        statement: String,
    },
    /// A vertex with fewer than three coordinates.
    #[error("line {line}: the vertex has {coordinates} coordinates; it needs 3")]
    FewCoordinates {
        /// Where.
        line: usize,
        /// How many it has.
        coordinates: usize,
    },
    /// A coordinate is no number.
    #[error("line {line}: expected a number, found `{found}`")]
    NotANumber {
        /// Where.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// A coordinate is NaN or infinite.
    #[error("line {line}: a coordinate is {value}, not a finite number: export the part again")]
    NotFinite {
        /// Where.
        line: usize,
        /// The coordinate.
        value: f64,
    },
    /// A face with fewer than three corners.
    #[error("line {line}: the face has {corners} corners; it needs at least 3")]
    FewCorners {
        /// Where.
        line: usize,
        /// How many it has.
        corners: usize,
    },
    /// A corner is not written `v`, `v/t`, `v//n` or `v/t/n`.
    #[error("line {line}: `{found}` is not a face's corner; expected v, v/t, v//n or v/t/n with whole numbers")]
    BadCorner {
        /// Where.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// A face names vertex 0.
    #[error("line {line}: a face names vertex 0; OBJ counts vertices from 1")]
    ZeroIndex {
        /// Where.
        line: usize,
    },
    /// A face names a vertex that does not exist.
    #[error("line {line}: a face names vertex {index}, but there are only {vertices}")]
    OutOfRange {
        /// Where.
        line: usize,
        /// The number, negative where counted backwards.
        index: i64,
        /// How many vertices there are: in the file, or before the line for a number counted backwards.
        vertices: usize,
    },
}

/// The first few of the positions at which a surface is wrong, in the file's coordinates.
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
    /// Edges with a face on one side only.
    #[error(
        "the surface is not closed (holes: {holes}; edges with a face on one side only: {edges}, first at {near}): close it in your CAD program or a mesh tool and export again"
    )]
    Open {
        /// Number of such edges.
        edges: usize,
        /// Connected groups of such edges.
        holes: usize,
        /// Middles of the first ones.
        near: Places,
    },
    /// Edges where three, five, ... faces meet.
    #[error(
        "edges shared by three, five or more faces: {edges}, first at {near}: remove inner walls and flaps in your CAD program and export again"
    )]
    OddEdges {
        /// Number of such edges.
        edges: usize,
        /// Middles of the first ones.
        near: Places,
    },
    /// The surface has one side only.
    #[error(
        "the surface cannot be oriented: like a Moebius strip it has no inside (edges where senses clash: {edges}, first at {near}): rebuild that region in your CAD program"
    )]
    OneSided {
        /// Edges at which no choice of senses agrees.
        edges: usize,
        /// Middles of the first ones.
        near: Places,
    },
    /// Senses that cannot be told where four or more faces meet.
    #[error(
        "edges shared by four or more faces whose senses do not balance: {edges}, first at {near}: separate the bodies that meet there"
    )]
    Unbalanced {
        /// Number of such edges.
        edges: usize,
        /// Middles of the first ones.
        near: Places,
    },
    /// Facets without area that could not be merged into neighbours.
    #[error(
        "facets without area that cannot be merged into their neighbours: {facets}, first at {near}: remove them in a mesh tool"
    )]
    ZeroArea {
        /// Number of such facets.
        facets: usize,
        /// A corner of the first ones.
        near: Places,
    },
    /// Polygons without area whose corners are not on a line.
    #[error("polygons that cross themselves: {polygons}, first at {near}: export the part as triangles")]
    Twisted {
        /// Number of such polygons.
        polygons: usize,
        /// A corner of the first ones.
        near: Places,
    },
    /// A polygon too large to be split into triangles.
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
    /// Nothing with a volume is left.
    #[error(
        "the part bounds no volume (near {near}; size {size:.6e} units): it is a sheet without thickness, give it some in your CAD program"
    )]
    NoVolume {
        /// Length of its box's diagonal, units of the file.
        size: f64,
        /// A corner.
        near: Places,
    },
    /// So large or so small that its mass overflows.
    #[error(
        "the part is {size:.3e} units of the file or {metres:.3e} m large; both must lie between {min:e} and {max:e}: check the file's units and the scale"
    )]
    Size {
        /// Length of its box's diagonal, units of the file.
        size: f64,
        /// The same, scaled.
        metres: f64,
        /// Smallest allowed.
        min: f64,
        /// Largest allowed.
        max: f64,
    },
    /// Any other reason the engine has to refuse the repaired surface; faces and vertices are numbered after the repair.
    #[error("the repaired surface is not that of a solid: {0}")]
    Refused(PolyhedronError),
}

/// A piece of a file as a message shows it: short, and readable whatever its bytes are.
pub(super) fn shown(text: &[u8]) -> String {
    const MOST: usize = 32;
    let shown: String = String::from_utf8_lossy(&text[..text.len().min(MOST)]).escape_debug().collect();
    if text.len() > MOST { shown + "..." } else { shown }
}
