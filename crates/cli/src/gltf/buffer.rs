//! The binary chunk of a glTF file, and packing it with the JSON chunk (glTF 2.0, sections 3.6 and 4.4).

use anyhow::Context;
use glam::DVec3;
use serde::Serialize;
use serde_json::{Value, json};

/// Index of an accessor: a typed section of the buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Accessor(usize);

/// glTF's codes for component types and buffer targets.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// Bytes and their meaning. All components have four bytes, so that everything is aligned.
#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// Positions or normals of vertices.
    pub(super) fn vertices(&mut self, vectors: &[DVec3]) -> Accessor {
        let vectors: Vec<[f32; 3]> = vectors.iter().map(single).collect();
        self.add(&vectors, "VEC3", Some(VERTICES))
    }

    /// Corners of triangles.
    pub(super) fn indices(&mut self, triangles: &[[u32; 3]]) -> Accessor {
        let view = self.view(triangles.as_flattened().iter().flat_map(|i| i.to_le_bytes()), Some(INDICES));
        let count = 3 * triangles.len();
        self.accessor(json!({"bufferView": view, "componentType": UNSIGNED_INT, "count": count, "type": "SCALAR"}))
    }

    /// Times of keyframes, s.
    pub(super) fn times(&mut self, times: &[f32]) -> Accessor {
        let times: Vec<[f32; 1]> = times.iter().map(|&t| [t]).collect();
        self.add(&times, "SCALAR", None)
    }

    /// Translations at keys, m.
    pub(super) fn places(&mut self, places: &[DVec3]) -> Accessor {
        let places: Vec<[f32; 3]> = places.iter().map(single).collect();
        self.add(&places, "VEC3", None)
    }

    /// Rotations at keys, real part last.
    pub(super) fn turns(&mut self, turns: &[[f32; 4]]) -> Accessor {
        self.add(turns, "VEC4", None)
    }

    /// The whole file: header, JSON and bytes.
    pub(super) fn pack(mut self, mut document: Value) -> anyhow::Result<Vec<u8>> {
        if !self.bytes.is_empty() {
            document["buffers"] = json!([{"byteLength": self.bytes.len()}]);
            document["bufferViews"] = Value::Array(self.views);
            document["accessors"] = Value::Array(self.accessors);
        }
        let mut text = serde_json::to_vec(&document)?;
        text.resize(text.len().next_multiple_of(4), b' ');
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut chunks = Vec::new();
        for (kind, data) in [(b"JSON", &text), (b"BIN\0", &self.bytes)] {
            if !data.is_empty() {
                chunks.extend(length(data.len())?);
                chunks.extend(kind);
                chunks.extend(data);
            }
        }
        let mut file = b"glTF".to_vec();
        file.extend(2_u32.to_le_bytes());
        file.extend(length(12 + chunks.len())?);
        file.extend(chunks);
        Ok(file)
    }

    fn add<const N: usize>(&mut self, items: &[[f32; N]], kind: &str, target: Option<u32>) -> Accessor {
        let view = self.view(items.as_flattened().iter().flat_map(|x| x.to_le_bytes()), target);
        let extreme = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
            (0..N).map(|i| items.iter().map(|item| item[i]).reduce(pick).unwrap_or_default()).collect()
        };
        self.accessor(json!({
            "bufferView": view,
            "componentType": FLOAT,
            "count": items.len(),
            "type": kind,
            "min": extreme(f32::min),
            "max": extreme(f32::max),
        }))
    }

    fn view(&mut self, bytes: impl Iterator<Item = u8>, target: Option<u32>) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        let mut view = json!({"buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start});
        if let Some(target) = target {
            view["target"] = target.into();
        }
        self.views.push(view);
        self.views.len() - 1
    }

    fn accessor(&mut self, accessor: Value) -> Accessor {
        self.accessors.push(accessor);
        Accessor(self.accessors.len() - 1)
    }
}

fn single(v: &DVec3) -> [f32; 3] {
    v.to_array().map(|x| x as f32)
}

fn length(bytes: usize) -> anyhow::Result<[u8; 4]> {
    let bytes =
        u32::try_from(bytes).context("the animation exceeds 4 GiB; take fewer samples with a larger --every")?;
    Ok(bytes.to_le_bytes())
}
