//! The binary chunk of a glTF file with its buffer views and accessors.

use serde_json::{Value, json};

/// Collects arrays; every array gets a buffer view and an accessor.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    /// Content of the binary chunk; always a multiple of four bytes long.
    pub(super) bytes: Vec<u8>,
    /// glTF `bufferViews`.
    pub(super) views: Vec<Value>,
    /// glTF `accessors`.
    pub(super) accessors: Vec<Value>,
}

const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;

/// What an array is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Usage {
    /// Vertex attribute.
    Vertices,
    /// Key times or values of an animation.
    Animation,
}

impl Buffer {
    /// Adds vectors (or scalars, N = 1) with their bounds and returns the accessor's index.
    pub(super) fn floats<const N: usize>(&mut self, values: &[[f32; N]], usage: Usage) -> usize {
        let bytes = values.iter().flatten().flat_map(|v| v.to_le_bytes());
        let view = self.view(bytes, (usage == Usage::Vertices).then_some(34962));
        self.accessors.push(json!({
            "bufferView": view, "componentType": FLOAT, "count": values.len(), "type": kind(N),
            "min": bound(values, f32::min), "max": bound(values, f32::max),
        }));
        self.accessors.len() - 1
    }

    /// Adds vertex indices and returns the accessor's index.
    pub(super) fn indices(&mut self, values: &[u32]) -> usize {
        let view = self.view(values.iter().flat_map(|v| v.to_le_bytes()), Some(34963));
        self.accessors.push(json!({
            "bufferView": view, "componentType": UNSIGNED_INT, "count": values.len(), "type": "SCALAR",
        }));
        self.accessors.len() - 1
    }

    fn view(&mut self, bytes: impl Iterator<Item = u8>, target: Option<u32>) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        let mut view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": self.bytes.len() - offset });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.views.push(view);
        self.views.len() - 1
    }
}

fn kind(num_components: usize) -> &'static str {
    match num_components {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        _ => "VEC4",
    }
}

fn bound<const N: usize>(values: &[[f32; N]], pick: fn(f32, f32) -> f32) -> Vec<f32> {
    (0..N).map(|i| values.iter().map(|v| v[i]).reduce(pick).unwrap_or(0.0)).collect()
}
