//! Tests of the engine, one module per topic of the thesis.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop")]
#![expect(clippy::disallowed_methods, reason = "tests compare, they do not make trajectories")]

mod support;
mod samples;
mod mass;
mod polyhedra;
mod hull;
mod primitives;
mod respond_support;
mod respond_vectors;
mod respond_laws;
mod respond_theorems;
mod respond_brute_force;
mod respond_ellipse;
mod respond_singular;
mod respond_together;
mod oracle;
mod motion_rotation;
mod motion_kinds;
mod motion_bounds;
mod world_support;
mod world;
mod toi_support;
mod toi;
mod toi_storm;
mod toi_shots;
mod exactness;
mod scale;
mod contact;
mod contact_solve;
mod round_contact;
mod pull_off;
mod struck;
mod falling;
mod world_act;
mod world_enter;
mod world_clock;
mod world_rest;
mod world_records;
mod zoo;
mod snapshot;
mod invariants;
mod laws;
mod piles;
#[path = "../../../../tests/shared/trace_table.rs"]
mod trace_table;
mod trace_hashes;
mod ray;
mod specs;
mod closest_smooth;
mod closest_parts;
mod decompose;
mod closest_oracle;
mod closest_polyhedra;
mod detect_queue;
mod detect_broad_phase;
