//! What to write instead of a name that expressions cannot read.

use super::Elaboration;
use super::names::look_up;
use super::parameters::no_number;
use crate::declaration::{Declaration, ParameterKind};

impl Elaboration<'_> {
    /// A hint for the first of these names that means nothing but belongs to something that exists.
    pub(super) fn explain_names<'n>(&self, names: impl Iterator<Item = &'n str>, prefix: &str) -> Option<String> {
        let mut unknown = names.filter(|name| look_up(&self.external_names, prefix, name).is_none());
        unknown.find_map(|name| self.explain_name(name, prefix))
    }

    /// The name of the derivative of a position.
    fn rate_of(&self, name: &str, prefix: &str) -> Option<String> {
        let (owner, member) = name.rsplit_once('.')?;
        let (part, index) = member.split_at(member.find('[').unwrap_or(member.len()));
        let rate = RATES.iter().find(|(position, _)| *position == part).map(|(_, rate)| rate)?;
        let is_of_joint = || {
            let joint = look_up(&self.joint_names, prefix, owner)?;
            self.scene.joints[joint].dof_names.iter().find(|(_, velocity)| velocity == rate)
        };
        let is_motion = part.starts_with('r');
        let name = format!("{owner}.{rate}{index}");
        let exists = is_motion || look_up(&self.external_names, prefix, &name).is_some() || is_of_joint().is_some();
        exists.then_some(name)
    }

    /// Whether a parameter or input of the whole model with this name is a String.
    pub(super) fn is_string(&self, name: &str) -> bool {
        let Declaration { parameters, inputs, .. } = self.declaration;
        parameters.iter().any(|parameter| parameter.name == name && parameter.kind == ParameterKind::String)
            || inputs.iter().any(|input| input.name == name && input.kind == ParameterKind::String)
    }

    fn explain_name(&self, name: &str, prefix: &str) -> Option<String> {
        if let Some(inner) = name.strip_prefix("der(").and_then(|rest| rest.strip_suffix(')')) {
            let rate = self.rate_of(inner, prefix);
            return Some(rate.map_or_else(|| accelerations(inner), |rate| format!("the derivative is `{rate}`")));
        }
        if self.is_string(name) {
            return Some(no_number(name));
        }
        let (owner, member) = name.rsplit_once('.')?;
        let member = member.split('[').next().unwrap_or(member);
        let is_object = look_up(&self.object_names, prefix, owner).is_some();
        if is_object && ["a_abs", "z_abs", "alpha_abs"].contains(&member) {
            let velocity = if member == "a_abs" { "v_abs" } else { "w_abs" };
            return Some(accelerations(&format!("{owner}.{velocity}")));
        }
        if let Some(joint) = look_up(&self.joint_names, prefix, owner) {
            let names = self.scene.joints[joint].dof_names.iter().filter(|(position, _)| !position.is_empty());
            return offered(owner, names.flat_map(|(position, velocity)| [*position, *velocity]));
        }
        let component = look_up(&self.component_names, prefix, owner)?;
        let layout = &self.scene.components[component].layout;
        let outputs = layout.outputs.iter().map(|output| output.name.clone());
        let flanges = layout.flanges.iter().flat_map(|flange| {
            let of = if layout.flanges.len() == 1 { String::new() } else { format!("{}.", flange.name) };
            flange.value_names().iter().map(move |(_, name)| format!("{of}{name}"))
        });
        let names: Vec<String> = outputs.chain(flanges).collect();
        offered(owner, names.iter().map(String::as_str))
    }
}

/// Names of positions and of their derivatives.
const RATES: [(&str, &str); 4] = [("phi", "w"), ("s", "v"), ("r_abs", "v_abs"), ("r", "v")];

fn accelerations(velocity: &str) -> String {
    format!(
        "accelerations are no signals, since they depend on all forces of the same instant; read the velocity `{velocity}`, through a \
         `transfer-function` with b = [1, 0] and a = [T, 1] for its filtered derivative"
    )
}

fn offered<'n>(owner: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    let names: Vec<String> = names.map(|name| format!("`{owner}.{name}`")).collect();
    (!names.is_empty()).then(|| format!("`{owner}` has {}", names.join(", ")))
}
