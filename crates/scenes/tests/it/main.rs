//! Integration tests of the part readers.

#![cfg(test)]

mod shapes;
mod support;
mod files;
mod stl;
mod obj;
mod repair;
mod slivers;
mod nested;
mod properties;
mod round_trip;
