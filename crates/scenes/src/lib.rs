//! Scenes: files that describe parts (and, with later work, whole scenes) read into the engine's types.
