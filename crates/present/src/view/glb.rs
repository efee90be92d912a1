//! glTF 2.0 binary: nodes for bodies and shapes, one animation with the motion.

use super::glb_buffer::{Buffer, Usage};
use super::scene::{Part, Scene};
use super::{AnimatedBody, Animation, Axis, Pose, ViewError, check, motion, rotation, scene};
use serde_json::{Value, json};

/// Quarter turn about x that takes z to y, which is up in glTF (x, y, z, w).
const Z_TO_Y: [f64; 4] = [-std::f64::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2];

const MAGIC: u32 = 0x4654_6c67;
const JSON_CHUNK: u32 = 0x4e4f_534a;
const BINARY_CHUNK: u32 = 0x004e_4942;

/// Renders `animation` as glTF 2.0 binary.
///
/// One root node turns the world so that y is up; below it one node per body, named and animated (translation,
/// rotation, and scale 0 while the body does not exist), and below that one node per shape. Time starts at zero.
///
/// # Errors
/// [`ViewError`] when the animation is inconsistent or larger than 4 GiB.
pub fn render_glb(animation: &Animation) -> Result<Vec<u8>, ViewError> {
    check::check(animation)?;
    let mut scene = scene::build(animation);
    scene.parts.iter_mut().for_each(|parts| parts.retain(|part| !part.contact));
    let mut document = Document::default();
    document.add_nodes(animation, &scene);
    let channels = document.add_animation(animation);
    container(&document.json(animation, channels), &document.buffer.bytes)
}

/// Parts of a glTF document under construction.
#[derive(Default)]
struct Document {
    buffer: Buffer,
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    colors: Vec<[f32; 4]>,
    /// For every mesh of the scene: its accessors, added when first used.
    attributes: Vec<Option<Value>>,
    /// For every glTF mesh: the mesh of the scene and the material.
    looks: Vec<(usize, usize)>,
}

/// Samplers and channels of the animation.
#[derive(Default)]
struct Channels {
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

impl Document {
    fn add_nodes(&mut self, animation: &Animation, scene: &Scene<'_>) {
        self.attributes = vec![None; scene.meshes.len()];
        let num_bodies = animation.bodies.len();
        self.nodes.push(root(animation));
        let mut next = num_bodies + 1;
        for (body, parts) in animation.bodies.iter().zip(&scene.parts) {
            self.nodes.push(body_node(body, next..next + parts.len()));
            next += parts.len();
        }
        for part in scene.parts.iter().flatten() {
            let mesh = self.mesh(part, scene);
            self.nodes.push(part_node(part, mesh));
        }
    }

    /// Index of the glTF mesh with the triangles and colour of `part`.
    fn mesh(&mut self, part: &Part<'_>, scene: &Scene<'_>) -> usize {
        let look = (part.mesh, self.material(part.color));
        if let Some(found) = self.looks.iter().position(|l| *l == look) {
            return found;
        }
        let shared = &scene.meshes[part.mesh];
        let mut primitive = self.primitive(part.mesh, scene);
        primitive["material"] = json!(look.1);
        self.meshes.push(json!({ "name": shared.name, "primitives": [primitive] }));
        self.looks.push(look);
        self.looks.len() - 1
    }

    fn primitive(&mut self, index: usize, scene: &Scene<'_>) -> Value {
        if let Some(known) = &self.attributes[index] {
            return known.clone();
        }
        let mesh = &scene.meshes[index].mesh;
        let mut attributes = json!({
            "POSITION": self.buffer.floats(&mesh.positions, Usage::Vertices),
            "NORMAL": self.buffer.floats(&mesh.normals, Usage::Vertices),
        });
        if !mesh.colors.is_empty() {
            attributes["COLOR_0"] = json!(self.buffer.floats(&mesh.colors, Usage::Vertices));
        }
        let primitive = json!({ "attributes": attributes, "indices": self.buffer.indices(&mesh.indices) });
        self.attributes[index] = Some(primitive.clone());
        primitive
    }

    fn material(&mut self, color: [f32; 4]) -> usize {
        if let Some(found) = self.colors.iter().position(|c| *c == color) {
            return found;
        }
        let [r, g, b, a] = color;
        self.materials.push(json!({
            "name": format!("color {}", self.colors.len() + 1),
            "pbrMetallicRoughness": {
                "baseColorFactor": [linear(r), linear(g), linear(b), a], "metallicFactor": 0.0, "roughnessFactor": 0.5,
            },
            "alphaMode": if a < 1.0 { "BLEND" } else { "OPAQUE" },
        }));
        self.colors.push(color);
        self.colors.len() - 1
    }

    fn add_animation(&mut self, animation: &Animation) -> Channels {
        let mut channels = Channels::default();
        let frames = distinct_frames(&animation.times);
        if frames.len() < 2 {
            return channels;
        }
        let keys: Vec<[f32; 1]> = frames.iter().map(|i| [key_time(&animation.times, *i)]).collect();
        let input = self.buffer.floats(&keys, Usage::Animation);
        for (index, body) in animation.bodies.iter().enumerate() {
            self.add_body_motion(&mut channels, input, index + 1, body, &frames);
        }
        channels
    }

