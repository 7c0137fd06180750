//! Files that were right before something happened to them: the error names the element, and nothing panics.

use super::given::{ARM, GRIPPER, QUADRUPED, SIMPLE, load_beside};
use impulse_scenes::Random;

/// What is put in the place of a value.
const NO_NUMBERS: [&str; 10] =
    ["nan", "inf", "1kg", "90deg", "", "1 2 3 4 5 6 7", "0,1,2", "0x10", "1e999", "\u{2212}1"];

/// Attributes with numbers.
const NUMERIC: [&str; 18] = [
    "xyz", "rpy", "value", "ixx", "ixy", "ixz", "iyy", "iyz", "izz", "size", "radius", "length", "lower", "upper",
    "effort", "velocity", "damping", "friction",
];

/// A value of an attribute: its place in the text, tag and attribute.
struct Value<'t> {
    range: std::ops::Range<usize>,
    tag: &'t str,
    attribute: &'t str,
    line: usize,
}

fn values(text: &str) -> Vec<Value<'_>> {
    let mut found = Vec::new();
    for (quote, _) in text.match_indices("=\"") {
        let begin = text[..quote].rfind('<').unwrap();
        if text[begin..].starts_with("<?") {
            continue;
        }
        let tag = text[begin + 1..].split([' ', '>', '/']).next().unwrap();
        let attribute = text[..quote].rsplit(' ').next().unwrap();
        let first = quote + 2;
        let range = first..first + text[first..].find('"').unwrap();
        found.push(Value { range, tag, attribute, line: text[..first].lines().count() });
    }
    found
}

fn replaced(text: &str, value: &Value<'_>, by: &str) -> String {
    format!("{}{by}{}", &text[..value.range.start], &text[value.range.end..])
}

fn said(text: &str) -> Option<String> {
    load_beside("robot(\"robot.urdf\");", text, &[]).err().map(|error| error.to_string())
}

#[test]
fn mutilated_files_are_refused_by_element_and_attribute() {
    let mut files = 0;
    for text in [ARM, GRIPPER, QUADRUPED, SIMPLE] {
        let values = values(text);
        let numeric: Vec<&Value<'_>> = values.iter().filter(|value| NUMERIC.contains(&value.attribute)).collect();
        for (number, value) in numeric.iter().enumerate().step_by(2) {
            let by = NO_NUMBERS[number % NO_NUMBERS.len()];
            let error = said(&replaced(text, value, by)).unwrap_or_else(|| panic!("{} {by}", value.attribute));
            let place = format!("robot.urdf:{}: <{}>", value.line, value.tag);
            assert!(error.contains(&place), "{place}: {error}");
            assert!(error.contains(&format!("attribute `{}`", value.attribute)), "{error}");
            files += 1;
        }
        for value in values.iter().filter(|value| ["link", "type"].contains(&value.attribute)) {
            let error = said(&replaced(text, value, "nowhere")).unwrap();
            assert!(error.contains(&format!("robot.urdf:{}: <{}>", value.line, value.tag)), "{error}");
            assert!(
                error.contains(&format!("attribute `{}`", value.attribute)) && error.contains("nowhere"),
                "{error}"
            );
            files += 1;
        }
    }
    assert!(files > 200, "{files}");
}

#[test]
fn files_without_one_of_their_tags_are_refused_or_used() {
    let mut refused = 0;
    for text in [ARM, GRIPPER, QUADRUPED, SIMPLE] {
        // Every element that is written on one line is left out in turn.
        for (number, line) in text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with('<')) {
            let rest: Vec<&str> =
                text.lines().enumerate().filter(|(i, _)| *i != number).map(|(_, line)| line).collect();
            if let Some(error) = said(&rest.join("\n")) {
                assert!(error.contains("robot.urdf:") && error.contains('<'), "{line}: {error}");
                refused += 1;
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn no_bytes_make_the_reader_panic() {
    let mut random = Random::new(22);
    let pieces = ["<", ">", "\"", "/", "&", "&lt;", "<link", "</link>", "\u{0}", "-", "9", " ", "]]>", "<!--", "é"];
    for round in 0..3000 {
        let mut text = [ARM, GRIPPER, QUADRUPED, SIMPLE][round % 4].to_owned();
        for _ in 0..=random.whole(0, 2) {
            let mut at = random.whole(0, text.len() as i64 - 1) as usize;
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let mut end = (at + random.whole(0, 11) as usize).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            text.replace_range(at..end, pieces[random.whole(0, pieces.len() as i64 - 1) as usize]);
        }
        if let Some(error) = said(&text) {
            assert!(error.contains("robot.urdf"), "{error}");
        }
    }
}

#[test]
fn deep_long_and_wide_files_end() {
    let deep = format!("<robot>{}{}</robot>", "<a>".repeat(100_000), "</a>".repeat(100_000));
    assert!(said(&deep).is_some());
    let chain = |links: usize| {
        let link = |i: usize| {
            let joint = format!("<joint name=\"{i}\" type=\"fixed\"><parent link=\"{}\"/>", i - 1);
            format!("<link name=\"{i}\"/>{joint}<child link=\"{i}\"/></joint>")
        };
        let rest: String = (1..links).map(link).collect();
        let text = format!("<robot><link name=\"0\"/>{rest}</robot>");
        load_beside("robot(\"robot.urdf\", #{ base: \"fixed\" });", &text, &[])
    };
    let made = chain(1000).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((made.bodies.len(), made.robots[0].places.len()), (0, 1000));
    // More places than a script's map may have.
    assert!(chain(20_000).unwrap_err().to_string().contains("too large"));
    let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]><robot name=\"&b;\"/>";
    assert!(said(bomb).unwrap().contains("robot.urdf"));
}
