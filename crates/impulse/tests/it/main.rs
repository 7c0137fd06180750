//! Tests of the engine, one module per topic of the thesis.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop")]

mod respond_support;
mod respond_vectors;
mod respond_laws;
mod respond_theorems;
mod respond_brute_force;
mod respond_ellipse;
mod respond_singular;
