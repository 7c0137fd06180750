//! From the text of a file to a robot.

use super::error::{UrdfError, UrdfFault};
use super::joints::{Names, joint};
use super::links::{Colors, color, define_colors, link};
use super::model::{Joint, Link, Robot};
use super::tree;
use super::xml::{Element, Read, Source};
use roxmltree::{Document, ParsingOptions};

/// Most elements and texts of a file.
const MAX_NODES: u32 = 1_000_000;

/// What a robot is made of; everything else is listed as not used.
const KNOWN: [&str; 5] = ["link", "joint", "material", "transmission", "gazebo"];

/// Reads a robot. `file` is named in errors.
pub fn parse(file: &str, text: &str) -> Result<Robot, UrdfError> {
    let source = Source::new(file, text);
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| no_xml(file, &error))?;
    let (name, links, joints) = contents(source_root(&source, &document))?;
    let order = tree::order(file, &links, &joints)?;
    drop(document);
    Ok(Robot { file: file.to_owned(), name, links, joints, order, ignored: source.into_ignored() })
}

fn source_root<'x>(source: &'x Source<'x>, document: &'x Document<'x>) -> Element<'x> {
    source.root(document.root_element())
}

fn no_xml(file: &str, error: &roxmltree::Error) -> UrdfError {
    let line = error.pos().row as usize;
    let fault = UrdfFault::Xml(error.to_string());
    UrdfError { file: file.to_owned(), line, element: "<robot>".to_owned(), attribute: None, fault: fault.into() }
}

/// Name, links and joints of `<robot>`.
fn contents(root: Element<'_>) -> Read<(String, Vec<Link>, Vec<Joint>)> {
    if root.tag() != "robot" {
        return Err(root.fault(None, UrdfFault::NotRobot(root.tag().chars().take(60).collect())));
    }
    root.know(&KNOWN, &["name", "version"])?;
    root.children().filter(|child| ["transmission", "gazebo"].contains(&child.tag())).for_each(Element::ignore);
    let mut colors = Colors::new();
    for material in root.children().filter(|child| child.tag() == "material") {
        if let Some(color) = color(material, &Colors::new())? {
            colors.insert(material.name("name")?, color);
        }
    }
    for child in root.children().filter(|child| child.tag() == "link") {
        define_colors(child, &mut colors)?;
    }
    let mut links: Vec<Link> = Vec::new();
    for child in root.children().filter(|child| child.tag() == "link") {
        links.push(link(child, &colors)?);
    }
    let mut names = Names::new();
    for (number, found) in links.iter().enumerate() {
        if names.insert(&found.name, number).is_some() {
            let again = root.children().filter(|child| child.tag() == "link").nth(number).unwrap_or(root);
            return Err(again.fault(Some("name"), UrdfFault::DuplicateName("link", found.name.clone())));
        }
    }
    let mut joints: Vec<Joint> = Vec::new();
    let mut known = std::collections::BTreeSet::new();
    for child in root.children().filter(|child| child.tag() == "joint") {
        let found = joint(child, &names)?;
        if !known.insert(found.name.clone()) {
            return Err(child.fault(Some("name"), UrdfFault::DuplicateName("joint", found.name)));
        }
        joints.push(found);
    }
    let name = root.text("name").unwrap_or("robot").chars().filter(|c| !c.is_control()).take(200).collect();
    Ok((name, links, joints))
}
