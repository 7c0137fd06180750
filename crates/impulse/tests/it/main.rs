//! Tests of the engine, one module per topic of the thesis.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop")]

mod respond_vectors;
