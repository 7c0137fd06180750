//! Hostile part files: random bytes, damaged files and damaged surfaces through both readers, which must neither panic nor
//! accept what has no volume.
//!
//! `cargo bench --bench fuzz_parts -- [SECONDS [SEED [INPUT]]]`; with INPUT only that one is run, to repeat a failure.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "../tests/it/shapes.rs"]
mod shapes;

use glam::DVec3;
use impulse::geometry::Solid;
use impulse_scenes::part::{Format, parse_part, write_obj, write_stl_ascii, write_stl_binary};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    // Cargo passes `--bench` before the arguments meant for us.
    let arguments: Vec<u64> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let seconds = arguments.first().copied().unwrap_or(20);
    let seed = arguments.get(1).copied().unwrap_or(1);
    let only = arguments.get(2).copied();
    let files = seed_files();
    if only.is_none() {
        std::panic::set_hook(Box::new(|_| {}));
    }
    let mut tally = Tally::default();
    let start = Instant::now();
    for number in only.unwrap_or(0).. {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number.wrapping_mul(0xD1B5_4A32_D192_ED03));
        tally.run(number, &input(&mut random, &files));
        if only.is_some() || start.elapsed() >= Duration::from_secs(seconds) {
            break;
        }
    }
    tally.print(seed);
    if tally.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[derive(Default)]
struct Tally {
    inputs: u64,
    accepted: u64,
    repaired: u64,
    rejected: u64,
    failures: Vec<(u64, Format, &'static str)>,
    slowest: (Duration, u64),
}

impl Tally {
    fn run(&mut self, number: u64, bytes: &[u8]) {
        self.inputs += 1;
        let start = Instant::now();
        for format in [Format::Stl, Format::Obj] {
            match catch_unwind(AssertUnwindSafe(|| check(bytes, format))) {
                Ok(Ok(notes)) => {
                    self.accepted += 1;
                    self.repaired += u64::from(notes > 0);
                }
                Ok(Err(None)) => self.rejected += 1,
                Ok(Err(Some(fault))) => self.failures.push((number, format, fault)),
                Err(_) => self.failures.push((number, format, "panic")),
            }
        }
        self.slowest = self.slowest.max((start.elapsed(), number));
    }

    fn print(&self, seed: u64) {
        let Self { inputs, accepted, repaired, rejected, failures, slowest } = self;
        let panics = failures.iter().filter(|failure| failure.2 == "panic").count();
        println!("seed {seed}: {inputs} inputs, each as STL and as OBJ");
        println!("accepted {accepted} (with notes {repaired}), rejected {rejected}");
        println!("panics {panics}, other failures {}", failures.len() - panics);
        println!("slowest: input {}, {:.1} ms", slowest.1, 1e3 * slowest.0.as_secs_f64());
        for (number, format, fault) in failures.iter().take(20) {
            println!("{fault}: input {number} as {format:?}; repeat with arguments 0 {seed} {number}");
        }
    }
}

/// The number of notes of an accepted part, no fault of a rejected one, or what is wrong with an accepted one.
fn check(bytes: &[u8], format: Format) -> Result<usize, Option<&'static str>> {
    let part = parse_part(bytes, format, 0.5).map_err(|error| {
        std::hint::black_box(error.to_string());
        None
    })?;
    let volume = part.polyhedron.volume_integrals().volume;
    if !(volume > 0.0 && volume.is_finite()) {
        return Err(Some("volume"));
    }
    if part.report.notes.iter().any(|note| note.to_string().is_empty()) || part.report.shells == 0 {
        return Err(Some("report"));
    }
    Ok(part.report.notes.len())
}

/// Whole files of every kind.
fn seed_files() -> Vec<Vec<u8>> {
    let box_obj = "# box\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nv 0 0 3\nv 2 0 3\nv 2 1 3\nv 0 1 3\n\
        f 4 3 2 1\nf 5 6 7 8\nf 1/1 2/2 6/3 5/4\nf 2//1 3//2 7//3 6//4\nf 3 4 8 \\\n 7\nf -8 -4 -1 -5\nl 1 2\n";
    let boxes = parse_part(box_obj.as_bytes(), Format::Obj, 1.0).expect("a box").polyhedron;
    let sphere = parse_part(&shapes::stl_bytes(shapes::sphere(3)), Format::Stl, 1.0).expect("a sphere").polyhedron;
    let mut files = vec![box_obj.as_bytes().to_vec()];
    for solid in [&boxes, &sphere] {
        let mut texts = [const { Vec::new() }; 3];
        write_obj(solid, &mut texts[0]).expect("memory can be written");
        write_stl_ascii(solid, &mut texts[1]).expect("memory can be written");
        write_stl_binary(solid, &mut texts[2]).expect("memory can be written");
        files.extend(texts);
    }
    files
}

