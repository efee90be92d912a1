//! Distances and angles between frames in the initial configuration, for parameters that make a mechanism fit together
//! (*Component-Based 3D Modeling of Dynamic Systems*, section 3, `Fourbar2`).
//!
//! The scene is placed with the parameters known so far; what depends on others is not a number. A frame is known when
//! rigid connections and joints with known start values lead from the world to it.

use std::collections::BTreeMap;

use super::Elaboration;
use super::scope::ParameterScope;
use crate::declaration::Declaration;
use crate::expr::{Expr, MEASURES};
use crate::math::{Pose, Vec3, rotation_about};
use crate::scene::{Attachment, Joint, JointType, Mobility, ObjectId, Scene};

/// Evaluates the measures that an expression contains, and adds them to the parameters in its scope.
///
/// # Errors
/// Names of no objects, and objects whose pose is not known from the parameters so far, as a message.
pub(super) fn measure_for(
    declaration: &Declaration,
    expr: &Expr,
    scope: &mut ParameterScope<'_>,
) -> Result<(), String> {
    let is_measure = |name: &str| MEASURES.iter().any(|measure| name.starts_with(&format!("{measure}(")));
    if !expr.variables().iter().any(|variable| is_measure(&variable.name)) {
        return Ok(());
    }
    let known = |name: &str| scope.values.get(name).map(|value| Expr::number(*value));
    let expr = expr.substitute(&known).map_err(|error| error.message)?;
    let configuration = Configuration::of(declaration, scope);
    for variable in expr.variables().iter().filter(|variable| is_measure(&variable.name)) {
        let value = configuration.measure(&variable.name)?;
        scope.values.insert(variable.name.clone(), value);
    }
    Ok(())
}

/// World poses in the initial configuration, as far as they are known.
struct Configuration {
    poses: BTreeMap<String, Option<Pose>>,
}

impl Configuration {
    fn of(declaration: &Declaration, scope: &ParameterScope<'_>) -> Self {
        let tables = BTreeMap::new();
        let mut values = scope.values.clone();
        for parameter in &declaration.parameters {
            values.entry(parameter.name.clone()).or_insert(f64::NAN);
        }
        let mut elaboration = Elaboration::new(declaration, &tables);
        elaboration.measuring = true;
        let items = elaboration.flatten(declaration, &ParameterScope { values, tables: &tables });
        elaboration.declare_inputs(declaration, &items);
        elaboration.name_coordinates(&items);
        elaboration.place_objects(&items);
        elaboration.connect_joints(&items);
        let mut scene = elaboration.scene;
        scene.signals.set_time(declaration.experiment.start);
        let poses = Placement::new(&mut scene).finish();
        let paths = scene.objects.iter().map(|(_, object)| object.path.clone());
        Self { poses: paths.zip(poses).collect() }
    }

    /// Value of `distance(a, b)` or `planar_rotation_angle(a, b)`.
    fn measure(&self, name: &str) -> Result<f64, String> {
        let (word, arguments) = name.split_once('(').unwrap_or((name, ""));
        let (a, b) = arguments.trim_end_matches(')').split_once(", ").unwrap_or((arguments, ""));
        let (x_wa, x_wb) = (self.pose(a)?, self.pose(b)?);
        let p_ab = x_wa.rotation.tr_mul(&(x_wb.translation - x_wa.translation));
        Ok(if word == "distance" { p_ab.norm() } else { elementary::atan2(p_ab.y, p_ab.x) })
    }

    fn pose(&self, path: &str) -> Result<Pose, String> {
        match self.poses.get(path) {
            Some(Some(pose)) => Ok(*pose),
            Some(None) => Err(format!(
                "the pose of `{path}` in the initial configuration is not known here; give the joints that lead to it start values \
                 that depend on parameters above only"
            )),
            None => {
                let near = crate::expr::nearest(path, self.poses.keys().map(String::as_str));
                let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                Err(format!("there is no object `{path}`{hint}"))
            }
        }
    }
}

/// A connection with the pose of its second object in its first one.
struct Connection {
    ends: [usize; 2],
    /// None when it depends on something that is not known.
    pose: Option<Pose>,
    /// Whether its start values are written in the model; others hold in trees only.
    is_given: bool,
}

/// Poses on their way from the world outwards.
struct Placement {
    connections: Vec<Connection>,
    poses: Vec<Option<Pose>>,
}

