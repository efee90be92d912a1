//! Checks an animation before anything is made of it.

use super::check_details::check_details;
use super::{AnimatedBody, AnimatedShape, Animation, Axis, Geometry, Pose, Poses, ViewError};

/// Largest deviation of a quaternion's length from one; it is normalised within this.
const NORM_TOLERANCE: f64 = 1e-3;

/// Finds the first mistake in `animation`.
pub(super) fn check(animation: &Animation) -> Result<(), ViewError> {
    if animation.up == Axis::X {
        return Err(ViewError::UpAxis);
    }
    if animation.bodies.is_empty() {
        return Err(ViewError::NoBodies);
    }
    check_times(&animation.times)?;
    animation.bodies.iter().try_for_each(|body| check_body(body, &animation.times))?;
    check_details(&animation.details, animation.times.len())
}

fn check_times(times: &[f64]) -> Result<(), ViewError> {
    if times.is_empty() {
        return Err(ViewError::NoTimes);
    }
    let mut before = f64::NEG_INFINITY;
    for (index, &value) in times.iter().enumerate() {
        if !value.is_finite() || value < before {
            return Err(ViewError::Time { index, value });
        }
        before = value;
    }
    Ok(())
}

fn check_body(body: &AnimatedBody, times: &[f64]) -> Result<(), ViewError> {
    if let Some(exists) = &body.exists {
        check_count(body, "existence flags", exists.len(), times.len())?;
    }
    match &body.poses {
        Poses::Static(pose) => check_pose(pose, &body.name, None)?,
        Poses::Moving(poses) => {
            check_count(body, "poses", poses.len(), times.len())?;
            let exists = |i: usize| body.exists.as_ref().is_none_or(|e| e[i]);
            for (i, pose) in poses.iter().enumerate().filter(|(i, _)| exists(*i)) {
                check_pose(pose, &body.name, Some(times[i]))?;
            }
        }
    }
    body.shapes.iter().try_for_each(|shape| check_shape(body, shape))
}

fn check_count(body: &AnimatedBody, what: &'static str, found: usize, expected: usize) -> Result<(), ViewError> {
    if found == expected {
        return Ok(());
    }
    Err(ViewError::FrameCount { body: body.name.clone(), what, found, expected })
}

fn check_pose(pose: &Pose, of: &str, time: Option<f64>) -> Result<(), ViewError> {
    let error = |reason| Err(ViewError::Pose { of: of.to_owned(), time, reason });
    if !pose.p.iter().all(|v| v.is_finite()) {
        return error(format!("has the position {:?} m; every component must be finite", pose.p));
    }
    let norm = pose.q.iter().map(|v| v * v).sum::<f64>().sqrt();
    if (norm - 1.0).abs() <= NORM_TOLERANCE {
        return Ok(());
    }
    error(format!("has the quaternion {:?} (w, x, y, z) of length {norm}; it must be of length one", pose.q))
}

fn check_shape(body: &AnimatedBody, shape: &AnimatedShape) -> Result<(), ViewError> {
    check_pose(&shape.pose, &format!("{}.{}", body.name, shape.name), None)?;
    let in_range = shape.color.iter().all(|c| (0.0..=1.0).contains(c));
    let checked = if in_range {
        check_geometry(&shape.geometry)
    } else {
        Err(format!("has the colour {:?}; red, green, blue and alpha must lie between 0 and 1", shape.color))
    };
    checked.map_err(|reason| ViewError::Shape { body: body.name.clone(), shape: shape.name.clone(), reason })
}

fn check_geometry(geometry: &Geometry) -> Result<(), String> {
    match geometry {
        Geometry::Sphere { diameter } => positive("diameter", *diameter),
        Geometry::Ellipsoid { lengths } | Geometry::Box { lengths } => {
            lengths.iter().try_for_each(|l| positive("length", *l))
        }
        Geometry::Cylinder { diameter, length, inner_diameter, .. } => {
            positive("diameter", *diameter)?;
            positive("length", *length)?;
            below("inner diameter", *inner_diameter, *diameter)
        }
        Geometry::Cone { diameter, top_diameter, length, .. } => check_cone(*diameter, *top_diameter, *length),
        Geometry::Capsule { diameter, length, .. } => {
            positive("diameter", *diameter)?;
            not_negative("length", *length)
        }
        Geometry::Beam { length, width, thickness, .. } => {
            not_negative("length", *length)?;
            positive("width", *width)?;
            positive("thickness", *thickness)
        }
        Geometry::Mesh { vertices, triangles } => check_mesh(vertices, triangles),
        Geometry::Plane { size, .. } => positive("size", *size),
        Geometry::Frame { length } => positive("length", *length),
    }
}

fn check_cone(diameter: f64, top_diameter: f64, length: f64) -> Result<(), String> {
    not_negative("diameter", diameter)?;
    not_negative("top diameter", top_diameter)?;
    positive("larger diameter", diameter.max(top_diameter))?;
    positive("length", length)
}

fn check_mesh(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<(), String> {
    if triangles.is_empty() {
        return Err("is a mesh without triangles; it needs at least one".to_owned());
    }
    if let Some(i) = vertices.iter().position(|v| !v.iter().all(|c| c.is_finite())) {
        return Err(format!("has the mesh vertex {i} at {:?} m; every coordinate must be finite", vertices[i]));
    }
    let outside = triangles.iter().flatten().find(|i| **i as usize >= vertices.len());
    match outside {
        Some(i) => Err(format!("has a triangle with vertex {i}, but the mesh has {} vertices", vertices.len())),
        None => Ok(()),
    }
}

fn positive(name: &str, value: f64) -> Result<(), String> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(format!("has a {name} of {value} m; it must be positive and finite"))
}

fn not_negative(name: &str, value: f64) -> Result<(), String> {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(format!("has a {name} of {value} m; it must be finite and not negative"))
}

fn below(name: &str, value: f64, limit: f64) -> Result<(), String> {
    not_negative(name, value)?;
    if value < limit {
        return Ok(());
    }
    Err(format!("has an {name} of {value} m; it must be smaller than the outer one, {limit} m"))
}
