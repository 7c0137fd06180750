//! What reading a part found worth telling, and what it repaired.

use std::fmt;

/// What a part file held and what was done to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Facets or polygons in the file.
    pub facets: usize,
    /// Closed surfaces in the part: its hull and its cavities, or several bodies.
    pub shells: usize,
    /// How many of the shells are cavities.
    pub cavities: usize,
    /// What was unusual or was repaired, in the order it was found.
    pub notes: Vec<Note>,
}

/// Something unusual in a file that did not keep it from being read.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// A binary STL file goes on after the facets its header announces.
    TrailingBytes {
        /// How many bytes were ignored.
        bytes: usize,
    },
    /// An STL file holds several `solid` blocks, which were read as one part.
    SeveralSolids {
        /// How many.
        solids: usize,
    },
    /// An OBJ file holds point or line elements, which bound nothing and were ignored.
    PointsAndLines {
        /// How many statements.
        statements: usize,
    },
    /// Vertices at the same place were made one.
    WeldedEqual {
        /// How many disappeared.
        vertices: usize,
    },
    /// Vertices close to each other were made one, which closed the surface.
    WeldedNear {
        /// How many disappeared.
        vertices: usize,
        /// How close they were at most, in the file's units.
        distance: f64,
    },
    /// Vertices that no face uses were dropped.
    UnusedVertices {
        /// How many.
        vertices: usize,
    },
    /// Facets named a corner twice in a row or ran back along their own edge.
    RepeatedCorners {
        /// Facets of which fewer than three corners remained, dropped.
        dropped: usize,
        /// Polygons that only lost corners.
        trimmed: usize,
    },
    /// Polygons passed twice through a corner and were split into triangles.
    PinchedPolygons {
        /// How many.
        polygons: usize,
    },
    /// Facets were given more than once and were kept once.
    Duplicates {
        /// How many were dropped.
        facets: usize,
    },
    /// Pairs of identical facets of opposite sense, the wall between two bodies, were dropped.
    InnerWalls {
        /// How many facets were dropped.
        facets: usize,
    },
    /// Polygons whose corners do not lie in a plane were split into triangles.
    BentPolygons {
        /// How many.
        polygons: usize,
    },
    /// Facets without area were merged into their neighbours.
    ZeroArea {
        /// How many.
        facets: usize,
    },
    /// Facets without area that hung on a closed surface were dropped.
    StrayZeroArea {
        /// How many.
        facets: usize,
    },
    /// Facets that wound against their neighbours were reversed.
    Flipped {
        /// How many.
        facets: usize,
    },
    /// Shells that bounded no volume were dropped.
    FlatShells {
        /// How many.
        shells: usize,
        /// The facets they were made of.
        facets: usize,
    },
    /// Shells that were inside out were turned.
    Turned {
        /// How many.
        shells: usize,
        /// The facets they are made of.
        facets: usize,
    },
    /// Shells lie within solid material of the same part, which therefore counts twice.
    CountedTwice {
        /// How many.
        shells: usize,
        /// Their volume, in cubed units of the file.
        volume: f64,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |text: &str| text.to_owned();
        let (verb, number, one, many, rest) = match *self {
            Self::TrailingBytes { bytes } => {
                ("ignored", bytes, "byte", "bytes", text(" after the last announced facet"))
            }
            Self::SeveralSolids { solids } => ("read", solids, "solid block", "solid blocks", text(" as one part")),
            Self::PointsAndLines { statements } => {
                ("ignored", statements, "point or line", "points or lines", text(""))
            }
            Self::WeldedEqual { vertices } => {
                ("welded", vertices, "vertex", "vertices", text(" to others in the same place"))
            }
            Self::WeldedNear { vertices, distance } => {
                ("welded", vertices, "vertex", "vertices", format!(" to others within {distance:.3e} units"))
            }
            Self::UnusedVertices { vertices } => ("dropped", vertices, "unused vertex", "unused vertices", text("")),
            Self::RepeatedCorners { dropped, trimmed } => {
                ("dropped", dropped, "facet", "facets", format!(" with repeated corners and trimmed {trimmed} more"))
            }
            Self::PinchedPolygons { polygons } => {
                ("split", polygons, "polygon", "polygons", text(" into triangles for passing twice through a corner"))
            }
            Self::Duplicates { facets } => ("dropped", facets, "duplicate facet", "duplicate facets", text("")),
            Self::InnerWalls { facets } => ("dropped", facets, "facet", "facets", text(" that stood back to back")),
            Self::BentPolygons { polygons } => {
                ("split", polygons, "polygon", "polygons", text(" into triangles for not being flat"))
            }
            Self::ZeroArea { facets } => ("merged", facets, "facet", "facets", text(" without area into neighbours")),
            Self::StrayZeroArea { facets } => {
                ("dropped", facets, "facet", "facets", text(" without area that hung on the surface"))
            }
            Self::Flipped { facets } => ("reversed", facets, "facet", "facets", text(" to agree with the neighbours")),
            Self::FlatShells { shells, facets } => {
                ("dropped", shells, "shell", "shells", format!(" without volume (facets: {facets})"))
            }
            Self::Turned { shells, facets } => {
                ("turned", shells, "shell", "shells", format!(" right side out (facets: {facets})"))
            }
            Self::CountedTwice { shells, volume } => ("found", shells, "shell", "shells", counted_twice(volume)),
        };
        write!(f, "{verb} {number} {}{rest}", if number == 1 { one } else { many })
    }
}

fn counted_twice(volume: f64) -> String {
    format!(" within solid material: {volume:.6e} cubic units count twice; unite the bodies if they are one")
}

#[cfg(test)]
mod tests {
    use super::Note;

    #[test]
    fn notes_are_sentences_with_counts() {
        assert_eq!(Note::Duplicates { facets: 1 }.to_string(), "dropped 1 duplicate facet");
        assert_eq!(Note::Turned { shells: 2, facets: 24 }.to_string(), "turned 2 shells right side out (facets: 24)");
    }
}
