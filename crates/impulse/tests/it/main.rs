//! Tests of the engine through its public interface, a module per topic.

mod primitives;
