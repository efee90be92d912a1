//! Presentation of results: line plots and 3D animations.
//!
//! The crate is independent of the engine. A caller describes what to show with plain data ([`plot::Chart`],
//! [`view::Animation`]) and gets bytes back; nothing is read or written here.
//!
//! - [`plot::render`]: stacked line plots as SVG or PNG.
//! - [`view::render_html`]: one self-contained page that plays a 3D animation.
//! - [`view::render_glb`]: the same animation as glTF 2.0 binary for Blender and others.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform"))]

pub mod plot;
pub mod view;
