//! The command `impulse`.

fn main() {}
