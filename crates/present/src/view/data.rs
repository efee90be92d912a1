//! The data of an animation as the page reads it: JSON with packed arrays in base64 (little endian).

use super::details_data::PageDetails;
use super::live::LiveView;
use super::pack::pack;
use super::scene::{FRAME_MESH, Part, Scene, SharedMesh};
use super::{AnimatedBody, Animation, Axis, Chapter, ViewError, motion, rotation};
use serde::Serialize;

#[derive(Serialize)]
struct PageData<'a> {
    title: &'a str,
    up: &'static str,
    /// f64 [s].
    times: String,
    /// Index of the mesh that shows a coordinate frame.
    frame: usize,
    meshes: Vec<PageMesh>,
    bodies: Vec<PageBody<'a>>,
    details: PageDetails<'a>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    chapters: &'a [Chapter],
    #[serde(skip_serializing_if = "Option::is_none")]
    live: Option<&'a LiveView>,
}

/// Frames that follow those which the page has.
#[derive(Serialize)]
struct PageFrames<'a> {
    /// f64 \[s\].
    times: String,
    bodies: Vec<BodyFrames>,
    details: PageDetails<'a>,
}

/// As in [`PageBody`].
#[derive(Serialize)]
struct BodyFrames {
    poses: String,
    exists: String,
}

#[derive(Serialize)]
struct PageMesh {
    /// f32, three per corner.
    positions: String,
    /// f32, three per corner.
    normals: String,
    /// f32, three per corner, linear RGB; empty when the mesh takes the colour of its part.
    colors: String,
    /// u32, three per triangle.
    indices: String,
}

#[derive(Serialize)]
struct PageBody<'a> {
    name: &'a str,
    /// f32, seven per frame (position, quaternion x y z w); one frame when the body is static.
    poses: String,
    /// u8, one per frame; empty when the body always exists.
    exists: String,
    parts: Vec<PagePart<'a>>,
}

#[derive(Serialize)]
struct PagePart<'a> {
    name: &'a str,
    mesh: usize,
    p: [f64; 3],
    /// x, y, z, w.
    q: [f32; 4],
    s: [f64; 3],
    color: [f32; 4],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    contact: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    ground: bool,
}

/// JSON that can stand inside a script element.
pub(super) fn json(animation: &Animation, scene: &Scene<'_>, live: Option<&LiveView>) -> Result<String, ViewError> {
    let data = PageData {
        title: &animation.title,
        up: if animation.up == Axis::Y { "y" } else { "z" },
        times: times(animation),
        frame: FRAME_MESH,
        meshes: scene.meshes.iter().map(page_mesh).collect(),
        bodies: animation.bodies.iter().zip(&scene.parts).map(|(body, parts)| page_body(body, parts)).collect(),
        details: PageDetails::new(&animation.details),
        chapters: &animation.chapters,
        live,
    };
    let text = serde_json::to_string(&data).map_err(|e| ViewError::Json { reason: e.to_string() })?;
    // A name with "</script>" in it must not end the element.
    Ok(text.replace('<', "\\u003c"))
}

/// JSON of frames alone.
pub(super) fn frames_json(animation: &Animation) -> Result<String, ViewError> {
    let frames = PageFrames {
        times: times(animation),
        bodies: animation.bodies.iter().map(|body| BodyFrames { poses: poses(body), exists: exists(body) }).collect(),
        details: PageDetails::new(&animation.details),
    };
    serde_json::to_string(&frames).map_err(|e| ViewError::Json { reason: e.to_string() })
}

fn page_mesh(shared: &SharedMesh) -> PageMesh {
    let mesh = &shared.mesh;
    PageMesh {
        positions: pack(mesh.positions.iter().flatten().map(|v| v.to_le_bytes())),
        normals: pack(mesh.normals.iter().flatten().map(|v| v.to_le_bytes())),
        colors: pack(mesh.colors.iter().flatten().map(|v| v.to_le_bytes())),
        indices: pack(mesh.indices.iter().map(|i| i.to_le_bytes())),
    }
}

fn page_body<'a>(body: &'a AnimatedBody, parts: &[Part<'a>]) -> PageBody<'a> {
    PageBody {
        name: &body.name,
        poses: poses(body),
        exists: exists(body),
        parts: parts.iter().map(page_part).collect(),
    }
}

fn times(animation: &Animation) -> String {
    pack(animation.times.iter().map(|t| t.to_le_bytes()))
}

fn poses(body: &AnimatedBody) -> String {
    let numbers = |pose: super::Pose| {
        let (p, q) = (pose.p.map(|v| v as f32), rotation::xyzw(pose.q));
        [p[0], p[1], p[2], q[0], q[1], q[2], q[3]]
    };
    pack(motion::clean(body).into_iter().flat_map(numbers).map(f32::to_le_bytes))
}

fn exists(body: &AnimatedBody) -> String {
    pack(body.exists.iter().flatten().map(|e| [u8::from(*e)]))
}

fn page_part<'a>(part: &Part<'a>) -> PagePart<'a> {
    PagePart {
        name: part.name,
        mesh: part.mesh,
        p: part.p,
        q: rotation::xyzw(part.q),
        s: part.scale,
        color: part.color,
        contact: part.contact,
        ground: part.ground,
    }
}
