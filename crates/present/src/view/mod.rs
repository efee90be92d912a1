//! 3D animations: one self-contained HTML page, or glTF 2.0 binary.
//!
//! Both come from the same path: an [`Animation`] is checked, its shapes become triangle meshes that are shared
//! where they are equal up to scale, and the result is written out.

mod animation;
mod check;
mod check_details;
mod data;
mod details;
mod details_data;
mod error;
mod extrude;
mod form;
mod frame;
mod glb;
mod glb_buffer;
mod html;
mod lathe;
mod live;
mod mesh;
mod motion;
mod pack;
mod rotation;
mod scene;
mod surface;

pub use animation::{AnimatedBody, AnimatedShape, Animation, Axis, Chapter, Geometry, Layer, Pose, Poses};
pub use details::{ContactMark, Curve, Details, Track, TrackKind};
pub use error::ViewError;
pub use glb::render_glb;
pub use html::{render_frames, render_html, render_live};
pub use live::{Control, ControlKind, Effect, LiveView};

#[cfg(test)]
mod tests;
