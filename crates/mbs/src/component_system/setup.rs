//! How the arrays of all components are laid out, at the start and when numbers of states change.

use std::ops::Range;

use super::holder::{Holder, LoadRule};
use super::network::{JointCoordinate, MechanicsAtStart, Root, compile as compile_network, touch};
use super::observed::Observed;
use super::schedule::schedule;
use super::system::{Block, ComponentSystem};
use crate::component::{Motion, StateVariable};
use crate::math::Scales;
use crate::scene::{ComponentInstance, External, ExternalSource, Scene};
use crate::topology::{Topology, TopologyError};

impl ComponentSystem {
    /// The components of a scene and their variables at the start.
    ///
    /// # Errors
    /// Connections without a meaning.
    pub fn new(scene: &Scene, topology: &Topology) -> Result<(Self, Vec<f64>), TopologyError> {
        Self::starting(scene, topology, None)
    }

    /// As [`ComponentSystem::new`], fitting the mechanics at the start.
    ///
    /// # Errors
    /// Connections without a meaning.
    pub(crate) fn starting(
        scene: &Scene,
        topology: &Topology,
        started: Option<MechanicsAtStart<'_>>,
    ) -> Result<(Self, Vec<f64>), TopologyError> {
        let mut system = Self {
            network: compile_network(scene, topology, started)?,
            schedule: schedule(&scene.components, &scene.signals),
            scales: scene.scales,
            ..Self::default()
        };
        let mut x = Vec::new();
        for instance in &scene.components {
            reserve::check();
            let layout = &instance.layout;
            x.extend(layout.states.iter().map(|state| state.start));
            system.z.extend(&layout.discrete);
            system.add_part(instance, scene.scales);
        }
        system.keep_holders(scene, topology);
        system.num_x = x.len();
        system.assign_variables(&mut x);
        reserve::check();
        for external in &scene.externals {
            let External { slot, source } = *external;
            match source {
                ExternalSource::Joint { joint, dof, order } => {
                    let at = touch(&mut system.network.touched, scene, topology, JointCoordinate { joint, dof });
                    system.externals.extend(at.map(|at| (slot, at, order)));
                }
                ExternalSource::Motion(what) => system.observed.push(Observed::new(slot, what, scene, topology)),
            }
        }
        system.find_geared(&scene.components);
        system.allocate();
        reserve::check();
        system.plan_rates(&scene.signals);
        Ok((system, x))
    }

    /// Finds what components touch and expressions read in the topology of another segment.
    pub(crate) fn rebind(&mut self, scene: &Scene, topology: &Topology) {
        self.observed.iter_mut().for_each(|observed| *observed = observed.rebound(scene, topology));
        self.network.touched.iter_mut().for_each(|touched| touched.rebind(scene, topology));
    }

    /// A joint that components are connected with and that a topology does not have.
    pub(crate) fn missing_joint(&self, topology: &Topology) -> Option<crate::scene::JointId> {
        let connected = self.network.groups.iter().filter_map(|group| match group.root {
            Root::Joint(at) => Some(&self.network.touched[at]),
            _ => None,
        });
        let mut missing =
            connected.filter(|touched| topology.joints[touched.joint.index()].coordinates.get(touched.dof).is_none());
        missing.next().map(|touched| touched.joint)
    }

