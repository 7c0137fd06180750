//! `impulse run --gltf`: the file's structure by the rules of glTF 2.0, and what it shows beside the scene.

use crate::run::{run, write};
use crate::support::folder;
use serde_json::{Value, json};

const ZOO: &str = r##"
gravity(0, 0, -10);
body("floor", half_space([0, 0, 1], -50), #{ fixed: true });
body("red", sphere(0.1), #{ at: [1, 2, 3], velocity: [1, 0, 0], spin: [0, 0, 2], mass: 1, color: "#ff0000" });
body("twin", sphere(0.1), #{ at: [1, 4, 3], mass: 1, color: "#ff0000" });
body("box", cuboid(0.1, 0.2, 0.3), #{ at: [3, 0, 0], density: 1 });
body("dumbbell", compound([part(sphere(0.1), #{ at: [-1, 0, 0] }), part(cylinder(0.1, 0.2), #{ at: [1, 0, 0] })]), #{ at: [0, 8, 0], mass: 1 });
"##;

/// A file taken apart.
struct Glb {
    json: Value,
    bytes: Vec<u8>,
}

impl Glb {
    fn read(file: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&file[..4], word(4), word(8)), (&b"glTF"[..], 2, file.len()));
        let text = word(12);
        assert_eq!((&file[16..20], text % 4), (&b"JSON"[..], 0));
        let binary = 20 + text;
        assert_eq!((&file[binary + 4..binary + 8], word(binary) % 4), (&b"BIN\0"[..], 0));
        assert_eq!(binary + 8 + word(binary), file.len());
        Self { json: serde_json::from_slice(&file[20..binary]).unwrap(), bytes: file[binary + 8..].to_vec() }
    }

    fn list(&self, name: &str) -> &[Value] {
        self.json[name].as_array().unwrap()
    }

    fn node(&self, name: &str) -> (usize, &Value) {
        self.list("nodes").iter().enumerate().find(|(_, node)| node["name"] == name).unwrap()
    }

    /// An accessor's items, checked against its view and its bounds; indices as numbers too.
    fn items(&self, accessor: &Value, target: &Value) -> Vec<Vec<f32>> {
        let accessor = &self.list("accessors")[index(accessor)];
        let view = &self.list("bufferViews")[index(&accessor["bufferView"])];
        assert_eq!(view.get("target").unwrap_or(&Value::Null), target);
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            other => other.strip_prefix("VEC").unwrap().parse().unwrap(),
        };
        let (start, length) = (index(&view["byteOffset"]), index(&view["byteLength"]));
        assert_eq!((start % 4, length), (0, 4 * width * index(&accessor["count"])));
        let words = self.bytes[start..start + length].chunks_exact(4).map(|w| <[u8; 4]>::try_from(w).unwrap());
        let numbers: Vec<f32> = match index(&accessor["componentType"]) {
            5126 => words.map(f32::from_le_bytes).collect(),
            5125 => words.map(|w| u32::from_le_bytes(w) as f32).collect(),
            other => panic!("components of type {other}"),
        };
        let items: Vec<Vec<f32>> = numbers.chunks(width).map(<[f32]>::to_vec).collect();
        for i in 0..width {
            for (bound, pick) in [("min", f32::min as fn(f32, f32) -> f32), ("max", f32::max)] {
                if let Some(bound) = accessor.get(bound) {
                    let found = items.iter().map(|item| item[i]).reduce(pick).unwrap();
                    assert_eq!(bound[i].as_f64().unwrap() as f32, found);
                }
            }
        }
        items
    }

    /// Times and keys of a node's path.
    fn keys(&self, node: usize, path: &str) -> Option<(Vec<f32>, Vec<Vec<f32>>)> {
        let animation = &self.list("animations")[0];
        let target = json!({"node": node, "path": path});
        let channel = animation["channels"].as_array().unwrap().iter().find(|c| c["target"] == target)?;
        let sampler = &animation["samplers"][index(&channel["sampler"])];
        assert_eq!(sampler["interpolation"], "LINEAR");
        let times = self.items(&sampler["input"], &Value::Null).concat();
        let keys = self.items(&sampler["output"], &Value::Null);
        assert_eq!(times.len(), keys.len());
        Some((times, keys))
    }
}

fn index(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

fn zoo(name: &str) -> Glb {
    let folder = folder(name);
    let (scene, file) = (write(&folder, "zoo.rhai", ZOO), folder.join("zoo.glb"));
    run(&[&scene, "--until", "1", "--every", "0.25", "--gltf", file.to_str().unwrap()]);
    Glb::read(&std::fs::read(&file).unwrap())
}

#[test]
fn bytes_are_where_the_document_says() {
    let glb = zoo("gltf_bytes");
    assert_eq!(glb.json["asset"]["version"], "2.0");
    assert_eq!(index(&glb.json["buffers"][0]["byteLength"]), glb.bytes.len());
    let mut end = 0;
    for view in glb.list("bufferViews") {
        assert_eq!(index(&view["byteOffset"]), end, "views follow each other without gaps");
        end += index(&view["byteLength"]);
    }
    assert_eq!(end, glb.bytes.len());
}

#[test]
fn normals_are_unit_vectors_and_edges_sharp() {
    let glb = zoo("gltf_meshes");
    // Two red balls share a mesh.
    assert_eq!(glb.list("meshes").len(), 4);
    for mesh in glb.list("meshes") {
        let primitive = &mesh["primitives"][0];
        let positions = glb.items(&primitive["attributes"]["POSITION"], &34962.into());
        let normals = glb.items(&primitive["attributes"]["NORMAL"], &34962.into());
        let indices = glb.items(&primitive["indices"], &34963.into()).concat();
        assert_eq!((positions.len(), indices.len() % 3), (normals.len(), 0));
        assert!(indices.iter().all(|&i| (i as usize) < positions.len()));
        assert!(normals.iter().all(|n| (n.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-5));
        assert!(index(&primitive["material"]) < glb.list("materials").len());
    }
    let (_, node) = glb.node("box");
    let primitive = &glb.list("meshes")[index(&node["mesh"])]["primitives"][0];
    // A corner of a box has three normals.
    assert_eq!(glb.items(&primitive["attributes"]["NORMAL"], &34962.into()).len(), 24);
    let bounds = &glb.list("accessors")[index(&primitive["attributes"]["POSITION"])]["max"];
    let wanted = [0.05_f32, 0.1, 0.15];
    assert!((0..3).all(|i| bounds[i].as_f64().unwrap() as f32 == wanted[i]), "{bounds}");
}

#[test]
fn bodies_move_as_in_the_scene() {
    let glb = zoo("gltf_motion");
    let (red, node) = glb.node("red");
    assert_eq!(node["translation"], json!([1.0, 2.0, 3.0]));
    let (times, places) = glb.keys(red, "translation").unwrap();
    assert_eq!(times, [0.0, 0.25, 0.5, 0.75, 1.0]);
    for (&t, place) in times.iter().zip(&places) {
        let wanted = [1.0 + t, 2.0, 3.0 - 5.0 * t * t];
        assert!((0..3).all(|i| (place[i] - wanted[i]).abs() < 1e-6), "{place:?} instead of {wanted:?}");
    }
    let (_, turns) = glb.keys(red, "rotation").unwrap();
    for (&t, turn) in times.iter().zip(&turns) {
        assert!((turn[2] - t.sin()).abs() < 1e-6 && (turn[3] - t.cos()).abs() < 1e-6, "{turn:?} at {t}");
    }
    assert!(glb.keys(glb.node("floor").0, "translation").is_none(), "what stands has no keys");
}

#[test]
fn the_root_turns_up_to_up_and_colours_are_linear() {
    let glb = zoo("gltf_root");
    let root = &glb.list("nodes")[index(&glb.json["scenes"][0]["nodes"][0])];
    assert_eq!(root["children"].as_array().unwrap().len(), 5);
    let q: Vec<f64> = (0..4).map(|i| root["rotation"][i].as_f64().unwrap()).collect();
    // z turned by q = (x, 0, 0, w): y' = -2 x w, z' = w^2 - x^2.
    assert!((-2.0 * q[0] * q[3] - 1.0).abs() < 1e-6 && (q[3] * q[3] - q[0] * q[0]).abs() < 1e-6);
    let (_, node) = glb.node("red");
    let material = index(&glb.list("meshes")[index(&node["mesh"])]["primitives"][0]["material"]);
    let factor = &glb.list("materials")[material]["pbrMetallicRoughness"]["baseColorFactor"];
    assert_eq!(*factor, json!([1.0, 0.0, 0.0, 1.0]));
}
