//! Closest features (2.2.1): oracle.
//!
//!     cargo bench --bench closest -- oracle 1000000
#![expect(clippy::print_stdout, reason = "a bench prints")]
#![expect(clippy::disallowed_methods, reason = "a bench makes no trajectories")]

#[path = "../tests/it/closest_oracle.rs"]
mod closest_oracle;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let number = |i: usize, default: u64| arguments.get(i).and_then(|a| a.parse().ok()).unwrap_or(default);
    println!("{:?}", closest_oracle::examine(number(1, 10_000), number(2, 1)));
}