    fn add_part(&mut self, instance: &ComponentInstance, scales: Scales) {
        let layout = &instance.layout;
        let last = self.blocks.last();
        let after = |range: fn(&Block) -> Range<usize>, count: usize| {
            let start = last.map_or(0, |block| range(block).end);
            start..start + count
        };
        let direct: Vec<bool> = layout.outputs.iter().map(|output| output.direct).collect();
        if direct.iter().any(|direct| !direct) {
            self.early.push(self.blocks.len());
        }
        if let Some(unknown) = layout.holds {
            self.holders.push(Holder { block: self.blocks.len(), unknown });
            self.rules.push(LoadRule::Own);
        }
        let block = Block {
            path: instance.path.clone(),
            component: instance.component.clone(),
            x: after(|p| p.x.clone(), layout.states.len()),
            z: after(|p| p.z.clone(), layout.discrete.len()),
            inputs: after(|p| p.inputs.clone(), layout.inputs.len()),
            signals: instance.inputs.clone(),
            flanges: after(|p| p.flanges.clone(), layout.flanges.len()),
            indicators: after(|p| p.indicators.clone(), layout.num_indicators),
            first_output: instance.first_output,
            direct,
            driven: layout.driven.map(|(flange, _)| flange),
            tear: None,
            sparsity: layout.sparsity,
            first_flange: instance.first_flange,
            input_names: layout.inputs.iter().map(|input| input.name.clone()).collect(),
            output_names: layout.outputs.iter().map(|output| output.name.clone()).collect(),
            state_names: layout.states.iter().map(|state| state.name.clone()).collect(),
            state_units: layout.states.iter().map(|state| state.unit.clone()).collect(),
            nominal: layout.states.iter().map(|state| nominal(state, &scales)).collect(),
            algebraic: layout.states.iter().map(|state| state.algebraic).collect(),
            translates: layout.flanges.first().is_some_and(|flange| flange.translates),
            scales,
        };
        self.blocks.push(block);
    }

    /// Gives algebraic loops and groups their variables, after those of the components' own states.
    fn assign_variables(&mut self, x: &mut Vec<f64>) {
        for &k in &self.schedule.torn {
            self.blocks[k].tear = Some(x.len());
            let count = self.blocks[k].num_direct();
            x.extend(std::iter::repeat_n(0.0, count));
        }
        for group in &mut self.network.groups {
            match &mut group.root {
                Root::Own(at) => {
                    *at = x.len();
                    x.extend(group.start);
                }
                Root::Driven(at, ..) => {
                    *at = x.len();
                    x.push(group.start[0]);
                }
                Root::Ground | Root::Joint(_) => {}
            }
        }
        self.num_x = x.len();
    }

    fn allocate(&mut self) {
        if let Some(last) = self.blocks.last() {
            self.inputs.resize(last.inputs.end, 0.0);
            self.flanges.resize(last.flanges.end, Motion::default());
            self.efforts.resize(last.flanges.end, 0.0);
            self.sides.resize(last.indicators.end, false);
            self.margins.resize(last.indicators.end, 0.0);
        }
        self.joints.resize(self.network.touched.len(), Motion::default());
        self.group_motions.resize(self.network.groups.len(), Motion::default());
        self.group_efforts.resize(self.network.groups.len(), 0.0);
        self.tear_residuals.resize(self.blocks.iter().filter(|p| p.tear.is_some()).map(Block::num_direct).sum(), 0.0);
        let most = |count: fn(&Block) -> usize| self.blocks.iter().map(count).max().unwrap_or(0);
        let longest = most(|p| p.direct.len()).max(most(|p| p.flanges.len())).max(most(|p| p.indicators.len()));
        self.scratch.resize(longest, 0.0);
    }

    /// Gives a component another number of states; those behind move.
    pub(super) fn resize_part(&mut self, block: usize, count: usize) {
        reserve::check();
        let old = self.blocks[block].x.clone();
        let shift = |at: usize| if at >= old.end { at + count - old.len() } else { at };
        let like = |all: &mut Vec<f64>| all.resize(count, all.last().copied().unwrap_or(1.0));
        like(&mut self.blocks[block].nominal);
        self.blocks[block].algebraic.resize(count, false);
        self.blocks[block].x.end = old.start + count;
        for (k, other) in self.blocks.iter_mut().enumerate() {
            if k > block {
                other.x = shift(other.x.start)..shift(other.x.end);
            }
            other.tear = other.tear.map(shift);
        }
        for group in &mut self.network.groups {
            match &mut group.root {
                Root::Own(at) | Root::Driven(at, ..) => *at = shift(*at),
                Root::Ground | Root::Joint(_) => {}
            }
        }
        self.num_x = self.num_x + count - old.len();
    }
}

/// Typical magnitude of a state.
fn nominal(state: &StateVariable, scales: &Scales) -> f64 {
    if state.in_scale { state.nominal * scales.of_unit(&state.unit) } else { state.nominal }
}