fn input(random: &mut Random, files: &[Vec<u8>]) -> Vec<u8> {
    match random.below(8) {
        0 => (0..random.below(300)).map(|_| random.next() as u8).collect(),
        1..=3 => damaged_surface(random),
        _ => {
            let mut bytes = files[random.below(files.len())].clone();
            for _ in 0..=random.below(4) {
                mutate(random, &mut bytes, files);
            }
            bytes
        }
    }
}

fn mutate(random: &mut Random, bytes: &mut Vec<u8>, files: &[Vec<u8>]) {
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    match random.below(7) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes.truncate(at),
        2 => {
            let donor = &files[random.below(files.len())];
            let from = random.below(donor.len());
            let to = from + random.below(donor.len() - from);
            let end = (at + random.below(64)).min(bytes.len());
            bytes.splice(at..end, donor[from..to].iter().copied());
        }
        3 => edit_number(random, bytes, at),
        4 => edit_lines(random, bytes, at),
        5 => {
            let value = *random.pick(&[f32::NAN, f32::INFINITY, 0.0, -0.0, 1e38, 1e-40, 1.0]);
            let end = (at + 4).min(bytes.len());
            bytes.splice(at..end, value.to_le_bytes());
        }
        _ => {
            if let Some(count) = bytes.get_mut(80..84) {
                let value = *random.pick(&[0, 1, 11, 13, 1 << 16, u32::MAX / 50, u32::MAX]);
                count.copy_from_slice(&value.to_le_bytes());
            }
        }
    }
}

/// Replaces the number that follows `at`.
fn edit_number(random: &mut Random, bytes: &mut Vec<u8>, at: usize) {
    let is_digit = |b: &u8| b.is_ascii_digit() || b"+-.e".contains(b);
    let start = at + bytes[at..].iter().position(is_digit).unwrap_or(0);
    let end = start + bytes[start..].iter().position(|b| !is_digit(b)).unwrap_or(bytes.len() - start);
    let numbers = [
        "0",
        "1",
        "2",
        "3",
        "-1",
        "-9",
        "1e308",
        "1e-320",
        "nan",
        "inf",
        "99999999999999999999",
        "0.5",
        "1.0000001",
        "8",
    ];
    bytes.splice(start..end, random.pick(&numbers).bytes());
}

/// Doubles, deletes or moves a line.
fn edit_lines(random: &mut Random, bytes: &mut Vec<u8>, at: usize) {
    let start = bytes[..at].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    let end = at + bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len() - at, |i| i + 1);
    let line = bytes[start..end].to_vec();
    match random.below(3) {
        0 => drop(bytes.splice(start..start, line)),
        1 => drop(bytes.drain(start..end)),
        _ => {
            bytes.drain(start..end);
            let to = random.below(bytes.len() + 1);
            bytes.splice(to..to, line);
        }
    }
}

/// A sphere or two with corners moved onto a coarse lattice, which makes slivers, duplicates and flat shells, and with some
/// facets reversed, doubled, left out or joined; as OBJ.
fn damaged_surface(random: &mut Random) -> Vec<u8> {
    let mut text = String::new();
    let mut corners = 0;
    for _ in 0..=random.below(2) {
        let lattice = 1.0 + random.below(4) as f64;
        let shift = DVec3::splat(random.below(2) as f64);
        let size = *random.pick(&[0.5, 1.0, 2.0]);
        let moved = random.below(3) > 0;
        for triangle in shapes::sphere(1 + random.below(3) as i32) {
            let place = |p: DVec3| size * if moved { (lattice * p).round() / lattice } else { p } + shift;
            let mut triangle = triangle.map(place);
            let damage = random.below(60);
            if damage == 0 {
                triangle.swap(0, 1);
            }
            let copies = [2, 0].get(damage.wrapping_sub(1)).copied().unwrap_or(1);
            for _ in 0..copies {
                for p in triangle {
                    text += &format!("v {} {} {}\n", p.x, p.y, p.z);
                }
                corners += 3;
                text += &format!("f {} {} {}\n", corners - 2, corners - 1, corners);
            }
        }
    }
    text.into_bytes()
}

/// The generator splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
