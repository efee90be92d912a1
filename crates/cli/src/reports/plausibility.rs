//! Numbers that show at a glance whether a model has the right units: mass, size, density, angles.

use std::f64::consts::TAU;
use std::fmt;

use mbs::force::{DirectionForce, Gravity};
use mbs::scene::{Attachment, ForceType, Joint, Object3D, ObjectId, Scene, ShapeInstance};
use mbs::solid::Shape;
use multibody_fmu::Session;

use crate::error::{Error, Result};

/// Density beyond that of all materials \[kg/m³\]: osmium has 22590.
const DENSEST: f64 = 23_000.0;

/// Density below that of all solids \[kg/m³\]: a tenth of that of air.
const LIGHTEST: f64 = 0.1;

/// A mesh that is longer than this \[m\] is likely to be one of some centimetres whose file is in millimetres.
const LONGEST_MESH: f64 = 20.0;

/// Gravity beyond that of any planet \[m/s²\]: Jupiter has 25.
const STRONGEST_GRAVITY: f64 = 100.0;

/// How large and heavy a model is at its start.
#[derive(Debug, Clone, Default)]
pub struct Plausibility {
    /// Mass of all that can move \[kg\].
    mass: f64,
    /// Smallest and largest coordinates in the world \[m\], ground left out; none without shapes.
    bounds: Option<[[f64; 3]; 2]>,
    /// Greatest density \[kg/m³\] of an object, and its name.
    densest: Option<(f64, String)>,
    /// What is not likely to be meant.
    pub remarks: Vec<String>,
}

impl Plausibility {
    /// Checks a session that has started.
    ///
    /// # Errors
    /// Poses that cannot be computed.
    pub fn of(session: &mut Session) -> Result<Self> {
        let mut found = Self::default();
        let Some(simulation) = session.simulation() else { return Ok(found) };
        found.mass = simulation.topology().nodes.iter().skip(1).fold(0.0, |sum, node| sum + node.inertia.m);
        let ids: Vec<_> = simulation.scene().objects.iter().map(|(id, _)| id).collect();
        for id in ids {
            let pose = simulation.object_pose(id).map_err(|error| Error::failed(error.to_string()))?;
            let object = &simulation.scene().objects[id];
            found.note_density(object);
            for shape in &object.shapes {
                found.note_mesh(&object.path, shape);
                if matches!(shape.shape, Shape::HalfSpace { .. } | Shape::HeightField { .. }) {
                    continue;
                }
                let bounds = shape.shape.bounding_box();
                for corner in 0..8 {
                    let side = |k: usize| if corner >> k & 1 == 0 { bounds.min[k] } else { bounds.max[k] };
                    let at = (pose * shape.x_cs).transform(&[side(0), side(1), side(2)].into());
                    found.include(at.into());
                }
            }
        }
        found.remarks.extend(simulation.scene().joints.iter().flat_map(|(_, joint)| large_angles(joint)));
        found.remarks.extend(free_and_held(simulation.scene()));
        found.remarks.extend(strong_gravity(&simulation.scene().gravity));
        found.remarks.extend(negative_coefficients(simulation.scene()));
        Ok(found)
    }

    fn include(&mut self, at: [f64; 3]) {
        let [low, high] = self.bounds.get_or_insert([at, at]);
        for k in 0..3 {
            (low[k], high[k]) = (low[k].min(at[k]), high[k].max(at[k]));
        }
    }

    fn note_density(&mut self, object: &Object3D) {
        // Shapes that are only drawn do not count for the volume if others have a material.
        let solids = || object.shapes.iter().filter(|shape| shape.material.is_some());
        let shapes: Vec<&ShapeInstance> =
            if solids().next().is_some() { solids().collect() } else { object.shapes.iter().collect() };
        let volume: f64 = shapes.iter().filter_map(|shape| shape.shape.volume().ok()).sum();
        let density = object.mass.mass / volume;
        if !(density.is_finite() && density > 0.0) {
            return;
        }
        if density > DENSEST {
            self.remarks.push(format!(
                "`{}` has a density of {density:.3e} kg/m³, more than any material: {} kg in {volume:.3e} m³; are its lengths in metres?",
                object.path, object.mass.mass
            ));
        }
        if density < LIGHTEST && solids().next().is_some() {
            self.remarks.push(format!(
                "`{}` has a density of {density:.3e} kg/m³, less than any material: {} kg in {volume:.3e} m³; are its lengths in metres, \
                 not in millimetres?",
                object.path, object.mass.mass
            ));
        }
        if self.densest.as_ref().is_none_or(|(most, _)| density > *most) {
            self.densest = Some((density, object.path.clone()));
        }
    }

    fn note_mesh(&mut self, path: &str, shape: &ShapeInstance) {
        let Shape::Mesh { .. } = &shape.shape else { return };
        let bounds = shape.shape.bounding_box();
        let longest = (0..3).map(|k| bounds.max[k] - bounds.min[k]).fold(0.0, f64::max);
        if longest > LONGEST_MESH {
            self.remarks.push(format!(
                "the mesh of `{path}` is {} m long; if its file is in millimetres, give it `scale = 0.001`",
                Rounded(longest)
            ));
        }
    }
}

