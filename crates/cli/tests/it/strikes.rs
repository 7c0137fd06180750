//! `impulse strikes`: files of a study of two throws.

use crate::support::{folder, impulse};

#[test]
fn a_study_of_two_throws_writes_its_files() {
    let out = folder("strikes");
    let told = impulse(&["strikes", "--throws", "1", "--out", out.to_str().unwrap()]);
    assert_eq!((told.status, told.stderr.as_str()), (0, ""));
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    let csv = read("strikes.csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["delivery", "start_m", "crossing_m", "felled"]);
    assert_eq!((rows.len(), rows[1][0], rows[2][0]), (3, "straight", "hooking"));
    for row in &rows[1..] {
        // The only throw of each kind is aimed at the head pin, and fells more than that.
        assert!(row[2].parse::<f64>().unwrap().abs() < 1e-9, "{row:?}");
        assert!((2..=10).contains(&row[3].parse::<u32>().unwrap()), "{row:?}");
    }
    assert!(rows[2][1].parse::<f64>().unwrap() < -0.1);
    assert!(read("strikes.svg").starts_with("<svg ") && read("strikes.md").contains("(strikes.svg)"));
    assert!(told.stdout.contains("strikes.csv") && told.stdout.contains("-10 to +10"), "{}", told.stdout);
}
