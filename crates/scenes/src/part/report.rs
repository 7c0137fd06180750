//! What was unusual in a part file, and what was repaired.

use std::borrow::Cow;
use std::fmt;

/// What a part file contained and what was done to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Facets or polygons in the file.
    pub facets: usize,
    /// Closed surfaces in the part: outer surfaces and cavities.
    pub shells: usize,
    /// How many of the shells are cavities.
    pub cavities: usize,
    /// What was unusual or repaired, in the order in which it was found.
    pub notes: Vec<Note>,
}

/// Something unusual in a file that could be read nevertheless.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// A binary STL file has more bytes than its header announces.
    TrailingBytes {
        /// How many bytes were ignored.
        bytes: usize,
    },
    /// An STL file has several `solid` blocks, which were read as one part.
    SeveralSolids {
        /// How many.
        solids: usize,
    },
    /// An OBJ file has points or lines, which enclose nothing and were ignored.
    PointsAndLines {
        /// How many statements.
        statements: usize,
    },
    /// Vertices at the same position were merged.
    WeldedEqual {
        /// How many were removed.
        vertices: usize,
    },
    /// Vertices close to each other were merged, which closed the surface.
    WeldedNear {
        /// How many were removed.
        vertices: usize,
        /// Largest distance between them, in the file's units.
        distance: f64,
    },
    /// Vertices that no face uses were dropped.
    UnusedVertices {
        /// How many.
        vertices: usize,
    },
    /// Facets repeated a corner or ran back along their own edge.
    RepeatedCorners {
        /// Facets that were dropped because fewer than three corners remained.
        dropped: usize,
        /// Polygons that only lost corners.
        trimmed: usize,
    },
    /// Polygons passed twice through a corner and were split into triangles.
    PinchedPolygons {
        /// How many.
        polygons: usize,
    },
    /// Facets occurred more than once, and one of each was kept.
    Duplicates {
        /// How many were dropped.
        facets: usize,
    },
    /// Pairs of identical facets of opposite orientation, the wall between two bodies, were dropped.
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
    /// Facets without area attached to a closed surface were dropped.
    StrayZeroArea {
        /// How many.
        facets: usize,
    },
    /// Facets with the opposite orientation of their neighbours were reversed.
    Flipped {
        /// How many.
        facets: usize,
    },
    /// Shells that enclosed no volume were dropped.
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
        let (verb, number, [one, many], rest) = self.sentence();
        write!(f, "{verb} {number} {}{rest}", if number == 1 { one } else { many })
    }
}

/// Verb, number, noun in singular and plural, and the rest of a sentence.
type Sentence = (&'static str, usize, [&'static str; 2], Cow<'static, str>);

impl Note {
    fn sentence(&self) -> Sentence {
        let [facet, polygon, shell, vertex] =
            [["facet", "facets"], ["polygon", "polygons"], ["shell", "shells"], ["vertex", "vertices"]];
        match *self {
            Self::TrailingBytes { bytes: n } => {
                ("ignored", n, ["byte", "bytes"], " after the last announced facet".into())
            }
            Self::SeveralSolids { solids: n } => ("read", n, ["solid block", "solid blocks"], " as one part".into()),
            Self::PointsAndLines { statements: n } => ("ignored", n, ["point or line", "points or lines"], "".into()),
            Self::WeldedEqual { vertices: n } => ("welded", n, vertex, " to others at the same position".into()),
            Self::WeldedNear { vertices: n, distance } => {
                ("welded", n, vertex, format!(" to others within {distance:.3e} units").into())
            }
            Self::UnusedVertices { vertices: n } => ("dropped", n, ["unused vertex", "unused vertices"], "".into()),
            Self::RepeatedCorners { dropped: n, trimmed } => {
                ("dropped", n, facet, format!(" with repeated corners and trimmed {trimmed} more").into())
            }
            Self::PinchedPolygons { polygons: n } => {
                ("split", n, polygon, " into triangles because they pass through a corner twice".into())
            }
            Self::Duplicates { facets: n } => ("dropped", n, ["duplicate facet", "duplicate facets"], "".into()),
            Self::InnerWalls { facets: n } => ("dropped", n, facet, " of inner walls".into()),
            Self::BentPolygons { polygons: n } => {
                ("split", n, polygon, " into triangles because they are not flat".into())
            }
            Self::ZeroArea { facets: n } => ("merged", n, facet, " without area into neighbours".into()),
            Self::StrayZeroArea { facets: n } => ("dropped", n, facet, " without area attached to the surface".into()),
            Self::Flipped { facets: n } => ("reversed", n, facet, " to match their neighbours".into()),
            Self::FlatShells { shells: n, facets } => {
                ("dropped", n, shell, format!(" without volume (facets: {facets})").into())
            }
            Self::Turned { shells: n, facets } => {
                ("turned", n, shell, format!(" right side out (facets: {facets})").into())
            }
            Self::CountedTwice { shells: n, volume } => {
                let twice = format!("{volume:.6e} cubic units count twice; unite the bodies if they are one");
                ("found", n, shell, format!(" within solid material: {twice}").into())
            }
        }
    }
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