impl Placement {
    fn new(scene: &mut Scene) -> Self {
        let ids: Vec<ObjectId> = scene.objects.iter().map(|(id, _)| id).collect();
        let at = |id: ObjectId| ids.iter().position(|known| *known == id);
        let mut connections = Vec::new();
        for (id, object) in scene.objects.iter() {
            let parent = object.parent.unwrap_or_else(|| scene.world());
            let is_placed = !matches!(object.attachment, Attachment::ByJoint) && id != scene.world();
            if let (true, Some(a), Some(b)) = (is_placed, at(parent), at(id)) {
                connections.push(Connection { ends: [a, b], pose: finite(object.x_pc), is_given: true });
            }
        }
        let joints: Vec<Joint> = scene.joints.iter().map(|(_, joint)| joint.clone()).collect();
        for joint in &joints {
            if let (Some(a), Some(b)) = (at(joint.from), at(joint.to)) {
                let (pose, is_given) = start_pose(joint, scene);
                connections.push(Connection { ends: [a, b], pose: finite(pose), is_given });
            }
        }
        let mut poses = vec![None; ids.len()];
        if let Some(world) = at(scene.world()) {
            poses[world] = Some(Pose::identity());
        }
        Self { connections, poses }
    }

    /// Follows given connections as far as they go, then others that close no loop.
    fn finish(mut self) -> Vec<Option<Pose>> {
        self.follow(|connection| connection.is_given);
        loop {
            let reaches = |c: &Connection| c.ends.map(|end| self.poses[end].is_some());
            let next = (0..self.connections.len()).find(|k| {
                let [a, b] = reaches(&self.connections[*k]);
                a != b && self.connections[*k].pose.is_some() && self.is_bridge(*k)
            });
            let Some(next) = next else { return self.poses };
            self.cross(next);
            self.follow(|connection| connection.is_given);
        }
    }

    fn follow(&mut self, may_cross: impl Fn(&Connection) -> bool) {
        let mut goes_on = true;
        while goes_on {
            goes_on = false;
            for k in 0..self.connections.len() {
                goes_on |= may_cross(&self.connections[k]) && self.cross(k);
            }
        }
    }

    /// Places one end of a connection when the other one is placed; true when that is new.
    fn cross(&mut self, k: usize) -> bool {
        let Connection { ends: [a, b], pose: Some(pose), .. } = self.connections[k] else { return false };
        match (self.poses[a], self.poses[b]) {
            (Some(x_wa), None) => self.poses[b] = Some(x_wa * pose),
            (None, Some(x_wb)) => self.poses[a] = Some(x_wb * pose.inverse()),
            _ => return false,
        }
        true
    }

    /// Whether a connection is the only way between its ends.
    fn is_bridge(&self, k: usize) -> bool {
        let [start, end] = self.connections[k].ends;
        let mut reached = vec![false; self.poses.len()];
        reached[start] = true;
        let mut goes_on = true;
        while goes_on {
            goes_on = false;
            for (_, connection) in self.connections.iter().enumerate().filter(|(other, _)| *other != k) {
                let [a, b] = connection.ends;
                if reached[a] != reached[b] {
                    (reached[a], reached[b]) = (true, true);
                    goes_on = true;
                }
            }
        }
        !reached[end]
    }
}

/// Pose of M in F at the start, and whether all of it is given.
fn start_pose(joint: &Joint, scene: &mut Scene) -> (Pose, bool) {
    let mut is_given = true;
    let mut positions = Vec::with_capacity(joint.dofs.len());
    for dof in &joint.dofs {
        let driven = dof.motion.as_ref().map(|motion| scene.signals.value(&motion.position));
        positions.push(match (driven, dof.position_mobility) {
            (Some(position), _) => position,
            (None, Mobility::Guess) => f64::NAN,
            (None, mobility) => {
                is_given &= mobility == Mobility::Fixed;
                dof.position
            }
        });
    }
    let pose = match &joint.kind {
        JointType::Fixed => Pose::identity(),
        JointType::Chain(axes) => axes.iter().zip(&positions).fold(Pose::identity(), |pose, (axis, position)| {
            pose * Pose {
                rotation: rotation_about(&axis.axis, axis.rotation * position),
                translation: axis.axis * (axis.translation * position),
            }
        }),
        JointType::Spherical | JointType::Free => {
            is_given = joint.rotation_mobility == Mobility::Fixed;
            let at = |k: usize| positions.get(k).copied().unwrap_or(0.0);
            Pose { rotation: joint.rotation.normalized().to_matrix(), translation: Vec3::new(at(3), at(4), at(5)) }
        }
    };
    (pose, is_given)
}

fn finite(pose: Pose) -> Option<Pose> {
    pose.rotation.iter().chain(pose.translation.iter()).all(|x| x.is_finite()).then_some(pose)
}
