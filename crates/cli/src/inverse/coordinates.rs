//! What can follow a given motion, and under which names a table has that motion.

use mbs::scene::{Attachment, Joint, JointType, Scene};

/// A joint coordinate, or all of a ball or a free body.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Target {
    /// Name that chooses it: `hinge.phi`, `ball`.
    pub name: String,
    /// What it consists of.
    pub motion: Motion,
}

/// Names of the motion of a target.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Motion {
    /// A coordinate of its own.
    Axis(Coordinate),
    /// A quaternion and an angular velocity, both relative to the same frame, then translations.
    Ball {
        /// Names of the quaternion's components.
        quaternion: [String; 4],
        /// Names of the components of the angular velocity.
        w: [String; 3],
        /// Translations, if there are any.
        r: Vec<Coordinate>,
    },
}

/// Names of a coordinate and its derivatives.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Coordinate {
    pub position: String,
    pub velocity: String,
    pub acceleration: String,
    /// Whether it is an angle.
    pub rotates: bool,
}

impl Target {
    /// Number of degrees of freedom.
    pub fn num_freedoms(&self) -> usize {
        match &self.motion {
            Motion::Axis(_) => 1,
            Motion::Ball { r, .. } => 3 + r.len(),
        }
    }

    /// Names of all positions.
    pub fn positions(&self) -> Vec<&str> {
        match &self.motion {
            Motion::Axis(axis) => vec![&axis.position],
            Motion::Ball { quaternion, r, .. } => {
                quaternion.iter().map(String::as_str).chain(r.iter().map(|axis| axis.position.as_str())).collect()
            }
        }
    }

    /// Whether an argument of `--drive` means it: its own name, or that of the joint whose coordinate it is.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'))
    }
}

/// Everything that can follow a given motion, in the order of the model.
pub(super) fn targets(scene: &Scene) -> Vec<Target> {
    let mut all = Vec::new();
    for (_, joint) in scene.joints.iter() {
        match joint.kind {
            JointType::Fixed => {}
            JointType::Chain(_) => all.extend(of_chain(joint)),
            JointType::Spherical => all.push(ball(&joint.path, None, ["v", "w"])),
            JointType::Free => all.push(ball(&joint.path, Some("r"), ["v", "w"])),
        }
    }
    for (_, object) in scene.objects.iter() {
        let is_absolute = object.parent.is_none_or(|parent| parent == scene.world());
        if matches!(object.attachment, Attachment::Free { .. }) && is_absolute {
            all.push(ball(&object.path, Some("r_abs"), ["v_abs", "w_abs"]));
        }
    }
    all
}

fn of_chain(joint: &Joint) -> impl Iterator<Item = Target> + '_ {
    let free = joint.dofs.iter().zip(joint.dof_names).filter(|(dof, _)| dof.motion.is_none());
    free.map(|(_, (position, velocity))| {
        let axis = coordinate(&joint.path, position, velocity);
        Target { name: axis.position.clone(), motion: Motion::Axis(axis) }
    })
}

fn coordinate(path: &str, position: &str, velocity: &str) -> Coordinate {
    Coordinate {
        position: format!("{path}.{position}"),
        velocity: format!("{path}.{velocity}"),
        acceleration: format!("der({path}.{velocity})"),
        rotates: position.starts_with("phi"),
    }
}

fn ball(path: &str, r: Option<&str>, [v, w]: [&str; 2]) -> Target {
    let component = |name: &str, k: usize| format!("{name}[{}]", k + 1);
    let translations =
        |r: &str| (0..3).map(|k| coordinate(path, &component(r, k), &component(v, k))).collect::<Vec<_>>();
    let name = |name: &str, k: usize| format!("{path}.{}", component(name, k));
    Target {
        name: path.to_owned(),
        motion: Motion::Ball {
            quaternion: std::array::from_fn(|k| name("quaternion", k)),
            w: std::array::from_fn(|k| name(w, k)),
            r: r.map(translations).unwrap_or_default(),
        },
    }
}
