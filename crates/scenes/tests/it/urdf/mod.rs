//! Robots from URDF files: numbers against an independent reading of the file, options of scripts, and files that are wrong.

mod given;
mod inertia;
mod mutilated;
mod placed;
mod powered;
mod wrong;
