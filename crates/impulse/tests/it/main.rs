//! Integration tests of the engine, one module per topic.

mod respond_vectors;