    fn add_body_motion(&mut self, to: &mut Channels, input: usize, node: usize, body: &AnimatedBody, frames: &[usize]) {
        let poses = motion::clean(body);
        if poses.len() > 1 {
            let positions: Vec<[f32; 3]> = frames.iter().map(|i| poses[*i].p.map(|v| v as f32)).collect();
            let rotations: Vec<[f32; 4]> = frames.iter().map(|i| rotation::xyzw(poses[*i].q)).collect();
            let (p, q) =
                (self.buffer.floats(&positions, Usage::Animation), self.buffer.floats(&rotations, Usage::Animation));
            to.push(input, p, node, "translation", "LINEAR");
            to.push(input, q, node, "rotation", "LINEAR");
        }
        if body.exists.is_some() {
            let scales: Vec<[f32; 3]> = frames.iter().map(|i| [presence(body, *i); 3]).collect();
            let s = self.buffer.floats(&scales, Usage::Animation);
            to.push(input, s, node, "scale", "STEP");
        }
    }

    fn json(&self, animation: &Animation, motion: Channels) -> Value {
        let mut document = json!({
            "asset": { "version": "2.0", "generator": "mbfmu" },
            "scene": 0,
            "scenes": [{ "name": animation.title, "nodes": [0] }],
            "nodes": self.nodes,
        });
        let lists = [("meshes", &self.meshes), ("materials", &self.materials)];
        let data = [("bufferViews", &self.buffer.views), ("accessors", &self.buffer.accessors)];
        for (name, list) in lists.into_iter().chain(data).filter(|(_, list)| !list.is_empty()) {
            document[name] = json!(list);
        }
        if !self.buffer.bytes.is_empty() {
            document["buffers"] = json!([{ "byteLength": self.buffer.bytes.len() }]);
        }
        if !motion.channels.is_empty() {
            let name = &animation.title;
            document["animations"] =
                json!([{ "name": name, "samplers": motion.samplers, "channels": motion.channels }]);
        }
        document
    }
}

impl Channels {
    fn push(&mut self, input: usize, output: usize, node: usize, path: &str, interpolation: &str) {
        let sampler = self.samplers.len();
        self.samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        self.channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }
}

fn root(animation: &Animation) -> Value {
    let children: Vec<usize> = (1..=animation.bodies.len()).collect();
    let mut node = json!({ "name": "world", "children": children });
    if animation.up == Axis::Z {
        node["rotation"] = json!(Z_TO_Y);
    }
    node
}

fn body_node(body: &AnimatedBody, children: std::ops::Range<usize>) -> Value {
    let first = motion::clean(body).first().copied().unwrap_or(Pose::IDENTITY);
    let mut node = json!({ "name": body.name, "translation": first.p, "rotation": rotation::xyzw(first.q) });
    if !children.is_empty() {
        node["children"] = json!(children.collect::<Vec<usize>>());
    }
    if !motion::exists(body, 0) {
        node["scale"] = json!([0.0, 0.0, 0.0]);
    }
    node
}

fn part_node(part: &Part<'_>, mesh: usize) -> Value {
    json!({
        "name": part.name, "mesh": mesh,
        "translation": part.p, "rotation": rotation::xyzw(part.q), "scale": part.scale,
    })
}

fn presence(body: &AnimatedBody, frame: usize) -> f32 {
    if motion::exists(body, frame) { 1.0 } else { 0.0 }
}

/// Frames whose key times differ; of equal times the last one stays, as key times must strictly ascend.
fn distinct_frames(times: &[f64]) -> Vec<usize> {
    let next_differs = |i: &usize| i + 1 == times.len() || key_time(times, i + 1) > key_time(times, *i);
    (0..times.len()).filter(next_differs).collect()
}

/// Time since the first frame [s].
fn key_time(times: &[f64], frame: usize) -> f32 {
    (times[frame] - times[0]) as f32
}

/// sRGB component to linear.
fn linear(c: f32) -> f32 {
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// The binary container: header, JSON padded with spaces, binary data.
fn container(json: &Value, binary: &[u8]) -> Result<Vec<u8>, ViewError> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut chunks = chunk(JSON_CHUNK, &text)?;
    if !binary.is_empty() {
        chunks.extend(chunk(BINARY_CHUNK, binary)?);
    }
    let total = u32::try_from(chunks.len() + 12).map_err(|_| ViewError::TooLarge)?;
    let header = [MAGIC, 2, total].into_iter().flat_map(u32::to_le_bytes);
    Ok(header.chain(chunks).collect())
}

fn chunk(kind: u32, content: &[u8]) -> Result<Vec<u8>, ViewError> {
    let length = u32::try_from(content.len()).map_err(|_| ViewError::TooLarge)?;
    let mut bytes = [length, kind].into_iter().flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
    bytes.extend(content);
    Ok(bytes)
}
