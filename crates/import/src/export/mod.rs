//! Export of models as URDF or MJCF, within the limits of these formats.

mod contact;
mod mjcf;
mod plan;
mod urdf;

use std::collections::BTreeMap;

use mbs::scene::Scene;

/// A model in another format.
#[derive(Debug, Clone, Default)]
pub struct Exported {
    /// The file.
    pub text: String,
    /// Meshes beside it, as OBJ files.
    pub files: BTreeMap<String, Vec<u8>>,
    /// What the format cannot express.
    pub notes: Vec<String>,
}

/// Formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// URDF.
    Urdf,
    /// MJCF.
    Mjcf,
}

/// Writes a model.
#[must_use]
pub fn export(scene: &Scene, format: Format) -> Exported {
    let plan = plan::Plan::new(scene);
    match format {
        Format::Urdf => urdf::write(scene, plan),
        Format::Mjcf => mjcf::write(scene, plan),
    }
}

/// Three numbers as attributes have them.
fn numbers(values: &[f64]) -> String {
    values.iter().map(|value| crate::document::decimal(*value)).collect::<Vec<_>>().join(" ")
}

/// A part of a colour, without the digits that single precision does not have.
fn color(part: f32) -> f64 {
    (f64::from(part) * 1e6).round() / 1e6
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}