impl fmt::Display for Plausibility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} kg that move", Rounded(self.mass))?;
        if let Some([low, high]) = self.bounds {
            let length = |k: usize| Rounded(high[k] - low[k]);
            write!(f, ", {} x {} x {} m at the start", length(0), length(1), length(2))?;
        }
        match &self.densest {
            Some((density, path)) => write!(f, ", greatest density {} kg/m³ (`{path}`)", Rounded(*density)),
            None => Ok(()),
        }
    }
}

/// Angles of a joint beyond a turn, which are likely to be degrees.
fn large_angles(joint: &Joint) -> Vec<String> {
    let turning = joint.dof_names.iter().zip(&joint.dofs).filter(|((name, _), _)| name.starts_with("phi"));
    let angles = turning.flat_map(|((name, _), dof)| {
        let name = format!("`{}.{name}`", joint.path);
        let stops = dof.law.stops.iter().flat_map(|stops| [("lower", stops.lower), ("upper", stops.upper)]);
        let stops = stops.map(|(side, angle)| (format!("the {side} stop of {name} is at"), angle));
        let rests = dof.law.spring.iter().map(|spring| (format!("the spring of {name} rests at"), spring.rest));
        let start = (format!("{name} starts at"), dof.position);
        std::iter::once(start).chain(stops).chain(rests).collect::<Vec<_>>()
    });
    let large = angles.filter(|(_, angle)| angle.is_finite() && angle.abs() > TAU);
    large
        .map(|(what, angle)| format!("{what} {angle} rad, more than a turn; in degrees write `deg({angle})`"))
        .collect()
}

/// Objects that are free although a joint leads to them from something that is not.
fn free_and_held(scene: &Scene) -> Vec<String> {
    let is_free = |object: ObjectId| matches!(scene.objects[object].attachment, Attachment::Free { .. });
    let held = scene.joints.iter().filter(|(_, joint)| is_free(joint.to) && !is_free(joint.from));
    let remark = |joint: &Joint| {
        let (object, joint) = (&scene.objects[joint.to].path, &joint.path);
        format!(
            "`{object}` is free and moved by the joint `{joint}` as well, which closes a loop then; leave out `free` unless that is meant"
        )
    };
    held.map(|(_, joint)| remark(joint)).collect()
}

fn strong_gravity(gravity: &Gravity) -> Option<String> {
    let Gravity::Uniform(g) = gravity else { return None };
    let size = g.norm();
    (size > STRONGEST_GRAVITY).then(|| {
        format!("gravity is {} m/s²; lengths are in metres, so that the earth's is [0, 0, -9.81]", Rounded(size))
    })
}

/// Stiffnesses and dampings that push where a spring would pull, or feed energy in.
fn negative_coefficients(scene: &Scene) -> Vec<String> {
    let mut found = Vec::new();
    let mut note = |path: &str, what: &str, coefficients: [f64; 2]| {
        let [stiffness, damping] = coefficients;
        if stiffness < 0.0 {
            found.push(format!("the stiffness of `{path}`{what} is negative, {stiffness}: it pushes away from rest"));
        }
        if damping < 0.0 {
            found.push(format!("the damping of `{path}`{what} is negative, {damping}: it feeds energy in"));
        }
    };
    for (_, joint) in scene.joints.iter() {
        for (dof, (name, _)) in joint.dofs.iter().zip(joint.dof_names) {
            let stiffness = dof.law.spring.as_ref().map_or(0.0, |spring| spring.stiffness);
            note(&joint.path, &format!(" along `{name}`"), [stiffness, dof.law.damping]);
        }
    }
    for (_, force) in scene.forces.iter() {
        match &force.kind {
            ForceType::World { .. } => {}
            ForceType::Line { stiffness, damping, .. } => note(&force.path, "", [*stiffness, *damping]),
            ForceType::Bushing { translation, rotation, .. } => {
                let sides = [("along", translation), ("about", rotation)];
                let all =
                    sides.iter().flat_map(|(way, laws)| laws.iter().zip(["x", "y", "z"]).map(move |law| (way, law)));
                for (way, (DirectionForce { stiffness, damping, .. }, axis)) in all {
                    note(&force.path, &format!(" {way} {axis}"), [*stiffness, *damping]);
                }
            }
        }
    }
    found
}

/// A number with four digits.
struct Rounded(f64);

impl fmt::Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded: f64 = format!("{:.3e}", self.0).parse().unwrap_or(self.0);
        if rounded != 0.0 && !(1e-4..1e7).contains(&rounded.abs()) {
            write!(f, "{rounded:e}")
        } else {
            write!(f, "{rounded}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_four_digits() {
        let found = Plausibility {
            mass: 7.850_012,
            bounds: Some([[0.0, -1.0, -1e-5], [0.1 + 0.2, 0.0, 1e-5]]),
            densest: Some((7_850.000_1, "rod".to_owned())),
            remarks: Vec::new(),
        };
        let line = "7.85 kg that move, 0.3 x 1 x 2e-5 m at the start, greatest density 7850 kg/m³ (`rod`)";
        assert_eq!(found.to_string(), line);
    }
}
