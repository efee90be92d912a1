//! Infers from their connections whether neutral flanges rotate or translate.

use super::Elaboration;
use crate::component::Layout;
use crate::scene::FlangeTarget;

impl Elaboration<'_> {
    /// Gives flanges without a fixed kind the kind of their partner, in either direction. Flanges without any keep the
    /// kind that their component declares.
    pub(super) fn find_flange_kinds(&mut self) {
        let declared = |layout: &Layout| {
            let kinds = layout.flanges.iter().map(|flange| (!flange.is_neutral).then_some(flange.translates));
            kinds.collect::<Vec<_>>()
        };
        let mut kinds: Vec<Vec<Option<bool>>> = self.scene.components.iter().map(|c| declared(&c.layout)).collect();
        while self.spread_kinds(&mut kinds) {}
        for (instance, kinds) in self.scene.components.iter_mut().zip(kinds) {
            for (flange, kind) in instance.layout.flanges.iter_mut().zip(kinds) {
                flange.translates = kind.unwrap_or(flange.translates);
            }
            name_effort(&mut instance.layout);
        }
    }

    /// Passes kinds on between connected flanges; true when one became known.
    fn spread_kinds(&self, kinds: &mut [Vec<Option<bool>>]) -> bool {
        let mut changed = false;
        for (k, instance) in self.scene.components.iter().enumerate() {
            for (f, target) in instance.targets.iter().enumerate() {
                let other = match *target {
                    Some(FlangeTarget::Joint(joint, dof)) => {
                        let name = self.scene.joints[joint].dof_names.get(dof);
                        name.map(|(position, _)| position.starts_with('s'))
                    }
                    Some(FlangeTarget::Flange(component, flange)) => {
                        let [own, other] = [kinds[k][f], kinds[component][flange]];
                        kinds[component][flange] = other.or(own);
                        changed |= other.is_none() && own.is_some();
                        other
                    }
                    Some(FlangeTarget::Ground) | None => None,
                };
                changed |= kinds[k][f].is_none() && other.is_some();
                kinds[k][f] = kinds[k][f].or(other);
            }
        }
        changed
    }
}

/// An output `effort` is that on the last flange: a force or a torque, as the flange has it.
fn name_effort(layout: &mut Layout) {
    let Some(last) = layout.flanges.last().filter(|last| last.is_neutral) else { return };
    let unit = if last.translates { "N" } else { "N.m" };
    let efforts = layout.outputs.iter_mut().filter(|output| matches!(output.unit.as_str(), "N" | "N.m"));
    efforts.for_each(|output| unit.clone_into(&mut output.unit));
}
