//! Closest features of convex polyhedra (2.2.1) against slow oracles.

use crate::closest_oracle::examine;

#[test]
fn answers_are_proven_for_random_bodies_in_awkward_places() {
    let tally = examine(20_000, 1).unwrap_or_else(|e| panic!("{e}"));
    println!("{tally:?}");
}
