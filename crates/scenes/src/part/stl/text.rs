//! STL as text, read word by word: line breaks matter only after the names of solids.

use super::{Builder, Note, Place, Report, Soup, StlError};
use glam::DVec3;

/// Smallest size of a facet in practice, bytes; used to estimate the number of facets.
const FACET_TEXT: usize = 160;

pub(super) fn parse(bytes: &[u8], report: &mut Report) -> Result<Soup, StlError> {
    let mut words = Words { bytes, at: 0 };
    words.skip_mark();
    let first = words.next();
    if !first.is("solid") {
        return Err(StlError::NotStl { place: words.place(first), found: first.shown() });
    }
    let mut builder = Builder::new(bytes.len() / FACET_TEXT + 1);
    let mut solids = 1;
    loop {
        words.skip_line();
        parse_solid(&mut words, &mut builder)?;
        let next = words.next();
        if next.text.is_empty() {
            break;
        }
        words.check(next, "solid", "`solid` or the end of the file")?;
        solids += 1;
    }
    if solids > 1 {
        report.notes.push(Note::SeveralSolids { solids });
    }
    if builder.faces.is_empty() {
        return Err(StlError::NoFacets);
    }
    Ok(builder.finish(report))
}

/// Reads facets up to and including `endsolid` and its name.
fn parse_solid(words: &mut Words<'_>, builder: &mut Builder) -> Result<(), StlError> {
    loop {
        let word = words.next();
        if word.is("endsolid") {
            words.skip_line();
            return Ok(());
        }
        words.check(word, "facet", "`facet` or `endsolid`")?;
        let corners = parse_facet(words, builder.faces.len() + 1)?;
        builder.push(corners);
    }
}

fn parse_facet(words: &mut Words<'_>, facet: usize) -> Result<[DVec3; 3], StlError> {
    words.expect("normal", "`normal`")?;
    for _ in 0..3 {
        // Some programs write NaN normals for facets without area; normals are not used.
        let word = words.next();
        if word.text.is_empty() || word.is("outer") {
            return Err(words.unexpected(word, "a normal of three numbers"));
        }
    }
    words.expect("outer", "`outer loop`")?;
    words.expect("loop", "`outer loop`")?;
    let mut corners = [DVec3::ZERO; 3];
    let mut count = 0;
    loop {
        let word = words.next();
        if word.is("endloop") {
            if count != 3 {
                return Err(StlError::Corners { facet, place: words.place(word), corners: count });
            }
            break;
        }
        words.check(word, "vertex", "`vertex` or `endloop`")?;
        let position = DVec3::new(words.number(facet)?, words.number(facet)?, words.number(facet)?);
        if let Some(corner) = corners.get_mut(count) {
            *corner = position;
        }
        count += 1;
    }
    words.expect("endfacet", "`endfacet`")?;
    Ok(corners)
}

/// The words of a text.
struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// A word and its position; empty at the end of the text.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a [u8],
    at: usize,
}

impl Word<'_> {
    fn is(self, keyword: &str) -> bool {
        self.text.eq_ignore_ascii_case(keyword.as_bytes())
    }

    fn shown(self) -> String {
        crate::part::error::shown(self.text)
    }
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Word<'a> {
        let rest = &self.bytes[self.at..];
        let start = rest.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(rest.len());
        let rest = &rest[start..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let word = Word { text: &rest[..length], at: self.at + start };
        self.at = word.at + length;
        word
    }

    /// Skips the mark that some editors put before UTF-8.
    fn skip_mark(&mut self) {
        if self.bytes.starts_with(b"\xEF\xBB\xBF") {
            self.at = 3;
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|&b| b == b'\n' || b == b'\r').unwrap_or(rest.len());
    }

    fn expect(&mut self, keyword: &str, expected: &'static str) -> Result<(), StlError> {
        let word = self.next();
        self.check(word, keyword, expected)
    }

    fn check(&self, word: Word<'_>, keyword: &str, expected: &'static str) -> Result<(), StlError> {
        if word.is(keyword) { Ok(()) } else { Err(self.unexpected(word, expected)) }
    }

    fn number(&mut self, facet: usize) -> Result<f64, StlError> {
        let word = self.next();
        let value = std::str::from_utf8(word.text).ok().and_then(|text| text.parse::<f64>().ok());
        match value {
            Some(value) if value.is_finite() => Ok(value),
            Some(value) => Err(StlError::NotFinite { facet, place: self.place(word), value }),
            None => Err(self.unexpected(word, "a number")),
        }
    }

    fn unexpected(&self, word: Word<'_>, expected: &'static str) -> StlError {
        let found = if word.text.is_empty() { "the end of the file".to_owned() } else { format!("`{}`", word.shown()) };
        StlError::Syntax { place: self.place(word), expected, found }
    }

    /// Line and column of a word, counted when an error needs them. Lines end with `\n`, `\r\n` or a lone `\r`.
    fn place(&self, word: Word<'_>) -> Place {
        let before = &self.bytes[..word.at];
        let ends_line =
            |&i: &usize| before[i] == b'\n' || (before[i] == b'\r' && self.bytes.get(i + 1) != Some(&b'\n'));
        let start = (0..before.len()).rev().find(ends_line).map_or(0, |i| i + 1);
        Place::Text { line: 1 + (0..before.len()).filter(ends_line).count(), column: 1 + word.at - start }
    }
}
