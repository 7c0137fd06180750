//! Animations in glTF 2.0 (`.glb` files): a scene's bodies and their motion.

mod buffer;

use anyhow::Context;
use buffer::{Accessor, Buffer};
use glam::{DQuat, DVec3};
use impulse::math::Pose;
use impulse::world::World;
use impulse_scenes::SceneDescription;
use impulse_scenes::look::{self, Look};
use impulse_scenes::scene::{BodyDescription, ShapeIdentity};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The poses of all bodies at the samples.
pub(crate) struct Film {
    times: Vec<f32>,
    /// By body, then by time.
    poses: Vec<Vec<Pose>>,
}

impl Film {
    pub(crate) fn new(scene: &SceneDescription) -> Self {
        Self { times: Vec::new(), poses: vec![Vec::new(); scene.bodies.len()] }
    }

    /// Adds the current poses of all bodies.
    pub(crate) fn sample(&mut self, world: &World) {
        let time = world.time() as f32;
        // Times of keyframes must increase, in single precision too.
        if self.times.last().is_some_and(|&last| last >= time) {
            return;
        }
        self.times.push(time);
        for (body, poses) in world.bodies().zip(&mut self.poses) {
            let mut pose = world.pose_at(body, world.time()).unwrap_or(Pose::IDENTITY);
            // Of the two quaternions of a rotation, the one closer to the last, so that viewers interpolate the short way.
            if poses.last().is_some_and(|last| last.rotation.dot(pose.rotation) < 0.0) {
                pose.rotation = -pose.rotation;
            }
            poses.push(pose);
        }
    }

    /// The animation as a binary glTF file.
    pub(crate) fn glb(&self, name: &str, scene: &SceneDescription) -> anyhow::Result<Vec<u8>> {
        let mut document = Document { extent: self.extent(scene), ..Document::default() };
        for (body, poses) in scene.bodies.iter().zip(&self.poses) {
            document.add_body(body, poses.first().unwrap_or(&body.world_from_shape));
        }
        if !self.times.is_empty() {
            document.animate(self);
        }
        document.finish(name).with_context(|| format!("{name} as glTF"))
    }

    /// Size of the squares that show half-spaces, m: they reach twice as far as any bounded body did.
    fn extent(&self, scene: &SceneDescription) -> f64 {
        let bounded = scene.bodies.iter().zip(&self.poses).filter(|(body, _)| body.shape.is_bounded());
        let reach = bounded.flat_map(|(body, poses)| {
            let radius = look::radius(body.appearance());
            poses.iter().map(move |pose| pose.translation.length() + radius)
        });
        4.0 * reach.fold(0.25, f64::max)
    }
}

/// A glTF document under construction.
#[derive(Default)]
struct Document {
    extent: f64,
    buffer: Buffer,
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    animations: Vec<Value>,
    /// Attributes and indices of the shapes so far.
    geometries: BTreeMap<ShapeIdentity, [Accessor; 3]>,
    /// Meshes by geometry and material.
    known_meshes: BTreeMap<(ShapeIdentity, usize), usize>,
    /// Materials by colour.
    known_materials: BTreeMap<[u8; 3], usize>,
}

impl Document {
    fn add_body(&mut self, body: &BodyDescription, pose: &Pose) {
        let mut node = json!({
            "name": body.name,
            "translation": pose.translation.to_array().map(|x| x as f32),
            "rotation": single(pose.rotation),
        });
        // A mesh without triangles is not allowed.
        if !body.appearance().parts.is_empty() {
            let key = (body.appearance().identity(), self.material(body));
            let known = self.known_meshes.get(&key).copied();
            node["mesh"] = known.unwrap_or_else(|| self.mesh(key, body)).into();
        }
        self.nodes.push(node);
    }

    fn mesh(&mut self, key: (ShapeIdentity, usize), body: &BodyDescription) -> usize {
        let geometry = match self.geometries.get(&key.0) {
            Some(known) => *known,
            None => {
                let look = Look::new(body.appearance(), self.extent);
                let made = [
                    self.buffer.vertices(&look.positions),
                    self.buffer.vertices(&look.normals),
                    self.buffer.indices(&look.triangles),
                ];
                self.geometries.insert(key.0.clone(), made);
                made
            }
        };
        let [positions, normals, indices] = geometry;
        self.meshes.push(json!({
            "primitives": [{
                "attributes": {"POSITION": positions, "NORMAL": normals},
                "indices": indices,
                "material": key.1,
            }],
        }));
        self.known_meshes.insert(key, self.meshes.len() - 1);
        self.meshes.len() - 1
    }

    fn material(&mut self, body: &BodyDescription) -> usize {
        let color = look::color(body, self.nodes.len());
        if let Some(&known) = self.known_materials.get(&color) {
            return known;
        }
        let [red, green, blue] = color.map(|part| linear(f64::from(part) / 255.0));
        self.materials.push(json!({
            // A half-space is shown as a square, which must be visible from below too.
            "doubleSided": true,
            "pbrMetallicRoughness": {
                "baseColorFactor": [red, green, blue, 1.0],
                "metallicFactor": 0.0,
                "roughnessFactor": 0.6,
            },
        }));
        self.known_materials.insert(color, self.materials.len() - 1);
        self.materials.len() - 1
    }

    /// Adds keyframes for every body that moved.
    fn animate(&mut self, film: &Film) {
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        let times = self.buffer.times(&film.times);
        for (node, poses) in film.poses.iter().enumerate() {
            if poses.iter().all(|pose| *pose == poses[0]) {
                continue;
            }
            let places: Vec<DVec3> = poses.iter().map(|pose| pose.translation).collect();
            let turns: Vec<[f32; 4]> = poses.iter().map(|pose| single(pose.rotation)).collect();
            for (path, keys) in [("translation", self.buffer.places(&places)), ("rotation", self.buffer.turns(&turns))]
            {
                channels.push(json!({"sampler": samplers.len(), "target": {"node": node, "path": path}}));
                samplers.push(json!({"input": times, "output": keys, "interpolation": "LINEAR"}));
            }
        }
        if !channels.is_empty() {
            self.animations.push(json!({"name": "motion", "channels": channels, "samplers": samplers}));
        }
    }

    fn finish(mut self, name: &str) -> anyhow::Result<Vec<u8>> {
        let children: Vec<usize> = (0..self.nodes.len()).collect();
        let half = std::f32::consts::FRAC_1_SQRT_2;
        // In scenes z is up, in glTF y.
        let mut root = json!({"name": name, "rotation": [-half, 0.0, 0.0, half]});
        if !children.is_empty() {
            root["children"] = json!(children);
        }
        self.nodes.push(root);
        let mut document = json!({
            "asset": {"version": "2.0", "generator": concat!("impulse ", env!("CARGO_PKG_VERSION"))},
            "scene": 0,
            "scenes": [{"name": name, "nodes": [self.nodes.len() - 1]}],
            "nodes": self.nodes,
        });
        let lists = [("meshes", self.meshes), ("materials", self.materials), ("animations", self.animations)];
        for (list, items) in lists {
            if !items.is_empty() {
                document[list] = Value::Array(items);
            }
        }
        self.buffer.pack(document)
    }
}

/// A rotation as in glTF: real part last, normalised, in single precision.
fn single(rotation: DQuat) -> [f32; 4] {
    rotation.normalize().to_array().map(|part| part as f32)
}

/// Converts from sRGB to glTF's linear colours.
fn linear(part: f64) -> f64 {
    if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
}
