//! Wavefront OBJ files: vertices, and polygons that refer to them by number. Colours, normals, textures, materials and groups are
//! irrelevant to the solid and skipped.

use super::error::{ObjError, shown};
use super::report::{Note, Report};
use super::soup::Soup;
use glam::DVec3;
use std::cmp::Ordering;

/// Statements that are irrelevant to the solid.
const SKIPPED: [&str; 18] = [
    "vt",
    "vn",
    "g",
    "o",
    "s",
    "mg",
    "mtllib",
    "usemtl",
    "usemap",
    "maplib",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "shadow_obj",
    "trace_obj",
    "ctech",
    "stech",
];

/// Statements of free-form curves and surfaces, including superseded ones.
const FREE_FORM: [&str; 20] = [
    "vp", "cstype", "deg", "bmat", "step", "curv", "curv2", "surf", "parm", "trim", "hole", "scrv", "sp", "end", "con",
    "bsp", "bzp", "cdc", "cdp", "res",
];

/// Reads an OBJ file. Vertices keep their numbers, used or not.
pub(super) fn parse(bytes: &[u8], report: &mut Report) -> Result<Soup, ObjError> {
    let mut reader = Reader::default();
    let lines = Lines { rest: bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes), line: 1 };
    for (line, statement) in lines {
        reader.line = line;
        let mut words = Words { rest: statement };
        if let Some(keyword) = words.next() {
            reader.statement(keyword, words)?;
        }
    }
    reader.finish(report)
}

#[derive(Default)]
struct Reader {
    line: usize,
    soup: Soup,
    /// The largest vertex number that a face refers to (from 1) and its line: faces may precede their vertices.
    largest: (i64, usize),
    points_and_lines: usize,
    /// Corners of the face being read.
    corners: Vec<u32>,
}

impl Reader {
    fn statement(&mut self, keyword: &[u8], words: Words<'_>) -> Result<(), ObjError> {
        let known = |list: &[&str]| list.iter().any(|k| k.as_bytes() == keyword);
        match keyword {
            b"v" => self.vertex(words),
            b"f" | b"fo" => self.face(words),
            b"p" | b"l" => {
                self.points_and_lines += 1;
                Ok(())
            }
            _ if known(&SKIPPED) => Ok(()),
            _ if known(&FREE_FORM) => Err(ObjError::FreeForm { line: self.line, statement: shown(keyword) }),
            _ => Err(ObjError::UnknownStatement { line: self.line, statement: shown(keyword) }),
        }
    }

    /// `v x y z`, perhaps followed by a weight or a colour.
    fn vertex(&mut self, mut words: Words<'_>) -> Result<(), ObjError> {
        let line = self.line;
        let mut position = DVec3::ZERO;
        for i in 0..3 {
            let word = words.next().ok_or(ObjError::FewCoordinates { line, coordinates: i })?;
            let value = parse_text::<f64>(word).ok_or_else(|| ObjError::NotANumber { line, found: shown(word) })?;
            if !value.is_finite() {
                return Err(ObjError::NotFinite { line, value });
            }
            position[i] = value;
        }
        self.soup.vertices.push(position);
        Ok(())
    }

    /// `f` and at least three corners.
    fn face(&mut self, words: Words<'_>) -> Result<(), ObjError> {
        self.corners.clear();
        for word in words {
            let corner = self.corner(word)?;
            self.corners.push(corner);
        }
        if self.corners.len() < 3 {
            return Err(ObjError::FewCorners { line: self.line, corners: self.corners.len() });
        }
        self.soup.faces.push(&self.corners);
        Ok(())
    }

    /// The vertex (from 0) of a corner `v`, `v/t`, `v//n` or `v/t/n`.
    fn corner(&mut self, word: &[u8]) -> Result<u32, ObjError> {
        let line = self.line;
        let bad = || ObjError::BadCorner { line, found: shown(word) };
        let mut parts = word.split(|&b| b == b'/');
        let index: i64 = parts.next().and_then(parse_text).ok_or_else(bad)?;
        let mut others = 0;
        for part in parts {
            others += 1;
            let valid = part.is_empty() || parse_text::<i64>(part).is_some();
            if others > 2 || !valid {
                return Err(bad());
            }
        }
        let vertices = self.soup.vertices.len();
        let out_of_range = ObjError::OutOfRange { line, index, vertices };
        match index.cmp(&0) {
            Ordering::Equal => Err(ObjError::ZeroIndex { line }),
            Ordering::Less => {
                let back = usize::try_from(index.unsigned_abs()).ok();
                let from_start = back.and_then(|back| vertices.checked_sub(back)).ok_or(out_of_range)?;
                Ok(from_start as u32)
            }
            Ordering::Greater => {
                if index > self.largest.0 {
                    self.largest = (index, line);
                }
                u32::try_from(index - 1).map_err(|_| out_of_range)
            }
        }
    }

    fn finish(self, report: &mut Report) -> Result<Soup, ObjError> {
        let vertices = self.soup.vertices.len();
        if self.soup.faces.is_empty() {
            return Err(ObjError::NoFaces { vertices });
        }
        let (index, line) = self.largest;
        if index > vertices as i64 {
            return Err(ObjError::OutOfRange { line, index, vertices });
        }
        if self.points_and_lines > 0 {
            report.notes.push(Note::PointsAndLines { statements: self.points_and_lines });
        }
        report.facets = self.soup.faces.len();
        Ok(self.soup)
    }
}

fn parse_text<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// The statements of a text. Lines that end in a backslash are joined with the next; the number is that of the first line.
struct Lines<'a> {
    rest: &'a [u8],
    line: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let first = self.line;
        let mut end = 0;
        loop {
            let rest = &self.rest[end..];
            let line = &rest[..rest.iter().position(|&b| b == b'\n' || b == b'\r').unwrap_or(rest.len())];
            end += line.len();
            self.line += 1;
            // A comment ends with its line, even if that ends in a backslash, like a Windows folder.
            if line.len() == rest.len() || !line.ends_with(b"\\") || line.contains(&b'#') {
                break;
            }
            end += line_break(&self.rest[end..]);
        }
        let (statement, rest) = self.rest.split_at(end);
        self.rest = &rest[line_break(rest)..];
        Some((first, statement))
    }
}

/// Length of the line break at the start of a text: `\n`, `\r\n`, a lone `\r`, or none at its end.
fn line_break(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\n', ..] => 2,
        [_, ..] => 1,
        [] => 0,
    }
}

/// The words of a statement up to a comment. A backslash before a line break separates words too.
struct Words<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let separates = |i: usize| {
            let b = self.rest[i];
            b.is_ascii_whitespace() || (b == b'\\' && matches!(self.rest.get(i + 1), Some(b'\r' | b'\n')))
        };
        let length = self.rest.len();
        let start = (0..length).find(|&i| !separates(i))?;
        if self.rest[start] == b'#' {
            self.rest = &[];
            return None;
        }
        let end = (start..length).find(|&i| separates(i) || self.rest[i] == b'#').unwrap_or(length);
        let (word, rest) = (&self.rest[start..end], &self.rest[end..]);
        self.rest = rest;
        Some(word)
    }
}
