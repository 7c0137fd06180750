//! Elements of a robot's file with their places, and numbers in their attributes.

use super::error::{UrdfError, UrdfFault};
use glam::DVec3;
use roxmltree::Node;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Largest number that a file may hold, in any unit: what is larger is a mistake, and its square must stay finite.
const LARGEST: f64 = 1e100;

/// A file being read.
pub(super) struct Source<'x> {
    pub(super) file: &'x str,
    /// Where lines begin, bytes.
    lines: Vec<usize>,
    /// What is not used, and how often it occurs.
    ignored: RefCell<BTreeMap<String, usize>>,
}

/// An element of a file.
#[derive(Clone, Copy)]
pub(super) struct Element<'x> {
    node: Node<'x, 'x>,
    source: &'x Source<'x>,
}

/// What the readers return.
pub(super) type Read<T> = Result<T, UrdfError>;

impl<'x> Source<'x> {
    pub(super) fn new(file: &'x str, text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { file, lines: [0].into_iter().chain(breaks).collect(), ignored: RefCell::default() }
    }

    pub(super) fn root(&'x self, node: Node<'x, 'x>) -> Element<'x> {
        Element { node, source: self }
    }

    /// What was not used.
    pub(super) fn into_ignored(self) -> BTreeMap<String, usize> {
        self.ignored.into_inner()
    }

    fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|begin| *begin <= at)
    }
}

impl<'x> Element<'x> {
    /// Its name, without a name space.
    pub(super) fn tag(self) -> &'x str {
        self.node.tag_name().name()
    }

    /// Whether it is a macro that is yet to be expanded.
    pub(super) fn is_macro(self) -> bool {
        self.node.tag_name().namespace().is_some_and(|space| space.contains("xacro"))
    }

    pub(super) fn line(self) -> usize {
        self.source.line(self.node.range().start)
    }

    /// The elements in it.
    pub(super) fn children(self) -> impl Iterator<Item = Self> {
        let source = self.source;
        self.node.children().filter(Node::is_element).map(move |node| Self { node, source })
    }

    /// Counts what is not used.
    pub(super) fn ignore(self) {
        self.note(format!("<{}>", self.tag()));
    }

    /// Counts children and attributes that are not known.
    pub(super) fn know(self, children: &[&str], attributes: &[&str]) -> Read<()> {
        for child in self.children() {
            if child.is_macro() {
                return Err(child.fault(None, UrdfFault::Xacro(child.tag().to_owned())));
            }
            if !children.contains(&child.tag()) {
                child.note(format!("<{}> of <{}>", child.tag(), self.tag()));
            }
        }
        for attribute in self.node.attributes().filter(|attribute| !attributes.contains(&attribute.name())) {
            self.note(format!("attribute {} of <{}>", attribute.name(), self.tag()));
        }
        Ok(())
    }

    /// Lists something as not used.
    pub(super) fn note(self, what: String) {
        *self.source.ignored.borrow_mut().entry(what).or_default() += 1;
    }

    /// The child with this name, if there is one.
    pub(super) fn child(self, tag: &str) -> Read<Option<Self>> {
        let mut all = self.children().filter(|child| child.tag() == tag);
        let first = all.next();
        match all.next() {
            Some(second) => Err(second.fault(None, UrdfFault::Twice)),
            None => Ok(first),
        }
    }

    pub(super) fn text(self, attribute: &str) -> Option<&'x str> {
        self.node.attribute(attribute)
    }

    pub(super) fn needed_text(self, attribute: &str) -> Read<&'x str> {
        self.text(attribute).ok_or_else(|| self.fault(Some(attribute), UrdfFault::MissingAttribute))
    }

    /// A name: one line that is not empty.
    pub(super) fn name(self, attribute: &str) -> Read<String> {
        let name = self.needed_text(attribute)?;
        let fits = !name.trim().is_empty() && name.len() <= 200 && !name.chars().any(char::is_control);
        if fits { Ok(name.to_owned()) } else { Err(self.fault(Some(attribute), UrdfFault::Name)) }
    }

    /// A number.
    pub(super) fn number(self, attribute: &str) -> Read<Option<f64>> {
        Ok(self.numbers(attribute, "a number")?.map(|[number]| number))
    }

    pub(super) fn needed_number(self, attribute: &str) -> Read<f64> {
        self.number(attribute)?.ok_or_else(|| self.fault(Some(attribute), UrdfFault::MissingAttribute))
    }

    /// A number that is not negative.
    pub(super) fn not_negative(self, attribute: &str) -> Read<Option<f64>> {
        let expected = "not negative";
        let number = self.number(attribute)?;
        let wrong = |value: f64| self.fault(Some(attribute), UrdfFault::Range { value, expected });
        number.map_or(Ok(None), |value| if value >= 0.0 { Ok(Some(value)) } else { Err(wrong(value)) })
    }

    /// Three numbers.
    pub(super) fn vector(self, attribute: &str) -> Read<Option<DVec3>> {
        Ok(self.numbers(attribute, "three numbers")?.map(DVec3::from_array))
    }

    /// So many numbers.
    pub(super) fn numbers<const N: usize>(self, attribute: &str, expected: &'static str) -> Read<Option<[f64; N]>> {
        let Some(text) = self.text(attribute) else { return Ok(None) };
        let wrong = || {
            let found = text.chars().filter(|c| !c.is_control()).take(60).collect();
            self.fault(Some(attribute), UrdfFault::NotNumbers { found, expected })
        };
        let mut numbers = [0.0; N];
        let mut words = text.split_ascii_whitespace();
        for number in &mut numbers {
            let value: f64 = words.next().and_then(|word| word.parse().ok()).ok_or_else(wrong)?;
            if value.is_nan() || value.abs() > LARGEST {
                let expected = "a finite number below 1e100";
                return Err(self.fault(Some(attribute), UrdfFault::Range { value, expected }));
            }
            *number = value;
        }
        if words.next().is_some() { Err(wrong()) } else { Ok(Some(numbers)) }
    }

    /// An error here.
    pub(super) fn fault(self, attribute: Option<&str>, fault: UrdfFault) -> UrdfError {
        let place = attribute.and_then(|name| self.node.attribute_node(name)).map(|found| found.range().start);
        let line = self.source.line(place.unwrap_or(self.node.range().start));
        let attribute = attribute.map(str::to_owned);
        UrdfError { file: self.source.file.to_owned(), line, element: self.described(), attribute, fault: fault.into() }
    }

    /// The element in words: with its own name, or with that of what it belongs to.
    fn described(self) -> String {
        let tag = self.tag();
        let named = self.node.ancestors().find(|node| {
            let tag = node.tag_name().name();
            node.attribute("name").is_some() && ["link", "joint", "material"].contains(&tag)
        });
        let Some(owner) = named else { return format!("<{tag}>") };
        let (kind, name) = (owner.tag_name().name(), owner.attribute("name").unwrap_or_default());
        let name: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
        if owner == self.node { format!("<{tag}> `{name}`") } else { format!("<{tag}> of {kind} `{name}`") }
    }
}
