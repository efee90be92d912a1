//! Motion of bodies that expressions read, e.g. the height of a ball in the input of a controller.

use std::sync::Arc;

use crate::math::Quaternion;
use crate::newton_euler::{Workspace, placed_quaternion};
use crate::scene::{LastMotion, MotionPart, ObjectId, ObservedMotion, Scene};
use crate::spatial::{BodyMotion, Frame, RelativeMotion, WORLD};
use crate::topology::Topology;

/// Source of the motion of an object in a segment.
#[derive(Debug, Clone)]
enum Source {
    /// It exists.
    Present {
        object: ObjectId,
        frame: Frame,
        /// Whether its quaternion is shown with the opposite sign.
        turned: bool,
    },
    /// It does not exist: its last motion.
    Past(Arc<LastMotion>),
}

impl Source {
    fn of(scene: &Scene, topology: &Topology, object: ObjectId) -> Self {
        let structure = &scene.structure;
        let last = structure.last_motions.get(object.index()).cloned().flatten().filter(|_| !scene.exists(object));
        let turned = structure.turned.get(object.index()) == Some(&true);
        last.map_or(Self::Present { object, frame: topology.placements[object.index()], turned }, Self::Past)
    }
}

/// A component of a relative motion, and the slot that expressions read it from.
#[derive(Debug, Clone)]
pub(super) struct Observed {
    pub slot: usize,
    pub value: f64,
    /// Derivative with respect to time, where it matters.
    pub rate: f64,
    what: ObservedMotion,
    frame: Source,
    relative_to: Source,
    resolved_in: Source,
}

impl Observed {
    pub fn new(slot: usize, what: ObservedMotion, scene: &Scene, topology: &Topology) -> Self {
        let source = |object| Source::of(scene, topology, object);
        let (frame, relative_to) = (source(what.frame), source(what.relative_to));
        Self { slot, value: 0.0, rate: 0.0, frame, relative_to, resolved_in: source(what.resolved_in), what }
    }

    /// As before, in another segment.
    pub fn rebound(&self, scene: &Scene, topology: &Topology) -> Self {
        Self { value: self.value, ..Self::new(self.slot, self.what, scene, topology) }
    }

    /// The value with all bodies where the workspace has them.
    pub fn evaluate(&self, topology: &Topology, workspace: &Workspace, q: &[f64]) -> f64 {
        let motion = |source: &Source| match source {
            Source::Present { frame: Frame { node, x_bc }, .. } => workspace.bodies[*node].at(x_bc),
            Source::Past(last) => last.motion,
        };
        self.compare(topology, workspace, q, &motion)
    }

    /// Derivative of the value with respect to time, with all bodies and their accelerations where the workspace has
    /// them.
    pub fn rate(&self, topology: &Topology, workspace: &Workspace, q: &[f64]) -> f64 {
        let motion = |source: &Source| match source {
            Source::Present { frame: Frame { node, x_bc }, .. } => workspace.bodies[*node].at(x_bc),
            Source::Past(last) => last.motion,
        };
        let observer = motion(&self.relative_to);
        let relative = RelativeMotion::between(&observer, &motion(&self.frame));
        let k = self.what.component;
        let (vector, change) = match self.what.part {
            MotionPart::Quaternion => {
                let turn = Quaternion { w: 0.0, v: 0.5 * relative.w };
                return turn.product(&self.turn(topology, workspace, q)).to_array()[k];
            }
            MotionPart::Position => (relative.p, relative.v),
            MotionPart::Velocity => (relative.v, relative.a),
            _ => (relative.w, relative.alpha),
        };
        if self.what.resolved_in == self.what.relative_to {
            return change[k];
        }
        let axes = motion(&self.resolved_in);
        let carried = (observer.w - axes.w).cross(&(observer.rotation * vector));
        axes.rotation.tr_mul(&(observer.rotation * change + carried))[k]
    }

    /// Orientation of the frame relative to the observer.
    fn turn(&self, topology: &Topology, workspace: &Workspace, q: &[f64]) -> Quaternion {
        let turn = |source: &Source| match source {
            Source::Present { object, turned, .. } => {
                let quaternion = placed_quaternion(topology, &workspace.motions, q, *object);
                if *turned { quaternion.opposite() } else { quaternion }
            }
            Source::Past(last) => last.quaternion,
        };
        turn(&self.relative_to).conjugate().product(&turn(&self.frame))
    }

    /// The value for other positions and velocities.
    fn evaluate_at(&self, topology: &Topology, workspace: &Workspace, q: &[f64], v: &[f64]) -> f64 {
        let motion = |source: &Source| match source {
            Source::Present { frame: Frame { node, x_bc }, .. } => {
                workspace.path_motion(topology, *node, q, v).at(x_bc)
            }
            Source::Past(last) => last.motion,
        };
        self.compare(topology, workspace, q, &motion)
    }

    fn compare(
        &self,
        topology: &Topology,
        workspace: &Workspace,
        q: &[f64],
        motion: &dyn Fn(&Source) -> BodyMotion,
    ) -> f64 {
        let k = self.what.component;
        if self.what.part == MotionPart::Quaternion {
            return self.turn(topology, workspace, q).to_array()[k];
        }
        let observer = motion(&self.relative_to);
        let relative = RelativeMotion::between(&observer, &motion(&self.frame));
        let vector = match self.what.part {
            MotionPart::Position => relative.p,
            MotionPart::Velocity => relative.v,
            _ => relative.w,
        };
        if self.what.resolved_in == self.what.relative_to {
            return vector[k];
        }
        motion(&self.resolved_in).rotation.tr_mul(&(observer.rotation * vector))[k]
    }

    /// Variables of the mechanics that the value depends on, ascending, with room for the derivatives.
    pub fn row(&self, topology: &Topology) -> Vec<(usize, f64)> {
        let mut row = Vec::new();
        for source in [&self.frame, &self.relative_to, &self.resolved_in] {
            let Source::Present { frame: Frame { node, .. }, .. } = source else { continue };
            let mut at = *node;
            while at != WORLD {
                let node = &topology.nodes[at];
                row.extend((node.q..node.q + node.mobilizer.num_q()).map(|q| (q, 0.0)));
                row.extend((node.velocities()).map(|v| (topology.num_q + v, 0.0)));
                at = node.parent;
            }
        }
        row.sort_by_key(|entry| entry.0);
        row.dedup_by_key(|entry| entry.0);
        row
    }

    /// Writes the derivatives, by differences along the paths of the frames; `y` is changed and put back.
    pub fn differentiate(&self, topology: &Topology, workspace: &Workspace, y: &mut [f64], row: &mut [(usize, f64)]) {
        let value = |y: &[f64]| {
            let (q, v) = y.split_at(topology.num_q);
            self.evaluate_at(topology, workspace, q, v)
        };
        let base = value(y);
        for (variable, slope) in row {
            let before = y[*variable];
            let h = (before + STEP * (1.0 + before.abs())) - before;
            y[*variable] = before + h;
            *slope = (value(y) - base) / h;
            y[*variable] = before;
        }
    }
}

/// Relative step of differences.
const STEP: f64 = 1e-7;
