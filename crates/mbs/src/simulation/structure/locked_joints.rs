//! Joints whose two sides are attached to each other: they rest in the coordinates they have then, and continue from
//! there.

use crate::simulation::run_data::{RunModel, RunStructure, Segment};
use std::sync::Arc;

use crate::math::{Pose, Seconds, Vec3, rotation_about};
use crate::scene::{JointId, JointType, Sensor, SensorType, Structure};
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::previous_segment::PreviousSegment;
use crate::spatial::AxisMotion;
use crate::topology::Topology;

/// Steps of Newton's method for the coordinates of a joint.
const ITERATIONS: usize = 30;
/// Steps below this end it \[rad, or relative to the scale of length\].
const SMALLEST_STEP: f64 = 1e-14;
/// Gap that may remain between the two sides of a joint \[rad, or relative to the scale of length\].
const GAP: f64 = 1e-6;
/// A pose that differs by no more than this has not been changed by snapping \[rad, or relative to the scale of
/// length\].
const SAME_POSE: f64 = 1e-12;
/// Pivots below this belong to a motion that does not exist, in radians and scales of length.
const SMALLEST_PIVOT: f64 = 1e-12;

impl Simulation {
    /// Notes in a structure where joints rest that its topology locks and the present one does not; true when there are
    /// any.
    pub(in crate::simulation) fn note_locked(
        &self,
        topology: &Topology,
        structure: &mut Structure,
    ) -> Result<bool, SimulationError> {
        let is_new = |id: &&JointId| !self.segment.topology.locked.contains(id);
        let mut any = false;
        for &id in topology.locked.iter().filter(is_new) {
            let rests_at = self.resting_position(id, topology)?;
            structure.last_coordinates[id.index()] =
                Some(rests_at.into_iter().map(|q| [q, 0.0, 0.0]).collect::<Arc<_>>());
            any = true;
        }
        Ok(any)
    }

    /// Warns of sensors of cut forces without a determined value from now on: those of joints beside which an
    /// attachment holds both sides.
    pub(in crate::simulation) fn warn_of_undetermined_reactions(&mut self, before: &PreviousSegment) {
        let Self {
            model: RunModel { scene, .. },
            segment: Segment { topology, .. },
            structure: RunStructure { programs: runner, .. },
            point,
            ..
        } = self;
        for id in topology.locked.iter().filter(|id| !before.topology.locked.contains(id)) {
            let of_joint = |sensor: &&Sensor| matches!(sensor.kind, SensorType::CutForce { joint, .. } if joint == *id);
            for sensor in scene.sensors.iter().filter(of_joint) {
                runner.log_once(format!(
                    "t = {} s: joint `{}` rests because its sides are attached to each other; how the joint and the attachment share \
                     the load is undetermined, so that the sensor `{}` shows zero until they are released",
                    Seconds(point.t), scene.joints[*id].path, sensor.path
                ));
            }
        }
    }

    /// Coordinates of a joint with its sides as another topology holds them, within one body.
    fn resting_position(&self, id: JointId, topology: &Topology) -> Result<Vec<f64>, SimulationError> {
        let (joint, view) = (&self.model.scene.joints[id], self.view());
        let present: Vec<f64> = (0..joint.dofs.len()).map(|k| view.coordinate(id, k, 0)).collect();
        let [from, to] = [joint.from, joint.to].map(|id| topology.placements[id.index()].x_bc);
        let length = self.model.scene.scales.length;
        let mut x_fm = from.inverse() * to;
        x_fm.translation /= length;
        let found = match &joint.kind {
            JointType::Chain(axes) => coordinates_in_scales(axes, present, &x_fm, length),
            // A ball turns any way, but its centre stays.
            JointType::Spherical => (x_fm.translation.norm() <= GAP).then_some(present),
            JointType::Fixed | JointType::Free => Some(present),
        };
        found.ok_or_else(|| {
            SimulationError::Structure(format!(
                "the frames cannot be brought to coincide because joint `{}` does not move that way; attach without snapping, or bring them \
                 together first",
                joint.path
            ))
        })
    }
}

/// The coordinates near `present` ones with which a joint has the pose `x_fm`, whose lengths are in scales of `length`
/// \[m\]; none when it cannot have it.
fn coordinates_in_scales(axes: &[AxisMotion], present: Vec<f64>, x_fm: &Pose, length: f64) -> Option<Vec<f64>> {
    let unit = |axis: &AxisMotion| if axis.rotation == 0.0 { length } else { 1.0 };
    let scaled: Vec<AxisMotion> =
        axes.iter().map(|axis| AxisMotion { translation: axis.translation * unit(axis) / length, ..*axis }).collect();
    let start: Vec<f64> = present.iter().zip(axes).map(|(q, axis)| q / unit(axis)).collect();
    if agree(&crossed(&scaled, &start), x_fm, SAME_POSE) {
        return Some(present);
    }
    let found = coordinates(&scaled, start, x_fm)?;
    Some(found.iter().zip(axes).map(|(q, axis)| q * unit(axis)).collect())
}

