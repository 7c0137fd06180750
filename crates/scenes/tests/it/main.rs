//! Integration tests: part readers, scene scripts, built scenes and the runner.

#![cfg(test)]
#![expect(clippy::disallowed_methods, reason = "tests compare, they do not make trajectories")]

mod shapes;
mod support;
mod files;
mod bicycle;
mod creature_war;
mod furniture;
mod hands;
mod stl;
mod obj;
mod repair;
mod slivers;
mod nested;
mod properties;
mod round_trip;
mod scene_support;
mod scene_minimum;
mod scene_bodies;
mod scene_language;
mod scene_errors;
mod scene_controllers;
mod scene_joints;
mod scene_sandbox;
mod scene_params;
mod scene_reports;
mod scene_pages;
mod scene_memory;
mod behaviours;
mod creatures;
mod giving_way;
mod native;
mod saved_runs;
mod built;
mod meshes;
mod runner;
mod look;
#[path = "../../../../tests/shared/judged.rs"]
mod judged;
mod thesis_scenes;
mod thesis_parts;
mod linkage_scenes;
mod faults;
mod faults_struck;
#[path = "../../../../tests/shared/trace_table.rs"]
mod trace_table;
mod trace_hashes;
mod physics_table;
mod random_scenes;
mod urdf;
