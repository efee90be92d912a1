//! Start values by name, in place of declared ones.

use super::parameters::{Limits, Wrong};
use super::{Elaboration, reference_name};
use crate::declaration::StartValue;
use crate::expr::nearest;
use crate::math::{Quaternion, Vec3};
use crate::scene::{Attachment, ForceType, InputVariable, Joint, JointType, Mobility, Object3D, Scene};

/// What may be set, for messages.
const KINDS: &str = "coordinates and velocities of joints (`hinge.phi`, `hinge.w`), `r`, `quaternion`, `v` and `w` of free objects, states of \
                     components, inputs and parameters, `rest_length` of springs without one";

impl Elaboration<'_> {
    /// Replaces start values of joints, free objects and components.
    pub(super) fn set_start_values(&mut self, values: &[StartValue]) {
        if values.iter().any(|value| is_of_flange(&self.scene, &value.name)) {
            let instances = self.scene.components.iter_mut();
            instances.flat_map(|instance| &mut instance.layout.flanges).for_each(|flange| flange.given = [false; 2]);
        }
        for value in values {
            if self.starts_a_reference(value) || self.starts_an_input(value) {
                continue;
            }
            match set(&mut self.scene, &value.name, &value.values) {
                Outcome::Set => {}
                Outcome::WrongCount { expected: count } => {
                    let given = value.values.len();
                    self.fail(
                        value.location,
                        format!("the start value of `{}` has {given} numbers, but must have {count}", value.name),
                    );
                }
                Outcome::Unknown => {
                    let message = format!("there is no start value `{}`", value.name);
                    let names = names(&self.scene);
                    let near = nearest(&value.name, names.iter().map(String::as_str));
                    let hint =
                        near.map_or_else(|| format!("there are {KINDS}"), |near| format!("did you mean `{near}`?"));
                    self.errors.push(crate::scene::SceneError::new(value.location, message).with_hint(Some(hint)));
                }
            }
        }
    }
}

impl Elaboration<'_> {
    /// Whether a start value is one of a motion that inverse dynamics follows, where positions count only.
    fn starts_a_reference(&mut self, value: &StartValue) -> bool {
        let Some((owner, key)) = value.name.rsplit_once('.') else { return false };
        let joint = self.scene.joint(owner).map(|id| &self.scene.joints[id]);
        let chain = joint.filter(|joint| !matches!(joint.kind, JointType::Spherical | JointType::Free));
        let position = chain.and_then(|joint| {
            let of_key = |names: &&(&str, &str)| [names.0, names.1].contains(&key);
            joint.dof_names.iter().find(of_key).map(|names| names.0)
        });
        if !self.is_referred(owner, position) {
            return false;
        }
        let name = if chain.is_none() && joint.is_none() && key == "r" { "r_abs" } else { key };
        let is_single = position == Some(key);
        for (k, start) in value.values.iter().enumerate() {
            let coordinate = if is_single { value.name.clone() } else { format!("{owner}.{name}[{}]", k + 1) };
            if let Some(&input) = self.input_names.get(&reference_name(&coordinate)) {
                self.start_input(input, *start);
            }
        }
        true
    }

    /// Whether a start value is one of an input that is not declared as such: the effort on a flange of a joint, the
    /// start of an action program.
    fn starts_an_input(&mut self, value: &StartValue) -> bool {
        let Some(&input) = self.input_names.get(&value.name) else { return false };
        let &[start] = value.values.as_slice() else {
            let given = value.values.len();
            self.fail(
                value.location,
                format!("the start value of `{}` has {given} numbers, but must have 1", value.name),
            );
            return true;
        };
        let InputVariable { kind, unit, min, max, .. } = &self.scene.inputs[input];
        let limits = Limits { kind: *kind, unit, min: *min, max: *max };
        match limits.check(start) {
            Ok(()) => self.start_input(input, start),
            Err(Wrong { what, .. }) => {
                self.fail(value.location, format!("the start value of input `{}` {what}", value.name));
            }
        }
        true
    }

    fn start_input(&mut self, input: usize, start: f64) {
        self.scene.inputs[input].start = start;
        self.scene.signals.change_inputs(|inputs| {
            inputs.set(input, start, 0.0);
            inputs.start_filters();
        });
    }
}

enum Outcome {
    Set,
    /// Another number of values is needed.
    WrongCount {
        expected: usize,
    },
    Unknown,
}

fn is_of_flange(scene: &Scene, name: &str) -> bool {
    let named = |path: &str| name.strip_prefix(path).and_then(|rest| rest.strip_prefix('.'));
    scene.components.iter().any(|instance| {
        named(&instance.path)
            .and_then(|rest| rest.split_once('.'))
            .is_some_and(|(flange, _)| instance.layout.flanges.iter().any(|declared| declared.name == flange))
    })
}

/// Names of all start values, for hints.
fn names(scene: &Scene) -> Vec<String> {
    let mut all = Vec::new();
    for (_, joint) in scene.joints.iter() {
        let of_dofs = joint.dof_names.iter().flat_map(|(position, velocity)| [position, velocity]);
        let keys: Vec<&str> = match joint.kind {
            JointType::Spherical | JointType::Free => vec!["r", "quaternion", "v", "w"],
            _ => of_dofs.copied().collect(),
        };
        all.extend(keys.into_iter().map(|key| format!("{}.{key}", joint.path)));
    }
    for (_, object) in scene.objects.iter().filter(|(_, object)| matches!(object.attachment, Attachment::Free { .. })) {
        all.extend(["r", "quaternion", "v", "w"].map(|key| format!("{}.{key}", object.path)));
    }
    for instance in &scene.components {
        all.extend(instance.layout.states.iter().map(|state| format!("{}.{}", instance.path, state.name)));
    }
    all
}

