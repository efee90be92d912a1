//! Names of the degrees of freedom of a topology.

use crate::scene::{JointType, Scene};
use crate::topology::{Coordinate, JointLayout, Mobilizer, Topology};

/// One velocity variable of the equations of motion and the coordinate it moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DegreeOfFreedom {
    /// Name of the coordinate, e.g. `hinge.phi`, `ball.r_abs[2]`. Rotations of spherical and free motions are small
    /// angles about the axes of F and are called `ball.rotation[1]`.
    pub position: String,
    /// Name of the velocity, e.g. `hinge.w`.
    pub velocity: String,
    /// Whether the coordinate is a length \[m\] and not an angle \[rad\].
    pub translates: bool,
    /// Position variable, if the coordinate has one of its own.
    pub q: Option<usize>,
}

impl DegreeOfFreedom {
    /// Unit of the coordinate.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        if self.translates { "m" } else { "rad" }
    }

    /// Whether `name` means this coordinate or its velocity, or all of the joint or object it belongs to.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        let group =
            |full: &str| full.strip_prefix(name).is_some_and(|rest| rest.starts_with('.') || rest.starts_with('['));
        [&self.position, &self.velocity].iter().any(|full| *full == name || group(full))
    }
}

/// All degrees of freedom in the order of the velocity variables.
#[must_use]
pub fn degrees_of_freedom(scene: &Scene, topology: &Topology) -> Vec<DegreeOfFreedom> {
    let mut found: Vec<Option<DegreeOfFreedom>> = vec![None; topology.num_v];
    for (id, joint) in scene.joints.iter() {
        let layout = &topology.joints[id.index()];
        match (&joint.kind, layout.nodes) {
            (JointType::Spherical | JointType::Free, Some((node, _))) => {
                name_ball(topology, node, &joint.path, ["r", "v", "w"], &mut found);
            }
            _ => name_chain(joint.dof_names, &joint.path, layout, &mut found),
        }
    }
    for (id, object) in scene.objects.iter() {
        if let Some(node) = topology.free_objects[id.index()] {
            let is_absolute = object.parent.is_none_or(|parent| parent == scene.world());
            let names = if is_absolute { ["r_abs", "v_abs", "w_abs"] } else { ["r", "v", "w"] };
            name_ball(topology, node, &object.path, names, &mut found);
        }
    }
    for node in &topology.nodes {
        for k in 0..node.mobilizer.num_v() {
            let translates = translates(&node.mobilizer, k);
            found[node.v + k].get_or_insert_with(|| DegreeOfFreedom {
                position: format!("{}.position[{}]", node.name, k + 1),
                velocity: format!("{}.velocity[{}]", node.name, k + 1),
                translates,
                q: Topology::position_of(node, k),
            });
        }
    }
    found.into_iter().flatten().collect()
}

fn translates(mobilizer: &Mobilizer, k: usize) -> bool {
    match mobilizer {
        Mobilizer::Axis { rotation, .. } => *rotation == 0.0,
        _ => k >= 3,
    }
}

fn name_chain(names: &[(&str, &str)], path: &str, layout: &JointLayout, found: &mut [Option<DegreeOfFreedom>]) {
    for ((position, velocity), coordinate) in names.iter().zip(&layout.coordinates) {
        if let Coordinate::State { q, v } = coordinate {
            found[*v] = Some(DegreeOfFreedom {
                position: format!("{path}.{position}"),
                velocity: format!("{path}.{velocity}"),
                translates: !position.starts_with("phi"),
                q: *q,
            });
        }
    }
}

/// `names`: position, velocity and angular velocity.
fn name_ball(
    topology: &Topology,
    node: usize,
    path: &str,
    [r, v, w]: [&str; 3],
    found: &mut [Option<DegreeOfFreedom>],
) {
    let node = &topology.nodes[node];
    for k in 0..node.mobilizer.num_v() {
        let translates = k >= 3;
        let (position, velocity) = if translates { (r, v) } else { ("rotation", w) };
        let axis = k % 3 + 1;
        found[node.v + k] = Some(DegreeOfFreedom {
            position: format!("{path}.{position}[{axis}]"),
            velocity: format!("{path}.{velocity}[{axis}]"),
            translates,
            q: Topology::position_of(node, k),
        });
    }
}