/// Pose of a joint's outboard frame in its inboard frame.
fn crossed(axes: &[AxisMotion], q: &[f64]) -> Pose {
    let step = |(axis, q): (&AxisMotion, &f64)| {
        Pose::new(rotation_about(&axis.axis, axis.rotation * q), axis.axis * (axis.translation * q))
    };
    axes.iter().zip(q).map(step).fold(Pose::identity(), |x, step| x * step)
}

fn agree(a: &Pose, b: &Pose, tolerance: f64) -> bool {
    let (gap, angle) = a.distance(b);
    gap <= tolerance && angle <= tolerance
}

/// The coordinates near given ones with which a joint has a pose, by Newton's method; none when it cannot have it.
fn coordinates(axes: &[AxisMotion], mut q: Vec<f64>, x_fm: &Pose) -> Option<Vec<f64>> {
    for _ in 0..ITERATIONS {
        let step = newton_step(axes, &q, x_fm)?;
        q.iter_mut().zip(&step).for_each(|(q, step)| *q += step);
        if step.iter().all(|step| step.abs() < SMALLEST_STEP) {
            break;
        }
    }
    agree(&crossed(axes, &q), x_fm, GAP).then_some(q)
}

/// The change of coordinates that closes the gap to a pose best, to first order.
fn newton_step(axes: &[AxisMotion], q: &[f64], x_fm: &Pose) -> Option<Vec<f64>> {
    let here = crossed(axes, q);
    let turn = crate::math::rotation_vector(&(x_fm.rotation * here.rotation.transpose()));
    let gap = [turn, x_fm.translation - here.translation];
    let columns: Vec<[Vec3; 2]> = (0..axes.len()).map(|k| rate(axes, q, k, &here)).collect();
    let dot = |a: &[Vec3; 2], b: &[Vec3; 2]| a[0].dot(&b[0]) + a[1].dot(&b[1]);
    let normal = nalgebra::DMatrix::from_fn(axes.len(), axes.len(), |i, k| dot(&columns[i], &columns[k]));
    let right = nalgebra::DVector::from_fn(axes.len(), |k, _| dot(&columns[k], &gap));
    let factors = normal.cholesky().filter(|f| f.l_dirty().diagonal().iter().all(|pivot| *pivot > SMALLEST_PIVOT))?;
    Some(factors.solve(&right).as_slice().to_vec())
}

/// Rotation and displacement of the outboard frame per change of one coordinate, in the inboard frame.
fn rate(axes: &[AxisMotion], q: &[f64], k: usize, here: &Pose) -> [Vec3; 2] {
    let before = crossed(&axes[..k], &q[..k]);
    let AxisMotion { axis, rotation, translation } = axes[k];
    let axis = before.rotation * axis;
    let turning = axis * rotation;
    [turning, axis * translation + turning.cross(&(here.translation - before.translation))]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(axis: Vec3, rotation: f64, translation: f64) -> AxisMotion {
        AxisMotion { axis, rotation, translation }
    }

    #[test]
    fn coordinates_of_every_joint_follow_from_its_pose() {
        let joints = [
            vec![axis(Vec3::x(), 0.0, 1.0)],
            vec![axis(Vec3::z(), 1.0, 0.01)],
            vec![axis(Vec3::x(), 1.0, 0.0), axis(Vec3::y(), 1.0, 0.0)],
            vec![axis(Vec3::x(), 0.0, 1.0), axis(Vec3::y(), 0.0, 1.0), axis(Vec3::z(), 1.0, 0.0)],
        ];
        for axes in joints {
            let wanted: Vec<f64> = (0..axes.len()).map(|k| 0.3 - 0.7 * k as f64).collect();
            let start: Vec<f64> = wanted.iter().map(|q| q + 0.2).collect();
            let found = coordinates(&axes, start, &crossed(&axes, &wanted)).unwrap_or_default();
            assert_eq!(found.len(), wanted.len(), "no coordinates were found");
            for (found, wanted) in found.iter().zip(&wanted) {
                assert!((found - wanted).abs() < 1e-13, "{found} instead of {wanted}");
            }
        }
        let beside = Pose::from_translation(Vec3::new(0.1, 1e-3, 0.0));
        assert!(coordinates(&[axis(Vec3::x(), 0.0, 1.0)], vec![0.0], &beside).is_none());
    }
}
