//! Suggestions for misspelt names.

/// The known names most similar to a misspelt one, best first: at most three, none that is too different.
pub(crate) fn similar<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let name: Vec<char> = name.to_lowercase().chars().take(LONGEST).collect();
    let limit = (name.len() / 3).max(1);
    let mut found: Vec<(usize, &str)> = Vec::new();
    for candidate in known {
        let letters: Vec<char> = candidate.to_lowercase().chars().take(LONGEST).collect();
        let extends =
            name.len() >= 3 && (letters.starts_with(&name) || name.starts_with(&letters[..]) && letters.len() >= 3);
        let distance = if extends { limit } else { edits(&name, &letters) };
        if distance <= limit && !found.iter().any(|(_, known)| *known == candidate) {
            found.push((distance, candidate));
        }
    }
    found.sort();
    found.into_iter().take(3).map(|(_, candidate)| candidate.to_owned()).collect()
}

/// Characters of a name that are compared.
const LONGEST: usize = 64;

/// Smallest number of characters to insert, delete, replace, or swap with their neighbour.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut before = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1; b.len() + 1];
        for j in 0..b.len() {
            row[j + 1] = (above[j] + usize::from(a[i] != b[j])).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                row[j + 1] = row[j + 1].min(before[j - 1] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{edits, similar};

    #[test]
    fn edits_are_counted() {
        let count = |a: &str, b: &str| edits(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!(count("kitten", "sitting"), 3);
        assert_eq!(count("sphere", "spehre"), 1);
        assert_eq!(count("", "abc"), 3);
        assert_eq!(count("same", "same"), 0);
    }

    #[test]
    fn the_nearest_names_are_suggested_and_strangers_are_not() {
        let known = ["sphere", "cuboid", "cone", "capsule", "rounded_cuboid"];
        assert_eq!(similar("spere", known), ["sphere"]);
        assert_eq!(similar("Cubiod", known), ["cuboid"]);
        assert_eq!(similar("round", known), ["rounded_cuboid"]);
        assert!(similar("platypus", known).is_empty());
        assert!(similar("", known).is_empty());
    }
}