fn set(scene: &mut Scene, name: &str, values: &[f64]) -> Outcome {
    let Some((owner, key)) = name.rsplit_once('.') else { return Outcome::Unknown };
    if let Some(id) = scene.joint(owner)
        && let Some(joint) = scene.joints.get_mut(id)
    {
        return set_joint(joint, key, values);
    }
    if let Some(id) = scene.object(owner)
        && let Some(object) = scene.objects.get_mut(id)
    {
        return set_object(object, key, values);
    }
    if let Some(outcome) = set_rest_length(scene, owner, key, values) {
        return outcome;
    }
    set_component(scene, owner, key, values)
}

/// Sets the length without force of a spring whose model gives none: it is the distance at the declared start, also for
/// runs that start elsewhere.
fn set_rest_length(scene: &mut Scene, owner: &str, key: &str, values: &[f64]) -> Option<Outcome> {
    let (_, force) = scene.forces.iter_mut().find(|(_, force)| key == "rest_length" && force.path == owner)?;
    let ForceType::Line { rest_length, rests_at_start: true, .. } = &mut force.kind else { return None };
    Some(match values {
        &[value] => {
            *rest_length = Some(value);
            Outcome::Set
        }
        _ => Outcome::WrongCount { expected: 1 },
    })
}

fn set_joint(joint: &mut Joint, key: &str, values: &[f64]) -> Outcome {
    if !matches!(joint.kind, JointType::Spherical | JointType::Free) {
        let of_dof = joint.dof_names.iter().position(|(position, velocity)| [*position, *velocity].contains(&key));
        let Some(dof) = of_dof.filter(|&k| joint.dofs[k].motion.is_none()) else { return Outcome::Unknown };
        let &[value] = values else { return Outcome::WrongCount { expected: 1 } };
        let is_position = joint.dof_names[dof].0 == key;
        let dof = &mut joint.dofs[dof];
        if is_position {
            (dof.position, dof.position_mobility) = (value, Mobility::Fixed);
        } else {
            (dof.velocity, dof.velocity_mobility) = (value, Mobility::Fixed);
        }
        return Outcome::Set;
    }
    let mut vector = |first: usize, of_velocity: bool| {
        let Some(&values) = values.first_chunk::<3>().filter(|_| values.len() == 3) else {
            return Outcome::WrongCount { expected: 3 };
        };
        let Some(dofs) = joint.dofs.get_mut(first..first + 3) else { return Outcome::Unknown };
        for (dof, value) in dofs.iter_mut().zip(values) {
            if of_velocity {
                (dof.velocity, dof.velocity_mobility) = (value, Mobility::Fixed);
            } else {
                (dof.position, dof.position_mobility) = (value, Mobility::Fixed);
            }
        }
        Outcome::Set
    };
    match key {
        "r" => vector(3, false),
        "v" => vector(3, true),
        "w" => vector(0, true),
        "quaternion" => {
            let Some(rotation) = quaternion(values) else { return Outcome::WrongCount { expected: 4 } };
            (joint.rotation, joint.rotation_mobility) = (rotation, Mobility::Fixed);
            Outcome::Set
        }
        _ => Outcome::Unknown,
    }
}

fn set_object(object: &mut Object3D, key: &str, values: &[f64]) -> Outcome {
    let Attachment::Free { v, w } = &mut object.attachment else { return Outcome::Unknown };
    let vector = values.first_chunk::<3>().filter(|_| values.len() == 3).map(|x| Vec3::from_column_slice(x));
    match (key, vector, quaternion(values)) {
        ("r", Some(r), _) => object.x_pc.translation = r,
        ("v", Some(velocity), _) => *v = velocity,
        ("w", Some(velocity), _) => *w = velocity,
        ("quaternion", _, Some(rotation)) => object.x_pc.rotation = rotation.to_matrix(),
        ("r" | "v" | "w", ..) => return Outcome::WrongCount { expected: 3 },
        ("quaternion", ..) => return Outcome::WrongCount { expected: 4 },
        _ => return Outcome::Unknown,
    }
    Outcome::Set
}

fn quaternion(values: &[f64]) -> Option<Quaternion> {
    let &values = values.first_chunk::<4>().filter(|_| values.len() == 4)?;
    Some(Quaternion::from_array(values).normalized())
}

fn set_component(scene: &mut Scene, owner: &str, key: &str, values: &[f64]) -> Outcome {
    let set = |place: &mut f64| match values {
        &[value] => {
            *place = value;
            Outcome::Set
        }
        _ => Outcome::WrongCount { expected: 1 },
    };
    if let Some(instance) = scene.components.iter_mut().find(|instance| instance.path == owner) {
        let state = instance.layout.states.iter_mut().find(|state| state.name == key);
        if let Some(state) = state {
            return set(&mut state.start);
        }
        let Some((flange, _)) = instance.layout.driven.filter(|_| key == "phi") else { return Outcome::Unknown };
        return set(&mut instance.layout.flanges[flange].start[0]);
    }
    let Some((path, flange)) = owner.rsplit_once('.') else { return Outcome::Unknown };
    let Some(instance) = scene.components.iter_mut().find(|instance| instance.path == path) else {
        return Outcome::Unknown;
    };
    let Some(flange) = instance.layout.flanges.iter_mut().find(|known| known.name == flange) else {
        return Outcome::Unknown;
    };
    let order = match key {
        "phi" | "s" => 0,
        "w" | "v" => 1,
        _ => return Outcome::Unknown,
    };
    flange.given[order] = true;
    set(&mut flange.start[order])
}
